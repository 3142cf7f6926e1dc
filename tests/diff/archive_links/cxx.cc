// SPDX-License-Identifier: GPL-2.0-only
// cxx.cc - compiled as units 1 and 2: namespaces, templates, and definitions that both units have
#include "shared.h"

namespace {
int counter = UNIT;
struct hidden { int OWN(field); } hidden_var = { UNIT };
NOINLINE int unnamed(shared *s) { return s->a + counter++; }
}

namespace outer {
inline namespace v1 {
int OWN(var) = 2;
static long local = 3;
NOINLINE int OWN(func)(shared *s) { return s->a + local++; }
}
}

struct empty_class {};
empty_class OWN(empty_var);
inline int inline_var = 5;
inline thread_local int inline_thread = 6;
inline NOINLINE int comdat(shared *OWN(argument)) { return OWN(argument)->rows[0][1] + inline_var; }

template <class T> struct box {
	T value;
	static T zero;
	NOINLINE T get(int by) { return value + by + zero; }
};
template <class T> T box<T>::zero = 0;
template <class T> NOINLINE T twice(T t) { return t + t; }

struct OWN(base) {
	virtual int method(shared *s) { return s->a; }
	static int shared_by_all;
	int own = 1;
};
int OWN(base)::shared_by_all = 4;
struct OWN(derived) : OWN(base) {
	int method(shared *s) override;
	OWN(derived)() { own = 2; }
};
int OWN(derived)::method(shared *s) { return s->b + own; }

extern "C" int OWN(cxx)(shared *s)
{
	static box<long> in_function = { 3 };
	OWN(derived) d;
	OWN(base) *b = &d;
	box<int> i = { s->a };
	auto lambda = [s](int n) { return s->rows[0][n]; };

	return outer::OWN(func)(s) + outer::OWN(var) + unnamed(s) + hidden_var.OWN(field) + comdat(s) +
	       inline_thread++ + i.get(1) + in_function.get(2) + twice(s->a) + twice((char)s->a) +
	       twice(1L * UNIT) + b->method(s) + lambda(1) + OWN(base)::shared_by_all;
}
