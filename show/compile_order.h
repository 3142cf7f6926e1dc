/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compile_order.h - print types in an order that a C compiler accepts
 *
 * A type is printed after the types that it needs: the structs in it, the typedefs that it uses, and
 * declarations of the structs that it points to. Each name is defined once in all files together. If types
 * of two namespaces of BTF share a name that C has in one namespace, the second gets another name.
 */
#ifndef BTFENC_SHOW_COMPILE_ORDER_H
#define BTFENC_SHOW_COMPILE_ORDER_H

#include "base/hash_table.h"
#include "show/print.h"

/* The forms of a name that were printed. */
struct name_use {
	const char *name;  /* borrowed from the BTF */
	uint8_t defined;   /* a bit for each sort of type */
	uint32_t nr_taken; /* the names made of it and these numbers, from 1, have definitions */
	/* the type that has declared the name and is not defined yet; NULL: none */
	const struct show_types *declared_in;
	uint32_t declared;
};

/* Zeroed is empty. The types must outlive it. */
struct compile_order {
	struct name_use *items;
	size_t nr, cap;
	struct hash_table index;
};

void compile_order_release(struct compile_order *d);

/*
 * Print what @id, a struct, union, enum or typedef, needs. If it returns true, the caller must print @id,
 * which is the first type of its name. Failures are with the types of @p.
 */
bool compile_order_prepare(struct compile_order *d, struct printer *p, uint32_t id);

#endif
