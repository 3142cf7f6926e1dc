/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_reader.h - the state of the DWARF reader, private to loader/dwarf. dw_read_cu.c describes it. */
#ifndef BTFENC_LOADER_DWARF_DW_READER_H
#define BTFENC_LOADER_DWARF_DW_READER_H

#include "base/hash_table.h"
#include "loader/dwarf/dw_abbrev.h"
#include "loader/dwarf/dw_place.h"
#include "loader/dwarf/dw_read_cu.h"

/*
 * The offset of a DIE. Each unit that is read for a struct cu has a range of offsets (struct ref_unit),
 * the first one from 0 on. In merged mode they are those in .debug_info. 0 is no reference,
 * since a header is there.
 */
typedef uint32_t die_off;

/* A reference to no known unit, or into a missing file. */
#define DIE_FOREIGN UINT32_MAX

/* A unit that is read for a struct cu: its own, or one that it refers to. */
struct ref_unit {
	const struct dw_file *file;
	const struct dw_unit *unit;
	die_off base_offset; /* its range starts here, as its header does */
	struct object_room room;
	/*
	 * The first of its parameters in raw.params, and what their locations need. It is kept per
	 * unit, since LTO of gcc mixes versions of DWARF.
	 */
	size_t first_param;
	struct dw_locations locs;
	const uint8_t *base; /* its header, as struct dw_unit_view has it */
};

/* The table that a DIE has become an element of, if it is not cu.types. */
enum entry_sort {
	ENTRY_OPEN,  /* its children are still read */
	ENTRY_ALIAS, /* another type: @index in raw.aliases */
	ENTRY_FUNC,  /* @index in raw.funcs */
	ENTRY_PARAM, /* @index in raw.params */
	ENTRY_VAR,   /* @index in raw.vars */
};

struct die_map_entry {
	die_off off;
	uint32_t index : 29, sort : 3;
};

/* The end of a chain of parameters. */
enum { NO_PARAM = -1 };

struct raw_func {
	uint32_t name;
	die_off ret, origin, spec;
	uint64_t addr;
	cu_addr_slot addr_slot;
	int32_t params;      /* in raw_params, NO_PARAM for none */
	uint8_t flags;       /* enum cu_func_flags */
	uint32_t inlined_as; /* in cu.inlined, plus 1; 0: not there yet */
	bool inlined;        /* a non-zero DW_AT_inline */
	bool nocall;         /* DW_AT_calling_convention is DW_CC_nocall */
	bool has_origin;
};

struct raw_param {
	uint32_t name;
	die_off off, type, origin;
	int32_t next;
	uint32_t position;
	uint32_t func; /* in raw.funcs */
	struct dw_location loc;
	/* filled in by dw_func.c, and shared between the copies of a function */
	struct cu_param p;
	bool has_type, has_origin;
	/* of a function that is inlined: its type is signed; its bytes, 0 if BTF has no place for so many */
	bool is_signed;
	uint8_t size;
};

/* A DW_TAG_inlined_subroutine that has an address. */
struct raw_site {
	die_off origin;
	uint32_t unit; /* in ref_units */
	uint64_t addr, added;
	cu_addr_slot slot, added_slot;
	struct dw_frame_base frame_base; /* of the function around it */
	/* from dw_resolve_sites() on: */
	uint32_t site; /* in cu.sites, plus 1; 0: none */
	int32_t next;  /* in raw.params: the origin that its next parameter is expected to have */
};

/* A parameter of it. */
struct raw_site_param {
	uint32_t site; /* in raw.sites */
	die_off origin;
	bool is_constant; /* @loc is DW_AT_const_value */
	struct dw_location loc;
};

enum raw_var_flags {
	RAW_VAR_TOP = 1 << 0, /* a child of the unit */
	RAW_VAR_DECL = 1 << 1,
	RAW_VAR_EXTERNAL = 1 << 2,
	RAW_VAR_ARTIFICIAL = 1 << 3,
	RAW_VAR_ADDR = 1 << 4,  /* @addr is one */
	RAW_VAR_LOCAL = 1 << 5, /* in a function */
};

