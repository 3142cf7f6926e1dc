/* SPDX-License-Identifier: GPL-2.0-only */
/* print_internal.h - the parts of print.h: names, declarations, bodies */
#ifndef BTFENC_SHOW_PRINT_INTERNAL_H
#define BTFENC_SHOW_PRINT_INTERNAL_H

#include "base/color.h"
#include "show/layout.h"
#include "show/print.h"

/* The columns of a type, and of a name. */
enum { PRINT_TYPE_WIDTH = 26, PRINT_NAME_WIDTH = 23 };

/* The position of a type or member in the text. Inner types get a changed copy. */
struct frame {
	const char *prefix, *suffix; /* of the next body; NULL: none */
	/* columns for types and for names; with each level they shrink, in the end below 0 */
	int type_width, name_width;
	uint64_t base;       /* offset of the outer type */
	uint64_t *cacheline; /* the last one that a boundary was printed for */
	unsigned int indent;
	bool stats;    /* print sums at the end */
	bool relative; /* print_style.relative, or behind a pointer */
	bool first, last, in_union;
	bool expand;  /* the next type: print its body instead of its name */
	bool pointed; /* in a type that something points to: it has no place in the struct */
};

/*
 * Write out the text, if it is long. False if a limit is exceeded, also that of steps, of which @steps are taken, or
 * if the text cannot be written: the types have the error.
 */
bool print_may_go_on(struct printer *p, uint32_t steps);
/*
 * The same for a type in a type; false also if @id nests deeper than TYPES_CHAIN_MAX. If it returns true, the caller
 * calls print_leave().
 */
bool print_enter(struct printer *p, uint32_t id);
void print_leave(struct printer *p);

/* The name of type @id alone, as in "unsigned int" and "struct foo *". */
void print_name(struct printer *p, uint32_t id);
/* A function with the prototype @id: its type in @width columns, then "(NAME)", then parameters. */
void print_proto(struct printer *p, uint32_t id, const char *name, bool pointer, int width);

/*
 * If the type @id, maybe qualified, is a pointer, or a pointer to a pointer and so on, to a function, return the
 * prototype of that, else 0. Then "(*" *ret_name ")" is what C has for @name there; the caller frees it.
 */
uint32_t print_pointed_proto(const struct show_types *t, uint32_t id, const char *name,
			     char **ret_name);

/* The declaration of @name with type @id. */
void print_decl(struct printer *p, uint32_t id, const char *name, const struct frame *f);
void print_typedef(struct printer *p, uint32_t id, const struct frame *f);

/* The body of a struct, union or enum, with its name if it has one. */
void print_struct(struct printer *p, uint32_t id, const struct frame *f);
void print_laid_out(struct printer *p, uint32_t id, const struct layout *l, const struct frame *f);
void print_union(struct printer *p, uint32_t id, const struct frame *f);
void print_enum(struct printer *p, uint32_t id, const struct frame *f);

/* The prefix, keyword and name before a body, and the suffix after it. */
void print_head(struct printer *p, const char *keyword, uint32_t id, const struct frame *f);
void print_suffix(struct printer *p, const struct frame *f);
#define PRINT_PACKED " __attribute__((__packed__))"

/* Open a comment, whose colour is @c, and close it. */
static inline void print_comment(const struct printer *p, enum color c)
{
	text_color(p->text, c);
	text_str(p->text, "/* ");
}

static inline void print_comment_end(const struct printer *p)
{
	text_str(p->text, " */");
	text_color(p->text, COLOR_NONE);
}

/* The "s" of more than one. */
static inline const char *print_plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

/* A member, with offset and size. @of_union: members of the member have offsets from the union. */
void print_member(struct printer *p, const struct layout_member *m, bool of_union,
		  const struct frame *f);

/* Sums over the types of members. */
enum inner_sum { INNER_PADDING, INNER_BIT_PADDING, INNER_HOLES, INNER_BIT_HOLES, NR_INNER_SUMS };
struct inner_sums {
	uint32_t nr; /* members */
	uint64_t sum;
};

/* Sums over the members of a struct and the holes between them. */
struct sums {
	uint64_t bytes, bits; /* of members, of bit fields */
	uint64_t hole_bytes, hole_bits;
	uint32_t nr_forced, nr_forced_holes; /* members with an attribute, and a hole before it */
	uint64_t forced_hole_bytes;
	struct inner_sums inner[NR_INNER_SUMS];
	uint32_t nr_flexible, nr_embedding; /* structs that end in, or contain, a flexible array */
};

/* Print them below the members of a struct with the layout @l in the frame @f. */
void print_sums(struct printer *p, const struct layout *l, const struct sums *s,
		const struct frame *f);

#endif
