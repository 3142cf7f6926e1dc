# SPDX-License-Identifier: GPL-2.0-only
#
# golden.sh CASE - what becomes of golden/CASE/in*.c
#
# Compiles as C11 with gcc and clang, DWARF 4 and 5, encodes, and compares the text of btfdump
# with expect.txt. There, a line that begins with "gcc: " or "clang-5: " is the line after this
# mark for that compiler, or that compiler and version of DWARF, only. Lines of the file "args":
# "cflags: ..." and "btfenc: ..." (instead of all default features), "only: COMPILER...", and
# "link: ..." for what several units are linked with.
#
# BLESS=1 writes expect.txt. ORACLE=PROGRAM names a pahole 1.31, which must then give the same
# bytes from the same arguments, unless "args" has "oracle: no".

CASE=$1
. "${0%/*}/testlib.sh"
need gcc python3
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
		if [ $version = 5 ] && cmp -s $compiler-4.btf $x.btf; then
			cp $compiler-4.txt $x.txt
		elif [ -s $x.btf ]; then
			"$TOOLS/btfdump.py" $x.btf >$x.txt || fail "btfdump fails on $x"
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

# merge MARK1 FILE1 MARK2 FILE2: print both texts; a line that only one has gets its mark
merge()
{
	diff --unchanged-line-format=%L --old-line-format="$1: %L" --new-line-format="$3: %L" "$2" "$4"
}

if [ "${BLESS:-0}" = 1 ]; then
	for compiler in gcc clang; do
		[ ! -f $compiler-4.txt ] || merge $compiler-4 $compiler-4.txt $compiler-5 $compiler-5.txt >$compiler.txt
	done
	if [ -f gcc.txt ] && [ -f clang.txt ]; then
		merge gcc gcc.txt clang clang.txt | sed 's/^[a-z]*: \([a-z]*-[45]: \)/\1/'
	else
		cat gcc.txt clang.txt 2>/dev/null
	fi >"$dir/expect.txt"
	exit 0
fi

for x in $ran; do
	sed -e "s/^$x: //" -e "s/^${x%-*}: //" -e '/^gcc[-45]*: /d' -e '/^clang[-45]*: /d' \
		"$dir/expect.txt" >expected.txt
	diff -u expected.txt $x.txt >&2 || fail "$x differs from expect.txt"
done
