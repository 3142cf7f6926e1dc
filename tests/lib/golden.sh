# SPDX-License-Identifier: GPL-2.0-only
#
# golden.sh CASE - what becomes of golden/CASE/in*.c
#
# Compiles as C11 with gcc and clang, DWARF 4 and 5, encodes, and compares the text of btfdump
# with the first of expect-COMPILER-VERSION.txt, expect-COMPILER.txt and expect.txt that is
# there. Lines of the file "args": "cflags: ..." and "btfenc: ..." (instead of all default
# features), "only: COMPILER...", and "link: ..." for what several units are linked with.
#
# BLESS=1 writes the expectations. ORACLE=PROGRAM names a pahole 1.31, which must then give
# the same bytes from the same arguments, unless "args" has "oracle: no".

CASE=$1
. "${0%/*}/testlib.sh"
need gcc
[ -n "${BTFDUMP:-}" ] || skip "no btfdump"
dir=$SRCDIR/tests/golden/$CASE
[ -d "$dir" ] || fail "no folder $dir"

# arg KEY DEFAULT
arg()
{
	if grep -q "^$1:" "$dir/args"; then
		sed -n "s/^$1: *//p" "$dir/args"
	else
		echo "$2"
	fi
}

cflags=$(arg cflags -O1)
options=$(arg btfenc --btf_features=default)
link=$(arg link "-nostdlib -r")

# compile COMPILER VERSION OUTPUT
compile()
{
	objects=
	for source in "$dir"/in*.c; do
		object=$(basename "$source" .c).o
		(cd "$dir" && "$1" -std=gnu11 -gdwarf-"$2" $cflags -c -o "$SCRATCH/$object" "$(basename "$source")") ||
			fail "$1 failed"
		objects="$objects $object"
	done
	case $objects in
	*" "*" "*) "$1" $link -o "$3" $objects || fail "$1 does not link" ;;
	*) mv $objects "$3" ;;
	esac
}

same_as_oracle()
{
	"$ORACLE" --btf_encode_detached="$1.oracle" $options "$1" || fail "the oracle fails on $1"
	cmp "$1.oracle" "$1.btf" || fail "$1: other bytes than the oracle's"
}

ran=
for compiler in $(arg only "gcc clang"); do
	command -v $compiler >/dev/null || continue
	for version in 4 5; do
		x=$compiler-$version
		compile $compiler $version $x
		run_ok btfenc --btf_encode_detached=$x.btf $options $x
		if [ -s $x.btf ]; then
			"$BTFDUMP" $x.btf >$x.txt || fail "btfdump fails on $x"
		else
			echo "no BTF" >$x.txt
		fi
		if [ -n "${ORACLE:-}" ] && [ "$(arg oracle yes)" = yes ] && [ -s $x.btf ]; then
			same_as_oracle $x
		fi
		ran="$ran $x"
	done
done
[ -n "$ran" ] || skip "none of the compilers"

if [ "${BLESS:-0}" = 1 ]; then
	rm -f "$dir"/expect*.txt
	set -- $ran
	all=1
	for x; do
		cmp -s "$1.txt" "$x.txt" || all=0
	done
	if [ $all = 1 ]; then
		cp "$1.txt" "$dir/expect.txt"
		exit 0
	fi
	for compiler in gcc clang; do
		[ -f $compiler-4.txt ] || continue
		if cmp -s $compiler-4.txt $compiler-5.txt; then
			cp $compiler-4.txt "$dir/expect-$compiler.txt"
		else
			cp $compiler-4.txt "$dir/expect-$compiler-4.txt"
			cp $compiler-5.txt "$dir/expect-$compiler-5.txt"
		fi
	done
	exit 0
fi

for x in $ran; do
	for name in expect-$x expect-${x%-*} expect; do
		[ -f "$dir/$name.txt" ] || continue
		diff -u "$dir/$name.txt" $x.txt >&2 || fail "$x differs from $name.txt"
		continue 2
	done
	fail "nothing is expected of $x"
done
