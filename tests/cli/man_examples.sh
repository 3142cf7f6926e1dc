#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# man_examples.sh - the examples of the manual pages run as they are printed
#
# An example is a .Dl line, or a line of a .Bd block that begins with "$ ", with the lines that continue it. mandoc must print a .Dl line as
# this test runs it. The test makes the files that the examples name. It reports the examples whose tools are not installed.

. "${0%/*}/../lib/testlib.sh"

need gcc make mandoc

# --- what the examples name ----------------------------------------------------------------

cat >vmlinux.c <<'END'
struct completion { int done; long wait; };
struct task_struct { int pid; long state; struct completion *vfork_done; struct { long vruntime; } se; };
int vfs_read(struct completion *file) { return file->done; }
struct core_state { struct completion startup; } core_state;
struct task_struct init_task;
static inline __attribute__((always_inline)) int fdget(unsigned int fd) { return fd + init_task.pid; }
int fdget_pos(unsigned int fd) { return fdget(fd); }
int acpi_power_off(struct task_struct *task) { return task->pid; }
int main(void) { return 0; }
END
gcc -g vmlinux.c -o vmlinux || fail "gcc failed"
cp vmlinux vmlinux.old
btfenc --btf_encode_detached=pahole.btf --btf_features=default vmlinux || fail "cannot encode vmlinux"
btfenc --btf_vars_detached=vars.btf --btf_report=report -J vmlinux || fail "cannot encode vmlinux"
btfenc -J --btf_features=default vmlinux.old || fail "cannot encode vmlinux.old"
for module in ext4 fuse; do
	gcc_c $module.ko <<END
struct task_struct { int pid; long state; };
struct $module { char type; long padded; struct task_struct *task; };
int ${module}_open(struct $module *m) { return m->type; }
END
done
printf '%s\n' ext4.ko fuse.ko >modules
cp ext4.ko fork.o
gcc_c a.o <fuse.ko.c
cp a.o a.plain
cp "$SRCDIR"/docs/example/*.[ch] .
printf 'a.o: a.c\n\t$(CC) $(CFLAGS) -c a.c\n' >Makefile
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(example C)
add_library(example STATIC a.c)
END
export CCACHE_DIR="$SCRATCH/ccache" DISTCC_DIR="$SCRATCH/distcc" DISTCC_HOSTS=localhost

# --- the examples --------------------------------------------------------------------------

# Remove the escapes of roff.
plain()
{
	sed 's/\\-/-/g; s/\\&//g'
}

# Print each command of the page $1 on a line.
commands()
{
	awk '
		/^\.Bd/ { block = 1 }
		/^\.Ed/ { block = 0 }
		/^\.Dl / { print substr($0, 5); next }
		!block { next }
		more { sub(/^ */, ""); text = text $0 }
		!more && /^\$ / { text = substr($0, 3); more = 1 }
		more && sub(/\\e$/, "", text) { next }
		more && text ~ /&&$/ { text = text " "; next }
		more { print text; more = 0 }' "$1" | plain
}

# The first word of a command that is not installed, or nothing
missing_tool()
{
	for word in $1; do
		case $word in
		pahole) [ "$(pahole --numeric_version 2>&1 || echo 0)" -ge 132 ] 2>/dev/null || echo "pahole 1.32" ;;
		bpftool | ccache | cmake | distcc | jq | make | sign-file | zstd) command -v "$word" >/dev/null || echo "$word" ;;
		esac
	done | head -n 1
}

nr=0
: >variables
for page in "$SRCDIR"/man/*.[0-9]; do
	mandoc -T utf8 -O width=1000 "$page" | sed 's/.\x08//g' | tr -s ' ' >printed
	sed -n 's/^\.Dl //p' "$page" | plain >displays
	while IFS= read -r line; do
		grep -q -F -e "$line" printed || fail "mandoc does not print: $line"
	done <displays
	commands "$page" >commands
	while IFS= read -r command; do
		case $command in
		'btfenc: '* | 'struct '* | 0xfff*) continue ;; # what btfenc prints
		esac
		tool=$(missing_tool "$command")
		if [ -n "$tool" ]; then
			echo "no $tool: not run: $command"
			continue
		fi
		case $command in
		*--inline_sites*)
			btfenc -J --btf_features=default --btf_inline_detached=sites.btf vmlinux || fail "cannot encode vmlinux"
			;;
		[A-Z]=* | 'export '*)
			echo "$command" >>variables
			continue
			;;
		'cat /usr/local/bin/btf-cc')
			printf '#!/bin/sh\nexec btfenc --btf_features=default --launch --strip_dwarf -- "$@"\n' >bin/btf-cc
			chmod +x bin/btf-cc
			continue
			;;
		'btfenc -C task_struct')
			[ -e /sys/kernel/btf/vmlinux ] || continue
			;;
		esac
		{
			cat variables
			printf '%s\n' "$command"
		} >script
		cp a.plain a.o # an example before may have dropped its DWARF
		run sh -e script </dev/null
		[ "$STATUS" = 0 ] || {
			show
			fail "the example of ${page##*/} fails: $command"
		}
		nr=$((nr + 1))
	done <commands
done
[ $nr -ge 12 ] || fail "only $nr examples were found"
echo "$nr examples"
