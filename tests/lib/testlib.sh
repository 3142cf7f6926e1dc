# SPDX-License-Identifier: GPL-2.0-only
#
# testlib.sh - what every test script starts with:
#
#	. "${0%/*}/../lib/testlib.sh"
#	run_status 64 btfenc --bogus
#	expect_stderr <<\END
#	btfenc: error: unrecognized option '--bogus'
#	try 'btfenc --help'
#	END
#
# The script runs in a scratch folder of its own, which is removed at the end (kept,
# and named, with KEEP=1). The first failed expectation ends it with status 1. Plain
# sh, so that dash and bash behave alike.
#
# From the build: $BTFENC the command, $SRCDIR the source tree.

set -u

TESTDIR=$(cd "${0%/*}" && pwd)
SRCDIR=${SRCDIR:-${TESTDIR%/tests*}}
TOOLS=$SRCDIR/tests/tools
TEST_SECONDS=${TEST_SECONDS:-60} # limit of a command that may wait without end; 0: none
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
unset PAHOLE_LANG_EXCLUDE POSIXLY_CORRECT

SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/btfenc-test.XXXXXX") || exit 1
cd "$SCRATCH" || exit 1
mkdir bin out
leave()
{
	status=$?
	cd /
	if [ "${KEEP:-0}" = 1 ]; then
		echo "kept: $SCRATCH"
	else
		rm -rf "$SCRATCH"
	fi
	exit $status
}
trap leave EXIT
trap 'exit 1' HUP INT TERM

# "btfenc" on a test's command line is the one just built.
if [ -n "${BTFENC:-}" ]; then
	ln -s "$BTFENC" bin/btfenc
	PATH=$SCRATCH/bin:$PATH
fi

fail()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

skip()
{
	echo "${0##*/}: skipped: $*" >&2
	exit 77
}

# need TOOL...: skip if one of them is not installed
need()
{
	for tool; do
		command -v "$tool" >/dev/null 2>&1 || skip "no $tool"
	done
}

# level_of PAHOLE: the level of --compat that gives the BTF of this pahole
level_of()
{
	case $("$1" --version) in
	v1.1? | v1.2? | v1.30 | v1.31) echo 1.31 ;;
	*) echo 1.32 ;;
	esac
}

# same_behind_header A B: all bytes, but not the headers if their lengths differ. pahole 1.31 and 1.32 write a header
# of 24 or 32 bytes, which depends on their libbpf
same_behind_header()
{
	if [ "$(u32 "$1" 4)" = "$(u32 "$2" 4)" ]; then
		cmp -s "$1" "$2"
	else
		cmp -s -i "$(u32 "$1" 4):$(u32 "$2" 4)" "$1" "$2"
	fi
}

# same_types_and_strings A B: all but the header and the layout, which libbpf writes since 1.8
same_types_and_strings()
{
	for field in 8 16; do
		len=$(u32 "$1" $((field + 4)))
		[ "$len" = "$(u32 "$2" $((field + 4)))" ] || return 1
		cmp -s -n "$len" -i "$(($(u32 "$1" 4) + $(u32 "$1" $field))):$(($(u32 "$2" 4) + $(u32 "$2" $field)))" "$1" "$2" ||
			return 1
	done
}

# run COMMAND...: run it, keep its output and its status for the expectations
run()
{
	RAN=$*
	"$@" >out/stdout 2>out/stderr
	STATUS=$?
}

# What the last run said, for whoever reads the log.
show()
{
	echo "  command: $RAN"
	echo "  status:  $STATUS"
	sed 's/^/  stdout:  /' out/stdout
	sed 's/^/  stderr:  /' out/stderr
} >&2

expect_status()
{
	[ "$STATUS" = "$1" ] && return
	show
	fail "status $STATUS, expected $1"
}

# run_status STATUS COMMAND...: run it; it must exit with STATUS
run_status()
{
	code=$1
	shift
	run "$@"
	expect_status "$code"
}

# run_ok COMMAND...: run it; it must succeed
run_ok()
{
	run_status 0 "$@"
}

# run_silent COMMAND...: the same, and it must print nothing
run_silent()
{
	run_ok "$@"
	expect_silence
}

# The expected text comes from stdin.
expect_same()
{
	cat >out/expected
	cmp -s out/expected "out/$1" && return
	show
	diff -u out/expected "out/$1" >&2
	fail "$1 differs"
}

expect_stdout()
{
	expect_same stdout
}

expect_stderr()
{
	expect_same stderr
}

# Nothing on stdout, stderr, or both
expect_no_stdout()
{
	[ ! -s out/stdout ] || expect_same stdout </dev/null
}

expect_no_stderr()
{
	[ ! -s out/stderr ] || expect_same stderr </dev/null
}

expect_silence()
{
	expect_no_stdout
	expect_no_stderr
}

# expect_in FILE PATTERN: a line of FILE (stdout, stderr) matches the basic regexp
expect_in()
{
	grep -q -e "$2" "out/$1" && return
	show
	fail "$1 lacks '$2'"
}

expect_not_in()
{
	grep -q -e "$2" "out/$1" || return 0
	show
	fail "$1 has '$2'"
}

