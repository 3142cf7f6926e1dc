# SPDX-License-Identifier: GPL-2.0-only
#
# The header of the BTF has 24 bytes without a layout, so that tools with libbpf before 1.8 read BTF of the other byte
# order, as a cross build of a kernel needs it. With a layout, and at --compat=1.31, it has 32.

. "${0%/*}/../lib/testlib.sh"
need gcc objcopy

# part FILE SECTION OUTPUT
part()
{
	objcopy --dump-section "$2=$3" "$1" part.discarded || fail "$1 has no $2"
}

# header FILE LENGTH
header()
{
	[ "$(u32 "$1" 4)" = "$2" ] || fail "$1: a header of $(u32 "$1" 4) bytes, not $2"
}

gcc_c a.o <<\END
struct s { int x; struct s *next; } v;
END
gcc_c module.o <<\END
struct s { int x; struct s *next; };
struct own { struct s s; } w;
END

for level in none 1.32; do
	run_ok btfenc --compat=$level --btf_features=default --btf_encode_detached=a.btf a.o
	header a.btf 24
	run_ok btfenc --compat=$level --btf_features=default,layout --btf_encode_detached=layout.btf a.o
	header layout.btf 32
	same_types_and_strings a.btf layout.btf || fail "the layout changes types or strings"
	# split BTF has no layout of its own
	run_ok btfenc --compat=$level --btf_features=default,layout --btf_base=layout.btf \
		--btf_encode_detached=split.btf module.o
	header split.btf 24
	cp module.o distilled.o
	run_ok btfenc -J --compat=$level --btf_features=default,distilled_base --btf_base=a.btf distilled.o
	for section in .BTF .BTF.base; do
		part distilled.o $section section
		header section 24
	done
done
run_ok btfenc --compat=1.31 --btf_features=default --btf_encode_detached=old.btf a.o
header old.btf 32
[ "$(u32 old.btf 24) $(u32 old.btf 28)" = "0 0" ] || fail "the last words of the header are not zero"
cmp -s -i 24:32 a.btf old.btf || fail "the levels differ behind the header"

# --- the other byte order
command -v clang >/dev/null && command -v bpftool >/dev/null || exit 0
case $(printf '\1\0' | od -An -tu2 | tr -d ' ') in
1) other=powerpc64-linux-gnu ;;
*) other=powerpc64le-linux-gnu ;;
esac
echo 'struct s { int x; struct s *next; } v;' >be.c
clang --target=$other -g -c be.c -o be.o 2>/dev/null || exit 0
run_ok btfenc -J --btf_features=default be.o
run_ok bpftool btf dump file be.o
expect_in stdout "STRUCT 's' size=16 vlen=2"
