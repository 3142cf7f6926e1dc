#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --explain: what was left out by which rule; or where one name is, and if nowhere, why

. "${0%/*}/../lib/testlib.sh"

need gcc ld strip objcopy

# expect_missing NAME: it is an error that nothing has this name
expect_missing()
{
	expect_status 1
	[ "$(cat out/stderr)" = "btfenc: error: '$1' not found" ] || fail "$(cat out/stderr)"
}

gcc_c one.o -O1 <<\END
struct thing { int x; };
typedef struct thing thing;
int thing_of(thing *t, int n) { return t->x + n; }
static __attribute__((noinline)) int twice(int a) { volatile int v = a; return v; }
int moved(double d) { return twice((int)d); }
int elsewhere;
END
gcc_c two.o -O1 <<\END
static __attribute__((noinline)) int twice(long a) { volatile int v = a; return v; }
static __attribute__((noinline)) int zzz(void) { volatile int v = 1; return v; }
int use(void) { return twice(1) + zzz(); }
END
ld -Ttext=0x1000 -e moved -o both one.o two.o || fail "ld failed"
cp both before
run_ok btfenc --compat=1.32 --explain --btf_features=default both
expect_no_stderr
expect_stdout <<\END
both:
      1 left out func_unexpected_register: the DWARF has a parameter in another register than the calling convention
    moved
      1 left out func_ambiguous_address: the symbol table has it, or a copy of it, at more than one address
    twice
      2 in all, losses: 2 (functions: 2), no loss: 0
END
cmp both before || fail "to explain is not to change"

at=0x$(nm both | sed -n 's/^0*\([0-9a-f]*\) t twice$/\1/p' | head -n 1)
at_two=0x$(nm both | sed -n 's/^0*\([0-9a-f]*\) t twice$/\1/p' | tail -n 1)
run_ok btfenc --explain=twice --btf_features=default both
expect_stdout <<END
both: 'twice'
  func_ambiguous_address: left out: the symbol table has it, or a copy of it, at more than one address
    and by func_inconsistent_prototype: units do not agree on its prototype
    in one.c at $at and 1 more unit
    one.c at $at: int (int a)
    two.c at $at_two: int (long int a)
END
run_ok btfenc --explain=thing --btf_features=default both
expect_stdout <<\END
both: 'thing'
  in the generated BTF: STRUCT
  in the generated BTF: TYPEDEF
END
run_ok btfenc --explain=elsewhere --btf_features=default both
expect_in stdout '^  var_not_asked: left out: the features do not select variables of its section$'
run btfenc --explain=nobody --btf_features=default both
expect_missing nobody
expect_stdout <<\END
both: 'nobody'
  nothing in the input that BTF describes has this name (parameters, declarations and variables without an address do not count)
END

# beside the BTF, over a base, of two modules in their order
run_ok btfenc --explain --btf_encode_detached=both.btf both
[ -s both.btf ] || fail "no BTF"
cp both other
# only BTF that is written has ids
run_ok btfenc --explain=thing --btf_base=both.btf both
expect_in stdout '^  in the base: STRUCT \[[0-9]*\]$'
expect_in stdout '^  in the generated BTF: TYPEDEF$'
run_status 1 btfenc --explain=use --btf_features=default --fatal=func_ambiguous_address --btf_encode_detached=none both
expect_in stdout '^  in the generated BTF: FUNC: int use(void)$'
run_ok btfenc --explain=use --btf_features=default --btf_encode_detached=written.btf both
sed '1d; s/the generated BTF/the BTF/' out/stdout >out/ids
run_ok btfenc --explain=use written.btf
sed 1d out/stdout | cmp - out/ids || fail "not the id in the file"
run_ok btfenc --explain=thing -j2 -J --btf_base=both.btf both other
sed 's/\[[0-9]*\]/[]/' out/stdout >out/told
expect_same told <<\END
both: 'thing'
  in the base: STRUCT []
  in the base: TYPEDEF []
  in the generated BTF: TYPEDEF []
other: 'thing'
  in the base: STRUCT []
  in the base: TYPEDEF []
  in the generated BTF: TYPEDEF []
END

# many are not all named, unless -V
for i in $(seq 10 30); do
	echo "int f$i(double d) { return d; }"
