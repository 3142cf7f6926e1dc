/* SPDX-License-Identifier: GPL-2.0-only */
/* unit.c - compiled as units 1 to 4: the same names for other functions, variables and types */
#include "shared.h"

#if UNIT == 3
typedef long value;
#else
typedef int value;
#endif
#if UNIT % 2 == 0
struct part {
	int x, y;
}; /* a declaration in the other units */
#endif
struct twice {
	value v;
	struct twice *next;
}; /* another struct in unit 3 */

/* --- variables: static, local, weak, common, hidden, in sections of their own ---------------- */

static int counter = UNIT;
static value zeroed;
static const value constant[UNIT] = { UNIT };
static struct twice unused_except_in_dwarf; /* no symbol */
static value table[UNIT] SECTION(".data.table") = { UNIT };
WEAK struct shared weak_var = { UNIT };
HIDDEN value OWN(hidden_var) = 7;
PROTECTED struct twice OWN(protected_var) = { UNIT };
#ifdef __PIC__
#define COMMON WEAK /* -fno-common, and no copies */
#else
#define COMMON
#endif
COMMON int common_var;
COMMON char common_array[8 * UNIT]; /* the largest one counts */
struct twice *OWN(plain_var) = &OWN(protected_var);
int OWN(zero_length)[0] = {};
static struct nothing {
} empty;
/* sizes that BTF does not have: DWARF counts 0 bytes here, and 24 or 32 there */
struct unnamed_bits {
	char : 5;
} OWN(unnamed_bits);
_Complex long double OWN(complex_var);
SECTION(".data..percpu") int OWN(on_cpu) = UNIT;
static SECTION(".data..percpu..read_mostly") value cpu_local = UNIT;
_Thread_local value OWN(thread_var) = UNIT;
static _Thread_local int thread_local_counter;
SECTION(".data.dropped") int OWN(dropped_var) = UNIT; /* rows with /DISCARD/ */
static SECTION(".bss.unreachable") long unreachable_var;

#if UNIT == 3
struct shared strong_var = { 3 };
#else
WEAK struct shared strong_var = { UNIT };
#endif

/* clang makes a byte of the first one, and separate variables of the array */
static int ready;
static char after_ready;
static int *parts[2];

value OWN(get_ready)(int set)
{
	if (set)
		ready = 1;
	after_ready += set;
	return ready + after_ready;
}

int *OWN(get_part)(int i)
{
	return i ? parts[0] : parts[1];
}

void *OWN(get_nothing)(int i)
{
	return i ? (void *)OWN(zero_length) : (void *)&empty;
}

void OWN(set_parts)(int *a, int *b)
{
	parts[0] = a;
	parts[1] = b;
}

/* --- functions: static with equal and different prototypes, weak and strong, parts ------------ */

static NOINLINE value same_prototype(struct shared *s, int of_unit)
{
	static int called = UNIT;
	static struct twice kept;

	kept.v += s->a;
	return s->a + of_unit + counter + called++ + kept.v;
}

#if UNIT == 1
static NOINLINE int other_prototype(char *text)
{
	return *text + counter++;
}
#else
static NOINLINE int other_prototype(value number)
{
	return (int)number + counter++;
}
#endif
/* equal code in each unit, for linkers that fold it */
static NOINLINE long folded(struct shared *s)
{
	return s->b * 3 + s->a;
}
long OWN(folded_too)(struct shared *s)
{
	return s->b * 3 + s->a;
}

WEAK NOINLINE value weak_func(value OWN(argument))
{
	return OWN(argument) + constant[0] + table[0];
}
#if UNIT == 4
NOINLINE int strong_func(struct shared *strong)
{
	return strong->a + 1;
}
#else
WEAK NOINLINE int strong_func(struct shared *OWN(weak))
{
	return OWN(weak)->a;
}
#endif
HIDDEN NOINLINE int OWN(hidden_func)(enum mode m)
{
	return m == MODE_ON;
}
PROTECTED NOINLINE int OWN(protected_func)(struct twice *t)
{
	return t->v != 0;
}
/* a declaration in DWARF, without code, in units where nothing is inlined */
static inline int OWN(inlined)(struct shared *s)
{
	return s->rows[1][2];
}
static inline int inlined(struct shared *s, value n)
{
	return s->rows[0][n];
}

/* .cold of a weak and of a static function; .part of a function that is inlined partly */
WEAK NOINLINE int weak_cold(struct shared *s)
{
	if (__builtin_expect(s->a == UNIT, 0))
		fatal(s);
	return s->a;
}

static NOINLINE int static_cold(struct shared *s, int n)
{
	if (__builtin_expect(n == UNIT, 0))
		fatal(s);
	return s->rows[0][n];
}

static int partly(struct shared *s)
{
	int sum = 0;

	if (!s->a)
		return 1;
	for (int i = 0; i < s->a; i++)
		sum += strong_func(s + i) * common_array[i] + (sum ^ i) % 7 + strong_func(s - i);
	for (int i = 0; i < s->b; i++)
		sum -= strong_func(s + 2 * i) / (sum % 5 + weak_cold(s));
	return sum + s->rows[1][1];
}

/* .isra, .constprop, and what clang changes without a suffix */
static NOINLINE int needs_one(struct shared *s, int unused)
{
	return s->a * 5 + counter;
}
static NOINLINE int with_constant(struct shared *s, int n)
{
	volatile int sum = n;

	return sum + s->a;
}

SECTION(".text.dropped") int OWN(dropped_func)(struct twice *t)
{
	return t->v + OWN(dropped_var);
}
SECTION(".text.unreachable") long OWN(unreachable)(void)
{
	return unreachable_var++;
}

int OWN(use)(struct shared *s)
{
	struct local {
		value OWN(field);
	} l = { 1 };

	weak_var.a += s->a;
	zeroed += s->b;
	thread_local_counter += OWN(thread_var)++;
	return same_prototype(s, 1) + same_prototype(s, 2) +
#if UNIT == 1
	       other_prototype("text") +
#else
	       other_prototype(UNIT) +
#endif
	       folded(s) + OWN(folded_too)(s) + weak_func(1) + strong_func(s) +
	       OWN(hidden_func)(MODE_OFF) + OWN(protected_func)(OWN(plain_var)) + OWN(inlined)(s) +
	       inlined(s, 1) + weak_cold(s) + static_cold(s, s->a) + partly(s) + partly(s + 1) +
	       partly(s + 2) + needs_one(s, 3) + needs_one(s, 4) + with_constant(s, 9) +
	       with_constant(s + 1, 9) + zeroed + common_var + OWN(on_cpu)++ + cpu_local++ +
	       l.OWN(field) + strong_var.a + OWN(hidden_var)++ + thread_local_counter +
	       OWN(get_ready)(1) + (OWN(get_part)(1) != 0) + (OWN(get_nothing)(1) != 0);
}
