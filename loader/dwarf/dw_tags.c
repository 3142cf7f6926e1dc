/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_tags.c - annotations: btf_decl_tag and btf_type_tag
 *
 * clang puts an annotation below what it annotates. gcc (16 and later) refers from there
 * to the first of a chain of annotations (docs/spec/encoding.md 6.11, 6.12).
 */
#include "loader/dwarf/dw_walk.h"

/* The value of the annotation @a, a string id; 0 if it is not called @name. */
static uint32_t annotation_value(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
				 const char *name)
{
	uint32_t its = dw_attr_string(r, a, p, DW_AT_name);

	if (strcmp(str_pool_text(r->unit.file->strings, its), name) != 0)
		return 0;
	return dw_attr_string(r, a, p, DW_AT_const_value);
}

static void add_decl_tag(struct dw_reader *r, uint32_t value, enum cu_tag_owner owner,
			 int32_t component)
{
	vec_push(&r->cu->tags, ((struct cu_tag){ .owner = (uint8_t)owner,
						 .component = component,
						 .value = value,
						 .of = UINT32_MAX }));
}

/* Append a TYPE_TAG that refers to what @from refers to, and let @from refer to it. */
static void insert_type_tag(struct dw_reader *r, uint32_t value, struct cu_type *from)
{
	struct cu_type tag = { .kind = BTF_TYPE_TAG,
			       .name = value,
			       .ref = from->ref,
			       .flags = from->flags & CU_TYPE_REF_DONE };

	from->ref = (unit_tid)r->cu->types.nr;
	from->flags |= CU_TYPE_REF_DONE;
	vec_push(&r->cu->types, tag);
}

void dw_annotation(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p)
{
	struct frame *f = top_frame(r);
	enum cu_tag_owner owner = CU_TAG_TYPE;
	int32_t component = -1;
	uint32_t value;

	switch (f->ctx) {
	case CTX_POINTER:
		value = r->opts.type_tags ? annotation_value(r, a, p, "btf_type_tag") : 0;
		if (value)
			insert_type_tag(r, value, &f->type);
		return;
	case CTX_STRUCT:
	case CTX_TYPEDEF:
		break;
	case CTX_MEMBER:
		component = f->component;
		break;
	case CTX_FUNC:
	case CTX_METHOD:
	case CTX_BLOCK:
		owner = CU_TAG_FUNC;
		break;
	case CTX_PARAM:
		owner = CU_TAG_FUNC;
		component = f->component;
		break;
	case CTX_VAR:
		owner = CU_TAG_VAR;
		break;
	default:
		return;
	}
	value = r->opts.decl_tags ? annotation_value(r, a, p, "btf_decl_tag") : 0;
	if (value)
		add_decl_tag(r, value, owner, component);
}

/* A longer chain is taken for a cycle. */
enum { MAX_CHAIN = 256 };

/* A chain of GNU annotations. Zeroed but for @next it is at its start. */
struct chain {
	die_off next;
	unsigned int nr;
};

/*
 * Read the next annotation of @chain. Returns false at its end, and sets *value to 0 if it is not
 * called @name, or if it is one too many: each takes some bytes of the unit, but many DIEs may share
 * a chain, so the number of tags is limited by the size of the unit.
 */
static bool next_annotation(struct dw_reader *r, struct chain *chain, const char *name,
			    uint32_t *value)
{
	uint64_t pos = (uint64_t)chain->next - r->unit.base_offset,
		 len = (uint64_t)(r->unit.end - r->unit.base);

	if (!chain->next || chain->next < r->unit.base_offset || pos >= len ||
	    chain->nr++ == MAX_CHAIN)
		return false;

	struct dw_cursor c = { r->unit.base + pos, r->unit.end, r->unit.file->obj->swap, false };
	uint64_t code = dw_cursor_uleb(&c);
	if (c.failed || code >= r->abbrevs.by_code.nr)
		return false;
	const struct dw_abbrev *a = &r->abbrevs.by_code.items[code];
	if (a->kind != DK_GNU_ANNOTATION)
		return false;
	*value = annotation_value(r, a, c.p, name);
	if (*value && r->raw.nr_chained >= len) {
		*value = 0;
		r->raw.nr_dropped++;
	} else if (*value) {
		r->raw.nr_chained++;
	}
	chain->next = dw_attr_ref(r, a, c.p, ATTR_GNU_ANNOTATION);
	return true;
}

void dw_decl_tag_chain(struct dw_reader *r, die_off off, enum cu_tag_owner owner, int32_t component)
{
	struct chain chain = { off, 0 };
	uint32_t value;

	while (next_annotation(r, &chain, "btf_decl_tag", &value)) {
		if (value)
			add_decl_tag(r, value, owner, component);
	}
}

void dw_type_tag_chain(struct dw_reader *r, die_off off, struct cu_type *ptr)
{
	struct chain chain = { off, 0 };
	struct cu_type *from = ptr;
	uint32_t value;

	/* unlike a chain of decl tags, this one ends at the first annotation of another name */
	while (next_annotation(r, &chain, "btf_type_tag", &value) && value) {
		insert_type_tag(r, value, from);
		from = &r->cu->types.items[r->cu->types.nr - 1];
	}
}
