/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shared.h - declarations that all units of the test have in common
 *
 * Each unit is compiled with UNIT, its number. Without a C library, so that every machine links it.
 */
#ifndef BTFENC_TESTS_DIFF_ARCHIVE_LINKS_SHARED_H
#define BTFENC_TESTS_DIFF_ARCHIVE_LINKS_SHARED_H

#define NOINLINE __attribute__((noinline))
#define WEAK __attribute__((weak))
#define HIDDEN __attribute__((visibility("hidden")))
#define PROTECTED __attribute__((visibility("protected")))
#define SECTION(name) __attribute__((section(name)))
#define COLD __attribute__((cold, noreturn))
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define OWN(name) JOIN(name, UNIT) /* a name of this unit alone */

#ifdef __cplusplus
extern "C" {
#endif
struct part;
struct shared {
	int a;
	long b;
	struct part *part;
	const char *text;
	int rows[2][3];
};
enum mode { MODE_OFF, MODE_ON = 1 << 20 };

int use1(struct shared *s), use2(struct shared *s), use3(struct shared *s), use4(struct shared *s);
int names(struct shared *s), splits(int n), calls(struct shared *s, int n);
int cxx1(struct shared *s), cxx2(struct shared *s);
COLD void fatal(struct shared *s);
#ifdef __cplusplus
}
#endif

#endif
