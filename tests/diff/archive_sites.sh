#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the archive of objects that were encoded with "inline" gives the sites and places of DWARF; without, a warning

. "${0%/*}/../lib/testlib.sh"

need gcc cmp ld objcopy readelf
for n in 1 2; do
	cat >unit$n.c <<-END
	struct table { long rows[8]; struct table *next; };
	extern int level;
	static struct table table$n = { { $n } };
	static inline long row(struct table *t, int i) { return i > level ? t->rows[i] : t->rows[0] * i; }
	static inline long nothing(void) { return level * $n; }
	static inline int ignored(const char *text, int n) { return level + text[n]; }
	long from$n(struct table *t, int i) { return row(t, i) + nothing() + row(&table$n, i + 2) + ignored("", i); }
	__attribute__((section(".text.cold"))) long cold$n(struct table *t) { return row(t->next, -$n) + row(&table$n, 2); }
	END
done
cat >main.c <<'END'
int level = 3;
long from1(void *, int), from2(void *, int), cold1(void *);
int main(void) { return from1(0, 1) + from2(0, 2); }
END

# plain: the objects as they came from the compiler
plain()
{
	for file in unit1 unit2 main; do
		cp $file.plain $file.o
	done
}

# encode LIST OBJECT...
encode()
{
	for object; do
		[ "$object" = "$1" ] || run_silent btfenc -J --btf_features="$1" "$object"
	done
}

# compare FILE OPTION...: both sources give the same, with the sites in .BTF and apart
compare()
{
	file=$1
	shift
	rm -f dwarf.* btf.*
	for from in dwarf btf; do
		run_ok btfenc "$@" -F $from --btf_features=default,inline --btf_encode_detached=$from.btf "$file"
		run_ok btfenc "$@" -F $from --btf_features=default --btf_encode_detached=$from.main \
			--btf_inline_detached=$from.sites "$file"
	done
	for part in btf main sites; do
		cmp dwarf.$part btf.$part || fail "$cc, $list, $file: .$part differs"
	done
	[ -s btf.sites ] || fail "$cc, $list, $file: no sites apart"
	! cmp -s btf.btf btf.main || fail "$cc, $list, $file: no sites in .BTF"
}

# all_links: encoded with $list, in each way to link
all_links()
{
	encode $list unit1.o unit2.o main.o
	! has_section unit1.o .BTF.inline || fail "$cc: an object with .BTF.inline"
	ld -e main --gc-sections -o program main.o unit1.o unit2.o || fail "ld failed"
	compare program
	ld -r -o joined.o main.o unit1.o unit2.o || fail "ld failed"
	compare joined.o
	ld -r -o module.ko unit1.o unit2.o || fail "ld failed"
	compare module.ko --btf_base=base.btf

	# combined in the relocatable file, and linked further
	run_silent btfenc -J --btf_features=$list -F btf joined.o
	! has_section joined.o .BTF.inline || fail "$cc: a combined object with .BTF.inline"
	ld -e main -o program joined.o || fail "ld failed"
	compare program

	ld -e main -o program main.o unit1.o unit2.o || fail "ld failed"
	for jobs in 1 2 8; do
		compare program -j$jobs
	done
	# in place, the sections of the objects disappear
	run_silent btfenc -J --btf_features=$list program
	! has_section program .debug.btf || fail "$cc: .debug.btf is left"
	section program .BTF in-place.btf
	case $list in
	*extra) cmp in-place.btf btf.main && section program .BTF.inline in-place.sites && cmp in-place.sites btf.sites ;;
	*) cmp in-place.btf btf.btf && ! has_section program .BTF.inline ;;
	esac || fail "$cc, $list: in place the sections differ"
}

for cc in "gcc -O2 -gdwarf-5" "gcc -O2 -gdwarf-4" "clang -O2 -gdwarf-5" "clang -O2 -gdwarf-4" "gcc -O2 -g -gsplit-dwarf"; do
	command -v "${cc%% *}" >out/path || continue
	for file in unit1 unit2 main; do
		$cc -fno-pie -ffunction-sections -c -o $file.plain $file.c || fail "$cc failed"
	done
	run_ok btfenc --btf_encode_detached=base.btf main.plain
	for list in default,inline default,inline.extra; do
		plain
		all_links
	done

	# one object without sites
	plain
	encode default unit1.o
	encode default,inline unit2.o main.o
	ld -e main -o program main.o unit1.o unit2.o || fail "ld failed"
	run_ok btfenc -F btf --btf_features=default,inline --btf_encode_detached=some.btf program
	expect_in stderr "^btfenc: warning: 'program': member 'unit1.c': without the sites of inlined functions"
	run_silent btfenc -F btf --btf_features=default --btf_encode_detached=btf.main program
	cmp btf.main dwarf.main || fail "$cc: without sites the BTF differs"
done

# units of DWARF 4 and 5 in one object
cc=both list=default,inline
for version in 4 5; do
	gcc -O2 -gdwarf-$version -fno-pie -c -o unit$((version - 3)).o unit$((version - 3)).c || fail "gcc failed"
done
cp main.plain main.o
ld -r -o joined.o main.o unit1.o unit2.o || fail "ld failed"
encode default,inline joined.o
ld -e main -o program joined.o || fail "ld failed"
compare program

# without .debug.btf there are no sites
objcopy --remove-section=.debug.btf program || fail "objcopy failed"
run_ok btfenc -F btf --btf_features=default,inline --btf_encode_detached=none.btf program
expect_in stderr "without the sites of inlined functions"
exit 0
