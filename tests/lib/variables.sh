# SPDX-License-Identifier: GPL-2.0-only
# variables.sh - is each variable that has a symbol and debug information in the BTF or in the report?

need gcc python3

# check_variables FILE [OPTION...]: encode FILE with its variables, and compare with its symbols; with BASE over that
check_variables()
{
	file=$1
	shift
	run_ok btfenc "$@" ${BASE:+--btf_base="$BASE"} --btf_report=variables.report --btf_report_rules=all --btf_encode_detached=variables.btf "$file"
	"$VARSYMBOLS" "$file" >variables.list || fail "$file: no list of its variables"
	"$TOOLS/varcheck.py" variables.list variables.btf variables.report ${BASE:+"$BASE"} >variables.classes || {
		cat variables.classes
		fail "$file: variables are lost"
	}
}
