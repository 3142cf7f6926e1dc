#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# readme.sh - the examples of README.md and of documents print what they show
#
# In a ```console block, a line that begins with "$ " is a command and the lines below are its output. A block that begins with
# ```LANGUAGE NAME is a file of this name. For each document, this test writes the files and runs the commands in a copy of docs/example,
# writes the document anew with the outputs that it gets, and compares the two. Addresses and type ids depend on the compiler and do not
# count. BLESS=1 replaces the document. The commands in the table of README.md must succeed; the build of a kernel is not run.

. "${0%/*}/../lib/testlib.sh"

need gcc bpftool

# run_examples: stdin: a document; stdout: the document with the outputs of its commands
run_examples()
{
	in_block='' file=''
	while IFS= read -r line; do
		case $line in
		'```'*)
			printf '%s\n' "$line"
			case $line in
			'```console') in_block='console' ;;
			'```'*' '*)
				in_block='file'
				file=${line#* }
				: >"$file"
				;;
			*) in_block='' ;;
			esac
			;;
		'$ '*)
			printf '%s\n' "$line"
			[ "$in_block" != console ] || sh -c "${line#??}" 2>&1 </dev/null
			;;
		*)
			[ "$in_block" = console ] || printf '%s\n' "$line"
			[ "$in_block" != file ] || printf '%s\n' "$line" >>"$file"
			;;
		esac
	done
}

# document FILE LEAST: FILE has LEAST commands or more, and prints what it shows
document()
{
	name=${1##*/}
	mkdir "$name.d"
	cp "$SRCDIR"/docs/example/* "$name.d" || exit 1
	(cd "$name.d" && run_examples) <"$SRCDIR/$1" >"$name.new"
	[ "$(grep -c '^\$ ' "$name.new")" -ge "$2" ] || fail "$1 has hardly any examples"
	if [ "${BLESS:-0}" = 1 ]; then
		cp "$name.new" "$SRCDIR/$1"
		return
	fi
	sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/\[[0-9]+\]$/[ID]/' "$SRCDIR/$1" >"$name.plain"
	sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/\[[0-9]+\]$/[ID]/' "$name.new" >"$name.new.plain"
	diff -u "$name.plain" "$name.new.plain" || fail "the outputs in $1 are not those of its examples"
}

# The commands of the table, for a small program and a module
table_of_commands()
{
	mkdir -p table/old table/new && cd table || exit 1
	cat >file.c <<'END'
struct task_struct { int pid; };
static inline __attribute__((always_inline)) int f(struct task_struct *task) { return task->pid; }
int pid_of(struct task_struct *task) { return f(task); }
int main(void) { return 0; }
END
	gcc -g -O1 file.c -o vmlinux && gcc -g -c file.c -o file.ko || fail "gcc failed"
	cp vmlinux app
	btfenc -J --btf_features=default vmlinux || fail "cannot encode vmlinux"
	cp vmlinux old && cp vmlinux new && echo file.ko >modules
	sed -n '/^| I want to/,/^$/s/^| [^|]* | //p' "$SRCDIR/README.md" | grep -o '`[^`]*`' | tr -d '`' | grep -v '^make ' >commands
	[ "$(wc -l <commands)" -ge 8 ] || fail "the table of README.md has hardly any commands"
	while IFS= read -r command; do
		PAHOLE_VMLINUX_BTF_FILENAME=old/vmlinux sh -c "$command" >out 2>&1 </dev/null ||
			fail "README.md: this fails: $command: $(cat out)"
	done <commands
}

(table_of_commands) || exit 1
document README.md 12
document docs/ci.md 5
if command -v make >/dev/null && command -v cmake >/dev/null; then
	document docs/per-object.md 10
fi