done | gcc_c many.o -O1
run_ok btfenc --compat=1.32 --explain many.o
expect_in stdout ', f19, and 11 more$'
run_ok btfenc -V --compat=1.32 --explain many.o
expect_in stdout ', f29, f30$'
# names of rules by which nothing is lost are listed only if they are selected; a total follows several files
echo 'static inline int gone(int a) { return a; } int used(int a) { return gone(a); }' | gcc_c inlined.o -O1
run_ok btfenc --explain inlined.o
expect_in stdout '^      1 left out func_no_symbol: '
expect_not_in stdout '^    gone'
for rules in all func_no_symbol loss,func_no_symbol; do
	run_ok btfenc --btf_report_rules=$rules --explain inlined.o
	expect_in stdout '^    gone$'
done
run_ok btfenc --compat=1.32 --btf_report_rules=func_no_symbol --explain many.o
expect_in stdout '^     21 left out func_unexpected_register: '
expect_not_in stdout f10
cp inlined.o inlined2.o
run_ok btfenc --btf_features=default --explain --btf_base=both.btf inlined.o inlined2.o
expect_stdout <<\END
inlined.o:
      1 left out func_no_symbol: the symbol table has no function with the name that DWARF has: it was inlined, discarded or not linked, or has another name there
      1 in all, losses: 0 (functions: 0), no loss: 1
inlined2.o:
      1 left out func_no_symbol: the symbol table has no function with the name that DWARF has: it was inlined, discarded or not linked, or has another name there
      1 in all, losses: 0 (functions: 0), no loss: 1
total of 2 files:
      2 left out func_no_symbol: the symbol table has no function with the name that DWARF has: it was inlined, discarded or not linked, or has another name there
      2 in all, losses: 0 (functions: 0), no loss: 2
END
run_ok btfenc --explain=used --btf_base=both.btf inlined.o inlined2.o
expect_not_in stdout '^total'
echo 'int fine(int a) { return a; }' | gcc_c fine.o
# many variables that one line of a report is about count as these, in both reports
echo 'static int __UNIQUE_ID_a = 1, __UNIQUE_ID_b = 2; int *ids[] = { &__UNIQUE_ID_a, &__UNIQUE_ID_b };' | gcc_c ids.o
run_ok btfenc --btf_features=default,global_var --explain ids.o
expect_in stdout '^      2 left out vars_of_macro: '
expect_in stdout '^      2 in all, losses: 0 (functions: 0), no loss: 2$'
run_ok btfenc --btf_features=default,global_var --btf_report=- --btf_report_rules=all ids.o
expect_in stdout '"rule":"vars_of_macro",.*"count":2}$'
expect_in stdout '^{"end":true,"left_out":2,.*,"listed":1,"rules":{"vars_of_macro":2},'
run_ok btfenc -q --explain fine.o
expect_stdout <<\END
fine.o: nothing was left out
END

# an archive
run_ok btfenc --compat=1.32 -J fine.o
run_ok btfenc --compat=1.32 -J one.o
ld -r -o archive.o one.o fine.o || fail "ld failed"
run_ok btfenc --compat=1.32 --explain=moved archive.o
expect_in stdout '^  func_unexpected_register: left out: '
expect_in stdout '^    in one.c'
run_ok btfenc -J fine.o
# BTF alone
run_ok btfenc --btf_encode_detached=fine.btf fine.o
run_ok btfenc --explain=fine fine.btf
expect_stdout <<\END
fine.btf: 'fine'
  in the BTF: FUNC [3]: int fine(int a)
END
error "'fine.btf' is BTF: give '-F btf' to combine it" --btf_encode_detached=more.btf fine.btf
# an ELF file with BTF alone; the ids are those of the file
cp fine.o fine.stripped.o
strip -g fine.stripped.o
objcopy --remove-section .BTF fine.stripped.o nothing.o
for file in fine.stripped.o fine.btf; do
	run_ok btfenc --explain=fine $file
	expect_stdout <<END
$file: 'fine'
  in the BTF: FUNC [3]: int fine(int a)
END
	run btfenc --explain=nobody $file
	expect_missing nobody
	expect_stdout <<END
$file: 'nobody'
  nothing in the BTF has this name; the reason is only in DWARF or in a BTF archive
END
	run_ok btfenc --explain $file
	expect_stdout <<END
