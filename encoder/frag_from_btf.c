/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frag_from_btf.c - see frag_from_btf.h
 *
 * A member is read in three steps. The records that are the unit's types and their tags get
 * numbers, from 1 on, and are rewritten in place: strings become ids of the pool, types
 * numbers (take_apart). Then they go into the pool as those of frag_types.c do. Then functions
 * and variables are held back.
 *
 * The strings of types stand in the string section in the order in which the unit came to
 * them, so their offsets are their steps (str_pool.h); those of functions and variables
 * come behind.
 */
#include "encoder/frag_from_btf.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "dedup/btf_view.h"
#include "encoder/frag_maker.h"
#include "encoder/member_note.h"

#include <elf.h>
#include <stdlib.h>

struct member_maker {
	struct frag_maker *frag;
	/* of the member at hand */
	const struct member *member;
	struct btf_view view;
	struct member_note note;
	bool have_note;
	struct bytes strings; /* the note's included */
	/* string ids by offset, 0: not asked for yet */
	uint32_t *ids;
	size_t ids_cap;
	/* by id in the member: its number in the unit, 0 if it is none of its types */
	uint32_t *tid;
	size_t tid_cap;
	/* by number: the record; [0] and the index place are NULL */
	struct {
		uint32_t **items;
		size_t nr, cap;
	} recs;
	frag_tid index_place;
};

struct member_maker *member_maker_new(const struct run *run)
{
	struct member_maker *mm = mem_zalloc(1, sizeof(*mm));

	mm->frag = frag_maker_new(run);
	return mm;
}

static void forget_member(struct member_maker *mm)
{
	btf_view_release(&mm->view);
	member_note_release(&mm->note);
	mm->have_note = false;
}

void member_maker_free(struct member_maker *mm)
{
	if (!mm)
		return;
	forget_member(mm);
	frag_maker_free(mm->frag);
	free(mm->ids);
	free(mm->tid);
	free(mm->recs.items);
	free(mm);
}

/* --- opening ------------------------------------------------------------------------ */

/* The view's strings end before the note; @mm->strings have both. */
static void read_note(struct member_maker *mm, struct notes *notes)
{
	struct bytes body;
	size_t len;

	mm->strings = mm->view.strings;
	struct err *e = member_note_find(mm->strings, &len, &body);
	mm->view.strings.len = len;
	if (!e && body.ptr)
		e = member_note_read(body, mm->strings, btf_types_end(&mm->view.types), &mm->note);
	if (e) {
		notes_add(notes, NOTE_WARNING, "%s: the note is passed over: %s", mm->member->where,
			  err_text(e));
		err_free(e);
		return;
	}
	mm->have_note = body.ptr != NULL;
}

static struct err *open_member(struct member_maker *mm, const struct member *member,
			       struct notes *notes)
{
	forget_member(mm);
	mm->member = member;
	TRY(err_at(btf_view_open(member->bytes, NULL, &mm->view), "%s", member->where));
	read_note(mm, notes);

	size_t nr = mm->strings.len;
	mm->ids = mem_grow(mm->ids, &mm->ids_cap, nr + 1, sizeof(mm->ids[0]));
	memset(mm->ids, 0, nr * sizeof(mm->ids[0]));
	return NULL;
}

/* --- strings ------------------------------------------------------------------------- */

static uint32_t string_len(const struct member_maker *mm, uint32_t off)
{
	return (uint32_t)strlen((const char *)mm->strings.ptr + off);
}

/* The pool's id of the string at @off. */
static uint32_t string_id(struct member_maker *mm, uint32_t off)
{
	if (!mm->ids[off])
		mm->ids[off] = str_pool_add(mm->frag->run->strings,
					    (const char *)mm->strings.ptr + off,
					    string_len(mm, off));
	return mm->ids[off];
}

/* The same for one that types use: its place is where it stands. */
ALWAYS_INLINE uint32_t type_string(struct member_maker *mm, uint32_t unit, uint32_t off)
{
	uint32_t id = mm->ids[off];

	if (likely(id) || !off)
		return id;
	id = string_id(mm, off);
	str_pool_use(mm->frag->run->strings, id, str_place_at(unit, off));
	return id;
}

