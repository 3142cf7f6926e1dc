#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# who waits at a terminal for more than a second sees how far it is, and nothing of it stays

. "${0%/*}/../lib/testlib.sh"

need python3
export TERM=xterm NO_COLOR=1
# a container may have none to give
"$TOOLS/onterm.py" screen true 2>err || {
	grep -q '^a terminal: ' err && skip "no terminals here: $(cat err)"
	fail "$(cat err)"
}
need gcc ld readelf

for name in a b c; do
	echo "struct $name { int x; } $name;" | gcc_c $name.o
	cp $name.o fresh-$name.o
done
ld -r -o abc.o a.o b.o c.o || fail "ld failed"
btfenc --btf_encode_detached=a.btf a.o || fail "btfenc failed"
echo damaged >damaged.o

# A list of files that comes more than a second after its reader has begun: empty lines, of which
# there are none in it, fill the pipe until then.
late()
{
	yes '' | head -c 100000
	sleep 1.1
	printf '%s\n' "$@"
}

# The bytes that went to the terminal, readable: a line for each time that it was written to from the
# first column on.
lines()
{
	tr '\r\033' '\n^' <screen | sed 's/^^\[K//'
}

# What is left there for people to see.
left()
{
	tr '\033' '^' <screen | sed 's/.*\r^\[K//'
}

expect_line()
{
	lines | grep -qx "$1" && return
	fail "the terminal lacks '$1': $(lines)"
}

expect_left()
{
	[ "$(left)" = "$1" ] || fail "left on the terminal: '$(left)', not '$1'"
}

pace='[0-9]*\(\.[0-9]\)\{0,1\}\/s, [0-9:]* left'

# units of one file, whatever the number of threads; the file is as without a terminal
for jobs in 1 8; do
	late abc.o | "$TOOLS/onterm.py" screen btfenc -j$jobs -F dwarf --btf_encode_detached=seen @- || fail "-j$jobs"
	expect_line "btfenc: 1 of 3 units, $pace"
	expect_line "btfenc: deduplicating"
	expect_line "btfenc: writing"
	expect_left ""
done
late abc.o | btfenc -F dwarf --btf_encode_detached=unseen @- 2>err || fail "btfenc failed"
[ ! -s err ] || fail "no terminal, but: $(cat err)"
cmp seen unseen || fail "other BTF on a terminal"

# many files: into one BTF, each by itself, checked; and members of an archive
late a.o b.o c.o | "$TOOLS/onterm.py" screen btfenc --btf_encode_detached=seen @- || fail "many files"
expect_line "btfenc: 1 of 3 files, $pace"
expect_left ""
late a.o b.o c.o | "$TOOLS/onterm.py" screen btfenc -j2 -J --btf_base=a.btf @- || fail "many modules"
expect_line "btfenc: 1 of 3 files, $pace"
expect_left ""
late a.btf a.btf | "$TOOLS/onterm.py" screen btfenc --btf_check @- || fail "many BTFs"
expect_line "btfenc: 1 of 2 files, $pace"
expect_left ""
for name in a b c; do
	cp fresh-$name.o $name.o
	btfenc -J $name.o || fail "btfenc failed"
done
ld -r -o abc.o a.o b.o c.o || fail "ld failed"
late abc.o | "$TOOLS/onterm.py" screen btfenc -j8 -F btf --btf_encode_detached=seen @- || fail "an archive"
expect_line "btfenc: 1 of 3 units, $pace"

# types that are printed: nothing of the line is among them; it is no wider than the terminal, less a column
late abc.o | "$TOOLS/onterm.py" -o -w 20 screen btfenc -F dwarf -C a @- || fail "printed"
expect_line "btfenc: 1 of 3 unit"
expect_left "$(btfenc -F dwarf -C a abc.o)"

# an error, a warning, a line of output stand alone
late a.o damaged.o | "$TOOLS/onterm.py" screen btfenc --btf_encode_detached=seen @- && fail "no error"
expect_line "btfenc: 1 of 2 files, $pace"
expect_left "btfenc: error: 'damaged.o': not an ELF file"
late a.btf a.btf damaged.o | "$TOOLS/onterm.py" -o screen btfenc --btf_check @- && fail "nothing found"
expect_line "btfenc: 1 of 3 files, $pace"
expect_left "$(btfenc --btf_check damaged.o 2>&1; echo '3 files: 1 error, 0 warnings')"

# interrupted while it waits for what nobody writes; the thread sanitizer keeps the signal until that comes
mkfifo pipe && exec 3<>pipe || skip "no named pipes here"
if ! readelf -sW --dyn-syms "$BTFENC" | grep -q __tsan_; then
	late a.btf /dev/fd/3 |
		"$TOOLS/onterm.py" -k '1 of 2 files' screen timeout -k 5 --foreground $TEST_SECONDS btfenc --btf_check @-
	status=$?
	[ $status = 130 ] || fail "interrupted: status $status"
	expect_left ""
fi

# not asked for, or no place for it; all at once
encode='btfenc -F dwarf --btf_encode_detached'
late abc.o | "$TOOLS/onterm.py" quiet.screen $encode=quiet -q @- &
late abc.o | TERM=dumb "$TOOLS/onterm.py" dumb.screen $encode=dumb @- &
late abc.o | "$TOOLS/onterm.py" -b behind.screen $encode=behind @- &
wait
for name in quiet dumb behind; do
	cmp unseen $name || fail "$name: other BTF"
	[ ! -s $name.screen ] || fail "$name: $(cat $name.screen)"
done
