#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A relocatable object gets .debug.btf beside its .BTF, and relocations for the addresses there.

. "${0%/*}/../lib/testlib.sh"

need gcc cmp objcopy ld readelf strip
cat >in.c <<'END'
struct s { int a; };
static int local = 3;
static inline int inlined(struct s *s) { return s->a + local++; }
int f(struct s *s) { return inlined(s) + 2; }
END
sed 's/f(/g(/' in.c >two.c
gcc -O2 -g -c -o bare.o in.c && gcc -O2 -g -c two.c || fail "gcc failed"
run_ok btfenc --btf_encode_detached=detached.btf bare.o

# lacks_facts FILE WHY
lacks_facts()
{
	! readelf -SW "$1" | grep -q 'debug\.btf' || fail "$1 has .debug.btf: $2"
}

# --- the object ---------------------------------------------------------------------------------

cp bare.o facts.o
run_silent btfenc -J facts.o
section facts.o .BTF facts.btf
cmp detached.btf facts.btf || fail ".BTF depends on where it is written"
section facts.o .debug.btf facts
! grep -a -q inlined facts.btf || fail ".BTF names a function that is not in the object"
grep -a -q inlined facts || fail ".debug.btf lacks a function that is only inlined"
readelf -SW facts.o | grep -q ' \.debug\.btf  *PROGBITS  *0* [0-9a-f]* [0-9a-f]* 00  *0  *0  *1$' ||
	fail ".debug.btf is not PROGBITS without flags, of alignment 1"

# relocations SECTION FILE: their types, symbols and addends
relocations()
{
	readelf -rW "$2" | awk -v name="'.rela$1'" '/^Relocation section/ { on = $3 == name; next }
		on && $1 ~ /^[0-9a-f]+$/ { $1 = $2 = ""; print }' | sort -u
}
if readelf -SW bare.o | grep -q ' \.rela\.debug_info '; then
	relocations .debug_info bare.o >info
	relocations .debug.btf facts.o >slots
	[ -s slots ] || fail ".debug.btf has no relocations"
	comm -13 info slots >others
	[ ! -s others ] || fail "relocations that .debug_info does not have: $(cat others)"
fi

# a second run changes nothing
cp facts.o same.o
run_silent btfenc -J same.o
cmp facts.o same.o || fail "a second run changes the file"

strip -g same.o || fail "strip failed"
lacks_facts same.o "strip -g keeps it"
has_section same.o .BTF || fail "strip -g removes .BTF"

# --- files that have none -----------------------------------------------------------------------

cp bare.o before.o
cp bare.o module.ko
cp bare.o split.o
run_silent btfenc -J module.ko
lacks_facts module.ko "a module is not linked again"
run_ok btfenc -J --btf_base=detached.btf split.o
lacks_facts split.o "its .BTF has a base"
cmp bare.o before.o || fail "a detached encoding changed the object"
ld -e f -o linked bare.o two.o || fail "ld failed"
run_ok btfenc -J linked
lacks_facts linked "it is a linked file"

# --- archives -----------------------------------------------------------------------------------

features=--btf_features=default,global_var
# addresses are in .debug_info or in .debug_addr, compressed or not, of 8 or 4 bytes
for with in "gcc -gdwarf-4" "gcc -gdwarf-5" "gcc -gdwarf-5 -gz" "clang -gdwarf-4" "clang -gdwarf-5" \
	"gcc -m32 -fno-pic" "clang -m32 -fno-pic -gdwarf-5"; do
	command -v "${with%% *}" >/dev/null || continue
	emulation=
	case $with in
	*-m32*) emulation='-m elf_i386' ;;
	esac
	for unit in in two; do
		$with -O2 -g -c $unit.c 2>err || continue 2
		run_ok btfenc -J $features $unit.o
		has_section $unit.o .debug.btf || fail "no .debug.btf ($with)"
	done
	ld $emulation -e f -o program in.o two.o || fail "ld failed"
	archive_as_dwarf $features program

	# an object of two units has a block for each, as the next link needs them
	ld $emulation -r -o both.o in.o two.o || fail "ld failed"
	archive_as_dwarf $features both.o
	run_silent btfenc -J $features both.o
	has_section both.o .debug.btf || fail "no .debug.btf in a combined object ($with)"
	ld $emulation -e f -o again both.o || fail "ld failed"
	archive_as_dwarf $features again
	run_silent btfenc -J -F btf $features again
	lacks_facts again "it is combined ($with)"
	section again .BTF again.btf
	cmp dwarf.btf again.btf || fail "a combined object is combined to something else ($with)"
	run_silent btfenc -J $features program
	lacks_facts program "it is combined ($with)"
	section program .BTF program.btf
	cmp dwarf.btf program.btf || fail "archives of one and of two members differ ($with)"
