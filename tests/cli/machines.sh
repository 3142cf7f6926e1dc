#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Relocatable files of every machine that a compiler is installed for: does the BTF have the layouts that the compiler
# uses? The object has them as the sizes of symbols.

. "${0%/*}/../lib/testlib.sh"
. "$SRCDIR/tests/lib/compilers.sh"

need python3 readelf

# Each line of layouts.txt is TYPE and a member, or "-" for the size of the type.
cat >types.h <<\END
enum small { SMALL_A, SMALL_B };
union both { char c; long long ll; };
struct scalars { char a; short b; char c; int d; char e; long f; char g; long long h; char i; float j; char k; double l; char m; void *n; char o; enum small p; char q; _Bool r; };
struct nested { char a; struct scalars b; char c; union both d; char e; struct scalars f[3]; short g; };
struct packed { char a; int b; long long c; short d; } __attribute__((packed));
struct aligned { char a; int b __attribute__((aligned(16))); char c; };
struct bits { unsigned a : 3; unsigned b : 30; char c; unsigned long long d : 33; short e; };
struct tail { int a; char b; long c[]; };
END
cat >layouts.txt <<\END
scalars - a b c d e f g h i j k l m n o p q r
nested - a b c d e f g
packed - a b c d
aligned - a b c
bits - c e
tail - a b c
END
{
	cat types.h
	while read -r type members; do
		echo "struct $type var_$type;"
		for member in $members; do
			case $member in
			-) echo "char size_$type[sizeof(struct $type)];" ;;
			*) echo "char at_${type}_$member[__builtin_offsetof(struct $type, $member) + 1];" ;;
			esac
		done
	done <layouts.txt
	cat <<\END
#ifndef WITHOUT_TLS
__thread int thread_local = 3;
#else
int thread_local = 3;
#endif
int plain_function(struct nested *n, int a) { return n->b.d + a + thread_local; }
const void *addresses[] = { &var_bits, &var_tail };
END
} >layouts.c

# expected OBJECT: lines "TYPE MEMBER NUMBER", from the sizes of its symbols
expected()
{
	readelf -sW "$1" | awk '
		$8 ~ /^size_/ { sub(/^size_/, "", $8); print $8, "-", $3 + 0 }
		$8 ~ /^at_/ { split($8, part, "_"); print part[2], part[3], $3 - 1 }' | sort
}

# described DUMP: the same, from the text of the BTF
described()
{
	awk '
		FNR == NR { for (i = 2; i <= NF; i++) wanted[$1, $i]; next }
		/^struct / { type = $2; if ((type, "-") in wanted) print type, "-", $4 }
		/^\t/ && ((type, $2) in wanted) { print type, $2, $1 }
		/^}/ { type = "" }' layouts.txt "$1" | sort
}

nr_tried=0 nr_layouts=$(awk "{ nr += NF - 1 } END { print nr }" layouts.txt)
# try NAME COMMAND...
try()
{
	name=$1
	shift
	echo '__thread int x; int get(void) { return x; }' >tls.c
	"$@" -c -o probe.o tls.c 2>out/cc || set -- "$@" -DWITHOUT_TLS
	for flags in -gdwarf-5 "-gdwarf-5 -gsplit-dwarf" "-gdwarf-4 -gz"; do
		rm -f layouts.o layouts.dwo result.btf
		"$@" -O2 $flags -fno-common -c layouts.c 2>out/cc || {
			echo "not tried: $name $flags: $(head -n 1 out/cc)"
			continue
		}
		run_silent btfenc --btf_features=default --btf_encode_detached=result.btf layouts.o
		expected layouts.o >expected
		[ "$(wc -l <expected)" = "$nr_layouts" ] || fail "$name $flags: the object lacks symbols"
		python3 "$TOOLS/btfdump.py" result.btf >dump || fail "$name $flags: unreadable BTF"
		described dump >described
		diff expected described >&2 || fail "$name $flags: another layout"
		grep -q "^func static plain_function" dump ||
			fail "$name $flags: a function is missing"
		run_silent btfenc -J layouts.o
		run_silent btfenc --btf_encode_detached=again.btf -F btf layouts.o
		nr_tried=$((nr_tried + 1))
	done
}

each_compiler try
[ $nr_tried != 0 ] || skip "no compiler"
echo "$nr_tried compilations"
