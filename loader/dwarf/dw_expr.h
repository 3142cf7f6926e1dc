/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_expr.h - evaluate the few location expressions that the encoder needs */
#ifndef BTFENC_LOADER_DWARF_DW_EXPR_H
#define BTFENC_LOADER_DWARF_DW_EXPR_H

#include "loader/dwarf/cu.h"
#include "loader/dwarf/dw_form.h"
#include "loader/elf/object.h"

/* The data that is needed to read the locations of one unit. */
struct dw_locations {
	const struct object *obj;
	const struct object *addrs; /* whose .debug_addr counts; NULL: of @obj */
	struct dw_encoding enc;
	bool split;         /* .debug_loc is of the sort that GNU made for .dwo files */
	uint64_t addr_base; /* in .debug_addr */
	uint64_t lists;     /* offsets of lists count from here */
	uint64_t base; /* addresses in lists count from here: that of the unit, 0 if it has none */
	uint64_t loclists_base; /* in .debug_loclists */
};

/* A DW_AT_location: an expression, or where its list is. */
struct dw_location {
	uint8_t form;      /* DW_FORM_* */
	struct bytes expr; /* the expression, for block forms */
	uint64_t list;     /* offset or index of the list, for others */
	uint64_t entry;    /* of a parameter: the address of its function */
};

/* Entry @index of .debug_addr; false if there is none. */
bool dw_indexed_addr(const struct dw_locations *l, uint64_t index, uint64_t *ret);

/* An address in a location. */
struct dw_addr {
	uint64_t value;
	uint64_t added;     /* the constant that is added, which @value includes */
	const uint8_t *ptr; /* where the expression stores it; NULL: in .debug_addr, at @index */
	uint64_t index;
};

/*
 * Returns whether @loc is an address, which *ret receives: a single expression that starts with an address,
 * to which one constant may be added (docs/spec/encoding.md 9.2, point 4).
 */
bool dw_location_addr(const struct dw_locations *l, const struct dw_location *loc,
		      struct dw_addr *ret);

/*
 * The constant that a member's location expression adds to the start of its struct; false
 * if it is another expression.
 */
bool dw_location_offset(const struct dw_locations *l, struct bytes expr, uint64_t *ret);

/*
 * Set the fields of @p that follow from its location @loc: reg, the starts of its pieces, and the flags
 * STACK, LITERAL and LATE (docs/spec/encoding.md 8.2). @p->bytes must be set.
 */
void dw_location_param(const struct dw_locations *l, const struct dw_location *loc,
		       struct cu_param *p);

#endif