struct raw_var {
	uint32_t name;
	die_off type, spec, origin;
	uint8_t flags;
	uint64_t addr, addr_added;
	cu_addr_slot addr_slot;
	uint32_t func; /* RAW_VAR_LOCAL: the entry of the function in the DIE map */
};

/* A struct without a name that completes a declaration, whose name it takes. */
struct borrowed_name {
	unit_tid type;
	die_off spec;
};

/* One dimension of an array. */
struct dimension {
	uint32_t count;
	die_off type; /* 0, or the type of the index, which may be an enumeration */
	int64_t lower, upper;
};

/* The array @array is indexed by values of @type from @lower to @upper. */
struct index_range {
	unit_tid array;
	die_off type;
	int64_t lower, upper;
};

/* The elements of the array @array, called @name, of @nr dimensions, are @bits apart. */
struct array_stride {
	unit_tid array;
	uint32_t name;
	size_t nr;
	uint64_t bits;
};

enum frame_ctx {
	CTX_STRUCT, /* union, class */
	CTX_ENUM,
	CTX_SUBROUTINE,
	CTX_DROP, /* all below is skipped */
	CTX_SITE, /* an inlined subroutine, of which only sites are read */
	CTX_UNIT,
	CTX_NAMESPACE,
	CTX_ARRAY,
	CTX_FUNC,
	CTX_BLOCK, /* a lexical block of a function */
	CTX_INLINED,
	CTX_POINTER, /* from here on: only annotations below */
	CTX_TYPEDEF,
	CTX_MEMBER,
	CTX_PARAM,
	CTX_METHOD, /* a function below an enumeration: only its parameters count */
	CTX_VARIANT_PART,
	CTX_VARIANT,
	CTX_VAR,
	CTX_CASES, /* a variant part of another language than Rust; its variants are CTX_STRUCT */
};

/* Of a CTX_VARIANT_PART, a CTX_VARIANT or a CTX_CASES (dw_frame.c). */
struct frame_variants {
	size_t first_value;    /* of the part, in cu.enumerators */
	size_t first_case;     /* CTX_CASES: of its variants, in dw_reader.cases */
	die_off discr, values; /* offsets of the discriminant and of its enum; 0 for none */
	die_off discr_type;
	uint32_t discr_offset; /* in bits */
	int64_t value;         /* of the discriminant in this variant, if @has_value */
	bool has_value;
};

/* A DIE whose children are being read. */
struct frame {
	uint8_t ctx;
	bool split;          /* some of its members are in r->saved */
	die_off off;         /* of a type */
	uint32_t entry;      /* of a function: its own in the DIE map; of a CTX_VAR: in raw.vars */
	struct cu_type type; /* under construction */
	/* where its enumerators start, or its members, but for those that were set aside */
	size_t first;
	size_t saved; /* where those are, in r->saved */
	size_t tags;  /* cu.tags.nr when it was opened */
	struct raw_func func;
	struct dw_frame_base frame_base; /* of a function */
	int32_t last_param;
	uint32_t nr_params;
	int32_t component;  /* CTX_MEMBER, CTX_PARAM: which */
	die_off annotation; /* a GNU chain to follow when it is closed */
	die_off spec;
	struct frame_variants variants;
};

/* The unit that is being walked. */
struct dw_unit_view {
	const struct dw_file *file;
	const struct dw_unit *header;
	const uint8_t *base, *end; /* its header, maybe in a copy (object_info()), and its end */
	die_off base_offset;       /* is added to references within the unit */
	uint32_t number;           /* in ref_units */
	uint64_t str_offsets_base;
	struct dw_locations locs;
	cu_addr_slot base_slot;         /* of @locs.base */
	uint64_t ranges, rnglists_base; /* offsets in the section of range lists */
	bool foreign;        /* dw_lang_is_foreign(), and its types are not read as those of C */
	uint8_t lower_bound; /* of arrays, where DWARF does not state it */
	bool pascal;
};

