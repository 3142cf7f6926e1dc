# SPDX-License-Identifier: GPL-2.0-only
#
# golden.sh CASE - what becomes of golden/CASE/in*.c
#
# Compiles as C11 with gcc and clang, DWARF 4 and 5, encodes at each level of --compat, and compares
# the text of btfdump with expect.txt. If it exists, expect-1.32.txt replaces this file at 1.32, and at the
# default level if there is no expect-none.txt. There, a line that begins with "gcc: " or "clang-5: " is the line after this
# mark for that compiler, or that compiler and version of DWARF, only. Lines of the file "args":
# "cflags: ..." and "btfenc: ..." (instead of all default features), "only: COMPILER...", and
# "link: ..." for what several units are linked with.
#
# BLESS=1 writes these files. ORACLE=PROGRAM names a pahole 1.31 or 1.32, which must then give the
# same bytes behind the header from the same arguments, unless "args" has "oracle: no".

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
	same_behind_header "$1.oracle" "$1.btf" || fail "$1: other bytes than the oracle's"
}

# same_with_constant_hash LEVEL X: X.btf depends on no hash
same_with_constant_hash()
{
	rm -f "$2.constant"
	"$CONSTANT_HASH" --compat="$1" --btf_encode_detached="$2.constant" $options "$2" ||
		fail "fails on $2 with equal hashes"
	[ ! -e "$2.btf" ] && [ ! -e "$2.constant" ] || cmp "$2.btf" "$2.constant" ||
		fail "$2: other bytes with equal hashes"
}

# encode LEVEL X: write X.txt
encode()
{
	run_ok btfenc --compat="$1" --btf_encode_detached="$2.btf" $options "$2"
	[ -z "${CONSTANT_HASH:-}" ] || same_with_constant_hash "$1" "$2"
	if [ ! -s "$2.btf" ]; then
		echo "no BTF" >"$2.txt"
		return
	fi
	# many texts are equal
	sum=$(cksum <"$2.btf" | tr ' ' -)
	[ -e "$sum.txt" ] || "$TOOLS/btfdump.py" "$2.btf" >"$sum.txt" || fail "btfdump fails on $2"
	cp "$sum.txt" "$2.txt"
	if [ "$oracle" = "v$1" ] && [ "$(arg oracle yes)" = yes ]; then
		same_as_oracle "$2"
	fi
}

ran=
for compiler in $(arg only "gcc clang"); do
	command -v $compiler >/dev/null || continue
	for version in 4 5; do
		compile $compiler $version $compiler-$version
		ran="$ran $compiler-$version"
	done
done
[ -n "$ran" ] || skip "none of the compilers"
oracle=${ORACLE:+$("$ORACLE" --version)}

# merge MARK1 FILE1 MARK2 FILE2: print both texts; a line that only one has gets its mark
merge()
{
	diff --unchanged-line-format=%L --old-line-format="$1: %L" --new-line-format="$3: %L" "$2" "$4"
}

# bless FILE
bless()
{
	for compiler in gcc clang; do
		[ ! -f $compiler-4.txt ] || merge $compiler-4 $compiler-4.txt $compiler-5 $compiler-5.txt >$compiler.txt
	done
	if [ -f gcc.txt ] && [ -f clang.txt ]; then
		merge gcc gcc.txt clang clang.txt | sed 's/^[a-z]*: \([a-z]*-[45]: \)/\1/'
	else
		cat gcc.txt clang.txt 2>/dev/null
	fi >"$1"
}

# each level expects what the level before it does, unless it has a file of its own
expect=
for level in 1.31 1.32 none; do
	own=$dir/expect-$level.txt
	[ $level != 1.31 ] || own=$dir/expect.txt
	for x in $ran; do
		encode $level $x
	done
	if [ "${BLESS:-0}" = 1 ]; then
		bless "$own"
		[ -z "$expect" ] || ! cmp -s "$own" "$expect" || rm "$own"
	fi
	[ ! -f "$own" ] || expect=$own
	[ "${BLESS:-0}" != 1 ] || continue
	for x in $ran; do
		sed -e "s/^$x: //" -e "s/^${x%-*}: //" -e '/^gcc[-45]*: /d' -e '/^clang[-45]*: /d' \
			"$expect" >expected.txt
		diff -u expected.txt $x.txt >&2 || fail "$x at $level differs from ${expect##*/}"
	done
done
