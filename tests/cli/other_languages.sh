#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Structs of other languages have the members, offsets and sizes that their programs print. What BTF cannot express is
# left out with a warning. At a level of pahole nothing changes.
#
# Each program prints lines "STRUCT MEMBER OFFSET SIZE".

. "${0%/*}/../lib/testlib.sh"

need python3

# layout BTF: read the lines of a program, and compare each with the BTF
cat >layout.py <<'END'
import re, subprocess, sys
field = re.compile(r"(\w+)(?:\)\(.*\)|(?:\[\d*\])*)(?: __attribute__\(\(__aligned__\(\d+\)\)\))?;\s*/\*\s*(\d+)\s+(\d+) \*/")
seen = {}
nr = 0
for line in sys.stdin:
    struct, member, offset, size = line.split()
    if struct not in seen:
        text = subprocess.run(["btfenc", "-C", struct, sys.argv[1]], capture_output=True, text=True, check=True).stdout
        seen[struct] = {m[1]: (m[2], m[3]) for m in field.finditer(text)}
    if seen[struct].get(member) != (offset, size):
        sys.exit(f"{struct}.{member} is at {offset} and has {size} bytes, and the BTF has {seen[struct].get(member)}")
    nr += 1
if not nr:
    sys.exit("the program prints nothing")
END

# check LANGUAGE PROGRAM: the BTF of the program has what it prints
check()
{
	tried="$tried $1"
	./"$2" >out/layout || fail "$2 fails"
	run_ok btfenc --btf_features=default,global_var --btf_report=report.json --btf_encode_detached=a.btf "$2"
	mv out/stderr out/warnings
	python3 layout.py a.btf <out/layout || fail "$1: a member is wrong"
	if [ "${3:-}" = any-name ]; then
		btfenc --btf_check a.btf >out/errors
		grep -v 'the name is not an identifier' out/errors && fail "$1: the kernel refuses more than the names"
	else
		run_silent btfenc --btf_check a.btf
	fi
	# pahole's bytes are another choice
	run_ok btfenc --compat=1.32 --btf_features=default,global_var --btf_encode_detached=pahole.btf "$2"
	cmp -s a.btf pahole.btf && fail "$1: the default is what pahole writes"
}

# left_out TEXT: a warning says so
left_out()
{
	grep -qF "$1" out/warnings || fail "no warning says: $1: $(cat out/warnings)"
}

tried=
cat >fortran.f90 <<'END'
module m
  type :: t
    integer(4) :: x(5:7)
    integer(2) :: y(0:3, -1:1)
    real(8) :: z(4)
    complex(8) :: c(2)
    character(len=5) :: name
    real, allocatable :: al(:)
    complex(10) :: c10
    integer :: last
  end type
  type(t), target :: g
end module
program p
  use m
  call o('x', loc(g%x), int(sizeof(g%x)))
  call o('y', loc(g%y), int(sizeof(g%y)))
  call o('z', loc(g%z), int(sizeof(g%z)))
  call o('c', loc(g%c), int(sizeof(g%c)))
  call o('name', loc(g%name), 5)
  call o('c10', loc(g%c10), int(sizeof(g%c10)))
  call o('last', loc(g%last), 4)
contains
  subroutine o(n, a, s)
    character(len=*) :: n
    integer(8) :: a
    integer :: s
    print *, 't ', n, a - loc(g), s
  end subroutine
end program
END
if command -v gfortran >/dev/null && gfortran -g fortran.f90 -o fortran; then
	check Fortran fortran
	left_out "struct 't', member 'al' at bit "
	run_ok btfenc -V --btf_encode_detached=a.btf fortran
	expect_in stderr "complex 'complex(kind=10)' of 32 bytes: BTF has no such type, so it becomes a struct of this size"
	grep -q '"rule":"type_only_size"' report.json || fail "the report lacks the complex number"
	grep -q '"rule":"member_elsewhere"' report.json || fail "the report lacks the allocatable array"
	# the first index varies fastest
	btfenc -C t a.btf | grep -q 'y\[3\]\[4\];' || fail "the dimensions of Fortran are not in the order of C"
