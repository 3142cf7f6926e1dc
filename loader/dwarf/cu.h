/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cu.h - the types, functions and variables of a unit, independent of DWARF
 *
 * Flat arrays that a worker fills, hands to the encoder and uses again for its next
 * unit. Names are ids of the string pool; a type is meant by its index in @types
 * (unit_tid), where 0 is void.
 */
#ifndef BTFENC_LOADER_DWARF_CU_H
#define BTFENC_LOADER_DWARF_CU_H

#include "base/vec.h"
#include "btf/btf_kind.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The number of a type in its unit: an index in cu.types and in unit_btf.types; 0 is void.
 * In unit_btf.types other records follow the types.
 */
typedef uint32_t unit_tid;

enum cu_type_flags {
	CU_TYPE_FWD = 1 << 0,        /* a declaration of a struct or union */
	CU_TYPE_CLASS = 1 << 1,      /* DW_TAG_class_type */
	CU_TYPE_VARARG = 1 << 2,     /* FUNC_PROTO ends in "..." */
	CU_TYPE_SIGNED = 1 << 3,     /* ENUM: the type behind it is a signed base type */
	CU_TYPE_NO_MEMBERS = 1 << 4, /* STRUCT, UNION: no member of any sort */
	CU_TYPE_REF_DONE = 1 << 5,   /* for the reader: @ref is a unit_tid already */
	CU_TYPE_OPEN = 1 << 6,       /* for the reader: DWARF has a size that is no number */
	/*
	 * STRUCT, UNION: it is no declaration, and a BTF member says all of each member: it has no
	 * flags, is at a whole byte or has bits, of a union at 0, and below 2 MiB. If it is not set,
	 * nothing is known.
	 */
	CU_TYPE_PLAIN = 1 << 7,
	CU_TYPE_BITS = 1 << 8, /* with CU_TYPE_PLAIN: some member has bits */
	/* INT: BTF has no such type, only its size is known */
	CU_TYPE_OPAQUE = 1 << 9,
	CU_TYPE_CASE = 1 << 10,      /* for the reader: STRUCT of a variant */
	CU_TYPE_ELSEWHERE = 1 << 11, /* ARRAY: its elements are not where it is */
};

/*
 * @kind determines the meaning of @size and @ref. Each base type is INT, and each enumeration ENUM:
 * @encoding and @size tell apart what BTF has as FLOAT and ENUM64. A declaration of a struct or
 * union has CU_TYPE_FWD.
 */
struct cu_type {
	uint8_t kind;     /* enum btf_kind */
	uint8_t encoding; /* INT: DW_ATE_*, with CU_TYPE_OPAQUE: DW_TAG_* */
	uint16_t flags;   /* enum cu_type_flags */
	uint32_t name;
	/* INT, STRUCT, UNION, ENUM: bytes; ARRAY: number of elements */
	uint32_t size;
	/* PTR, modifiers, TYPEDEF, TYPE_TAG, ARRAY: what it refers to; FUNC_PROTO: what it returns */
	unit_tid ref;
	/* STRUCT, UNION, FUNC_PROTO: in cu.members; ENUM: in cu.enumerators */
	uint32_t first, nr;
};

/* A member, or a parameter of a FUNC_PROTO (@offset and @bits are then 0). */
struct cu_member {
	uint32_t name;
	unit_tid type;
	uint32_t offset; /* bits from the start of the struct */
	uint8_t bits;    /* width of a bit field, 0 for none */
	uint8_t flags;   /* enum cu_member_flags */
	/*
	 * With CU_MEMBER_OLD_BITS: bytes of the storage unit that DWARF 2 to 4 names, and from
	 * its start on the bits before the field, which are part of @offset already.
	 */
	uint8_t old_size;
	int8_t old_offset;
};

enum cu_member_flags {
	CU_MEMBER_INHERITANCE = 1 << 0, /* no BTF member, but it counts for tags and layout */
	CU_MEMBER_VIRTUAL = 1 << 1,
	CU_MEMBER_STATIC = 1 << 2, /* no location at all */
	CU_MEMBER_OLD_BITS = 1 << 3,
	CU_MEMBER_FAR = 1 << 4,  /* it starts where no @offset reaches, which is UINT32_MAX */
	CU_MEMBER_LOST = 1 << 5, /* no BTF member; @old_size is the reason, enum cu_lost */
};

/* Reasons why BTF has no member. */
enum cu_lost {
	CU_LOST_BITS,      /* a bit field whose type is no integer */
	CU_LOST_OUTSIDE,   /* its type is larger than the rest of the struct */
	CU_LOST_LOCATION,  /* it has no constant location */
	CU_LOST_ELSEWHERE, /* its type describes data elsewhere: CU_TYPE_ELSEWHERE */
};

