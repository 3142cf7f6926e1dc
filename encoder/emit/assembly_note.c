/* SPDX-License-Identifier: GPL-2.0-only */
/* assembly_note.c - see assembly_note.h */
#include "encoder/emit/assembly_note.h"

#include "btf/btf_kind.h"

#include <stdlib.h>

struct completion {
	struct assembly *a;
	const struct note_frame *frame;
	struct member_note_bytes own; /* strings that the result has not */
};

/* From here on string @id is at an offset: the result's, or one behind it. */
static uint32_t string_offset(struct completion *c, uint32_t id)
{
	if (!id)
		return 0;

	struct str_entry *s = str_pool_at(&c->a->strings, id);
	if (!s->offset) {
		size_t len = s->len + (size_t)1; /* with its end */

		s->offset = (uint32_t)(c->frame->strings_len + c->own.nr);
		vec_reserve(&c->own, len);
		memcpy(c->own.items + c->own.nr, s->text, len);
		c->own.nr += len;
	}
	return s->offset;
}

static void complete_record(struct completion *c, uint32_t *rec, const uint32_t *ids)
{
	btf_rec_each_name(rec, name) *name = string_offset(c, *name);
	if (!ids)
		return;
	btf_rec_each_type(rec, type) *type = ids[*type];
}

static bool is_listed(const struct unit_var *v)
{
	return !v->dropped && !v->apart;
}

/* Variables that the member does not have are not counted. */
static void complete_sizes(struct completion *c, struct member_note *n, const struct unit_btf *f,
			   const uint32_t *ids)
{
	size_t kept = 0;
	uint32_t var = 0, listed = 0;

	for (size_t i = 0; i < n->sizes.nr; i++) {
		struct member_size s = n->sizes.items[i];

		for (; var < s.var; var++)
			listed += is_listed(&f->vars.items[var]);
		if (!s.name && !is_listed(&f->vars.items[var]))
			continue;
		s.var = listed;
		s.symbol = string_offset(c, s.symbol);
		s.name = string_offset(c, s.name);
		s.home = string_offset(c, s.home);
		s.type = ids ? ids[s.type] : s.type;
		n->sizes.items[kept++] = s;
	}
	n->sizes.nr = kept;
}

static void complete(struct completion *c, struct assembly_unit *u)
{
	struct member_note *n = u->note;
	const uint32_t *ids = n->own.nr ? NULL : c->frame->ids;
	size_t vars = 0;

	n->unit = string_offset(c, n->unit);
	n->kabi = string_offset(c, n->kabi);
	n->func_start = c->frame->func_start;
	n->index = c->frame->index;
	for (size_t i = 0; i < n->funcs.nr; i++) {
		struct member_func *f = &n->funcs.items[i];

		f->name = string_offset(c, f->name);
		f->symbol = string_offset(c, f->symbol);
		complete_record(c, n->words.items + f->proto, ids);
	}
	for (size_t i = 0; i < n->tags.nr; i++)
		n->tags.items[i].value = string_offset(c, n->tags.items[i].value);
	for (size_t i = 1; i < n->own.nr; i++) {
		if (n->own.items[i])
			complete_record(c, n->words.items + n->own.items[i], NULL);
	}
	for (size_t i = 0; i < n->var_types.nr; i++) {
		if (is_listed(&u->btf.vars.items[i]))
			n->var_types.items[vars++] = n->var_types.items[i];
	}
	n->var_types.nr = vars;
	complete_sizes(c, n, &u->btf, ids);
}

void assembly_note_append(struct assembly *a, const struct note_frame *frame,
			  struct member_note_bytes *strings)
{
	struct completion c = { .a = a, .frame = frame };
	struct assembly_unit *u = &a->units.items[0];

	complete(&c, u);
	member_note_pack(u->note, (struct bytes){ c.own.items, c.own.nr }, strings);
	free(c.own.items);
}