/* The functions, parameters and variables as their DIEs have them, until all are resolved. */
struct raw_cu {
	struct {
		die_off *items;
		size_t nr, cap;
	} aliases;
	struct {
		struct raw_func *items;
		size_t nr, cap;
	} funcs;
	struct {
		struct raw_param *items;
		size_t nr, cap;
	} params;
	struct {
		struct raw_var *items;
		size_t nr, cap;
	} vars;
	struct {
		struct raw_site *items;
		size_t nr, cap;
	} sites;
	struct {
		struct raw_site_param *items;
		size_t nr, cap;
	} site_params;
	size_t nr_unplaced; /* inlined subroutines without any address */
	struct {
		struct borrowed_name *items;
		size_t nr, cap;
	} borrowed_names;
	struct {
		struct index_range *items;
		size_t nr, cap;
	} ranges;
	struct {
		struct array_stride *items;
		size_t nr, cap;
	} strides;
	bool foreign;    /* some unit is */
	bool old_bits;   /* some member is CU_MEMBER_OLD_BITS */
	bool open_sizes; /* some type is CU_TYPE_OPEN */
	size_t nr_unresolved, nr_dropped;
	size_t nr_chained; /* tags that came by chains of annotations */
};

struct dw_reader {
	/* of the worker: the file, and what is kept from one struct cu to the next */
	const struct dw_file *root; /* whose units the caller asks for */
	struct dw_read_opts opts;
	struct dw_abbrevs abbrevs;
	struct object_room room; /* for the first unit of a struct cu */
	struct dw_names names;
	const struct dw_file *names_of; /* @names.recent is about this one */
	struct {
		uint64_t text;
		uint32_t id;
	} short_strings[1024]; /* strings in the DIE itself */
	/* the .dwo file that was read last, NULL for none, by its folder and name in the skeleton */
	struct {
		struct dw_companion *open;
		uint32_t folder, name;
	} dwo;

	/* of the struct cu that is being read */
	struct cu *cu;
	/* the units read and to be read, in the order of their ranges; more than one is rare */
	struct {
		struct ref_unit *items;
		size_t nr, cap;
		struct hash_table index; /* by dw_unit: its index, plus 1 */
		uint64_t end;            /* of their ranges */
	} ref_units;
	bool merged;   /* all units of .debug_info are among them */
	bool from_dwo; /* the first one is in dwo.open */
	/* the file of the skeleton and its base in .debug_addr; NULL if there is none */
	const struct object *skeleton;
	uint64_t skeleton_addr_base;
	uint64_t skeleton_base;          /* its address, */
	cu_addr_slot skeleton_base_slot; /* and where that is stored */
	uint64_t skeleton_ranges;        /* its base in .debug_ranges */
	struct raw_cu raw;
	/*
	 * The DIE map: what each DIE has become, by its offset. @types has an element for every 1 << @shift
	 * offsets: the unit_tid of the type there, and at which of the offsets it is. So most references are
	 * resolved by one load. Two types rarely share an element, since nearly all DIEs of types have five
	 * bytes or more; the second one is in @shared.
	 */
	struct {
		struct die_map_entry *items; /* not of types; in the order of their offsets */
		size_t nr, cap;
		uint32_t *types; /* those from @nr_types on are 0 */
		size_t types_cap, nr_types;
		unsigned int shift;
		struct hash_table shared; /* types by their offsets */
	} die_map;

	/* of the unit that is being walked */
	struct dw_unit_view unit;
	struct {
		struct frame *items;
		size_t nr, cap;
	} frames;
	struct frame *top; /* the last of them */
	/* dimensions of the array in the innermost frame, outermost first */
	struct {
		struct dimension *items;
		size_t nr, cap;
	} dimensions;
	/* the same array, if the unit is foreign */
	struct {
		uint32_t name;
		uint64_t stride; /* bits from one element to the next; 0: the elements touch */
		bool by_column;
	} array;
	struct {
		struct cu_member *items;
		size_t nr, cap;
	} saved;
	VEC(unit_tid) cases; /* the variants of the CTX_CASES that are open */
	/* functions that were found last, by the offset of their DIE: indexes in raw.funcs */
	struct {
		die_off off;
		uint32_t func;
	} found_funcs[256];
	VEC(uint32_t)
	open_sites; /* dw_sites.c: what each DIE is that is open in the CTX_SITE */
};

/*
 * Find attribute @attr of the DIE whose abbreviation is @a and whose values start at @p. Returns where its value
 * ends; NULL if it is not there or does not fit into the unit.
 */
const uint8_t *dw_attr(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
		       uint16_t attr, struct dw_value *ret);
