#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_report: a line of JSON for all that is left out or changed, with the rule and the location

. "${0%/*}/../lib/testlib.sh"

need gcc ld objcopy

# has LINE: the report has it, to the letter
has()
{
	grep -q -x -F -e "$1" report || {
		cat report >&2
		fail "no such line: $1"
	}
}

lacks()
{
	! grep -q -e "$1" report || fail "$(grep -e "$1" report)"
}

# every line of the report is JSON, and the last one says that it is whole
well_formed()
{
	tail -n 1 report | grep -q '^{"end":true,' || fail "the report has no end"
	command -v python3 >python || return 0
	python3 -c 'import json
for line in open("report", encoding="utf-8"): json.loads(line)' || fail "a line is no JSON"
}

# report ARGS: make one, the same with any number of threads
report()
{
	run_ok btfenc --btf_report=report --btf_report_rules=all "$@"
	expect_no_stdout
	for jobs in 2 8; do
		run_ok btfenc --btf_report=again --btf_report_rules=all -j$jobs "$@"
		cmp report again || fail "-j$jobs makes another report"
	done
	well_formed
	for file; do :; done
	sed '1d;$d' report | grep -v '^{"file":"'"$file"'","rule":"' && fail "a line without its file"
	sed -i 's/^{"file":"[^"]*",/{/' report
}

# --- functions of a linked file
gcc_c one.o -O2 -fPIC <<\END
#define N __attribute__((noinline))
struct one;
struct packed { char c; long l[3]; } __attribute__((packed));
static inline int inlined(int a) { return a + 1; }
N int differs(int a, struct one *p) { volatile int v = a; return v; }
static N int gone(int a, int b) { volatile int v = a; return v; }
N int moved(double d, int x) { return x; }
N int uncertain(int a, int b, int c, int d, int e, int f, struct packed p) { return a + p.c; }
static N int twice(int a) { volatile int v = a; return v; }
N int well(int a) { return inlined(a) + twice(a); }
int use(int a) { return gone(a, 3) + gone(a + 1, 3); }
END
gcc_c two.o -O2 -fPIC <<\END
#define N __attribute__((noinline))
struct two;
static inline int inlined(int a) { return a + 2; }
static inline int differs(int a, struct two *p) { return a; }
static N int twice(int a) { volatile int v = a; return v + 1; }
int use_two(int a) { return inlined(a) + differs(a, 0) + twice(a); }
END
gcc -shared -nostdlib -o funcs one.o two.o || fail "gcc does not link"
address_of()
{
	nm funcs | sed -n "s/^0*\([0-9a-f]*\) [tT] $1\$/0x\1/p"
}
report --compat=1.32 --btf_features=default funcs
[ "$(head -n 1 report)" = '{"schema":"btfenc-report","version":2,"tool":"'"$(btfenc -V --version |
	sed -n 's/^btfenc /&/p')"'","inputs":["funcs"]}' ] || fail "$(head -n 1 report)"
start='"subject":"func","result":"left_out","name"'
has '{"rule":"func_no_symbol",'"$start"':"inlined","unit":"one.c","units":2}'
has '{"rule":"func_inconsistent_prototype",'"$start"':"differs","unit":"one.c","address":"'"$(
	address_of differs)"'","units":2,"differs":"parameter","parameter":2,"prototypes":['"$(
	)"'{"prototype":"int (int a, struct one *p)","unit":"one.c","address":"'"$(address_of differs)"'"},'"$(
	)"'{"prototype":"int (int a, struct two *p)","unit":"two.c"}]}'
has '{"rule":"func_unexpected_register",'"$start"':"moved","unit":"one.c","address":"'"$(address_of moved)"'"}'
has '{"rule":"func_uncertain_location",'"$start"':"uncertain","unit":"one.c","address":"'"$(address_of uncertain)"'"}'
grep -q '"rule":"func_optimized_parameters",.*"name":"gone","unit":"one.c"' report || fail "gone: $(cat report)"
has '{"rule":"func_ambiguous_address",'"$start"':"twice","unit":"one.c","address":"'"$(
	nm -n funcs | sed -n "s/^0*\([0-9a-f]*\) t twice\$/0x\1/p" | head -n 1)"'","units":2}'
