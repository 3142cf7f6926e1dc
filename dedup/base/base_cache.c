/* SPDX-License-Identifier: GPL-2.0-only */
/* base_cache.c - see base_cache.h */
#include "dedup/base/base_cache.h"

#include "base/cleanup.h"
#include "dedup/base/base_strings.h"
#include "dedup/dedup.h"

/* Can other types refer to it? */
static bool is_type(const uint32_t *rec)
{
	return btf_ctype(btf_rec_kind(rec)) != BTF_C_NONE;
}

bool base_has_no_duplicates(const struct btf_types *base)
{
	CLEANUP(hash_table_release) struct hash_table by_words = { 0 };
	uint32_t end = btf_types_end(base);

	hash_table_reserve(&by_words, end);
	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = btf_types_rec(base, id);
		uint64_t hash = is_type(rec) ? dedup_hash_words(rec) : 0;

		if (!is_type(rec))
			continue;
		if (HASH_FIND(&by_words, hash, other,
			      dedup_same_words(rec, btf_types_rec(base, other))))
			return false;
		hash_table_add(&by_words, hash, id);
	}
	return true;
}

struct err *base_cache_make(const struct btf_view *base, bool typedefs, struct base_cache *ret)
{
	base_strings_index(base, NULL, &ret->strings);
	base_names_index(base, &ret->strings, NULL, &ret->names);
	ret->no_duplicates = base_has_no_duplicates(&base->types);
	return base_index_make(&base->types, typedefs, NULL, &ret->types);
}

void base_cache_release(struct base_cache *c)
{
	string_index_release(&c->strings);
	base_index_release(&c->types);
	base_names_release(&c->names);
}