$file: there is no debug information, and BTF does not list what is missing from it
END
done
# btfenc does not warn about a linked file that has only BTF
gcc -shared -o fine.so fine.o || fail "cannot link"
btfenc -J fine.so && strip -g fine.so || fail "no BTF in fine.so"
run_ok btfenc --explain=fine fine.so
expect_no_stderr
expect_in stdout '^  in the BTF: FUNC '
# -F btf explains the combined BTF of a linked file, also if the file has DWARF
gcc -shared -o full.so fine.o && btfenc -J full.so || fail "no BTF in full.so"
run_ok btfenc -F btf --explain=fine full.so
expect_no_stderr
expect_in stdout '^  in the BTF: FUNC '
# it gives no reason for a name that this BTF lacks
run btfenc -F btf --explain=nobody full.so
expect_missing nobody
expect_in stdout '^  nothing in the BTF has this name; the reason is only in DWARF or in a BTF archive$'
# split BTF alone, over its base
gcc_c part.o <<\END
struct thing { int x; };
int part_of(struct thing *t, unsigned long n) { return t->x + n; }
END
run_ok btfenc --btf_base=both.btf -J part.o
strip -g part.o
run_ok btfenc --explain=thing --btf_base=both.btf part.o
expect_in stdout '^  in the base: STRUCT \[[0-9]*\]$'
run btfenc --explain=part_of --btf_base=both.btf part.o
expect_in stdout '^  in the BTF: FUNC \[[0-9]*\]: int part_of(struct thing \*t, long unsigned int n)$'
# neither
for name in '' =fine; do
	error "'nothing.o': there is no .BTF section; nor is there debug information" --explain$name nothing.o
	error "'nothing.o': there is no debug information" --explain$name -F dwarf nothing.o
	error "'nothing.o': there is no .BTF section" --explain$name -F btf nothing.o
	# to encode nothing is no error
	run_ok btfenc --explain$name -J nothing.o
	expect_stdout <<\END
nothing.o: there is no debug information
END
done

# all that can have a name, with and without a keyword
gcc_c names.o <<\END
enum colour { RED, GREEN };
struct hidden;
union value { int i; float f; };
typedef union value value_t;
struct holder { enum colour colour; struct hidden *hidden; value_t value; unsigned long bits; };
int function(struct holder *h) { return h->colour; }
int variable;
END
# For table: the lines of the explanation, without the two spaces before each.
# missing LINES NAME: the explanation, and an error
missing()
{
	run btfenc -q --explain="$2" names.o
	expect_missing "$2"
	same_explanation "$@"
}
# explained LINES NAME: the explanation, and no error
explained()
{
	run_ok btfenc -q --explain="$2" names.o
	expect_no_stderr
	same_explanation "$@"
}
same_explanation()
{
	[ "$(head -n 1 out/stdout)" = "names.o: '$2'" ] || fail "$(cat out/stdout)"
	sed '1d; s/^  //' out/stdout >out/told
	lines_of "$1" >out/lines
	expect_same told <out/lines
}
table explained <<\END
function | in the generated BTF: FUNC: int function(struct holder *h)
'function()' | in the generated BTF: FUNC: int function(struct holder *h)
holder | in the generated BTF: STRUCT
'struct holder' | in the generated BTF: STRUCT
'union value' | in the generated BTF: UNION
'typedef value_t' | in the generated BTF: TYPEDEF
'enum colour' | in the generated BTF: ENUM
'unsigned long' | in the generated BTF: INT
GREEN | in the generated BTF: an enumerator of ENUM 'colour'
bits | in the generated BTF: a member of STRUCT 'holder'
hidden | in the generated BTF: FWD, declared but not defined; in the generated BTF: a member of STRUCT 'holder'
END
table missing <<\END
'struct value' | no struct of this name is in the input; in the generated BTF: UNION; in the generated BTF: a member of STRUCT 'holder'
'variable()' | no function of this name is in the input; var_not_asked: left out: the features do not select variables of its section;   in names.c at .bss+0x0
fucntion | nothing in the input that BTF describes has this name (parameters, declarations and variables without an address do not count); did you mean 'function'?
'struct hloder' | no struct of this name is in the input; did you mean 'holder'?
GREAN | nothing in the input that BTF describes has this name (parameters, declarations and variables without an address do not count); did you mean 'GREEN'?
END
run btfenc --explain=variable --skip_encoding_btf_vars names.o
expect_in stdout '^  var_not_asked: left out: '

# a name that continues the word is a better guess than one that has other letters
gcc_c renamed.o <<\END
int bpf_mem_cache_alloc(int a) { return a; }
int kmem_cache(int a) { return a; }
int kmem_cache_alloc_noprof(int a) { return a; }
END
run btfenc --explain=kmem_cache_alloc renamed.o
expect_missing kmem_cache_alloc
expect_in stdout "^  did you mean 'kmem_cache_alloc_noprof'?$"

