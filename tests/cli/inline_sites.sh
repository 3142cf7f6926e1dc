#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --inline_sites prints where functions are inlined, from each place where the sites can be, and as a program for bpftrace

. "${0%/*}/../lib/testlib.sh"

need gcc ld objcopy readelf python3 ar

cat >a.c <<\END
extern int sink(int, long);
#define INLINE static inline __attribute__((always_inline))
INLINE int add(int a, const char *name) { return sink(a, (long)name); }
INLINE int odd$name(int a) { return sink(a, 2); }
INLINE int unused(int a) { return a; }
int used(int x, char *p) { return add(x, p) + add(3, 0) + odd$name(x) + unused(x); }
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

# --- the same sites from each form

cp program inside && cp program apart && cp program plain
run_silent btfenc -J $features,inline inside
run_silent btfenc -J $features,inline.extra apart
run_silent btfenc -J $features --btf_inline_detached=sites.btf plain
run_silent btfenc --btf_encode_detached=core.btf --btf_inline_detached=sites2.btf $features program
cmp sites.btf sites2.btf || fail "in place, other sites"
section apart .BTF.inline sites2.btf
cmp sites.btf sites2.btf || fail "the section has other sites"
section plain .BTF plain.btf
cmp plain.btf core.btf || fail "the BTF has changed"
run_ok btfenc --inline_sites inside
cp out/stdout lines
for from in apart plain,sites.btf program,core.btf,sites.btf plain,core.btf,sites.btf; do
	run_ok btfenc --inline_sites $from
	cmp lines out/stdout || fail "$from has other sites: $(diff lines out/stdout)"
done
for option in -j4 --json; do
	run_ok btfenc --inline_sites inside $option
done

# --- text: the addresses are those of the program
[ "$(wc -l <lines)" = 2 ] || fail "not two sites: $(cat lines)"
used=$((0x$(readelf -sW program | awk '$8 == "used" { print $2 }')))
while read -r address position text; do
	case $position in
	used+0x*:) offset=${position#used+} && offset=$((${offset%:})) ;;
	*) fail "not in used(): $position" ;;
	esac
	[ $((address)) = $((used + offset)) ] || fail "$position is not at $address"
	case $text in
	'add(int a = 3, const char *name = 0x0)' | 'add(int a = '*', const char *name = '*')') ;;
	*) fail "not a site of add(): $text" ;;
	esac
done <lines
grep -q 'add(int a = 3, const char \*name = 0x0)$' lines || fail "the constants are not there"

# --- JSON
run_ok btfenc --inline_sites=add --json inside
python3 - <<\END || fail "other JSON: $(cat out/stdout)"
import json, sys
first, *sites, last = [json.loads(line) for line in open('out/stdout')]
assert first['schema'] == 'btfenc-sites' and first['inputs'] == ['inside'], first
assert last == {'end': True, 'sites': 2}, last
lines = open('lines').read().splitlines()
for site, line in zip(sites, lines):
    address, position, text = line.split(' ', 2)
    assert site['address'] == address and site['function'] == 'add' and site['file'] == 'inside'
    assert '%s+%#x:' % (site['container'], site['container_offset']) in (position, position.replace('0x0', '0'))
    assert [p['name'] for p in site['parameters']] == ['a', 'name']
    assert all(p['place'] in text for p in site['parameters'])
assert sites[-1]['parameters'][0]['values'] == [3] or sites[0]['parameters'][0]['values'] == [3]
END

# --- a relocatable file has sections, an archive has members, and several files have their names
cp a.o object.o
run_silent btfenc -J $features,inline object.o
run_ok btfenc --inline_sites object.o
expect_in stdout '^\.text\.used+0x[0-9a-f]* used+0x[0-9a-f]*: add(int a = 3, '
expect_in stdout '^\.text\.dropped+0x'
cp out/stdout object.lines
ar r lib.a object.o b.o 2>/dev/null || fail "ar failed"
run_ok btfenc --inline_sites lib.a
cmp out/stdout object.lines || fail "a member has other sites"
run_ok btfenc --inline_sites inside object.o
{ echo inside; cat lines; printf '\nobject.o\n'; cat object.lines; } | expect_stdout

