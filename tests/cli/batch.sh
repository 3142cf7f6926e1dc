#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# with a base, each of several files is encoded by itself, as one run each would do it

. "${0%/*}/../lib/testlib.sh"

need readelf objcopy ln

gcc_c base.o <<\END
struct list { struct list *next, *prev; };
struct device { struct list entry; const char *name; int (*probe)(struct device *dev); };
struct opaque;
typedef unsigned int u32;
enum state { OFF, ON };
int device_register(struct device *dev) { return dev->name != 0; }
struct opaque *registered;
enum state power;
u32 count;
END
run_ok btfenc --btf_encode_detached=base.btf --btf_features=default,global_var base.o

# Modules that share types with the base and among each other, and have some of their own.
for i in 1 2 3 4 5 6 7; do
	gcc_c m$i.ko <<-END
		struct list { struct list *next, *prev; };
		struct device { struct list entry; const char *name; int (*probe)(struct device *dev); };
		struct opaque { int of_module[$i]; };
		typedef unsigned int u32;
		enum state { OFF, ON };
		struct mine { struct device dev; struct opaque *o; u32 used[$i]; enum state s; };
		int probe$i(struct device *dev) { return ((struct mine *)dev)->used[0]; }
		struct mine mine$i = { .dev = { .probe = probe$i } };
	END
done
echo 'int no_types_here;' | gcc -g0 -x c -c -o bare.ko - || fail "gcc -g0 failed"
head -c 1000 m3.ko >cut.ko
mkdir fresh
cp ./*.ko fresh

# expect_bare_only FOLDER: the only message is a warning that bare.ko has no debug information
expect_bare_only()
{
	expect_no_stdout
	warning="btfenc: warning: '$1/bare.ko' has no debug information: nothing to encode"
	[ ! -s out/stderr ] || echo "$warning" | expect_stderr
}

# as_one_by_one OPTION...: what one run for each file gives
as_one_by_one()
{
	rm -rf one && mkdir one && cp fresh/m*.ko fresh/bare.ko one
	for file in one/*.ko; do
		run_ok btfenc -J --btf_features=default --btf_base=base.btf "$@" "$file"
		expect_bare_only one
	done
}

# expect_all_done: the files in "all" are those of "one"
expect_all_done()
{
	for file in one/*.ko; do
		cmp "$file" "all/${file#one/}" || fail "${file#one/} is not what a run of its own makes of it"
	done
}

# --- the same bytes, whoever does it ------------------------------------------------------

for more in '' --btf_features=+distilled_base --strip_dwarf --btf_features=+global_var; do
	as_one_by_one $more
	for jobs in 1 2 8 16; do
		rm -rf all && mkdir all && cp fresh/m*.ko fresh/bare.ko all
		run_ok btfenc -j$jobs -J --btf_features=default --btf_base=base.btf $more all/*.ko
		expect_bare_only all
		[ -s out/stderr ] || fail "no warning that bare.ko has no debug information"
		expect_all_done
	done
done
has_section all/m1.ko .BTF || fail "m1.ko has no BTF"
has_section all/bare.ko .BTF && fail "BTF was made of nothing"

# few files take another way into the base than many, and names may come from a list
as_one_by_one
rm -rf all && cp -r fresh all && rm all/cut.ko
run_ok btfenc -J --btf_features=default --btf_base=base.btf all/m1.ko all/m2.ko
ls all/m[3-7].ko >list
run_ok btfenc -J --btf_features=default --btf_base=base.btf @list all/bare.ko
expect_all_done

# the base may be an ELF file, too
cp base.o base.elf
run btfenc -J --btf_features=default,global_var base.elf
rm -rf all && cp -r fresh all && rm all/cut.ko
run_ok btfenc -j3 -J --btf_features=default --btf_base=base.elf all/*.ko
expect_all_done

# --- one that fails harms nobody ------------------------------------------------------------

for jobs in 1 16; do
	rm -rf all && cp -r fresh all
	run_status 1 btfenc -j$jobs -J --btf_features=default --btf_base=base.btf \
		all/none.ko all/m1.ko all/m2.ko all/cut.ko all/m3.ko all/m4.ko all/m5.ko \
		all/m6.ko list all/m7.ko all/bare.ko
	expect_no_stdout
	sed 's/\(no\.ko\|none\.ko\|bare\.ko\|cut\.ko\|list\)'\''.*/\1/' out/stderr >said
	cat >expected <<-\END
		btfenc: error: 'all/none.ko
		btfenc: error: 'all/cut.ko
		btfenc: error: 'list
		btfenc: warning: 'all/bare.ko
		btfenc: error: 3 of 11 files failed, the others are done
	END
	diff -u expected said || fail "not every failing file is named, or not in its turn"
	cmp fresh/cut.ko all/cut.ko || fail "the file that failed was changed"
	[ ! -e all/none.ko ] || fail "a file came from nowhere"
	expect_all_done
	[ $jobs = 1 ] && cp out/stderr alone
	cmp alone out/stderr || fail "with -j$jobs it says something else"
