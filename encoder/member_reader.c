/* SPDX-License-Identifier: GPL-2.0-only */
/* member_reader.c - see member_reader.h */
#include "encoder/member_reader.h"

#include "encoder/gcc_member.h"

#include <stdlib.h>

struct member_reader *member_reader_new(const struct run *run)
{
	struct member_reader *r = mem_zalloc(1, sizeof(*r));

	r->frag = frag_maker_new(run);
	return r;
}

void member_forget(struct member_reader *r)
{
	member_note_release(&r->note);
	r->have_note = false;
	r->source = 0;
	r->maker = MAKER_PAHOLE_LIKE;
}

void member_reader_free(struct member_reader *r)
{
	if (!r)
		return;
	member_forget(r);
	btf_view_release(&r->view);
	frag_maker_free(r->frag);
	free(r->ids);
	known_strings_release(&r->known);
	free(r->tid);
	free(r->recs.items);
	free(r->others.items);
	free(r->refs);
	free(r->entries);
	free(r);
}

uint32_t member_rest_of_string(struct member_reader *r, uint32_t off)
{
	const char *text = member_text(r, off);

	r->ids[off] = str_pool_add_copy(r->frag->run->strings, text, strlen(text));
	return r->ids[off];
}

/* --- opening ------------------------------------------------------------------------ */

/*
 * Ids and names were checked on opening, kinds were not: what follows relies on a FUNC having a
 * FUNC_PROTO, and on a tag having something to be the tag of.
 */
static struct err *check_kinds(const struct member_reader *r)
{
	for (uint32_t id = 1; id < btf_types_end(&r->view.types); id++) {
		const uint32_t *rec = member_rec(r, id);
		uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]), to = rec[BTF_REC_SIZE_TYPE];

		if (likely(kind != BTF_FUNC && kind != BTF_DECL_TAG))
			continue;
		if (!to || (kind == BTF_FUNC && member_kind(r, to) != BTF_FUNC_PROTO))
			return err_new(ERR_FORMAT, "%s: type %u: a %s refers to type %u, a %s",
				       r->member->where, id, btf_kind_layout(kind)->name, to,
				       to ? btf_kind_layout(member_kind(r, to))->name : "void");
	}
	return NULL;
}

/* The view's strings end before the note; @r->strings have both. */
static struct err *read_note(struct member_reader *r, struct notes *notes)
{
	struct bytes body;
	size_t len;

	r->strings = r->view.strings;
	struct err *e = member_note_find(r->strings, &len, &body);
	if (!btf_view_refs_fit(&r->view, (uint32_t)len)) {
		err_free(e);
		btf_view_release(&r->view);
		TRY(err_at(btf_view_open(r->member->bytes, NULL, &r->view), "%s",
			   r->member->where));
		/* they do if the note is no note */
		e = err_new(ERR_FORMAT, "records refer into it");
		len = r->strings.len;
		body = (struct bytes){ 0 };
	}
	r->view.strings.len = len;
	r->strings_end = body.ptr ? (size_t)(body.ptr - r->strings.ptr) : len;
	if (!e && body.ptr)
		e = member_note_read(body, r->strings, btf_types_end(&r->view.types), &r->note);
	if (e) {
		notes_add(notes, NOTE_WARNING, "%s: the note is passed over: %s", r->member->where,
			  err_text(e));
		err_free(e);
		return NULL;
	}
	r->have_note = body.ptr != NULL;
	r->source = r->note.unit;
	return NULL;
}

/* What gcc wrote becomes what we would have. */
static struct err *normalise(struct member_reader *r, struct notes *notes)
{
	const struct run *run = r->frag->run;
	struct gcc_member_counts c = { 0 };

	r->maker = member_maker_of(&r->view);
	if (r->maker != MAKER_GCC)
		return NULL;

	const char *source = gcc_member_source(&r->view);
	if (source)
		r->source = (uint32_t)((const uint8_t *)source - r->strings.ptr);
	TRY(err_at(gcc_member_normalise(&r->view, run->opts->features, run->gcc_tags, &c), "%s",
		   r->member->where));
	notes_add(notes, NOTE_VERBOSE,
		  "%s: made by gcc: left out %u functions, %u prototypes, %u variables, %u members",
		  r->member->where, c.funcs, c.protos, c.vars, c.members);
	return NULL;
}

struct err *member_open(struct member_reader *r, const struct member *member, struct notes *notes)
{
	member_forget(r);
	r->member = member;
	TRY(err_at(btf_view_load(member->bytes, &r->view), "%s", member->where));
	TRY(read_note(r, notes));
	TRY(check_kinds(r));
	if (!r->have_note)
		TRY(normalise(r, notes));

	size_t nr = r->strings.len + 1;
	r->ids = mem_grow(r->ids, &r->ids_cap, nr, sizeof(r->ids[0]));
	memset(r->ids, 0, nr * sizeof(r->ids[0]));
	known_strings_look_up(&r->known, r->frag->run->strings,
			      (struct bytes){ r->strings.ptr, r->strings_end }, r->ids);
	return NULL;
}

/* --- taking apart --------------------------------------------------------------------- */

/*
 * Mark the prototypes that only functions have, in a member that does not say where its
 * functions begin: pahole puts a function's prototype right before it, and gcc has one for each.
 */
