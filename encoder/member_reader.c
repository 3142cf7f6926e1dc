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
	btf_view_release(&r->view);
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
	frag_maker_free(r->frag);
	free(r->ids);
	free(r->next);
	free(r->tid);
	free(r->recs.items);
	free(r);
}

/* --- strings ------------------------------------------------------------------------- */

/* The pool's id of a text that will not stay. */
static uint32_t pool_string(struct member_reader *r, const char *text, size_t len)
{
	uint32_t id = str_pool_add_copy(r->frag->run->strings, text, len);

	if (id >= r->next_cap) {
		size_t cap = r->next_cap;

		r->next = mem_grow(r->next, &r->next_cap, id + (size_t)1, sizeof(r->next[0]));
		memset(r->next + cap, 0, (r->next_cap - cap) * sizeof(r->next[0]));
	}
	return id;
}

/*
 * Look up all strings, one after the other. Members include the same headers in the same order,
 * so mostly a string is followed by what has followed it in an earlier member, and to see
 * that is all there is to do.
 */
static void look_up_strings(struct member_reader *r, size_t end)
{
	const struct str_pool *pool = r->frag->run->strings;
	uint32_t last = 0;

	for (size_t off = 0; off < end;) {
		const char *text = member_text(r, (uint32_t)off);
		uint32_t guess = r->next_cap ? r->next[last] : 0, id;
		const struct str_entry *e = guess ? str_pool_at(pool, guess) : NULL;
		size_t len;

		if (likely(e && e->len < end - off && !memcmp(e->text, text, e->len + (size_t)1))) {
			id = guess;
			len = e->len;
		} else {
			len = strlen(text);
			id = pool_string(r, text, len);
			if (id)
				r->next[last] = id;
		}
		r->ids[off] = id;
		if (id)
			last = id;
		off += len + 1;
	}
}

/* A reference may point into the middle of a string, whose rest is one of its own. */
uint32_t member_string(struct member_reader *r, uint32_t off)
{
	if (unlikely(!r->ids[off]))
		r->ids[off] = pool_string(r, member_text(r, off), strlen(member_text(r, off)));
	return r->ids[off] & ~STRING_PLACED;
}

/* The same for one that types use: its place is where it stands. */
ALWAYS_INLINE uint32_t type_string(struct member_reader *r, uint32_t unit, uint32_t off)
{
	uint32_t id = r->ids[off];

	if (likely(id & STRING_PLACED) || !off)
		return id & ~STRING_PLACED;
	id = member_string(r, off);
	r->ids[off] = id | STRING_PLACED;
	str_pool_use(r->frag->run->strings, id, str_place_at(unit, off));
	return id;
}

/* --- opening ------------------------------------------------------------------------ */

/* The view's strings end before the note; @r->strings have both. */
static void read_note(struct member_reader *r, struct notes *notes)
{
	struct bytes body;
	size_t len;

	r->strings = r->view.strings;
	struct err *e = member_note_find(r->strings, &len, &body);
	r->view.strings.len = len;
	r->strings_end = body.ptr ? (size_t)(body.ptr - r->strings.ptr) : len;
	if (!e && body.ptr)
		e = member_note_read(body, r->strings, btf_types_end(&r->view.types), &r->note);
	if (e) {
		notes_add(notes, NOTE_WARNING, "%s: the note is passed over: %s", r->member->where,
			  err_text(e));
		err_free(e);
		return;
	}
	r->have_note = body.ptr != NULL;
	r->source = r->note.unit;
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
	TRY(err_at(btf_view_open(member->bytes, NULL, &r->view), "%s", member->where));
	read_note(r, notes);
	if (!r->have_note)
		TRY(normalise(r, notes));

	size_t nr = r->strings.len;
	r->ids = mem_grow(r->ids, &r->ids_cap, nr + 1, sizeof(r->ids[0]));
	memset(r->ids, 0, nr * sizeof(r->ids[0]));
	look_up_strings(r, r->strings_end);
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

/* Is record @id one of the unit's types, or a tag of one? */
static bool is_type(const struct member_reader *r, uint32_t id, const bool *only_func)
{
	const uint32_t *rec = member_rec(r, id);

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
	uint32_t end = btf_types_end(&r->view.types);
	bool *only_func = NULL;

	r->tid = mem_grow(r->tid, &r->tid_cap, end, sizeof(r->tid[0]));
	memset(r->tid, 0, end * sizeof(r->tid[0]));
	if (!r->have_note) {
		only_func = mem_zalloc(end, sizeof(*only_func));
		find_func_protos(r, only_func);
	}
	for (uint32_t id = 1; id < end; id++) {
		bool index = r->have_note && id == r->note.index;

		if (!is_type(r, id, only_func))
			continue;
		r->tid[id] = (uint32_t)r->recs.nr;
		if (index)
			r->index_place = (frag_tid)r->recs.nr;
		vec_push(&r->recs, index ? NULL : member_rec(r, id));
	}
	free(only_func);
}

/* The unit's own records are in the note, with numbers of their own. */
static void take_own(struct member_reader *r)
{
	for (size_t i = 1; i < r->note.own.nr; i++) {
		uint32_t start = r->note.own.items[i];

		if (!start)
			r->index_place = (frag_tid)r->recs.nr;
		vec_push(&r->recs, start ? r->note.words.items + start : NULL);
	}
}

/* Strings to ids, types to numbers. */
static struct err *rewrite(struct member_reader *r, uint32_t unit, uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	bool own = member_has_own(r), lost = false;
	uint32_t *elem = rec + BTF_REC_WORDS + l->fixed;

#define TO_NUMBER(x)                           \
	do {                                   \
		uint32_t *ref_ = &(x);         \
		if (!own && *ref_) {           \
			*ref_ = r->tid[*ref_]; \
			lost |= !*ref_;        \
		}                              \
	} while (0)
	rec[BTF_REC_NAME] = type_string(r, unit, rec[BTF_REC_NAME]);
	if (l->main_is_type)
		TO_NUMBER(rec[BTF_REC_SIZE_TYPE]);
	if (l->fixed_types)
		TO_NUMBER(rec[BTF_REC_WORDS]);
	for (uint32_t i = 0; i < vlen; i++, elem += l->elem) {
		if (l->elem_name >= 0)
			elem[l->elem_name] = type_string(r, unit, elem[l->elem_name]);
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
		return err_new(ERR_FORMAT, "%s: a %s refers to what is no type", r->member->where,
			       l->name);
	return NULL;
}

struct err *member_take_apart(struct member_reader *r, uint32_t unit)
{
	r->recs.nr = 0;
	r->index_place = 0;
	vec_push(&r->recs, NULL);
	if (member_has_own(r))
		take_own(r);
	else
		number_types(r);
	for (size_t t = 1; t < r->recs.nr; t++) {
		if (r->recs.items[t])
			TRY(rewrite(r, unit, r->recs.items[t]));
	}
	if (!r->index_place) {
		r->index_place = (frag_tid)r->recs.nr;
		vec_push(&r->recs, NULL);
	}
	return NULL;
}
