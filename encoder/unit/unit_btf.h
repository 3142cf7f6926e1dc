/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_btf.h - the contribution of one unit to the program's BTF
 *
 * A worker fills a unit contribution and passes it to the program, which takes contributions in the
 * order of the input. Types are in the type pool; the contribution lists their pool ids. Functions
 * and variables are only listed, since the whole program decides which of them are described.
 *
 * Records of a unit are numbered from 1 on, in the order in which pahole would append
 * them: its types; then, in one unit of the program, the index type of all arrays; then
 * the declaration tags of its types (docs/spec/encoding.md 1.2).
 */
#ifndef BTFENC_ENCODER_UNIT_UNIT_BTF_H
#define BTFENC_ENCODER_UNIT_UNIT_BTF_H

#include "base/vec.h"
#include "btf/btf_view.h"
#include "dedup/pool/id_list.h"
#include "dedup/pool/str_pool.h"
#include "dedup/pool/type_pool.h"
#include "encoder/report/omission.h"
#include "encoder/unit/record.h"
#include "encoder/unit/unit_facts.h"
#include "loader/dwarf/cu.h"

/* The program that generated the BTF of an object, guessed from its records. */
enum producer {
	PRODUCER_PAHOLE_LIKE, /* pahole or btfenc; or gcc 14 and later, if no record differs */
	PRODUCER_GCC,
	PRODUCER_CLANG, /* which generates BTF only for the BPF target */
};

/*
 * Call it before the records are normalised. Two producers encode the same type differently, so few types of
 * an archive with members of both are merged.
 */
enum producer producer_of(const struct btf_view *v);
/* Is @rec an INT whose encoding gcc sets to char? */
bool producer_is_gcc_char(const struct btf_view *v, const uint32_t *rec);

/* Objects have the bits of UNIT_FUNC_STORED in .debug.btf (facts_block.h), so they stay what they are. */
enum unit_func_flags {
	UNIT_FUNC_UNEXPECTED = 1 << 0,   /* a parameter arrives in another register */
	UNIT_FUNC_OPTIMIZED = 1 << 1,    /* a parameter was optimized away */
	UNIT_FUNC_UNCERTAIN = 1 << 2,    /* the location of a packed struct is not known */
	UNIT_FUNC_REORDERED = 1 << 3,    /* parameters changed their order */
	UNIT_FUNC_CHANGED = 1 << 4,      /* the compiler changed the signature */
	UNIT_FUNC_INCONSISTENT = 1 << 5, /* set by func_select.c */
	UNIT_FUNC_REDUCED = 1 << 6, /* likewise: the prototype lacks parameters of the source */
	UNIT_FUNC_STORED = UNIT_FUNC_UNEXPECTED | UNIT_FUNC_OPTIMIZED | UNIT_FUNC_UNCERTAIN |
			   UNIT_FUNC_REORDERED | UNIT_FUNC_CHANGED,
};

/* An address at which there is no symbol. */
#define UNIT_FUNC_NO_SYMBOL UINT64_MAX

/* A function of one unit. */
struct unit_func {
	uint64_t addr;
	uint32_t func;  /* index in symbols.funcs */
	uint32_t proto; /* pool id of its FUNC_PROTO */
	uint32_t unit, file;
	uint32_t ordinal; /* which of the functions that its unit lists, counted from 0 */
	uint32_t flags;
	uint32_t tags, nr_tags; /* in unit_btf.func_tags */
};

/* A variable of a member without addresses: only the symbol table of the linked file shows where it is. */
struct unlocated_var {
	uint32_t name;
	unit_tid type;
	uint32_t size;
	uint32_t linkage;       /* BTF_LINK_* */
	uint32_t section;       /* string id: the section of the object; 0: not known */
	uint32_t tags, nr_tags; /* in unit_btf.var_tags */
};

struct unit_var {
	uint32_t name;
	unit_tid type;
	uint32_t section; /* index in the object's table */
	uint32_t offset;  /* in that section */
	uint32_t size;
	uint32_t linkage;       /* BTF_LINK_* */
	uint32_t tags, nr_tags; /* in unit_btf.var_tags */
	bool dropped;           /* another variable is at its address (var_select.h) */
	bool apart;             /* it goes into a split BTF over the result */
	uint32_t id;            /* of its VAR, once that is appended */
};

