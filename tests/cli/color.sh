#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --color: a terminal that has colours gets them, and the text is the same without them

. "${0%/*}/../lib/testlib.sh"

need gcc python3
unset NO_COLOR
export TERM=xterm
"$TOOLS/onterm.py" screen true 2>err || {
	grep -q '^a terminal: ' err && skip "no terminals here: $(cat err)"
	fail "$(cat err)"
}

gcc_c shapes.o <"$SRCDIR/tests/lib/shapes.c"
btfenc --btf_features=default --btf_encode_detached=shapes.btf shapes.o || fail "cannot encode"
gcc_c holes.o <<\END
struct inner { int a; char b; };
struct holes { char a; long b; struct inner c; long d[8]; };
enum state { OFF, ON };
typedef struct { int raw; } lock;
struct torn { char a; long b; char c; short d; };
struct holes h;
struct torn t;
enum state s;
lock l;
END
echo 'int moved(double d, int x) { return x; }' | gcc_c lost.o -O1
echo 'struct task { char *name; int pid, old; } t; struct gone { int a; } g; struct one { int a, b; } o; long l;' | gcc_c old.o
echo 'struct task { char *name; long pid, fresh; } t; struct fresh { int a; } g; struct one { int a; } o; long l;' | gcc_c new.o
for name in old new; do
	btfenc --btf_encode_detached=$name.btf $name.o || fail "cannot encode"
done

# without_colors: standard input, without what sets colours
without_colors()
{
	sed "s/$(printf '\033')\[[0-9]*m//g"
}

# colored FILE: it has colours
colored()
{
	grep -q "$(printf '\033')" "$1"
}

# same_text OPTION...: with colours and without it is the same text, and without --color it has none
same_text()
{
	btfenc "$@" >plain 2>err || [ $? = 1 ] || fail "$*: $(cat err)"
	colored plain && fail "$*: colours in a file"
	btfenc --color=auto "$@" >auto 2>err
	cmp plain auto || fail "$*: --color=auto is not the default"
	btfenc --color=always "$@" >always 2>err
	colored always || fail "$*: no colours"
	without_colors <always | cmp plain - || fail "$*: another text"
}

for style in "" -E "-E --hex" --compile "-a -A" --unions; do
	same_text -c 64 $style shapes.btf
done
same_text -c 64 -C struct\ holes,state,lock,inner holes.o
for steps in "" -V -S; do
	same_text -c 64 -R $steps -C torn holes.o
done
same_text --explain=holes,state,absent holes.o
same_text --compat=1.32 --explain lost.o
same_text --btf_diff old.btf new.btf
# what is JSON has none
for json in --json\ -C\ holes --json\ --explain=holes --json\ --btf_stats\ shapes.btf --btf_report=- --btf_header\ shapes.btf; do
	case $json in
	*btf) btfenc --color=always $json ;;
	*) btfenc --color=always $json holes.o ;;
	esac >always || fail "$json failed"
	colored always && fail "$json has colours"
done

# --- what has which colour: names bold, comments faint, holes yellow
run_ok btfenc --color=always -c 64 -C holes,state holes.o
tr '\033' '^' <out/stdout >shown
expect_same ../shown <<\END
^[1mstruct holes^[m {
	char                       a;                    ^[2m/*     0     1 */^[m

	^[33m/* XXX 7 bytes hole, try to pack */^[m

	long int                   b;                    ^[2m/*     8     8 */^[m
	struct inner               c;                    ^[2m/*    16     8 */^[m

	^[33m/* XXX last struct has 3 bytes of padding */^[m

	long int                   d[8];                 ^[2m/*    24    64 */^[m

	^[2m/* size: 88, cachelines: 2, members: 4 */^[m
	^[2m/* sum members: 81, holes: 1, sum holes: 7 */^[m
	^[2m/* paddings: 1, sum paddings: 3 */^[m
	^[2m/* last cacheline: 24 bytes */^[m
};

^[1menum state^[m {
	OFF = 0,
	ON  = 1,
};

END

# names bold, what is there green, what is lost red
run_ok btfenc --color=always --compat=1.32 --btf_features=default --explain=moved,state holes.o lost.o
tr '\033' '^' <out/stdout | sed 's/ at .*//' >shown
expect_same ../shown <<\END
^[1mholes.o and 1 more file: 'moved'^[m
  ^[31mfunc_unexpected_register: left out: ^[mthe DWARF has a parameter in another register than the calling convention
    in lost.c
    prototype: int (double d, int x)
^[1mholes.o and 1 more file: 'state'^[m
  in the generated BTF: ^[32mENUM^[m
END
run_ok btfenc --color=always --compat=1.32 --btf_features=default --explain lost.o
tr '\033' '^' <out/stdout >shown
expect_same ../shown <<\END
^[1mlost.o:^[m
      1 ^[31mleft out func_unexpected_register^[m: the DWARF has a parameter in another register than the calling convention
    moved
      1 in all, losses: 1 (functions: 1), no loss: 0
END

# of differences, too: what is gone red, what is new green, what changed yellow
run_status 1 btfenc --color=always --btf_diff old.btf new.btf
sed '1,/^$/d' out/stdout | tr '\033' '^' >shown
expect_same ../shown <<\END
^[32monly in B: struct fresh^[m
^[31monly in A: struct gone^[m
^[31mstruct one.b: gone (int); size 4 bytes, was 8^[m
^[1mstruct task: size 24 bytes, was 16^[m
^[31m  old: gone (int)^[m
^[33m  pid: long int, was int^[m
^[32m  fresh: new (long int)^[m
END

# --- who gets them
cat >show <<\END
exec btfenc -C holes "$@" holes.o
END
# on_terminal OPTION...: what a terminal gets, in "screen"
on_terminal()
{
	"$TOOLS/onterm.py" -o screen sh show "$@" || fail "$*: $(cat screen)"
}
btfenc -C holes holes.o >plain
on_terminal
colored screen || fail "a terminal gets no colours"
without_colors <screen | cmp plain - || fail "a terminal gets another text"
"$TOOLS/onterm.py" -o -w 20 narrow sh show
cmp screen narrow || fail "a narrow terminal gets another text"
on_terminal --color=never
cmp plain screen || fail "--color=never"
for off in NO_COLOR=1 TERM=dumb TERM=; do
	env $off "$TOOLS/onterm.py" -o screen sh show
	cmp plain screen || fail "colours with $off"
	env $off "$TOOLS/onterm.py" -o screen sh show --color=always
	colored screen || fail "no colours with $off and --color=always"
done
env -u TERM "$TOOLS/onterm.py" -o screen sh show
cmp plain screen || fail "colours without TERM"
env NO_COLOR= "$TOOLS/onterm.py" -o screen sh show
colored screen || fail "an empty NO_COLOR counts"
# only standard error is a terminal
"$TOOLS/onterm.py" screen sh show >out/stdout
cmp plain out/stdout || fail "colours in a file"
# the last one counts
run_ok btfenc --color=always --color=never -C holes holes.o
cmp plain out/stdout || fail "the last --color does not count"

table usage_error <<\END
--color=sometimes holes.o | --color: 'sometimes' is neither auto, always nor never
--color= holes.o | --color: '' is neither auto, always nor never
END
exit 0
