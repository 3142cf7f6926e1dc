#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a file that cannot be read is an error in each job, wherever the file stands among the others

. "${0%/*}/../lib/testlib.sh"

need readelf
gcc_c a.o <<\END
struct foo { int x; struct foo *next; };
struct has { struct foo foo; } has;
int f(struct foo *p) { return p->x; }
END
gcc -g0 -c -o nothing.o a.c || fail "gcc failed"
cp a.o in_elf.o
btfenc -J in_elf.o || fail "cannot encode"
btfenc --btf_encode_detached=a.btf a.o || fail "cannot encode"
mkdir folder
: >empty
echo text >text
echo absent >list_of_absent

# fails OPTIONS FILE...: with a message that names $bad, and no output file is made or changed
fails()
{
	rm -f out.btf report
	cp a.o target.o
	cp a.o target2.o
	run btfenc "$@"
	[ "$STATUS" = 1 ] || {
		show
		fail "status $STATUS"
	}
	expect_in stderr "^btfenc: error: .*$named"
	[ ! -e out.btf ] || fail "$*: there is an output"
	[ ! -e report ] || fail "$*: there is a report"
}

# at_both_positions GOOD OPTION...: $bad stands behind GOOD, and before it
at_both_positions()
{
	good=$1
	shift
	fails "$@" "$good" "$bad"
	fails "$@" "$bad" "$good"
}

for bad in absent folder empty text @absent @folder @list_of_absent; do
	named=$bad
	case $bad in
	@list_of_absent) named="'list_of_absent': cannot find the file of line 1: No such file or directory$" ;;
	@*) named=${bad#@} ;;
	esac
	# types are looked for in this order: absent is taken for the name of one
	fails -C foo ./a.o "$bad"
	fails -C foo a.btf "$bad"
	fails -F btf -C foo in_elf.o "$bad"
	fails -i foo a.o "$bad"
	fails -f foo a.o "$bad"
	fails -C foo --btf_base=a.btf in_elf.o "$bad"
	fails -s a.o "$bad"
	at_both_positions a.o --explain -q
	at_both_positions a.o --explain=f
	at_both_positions a.o --btf_report=report
	at_both_positions a.o --btf_encode_detached=out.btf
	at_both_positions target.o -J
	cmp a.o target.o || fail "-J: the file is changed"
	at_both_positions in_elf.o -F btf --btf_encode_detached=out.btf
	at_both_positions a.btf --btf_stats
	fails -J --dedup_btf target.o in_elf.o "$bad"
	cmp a.o target.o || fail "--dedup_btf: the file is changed"
	at_both_positions target.o -J --btf_base=a.btf
	case $bad in
	empty | text) ;; # found to be no BTF, which is told on standard output
	*) at_both_positions a.btf --btf_check ;;
	esac
	case $bad in @*) continue ;; esac
	fails --btf_base="$bad" -C foo in_elf.o
	fails --btf_base="$bad" --btf_stats a.btf
	fails --btf_base="$bad" --btf_check a.btf
	fails --btf_base="$bad" -J target.o
	run_status 2 btfenc --btf_diff a.btf "$bad"
	expect_in stderr "^btfenc: error: .*$bad"
done

# an ELF file that has no debug information of any sort, after all that is wanted is found
named=nothing.o
fails -C foo a.o nothing.o
expect_in stdout '^struct foo {'
expect_in stderr "'nothing.o': there is no DWARF and no BTF"
fails -F dwarf -C foo a.o nothing.o
fails -F btf -C foo in_elf.o nothing.o
named=a.o # has DWARF
fails -F btf -C foo in_elf.o a.o

if [ "$(id -u)" != 0 ]; then
	cp a.o closed.o
	chmod 0 closed.o
	named=closed.o
	fails -C foo a.o closed.o
	fails --explain a.o closed.o
fi

# a list without names beside other files is none
run_ok btfenc -C foo a.o @empty
usage_error "no input file: '@empty' is empty" -C foo @empty
exit 0
