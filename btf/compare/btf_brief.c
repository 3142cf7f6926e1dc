/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_brief.c - see btf_brief.h */
#include "btf/compare/btf_brief.h"

#include "base/cleanup.h"
#include "base/hash_table.h"

#include <stdlib.h>

struct moved_string {
	uint32_t was, is;
};

struct copier {
	const struct btf_side *side;
	struct btf_brief *out;
	uint32_t *ids;         /* of types of the base: the id in the copy; 0: it is not copied */
	VEC(uint32_t) of_base; /* those that are, by id in the copy, minus 1 */
	/* offsets of strings there and in the copy */
	VEC(struct moved_string) strings;
	struct hash_table by_offset; /* indexes of @strings, plus 1 */
};

/* A type of the base of which only the name counts. */
static bool is_name_only(const uint32_t *rec)
{
	switch (btf_ctype(btf_rec_kind(rec))) {
	case BTF_C_STRUCT:
	case BTF_C_FORWARD:
	case BTF_C_ENUM:
	case BTF_C_NONE:
		return rec[BTF_REC_NAME] != 0;
	case BTF_C_VOID:
	case BTF_C_INT:
	case BTF_C_FLOAT:
	case BTF_C_POINTER:
	case BTF_C_ARRAY:
	case BTF_C_TYPEDEF:
	case BTF_C_QUALIFIER:
	case BTF_C_FUNCTION:
		break;
	}
	return false;
}

static void need(struct copier *c, uint32_t id)
{
	if (!id || id >= c->side->first || c->ids[id])
		return;
	vec_push(&c->of_base, id);
	c->ids[id] = (uint32_t)c->of_base.nr;
}

static void find_needed(struct copier *c)
{
	const struct btf_types *types = &c->side->view->types;

	for (uint32_t id = c->side->first; id < btf_types_end(types); id++)
		btf_rec_each_type(btf_types_rec(types, id), type) need(c, *type);
	for (size_t i = 0; i < c->of_base.nr; i++) {
		const uint32_t *rec = btf_types_rec(types, c->of_base.items[i]);

		if (!is_name_only(rec))
			btf_rec_each_type(rec, type) need(c, *type);
	}
}

/* Each string once, because many types can share a long one. */
static uint32_t copy_string(struct copier *c, uint32_t off)
{
	const struct btf_view *v = c->side->view;
	const char *name = btf_view_str(v, v->base, off);
	uint64_t hash = hash_pair(off, 0);
	uint32_t known = HASH_FIND(&c->by_offset, hash, i, c->strings.items[i - 1].was == off);
	size_t len = strlen(name) + 1;

	if (len == 1)
		return 0;
	if (known)
		return c->strings.items[known - 1].is;
	vec_push(&c->strings, ((struct moved_string){ off, (uint32_t)c->out->strings.nr }));
	hash_table_add(&c->by_offset, hash, (uint32_t)c->strings.nr);
	text_mem(&c->out->strings, name, len);
	return c->strings.items[c->strings.nr - 1].is;
}

/* A declaration and a definition of the base, which are one name, become declarations. */
static void put_name_only(struct copier *c, const uint32_t *rec)
{
	enum btf_ctype ctype = btf_ctype(btf_rec_kind(rec));
	enum btf_kind kind = ctype == BTF_C_STRUCT ? BTF_FWD : btf_rec_kind(rec);
	bool kflag = btf_rec_kflag(rec);
	size_t nr = btf_kind_layout(kind)->words;
	uint32_t *copy = btf_types_add(&c->out->view.types, nr);

	memset(copy, 0, nr * sizeof(*copy));
	if (ctype == BTF_C_STRUCT)
		kflag = btf_rec_kind(rec) == BTF_UNION;
	copy[BTF_REC_NAME] = copy_string(c, rec[BTF_REC_NAME]);
	copy[BTF_REC_INFO] = btf_info(kind, 0, kflag);
	if (ctype == BTF_C_ENUM)
		copy[BTF_REC_SIZE_TYPE] = rec[BTF_REC_SIZE_TYPE];
}

static void put_whole(struct copier *c, const uint32_t *rec)
{
	uint32_t first = c->side->first, shift = c->out->first - first;
	size_t nr = btf_rec_words(rec);
	uint32_t *copy = btf_types_add(&c->out->view.types, nr);

	memcpy(copy, rec, nr * sizeof(*copy));
	btf_rec_each_name(copy, name) *name = copy_string(c, *name);
	btf_rec_each_type(copy, type) *type = *type < first ? c->ids[*type] : *type + shift;
}

static void copy_types(struct copier *c)
{
	const struct btf_types *types = &c->side->view->types;

	find_needed(c);
	c->out->first = (uint32_t)c->of_base.nr + 1;
	for (size_t i = 0; i < c->of_base.nr; i++) {
		const uint32_t *rec = btf_types_rec(types, c->of_base.items[i]);

		if (is_name_only(rec))
			put_name_only(c, rec);
		else
			put_whole(c, rec);
	}
	for (uint32_t id = c->side->first; id < btf_types_end(types); id++)
		put_whole(c, btf_types_rec(types, id));
}

void btf_brief_make(const struct btf_side *side, struct btf_brief *ret)
{
	struct copier c = { .side = side, .out = ret };

	text_char(&ret->strings, '\0');
	btf_types_init(&ret->view.types, NULL);
	ret->first = 1;
	if (side->view) {
		c.ids = mem_zalloc(side->first, sizeof(*c.ids));
		copy_types(&c);
		ret->view.path = side->view->path;
	}
	FREE_ALL(c.ids, c.of_base.items, c.strings.items);
	hash_table_release(&c.by_offset);
	ret->view.strings = (struct bytes){ (const uint8_t *)ret->strings.items, ret->strings.nr };
}

void btf_brief_release(struct btf_brief *b)
{
	btf_types_release(&b->view.types);
	text_release(&b->strings);
	*b = (struct btf_brief){ 0 };
}