# a member that is left out is found by its name, too
gcc_c large.o <<\END
struct large { char a[1 << 22]; int bit : 1; int behind; };
struct large *l;
END
run_ok btfenc --explain=behind large.o
expect_in stdout "^  of struct 'large':$"
expect_in stdout "^  member_beyond_2m: left out: .*: 'behind' (bit [0-9]*)$"

# of a member that many structs have the first are named, or with -V all
for i in $(seq 10 25); do
	echo "struct s$i { int shared; } v$i;"
done | gcc_c shared.o
run btfenc --explain=shared shared.o
expect_in stdout "'s19'$"
expect_not_in stdout "'s20'$"
expect_in stdout '^  and a member or an enumerator of 6 more$'
run btfenc -V --explain=shared shared.o
expect_in stdout "'s25'$"
# -V does not print the lines that the report already has
run_ok btfenc -V --explain=thing --btf_features=default both
expect_not_in stdout 'skipping BTF encoding'

# symbols that DWARF does not describe: an alias, assembler code, and a copy that the compiler renamed
gcc_c symbols.o -O2 <<\END
int real(int a) { return a; }
extern int alias(int) __attribute__((alias("real")));
int counter;
__thread int per_thread;
extern int other_name __attribute__((alias("counter")));
struct counted { int other_name; } counted;
asm(".globl assembled, entry\n.type assembled, @function\nassembled: nop\nentry: nop\n");
static int __attribute__((noinline)) copied(int a, int b) { volatile int v = a; return v; }
int use_copied(int a) { return copied(a, 1) + copied(a, 2); }
END
ld -Ttext=0x1000 -Tbss=0x5000 -e real -o symbols symbols.o || fail "ld failed"
copy=$(nm symbols | sed -n 's/.* t \(copied\..*\)/\1/p')
[ -n "$copy" ] || fail "gcc did not rename 'copied': $(nm symbols)"
for name in alias 'alias()'; do
	run_ok btfenc --explain="$name" --btf_features=default symbols
	expect_no_stderr
	expect_stdout <<END
symbols: '$name'
  in the symbol table at 0x$(nm symbols | sed -n 's/^0*\([0-9a-f]*\) T alias$/\1/p'), but no unit that btfenc read has a function or global variable of this name
    the same address: 'real'
END
done
run_ok btfenc --explain=assembled --btf_features=default symbols.o
expect_stdout <<END
symbols.o: 'assembled'
  in the symbol table at .text+0x0, but no unit that btfenc read has a function or global variable of this name
    no other function or variable of its section has this address: it comes from assembler code, a linker script, an object without debug information or an excluded unit, or a tool such as objtool or objcopy named it
END
run_ok btfenc --explain=entry --btf_features=default symbols.o
expect_not_in stdout 'thread-local'
run_ok btfenc --explain=per_thread --btf_features=default symbols.o
expect_stdout <<END
symbols.o: 'per_thread'
  in the symbol table at .tbss+0x0, but no unit that btfenc read has a function or global variable of this name
    no other function or variable of its section has this address: it comes from assembler code, a linker script, an object without debug information or an excluded unit, or a tool such as objtool or objcopy named it
    BTF describes no variable that is thread-local or static in a function
END
# the member of the same name does not hide it
run_ok btfenc --explain=other_name --btf_features=default symbols
expect_in stdout "a member of STRUCT 'counted'"
expect_in stdout "^    the same address: 'counter'$"
run_ok btfenc --explain="$copy" --btf_features=default symbols
expect_in stdout "^  the compiler derived this symbol from 'copied':$"
expect_in stdout "^  func_optimized_parameters: left out: "
expect_not_in stdout 'in the symbol table'
# objtool adds symbols before the copies, too, and there is no function of the name before the dot
objcopy --add-symbol __pfx_copied.part.0=.text:0,function,local symbols.o padded.o || fail "objcopy failed"
run_ok btfenc --explain=__pfx_copied.part.0 --btf_features=default padded.o
expect_not_in stdout 'the compiler derived'
expect_in stdout '^  in the symbol table at '
# a symbol of another file
echo 'extern int declared(int); int calls(int a) { return declared(a); }' | gcc_c calls.o -O1
run btfenc --explain=declared calls.o
expect_missing declared
expect_in stdout "^  the symbol table has it as undefined: ask the file that defines it$"
# a symbol with another name than DWARF has: the address leads to it
gcc_c pi.o -O2 <<\END
int unnamed(int);
int before(int a) { return a; }
int sme_enable(int *p) { return *p; }
int written(int a) __asm__("labelled");
int written(int a) { return a + 1; }
int not_asked = 1;
END
objcopy --prefix-symbols=__pi_ pi.o prefixed.o || fail "objcopy failed"
ld -r -o in_all.o two.o prefixed.o || fail "ld failed"
ld -Ttext=0x1000 -e use -o in_program in_all.o || fail "ld failed"
for file in prefixed.o in_all.o in_program; do
	for name in __pi_sme_enable/sme_enable __pi_labelled/written __pi_not_asked/not_asked; do
		run_ok btfenc --explain=${name%/*} --btf_features=default $file
		expect_in stdout "^    DWARF calls it '${name#*/}' in pi.c: objcopy, __asm__() or C++ gave the symbol another name$"
		expect_not_in stdout 'assembler'
	done
