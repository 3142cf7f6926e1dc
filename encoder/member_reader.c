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
	free(r->known);
	free(r->tid);
	free(r->recs.items);
	free(r->others.items);
	free(r->refs);
	free(r);
}

/* --- strings ------------------------------------------------------------------------- */

/* The pool's id of a text that will not stay. */
static uint32_t pool_string(struct member_reader *r, const char *text, size_t len)
{
	uint32_t id = str_pool_add_copy(r->frag->run->strings, text, len);

	if (id >= r->known_cap) {
		size_t cap = r->known_cap;

		r->known = mem_grow(r->known, &r->known_cap, id + (size_t)1, sizeof(r->known[0]));
		memset(r->known + cap, 0, (r->known_cap - cap) * sizeof(r->known[0]));
	}
	if (id && !r->known[id].text) {
		const struct str_entry *e = str_pool_at(r->frag->run->strings, id);

		r->known[id].text = e->text;
		r->known[id].len = e->len;
	}
	return id;
}

/*
 * Is the string at @text, before @room bytes, @k? It is if the zeros agree, too. Names are short,
 * so a call would take longer than the comparison.
 */
ALWAYS_INLINE bool same_string(const struct known_string *k, const char *text, size_t room)
{
	size_t len = k->len + (size_t)1, i = 0;

	if (unlikely(len > room))
		return false;
	for (; i + 8 <= len; i += 8) {
		if (load64(k->text + i) != load64(text + i))
			return false;
	}
	if (len >= 8)
		return load64(k->text + len - 8) == load64(text + len - 8);
	for (; i < len; i++) {
		if (k->text[i] != text[i])
			return false;
	}
	return true;
}

/* The string at @text, which follows string @last; 0 if it is empty. */
ALWAYS_INLINE uint32_t following(struct member_reader *r, uint32_t last, const char *text,
				 size_t room)
{
	struct known_string *k = &r->known[last];
	uint32_t id = k->next;

	if (likely(id && same_string(&r->known[id], text, room)))
		return id;
	id = k->next_before;
	if (!id || !same_string(&r->known[id], text, room))
		id = pool_string(r, text, strlen(text));
	if (id) {
		k = &r->known[last];
		k->next_before = k->next;
		k->next = id;
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
	uint32_t last = 0;

	pool_string(r, "", 0); /* so that there is room for the first */
	for (size_t off = 0; off < end;) {
		uint32_t id = following(r, last, member_text(r, (uint32_t)off), end - off);

		if (unlikely(!id)) {
			off++;
			continue;
		}
		r->ids[off] = id;
		off += r->known[id].len + (size_t)1;
		last = id;
	}
}

uint32_t member_rest_of_string(struct member_reader *r, uint32_t off)
{
	r->ids[off] = pool_string(r, member_text(r, off), strlen(member_text(r, off)));
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

		if (kind != BTF_FUNC && kind != BTF_DECL_TAG)
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

	size_t nr = r->strings.len, cap = r->ids_cap;
	r->ids = mem_grow(r->ids, &r->ids_cap, nr + 1, sizeof(r->ids[0]));
	/* our own records refer to whole strings, and these will all be looked up */
	if (!r->have_note || r->ids_cap != cap)
		memset(r->ids, 0, r->ids_cap * sizeof(r->ids[0]));
	r->ids[0] = 0;
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

		if (!is_type(r, id, only_func)) {
			vec_push(&r->others, id);
			continue;
		}
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
	for (uint32_t id = 1; id < btf_types_end(&r->view.types); id++)
		vec_push(&r->others, id);
	r->tid = mem_grow(r->tid, &r->tid_cap, r->note.own.nr, sizeof(r->tid[0]));
	for (uint32_t t = 0; t < r->note.own.nr; t++)
		r->tid[t] = t;
	for (size_t i = 1; i < r->note.own.nr; i++) {
		uint32_t start = r->note.own.items[i];

		if (!start)
			r->index_place = (frag_tid)r->recs.nr;
		vec_push(&r->recs, start ? r->note.words.items + start : NULL);
	}
}

/* Strings to ids, types to numbers. */
static void rewrite(struct member_reader *r, uint32_t *rec)
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
			rewrite(r, r->recs.items[t]);
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
	r->recs.nr = 0;
	r->others.nr = 0;
	r->index_place = 0;
	r->lost = false;
	vec_push(&r->recs, NULL);
	if (member_has_own(r))
		take_own(r);
	else
		number_types(r);
	if (!r->index_place) {
		r->index_place = (frag_tid)r->recs.nr;
		vec_push(&r->recs, NULL);
	}
}
