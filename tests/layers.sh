#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# layers.sh - check the structure of the sources
#
#	includes go downward, libraries are used only in their layers, headers compile alone,
#	one file starts threads, and the option table, --help and the manual have the same options

. "${0%/*}/lib/testlib.sh"

CC=${CC:-cc}
need "$CC" awk
cd "$SRCDIR" || exit 1
work=$SCRATCH

# A file, since half of the checks are at the end of a pipe, in a shell of their own.
broken()
{
	echo "layers.sh: $*" >&2
	: >"$work/broken"
}

# The lines of stdin, if there are any, break the rule $1.
none_may()
{
	found=$(cat)
	[ -z "$found" ] && return
	broken "$1:"
	printf '%s\n' "$found" | sed 's/^/  /' >&2
}

# All folders with sources. A folder includes headers of the folders before it in this list, which is
# the order of docs/design.md.
folders='base base/os btf btf/print btf/compare loader/elf loader/btf dedup/pool dedup dedup/base
	dedup/ambiguous check show loader/dwarf encoder/report encoder/unit encoder/select
	encoder/member encoder/archive encoder/input encoder/program encoder/elf_out encoder
	cmd/options cmd/launch cmd/print cmd/jobs cmd'
layers='base btf dedup check show loader encoder cmd'

# sources LAYER...: the C files of these folders and their subfolders
sources()
{
	find "$@" -name '*.[ch]' | sort
}

# files_of FOLDER [PATTERN]: the files of a folder without those of its subfolders
files_of()
{
	find "$1" -maxdepth 1 -name "${2:-*.[ch]}" | sort
}

check_includes()
{
	allowed=
	for folder in $folders; do
		allowed="$allowed$folder/[^/\"]+|"
		files_of $folder | xargs -r grep -nE '^#[[:space:]]*include "' /dev/null |
			grep -vE "include \"(${allowed%|})\"" |
			none_may "$folder/ includes a header of a folder that comes later in the list"
		# a header that ends in _internal.h is private to its folder
		files_of $folder | xargs -r grep -nE '^#[[:space:]]*include ".*_internal\.h"' /dev/null |
			grep -v "include \"$folder/[^/]*\"" |
			none_may "$folder/ includes a private header"
	done
	sources loader encoder | xargs -r grep -nE '^#[[:space:]]*include "show/' /dev/null |
		none_may "the encoder and the loader do not print types"
	for folder in $(find $layers -name '*.[ch]' -printf '%h\n' | sort -u); do
		echo " $(echo $folders) " | grep -q " $folder " || broken "$folder/ is not in the list of folders"
	done
}

check_libraries()
{
	sources base btf dedup check show |
		xargs -r grep -nE '^#include <(libelf|gelf|elf|dwarf|elfutils/|bpf/|zlib|zstd)' /dev/null |
		none_may "base/, btf/, dedup/, check/ and show/ know neither ELF nor DWARF nor libbpf"
	sources $layers | grep -vx base/os/ordered.c |
		xargs -r grep -nE '(pthread|thrd)_(create|join|detach)' /dev/null |
		none_may "only base/os/ordered.c starts threads"
	sources $layers | grep -vx cmd/launch/child.c |
		xargs -r grep -nE '(posix_spawnp?|[^_a-z]v?fork|[^_a-z]f?exec(l|le|lp|v|ve|vp|vpe)?)\(' /dev/null |
		none_may "only cmd/launch/child.c starts programs"
	sources $layers | grep -vx cmd/launch/child.c | grep -vx cmd/jobs/job_launch.c |
		xargs -r grep -n 'child_run(' /dev/null | grep -v '^cmd/launch/child\.h:' |
		none_may "only cmd/jobs/job_launch.c has programs started"
	sources btf dedup check show loader encoder |
		xargs -r grep -nE '[( ,]stderr[,)]|\<perror\(|[^_a-z](exit|abort)\(' /dev/null |
		none_may "only cmd/ prints and exits"
	sources $layers | xargs -r grep -nE '^[[:space:]]*goto ' /dev/null |
		none_may "no goto"
	# their library would clash with ours in a static link
	sources $layers |
		xargs -r grep -nE '^[a-z].*[ *](elf_|gelf_|dwarf_|dwfl_|btf__|bpf_|strset__|hashmap__)[a-z0-9_]*\([^;]*$' /dev/null |
		none_may "names of the libraries are not ours to define"
	grep -q -e '-include .*base/poison.h' CMakeLists.txt || broken "the build does not forbid the functions of base/poison.h"
}