lacks '"name":"well"'
# in the order of names
grep -o '"func","result":"left_out","name":"[a-z]*"' report >names
sort names | cmp -s - names || fail "not sorted: $(cat names)"

# what is not left out for it is changed
report --btf_features=var funcs
grep -q '{"rule":"func_one_prototype","subject":"func","result":"changed","name":"differs",.*"parameter":2' \
	report || fail "$(cat report)"

# as the compiler has changed it
report --btf_features=default,true_signature funcs
grep -q '{"rule":"func_true_signature","subject":"func","result":"changed","name":"gone","symbol":"gone\.' \
	report || fail "$(cat report)"

# --- what a relocatable file has is in a section
gcc_c moved.o -O2 <<\END
struct s { int a, b; };
static __attribute__((noinline)) int reordered(struct s *p, int unused) { return p->b * 3; }
int use(struct s *p) { return reordered(p, 1) + reordered(p + 1, 1); }
int fd(double d) { return (int)d; }
END
report --compat=1.32 --btf_features=default moved.o
# the location is that of reordered.isra.0, not that of the function, which is only inlined
grep -q '^{"rule":"func_reordered_parameters",'"$start"':"reordered","unit":"moved.c","section":".text","offset":' report ||
	fail "$(cat report)"
grep -q '"rule":"func_unexpected_register",.*"name":"fd","unit":"moved.c","section":".text","offset":[0-9]*}' \
	report || fail "$(cat report)"

# --- parameters without a name
if gcc -std=c2x -x c -c -o /dev/null - <<\END 2>log
int f(int) { return 0; }
END
then
	gcc_c unnamed.o -std=c2x <<\END
int unnamed(int) { return 0; }
END
	report unnamed.o
	grep -q '{"rule":"func_unnamed_parameter",.*"name":"unnamed"' report || fail "$(cat report)"
fi

# --- members that cannot say whether a copy is what their prototype says
run_ok btfenc -J one.o
run_ok btfenc -J two.o
strip_facts one.o two.o
objcopy --redefine-sym well=well.isra.0 one.o copy.o || fail "objcopy failed"
ld -r -o archive.o copy.o two.o || fail "ld failed"
report --btf_features=default archive.o
grep -q '{"rule":"func_only_copies",.*"name":"well"' report || fail "$(cat report)"

# --- variables
gcc_c vars.o -O1 <<\END
struct nothing {} empty;
long __UNIQUE_ID_some = 1;
long __UNIQUE_ID_other = 1;
int with$dollar = 2;
int zeros[0] = {};
int good = 3;
__attribute__((section("first"))) int hidden = 4;
END
report --btf_features=default,global_var,encode_force vars.o
start='"subject":"var","result":"left_out","name"'
grep -q '{"rule":"var_no_size",'"$start"':"empty","unit":"vars.c","section":".bss","offset":[0-9]*}' report ||
	fail "$(cat report)"
has '{"rule":"vars_of_macro",'"$start"':"","unit":"vars.c","count":2}'
lacks __UNIQUE_ID_some
run_ok btfenc --explain --btf_features=default,global_var,encode_force vars.o
expect_in stdout '^ *2 left out vars_of_macro: '
expect_not_in stdout '(anon)'
run btfenc --btf_report=report --explain=__UNIQUE_ID_some --btf_features=default,global_var,encode_force vars.o
sed -i 's/^{"file":"[^"]*",/{/' report
grep -q '{"rule":"var_of_macro",'"$start"':"__UNIQUE_ID_some","unit":"vars.c","section":".data"' report ||
	fail "$(cat report)"
grep -q '{"rule":"var_invalid_name",'"$start"':"with$dollar",' report || fail "$(cat report)"
lacks '"name":"good"'
ld -e good -o vars vars.o || fail "ld failed"
objcopy --strip-symbol=hidden vars || fail "objcopy failed"
report --btf_features=default,global_var,encode_force vars
grep -q '{"rule":"var_no_symbol",'"$start"':"hidden","unit":"vars.c","address":"0x[0-9a-f]*"}' report ||
	fail "$(cat report)"

