/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_abbrev.h - abbreviations, compiled to a fixed size
 *
 * Each abbreviation of a unit's table becomes a struct dw_abbrev of 64 bytes. It has the sort of the
 * DIE and the offsets of the few attributes that the encoder needs, the columns. A column is at a
 * constant distance from the start of the DIE if all attributes before it have a fixed width. From
 * the first attribute of variable length on, a list of decode operations reads the rest. gcc puts
 * short names in front, as text: such a name is skipped before the columns are read.
 */
#ifndef BTFENC_LOADER_DWARF_DW_ABBREV_H
#define BTFENC_LOADER_DWARF_DW_ABBREV_H

#include "base/err.h"
#include "base/hash_table.h"
#include "loader/dwarf/dw_form.h"

/* Sorts of DIE. The reader treats tags of one sort alike. */
enum dw_kind {
	DK_NONE, /* the table has no such code */
	DK_BASE,
	DK_POINTER,
	DK_SET, /* or file, of Pascal: only its size is known */
	DK_CONST,
	DK_VOLATILE,
	DK_RESTRICT,
	DK_ATOMIC,
	DK_REFERENCE, /* lvalue or rvalue */
	DK_PTR_TO_MEMBER,
	DK_STRING_TYPE,
	DK_UNSPECIFIED,
	DK_TYPEDEF,
	DK_ARRAY,
	DK_STRUCT,
	DK_CLASS, /* and interface */
	DK_UNION,
	DK_ENUM,
	DK_SUBROUTINE,
	DK_LAST_TYPE = DK_SUBROUTINE, /* kinds up to here are types */
	DK_MEMBER,
	DK_INHERITANCE,
	DK_ENUMERATOR,
	DK_SUBRANGE,
	DK_PARAMETER,
	DK_VARARGS,
	DK_FUNCTION,
	DK_VARIABLE,
	DK_BLOCK,
	DK_INLINED,
	DK_NAMESPACE,
	DK_VARIANT_PART,
	DK_VARIANT,
	DK_ANNOTATION,     /* of clang's sort, a child */
	DK_GNU_ANNOTATION, /* of gcc's sort, referred to */
	DK_IMPORTED_UNIT,
	DK_UNIT,    /* the outermost DIE */
	DK_DROPPED, /* skipped with all its children */
	DK_UNKNOWN, /* the same, and counted for a diagnostic */
};

/* Attributes that no sort of DIE has together share a column. */
enum dw_column {
	COL_NAME,   /* DW_AT_name */
	COL_TYPE,   /* DW_AT_type */
	COL_SIZE,   /* DW_AT_byte_size */
	COL_VALUE,  /* member: data_member_location; enumerator: const_value */
	COL_BITS,   /* member: bit_size */
	COL_ORIGIN, /* function, inlined subroutine, parameter, variable: abstract_origin */
	COL_SPEC,   /* function, variable, struct: specification; annotated: GNU_annotation */
	NR_COLUMNS,

	COL_CALL = COL_SIZE,              /* function: calling_convention */
	COL_ENTRY_PC = COL_SIZE,          /* inlined subroutine */
	COL_ENCODING = COL_VALUE,         /* base type */
	COL_UPPER = COL_VALUE,            /* subrange: upper_bound */
	COL_LOW_PC = COL_VALUE,           /* function, inlined subroutine */
	COL_CONST = COL_VALUE,            /* parameter: const_value */
	COL_COUNT = COL_BITS,             /* subrange */
	COL_LOCATION = COL_BITS,          /* parameter, variable */
	COL_INLINE = COL_BITS,            /* function */
	COL_RANGES = COL_BITS,            /* inlined subroutine */
	COL_DATA_BIT_OFFSET = COL_ORIGIN, /* member */
	COL_LOWER = COL_ORIGIN,           /* subrange: lower_bound */
	COL_BIT_OFFSET = COL_SPEC,        /* member */
};

enum dw_abbrev_flags {
	DA_DECL = 1 << 0,      /* DW_AT_declaration is there */
	DA_DECL_TRUE = 1 << 1, /* ... and its form alone shows that it is not zero */
	DA_EXTERNAL = 1 << 2,
	DA_ARTIFICIAL = 1 << 3,
	DA_HAS_CONST = 1 << 4,  /* parameter with DW_AT_const_value */
	DA_HAS_LOC = 1 << 5,    /* DW_AT_location is there */
	DA_HAS_ORIGIN = 1 << 6, /* DW_AT_abstract_origin is there */
	/* member: it has a location or data_bit_offset; subrange: it has an upper bound */
	DA_HAS_VALUE = 1 << 7,
	DA_BIT_OFFSET = 1 << 8, /* it has COL_DATA_BIT_OFFSET */
	DA_FOREIGN = 1 << 9,    /* the form of DW_AT_type is no reference */
	DA_BITFIELD = 1 << 10,  /* member with DW_AT_bit_size */
	DA_VIRTUAL = 1 << 11,
	DA_DECL_FORM = 1 << 12, /* DW_AT_declaration has a value in each DIE: read it there */
	DA_SIGNATURE = 1 << 13, /* DW_AT_signature: a type unit has the type */
	DA_OPEN_SIZE = 1 << 14, /* DW_AT_byte_size is an expression, or another form but a number */
	DA_LOWER = 1 << 15,     /* DW_AT_lower_bound is there */
};

