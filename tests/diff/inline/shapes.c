/* SPDX-License-Identifier: GPL-2.0-only */
/* shapes.c - unusual parameters of inlined functions, and unusual places for them */
#define INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

long use(long x);
long use_pointer(const void *p);
extern char outside[], weak[] __attribute__((weak));
static long table[64];
static __thread long of_thread;
volatile long source;

/* sizes from 0 to more than 16 bytes */
struct none {
};
struct three {
	char c[3];
};
struct twelve {
	int i[3];
};
struct sixteen {
	long a, b;
};
struct seventeen {
	char c[17];
};
union either {
	long l;
	double d;
};
INLINE long sizes(struct none n, struct three t, struct twelve w, struct sixteen s,
		  struct seventeen v, union either e)
{
	use(t.c[1] + w.i[2] + s.a + v.c[16]);
	use((long)sizeof(n) + e.l);
	return use(t.c[0] + w.i[1] + s.b + v.c[1] + e.l);
}

NOINLINE long call_sizes(struct three *t, struct twelve w, struct sixteen s, struct seventeen v,
			 union either e)
{
	struct none n;
	return sizes(n, *t, w, s, v, e) +
	       sizes(n, *t, w, (struct sixteen){ s.b, source }, v, (union either){ 3 });
}

/* constants at the ends of each type, and their signs */
enum negative { MINUS = -1, ZERO };
enum large { LARGE = 0x80000000u };
enum huge { HUGE = 0x123456789aLL };
INLINE long constants(signed char a, unsigned char b, short c, unsigned short d, int e, unsigned f,
		      long long g, unsigned long long h, _Bool i, enum negative j, enum large k,
		      enum huge l)
{
	use(a + b + c + d + e);
	use(f + i + j + k);
	return use((long)(g + h + l));
}

NOINLINE long call_constants(void)
{
	constants(-1, 255, -1, 65535, -1, 0xffffffffu, -1, ~0ULL, 1, MINUS, LARGE, HUGE);
	constants(-128, 128, -32768, 32768, -2147483647 - 1, 0x80000000u, 1LL << 63, 1ULL << 63, 0,
		  ZERO, 0, 0);
	return constants(127, 1, 32767, 1, 2147483647, 1, 0x7fffffffffffffffLL, 0x100000000ULL, 1,
			 ZERO, LARGE, HUGE);
}

INLINE long reals(float f, double d, long double l, _Complex float c)
{
	use((long)f + (long)d);
	return use((long)l + (long)__real__ c) + use((long)(f + d));
}

NOINLINE long call_reals(float f, double d, long double l)
{
	return reals(f, d, l, 1.0f) + reals(1.5f, -2.5, 3.0L, f) + reals((float)source, d, l, 2.0f);
}

/* addresses, and values that are a register plus an offset */
INLINE long pointers(const void *p, long *q, const char *text)
{
	use_pointer(p);
	use(*q);
	return use_pointer(text) + use_pointer(p) + use_pointer(q);
}

NOINLINE long call_pointers(char *p, long *q)
{
	long on_stack[4] = { 1, source, 3, 4 };

	pointers(outside + 3, table, "text");
	pointers(weak, table + 9, 0);
	pointers(&of_thread, &of_thread, (char *)16);
	pointers(p + 8, q - 1, p);
	pointers(on_stack, on_stack + 2, (char *)on_stack + 1);
	use_pointer(on_stack);
	return pointers((void *)call_constants, q, p + source);
}

INLINE long far(unsigned long a)
{
	use((long)a);
	return use((long)a);
}

NOINLINE long call_far(unsigned long x)
{
	far(x + 0x7fffffff);
	far(x + 0x80000000);
	far(x - 0x80000000);
	far(x - 0x80000001);
	return far(x + (1ULL << 40 & ~0UL)) + far(x * 8 + 1) + far((unsigned)x) +
	       far((unsigned char)x);
}

INLINE long narrow(int a, short b, unsigned char c)
{
	use(a + b + c);
	return use(a) + use(b) + use(c);
}

NOINLINE long call_narrow(long a, unsigned long b, long *p)
{
	return narrow((int)a, (short)b, (unsigned char)a) +
	       narrow((int)*p, (short)p[1], (unsigned char)p[2]) + use(a + b);
}

/* the list of parameters */
INLINE long variadic(int a, ...)
{
	return use(a) + use(a);
}

INLINE long without_prototype(a, b)
int a;
char *b;
{
	return use(a) + use_pointer(b) + use_pointer(b);
}

INLINE long nothing(void)
{
	return use(source);
}

INLINE long unused(int a, int b, int c)
{
	return use(b) + use(b);
}

NOINLINE long call_lists(int a, char *p)
{
	return variadic(a) + without_prototype(a, p) + nothing() + unused(a, a + 1, 7) +
	       unused(1, a, (int)source);
}

/* functions that are empty where they are inlined, several at one address, and one in itself */
INLINE void empty(int a)
{
	(void)a;
}
INLINE void nest(int a)
{
	empty(a);
	empty(a + 1);
}

INLINE long outer(int a, long *p)
{
	nest(a);
	return p[0] + use(*p) + use(a);
}

static inline long again(int n, long x)
{
	if (n <= 0)
		return use(x);
	return again(n - 1, x + 1) + use(x);
}

NOINLINE long call_nested(int a, long *p)
{
	nest(a);
	return outer(a, p) + again(3, a) + outer(5, p + 1);
}

/* other sections, cold paths, and frames of variable size */
#define SECTION(x) __attribute__((section(x)))
NOINLINE SECTION(".init.text") long call_init(int a, char *p)
{
	return variadic(a) + far((unsigned long)p);
}
NOINLINE SECTION(".text.other") long call_other(int a, char *p)
{
	return unused(a, a, 1) + pointers(p, table, p);
}
NOINLINE __attribute__((cold)) long call_cold(int a)
{
	return unused(a, a, 2);
}

NOINLINE long call_unlikely(int a, long *p)
{
	if (__builtin_expect(a == 77, 0))
		return outer(a, p) + call_cold(a);
	return use(a) + outer(a + 1, p);
}

NOINLINE long call_alloca(int n, long *q)
{
	char *p = __builtin_alloca(n);

	use_pointer(p);
	return pointers(p, q, p + 1) + pointers(&n, q, p + n);
}

/* parameters that change before the function calls another one */
INLINE long changes(int a, long *p)
{
	a++;
	use(a);
	p += a;
	return use(*p) + use(a);
}

NOINLINE long call_changes(int a, long *p)
{
	for (int i = 0; i < a; i++)
		changes(i, p + i);
	return changes(a, p);
}

#ifndef __clang__
NOINLINE long call_inner(int a)
{
	inline __attribute__((always_inline)) long inner(int x)
	{
		return use(x) + use(x + a);
	}
	return inner(a) + inner(3);
}
#endif
