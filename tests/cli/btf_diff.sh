#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --btf_diff: status 0 and silence for the same types, 1 and what differs, 2 for trouble

. "${0%/*}/../lib/testlib.sh"

need objcopy python3

# made NAME: the BTF of stdin
made()
{
	gcc_c "$1.o"
	run_ok btfenc --btf_encode_detached="$1.btf" --btf_features=default,global_var "$1.o"
}

made a <<\END
struct rq { long clock; };
struct list { struct list *next, *prev; };
union value { int i; struct list *list; };
struct task {
	struct list list;
	union { struct { int first, second; }; long both; };
	struct { struct rq *rq; char on; } se;
	int (*run)(struct task *, const char *name);
	unsigned mode : 3;
};
enum state { IDLE, BUSY };
struct gone { int x; };
typedef unsigned long count_t;
struct user { struct task *t; union value v; enum state s; struct gone *g; count_t c; } user;
int start(struct task *t, int how) { return t->run(t, "x") + how; }
END

# --- the same, in another order
made b <<\END
typedef unsigned long count_t;
enum state { IDLE, BUSY };
struct gone { int x; };
struct list { struct list *next, *prev; };
struct rq { long clock; };
union value { int i; struct list *list; };
struct task {
	struct list list;
	union { struct { int first, second; }; long both; };
	struct { struct rq *rq; char on; } se;
	int (*run)(struct task *, const char *name);
	unsigned mode : 3;
};
int start(struct task *t, int how) { return t->run(t, "x") + how; }
struct user { struct task *t; union value v; enum state s; struct gone *g; count_t c; } user;
END
run_silent btfenc --btf_diff a.btf b.btf
cmp -s a.btf b.btf && fail "the order is the same"
run_ok btfenc -V --btf_diff a.btf b.btf
expect_in stdout "^'a.btf' and 'b.btf': the same [0-9]* types$"
[ -n "${BTFSHUFFLE:-}" ] && for seed in 1 2 3; do
	"$BTFSHUFFLE" a.btf shuffled.btf $seed || fail "btfshuffle failed"
	run_silent btfenc --btf_diff a.btf shuffled.btf
done

# --- what differs: causes, not what follows from them
made c <<\END
struct rq { long more, clock; };
struct list { struct list *next, *prev; };
union value { int i; struct list *list; };
struct task {
	struct list list;
	union { struct { int first; short second; }; long both; };
	struct { char on; struct rq *rq; } se;
	int (*run)(struct task *, char *name);
	unsigned mode : 4;
};
enum state { IDLE, BUSY = 3, NEW };
struct fresh { int x; };
typedef unsigned int count_t;
struct user { struct task *t; union value v; enum state s; struct fresh *g; count_t c; } user;
long start(struct task *t, int how) { return t->run(t, "x") + how; }
END
run_status 1 btfenc --btf_diff a.btf c.btf
expect_no_stderr
expect_stdout <<\END
A: a.btf
B: c.btf
                    A        B   only A   only B  changed
INT                 5        5        1        1        0
STRUCT              7        7        1        1        3
ENUM                1        1        0        0        1
TYPEDEF             1        1        0        0        1
CONST               1        0        0        0        0
FUNC                1        1        0        0        1
total              28       27        2        2        6

only in A: long unsigned int
only in B: short int
enum state:
  BUSY: 3, was 1
  NEW: new (4)
only in B: struct fresh
only in A: struct gone
struct rq: size 16 bytes, was 8
  clock: offset 8 bytes, was 0
  more: new (long int)
struct task:
  second: short int, was int
  run: parameter 2: char *, was const char *
  se.on: offset 0 bytes, was 8
  se.rq: offset 8 bytes, was 0
  mode: width 4 bits, was 3
struct user.g: struct fresh *, was struct gone *
typedef count_t: unsigned int, was long unsigned int
func start: result: long int, was int
differ only because they refer to these: 13 types of A, 12 types of B
END
run_status 1 btfenc -q --btf_diff a.btf c.btf
expect_silence
run_status 1 btfenc --btf_diff c.btf a.btf
expect_stdout_lines() { grep -A "$2" "^$1" out/stdout >out/found; expect_same found; }
expect_stdout_lines 'struct rq:' 2 <<\END
struct rq: size 8 bytes, was 16
  more: gone (long int)
  clock: offset 0 bytes, was 8
