/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btftext.h - a few types of BTF as text, to be built and to be compared
 *
 *	VIEW(v);
 *
 *	test_view_add(&v, "int; ptr 3; struct node 16 {value 1, next 2 64}");
 *	CHECK_STR(test_view_text(&v), "int; ptr 3; struct node 16 {value 1, next 2 64}");
 *
 * Records are separated by ';' and have the ids 1, 2, 3, ... or those that follow the base:
 *
 *	KIND[!][/VLEN] [NAME] [SIZE or TYPE] [WORD...] [{ELEMENT, ...}]
 *
 * Numbers are those of the record, in its order; a '!' sets the kind flag. VLEN is the number of
 * elements if that is not how many there are. A name that is not an identifier is in '...'. An element is
 * a name and numbers, too; the last of them can be left out if they are 0:
 *
 *	struct s 8 {a 1, b 1 32}         members: name, type, offset in bits
 *	struct! s 4 {a 1 0:5, b 1 5:3}   with the width of bit fields
 *	enum e 4 {A 0, B 1}              enum64, too
 *	func_proto 1 {x 1, 0}            returns type 1; the last parameter is "..."
 *	datasec .data 8 {4 0 8}          variables: type, offset, size
 *	array 1 2 10                     element, index, number of elements
 *	fwd s; fwd! u                    of a struct; of a union
 *	var v 1; var v 1 static          global, unless it is static or extern
 *	func f 2; func f 2 global        static, unless it is global or extern
 *	decl_tag t 2; decl_tag t 2 0     of the whole type; of its first component
 *	loc_param 8 56 {-1, 16}          size, flags, words
	loc_proto {3, 0}                 places of parameters
	locsec inline.text {2 4 16}      sites: function, places, offset
	int; int char 1 8                "int" of 4 bytes, signed; a name, the size and the INT word
 *	int A                            the same as "int" under another name
 */
#ifndef BTFENC_TESTS_BTFTEXT_H
#define BTFENC_TESTS_BTFTEXT_H

#include "base/cleanup.h"
#include "base/vec.h"
#include "btf/btf_view.h"

/* BTF that a test writes down. Each name is in the strings once. */
struct test_view {
	struct btf_view view;
	struct {
		char *items;
		size_t nr, cap;
	} names;
};

void test_view_release(struct test_view *v);

/* A variable that is released at the end of its block. */
#define VIEW(v) CLEANUP(test_view_release) struct test_view v = { 0 }

/* Prepares a zeroed @v; test_view_add() and test_name() do it, too. */
void test_view_init(struct test_view *v);

/* The next types of the empty @v follow those of @base, and use its names. */
void test_view_put_over(struct test_view *v, const struct test_view *base);

/* The string offset of @name, which is in @v after that if it was not. */
uint32_t test_name(struct test_view *v, const char *name);

/* Append a name even if it is there. */
uint32_t test_name_again(struct test_view *v, const char *name);

/* Append records. Returns the id of the last one. */
uint32_t test_view_add(struct test_view *v, const char *text);

/* The same, after printf(). */
/* Add 40 levels of functions with two parameters of the level below, so a text with all of it has 2^40 names. Returns the top. */
uint32_t test_view_add_doubling(struct test_view *v);
PRINTF_LIKE(2, 3) uint32_t test_view_addf(struct test_view *v, const char *fmt, ...);

/* The own records of @v, or those of @types with the names of @v, in memory that is kept. */
const char *test_view_text(const struct test_view *v);
const char *test_types_text(const struct test_view *v, const struct btf_types *types);

/* One record of @v. */
const char *test_rec_text(const struct test_view *v, uint32_t id);

/* A record with the names of a pool. */
struct str_pool;
const char *record_text(const struct str_pool *strings, const uint32_t *rec);

#endif
