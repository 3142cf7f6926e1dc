#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# good files load, bad files are refused with one line, and are not touched

. "${0%/*}/../lib/testlib.sh"

nr=0
for file in "$TESTDIR"/good-*; do
	name=${file##*/}
	grep -q -F "| $name |" "$TESTDIR/README.md" || fail "README.md lacks $name"
	cp "$file" "$name"
	for features in default encode_force,var,float,enum64,decl_tag,type_tag,global_var default,inline; do
		run_silent btfenc --btf_encode_detached=$name.btf --btf_features=$features "$name"
		[ -s "$name.btf" ] || fail "$name: nothing written"
	done
	run_ok btfenc -J "$name"
	has_section "$name" .BTF || fail "$name: no .BTF"
	nr=$((nr + 1))
done
for file in "$TESTDIR"/bad-*; do
	name=${file##*/}
	grep -q -F "| $name |" "$TESTDIR/README.md" || fail "README.md lacks $name"
	cp "$file" "$name"
	message=$(sed -n "s/^$name: //p" "$TESTDIR/messages")
	[ -n "$message" ] || fail "no message for $name"
	error "$message" -J "$name"
	cmp "$file" "$name" || fail "$name was changed"
	nr=$((nr + 1))
done
[ "$nr" = "$(grep -c '^| [gb][oa]' "$TESTDIR/README.md")" ] || fail "README.md speaks of other files"
