#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Which functions and variables of a kernel does the default describe, and pahole 1.32 not?
#
#	sh tests/e2e/levels.sh FOLDER...
#
#	EVERY    every how many-th of its modules to look at; default 25
#	NAMES=1  prints all names
#	BTFENC   default: the one in build/
#
# A FOLDER is a debug package of Debian's kernel, unpacked as for kernels.sh. Its vmlinux, with global_var also, and
# its modules are encoded by default and with --compat=1.32. Prints how many functions and variables only one of both
# has, by the rule by which the other omits them. Status 1 if anything else differs, or if --btf_check refuses a result.

. "${0%/*}/../lib/testlib.sh"
need python3
[ $# -gt 0 ] || skip "no folders"
btfenc=${BTFENC:-$SRCDIR/build/btfenc}
features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs
export PAHOLE_LANG_EXCLUDE=rust # as the builds of these kernels do

# encode LEVEL FILE OPTION...: write LEVEL.btf and LEVEL.report; false if there is nothing to write
encode()
{
	level=$1 file=$2
	shift 2
	rm -f "$level.btf"
	"$btfenc" --compat="$level" "$@" --btf_encode_detached="$level.btf" --btf_report="$level.report" --btf_report_rules=all \
		"$file" >log 2>&1 ||
		fail "$file at $level: $(tail -n 1 log)"
	[ -e "$level.btf" ]
}

# compare FILE OPTION...: append what differs to the file found
compare()
{
	encode 1.32 "$@" || return 0
	encode none "$@" || fail "$1: no BTF by default"
	base=
	for option; do
		case $option in --btf_base=*) base=$option ;; esac
	done
	"$btfenc" --btf_check $base none.btf >log 2>&1 || fail "$1: $(head -n 1 log)"
	"$btfenc" --json --btf_diff $base 1.32.btf none.btf >diff.json
	[ $? -le 1 ] || fail "$1: cannot be compared"
	"$TOOLS/levels.py" 1.32.report none.report diff.json >>found || bad=1
}

# summary TITLE
summary()
{
	echo "$1"
	cut -d ' ' -f 1,2 found | sort | uniq -c
	[ -z "${NAMES:-}" ] || sort found
	! grep '^unexplained' found | head >&2
	: >found
}

bad=0
: >found
for folder; do
	folder=$(cd "$OLDPWD" && readlink -e "$folder") || fail "no such folder"
	vmlinux=$(find "$folder" \( -path '*/boot/vmlinux-*' -o -path '*/modules/*/vmlinux' \) -type f | head -n 1)
	[ -n "$vmlinux" ] || fail "no vmlinux in '$folder'"
	compare "$vmlinux" --btf_features=$features,global_var
	summary "${vmlinux##*/}, global_var"
	compare "$vmlinux" --btf_features=$features
	summary "${vmlinux##*/}"
	mv none.btf base.btf
	find "$folder" -name '*.ko' -o -name '*.ko.debug' | sort | awk -v every="${EVERY:-25}" 'NR % every == 0' >list
	while IFS= read -r module; do
		compare "$module" --btf_features=$features --btf_base=base.btf
	done <list
	summary "$(wc -l <list) modules"
done
exit $bad
