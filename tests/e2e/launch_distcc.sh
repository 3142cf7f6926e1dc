#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# launch_distcc.sh - --launch before and behind distcc, with a server on this machine: BTF is made here or there,
# and is the same

. "${0%/*}/../lib/testlib.sh"

need gcc distcc distccd readelf cmp
echo 'struct s { int x; } s;' >a.c

# The server must not be root, and needs a folder of its own, and btfenc.
chmod 755 "$SCRATCH"
mkdir server
rm bin/btfenc
cp "$BTFENC" bin/btfenc
user=$(id -un)
if [ "$user" = root ]; then
	user=nobody
	chown "$user" server
fi
su_works()
{
	[ "$user" != nobody ] || su -s /bin/sh nobody -c "cd '$SCRATCH/server' && '$SCRATCH/bin/btfenc' --version" \
		>/dev/null 2>&1
}
su_works || skip "the server could not run btfenc"

# Any port that is free.
server=
for port in 36320 36321 36322 36323; do
	(cd server && DISTCC_DIR=$PWD TMPDIR=$PWD exec distccd --no-detach --daemon --user "$user" \
		--enable-tcp-insecure --allow 127.0.0.1 --listen 127.0.0.1 -p $port -j 2 \
		--log-file "$PWD/log" --log-level=info 2>>../out/distccd) &
	server=$!
	trap 'kill $server 2>/dev/null; leave' EXIT
	sleep 0.5
	kill -0 $server 2>/dev/null && break
	server=
done
[ -n "$server" ] || skip "distccd does not start: $(tail -n 1 out/distccd)"

mkdir client
export DISTCC_HOSTS=127.0.0.1:$port DISTCC_DIR="$SCRATCH/client" DISTCC_FALLBACK=0
tries=0
until distcc gcc -c a.c -o plain.o 2>out/first; do
	tries=$((tries + 1))
	[ $tries -lt 20 ] || skip "distccd does not answer: $(cat out/first)"
	sleep 0.2
done

run_silent btfenc --launch --strip_dwarf -- distcc gcc -g -c a.c -o before.o
has_section before.o .BTF || fail "no BTF of what distcc brings"
! has_section before.o .debug_info || fail "DWARF stays"

run_silent distcc btfenc --launch --strip_dwarf -- gcc -g -c a.c -o behind.o
grep -q 'COMPILE_OK.* btfenc ' server/log || fail "the server has not run btfenc"
cmp before.o behind.o || fail "made there it is another"

# an error on the server is one here
echo 'int f(void) { return }' >bad.c
run_status 1 distcc btfenc --launch -- gcc -g -c bad.c -o bad.o
expect_in stderr 'error:'
[ ! -e bad.o ] || fail "an object is left"