done

# the same from the debug information of both units, encoded at once
gcc -O2 -g -c two.c || fail "gcc failed"
ld -r -o both.o bare.o two.o || fail "ld failed"
run_silent btfenc -J $features both.o
ld -e f -o program both.o || fail "ld failed"
with="ld -r"
archive_as_dwarf $features program

# The slots of a debug file have no relocations for the next linker.
objcopy --only-keep-debug both.o both.debug || fail "objcopy failed"
strip -g both.o && objcopy --add-gnu-debuglink=both.debug both.o || fail "strip failed"
run_silent btfenc -J -F btf $features both.o
readelf -SW both.o | grep -q ' \.rela*\.debug\.btf ' && fail "relocations came from a debug file"

# --- features that come too late ------------------------------------------------------------------

echo 'double half(double d) { return d / 2; }' | gcc_c three.o -O1
for unit in two three; do
	run_ok btfenc -J $unit.o
done
ld -r -o archive.o two.o three.o || fail "ld failed"
run_silent btfenc --btf_encode_detached=made.btf archive.o
run_ok btfenc --btf_encode_detached=made.btf --btf_features=default,global_var archive.o
expect_stderr <<\END
btfenc: warning: 'archive.o': member 'two.c' and 1 other: encoded without --btf_features=float, so BTF and DWARF may differ; encode objects with the options of this run
END
run_ok btfenc -J --btf_features=default,global_var three.o
ld -r -o archive.o two.o three.o || fail "ld failed"
run_ok btfenc --btf_encode_detached=made.btf archive.o
expect_stderr <<\END
btfenc: warning: 'archive.o': member 'three.c': encoded with --btf_features=float, so BTF and DWARF may differ; encode objects with the options of this run
END
run_ok btfenc -J --btf_features=default,global_var,rust_variants two.o
ld -r -o archive.o two.o three.o || fail "ld failed"
run_ok btfenc --btf_encode_detached=made.btf --btf_features=default,global_var archive.o
expect_stderr <<\END
btfenc: warning: 'archive.o': member 'two.c': encoded with --btf_features=rust_variants, so BTF and DWARF may differ; encode objects with the options of this run
END

# --- members of another level, and arrays of several dimensions -----------------------------------

echo 'struct grid { int cell[2][3]; } grid; int *at(struct grid *g) { return g->cell[1]; }' | gcc_c four.o
for unit in two three four; do
	run_ok btfenc -J --compat=1.31 $unit.o
done
ld -r -o archive.o two.o three.o four.o || fail "ld failed"
for level in 1.31 1.32; do
	run_ok btfenc --compat=$level --btf_encode_detached=made.$level archive.o
	run_silent btfenc --compat=$level --btf_encode_detached=dwarf.$level -F dwarf archive.o
done
cmp made.1.31 dwarf.1.31 || fail "archive and DWARF differ: made.1.31"
run btfenc --compat=1.32 --btf_encode_detached=made.1.32 archive.o
expect_stderr <<\END
btfenc: warning: 'archive.o': member 'two.c' and 2 others: encoded with --compat=1.31, so BTF and DWARF may differ; encode objects with the options of this run
END
! cmp -s made.1.32 dwarf.1.32 || fail "the levels do not differ"
for unit in two three four; do
	run_ok btfenc -J --compat=1.32 $unit.o
done
ld -r -o archive.o two.o three.o four.o || fail "ld failed"
run_silent btfenc --compat=1.32 --btf_encode_detached=made.1.32 archive.o
cmp made.1.32 dwarf.1.32 || fail "archive and DWARF differ: made.1.32"