/* The number, string id or reference that @attr is; 0 if it is not there or has another class. */
uint64_t dw_attr_number(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			uint16_t attr);
uint32_t dw_attr_string(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			uint16_t attr);
die_off dw_attr_ref(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
		    uint16_t attr);

/* The block of @form (dw_form_short()) at @pos from the unit's header; empty if it leaves the unit. */
struct bytes dw_block_at(const struct dw_reader *r, uint64_t pos, uint8_t form);
/* The string that a value @v of @form (dw_form_short()) is; not for DW_FORM_string. */
uint32_t dw_string(const struct dw_reader *r, uint8_t form, uint64_t v);
/* The id of a string in the DIE itself, of @len bytes and a zero. */
uint32_t dw_inline_string(struct dw_reader *r, const uint8_t *s, size_t len);

/* dw_ref_units.c: begin another struct cu. */
void dw_ref_units_reset(struct dw_reader *r);
void dw_ref_units_release(struct dw_reader *r);
/* Add @unit of @file, or find it; NULL if offsets do not suffice. */
struct ref_unit *dw_ref_unit_add(struct dw_reader *r, const struct dw_file *file,
				 const struct dw_unit *unit);
/* The offset that a reference to another unit is to. The unit is added to those that are read. */
die_off dw_far_ref(struct dw_reader *r, uint64_t form, uint64_t v);

/* The offset that a reference @v of @form (dw_form_short()) is to. */
ALWAYS_INLINE die_off dw_ref(struct dw_reader *r, uint8_t form, uint64_t v)
{
	if (unlikely(!dw_form_is_near(form)))
		return dw_far_ref(r, form, v);
	v += r->unit.base_offset;
	return likely(v && v < DIE_FOREIGN) ? (die_off)v : DIE_FOREIGN;
}

/*
 * dw_read_cu.c: open unit @i for a walk other than dw_walk(). *ret_abbrev is NULL if it is empty or left out, else that of
 * its outermost DIE, whose values are at *ret_values. ERR_FORMAT if they leave the unit.
 */
MUST_CHECK struct err *dw_open_unit(struct dw_reader *r, size_t i,
				    const struct dw_abbrev **ret_abbrev,
				    const uint8_t **ret_values);

/* dw_walk.c: walk the DIEs below the unit's own one, whose values are at @values. */
MUST_CHECK struct err *dw_walk(struct dw_reader *r, const struct dw_abbrev *a,
			       const uint8_t *values);
/* ERR_FORMAT if these values leave the unit. */
MUST_CHECK struct err *dw_check_values(struct dw_reader *r, const struct dw_abbrev *a,
				       const uint8_t *values);

/* dw_resolve.c: note that the DIE at @off has become type @t, if its element in the DIE map is used. */
void die_map_share(struct dw_reader *r, die_off off, unit_tid t);
/* The entry of the DIE at @off, NULL if there is none or it is a type. */
const struct die_map_entry *die_map_find(const struct dw_reader *r, die_off off);
/* The type at @off; void if there is none, which is counted if there should be one. */
unit_tid dw_resolve_type(struct dw_reader *r, die_off off);
/* Turn all references in cu.types and cu.members into numbers of types, and fill cu.vars. */
void dw_resolve(struct dw_reader *r);

/* dw_func.c: turn raw functions and parameters into cu.funcs and cu.params. */
void dw_resolve_funcs(struct dw_reader *r);

/*
 * Turn raw sites into cu.inlined, cu.sites and cu.places, behind dw_resolve_funcs(). ERR_LIMIT if there are more
 * places than bytes.
 */
MUST_CHECK struct err *dw_resolve_sites(struct dw_reader *r);
/* Function @i of raw.funcs, whose parameters are appended to cu.params. */
struct cu_func dw_make_func(struct dw_reader *r, uint32_t i);

/* dw_tags.c: add the tag of the annotation DIE @a, a child of the innermost frame's DIE. */
void dw_annotation(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p);
/* Add the tags of the chain of GNU annotations that starts at @off. */
void dw_decl_tag_chain(struct dw_reader *r, die_off off, enum cu_tag_owner owner,
		       int32_t component);
void dw_type_tag_chain(struct dw_reader *r, die_off off, struct cu_type *ptr);

#endif
