#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# debug information on which a reader takes the square of its length in time, or gigabytes

. "${0%/*}/../lib/testlib.sh"

need python3

# hard SHAPE N [MESSAGE]: soon and in little memory, an error with MESSAGE, or none
hard()
{
	"$TOOLS/dwarfhard.py" "$1" "$2" "$1" || exit 1
	run btfenc --btf_features="$features" --skip_encoding_btf_check --btf_encode_detached=made "$1"
	if [ -n "${3:-}" ]; then
		expect_status 1
		expect_in stderr "^btfenc: error: '$1': $3"
		[ "$(wc -l <out/stderr)" = 1 ] || fail "$1: more than one line"
	else
		expect_status 0
	fi
}

features=default
# Thirty seconds of CPU each, under any sanitizer; what grows with the square of N takes minutes or more.
ulimit -t 30

hard tables 100000 '.debug_info+0x[0-9a-f]*: units have tables of [0-9]* bytes in .debug_abbrev of 0xaae61$'
hard turns 100000 '.debug_info+0x[0-9a-f]*: units have tables of '
hard abbrevs 100000
hard specs 100000 '.debug_info+0: .debug_abbrev+0x[0-9a-f]*: abbreviation 2 has more than 256 attributes$'
hard aliases 100000 'type 1 refers to itself without a struct in between$'
hard bits 2000
hard origins 10000
hard tags 4000
hard nested 100000
hard nested 200000 '.debug_info+0x20014: the entry is more than 131072 deep in others$'
hard bytes 100000
hard params 100000
hard names 100000 '2147516416 bytes of names are the ends of others, of 65536 bytes$'
hard names 20000 '200030001 bytes of names are the ends of others, of 20001 bytes$'
hard symbols 100000 'symbol [0-9]*: name of [0-9]* bytes, of 100002 in all$'
hard copies 40000
features=default,global_var
hard starts 80000
features=default
[ "$("$TOOLS/btfdump.py" made | grep -c '^var')" = 1 ] || fail "starts: one variable of them stays"
hard lists 12000
hard skeletons 20000
hard parts 3000 'its units refer to one another too often: more than 12804608 bytes would be read$'
hard sections 10000 'the sections up to [0-9]* have 0x[0-9a-f]* bytes in a file of 0x[0-9a-f]*: they overlap$'
hard inflated 100000000 "section '.debug_info': 0x5f5e100 bytes in 0x17b[0-9a-f]* compressed ones are more than 64 for each$"
