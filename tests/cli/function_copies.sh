#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# By default, a function that is intact at its own symbol is described, whatever copies and parts of it there are
#
# The compilers choose the copies, so most of them are made by hand: an assembler label is the symbol's name, and the
# DWARF name has no suffix.

. "${0%/*}/../lib/testlib.sh"

need gcc ld cmp bpftool nm objcopy

# described FEATURES LEVEL FILE: the names of the functions in the BTF, in one line
described()
{
	run_ok btfenc --compat="$2" --btf_features="$1" -F dwarf --btf_encode_detached=out.btf "$3"
	bpftool btf dump file out.btf | sed -n "s/.* FUNC '\([^']*\)'.*/\1/p" | sort | tr '\n' ' ' | sed 's/ $//'
}

# expect_described FEATURES LEVEL FILE NAMES
expect_described()
{
	names=$(described "$1" "$2" "$3")
	[ "$names" = "$4" ] || fail "$3 with $1 at $2: '$names' instead of '$4'"
}

# --- a part that gcc makes: the case of vfs_statfs
cat >part.c <<\END
struct path { void *mnt; void *dentry; long c; };
struct kstatfs { long t, flags; };
extern void slow(void *, long, int);
int split(long x, const struct path *path, struct kstatfs *buf, int n)
{
	int i, s = 0;

	if (__builtin_expect(!path->c, 1))
		return -38;
	for (i = 0; i < n; i++) {
		slow(buf, path->c, 1); slow(buf, i, 2); slow(buf, path->c, 3); s += i;
		slow(buf, path->c, 5); slow(buf, i * 4, 2); slow(buf, path->c, s);
	}
	for (i = 0; i < n; i++) {
		slow(buf, path->c, 1); slow(buf, i, 2); slow(buf, path->c, 3); s += i;
		slow(buf, path->c, 5); slow(buf, i * 4, 2); slow(buf, path->c, s);
	}
	buf->flags = n;
	return s;
}
int user1(struct path *p, struct kstatfs *b) { int r = split(1, p, b, 4); slow(p, 1, r); return r; }
int user2(struct path *p, struct kstatfs *b, int n) { int r = split(2, p, b, n); slow(b, 2, r); return r; }
END
echo 'void slow(void *p, long n, int i) { }' >slow.c
gcc -g -O2 -c part.c && gcc -g -O2 -c slow.c && ld -r -o joined.o part.o slow.o &&
	ld -e split -o part part.o slow.o || fail "cannot build"
if nm part | grep -q ' split\.part\.0$'; then
	for file in part joined.o; do
		expect_described default none $file 'slow split user1 user2'
		expect_described default 1.32 $file 'slow user1 user2'
	done
	expect_described default none part.o 'split user1 user2'
	at=0x$(nm part | sed -n 's/^0*\([0-9a-f]*\) t split\.part\.0$/\1/p')
	run_ok btfenc --explain=split --btf_features=default part
	expect_in stdout '^  in the generated BTF: FUNC: int split('
	expect_in stdout "^  in the symbol table, copies or parts of it: 'split\.part\.0' at $at\$"
	run_ok btfenc --explain=split --btf_features=default part.o
	expect_in stdout "'split\.part\.0' at \.text.*+0x"
else
	echo "this gcc makes no part: skipped"
fi

# --- copies: unit one has the function, unit two a copy of it in another form
cat >one.c <<\END
#define N __attribute__((noinline, used))
#ifndef TYPE
#define TYPE int
#endif
N int whole(int a, int b) { return a * b; }
static N int local(TYPE a) { volatile TYPE v = a; return v + 1; }
int one(int a) { return local(a) + whole(a, 2); }
END
# two FLAGS: the symbol of "local" of unit two gets a suffix
two()
{
	cat >two.c <<-\END
	#define N __attribute__((noinline, used))
	static N int local(int a) { volatile int v = a; return v * 2; }
	int two(int a) { return local(a); }
	END
	gcc -g -O1 -c two.c && objcopy --redefine-sym "local=local$1" two.o || fail "cannot build"
}
gcc -g -O1 -c one.c || fail "gcc failed"
for suffix in .isra.0 .constprop.0 .constprop.0.isra.1 .part.0 .cold .specialized.1 .argprom; do
	two $suffix
	ld -e one -o program one.o two.o && ld -r -o joined.o one.o two.o || fail "ld failed"
	for file in program joined.o; do
		expect_described default none $file 'local one two whole'
	done
	case $suffix in
	*.part* | *.cold) expect_described default 1.32 program 'local one two whole' ;;
	*) expect_described default 1.32 program 'one two whole' ;;
	esac
