#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# which of .BTF and DWARF is printed, and how much of the DWARF is read

. "${0%/*}/../lib/testlib.sh"

need gcc ld objcopy readelf dd

gcc_c one.o -std=gnu11 <<\END
enum later;
struct first { int a; enum later *later; };
struct both { int of_one; };
struct first f; struct both b;
END
gcc_c two.o -std=gnu11 <<\END
enum later { LATER };
struct both { long of_two; };
typedef struct both two_t;
struct both b2; two_t t; enum later l;
END
ld -r -o rel.o one.o two.o && ld -e 0 -o prog one.o two.o || fail "ld failed"

# printed FROM OPTION...: with the options, the struct called FROM is in the listing
printed()
{
	from=$1
	shift
	run_ok btfenc -s "$@"
	expect_no_stderr
	[ "$(cut -f 1 out/stdout | head -n 1)" = "$from" ] || fail "$*: $(cat out/stdout)"
}

# the .BTF of another program
echo 'struct other { int a; }; struct other o;' | gcc_c other.o
btfenc --btf_encode_detached=other.btf other.o || fail "cannot encode"
objcopy --add-section .BTF=other.btf prog mixed || fail "objcopy failed"
printed other mixed
printed other -F btf mixed
printed other -F btf,dwarf mixed
printed first -F dwarf mixed
printed first -F dwarf,btf mixed
printed first prog
# languages and names are those of units, which only DWARF has
printed first --lang=c11 mixed
printed both -X one.c mixed

# an archive
for i in one two; do
	cp $i.o $i.btf.o
	btfenc -J $i.btf.o || fail "cannot encode"
done
ld -r -o archive.o one.btf.o two.btf.o || fail "ld failed"
printed first archive.o
printed first -F btf archive.o
strip -g archive.o
printed first archive.o

# split BTF without its base
btfenc --btf_encode_detached=base.btf one.o || fail "cannot encode"
cp two.o split.o
btfenc -J --btf_base=base.btf split.o || fail "cannot encode"
printed both split.o
strip -g split.o
error "'split.o': .BTF is split: give its base with '--btf_base'" -s split.o
printed first --btf_base=base.btf split.o

# a damaged one
head -c 30 other.btf >cut.btf
objcopy --add-section .BTF=cut.btf prog damaged || fail "objcopy failed"
run_ok btfenc -s damaged
expect_in stdout '^first'
expect_in stderr "^btfenc: warning: 'damaged': .BTF: .*; its DWARF is printed instead$"
run_status 1 btfenc -s -F btf damaged
strip -g damaged
run_status 1 btfenc -s damaged
expect_no_stdout

# of several definitions the first, wherever reading stops
for names in both both,two_t two_t,both; do
	run_ok btfenc -q -F dwarf -C $names prog
	expect_in stdout 'of_one;$'
	expect_not_in stdout 'of_two;$'
done
run btfenc -q -F dwarf -C two_t,later prog
expect_stdout <<\END
typedef struct both two_t;

enum later {
	LATER = 0,
};

END

# what is behind the definition is not read: the second unit is damaged
at=$(readelf --debug-dump=info prog | sed -n 's/.*<0><\([0-9a-f]*\)>: Abbrev Number: .*/\1/p' | sed -n 2p)
[ -n "$at" ] || fail "no second unit"
poke prog "$(section_at prog .debug_info) + 0x$at" '\177'
run_ok btfenc -C first prog
expect_in stdout '^struct first {$'
for args in "-C two_t" "-C first,two_t" "-i first" "-s" "--compile -C first"; do
	run_status 1 btfenc $args prog
	expect_in stderr "^btfenc: error: 'prog': .debug_info"
done
exit 0
