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

/* The difference at the end of its path. */
enum btf_difference_what {
	WHAT_KIND,        /* a definition and a declaration, ENUM and ENUM64, INT and FLOAT */
	WHAT_ELEMENT_NEW, /* the second has element @index, and the first goes on with the next */
	WHAT_ELEMENT_OLD, /* the other way round */
	WHAT_ELEMENT_NAME,
	WHAT_ELEMENT_DATA, /* offset, value, size */
	WHAT_TYPE,         /* reference @index leads to @type_a and @type_b */
	WHAT_INDEX,        /* somewhere behind it, arrays are counted by those types */
	WHAT_SIZE,
	WHAT_DATA,  /* INT's data, linkage, component of a tag */
	WHAT_FLAG,  /* the kind flag */
	WHAT_TAGS,  /* the DECL_TAGs on it */
	WHAT_SITES, /* of a LOCSEC: @sites */
	WHAT_OTHER, /* bits that mean nothing */
};

/* How many sites of inlined functions differ. */
struct btf_site_changes {
	uint32_t fresh, gone; /* in the second BTF, or in the first only */
	uint32_t places;      /* of the same function, parameters are in other places */
	uint32_t moved;       /* the offset is all that differs */
};

/* One step on the way: from types @a and @b by reference @index of both. All are nodes. */
struct btf_difference_step {
	uint32_t a, b, index;
};

/* All types are nodes of the graph. */
struct btf_difference {
	enum btf_difference_sort sort;
	uint32_t a, b;       /* one of them; 0 if the side has none */
	uint32_t nr_a, nr_b; /* how many there are, as far as they take part in it */
	/*
	 * but for DIFFERENCE_NUMBER: steps [step, step + nr_steps) lead to the records @at_a, @at_b
	 */
	size_t step, nr_steps;
	uint32_t at_a, at_b;
	enum btf_difference_what what;
	uint32_t index, type_a, type_b;
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

#endif