END

# members that changed their order are neither new nor gone
made ab <<\END
struct pair { int a, b; } p;
END
made ba <<\END
struct pair { int b, a; } p;
END
run_status 1 btfenc --btf_diff ab.btf ba.btf
expect_stdout_lines 'struct pair:' 2 <<\END
struct pair:
  b: offset 0 bytes, was 4
  a: offset 4 bytes, was 0
END

# --- any sort of file
cp a.o in_elf.o
run_ok btfenc -J --btf_features=default,global_var in_elf.o
run_silent btfenc --btf_diff a.btf in_elf.o

# of any byte order
python3 - <<\END
import struct
data = open('a.btf', 'rb').read()
(hdr_len,) = struct.unpack_from('=I', data, 4)
(str_off,) = struct.unpack_from('=I', data, 16)
end = hdr_len + str_off
words = struct.unpack_from('=%dI' % ((end - 4) // 4), data, 4)
open('swapped.btf', 'wb').write(data[1::-1] + data[2:4] + b''.join(struct.pack('=I', w)[::-1] for w in words)
                                + data[end:])
END
run_silent btfenc --btf_diff a.btf swapped.btf

# --- split BTF: types of the base are referred to, not compared
gcc_c m.o <<\END
struct list { struct list *next, *prev; };
struct mine { struct list list; int x; } w;
END
gcc_c n.o <<\END
struct list { struct list *next, *prev; };
struct mine { struct list list; long x; } w;
END
for name in m n; do
	run_ok btfenc --btf_encode_detached=$name.over --btf_features=default,global_var --btf_base=a.btf $name.o
	cp $name.o $name.ko
	run_ok btfenc -J --btf_features=default,global_var,distilled_base --btf_base=a.btf $name.ko
done
run_ok btfenc --btf_encode_detached=m.over_c --btf_features=default,global_var --btf_base=c.btf m.o
run_silent btfenc --btf_diff --btf_base=a.btf m.over m.over
run_status 1 btfenc --btf_diff --btf_base=a.btf m.over n.over
expect_in stdout '^total  *3  *3  *0  *0  *1$'
expect_in stdout '^struct mine.x: long int, was int$'
# each over its own base: other types, of which none matters to these
run_silent btfenc --btf_diff --btf_base=a.btf --btf_base=c.btf m.over m.over_c
# a base that has changed where it matters
made d <<\END
struct list { struct list *next, *prev; long new; };
struct user { struct list list; } u;
END
gcc_c refers.o <<\END
struct list;
struct mine { struct list *list; } w;
END
for name in a d; do
	run_ok btfenc --btf_encode_detached=refers.$name --btf_features=default,global_var --btf_base=$name.btf refers.o
done
run_status 1 btfenc --btf_diff --btf_base=a.btf --btf_base=d.btf refers.a refers.d
expect_stdout <<\END
A: refers.a
B: refers.d
                    A        B   only A   only B  changed
total               3        3        0        0        0

in the base: struct list.new: new (long int); size 24 bytes, was 16
differ only because they refer to these: 3 types of A, 3 types of B
END
# a .BTF.base comes first
run_silent btfenc --btf_diff m.ko m.ko
run_status 1 btfenc --btf_diff m.ko n.ko
expect_in stdout '^struct mine.x: '
# several files that stand on one another
run_ok btfenc --btf_encode_detached=core.btf --btf_vars_detached=vars.btf --btf_features=default a.o
run_silent btfenc --btf_diff core.btf,vars.btf a.btf
cp a.btf comma,in.name
run_silent btfenc --btf_diff comma,in.name a.btf
cp a.o extra.o
run_ok btfenc -J --btf_features=default,global_var.extra extra.o
run_silent btfenc --btf_diff extra.o a.btf

# --- members that moved together; -q -V
made many <<\END
struct many { int a, b, c, d; } m;
END
made more <<\END
struct many { long x; int a, b, c, d; } m;
END
run_status 1 btfenc --btf_diff=changed -C many many.btf more.btf
expect_stdout <<\END
A: many.btf
B: more.btf
struct many: size 24 bytes, was 16
  a to d: 4 members moved by 8 bytes
  x: new (long int)
END

# --- the diff writes functions as in C, and names the side on which a member is a bit field
made ops <<\END
struct rq;
struct ops {
	int (*stop)(const struct rq *, int);
	unsigned bits : 2, one : 1, wide;
} o;
END
made ops2 <<\END
struct rq;
struct ops {
	void (*start)(struct rq *, void (*done)(int));
	unsigned bits, one, wide : 31;
} o;
END
run_status 1 btfenc --btf_diff=changed -C ops ops.btf ops2.btf
expect_stdout <<\END
A: ops.btf
B: ops2.btf
struct ops: size 24 bytes, was 16
  stop: gone (int (*)(const struct rq *, int))
  bits: no bit field, was one of 2 bits
  one: offset 96 bits, was 66; no bit field, was one of 1 bit
  wide: offset 128 bits, was 96; a bit field of 31 bits, was none
  start: new (void (*)(struct rq *, void (*)(int)))
END
run_status 1 btfenc --btf_diff=changed --json ops.btf ops2.btf
expect_in stdout '"name":"stop","type_a":"int (\*)(const struct rq \*, int)","offset_a":0,"at"'
expect_in stdout '"name":"bits","offset_a":64,"width_a":2,"offset_b":64,"width_b":0,'
expect_in stdout '"name":"wide","offset_a":96,"width_a":0,"offset_b":128,"width_b":31,'

# --- only some differences: a type that changed, what breaks programs, some types
run_status 1 btfenc --btf_diff=changed a.btf c.btf
expect_not_in stdout '^only in\|^differ only\|^total'
expect_in stdout '^struct rq: size 16 bytes, was 8$'
run_status 1 btfenc --btf_diff=core a.btf c.btf
expect_stdout <<\END
A: a.btf
B: c.btf
only in A: struct gone
struct task.second: short int, was int
struct user.g: struct fresh *, was struct gone *
END
run_silent btfenc --btf_diff=core many.btf more.btf
run_status 1 btfenc -q --btf_diff=core a.btf c.btf
expect_silence
run_status 1 btfenc --btf_diff -C 'rq,stat*' a.btf c.btf
expect_stdout <<\END
A: a.btf
B: c.btf
enum state:
  BUSY: 3, was 1
  NEW: new (4)
struct rq: size 16 bytes, was 8
  clock: offset 8 bytes, was 0
  more: new (long int)
END
run_silent btfenc -V --btf_diff -C list a.btf c.btf
run_silent btfenc --btf_diff --structs -y sta a.btf c.btf
run_status 1 btfenc --btf_diff -y sta a.btf c.btf
expect_in stdout '^func start: result: long int, was int$'
run_status 1 btfenc --btf_diff=changed --structs -x task a.btf c.btf
expect_in stdout '^struct user.g: '
expect_not_in stdout '^struct task\|^enum\|^func'
# a name that one file lacks is a difference; the others are printed before the error for one that both lack
run_status 1 btfenc --btf_diff -C gone a.btf c.btf
expect_in stdout '^only in A: struct gone$'
run_silent btfenc --btf_diff -C gone a.btf a.btf
run_status 2 btfenc --btf_diff --json -C 'rq,none' a.btf c.btf
expect_in stdout '^{"end":true,"equal":false,'
run_status 2 btfenc --btf_diff -C 'rq,none,x*z,none()' a.btf c.btf
expect_in stdout '^struct rq: size 16 bytes, was 8$'
expect_stderr <<\END
btfenc: error: no file has a type, function or variable 'none'
btfenc: error: no file has a type, function or variable 'x*z'
btfenc: error: no file has a type, function or variable 'none()'
END
run_status 1 btfenc --btf_diff --skip_missing -C 'rq,none' a.btf c.btf

# --- directories and lists
mkdir -p old/net new/net
gcc_c tun.o <<\END
struct tun { struct list *list; int x; };
typedef unsigned long count_t;
struct list;
struct rq;
struct tun tun;
count_t count;
int tun_open(struct tun *t, struct rq *rq) { return t->x + !rq; }
END
gcc_c tun2.o <<\END
struct tun { struct list *list; long x; };
typedef unsigned count_t;
struct list;
struct rq;
struct tun tun;
count_t count;
int tun_open(struct tun *t, struct rq *rq, int how) { return (int)t->x + !rq + how; }
END
module()
{
	run_ok btfenc --btf_encode_detached="$2" --btf_features=default,global_var --btf_base="$3" "$1"
}
module tun.o old/net/tun.ko a.btf
module tun2.o new/net/tun.ko c.btf
module m.o old/m.btf a.btf
module m.o new/m.btf c.btf
module m.o old/gone.btf a.btf
module m.o new/fresh.btf c.btf
echo text >old/README
run_status 1 btfenc --btf_diff --btf_base=a.btf --btf_base=c.btf old new
expect_no_stderr
expect_stdout <<\END
A: old
B: new
only in B: fresh.btf
only in A: gone.btf
== net/tun.ko
struct tun.x: long int, was int
func tun_open: parameter 3 'how': new (int)
section .bss: variable 2 'count': size 4 bytes, was 8; size 20 bytes, was 24
                    A        B   only A   only B  changed
STRUCT              2        2        0        0        1
FUNC                1        1        0        0        1
DATASEC             2        2        0        0        1
total              11       11        0        0        3
files: 1 differ, 1 are equal, 1 only in A, 1 only in B
END
run_status 1 btfenc --btf_diff=core --btf_base=a.btf --btf_base=c.btf old new/
expect_in stdout '^only in A: gone.btf$'
expect_not_in stdout 'fresh'
run_status 1 btfenc --btf_diff=core --btf_base=a.btf --btf_base=c.btf -C 'tun*' old new
expect_stdout <<\END
A: old
B: new
== net/tun.ko
struct tun.x: long int, was int
func tun_open: parameter 3 'how': new (int)
files: 1 differ, 1 are equal, 1 only in A, 1 only in B
END
run_silent btfenc --btf_diff --btf_base=a.btf old old
# a selected type in a file that one tree has
run_status 1 btfenc --btf_diff=core --btf_base=a.btf --btf_base=c.btf -C 'mine' old new
expect_stdout <<\END
A: old
B: new
== gone.btf
only in A: struct mine
files: 0 differ, 2 are equal, 1 only in A, 1 only in B
END
# all files are counted, also those that are no difference
run_status 1 btfenc --btf_diff=changed --btf_base=a.btf --btf_base=c.btf old new
expect_in stdout '^files: 1 differ, 1 are equal, 1 only in A, 1 only in B$'
expect_not_in stdout '^only in\|^total'
run_status 1 btfenc --btf_diff=changed --json --btf_base=a.btf --btf_base=c.btf old new
expect_in stdout '"files_only_a":1,"files_only_b":1,"failures":0}$'
mkdir fewer && cp old/m.btf fewer
run_silent btfenc --btf_diff=changed --btf_base=a.btf fewer old
run_ok btfenc --btf_diff=changed --json --btf_base=a.btf fewer old
expect_in stdout '"equal":true,.*"files_only_a":0,"files_only_b":2,"failures":0}$'
# one error for all files of another base, and they are counted
run_status 2 btfenc --btf_diff=changed --btf_base=c.btf --btf_base=a.btf old new
expect_stdout <<\END
A: old
B: new
files: 0 differ, 0 are equal, 1 only in A, 1 only in B, 2 not compared
END
expect_in stderr "^btfenc: error: 'old/m.btf': BTF: the BTF was not made over base 'c.btf': "
expect_in stderr "^btfenc: error: 2 files were made over another base than '--btf_base': give the vmlinux whose BTF they were made over\$"
[ "$(wc -l <out/stderr)" = 2 ] || fail "not two errors"
run_status 2 btfenc -V --btf_diff=changed --btf_base=c.btf --btf_base=a.btf old new
expect_in stderr "'old/net/tun.ko': BTF: the BTF was not made over base 'c.btf': "
run_status 2 btfenc --json --btf_diff --btf_base=c.btf --btf_base=a.btf old new
expect_in stdout '^{"end":true,"equal":false,.*"files_only_a":1,"files_only_b":1,"failures":2}$'
run_status 2 btfenc -q --btf_diff --btf_base=c.btf --btf_base=a.btf old new
expect_no_stdout
# a compressed file has the name of the other one
gzip -c old/m.btf >old/m.btf.gz && rm old/m.btf
find old -name '*.*' -type f ! -name gone.btf >old.list
find new -name '*.*' -type f ! -name fresh.btf >new.list
run_status 1 btfenc --btf_diff=changed --btf_base=a.btf --btf_base=c.btf @old.list @new.list
expect_in stdout '^files: 1 differ, 1 are equal, 0 only in A, 0 only in B$'
# one that cannot be read does not keep the others from being compared
head -c 60 new/m.btf >new/cut.btf
cp new/cut.btf old
run_status 2 btfenc --btf_diff --btf_base=a.btf --btf_base=c.btf old new
expect_in stderr "^btfenc: error: 'old/cut.btf': BTF: "
expect_in stdout '^== net/tun.ko$'
expect_in stdout '^files: 1 differ, .*, 1 not compared$'
cp old/m.btf.gz old/m.btf
run_status 2 btfenc --btf_diff --btf_base=a.btf old new
expect_stderr <<\END
btfenc: error: 'old' has 'm.btf' twice
END
for args in 'old a.btf' 'a.btf old' 'a.btf @old.list'; do
	run_status 2 btfenc --btf_diff $args
	expect_in stderr "^btfenc: error: 'a.btf' is a file, and '[@.a-z]*' a directory or a list of files\$"
done
mkdir nothing
run_status 2 btfenc --btf_diff nothing new
expect_stderr <<\END
btfenc: error: 'nothing' has no files '*.ko' or '*.btf'
END

# --- trouble
trouble()
{
	expect_status 2
	expect_no_stdout
	expect_stderr <<END
btfenc: error: $1
END
}

run btfenc --btf_diff a.btf none.btf
trouble "'none.btf': No such file or directory"
run btfenc --btf_diff a.o a.btf
trouble "'a.o': there is no .BTF section, but DWARF: 'btfenc --btf_encode_detached=OUT' generates BTF from it"
cat a.btf a.btf a.btf >archive.btf
run btfenc --btf_diff a.btf archive.btf
trouble "'archive.btf': BTF is an archive of 3, to be combined first ('btfenc -J')"
head -c 100 a.btf >cut.btf
run_status 2 btfenc --btf_diff cut.btf a.btf
expect_in stderr "^btfenc: error: 'cut.btf': BTF: BTF+0x0: "
run_status 2 btfenc --btf_diff m.over a.btf
expect_in stderr "is it split, over a base?$"
run btfenc --btf_diff --btf_base=none.btf m.over n.over
trouble "'none.btf': No such file or directory"

# for want of memory, too; sanitizers want more than there is
if sh -c 'ulimit -v 100000 && btfenc --version; exit $?' >/dev/null 2>&1; then
	# a million PTRs, of which the last one differs
	for i in 1 2; do
		"$TOOLS/rawbtf.py" large$i.btf <<END
b'\0', *(word for i in range(999999) for word in (0, 2 << 24, i)), 0, 2 << 24, $i
END
	done
	(ulimit -v 100000 && exec btfenc --btf_diff large1.btf large2.btf) >out/stdout 2>out/stderr
	STATUS=$? RAN="btfenc --btf_diff of too much"
	trouble "out of memory"
fi

# --- usage
table usage_error <<\END
--btf_diff a.btf | '--btf_diff' takes two files, not 1
--btf_diff a.btf a.btf a.btf | '--btf_diff' takes two files, not 3
--btf_diff | no input file
--btf_diff -J a.btf a.btf | '--btf_diff' and '-J' cannot be combined
--btf_diff=some a.btf a.btf | --btf_diff: 'some' is not one of all, changed, core
--btf_diff -s a.btf a.btf | '--btf_diff' and '-s' cannot be combined
--btf_diff -C list -H 1 a.btf a.btf | '--btf_diff' and '-H' cannot be combined
END
exit 0