/* --- taking apart --------------------------------------------------------------------- */

static uint32_t *view_rec(const struct member_maker *mm, uint32_t id)
{
	return btf_types_rec(&mm->view.types, id);
}

static uint32_t kind_at(const struct member_maker *mm, uint32_t id)
{
	return btf_info_kind(view_rec(mm, id)[BTF_REC_INFO]);
}

/*
 * Mark the prototypes that only functions have, in a member that does not say where its
 * functions begin: pahole puts a function's prototype right before it, and gcc has one for each.
 */
static void find_func_protos(const struct member_maker *mm, bool *only_func)
{
	uint32_t end = btf_types_end(&mm->view.types);

	for (uint32_t id = 1; id < end; id++) {
		if (kind_at(mm, id) == BTF_FUNC)
			only_func[view_rec(mm, id)[BTF_REC_SIZE_TYPE]] = true;
	}
	for (uint32_t id = 1; id < end; id++) {
		if (kind_at(mm, id) == BTF_FUNC)
			continue;
		btf_rec_each_type(view_rec(mm, id), type) only_func[*type] = false;
	}
}

/* Is record @id one of the unit's types, or a tag of one? */
static bool is_type(const struct member_maker *mm, uint32_t id, const bool *only_func)
{
	const uint32_t *rec = view_rec(mm, id);

	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_FUNC:
	case BTF_VAR:
	case BTF_DATASEC:
		return false;
	case BTF_DECL_TAG: {
		uint32_t of = kind_at(mm, rec[BTF_REC_SIZE_TYPE]);

		return of != BTF_FUNC && of != BTF_VAR;
	}
	default:
		return only_func ? !only_func[id] : id < mm->note.func_start;
	}
}

static void number_types(struct member_maker *mm)
{
	uint32_t end = btf_types_end(&mm->view.types);
	bool *only_func = NULL;

	mm->tid = mem_grow(mm->tid, &mm->tid_cap, end, sizeof(mm->tid[0]));
	memset(mm->tid, 0, end * sizeof(mm->tid[0]));
	if (!mm->have_note) {
		only_func = mem_zalloc(end, sizeof(*only_func));
		find_func_protos(mm, only_func);
	}
	for (uint32_t id = 1; id < end; id++) {
		bool index = mm->have_note && id == mm->note.index;

		if (!is_type(mm, id, only_func))
			continue;
		mm->tid[id] = (uint32_t)mm->recs.nr;
		if (index)
			mm->index_place = (frag_tid)mm->recs.nr;
		vec_push(&mm->recs, index ? NULL : view_rec(mm, id));
	}
	free(only_func);
}

/* The unit's own records are in the note, with numbers of their own. */
static void take_own(struct member_maker *mm)
{
	for (size_t i = 1; i < mm->note.own.nr; i++) {
		uint32_t start = mm->note.own.items[i];

		if (!start)
			mm->index_place = (frag_tid)mm->recs.nr;
		vec_push(&mm->recs, start ? mm->note.words.items + start : NULL);
	}
}

static bool has_own(const struct member_maker *mm)
{
	return mm->have_note && mm->note.own.nr;
}

