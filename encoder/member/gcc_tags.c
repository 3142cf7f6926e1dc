/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc_tags.c - see gcc_tags.h */
#include "encoder/member/gcc_tags.h"

#include "btf/btf_kind.h"

#include <stdlib.h>

enum {
	TAG_ENUM = 1 << 0,
	TAG_STRUCT = 1 << 1,
	TAG_PASSED = 1 << 2, /* only declared, but taken or returned by a pointer to a function */
};

/* No program has as many modifiers in a row. */
enum { MAX_CHAIN = 64 };

static void add(struct gcc_tags *t, const char *name, uint8_t kind)
{
	uint32_t id = name_ids_add(&t->names, name);

	if (id > t->kinds.nr)
		vec_push(&t->kinds, 0);
	t->kinds.items[id - 1] |= kind;
}

static uint32_t skip_modifiers(const struct btf_view *v, uint32_t id)
{
	for (int links = 0; id && links < MAX_CHAIN; links++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		switch (btf_info_kind(rec[BTF_REC_INFO])) {
		case BTF_TYPEDEF:
		case BTF_VOLATILE:
		case BTF_CONST:
			id = rec[BTF_REC_SIZE_TYPE];
			break;
		default:
			return id;
		}
	}
	return 0;
}

static void add_passed(struct gcc_tags *t, const struct btf_view *v, uint32_t *proto)
{
	btf_rec_each_type(proto, ref)
	{
		uint32_t id = skip_modifiers(v, *ref);
		const uint32_t *rec = id ? btf_types_rec(&v->types, id) : NULL;

		if (rec && rec[BTF_REC_NAME] && rec[BTF_REC_INFO] == btf_info(BTF_FWD, 0, false))
			add(t, btf_view_str(v, v->base, rec[BTF_REC_NAME]), TAG_PASSED);
	}
}

/* By id: is it the prototype of a function with a name, and not of a pointer? */
static bool *find_named_protos(const struct btf_view *v)
{
	bool *named = mem_zalloc(btf_types_end(&v->types), sizeof(*named));

	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		if (btf_info_kind(rec[BTF_REC_INFO]) == BTF_FUNC && rec[BTF_REC_NAME])
			named[rec[BTF_REC_SIZE_TYPE]] = true;
	}
	return named;
}

void gcc_tags_add(struct gcc_tags *t, const struct btf_view *v)
{
	bool *named = find_named_protos(v);

	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		uint32_t *rec = btf_types_rec(&v->types, id);

		switch (btf_info_kind(rec[BTF_REC_INFO])) {
		case BTF_ENUM:
		case BTF_ENUM64:
			if (rec[BTF_REC_NAME])
				add(t, btf_view_str(v, v->base, rec[BTF_REC_NAME]), TAG_ENUM);
			break;
		case BTF_STRUCT:
			if (rec[BTF_REC_NAME])
				add(t, btf_view_str(v, v->base, rec[BTF_REC_NAME]), TAG_STRUCT);
			break;
		case BTF_FUNC_PROTO:
			if (!named[id])
				add_passed(t, v, rec);
			break;
		default:
			break;
		}
	}
	free(named);
}

void gcc_tags_release(struct gcc_tags *t)
{
	name_ids_release(&t->names);
	free(t->kinds.items);
	*t = (struct gcc_tags){ 0 };
}

bool gcc_tags_say_enum(const struct gcc_tags *t, const char *name)
{
	uint32_t id = name_ids_find(&t->names, name);

	return id && !(t->kinds.items[id - 1] & TAG_STRUCT);
}
