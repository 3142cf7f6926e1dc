#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --launch: status, signals, standard files, arguments and environment are the command's

. "${0%/*}/../lib/testlib.sh"

need gcc

for status in 1 3 77 255; do
	run btfenc --launch -- sh -c "echo out; echo err >&2; exit $status"
	expect_status $status
	echo out | expect_stdout
	echo err | expect_stderr
done

run_status 127 btfenc --launch -- ./missing -c a.c
expect_no_stdout
echo "btfenc: error: cannot run './missing': No such file or directory" | expect_stderr
touch closed
run_status 126 btfenc --launch -- ./closed -c a.c
echo "btfenc: error: cannot run './closed': Permission denied" | expect_stderr

# arguments as they are, also those that look like ours; standard input; the environment
cat >tell <<\END
#!/bin/sh
printf '<%s>' "$@"
echo " $WORD"
cat
END
chmod +x tell
echo input >input
export WORD='a  b'
# shellcheck disable=SC2016
run_ok btfenc --launch ./tell -V --version -- -o '' ' $(id) ; "' <input
expect_no_stderr
expect_stdout <<\END
<-V><--version><--><-o><>< $(id) ; "> a  b
input
END

# no file of ours is open in it, and signals are as they were
same()
{
	"$@" >out/own
	run_ok btfenc --launch -- "$@"
	expect_stdout <out/own
}
if [ -d /proc/self/fd ]; then
	same ls /proc/self/fd
	# The first 28: of those that its threads use glibc's posix_spawn() has two ignored.
	signals='s/^\(Sig[BIC][a-z]*:\).*\([0-9a-f]\{7\}\)$/\1\2/p'
	same sed -n "$signals" /proc/self/status
	export signals
	sh -c "trap '' HUP INT; exec sed -n \"\$signals\" /proc/self/status" >out/own
	run sh -c "trap '' HUP INT; exec btfenc --launch -- sed -n \"\$signals\" /proc/self/status"
	expect_stdout <out/own
	expect_in stdout '^SigIgn:0*3$'
fi

# It dies as the command does. sh says 128 and the number.
# shellcheck disable=SC3045
ulimit -c 0
for signal in INT TERM HUP QUIT KILL SEGV ABRT PIPE USR1; do
	sh -c "kill -$signal \$\$" 2>out/own
	status=$?
	run btfenc --launch -- sh -c "kill -$signal \$\$"
	expect_status "$status"
	[ "$status" -gt 128 ] || fail "$signal: status $status"
done

# launch COMMAND...: in the background, until it is ready
launch()
{
	rm -f ready
	btfenc --launch -- "$@" &
	launcher=$!
	tries=0
	while [ ! -s ready ]; do
		tries=$((tries + 1))
		[ $tries -lt 1000 ] || fail "nobody is ready"
		sleep 0.02
	done
}

# ends_with STATUS: what was launched
ends_with()
{
	wait $launcher 2>out/wait
	STATUS=$?
	[ $STATUS = "$1" ] || fail "status $STATUS, expected $1"
}

# A signal to it goes to the command, which may do as it likes.
for signal in TERM HUP USR1 VTALRM PIPE; do
	launch sh -c "trap 'echo told >told; exit 5' $signal
		echo \$\$ >ready; while :; do sleep 0.02; done"
	kill -$signal $launcher
	ends_with 5
	[ "$(cat told)" = told ] || fail "$signal does not arrive"
	rm told
done
launch sh -c "echo \$\$ >ready; exec sleep 60"
kill -TERM $launcher
ends_with 143
! kill -0 "$(cat ready)" 2>/dev/null || fail "the command lives on"

# stopped and continued, it waits on
launch sh -c "echo \$\$ >ready; while [ ! -e go ]; do sleep 0.02; done; exit 6"
kill -STOP "$(cat ready)"
kill -STOP $launcher
kill -CONT $launcher
kill -CONT "$(cat ready)"
touch go
ends_with 6

# A command that ends well all the same does not make us go on: no object is left half done.
cat >slow <<\END
#!/bin/sh
trap 'touch told' TERM
gcc "$@" || exit
echo $$ >ready
while [ ! -e told ]; do sleep 0.02; done
END
chmod +x slow
echo 'int x;' >a.c
launch ./slow -g -c a.c
[ -e a.o ] || fail "no object"
kill -TERM $launcher
ends_with 143
[ ! -e a.o ] || fail "an object without BTF is left"
