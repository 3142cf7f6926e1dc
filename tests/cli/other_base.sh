#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# split BTF over a base that it was not made over is one clear error

. "${0%/*}/../lib/testlib.sh"

need gcc objcopy

base_source()
{
	cat <<END
$1
struct inner { int first, second; };
struct shared { struct inner *link; long length; unsigned char flag; };
struct shared shared;
int shared_use(struct shared *s, struct inner *i) { return s->length + i->second; }
END
}

base_source "" | gcc_c base.o
# the next build of it: with another struct, and with another type that has no name of its own
base_source "struct added { short before; struct added *next; }; struct added added;" |
	gcc_c named.o
base_source "short *more(int **less) { return (short *)*less; }" | gcc_c typed.o
gcc_c module.o <<\END
struct inner { int first, second; };
struct shared { struct inner *link; long length; unsigned char flag; };
struct own { struct shared *one; struct inner two; double three; };
int own_init(struct own *o, struct inner *i) { return o->two.first + i->first; }
void own_exit(struct own *o, struct shared **s) { *s = o->one; }
END
for name in base named typed; do
	btfenc --btf_features=default --btf_encode_detached=$name.btf $name.o || fail "cannot encode $name"
done
cp module.o module.ko
btfenc -J --btf_features=default --btf_base=base.btf module.ko || fail "cannot encode"
section module.ko .BTF module.btf

run_silent btfenc --btf_check --btf_base=base.btf module.ko module.btf

for base in named typed; do
	why="the BTF was not made over base '$base.btf': [0-9]* of [0-9]* names do not begin where a string begins, [0-9]* of [0-9]* references lead to no possible type$"

	# one line for each file, and the others are checked
	run_status 1 btfenc --btf_check --btf_base=$base.btf module.ko $base.btf module.btf
	expect_no_stderr
	grep -v "^$base.btf: \|^3 files: " out/stdout >lines
	[ "$(grep -c . lines)" = 2 ] || fail "$(grep -c . lines) lines over $base"
	grep -q "^module.ko: error: $why" lines || fail "module.ko is not refused"
	grep -q "^module.btf: error: $why" lines || fail "module.btf is not refused"

	# nothing that would have wrong names is printed
	run_status 1 btfenc -F btf -C own --btf_base=$base.btf module.ko
	expect_no_stdout
	expect_in stderr "^btfenc: error: 'module.ko': .BTF: $why"
	run_status 1 btfenc --btf_stats --btf_base=$base.btf module.btf
	expect_no_stdout
	expect_in stderr "^btfenc: error: 'module.btf': BTF: $why"
	run_status 2 btfenc --btf_diff --btf_base=base.btf --btf_base=$base.btf module.ko module.ko
	expect_no_stdout
	expect_in stderr "^btfenc: error: 'module.ko': .BTF: $why"
done

# BTF that needs no base
for args in "--btf_check named.btf" "-F btf -s named.btf" "--btf_stats named.btf"; do
	run_status 1 btfenc --btf_base=base.btf $args
	cat out/stdout out/stderr >out/both
	expect_in both "named.btf.*: the BTF stands alone, and was not made over base 'base.btf'$"
	[ "$(wc -l <out/both)" = 1 ] || fail "more than one line"
done

# a base for another machine (e_machine is at byte 18; 0xff is none that has a compiler)
cp base.o foreign.o
btfenc -J --btf_features=default foreign.o || fail "cannot encode"
cp foreign.o same.o
poke foreign.o 18 '\377\377'
run_ok btfenc --btf_features=default --btf_base=same.o --btf_encode_detached=out.btf module.o
run btfenc --btf_features=default --btf_base=foreign.o --btf_encode_detached=out.btf module.o
expect_error "'foreign.o': the base is for another machine than 'module.o'"

# The variables of --btf_vars_detached are split BTF over the BTF that was made with them.
btfenc --btf_features=default --btf_encode_detached=own.btf --btf_vars_detached=vars.btf named.o ||
	fail "cannot encode"
run_ok btfenc --btf_stats own.btf,vars.btf
run_status 1 btfenc --btf_stats base.btf,vars.btf
expect_in stderr "'vars.btf': BTF: the BTF was not made over base 'base.btf':"

# A section of a file is a base, too, and the error names the file.
cp named.o in_file.o
btfenc -J --btf_features=default in_file.o || fail "cannot encode"
cp base.o in_other.o
btfenc -J --btf_features=default in_other.o || fail "cannot encode"
run_ok btfenc --btf_stats in_file.o,vars.btf
run_status 1 btfenc --btf_stats in_other.o,vars.btf
expect_in stderr "'vars.btf': BTF: the BTF was not made over base 'in_other.o':"

# a base by an older pahole has no array of several dimensions
many="struct many { $(seq 500 | sed 's/.*/int a&[&];/') int matrix[2][3]; } many;"
echo "$many" | gcc_c many.o
run_ok btfenc --btf_encode_detached=new.btf many.o
run_ok btfenc --compat=1.31 --btf_encode_detached=old.btf many.o
run_silent btfenc -J --btf_base=new.btf module.o
run_silent btfenc -J --compat=1.31 --btf_base=old.btf module.o
run_ok btfenc -J --btf_base=old.btf module.o
expect_stderr <<\END
btfenc: warning: 'old.btf': pahole 1.31 or older made this BTF: encode with '--compat=1.31', or modules repeat many of its structs
END

# a base with 64-bit enums of the other form
echo 'enum wide { WIDE = 1ull << 40 } wide;' | gcc_c wide.o
run_ok btfenc --btf_encode_detached=new.btf wide.o
run_ok btfenc --skip_encoding_btf_enum64 --btf_encode_detached=old.btf wide.o
run_silent btfenc -J --btf_base=new.btf module.o
run_silent btfenc -J --skip_encoding_btf_enum64 --btf_base=old.btf module.o
run_ok btfenc -J --btf_base=old.btf module.o
expect_stderr <<\END
btfenc: warning: 'old.btf' has 64-bit enums without the feature enum64: give '--skip_encoding_btf_enum64', or the output repeats types of the base and takes long
END
run_ok btfenc -J --skip_encoding_btf_enum64 --btf_base=new.btf module.o
expect_stderr <<\END
btfenc: warning: 'new.btf' has ENUM64: give '--btf_features=+enum64', or the output repeats types of the base and takes long
END
exit 0