/* Strings to ids, types to numbers. */
static struct err *rewrite(struct member_maker *mm, uint32_t unit, uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	bool own = has_own(mm), lost = false;
	uint32_t *elem = rec + BTF_REC_WORDS + l->fixed;

#define TO_NUMBER(x)                            \
	do {                                    \
		uint32_t *ref_ = &(x);          \
		if (!own && *ref_) {            \
			*ref_ = mm->tid[*ref_]; \
			lost |= !*ref_;         \
		}                               \
	} while (0)
	rec[BTF_REC_NAME] = type_string(mm, unit, rec[BTF_REC_NAME]);
	if (l->main_is_type)
		TO_NUMBER(rec[BTF_REC_SIZE_TYPE]);
	if (l->fixed_types)
		TO_NUMBER(rec[BTF_REC_WORDS]);
	for (uint32_t i = 0; i < vlen; i++, elem += l->elem) {
		if (l->elem_name >= 0)
			elem[l->elem_name] = type_string(mm, unit, elem[l->elem_name]);
		if (l->elem_type >= 0)
			TO_NUMBER(elem[l->elem_type]);
	}
#undef TO_NUMBER
	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_ARRAY:
		/* one index type for the whole program */
		rec[BTF_REC_WORDS + 1] = POOL_REF_INDEX;
		break;
	case BTF_FWD:
		rec[BTF_REC_SIZE_TYPE] =
			0; /* gcc leaves something there (spec btf-and-dedup 8.2) */
		break;
	default:
		break;
	}
	if (lost)
		return err_new(ERR_FORMAT, "%s: a %s refers to what is no type", mm->member->where,
			       l->name);
	return NULL;
}

/* All records of the unit, with references as it numbers them. */
static struct err *take_apart(struct member_maker *mm, uint32_t unit)
{
	mm->recs.nr = 0;
	mm->index_place = 0;
	vec_push(&mm->recs, NULL);
	if (has_own(mm))
		take_own(mm);
	else
		number_types(mm);
	for (size_t t = 1; t < mm->recs.nr; t++) {
		if (mm->recs.items[t])
			TRY(rewrite(mm, unit, mm->recs.items[t]));
	}
	if (!mm->index_place) {
		mm->index_place = (frag_tid)mm->recs.nr;
		vec_push(&mm->recs, NULL);
	}
	return NULL;
}

/* --- types ---------------------------------------------------------------------------- */

/* What other records say to refer to number @t; 0 for what is not in the pool yet. */
ALWAYS_INLINE pool_ref ref_of(const struct member_maker *mm, uint32_t t)
{
	if (unlikely(t == mm->index_place))
		return POOL_REF_INDEX;
	return pool_ref_to(mm->recs.items[t], mm->frag->frag->types.items[t]);
}

/* Replace number *@p by what the pool says; ask for it if it is not there. */
ALWAYS_INLINE void to_pool(struct member_maker *mm, uint32_t *p, bool *missing)
{
	uint32_t t = *p;

	if (!t || t == POOL_REF_INDEX)
		return;
	*p = ref_of(mm, t);
	if (unlikely(!*p)) {
		vec_push(&mm->frag->stack, t);
		*missing = true;
	}
}

static bool refs_to_pool(struct member_maker *mm, uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	uint32_t *elem = rec + BTF_REC_WORDS + l->fixed;
	bool missing = false;

	if (l->main_is_type)
		to_pool(mm, &rec[BTF_REC_SIZE_TYPE], &missing);
	if (l->fixed_types)
		to_pool(mm, &rec[BTF_REC_WORDS], &missing);
	if (l->elem_type >= 0) {
		for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++, elem += l->elem)
			to_pool(mm, &elem[l->elem_type], &missing);
	}
	return !missing;
}

/* As in frag_types.c: what this worker has met in an earlier member it need not look up. */
static bool enter_reference(struct member_maker *mm, uint32_t t, const uint32_t *from)
{
	struct frag_maker *m = mm->frag;
	uint32_t rec[] = { from[BTF_REC_NAME], from[BTF_REC_INFO], from[BTF_REC_SIZE_TYPE] };
	bool missing = false;

	to_pool(mm, &rec[BTF_REC_SIZE_TYPE], &missing);
	if (unlikely(missing))
		return false;

	struct met_record *met = &m->met[hash_words(rec, ARRAY_SIZE(rec)) % ARRAY_SIZE(m->met)];
	if (likely(met->before && !memcmp(met->rec, rec, sizeof(rec)) &&
		   met->before <= m->frag->unit)) {
		m->frag->types.items[t] = met->id;
		m->state[t] = TYPE_DONE;
		return true;
	}
	frag_enter(m, t, rec, ARRAY_SIZE(rec));
	memcpy(met->rec, rec, sizeof(rec));
	met->id = m->frag->types.items[t];
	met->before = m->frag->unit + 1;
	return true;
}

