/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_encoder.h - the inside of unit_from_cu.h, seen by the encoder/unit/unit_*.c files only */
#ifndef BTFENC_ENCODER_UNIT_UNIT_ENCODER_H
#define BTFENC_ENCODER_UNIT_UNIT_ENCODER_H

#include "dedup/dedup.h"
#include "encoder/unit/unit_from_cu.h"

/* How far the interning of a type has come. TYPE_DONE is for the walk over references (unit_intern.c). */
enum { TYPE_NEW, TYPE_WAITS /* for what it refers to */, TYPE_DONE };

/* A type that others refer to by its id has none yet. No name reference: there is no such space. */
#define NO_REF UINT32_MAX

/* Borrows the tags from the unit. */
struct unit_sorted_tags {
	const struct cu_tag **items;
	size_t nr, cap;
};

/* A type that no lower unit is known to have, and where it was before. */
struct first_seen_type {
	unit_tid type;
	struct pool_type *p;
	uint64_t before;
};

/* The LOC_PROTO of a site. */
struct site_list {
	const uint32_t *rec;
	uint64_t hash;
};

struct known_site_records;

struct unit_encoder {
	const struct run *run;
	struct type_arena *arena;
	const struct record_source *source; /* of the records of the unit (unit_intern.h) */
	uint32_t nr_records;                /* plus 1 */
	unit_tid index_tid;
	const struct cu *cu;          /* of a unit of DWARF */
	struct member_reader *member; /* of a member */
	struct unit_btf *btf;
	bool true_signature;     /* of the prototypes to make: the feature of that name */
	struct omission_log log; /* to @btf */
	struct record_words words;
	struct unit_sorted_tags tags; /* of one sort of owner */
	struct unit_facts facts;      /* of a unit of DWARF, unless the caller wants them */
	struct {
		struct first_seen_type *items;
		size_t nr, cap;
	} first_seen;
	VEC(uint32_t) list_words;         /* LOC_PROTOs of the sites of the unit */
	VEC(struct site_list) lists;      /* the same, by site */
	struct known_site_records *known; /* unit_sites.c; NULL until there are sites */
	/* by unit_tid: the pool reference to it, NO_REF if there is none yet; of the index type POOL_REF_INDEX */
	pool_ref *refs;
	size_t refs_cap;
	uint8_t *state;
	size_t state_cap;
	struct {
		unit_tid *items;
		size_t nr, cap;
	} stack;
	/*
	 * By string id: which unit of this worker saw it last as the name of a struct or
	 * union (in the even bit) and of an enum; (serial << 2 | bits).
	 */
	uint16_t *seen;
	size_t seen_cap;
	unsigned int depth; /* of unit_enter_like() */
	bool differs;       /* the comparison at hand has found a difference; else false */
	uint16_t serial;    /* of the unit, from 1 on */
	uint32_t step;      /* of str_place, in this unit */
	/* by unit_tid: the type in the pool, NULL if it is not entered yet; [0] is &before_first */
	struct pool_type **entered;
	size_t entered_cap;
	struct pool_type before_first;
};

/* From here on m->log is for m->btf, whose name is known. */
void unit_listen(struct unit_encoder *m);

/* Add the name of the unit to @e, if it has one: the units of gcc's LTO are read as one, without a name. */
MUST_CHECK struct err *unit_add_context(const struct unit_encoder *m, struct err *e);

/* The next moment of this unit. */
static inline str_place unit_next_place(struct unit_encoder *m)
{
	return str_place_at(m->btf->unit, m->step++);
}

/* The pool reference to type @t, which has been entered; 0 for void. */
static inline pool_ref unit_ref(const struct unit_encoder *m, unit_tid t)
{
	return m->refs[t];
}

/* Type @t is @p: note this unit in @p, and list it as fresh if no lower unit is known to have it. */
ALWAYS_INLINE void unit_place(struct unit_encoder *m, unit_tid t, struct pool_type *p)
{
	m->btf->types.items[t] = p->id;

	uint64_t before = pool_type_place_at(p, m->btf->unit, t);
	if (unlikely(pool_place_unit(before) >= m->btf->unit))
		vec_push(&m->first_seen, ((struct first_seen_type){ t, p, before }));
}

/* The same for one of a unit, whose types are entered in turn. */
ALWAYS_INLINE void unit_entered(struct unit_encoder *m, unit_tid t, struct pool_type *p)
{
	m->entered[t] = p;
	if (m->refs[t] == NO_REF)
		m->refs[t] = p->id;
	unit_place(m, t, p);
}

/* Type @t has the record of @nr words at @rec: find it in the pool. */
ALWAYS_INLINE void unit_enter(struct unit_encoder *m, unit_tid t, const uint32_t *rec, size_t nr)
{
	unit_entered(m, t, type_pool_next(m->run->types, m->arena, m->entered[t - 1], rec, nr));
}

/* Note if the unit has several types of this name, such as "struct foo;" and "struct foo { }". */
ALWAYS_INLINE void unit_check_owner(struct unit_encoder *m, pool_ref name)
{
	bool is_enum = pool_ref_space(name) == POOL_ENUM;
	uint16_t bit = is_enum ? 2 : 1, *seen = &m->seen[pool_ref_name(name)];

	if (*seen >> 2 != m->serial)
		*seen = (uint16_t)(m->serial << 2);
	if (unlikely(*seen & bit))
		vec_push(&m->btf->multiply_defined,
			 pool_ref_named(is_enum ? POOL_ENUM : POOL_STRUCT, pool_ref_name(name)));
	*seen |= bit;
}