# A header needs no other in front of it, and bears being included twice.
check_headers()
{
	for header in $(sources $layers tests | grep '\.h$'); do
		case $header in
		base/poison.h) continue ;; # the build includes it, see below
		esac
		printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$work/alone.c"
		"$CC" -std=gnu11 -D_GNU_SOURCE -I. -Wall -Wextra -Werror -fsyntax-only \
			"$work/alone.c" 2>"$work/log" && continue
		broken "$header does not compile alone"
		sed 's/^/  /' "$work/log" >&2
	done
}

# option_names GROUP...: names in the table under these words
option_names()
{
	words=$(echo "$*" | tr ' ' '|')
	sed -nE "s/^[[:space:]]*($words)\(\"([a-z0-9_]+)\".*/\2/p" cmd/options/option_table.c | sort
}

# The part of the man page $2 (default: btfenc.1) under the heading $1.
man_section()
{
	awk -v want="$1" '/^\.S[hs] /{ on = ($0 ~ "^\\.S[hs] " want "$") } on' "man/${2:-btfenc.1}"
}

man_options()
{
	grep -oE 'Fl -[a-z][a-z0-9_]*' | sed 's/^Fl -//' | sort -u
}

same()
{
	printf '%s\n' "$2" >"$work/a"
	printf '%s\n' "$3" >"$work/b"
	diff "$work/a" "$work/b" | grep '^[<>]' | none_may "$1"
}

check_options()
{
	all=$(option_names OUTPUT FEATURE SWITCH INPUT REPORT PRINT OTHER IGNORED REFUSED)
	ours=$(option_names OUTPUT FEATURE SWITCH INPUT REPORT PRINT OTHER)

	[ "$(echo "$all" | wc -l)" -ge 85 ] || broken "the option table cannot be read"
	same "man page (>) and option table (<)" "$all" "$({ cat man/*.[17] && grep '^\.It' man/*.5; } | man_options)"
	same "OPTIONS of the man page (>) and option table (<)" "$ours" \
		"$({
			for s in Output Features Input "Checks and reports" Other; do
				man_section "$s"
			done
			man_section OPTIONS btfenc-features.7
			cat man/btfenc-print.1 man/btfenc-check.1 man/btfenc-report.5
		} | grep '^\.It' | man_options)"
	same "'Refused' of the man page (>) and option table (<)" \
		"$(option_names REFUSED)" "$(man_section Refused btfenc-pahole.7 | man_options)"
	same "'Accepted without effect' of the man page (>) and option table (<)" \
		"$(option_names IGNORED)" "$(man_section 'Accepted without effect' btfenc-pahole.7 | man_options)"
	same "features in the man page (>) and in features.c (<)" \
		"$(sed -nE 's/^\t\{ "([a-z0-9_]+)", FEATURE_.*/\1/p' encoder/unit/features.c)" \
		"$(man_section 'BTF FEATURES' btfenc-features.7 | sed -nE 's/^\.It ([a-z0-9_]+) Ta.*/\1/p')"

	[ -n "${BTFENC:-}" ] || return
	"$BTFENC" --help=all >"$work/help" || broken "--help=all fails"
	same "--help (>) and option table (<)" "$ours" \
		"$(grep -oE '^  (-.,|   ) --[a-z0-9_]+' "$work/help" | sed 's/.*--//' | sort)"
	awk 'length > 79' "$work/help" | none_may "--help fits in 79 columns"
}

check_includes
check_libraries
check_headers
check_options
[ ! -e "$work/broken" ]
