#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# citations.sh - every citation in a comment resolves inside the repository
#
# A citation is
#
#	docs/spec/dedup.md 3.7	a section of a document; others may follow: 3.7, 3.8
#	(3.8)			a section of the document that the same file cited last
#	quirk Q12		an entry of tests/diff/quirks.txt
#	dedup/dedup.c		a file by its path, or by its name alone
#	`function()`		a function that a document names
#	[text](file#section)	a link in a document
#
# And docs/design.md describes each folder of sources, in the order of layers.sh.
#
# Comments of C and of scripts, the documents, and btfenc-report(5), which cites sections by number, are
# searched. A citation must be on one line.

. "${0%/*}/lib/testlib.sh"
. "$SRCDIR/tests/lib/comments.sh"

need awk grep sed
work=$SCRATCH
cd "$SRCDIR" || exit 1

broken()
{
	echo "citations.sh: $*" >&2
	: >"$work/broken"
}

# at_least NR FILE WHAT: a search that finds nothing must not pass
at_least()
{
	found=$(wc -l <"$work/$2")
	[ "$found" -ge "$1" ] || broken "only $found $3 were found, at least $1 are expected"
}

# Folders of builds may lie in the source folder: only these are searched.
FOLDERS="base btf check dedup show loader encoder cmd docs man tests contrib .ci .github"
for folder in $FOLDERS; do
	[ -d "$folder" ] || broken "there is no folder '$folder'"
done
find $FOLDERS -type f >"$work/files"
find . -maxdepth 1 -type f | sed 's,^\./,,' >>"$work/files"
sed 's,.*/,,' "$work/files" | sort -u >"$work/names"
sort -u "$work/files" -o "$work/files"

comments_of_c $(grep '\.[ch]$' "$work/files") >"$work/comments"
grep -nE '#' $(grep -E '\.(sh|inc|py)$|CMakeLists\.txt$' "$work/files") /dev/null |
	sed -nE 's/^([^:]*:[0-9]*:)[^#]*#/\1/p' >>"$work/comments"
grep -n '' $(grep -E '\.md$|quirks\.txt$|known\.txt$' "$work/files") /dev/null >"$work/documents"

# --- sections of documents ----------------------------------------------------------

# has_section FILE NUMBER
has_section()
{
	grep -qE "^#+ $(echo "$2" | sed 's/\./\\./g')\.? " "$1"
}

# Lines "WHERE FILE NUMBER", one for each section that is cited.
{
	grep -hoE '^[^:]*:[0-9]*:|docs/[A-Za-z0-9_./-]+\.md [0-9]+(\.[0-9]+)?(, [0-9]+(\.[0-9]+)?)*' \
		"$work/comments" "$work/documents" |
		awk '/:$/ { where = $0; next }
		     { for (i = 2; i <= NF; i++) { sub(/,$/, "", $i); print where, $1, $i } }'
	# a document may leave out the folder: spec/dedup.md 3.7, dedup.md 3.7
	grep '^docs/' "$work/documents" |
		grep -oE '^[^:]*:[0-9]*:|(^|[^/])(spec/)?\<(encoding|dedup)\.md [0-9]+(\.[0-9]+)?' |
		awk '/:$/ { where = $0; next } { sub(/.*(encoding|dedup)/, "&"); sub(/^[^a-z]*(spec\/)?/, "");
			print where, "docs/spec/" $1, $2 }'
	sed -n '/^\.Sh RULES/,/^\.Sh EXAMPLES/{=;p}' man/btfenc-report.5 |
		awk '/^[0-9]+$/ { line = $0; next }
		     /^\.Pq|; [0-9]+\.[0-9]/ {
			for (i = 1; i <= NF; i++) {
				sub(/,$/, "", $i)
				if ($i ~ /^[0-9]+\.[0-9]+$/)
					print "man/btfenc-report.5:" line ":", "docs/spec/encoding.md", $i
			}
		     }'
} >"$work/sections"
at_least 75 sections "citations of sections"
while read -r where file section; do
	if [ ! -f "$file" ]; then
		broken "$where there is no $file"
	elif ! has_section "$file" "$section"; then
		broken "$where $file has no section $section"
	fi
