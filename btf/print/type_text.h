/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type_text.h - the name of a type on one line, from any representation of types
 *
 * A type is a chain of pointers, arrays, qualifiers and type tags that ends in a base: a type with a
 * name, void, a function, or a struct, union or enum without a name. A function is written as in C, around the
 * chain: "int (*)(struct foo *)".
 */
#ifndef BTFENC_BTF_PRINT_TYPE_TEXT_H
#define BTFENC_BTF_PRINT_TYPE_TEXT_H

#include "base/text.h"
#include "btf/btf_kind.h"

/* One type of the chain. */
struct type_part {
	enum btf_kind kind; /* BTF_UNKN for void */
	const char *name;   /* never NULL */
	uint32_t
		target; /* the next type of the chain, unless this is its base; a function's result */
	uint32_t nr;    /* length of an array; number of enumerators, of parameters */
	bool is_union;          /* of a forward declaration */
	const char *enumerator; /* the first of an enum without a name; NULL: unknown */
};

struct type_source {
	const void *types;
	/* Describe the type @id; ids are those of the source. */
	void (*part)(const void *types, uint32_t id, struct type_part *ret);
	/* The type of parameter @i of the function @id; NULL: functions are written as "function". */
	uint32_t (*param)(const void *types, uint32_t id, uint32_t i);
	/* Print the base @id in another way; NULL: as type_text.c does. */
	void (*base)(struct text *out, void *ctx, uint32_t id);
	void *ctx;
	size_t name_max; /* longer names end in "..."; 0: no limit */
	bool full;       /* "typedef foo_t", not "foo_t", if the chain is only its base */
	/*
	 * Spelled as pahole 1.31 spells it, which scripts parse: "const char  *", with a blank before
	 * each star and behind each qualifier, and without the lengths of arrays. Otherwise "const char *",
	 * and "int[4] *" is a pointer to an array.
	 */
	bool as_pahole;
};

/* The base is "..." if the chain has more types than this; with as_pahole, base() gets the next one. */
enum { TYPE_TEXT_LINKS_MAX = 16, TYPE_TEXT_PAHOLE_LINKS_MAX = 256 };
/* "..." stands for the parameters behind so many bytes of them. Functions that nest deeper are "function". */
enum { TYPE_TEXT_PARAMS_MAX = 1024, TYPE_TEXT_DEPTH_MAX = 8 };

void type_text(struct text *out, const struct type_source *src, uint32_t id);
/* Is it a pointer, array, qualifier or type tag? */
bool type_text_is_link(enum btf_kind kind);
/* "struct " and so on; "" for kinds that C refers to by the name alone. */
const char *type_text_keyword(enum btf_kind kind, bool is_union);
/* @name, cut after @max bytes unless that is 0. */
void type_text_name(struct text *out, const char *name, size_t max);

#endif
