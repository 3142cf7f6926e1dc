#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --fatal: a rule of the report fails the run, which names it and writes nothing

. "${0%/*}/../lib/testlib.sh"

need gcc ld

# f and g lose a parameter that BTF counts; the set of kfuncs lists f and a function that is nowhere
cat >lost.c <<\END
#define N __attribute__((noinline, used))
N int f(double d, int x) { return x; }
N int g(double d, int x) { return x + 1; }
N int good(int x) { return x; }
int start(void) { return f(1, 2) + g(1, 2) + good(3); }
#define ID(name) \
	asm(".pushsection .BTF_ids,\"a\"; __BTF_ID__func__" #name "__1: .long 0;" \
	    ".size __BTF_ID__func__" #name "__1, 4; .long 0; .popsection");
asm(".pushsection .BTF_ids,\"a\"; __BTF_ID__set8__some: .long 2; .long 1; .popsection");
ID(f)
#ifdef NOWHERE
ID(nowhere)
#endif
ID(good)
asm(".pushsection .BTF_ids,\"a\"; .size __BTF_ID__set8__some, .-__BTF_ID__set8__some; .popsection");
END
gcc -g -O1 -c lost.c && ld -e start -o lost lost.o && cp lost before && cp lost.o before.o || fail "cannot build"
# by default, kfuncs are not omitted for their registers (cli/kfuncs_kept.sh)
default='--compat=1.32 --btf_features=default'

# refused ERROR ARGS...: status 1, the error, and lost and lost.o are as they were
refused()
{
	expected=$1
	shift
	run_status 1 btfenc "$@"
	expect_no_stdout
	[ "$(grep -c '^btfenc: error: ' out/stderr)" = 1 ] || fail "$*: not one error: $(cat out/stderr)"
	grep -qxF "btfenc: error: $expected" out/stderr || fail "$*: $(cat out/stderr)"
	cmp before lost && cmp before.o lost.o || fail "$*: the file was changed"
}

register='func_unexpected_register: the DWARF has a parameter in another register than the calling convention'
no_function='a set of kfuncs in .BTF_ids lists it, and the BTF has no such function'

# --- DWARF: a linked file, an object; the kfunc's error has its function's rule and unit
lost="kfunc_lost: function 'f' of unit 'lost.c': $no_function: $register"
refused "'lost': $lost" -J $default --fatal=kfunc_lost lost
refused "'lost': $lost" $default --fatal=kfunc_lost lost
refused "'lost.o': $lost" -J $default --fatal=kfunc_lost lost.o
refused "'lost': $lost" --btf_encode_detached=new.btf $default --fatal=kfunc_lost lost
refused "'lost': $lost" -J --strip_dwarf $default --fatal=kfunc_lost lost
refused "'lost.o': $lost" -J --btf_archive=new.archive $default --fatal=kfunc_lost lost.o
[ ! -e new.btf ] && [ ! -e new.archive ] || fail "something was written"

# --- functions, in the order of the report; lists, and several of them
why='the DWARF has a parameter in another register than the calling convention'
all="func_unexpected_register: function 'f' of unit 'lost.c': $why (and 1 more, see '--btf_report')"
refused "'lost': $all" -J $default --fatal=func_unexpected_register lost
more="func_unexpected_register: function 'f' of unit 'lost.c': $why (and 2 more, see '--btf_report')"
refused "'lost': $more" -J $default --fatal=kfunc_lost,func_unexpected_register lost
refused "'lost': $more" -J $default --fatal=kfunc_lost --fatal=func_unexpected_register lost

# --- a function of no unit
gcc -g -O1 -DNOWHERE -c lost.c -o nowhere.o && sed 's/ID(f)//' lost.c >without.c &&
	gcc -g -O1 -DNOWHERE -c without.c -o nowhere.o && ld -e start -o nowhere nowhere.o || fail "cannot build"
refused "'nowhere': kfunc_lost: function 'nowhere': $no_function" -J $default --fatal=kfunc_lost nowhere

# --- variables, members, units
echo 'struct s { char big[0x20000000]; int far; } *s; _Complex long double c;' | gcc_c types.o
cp types.o before-types.o
run_status 1 btfenc -J --btf_features=default --fatal=member_beyond_512m types.o
expect_in stderr "'types.o': member_beyond_512m: struct 's', 'far' of unit 'types.c': BTF cannot"
cmp before-types.o types.o || fail "types.o was changed"

# --- rules that do not apply change nothing
btfenc --btf_encode_detached=plain.btf $default lost 2>/dev/null || fail "cannot encode"
run_ok btfenc --btf_encode_detached=fatal.btf $default --fatal=var_overlaps,func_no_type,btf_id_lost lost
cmp plain.btf fatal.btf || fail "--fatal changes the BTF"
run_ok btfenc $default --fatal=var_overlaps lost
expect_no_stdout

# --- archives
cp lost.o member.o
echo 'int other(void) { return 0; }' | gcc_c other.o
btfenc -J $default --strip_dwarf member.o 2>/dev/null && btfenc -J $default --strip_dwarf other.o &&
	ld -e start -o archive member.o other.o && cp archive before-archive || fail "cannot make the archive"
run_status 1 btfenc -J $default --fatal=kfunc_lost archive
grep -qxF "btfenc: error: 'archive': $lost" out/stderr || fail "an archive: $(cat out/stderr)"
cmp before-archive archive || fail "the archive was changed"

# --- modules: the others are done
echo 'int based(int a) { return a; }' | gcc_c base.o
btfenc --btf_encode_detached=base.btf base.o || fail "cannot encode the base"
cp other.o fresh.o
echo 'int own(int a) { return a; }' | gcc_c m1.ko
cp m1.ko m2.ko
cp m1.ko fresh.ko
cp lost.o bad.ko
run_status 1 btfenc -J --btf_base=base.btf $default --fatal=kfunc_lost --btf_report=report m1.ko bad.ko m2.ko
grep -qxF "btfenc: error: 'bad.ko': $lost" out/stderr || fail "a module: $(cat out/stderr)"
expect_in stderr '^btfenc: error: 1 of 3 files failed, the others are done$'
cmp lost.o bad.ko || fail "bad.ko was changed"
for module in m1 m2; do
	! cmp -s fresh.ko $module.ko || fail "$module.ko is not done"
done
[ "$(grep -c '"end":true,"left_out"' report)" = 3 ] || fail "not three reports"
tail -n 1 report | grep -q '^{"end":true,"files":3,"failures":1,.*,"kfuncs_lost":1}$' || fail "$(tail -n 1 report)"

# --- the report is complete, and names no output
refused "'lost': $lost" -J $default --fatal=kfunc_lost --btf_report=report lost
head -n 1 report | grep -q '"inputs":\["lost"\]}$' || fail "$(head -n 1 report)"
grep -q '"rule":"func_unexpected_register".*"name":"g"' report || fail "the report lacks g"
tail -n 1 report | grep -qF '"kfuncs_lost":1,"error":"'"'lost': kfunc_lost: function 'f' of unit" ||
	fail "$(tail -n 1 report)"
run_status 1 btfenc -J $default --fatal=kfunc_lost --btf_report=no/folder lost
expect_in stderr "^btfenc: error: 'lost': kfunc_lost"
expect_in stderr "^btfenc: error: 'no/folder'"
run_status 1 btfenc -J $default --fatal=kfunc_lost --explain lost
expect_in stdout ' lost kfunc_lost: '
expect_in stderr "^btfenc: error: 'lost': kfunc_lost"
# with a name, the whole report is made all the same
run_status 1 btfenc -J $default --fatal=kfunc_lost --explain=good lost
cmp before lost || fail "lost was changed"

# --- in place of a compiler: an object that lacks it is no object
run_status 1 btfenc $default --fatal=kfunc_lost --launch gcc -g -O1 -c lost.c -o launched.o
expect_in stderr "'launched.o': kfunc_lost"
[ ! -e launched.o ] || fail "launched.o is still there"

# --- without DWARF, no rule can be checked; an object of the assembler has none
objcopy --strip-debug lost stripped && cp stripped stripped.ko && cp stripped stripped.before || fail "objcopy failed"
nothing="has nothing to encode: '--fatal' needs DWARF or a BTF archive"
for way in -J --btf_report=report.json --explain ''; do
	run_status 1 btfenc $way $default --fatal=kfunc_lost stripped
	expect_in stderr "^btfenc: error: 'stripped' $nothing\$"
done
cmp stripped stripped.before || fail "the file was changed"
btfenc --btf_encode_detached=base.btf $default lost || fail "cannot encode lost"
run_status 1 btfenc -J $default --fatal=kfunc_lost --btf_base=base.btf stripped.ko
expect_in stderr "^btfenc: error: 'stripped.ko' $nothing\$"
echo 'nop' | gcc -x assembler -c - -o asm.o || fail "gcc failed"
run_silent btfenc -J $default --fatal=kfunc_lost asm.o
run_status 1 btfenc $default --fatal=kfunc_lost asm.o

# --- the command line
usage_error "--fatal: unknown rule 'kfunk_lost'; did you mean: kfunc_lost" -J --fatal=kfunk_lost lost
run btfenc -J --fatal=kfunc_lost,sym lost
expect_usage_error "--fatal: unknown rule 'sym'; did you mean: func_no_symbol, func_no_symtab, func_kfunc_no_symbol, var_no_symbol, var_several_symbols, archive_no_symtab"
for list in '' kfunc_lost,; do
	run btfenc -J "--fatal=$list" lost
	expect_in stderr "--fatal: unknown rule ''; the rules are: func_unexpected_register, .*, kfunc_lost, btf_id_lost"
done
usage_error "'--fatal=kfunc_lost' needs the feature decl_tag_kfuncs" -J --compat=1.32 --fatal=kfunc_lost --btf_features=var lost
usage_error "'--fatal=func_inconsistent_prototype' needs the feature consistent_func" -J --fatal=func_inconsistent_prototype lost
usage_error "'--fatal=btf_id_lost' needs the feature decl_tag_kfuncs" -J --compat=1.32 --fatal=btf_id_lost lost
for job in --btf_check --btf_stats '-C s'; do
	run_status 64 btfenc $job --fatal=func_no_type plain.btf
	expect_in stderr "and '--fatal' cannot be combined\|'--fatal' cannot be combined"
done
exit 0