gcc_c weak.o <<\END
long same __attribute__((weak)) = 1;
END
gcc_c strong.o <<\END
long same = 2;
END
ld -e same -o same weak.o strong.o || fail "ld failed"
report --btf_features=default,global_var same
# one of them is described, so nothing is left out
grep -q '{"rule":"var_several_definitions","subject":"var","result":"several","name":"same","kept":"same","kept_unit":"weak.c","unit":"strong.c","address":"0x[0-9a-f]*"}' \
	report || fail "$(cat report)"
run_ok btfenc --explain=same --btf_features=default,global_var same
expect_in stdout "in the generated BTF: VAR"
expect_not_in stdout "left out"

gcc_c long.o <<\END
long same[2] = { 2 };
END
ld -e same -o same weak.o long.o || fail "ld failed"
report --btf_features=default,global_var same
grep -q '{"rule":"var_overlaps",'"$start"':"same","kept":"same","kept_unit":"long.c","unit":"weak.c","address":"0x[0-9a-f]*"}' report ||
	fail "$(cat report)"

# --- statics of functions, and a variable without a size behind the last one
gcc_c local.o <<\END
int first = 1;
__attribute__((noinline)) int f(int a) { static int inside = 1; { static long block; block += a; inside += block; } return inside; }
__attribute__((noinline)) int g(int a) { static int inside = 5; inside += a; return inside; }
int main(void) { return f(1) + g(2); }
int zero[0] __attribute__((section(".data")));
END
ld -e main -o local local.o || fail "ld failed"
report --btf_features=default,global_var local
for var in 'inside","function":"f' 'inside","function":"g' 'block","function":"f'; do
	grep -q '{"rule":"var_in_function",'"$start"':"'"$var"'","unit":"local.c","address":"0x[0-9a-f]*"}' report || fail "$(cat report)"
done
grep -q '{"rule":"var_no_size",'"$start"':"zero",' report || fail "$(cat report)"
# by the name in the source, and by that of the symbol
run_ok btfenc --explain=inside --btf_features=default,global_var local
expect_in stdout "var_in_function: left out: .*: 'f'"
expect_in stdout "var_in_function: left out: .*: 'g'"
symbol=$(nm local | sed -n 's/.* d \(inside[.].*\)/\1/p' | head -n 1)
at=$(nm local | sed -n "s/^0*\([0-9a-f]*\) d $symbol\$/\1/p")
run_ok btfenc --explain="$symbol" --btf_features=default,global_var local
expect_in stdout "^    in local.c at 0x$at\$"
[ "$(grep -c var_in_function out/stdout)" = 1 ] || fail "$(cat out/stdout)"
if command -v clang >/dev/null; then
	echo 'int f(int a) { static int inside; return inside += a; } int main(void) { return f(1); }' >clang.c
	clang -g -c clang.c || fail "clang failed"
	run_ok btfenc --explain=f.inside --btf_features=default,global_var clang.o
	expect_in stdout "var_in_function: left out: .*: 'f'"
	run_ok btfenc --explain=f --btf_features=default,global_var clang.o
	expect_not_in stdout var_in_function
fi

# --- units
report --btf_features=default -X one.c funcs
has '{"rule":"unit_excluded","subject":"unit","result":"left_out","name":"one.c"}'
report --btf_features=default --lang_exclude=c11,c17,c99 funcs
has '{"rule":"unit_language","subject":"unit","result":"left_out","name":"one.c"}'
has '{"rule":"unit_language","subject":"unit","result":"left_out","name":"two.c"}'

# --- types
gcc_c types.o <<\END
_Complex long double wide;
END
report --btf_features=default types.o
grep -q '{"rule":"type_only_size","subject":"type","result":"changed","name":"complex long double","keyword":"complex","unit":"types.c","bytes":32}' \
	report || fail "$(cat report)"
report --compat=1.32 --btf_features=default types.o
grep -q '{"rule":"type_int_size","subject":"type","result":"changed","name":"complex long double","keyword":"int","unit":"types.c","bytes":32}' \
	report || fail "$(cat report)"

