#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a file that changes while it is read, or while another process keeps it locked, gets the BTF of what it is then

. "${0%/*}/../lib/testlib.sh"

need gcc ld awk cmp python3
gcc_c old.o <<\END
struct old { int x; } o;
END
gcc_c new.o <<\END
struct new { long y; struct new *next; } n;
END
gcc_c empty.o <<\END
END
# of the same length
sed 's/old/alt/g' old.o >alike.o

# locked WAY NEW ARGUMENT...: "f.o" is old.o, becomes NEW, and then what NEW becomes alone
locked()
{
	way=$1
	new=$2
	shift 2
	cp "$new" want.o
	btfenc "$@" want.o 2>out/alone || fail "btfenc failed"
	cp old.o f.o
	cp "$new" new-name.o
	run "$TOOLS/onlock.py" "$way" f.o new-name.o btfenc "$@" f.o
	[ "$STATUS" != 77 ] || skip "no /proc here"
	expect_status 0
	cmp f.o want.o || fail "$way: BTF of what it was"
}

locked not old.o -J
for way in write touch rename; do
	locked "$way" new.o -J
	locked "$way" alike.o -J
	locked "$way" new.o -J --btf_features=default
	locked "$way" new.o -J --strip_dwarf
	locked "$way" empty.o -J
done

# a file that is only read is not locked
for i in 1 2 3 4 5 6 7 8; do
	awk -v i=$i 'BEGIN {
		for (n = 0; n < 500; n++)
			printf "struct s%d_%d { int x; struct s%d_%d *next; } v%d_%d;\n", i, n, i, n, i, n
	}' | gcc_c part$i.o
done
ld -r -o first.o old.o part?.o && ld -r -o second.o new.o part?.o || fail "ld failed"
run_ok btfenc --btf_encode_detached=want.btf second.o
cp first.o f.o
cp second.o new-name.o
run "$TOOLS/onlock.py" stop f.o new-name.o btfenc --btf_encode_detached=f.btf f.o
if [ "$STATUS" != 77 ]; then
	expect_status 0
	cmp f.btf want.btf || fail "stop: BTF of what it was"
fi

# the archive has the last one, and the report has one run
cp old.o f.o
cp new.o new-name.o
run_ok "$TOOLS/onlock.py" write f.o new-name.o btfenc -J --btf_report=report f.o
cp new.o f.o
run_ok btfenc -J --btf_report=alone f.o
cmp report alone || fail "the report tells of what it was"
cp old.o f.o
cp new.o new-name.o
run_ok "$TOOLS/onlock.py" write f.o new-name.o btfenc -J --strip_dwarf --btf_archive=all.btfs f.o
cp new.o f.o
run_ok btfenc -J --strip_dwarf --btf_archive=alone.btfs f.o
cmp all.btfs alone.btfs || fail "the archive has what it was"

# its own archive it would wait for
cp old.o f.o
run_status 64 timeout $TEST_SECONDS btfenc -J --strip_dwarf --btf_archive=f.o f.o
cmp f.o old.o || fail "something was written"
