/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_prim.c - INT, FLOAT, FWD, ENUM and ENUM64, which refer to no other type
 *
 * All but enums are equal if their words are. An enum without enumerators declares
 * any enum of its name, whatever that one's size and kind. libbpf keeps all enums of
 * a name in one chain and walks it from the front:
 *
 *	- a declaration takes the first one, whatever it is;
 *	- a full enum takes its equal, and redirects every declaration that it meets
 *	  before, or all of them if it finds no equal.
 *
 * So a full enum has to walk the chain only if it has both a declaration and an equal. All
 * enums without a name share one chain, so the usual cases have keys of their own: by words for
 * full enums, and by name for declarations.
 */
#include "dedup/dedup_internal.h"

/* Distinguish the keys of the enums of a name, and of its declarations. */
enum { KEY_NAME = 1, KEY_DECLARATION = 2 };

static uint64_t hash_enum_name(const uint32_t *rec, uint32_t which)
{
	return hash_pair(rec[BTF_REC_NAME], which);
}

static bool is_empty_enum(const uint32_t *rec)
{
	return btf_info_vlen(rec[BTF_REC_INFO]) == 0;
}

static bool any_enum_of_name(const uint32_t *a, const uint32_t *b)
{
	return a[BTF_REC_NAME] == b[BTF_REC_NAME] &&
	       btf_kind_is_enum(btf_info_kind(a[BTF_REC_INFO])) &&
	       btf_kind_is_enum(btf_info_kind(b[BTF_REC_INFO]));
}

bool dedup_compat_enum(const uint32_t *a, const uint32_t *b)
{
	if (!is_empty_enum(a) && !is_empty_enum(b))
		return dedup_same_words(a, b);
	return any_enum_of_name(a, b);
}

uint64_t dedup_hash_enum(const uint32_t *rec)
{
	return hash_enum_name(rec, KEY_NAME);
}

uint64_t dedup_hash_enum_alias(const uint32_t *rec)
{
	return is_empty_enum(rec) ? hash_enum_name(rec, KEY_DECLARATION) : dedup_hash_words(rec);
}

static void keep_enum(struct dedup *d, uint32_t id, const uint32_t *rec)
{
	uint64_t alias = dedup_hash_enum_alias(rec);

	dedup_keep(d, dedup_hash_enum(rec), id);
	dedup_chain(d, alias);
	cand_table_alias(&d->cands, alias, id);
}

/* The first candidate whose words are those of @rec, 0 for none. */
static uint32_t find_same(struct dedup *d, uint64_t hash, const uint32_t *rec)
{
	cand_each(dedup_chain(d, hash), hash, id)
	{
		if (dedup_same_words(rec, dedup_rec(d, id)))
			return id;
	}
	return 0;
}

static uint32_t find_enum_of_name(struct dedup *d, uint64_t hash, const uint32_t *rec)
{
	cand_each(dedup_chain(d, hash), hash, id)
	{
		if (any_enum_of_name(rec, dedup_rec(d, id)))
			return id;
	}
	return 0;
}

/* Redirect all candidates of @hash that declare full enum @own, up to its equal. Return that, or 0. */
static uint32_t redirect_declarations(struct dedup *d, uint64_t hash, uint32_t own,
				      const uint32_t *rec)
{
	cand_each(dedup_chain(d, hash), hash, id)
	{
		const uint32_t *cand = dedup_rec(d, id);

		if (dedup_same_words(rec, cand))
			return id;
		if (is_empty_enum(cand) && any_enum_of_name(rec, cand))
			d->map[id] = own;
	}
	return 0;
}

static uint32_t find_full_enum(struct dedup *d, uint32_t own, const uint32_t *rec)
{
	uint64_t declarations = hash_enum_name(rec, KEY_DECLARATION);
	uint32_t found = find_same(d, dedup_hash_words(rec), rec);

	if (!find_enum_of_name(d, declarations, rec))
		return found;
	return redirect_declarations(d, found ? dedup_hash_enum(rec) : declarations, own, rec);
}

static void do_enum(struct dedup *d, uint32_t id)
{
	const uint32_t *rec = dedup_rec(d, id);
	uint32_t found = is_empty_enum(rec) ? find_enum_of_name(d, dedup_hash_enum(rec), rec) :
					      find_full_enum(d, id, rec);

	if (found)
		d->map[id] = found;
	else
		keep_enum(d, id, rec);
}

static void do_plain(struct dedup *d, uint32_t id)
{
	const uint32_t *rec = dedup_rec(d, id);
	uint64_t hash = dedup_hash_words(rec);
	uint32_t found = find_same(d, hash, rec);

	if (found)
		d->map[id] = found;
	else
		dedup_keep(d, hash, id);
}

void dedup_prim(struct dedup *d)
{
	for (uint32_t id = d->first; id < d->end; id++) {
		enum btf_dedup how = btf_kind_layouts[d->kind[id]].dedup;

		if (how == BTF_DEDUP_WORDS)
			do_plain(d, id);
		else if (how == BTF_DEDUP_ENUM)
			do_enum(d, id);
	}
}