/* The place of a string of @v, at @step of @unit. */
static inline str_place unit_var_place(const struct unit_var *v, uint32_t unit, uint32_t step)
{
	return str_place_at(unit, step) | (v->apart ? STR_PLACE_APART : 0);
}

/* The number of steps of its strings. */
static inline uint32_t unit_var_steps(const struct unit_var *v)
{
	return 1 + v->nr_tags;
}

/* A copy of a function that is inlined. */
struct unit_site {
	uint32_t section; /* index in the object's table */
	uint32_t offset;  /* in that section */
	uint32_t func;    /* in unit_btf.inlined */
	uint32_t proto;   /* pool id of the LOC_PROTO */
};

/* Where the functions and variables of a unit are from. */
enum unit_source {
	SOURCE_DWARF,
	SOURCE_BTF,    /* a member without facts: its functions have the tags of its BTF */
	SOURCE_FACTS,  /* a member with facts, but without addresses of the linked file */
	SOURCE_LINKED, /* a member whose facts have the addresses in the linked file */
};

/* The origin of a member; zeroed for DWARF. */
struct unit_origin {
	enum unit_source source;
	enum producer producer; /* the program that generated it */
	struct facts_head head; /* of its facts, if it has some */
	bool excluded;          /* the options exclude its unit; the fields above are zero */
	bool damaged;           /* it has facts that cannot be read, or of another .BTF */
	uint32_t unknown_kind;  /* of the first record that was skipped; 0: none was */
};

static inline bool origin_has_facts(const struct unit_origin *o)
{
	return o->source >= SOURCE_FACTS;
}

/* Owns its arrays. Zeroed is empty. */
struct unit_btf {
	uint32_t unit;   /* of all units of all files */
	uint32_t name;   /* string id: name of the unit */
	bool incomplete; /* not C, or parts of its input are missing */
	/*
	 * Pool id of each record; [0] is void, [index_tid] is 0 and may become the index type. The
	 * program packs them, and keeps @items of some units only: unpack_lists().
	 */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} types;
	struct id_list packed; /* @types; borrowed from the program */
	unit_tid index_tid;
	unit_tid first_int; /* the unit's base type called "int", 0 for none */
	bool has_arrays;
	uint32_t index_step; /* where the name of an index type would come in */
	struct unit_origin origin;
	/* references by name do not identify all of its records: see struct resolve_unit */
	bool irregular;
	struct {
		struct unit_func *items;
		size_t nr, cap;
	} funcs;
	struct unit_tags func_tags, var_tags;
	struct {
		struct unit_var *items;
		size_t nr, cap;
	} vars;
	uint32_t var_step; /* at which the strings of its variables come in */
	/* pool ids of the FUNCs of the functions that are inlined; 0 of one without a site */
	VEC(uint32_t) inlined;
	VEC(struct unit_site) sites;
	/* until locate_vars() (encoder/program/locate_vars.c) */
	struct {
		struct unlocated_var *items;
		size_t nr, cap;
	} unlocated;
	/* names that have several owners in this unit (ambiguous.h) */
	struct {
		pool_ref *items;
		size_t nr, cap;
	} multiply_defined;
	/*
	 * Enums with a name of which this may be the first unit: string id << 1, plus 1 if
	 * it has 64 bits.
	 */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} enums;
	struct diagnostics diags;
	struct omissions omissions; /* if a report is wanted */
};

void unit_btf_release(struct unit_btf *f);

/*
 * The records of one unit as they are, with references to one another: what the rule of
 * dedup.h needs where names do not tell (ambiguous.h). References are unit_tids,
 * POOL_REF_INDEX as in the pool.
 */
struct raw_unit {
	struct record_words words;
	struct {
		uint32_t *items; /* of each record from 1 on; 0 marks the index type */
		size_t nr, cap;
	} start;
	/* where the prototypes of its inlined functions start, by their index in unit_btf.inlined */
	VEC(uint32_t) inlined;
	/* where the prototypes of its functions start, by ordinal */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} protos;
};

void raw_unit_release(struct raw_unit *raw);

#endif
