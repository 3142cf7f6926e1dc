#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a stripped program and its debug file give the BTF of the whole program

. "${0%/*}/../lib/testlib.sh"

need gcc strip objcopy

gcc_c one.o -O2 <<\END
struct point { int x, y; };
int counter = 5;
static struct point origin[3];
__attribute__((section(".data..percpu"))) struct point per_cpu = { 1, 2 };
int other(int n);
__attribute__((noinline)) int add(struct point *p, long n)
{
	return p->x + n + counter + origin[n].x + per_cpu.y;
}
static __attribute__((noinline)) int helper(int a) { origin[a].x++; return a * 2 + counter; }
int main(int argc, char **argv)
{
	struct point p = { argc, 2 };
	return add(&p, 3) + helper(argc) + other(argc) + !argv;
}
END
gcc_c two.o -O2 <<\END
struct other { long a; struct point *b; };
struct other others = { 1 };
static struct other *origin = &others;
static __attribute__((noinline)) long helper(struct other *o) { return o->a++; }
int other(int n) { return n + helper(origin); }
END

# expect_same_btf WHOLE STRIPPED
expect_same_btf()
{
	for features in default default,global_var default,true_signature; do
		btfenc --btf_features=$features --btf_encode_detached=whole.btf "$1" ||
			fail "cannot encode $1"
		run_silent btfenc --btf_features=$features --btf_encode_detached=stripped.btf "$2"
		cmp whole.btf stripped.btf || fail "$2 with $features: other BTF than $1"
	done
}

# split FILE STRIP_OPTION: make dir/stripped of it, and its debug file beside
split()
{
	rm -rf dir && mkdir dir
	cp "$1" dir/stripped
	objcopy --only-keep-debug "$1" dir/stripped.debug || fail "objcopy failed"
	strip "$2" dir/stripped || fail "strip $2 failed"
	(cd dir && objcopy --add-gnu-debuglink=stripped.debug stripped) || fail "objcopy failed"
}

# with a build id, and without, where the checksum of the link decides
for link in --build-id=sha1 --build-id=none; do
	gcc -Wl,$link -o whole one.o two.o || fail "cannot link"
	for option in -s -g --strip-unneeded; do
		split whole $option
		expect_same_btf whole dir/stripped
	done
	split whole -s
	mkdir dir/.debug && mv dir/stripped.debug dir/.debug
	expect_same_btf whole dir/stripped
done
run_ok btfenc --explain=main --btf_features=default dir/stripped
expect_in stdout "^  in the generated BTF"

# The stripped program has sections that the debug file does not have, under other numbers.
split whole -s
if command -v xz >/dev/null; then
	strip -g -o mini whole && xz -f mini || fail "no mini debug file"
	objcopy --add-section .gnu_debugdata=mini.xz dir/stripped || fail "objcopy failed"
	expect_same_btf whole dir/stripped
fi
if command -v patchelf >/dev/null; then
	patchelf --set-rpath /a/long/path/that/moves/sections/of/the/program dir/stripped ||
		fail "patchelf failed"
	expect_same_btf whole dir/stripped
fi
if command -v eu-strip >/dev/null; then
	for option in "" -g; do
		cp whole dir/stripped
		eu-strip $option -f dir/stripped.debug dir/stripped || fail "eu-strip failed"
		expect_same_btf whole dir/stripped
	done
fi

# what is not linked, such as a module: one symbol table has fewer symbols than the other
for link in --build-id=none --build-id=sha1; do
	ld -r $link -o whole.ko one.o two.o || fail "ld -r failed"
	for option in -g --strip-unneeded; do
		split whole.ko $option
		expect_same_btf whole.ko dir/stripped
	done
done

# an archive of BTF, whose functions are chosen by the symbols
cp one.o one_btf.o && cp two.o two_btf.o
btfenc -J --btf_features=default --strip_dwarf one_btf.o || fail "cannot encode"
btfenc -J --btf_features=default --strip_dwarf two_btf.o || fail "cannot encode"
gcc -o archive one_btf.o two_btf.o || fail "cannot link"
btfenc --btf_features=default --btf_encode_detached=whole.btf archive || fail "cannot encode"
split archive -s
run_silent btfenc --btf_features=default --btf_encode_detached=stripped.btf dir/stripped
cmp whole.btf stripped.btf || fail "an archive: other BTF"

