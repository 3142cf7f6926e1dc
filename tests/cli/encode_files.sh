#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# which file is changed by -J, and when: modes, links, a second run, files that cannot be encoded

. "${0%/*}/../lib/testlib.sh"

need cmp head id stat
gcc_c whole.o <<\END
struct s { int x; char *p; } s; int f(struct s *p) { return p->x; }
END

# --- the mode of the file stays; a new output gets what the umask leaves
for mode in 640 755 600; do
	cp whole.o a.o
	chmod $mode a.o
	run_ok btfenc -J a.o
	[ "$(stat -c %a a.o)" = $mode ] || fail "mode $(stat -c %a a.o), not $mode"
done
(umask 027 && exec btfenc --btf_encode_detached=a.btf whole.o) || fail "cannot encode"
[ "$(stat -c %a a.btf)" = 640 ] || fail "a new file of mode $(stat -c %a a.btf)"

# --- a second run changes nothing, neither content nor time
touch -d '2001-01-01' a.o
cp -p a.o before
run_silent btfenc -J a.o
cmp before a.o || fail "the second run gives other bytes"
[ ! a.o -nt before ] || fail "the second run writes"
run_ok btfenc -J --btf_features=default,global_var a.o
! cmp -s before a.o || fail "other features make no difference"

# --- a symbolic link is followed; of several names only the given one changes
cp whole.o a.o
ln -s a.o symbolic
run_silent btfenc -J symbolic
[ -L symbolic ] || fail "the link became a file"
has_section a.o .BTF || fail "its target has no .BTF"
cp whole.o b.o
ln b.o other_name
run_ok btfenc -J b.o
has_section b.o .BTF || fail "no .BTF"
cmp whole.o other_name || fail "the other name changed, too"

# --- a file that is missing or no ELF file; one such file keeps all others from being encoded
echo "no ELF" >text
: >empty
mkdir folder
cp whole.o good.o
table error <<\END
-J missing | 'missing': cannot open: No such file or directory
-J text | 'text': not an ELF file
-J empty | 'empty': not an ELF file: empty
-J folder | 'folder' is a directory: list its files with "find folder/ -name '*.ko*' >LIST", and give @LIST
-J good.o folder | 'folder': cannot read: Is a directory
-J good.o missing | 'missing': cannot open: No such file or directory
--btf_encode_detached=out.btf text good.o | 'text': not an ELF file
END
cmp whole.o good.o || fail "the good file was changed"
[ ! -e out.btf ] || fail "it has written something"

# --- a file that was cut off anywhere: gcc puts the section table last, so that each lacks a part of it
size=$(wc -c <whole.o)
for len in 3 16 52 63 64 100 $((size / 2)) $((size - 64)) $((size - 1)); do
	head -c "$len" whole.o >cut.o
	cp cut.o before
	error_like "'cut.o': .*" -J cut.o
	cmp before cut.o || fail "$len bytes: the file was changed"
done

# --- the BTF that is split over a base does not replace that base
cp whole.o vmlinux.o
btfenc -J vmlinux.o || fail "cannot encode"
btfenc --btf_encode_detached=base.btf vmlinux.o || fail "cannot encode"
cp vmlinux.o before.o && cp base.btf before.btf
table usage_error <<\END
-J --btf_base=./vmlinux.o vmlinux.o | 'vmlinux.o' is the base itself
--btf_base=base.btf --btf_encode_detached=./base.btf whole.o | './base.btf' is the base itself
END
cmp before.o vmlinux.o && cmp before.btf base.btf || fail "a base was changed"

# --- nor does an output replace an ar archive or a list
ar rc whole.a whole.o && echo whole.o >list || fail "cannot make the inputs"
cp whole.a before.a
replaced="the output would replace the input; '-J' puts BTF into its file"
table usage_error <<END
--btf_encode_detached=whole.a whole.a | 'whole.a': $replaced
--btf_encode_detached=list @list | 'list': $replaced
--btf_report=list @list | 'list': the report cannot go there
END
cmp before.a whole.a && [ "$(cat list)" = whole.o ] || fail "an input was changed"

# --- a file that must not be written
[ "$(id -u)" != 0 ] || skip "root may write everything; the rest was tested"
cp whole.o a.o
chmod 444 a.o
error_like "'a.o': .*Permission denied.*" -J a.o
cmp whole.o a.o || fail "the file was changed"
