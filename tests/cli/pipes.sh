#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a pipe is read whole, or is an error; one that nobody writes into keeps nobody waiting

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct s { int x; } s;
END
btfenc --btf_encode_detached=a.btf a.o || exit 1
mkfifo pipe || skip "no named pipes here"

# soon STATUS MESSAGE ARGUMENT...: one line, and no waiting
soon()
{
	expected=$1
	message=$2
	shift 2
	run timeout $TEST_SECONDS btfenc "$@"
	expect_status "$expected"
	expect_in stderr "^btfenc: error: .*$message"
	[ "$(wc -l <out/stderr)" = 1 ] || fail "$*: more than one line"
}

soon 1 "'pipe': cannot read: not a regular file" --btf_encode_detached=made pipe
soon 1 "'pipe': cannot read: not a regular file" --btf_encode_detached=made a.o pipe
soon 1 "'pipe': cannot read: not a regular file" -J pipe
soon 1 "'pipe': cannot read: not a regular file" -J --strip_dwarf --btf_archive=made pipe
soon 1 "'pipe'" -J -F btf pipe
soon 1 "'pipe': cannot read: not a regular file" -J --btf_base=a.btf pipe
soon 1 "'pipe'" -F btf --btf_encode_detached=made pipe
soon 1 "'pipe'" --btf_encode_detached=made --btf_base=pipe a.o
soon 2 "'pipe'" --btf_diff a.btf pipe
run_status 1 timeout $TEST_SECONDS btfenc --btf_check pipe
run_status 64 timeout $TEST_SECONDS btfenc --btf_encode_detached=made @pipe
[ ! -e made ] || fail "something was written"

# what has no end at all
run_status 1 timeout $TEST_SECONDS btfenc --btf_check /dev/zero
expect_stderr <<\END
btfenc: error: '/dev/zero' is a device, which may have no end
END

# through one that somebody writes into, late and in parts
slowly()
{
	dd if="$1" bs=1 count=30 2>/dev/null
	sleep 0.2
	tail -c +31 "$1"
}
slowly a.btf | timeout $TEST_SECONDS btfenc --btf_check /dev/stdin || fail "BTF through a pipe"
slowly a.btf | run_ok timeout $TEST_SECONDS btfenc -C s - || exit 1
expect_in stdout '^struct s {$'
btfenc --btf_encode_detached=made - <a.o || fail "'-' is not standard input"
cmp made a.btf || fail "'-' gives other BTF"
rm made
printf 'a.o\n' | timeout $TEST_SECONDS btfenc --btf_encode_detached=made @- || fail "names through a pipe"
cmp made a.btf || fail "names through a pipe: other BTF"

# into one: it stays a pipe
timeout $TEST_SECONDS cat pipe >through &
timeout $TEST_SECONDS btfenc --btf_encode_detached=pipe a.o || fail "BTF into a pipe"
[ -p pipe ] || fail "a file replaces the pipe"
wait
cmp through a.btf || fail "into a pipe: other BTF"
