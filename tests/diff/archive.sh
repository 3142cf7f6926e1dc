#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# our own sources, linked in several ways: their archive gives what their DWARF gives
#
# With --gc-sections too. The DWARF of what was discarded is still there, its variables at
# address 0, where no section is; the archive finds no symbol for them. Some is kept, and some
# not, of the units that are alike, of the sections of one unit, and of all others.

. "${0%/*}/../lib/testlib.sh"

need gcc cmp ld objcopy
kbuild=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs
plain=var,decl_tag,type_tag,enum64

# Same-named statics, sections of their own, weak and strong: what our sources do not have.
mkdir odd
for n in 1 2 3 4 5 6; do
	cat >odd/odd$n.c <<-END
	struct twice { $([ $n = 3 ] && echo "long" || echo "int") a; };
	struct part;
	struct whole { struct part *p; struct twice *t; };
	$([ $((n % 2)) = 0 ] && echo "struct part { int x, y; };")
	static int counter = $n, unused = 3;
	static int ready; /* clang makes it a byte, and puts the next one into the rest of it */
	static char after_ready;
	int ready$n(int set) {
		if (set)
			ready = 1;
		after_ready += set;
		return ready + after_ready;
	}
	static long table[$n] __attribute__((section(".data.table")));
	__attribute__((weak)) struct whole shared = { 0 };
	$([ $n = 4 ] && echo "struct whole shared2; struct twice nowhere;")
	static __attribute__((noinline)) int twice(struct twice *t, int n) { return t->a + n + counter; }
	static inline int inlined_$((n % 3))(struct whole *w) { return w->t->a; }
	__attribute__((weak, noinline)) long weak_one(int arg$n) { return table[arg$n]; }
	__attribute__((cold, noreturn)) void fatal(struct twice *);
	__attribute__((weak, noinline)) long weak_parts(struct twice *t$n) {
		$([ $n = 1 ] && echo "if (__builtin_expect(t1->a == 7, 0)) fatal(t1);")
		return t$n->a + counter;
	}
	$([ $n -lt 3 ] && echo "static __attribute__((noinline)) int helper(struct twice *of_odd$n) {
		volatile int v = of_odd$n->a; return v; }")
	int odd$n(struct whole *w) {
		struct local { int in$n; } l = { $n };
		return twice(w->t, inlined_$((n % 3))(w)) + l.in$n + unused + weak_one(1) + weak_parts(w->t)$([ $n -lt 3 ] && echo " + helper(w->t)");
	}
	END
done
# Each array is two variables for clang; the first of a section has no VAR in the object.
for n in 1 2 3; do
	cat >odd/parts$n.c <<-END
	$([ $n = 2 ] && echo "static int *before[2];")
	static int *both[2];
	$([ $n = 1 ] || echo "static long beside[3];")
	int *both_get$n(int i) { return i ? both[0] : both[1]; }
	void both_set$n(int *a, int *b) { both[0] = a, both[1] = b; }
	$([ $n = 2 ] && echo "int *before_get(int *p, int i) {
		before[i ? 1 : 0] = p; return i ? before[0] : before[1]; }")
	$([ $n = 1 ] || echo "long beside$n(int i) { return ++beside[i]; }")
	END
done
echo 'int main(void) { return 0; }' >odd/main.c

# check FILE: its archive and its DWARF agree, with each of $lists, and where functions are inlined
check()
{
	for list in $lists; do
		run_ok btfenc --btf_features="$list" -F dwarf --btf_encode_detached=dwarf.btf \
			--btf_inline_detached=dwarf.sites "$1"
		run_silent btfenc --btf_features="$list" -j2 --btf_encode_detached=archive.btf \
			--btf_inline_detached=archive.sites "$1"
		cmp dwarf.btf archive.btf || fail "$1 ($how, $linker): archive and DWARF differ with $list"
		cmp dwarf.sites archive.sites ||
			fail "$1 ($how, $linker): archive and DWARF have other sites with $list"
		[ -s archive.sites ] || fail "$1 ($how, $linker): no sites"
		checked=$((${checked:-0} + 1))
	done
}

# build COMPILER FLAG...: all sources, encoded right after their compilation. All that is to be
# asked for must be in the members: its types as features have them, its variables all.
build()
{
	how="$*"
	objects=
	for source in odd/*.c $(find "$SRCDIR/base" "$SRCDIR/loader" -name "*.c"); do
		object=$(basename "${source%.c}").o
		"$@" -g -D_GNU_SOURCE -I"$SRCDIR" -c -o "$object" "$source" || fail "$how: $source"
		run_silent btfenc -J --btf_features=$made,global_var,inline "$object"
		objects="$objects $object"
	done
}

# link FILE OPTION...: all objects; what is not there does not matter, for nobody runs it
link()
{
	file=$1
	shift
	$linker "$@" -e main --unresolved-symbols=ignore-all -o "$file" $objects 2>out/linker ||
		fail "$how: $linker $*: $(cat out/linker)"
}

set -- "gcc -O2" "gcc -O0 -gdwarf-4 -fdata-sections -ffunction-sections" "clang -O1" "gcc -O1 -DAS_PLAIN"
for compiler; do
	command -v "${compiler%% *}" >/dev/null || continue
	made=$kbuild
	lists="$kbuild,inline $kbuild,global_var $kbuild,true_signature $kbuild,attributes,layout"
	case $compiler in
	*AS_PLAIN) made=$plain lists="$plain $plain,global_var" ;;
	# clang 19 and later mark functions whose signatures they change: objects made without
	# true_signature lack these, and that is a warning (cli/archive_signature.sh)
	clang*) lists="$kbuild,inline $kbuild,global_var $kbuild,attributes,layout" ;;
	esac
	build $compiler
	for linker in ld ld.lld; do
		command -v $linker >/dev/null || continue
		$linker -r -o joined.o $objects || fail "$how: $linker -r"
		check joined.o
		link program
		check program
		link less --gc-sections -u odd2 -u odd5 -u object_open
		check less
	done
done
echo "$checked comparisons"