done
run btfenc --explain=zzz,__pi_sme_enable,__pi_not_asked --btf_features=default in_program
[ "$(grep -c 'DWARF calls it' out/stdout)" = 2 ] || fail "not in a list: $(cat out/stdout)"
if command -v g++ >/dev/null; then
	printf 'int mangled(int a) { return a; }\n' | g++ -g -xc++ -c -o cc.o - || fail "g++ failed"
	run_ok btfenc --explain=_Z7mangledi cc.o
	expect_in stdout "^    DWARF calls it 'mangled' in "
fi
# the name itself is no suggestion
run btfenc --explain='struct assembled' --btf_features=default symbols
expect_missing 'struct assembled'
expect_not_in stdout "did you mean"

# several names, in lists and files: each is answered once, in order
printf 'thing\nelsewhere\n\nroot:secret:1\nroot:secret:1\n' >names
run btfenc --explain=zzz,'struct thing' --explain --explain=zzz --explain='zzz(),Map<int, char>' --explain=file://names --compat=1.32 --btf_features=default both
expect_status 1
expect_stderr <<\END
btfenc: error: 'Map<int, char>' and 1 more name not found
END
expect_stdout <<END
both:
      1 left out func_unexpected_register: the DWARF has a parameter in another register than the calling convention
    moved
      1 left out func_ambiguous_address: the symbol table has it, or a copy of it, at more than one address
    twice
      1 left out var_not_asked: the features do not select variables of its section
    elsewhere
      3 in all, losses: 3 (functions: 2), no loss: 0
both: 'zzz'
  in the generated BTF: FUNC: int zzz(void)
both: 'struct thing'
  in the generated BTF: STRUCT
both: 'zzz()'
  in the generated BTF: FUNC: int zzz(void)
both: 'Map<int, char>'
  nothing in the input that BTF describes has this name (parameters, declarations and variables without an address do not count)
both: 'thing'
  in the generated BTF: STRUCT
  in the generated BTF: TYPEDEF
both: 'elsewhere'
  var_not_asked: left out: the features do not select variables of its section
    in one.c at 0x$(nm both | sed -n 's/^0*\([0-9a-f]*\) B elsewhere$/\1/p')
both: 'names', line 4
  nothing in the input that BTF describes has this name (parameters, declarations and variables without an address do not count)
END
# the answers are those to each name alone
for name in alias assembled per_thread other_name "$copy" real thing; do
	btfenc --explain="$name" --btf_features=default symbols.o
done >alone 2>/dev/null
btfenc --explain="alias,assembled,per_thread,other_name,$copy,real,thing" --btf_features=default symbols.o 2>/dev/null | diff alone - >&2 ||
	fail "together the answers are others"
# of several files, one has to have the name
run_status 1 btfenc --explain=fine,nobody,part_of fine.btf
expect_stderr <<\END
btfenc: error: 'nobody' and 1 more name not found
END
usage_error "--explain: a name is empty" --explain=fine,,zzz both
# a similar name is sought for the first 20 names that are missing; others do not count
seq 30 | sed 's/.*/thing\nthing_of\nmoved&/' >many
run_status 1 btfenc --explain=file://many both
[ "$(grep -c "did you mean 'moved'" out/stdout)" = 20 ] || fail "not 20"
[ "$(grep -c "in the generated BTF: STRUCT" out/stdout)" = 1 ] || fail "a name twice"

usage_error "'--btf_diff' and '--explain' cannot be combined" --explain --btf_diff both other
exit 0
