#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The tools that a package build runs after the link treat a file with BTF as they treat one without: the same
# status and messages, the program runs, and .BTF stays as it was. docs/after-the-link.md has the results.

. "${0%/*}/../lib/testlib.sh"

need gcc objcopy readelf cmp
features=--btf_features=default

# Tools that drop all sections that are not loaded.
dropping=" llvm-strip eu-strip eu-strip-f "
all="dwz strip strip-g strip-u objcopy objcopy-dbg objcopy-add llvm-strip llvm-strip-g llvm-objcopy llvm-objcopy-z eu-strip
	eu-strip-g eu-strip-f eu-elfcompress eu-elflint patchelf patchelf-need chrpath debugedit gdb"
tools=
for tool in $all; do
	case $tool in
	strip* | objcopy*) command=${tool%%-*} ;;
	llvm-* | eu-*) command=$(echo "$tool" | cut -d- -f1,2) ;;
	*) command=${tool%%-*} ;;
	esac
	if command -v "$command" >/dev/null 2>&1; then
		tools="$tools $tool"
	else
		echo "${0##*/}: skipped: no $command"
	fi
done

# tool NAME FILE
tool()
{
	case $1 in
	dwz) dwz "$2" ;;
	strip) strip "$2" ;;
	strip-g) strip -g "$2" ;;
	strip-u) strip --strip-unneeded "$2" ;;
	objcopy) objcopy "$2" ;;
	objcopy-dbg) objcopy --only-keep-debug "$2" "$2.dbg" && objcopy -g --add-gnu-debuglink="$2.dbg" "$2" ;;
	objcopy-add) objcopy --add-section .added=main.c "$2" ;;
	llvm-strip) llvm-strip "$2" ;;
	llvm-strip-g) llvm-strip -g "$2" ;;
	llvm-objcopy) llvm-objcopy "$2" ;;
	llvm-objcopy-z) llvm-objcopy --compress-debug-sections "$2" ;;
	eu-strip) eu-strip "$2" ;;
	eu-strip-g) eu-strip -g "$2" ;;
	eu-strip-f) eu-strip -f "$2.dbg" "$2" ;;
	eu-elfcompress) eu-elfcompress -q -t zlib "$2" ;;
	eu-elflint) eu-elflint --gnu-ld "$2" ;;
	patchelf) patchelf --set-rpath /a/longer/path/than/there/was/so/that/sections/have/to/move "$2" ;;
	patchelf-need) patchelf --add-needed libm.so.6 "$2" ;;
	chrpath) chrpath -r /short "$2" ;;
	debugedit) debugedit -b "$PWD" -d /usr/src/debug "$2" ;;
	gdb) gdb -nx -batch -ex 'list amain' "$2" ;;
	esac
}

cat >lib.c <<'END'
struct s { int x; long y; } ga = { 1, 2 };
static int factor = 3;
static __attribute__((noinline)) int times(int k) { return k * factor; }
int amain(int k) { return times(ga.x) + k - 1; }
END
cat >main.c <<'END'
struct s { int x; long y; };
int amain(int);
int summands[4] = { 28, 29 };
int main(int argc, char **argv) { return amain(argc) + summands[0]; }
END
# its image has BTF, as that of a kernel
cat >kernel.c <<'END'
int amain(int);
extern const unsigned short start_btf;
int main(int argc, char **argv) { return amain(argc) + (start_btf == 0xeb9f ? 28 : 0); }
END
cat >image.S <<'END'
.section .BTF,"a"
.globl start_btf
start_btf: .incbin IMAGE
.section .note.GNU-stack
END
echo 'struct base { int x; }; int in_base(struct base *b) { return b->x; }' | gcc_c base.o
run_ok btfenc $features --btf_encode_detached=base.btf base.o

# files KIND WAY: f, changed by btfenc in this way; "plain": not at all
files()
{
	case $1 in
	pie) pic=-fPIE ;;
	shared) pic=-fPIC ;;
	*) pic=-fno-pie ;;
	esac
	second=main.c
	case $1 in image*) second=kernel.c ;; esac
	gcc -g -O1 $pic -c lib.c -o lib.o && gcc -g -O1 $pic -c $second -o main.o || fail "gcc failed"
	case $2 in
	archive* | loose)
		for object in lib main; do
			run_ok btfenc -J $features $object.o
		done
		;;
	esac
	linked="-Wl,--build-id -o f"
	case $1 in
	exec) gcc -no-pie lib.o main.o -Wl,-rpath,/usr/lib/some/path $linked ;;
	pie) gcc -pie lib.o main.o -Wl,-rpath,/usr/lib/some/path $linked ;;
	static) gcc -static lib.o main.o $linked ;;
	relocs) gcc -no-pie -Wl,--emit-relocs lib.o main.o $linked ;;
	shared) gcc -shared lib.o -Wl,-rpath,/usr/lib/some/path $linked ;;
	object | module) ld -r lib.o main.o -o f ;;
	image | image-small)
		{
			[ $1 = image-small ] || head -c 5000 /dev/zero
		} | cat base.btf - >image.btf
		gcc -c -DIMAGE='"image.btf"' image.S && gcc -no-pie lib.o main.o image.o $linked
		;;
	esac || fail "$1: the link failed"
	case $1-$2 in
	module-plain) ;;
	module-*)
		# for the name, it is not linked again, and loses .debug.btf
		mv f f.ko
		run_ok btfenc -J $features f.ko
		mv f.ko f
		return
		;;
	esac
	case $2 in
	dwarf | archive) run_ok btfenc -J $features f ;;
	strip) run_ok btfenc -J --strip_dwarf $features f ;;
	stripped) strip -g f ;;
	base) run_ok btfenc -J --btf_base=base.btf $features,distilled_base f ;;
	extra) run_ok btfenc -J $features,global_var.extra f ;;
	again)
		run_ok btfenc -J $features,global_var.extra f
		run_ok btfenc -J --btf_base=base.btf $features,distilled_base f
		run_ok btfenc -J -F dwarf $features f
		;;
	esac
}

