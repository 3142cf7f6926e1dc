/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shapes.c - structs of every shape that a layout can have, for the tests of printing
 *
 * No floating point: pahole 1.31 prints "single double" from BTF.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum plain { PLAIN_A, PLAIN_BB = 7, PLAIN_CCC = -3 };
enum wide { WIDE_A = 0x100000000ull, WIDE_B = 1 };
enum __attribute__((packed)) small { SMALL_A, SMALL_B };

struct list {
	struct list *next, *prev;
};

struct holes {
	char a;
	int b;
	char c;
	long d;
	short e;
};

struct bits {
	unsigned int a : 3;
	unsigned int b : 7;
	unsigned int : 0;
	unsigned int c : 5;
	unsigned char d;
	unsigned long e : 33;
	bool f : 1;
	int g : 1, : 4, h : 2;
	enum plain i : 4;
};

struct __attribute__((packed)) tight {
	char a;
	long b;
	int c : 5;
	int d : 30;
	short e;
};

struct __attribute__((packed)) tight_odd {
	char a;
	int b;
};

struct aligned {
	char a;
	char b __attribute__((aligned(32)));
	long c[4];
	int d __attribute__((aligned(64)));
};

struct flexible {
	int nr;
	struct list items[];
};

struct embeds {
	struct flexible inner;
	struct {
		int x;
	} last;
};

struct only_array {
	int items[0];
};

struct lines {
	char head[60];
	int before;
	char straddles[70];
	struct holes inner;
	struct bits more;
	struct tight_odd odd;
	struct aligned far;
};

union several {
	int a;
	long b;
	char c[16];
	struct {
		short d;
		long e;
	};
	struct holes f;
	union {
		int g;
		char h;
	} i;
};

typedef int (*callback)(struct list *, const char *name, ...);
typedef struct {
	int a;
	char b;
} nameless;
typedef union {
	int a;
	char b;
} nameless_union;
typedef enum { NAMELESS_A, NAMELESS_B } nameless_enum;
typedef int numbers[4];
typedef void nothing(void);
typedef struct list *list_ptr;
typedef const volatile unsigned char byte;

struct declared;

struct spelled {
	void *a;
	const void *b;
	void *const c;
	const char *const *d;
	char **e;
	const char *const f;
	volatile int g;
	int *restrict h;
	byte i;
	callback j;
	int (*k)(void);
	int (*l[3])(struct declared *, int (*)(long), numbers);
	nothing *m;
	struct declared *n;
	struct {
		int x, y;
	} * o, p, q[2];
	enum { HERE_A, HERE_B } r;
	union {
		long s;
		struct {
			int t, u;
		};
	};
	const struct {
		int v;
	} w;
	const enum plain x;
	enum small y;
	nameless z;
	nameless_union aa;
	nameless_enum ab;
	numbers ac;
	int ad[4];
	int ae[2][3];
	list_ptr af;
	const int ag[0];
	struct list ah;
	va_list *ai;
	enum wide aj;
};

struct nothing_in_it {
};

struct outer {
	int a;
	struct middle {
		int b;
		union {
			struct {
				struct {
					struct {
						char deep;
						long deeper;
					} e;
				} d;
			} c;
			int f;
		};
	} g;
	struct list h;
};

enum wide use_enum;
struct holes use_holes;
struct bits use_bits;
struct tight use_tight;
struct aligned use_aligned;
struct embeds use_embeds;
struct only_array use_only_array;
struct lines use_lines;
union several use_several;
struct spelled use_spelled;
struct nothing_in_it use_nothing;
struct outer use_outer;