/* Type @t, which has been entered, is no reference type: note what the unit has. */
ALWAYS_INLINE void unit_note_kind(struct unit_encoder *m, unit_tid t)
{
	const uint32_t *rec = m->entered[t]->rec;
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	if (pool_ref_is_named(m->refs[t]))
		unit_check_owner(m, m->refs[t]);
	else if (kind == BTF_ARRAY)
		m->btf->has_arrays = true;
	else if ((kind == BTF_INT || kind == BTF_FLOAT) && rec[BTF_REC_NAME] == m->run->int_name &&
		 (!m->btf->first_int || t < m->btf->first_int))
		m->btf->first_int = t;
}

/* The unit may be the first that has @p: if that is an enum, enum_kinds.h wants to know. */
static inline void unit_list_enum(struct unit_btf *f, const struct pool_type *p)
{
	uint32_t kind = btf_info_kind(p->rec[BTF_REC_INFO]), name = p->rec[BTF_REC_NAME];

	if (unlikely(btf_kind_is_enum(kind)) && name)
		vec_push(&f->enums, name << 1 | (kind == BTF_ENUM64));
}

/* unit_intern.c: for unit_intern.h */

/* Prepare for the records from @source, as many as m->nr_records. m->refs gets room, and NO_REF for each. */
void unit_begin_types(struct unit_encoder *m);
/* Make room for the owners of each name that is in the string pool now, and forget those of the unit before. */
void unit_prepare_owners(struct unit_encoder *m);
/* Enter @t, which is not entered yet, if it is equal to the type that @like refers to. */
bool unit_enter_like(struct unit_encoder *m, unit_tid t, pool_ref like);
/* The same for the target of a reference type that may be equal to the guess for it. */
bool unit_guess_target(struct unit_encoder *m, unit_tid t, const uint32_t ref[BTF_REC_WORDS]);
/* Look up the record of @t, which no guess was equal to. Otherwise push what it refers to and return false. */
bool unit_enter_record(struct unit_encoder *m, unit_tid t);
/* @t waits for the types on the stack from @first on. If one of these waits for @t, enter a placeholder. */
void unit_wait(struct unit_encoder *m, unit_tid t, size_t first);
/* All types are entered: place their strings, and the reference types that the unit has several times. */
void unit_end_types(struct unit_encoder *m);
/* Fill @ret, which is zeroed, with the records from m->source. */
void unit_records(struct unit_encoder *m, struct raw_unit *ret);

/*
 * May the function @name be described (encode_wants_func())? If not, it is reported if the user asked for it, or for a symbol
 * at @addr (0: unknown).
 */
bool unit_wants_func(struct unit_encoder *m, uint32_t name, uint64_t addr);

/* unit_types.c: all types of the unit and their declaration tags. */
MUST_CHECK struct err *unit_add_types(struct unit_encoder *m);
/* Their records as they are. */
void unit_raw_types(struct unit_encoder *m, struct raw_unit *ret);
/* The tags of @owner's sort by what they are of, and then in the order of finding. */
void unit_sort_tags(const struct cu *cu, enum cu_tag_owner owner, struct unit_sorted_tags *ret);
/* Append the tags of owner @of to @ret; m->tags must be sorted for that sort of owner. Returns how many. */
uint32_t unit_copy_tags(const struct unit_encoder *m, uint32_t of, struct unit_tags *ret);
/*
 * unit_funcs.c: list the functions of the symbol table, in the form that the run wants. ERR_FORMAT if one refers to a
 * record that is no type.
 */
MUST_CHECK struct err *unit_add_funcs(struct unit_encoder *m, const struct unit_facts *facts);
/* Put the prototype at @rec into m->words, with references of the pool. Returns its length. */
size_t unit_convert_proto(struct unit_encoder *m, const uint32_t *rec);
/* Append the prototypes of these functions, and of the inlined ones, as they are. */
void unit_raw_protos(const struct run *run, const struct unit_facts *facts, struct raw_unit *ret);
/* unit_vars.c: list the variables that are in a section. ERR_UNSUPPORTED for an invalid name. */
MUST_CHECK struct err *unit_add_vars(struct unit_encoder *m, const struct unit_facts *facts);

/*
 * unit_sites.c: list the copies of inlined functions that are in sections of code. ERR_FORMAT if one refers to a record
 * that is no type.
 */
MUST_CHECK struct err *unit_add_sites(struct unit_encoder *m, const struct unit_facts *facts);

/* The state of a parameter. */
enum param_fate {
	PARAM_OPTIMIZED = 1 << 0,   /* it is gone */
	PARAM_MEMBER_NAME = 1 << 1, /* it is called by the only member that is left */
	PARAM_MEMBER_TYPE = 1 << 2, /* and this is what is passed */
};

/* NULL if @f has none. */
static inline const struct cu_param *func_params(const struct unit_encoder *m,
						 const struct cu_func *f)
{
	return f->nr_params ? &m->cu->params.items[f->first_param] : NULL;
}

static inline unit_tid param_type(const struct unit_encoder *m, const struct cu_param *p,
				  uint8_t fate)
{
	return unlikely(fate & PARAM_MEMBER_TYPE) ? m->cu->members.items[p->member - 1].type :
						    p->type;
}

/*
 * unit_regs.c: check where parameters arrive. Returns enum unit_func_flags. @fate has room for each
 * parameter.
 */
uint32_t param_flags(const struct unit_encoder *m, const struct cu_func *f, uint8_t *fate);

/*
 * packed_struct.c: was struct @type declared packed? DWARF does not have that, but a member that is not
 * at a multiple of its alignment, or a size that is none, shows it (docs/spec/encoding.md 8.8). @max_align is that of
 * struct regs.
 */
bool packed_struct(const struct cu *cu, unit_tid type, uint32_t max_align);

#endif
