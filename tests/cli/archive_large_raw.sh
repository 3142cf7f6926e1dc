#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the memory for an archive in a raw file does not grow with the file

. "${0%/*}/../lib/testlib.sh"

need gcc python3 readelf
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "struct s%d { int member_%d; char *text[%d]; } v%d;\n", i, i, i + 1, i }' >in.c
echo 'int f(struct s1 *s) { return s->member_1; }' >>in.c
gcc -g -c -o in.o in.c || fail "gcc failed"
run_silent btfenc --btf_features=default --btf_encode_detached=member.btf in.o

# peak_of FILE NUMBER: combine NUMBER members; set peak to the memory in KiB
peak_of()
{
	python3 - "$1" "$2" <<'PY' || fail "python3 failed"
import sys
member = open("member.btf", "rb").read()
member += bytes(-len(member) % 4)
with open(sys.argv[1], "wb") as out:
    for i in range(int(sys.argv[2])):
        out.write(member)
PY
	python3 - "$BTFENC" -j1 -F btf --btf_features=default --btf_encode_detached="$1.out" "$1" >peak <<'PY' || fail "encoding failed"
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
	peak=$(cat peak)
}

# the small file is read into memory, the large one is mapped
peak_of few.raw 2
few=$peak
peak_of many.raw 150
cmp few.raw.out many.raw.out || fail "more members of the same types give another result"
# a sanitizer keeps memory that was freed
readelf -sW --dyn-syms "$BTFENC" | grep -q -E '__(asan|tsan|ubsan)_' && exit 0
more=$((peak - few)) size=$(($(wc -c <many.raw) / 1024))
[ $more -lt $((size / 3)) ] || fail "$more KiB more for an archive of $size KiB"
