#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --help goes to stdout, to the letter

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --help=all
expect_no_stderr
expect_file help.stdout
cp out/stdout all

# Without a topic it fits on a screen of 48 lines, prints examples that work, and no option that "all" does not have.
run_ok btfenc --help
cp out/stdout short
[ "$(wc -l <short)" -le 48 ] || fail "--help has $(wc -l <short) lines"
for option in -J -C -E -s; do
	grep -q "^  $option, " short || fail "--help lacks $option"
done
grep -q '^      --btf_header ' short || fail "--help lacks --btf_header"
sed -n '/^Output:/,/^$/p' short >options
! grep -vxF -f all options | grep . || fail "--help=all lacks these lines"
gcc_c vmlinux <<'END'
struct task_struct { int pid; };
int acpi_power_off(struct task_struct *task) { return task->pid; }
int main(void) { return 0; }
END
sed -n 's/^  btfenc /btfenc /p' short >examples
[ "$(wc -l <examples)" = 3 ] || fail "--help has no three examples"
while IFS= read -r example; do
	run_ok sh -c "$example"
done <examples

# -h is what users try first, -? is pahole's
for option in -h '-?' -help -Vh; do
	run_ok btfenc $option
	cmp -s out/stdout short || fail "$option prints another text than --help"
done

# A topic is a list of options only.
run_ok btfenc --help=print
[ "$(head -n 1 out/stdout)" = "Printing types:" ] || fail "--help=print begins with other text"
expect_not_in stdout '^Output:'
run btfenc --help=pictures
expect_usage_error "--help: unknown topic 'pictures'; the topics are output, features, switches, input, report, print, other, all"
