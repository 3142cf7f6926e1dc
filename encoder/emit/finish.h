/* SPDX-License-Identifier: GPL-2.0-only */
/* finish.h - the inside of assembly_finish(), for assembly_finish.c and finish_*.c */
#ifndef BTFENC_ENCODER_EMIT_FINISH_H
#define BTFENC_ENCODER_EMIT_FINISH_H

#include "base/sort.h"
#include "base/vec.h"
#include "encoder/emit/assembly.h"
#include "encoder/select/var_select.h"

/* Units whose records one thread converts. */
struct finish_part {
	size_t first_unit, end_unit;
	size_t pos;        /* of their first record in finish.placed */
	uint32_t first_id; /* of their records */
};

struct finish {
	struct assembly *a;
	struct btf_types out;
	VEC(struct sort_key) placed;
	VEC(struct finish_part) parts;
	uint32_t *final;           /* by pool id: the id of the shared record, 0 for none yet */
	uint32_t index;            /* the id of the index type of arrays, 0 for none */
	struct record_words proto; /* of the function at hand */
	uint32_t end_unit;         /* the place of strings that no unit has: behind all units */
	uint32_t step;
	/* string ids */
	uint32_t kfunc_tag, fastcall_tag, arena_tag, int_name;
	struct var_select vars;
	/* by id before deduplication: the id of the result; NULL unless facts, a report or the split
	 * BTF of variables is wanted */
	uint32_t *ids;
	/* the split BTF of variables over @out; its strings begin at offset @apart_names */
	struct btf_types apart;
	uint32_t apart_names;
	/* the string sections of @out and @apart */
	char *text, *apart_text;
	size_t text_len, apart_len;
	bool lengths;            /* arrays were added for variables whose type has no length */
	uint32_t funcs_from;     /* id of the first record behind those of the units */
	uint32_t *section_names; /* string ids, by section of the first file */
};

static inline uint32_t finish_offset(const struct finish *f, uint32_t string)
{
	return string ? str_pool_at(&f->a->strings, string)->offset : 0;
}

/* Bytes of strings below those of the result. */
static inline uint32_t finish_str_base(const struct assembly *a)
{
	return a->base ? btf_input_str_len(a->base) : 0;
}

/* The records of the result in their present state. Borrows. */
static inline struct btf_view finish_view(const struct finish *f)
{
	return (struct btf_view){
		.types = f->out,
		.strings = { (const uint8_t *)f->text, f->text_len },
		.str_base = finish_str_base(f->a),
		.base = f->a->base ? &f->a->base->view : NULL,
	};
}

/*
 * finish_types.c: give each record of the units its id, and later append them. In between there are
 * strings to be laid out. ERR_LIMIT over 2^31 types.
 */
MUST_CHECK struct err *finish_number(struct finish *f);
MUST_CHECK struct err *finish_units(struct finish *f);
/* Is the index type added behind the types of @unit, because no unit before has an "int"? */
bool finish_makes_index(const struct assembly *a, uint32_t unit);
/* The id of the record that @tid of unit @u means. */
uint32_t finish_unit_ref(const struct finish *f, const struct assembly_unit *u, unit_tid tid);

/* Read the prototype of @func, with strings and ids of the result. */
void finish_read_proto(const struct finish *f, const struct unit_func *func,
		       struct record_words *ret);

/* Append a record; returns its id. */
uint32_t finish_add(struct btf_types *to, const uint32_t *rec, size_t nr);
void finish_tag(const struct finish *f, struct btf_types *to, uint32_t value, uint32_t of,
		int32_t component);

/* finish_funcs.c: drop reports of functions that one unit omits and another provides. */
void finish_decide_omissions(const struct finish *f, struct omissions *list);
/* Use the strings of functions, behind those of all units. */
void finish_use_func_strings(struct finish *f);
MUST_CHECK struct err *finish_funcs(struct finish *f);

/*
 * finish_vars.c: select the variables, before records are numbered, and use their strings. The name
 * of a variable that is described is used where the first variable of that name is, described or
 * not. So the string section is pahole's.
 */
void finish_choose_vars(struct finish *f, const struct omission_log *log);
void finish_name_sections(struct finish *f);
/* The variables of @u, and later the sections that list them. */
void finish_vars(const struct finish *f, struct assembly_unit *u, struct btf_types *to);
MUST_CHECK struct err *finish_sections(struct finish *f);
/*
 * The same for the split BTF of variables, in @apart. @out must be deduplicated. The offsets of the
 * strings assume that those of @out end at @apart_names.
 */
MUST_CHECK struct err *finish_apart(struct finish *f);
/* The strings of @out end @by bytes later. */
void finish_apart_move(struct finish *f, uint32_t by);

/*
 * unresolved_ids.c: report the types and functions that .BTF_ids refers to and the result, which
 * must be deduplicated, and its base lack. resolve_btfids does not find an id for them: a kfunc
 * cannot be called, arguments are not checked against a struct. Kfuncs are a warning. In an object
 * only functions count that it defines itself.
 */
void unresolved_ids_report(const struct finish *f, const struct omission_log *log);

/*
 * multiple_definitions.c: report each struct, union, enum and typedef that has several definitions
 * in the result, or one beside that of the base, and where they differ. Readers of BTF take them for
 * different types, and so everything that refers to them: one difference in one unit can make
 * thousands of copies, and a function of the kernel does not take the struct of the module. A
 * typedef counts only if it refers to such a name not only by name. ERR_LIMIT if there are more
 * types than an id can number.
 */
MUST_CHECK struct err *definitions_report(const struct finish *f, const struct omission_log *log);

#endif
