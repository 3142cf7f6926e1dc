/* SPDX-License-Identifier: GPL-2.0-only */
/* member_reader.c - see member_reader.h */
#include "encoder/member/member_reader.h"

#include <stdlib.h>

struct member_reader *member_reader_new(const struct run *run)
{
	struct member_reader *r = mem_zalloc(1, sizeof(*r));

	r->encoder = unit_encoder_new(run);
	return r;
}

void member_forget(struct member_reader *r)
{
	unit_facts_clear(&r->facts);
	gcc_member_release(&r->gcc);
	r->have_facts = false;
	r->source = 0;
	r->producer = PRODUCER_PAHOLE_LIKE;
}

void member_reader_free(struct member_reader *r)
{
	if (!r)
		return;
	member_forget(r);
	unit_facts_release(&r->facts);
	btf_view_release(&r->view);
	unit_encoder_free(r->encoder);
	free(r->ids);
	known_strings_release(&r->known);
	FREE_ALL(r->tid, r->recs.items, r->others.items, r);
}

uint32_t member_rest_of_string(struct member_reader *r, uint32_t off)
{
	if (off >= r->strings_end) {
		r->astray = true;
		return 0;
	}

	const char *text = member_text(r, off), *prefix = r->encoder->run->opts->kabi_prefix;

	if (prefix && !strncmp(text, prefix, strlen(prefix)))
		text = prefix;
	uint32_t id = str_pool_add_copy(r->encoder->run->strings, text, strlen(text));

	r->ids[off] = id | r->mark;
	return id;
}

uint32_t member_symbol(struct member_reader *r, uint32_t off)
{
	const char *text = member_text(r, off);

	if (!r->encoder->run->opts->kabi_prefix)
		return member_string(r, off);
	return str_pool_add_copy(r->encoder->run->strings, text, strlen(text));
}

/* --- opening ------------------------------------------------------------------------ */

/*
 * Does @rec describe a function or variable, and no type of the unit? A tag may be one of either. Sites of
 * inlined functions, and places there, are not combined as records: they have addresses.
 */
ALWAYS_INLINE bool is_other(const uint32_t *rec)
{
	enum {
		OTHERS = 1 << BTF_UNKN | 1 << BTF_FUNC | 1 << BTF_VAR | 1 << BTF_DATASEC |
			 1 << BTF_DECL_TAG | 1 << BTF_LOC_PARAM | 1 << BTF_LOC_PROTO |
			 1 << BTF_LOCSEC
	};
	return btf_kind_in(btf_info_kind(rec[BTF_REC_INFO]), OTHERS);
}

/* The code below requires that a FUNC has a FUNC_PROTO, and that a tag has a target. */
static struct err *check_kind(const struct member_reader *r, uint32_t id)
{
	const uint32_t *rec = member_rec(r, id);
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]), to = rec[BTF_REC_SIZE_TYPE];

	if (!to || (kind == BTF_FUNC && member_kind(r, to) != BTF_FUNC_PROTO))
		return err_new(ERR_FORMAT, "%s: type %u: a %s refers to type %u, a %s",
			       r->member->where, id, btf_kind_layout(kind)->name, to,
			       to ? btf_kind_layout(member_kind(r, to))->name : "void");
	return NULL;
}

static bool refs_fit(const struct member_reader *r, uint32_t *rec)
{
	btf_rec_each_name(rec, name)
	{
		if (*name >= r->strings.len)
			return false;
	}
	btf_rec_each_type(rec, type)
	{
		if (*type >= btf_types_end(&r->view.types))
			return false;
	}
	return true;
}

/* Check all references of a record that is no type, because it is read as it is. */
static struct err *check_other(const struct member_reader *r, uint32_t id)
{
	uint32_t *rec = member_rec(r, id), kind = btf_info_kind(rec[BTF_REC_INFO]);

	if (unlikely(!refs_fit(r, rec)))
		return err_at(btf_view_check_refs(r->member->bytes, &r->view), "%s",
			      r->member->where);
	return kind == BTF_FUNC || kind == BTF_DECL_TAG ? check_kind(r, id) : NULL;
}

/* Without facts, check all records. */
static struct err *check_all(const struct member_reader *r)
{
	TRY(err_at(btf_view_check_refs(r->member->bytes, &r->view), "%s", r->member->where));
	for (uint32_t id = 1; id < btf_types_end(&r->view.types); id++) {
		if (unlikely(is_other(member_rec(r, id))))
			TRY(check_other(r, id));
	}
	return NULL;
}

static struct err *read_block(struct member_reader *r)
{
	const struct member *m = r->member;

