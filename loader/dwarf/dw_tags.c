/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_tags.c - annotations: btf_decl_tag and btf_type_tag
 *
 * clang puts an annotation below what it annotates. gcc (16 and later) refers from there
 * to the first of a chain of annotations (docs/spec/encoding.md 6.11, 6.12).
 */
#include "loader/dwarf/dw_reader.h"

/* Name and value of an annotation; false if it is not called @name. */
static bool annotation_value(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			     const char *name, uint32_t *ret)
{
	struct dw_value v;

	if (!dw_attr(r, a, p, DW_AT_name, &v))
		return false;
	if (strcmp(str_pool_text(r->file->strings, dw_value_string(r, &v)), name) != 0)
		return false;
	*ret = dw_attr(r, a, p, DW_AT_const_value, &v) ? dw_value_string(r, &v) : 0;
	return *ret != 0;
}

static void add_decl_tag(struct dw_reader *r, uint32_t value, enum cu_tag_owner owner,
			 int32_t component)
{
	vec_push(&r->cu->tags, ((struct cu_tag){ .owner = (uint8_t)owner,
						 .component = component,
						 .value = value,
						 .of = UINT32_MAX }));
}

void dw_decl_tag(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
		 enum cu_tag_owner owner, int32_t component)
{
	uint32_t value;

	if (r->opts.decl_tags && annotation_value(r, a, p, "btf_decl_tag", &value))
		add_decl_tag(r, value, owner, component);
}

void dw_type_tag(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
		 struct cu_type *ptr)
{
	uint32_t value;

	if (!r->opts.type_tags || !annotation_value(r, a, p, "btf_type_tag", &value))
		return;

	struct cu_type tag = { .kind = BTF_TYPE_TAG,
			       .name = value,
			       .ref = ptr->ref,
			       .flags = ptr->flags & CU_TYPE_REF_DONE };
	ptr->ref = (uint32_t)r->cu->types.nr;
	ptr->flags |= CU_TYPE_REF_DONE;
	vec_push(&r->cu->types, tag);
}

/* The GNU annotation DIE at @off: its abbreviation, and where its values are. */
static const struct dw_abbrev *gnu_annotation_at(const struct dw_reader *r, die_off off,
						 const uint8_t **values)
{
	if (off < r->base_offset || off - r->base_offset >= (uint64_t)(r->end - r->base))
		return NULL;

	const uint8_t *p = r->base + (off - r->base_offset);
	struct dw_cursor c = { p, r->end, r->file->obj->swap, false };
	uint64_t code = dw_cursor_uleb(&c);
	if (c.failed || code >= r->abbrevs.lines.nr ||
	    r->abbrevs.lines.items[code].kind != DK_GNU_ANNOTATION)
		return NULL;
	*values = c.p;
	return &r->abbrevs.lines.items[code];
}

static die_off next_in_chain(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p)
{
	struct dw_value v;

	return dw_attr(r, a, p, ATTR_GNU_ANNOTATION, &v) ? dw_value_ref(r, &v) : 0;
}

/* A chain that is longer than this goes in circles. */
enum { MAX_CHAIN = 256 };

/*
 * Does one more annotation fit? Each has some bytes in the unit; what many share, so that there would
 * be more of them than bytes, is left out.
 */
static bool may_chain(struct dw_reader *r)
{
	if (r->nr_chained < (size_t)(r->end - r->base)) {
		r->nr_chained++;
		return true;
	}
	r->nr_dropped++;
	return false;
}

void dw_decl_tag_chain(struct dw_reader *r, die_off off, enum cu_tag_owner owner, int32_t component)
{
	for (unsigned int n = 0; off && n < MAX_CHAIN; n++) {
		const uint8_t *p;
		const struct dw_abbrev *a = gnu_annotation_at(r, off, &p);
		uint32_t value;

		if (!a)
			return;
		if (annotation_value(r, a, p, "btf_decl_tag", &value) && may_chain(r))
			add_decl_tag(r, value, owner, component);
		off = next_in_chain(r, a, p);
	}
}

void dw_type_tag_chain(struct dw_reader *r, die_off off, struct cu_type *ptr)
{
	struct cu_type target = *ptr;
	size_t last = 0;

	for (unsigned int n = 0; off && n < MAX_CHAIN; n++) {
		const uint8_t *p;
		const struct dw_abbrev *a = gnu_annotation_at(r, off, &p);
		uint32_t value;

		/* other than for decl tags, the first stranger ends it */
		if (!a || !annotation_value(r, a, p, "btf_type_tag", &value) || !may_chain(r))
			return;

		uint32_t index = (uint32_t)r->cu->types.nr;
		struct cu_type tag = { .kind = BTF_TYPE_TAG, .name = value, .ref = target.ref };
		if (last) {
			r->cu->types.items[last].ref = index;
			r->cu->types.items[last].flags |= CU_TYPE_REF_DONE;
		} else {
			ptr->ref = index;
			ptr->flags |= CU_TYPE_REF_DONE;
		}
		vec_push(&r->cu->types, tag);
		last = index;
		off = next_in_chain(r, a, p);
	}
}
