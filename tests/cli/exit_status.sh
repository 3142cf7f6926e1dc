#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# each line of EXIT STATUS in the manual is true, and no status is missing there

. "${0%/*}/../lib/testlib.sh"

need gcc
echo 'struct s { int x; } s; int f(struct s *p) { return p->x; }' | gcc_c a.o
echo 'struct s { long x; } s;' | gcc_c b.o
echo 'int moved(double d, int x) { return x; }' | gcc_c moved.o -O1
gcc -c a.c -o bare.o || fail "gcc failed"
btfenc --btf_encode_detached=a.btf a.o && btfenc --btf_encode_detached=b.btf b.o || fail "btfenc failed"
head -c 40 a.btf >cut.btf
echo 'static inline __attribute__((always_inline)) int g(int x) { return x; } int f(int x) { return g(x); }' | gcc_c lost.o -O1
echo damaged >damaged.o
for name in a b; do cp $name.o fresh-$name.o; done

# gives STATUS ARGUMENT...: an error has a line on standard error, and what is found one on standard output
gives()
{
	echo "$1" >>tried
	expected=$1
	shift
	run btfenc "$@"
	expect_status "$expected"
	[ "$expected" = 0 ] || [ -s out/stdout ] || [ -s out/stderr ] || fail "$*: $expected without a word"
}

# 0
gives 0 -J a.o
gives 0 --btf_encode_detached=out.btf a.o
gives 0 -J --btf_base=a.btf a.o b.o
gives 0 -J bare.o
gives 0 -J --btf_features=default,bogus a.o
gives 0 --btf_check a.btf
gives 0 --btf_diff a.btf a.btf
gives 0 --btf_stats a.btf
gives 0 --btf_stats -J a.o
gives 0 -C s a.o
gives 0 -C s,nothing --skip_missing a.o
gives 0 --compile a.btf
gives 0 --btf_header a.btf
gives 0 --explain a.o
gives 0 --explain=f a.o
gives 0 --explain=nothing --btf_encode_detached=out.btf a.o
gives 0 --btf_report=out.json a.o
gives 0 --launch -- gcc -g -c a.c -o made.o
for option in help usage version numeric_version supported_btf_features; do
	gives 0 --$option
done

# 1: failure, and what was to be written is as it was
cp damaged.o before.o
gives 1 -J damaged.o
cmp before.o damaged.o || fail "a damaged file was written to"
gives 1 -J missing.o
[ ! -e missing.o ] || fail "something was written"
gives 1 --btf_encode_detached=nowhere/out a.o
gives 1 --btf_encode_detached=new.btf a.o damaged.o
[ ! -e new.btf ] || fail "something was written"
gives 1 -J --btf_features_strict=bogus a.o
gives 1 -J --btf_base=damaged.o a.o b.o
for name in a b; do cp fresh-$name.o $name.o; done
gives 1 -J --btf_base=a.btf a.o damaged.o b.o
expect_in stderr "'damaged.o'"
for name in a b; do
	cmp -s fresh-$name.o $name.o && fail "$name.o is not done"
done
gives 1 --btf_stats missing
gives 1 --btf_report=nowhere/report a.o
gives 1 --fatal=func_no_symbol -J lost.o
gives 1 --explain missing.o
gives 1 --explain=nothing a.o
gives 1 --explain bare.o
gives 1 --btf_check cut.btf
gives 1 --btf_check damaged.o a.btf
gives 1 --btf_check bare.o
gives 1 --btf_check missing
gives 1 --btf_diff a.btf b.btf
btfenc -q --btf_diff a.btf b.btf >out/stdout 2>&1
[ $? = 1 ] && [ ! -s out/stdout ] || fail "-q --btf_diff"
for option in C i f; do
	gives 1 -$option nothing a.o
done
gives 1 bare.o
gives 1 missing
printf '%s\n' '#!/bin/sh' 'printf "\177ELF damaged" >spoilt.o' >spoil
chmod +x spoil
gives 1 --launch -- ./spoil -c spoilt.c
[ ! -e spoilt.o ] || fail "an object that cannot be encoded is still there"

# 2
gives 2 --btf_diff a.btf missing
gives 2 --btf_diff a.btf cut.btf
gives 2 --btf_diff a.btf bare.o

# 64
gives 64
gives 64 -J
gives 64 --bogus a.o
gives 64 -R a.o
gives 64 --btf_base
gives 64 --btf_check=2.4 a.btf
gives 64 --btf_diff a.btf
gives 64 --btf_encode_detached=out.btf --btf_base=a.btf a.o b.o
cp fresh-a.o a.o
gives 64 -J --btf_report=a.o a.o
cmp fresh-a.o a.o || fail "something was done"
gives 64 --launch

# of --launch's own
gives 126 --launch -- ./a.c
gives 127 --launch -- ./missing
gives 7 --launch -- sh -c 'echo no; exit 7'

# of a signal
gives 143 --launch -- sh -c 'echo no; kill -TERM $$'

# output that does not arrive; what prints nothing does not mind
arrives_not()
{
	status=$1
	shift
	btfenc "$@" >/dev/full 2>err
	[ $? = "$status" ] || fail "$*: not $status on a full disk"
	btfenc "$@" >&- 2>err
	[ $? = "$status" ] || fail "$*: not $status without standard output"
	[ "$status" = 0 ] || [ "$(grep -c '^btfenc: error: ' err)" = 1 ] || fail "$*: $(cat err)"
}
if [ -c /dev/full ]; then
	arrives_not 1 --version
	arrives_not 1 --help
	arrives_not 1 -C s a.o
	arrives_not 1 --btf_check cut.btf
	arrives_not 1 --btf_stats a.btf
	arrives_not 1 --btf_header a.btf
	arrives_not 1 --explain a.o
	arrives_not 1 --btf_report=- a.o
	arrives_not 1 --btf_encode_detached=/dev/stdout a.o
	arrives_not 1 -V --compat=1.32 --btf_features=default --btf_encode_detached=out.btf moved.o
	arrives_not 2 --btf_diff a.btf b.btf
	arrives_not 0 -J a.o
	arrives_not 0 --btf_check a.btf
	arrives_not 0 --btf_diff a.btf a.btf
fi

# The list of the manual; what is above 128, and of a command, it tells in other words.
sed -n '/^\.Sh EXIT STATUS/,/^\.Sh FAULTS/s/^\.It \([0-9]\)/\1/p' "$SRCDIR/man/btfenc.1" |
	tr ', ' '\n\n' | grep -x '[0-9][0-9]*' | grep -vx 128 | sort -u >listed
grep -vx -e 7 -e 143 tried | sort -u >given
diff listed given || fail "the manual lists (<) other statuses than were seen (>)"