static bool enter_record(struct member_maker *mm, uint32_t t, const uint32_t *from)
{
	struct frag_maker *m = mm->frag;
	size_t nr = btf_rec_words(from);

	m->words.nr = 0;
	vec_reserve(&m->words, nr);
	memcpy(m->words.items, from, nr * sizeof(*from));
	if (unlikely(!refs_to_pool(mm, m->words.items)))
		return false;
	if (btf_info_kind(from[BTF_REC_INFO]) == BTF_ARRAY) {
		m->frag->has_arrays = true;
	} else {
		pool_ref name = pool_ref_to(from, 0);

		if (name)
			frag_check_crowd(m, name);
	}
	frag_enter(m, t, m->words.items, nr);
	return true;
}

static void intern(struct member_maker *mm, uint32_t t)
{
	struct frag_maker *m = mm->frag;
	const uint32_t *rec = mm->recs.items[t];
	size_t asked = m->stack.nr;

	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_PTR:
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_RESTRICT:
	case BTF_TYPEDEF:
	case BTF_TYPE_TAG:
		if (likely(enter_reference(mm, t, rec)))
			return;
		break;
	default:
		if (likely(enter_record(mm, t, rec)))
			return;
		break;
	}
	for (size_t i = asked; i < m->stack.nr; i++) {
		if (m->state[m->stack.items[i]] != TYPE_WAITS && m->stack.items[i] != t)
			continue;
		m->stack.nr = asked;
		frag_enter_lonely(m, t);
		return;
	}
	m->state[t] = TYPE_WAITS;
}

static void intern_all(struct member_maker *mm)
{
	struct frag_maker *m = mm->frag;

	for (uint32_t t = 1; t < mm->recs.nr; t++) {
		if (!mm->recs.items[t] || m->state[t] == TYPE_DONE)
			continue;
		intern(mm, t);
		if (likely(m->state[t] == TYPE_DONE))
			continue;
		while (m->stack.nr) {
			uint32_t top = m->stack.items[m->stack.nr - 1];

			if (m->state[top] == TYPE_DONE)
				m->stack.nr--;
			else
				intern(mm, top);
		}
		intern(mm, t);
	}
}

/* A member that nobody deduplicated says some reference types twice. */
static void place_twice(struct member_maker *mm)
{
	struct frag_refs refs = { 0 };

	if (!frag_fresh_twice(mm->frag))
		return;
	for (size_t t = 0; t < mm->recs.nr; t++) {
		uint32_t *rec = mm->recs.items[t];
		bool is_ref = rec && frag_is_reference(btf_info_kind(rec[BTF_REC_INFO]));

		frag_refs_next(&refs, is_ref);
		if (!is_ref)
			continue;
		btf_rec_each_type(rec, type)
		{
			if (*type != POOL_REF_INDEX && *type != mm->index_place)
				vec_push(&refs.to, *type);
		}
	}
	frag_place_in_walk_order(mm->frag, &refs);
	frag_refs_release(&refs);
}

static void find_int(struct member_maker *mm)
{
	for (uint32_t t = 1; t < mm->recs.nr; t++) {
		const uint32_t *rec = mm->recs.items[t];

		if (rec && btf_info_kind(rec[BTF_REC_INFO]) == BTF_INT &&
		    rec[BTF_REC_NAME] == mm->frag->run->int_name) {
			mm->frag->frag->first_int = t;
			return;
		}
	}
}

static void add_types(struct member_maker *mm)
{
	struct frag_maker *m = mm->frag;
	size_t nr = mm->recs.nr;

	vec_reserve(&m->frag->types, nr);
	memset(m->frag->types.items, 0, nr * sizeof(m->frag->types.items[0]));
	m->frag->types.nr = nr;
	m->frag->index_place = mm->index_place;
	m->state = mem_grow(m->state, &m->state_cap, nr, sizeof(m->state[0]));
	memset(m->state, TYPE_NEW, nr);
	m->fresh.nr = 0;
	m->last = &m->before_first;
	frag_prepare_crowds(m);
	intern_all(mm);
	place_twice(mm);
	find_int(mm);
	m->frag->index_step = mm->have_note && mm->note.index ?
				      view_rec(mm, mm->note.index)[BTF_REC_NAME] :
				      (uint32_t)mm->view.strings.len;
}