	if (m->sum_unchecked && facts_sum(m->bytes) != m->block.key.sum)
		return err_new(ERR_FORMAT, "it belongs to another .BTF");
	TRY(facts_block_check(&m->block, r->strings.len, btf_types_end(&r->view.types), &r->start));
	r->have_facts = true;
	r->more_strings = m->block.strings;
	r->source = r->start.name;
	return NULL;
}

static struct err *read_facts(struct member_reader *r, struct diagnostics *diags)
{
	const struct member *m = r->member;

	r->strings = r->view.strings;
	r->more_strings = (struct bytes){ 0 };
	const bool alone = facts_block_is_alone(&m->block);
	if (m->block.body.len) {
		struct err *e = read_block(r);

		if (e && alone)
			return err_at(e, "%s", m->where);
		if (e)
			diag_add(diags, DIAG_WARNING, "%s: its block in %s is ignored: %s",
				 m->where, FACTS_SECTION, err_text(e));
		err_free(e);
	} else if (alone) {
		TRY(err_at(facts_block_check_sum(&m->block), "%s", m->where));
	}
	r->strings_end = r->strings.len + r->more_strings.len;
	return NULL;
}

/* Rewrite a member of gcc as btfenc would have written it. */
static struct err *normalise(struct member_reader *r, struct diagnostics *diags)
{
	const struct run *run = r->encoder->run;

	r->producer = producer_of(&r->view);
	if (r->producer != PRODUCER_GCC)
		return NULL;

	const char *source = gcc_member_source(&r->view);
	if (source)
		r->source = (uint32_t)((const uint8_t *)source - r->strings.ptr);
	TRY(err_at(gcc_member_normalise(&r->view, run->opts, run->gcc_tags, &r->gcc), "%s",
		   r->member->where));
	diag_add(diags, DIAG_VERBOSE,
		 "%s: made by gcc: left out %u functions, %u prototypes, %u variables, %u members",
		 r->member->where, r->gcc.n.funcs, r->gcc.n.protos, r->gcc.n.vars, r->gcc.n.fields);
	return NULL;
}

/* As dw_file_name() does for the strings of DWARF. */
static void apply_kabi_prefix(struct member_reader *r)
{
	const char *prefix = r->encoder->run->opts->kabi_prefix;
	size_t len = strlen(prefix);
	uint32_t id = str_pool_add(r->encoder->run->strings, prefix, len);

	for (size_t off = 0; off < r->strings_end;) {
		const char *text = member_text(r, (uint32_t)off);

		if (!strncmp(text, prefix, len))
			r->ids[off] = id | r->mark;
		off += strlen(text) + 1;
	}
}

/* @ids is not cleared for each member, because it has an element for each byte of the strings. */
static void look_up_strings(struct member_reader *r)
{
	size_t cap = r->ids_cap, end = r->strings_end;

	r->ids = mem_grow(r->ids, &r->ids_cap, end + 1, sizeof(r->ids[0]));
	memset(r->ids + cap, 0, (r->ids_cap - cap) * sizeof(r->ids[0]));
	r->mark += STR_POOL_MAX;
	if (!r->mark) { /* all of them were used */
		memset(r->ids, 0, r->ids_used * sizeof(r->ids[0]));
		r->ids_used = 0;
		r->mark = STR_POOL_MAX;
	}
	if (r->ids_used < end)
		r->ids_used = end;
	r->ids[0] = r->mark;
	known_strings_look_up(&r->known, r->encoder->run->strings, r->strings, r->mark, r->ids);
	if (r->encoder->run->opts->kabi_prefix)
		apply_kabi_prefix(r);
}

struct err *member_open(struct member_reader *r, const struct member *member,
			struct diagnostics *diags)
{
	member_forget(r);
	r->member = member;
	TRY(err_at(btf_view_load(member->bytes, &r->view), "%s", member->where));
	TRY(read_facts(r, diags));
	if (!r->have_facts) {
		TRY(check_all(r));
		TRY(normalise(r, diags));
	}

	look_up_strings(r);
	return NULL;
}

/* --- taking apart --------------------------------------------------------------------- */

/*
 * Without facts, mark the prototypes that only functions refer to. They are no types of the unit:
 * pahole writes a function's prototype right before it, and gcc writes one for each function.
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

/* Give the next number to @id, whose record is @rec; NULL: it is the index type. */
ALWAYS_INLINE void give_number(struct member_reader *r, uint32_t id, uint32_t *rec)
{
	uint32_t t = (uint32_t)r->recs.nr++;

	r->tid[id] = t;
	r->recs.items[t] = rec;
	if (unlikely(!rec))
		r->index_tid = (unit_tid)t;
}

