#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --launch: whatever options a compiler takes, its objects get BTF, or a warning says that none was found

. "${0%/*}/../lib/testlib.sh"

need readelf
printf 'struct first { int x; } first;\n' >a.c
printf 'struct second { int y; } second;\n' >b.c
cp a.c none
: >empty.h
echo '{"version":0,"roots":[]}' >overlay

# Options of a compilation, one line each. A line that a compiler refuses is left out.
cat >lines <<\END
a.c -o x.o
a.c -ox.o
a.c --output x.o
a.c --output=x.o
a.c -o=
a.c b.c
-x c none
-xc none
--language c none
--language=c none
a.c -include empty.h -imacros empty.h
a.c -includeempty.h
a.c --include empty.h --imacros=empty.h
a.c -I . -isystem . -iquote . -idirafter . -I. -isystem.
a.c --include-directory . --include-directory=.
a.c --embed-directory . --embed-dir=.
a.c -iprefix p -iwithprefix q -iwithprefixbefore r
a.c -isysroot / --sysroot / -B . -B.
a.c --sysroot=/ --prefix . --prefix=.
a.c -iframework . -F .
a.c -D c -U c -D o=c -A x=y
a.c --define-macro c --undefine-macro c
a.c -MD -MF c.d -MT c -MQ o
a.c -MMD -MFc.d -MTc -MQo
a.c -Wp,-MD,c.d
a.c -MJ c.json
a.c -aux-info c.aux
a.c -dumpdir c -dumpbase o -dumpbase-ext .c
a.c -dumpdir c
a.c -Xpreprocessor -DX
a.c -Xassembler --no-warn -Wa,--no-warn
a.c -Xlinker -o -Xlinker -c
a.c -Wl,-o,c
a.c -Xclang -fno-caret-diagnostics
a.c -mllvm -optimize-regalloc
a.c -Xarch_host -O1
a.c -Xanalyzer -o
a.c -target x86_64-linux-gnu
a.c --target=x86_64-linux-gnu
a.c -ivfsoverlay overlay
a.c --param max-inline-insns-single=3 --param=max-inline-insns-single=3
a.c -T c -z c -L c -l c -u c -e c
a.c -h c -R c
a.c -Tc -Lc -lc -uc -Tbss c -Ttext 3
a.c -Tbss -o x.o
a.c -specs empty.h
a.c -specs=empty.h
a.c --specs empty.h
a.c -wrapper env,-u,X
a.c -save-temps -o x.o
a.c -save-temps=obj
a.c -pipe -O2 -Os --optimize --optimize=2 -fomit-frame-pointer
a.c --omit-frame-pointer
a.c -gsplit-dwarf
a.c -gz -gdwarf-4
a.c -g0 -g3
a.c -object
a.c -objects
a.c -object.o
a.c -object-file-name=c
a.c -object-file-name c
a.c --offload-host-only
a.c -meabi
a.c -meabi -o x.o
a.c -meabi gnu
a.c -G 8
a.c -mthread-model posix
a.c -arch x86_64
a.c -working-directory .
a.c -working-directory=.
a.c -working-directory. -o x.o
a.c -fdebug-compilation-dir . -fdebug-prefix-map=a=c
a.c -fmodules-user-build-path c -ftrapv-handler c
a.c -iwithsysroot c -cxx-isystem c -rpath c
a.c -serialize-diagnostics c.dia --serialize-diagnostics d.dia
a.c -x none
-- a.c
END

# Objects of the compiler alone that have DWARF.
objects_with_dwarf()
{
	find plain -type f ! -name '*.c' ! -name '*.dwo' | sort | while read -r file; do
		readelf -hW "$file" 2>/dev/null | grep -q 'Type: *REL' || continue
		! has_section "$file" .debug_info || echo "${file#plain/}"
	done
}

# compile FOLDER COMMAND...: in a new FOLDER with the sources
compile()
{
	folder=$1
	shift
	rm -rf "$folder"
	mkdir "$folder"
	cp a.c b.c none empty.h overlay "$folder"
	(cd "$folder" && exec "$@") </dev/null >"out/$folder" 2>&1
}

