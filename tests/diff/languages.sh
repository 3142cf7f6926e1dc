#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# programs in other languages than C: whole programs of the compilers that are there
#
# Nothing aborts; what the C of a program says is there beside all else, and Ada and Fortran obey
# the kernel's rules. Names of C++ and Rust need not: they stay as they are.

. "${0%/*}/../lib/testlib.sh"

need gcc python3

cat >c.c <<-END
struct in_c { int x; _Atomic long y; };
int c_function(struct in_c *p) { return p->x; }
END
mkdir ada
cat >ada/prog.adb <<-END
procedure Prog is
   type Color is (Red, Green, Blue);
   type Small is range 1 .. 100;
   type Vec is array (Integer range <>) of Float;
   type Shape (Kind : Color := Red) is record
      Id : Small;
      case Kind is
         when Red => R : Float;
         when others => N : Integer;
      end case;
   end record;
   type Bits is record A : Boolean; B : Color; end record;
   pragma Pack (Bits);
   function C_Function (P : access Integer) return Integer;
   pragma Import (C, C_Function, "c_function");
   I : aliased Integer := 3; S : Shape; V : Vec (1 .. I); B : Bits;
begin
   S := (Green, 3, C_Function (I'Access)); V (1) := 1.0; B := (True, Blue);
   if S.N > 3 or V (1) > 2.0 or B.A then raise Program_Error; end if;
end Prog;
END
cat >prog.f90 <<-END
module m
  type :: point
    real :: x
    integer, dimension(:), allocatable :: a
    character(len=8) :: name
  end type
  type, extends(point) :: more
    complex :: c
  end type
contains
  subroutine s(p, n, str)
    type(more), intent(inout) :: p
    integer :: n
    character(len=*) :: str
    real :: arr(n, 3)
    arr = 1.0
    p%x = sum(arr) + len(str)
  end subroutine
end module
program main
  use m
  type(more) :: p
  call s(p, 4, "hi")
end program
END
cat >prog.cc <<-END
#include <functional>
#include <map>
#include <memory>
#include <string>
struct A { virtual ~A() {} int x; int A::*pm = &A::x; int (A::*pf)() = &A::m; int m() { return x; } };
struct B : virtual A { decltype(nullptr) n = nullptr; A &r; A &&rr; B(A &a) : r(a), rr(std::move(a)) {} };
std::map<std::string, std::unique_ptr<A>> table;
std::function<int(int)> call;
char16_t c16; __int128 big;
struct in_c;
extern "C" int c_function(in_c *p);
int main() { A a; B b(a); return c_function(nullptr) + call(3) + table.size() + b.x; }
END
cat >prog.rs <<-END
use std::collections::HashMap;
pub enum Shape { Circle(f64), Rect { w: u32, h: u64 }, Unit }
#[repr(C)] pub union U { a: u32, b: [u8; 4] }
pub fn area(s: &Shape, u: U) -> f64 {
    match s { Shape::Circle(r) => *r, Shape::Rect { w, h } => (*w as u64 * h) as f64, Shape::Unit => unsafe { u.a as f64 } }
}
fn main() {
    let mut m: HashMap<String, Shape> = HashMap::new();
    m.insert("a".into(), Shape::Rect { w: 1, h: 2 });
    println!("{} {}", m.len(), area(&Shape::Circle(1.0), U { a: 1 }));
}
END
printf '\t.text\n\t.globl asmf\n\t.type asmf,@function\nasmf:\tret\n\t.size asmf,.-asmf\n' >asm.s

# encode FILE: and show it
encode()
{
	seen="$seen $1"
	run_ok btfenc --btf_features=default,global_var --btf_encode_detached=out.btf "$1"
	if [ "${2:-}" = clean ]; then
		run_ok btfenc --btf_check out.btf
	fi
	run_ok "$TOOLS/btfdump.py" out.btf
}

seen=
for version in 4 5; do
	gcc -g -gdwarf-$version -c c.c asm.s || fail "gcc failed"
	gcc -nostdlib -r -o both c.o asm.o || fail "gcc does not link"
	encode both clean
	expect_in stdout asmf
	expect_in stdout "struct in_c "
	if command -v gnatmake >/dev/null; then
		(cd ada && gnatmake -q -f -g -gdwarf-$version prog.adb -largs ../c.o) || fail "gnat failed"
		encode ada/prog clean
		expect_in stdout "struct in_c "
		expect_in stdout "prog__small"
	fi
	if command -v gfortran >/dev/null; then
		gfortran -g -gdwarf-$version prog.f90 c.o -o fortran || fail "gfortran failed"
		encode fortran clean
		expect_in stdout "struct in_c "
		expect_in stdout "struct more "
	fi
	for compiler in g++ clang++; do
		command -v $compiler >/dev/null || continue
		$compiler -g -gdwarf-$version -o $compiler.prog prog.cc c.o || fail "$compiler failed"
		encode $compiler.prog
		expect_in stdout "struct in_c "
		expect_in stdout "struct B "
	done
done
if command -v rustc >/dev/null && rustc -g -C link-arg=c.o prog.rs -o rust 2>/dev/null; then
	encode rust
	expect_in stdout "struct in_c "
	expect_in stdout "struct Shape "
fi
echo "encoded:$seen"
exit 0
