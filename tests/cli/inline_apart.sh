#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the sites of inlined functions apart: the BTF is as without them, and with them apart in a section, in a file, or together
# with separate variables, there are the same sites

. "${0%/*}/../lib/testlib.sh"

need gcc cmp

cat >a.c <<\END
struct shared { int x; struct shared *next; };
static inline __attribute__((always_inline)) int sum(struct shared *s, int more) { return s->x + more; }
int variable = 1;
int f(struct shared *s) { return sum(s, 3) + sum(s->next, variable); }
int main(void) { struct shared s = { 1, &s }; return f(&s); }
END
gcc -g -O2 -o program a.c && gcc -g -O2 -c a.c || fail "gcc failed"
features=--btf_features=default
for i in 1 2; do
	cp a.o m$i.ko
done
run_ok btfenc --btf_encode_detached=base.btf $features --lang_exclude=asm a.o
base=--btf_base=base.btf

# --- the main BTF has its bytes, however many threads there are, and whatever else is apart
run_ok btfenc --btf_encode_detached=none.btf $features program
run_silent btfenc --btf_encode_detached=core.btf --btf_inline_detached=sites.btf $features program
cmp none.btf core.btf || fail "the BTF has changed"
for more in -j8 ,inline ,inline.extra; do
	case $more in ,*) list=$features$more more= ;; *) list=$features ;; esac
	run_silent btfenc --btf_encode_detached=core2.btf --btf_inline_detached=sites2.btf $list $more program
	cmp core.btf core2.btf && cmp sites.btf sites2.btf || fail "$more makes a difference"
done
# separate variables and sites have their strings in common
run_silent btfenc --btf_encode_detached=core2.btf --btf_inline_detached=sites2.btf --btf_vars_detached=vars.btf $features program
cmp core.btf core2.btf || fail "with separate variables, too, the BTF has changed"
run_silent btfenc --btf_check=7.4 --btf_base=core.btf sites2.btf vars.btf
run_ok btfenc --inline_sites program,core.btf,sites.btf
cp out/stdout lines
run_ok btfenc --inline_sites program,core.btf,sites2.btf
cmp lines out/stdout || fail "with separate variables, there are other sites"
run_silent btfenc --btf_check=7.4 --btf_base=core.btf sites.btf

# --- in place
cp program inside && cp program beside
run_silent btfenc -J $features,inline.extra,global_var.extra inside
section inside .BTF inside.btf
section inside .BTF.inline inside.sites
cmp core.btf inside.btf && cmp sites2.btf inside.sites || fail "other bytes in sections"
run_ok btfenc --inline_sites inside
cmp lines out/stdout || fail "beside .BTF.extra are other sites"
run_silent btfenc -J --btf_inline_detached=beside.btf $features beside
cmp sites.btf beside.btf || fail "in place, other sites"
has_section beside .BTF.inline && fail "the sites are also in the file"
cp inside before
run_silent btfenc -J $features,inline.extra,global_var.extra -F dwarf inside
cmp before inside || fail "the second run changes the file"
run_ok btfenc -J $features -F dwarf inside
has_section inside .BTF.inline && fail "what stood on the old BTF is still there"

# --- standard output, modules
btfenc --btf_encode_detached=core2.btf --btf_inline_detached=- $features program >sites2.btf || fail "not to standard output"
cmp sites.btf sites2.btf || fail "other bytes on standard output"
run_ok btfenc -J -j2 $base $features,inline.extra m1.ko m2.ko
cmp m1.ko m2.ko || fail "equal modules differ"
has_section m1.ko .BTF.inline || fail "a module has no sites"

# --- all or nothing
cp program before
error "'/no/such/folder/x': cannot open its folder: No such file or directory" -J --btf_inline_detached=/no/such/folder/x $features program
echo old >core2.btf
echo old >vars2.btf
error "'out': cannot write: Is a directory" --btf_encode_detached=core2.btf --btf_vars_detached=vars2.btf --btf_inline_detached=out $features program
[ "$(cat core2.btf vars2.btf)" = "$(printf 'old\nold')" ] || fail "one of three outputs was written"
cp core.btf raw.btf

# --- what makes no sense
table usage_error <<END
-J --btf_inline_detached=./program $features program | './program': the output would replace the input; '-J' puts BTF into its file
-J --btf_inline_detached=./base.btf $base $features m1.ko | './base.btf': the output would replace the input; '-J' puts BTF into its file
--btf_encode_detached=c --btf_inline_detached=c $features program | 'c': the sites cannot go where the BTF goes
-J --btf_inline_detached=r --btf_report=r $features program | 'r': the report cannot go there
-J --btf_vars_detached=- --btf_inline_detached=- $features program | '--btf_vars_detached=-': '--btf_inline_detached=-' prints to standard output, too
--btf_inline_detached=s $features program | no output: give '-J' to put BTF into 'program', or '--btf_encode_detached=OUT'
--btf_inline_detached= $features program | option '--btf_inline_detached' needs a file name
--btf_encode_detached=c $features,inline.extra program | '--btf_features=inline.extra' and '--btf_encode_detached' cannot be combined: give '--btf_inline_detached=SITES'
-J --btf_archive=a --btf_inline_detached=s $features a.o | '--btf_inline_detached' and '--btf_archive' cannot be combined: separate the sites when the archive is combined
-J --btf_archive=a $features,inline.extra a.o | '--btf_features=inline.extra' and '--btf_archive' cannot be combined: separate the sites when the archive is combined
-J --btf_inline_detached=s $base $features,distilled_base m1.ko | '--btf_inline_detached' and '--btf_features=distilled_base' cannot be combined: split BTF cannot have a base that has a distilled base
-J $base $features,distilled_base,inline.extra m1.ko | '--btf_features=inline.extra' and '--btf_features=distilled_base' cannot be combined: split BTF cannot have a base that has a distilled base
-J --btf_inline_detached=s $base $features m1.ko m2.ko | '--btf_base' encodes each of 2 files by itself: '--btf_inline_detached' is one output
--launch --btf_inline_detached=s -- gcc -c a.c | '--launch' and '--btf_inline_detached' cannot be combined
-F btf -J $features,inline raw.btf | --btf_features=inline: 'raw.btf' has no sections, so it has no sites
-F btf -J --btf_inline_detached=s $features raw.btf | --btf_features=inline: 'raw.btf' has no sections, so it has no sites
END
for out in c s r; do
	[ -e $out ] && fail "'$out' was written"
done
cmp before program || fail "the target was changed"

# --- levels of pahole do not know the features
for level in 1.31 1.32; do
	run_status 1 btfenc --btf_encode_detached=o.btf --compat=$level --btf_features_strict=default,inline program
	expect_in stderr "feature 'inline' is unknown"
	run_ok btfenc --btf_encode_detached=o.btf --compat=$level $features,inline program
	expect_in stderr "^btfenc: warning: feature 'inline' is unknown and has no effect"
done
exit 0
