# SPDX-License-Identifier: GPL-2.0-only
# objects.sh - is each variable that has a symbol and debug information in the BTF or in the report?

need gcc python3
gcc -O2 -D_GNU_SOURCE -o objects "$TOOLS/objects.c" -ldw -lelf 2>/dev/null || skip "no libdw to compile with"

# check_objects FILE [OPTION...]: encode FILE with its variables, and compare with its symbols; with BASE over that
check_objects()
{
	file=$1
	shift
	run_ok btfenc "$@" ${BASE:+--btf_base="$BASE"} --btf_report=objects.report --btf_encode_detached=objects.btf "$file"
	./objects "$file" >objects.list || fail "$file: no list of its variables"
	"$TOOLS/objects.py" objects.list objects.btf objects.report ${BASE:+"$BASE"} >objects.classes || {
		cat objects.classes
		fail "$file: variables are lost"
	}
}