static inline void cu_member_lose(struct cu_member *m, enum cu_lost reason)
{
	m->flags = CU_MEMBER_LOST;
	m->old_size = (uint8_t)reason;
}

struct cu_enumerator {
	uint32_t name;
	int64_t value;
};

enum cu_param_flags {
	CU_PARAM_HAS_LOC = 1 << 0,
	CU_PARAM_HAS_CONST = 1 << 1,
	CU_PARAM_STACK = 1 << 2,   /* first location: frame base */
	CU_PARAM_LITERAL = 1 << 3, /* first location: a constant */
	CU_PARAM_IN_MEMORY = 1 << 4,
	CU_PARAM_LATE = 1 << 5, /* first location: not from the start of the function on */
};

/* No register is known. */
enum { CU_NO_REG = -1 };

/* A parameter of a function, with properties that follow from its location (docs/spec/encoding.md 8.1, 8.2). */
struct cu_param {
	uint32_t name;
	unit_tid type;
	uint8_t flags;
	int8_t reg;     /* DWARF number, or CU_NO_REG */
	uint16_t bytes; /* size of its type */
	/*
	 * Of an aggregate that arrives in pieces: the bytes at which these start, by those of
	 * its first register and by those behind.
	 */
	uint8_t first_fields;
	uint64_t later_fields;
	/*
	 * If there is only one piece, the member that is there: its index in cu.members, plus
	 * 1; else 0. Of functions that clang made, others do not use it.
	 */
	uint32_t member;
};

/* The slot of an address, where the file stores it: a section and an offset. Only if dw_read_opts.addr_slots. */
typedef uint64_t cu_addr_slot;

#define CU_NO_SLOT UINT64_MAX

enum cu_slot_section {
	CU_SLOT_INFO,   /* .debug_info */
	CU_SLOT_ADDR,   /* .debug_addr */
	CU_SLOT_RANGES, /* .debug_ranges */
	CU_SLOT_RNGLISTS,
	CU_SLOT_LOC, /* .debug_loc */
	CU_SLOT_LOCLISTS,
	CU_NR_SLOT_SECTIONS,
};

/* The bits of a slot that are the section. */
enum { CU_SLOT_BITS = 3 };

static inline cu_addr_slot cu_slot(enum cu_slot_section section, uint64_t offset)
{
	return offset << CU_SLOT_BITS | section;
}

static inline enum cu_slot_section cu_slot_section(cu_addr_slot slot)
{
	return (enum cu_slot_section)(slot & ((1 << CU_SLOT_BITS) - 1));
}

static inline uint64_t cu_slot_offset(cu_addr_slot slot)
{
	return slot >> CU_SLOT_BITS;
}

enum cu_func_flags {
	CU_FUNC_DECL = 1 << 0,
	CU_FUNC_VARARG = 1 << 1,
	CU_FUNC_REORDERED = 1 << 2,
	CU_FUNC_CHANGED = 1 << 3, /* clang changed the signature (DW_CC_nocall) */
};

struct cu_func {
	uint32_t name; /* 0 if there is none, even by way of its origin */
	unit_tid ret;
	uint64_t addr;                   /* 0 if unknown */
	cu_addr_slot addr_slot;          /* CU_NO_SLOT if unknown */
	uint32_t first_param, nr_params; /* in cu.params */
	uint32_t flags;
	uint32_t tags_of; /* the number by which cu_tag.of means it */
};

/*
 * Where a parameter is at an address: the flags, the size and the values of a LOC_PARAM (docs/spec/encoding.md 15.3).
 * All zero: BTF cannot express it, or the debug information does not have it.
 */
struct cu_place {
	uint8_t flags; /* BTF_LOC_* */
	uint8_t size;  /* bytes of the parameter */
	uint8_t nr;    /* of @values */
	/* of an address constant, the address in debug information */
	uint32_t values[2];
};

/* The bits of a constant. */
static inline uint64_t cu_place_number(const struct cu_place *p)
{
	return p->values[0] | (uint64_t)(p->nr > 1 ? p->values[1] : 0) << 32;
}

/* A copy of an inlined function: a DW_TAG_inlined_subroutine that has an address. */
struct cu_site {
	uint64_t addr;
	uint64_t added; /* what @addr is beyond the stored address */
	cu_addr_slot slot;
	/* where @added is stored, by itself: the file may have a relocation for it; CU_NO_SLOT: nowhere */
	cu_addr_slot added_slot;
	uint32_t func; /* in cu.inlined */
	uint32_t
		first_place; /* in cu.places: one for each parameter of the function, "..." included */
};

