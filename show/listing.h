/* SPDX-License-Identifier: GPL-2.0-only */
/* listing.h - select types, and print them or facts about them */
#ifndef BTFENC_SHOW_LISTING_H
#define BTFENC_SHOW_LISTING_H

#include "base/edit_distance.h"
#include "btf/var_places.h"
#include "show/compile_order.h"
#include "show/filter.h"
#include "show/print.h"
#include "show/seen.h"
#include "show/sorted.h"
#include "show/wanted.h"

enum listing_form {
	LISTING_TEXT,
	LISTING_SIZES,        /* name, size, number of holes */
	LISTING_NAMES,        /* the name alone */
	LISTING_NAME_LENGTHS, /* name, its length */
	LISTING_SAVINGS,      /* name, size, size when reorganized, difference */
	LISTING_MEMBERS,      /* name, number of members */
	LISTING_TIMES,        /* name, number of definitions; at the end */
	LISTING_METHODS,      /* name, number of parameters that point to it; at the end */
};

/* The options of printing. */
struct listing_opts {
	struct print_style style;
	struct filter filter;
	enum listing_form form;
	bool compilable;       /* LISTING_TEXT in the order of compile_order.h */
	bool nested_anonymous; /* also bodies that have no name, not even a typedef's */
	bool reorganize;       /* SHOW_NAMED: print structs as print_reorganized() does */
	bool reorg_steps;      /* with PRINT_STEPS */
	bool counts;           /* SHOW_CONTAINERS: print how many members have the type */
	bool recursive;        /* SHOW_CONTAINERS: search members that are structs, too */
	/* these are for SHOW_ALL */
	bool sort;              /* print all at the end, by their names */
	uint32_t skip, count;   /* leave out the first @skip; print @count at most, 0: all */
	bool defined_in;        /* SHOW_NAMED: print only the unit */
	const char *enumerator; /* SHOW_ENUMS: its name */
	char separator;
};

/* A member that a path leads to, such as "a.b". */
struct listing_member {
	uint32_t outer;  /* the type where the path begins */
	uint32_t id;     /* the struct or union that has the member */
	uint32_t index;  /* of the member in @id */
	uint64_t offset; /* of @id in @outer: bytes */
};

struct listing;

/* Another form than text. */
struct listing_writer {
	/* @td: has the name of @id, if its record has none */
	void (*type)(struct listing *l, struct show_types *t, const struct typedefs *td,
		     uint32_t id);
	/* A function or variable. @place: NULL if none is known */
	void (*symbol)(struct listing *l, struct show_types *t, uint32_t id,
		       const struct var_place *place);
	void (*member)(struct listing *l, struct show_types *t, const struct wanted *w,
		       const struct listing_member *m);
};

struct listing {
	const struct listing_opts *opts;
	const struct listing_writer *writer; /* NULL: text */
	size_t nr_written;                   /* by @writer */
	const char *file;                    /* the name of the current one, for the writer */
	struct text *text;                   /* flushed from time to time */
	/* of all files; borrows their types */
	struct seen seen;
	struct compile_order order;
	struct name_ids listed; /* names of SHOW_NAMED and so on, for patterns */
	struct sorted sorted;
	struct print_limits limits; /* of the current file */
	size_t size;                /* bytes of the BTF of all files */
	bool found_enum;
	size_t nr; /* types that were printed, or skipped */
};

/* The kinds that SHOW_NAMED prints, a bit each. */
uint32_t listing_kinds(const struct listing_opts *opts);

void listing_init(struct listing *l, const struct listing_opts *opts, struct text *text);
void listing_release(struct listing *l);

/* The choice of listing_put(). */
enum listing_what {
	SHOW_ALL,   /* the structs and unions that pass */
	SHOW_NAMED, /* the definitions of @wanted: of structs, unions, enums and typedefs; members */
	SHOW_SYMBOLS,    /* the functions and variables */
	SHOW_CONTAINERS, /* the names of the structs and unions that have a member of such a type */
	SHOW_ENUMS,      /* the enums that have listing_opts.enumerator */
	SHOW_POINTERS, /* the members that are pointers to them, which may be void or only declared */
};

/*
 * Print @what of @t. If it needs names of types, search @t for those of the @nr @wanted that were not found before.
 * If several types have the same name, only the first is used. A pattern stands for all names that match and that were not
 * used before. Errors are those of print_type() and text_flush().
 */
MUST_CHECK struct err *listing_put(struct listing *l, struct show_types *t, enum listing_what what,
				   struct wanted *wanted, size_t nr);

/* Offer @n the names of all that can be found for @what. */
void listing_offer(const struct show_types *t, enum listing_what what, struct nearest *n);
/* Print what needs all files. */
MUST_CHECK struct err *listing_end(struct listing *l);

#endif
