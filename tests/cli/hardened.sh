#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# how the command is built, and what it cannot do: ask a shell, talk to the network

. "${0%/*}/../lib/testlib.sh"

need readelf
readelf -hW "$BTFENC" >header && readelf -lW "$BTFENC" >segments &&
	readelf -dW "$BTFENC" >dynamic && readelf -sW --dyn-syms "$BTFENC" >symbols ||
	fail "readelf failed"

# wanted FILE PATTERN: a line of FILE matches
wanted()
{
	grep -q -E "$2" "$1" || fail "$1: no line matches '$2'"
}

unwanted()
{
	grep -q -E "$2" "$1" && fail "$1: $(grep -m 1 -E "$2" "$1")"
}

wanted header 'Type: +DYN'
wanted segments ' GNU_RELRO '
wanted dynamic 'FLAGS.* (BIND_)?NOW'
wanted segments ' GNU_STACK .* RW '
unwanted segments ' LOAD .* RWE '
unwanted dynamic '(RPATH|RUNPATH|TEXTREL)'
wanted symbols ' __stack_chk_fail'

# A sanitizer has its own checks of memcpy() and the like, and "dev" is not optimized.
grep -q -E '^(BTFENC_SANITIZE:STRING=.|CMAKE_BUILD_TYPE:STRING=Debug)' "$BUILDDIR/CMakeCache.txt" ||
	wanted symbols ' __(memcpy|snprintf|vsnprintf)_chk(@|$)'

# glibc's names for every way out of the process, but for posix_spawnp(), which --launch needs (tests/layers.sh
# says where), and dlopen(), by which --btf_header has libbpf
for way in system popen fork vfork clone execve execv execvp execvpe execl execlp fexecve posix_spawn \
	socket connect getaddrinfo gethostbyname; do
	grep -q '__asan_' symbols && break # they are in its runtime
	unwanted symbols " UND $way(@|\$)"
done

# Packaging tools read which libraries are loaded while the program runs.
if grep -q NEEDED dynamic; then
	need objcopy
	objcopy -O binary --only-section=.note.dlopen "$BTFENC" note || fail "objcopy failed"
	for library in libbpf.so.1 libdw.so.1 liblzma.so.5; do
		tr '\0' '\n' <note | grep -a -q -x \
			"\[{\"feature\":\"[a-z_]*\",\"description\":\"[^\"]*\",\"priority\":\"recommended\",\"soname\":\[\"$library\"\]}\]" ||
			fail ".note.dlopen does not name $library"
	done
	readelf -nW "$BTFENC" | grep -q '^ *FDO .*0x0*407c0c0a\|^ *FDO .*DLOPEN' || fail "no note of type dlopen"
fi
exit 0