fi

cat >ada.adb <<'END'
with Ada.Text_IO; use Ada.Text_IO;
procedure Ada is
   type Color is (Red, Green, Blue);
   for Color use (Red => 1, Green => 5, Blue => 200);
   type Neg is range -128 .. -120;
   type Vec is array (Neg) of Short_Integer;
   type By_Color is array (Color) of Integer;
   type Mat is array (2 .. 3, -1 .. 1) of Short_Integer;
   type Flags is array (1 .. 12) of Boolean;
   pragma Pack (Flags);
   type Packed is record A : Boolean; F : Flags; C : Color; end record;
   pragma Pack (Packed);
   type Shape (Kind : Color := Red) is record
      Id : Short_Integer;
      case Kind is
         when Red => R : Float; R2 : Character;
         when Green => N : Long_Integer;
         when others => null;
      end case;
   end record;
   type T is record
      V : Vec; BC : By_Color; M : Mat; F : Flags; X : Long_Long_Float; Sh : Shape; S : String (3 .. 9); Last : Character;
   end record;
   G : T; P : Packed; S : Shape;
   procedure Put (N : String; Off, Size : Integer) is
   begin
      Put_Line (N & Off'Image & Size'Image);
   end Put;
begin
   P.A := True; S.Id := 1;
   Put ("ada__t v", G.V'Position, G.V'Size / 8); Put ("ada__t bc", G.BC'Position, G.BC'Size / 8);
   Put ("ada__t m", G.M'Position, G.M'Size / 8); Put ("ada__t f", G.F'Position, G.F'Size / 8);
   Put ("ada__t x", G.X'Position, G.X'Size / 8); Put ("ada__t sh", G.Sh'Position, G.Sh'Size / 8);
   Put ("ada__t s", G.S'Position, G.S'Size / 8); Put ("ada__t last", G.Last'Position, 1);
   Put ("ada__shape kind", S.Kind'Position, 1); Put ("ada__shape id", S.Id'Position, 2);
   Put ("ada__shape r", S.R'Position, 4); Put ("ada__shape r2", S.R2'Position, 1);
end Ada;
END
sed -i 's/\<Ada is$/Prog is/; s/^end Ada;/end Prog;/; s/ada__/prog__/g' ada.adb && mv ada.adb prog.adb
if command -v gnatmake >/dev/null && gnatmake -q -g prog.adb -o ada 2>gnat.err; then
	check Ada ada
	left_out "struct 'prog__packed', member 'f' at bit 9: left out"
	grep -q '"name":"prog__flags","keyword":"array"' report.json || fail "the report lacks the packed array"
	grep -q '"rule":"member_bits"' report.json || fail "the report lacks the packed bits"
	run_ok btfenc -C prog__shape a.btf
	expect_in stdout 'long_integer n; .* 8 *8 '
	cat >dynamic.adb <<'END'
procedure Dynamic is
   type T (N : Integer) is record A : String (1 .. N); B : String (1 .. N); end record;
   X : T (3);
begin
   X.B (1) := 'x';
   if X.B (1) /= 'x' then raise Program_Error; end if;
end Dynamic;
END
	gnatmake -q -g dynamic.adb 2>gnat.err || fail "gnat failed"
	run_ok btfenc --btf_report=report.json --btf_encode_detached=a.btf dynamic
	mv out/stderr out/warnings
	left_out "member 'b': left out, its place is not constant"
	grep -q '"rule":"member_no_place"' report.json || fail "the report lacks the member without a place"
fi

cat >pascal.pas <<'END'
program pascal;
type
  color = (red, green, blue);
  sub = -3..4;
  vr = record k: byte; case color of red: (r: single; c: char); green: (n: int64); end;
  pk = bitpacked record a: 0..1; f: bitpacked array[1..12] of boolean; end;
  t = record
    x: array[5..7] of longint; y: array[sub, color] of smallint; e: extended; st: set of byte; ss: set of color;
    an: ansistring; tx: text; pr: procedure(a: integer); v: vr; p: pk; last: byte;
  end;
var g: t;
procedure o(n: string; p, base: pointer; s: sizeint);
begin
  writeln(n, ' ', ptruint(p) - ptruint(base), ' ', s);
end;
begin
  o('T x', @g.x, @g, sizeof(g.x)); o('T y', @g.y, @g, sizeof(g.y)); o('T e', @g.e, @g, sizeof(g.e));
  o('T st', @g.st, @g, sizeof(g.st)); o('T ss', @g.ss, @g, sizeof(g.ss)); o('T tx', @g.tx, @g, sizeof(g.tx));
  o('T pr', @g.pr, @g, sizeof(g.pr)); o('T v', @g.v, @g, sizeof(g.v)); o('T p', @g.p, @g, sizeof(g.p));
  o('T last', @g.last, @g, 1);
  o('VR k', @g.v.k, @g.v, 1); o('VR r', @g.v.r, @g.v, 4); o('VR c', @g.v.c, @g.v, 1); o('VR n', @g.v.n, @g.v, 8);
end.
END
if command -v fpc >/dev/null && fpc -g -gw3 pascal.pas >fpc.out; then
	check Pascal pascal any-name
	left_out "struct 'T', member 'an' at bit "
	left_out "struct 'PK', member 'f' at bit "
	grep -q '"name":"Extended","keyword":"float"' report.json || fail "the report lacks the float"
	grep -q '"keyword":"set".*"bytes":32' report.json || fail "the report lacks the set"
	grep -q '"rule":"member_outside"' report.json || fail "the report lacks the packed array"
fi

cat >z.rs <<'END'
#![allow(dead_code)]
use std::mem::{offset_of, size_of};
#[repr(C)] pub struct Wrap { a: u16, unit: (), b: u16, n: Never, arr: [u64; 0], p: std::marker::PhantomData<u64> }
pub enum Never {}
static W: (u8, ()) = (3, ());
#[no_mangle] #[inline(never)] pub extern "C" fn take(w: *const Wrap, n: fn() -> !) -> usize { w as usize + n as usize }
fn never() -> ! { loop {} }
fn main() {
    std::hint::black_box(take(std::ptr::null(), never) + W.0 as usize);
    println!("Wrap a {} 2\nWrap unit {} {}\nWrap b {} 2\nWrap arr {} 0\nWrap p {} 0", offset_of!(Wrap, a),
             offset_of!(Wrap, unit), size_of::<()>(), offset_of!(Wrap, b), offset_of!(Wrap, arr), offset_of!(Wrap, p));
}
END
if command -v rustc >/dev/null && rustc -g --edition=2021 z.rs -o rust 2>rustc.err; then
	check Rust rust any-name
	run_ok grep -c . out/layout
	[ -s out/warnings ] && grep -F "'()'" out/warnings && fail "the unit type is no loss"
fi

cat >g.go <<'END'
package main

import "unsafe"

type Fn func(int) string
type S struct {
	F func(a int) string
	N Fn
	Z struct{}
	Last byte
}

var G S
var Call = func() {}

func main() {
	println("main.S F", unsafe.Offsetof(G.F), unsafe.Sizeof(G.F))
	println("main.S N", unsafe.Offsetof(G.N), unsafe.Sizeof(G.N))
	println("main.S Last", unsafe.Offsetof(G.Last), unsafe.Sizeof(G.Last))
	use(&G)
	Call()
}

//go:noinline
func use(s *S) { s.Last = 1 }
END
if command -v go >/dev/null && HOME=$SCRATCH GOFLAGS=-buildvcs=false go build -o go.prog g.go 2>go.err; then
	printf '#!/bin/sh\nexec ./go.prog 2>&1\n' >go.sh
	./go.prog 2>out/layout
	tried="$tried Go"
	run_ok btfenc --btf_features=default,global_var --btf_encode_detached=a.btf go.prog
	python3 layout.py a.btf <out/layout || fail "Go: a member is wrong"
	btfenc --btf_check a.btf >out/errors
	grep 'its type has no size' out/errors && fail "Go: a function has no size"
fi

[ -n "$tried" ] || skip "there is no compiler of another language"
echo "tried:$tried"
exit 0
