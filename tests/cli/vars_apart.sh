#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# variables apart: the BTF is as without them, they are all in what stands over it, and the two
# together are what global_var gives

. "${0%/*}/../lib/testlib.sh"

need gcc cmp bpftool objcopy readelf

# a file of two units, with variables in many sections, and their types, some of them theirs alone
cat >one.c <<\END
#define PERCPU __attribute__((section(".data..percpu")))
#if __has_attribute(btf_decl_tag)
#define TAG __attribute__((btf_decl_tag("tagged"))) __attribute__((btf_decl_tag("twice")))
#else
#define TAG
#endif
struct shared { int x; struct shared *next; };
struct only_here { long l; char *text; };
PERCPU int in_percpu = 1;
static PERCPU struct shared *both = (void *)16;
int in_data TAG = 2;
static struct only_here in_data_too = { 3, "text" };
struct { int a[7]; } in_bss;
const char in_rodata[] = "constant";
int in_section __attribute__((section("own.section"))) = 5;
struct shared *f(struct shared *s) { s->x = in_percpu + in_data + in_data_too.l + !!both; return s->next; }
END
cat >two.c <<\END
struct shared { int x; struct shared *next; };
struct shared *f(struct shared *);
static struct shared both = { 6, &both };
enum { ONE = 1, TWO } in_bss_of_two;
int main(void) { return f(&both) == &both; }
END
# per-CPU variables keep their section; gcc 12 has no tags
cat >link <<\END
SECTIONS { .data..percpu : { *(.data..percpu) } } INSERT BEFORE .data;
END
tagger=gcc
command -v clang >/dev/null 2>&1 && tagger=clang

compile()
{
	$tagger -fPIE -g -c -o one.o one.c && gcc -g -c -o two.o two.c || fail "a compiler failed"
}

compile
gcc -Wl,-T,link -o program one.o two.o || fail "the linker failed"

size()
{
	wc -c <"$1" | tr -d ' '
}

# together CORE VARS BUILT_IN: are they the same?
together()
{
	btfenc --btf_diff "$1,$2" "$3" >out/compared || { cat out/compared; fail "$1 and $2 are not $3"; }
	"$BTFCHECK" "$1" >out/checked || { cat out/checked; fail "$1 is refused"; }
	run_silent btfenc --btf_check --btf_base="$1" "$2"
}

# --- detached

features=--btf_features=default
run_ok btfenc --btf_encode_detached=none.btf $features program
run_ok btfenc --btf_encode_detached=built_in.btf $features,global_var program
run_silent btfenc --btf_encode_detached=core.btf --btf_vars_detached=vars.btf $features program
cmp none.btf core.btf || fail "the BTF has changed"
together core.btf vars.btf built_in.btf
[ $(($(size core.btf) + $(size vars.btf))) = $(($(size built_in.btf) + 24)) ] ||
	fail "apart costs more than a header"

run_ok bpftool btf dump -B core.btf file vars.btf
for name in in_data in_data_too in_bss in_rodata in_section both in_bss_of_two; do
	expect_in stdout "^\[[0-9]*\] VAR '$name' type_id=[1-9]"
done
for name in .data .bss .rodata own.section; do
	expect_in stdout "^\[[0-9]*\] DATASEC '$name' "
done
expect_not_in stdout "VAR 'in_percpu'"
expect_not_in stdout "DATASEC '.data..percpu'"
[ $tagger = gcc ] || [ "$(grep -c DECL_TAG out/stdout)" = 2 ] || fail "not two tags"
grep '^\[' out/stdout | grep -v -e ' VAR ' -e ' DATASEC ' -e ' DECL_TAG ' &&
	fail "types stand apart, too"

# asking for all variables as well makes no difference; nor do threads, nor another order
run_ok btfenc --btf_vars_detached=vars2.btf --btf_encode_detached=core2.btf -j8 \
	$features,global_var program
cmp core.btf core2.btf && cmp vars.btf vars2.btf || fail "global_var is not redundant"

# without per-CPU variables these are apart, too
run_ok btfenc --btf_encode_detached=no_vars.btf --btf_vars_detached=all_vars.btf \
	$features --skip_encoding_btf_vars program
run btfenc --btf_encode_detached=no_vars2.btf $features --skip_encoding_btf_vars program
cmp no_vars.btf no_vars2.btf || fail "the BTF has changed, without variables"
together no_vars.btf all_vars.btf built_in.btf

# --- in place, beside it or in a section of its own

cp program plain
cp program beside
cp program inside
run_ok btfenc -J $features plain
run_silent btfenc -J --btf_vars_detached=beside.btf $features beside
cmp plain beside || fail "in place, the file has changed"
cmp vars.btf beside.btf || fail "in place, other variables"

run_silent btfenc -J $features,global_var.extra inside
section inside .BTF inside.core
section inside .BTF.extra inside.extra
cmp core.btf inside.core && cmp vars.btf inside.extra || fail "other bytes in sections"
run_ok btfenc --btf_check -V inside
expect_in stdout ": .BTF.extra: .* 0 errors"
cp inside before
poke inside.extra 8 '\377'
objcopy --update-section .BTF.extra=inside.extra before damaged
run_status 1 btfenc --btf_check damaged
expect_in stdout "^damaged: error: .BTF.extra+0x"
run_ok btfenc -J $features,global_var.extra inside
cmp before inside || fail "the second run changes the file"
run_ok btfenc -J $features inside
has_section inside .BTF.extra && fail "what stood on the old BTF is still there"
cmp plain inside || fail "the run before has left a trace"

# --- an object, which also has .debug.btf

