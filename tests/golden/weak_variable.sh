#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A weak variable that was overridden leaves debug information behind that places it on the
# one that won. Only one of the two is described; pahole 1.31 lists both, and the kernel
# refuses that.
. "${0%/*}/../lib/testlib.sh"

need bpftool

# type_id and name of every variable of .data, by offset
data_of()
{
	bpftool btf dump file "$1" >dump || fail "bpftool does not read $1"
	sed -n "/DATASEC '.data'/,/^\[/s/^.type_id=.* size=\([0-9]*\) (VAR '\([a-z_]*\)')$/\2 \1/p" dump
}

overridden()
{
	"${1}_c" weak.o -O2 <<-\END
	struct flexible { int n; int a[]; };
	long same __attribute__((weak)) = 1;
	int bigger[2] __attribute__((weak)) = { 1 };
	int smaller[8] __attribute__((weak)) = { 1 };
	struct flexible flexible __attribute__((weak)) = { 1, { 1 } };
	int only_weak __attribute__((weak)) = 1;
	int main(void) { return 0; }
	END
	"${1}_c" strong.o -O2 <<-\END
	struct flexible { int n; int a[]; };
	long same = 2;
	int bigger[4] = { 2 };
	int smaller[4] = { 2 };
	struct flexible flexible = { 2, { 2, 2 } };
	END
	# the strong one wins wherever it stands
	for order in 'weak.o strong.o' 'strong.o weak.o'; do
		"$1" -o linked $order || fail "$1 does not link"
		run_ok btfenc -V --btf_features=default,global_var --btf_encode_detached=linked.btf linked
		# of the same size, one of two is described, and the other is not left out
		[ "$(grep -c 'left out: it overlaps' out/stderr)$(grep -c ': the BTF has the other definition of unit ' out/stderr)" = 22 ] || {
			show
			fail "not two left out and two described elsewhere"
		}
		data_of linked.btf | sort >got
		printf '%s\n' 'bigger 16' 'flexible 4' 'only_weak 4' 'same 8' 'smaller 16' >wanted
		diff -u wanted got >&2 || fail "$1, $order"
	done
}

each_compiler overridden
