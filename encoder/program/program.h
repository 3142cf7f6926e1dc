/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - the state of an encoding
 *
 * Files are read as a list of units, in the order of the input. Each unit has a contribution (unit_btf.h), from DWARF
 * or from a member of an archive. encode_files() calls the passes (passes.h), which fill this struct from the top to
 * the bottom.
 */
#ifndef BTFENC_ENCODER_PROGRAM_PROGRAM_H
#define BTFENC_ENCODER_PROGRAM_PROGRAM_H

#include "base/hash_table.h"
#include "base/sort.h"
#include "base/vec.h"
#include "dedup/ambiguous/ambiguous.h"
#include "encoder/input/encode_request.h"
#include "encoder/input/input.h"
#include "encoder/member/facts_block.h"
#include "encoder/program/encode_result.h"
#include "encoder/select/func_select.h"
#include "encoder/select/var_select.h"
#include "encoder/unit/record.h"
#include "encoder/unit/unit_btf.h"

struct program_unit {
	struct unit_btf btf;
	size_t list_at;           /* where its types begin in program.lists */
	struct raw_unit *raw;     /* owned; NULL if the pool suffices */
	struct unit_facts *facts; /* owned; NULL if they are not wanted */
	/* owned; with @facts: its types if the result does not have them as they are, else NULL */
	struct raw_unit *own_types;
	bool needs_exact; /* it has records of its own (ambiguous.h) */
	/* from number_records() on: */
	uint32_t *ids;         /* if needs_exact, by number: the id of its own record, or 0 */
	struct hash_table own; /* these ids by pool_ref; not if @raw */
	uint32_t vars;         /* id of its first VAR */
	uint32_t *
		inlined_ids; /* append_sites(), if needs_exact: the FUNCs of its inlined functions */
};

/* A copy of an inlined function. */
struct program_site {
	struct unit_site site;
	uint32_t unit;
};

/* Units whose records one thread converts. */
struct record_part {
	size_t first_unit, end_unit;
	size_t pos;        /* of their first record in program.placed */
	uint32_t first_id; /* of their records */
};

/* Prepare with program_init(). Owns all but the first three fields. */
struct program {
	const struct encode_request *request;
	const struct encode_opts *opts;
	struct diagnostics *diags;

	/* open_files() */
	struct input *inputs; /* the files that have anything to encode */
	size_t nr_inputs;
	VEC(const char *) empty; /* borrowed: the files that should not be empty */
	/* the units are members that count as one unit, as they would if read from DWARF (docs/spec/encoding.md 3.2) */
	bool as_one;
	struct omissions *omissions; /* borrowed; NULL: no report is wanted */

	/* read_tables() */
	struct str_pool strings;
	/*
	 * The names of functions in the symbol tables, up to the first '.', have the lowest string
	 * ids: those below this one.
	 */
	uint32_t func_names_end;
	uint32_t int_name, fake_int; /* string ids */
	struct arena names;          /* of functions whose symbols have suffixes */

	/* read_units() */
	struct until until;
	bool reached; /* all types of @until are found: further units are ignored */
	struct type_pool types;
	VEC(struct program_unit) units; /* by unit number */
	struct id_words lists;          /* unit_btf.packed of all units, until unpack_lists() */
	struct func_select funcs;
	/* some unit is not C or lacks parts, so the result may break rules of the kernel */
	bool incomplete;
	/*
	 * The index type of all arrays (docs/spec/encoding.md 6.6): the first unit that has an
	 * "int" provides it, or the first that has an array gets one of its own.
	 */
	bool have_index, own_index;
	uint32_t index_unit;
	unit_tid index_tid;

	/* resolve_names() */
	struct resolved_names resolved; /* zero if all units are raw */
	uint32_t *mapped_to_base; /* by pool id: the id in the base (map_to_base.h); or NULL */
	/* the units whose raw records are needed, sorted: the pool does not suffice for their own records */
	VEC(uint32_t) raw_units;
	struct func_choice chosen; /* of @funcs */

	/* select_vars() */
	struct var_select vars;

	/* select_sites() */
	VEC(struct program_site) sites; /* of all units, by address */

	/* number_records() */
	struct btf_types out; /* records up to deduplicate(), then the result */
	VEC(struct sort_key) placed;
	VEC(struct record_part) parts;
	uint32_t *final; /* by pool id: the id of the shared record, 0 for none yet */
	uint32_t index;  /* the id of the index type of arrays, 0 for none */

