#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the targets of tests/fuzz for OSS-Fuzz, which sets the variables: compiler and flags, SRC (the folder that has btfenc), WORK and OUT.

build=$WORK/btfenc
cmake -S "$SRC/btfenc" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DBTFENC_FUZZ_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$build"
python3 "$SRC/btfenc/tests/fuzz/make_seeds.py" "$build/btfenc" "$build/seeds"

# The targets run in a container without these libraries. btfenc loads the first three when a file needs them.
loaded=$(ldconfig -p | awk '$1 ~ /^(libbpf|libdw|liblzma)\.so\.[0-9]+$/ { print $NF }')
mkdir -p "$OUT/lib"
# shellcheck disable=SC2086
{ echo "$loaded" && ldd "$build"/tests/fuzz_* $loaded | awk '/=> \// { print $3 }'; } |
	grep -vE '/(libc|libm|libgcc_s)\.so' | sort -u | xargs cp -L -t "$OUT/lib"

for source in "$SRC"/btfenc/tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	cp "$build/tests/$name" "$OUT/"
	# shellcheck disable=SC2016
	patchelf --force-rpath --set-rpath '$ORIGIN/lib' "$OUT/$name"

	inputs=()
	for folder in "$build/seeds/${name#fuzz_}" "$SRC/btfenc/tests/fuzz/corpus/${name#fuzz_}"; do
		[ ! -d "$folder" ] || inputs+=("$folder")
	done
	zip -q -j -r "$OUT/${name}_seed_corpus.zip" "${inputs[@]}"
done
