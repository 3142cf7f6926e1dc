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
	free(r->refs);
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
 * Is the string at @text, before @room bytes, the pool's @e? It is if the zeros agree, too. Names
 * are short, so a call would take longer than the comparison.
 */
ALWAYS_INLINE bool same_string(const struct str_entry *e, const char *text, size_t room)
{
	size_t len = e->len + (size_t)1, i = 0;

	if (len > room)
		return false;
	for (; i + 8 <= len; i += 8) {
		if (load64(e->text + i) != load64(text + i))
			return false;
	}
	if (len >= 8)
		return load64(e->text + len - 8) == load64(text + len - 8);
	for (; i < len; i++) {
		if (e->text[i] != text[i])
			return false;
	}
	return true;
}

/* The string at @text, which follows string @last. */
ALWAYS_INLINE uint32_t following(struct member_reader *r, uint32_t last, const char *text,
				 size_t room)
{
	const struct str_pool *pool = r->frag->run->strings;
	struct followers *f = &r->next[last];
	uint32_t id = f->last;

	if (likely(id && same_string(str_pool_at(pool, id), text, room)))
		return id;
	id = f->before;
	if (!id || !same_string(str_pool_at(pool, id), text, room))
		id = pool_string(r, text, strlen(text));
	if (id) {
		f = &r->next[last];
		f->before = f->last;
		f->last = id;
	}
	return id;
}

/*
 * Look up all strings, one after the other. Members include the same headers in the same order,
 * so mostly a string is followed by what has followed it in an earlier member, and to see
 * that is all there is to do. A string that an earlier unit has used is placed.
 */
static void look_up_strings(struct member_reader *r, uint32_t unit, size_t end)
{
	const struct str_pool *pool = r->frag->run->strings;
	uint32_t last = 0;

	if (!r->next)
		pool_string(r, "", 0);
	for (size_t off = 0; off < end;) {
		const char *text = member_text(r, (uint32_t)off);
		uint32_t id = *text ? following(r, last, text, end - off) : 0;

		if (!id) {
			off++;
			continue;
		}

		const struct str_entry *e = str_pool_at(pool, id);
		uint64_t place = ~atomic_load_explicit(&e->unplaced, memory_order_relaxed);
		r->ids[off] = id | (place < str_place_at(unit, 0) ? STRING_PLACED : 0);
		off += e->len + (size_t)1;
		last = id;
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
static void read_note(struct member_reader *r, struct notes *notes)
{
	struct bytes body;
	size_t len;

	r->strings = r->view.strings;
	struct err *e = member_note_find(r->strings, &len, &body);
	if (len < r->strings.len && !btf_view_names_below(&r->view, (uint32_t)len)) {
		err_free(e);
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

struct err *member_open(struct member_reader *r, const struct member *member, uint32_t unit,
			struct notes *notes)
{
	member_forget(r);
	r->member = member;
	TRY(err_at(btf_view_open(member->bytes, NULL, &r->view), "%s", member->where));
	TRY(check_kinds(r));
	read_note(r, notes);
	if (!r->have_note)
		TRY(normalise(r, notes));

	size_t nr = r->strings.len;
	r->ids = mem_grow(r->ids, &r->ids_cap, nr + 1, sizeof(r->ids[0]));
	memset(r->ids, 0, nr * sizeof(r->ids[0]));
	look_up_strings(r, unit, r->strings_end);
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

/* The number of type @id of the member; *lost if it is none of the unit's. */
ALWAYS_INLINE uint32_t number_of(const struct member_reader *r, uint32_t id, bool *lost)
{
	if (unlikely(member_has_own(r)))
		return id;
	*lost |= id && !r->tid[id];
	return r->tid[id];
}

/* Strings to ids, types to numbers. */
static struct err *rewrite(struct member_reader *r, uint32_t unit, uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]), *elem = rec + BTF_REC_WORDS;
	bool lost = false;

	rec[BTF_REC_NAME] = type_string(r, unit, rec[BTF_REC_NAME]);
	if (l->main_is_type)
		rec[BTF_REC_SIZE_TYPE] = number_of(r, rec[BTF_REC_SIZE_TYPE], &lost);
	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_STRUCT:
	case BTF_UNION:
		for (uint32_t i = 0; i < vlen; i++, elem += 3) {
			elem[0] = type_string(r, unit, elem[0]);
			elem[1] = number_of(r, elem[1], &lost);
		}
		break;
	case BTF_FUNC_PROTO:
		for (uint32_t i = 0; i < vlen; i++, elem += 2) {
			elem[0] = type_string(r, unit, elem[0]);
			elem[1] = number_of(r, elem[1], &lost);
		}
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		for (uint32_t i = 0; i < vlen; i++, elem += l->elem)
			elem[0] = type_string(r, unit, elem[0]);
		break;
	case BTF_ARRAY:
		elem[0] = number_of(r, elem[0], &lost);
		elem[1] = POOL_REF_INDEX; /* one for the whole program */
		break;
	case BTF_FWD:
		rec[BTF_REC_SIZE_TYPE] = 0; /* not so with gcc (spec btf-and-dedup 8.2) */
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
	if (!r->index_place) {
		r->index_place = (frag_tid)r->recs.nr;
		vec_push(&r->recs, NULL);
	}
	r->refs = mem_grow(r->refs, &r->refs_cap, r->recs.nr, sizeof(r->refs[0]));
	r->refs[0] = 0;
	for (size_t t = 1; t < r->recs.nr; t++) {
		uint32_t *rec = r->recs.items[t];

		if (unlikely(!rec)) {
			r->refs[t] = POOL_REF_INDEX;
			continue;
		}
		TRY(rewrite(r, unit, rec));
		r->refs[t] = pool_ref_to(rec, 0);
	}
	return NULL;
}