	/* use_strings(), lay_out_strings() */
	uint32_t step; /* of the next string that no unit has: they follow those of all units */
	uint32_t kfunc_tag, fastcall_tag, arena_tag; /* string ids */
	uint32_t *section_names;                     /* string ids, by section of the first file */
	uint32_t *site_section_names;                /* the same for LOCSECs */
	char *text, *apart_text;                     /* the string sections of @out and @apart */
	size_t text_len, apart_len;
	uint32_t apart_names; /* the offset at which the strings of @apart begin */

	/* append_funcs(), append_sections() */
	uint32_t funcs_from;       /* id of the first record behind those of the units */
	struct record_words proto; /* of the function at hand */
	/* of sites, with numbers from 1, until append_sites() appends them to the result */
	struct btf_types places;
	bool lengths; /* arrays were added for variables whose type has no length */

	/* deduplicate() */
	/* by id before: the id of the result; NULL unless facts, a report, sites or @apart are wanted */
	uint32_t *ids;
	struct btf_types apart;   /* append_apart(): the split BTF of variables over @out */
	struct btf_types inlined; /* append_sites_apart(): that of sites */
	struct encode_result result;
};

void program_unit_release(struct program_unit *u);
void program_init(struct program *p, const struct encode_request *request,
		  const struct encode_opts *opts, struct diagnostics *diags);
void program_release(struct program *p);

/* Take over contribution @f. Units are added in the order of their numbers. */
void program_add_unit(struct program *p, struct unit_btf *f);

/* How many threads are worth their cost for a pass over @nr records. */
unsigned int program_jobs(const struct program *p, size_t nr);

/* The log for omissions. Borrows both. */
static inline struct omission_log program_log(struct program *p, struct diagnostics *diags)
{
	return (struct omission_log){
		.diags = diags,
		.strings = &p->strings,
		.list = p->omissions,
	};
}

/* A file that may be linked further gets the facts of its units (facts_block.h). */
static inline bool program_wants_facts(const struct program *p)
{
	return p->opts->facts && !p->request->base && p->nr_inputs == 1 && p->inputs[0].opened &&
	       p->inputs[0].obj.is_rel;
}

/* Do the facts of the only unit refer to the types of the result? */
static inline bool program_shares_types(const struct program *p)
{
	return p->units.nr == 1 && p->units.items[0].facts && !p->units.items[0].own_types;
}

/* Bytes of strings below those of the result. */
static inline uint32_t program_str_base(const struct program *p)
{
	return p->request->base ? btf_input_str_len(p->request->base) : 0;
}

/* The records of the result in their present state. Borrows. */
static inline struct btf_view result_view(const struct program *p)
{
	return (struct btf_view){
		.types = p->out,
		.strings = { (const uint8_t *)p->text, p->text_len },
		.str_base = program_str_base(p),
		.base = p->request->base ? &p->request->base->view : NULL,
	};
}

static inline uint32_t string_offset(const struct program *p, uint32_t string)
{
	return string ? str_pool_at(&p->strings, string)->offset : 0;
}

/* The place of strings that no unit has: behind all units. */
static inline uint32_t program_end_unit(const struct program *p)
{
	return p->as_one ? (uint32_t)(STR_PLACE_END >> 32) : (uint32_t)p->units.nr;
}

static inline str_place program_next_place(struct program *p)
{
	return str_place_at(program_end_unit(p), p->step++);
}

/* emit_types.c */
/* Is the index type added behind the types of @unit, because no unit before has an "int"? */
bool program_makes_index(const struct program *p, uint32_t unit);
/* The id of the record that @tid of unit @u means. */
uint32_t unit_ref_id(const struct program *p, const struct program_unit *u, unit_tid tid);
/* Read the prototype of @func, with strings and ids of the result. */
void read_proto(const struct program *p, const struct unit_func *func, struct record_words *ret);
/* The same for the prototype of inlined function @i of @u. */
void read_inlined_proto(const struct program *p, const struct program_unit *u, uint32_t i,
			struct record_words *ret);
/* Append a record; returns its id. */
uint32_t append_record(struct btf_types *to, const uint32_t *rec, size_t nr);
void append_tag(const struct program *p, struct btf_types *to, uint32_t value, uint32_t of,
		int32_t component);

/* emit_vars.c */
/* Append the variables of @u. */
void append_unit_vars(const struct program *p, struct program_unit *u, struct btf_types *to);
/* The strings of @out end @by bytes later than @split, a split BTF over it, assumes. */
void move_apart(const struct program *p, struct btf_types *split, uint32_t by);

#endif
