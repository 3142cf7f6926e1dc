#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_functions: the BTF describes only the functions of a list, or none, and everything else as without the option

. "${0%/*}/../lib/testlib.sh"

need gcc ld bpftool

gcc_c one.o <<\END
struct file { int nr; };
struct only_here { long size; };
int vfs_open(struct file *opened) { return opened->nr; }
int vfs_close(struct file *closed_file) { return closed_file->nr + vfs_open(closed_file); }
int count = 1;
END
gcc_c two.o <<\END
struct file { int nr; };
struct only_here { long size; };
int vfs_open(struct file *);
long total(struct file *f, struct only_here *with_total) { return f->nr + with_total->size + vfs_open(f); }
END
ld -e vfs_open -o program one.o two.o || fail "ld failed"

# funcs FILE: the names of the functions in its BTF
funcs()
{
	bpftool btf dump file "$1" | sed -n "s/^\[.*\] FUNC '\([^']*\)'.*/\1/p" | tr '\n' ' '
}
# described NAMES OPTION...: the BTF of program has these functions
warned=
described()
{
	want=$1
	shift
	run_ok btfenc --btf_features=default --btf_encode_detached=some.btf "$@" program
	[ -n "$warned" ] || expect_no_stderr
	[ "$(funcs some.btf)" = "$want" ] || fail "$*: '$(funcs some.btf)', not '$want'"
}
described 'total vfs_close vfs_open '
cp some.btf all.btf
described '' --btf_functions=none
cp some.btf none.btf
described 'vfs_close vfs_open ' --btf_functions='vfs_*'
warned=1
described 'total ' --btf_functions=total,absent
expect_stderr <<\END
btfenc: warning: --btf_functions: the BTF has no function 'absent' (to see why, add '--explain=absent' to the options)
END
described '' --btf_functions='vsf_*,vfs_opne,kfuncs'
expect_stderr <<\END
btfenc: warning: --btf_functions: no function of the BTF matches 'vsf_*'
btfenc: warning: --btf_functions: the BTF has no function 'vfs_opne'; did you mean 'vfs_open'?
END
warned=
described 'total vfs_open ' --btf_functions=total --btf_functions='vfs_open()'
printf 'total\nvfs_c*\n' >names
described 'total vfs_close ' --btf_functions=file://names
cp some.btf listed.btf

# a file of BTF alone has no sections for its variables
run_ok btfenc --btf_features=default,global_var --btf_encode_detached=vars.btf program
run_ok btfenc -F btf --btf_features=default,global_var --btf_encode_detached=again.btf vars.btf
expect_stderr <<\END
btfenc: warning: 'vars.btf': variables left out: 1, because a file of BTF alone has no sections; '-F btf' or '-F dwarf' of the ELF file keeps them
END
run_silent btfenc -F btf --btf_features=encode_force --btf_encode_detached=again.btf vars.btf
cp program kept
run_ok btfenc -J --btf_features=default,global_var kept
run_silent btfenc -F btf --btf_features=default,global_var --btf_functions=none --btf_encode_detached=again.btf kept
run_ok btfenc -C count again.btf
expect_in stdout '^int count; /\* section '

# types and variables are the same, and neither names nor prototypes of other functions stay
run_ok btfenc --btf_features=default,global_var --btf_functions=none --btf_encode_detached=vars.btf program
run_ok btfenc -C file,only_here,count vars.btf
expect_in stdout '^int count;'
for word in vfs_open opened closed_file with_total; do
	grep -q "$word" all.btf || fail "$word is not in the whole BTF"
	grep -q "$word" none.btf && fail "$word is in BTF without functions"
done
bpftool btf dump file none.btf | grep FUNC_PROTO && fail "a prototype stays"

# in place, with any number of threads, from an archive, and from BTF it is the same
for jobs in 1 2 8; do
	run_ok btfenc -j$jobs --btf_features=default --btf_functions='file://names' --btf_encode_detached=some.btf program
	cmp listed.btf some.btf || fail "-j$jobs changes it"
done
cp program placed
run_ok btfenc -J --btf_features=default --btf_functions=file://names placed
bpftool btf dump file placed >told
bpftool btf dump file listed.btf | cmp - told || fail "in place it is another"
for object in one two; do
	run_ok btfenc -J --btf_features=default $object.o
done
ld -e vfs_open -o archive one.o two.o || fail "ld failed"
for list in none file://names 'vfs_*'; do
	for from in dwarf btf; do
		run_ok btfenc -F $from --btf_features=default --btf_functions="$list" --btf_encode_detached=$from.btf archive
	done
	cmp dwarf.btf btf.btf || fail "--btf_functions=$list: an archive gives another BTF than DWARF"
done
run_silent btfenc -F btf --btf_features=default --btf_functions='vfs_*' --btf_encode_detached=again.btf all.btf
[ "$(funcs again.btf)" = 'vfs_close vfs_open ' ] || fail "from BTF: $(funcs again.btf)"
# the option of an object is not that of the link
run_ok btfenc -J --btf_features=default --btf_functions=none one.o
[ "$(funcs one.o)" = '' ] || fail "an object has functions"
ld -e vfs_open -o archive one.o two.o || fail "ld failed"
run_ok btfenc -F btf --btf_features=default --btf_encode_detached=again.btf archive
cmp all.btf again.btf || fail "the link does not get the functions of the object"

# over a base
gcc_c module.o <<\END
struct file { int nr; };
int module_open(struct file *f) { return f->nr; }
int module_close(struct file *f) { return f->nr; }
END
# the list may be that of the base
run_silent btfenc --btf_features=default --btf_base=all.btf --btf_functions='module_open,vfs_*' --btf_encode_detached=module.btf module.o
bpftool -B all.btf btf dump file module.btf | grep FUNC >told
grep -q module_open told || fail "module_open is missing"
grep -q module_close told && fail "module_close is not left out"

# they are no omission, but a reason
run_ok btfenc --btf_features=default --btf_functions=total --btf_report=- program
grep -q vfs_ out/stdout && fail "the report has functions that are not asked for"
run_ok btfenc --btf_features=default --btf_functions=total --explain=vfs_open,total program
expect_in stdout '^  func_not_asked: left out: --btf_functions does not select it$'
expect_in stdout '^  in the generated BTF: FUNC: long int total('
run_ok btfenc -F btf --btf_features=default --btf_functions=total --explain=vfs_open archive
expect_in stdout '^  func_not_asked: left out: '

# split BTF is not combined
error "'module.btf': BTF: it is split BTF, over a base, and '-F btf' reads only whole BTF: encode the file from its DWARF" \
	-F btf --btf_base=all.btf --btf_functions=none --btf_encode_detached=no.btf module.btf

usage_error "'--btf_functions' and '--launch' cannot be combined: give it when the objects are combined" \
	--launch --btf_functions=none gcc -c one.c
usage_error "'--btf_functions' and '--btf_archive' cannot be combined: give it when the objects are combined" \
	-J --btf_archive=x --btf_functions=none one.o
for option in --btf_check '-C file' --btf_stats; do
	usage_error "'--btf_functions' needs an option that encodes, such as '-J'" $option --btf_functions=none all.btf
done
usage_error "--btf_functions: a name is empty" --btf_functions= -J program
usage_error "--btf_functions: 'struct file' is a type" --btf_functions='struct file' -J program
