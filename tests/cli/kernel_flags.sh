#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The flags that each kernel series computes for a pahole of version 1.31 or later: btfenc accepts
# them silently, and they give the features that docs/compatibility.md lists for the series

. "${0%/*}/../lib/testlib.sh"

# SERIES | FLAGS | FEATURES: scripts/link-vmlinux.sh to 5.15, scripts/pahole-flags.sh to 6.6,
# scripts/Makefile.btf from 6.8 on. All conditions are on 1.31 at most. $(JOBS) is 4.
cat >series <<\END
5.4, 5.10 | | var,decl_tag,type_tag,enum64
5.10.262 | --skip_encoding_btf_enum64 | var,decl_tag,type_tag
5.15, 5.17 | --btf_gen_floats | var,decl_tag,type_tag,enum64,float
5.15.160 | --btf_gen_floats --skip_encoding_btf_enum64 --skip_encoding_btf_inconsistent_proto --btf_gen_optimized | var,decl_tag,type_tag,float,consistent_func
6.1 | --btf_gen_floats -j | var,decl_tag,type_tag,enum64,float
6.4 | --btf_gen_floats -j --lang_exclude=rust | var,decl_tag,type_tag,enum64,float
6.1.192, 6.5, 6.6 | --btf_gen_floats -j --lang_exclude=rust --skip_encoding_btf_inconsistent_proto --btf_gen_optimized | var,decl_tag,type_tag,enum64,float,consistent_func
6.10 | -j --btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func --lang_exclude=rust | encode_force,var,float,enum64,decl_tag,type_tag,consistent_func
6.12 | -j --btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs --lang_exclude=rust | encode_force,var,float,enum64,decl_tag,type_tag,consistent_func,decl_tag_kfuncs
6.12 of Debian | -j --btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs -j --btf_features=+reproducible_build --lang_exclude=rust | encode_force,var,float,enum64,decl_tag,type_tag,consistent_func,decl_tag_kfuncs
6.13, 6.14 | -j4 --btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs --lang_exclude=rust | encode_force,var,float,enum64,decl_tag,type_tag,consistent_func,decl_tag_kfuncs
6.18, 6.19, 7.0 | -j4 --btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs --btf_features=attributes --lang_exclude=rust | encode_force,var,float,enum64,decl_tag,type_tag,consistent_func,decl_tag_kfuncs,attributes
7.1, 7.2 | -j4 --btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs --btf_features=attributes --btf_features=layout --lang_exclude=rust | encode_force,var,float,enum64,decl_tag,type_tag,consistent_func,decl_tag_kfuncs,attributes,layout
7.2 of Debian | -j4 --btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs --btf_features=attributes --btf_features=layout -j4 --btf_features=+reproducible_build --lang_exclude=rust | encode_force,var,float,enum64,decl_tag,type_tag,consistent_func,decl_tag_kfuncs,attributes,layout
bpf-next | -j4 --btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func --btf_features=layout --lang_exclude=rust | encode_force,var,float,enum64,decl_tag,type_tag,consistent_func,layout
END

# The table in the documentation is this one.
sed -n 's/^| \([^|]*\) | `\([^`]*\)` | \([^|]*\) |$/\1 | \2 | \3/p; s/^| \([^|]*\) | none | \([^|]*\) |$/\1 | | \2/p' \
	"$SRCDIR/docs/compatibility.md" >documented
sed 's/, /,/g' series >mine
sed 's/, /,/g' documented | diff mine - >&2 || fail "docs/compatibility.md has another table"

# --- a kernel in small: what each feature changes is there, but for what no compiler makes
need gcc ld clang
tag='__attribute__((btf_decl_tag("tagged")))'
cat >a.c <<END
struct s { int x; double d; int __attribute__((btf_type_tag("user"))) *p; } $tag s;
enum wide { WIDE = 0x123456789ULL } wide;
__attribute__((section(".data..percpu"))) int per_cpu_counter;
__attribute__((noinline)) static int twice(int a) { asm volatile("" : : "r"(a)); return a; }
__attribute__((noinline, used)) int kfunc(struct s *p) { return p->x; }
int _start(void) { return twice(wide) + kfunc(&s); }
asm(".pushsection .BTF_ids,\"a\"; __BTF_ID__set8__some: .long 1; .long 1;"
    "__BTF_ID__func__kfunc__1: .long 0; .size __BTF_ID__func__kfunc__1, 4; .long 0;"
    ".size __BTF_ID__set8__some, .-__BTF_ID__set8__some; .popsection");
END
cat >b.c <<\END
static inline __attribute__((always_inline)) int twice(long a, int b) { asm volatile("" : : "r"(a), "r"(b)); return b; }
int other(void) { return twice(1, 2); }
END
for unit in a b; do
	clang -g -O1 -c $unit.c -o $unit.o 2>err || skip "clang does not compile it: $(head -n 1 err)"
done
echo 'SECTIONS { .data..percpu : { *(.data..percpu) } } INSERT AFTER .data;' >percpu.lds
ld -T percpu.lds -o vmlinux a.o b.o || fail "ld failed"

while IFS='|' read -r series flags features; do
	features=$(echo $features)
	run_silent btfenc -J $flags --btf_encode_detached=flags.btf vmlinux
	btfenc --btf_features="$features" --btf_encode_detached=features.btf vmlinux || fail "cannot encode"
	cmp flags.btf features.btf || fail "$series: the features are not $features"
	# each of them counts: encode_force only for BTF that would be refused
	for feature in $(echo "$features" | tr , ' '); do
		case $feature in encode_force | attributes) continue ;; esac
		without=$(echo ",$features," | sed "s/,$feature,/,/; s/^,//; s/,\$//")
		btfenc --btf_features="$without" --btf_encode_detached=without.btf vmlinux || fail "cannot encode"
		! cmp -s flags.btf without.btf || fail "$series: without $feature, the BTF is the same"
	done
	# a module, as each series calls it; before 5.11 they had no BTF
	cp b.o module.ko
	run_silent btfenc -J $flags --btf_encode_detached=base.btf a.o
	run_silent btfenc -J $flags --btf_base base.btf module.ko
done <series

# Modules that are built outside of the tree, 6.12 to 6.19
cp b.o module.ko
run_silent btfenc -J --btf_features=encode_force,var,float --btf_encode_detached=base.btf a.o
run_silent btfenc -J --btf_features=encode_force,var,float --btf_features=distilled_base --btf_base base.btf module.ko
readelf -SW module.ko | grep -q ' \.BTF\.base ' || fail "the module has no .BTF.base"

# What the scripts read: v1.31 or later, the version as three digits
btfenc --version | grep -qx 'v1\.3[1-9]' || fail "$(btfenc --version)"
[ "$(btfenc --version | sed -E 's/v([0-9]+)\.([0-9]+)/\1\2/')" -ge 131 ] || fail "kbuild reads no version"
exit 0