done

# what is said of a file stands behind its name
rm -rf all && cp -r fresh all
run_ok btfenc -V -j8 -J --btf_features=default --btf_base=base.btf all/m1.ko all/bare.ko all/m2.ko all/m3.ko
expect_stdout <<\END
'all/m1.ko':
'all/bare.ko':
'all/m2.ko':
'all/m3.ko':
END
expect_stderr <<\END
btfenc: warning: 'all/bare.ko' has no debug information: nothing to encode
END

# no report, no BTF
rm -rf all && cp -r fresh all
run_status 1 btfenc -j8 -J --btf_features=default --btf_base=base.btf --btf_report=no/folder all/m*.ko
expect_in stderr "^btfenc: error: 'no/folder': "
for file in all/*; do
	cmp "$file" "fresh/${file#all/}" || fail "$file was changed, and the report is not there"
done
run_status 1 btfenc -j8 -J --btf_features=default --btf_base=base.btf --btf_report=report all/cut.ko all/m1.ko
[ "$(grep -c '"schema"' report)" = 2 ] || fail "not both files are in the report: $(cat report)"

# --- what it cannot be asked ----------------------------------------------------------------

rm -rf all && cp -r fresh all && ln all/m1.ko all/other.ko
run btfenc --btf_encode_detached=out.btf --btf_base=base.btf all/m1.ko all/m2.ko
expect_usage_error "'--btf_base' encodes each of 2 files by itself: '--btf_encode_detached' is one output"
[ ! -e out.btf ] || fail "something was written"
run_status 64 btfenc -J --btf_base=base.btf all/m1.ko all/m2.ko all/other.ko
expect_in stderr 'are the same file'
usage_error "'./all/m2.ko' is the base itself" -J --btf_base=all/m2.ko all/m1.ko ./all/m2.ko
cp base.elf all/base.ko
usage_error "'./base.elf' is the base itself" -J --btf_base=base.elf all/m1.ko ./base.elf
for file in all/m*.ko; do
	cmp "$file" "fresh/${file#all/}" || fail "$file was changed"
done

# a base that is none is told once, and before anything happens
head -c 500 base.btf >half.btf
run_status 1 btfenc -J --btf_base=half.btf all/m1.ko all/m2.ko
expect_in stderr "^btfenc: error: 'half.btf': "
[ "$(wc -l <out/stderr)" = 1 ] || fail "more than one line about the base"
run_ok btfenc --btf_encode_detached=split.btf --btf_base=base.btf all/m1.ko
run_status 1 btfenc -J --btf_base=split.btf all/m1.ko all/m2.ko
expect_in stderr "^btfenc: error: 'split.btf': .*is it split, over a base?"

# --- and without a base several files are still one program ----------------------------------

run_ok btfenc -J --btf_features=default all/m1.ko all/m2.ko
has_section all/m1.ko .BTF || fail "the first file has no BTF"
has_section all/m2.ko .BTF && fail "the second file has BTF of its own"
exit 0