static void find_func_protos(const struct member_reader *r, bool *only_func)
{
	uint32_t end = btf_types_end(&r->view.types);

	for (uint32_t id = 1; id < end; id++) {
		if (member_kind(r, id) == BTF_FUNC)
			only_func[member_rec(r, id)[BTF_REC_SIZE_TYPE]] = true;
	}
	for (uint32_t id = 1; id < end; id++) {
		if (member_kind(r, id) == BTF_FUNC)
			continue;
		btf_rec_each_type(member_rec(r, id), type) only_func[*type] = false;
	}
}

/* The next number is that of @id, whose record is @rec; NULL for the index type. */
ALWAYS_INLINE void give_number(struct member_reader *r, uint32_t id, uint32_t *rec)
{
	uint32_t t = (uint32_t)r->recs.nr++;

	r->tid[id] = t;
	r->recs.items[t] = rec;
	if (unlikely(!rec)) {
		r->index_place = (frag_tid)t;
		r->refs[id] = POOL_REF_INDEX;
		return;
	}
	/* what has a name is referred to by it, whether it is in the pool yet or not */
	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_FWD:
	case BTF_ENUM:
	case BTF_ENUM64: {
		const uint32_t named[] = { member_string(r, rec[BTF_REC_NAME]), rec[BTF_REC_INFO] };

		r->refs[id] = pool_ref_to(named, 0);
		break;
	}
	default:
		r->refs[id] = 0;
		break;
	}
}

/* Room for ids up to @end, and one number more: there is one for an index type in each unit. */
static void prepare_ids(struct member_reader *r, uint32_t end)
{
	r->end = end;
	r->tid = mem_grow(r->tid, &r->tid_cap, end, sizeof(r->tid[0]));
	r->refs = mem_grow(r->refs, &r->refs_cap, end, sizeof(r->refs[0]));
	r->tid[0] = r->refs[0] = 0;
	r->others.nr = r->recs.nr = 0;
	vec_reserve(&r->recs, end + (size_t)1);
	r->recs.items[r->recs.nr++] = NULL;
}

/* Is the record @rec of @id one of the unit's types, or a tag of one? */
ALWAYS_INLINE bool is_type(const struct member_reader *r, uint32_t id, const uint32_t *rec,
			   const bool *only_func)
{
	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_FUNC:
	case BTF_VAR:
	case BTF_DATASEC:
		return false;
	case BTF_DECL_TAG: {
		uint32_t of = member_kind(r, rec[BTF_REC_SIZE_TYPE]);

		return of != BTF_FUNC && of != BTF_VAR;
	}
	default:
		return only_func ? !only_func[id] : id < r->note.func_start;
	}
}

static void number_types(struct member_reader *r)
{
	uint32_t end = btf_types_end(&r->view.types), index = r->have_note ? r->note.index : 0;
	bool *only_func = NULL;

	prepare_ids(r, end);
	if (!r->have_note) {
		only_func = mem_zalloc(end, sizeof(*only_func));
		find_func_protos(r, only_func);
	}
	for (uint32_t id = 1; id < end; id++) {
		uint32_t *rec = member_rec(r, id);

		if (likely(is_type(r, id, rec, only_func))) {
			give_number(r, id, unlikely(id == index) ? NULL : rec);
			continue;
		}
		r->tid[id] = r->refs[id] = 0;
		vec_push(&r->others, id);
	}
	free(only_func);
}

/* The unit's own records are in the note, with numbers of their own. */
static void take_own(struct member_reader *r)
{
	prepare_ids(r, (uint32_t)r->note.own.nr);
	for (uint32_t id = 1; id < btf_types_end(&r->view.types); id++)
		vec_push(&r->others, id);
	for (uint32_t t = 1; t < r->note.own.nr; t++) {
		uint32_t start = r->note.own.items[t];

		give_number(r, t, start ? r->note.words.items + start : NULL);
	}
}

void member_rewrite_record(struct member_reader *r, uint32_t *rec)
{
	bool array = btf_info_kind(rec[BTF_REC_INFO]) == BTF_ARRAY;

	if (array)
		rec[BTF_REC_WORDS + 1] = 0;
	btf_rec_each_name(rec, name) *name = member_string(r, *name);
	btf_rec_each_type(rec, type) *type = member_number_of(r, *type);
	if (array)
		rec[BTF_REC_WORDS + 1] = POOL_REF_INDEX; /* one for the whole program */
	else if (btf_info_kind(rec[BTF_REC_INFO]) == BTF_FWD)
		rec[BTF_REC_SIZE_TYPE] = 0; /* not so with gcc (spec btf-and-dedup 8.2) */
}

void member_rewrite(struct member_reader *r)
{
	for (size_t t = 1; t < r->recs.nr; t++) {
		if (r->recs.items[t])
			member_rewrite_record(r, r->recs.items[t]);
	}
}

struct err *member_check_lost(const struct member_reader *r)
{
	if (unlikely(r->lost))
		return err_new(ERR_FORMAT, "%s: a type refers to what is no type",
			       r->member->where);
	return NULL;
}

void member_number(struct member_reader *r)
{
	r->index_place = 0;
	r->lost = false;
	if (member_has_own(r))
		take_own(r);
	else
		number_types(r);
	if (!r->index_place) {
		r->index_place = (frag_tid)r->recs.nr;
		vec_push(&r->recs, NULL);
	}
}
