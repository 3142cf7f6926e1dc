#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What compilers seldom or never say: by which rule it is left out or changed

. "${0%/*}/../lib/testlib.sh"

need gcc ld

# found LINE: a report of what is left has a line that begins so
found()
{
	grep -q -F -e "$1" report || fail "no '$1' in: $(cat report)"
}

report()
{
	run_ok btfenc --btf_report=report --btf_report_rules=all --btf_features=default,global_var "$@"
	sed -i 's/^{"file":"[^"]*",/{/' report
}

# --- members and variables too far away
gcc_c far.o -mcmodel=large <<\END
struct far { char many[600ul << 20]; int x; } *far;
struct bits { int b : 3; char many[3 << 20]; int x; } *bits;
char much[3ul << 30];
char more[3ul << 30];
END
report far.o
sed -i 's/"section":"\.lbss"/"section":".bss"/' report # the one of gcc 15 and later for large data
found '{"rule":"member_beyond_512m","subject":"member","result":"left_out","name":"far","keyword":"struct","member":"x","unit":"far.c"}'
found '{"rule":"member_beyond_2m","subject":"member","result":"left_out","name":"bits","keyword":"struct","member":"x","unit":"far.c","bit":'
found '{"rule":"var_beyond_4g","subject":"var","result":"left_out","name":"more","unit":"far.c","section":".bss","offset":3221225'

# --- what no C says: ABBREVIATION CODE TAG CHILDREN ATTRIBUTE FORM ...
abbreviation()
{
	printf '\t.uleb128 %s\n\t.uleb128 %s\n\t.byte %s\n' "$1" "$2" "$3"
	shift 3
	printf '\t.uleb128 %s\n' "$@"
	printf '\t.byte 0, 0\n'
}
name=0x03 size=0x0b type=0x49 string=0x08 data1=0x0b data8=0x07 ref4=0x13 exprloc=0x18
{
	echo '.section .debug_abbrev,"",@progbits'
	abbreviation 1 0x11 1 $name $string 0x13 $data1            # unit: language
	abbreviation 2 0x24 0 $name $string $size $data1 0x3e $data1 # base type: encoding
	abbreviation 3 0x17 1 $name $string $size $data1           # union
	abbreviation 4 0x13 1 $name $string $size $data1           # struct
	abbreviation 5 0x0d 0 $name $string $type $ref4 0x38 $data1 # member: location in bytes
	abbreviation 6 0x0d 0 $name $string $type $ref4 0x6b $data1 # member: in bits
	abbreviation 7 0x04 1 $name $string $size $data1           # enum
	abbreviation 8 0x28 0 $name $string 0x1c $data8            # enumerator: value
	abbreviation 9 0x34 0 $name $string 0x02 $exprloc          # variable: location
	abbreviation 10 0x16 0 $name $string $type $ref4           # typedef
	abbreviation 11 0x5f00 0 $name $string                     # nobody knows
	cat <<-\END
		.byte 0
		.section .debug_info,"",@progbits
	start:	.long end - begin
	begin:	.value 4
		.long 0
		.byte 8
		.uleb128 1; .string "odd.c"; .byte 12
	int:	.uleb128 2; .string "int"; .byte 4, 5
		.uleb128 2; .string "odd_float"; .byte 10, 4
		.uleb128 3; .string "odd_union"; .byte 8
		.uleb128 5; .string "well"; .long int - start; .byte 0
		.uleb128 5; .string "apart"; .long int - start; .byte 4
		.byte 0
		.uleb128 4; .string "odd_struct"; .byte 8
		.uleb128 6; .string "aside"; .long int - start; .byte 3
		.byte 0
		.uleb128 7; .string "odd_enum"; .byte 1
		.uleb128 8; .string "MUCH"; .quad 0x100000001
		.byte 0
		.uleb128 9; .string "typeless"; .uleb128 9; .byte 3; .quad typeless
		.uleb128 10; .string "nothing"; .long 0x7fffff
		.uleb128 11; .string "what"
		.byte 0
	end:
		.data
		.quad 1
		.globl typeless
		.type typeless, @object
		.size typeless, 4
	typeless:
		.quad 2
	END
} >odd.s
gcc -c odd.s || skip "no assembler of this dialect"
report odd.o
changed='"result":"changed","name"' left='"result":"left_out","name"'
found '{"rule":"type_only_size","subject":"type",'"$changed"':"odd_float","keyword":"float","unit":"odd.c","bytes":10}'
found '{"rule":"member_of_union","subject":"member",'"$left"':"odd_union","keyword":"union","member":"apart","unit":"odd.c","bit":32}'
found '{"rule":"member_inside_byte","subject":"member",'"$left"':"odd_struct","keyword":"struct","member":"aside","unit":"odd.c","bit":3}'
found '{"rule":"type_enum_value","subject":"type",'"$changed"':"odd_enum","keyword":"enum","enumerator":"MUCH","unit":"odd.c","bytes":1}'
found '{"rule":"var_no_type","subject":"var",'"$left"':"typeless","unit":"odd.c","section":".data","offset":8}'
found '{"rule":"unit_void_references","subject":"unit",'"$changed"':"odd.c","unit":"odd.c","count":1}'
found '{"rule":"unit_unknown_entries","subject":"unit",'"$changed"':"odd.c","unit":"odd.c","count":1}'
report --compat=1.32 odd.o
found '{"rule":"type_float_size","subject":"type",'"$changed"':"odd_float","keyword":"float","unit":"odd.c","bytes":10}'