/* --- functions ------------------------------------------------------------------------ */

/* Is @sym what @f goes by? */
static bool goes_by(const struct member_maker *mm, const struct func_symbol *sym, uint32_t key_len,
		    const struct member_func *f)
{
	if (!f->symbol)
		return !sym->name[key_len];
	return !strcmp(sym->name, (const char *)mm->strings.ptr + f->symbol);
}

/*
 * Where the linker has put the function. Of a relocatable file no address in the debug
 * information is a symbol's value, so there none is here. A weak definition is the one
 * that is used if there is no other and no earlier one, which the caller finds out.
 */
static uint64_t func_addr(const struct member_maker *mm, const struct func_entry *e,
			  const struct member_func *f, uint32_t *flags)
{
	const struct run *run = mm->frag->run;

	if (f->at == MEMBER_FUNC_NOWHERE)
		return 0;
	if (f->at == MEMBER_FUNC_ELSEWHERE || run->obj->is_rel)
		return FRAG_FUNC_NO_SYMBOL;
	for (uint32_t i = 0; i < e->nr; i++) {
		const struct func_symbol *sym = &run->syms->func_symbols[e->first + i];
		uint8_t bind = run->syms->all[sym->symbol].bind;

		if (!goes_by(mm, sym, e->name_len, f))
			continue;
		if (f->at == MEMBER_FUNC_WEAK && bind == STB_GLOBAL)
			return FRAG_FUNC_NO_SYMBOL;
		if (f->at == MEMBER_FUNC_WEAK)
			*flags |= FRAG_FUNC_WEAK;
		if (f->at == MEMBER_FUNC_LOCAL && bind != STB_LOCAL)
			continue;
		return sym->value;
	}
	return 0; /* not linked: debug information has a zero there, too */
}