# a debug file of another build, by build id and by checksum
gcc -Wl,--build-id=sha1 -o whole one.o two.o && split whole -s
gcc -Wl,--build-id=sha1 -O1 -g -o another one.c two.c &&
	objcopy --only-keep-debug another dir/stripped.debug
dir=$(pwd -P)/dir
rm -f out.btf
run_ok btfenc --btf_encode_detached=out.btf dir/stripped
expect_no_stdout
expect_stderr <<END
btfenc: warning: 'dir/stripped': its debug file is not used: '$dir/stripped.debug': its build id differs; install that of the same build
btfenc: warning: 'dir/stripped' has no debug information: nothing to encode
btfenc: warning: 'out.btf' is not written: there is no BTF to write
END
[ ! -e out.btf ] || fail "BTF of another build"
gcc -Wl,--build-id=none -o whole one.o two.o && split whole -s && echo >>dir/stripped.debug
run_ok btfenc --btf_encode_detached=out.btf dir/stripped
expect_in stderr "^btfenc: warning: 'dir/stripped': its debug file is not used: '$dir/stripped.debug': its checksum is 0x[0-9a-f]*, .gnu_debuglink says 0x[0-9a-f]*; install that of the same build$"
: >dir/stripped.debug
run_ok btfenc --btf_encode_detached=out.btf dir/stripped
expect_in stderr "not used: '$dir/stripped.debug': not an ELF file: empty; install"
# another one that fits is used without a word
mkdir dir/.debug && objcopy --only-keep-debug whole dir/.debug/stripped.debug
expect_same_btf whole dir/stripped

# debuginfod, by a server on this machine
if python3 -c 'import ctypes; ctypes.CDLL("libdebuginfod.so.1")' 2>/dev/null; then
	gcc -Wl,--build-id=sha1 -o whole one.o two.o && split whole -s
	id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
	mkdir -p www/buildid/$id && mv dir/stripped.debug www/buildid/$id/debuginfo
	python3 -u -m http.server --bind 127.0.0.1 --directory www 0 >port 2>requests &
	server=$!
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -s port ] || sleep 0.1
	done
	port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' port)
	export DEBUGINFOD_URLS=http://127.0.0.1:$port DEBUGINFOD_CACHE_PATH=$PWD/cache
	[ -z "$port" ] || expect_same_btf whole dir/stripped
	[ -z "$port" ] || grep -q "GET /buildid/$id/debuginfo" requests || fail "the server was not asked"
	# the build id alone is enough
	objcopy -R .gnu_debuglink dir/stripped dir/unlinked && rm -rf cache
	[ -z "$port" ] || expect_same_btf whole dir/unlinked
	unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH
	kill $server
fi

# without libdw, which is loaded for such a file only
if readelf -d "$BTFENC" | grep -q NEEDED; then
	mkdir lib && : >lib/libdw.so.1
	split whole -s
	run_ok env LD_LIBRARY_PATH=$PWD/lib "$BTFENC" --btf_encode_detached=out.btf dir/stripped
	expect_in stderr "^btfenc: warning: 'dir/stripped': its debug file is not used: libdw is needed to find it: .*lib/libdw.so.1"
fi

# no symbol table anywhere: a warning, and the reason
split whole -s && strip -s --keep-section='.debug_*' dir/stripped.debug
(cd dir && objcopy -R .gnu_debuglink stripped && objcopy --add-gnu-debuglink=stripped.debug stripped)
run_ok btfenc --btf_features=default,global_var --btf_encode_detached=out.btf dir/stripped
expect_no_stdout
expect_stderr <<\END
btfenc: warning: 'dir/stripped' has no symbol table: functions are left out; encode it before 'strip -s', or with its debug file
END
run btfenc --explain=main dir/stripped
expect_in stdout '^  func_no_symtab: left out: neither the file nor a debug file of it has a symbol table'
exit 0