# --- what the linker has thrown away
echo 'extern int two; int *used = &two; int gone_used = 2;' | gcc_c used.o -fdata-sections
echo 'int two = 1; int gone_two = 2; static int hidden __attribute__((used)) = 3;' |
	gcc_c two.o -fdata-sections
ld --gc-sections -e used -o linked used.o two.o || fail "ld failed"
report linked
found '{"rule":"var_no_section","subject":"var",'"$left"':"gone_used","unit":"used.c"'
for unit in used two; do
	run_ok btfenc -J --btf_features=default,global_var $unit.o
done
ld --gc-sections -e used -o archive used.o two.o || fail "ld failed"
report archive
found '{"rule":"var_no_section","subject":"var",'"$left"':"gone_used","unit":"used.c"'
found '{"rule":"var_no_section","subject":"var",'"$left"':"hidden","unit":"two.c"'
strip_facts used.o two.o
ld --gc-sections -e used -o archive used.o two.o || fail "ld failed"
report archive
found '{"rule":"vars_discarded","subject":"var","result":"left_out","name":".data.gone_two","count":1}'
found '{"rule":"vars_discarded","subject":"var","result":"left_out","name":".data.hidden","count":1}'

# --- objects that were to be gathered
echo 'int three;' | gcc_c three.o
report -F btf --btf_encode_detached=whole.btf used.o three.o
found '{"rule":"unit_no_btf","subject":"unit","result":"left_out","name":"three.o"'
run_ok btfenc -J --btf_archive=gathered used.o
printf 'used.o\nthree.o\n' >list
report -F btf --btf_archive=gathered --btf_encode_detached=whole.btf linked @list
found '{"rule":"unit_no_btf","subject":"unit","result":"left_out","name":"three.o"'

# two of one name in two files of one name, and one is left: which?
mkdir x y || exit 1
echo 'static int twin __attribute__((used)) = 1; int *x = &twin;' | gcc_c x/twin.o -fdata-sections
echo 'static int twin __attribute__((used)) = 1; int y = 1;' | gcc_c y/twin.o -fdata-sections
echo 'extern int *x, y; int **at_x = &x, *at_y = &y;' | gcc_c twins.o
for unit in x/twin y/twin twins; do
	run_ok btfenc -J --btf_features=default,global_var $unit.o
done
ld --gc-sections -e at_x -o archive x/twin.o y/twin.o twins.o || fail "ld failed"
report archive
found '{"rule":"var_no_section","subject":"var",'"$left"':"twin","unit":"y/twin.c"}'
strip_facts x/twin.o y/twin.o twins.o
ld --gc-sections -e at_x -o archive x/twin.o y/twin.o twins.o || fail "ld failed"
report archive
found '{"rule":"var_several_symbols","subject":"var",'"$left"':"twin"}'

# --- what gcc's own BTF has no type for; but not what a unit only declares, as gcc 12 does
if echo 'int probe;' | gcc -gbtf -c -x c -o probe.o - 2>/dev/null && has_section probe.o .BTF; then
	cat >vectors.c <<-'END'
		typedef int four __attribute__((vector_size(16)));
		struct pair { int first; union { four lanes; int single[4]; }; } *pair;
		four total;
		struct { } empty;
		int declared(four);
		int first_lane(four f) { return f[0]; }
	END
	gcc -gbtf -c vectors.c && ld -o vectors -e first_lane vectors.o || fail "no program with vectors"
	report -F btf vectors
	# gcc 16 leaves no name of the unit behind
	found '{"rule":"func_no_type","subject":"func",'"$left"':"first_lane"'
	found '{"rule":"member_no_type","subject":"member",'"$left"':"","keyword":"union","member":"lanes"'
	found '{"rule":"var_no_type","subject":"var",'"$left"':"total"'
	found '{"rule":"var_no_size","subject":"var",'"$left"':"empty"'
	! grep '"declared"' report || fail "what is only declared is not left out"
	run_ok btfenc --btf_report=report -F btf vectors
	grep -q func_no_type report || fail "no report"
	! grep '"rule":"var_no_' report || fail "variables are not asked for"
fi

# --- a unit whose other half is missing
for unit in half whole; do
	echo "int $unit(int a) { return a; }" | gcc_c $unit.o -gsplit-dwarf
done
ld -r -o split.o half.o whole.o || fail "ld failed"
rm half.dwo || fail "no .dwo file"
report split.o
found '{"rule":"unit_no_dwo","subject":"unit","result":"left_out","name":"half.dwo"'
exit 0
