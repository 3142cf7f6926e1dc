#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_check: a line for each breach, and the exit status says whether there are any

. "${0%/*}/../lib/testlib.sh"

need objcopy python3
gcc_c a.o <<\END
struct s { int x; char y; };
struct s v;
int f(struct s *p) { return p->x; }
END
run_ok btfenc --btf_encode_detached=a.btf --btf_features=default,global_var a.o

# --- what is good ---
run_silent btfenc --btf_check a.btf

cp a.o b.o
run_ok btfenc -J --btf_features=default,global_var b.o
run_silent btfenc --btf_check b.o a.btf

run_ok btfenc -V --btf_check a.btf
expect_in stdout "^a.btf: BTF: [0-9]* types, 0 errors, 0 warnings$"
run_ok btfenc -V --btf_check a.btf b.o
tail -n 1 out/stdout > out/last
expect_in last '^2 files: 0 errors, 0 warnings$'

# --- header: the location is its offset ---
cp a.btf flags.btf
poke flags.btf 3 '\001'
run_status 1 btfenc --btf_check a.btf flags.btf a.btf
expect_no_stderr
expect_stdout <<\END
flags.btf: error: BTF+0x3: the flags are 1, not 0 [btf_parse_hdr]
3 files: 1 error, 0 warnings
END

cp a.btf end.btf
poke end.btf $(($(wc -c <a.btf) - 1)) A
run_status 1 btfenc --btf_check end.btf
expect_in stdout 'the last string has no end \[btf_parse_str_sec\]'

# --- records: the location is the type, its name and its element ---
"$TOOLS/rawbtf.py" bad.btf <<\END
    b'\0int\0foo\0bar\0\x1b[31m\0',
    1, 1 << 24, 4, 0x01000020,                 # [1] INT int
    5, 4 << 24 | 2, 6, 9, 1, 0, 0, 1, 32,      # [2] STRUCT foo { int bar; int; } of 6 bytes
    0, 2 << 24, 77,                            # [3] PTR to nothing
    13, 8 << 24, 1,                            # [4] TYPEDEF of a name with an escape
    9, 12 << 24 | 1, 1,                        # [5] FUNC bar, of an int
    0, 13 << 24 | 1, 0, 9, 0x100,              # [6] FUNC_PROTO (no type bar)
    5, 15 << 24 | 1, 4, 8, 2, 4,               # [7] DATASEC foo
    9, 14 << 24, 1, 0,                         # [8] VAR bar
    0, 6 << 24 | 1, 4, 0, 1,                   # [9] ENUM without a name in it
    1, 1 << 24, 4, 0x01000020,                 # [10] INT int
END
"$TOOLS/rawbtf.py" odd.btf <<\END
    b'\0int\0foo\0bar\0',
    1, 1 << 24, 4, 0x01000020,                 # [1] INT int
    5, 12 << 24 | 1, 4,                        # [2] FUNC foo (void)
    5, 12 << 24 | 1, 5,                        # [3] FUNC foo int (void)
    0, 13 << 24, 0,
    0, 13 << 24, 1,
    9, 16 << 24, 4,                            # [6] FLOAT bar
    5, 4 << 24 | 2, 8, 9, 1, 0, 9, 1, 32,      # [7] STRUCT foo { int bar; int bar; }
END
run_status 1 btfenc --btf_check bad.btf
expect_no_stderr
expect_file btf_check.stdout

# --- a warning does not count ---
run_ok btfenc --btf_check odd.btf
expect_stdout <<\END
odd.btf: warning: type 3 'foo' (FUNC, type 5): type 2 is a function of this name, too [duplicate]
END

# --- split BTF ---
gcc_c m.o <<\END
struct s { int x; char y; };
struct mine { struct s s; } w;
int g(struct mine *p) { return p->s.x; }
END
run_ok btfenc --btf_encode_detached=m.btf --btf_features=default,global_var --btf_base=a.btf m.o
run_silent btfenc --btf_check --btf_base=a.btf m.btf
run_status 1 btfenc --btf_check m.btf
expect_in stdout 'm.btf: error: BTF+0x'
expect_in stdout 'if this is split BTF, give its base with .--btf_base. \[btf_parse_str_sec\]'
run_status 1 btfenc --btf_check --btf_base=bad.btf m.btf
expect_no_stdout
expect_in stderr "btfenc: error: 'bad.btf': BTF: BTF+0x54: type 3: "
run_ok btfenc --btf_check --btf_base=a.btf a.btf
expect_in stdout 'a.btf: warning: BTF+0x'
expect_in stdout 'is this BTF that needs no base? \[split BTF\]'

