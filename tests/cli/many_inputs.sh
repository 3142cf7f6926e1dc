#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# each further input costs a few kilobytes: files are open only while they are read

. "${0%/*}/../lib/testlib.sh"

need gcc python3 cmp
# One object; %08d is the number of each copy. It has fewer than 2,500 bytes.
gcc_c template.o <<\END
struct sAAAAAAAA { int mAAAAAAAA; };
int fAAAAAAAA(struct sAAAAAAAA *p) { return p->mAAAAAAAA; }
END
cp template.o types.o
run_ok btfenc -J types.o
run_ok strip -g -R .debug.btf types.o
cat >make.py <<\END
import os, sys
template, out, n = open(sys.argv[1], "rb").read(), sys.argv[2], int(sys.argv[3])
os.mkdir(out)
with open(out + ".a", "wb") as ar, open(out + ".list", "w") as names:
    ar.write(b"!<arch>\n")
    for i in range(n):
        one = template.replace(b"AAAAAAAA", b"%08d" % i)
        ar.write(b"%-16s%-12d%-6d%-6d%-8d%-10d`\n" % (b"%d.o/" % i, 0, 0, 0, 644, len(one)) + one + b"\n" * (len(one) & 1))
        open(out + "/%d.o" % i, "wb").write(one)
        names.write(out + "/%d.o\n" % i)
END
few=200 many=2200
for what in template types; do
	for n in $few $many; do
		python3 make.py $what.o $what.$n $n || exit 1
	done
done

# peak OUT ARGUMENT...: sets $peak, in KiB
peak()
{
	rm -f costs
	run_ok "$MEASURE" costs btfenc --btf_features=default --btf_encode_detached="$@"
	peak=$(awk '{ print $3 }' costs)
}

# cost INPUT OPTION...: INPUT with % for the number of objects
cost()
{
	input=$1
	shift
	peak "$few.btf" "$@" "${input%%%*}$few${input##*%}"
	before=$peak
	peak "$many.btf" "$@" "${input%%%*}$many${input##*%}"
	bytes=$(((peak - before) * 1024 / (many - few)))
	# a sanitizer keeps memory that was freed
	readelf -sW --dyn-syms "$BTFENC" | grep -q -E '__(asan|tsan|ubsan)_' ||
		[ $bytes -lt 8192 ] || fail "$input: $bytes bytes for each object"
}

cost template.%.a
mv $many.btf ar.btf
cost @template.%.list
cmp ar.btf $many.btf || fail "an archive and a list of its members give different results"
cost types.%.a -F btf
mv $many.btf ar.btf
cost @types.%.list -F btf
cmp ar.btf $many.btf || fail "an archive and a list of its members give different results"