/* DIEs that are simple and frequent, which dw_fast_path.c reads. */
enum dw_fast_path {
	FAST_NONE,
	FAST_MEMBER,          /* name, type, and a location of at most two bytes; no bits */
	FAST_MEMBER_AT_0,     /* the same without a location, as gcc has it in unions */
	FAST_BITS,            /* the same with bits, and an offset in bits */
	FAST_ENUMERATOR,      /* name and value */
	FAST_ULEB_ENUMERATOR, /* the same with a value of variable length at the end, as clang has it */
	FAST_SLEB_ENUMERATOR,
	FAST_PARAMETER, /* a type, no name */
	FAST_SUBRANGE,
	FAST_REFERENCE, /* a pointer, qualifier or typedef */
	FAST_STRUCT,    /* or union, class */
	FAST_ENUM,
	FAST_ARRAY,
	FAST_PROTO, /* a function type */
};

/* How dw_fast_path.c treats a DIE in the body of a function. */
enum dw_in_body {
	BODY_READ,  /* leave it to dw_walk.c */
	BODY_SKIP,  /* it does not count, nor do DIEs below it */
	BODY_PARAM, /* it counts as a child of the function itself, without children */
	BODY_BLOCK, /* it contains more of the body */
};

/* A compiled abbreviation; @form is 0 where the column is not there. */
struct dw_abbrev {
	uint8_t kind; /* enum dw_kind */
	uint8_t children;
	uint8_t prefix;    /* bytes before the tail, or of all */
	uint8_t annotated; /* has DW_AT_GNU_annotation */
	uint16_t flags;    /* enum dw_abbrev_flags */
	uint16_t tag;
	uint8_t off[NR_COLUMNS], width[NR_COLUMNS], form[NR_COLUMNS]; /* dw_form_short() */
	bool lead;         /* the name comes first, as text; offsets count from its end */
	uint8_t fast_path; /* enum dw_fast_path */
	uint8_t in_body;   /* enum dw_in_body */
	/* DW_FORM_implicit_const, from COL_SIZE on: names and references have none */
	int32_t constant[NR_COLUMNS - COL_SIZE];
	uint32_t tail;          /* index in dw_abbrevs.ops, 0 for none */
	uint32_t specs;         /* index in specs: the attributes as the table has them */
	uint16_t location_mask; /* FAST_MEMBER: selects the location from two bytes at its offset */
	uint16_t pad2;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct dw_abbrev) == 64, "an abbreviation is one cache line");

/* A decode operation: one attribute of the tail. */
struct dw_op {
	uint8_t shape;  /* width or enum dw_shape; SHAPE_END ends the list */
	uint8_t column; /* NR_COLUMNS: none */
	uint16_t skip;  /* SHAPE_SKIP: bytes; SHAPE_CONST: which of the abbreviation's specs */
};

enum { SHAPE_END = 64, SHAPE_SKIP, SHAPE_CONST };

/* An attribute as in the table, for dw_attr(). */
struct dw_spec {
	uint16_t attr, form;
	int64_t constant;
};

/* An abbreviation that was compiled before. @text and @len: the bytes that it was compiled from, in dw_abbrevs.texts. */
struct dw_known_abbrev {
	size_t text;
	uint32_t len;
	uint8_t compiled[sizeof(struct dw_abbrev)]; /* a copy without the alignment */
};

/*
 * The compiled abbreviations of one table. A worker uses it for one table after the other; zeroed is empty. Each unit
 * has a table of its own, but many abbreviations occur in several tables, often under different codes. Such
 * an abbreviation is compiled once and then copied.
 */
struct dw_abbrevs {
	struct {
		struct dw_abbrev *items;
		size_t nr, cap;
	} by_code; /* cap in elements, allocated by hand for its alignment */
	/* of units with the encoding @enc */
	struct {
		struct dw_known_abbrev *items;
		size_t nr, cap;
	} known;
	struct hash_table by_text; /* indexes of @known, plus 1 */
	struct {
		uint8_t *items;
		size_t nr, cap;
	} texts;
	struct {
		struct dw_op *items;
		size_t nr, cap;
	} ops;
	struct {
		struct dw_spec *items;
		size_t nr, cap;
	} specs;
	uint64_t table; /* offset of the table in .debug_abbrev, and its length there */
	size_t len;
	const uint8_t *section;
	struct dw_encoding enc;
	bool filled;
};

/*
 * Compile the table at offset @table of .debug_abbrev into @a, for units encoded as @enc. ERR_FORMAT if
 * the table does not end in the section or has an unknown form, ERR_UNSUPPORTED if it exceeds a limit.
 */
MUST_CHECK struct err *dw_abbrevs_compile(struct dw_abbrevs *a, struct bytes abbrev, uint64_t table,
					  struct dw_encoding enc);
void dw_abbrevs_release(struct dw_abbrevs *a);

enum dw_abbrevs_uses {
	USES_REF_ADDR = 1 << 0,     /* units refer to DIEs of other units */
	USES_PARTIAL_UNIT = 1 << 1, /* units import partial units */
	USES_SKELETON = 1 << 2,     /* the DWARF of units is in .dwo files */
};

/*
 * Returns the bits of enum dw_abbrevs_uses for the table at @table, and its size in *ret_len. It skips errors
 * in the table: dw_abbrevs_compile() reports them.
 */
unsigned int dw_abbrevs_use(struct bytes abbrev, uint64_t table, size_t *ret_len);

#endif