cp one.o apart.o
run_ok btfenc -J $features one.o
run_ok btfenc -J --btf_vars_detached=one.btf $features apart.o
cmp one.o apart.o || fail "the object has changed"
run_ok btfenc --btf_encode_detached=one_built_in.btf -F dwarf $features,global_var one.o
section apart.o .BTF one.core
together one.core one.btf one_built_in.btf

# --- an archive, loaded into memory, so that the BTF in its place is as long as it

compile
for i in one two; do
	run_ok btfenc -J --strip_dwarf $features,global_var $i.o
done
gcc -Wl,-T,link -o archive one.o two.o || fail "the linker failed"
run_silent btfenc --btf_encode_detached=core2.btf --btf_vars_detached=vars2.btf $features archive
cmp core.btf core2.btf && cmp vars.btf vars2.btf || fail "the archive gives other bytes"

run_ok btfenc -F btf -J --btf_vars_detached=vars2.btf $features archive
section archive .BTF core2.btf
cmp core.btf core2.btf && cmp vars.btf vars2.btf || fail "in place, the archive gives other bytes"

for i in one two; do
	objcopy --set-section-flags .BTF=alloc,readonly $i.o
done
gcc -Wl,-T,link -o loaded one.o two.o || fail "the linker failed"
section loaded .BTF loaded.archive
run_ok btfenc -J --btf_vars_detached=loaded.btf $features loaded
section loaded .BTF loaded.core
[ "$(size loaded.core)" = "$(size loaded.archive)" ] || fail "the image is shorter"
together loaded.core loaded.btf built_in.btf

# --- split BTF, alone and several

cat >module.c <<\END
struct shared { int x; struct shared *next; };
struct mine { struct shared s; };
static struct mine mine = { { 7 } };
struct shared *also = &mine.s;
int in_percpu_of_module __attribute__((section(".data..percpu"))) = 1;
END
for i in 1 2; do
	gcc -g -c -o m$i.ko module.c || fail "gcc failed"
done
base=--btf_base=core.btf
run_ok btfenc --btf_encode_detached=m.none $base $features m1.ko
run_ok btfenc --btf_encode_detached=m.built_in $base $features,global_var m1.ko
run_ok btfenc --btf_encode_detached=m.core --btf_vars_detached=m.vars $base $features m1.ko
cmp m.none m.core || fail "the module's BTF has changed"
btfenc --btf_diff $base m.core,m.vars m.built_in || fail "the module's variables are others"
run_silent btfenc -J -j2 $base $features,global_var.extra m1.ko m2.ko
for i in 1 2; do
	section m$i.ko .BTF m$i.core
	section m$i.ko .BTF.extra m$i.vars
	cmp m.core m$i.core && cmp m.vars m$i.vars || fail "m$i.ko differs among others"
done

# --- no variables: there is a file all the same, and readers take it

echo 'struct s { int x; }; int f(struct s *s) { return s->x; }' >none.c
gcc -g -c -o none.o none.c || fail "gcc failed"
run_ok btfenc --btf_encode_detached=core2.btf --btf_vars_detached=empty.btf $features none.o
[ "$(size empty.btf)" = 24 ] || fail "no variables take more than a header"
run_ok bpftool btf dump -B core2.btf file empty.btf
run_ok btfenc --btf_check --btf_base=core2.btf empty.btf

# --- all or nothing

cp program before
run btfenc -J --btf_vars_detached=/no/such/folder/x $features program
expect_error "'/no/such/folder/x': cannot open its folder: No such file or directory"
cmp before program || fail "the target was changed"
echo old >core2.btf
error "'out': cannot write: Is a directory" --btf_encode_detached=core2.btf --btf_vars_detached=out $features program
[ "$(cat core2.btf)" = old ] || fail "one of two outputs was written"
error "'out': cannot write: Is a directory" --btf_encode_detached=out --btf_vars_detached=new $features program
[ -e new ] && fail "the other output was written"
echo old >vars2.btf
run_status 1 btfenc --btf_encode_detached=/no/such/folder/x --btf_vars_detached=vars2.btf $features program
[ "$(cat vars2.btf)" = old ] || fail "the other output was replaced"
run btfenc -J --btf_vars_detached=./program $features program
expect_usage_error "'./program': the output would replace the input; '-J' puts BTF into its file"
cmp before program || fail "the target was changed"
cp core.btf before.btf
run btfenc -J --btf_vars_detached=./core.btf $base $features m1.ko
expect_usage_error "'./core.btf': the output would replace the input; '-J' puts BTF into its file"
cmp before.btf core.btf || fail "the base was changed"

# --- what makes no sense

table usage_error <<END
--btf_vars_detached=v $features program | no output: give '-J' to put BTF into 'program', or '--btf_encode_detached=OUT'
--btf_encode_detached=c $features,global_var.extra program | '--btf_features=global_var.extra' and '--btf_encode_detached' cannot be combined: give '--btf_vars_detached=VARS'
-J --btf_archive=a --btf_vars_detached=v $features one.o | '--btf_vars_detached' and '--btf_archive' cannot be combined: separate the variables when the archive is combined
-J --btf_vars_detached=v $base $features,distilled_base m1.ko | '--btf_vars_detached' and '--btf_features=distilled_base' cannot be combined: split BTF cannot have a base that has a distilled base
-J --btf_vars_detached=v $base $features m1.ko m2.ko | '--btf_base' encodes each of 2 files by itself: '--btf_vars_detached' is one output
-F btf -J $features,global_var.extra loaded.archive | --btf_features=global_var.extra: 'loaded.archive' has no sections: give '--btf_vars_detached=VARS'
END
exit 0
