#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --explain prints declarations, asks the BTF that the file has, takes patterns, states the features, and prints JSON

. "${0%/*}/../lib/testlib.sh"

need gcc ld objcopy

gcc_c one.o -O1 <<\END
struct task { int pid; };
struct task_list { struct task *first; } *lists;
struct task first_task __attribute__((section(".data..percpu"))) = { 1 };
static __attribute__((noinline)) int task_twice(int a) { volatile int v = a; return v; }
int task_pid(const struct task *t, void (*done)(int)) { if (done) done(1); return task_twice(t->pid); }
END
gcc_c two.o -O1 <<\END
static __attribute__((noinline)) int task_twice(long a) { volatile int v = a; return v; }
int other(void) { return task_twice(1); }
END
ld -Ttext=0x1000 -e task_pid -o both one.o two.o 2>/dev/null || fail "ld failed"

# no BTF in the file: nothing about it
run_ok btfenc --btf_features=default --explain=task_pid both
expect_stdout <<\END
both: 'task_pid'
  in the generated BTF: FUNC: int task_pid(const struct task *t, void (*done)(int))
END

# the BTF of another encoder has other functions and types
cp both foreign
echo 'struct task { int pid, more; }; int task_twice(int a) { return a; } struct task t;' | gcc_c foreign.o
btfenc --btf_encode_detached=foreign.btf foreign.o || fail "cannot encode"
objcopy --add-section .BTF=foreign.btf foreign || fail "objcopy failed"
run_ok btfenc --btf_features=default --explain=task_pid,task_twice,task,pid foreign
sed 's/0x[0-9a-f]*/ADDRESS/; s/\[[0-9]*\]/[ID]/' out/stdout >told
cat >expected <<\END
foreign: 'task_pid'
  in the generated BTF: FUNC: int task_pid(const struct task *t, void (*done)(int))
  not in the BTF of the file
foreign: 'task_twice'
  in the BTF of the file: FUNC [ID]: int task_twice(int a)
  func_ambiguous_address: left out: the symbol table has it, or a copy of it, at more than one address
    and by func_inconsistent_prototype: units do not agree on its prototype
    in one.c at ADDRESS and 1 more unit
    one.c at ADDRESS: int (int a)
    two.c at ADDRESS: int (long int a)
foreign: 'task'
  in the generated BTF: STRUCT
  in the BTF of the file: STRUCT [ID]
foreign: 'pid'
  in the generated BTF: a member of STRUCT 'task'
END
cmp expected told || fail "other answers: $(cat told)"
# a name that only the BTF of the file has exists
echo 'struct only { int a; } o;' | gcc_c only.o
btfenc --btf_encode_detached=only.btf only.o || fail "cannot encode"
cp both with_only
objcopy --add-section .BTF=only.btf with_only || fail "objcopy failed"
run_ok btfenc --btf_features=default --explain=only with_only
expect_in stdout '^  in the BTF of the file: STRUCT \[[0-9]*\]$'
# damaged BTF beside DWARF is none
echo damaged >damaged.btf
cp both damaged
objcopy --add-section .BTF=damaged.btf damaged || fail "objcopy failed"
run_ok btfenc --btf_features=default --explain=task damaged
expect_in stderr "is damaged: generated again from debug information"
expect_stdout <<\END
damaged: 'task'
  in the generated BTF: STRUCT
END

# a variable, with its section; a run that writes the BTF has only that
run_ok btfenc --btf_features=default,global_var --explain=first_task -J one.o
expect_in stdout '^  in the generated BTF: VAR \[[0-9]*\]: struct task first_task in .data..percpu$'
grep -q 'in the BTF of the file' out/stdout && fail "it looks into BTF that it replaces"

# patterns stand for types, functions, variables, and what is left out
run_ok btfenc --btf_features=default --explain='task_*,struct t*' both
grep '^both' out/stdout >told
cat >expected <<\END
both: 'task_list'
both: 'task_pid'
both: 'task_twice'
both: 'struct task'
both: 'struct task_list'
END
sort told >told.sorted
sort expected | cmp - told.sorted || fail "other names: $(cat told)"
run btfenc --btf_features=default --explain='task_p*()' both
expect_in stdout "^both: 'task_pid()'$"
run_status 1 btfenc --btf_features=default --explain='zz*' both
expect_stdout <<\END
both: 'zz*'
  no name matches
