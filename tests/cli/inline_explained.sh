#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --explain counts the sites of an inlined function, and reports have the sites that are left out

. "${0%/*}/../lib/testlib.sh"

need gcc

cat >a.c <<\END
extern int sink(int, long);
#define INLINE static inline __attribute__((always_inline))
INLINE int add(int a, const char *name) { return sink(a, (long)name); }
INLINE int odd$name(int a) { return sink(a, 2); }
INLINE int unused(int a) { return a; }
INLINE int nameless(int a, int) { return sink(a, 5); }
int used(int x, char *p) { return add(x, p) + add(3, 0) + odd$name(x) + unused(x) + nameless(x, x); }
int dropped(int x) { return add(x, 0); }
END
cat >b.c <<\END
extern int used(int, char *);
int sink(int a, long b) { return a + b; }
int main(int argc, char **argv) { return used(argc, argv[0]); }
END
gcc -g -O2 -ffunction-sections -c a.c b.c || fail "gcc failed"
gcc -Wl,--gc-sections -o program a.o b.o || fail "the linker failed"
features=--btf_features=default

cp program inside && cp program plain
run_silent btfenc -J $features,inline inside
run_silent btfenc -J $features plain
section inside .BTF inside.btf

# --- --explain counts them
run_ok btfenc --explain=add program
expect_in stdout "^  inlined at 2 sites, and no symbol has its name, so that a probe needs their addresses: '--inline_sites=add' lists them$"
run_ok btfenc --explain='ad[d]' program
expect_in stdout "^  inlined at 2 sites, and no symbol has its name, so that a probe needs their addresses: '--inline_sites=add' lists them$"
run_status 1 btfenc --compat=1.32 --explain=adn program
expect_in stdout "^  did you mean 'add'?$"
run_ok btfenc --explain=used,main program
expect_not_in stdout 'inlined at'
run_ok btfenc --explain=add inside.btf
expect_in stdout "^  inlined at 2 sites, which a probe of the function does not trace: '--inline_sites=add' lists them$"
for other in --compat=1.32 '-J --btf_encode_detached=o.btf' --btf_report=o; do
	run_ok btfenc $other --explain=add program
	expect_not_in stdout 'inlined at'
done
run_ok btfenc -J --btf_features=default,inline --explain=add program
expect_in stdout '^  inlined at 2 sites, '
echo 'static inline __attribute__((always_inline)) int two(int a) { return a * a; }
int two_user(int a) { return two(a + 1) + two(a + 7); }
int (*two_pointer)(int) = two;' | gcc_c two.o -O2
run_ok btfenc --explain=two two.o
expect_in stdout 'which a probe of the function does not trace'

# --- the rules of reports
found()
{
	sed 's/^{"file":"[^"]*",/{/' report | grep -q -F -e "$1" || fail "no '$1' in: $(cat report)"
}
run_ok btfenc $features,inline -F dwarf --btf_report=report --btf_report_rules='sites_*' plain
found '{"rule":"sites_no_section","subject":"site","result":"left_out","name":"","unit":"a.c","count":1}'
found '{"rule":"sites_invalid_name","subject":"site","result":"left_out","name":"odd$name","unit":"a.c","count":1}'
found '{"rule":"sites_invalid_name","subject":"site","result":"left_out","name":"nameless","unit":"a.c","count":1}'
run_ok btfenc $features,inline -F dwarf --explain plain
expect_in stdout '^      1 left out sites_no_section: the address is in no section of code: the linker has discarded the function$'
expect_in stdout '^      2 left out sites_invalid_name: BTF does not accept the name of the inlined function, or a parameter has no name$'
expect_in stdout 'odd\$name.*nameless\|nameless.*odd\$name'
run_ok btfenc $features -F dwarf --btf_report=report plain
grep '"subject":"site"' report && fail "without the feature, sites are reported"
# no address: entry_pc becomes an attribute of no meaning, and all ranges are empty
gcc -g -O2 -dA -S a.c || fail "gcc failed"
sed -e 's/0x52\(.*(DW_AT_entry_pc)\)/0x3ff0\1/' -e '/section.*\.debug_\(rnglists\|ranges\)/,$s/\.LBE\([0-9]*\)-/.LBB\1-/' a.s >moved.s
gcc -c moved.s -o moved.o || fail "gcc failed"
run_ok btfenc $features,inline --btf_report=report --btf_report_rules='sites_*' moved.o
found '{"rule":"sites_no_address","subject":"site","result":"left_out","name":"","unit":"a.c","count":'
run_status 1 btfenc $features,inline -F dwarf --fatal=sites_invalid_name plain
expect_stderr <<\END
btfenc: error: 'plain': sites_invalid_name: site 'nameless' of unit 'a.c': BTF does not accept the name of the inlined function, or a parameter has no name (and 1 more, see '--btf_report')
END
exit 0