/* The slot of an address constant (BTF_LOC_ADDR). */
struct cu_place_slot {
	uint32_t place; /* in cu.places; ascending */
	uint64_t added; /* what the address is beyond the stored one */
	cu_addr_slot slot;
};

enum cu_var_flags {
	CU_VAR_EXTERNAL = 1 << 0,
	CU_VAR_LOCAL = 1 << 1, /* it is in a function */
};

/* A variable of the unit's outermost level, or of a function (dw_read_opts.local_vars), that has an address. */
struct cu_var {
	uint32_t name;
	unit_tid type;
	uint64_t addr;
	uint64_t addr_added; /* what @addr is beyond the stored address */
	cu_addr_slot addr_slot;
	uint32_t flags;
	uint32_t tags_of; /* the number by which cu_tag.of means it */
	uint32_t func;    /* CU_VAR_LOCAL: the name of the function, 0 if unknown */
};

enum cu_tag_owner { CU_TAG_TYPE, CU_TAG_FUNC, CU_TAG_VAR };

/* A btf_decl_tag, in the order in which its owner's were found. */
struct cu_tag {
	uint8_t owner;     /* enum cu_tag_owner */
	int32_t component; /* member or parameter, -1 for the whole */
	uint32_t value;
	uint32_t of; /* unit_tid, or the owner's tags_of */
};

/* A unit that is not read because of what it is. */
struct cu_excluded {
	uint32_t name;
	bool by_name; /* else by its language */
};

#define CU_LANGS_DIFFER UINT32_MAX

struct cu {
	uint32_t name;
	uint16_t lang; /* DW_LANG_* */
	/* DW_LANG_* + 1 of all its units that have entries; 0: no unit has; CU_LANGS_DIFFER: they have several */
	uint32_t entries_lang;
	uint8_t addr_size;
	bool clang;      /* by its producer */
	bool incomplete; /* some of it is not C, or in a file that is not there */
	/* bytes that were read in other units for it, with their abbreviations */
	uint64_t work;
	size_t nr_void;    /* references to types that are not there, which became void */
	size_t nr_unknown; /* entries of a kind that BTF does not have */
	/* it is in a .dwo file of this name that is not there; 0: it is not */
	uint32_t missing;
	struct {
		struct cu_type *items; /* [0] is void and has kind BTF_UNKN */
		size_t nr, cap;
	} types;
	struct {
		struct cu_member *items;
		size_t nr, cap;
	} members;
	struct {
		struct cu_enumerator *items;
		size_t nr, cap;
	} enumerators;
	struct {
		struct cu_func *items;
		size_t nr, cap;
	} funcs;
	struct {
		struct cu_param *items;
		size_t nr, cap;
	} params;
	struct {
		struct cu_var *items;
		size_t nr, cap;
	} vars;
	struct {
		struct cu_tag *items;
		size_t nr, cap;
	} tags;
	/* dw_read_opts.sites: the functions that are inlined, and where; their @addr is 0 */
	struct {
		struct cu_func *items;
		size_t nr, cap;
	} inlined;
	struct {
		struct cu_site *items;
		size_t nr, cap;
	} sites;
	struct {
		struct cu_place *items;
		size_t nr, cap;
	} places;
	struct {
		struct cu_place_slot *items;
		size_t nr, cap;
	} place_slots;
	size_t nr_unplaced; /* copies of inlined functions without any address */
	/* of a merged cu these may be many, else it is the unit itself */
	struct {
		struct cu_excluded *items;
		size_t nr, cap;
	} excluded;
};

/*
 * Empty the arrays and keep their room. @members and @params are allocated from now on, so that the
 * address of a type's or function's first one is never computed from NULL, which C does not define.
 */
void cu_reset(struct cu *cu);
void cu_release(struct cu *cu);

/*
 * A longer chain of typedefs, qualifiers and arrays is taken for a cycle. Compilers write a few, and the
 * kernel refuses more than 32.
 */
enum { CU_MAX_CHAIN = 1024 };

/* The type behind the typedefs and qualifiers of @type; void if they are a cycle. */
const struct cu_type *cu_bare_type(const struct cu *cu, unit_tid type);
/* Bytes of an element, if @type is an array without a length, by way of typedefs and qualifiers; else 0. */
uint64_t cu_open_element(const struct cu *cu, unit_tid type);
/* Bytes that a value of @type takes (docs/spec/encoding.md 9.3); 0 for void and for cycles. */
uint64_t cu_type_size(const struct cu *cu, unit_tid type);

#endif
