# SPDX-License-Identifier: GPL-2.0-only
#
# Objects for BPF, as clang writes them: sizes and offsets of sections and extern variables and functions are missing.
# btfenc completes them as libbpf does before it loads the BTF.

. "${0%/*}/../lib/testlib.sh"
need clang

# bpf NAME: standard input becomes NAME.o
bpf()
{
	clang --target=bpf -O2 -g -w -c -x c -o "$1.o" - || skip "this clang does not compile for BPF"
}

# as_libbpf FILE...: the completed BTF is the one that libbpf has
as_libbpf()
{
	run_ok "$BPFCOMPLETE" "$@"
}

bpf program <<\END
#define SEC(name) __attribute__((section(name)))
struct key { int a; char b; };
struct { int (*type)[1]; struct key *key; long *value; int (*max_entries)[8]; } map SEC(".maps");
int in_bss, in_data = 4;
const volatile long in_rodata = 5;
static int hidden_data = 6;
__attribute__((visibility("hidden"))) int not_seen = 7;
extern unsigned int LINUX_KERNEL_VERSION SEC(".kconfig");
extern _Bool CONFIG_BPF SEC(".kconfig") __attribute__((weak));
extern enum libbpf_tristate { TRI_NO, TRI_YES, TRI_MODULE } CONFIG_EXT4_FS SEC(".kconfig") __attribute__((weak));
extern char CONFIG_DEFAULT_HOSTNAME[9] SEC(".kconfig") __attribute__((weak));
extern unsigned long CONFIG_HZ SEC(".kconfig") __attribute__((weak));
extern const struct key a_symbol SEC(".ksyms");
extern const void untyped SEC(".ksyms") __attribute__((weak));
extern int a_kfunc(struct key *k, int) SEC(".ksyms");
struct ops { int (*init)(void *); char name[16]; };
SEC("struct_ops/init") int init(void *ctx) { return hidden_data++ + not_seen++; }
struct ops ops SEC(".struct_ops") = { (int (*)(void *))init, "name" };
struct ops optional SEC("?.struct_ops.link") = { (int (*)(void *))init, "other" };
SEC("tc") int prog(void *ctx)
{
	struct key k = { in_bss, CONFIG_DEFAULT_HOSTNAME[3] };
	return a_kfunc(&k, in_data) + (long)&untyped + a_symbol.a + in_rodata + LINUX_KERNEL_VERSION + CONFIG_BPF +
	       CONFIG_EXT4_FS + CONFIG_HZ;
}
char _license[] SEC("license") = "GPL";
END
cp program.o before.o
run_silent btfenc --btf_check program.o
cmp before.o program.o || fail "the file changed"
as_libbpf program.o
run_ok btfenc --btf_check -V program.o
expect_in stderr "^'program.o': checked as libbpf would load it: [0-9]* DATASECs and 8 externs completed$"
expect_in stdout "^program.o: .BTF: [0-9]* types, 0 errors, 0 warnings$"
# libbpf renames "?.struct_ops.link" for kernels that require an identifier
run_silent btfenc --btf_check=6.8 program.o
run_ok btfenc --btf_diff program.o program.o
run_ok btfenc -C key,ops program.o
expect_in stdout "^struct key {"
if btfenc --btf_header program.o >program.h 2>out/stderr; then
	grep -q "^struct key {" program.h || fail "the header lacks a struct"
	echo '#include "program.h"' | clang --target=bpf -x c -fsyntax-only -I. - || fail "the header does not compile"
else
	grep -q "needs libbpf" out/stderr || { cat out/stderr; fail "no header"; }
fi

# --- what libbpf refuses

bpf none <<\END
extern int elsewhere;
extern int in_another __attribute__((section(".other")));
extern struct { int x; } CONFIG_STRUCT __attribute__((section(".kconfig")));
extern float CONFIG_FLOAT __attribute__((section(".kconfig"), weak));
extern int call(int) __attribute__((section(".kconfig")));
__attribute__((section("tc"))) int prog(void *ctx)
{
	return elsewhere + in_another + CONFIG_STRUCT.x + (long)&CONFIG_FLOAT + call(3);
}
END
run_status 1 btfenc --btf_check none.o
for text in "'elsewhere': it is in no DATASEC" \
	"'in_another': it is in section '.other', not in .ksyms or .kconfig" \
	"'CONFIG_STRUCT': its type cannot hold a value of .kconfig" \
	"'CONFIG_FLOAT': its type cannot hold a value of .kconfig" \
	"'call': a function in .kconfig"; do
	expect_in stdout "^none.o: error: libbpf refuses the object: extern $text$"
done
expect_in stdout "^none.o: note: sections and externs are as libbpf completes them$"
as_libbpf none.o
# its types can be printed
btfenc --btf_header none.o >none.h 2>out/stderr || grep -q "needs libbpf" out/stderr || fail "no header of none.o"

# a section without its symbols
if command -v llvm-objcopy >/dev/null; then
	cp program.o stripped.o
	llvm-objcopy --strip-symbol=in_data stripped.o 2>/dev/null &&
		run_status 1 btfenc --btf_check stripped.o &&
		expect_in stdout "libbpf refuses the object: DATASEC '.data': no symbol of a global variable is called 'in_data'$"
fi

# BTF that cannot be read is not completed
cp program.o damaged.o
poke damaged.o $(($(section_at damaged.o .BTF) + 28)) '\0\0\0\177'
run_status 1 btfenc --btf_check damaged.o
expect_in stdout "^damaged.o: error: .BTF+0x18: type 1: there is no kind 127"
expect_not_in stdout "note"

# --- big-endian
if clang --target=bpfeb -O2 -g -c -x c -o big.o - <<\END 2>/dev/null; then
int in_bss, in_data = 4;
extern int a_kfunc(int) __attribute__((section(".ksyms")));
__attribute__((section("tc"))) int prog(void *ctx) { return a_kfunc(in_data + in_bss); }
END
	run_silent btfenc --btf_check big.o
fi
exit 0