static void add_func(struct member_maker *mm, uint32_t func, const struct member_func *f,
		     const uint32_t *rec, uint32_t ordinal)
{
	struct frag_maker *m = mm->frag;
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	struct frag_func ff = {
		.func = func,
		.unit = m->frag->unit,
		.file = m->run->file,
		.ordinal = ordinal,
		.flags = f->flags,
		.tags = (uint32_t)m->frag->func_tags.nr,
		.nr_tags = f->nr_tags,
	};

	ff.addr = func_addr(mm, &m->run->syms->funcs[func], f, &ff.flags);
	m->words.nr = 0;
	vec_reserve(&m->words, btf_rec_words(rec));
	memcpy(m->words.items, rec, btf_rec_words(rec) * sizeof(*rec));
	uint32_t *out = m->words.items;
	if (out[BTF_REC_SIZE_TYPE])
		out[BTF_REC_SIZE_TYPE] = ref_of(mm, out[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < vlen; i++) {
		uint32_t *elem = out + BTF_REC_WORDS + (size_t)i * 2;

		str_pool_use(m->run->strings, elem[0], frag_now(m));
		if (elem[1])
			elem[1] = ref_of(mm, elem[1]);
	}
	struct pool_type *p;
	ff.proto = type_pool_add(m->run->types, out, btf_rec_words(rec), &p);
	for (uint32_t i = 0; i < f->nr_tags; i++) {
		struct frag_tag tag = mm->note.tags.items[f->tags + i];

		tag.value = string_id(mm, tag.value);
		str_pool_use(m->run->strings, tag.value, frag_now(m));
		vec_push(&m->frag->func_tags, tag);
	}
	vec_push(&m->frag->funcs, ff);
}

/* Index in the symbol table's functions of the name at @off, plus 1; 0 for none. */
static uint32_t known_func(struct member_maker *mm, uint32_t off)
{
	uint32_t id = mm->ids[off];

	if (!id)
		id = str_pool_find(mm->frag->run->strings, (const char *)mm->strings.ptr + off,
				   string_len(mm, off));
	return run_func(mm->frag->run, id);
}

/*
 * The prototype of @f with strings as ids and types as numbers, in the words that hold it; once
 * for each member. False if it refers to what is no type.
 */
static bool rewrite_proto(struct member_maker *mm, uint32_t *rec)
{
	bool own = has_own(mm);

	btf_rec_each_name(rec, name)
	{
		if (*name)
			*name = string_id(mm, *name);
	}
	btf_rec_each_type(rec, type)
	{
		if (!*type || own)
			continue;
		*type = mm->tid[*type];
		if (!*type)
			return false;
	}
	return true;
}

static bool only_optimized(const struct symbols *syms, const struct func_entry *e)
{
	for (uint32_t i = 0; i < e->nr; i++) {
		if (!syms->func_symbols[e->first + i].optimized)
			return false;
	}
	return e->nr > 0;
}

/*
 * Without a note, the functions are those that the member lists. Whether an optimized copy still
 * takes what its prototype says is not known then, so where there is nothing else, the
 * function is left out.
 */
static void list_funcs(struct member_maker *mm, struct notes *notes)
{
	const struct symbols *syms = mm->frag->run->syms;
	uint32_t end = btf_types_end(&mm->view.types);

	vec_push(&mm->note.words, 0);
	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = view_rec(mm, id);
		if (btf_info_kind(rec[BTF_REC_INFO]) != BTF_FUNC)
			continue;

		uint32_t known = known_func(mm, rec[BTF_REC_NAME]);
		const uint32_t *proto = view_rec(mm, rec[BTF_REC_SIZE_TYPE]);
		if (!known)
			continue;
		if (only_optimized(syms, &syms->funcs[known - 1])) {
			notes_add(notes, NOTE_VERBOSE,
				  "%s: function '%s' left out: only optimized copies are linked",
				  mm->member->where,
				  (const char *)mm->strings.ptr + rec[BTF_REC_NAME]);
			continue;
		}

		const struct member_func f = {
			.name = rec[BTF_REC_NAME],
			.at = MEMBER_FUNC_GLOBAL,
			.proto = (uint32_t)mm->note.words.nr,
		};
		for (size_t w = 0; w < btf_rec_words(proto); w++)
			vec_push(&mm->note.words, proto[w]);
		vec_push(&mm->note.funcs, f);
	}
}

static struct err *add_funcs(struct member_maker *mm)
{
	for (size_t i = 0; i < mm->note.funcs.nr; i++) {
		const struct member_func *f = &mm->note.funcs.items[i];
		uint32_t known = known_func(mm, f->name), *rec = mm->note.words.items + f->proto;

		if (!known)
			continue;
		if (!rewrite_proto(mm, rec))
			return err_new(ERR_FORMAT, "%s: function '%s' refers to what is no type",
				       mm->member->where, (const char *)mm->strings.ptr + f->name);
		add_func(mm, known - 1, f, rec, (uint32_t)i);
	}
	return NULL;
}

/* --- variables ------------------------------------------------------------------------ */

/* Where a VAR of the member is from. */
struct var_source {
	uint32_t home; /* in frag.homes, plus 1; 0: no section lists it */
	uint32_t offset, size;
};

/* A tag of a VAR. */
struct var_tag {
	uint32_t var;
	struct frag_tag tag;
};

struct var_tags {
	struct var_tag *items;
	size_t nr, cap;
};

static struct var_source *list_sources(struct member_maker *mm)
{
	uint32_t end = btf_types_end(&mm->view.types);
	struct var_source *sources = mem_zalloc(end, sizeof(*sources));
	struct frag *f = mm->frag->frag;

	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = view_rec(mm, id), *entry = rec + BTF_REC_WORDS;

