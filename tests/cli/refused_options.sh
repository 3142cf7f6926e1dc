#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# each option of pahole that prints or inspects is refused by name

. "${0%/*}/../lib/testlib.sh"

where='see "Refused" in btfenc-pahole(7)'
table=$SRCDIR/cmd/options/option_table.c
sed -nE "s/^\tREFUSED\(\"([a-z_]+)\", ('(.)'|0), ARG_.*/\1 \3/p" "$table" >refused
[ "$(wc -l <refused)" -ge 5 ] || fail "cannot read the table"

while read -r name key; do
	usage_error "'--$name' is an option of pahole that btfenc does not have; $where" -J a.o "--$name"
	[ -n "$key" ] || continue
	usage_error "'-$key' is an option of pahole that btfenc does not have; $where" -J a.o "-$key"
done <refused