# --- a distilled base is checked, too, and against the base it will be moved to ---
cp m.o distilled.o
run_ok btfenc -J --btf_features=default,global_var,distilled_base --btf_base=a.btf distilled.o
run_silent btfenc --btf_check distilled.o
run_silent btfenc --btf_check --btf_base=a.btf distilled.o
gcc_c other.o <<\END
struct s { int x; char y; long z; } v;
END
run_ok btfenc --btf_encode_detached=other.btf --btf_features=default,global_var other.o
run_status 1 btfenc --btf_check --btf_base=other.btf distilled.o
expect_in stdout "distilled.o: error: .BTF.base: type "
expect_in stdout " 's' (STRUCT, size 8): the base has no such type \[btf_relocate_map_distilled_base\]"

# --- over a base, a type that is there twice; it may also repeat one of the base ---
"$TOOLS/rawbtf.py" small.btf <<\END
    b'\0int\0',
    1, 1 << 24, 4, 0x01000020,                 # [1] INT int
END
"$TOOLS/rawbtf.py" twice.btf <<\END
    b'new\0',
    1, 1 << 24, 4, 0x01000020,                 # [2] INT int
    5, 1 << 24, 8, 0x01000040,                 # [3] INT new
    5, 1 << 24, 8, 0x01000040,                 # [4] INT new
END
run_status 1 btfenc --btf_check --btf_base=small.btf twice.btf
expect_stdout <<\END
twice.btf: warning: type 2 'int' (INT, size 4, data 0x1000020): it repeats type 1 of the base, as pahole does; the kernel accepts it [duplicate]
twice.btf: error: type 4 'new' (INT, size 8, data 0x1000040): it describes the same as type 3: the kernel accepts both, but the encoder should have written one; encode the file again, a module with the '--compat' of its base [duplicate]
END
expect_no_stderr

# --- a record that cannot be read ends the check of records ---
"$TOOLS/rawbtf.py" cut.btf <<\END
    b'\0int\0',
    1, 1 << 24, 4, 0x01000020,                 # [1] INT int
    0, 31 << 24, 1,                            # [2] of an unknown kind
    1, 1 << 24, 4, 0x01000020,
END
run_status 1 btfenc -V --btf_check cut.btf
expect_in stdout "^cut.btf: BTF: stopped after 1 type, 1 error, 0 warnings$"

# --- an archive is none ---
cat a.btf a.btf a.btf >archive.btf
run_status 1 btfenc --btf_check archive.btf
expect_in stdout ': another BTF begins here: an archive of 3, to be combined first \[btf_check_sec_info\]'

# --- files that cannot be checked ---
run_status 1 btfenc --btf_check a.o flags.btf none.btf
expect_in stdout 'flags.btf: error: BTF+0x3: '
expect_in stdout '^3 files: 1 error, 0 warnings, 2 could not be read$'
expect_stderr <<\END
btfenc: error: 'a.o': there is no .BTF section, but DWARF: 'btfenc --btf_encode_detached=OUT' generates BTF from it
btfenc: error: 'none.btf': No such file or directory
END
# a section without content is another matter
: >nothing
objcopy --add-section .BTF=nothing a.o empty.o || fail "objcopy failed"
run_status 1 btfenc --btf_check empty.o
expect_in stderr "^btfenc: error: 'empty.o': the .BTF section is empty, but DWARF: "
run_status 1 btfenc -F btf -C x empty.o
expect_in stderr "^btfenc: error: 'empty.o': the .BTF section is empty$"
: >empty.btf
run_status 1 btfenc --btf_check empty.btf
expect_stdout <<\END
empty.btf: error: BTF+0x0: 0 bytes cannot hold a header [btf_parse_hdr]
END
printf 'a.btf\nflags.btf\n' >list
run_status 1 btfenc --btf_check @list
expect_in stdout 'flags.btf: '

