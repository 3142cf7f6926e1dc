/* what pahole 1.31 gives up on: an atomic is a modifier that leaves no trace, a complex number an integer */
_Atomic int a;
_Complex float c;
struct s {
	_Atomic long l;
} s;
__attribute__((section(".data..percpu"))) _Complex double percpu;
