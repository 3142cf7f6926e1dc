#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each condition by which an archive may give other BTF than DWARF is a rule: a warning, a line of the report, an error with --fatal

. "${0%/*}/../lib/testlib.sh"

need gcc cmp ld objcopy strip
features=--btf_features=default
cat >one.c <<'END'
struct one { int a; double d; };
static int local;
int one(struct one *s) { return s->a + (int)s->d + local++; }
END
echo 'struct two { long b; }; int two(struct two *s) { return s->b; }' >two.c
gcc -g -O2 -c -o one.plain one.c && gcc -g -O2 -c -o two.plain two.c || fail "gcc failed"

# objects [OPTION]...: encode both, with these for one.o
objects()
{
	cp one.plain one.o
	cp two.plain two.o
	run_silent btfenc -J $features "$@" one.o
	run_silent btfenc -J $features two.o
}

link()
{
	ld -e two -o program one.o two.o || fail "ld failed"
}

# rules FATAL OPTION...: from program with these, the report has the rules and names on standard input, and no other rule of
# archives; each is an error, which names the rule FATAL
rules()
{
	fatal=$1
	shift
	cp program before
	run_ok btfenc $features "$@" --btf_encode_detached=out.btf --btf_report=report program
	expect_in stderr "^btfenc: warning: "
	sed -n 's/.*"rule":"\(archive_[a-z_]*\|unit_no_btf\)",.*"name":"\([^"]*\)".*/\1 \2/p' report | sed 's/+0x[0-9a-f]*/+N/' >found
	diff - found || fail "$*: the report has other rules (>)"
	run_status 1 btfenc -J $features "$@" '--fatal=unit_no_btf,archive_*' program
	expect_in stderr "^btfenc: error: 'program': $fatal: "
	cmp before program || fail "$fatal: the file was changed"
	for rule in $(sed 's/ .*//' found | sort -u); do
		run_status 1 btfenc -J $features "$@" --fatal="$rule" program
		expect_in stderr "^btfenc: error: 'program': $rule: .*$(sed -n "s/^$rule //p" found | head -n 1)"
		run_ok btfenc $features "$@" --explain program
		expect_in stdout "^ *[0-9]* \(changed\|left out\) *$rule: "
	done
	run_ok btfenc $features "$@" --fatal="archive_*,unit_no_btf,$(sed 's/\([^ ]*\) .*/-\1/' found | sort -u | paste -sd,)" \
		--btf_encode_detached=out.btf program
}

# --- nothing to report: from an archive, from DWARF, and both in one build ------------------------------

fatal='--fatal=unit_no_btf,archive_*'
objects
link
run_silent btfenc $features "$fatal" --btf_encode_detached=archive.btf program
run_silent btfenc $features "$fatal" -F dwarf --btf_encode_detached=dwarf.btf program
cmp archive.btf dwarf.btf || fail "the BTF differs"
run_silent btfenc -J $features "$fatal" program
ld -e two -o program one.plain two.plain || fail "ld failed"
run_silent btfenc -J $features "$fatal" program
# an object that is linked further, of assembler
echo nop | gcc -c -x assembler -o nop.o - || fail "gcc failed"
run_silent btfenc -J $features "$fatal" nop.o

# --- .debug.btf of another version, of another .BTF, without .BTF ------------------------------------------

objects
section one.o .debug.btf facts
poke facts 2 '\177'
objcopy --update-section .debug.btf=facts one.o || fail "objcopy failed"
link
rules archive_damaged <<'END'
archive_no_facts 'program': .BTF+0 (member 1)
archive_no_facts 'program': .BTF+N (member 2)
archive_damaged program
END
expect_in stderr "a block of version 127, expected 3: ignored from here on"

objects
section one.o .BTF btf
sed 's/one/eno/g' btf >other
objcopy --update-section .BTF=other one.o || fail "objcopy failed"
link
rules archive_damaged <<'END'
archive_damaged 'program': .BTF+0 (member 1)
archive_no_facts 'program': .BTF+0 (member 1)
END
expect_in stderr "it belongs to another .BTF"

objects
objcopy -R .BTF one.o || fail "objcopy failed"
link
rules unit_no_btf <<'END'
unit_no_btf one.c
archive_damaged program
END

# --- .BTF is damaged, and DWARF gives the BTF

objects
link
section program .BTF btf
poke btf $(($(wc -c <btf) - 1)) x
objcopy --update-section .BTF=btf program || fail "objcopy failed"
rules archive_damaged <<'END'
archive_damaged program
END

# --- no .debug.btf, or no fact that an option needs

objects
strip_facts one.o
link
for option in '' -Xtwo --lang_exclude=rust; do
	rules archive_no_facts $option <<'END'
archive_no_facts 'program': .BTF+0 (member 1)
END
done
# without a linked file, only an option that is ignored is worth it
for rule in archive_no_facts 'archive_*,-archive_no_facts'; do
	run_ok btfenc $features --fatal="$rule" -F btf --btf_encode_detached=out.btf one.o two.o
done
run_status 1 btfenc $features --fatal='archive_*' --lang_exclude=rust -F btf --btf_encode_detached=out.btf one.o two.o
expect_in stderr "^btfenc: error: 'one.o': archive_no_facts: 'one.o': .BTF+0 (member 1): "
# encoded after the link
ld -e two -o program one.plain two.plain || fail "ld failed"
objects
run_status 1 btfenc -J $features --fatal='archive_*' --dedup_btf program one.o two.o
expect_in stderr "^btfenc: error: 'program': archive_no_facts: member 'one.c': .*(and 1 more, "
link
rules archive_no_facts --btf_features=+inline <<'END'
archive_no_facts one.c
archive_no_facts two.c
END

# --- no symbol table --------------------------------------------------------------------------------------

objcopy --strip-all --keep-section=.debug.btf program || fail "objcopy failed"
rules archive_no_symtab <<'END'
archive_no_symtab program
END
link
strip program
rules archive_no_facts <<'END'
archive_no_facts 'program': .BTF+0 (member 1)
archive_no_facts 'program': .BTF+N (member 2)
archive_no_symtab program
END

# --- other options -----------------------------------------------------------------------------------------

for option in --btf_features=+rust_variants --compat=1.31 --kabi_prefix=loc; do
	objects $option
	link
	rules archive_other_options <<'END'
archive_other_options one.c
END
done
# several reasons are one entry
rules archive_other_options --btf_features=+rust_variants --compat=1.31 <<'END'
archive_other_options one.c
archive_other_options two.c
END

# --- BTF of gcc, and its link-time optimization -----------------------------------------------------------

gcc -g -O2 -flto -ffat-lto-objects -c -o one.plain one.c || skip "gcc has no -ffat-lto-objects"
objects
link
rules archive_lto <<'END'
archive_lto one.c
END
gcc -gbtf -O2 -c one.c 2>out/gcc && has_section one.o .BTF || skip "gcc makes no BTF"
link
# gcc 16 writes no name of the source
objcopy --dump-section .BTF=gcc.btf one.o junk || fail "objcopy failed"
grep -q one.c gcc.btf && name=$PWD/one.c || name="'program': .BTF+0 (member 1)"
rules archive_no_facts <<END
archive_no_facts $name
archive_mixed $name
END
