#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an ar archive stands for its objects, wherever files can be named

. "${0%/*}/../lib/testlib.sh"

need ar cmp
mkdir sub
gcc_c one.o <<\END
struct s { long l; char c; };
int f(struct s *s) { return s->c; }
END
gcc_c sub/object_with_a_long_name.o <<\END
struct s { long l; char c; };
struct t { struct s s; int i; };
int g(struct t *t) { return t->i; }
END
mkdir other
gcc_c other/one.o <<\END
struct u { short x; };
int h(struct u *u) { return u->x; }
END
gcc_c bare.o -g0 <<\END
int nothing;
END
objects="one.o sub/object_with_a_long_name.o other/one.o"
echo "some text" >notes
echo "!<arch>" >empty.a

# q appends, also a second member of the same name
make_archive()
{
	rm -f "$1"
	ar "qc${2-}" "$1" $objects && return
	fail "ar failed"
}
make_archive lib.a
make_archive sub/noindex.a S
make_archive thin.a T
mv thin.a sub/thin.a && make_archive sub/thin.a T
rm -f nested.a && ar rcT nested.a lib.a || fail "ar failed"
(cd sub && ar rcT nested.a ../lib.a) || fail "ar failed"
archives="lib.a sub/noindex.a sub/thin.a nested.a sub/nested.a"
if command -v llvm-ar >/dev/null; then
	llvm-ar qc --format=bsd bsd.a $objects || fail "llvm-ar failed"
	archives="$archives bsd.a"
fi

# Types, in the order of the members; a member without types is left out.
btfenc --sizes $objects >want && [ "$(wc -l <want)" = 3 ] || fail "the objects have no types"
btfenc --btf_encode_detached=want.btf $objects || fail "the objects cannot be encoded"
rm -f mixed.a && ar qc mixed.a notes bare.o $objects || fail "ar failed"
for archive in $archives mixed.a; do
	run_ok btfenc --sizes "$archive"
	expect_no_stderr
	expect_stdout <want
	run_silent btfenc --btf_encode_detached=out.btf "$archive"
	cmp want.btf out.btf || fail "$archive: the BTF differs from that of the objects"
done
ls $archives >list
run_silent btfenc --btf_encode_detached=out.btf @list
run_ok btfenc -V --btf_encode_detached=out.btf mixed.a
expect_in stderr "^'mixed.a(notes)' has no debug information: nothing to encode$"
expect_in stderr "^'mixed.a(bare.o)' has no debug information: nothing to encode$"

# It is not changed: no linker would find BTF in it.
for action in -J "-J -F btf" "-J --strip_dwarf" "-J --btf_archive=all"; do
	run btfenc $action lib.a
	expect_usage_error "'lib.a' is an ar archive: encode its objects before 'ar', or give '--btf_encode_detached'"
done
[ ! -e all ] || fail "something was appended"

# BTF that is there, for a linked file and without one.
for object in $objects bare.o; do
	btfenc -J "$object" || fail "$object is not encoded"
done
make_archive encoded.a
make_archive sub/encoded_thin.a T
rm -f partly.a && ar qc partly.a notes bare.o $objects || fail "ar failed"
echo 'int f(), g(), h(); int main(void) { return f(0) + g(0) + h(0); }' | gcc_c main.o -g0
gcc -o program main.o $objects || fail "gcc failed"
btfenc --dedup_btf --btf_encode_detached=want.btf program $objects || fail "the objects cannot be combined"
btfenc -F btf --btf_encode_detached=want-types.btf $objects || fail "the objects cannot be combined"
for archive in encoded.a sub/encoded_thin.a partly.a; do
	echo "$archive" >list
	for name in "$archive" @list; do
		run_silent btfenc --dedup_btf --btf_encode_detached=out.btf program "$name"
		cmp want.btf out.btf || fail "$name: the BTF differs from that of the objects"
	done
	cp program in-place
	run_silent btfenc -J --dedup_btf in-place "$archive"
	run_silent btfenc --btf_diff in-place want.btf
	run_silent btfenc -F btf --btf_encode_detached=out.btf "$archive"
	cmp want-types.btf out.btf || fail "$archive: the types differ from those of the objects"
	run_silent btfenc --btf_check "$archive"
done
run_ok btfenc --btf_report=- --dedup_btf --btf_encode_detached=out.btf program partly.a
expect_in stdout '"unit_no_btf".*"name":"partly.a(notes)"'
expect_in stdout '"unit_no_btf".*"name":"partly.a(bare.o)"'
run_ok btfenc --btf_stats partly.a
expect_in stdout '^partly.a(object_with_a_long_name.o): .BTF: '
run_ok btfenc --json --btf_check partly.a
expect_in stdout '"inputs":\["partly.a(one.o)","partly.a(object_with_a_long_name.o)","partly.a(one.o)"\]'

# Roles of one file
run btfenc --dedup_btf --btf_encode_detached=out.btf encoded.a
expect_usage_error "'encoded.a' is an ar archive, but the first file must be the linked one"
run_status 2 btfenc --btf_diff in-place encoded.a
expect_stderr <<END
btfenc: error: 'encoded.a': an ar archive cannot be used here, give one file
END
error "'encoded.a': an ar archive cannot be used here, give one file" --btf_base=encoded.a one.o

# Nothing in it
error "no input file: 'empty.a' is empty" empty.a
run_silent btfenc --dedup_btf --btf_encode_detached=out.btf program empty.a encoded.a
rm -f useless.a && ar qc useless.a notes || fail "ar failed"
error "'useless.a': none of its members has types" useless.a
error "'useless.a': none of its members has BTF" --btf_check useless.a

# Damage
head -c 1000 encoded.a >cut.a
run_status 1 btfenc cut.a
expect_no_stdout
expect_in stderr "^btfenc: error: 'cut.a'+0x[0-9a-f]*: a member of [0-9]* bytes in a file of 1000 bytes$"
rm sub/object_with_a_long_name.o
run_status 1 btfenc sub/encoded_thin.a
expect_in stderr "^btfenc: error: 'sub/object_with_a_long_name.o': cannot open: No such file"
