#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a variable whose description is in several DIEs has all of it: the length of an array that is completed later, and the
# name that gcc's LTO leaves in another unit

. "${0%/*}/../lib/testlib.sh"

need gcc cmp ld bpftool objcopy
features=--btf_features=default,global_var

# --- arrays whose first declaration has no length --------------------------------------------------

cat >arrays.c <<\END
typedef int (*hook)(void);
struct later;
extern unsigned long avenrun[];
extern hook hooks[];
extern int grid[][4];
extern struct later object;
static const char early[];
static volatile hook private_hooks[];
typedef int open_list[];
static open_list list;
unsigned long use(int i)
{
	return avenrun[i] + hooks[i]() + grid[i][1] + early[i] + private_hooks[i]() + list[i]++;
}
unsigned long avenrun[3] = { 1 };
hook hooks[2];
int grid[5][4];
struct later { int a, b; };
struct later object = { 1, 2 };
extern const struct later table[];
const struct later table[] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
static const char early[] = "sixth";
static volatile hook private_hooks[3];
static int list[7];
__attribute__((section(".data..percpu"))) extern long percpu[];
long percpu[6] = { 1 };
int zero[0];
END
cat >link <<\END
SECTIONS { .data..percpu : { *(.data..percpu) } } INSERT BEFORE .data;
END

# declared FILE NAME: the size of variable NAME in its section, and its declaration in C
declared()
{
	type=$(bpftool btf dump file "$1" | sed -n "s/^\[\([0-9]*\)\] VAR '$2' .*/\1/p")
	[ "$type" ] || fail "$1: no variable '$2'"
	bpftool btf dump file "$1" | sed -n "s/.*type_id=$type offset=[0-9]* size=\([0-9]*\).*/\1/p"
}

sizes='avenrun 24
hooks 16
grid 80
object 8
table 24
early 6
private_hooks 24
list 28
percpu 48'

for cc in "gcc -gdwarf-4" "gcc -gdwarf-5" clang; do
	command -v "${cc%% *}" >/dev/null || continue
	[ "$cc" = clang ] && warn=-Wno-everything || warn=-w
	$cc -g -O1 $warn -c -o arrays.o arrays.c 2>/dev/null || continue # no tentative array in this compiler
	ld -e use -T link -o arrays arrays.o 2>/dev/null || ld -e use -o arrays arrays.o || fail "ld failed"
	for file in arrays.o arrays; do
		run_silent btfenc $features --btf_encode_detached=out.btf $file
		run_silent btfenc --btf_check out.btf
		echo "$sizes" | while read -r name size; do
			[ "$(declared out.btf "$name")" = "$size" ] || fail "$cc, $file: '$name' has no $size bytes"
		done || exit 1
	done
	run_ok bpftool btf dump file out.btf
	grep -q "ARRAY .* nr_elems=6$" out/stdout || fail "$cc: no array of 6"
	# the same from the BTF of the object
	run_silent btfenc -J $features arrays.o
	ld -e use -T link -o arrays arrays.o 2>/dev/null || ld -e use -o arrays arrays.o || fail "ld failed"
	archive_as_dwarf $features arrays
	cmp -s archive.btf out.btf || fail "$cc: the BTF of the object gives another result"
	# the same in a split BTF
	cp arrays apart
	run_silent btfenc -J -F dwarf --btf_features=default,global_var.extra apart
	objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc apart base.btf &&
		objcopy -O binary --only-section=.BTF.extra --set-section-flags .BTF.extra=alloc apart vars.btf ||
		fail "objcopy failed"
	run_ok bpftool -B base.btf btf dump file vars.btf
	[ "$cc" = clang ] || grep -q "ARRAY .* nr_elems=6$" out/stdout || fail "$cc: no array of 6 in the split BTF"
done

# pahole takes the type of the declaration
gcc -g -O1 -w -c arrays.c || fail "gcc failed"
run_ok btfenc --compat=1.32 $features --btf_encode_detached=pahole.btf arrays.o
! bpftool btf dump file pahole.btf | grep -qE "VAR '(avenrun|early|hooks)'" || fail "a variable without a size at --compat=1.32"

# --- LTO of gcc: the DIE with the address refers to the unit with the name -------------------------

cat >a.c <<\END
struct stat { long hits, misses; };
__attribute__((section(".data..percpu"), used)) struct stat cpu_stat = { 1, 2 };
struct stat total;
extern int levels[];
int *first_level(void) { return levels; }
int levels[4] __attribute__((used)) = { 1 };
static __attribute__((used)) int hidden[3] = { 1, 2, 3 };
int __attribute__((noipa, used)) account(struct stat *s)
{
	static __attribute__((used)) int inside = 1;
	s->hits += levels[1] + hidden[s->misses & 1] + inside++;
	return total.hits;
}
END
cat >b.c <<\END
struct stat { long hits, misses; };
extern struct stat cpu_stat, total;
int account(struct stat *);
int main(void) { total.misses++; return account(&cpu_stat); }
END
echo 'int main(void) { return 0; }' >lto.c
gcc -flto -o lto lto.c 2>/dev/null || skip "no LTO"
for version in 4 5; do
	gcc -gdwarf-$version -O2 a.c b.c -o plain && gcc -gdwarf-$version -O2 -flto a.c b.c -o lto || fail "gcc failed"
	for file in plain lto; do
		run_silent btfenc $features --btf_encode_detached=$file.btf $file
		run_silent btfenc --btf_check $file.btf
		bpftool btf dump file $file.btf | sed -n "s/.*\(size=[0-9]*\) (\(VAR .*\))/\2 \1/p" | sort >$file.vars
	done
	grep -q "VAR 'cpu_stat' size=16" lto.vars || fail "DWARF $version: no variable in LTO"
	cmp -s plain.vars lto.vars || {
		diff plain.vars lto.vars
		fail "DWARF $version: other variables with LTO"
	}
	run_ok btfenc $features --explain=cpu_stat lto
	grep -q "in the generated BTF: VAR" out/stdout || fail "--explain does not find it"
	# the units have no name, but the variable has an address
	run_ok btfenc $features --explain=inside lto
	expect_in stdout "var_in_function: left out: .*: 'account'"
	expect_in stdout "^    at 0x"
done

# --- a variable at the start of a section whose symbol objcopy gave a prefix -----------------------

echo 'long work[4] __attribute__((section("scratch"))) = { 1 }; int main(void) { return work[0]; }' >prefix.c
gcc -g -c prefix.c && objcopy --prefix-symbols=__pi_ prefix.o && ld -e __pi_main -o prefix prefix.o || fail "no prefix"
run_silent btfenc $features --btf_encode_detached=out.btf prefix
[ "$(declared out.btf work)" = 32 ] || fail "no variable 'work'"
run_silent btfenc --compat=1.32 $features --btf_encode_detached=out.btf prefix
! bpftool btf dump file out.btf | grep -q "VAR 'work'" || fail "pahole does not describe 'work'"
