#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# files that gzip, xz and zstd have compressed, as kernel modules are installed

. "${0%/*}/../lib/testlib.sh"

need gcc objcopy gzip
gcc_c base.o <<\END
struct inner { int first, second; };
struct inner inner;
END
gcc_c module.o <<\END
struct inner { int first, second; };
struct own { struct inner *link; double two; };
int own_use(struct own *o) { return o->link->first; }
END
btfenc -J --btf_features=default base.o || fail "cannot encode"
btfenc --btf_features=default --btf_encode_detached=base.btf base.o || fail "cannot encode"
btfenc --btf_features=default --btf_base=base.o --btf_encode_detached=module.btf module.o ||
	fail "cannot encode"
cp module.o module.ko
btfenc -J --btf_features=default --btf_base=base.o module.ko || fail "cannot encode"

# as depmod and "make modules_install" call them
tools=gzip
command -v xz >/dev/null && tools="$tools xz" || echo "no xz: not tested with it" >&2
command -v zstd >/dev/null && tools="$tools zstd" || echo "no zstd: not tested with it" >&2
compress()
{
	case $1 in
	gzip) gzip -n <"$2" ;;
	xz) xz --check=crc32 --lzma2=dict=1MiB <"$2" ;;
	zstd) zstd -q <"$2" ;;
	esac
}

for tool in $tools; do
	# the name says nothing
	for file in base.o base.btf module.o module.ko module.btf; do
		compress $tool $file >$file.z || fail "$tool failed"
	done

	run_silent btfenc --btf_check --btf_base=base.o.z module.ko.z module.btf.z module.ko
	run btfenc --btf_check --btf_base=base.btf.z module.btf.z
	expect_silence
	expect_status 0
	for base in base.o base.btf; do
		run_silent btfenc --btf_diff --btf_base=$base --btf_base=$base.z module.btf module.ko.z
	done
	for args in "-s base.o" "-C own module.ko" "-F btf -C own --btf_base=base.btf module.ko" \
		"-F btf -C own --btf_base=base.o module.btf" "--btf_stats --btf_base=base.o module.ko" \
		"--explain module.o" "--btf_report=- --btf_base=base.o module.o" "--explain -F btf base.btf"; do
		btfenc $args >plain || fail "btfenc $args"
		run_ok btfenc $(echo $args | sed 's/\(\(base\|module\)\.[a-z]*\)/\1.z/g')
		sed 's/\.z\b//g' out/stdout >packed
		cmp -s plain packed || { diff plain packed; fail "other output: $RAN"; }
	done
	run_silent btfenc --btf_features=default --btf_base=base.o.z --btf_encode_detached=out.btf module.o.z
	cmp out.btf module.btf || fail "$tool: other BTF"
	run_ok btfenc -F btf --btf_encode_detached=out.btf base.btf.z base.o.z

	# nothing is written into such a file
	cp module.o.z before
	for args in "-J module.o.z" "-J --btf_base=base.o module.o.z" "-J --strip_dwarf module.o.z" \
		"-J -F btf base.btf.z" "-J --strip_dwarf --btf_archive=gathered module.o.z"; do
		run btfenc $args
		expect_error "'${args##* }' is compressed by $tool and cannot be changed: decompress it, encode it, and compress it again"
	done
	cmp module.o.z before || fail "$tool: module.o.z was changed"

	# several parts, as "cat a.gz b.gz" makes them
	head -c 1000 module.ko >one && tail -c +1001 module.ko >two
	{ compress $tool one && compress $tool two; } >several.z
	run_silent btfenc --btf_check --btf_base=base.o several.z

	# cut and damaged: one error with the offset
	size=$(wc -c <module.ko.z)
	for cut in $((size / 2)) $((size - 1)); do
		head -c $cut module.ko.z >cut.z
		run_status 1 btfenc --btf_check --btf_base=base.o cut.z
		expect_no_stdout
		expect_in stderr "^btfenc: error: 'cut.z': $tool data+0x[0-9a-f]*: the data end too early$"
		[ "$(wc -l <out/stderr)" = 1 ] || fail "more than one line"
	done
	cp module.ko.z damaged.z
	poke damaged.z size/2 '\377\377\377\377\377\377\377\377'
	for args in "--btf_check --btf_base=base.o" "--btf_stats --btf_base=base.o" "-C own" \
		--btf_encode_detached=out.btf "-F btf --btf_base=base.o"; do
		run_status 1 btfenc $args damaged.z
		expect_no_stdout
		expect_in stderr "^btfenc: error: 'damaged.z': $tool data+0x[0-9a-f]*: "
		[ "$(wc -l <out/stderr)" = 1 ] || fail "more than one line"
	done
	{ cat module.ko.z && echo "this is behind it"; } >behind.z
	run_status 1 btfenc --btf_check --btf_base=base.o behind.z
	expect_in stderr "^btfenc: error: 'behind.z': $tool data+0x"

	# what comes out is bounded
	head -c 100000000 /dev/zero >zeros && compress $tool zeros >bomb.z && rm zeros
	run_status 1 btfenc --btf_check bomb.z
	expect_in stderr "^btfenc: error: 'bomb.z': more than [0-9]* bytes come out of $(wc -c <bomb.z) compressed ones$"
done
{ gzip -n <module.ko && head -c 300 /dev/zero; } >padded.z
run_silent btfenc --btf_check --btf_base=base.o padded.z

# without liblzma, which is loaded for such a file only
mkdir lib && : >lib/liblzma.so.5
if command -v xz >/dev/null && readelf -d "$BTFENC" | grep -q NEEDED; then
	compress xz module.ko >module.z
	run_ok env LD_LIBRARY_PATH=lib btfenc --btf_check --btf_base=base.o module.ko
	run_status 1 env LD_LIBRARY_PATH=lib btfenc --btf_check --btf_base=base.o module.z
	expect_no_stdout
	expect_in stderr "^btfenc: error: 'module.z': liblzma is needed to read it: .*lib/liblzma.so.5"
fi

# formats that are not read
if command -v bzip2 >/dev/null; then
	bzip2 <module.ko >module.z
	error "'module.z': compressed by bzip2: decompress it first" --btf_check --btf_base=base.o module.z
	error "'module.z': compressed by bzip2: decompress it first" --btf_encode_detached=out.btf module.z
fi
[ "$tools" = "gzip xz zstd" ] || skip "only $tools were tested"
exit 0
