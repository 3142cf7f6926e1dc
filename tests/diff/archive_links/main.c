/* SPDX-License-Identifier: GPL-2.0-only */
/* main.c - reaches some of what the units define, so that --gc-sections discards the rest */
#include "shared.h"

static int counter = 5;

int main(void)
{
	struct shared s = { counter++ };

#ifndef WITHOUT_CXX
	s.a += cxx1(&s);
#endif
	return use1(&s) + use3(&s) + names(&s);
}