		if (btf_info_kind(rec[BTF_REC_INFO]) != BTF_DATASEC)
			continue;
		vec_push(&f->homes,
			 ((struct frag_home){ .name = string_id(mm, rec[BTF_REC_NAME]) }));
		for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++, entry += 3)
			sources[entry[0]] = (struct var_source){ (uint32_t)f->homes.nr, entry[1],
								 entry[2] };
	}
	return sources;
}

static int by_var(const void *a, const void *b)
{
	const struct var_tag *x = a, *y = b;

	if (x->var != y->var)
		return x->var < y->var ? -1 : 1;
	return (x > y) - (x < y);
}

static void list_var_tags(struct member_maker *mm, struct var_tags *ret)
{
	for (uint32_t id = 1; id < btf_types_end(&mm->view.types); id++) {
		const uint32_t *rec = view_rec(mm, id);

		if (btf_info_kind(rec[BTF_REC_INFO]) != BTF_DECL_TAG ||
		    kind_at(mm, rec[BTF_REC_SIZE_TYPE]) != BTF_VAR)
			continue;
		vec_push(ret, ((struct var_tag){ rec[BTF_REC_SIZE_TYPE],
						 { string_id(mm, rec[BTF_REC_NAME]),
						   (int32_t)rec[BTF_REC_WORDS] } }));
	}
	if (ret->nr)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), by_var);
}

/* Bytes that a value of number @t takes; 0 for what has no size and for circles. */
static uint64_t type_size(const struct member_maker *mm, uint32_t t)
{
	uint64_t times = 1;

	for (size_t steps = 0; t && t != mm->index_place && steps < mm->recs.nr; steps++) {
		const uint32_t *rec = mm->recs.items[t];
		uint64_t size = 0;

		switch (btf_info_kind(rec[BTF_REC_INFO])) {
		case BTF_INT:
		case BTF_FLOAT:
		case BTF_STRUCT:
		case BTF_UNION:
		case BTF_ENUM:
		case BTF_ENUM64:
			size = rec[BTF_REC_SIZE_TYPE];
			break;
		case BTF_PTR:
			size = mm->frag->run->obj->addr_size;
			break;
		case BTF_ARRAY:
			times *= rec[BTF_REC_WORDS + 2];
			t = rec[BTF_REC_WORDS];
			if (times > UINT32_MAX)
				return 0;
			continue;
		case BTF_FWD:
		case BTF_FUNC_PROTO:
			return 0;
		default:
			t = rec[BTF_REC_SIZE_TYPE];
			continue;
		}
		return size * times;
	}
	return 0;
}