# result KIND FILE: the status of the program
result()
{
	case $1 in
	shared)
		rm -f libanswer.so
		cp "$2" libanswer.so
		LD_LIBRARY_PATH=. ./user
		;;
	object | module) gcc -no-pie "$2" -o linked && ./linked ;;
	*) "./$2" ;;
	esac 2>/dev/null
	echo $?
}

# content FILE SECTION: in the file "content"
content()
{
	rm -f content
	objcopy -O binary -j "$2" --set-section-flags "$2=alloc" "$1" content 2>out/objcopy || rm -f content
}

# what_stays TOOL: sections of BTF in p are those of f
what_stays()
{
	for section in $sections; do
		content p $section
		if [ -s content ]; then
			cmp -s content f$section || fail "$1: $where: $section changed"
		else
			case $dropping in
			*" $1 "*) ;;
			*) fail "$1: $where: $section is gone" ;;
			esac
		fi
	done
}

# try KIND WAY: all tools on f; their results are in results.WAY
try()
{
	where="$1, $2"
	files "$1" "$2"
	[ "$(result "$1" f)" = 31 ] || fail "$where: the program does not work"
	[ "$(readelf -SW f | grep -c ' NULL ')" = 1 ] || fail "$where: an unused entry of the section table"
	sections=
	for section in .BTF .BTF.base .BTF.extra; do
		has_section f $section || continue
		sections="$sections $section"
		content f $section
		mv content f$section
	done
	for tool in $tools; do
		rm -f p p.dbg
		cp f p
		tool "$tool" p >out/tool 2>&1
		echo "$tool: status $?, then $(result "$1" p); $(sed 's/[0-9][0-9]*/N/g' out/tool)"
		case $2 in plain | stripped) ;; *) what_stays "$tool" ;; esac
	done >results."$2"
}

# compare KIND WAY...
compare()
{
	kind=$1
	shift
	try "$kind" plain
	for way; do
		plain=plain
		if [ "$way" = strip ]; then
			plain=stripped
			try "$kind" stripped
		fi
		try "$kind" "$way"
		diff results.$plain results."$way" >&2 || fail "$kind, $way: other results than without BTF"
		keep "$kind" "$way"
	done
}

# Files for the tools that work on the folder of a package.
keep()
{
	case $1 in
	object | module | image*) ;;
	*) mkdir -p files && cp f "files/$1-$2" ;;
	esac
}

gcc -shared -fPIC -g -o libanswer.so lib.c && gcc -fPIE -pie main.c ./libanswer.so -o user || fail "gcc failed"
compare exec dwarf archive loose
compare pie archive strip base extra again
compare static archive loose
compare relocs archive
compare shared archive loose
compare object dwarf archive loose
compare module dwarf archive
compare image dwarf
compare image-small dwarf

# ---- tools of distributions

check_package()
{
	for file in files/*; do
		name=${file##*/}
		cp "$1/$name" p || fail "$2: no $name"
		[ "$(result "${name%%-*}" p)" = 31 ] || fail "$2: $name does not work"
	done
}

if command -v dh_strip >/dev/null && command -v dh_dwz >/dev/null && command -v dwz >/dev/null; then
	mkdir -p deb/debian/pkg/usr/bin
	cp files/* deb/debian/pkg/usr/bin
	cat >deb/debian/control <<'END'
Source: pkg
Maintainer: nobody <nobody@example.org>

Package: pkg
Architecture: any
Description: programs
END
	printf 'pkg (1) unstable; urgency=low\n\n  * Programs.\n\n -- nobody <nobody@example.org>  Thu, 26 Nov 2026 00:00:00 +0000\n' \
		>deb/debian/changelog
	for dh in dh_dwz dh_strip; do
		(cd deb && DH_COMPAT=13 $dh -ppkg >../out/dh 2>&1) || fail "$dh failed: $(cat out/dh)"
		check_package deb/debian/pkg/usr/bin $dh
	done
	for file in deb/debian/pkg/usr/bin/*; do
		has_section "$file" .BTF || fail "dh_strip: $file has no .BTF"
	done
else
	echo "${0##*/}: skipped: no dh_strip or dh_dwz"
fi
if command -v find-debuginfo >/dev/null && command -v dwz >/dev/null; then
	mkdir -p rpm/root/usr/bin
	cp files/* rpm/root/usr/bin
	(cd rpm && RPM_BUILD_ROOT=$PWD/root RPM_PACKAGE_NAME=a RPM_PACKAGE_VERSION=1 RPM_PACKAGE_RELEASE=1 RPM_ARCH=x \
		RPM_BUILD_DIR=$PWD find-debuginfo --run-dwz --keep-section .BTF "$PWD" >../out/rpm 2>&1) ||
		fail "find-debuginfo failed: $(cat out/rpm)"
	check_package rpm/root/usr/bin find-debuginfo
	for file in rpm/root/usr/bin/*; do
		has_section "$file" .BTF || fail "find-debuginfo --keep-section: $file has no .BTF"
	done
else
	echo "${0##*/}: skipped: no find-debuginfo"
fi
exit 0
