/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_facts.h - the functions and variables of a unit, as its source has them
 *
 * Both sources of a unit yield facts: its DWARF (facts_from_cu.h), and a member of an archive (encoder/member/). They
 * become the functions and variables of the contribution (unit_funcs.c, unit_vars.c). An object that may be linked
 * further stores them beside its BTF (encoder/member/facts_block.h).
 *
 * Strings are ids of the pool, types are unit_tids.
 */
#ifndef BTFENC_ENCODER_UNIT_UNIT_FACTS_H
#define BTFENC_ENCODER_UNIT_UNIT_FACTS_H

#include "base/vec.h"
#include "encoder/unit/encode_opts.h"
#include "encoder/unit/record.h"
#include "loader/dwarf/cu.h"

/*
 * The features (enum btf_feature) that change records; all others are asked of the whole program. FEATURE_INLINE
 * stands for FEATURE_INLINE_APART, too.
 */
enum {
	FACTS_FEATURES = FEATURE_FLOAT | FEATURE_DECL_TAG | FEATURE_TYPE_TAG | FEATURE_ENUM64 |
			 FEATURE_TRUE_SIGNATURE | FEATURE_RUST_VARIANTS | FEATURE_INLINE,
};

/*
 * The component of a tag whose parameter the prototype leaves out: the output gets the string, as
 * in pahole, but no DECL_TAG.
 */
enum { UNIT_TAG_STRING_ONLY = -2 };

/* A declaration tag of a function or variable; @component is -1 for the whole. */
struct unit_tag {
	uint32_t value; /* string id */
	int32_t component;
};

struct unit_tags {
	struct unit_tag *items;
	size_t nr, cap;
};

/* A function in the debug information of the unit. */
struct func_facts {
	uint32_t name;
	uint32_t flags; /* enum unit_func_flags */
	/*
	 * This is the function before it, as it is if true_signature is not as in the features of the unit.
	 * Only functions whose signature the compiler changed have such a second form, which has the same address.
	 */
	bool second_form;
	bool has_addr;
	uint64_t addr;     /* as in debug information; 0 if it has none */
	cu_addr_slot slot; /* where debug information stores it */
	uint32_t
		proto; /* where its FUNC_PROTO starts in unit_facts.words; 0: it refers to a record that is no type */
	uint32_t tags, nr_tags;
};

/* A variable at the top level of the unit that has an address. */
struct var_facts {
	uint32_t name;
	unit_tid type;
	/*
	 * Bytes of its type as DWARF has them, or of its symbol if that is an array without a length; 0 if it
	 * has no size. The type in BTF may have another size.
	 */
	uint64_t size;
	bool external;
	uint64_t addr;     /* as in debug information */
	uint64_t added;    /* what @addr is beyond the stored address */
	cu_addr_slot slot; /* where debug information stores that */
	uint32_t tags, nr_tags;
};

/* A function that is inlined in the unit. */
struct inlined_facts {
	uint32_t name;
	uint32_t proto; /* where its FUNC_PROTO starts in unit_facts.words */
};

/* Of the whole unit. */
struct facts_head {
	uint32_t name;     /* of the unit */
	uint32_t lang;     /* its DW_LANG_*, plus 1; 0: of several units, read as one */
	uint32_t kabi;     /* the --kabi_prefix that was applied, 0 for none */
	uint32_t features; /* of FACTS_FEATURES, those that were on */
	uint32_t level;    /* struct compat.stored */
	bool incomplete;   /* as in struct unit_btf */
	bool recompiled;   /* the object has code that the linker compiles again (gcc -flto) */
};

/* Owns its arrays. Zeroed is empty. */
struct unit_facts {
	struct facts_head head;
	uint8_t addr_size; /* bytes of an address in debug information */
	VEC(struct func_facts) funcs;
	VEC(struct var_facts) vars;
	struct unit_tags tags;
	/* if sites are wanted */
	VEC(struct inlined_facts) inlined;
	VEC(struct cu_site) sites;   /* @func is in @inlined */
	VEC(struct cu_place) places; /* one for each parameter of the prototype, "..." included */
	VEC(struct cu_place_slot) place_slots;
	/* prototypes; the first word is unused */
	struct record_words words;
};

/*
 * The slot of address constant @place, NULL if it has none. *next, which is 0 at first, is an index in f->place_slots;
 * calls have ascending @place.
 */
static inline const struct cu_place_slot *facts_place_slot(const struct unit_facts *f, size_t *next,
							   uint32_t place)
{
	const struct cu_place_slot *slots = f->place_slots.items;

	while (*next < f->place_slots.nr && slots[*next].place < place)
		++*next;
	return *next < f->place_slots.nr && slots[*next].place == place ? &slots[*next] : NULL;
}

/* Forget the functions and variables, but keep the memory. */
void unit_facts_clear(struct unit_facts *f);
void unit_facts_release(struct unit_facts *f);

#endif