static int by_home(const void *a, const void *b)
{
	const struct frag_var *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Bring the variables of one home together. One more home is for those of none. */
static void sort_into_homes(struct frag *f)
{
	if (f->vars.nr)
		qsort(f->vars.items, f->vars.nr, sizeof(f->vars.items[0]), by_home);
	vec_push(&f->homes, ((struct frag_home){ 0 }));
	for (size_t i = 0; i < f->vars.nr; i++) {
		uint32_t home = f->vars.items[i].section; /* plus 1 */
		struct frag_home *h = &f->homes.items[home ? home - 1 : f->homes.nr - 1];

		if (!h->nr++)
			h->first = (uint32_t)i;
	}
}

static struct err *add_var(struct member_maker *mm, uint32_t id, const struct var_source *source,
			   const struct var_tags *tags, size_t *tag)
{
	const uint32_t *rec = view_rec(mm, id);
	struct frag_maker *m = mm->frag;
	struct frag *f = m->frag;
	struct frag_var v = {
		.name = string_id(mm, rec[BTF_REC_NAME]),
		.section = source->home,
		.offset = source->offset,
		.size = source->size,
		.linkage = rec[BTF_REC_WORDS],
		.tags = (uint32_t)f->var_tags.nr,
		.order = (uint32_t)f->vars.nr,
	};

	if (!has_own(mm))
		v.type = mm->tid[rec[BTF_REC_SIZE_TYPE]];
	else if (v.order < mm->note.var_types.nr)
		v.type = mm->note.var_types.items[v.order];
	if (!v.type)
		return err_new(ERR_FORMAT, "%s: variable '%s' has no type", mm->member->where,
			       str_pool_text(m->run->strings, v.name));

	uint64_t size = v.size ? v.size : type_size(mm, v.type);
	for (; *tag < tags->nr && tags->items[*tag].var < id;)
		++*tag;
	/* what is declared only is another member's, and what has no size nobody can place */
	if (v.linkage == BTF_LINK_EXTERN || !size || size > UINT32_MAX)
		return NULL;
	v.size = (uint32_t)size;
	for (; *tag < tags->nr && tags->items[*tag].var == id; ++*tag) {
		vec_push(&f->var_tags, tags->items[*tag].tag);
		v.nr_tags++;
	}
	vec_push(&f->vars, v);
	return NULL;
}

static struct err *add_vars(struct member_maker *mm)
{
	struct var_tags tags = { 0 };
	struct err *e = NULL;
	size_t tag = 0;

	if (!mm->frag->run->var_sections)
		return NULL;

	struct var_source *sources = list_sources(mm);
	list_var_tags(mm, &tags);
	for (uint32_t id = 1; !e && id < btf_types_end(&mm->view.types); id++) {
		if (kind_at(mm, id) == BTF_VAR)
			e = add_var(mm, id, &sources[id], &tags, &tag);
	}
	mm->frag->frag->var_step = mm->frag->step;
	sort_into_homes(mm->frag->frag);
	free(sources);
	free(tags.items);
	return e;
}

/* --- all of it -------------------------------------------------------------------------- */

static struct err *make_frag(struct member_maker *mm, uint32_t unit, struct frag *f)
{
	if (!mm->have_note)
		list_funcs(mm, &f->notes);
	TRY(take_apart(mm, unit));
	mm->frag->step = (uint32_t)mm->strings.len;
	f->name = mm->have_note && mm->note.unit ? string_id(mm, mm->note.unit) : 0;
	add_types(mm);
	TRY(add_funcs(mm));
	return add_vars(mm);
}

struct err *frag_from_btf(struct member_maker *mm, const struct member *member, uint32_t unit,
			  struct frag *ret)
{
	CLEANUP(frag_release) struct frag f = { .unit = unit };

	f.notes.verbose = mm->frag->run->opts->verbose;
	mm->frag->frag = &f;
	TRY(open_member(mm, member, &f.notes));
	TRY(make_frag(mm, unit, &f));
	forget_member(mm);
	*ret = TAKE(f);
	return NULL;
}

static void copy_record(struct exact_unit *e, const uint32_t *rec)
{
	size_t nr = btf_rec_words(rec);

	vec_reserve(&e->words, nr);
	memcpy(e->words.items + e->words.nr, rec, nr * sizeof(*rec));
	e->words.nr += nr;
}

struct err *exact_from_btf(struct member_maker *mm, const struct member *member, uint32_t unit,
			   struct exact_unit *ret)
{
	CLEANUP(exact_unit_release) struct exact_unit e = { 0 };
	CLEANUP(notes_release) struct notes notes = { 0 }; /* all of them said before */

	TRY(open_member(mm, member, &notes));
	if (!mm->have_note)
		list_funcs(mm, &notes);
	TRY(take_apart(mm, unit));
	vec_push(&e.start, 0);
	vec_push(&e.words, 0); /* so that no record starts at 0 */
	for (size_t t = 1; t < mm->recs.nr; t++) {
		vec_push(&e.start, mm->recs.items[t] ? (uint32_t)e.words.nr : 0);
		if (mm->recs.items[t])
			copy_record(&e, mm->recs.items[t]);
	}
	for (size_t i = 0; i < mm->note.funcs.nr; i++) {
		uint32_t *rec = mm->note.words.items + mm->note.funcs.items[i].proto;

		vec_push(&e.protos, (uint32_t)e.words.nr);
		if (known_func(mm, mm->note.funcs.items[i].name) && rewrite_proto(mm, rec))
			copy_record(&e, rec);
	}
	forget_member(mm);
	*ret = TAKE(e);
	return NULL;
}