done

# These are not copies, but names of other functions
for suffix in .llvm.123 .__uniq.123 .__uniq.123.llvm.4 .lto_priv.0 .5 ''; do
	two "$suffix"
	ld -e one -o program one.o two.o && ld -r -o joined.o one.o two.o || fail "ld failed"
	for file in program joined.o; do
		expect_described default none $file 'one two whole'
	done
done

# The function itself has the prototype, not the copy; a prototype that differs is still a reason
two .isra.0
gcc -g -O1 -DTYPE=long -c one.c -o long.o && ld -e one -o program two.o long.o || fail "cannot build"
expect_described default none program 'one two whole'
run_ok btfenc --btf_features=var --btf_encode_detached=out.btf program
bpftool btf dump file out.btf format raw >out/dump || fail "bpftool failed"
proto=$(sed -n "s/.* FUNC 'local' type_id=\([0-9]*\) .*/\1/p" out/dump)
arg=$(sed -n "/^\[$proto\] /,/^\[/s/.*'a' type_id=\([0-9]*\)\$/\1/p" out/dump)
grep -q "^\[$arg\] INT 'long int'" out/dump || fail "the prototype is that of the copy: $(cat out/dump)"

# --- with true_signature, the function keeps its own name, unless only copies of it are there
two .isra.0
ld -e one -o program one.o two.o && ld -e two -o copy two.o || fail "ld failed"
expect_described default,true_signature none program 'local one two whole'
expect_described default,true_signature 1.32 program 'local.isra.0 one two whole'
expect_described default,true_signature none copy 'local.isra.0 two'
two .llvm.7
ld -e two -o copy two.o || fail "ld failed"
expect_described default,true_signature none copy 'local.llvm.7 two'

# --- a function that is not intact itself gains nothing by its copies: b is in rdx instead of rsi
if [ "$(gcc -dumpmachine | cut -d - -f 1)" = x86_64 ]; then
	for unit in one two; do
		gcc -g -O1 -x c -S -o $unit-moved.s - <<-END || fail "gcc failed"
		static __attribute__((noinline, used)) int local(int a, int b) { return b; }
		int $unit(int a) { return local(1, a); }
		END
		sed -i 's/\.byte[[:space:]]*0x54$/.byte 0x51/' $unit-moved.s
		gcc -c $unit-moved.s || fail "gcc failed"
	done
	objcopy --redefine-sym local=local.isra.0 two-moved.o && ld -e one -o program one-moved.o two-moved.o ||
		fail "cannot build"
	expect_described default none program 'one two'
fi

# --- several addresses: also the last name, and 0 as any other (Q6, Q37)
cat >first.c <<\END
#define IN(s) __attribute__((noinline, used, section(s)))
static IN(".text.a") int same(int a) { volatile int v = a; return v; }
static IN(".text.a") int zzz(int a) { volatile int v = a; return v; }
int first(int a) { return same(a) + zzz(a); }
END
sed 's/\.text\.a/.text.b/; s/first/second/' first.c >second.c
gcc -g -O1 -c first.c && gcc -g -O1 -c second.c && ld -e first -o program first.o second.o &&
	ld -r -o joined.o first.o second.o || fail "cannot build"
expect_described default 1.32 program 'first second zzz'
expect_described default none program 'first second'
# as offsets in .text.a and .text.b, the addresses are equal
[ "$(nm joined.o | grep -c '^0* t same$')" = 2 ] || fail "the functions are not at the start of sections"
expect_described default 1.32 joined.o 'first same second zzz'
expect_described default none joined.o 'first second'

# --- an archive gives the same
for name in part slow one two long first second; do
	run_silent btfenc -J --btf_features=default $name.o
done
two .constprop.0
run_silent btfenc -J --btf_features=default two.o
ld -e split -o parts part.o slow.o && ld -e one -o copies one.o two.o && ld -r -o copies.o one.o two.o &&
	ld -e two -o clash two.o long.o && ld -e first -o same first.o second.o && ld -r -o same.o first.o second.o ||
	fail "ld failed"
for file in parts copies copies.o clash same same.o; do
	for features in default float,decl_tag,type_tag,enum64 default,true_signature; do
		archive_as_dwarf --btf_features=$features $file
	done
done
exit 0