/* Make room for ids up to @end, and for one more number: each unit has one for the index type. */
static void prepare_ids(struct member_reader *r, uint32_t end)
{
	r->end = end;
	r->tid = mem_grow(r->tid, &r->tid_cap, end, sizeof(r->tid[0]));
	r->tid[0] = 0;
	r->others.nr = r->recs.nr = 0;
	vec_reserve(&r->recs, end + (size_t)1);
	r->recs.items[r->recs.nr++] = NULL;
}

/* Is @rec a declaration tag of a type? */
static bool is_tag_of_type(const struct member_reader *r, const uint32_t *rec)
{
	if (btf_info_kind(rec[BTF_REC_INFO]) != BTF_DECL_TAG)
		return false;

	uint32_t of = member_kind(r, rec[BTF_REC_SIZE_TYPE]);

	return of != BTF_FUNC && of != BTF_VAR;
}

static void skip_number(struct member_reader *r, uint32_t id)
{
	r->tid[id] = 0;
	vec_push(&r->others, id);
}

/* With facts. Hot: besides the comparison, this is the only loop over all records. */
static struct err *number_with_facts(struct member_reader *r)
{
	uint32_t end = btf_types_end(&r->view.types);

	prepare_ids(r, end);
	for (uint32_t id = 1; id < end; id++) {
		uint32_t *rec = member_rec(r, id);
		bool other = is_other(rec);

		if (unlikely(other))
			TRY(check_other(r, id));
		if (likely(other ? is_tag_of_type(r, rec) : id < r->start.func_start))
			give_number(r, id, unlikely(id == r->start.index) ? NULL : rec);
		else
			skip_number(r, id);
	}
	return NULL;
}

static void number_types(struct member_reader *r)
{
	uint32_t end = btf_types_end(&r->view.types);
	bool *only_func = mem_zalloc(end, sizeof(*only_func));

	prepare_ids(r, end);
	find_func_protos(r, only_func);
	for (uint32_t id = 1; id < end; id++) {
		uint32_t *rec = member_rec(r, id);

		if (is_other(rec) ? is_tag_of_type(r, rec) : !only_func[id])
			give_number(r, id, rec);
		else
			skip_number(r, id);
	}
	free(only_func);
}

void member_convert(struct member_reader *r, const uint32_t *from, struct record_words *w)
{
	const struct btf_kind_layout *l = btf_rec_layout(from);
	uint32_t vlen = btf_rec_vlen(from);
	size_t nr = btf_rec_words(from);

	vec_reserve(w, nr);

	uint32_t *rec = w->items + w->nr, *elem = rec + BTF_REC_WORDS + l->fixed;
	w->nr += nr;
	memcpy(rec, from, nr * sizeof(*rec));
	rec[BTF_REC_NAME] = member_string(r, rec[BTF_REC_NAME]);
	if (l->main_is_type)
		rec[BTF_REC_SIZE_TYPE] = member_number_of(r, rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < vlen; i++, elem += l->elem) {
		if (l->elem_name >= 0)
			elem[l->elem_name] = member_string(r, elem[l->elem_name]);
		for (uint32_t t = 0; t < l->elem_types; t++)
			elem[l->elem_type + (int)t] = member_number_of(r,
								       elem[l->elem_type + (int)t]);
	}
	if (l->fixed_types) {
		rec[BTF_REC_WORDS] = member_number_of(r, rec[BTF_REC_WORDS]);
		r->astray |= rec[BTF_REC_WORDS + 1] >= r->end;
		rec[BTF_REC_WORDS + 1] = POOL_REF_INDEX; /* one for the whole program */
	}
	if (btf_rec_kind(rec) == BTF_FWD)
		rec[BTF_REC_SIZE_TYPE] = 0; /* not so with gcc (docs/spec/dedup.md 8.2) */
}

struct err *member_check_lost(const struct member_reader *r)
{
	if (unlikely(r->astray))
		TRY(err_at(btf_view_check_refs(r->member->bytes, &r->view), "%s",
			   r->member->where));
	if (unlikely(r->lost || r->astray))
		return err_new(ERR_FORMAT, "%s: a type refers to a record that is not a type",
			       r->member->where);
	return NULL;
}

struct err *member_number(struct member_reader *r)
{
	r->index_tid = 0;
	r->lost = r->astray = false;
	if (r->have_facts)
		TRY(number_with_facts(r));
	else
		number_types(r);
	if (!r->index_tid) {
		r->index_tid = (unit_tid)r->recs.nr;
		vec_push(&r->recs, NULL);
	}
	return NULL;
}
