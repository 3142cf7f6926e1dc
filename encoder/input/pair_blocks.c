/* SPDX-License-Identifier: GPL-2.0-only */
/* pair_blocks.c - see pair_blocks.h */
#include "encoder/input/pair_blocks.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "base/vec.h"

#include <stdlib.h>

/* The blocks of one object. */
struct group {
	size_t first; /* in pairing.blocks; their number is in the key */
	struct facts_key key;
};

struct pairing {
	struct input *in;
	struct bytes section;
	bool linked;
	VEC(struct facts_block) blocks;
	VEC(struct group) groups;  /* in the order of the section */
	VEC(struct member) paired; /* the members, with their blocks */
	size_t nr_taken;           /* groups that have a member */
};

static void pairing_release(struct pairing *p)
{
	FREE_ALL(p->blocks.items, p->groups.items, p->paired.items);
}

/* --- reading the section ------------------------------------------------------------------ */

static bool same_key(const struct facts_key *a, const struct facts_key *b)
{
	return a->len == b->len && a->sum == b->sum && a->nr_blocks == b->nr_blocks;
}

/* The blocks of one object; several have BTF of their own. Group @ret is of no object at the end of the section. */
static struct err *read_group(struct pairing *p, size_t *at, struct group *ret)
{
	size_t start = *at;

	*ret = (struct group){ .first = p->blocks.nr };
	for (uint32_t i = 0; i == 0 || i < ret->key.nr_blocks; i++) {
		struct facts_block b;

		TRY(facts_block_open(p->section, at, p->in->obj.swap, &b));
		if (i == 0)
			ret->key = b.key;
		if (i == 0 && !b.all.ptr)
			return NULL;
		if (!b.all.ptr || !same_key(&ret->key, &b.key) ||
		    (b.key.nr_blocks > 1 && !b.btf.len))
			return err_new(ERR_FORMAT, "%s+%#zx: %u blocks of one object, %u are here",
				       FACTS_SECTION, start, ret->key.nr_blocks, i);
		vec_push(&p->blocks, b);
	}
	return NULL;
}

static struct err *read_groups(struct pairing *p)
{
	struct group g;

	for (size_t at = 0;;) {
		TRY(read_group(p, &at, &g));
		if (!g.key.nr_blocks)
			return NULL;
		vec_push(&p->groups, g);
	}
}

/* --- pairing --------------------------------------------------------------------------------- */

/* Append member @m with the blocks of @g. */
static void take(struct pairing *p, const struct member *m, const struct group *g, bool unchecked)
{
	p->nr_taken++;
	for (uint32_t i = 0; i < g->key.nr_blocks; i++) {
		const struct facts_block *b = &p->blocks.items[g->first + i];
		struct member unit = *m;

		unit.block = *b;
		unit.block_at = (size_t)(b->all.ptr - p->section.ptr);
		unit.linked = p->linked;
		unit.maybe_gcc = false;
		unit.sum_unchecked = unchecked;
		if (b->btf.len) {
			unit.bytes = b->btf;
			unit.mapped = false;
			unit.where = arena_printf(&p->in->names, "%s, unit %u", m->where, i + 1);
		}
		vec_push(&p->paired, unit);
	}
}

/* Is there one group for each member, in their order, as far as lengths tell? */
static bool lengths_agree(const struct pairing *p, size_t first)
{
	if (p->groups.nr != p->in->members.nr - first)
		return false;
	for (size_t i = 0; i < p->groups.nr; i++) {
		if (p->groups.items[i].key.len != p->in->members.items[first + i].bytes.len)
			return false;
	}
	return true;
}

/* Workers check the sums, since they read the bytes anyway, except where the bytes are replaced. */
static bool pair_in_order(struct pairing *p, size_t first)
{
	for (size_t i = 0; i < p->groups.nr; i++) {
		const struct group *g = &p->groups.items[i];
		const struct member *m = &p->in->members.items[first + i];
		bool replaced = p->blocks.items[g->first].btf.len;

		if (replaced && facts_sum(m->bytes) != g->key.sum) {
			p->paired.nr = p->nr_taken = 0;
			return false;
		}
		take(p, m, g, !replaced);
	}
	return true;
}

/* Pair each member with the first group of its checksum that no earlier member has. */
static void pair_by_sum(struct pairing *p, size_t first)
{
	size_t nr = p->groups.nr;
	CLEANUP(mem_free) struct sort_key *keys = mem_alloc(nr * sizeof(*keys));
	CLEANUP(mem_free) size_t *next =
		mem_zalloc(nr, sizeof(*next)); /* by the first of a sum: how many are taken */

	for (size_t i = 0; i < nr; i++)
		keys[i] = (struct sort_key){ p->groups.items[i].key.sum, (uint32_t)i };
	sort_by_key(keys, nr);
	for (size_t i = first; i < p->in->members.nr; i++) {
		const struct member *m = &p->in->members.items[i];
		uint64_t sum = facts_sum(m->bytes);
		size_t k = LOWER_BOUND(0, nr, n, keys[n].key < sum);
		size_t at = k < nr ? k + next[k] : nr;

		if (at < nr && keys[at].key == sum &&
		    p->groups.items[keys[at].id].key.len == m->bytes.len) {
			take(p, m, &p->groups.items[keys[at].id], false);
			next[k]++;
		} else {
			vec_push(&p->paired, *m);
		}
	}
}

size_t pair_blocks(struct input *in, size_t first, struct bytes section, bool linked,
		   const char *path, struct diagnostics *diags)
{
	CLEANUP(pairing_release) struct pairing p = { .in = in,
						      .section = section,
						      .linked = linked };
	struct err *e = read_groups(&p);

	if (e) {
		input_damaged(in, path);
		diag_add(diags, DIAG_WARNING, "'%s': %s: ignored from here on", path, err_text(e));
	}
	err_free(e);
	if (!p.groups.nr)
		return 0;
	if (!lengths_agree(&p, first) || !pair_in_order(&p, first))
		pair_by_sum(&p, first);
	in->members.nr = first;
	for (size_t i = 0; i < p.paired.nr; i++)
		vec_push(&in->members, p.paired.items[i]);
	return p.groups.nr - p.nr_taken;
}
