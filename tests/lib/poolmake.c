/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/poolmake.h"

#include "btf/btf_kind.h"

void pool_scene_init(struct pool_scene *s)
{
	memset(s, 0, sizeof(*s));
	str_pool_init(&s->strings);
	type_pool_init(&s->types);
	s->arena = type_pool_arena(&s->types);
}

void pool_scene_release(struct pool_scene *s)
{
	for (size_t u = 0; u < MAX_UNITS; u++)
		free(s->packed[u].items);
	resolved_names_release(&s->resolved);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
}

struct resolve_unit *pool_scene_unit(struct pool_scene *s)
{
	CHECK(s->nr < MAX_UNITS);
	s->units[s->nr] = (struct resolve_unit){ .types.nr = 1 };
	return &s->units[s->nr++];
}

uint32_t pool_scene_name(struct pool_scene *s, const char *text)
{
	/* the pool borrows its strings */
	uint32_t id = str_pool_add(&s->strings, test_keep(mem_strdup(text)), strlen(text));

	if (id >= s->names_end)
		s->names_end = id + 1;
	return id;
}

/* The pool id of type @id of @t, whose names are those of the pool. */
static uint32_t pool_id(struct pool_scene *s, const struct btf_types *t, uint32_t id,
			struct pool_type **ret)
{
	const uint32_t *rec = btf_types_rec(t, id);
	size_t nr = btf_rec_words(rec);
	uint32_t copy[64];

	CHECK(nr <= ARRAY_SIZE(copy));
	memcpy(copy, rec, nr * sizeof(*rec));
	btf_rec_each_type(copy, ref)
	{
		const uint32_t *to = *ref ? btf_types_rec(t, *ref) : NULL;
		struct pool_type *unused;

		if (to)
			*ref = pool_ref_to(to, 0) ? pool_ref_to(to, 0) :
						    pool_id(s, t, *ref, &unused);
	}
	if (btf_info_kind(copy[BTF_REC_INFO]) == BTF_ARRAY)
		copy[BTF_REC_WORDS + 1] = POOL_REF_INDEX;
	return type_pool_add(&s->types, s->arena, copy, nr, ret);
}

static void place(struct pool_scene *s, struct pool_type *t, uint32_t id)
{
	struct resolve_unit *u = &s->units[s->nr - 1];

	CHECK(u->types.nr < MAX_TYPES);
	pool_type_place_at(t, (uint32_t)(s->nr - 1), (uint32_t)u->types.nr);
	s->ids[s->nr - 1][u->types.nr++] = id;
}

void pool_scene_add(struct pool_scene *s, const char *types)
{
	VIEW(v);
	struct btf_types *t = &v.view.types;

	test_view_add(&v, types);
	for (uint32_t id = 1; id < btf_types_end(t); id++) {
		btf_rec_each_name(btf_types_rec(t, id), name)
		{
			if (*name)
				*name = pool_scene_name(s, v.names.items + *name);
		}
	}
	for (uint32_t id = 1; id < btf_types_end(t); id++) {
		struct pool_type *p;
		uint32_t in_pool = pool_id(s, t, id, &p);

		place(s, p, in_pool);
	}
}

void pool_scene_units(struct pool_scene *s, const struct pool_unit *units, size_t nr)
{
	for (size_t i = 0; i < nr && units[i].types; i++) {
		struct resolve_unit *u = pool_scene_unit(s);

		u->irregular = units[i].irregular;
		if (units[i].twice) {
			pool_ref *twice = &s->twice[s->nr - 1];

			*twice = pool_ref_named(POOL_STRUCT, pool_scene_name(s, units[i].twice));
			u->multiply_defined = twice;
			u->nr_multiply_defined = 1;
		}
		pool_scene_add(s, units[i].types);
	}
}

uint32_t pool_scene_add_record(struct pool_scene *s, const uint32_t *rec, size_t nr)
{
	struct pool_type *t;
	uint32_t id = type_pool_add(&s->types, s->arena, rec, nr, &t);

	place(s, t, id);
	return id;
}

void pool_scene_resolve(struct pool_scene *s, const struct pool_ref_list *other)
{
	for (size_t u = 0; u < s->nr; u++) {
		s->packed[u].nr = 0;
		id_list_pack(s->ids[u], s->units[u].types.nr, &s->packed[u]);
		s->units[u].types.words = s->packed[u].items;
	}
	ambiguous_resolve(&s->types, &s->strings, s->units, s->nr, other, &s->resolved);
}