# --- nothing at all is a report, too
echo 'int x;' | gcc -x c -c -o none.o -
report none.o
[ "$(tail -n 1 report)" = '{"end":true,"left_out":0,"changed":0,"lost":0,"several":0,"listed":0,"rules":{},"kfuncs_lost":0}' ] ||
	fail "$(cat report)"

# --- but finished BTF says nothing about what it lacks
gcc_c some.o <<\END
int some(void) { return 1; }
END
ld -e some -o plain some.o && run_ok btfenc -J plain && run_ok btfenc --btf_encode_detached=some.btf plain
objcopy -g plain
for file in plain some.btf; do
	run_status 1 btfenc --btf_report=unwritten $file
	expect_in stderr "^btfenc: error: '$file' has nothing to encode: '--btf_report' needs DWARF or a BTF archive$"
	[ ! -e unwritten ] || fail "the report was written"
done

# --- where it goes
cp funcs unchanged
run_ok btfenc --btf_report=- --btf_features=default funcs
cmp funcs unchanged || fail "a report alone changes the file"
expect_in stdout '^{"schema":"btfenc-report",'
error "'no/folder': cannot open its folder: No such file or directory" --btf_report=no/folder funcs
cp report before
error "'absent': cannot open: No such file or directory" --btf_report=report funcs absent
cmp report before || fail "a run that failed changed the report"
run_ok btfenc --btf_report=report --btf_encode_detached=out.btf funcs
[ -s out.btf ] || fail "no BTF beside the report"
grep -q '"output":"out.btf"}$' report || fail "$(head -n 1 report)"
# no report, no BTF
cp funcs target
run btfenc --btf_report=no/folder --btf_features=default -J target
expect_error "'no/folder': cannot open its folder: No such file or directory"
cmp target funcs || fail "there is BTF without its report"
if [ -c /dev/full ]; then
	run_status 1 btfenc --btf_report=/dev/full --btf_features=default -J target
	expect_in stderr "^btfenc: error: '/dev/full': cannot write [0-9]* bytes: No space left on device$"
	cmp target funcs || fail "there is BTF without its report"
	btfenc --btf_report=- --btf_features=default -J target >/dev/full 2>err
	[ $? = 1 ] || fail "a report that does not arrive is no error"
	cmp target funcs || fail "there is BTF without its report"
fi
# the list from standard input, the report to standard output
echo target | run_ok btfenc --btf_report=- --btf_features=default @-
expect_in stdout '^{"end":true,'
table usage_error <<\END
--btf_report=funcs funcs | 'funcs': the report cannot go there
--btf_report=report --btf_check out.btf | '--btf_check' and '--btf_report' cannot be combined
END

# --- many modules: a report of each, in their order, also of one that fails
echo 'int base(void) { return 0; }' | gcc_c base.o
cp funcs first.so
cp funcs second.so
head -c 100 funcs >third.so
run_status 1 btfenc --btf_report=report -j2 -J --btf_base=out.btf --btf_features=default first.so third.so second.so
well_formed
grep -o '"inputs":\["[a-z.]*"\],"base":"out.btf","output":"[a-z.]*"' report >heads
cat >expected <<\END
"inputs":["first.so"],"base":"out.btf","output":"first.so"
"inputs":["third.so"],"base":"out.btf","output":"third.so"
"inputs":["second.so"],"base":"out.btf","output":"second.so"
END
diff expected heads || fail "reports of modules"
grep -q '^{"end":true,"error":".*third.so' report || fail "$(cat report)"

# each line has its file, and the sums are those of both files; the one that failed has none
for file in first second; do
	[ "$(grep -c '^{"file":"'$file'.so","rule":' report)" = 4 ] || fail "$(cat report)"
done
grep '^{"end":true,"left_out":' report | sort -u >ends
[ "$(wc -l <ends)" = 1 ] || fail "equal files have other ends: $(cat ends)"
tail -n 1 report | grep -q '^{"end":true,"files":3,"failures":1,"left_out":[0-9]*,.*,"rules":{.*},"kfuncs_lost":0}$' ||
	fail "$(tail -n 1 report)"
