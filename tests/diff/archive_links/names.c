/* SPDX-License-Identifier: GPL-2.0-only */
/* names.c - symbols that have another name than in C, aliases, and functions of several sections */
#include "shared.h"

int first asm("first_symbol") = 1;
int x asm("y") = 1;
unsigned y asm("x") = 2;
static int mine asm("other_mine") = 4;
extern int alias_of_plain __attribute__((alias("plain")));
int plain = 5;
static NOINLINE int local_func(struct shared *s) asm("local_symbol");
static NOINLINE int local_func(struct shared *s)
{
	return s->a + mine++;
}
int named_func(struct shared *s) asm("func_symbol");
NOINLINE int named_func(struct shared *s)
{
	return s->b + first;
}
int alias_func(struct shared *s) __attribute__((alias("func_symbol")));
SECTION(".data..percpu") int cpu_named asm("cpu_symbol") = 4;
WEAK int never_defined(struct shared *s);

/* a function of this name is static in one unit and global in the other */
NOINLINE long folded(struct shared *s, int n)
{
	return s->b - n;
}
/* a variable of this name, too */
long counter = 9;

COLD void fatal(struct shared *s)
{
	for (;;)
		s->a++;
}

int names(struct shared *s)
{
	return first + x + y + mine++ + plain + local_func(s) + named_func(s) + folded(s, 3) +
	       counter + cpu_named++ + (never_defined ? never_defined(s) : 0);
}
