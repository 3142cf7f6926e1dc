#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Twice the input needs at most 2.4 times the instructions, for each shape of growbtf.py and growdwarf.py and each job
#
#	ROWS='dwarf funcs 2000 encode report' sh tests/e2e/growth.sh	other rows than those below
#
# valgrind counts the instructions, so the result does not depend on the machine or its load. The instructions that
# a small input of the job needs do not count. A row of the table is
#
#	KIND SHAPE SIZE JOB... [| SENTENCE]
#
# BTF are the jobs that differ most, EVERY is all of a kind. DWARF is encoded, and also reported if much of it is
# omitted. With a SENTENCE of CAVEATS in btfenc(1), which states the bound, the instructions may grow with the square of
# the size.

. "${0%/*}/../lib/testlib.sh"

need python3 strip valgrind

# What CAVEATS states, on one line
caveats=$(sed -n '/^\.Sh CAVEATS/,$p' "$SRCDIR/man/btfenc.1" | tr '\n' ' ')

# --- jobs: $in is the input, $other another BTF of the shape, $in.names a file with the names s0, s1, ...

btfenc()
{
	valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file=log \
		"$SCRATCH/stripped" -j1 "$@" >stdout 2>stderr
}

# of BTF and DWARF
print() { btfenc -F "$kind" $in; }
expand() { btfenc -F "$kind" -E -a -A $in; }
sizes() { btfenc -F "$kind" -s $in; }
sorted() { btfenc -F "$kind" --sort $in; }
compile() { btfenc -F "$kind" --compile $in; }
header() { btfenc -F "$kind" --btf_header $in; }
explain_names() { btfenc -F "$kind" --explain=file://$in.names $in; }
explain_missing() { btfenc -F "$kind" --explain=file://$in.missing $in; }
print_names() { btfenc -F "$kind" -C file://$in.names $in; }
print_missing() { btfenc -F "$kind" -C file://$in.missing $in; }
users() { btfenc -F "$kind" -d -i file://$in.names $in; }
pointers_to() { btfenc -F "$kind" -f file://$in.names $in; }

# of BTF
check() { btfenc --btf_check $in; }
stats() { btfenc --btf_stats $in; }
diff() { btfenc -V --btf_diff $in $other; }
core() { btfenc --btf_diff=core $in $other; }
combine() { btfenc -F btf --btf_encode_detached=out $in $other; }
split() { btfenc -F btf --btf_base=$in --btf_encode_detached=out $other; }
check_split() { split && btfenc --btf_check --btf_base=$in out; }

# of DWARF
declared() { btfenc -I -F "$kind" $in; }
features=--btf_features=default,global_var
encode() { btfenc $features --btf_encode_detached=out $in; }
compat() { btfenc --compat=1.32 --btf_features=all,true_signature --btf_encode_detached=out $in; }
vars() { btfenc --btf_vars_detached=vars --btf_encode_detached=out $in; }
explain() { btfenc $features -V --explain --explain=s1,same,f $in; }
report() { btfenc $features --btf_report=out $in; }
update() { cp $in copy && btfenc -J --strip_dwarf $features copy; }
distill() { cp $in copy && btfenc -J --btf_base=$base --btf_features=default,distilled_base copy; }
archive() { rm -f out && btfenc -J --btf_archive=out $in; }

# of as many words or files as $in.names has lines
launch() { btfenc --launch true $(cat $in.names); }
inputs() { sed "s/.*/least.$kind/" $in.names >list && btfenc --btf_encode_detached=out @list; }

# --- the table

every_btf_job='check stats diff core combine split check_split print expand sizes compile header'
every_dwarf_job='encode compat vars explain report update distill archive print compile header'
btf_jobs='check diff split print header'

rows()
{
	cat <<\END
btf structs 1000 EVERY
btf structs 1000 sorted
btf members 1000 sorted
btf one_name 1000 sorted
btf changed 1000 sorted
btf one_name_same 1000 BTF sorted
btf one_function_name 1000 BTF
btf enumerators 2000 BTF
btf enums 1000 BTF
btf enums_of_declared_name 1000 BTF
btf members 1000 BTF
btf one_member_name 2000 BTF
btf params 2000 BTF
btf variables 2000 BTF
btf sections 1000 BTF
btf sites 1000 BTF
btf long_places 1000 BTF
btf typedefs_of_one 2000 BTF
btf tags_of_one 1000 BTF
btf long_names 500 BTF
btf renamed 1000 BTF
btf pointers 2000 BTF
btf pointers_ahead 2000 BTF
btf modifiers 2000 BTF
btf protos 1000 BTF
btf fans 1000 BTF
btf chain 1000 BTF
btf nested 400 BTF
btf one_name 1000 BTF
btf one_typedef_name 1000 BTF
btf one_declared_name 1000 BTF
btf changed 1000 BTF
btf changed 1000 core
btf chain_of_one_name 500 split | Different structs of one name do, too, if they refer to each other, or differ only behind arrays or declared structs
btf cycle_of_one_name 500 BTF
btf fans_without_names 20 check split print header
btf fans_without_names 100 diff core
btf proto_fans 20 BTF
btf structs 1000 explain_names print_names users pointers_to explain_missing print_missing
btf members 1000 users pointers_to
dwarf structs 1000 explain_names explain_missing
dwarf structs 2000 launch
dwarf structs 200 inputs
dwarf structs 1000 EVERY
dwarf structs 1000 declared
dwarf structs_of_files 1000 declared sorted
dwarf members 1000 encode
dwarf one_member_name 2000 encode
dwarf enums 1000 encode
dwarf typedefs_of_one 2000 encode report
dwarf params 2000 encode
dwarf funcs 500 encode
dwarf funcs_of_one_name 1000 encode
dwarf funcs_at_one_address 1000 encode
dwarf funcs_without_symbol 1000 encode explain report update
dwarf funcs_in_sections 1000 encode report
dwarf inlined 4000 encode
dwarf copies 1000 encode
dwarf location_lists 1000 encode
dwarf variables 2000 encode vars report archive
dwarf variables_of_one_name 2000 encode
dwarf variables_declared 2000 encode
dwarf member_tags 1000 encode
dwarf siblings 1000 encode
dwarf kfuncs 1000 encode
dwarf pointers 2000 encode
dwarf pointers_ahead 2000 encode
dwarf pointers_that_end_differently 1000 encode
dwarf arrays 1000 encode
dwarf protos 1000 encode
dwarf inside 1000 encode report
dwarf origins 1000 encode
dwarf specifications 1000 encode
dwarf units_of_one_struct 500 encode
dwarf units_of_one_function 500 encode
dwarf units_of_one_function_name 500 encode
dwarf units_of_one_variable_name 500 encode
dwarf units_of_enum 500 encode report
dwarf units_of_declarations 500 encode
dwarf units_of_cycle 300 encode report
dwarf units_of_const 500 encode
dwarf imported_units 500 encode
dwarf type_units_of_one_name 500 encode
dwarf type_units_in_a_row 500 encode
dwarf units_of_type_units 100 encode | Type units that refer to each other in a long chain
dwarf members_of_one_name 500 encode report
dwarf members_of_other_names 500 encode report
dwarf one_name 1000 encode report
dwarf one_typedef_name 1000 encode report
dwarf variables_at_one_address 2000 encode report
dwarf variable_sections 1000 encode
dwarf nested 400 encode
dwarf units_of_one_name 500 encode report
dwarf units_of_one_list_name 500 encode report | Different structs of one name do, too, if they refer to each other, or differ only behind arrays or declared structs
dwarf units_of_declared_name 500 encode | Different structs of one name do, too, if they refer to each other, or differ only behind arrays or declared structs
dwarf units_of_chains 100 encode report
dwarf chains_that_end_differently 200 encode report
dwarf cycles 200 encode report
dwarf cycles_without_names 50 encode
dwarf fans 100 encode report
dwarf fans_of_copies 50 encode
dwarf proto_fans 20 encode
END
}

# --- counting

# generate OUT KIND SHAPE SIZE
generate()
{
	case $2 in
	btf) "$TOOLS/growbtf.py" "$3" "$4" "$1" "$1.other" ;;
	dwarf) "$TOOLS/growdwarf.py" "$3" "$4" "$1" ;;
	esac || fail "$2 $3 $4: not generated"
	seq -f 's%.0f' 0 $(($4 - 1)) >"$1.names"
	sed 's/^/missing_/' "$1.names" >"$1.missing"
}

# count KIND INPUT JOB: print the instructions, or nothing if there are none or after a minute of CPU
count()
(
	kind=$1 in=$2 other=$2.other
	ulimit -t 60
	$3
	status=$?
	[ $status -lt 128 ] || return
	[ $status -le 1 ] || echo "$kind $in $3: status $status: $(cat stderr)" >>failed
	sed -n 's/.* I *refs: *//p' log | tr -d ,
)

# The same of the smallest input
least()
{
	[ -e "least.$1" ] || generate "least.$1" "$1" structs 1
	[ -e "least.$1.$2" ] || count "$1" "least.$1" "$2" >"least.$1.$2"
	cat "least.$1.$2"
}

# grown LEAST COUNT COUNT: print the growth. Few instructions are not compared.
grown()
{
	awk -v least="$1" -v one="$2" -v two="$3" 'BEGIN {
		if (two == "")
			print "too many instructions"
		else
			printf "%.2f\n", two - least < 300000 ? 1 : one <= least ? 99 : (two - least) / (one - least)
	}'
}

# row KIND SHAPE SIZE "JOB..." SENTENCE
row()
{
	most=2.4
	case $1 in
	btf) every=$every_btf_job ;;
	dwarf) every=$every_dwarf_job ;;
	esac
	if [ -n "$5" ]; then
		most=4.8
		case $caveats in
		*"$5"*) ;;
		*) echo "CAVEATS lacks '$5'" >>failed ;;
		esac
	fi
	generate one "$1" "$2" "$3"
	generate two "$1" "$2" $(($3 * 2))
	for job in $(echo "$4" | sed "s/BTF/$btf_jobs/; s/EVERY/$every/"); do
		least=$(least "$1" "$job")
		a=$(count "$1" one "$job")
		b=$(count "$1" two "$job")
		growth=$(grown "$least" "${a:-0}" "$b")
		echo "$1 $2 $3 $job: $least $a $b: $growth"
		awk -v growth="$growth" -v most=$most 'BEGIN { exit growth + 0 > most || growth ~ /many/ }' ||
			echo "$1 $2 $3 $job: $growth for twice the size: $a, then $b instructions" >>failed
	done
}

# worker NUMBER OF: every OF-th row
worker()
{
	mkdir "$1" && cd "$1" || exit 1
	base=$PWD/base.btf
	"$TOOLS/growbtf.py" structs 1000 "$base" || exit 1
	: >failed
	{ [ -n "${ROWS:-}" ] && echo "$ROWS" || rows; } | awk -v nr="$1" -v of="$2" '/^[^#]/ && n++ % of == nr' |
		while IFS='|' read -r what sentence; do
			# shellcheck disable=SC2086
			set -- $what
			kind=$1 shape=$2 size=$3
			shift 3
			row "$kind" "$shape" "$size" "$*" "${sentence# }"
		done || echo "not all rows were reached" >>failed
}

strip -o stripped "$BTFENC" || fail "strip failed" # valgrind reads all debug information
generate least.btf btf structs 1
[ -n "$(count btf least.btf stats)" ] || skip "valgrind cannot run this btfenc"
workers=$(nproc)
number=0
while [ $number -lt "$workers" ]; do
	worker $number "$workers" &
	number=$((number + 1))
done
wait
cat [0-9]*/failed >failed
[ ! -s failed ] || { cat failed >&2; fail "grows too much"; }