# expect_file NAME: stdout is the file NAME beside the script. BLESS=1 writes it.
expect_file()
{
	if [ "${BLESS:-0}" = 1 ]; then
		cp out/stdout "$TESTDIR/$1"
		return
	fi
	[ -f "$TESTDIR/$1" ] || fail "no file $1 beside the script"
	expect_same stdout <"$TESTDIR/$1"
}

# The usage error MESSAGE: two lines on stderr, nothing else, status 64.
expect_usage_error()
{
	expect_status 64
	expect_no_stdout
	expect_stderr <<END
btfenc: error: $1
try 'btfenc --help'
END
}

# The failure MESSAGE: one line on stderr, nothing else, status 1.
expect_error()
{
	expect_status 1
	expect_no_stdout
	expect_stderr <<END
btfenc: error: $1
END
}

# The failure: one line on stderr, "btfenc: error: " and the basic regexp PATTERN; nothing else, status 1.
expect_error_like()
{
	expect_status 1
	expect_no_stdout
	[ "$(wc -l <out/stderr)" = 1 ] || { show; fail "stderr is not one line"; }
	expect_in stderr "^btfenc: error: $1$"
}

# table FUNCTION: for each line "ARGUMENTS | TEXT" of stdin, call FUNCTION TEXT ARGUMENTS...,
# where the shell splits and expands ARGUMENTS. Empty lines and those that begin with "#" are skipped.
table()
{
	function=$1
	while IFS='|' read -r arguments text; do
		case $arguments$text in
		'' | '#'*) continue ;;
		esac
		eval "set -- $arguments"
		"$function" "${text# }" "$@" </dev/null
	done
}

# What "btfenc ARGUMENTS" must do; for table, too.

# usage_error MESSAGE ARGUMENTS...
usage_error()
{
	wanted=$1
	shift
	run btfenc "$@"
	expect_usage_error "$wanted"
}

# error MESSAGE ARGUMENTS...
error()
{
	wanted=$1
	shift
	run btfenc "$@"
	expect_error "$wanted"
}

# error_like PATTERN ARGUMENTS...: one line, "btfenc: error: PATTERN", and status 1
error_like()
{
	wanted=$1
	shift
	run btfenc "$@"
	expect_error_like "$wanted"
}

# lines_of TEXT: print the lines of a row, which "; " separates
lines_of()
{
	echo "$1" | sed 's/; /;/g' | tr ';' '\n'
}

# prints LINES ARGUMENTS...: these lines, and nothing on stderr
prints()
{
	wanted=$1
	shift
	run_ok btfenc "$@"
	expect_no_stderr
	lines_of "$wanted" >out/lines
	expect_stdout <out/lines
}

# Compile stdin: gcc_c OUT.o [FLAGS...], clang_c OUT.o [FLAGS...]. The name of the
# unit is the output's with .c. The language is C11 unless FLAGS name another: with the
# default of GCC 15 and later, C23, _Bool is called bool, and () means (void).
compile_stdin()
{
	compiler=$1 output=$2
	shift 2
	need "$compiler"
	cat >"${output%.o}.c"
	"$compiler" -std=gnu11 -g -c -o "$output" "$@" "${output%.o}.c" || fail "$compiler failed"
}

gcc_c()
{
	compile_stdin gcc "$@"
}

clang_c()
{
	compile_stdin clang "$@"
}

# each_compiler FUNCTION: call FUNCTION gcc and FUNCTION clang, those that are there
each_compiler()
{
	compilers=
	for compiler in gcc clang; do
		command -v "$compiler" >/dev/null 2>&1 || continue
		compilers="$compilers $compiler"
		"$1" "$compiler"
	done
	[ -n "$compilers" ] || skip "neither gcc nor clang"
}

has_section()
{
	readelf -SW "$1" 2>/dev/null | grep -q -F " $2 "
}

# section FILE NAME OUT: write the content of a section to OUT
section()
{
	objcopy --dump-section "$2=$3" "$1" out/junk || fail "$1 has no $2"
}

# section_at FILE NAME: the offset of a section
section_at()
{
	readelf -SW "$1" | awk -v name="$2" '
		{ sub(/^ *\[ *[0-9]*\] /, "") }
		$1 == name { at = "0x" $4 }
		END { print at ? at : "(there is no " name ")" }' # the latter is no number, which ends the script
}

# u32 FILE OFFSET: the number there
u32()
{
	od -An -tu4 -j"$2" -N4 "$1" | tr -d ' '
}

# poke FILE OFFSET BYTES: overwrite the bytes there; BYTES is a format of printf, '\377\001' for example
poke()
{
	# shellcheck disable=SC2059
	printf "$3" | dd of="$1" bs=1 seek=$(($2)) conv=notrunc 2>out/dd || fail "dd failed: $(cat out/dd)"
}

# archive_as_dwarf OPTION... FILE: members in FILE give the BTF of its DWARF (archive.btf), and no message
archive_as_dwarf()
{
	run_ok btfenc "$@" -F dwarf --btf_encode_detached=dwarf.btf
	run_silent btfenc "$@" --btf_encode_detached=archive.btf
	cmp dwarf.btf archive.btf || fail "archive and DWARF differ ($*)"
}

# strip_facts FILE...: remove .debug.btf and its relocations
strip_facts()
{
	for file; do
		objcopy -R .debug.btf "$file" || fail "objcopy failed"
		! has_section "$file" .debug.btf || fail "$file still has .debug.btf"
	done
}