# --- a stripped program has no symbols, raw BTF has no file
section inside .BTF inside.btf
strip program -o stripped && objcopy --add-section .BTF=inside.btf stripped || fail "objcopy failed"
run_ok btfenc --inline_sites stripped
expect_in stdout '^0x[0-9a-f]* \.text+0x[0-9a-f]*: add(int a = 3, '
run_ok btfenc --inline_sites inside.btf
expect_in stdout '^\.text+0x[0-9a-f]*: add(int a = 3, const char \*name = 0x0)$'

# --- over a base
printf 'typedef int base_t; base_t in_base;\n' | gcc_c base.o
run_ok btfenc --btf_encode_detached=base.btf $features base.o
cp a.o module.ko
run_ok btfenc -J --btf_base=base.btf $features,inline.extra module.ko
run_ok btfenc --inline_sites --btf_base=base.btf module.ko
cmp out/stdout object.lines || fail "a module has other sites: $(diff out/stdout object.lines)"
run_ok btfenc -J --btf_base=base.btf $features --btf_inline_detached=module.btf module.ko
run_ok btfenc --inline_sites --btf_base=base.btf module.ko,module.btf
cmp out/stdout object.lines || fail "beside a module are other sites"

# --- bpftrace: a kernel with a function whose parameters are in memory and in constants
cat >kernel.c <<\END
int sink(int, long);
static inline __attribute__((always_inline)) int add(int a, long b) { return sink(a, b); }
static int used(int x) { return add(x, 5); }
int f(int x) { return used(x); }
__attribute__((section(".init.text"))) int setup(int x) { return add(x, 6); }
END
case $(gcc -dumpmachine) in x86_64-* | aarch64-* | riscv64-*) kernel=1 ;; *) kernel= ;; esac
if [ -n "$kernel" ]; then
	printf 'SECTIONS { .text : { _text = .; *(.text*) } .init.text : { __init_begin = .; *(.init.text) __init_end = .; } }\n' >script
	gcc -g -O2 -fno-pic -c kernel.c && ld -T script --unresolved-symbols=ignore-all -o vmlinux kernel.o 2>/dev/null || fail "gcc or ld failed"
	run_silent btfenc -J $features,inline vmlinux
	run_ok btfenc --inline_sites=add --bpftrace vmlinux
	expect_in stdout '^// inlined code of add() in vmlinux: 1 of 2 sites can have a probe$'
	expect_in stdout '^kprobe:f+0x[0-9a-f]*$'
	expect_in stdout '^	printf("%s(%d) f+0x[0-9a-f]*: add(a=%d, b=5)\\n", comm, pid, (int32)reg("[a-z0-9]*"));$'
	expect_in stdout '^// not at setup+0x[0-9a-f]*: its code is freed after initialization$'
	if command -v bpftrace >/dev/null && bpftrace --help 2>&1 | grep -q -- --fmt; then
		cp out/stdout program.bt
		run bpftrace --fmt program.bt
		expect_in stdout '^kprobe:f+'
	fi
fi

# --- what does not work
error "'program': there is no .BTF section, but DWARF: 'btfenc --btf_encode_detached=OUT' generates BTF from it" --inline_sites program
error "'plain': there are no sites of inlined functions: encode it with '--btf_features=default,inline', or with '--btf_inline_detached=SITES' and give 'plain,SITES', or 'plain,BTF,SITES' if that run wrote its BTF to a file" --inline_sites plain
error "'inside': no site of a function 'addd'; did you mean 'add'?" --inline_sites=addd inside
error "'--bpftrace': 'inside' is neither a vmlinux nor a module with symbols" --inline_sites=add --bpftrace inside
run_status 1 btfenc --inline_sites program,sites.btf
expect_in stderr 'sites.btf'
table usage_error <<\END
--inline_sites= inside | --inline_sites: the name of the function is empty
--bpftrace inside | '--bpftrace' needs '--inline_sites=FUNCTION'
--inline_sites --bpftrace inside | '--bpftrace' needs '--inline_sites=FUNCTION'
--inline_sites=add --bpftrace inside apart | '--bpftrace' takes one file
--inline_sites=add --bpftrace --json inside | '--json' and '--bpftrace' cannot be combined
--inline_sites add inside | 'add': no such file; did you mean '--inline_sites=add'?
--inline_sites | no input file
END

exit 0
