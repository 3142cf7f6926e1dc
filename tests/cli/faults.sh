#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# whichever system call fails, and after whichever we are killed: a file is the old one or the new one
#
# Prints what tools/faults.py finds, a table for each way to write. Under a sanitizer, which is slow and
# has system calls of its own, a part of it; e2e/faults.sh runs it on the release build.

. "${0%/*}/../lib/testlib.sh"

need gcc readelf python3
export INJECT="${INJECT:?}"
readelf -sW "$BTFENC" | grep -q ' __gcov_' && skip "the counters of coverage are system calls, too"
quick=
readelf -sW --dyn-syms "$BTFENC" | grep -q -E '__(asan|tsan|ubsan)_' && quick=--quick
# leaks cannot be found under ptrace
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"

gcc_c one.o <<\END
struct s { int x; struct s *next; } s;
int f(struct s *s) { return s->x; }
END
gcc_c two.o <<\END
struct t { long y; enum { A, B } e; } t;
int g(struct t *t) { return t->y + t->e; }
END
ld -shared -o both.so one.o two.o || fail "ld failed"
gcc_c base.o <<\END
struct s { int x; struct s *next; } s;
END
run_ok btfenc --btf_encode_detached=base.btf base.o
cp one.o first.o
run_ok btfenc -J --strip_dwarf --btf_archive=all.btfs --btf_features=default first.o

# matrix NAME FILES OPTIONS TARGETS ARGUMENT...
matrix()
{
	name=$1 files=$2 options=$3 targets=$4
	shift 4
	rm -rf in && mkdir in || exit 1
	cp $files in
	echo "--- $name: btfenc $*"
	"$TOOLS/faults.py" $quick $options in "$targets" "$BTFENC" "$@" >out/matrix 2>&1
	STATUS=$?
	cat out/matrix
	[ $STATUS = 77 ] && skip "no fault injection on this machine"
	[ $STATUS = 0 ] || fail "$name: not in every case"
	cat out/matrix >>out/all
}

# The tables of all ways as one.
sum_up()
{
	echo "--- all ways"
	head -n 2 out/all
	awk '
		/ runs, / { runs += $1; breaches += $3 }
		$3 == "|" && $2 ~ /^[0-9]+$/ {
			if (!($1 in row) && $1 != "all")
				name[nr++] = $1
			row[$1] = 1
			for (i = 2; i <= NF; i++)
				sum[$1, i] += $i
		}
		END {
			name[nr++] = "all"
			for (k = 0; k < nr; k++) {
				n = name[k]
				printf "%-18s %5d |%8d %5d %5d |%6d |%6d |", n, sum[n, 2], sum[n, 4],
				       sum[n, 5], sum[n, 6], sum[n, 8], sum[n, 10]
				for (i = 12; i <= 17; i++)
					printf " %6d", sum[n, i]
				print ""
			}
			print runs " runs, " breaches " breaches"
		}' out/all
}

kbuild=--btf_features=default
matrix 'in place' one.o '' one.o -J $kbuild one.o
cp one.o had.o && btfenc -J $kbuild had.o || fail "no BTF"
matrix 'DWARF dropped, no O_TMPFILE' one.o --no-temp one.o -J --strip_dwarf $kbuild one.o
matrix 'appended' 'one.o all.btfs' --once all.btfs,one.o -J --strip_dwarf \
	--btf_archive=all.btfs $kbuild one.o
[ -z "$quick" ] || { sum_up; exit 0; }
matrix 'in place of other BTF' had.o '' had.o -J $kbuild,global_var had.o
matrix 'a shared object' both.so '' both.so -J $kbuild both.so
matrix 'DWARF dropped' one.o '' one.o -J --strip_dwarf $kbuild one.o
matrix 'a new file' one.o '' out.btf --btf_encode_detached=out.btf one.o
matrix 'another file, no /proc' 'one.o base.btf' --no-proc base.btf \
	--btf_encode_detached=base.btf $kbuild one.o
matrix 'variables apart' one.o '' out.btf,vars.btf --btf_vars_detached=vars.btf \
	--btf_encode_detached=out.btf $kbuild one.o
matrix 'a report' one.o '' one.o,report -J --btf_report=report $kbuild one.o
matrix 'modules' 'one.o two.o base.btf' '' one.o,two.o -J $kbuild --btf_base=base.btf \
	one.o two.o
matrix 'modules, two threads, no O_TMPFILE' 'one.o two.o base.btf' --no-temp one.o,two.o -j2 -J \
	--strip_dwarf $kbuild --btf_base=base.btf one.o two.o

sum_up