END
expect_stderr <<\END
btfenc: error: 'zz*' not found
END

# the features, if none are given
run_ok btfenc --explain=task both
expect_in stdout "^both: this is for the features var,decl_tag,type_tag,enum64: "
run_ok btfenc -q --explain=task both
grep -q 'the features' out/stdout && fail "-q prints the features"

# JSON
run btfenc --json --btf_features=default --explain=task_pid,task_twice,pid,nothing foreign
expect_status 1
sed 's/"tool":"[^"]*"/"tool":"T"/; s/0x[0-9a-f]*/ADDRESS/g; s/"id":[0-9]*/"id":0/g' out/stdout >told
cat >expected <<\END
{"schema":"btfenc-explain","version":1,"tool":"T","inputs":["foreign"],"features":"encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func,decl_tag_kfuncs"}
{"file":"foreign","name":"task_pid","asked":"task_pid","found":true,"in_file":false,"in":[{"btf":"generated","kind":"FUNC","declaration":"int task_pid(const struct task *t, void (*done)(int))"}],"members":[],"omissions":[]}
{"file":"foreign","name":"task_twice","asked":"task_twice","found":true,"in_file":true,"in":[{"btf":"file","kind":"FUNC","id":0,"declaration":"int task_twice(int a)"}],"members":[],"omissions":[{"rule":"func_ambiguous_address","subject":"func","result":"left_out","name":"task_twice","unit":"one.c","address":"ADDRESS","units":2,"also":["func_inconsistent_prototype"],"differs":"parameter","parameter":1,"prototypes":[{"prototype":"int (int a)","unit":"one.c","address":"ADDRESS"},{"prototype":"int (long int a)","unit":"two.c","address":"ADDRESS"}]}]}
{"file":"foreign","name":"pid","asked":"pid","found":true,"in_file":true,"in":[],"members":[{"btf":"generated","kind":"STRUCT","of":"task"}],"omissions":[]}
{"file":"foreign","name":"nothing","asked":"nothing","found":false,"in_file":false,"in":[],"members":[],"omissions":[]}
{"end":true}
END
cmp expected told || fail "other JSON: $(cat told)"
run_ok btfenc --json --explain=task foreign.btf
expect_in stdout '"in":\[{"btf":"file","kind":"STRUCT","id":[0-9]*}\]'
usage_error "'--json' needs '--explain=NAME': '--btf_report' writes what was omitted as JSON" --json --explain both

# several files without a base are one program
run_ok btfenc --btf_features=default --explain=task_pid,other one.o two.o
expect_stdout <<\END
one.o and 1 more file: 'task_pid'
  in the generated BTF: FUNC: int task_pid(const struct task *t, void (*done)(int))
one.o and 1 more file: 'other'
  in the generated BTF: FUNC: int other(void)
END

# a function that is left out has its prototype
echo 'int moved(double d, int x) { return d > x; }' | gcc_c moved.o -O1
run_ok btfenc --compat=1.32 --btf_features=default --explain=moved moved.o
expect_in stdout '^  func_unexpected_register: left out: '
expect_in stdout '^    prototype: int (double d, int x)$'
run_ok btfenc --compat=1.32 --btf_features=default --json --explain=moved moved.o
expect_in stdout '"prototype":"int (double d, int x)"}\]}$'

# names in a file are printed only if they exist
printf 'secret\ntask*()\n' >names
run_status 1 btfenc --json --btf_features=default --explain=file://names both
grep -q secret out/stdout out/stderr && fail "the content of a file is printed"
expect_in stdout "^{\"file\":\"both\",\"location\":\"'names', line 1\",\"found\":false"
expect_in stdout '"name":"task_pid","asked":"task_pid()","found":true'
