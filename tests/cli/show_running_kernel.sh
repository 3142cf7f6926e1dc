#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# without a file, types of the running kernel are printed; an argument that is no file names types

. "${0%/*}/../lib/testlib.sh"

gcc_c kernel.o <<\END
struct list_head { struct list_head *next, *prev; };
struct task { struct list_head tasks; int pid; };
struct task t;
END
btfenc --btf_encode_detached=kernel.btf kernel.o || fail "cannot encode"
btfenc -F btf -C list_head kernel.btf >expected || fail "-C fails"
btfenc -F btf -C list_head,task kernel.btf >expected.both || fail "-C fails"
btfenc -F btf -i list_head kernel.btf >expected.containers || fail "-i fails"

PAHOLE_VMLINUX_BTF_FILENAME=$PWD/kernel.btf
export PAHOLE_VMLINUX_BTF_FILENAME

# same EXPECTED ARGUMENT...
same()
{
	expected=$1
	shift
	run_ok btfenc "$@"
	expect_no_stderr
	cmp "$expected" out/stdout || fail "btfenc $*: $(cat out/stdout)"
}
same expected list_head
same expected -C list_head
same expected 'struct list_head'
same expected -F btf list_head
same expected.both list_head,task
same expected.containers -i list_head
printf 'list_head\ntask\n' >names
same expected.both file://names
# with a file, the kernel is not read
echo 'struct own { int a; }; struct own o;' | gcc_c own.o
btfenc -C own own.o >expected.own || fail "-C fails"
same expected.own own own.o
error "'list_head' is neither a file nor a type" list_head own.o

table error <<\END
nobody | 'nobody' is neither a file nor a type of the running kernel
-C nobody | type 'nobody' not found
# not a type's name
nowhere.o | 'nowhere.o': No such file or directory
list_head nowhere.o | 'nowhere.o': No such file or directory
END
run_status 1 btfenc own.o list_head
expect_stderr <<\END
btfenc: error: 'list_head': no such file; did you mean '-C list_head'?
END
table usage_error <<\END
| no input file
-F dwarf list_head | '-F dwarf' is for a file, and none is given: a running kernel has only BTF
--btf_base=kernel.btf list_head | '--btf_base' is for a file, and none is given
END

# a kernel without BTF
PAHOLE_VMLINUX_BTF_FILENAME=$PWD/missing
error "'list_head' is not a file: the running kernel has no BTF: '$PWD/missing': No such file or directory" list_head
error "no file is given: the running kernel has no BTF: '$PWD/missing': No such file or directory" -C list_head
unset PAHOLE_VMLINUX_BTF_FILENAME

# the one that runs
if [ -r /sys/kernel/btf/vmlinux ]; then
	run_ok btfenc list_head
	expect_in stdout '^struct list_head {$'
fi
exit 0