# a directory stands for its modules and files of BTF
mkdir -p tree/deep tree/empty
cp a.btf tree/z.btf
cp flags.btf tree/deep/f.btf
cp a.o tree/notes
run_status 1 btfenc --btf_check tree a.btf
expect_stdout <<\END
tree/deep/f.btf: error: BTF+0x3: the flags are 1, not 0 [btf_parse_hdr]
3 files: 1 error, 0 warnings
END
run_silent btfenc --btf_check a.btf tree/z.btf
run btfenc --btf_check tree/empty
expect_error "'tree/empty' has no files '*.ko' or '*.btf'"

# --- what a later kernel takes ---
"$TOOLS/rawbtf.py" attr.btf <<\END
    b'\0int\0attr\0',
    1, 1 << 24, 4, 0x01000020,                 # [1] INT int
    5, 1 << 31 | 18 << 24, 1,                  # [2] TYPE_TAG attr, with the flag of an attribute
END
for version in '' =6.12 =6.14 =6.14.0-rc3+ =6.14.2-amd64; do
	run_status 1 btfenc --btf_check$version attr.btf
	linux=$(echo "$version" | sed 's/=\([0-9]*\.[0-9]*\).*/\1/')
	expect_stdout <<END
attr.btf: error: type 2 'attr' (TYPE_TAG, type 1): tags have no kind flag before Linux 6.15 [btf_ref_type_check_meta]
note: for Linux ${linux:-6.12}, encode without these features: attributes (see btfenc-features(7))
END
done
for version in 6.15 6.15.0-rc1 6.15-rc1 6.18.3_1 7.0; do
	run_silent btfenc --btf_check=$version attr.btf
done
run_status 1 btfenc --btf_check=5.10 attr.btf
expect_in stdout 'there is no kind TYPE_TAG before Linux 5.17 \[btf_check_meta\]'
# of several files, the features once
"$TOOLS/rawbtf.py" wide.btf <<\END
    b'\0wide\0A\0',
    1, 1 << 31 | 19 << 24 | 1, 8, 6, 1, 1,     # [1] ENUM64 wide { A }, signed
    1, 1 << 31 | 6 << 24, 4,                   # [2] ENUM wide, signed
END
run_status 1 btfenc --btf_check=5.15.1 wide.btf attr.btf
[ "$(grep -c ^note: out/stdout)" = 1 ] || fail "not one line"
[ "$(tail -n 1 out/stdout)" = 'note: for Linux 5.15, encode without these features: type_tag, enum64, attributes (see btfenc-features(7))' ] ||
	fail "$(tail -n 1 out/stdout)"
run_status 1 btfenc --btf_check=5.15 --json wide.btf
expect_not_in stdout note:
# no feature makes other errors
run_status 1 btfenc --btf_check=5.15 bad.btf
expect_not_in stdout note:
for version in 5.9 5.9.12 4.19.0-amd64 6 6.x 6-15 6.15. 6.15.x 6.15: '' x 6.15x; do
	run btfenc --btf_check=$version attr.btf
	expect_usage_error "--btf_check: '$version' is no version of Linux from 5.10 on, such as 6.15 or 6.12.117-amd64"
done

# The layout is the third section from Linux 7.1 on.
run_ok btfenc --btf_encode_detached=layout.btf --btf_features=default,global_var,layout a.o
for version in '' =6.12 =7.0; do
	run_status 1 btfenc --btf_check$version layout.btf
	expect_in stdout 'BTF+0x18: header words that this Linux does not know are not zero \[btf_parse_hdr\]'
	expect_in stdout ': 80 bytes are in no section that this Linux knows \[btf_check_sec_info\]'
done
run_silent btfenc --btf_check=7.1 layout.btf a.btf
run_silent btfenc --btf_check=7.3 layout.btf a.btf
run_ok btfenc --btf_check=99.1 layout.btf
expect_stderr <<\END
btfenc: warning: '--btf_check=99.1': the newest known rules are those of Linux 7.4
END
cp layout.btf long.btf
poke long.btf 28 R
run_status 1 btfenc --btf_check=7.2 long.btf
expect_in stdout 'a section overlaps the previous one \[btf_check_sec_info\]'

# --- usage ---
table usage_error <<\END
--btf_check | no input file
--btf_check -J a.btf | '--btf_check' and '-J' cannot be combined
--btf_check --btf_encode_detached=x a.btf | '--btf_check' and '--btf_encode_detached' cannot be combined
END
exit 0