command -v python3 >python && { python3 - <<\END || fail "wrong sums: $(cat report)"; }
import json
lines = [json.loads(line) for line in open('report', encoding='utf-8')]
*ends, total = [line for line in lines if 'end' in line]
ends = [end for end in ends if 'error' not in end]
assert len(ends) == 2 and total['files'] == 3
for key in 'left_out', 'changed', 'lost', 'several', 'listed', 'kfuncs_lost':
    assert total[key] == sum(end[key] for end in ends), key
for rule, nr in total['rules'].items():
    assert nr == sum(end['rules'][rule] for end in ends), rule
assert total['listed'] == sum('rule' in line for line in lines)
END

# --- which rules have lines. By default those by which something is lost; the numbers are always complete
list()
{
	run_ok btfenc --btf_report=report --btf_features=default "$@" funcs
	sed -n 's/.*"rule":"\([a-z_]*\)".*/\1/p' report | sort -u | tr '\n' ' ' >listed
	sed -n 's/^{"end".*"rules":\({.*}\),.*/\1/p' report >counted
	cat listed
}
default=$(list)
cp counted counted.default
case $default in
*func_no_symbol*) fail "func_no_symbol is listed by default: $default" ;;
*func_ambiguous_address*) ;;
*) fail "func_ambiguous_address is not listed by default: $default" ;;
esac
# selects LIST RULE...: these have lines, and the numbers stay
selects()
{
	option=$1
	shift
	got=$(list $option)
	[ "$got" = "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" ] || fail "$option: $got"
	cmp counted counted.default || fail "$option: $(cat counted)"
}
grep -q '"func_no_symbol":1' counted || fail "$(cat counted)"
selects --btf_report_rules=loss $default
selects --btf_report_rules=all $default func_no_symbol
selects --btf_report_rules=func_no_symbol func_no_symbol
selects --btf_report_rules=func_no_symbol,func_ambiguous_address func_ambiguous_address func_no_symbol
selects '--btf_report_rules=func_no_symbol --btf_report_rules=func_ambiguous_address' func_ambiguous_address func_no_symbol
selects '--btf_report_rules=*_symbol' func_no_symbol
selects --btf_report_rules=-func_ambiguous_address $(echo "$default" | sed 's/func_ambiguous_address//')
selects --btf_report_rules=all,-loss func_no_symbol
run_ok btfenc --btf_report=report --btf_features=default --btf_report_rules=-all funcs
[ "$(wc -l <report)" = 2 ] || fail "not only the first and the last line: $(cat report)"
# a rule that is an error has lines, too, unless rules are selected
run_status 1 btfenc --btf_report=report --btf_features=default --fatal=func_no_symbol funcs
grep -q '"rule":"func_no_symbol"' report || fail "$(cat report)"
table usage_error <<\END
--btf_report=r --btf_report_rules=func_no_symbl funcs | --btf_report_rules: unknown rule 'func_no_symbl'; did you mean: func_no_symbol, func_no_symtab
--btf_report_rules=all funcs | '--btf_report_rules' needs '--btf_report' or '--explain' without a name
--btf_report_rules=all --explain=f funcs | '--btf_report_rules' needs '--btf_report' or '--explain' without a name
--fatal=-all funcs | --fatal: '-all' leaves no rule
END
run btfenc --btf_report=r --btf_report_rules='fund_*' funcs
expect_in stderr "--btf_report_rules: unknown rule 'fund_\*'; the rules are: func_unexpected_register, "

# --- names that are no UTF-8
if command -v python3 >python; then
	printf 'int x;' >"$(printf 'f\377".c')"
	gcc -g -c -o odd.o "$(printf 'f\377".c')" || fail "gcc failed"
	report -X f odd.o
	python3 - <<\END || fail "the name of the unit is lost"
import json
names = [json.loads(line).get('name') for line in open('report', encoding='utf-8')]
assert names[1].encode('utf-8', 'surrogateescape') == b'f\xff".c', names
END
fi
exit 0
