/* SPDX-License-Identifier: GPL-2.0-only */
/* filter.c - see filter.h */
#include "show/filter.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "show/reorganize.h"

#include <stdlib.h>
#include <string.h>

void typedefs_find(const struct show_types *t, struct typedefs *ret)
{
	ret->first = mem_zalloc(t->end, sizeof(*ret->first));
	for (uint32_t id = t->end - 1; id; id--) {
		if (types_kind(t, id) == BTF_TYPEDEF)
			ret->first[types_rec(t, id)[BTF_REC_SIZE_TYPE]] = id;
	}
	ret->first[0] = 0;
}

void typedefs_release(struct typedefs *td)
{
	free(td->first);
	*td = (struct typedefs){ 0 };
}

/* A type without any name passes. */
static bool name_passes(const struct filter *f, const struct show_types *t,
			const struct typedefs *td, uint32_t id)
{
	const char *name = types_raw_name(t, id);

	if (!name && td->first && td->first[id])
		name = types_raw_name(t, td->first[id]);
	if (!name)
		return true;
	return !(f->exclude && starts_with(name, f->exclude)) &&
	       !(f->include && !starts_with(name, f->include));
}

/* As in pahole, a type passes only if its file is known. */
static bool decl_passes(const struct filter *f, struct show_types *t, uint32_t id)
{
	struct decl_info d;

	if (!f->decl_exclude)
		return true;
	d = types_decl(t, id);
	return d.file && !starts_with(d.file, f->decl_exclude);
}

static bool has_hole(const struct layout *l, uint32_t size)
{
	for (size_t i = 0; i < l->nr; i++) {
		if (l->items[i].hole >= size)
			return true;
	}
	return false;
}

static bool asks_for_holes(const struct filter *f)
{
	return f->holes || f->bit_holes || f->hole_size || f->padding || f->packable;
}

static bool is_packed(struct show_types *t, uint32_t cacheline, uint32_t id)
{
	CLEANUP(layout_release) struct layout l = { 0 };

	layout_find(t, id, cacheline, &l);
	return packed_guess(t, id, &l);
}

static bool holes_pass(const struct filter *f, struct show_types *t, uint32_t cacheline,
		       uint32_t id)
{
	CLEANUP(layout_release) struct layout l = { 0 };

	if (!asks_for_holes(f))
		return true;
	layout_find(t, id, cacheline, &l);
	return l.gaps.nr_holes >= f->holes && l.gaps.padding >= f->padding &&
	       l.gaps.nr_bit_holes >= f->bit_holes &&
	       (!f->hole_size || (l.gaps.nr_holes && has_hole(&l, f->hole_size))) &&
	       (!f->packable || reorganized_size(t, id, cacheline) < l.size);
}

bool filter_passes(const struct filter *f, struct show_types *t, const struct typedefs *td,
		   uint32_t cacheline, uint32_t id)
{
	enum btf_kind kind = types_kind(t, id);

	if (!btf_kind_is_struct(kind))
		return false;
	if ((f->unions && kind != BTF_UNION) || (f->structs && kind != BTF_STRUCT))
		return false;
	/* first, because each guess can find other packed structs */
	if (f->packed && !is_packed(t, cacheline, id))
		return false;
	if (!f->anonymous && !types_name(t, id))
		return false;
	if (!name_passes(f, t, td, id) || !decl_passes(f, t, id))
		return false;
	if (kind == BTF_UNION)
		return !f->packable && (f->unions || !asks_for_holes(f));
	return holes_pass(f, t, cacheline, id) && (!f->flexible || types_ends_flexible(t, id)) &&
	       (!f->embeds_flexible || types_facts(t, id)->embeds_flexible);
}