tried=0 compilers=
: >taken
for compiler in gcc clang $(cd /usr/bin && ls -- *-linux-gnu*-gcc 2>/dev/null); do
	command -v "$compiler" >/dev/null 2>&1 || continue
	# gcc by the name of its machine
	case $compiler in gcc) native=$(gcc -dumpmachine)-gcc ;; "${native:-}") continue ;; esac
	"$compiler" -g -c -o try.o a.c 2>/dev/null || continue
	compilers="$compilers $compiler"
	# gcc of another machine has the options of gcc, and some of its own
	case $compiler in
	*-gcc) grep -vxFf taken lines >left ;;
	*) cp lines left ;;
	esac
	while read -r line; do
		compile plain "$compiler" -g $line -c -O1 || continue
		[ "$compiler" != gcc ] || echo "$line" >>taken
		objects_with_dwarf >objects
		[ -s objects ] || continue
		tried=$((tried + 1))
		compile launched btfenc --launch -- "$compiler" -g $line -c -O1 ||
			fail "$compiler $line: $(cat out/launched)"
		diff out/plain out/launched >&2 || fail "$compiler $line: other messages"
		while read -r object; do
			has_section "launched/$object" .BTF || fail "$compiler $line: $object has no BTF"
		done <objects
	done <left
done
[ -n "$compilers" ] || skip "neither gcc nor clang"
echo "$tried lines of$compilers"
[ $tried -ge 30 ] || fail "only $tried lines"

compiler=${compilers##* }
[ "${compilers# gcc}" = "$compilers" ] || compiler=gcc

# GCC for PowerPC takes -meabi as a flag.
cat >ppc-cc <<END
#!/bin/sh
[ "\$1" != -meabi ] || shift
exec $compiler "\$@"
END
chmod +x ppc-cc
run_silent btfenc --launch -- ./ppc-cc -meabi -c -g a.c -o x.o
has_section x.o .BTF || fail "no BTF behind -meabi"

# --- no object where the line promises one
cat >elsewhere-cc <<END
#!/bin/sh
exec $compiler -g -c a.c -o elsewhere.o
END
chmod +x elsewhere-cc
for line in '-g -c a.c -o new.o' '-c new.c -g' '-g -c a.c -o x.o'; do
	run_ok btfenc --launch -- ./elsewhere-cc $line
	expect_no_stdout
	case $line in *x.o) object=x.o ;; *) object=new.o ;; esac
	expect_stderr <<END
btfenc: warning: '--launch': the command made no object '$object', no BTF is generated
END
done

# A line that promises none gives no warning: a configure script looks for messages of its compiler.
for line in '-c new.c -o new.o' '-g0 -c new.c' '-g new.c -o new.o' '-g -E -c new.c' '-g -c new.c -fsyntax-only' \
	'-g -M -c new.c' '-### -g -c new.c' '-g -c --version' '-g -c new.c -o /dev/null' '-g -c header.h'; do
	run_silent btfenc --launch -- ./elsewhere-cc $line
done
run_silent btfenc --launch -- "$compiler" -c a.c -o without.o
! has_section without.o .BTF || fail "BTF of no debug information"

# A command that fails gives the reason itself.
run btfenc --launch -- "$compiler" -g -c absent.c -o new.o
[ "$STATUS" != 0 ] || fail "the compiler takes no file"
expect_not_in stderr btfenc

# --- a linked file is no object, even if there is a -c on the line
echo 'int main(void) { return 0; }' >main.c
cat >with-c <<\END
#!/bin/sh
shift
exec "$@"
END
chmod +x with-c
if "$compiler" -g main.c -o program 2>/dev/null; then
	run_silent btfenc --launch -- ./with-c -c "$compiler" -g main.c -o program
	! has_section program .BTF || fail "a linked file has BTF"
fi
exit 0
