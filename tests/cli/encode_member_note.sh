#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an object's .BTF carries a note behind its strings, which nobody else sees

. "${0%/*}/../lib/testlib.sh"

need gcc cmp objcopy ld bpftool od
cat >in.c <<'END'
struct s { int a; };
static inline int inlined(struct s *s) { return s->a; }
int f(struct s *s) { return inlined(s) + 2; }
END
gcc -O2 -g -c -o bare.o in.c || fail "gcc failed"

# section FILE OUT
section()
{
	objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$1" "$2" || fail "objcopy failed"
}

# note NAME: has its .BTF a note?
note()
{
	section "$1" "$1.btf"
	tail -c 21 "$1.btf" | grep -q btfnote
}

for file in plain.o noted.o other.ko; do
	cp bare.o $file
done
run_ok btfenc -J --skip_encoding_btf_member_notes plain.o
run_ok btfenc -J noted.o
run_silent btfenc -J other.ko
! note plain.o || fail "--skip_encoding_btf_member_notes leaves a note"
note noted.o || fail "no note in an object"
! note other.ko || fail "a note in a module"

# Types and the strings before it are what they are without; only the length of the strings says more.
word() { od -A n -t u4 -j "$2" -N 4 "$1" | tr -d ' '; }
[ "$(word noted.o.btf 20)" -gt "$(word plain.o.btf 20)" ] || fail "the note is not part of the strings"
len=$(wc -c <plain.o.btf)
cmp -n 20 plain.o.btf noted.o.btf || fail "the header differs"
cmp -i 24 -n $((len - 24)) plain.o.btf noted.o.btf || fail "what is before the note differs"
bpftool btf dump file plain.o.btf >plain.txt && bpftool btf dump file noted.o.btf >noted.txt || fail "bpftool does not read it"
cmp plain.txt noted.txt || fail "bpftool sees the note"
bpftool btf dump file noted.o.btf format c >noted.c || fail "bpftool prints no C"
! grep -a -q inlined plain.o.btf || fail "BTF names what is not in the object"
grep -a -q inlined noted.o.btf || fail "the note does not tell of an inline function"

# not into what a linker has made of several units, nor beside the file, nor over a base
sed 's/f(/g(/' in.c >two.c && gcc -O2 -g -c -o two.o two.c && ld -r -o both.o bare.o two.o || fail "no two units"
run_ok btfenc -J both.o
! note both.o || fail "a note in what was linked"
run_ok btfenc --btf_encode_detached=detached.btf bare.o
cmp detached.btf plain.o.btf || fail "a note beside the file"

# it knows with which features it was made; who asks for others is told that these come too late
echo 'double half(double d) { return d / 2; }' | gcc_c three.o -O1
objcopy --remove-section=.BTF two.o
for unit in two three; do
	run_ok btfenc -J $unit.o
done
ld -r -o archive.o two.o three.o || fail "ld failed"
run_silent btfenc --btf_encode_detached=made.btf archive.o
run_ok btfenc --btf_encode_detached=made.btf --btf_features=default,global_var archive.o
expect_stderr <<\END
btfenc: warning: 'archive.o': encoded without --btf_features=float,global_var, so BTF and DWARF may differ: member 'two.c' and 1 other
END
run_ok btfenc -J --btf_features=default,global_var three.o
ld -r -o archive.o two.o three.o || fail "ld failed"
run_ok btfenc --btf_encode_detached=made.btf archive.o
expect_stderr <<\END
btfenc: warning: 'archive.o': encoded with --btf_features=float, so BTF and DWARF may differ: member 'three.c'
END
