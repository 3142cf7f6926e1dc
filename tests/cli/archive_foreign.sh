#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# BTF of other origin combines as with libbpf: INTs keep the encoding char, functions have the tags of all members
#
# Only the index type of arrays differs: the result has one called "int" (docs/spec/dedup.md 8.1).

. "${0%/*}/../lib/testlib.sh"

need python3 bpftool

# --- the tags of two FUNCs that merge; the program is not linked, so all functions are there
for tag in first second; do
	"$TOOLS/rawbtf.py" $tag.btf <<END
b'\\0int\\0func\\0p\\0same\\0$tag\\0',
1, 1 << 24, 4, 0x01000020,	# [1] INT int
0, 13 << 24 | 1, 1, 10, 1,	# [2] FUNC_PROTO (int p) -> int
5, 12 << 24, 2,			# [3] FUNC func
12, 17 << 24, 3, 0xffffffff,	# [4] DECL_TAG same
17, 17 << 24, 3, 0xffffffff,	# [5] DECL_TAG first or second
17, 17 << 24, 3, 0,		# [6] the same of p
END
done
cat first.btf second.btf >tags.btf
run_ok btfenc -F btf --btf_features=default --btf_encode_detached=out.btf tags.btf
bpftool btf dump file out.btf >out/dump
grep -c FUNC_PROTO out/dump | grep -qx 1 || fail "the prototypes are two: $(cat out/dump)"
sed -n "s/.*DECL_TAG '\([a-z]*\)' type_id=[0-9]* \(.*\)/\1 \2/p" out/dump | sort >out/tags
cat >wanted <<END
first component_idx=-1
first component_idx=0
same component_idx=-1
second component_idx=-1
second component_idx=0
END
diff -u wanted out/tags || fail "tags of a function are missing"

# --- an INT that is a character, and one of gcc, whose char is signed as well
"$TOOLS/rawbtf.py" chars.btf <<\END
b'\0byte\0c8\0s\0',
1, 1 << 24, 1, 0x02000008,	# [1] INT byte CHAR
6, 1 << 24, 1, 0x02000008,	# [2] INT c8 CHAR
9, 4 << 24 | 1, 1, 6, 1, 0,	# [3] STRUCT s { byte c8 }
END
cat chars.btf chars.btf >piled.btf
run_ok btfenc -F btf --btf_features=default --btf_encode_detached=out.btf piled.btf
bpftool btf dump file out.btf | grep -c 'encoding=CHAR' | grep -qx 2 || fail "the encoding char is lost"

# --- arrays without an INT called "int", and without a string that ends in it
"$TOOLS/rawbtf.py" arrays.btf <<\END
b'\0u32\0s\0a\0',
1, 1 << 24, 4, 0x00000020,	# [1] INT u32
0, 3 << 24, 0, 1, 1, 4,		# [2] ARRAY [4] of u32
5, 4 << 24 | 1, 16, 7, 2, 0,	# [3] STRUCT s { u32 a[4] }
END
cat arrays.btf chars.btf >piled.btf
run_ok btfenc -F btf --btf_features=default --btf_encode_detached=out.btf piled.btf
bpftool btf dump file out.btf >out/dump
grep "INT '(anon)'" out/dump && fail "an integer has no name"
grep -q "INT 'int' size=4 .* encoding=SIGNED" out/dump || fail "the index type has no name: $(cat out/dump)"
index=$(sed -n "s/^\[\([0-9]*\)\] INT 'int'.*/\1/p" out/dump)
grep -q "ARRAY '(anon)' type_id=[0-9]* index_type_id=$index nr_elems=4" out/dump || fail "the array has another index"
run_silent btfenc --btf_check out.btf

# libbpf agrees, but for the index type
BTFPILE=${BTFPILE:-${BTFENC%/*}/tests/btfpile}
if [ -x "$BTFPILE" ]; then
	cat chars.btf chars.btf >two_chars.btf
	for file in tags two_chars; do
		"$BTFPILE" $file.btf libbpf.btf || fail "libbpf does not combine $file"
		run_ok btfenc -F btf --btf_features=default --btf_encode_detached=out.btf $file.btf
		"$TOOLS/btfdump.py" libbpf.btf >libbpf.txt
		"$TOOLS/btfdump.py" out.btf >out/text
		diff -u libbpf.txt out/text || fail "$file: libbpf has another result"
	done
fi
exit 0