done <"$work/sections"

# "(8.7)" is a section of the document that the same file cited last.
grep -E '^[^:]*\.[ch]:' "$work/comments" |
	grep -oE '^[^:]*:[0-9]*:|\([0-9]{1,2}\.[0-9]{1,2}\)|docs/spec/[a-z]+\.md|\<[Ss]pec ([a-z-]+ )?[0-9]+\.[0-9]+' |
	awk '/:$/ { where = $0; split(where, w, ":"); if (w[1] != file) { file = w[1]; document = "none" }; next }
	     /^docs/ { document = $0; next }
	     { gsub(/[()]/, ""); print where, document, $0 }' >"$work/bare"
while read -r where document section; do
	if [ "$document" = none ] || [ "${section#[Ss]pec}" != "$section" ]; then
		broken "$where '$section' does not name its document"
	elif ! has_section "$document" "$section"; then
		broken "$where $document has no section $section"
	fi
done <"$work/bare"

# --- quirks -------------------------------------------------------------------------

grep -hoE '^[^:]*:[0-9]*:|\<Q[0-9]+\>' "$work/comments" "$work/documents" |
	awk '/:$/ { where = $0; next } { print where, $1 }' >"$work/quirks"
grep -nE '^\.Pq.*\<Q[0-9]+' man/btfenc-report.5 |
	sed -nE 's/^([0-9]+):.*(Q[0-9]+).*/man\/btfenc-report.5:\1: \2/p' >>"$work/quirks"
at_least 70 quirks "citations of quirks"
while read -r where quirk; do
	grep -q "^$quirk " tests/diff/quirks.txt ||
		broken "$where tests/diff/quirks.txt has no $quirk"
done <"$work/quirks"

# --- files --------------------------------------------------------------------------

# Files of Linux, pahole, libbpf, elfutils, gcc and of the system, and files of examples.
external()
{
	case $1 in
	arch/* | fs/* | gcc/* | include/* | init/* | kernel/* | lib/bpf/* | libdwfl/* | linux/* | scripts/* | sys/*) ;;
	btf_encoder.c | btf_relocate.c | dwarf_loader.c | dwarves.c | pahole.c | elf_symtab.c | btfout.cc) ;;
	dir/* | test.sh | elf.h | dwarf.h | btf.[ch] | libbpf.h | std*.h | fcntl.h | pthread.h | vmlinux.h | net.c | tty.c | bus.c | [a-z].[ch] | [a-z][0-9].c) ;;
	*[A-Z][A-Z]*) ;; # stands for a name
	*) return 1 ;;
	esac
}

file='[A-Za-z0-9_*][A-Za-z0-9_.*/-]*\.(c|h|sh|inc|md|txt|py)\>'
path="(${FOLDERS# })/[A-Za-z0-9_.*/-]*[A-Za-z0-9_*]"
path=$(echo "$path" | sed 's/ /|/g; s/\.\(ci\|github\)/\\.\1/g')
{
	# not in tests, whose comments name the files of their examples
	grep -E '^[^:]*\.[ch]:' "$work/comments" | grep -v '^tests/' |
		grep -oE "^[^:]*:[0-9]*:|(^|[^A-Za-z0-9_./<*-])$file"
	grep -E '^[^:]*\.md:' "$work/documents" | grep -oE "^[^:]*:[0-9]*:|\`$file\`" | tr -d '\140'
	grep -oE "^[^:]*:[0-9]*:|(^|[^A-Za-z0-9_./\$\"}-])$path" "$work/comments"
} | sed -E '/^[^:]*:[0-9]*:$/!s/^[^A-Za-z0-9_.*]//' |
	awk '/:$/ { where = $0; next } { print where, $1 }' | sort -u >"$work/cited"
