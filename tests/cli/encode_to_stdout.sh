#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_encode_detached=- and --btf_vars_detached=- write to standard output, and nothing else does then

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct foo { int x; struct foo *next; };
struct foo used;
int f(struct foo *p) { return p->x; }
END
cp a.o before.o
run_ok btfenc --btf_encode_detached=file.btf --btf_vars_detached=vars.btf a.o

# a pipe, a new file, the end of a file, and in the middle of other output
btfenc --btf_encode_detached=- a.o | cmp - file.btf || fail "a pipe has something else"
btfenc --btf_encode_detached=- a.o >out.btf || fail "status $?"
cmp out.btf file.btf || fail "a file has something else"
[ ! -e ./- ] || fail "there is a file called -"
{
	printf before
	btfenc --btf_encode_detached=- a.o || fail "status $?"
	printf behind
} >all
{
	printf before
	cat file.btf
	printf behind
} | cmp - all || fail "the output around is overwritten"
printf before >all
btfenc --btf_encode_detached=- a.o >>all || fail "status $?"
{
	printf before
	cat file.btf
} | cmp - all || fail "nothing is appended"
btfenc --btf_encode_detached=core.btf --btf_vars_detached=- a.o | cmp - vars.btf || fail "other variables"
cmp core.btf file.btf || fail "other BTF beside the variables"
cmp a.o before.o || fail "the object is changed"

# a file of that name
run_silent btfenc --btf_encode_detached=./- a.o
cmp ./- file.btf || fail "no file called -"

# the lines of -V give way
gcc_c moved.o -O1 <<\END
int moved(double d, int x) { return x; }
END
btfenc --compat=1.32 --btf_features=default --btf_encode_detached=moved.btf moved.o || fail "status $?"
for output in - /dev/stdout; do
	run_ok btfenc -V --compat=1.32 --btf_features=default --btf_encode_detached=$output moved.o
	cmp out/stdout moved.btf || fail "$output: not only BTF"
	expect_in stderr '^moved : skipping BTF encoding of function due to unexpected register'
done

# two on one output
for option in --btf_stats --explain --btf_report=- --btf_vars_detached=-; do
	run btfenc --btf_encode_detached=- $option a.o
	expect_usage_error "'--btf_encode_detached=-': '$option' prints to standard output, too"
done
for option in --btf_stats --explain --btf_report=-; do
	run btfenc -J --btf_vars_detached=- $option a.o
	expect_usage_error "'--btf_vars_detached=-': '$option' prints to standard output, too"
done
cmp a.o before.o || fail "the object is changed"

# it cannot be written
run sh -c 'btfenc --btf_encode_detached=- a.o >&-'
expect_error "'/dev/stdout': cannot write $(wc -c <file.btf) bytes: Bad file descriptor"
if [ -c /dev/full ]; then
	run sh -c 'btfenc --btf_encode_detached=- a.o >/dev/full'
	expect_error "'/dev/stdout': cannot write $(wc -c <file.btf) bytes: No space left on device"
fi

# a terminal
if command -v script >/dev/null 2>&1 && script -qec true /dev/null >out/script 2>&1 </dev/null; then
	script -qec "btfenc --btf_encode_detached=- a.o" /dev/null >out/script 2>&1 </dev/null
	STATUS=$?
	[ $STATUS = 64 ] || fail "status $STATUS on a terminal"
	grep -q "'--btf_encode_detached=-': BTF is not written to a terminal" out/script || fail "$(cat out/script)"
fi
exit 0
