/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/pooltext.h"

#include "base/text.h"
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

/* Add one of several units, of @len letters. */
static void add_unit(struct pool_scene *s, const char *text, size_t len)
{
	CLEANUP(mem_free_text) char *unit = mem_printf("%.*s", (int)len, text);
	struct resolve_unit *u = pool_scene_unit(s);
	char *types = strchr(unit, ':'), *name = unit + strspn(unit, " ") + strlen("twice ");

	if (!types) {
		pool_scene_add(s, unit);
		return;
	}
	*types++ = '\0';
	u->irregular = strstr(unit, "irregular");
	if (!u->irregular) {
		s->twice[s->nr - 1] = pool_ref_named(POOL_STRUCT, pool_scene_name(s, name));
		u->multiply_defined = &s->twice[s->nr - 1];
		u->nr_multiply_defined = 1;
	}
	pool_scene_add(s, types);
}

void pool_scene_units(struct pool_scene *s, const char *units)
{
	for (size_t len; *units; units += len + (units[len] == '|')) {
		len = strcspn(units, "|");
		add_unit(s, units, len);
	}
}

uint32_t pool_scene_say(struct pool_scene *s, const uint32_t *rec, size_t nr)
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

const char *record_text(const struct str_pool *strings, const uint32_t *rec)
{
	VIEW(v);
	size_t nr = btf_rec_words(rec);

	test_view_init(&v);
	memcpy(btf_types_add(&v.view.types, nr), rec, nr * sizeof(*rec));
	btf_rec_each_name(btf_types_rec(&v.view.types, 1),
			  name) *name = test_name(&v, str_pool_text(strings, *name));
	return test_rec_text(&v, 1);
}

static char emitter_of(const struct pool_scene *s, size_t u, uint32_t id)
{
	uint32_t unit = pool_place_unit(pool_type_place(type_pool_at(&s->types, id)));

	if (needs_exact_dedup(&s->resolved, u, id))
		return unit < MAX_UNITS ? 'X' : 'x';
	return unit < MAX_UNITS ? (char)('0' + unit) : '-';
}

static void print_meaning(struct text *t, const struct pool_scene *s, const char *keyword,
			  const char *name, uint32_t id)
{
	for (size_t u = 0; u < s->nr; u++) {
		for (size_t i = 1; i < s->units[u].types.nr; i++) {
			if (id && s->ids[u][i] == id) {
				text_printf(t, ", %s%s: %zu.%zu", keyword, name, u, i);
				return;
			}
		}
	}
}

const char *pool_scene_text(const struct pool_scene *s)
{
	static const char *const keywords[POOL_NR_SPACES] = { "", "union ", "enum " };
	struct text text = { 0 };
	size_t nr_exact = 0;

	for (size_t u = 0; u < s->nr; u++) {
		const struct resolved_unit *r = &s->resolved.units[u];

		nr_exact += r->needs_exact;
		text_printf(&text, "%s%s", u ? " " : "",
			    r->all_exact   ? "!" :
			    r->needs_exact ? "*" :
					     "");
		for (size_t i = 1; i < s->units[u].types.nr; i++)
			text_char(&text, emitter_of(s, u, s->ids[u][i]));
	}
	CHECK_EQ(s->resolved.nr_need_exact, nr_exact);
	for (uint32_t name = 1; name < s->names_end; name++) {
		for (int space = 0; space < POOL_NR_SPACES; space++)
			print_meaning(&text, s, keywords[space], str_pool_text(&s->strings, name),
				      s->resolved.named[space][name]);
	}
	return test_keep(text_take(&text));
}
