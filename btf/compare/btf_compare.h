/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_compare.h - compare the types of two BTFs, and find the causes of differences
 *
 * Two types are the same if
 *   - their records are equal, where names are compared as text, and ids are not compared,
 *   - they have the same DECL_TAGs,
 *   - and each reference of one leads to the same type as that of the other. Cycles are followed
 *     (partition.h).
 *
 * Two BTFs are equal if they have the same number of each type. So these do not count: the order of types
 * and strings, unused strings, and which one of several same types is referred to. The order of members,
 * enumerators, parameters and variables of a section counts. Header and byte order are not compared.
 *
 * The result has the causes of differences. Types with a name are compared with those of the same name. A
 * type is a cause if its record differs from that of its namesake, where references to types with a name
 * are equal if the names are. Types that differ only because of a type that they refer to are counted. A
 * type without a name is part of the types that refer to it.
 */
#ifndef BTFENC_BTF_COMPARE_BTF_COMPARE_H
#define BTFENC_BTF_COMPARE_BTF_COMPARE_H

#include "base/vec.h"
#include "btf/compare/type_graph.h"

/* Types of @view from id @first on are compared; those below are only referred to. */
struct btf_side {
	const struct btf_view *view;
	uint32_t first;
};

enum btf_difference_sort {
	DIFFERENCE_NUMBER,  /* one side has more of them; 0 or more on the other */
	DIFFERENCE_CHANGED, /* namesakes that are not the same */
	DIFFERENCE_ANOTHER, /* they refer to different ones of several types of a name */
};

/*
 * How two records differ, in the order in which the changes of a type are listed. An element is a member, also one of
 * a struct without a name or tag in it, as in C, or a parameter, enumerator or variable of a section.
 */
enum btf_change_sort {
	CHANGE_KIND, /* a definition and a declaration, ENUM and ENUM64, INT and FLOAT */
	CHANGE_GONE, /* only the first has the element */
	CHANGE_TYPE, /* the types are @type_a and @type_b; the element may also be moved or renamed */
	CHANGE_INDEX,   /* somewhere behind it, arrays are counted by those types */
	CHANGE_ANOTHER, /* both types have the same name, but are different ones of several */
	CHANGE_NAME,    /* a parameter */
	CHANGE_MOVED,   /* offset, width, value */
	CHANGE_NEW,
	CHANGE_DATA,  /* INT's data, linkage, component of a tag */
	CHANGE_FLAG,  /* the kind flag */
	CHANGE_TAGS,  /* the DECL_TAGs on it */
	CHANGE_SITES, /* of a LOCSEC */
	CHANGE_ORDER, /* of elements, or how structs without a name group them */
	CHANGE_OTHER, /* bits that mean nothing */
	CHANGE_SIZE,
	NR_CHANGE_SORTS,
};

/* How many sites of inlined functions differ. */
struct btf_site_changes {
	uint32_t fresh, gone; /* in the second BTF, or in the first only */
	uint32_t places;      /* of the same function, parameters are in other places */
	uint32_t moved;       /* the offset is all that differs */
};

/* One step on the way: from types @a and @b, by reference @index of @b. All are nodes. */
struct btf_difference_step {
	uint32_t a, b, index;
};

enum { NO_ELEMENT = UINT32_MAX };

/* Element @index of record @node, or what @node refers to before its elements. */
struct btf_place {
	uint32_t node, index; /* NO_ELEMENT */
	uint32_t offset; /* of a member, in bits from the start of the record that is compared */
};

/* A difference of records @at_a and @at_b, to which steps [step, step + nr_steps) lead. */
struct btf_change {
	enum btf_change_sort sort;
	size_t step, nr_steps;
	uint32_t at_a, at_b;
	struct btf_place a, b; /* of an element; CHANGE_GONE has no @b, CHANGE_NEW no @a */
	uint32_t type_a, type_b;
};

/* All types are nodes of the graph. */
struct btf_difference {
	enum btf_difference_sort sort;
	uint32_t a, b;       /* one of them; 0 if the side has none */
	uint32_t nr_a, nr_b; /* how many there are, as far as they take part in it */
	/* its changes, [change, change + nr_changes), at least one; none for DIFFERENCE_NUMBER */
	size_t change, nr_changes;
	struct btf_site_changes sites;
};

/* Of one kind, types that are compared; differences by sort. */
struct btf_kind_count {
	uint32_t nr_a, nr_b, only_a, only_b, changed;
};

/* Zeroed is empty. */
struct btf_comparison {
	bool equal;
	struct btf_kind_count kinds[BTF_NR_KINDS];
	/* the rest is there if they are not equal, and reasons were asked for */
	struct type_graph graph;
	VEC(struct btf_difference) differences; /* by what they are of, then by name */
	VEC(struct btf_change) changes;
	VEC(struct btf_difference_step) steps;
	uint32_t through_a, through_b; /* types that differ because of these */
};

/*
 * Compare @a and @b; @reasons: also say why. ERR_LIMIT if there are more types than anyone can
 * number. *ret must be zeroed; release it in any case, and the views later.
 */
MUST_CHECK struct err *btf_compare(const struct btf_side *a, const struct btf_side *b, bool reasons,
				   struct btf_comparison *ret);
void btf_comparison_release(struct btf_comparison *c);

/*
 * The name space of a type, by which and by whose name it is compared with others; BTF_SPACE_NONE: it has no
 * name, and belongs to what refers to it. *ret_name: the number of the name.
 */
enum btf_space btf_owner(const struct type_graph *g, uint32_t n, uint32_t *ret_name);

/* Offset in bits from the start of @n, and width of a bit field or 0, of member @i of @n. */
struct btf_location {
	uint32_t offset, width;
};
struct btf_location btf_member_location(const struct type_graph *g, uint32_t n, uint32_t i);
/* The value of enumerator @i of @n, extended to 64 bits by its sign if it has one. */
uint64_t btf_enumerator_value(const struct type_graph *g, uint32_t n, uint32_t i);
/* The element that reference @index of @n is in; NO_ELEMENT: it is before all of them. */
uint32_t btf_edge_element(const struct type_graph *g, uint32_t n, uint32_t index);

#endif