at_least 300 cited "citations of files"
set +f
while read -r where file; do
	case $file in
	*/*)
		# a path may begin in tests/, in the folder that has it, and leave out .sh or .c
		for try in $file tests/$file ${where%/*}/$file $file.* tests/$file.*; do
			[ -e "$try" ] && continue 2
		done
		external "$file" || broken "$where there is no $file"
		;;
	*)
		pattern=$(echo "$file" | sed 's/\./\\./g; s/\*/.*/g')
		grep -qx -e "$pattern" "$work/names" || external "$file" ||
			broken "$where there is no file called $file"
		;;
	esac
done <"$work/cited"

# --- functions ------------------------------------------------------------------------

# Functions of btfenc that the documents name. Those of other projects are in docs/spec/.
grep -E '^(CONTRIBUTING|docs/[a-z]+)\.md:' "$work/documents" |
	grep -oE '^[^:]*:[0-9]*:|`[a-zA-Z_][a-zA-Z0-9_]*\(\)`' | tr -d '\140()' |
	awk '/:$/ { where = $0; next } { print where, $1 }' >"$work/functions"
at_least 5 functions "functions in documents"
while read -r where function; do
	case $function in
	thing_* | elf_update) continue ;;
	esac
	grep -rqw --include='*.[ch]' -e "$function" base btf check dedup show loader encoder cmd ||
		broken "$where there is no function $function()"
done <"$work/functions"

# --- links of documents ---------------------------------------------------------------

# The anchor that GitHub gives a heading.
anchors()
{
	sed -nE 's/^#+ +//p' "$1" | tr 'A-Z' 'a-z' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

grep -hoE '^[^:]*:[0-9]*:|\]\([^) ]+\)' "$work/documents" |
	awk '/:$/ { where = $0; next } { print where, substr($0, 3, length($0) - 3) }' >"$work/links"
at_least 60 links "links"
while read -r where link; do
	case $link in
	http*:*) continue ;;
	esac
	from=${where%%:*}
	to=${link%%#*}
	case $from in
	*/*) folder=${from%/*} ;;
	*) folder=. ;;
	esac
	[ -n "$to" ] && to=$folder/$to || to=$from
	case $link in
	../../actions/*) continue ;; # of the project's page, not of a file
	esac
	if [ ! -e "$to" ]; then
		broken "$where there is no $to"
	elif [ "$link" != "${link#*#}" ]; then
		anchors "$to" | grep -qxF -e "${link#*#}" ||
			broken "$where $to has no heading '#${link#*#}'"
	fi
done <"$work/links"

# --- folders ----------------------------------------------------------------------------

# The table has the order of the list in layers.sh, which has all folders.
sed -n "/^folders=/,/'\$/p" tests/layers.sh | sed "s/folders=//; s/'//g" | tr -s ' \t' '\n' | grep . >"$work/folders"
at_least 20 folders "folders of layers.sh"
sed -nE 's,^\| `([a-z_/]+)/` \|.*,\1,p' docs/design.md >"$work/described"
diff "$work/folders" "$work/described" | grep '^[<>]' | while read -r side folder; do
	broken "docs/design.md describes $folder/ $([ "$side" = '<' ] && echo 'not, or elsewhere' ||
		echo 'where layers.sh does not have it')"
done

# --- terms ------------------------------------------------------------------------------

# Each term of the glossary is used where the glossary says that it belongs.
sed -nE 's/^\| ([A-Za-z_, -]+) \| .* \| `([^`]*)` \|$/\2 \1/p' docs/glossary.md >"$work/terms"
at_least 20 terms "terms of the glossary"
while read -r where terms; do
	echo "$terms" | sed 's/, /\n/g' | while read -r term; do
		# a comment has the words, a name of C joins them
		grep -rqi -e "$(echo "$term" | sed 's/ /[ _]/g')" "$where" ||
			broken "'$term' of docs/glossary.md is not in $where"
	done
done <"$work/terms"

[ ! -e "$work/broken" ]
