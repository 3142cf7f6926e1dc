/* SPDX-License-Identifier: GPL-2.0-only */
/* pair_blocks.c - see pair_blocks.h */
#include "encoder/input/pair_blocks.h"

#include "base/cleanup.h"
#include "base/os/mapped_file.h"
#include "base/sort.h"
#include "base/vec.h"

#include <stdlib.h>

/* The blocks of one object; or one block that stands alone, which is a member by itself. */
struct group {
	size_t first; /* in pairing.blocks */
	uint32_t nr;
	bool alone;
	/* of the .BTF that they belong to, or of the block that stands alone */
	size_t len;
	uint64_t sum;
};

struct pairing {
	struct input *in;
	const struct block_section *section;
	bool swap;
	VEC(struct facts_block) blocks;
	VEC(struct group) groups;  /* in the order of the section */
	VEC(struct member) paired; /* the members, with their blocks */
	struct block_count count;
	size_t nr_taken;  /* groups that have a member */
	size_t next_free; /* take_free() has seen the groups before this one */
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

/*
 * The blocks of the object at @at, or none at the end of the section. Several, and those that stand alone, have BTF of their
 * own.
 */
static struct err *read_object(struct pairing *p, size_t *at)
{
	size_t start = *at, first = p->blocks.nr;
	struct facts_key key = { .nr_blocks = 1 };
	struct facts_block b;

	for (uint32_t i = 0; i < key.nr_blocks; i++) {
		TRY(facts_block_open(p->section->bytes, at, p->swap, &b));
		if (i == 0 && !b.all.ptr)
			return NULL;
		if (i == 0) {
			key = b.key;
			p->count.objects++;
			p->count.alone += facts_block_is_alone(&b);
		}
		if (!b.all.ptr || !same_key(&key, &b.key) ||
		    (!b.btf.len && (key.nr_blocks > 1 || facts_block_is_alone(&b))))
			return err_new(ERR_FORMAT, "%s+%#zx: %u blocks of one object, %u are here",
				       FACTS_SECTION, start, key.nr_blocks, i);
		vec_push(&p->blocks, b);
		if (facts_block_is_alone(&b))
			vec_push(&p->groups,
				 ((struct group){ first + i, 1, true, b.all.len, b.crc }));
	}
	if (key.len)
		vec_push(&p->groups,
			 ((struct group){ first, key.nr_blocks, false, key.len, key.sum }));
	return NULL;
}

static struct err *read_groups(struct pairing *p)
{
	const struct block_section *s = p->section;
	size_t kept = 0;

	for (size_t at = 0, before = SIZE_MAX; before != p->blocks.nr;) {
		before = p->blocks.nr;
		TRY(read_object(p, &at));
		if (s->mapped && at > kept &&
		    (at - kept > GIVE_BACK_STRIDE || at == s->bytes.len)) {
			pages_give_back(s->bytes.ptr + kept, at - kept);
			kept = at;
		}
	}
	return NULL;
}

struct err *count_blocks(const struct block_section *section, bool swap, struct block_count *ret)
{
	CLEANUP(pairing_release) struct pairing p = { .section = section, .swap = swap };
	struct err *e = read_groups(&p);

	*ret = p.count;
	return err_at(e, "'%s'", section->path);
}

/* --- pairing --------------------------------------------------------------------------------- */

/* Append member @m with the blocks of @g; NULL: they stand alone. */
static void take(struct pairing *p, const struct member *m, const struct group *g, bool unchecked)
{
	const struct block_section *s = p->section;

	p->nr_taken++;
	for (uint32_t i = 0; i < g->nr; i++) {
		const struct facts_block *b = &p->blocks.items[g->first + i];
		struct member unit = m ? *m : (struct member){ 0 };

		unit.block = *b;
		unit.block_at = (size_t)(b->all.ptr - s->bytes.ptr);
		unit.linked = s->linked;
		unit.maybe_gcc = false;
		unit.sum_unchecked = unchecked;
		if (b->btf.len) {
			unit.bytes = b->btf;
			unit.mapped = s->mapped;
			unit.before = (size_t)(b->btf.ptr - s->bytes.ptr);
		}
		if (!m)
			unit.where = arena_printf(&p->in->names, "'%s': %s+%#zx", s->path,
						  FACTS_SECTION, unit.block_at);
		else if (b->btf.len)
			unit.where = arena_printf(&p->in->names, "%s, unit %u", m->where, i + 1);
		vec_push(&p->paired, unit);
	}
}

/* Is @g a member by itself, whatever other members there are? */
static bool is_free(const struct pairing *p, const struct group *g)
{
	return g->alone && !p->section->only_listed;
}

/* Append the groups before @end that are free and were not appended before. */
static void take_free(struct pairing *p, size_t end)
{
	for (; p->next_free < end; p->next_free++) {
		const struct group *g = &p->groups.items[p->next_free];

		if (is_free(p, g))
			take(p, NULL, g, false);
	}
}

/* The sum of what the blocks of @m belong to. Blocks in an object are found again in the linked file. */
static uint64_t sum_of(const struct member *m)
{
	return facts_block_is_alone(&m->block) ? m->block.crc : facts_sum(m->bytes);
}

static bool lengths_fit(const struct member *m, const struct group *g)
{
	bool alone = facts_block_is_alone(&m->block);

	return alone == g->alone && (alone ? m->block.all.len : m->bytes.len) == g->len;
}

/* Is there one group for each member, in their order, as far as lengths tell? */
static bool lengths_agree(const struct pairing *p, size_t first)
{
	size_t m = first, nr = p->in->members.nr;

	for (size_t i = 0; i < p->groups.nr; i++) {
		const struct group *g = &p->groups.items[i];

		if (is_free(p, g))
			continue;
		if (m == nr || !lengths_fit(&p->in->members.items[m++], g))
			return false;
	}
	return m == nr;
}

/* Workers check the sums, since they read the bytes anyway, except where the bytes are replaced. */
static bool pair_in_order(struct pairing *p, size_t first)
{
	size_t m = first;

	for (size_t i = 0; i < p->groups.nr; i++) {
		const struct group *g = &p->groups.items[i];
		bool replaced = p->blocks.items[g->first].btf.len;

		take_free(p, i + 1);
		if (is_free(p, g))
			continue;

		const struct member *member = &p->in->members.items[m++];
		if (replaced && sum_of(member) != g->sum) {
			p->paired.nr = p->nr_taken = p->next_free = 0;
			return false;
		}
		take(p, g->alone ? NULL : member, g, !replaced);
	}
	return true;
}

/*
 * Pair each member with the first group of its checksum that no earlier member has. Groups that are free come before the
 * member whose blocks follow them.
 */
static void pair_by_sum(struct pairing *p, size_t first)
{
	size_t nr = 0;
	CLEANUP(mem_free) struct sort_key *keys = mem_alloc(p->groups.nr * sizeof(*keys));
	CLEANUP(mem_free) size_t *next =
		mem_zalloc(p->groups.nr,
			   sizeof(*next)); /* by the first of a sum: how many are taken */

	for (size_t i = 0; i < p->groups.nr; i++) {
		if (!is_free(p, &p->groups.items[i]))
			keys[nr++] = (struct sort_key){ p->groups.items[i].sum, (uint32_t)i };
	}
	sort_by_key(keys, nr);
	for (size_t i = first; i < p->in->members.nr; i++) {
		const struct member *m = &p->in->members.items[i];
		uint64_t sum = sum_of(m);
		size_t k = LOWER_BOUND(0, nr, n, keys[n].key < sum);
		size_t at = k < nr ? k + next[k] : nr;
		const struct group *g = at < nr && keys[at].key == sum ?
						&p->groups.items[keys[at].id] :
						NULL;

		if (g && lengths_fit(m, g)) {
			take_free(p, keys[at].id);
			take(p, g->alone ? NULL : m, g, false);
			next[k]++;
		} else {
			vec_push(&p->paired, *m);
		}
	}
	take_free(p, p->groups.nr);
}

struct err *pair_blocks(struct input *in, size_t first, const struct block_section *section,
			struct diagnostics *diags, size_t *ret_left)
{
	CLEANUP(pairing_release) struct pairing p = { .in = in,
						      .section = section,
						      .swap = in->obj.swap };
	struct err *e = read_groups(&p);

	*ret_left = 0;
	if (e && (p.count.alone || in->members.nr == first))
		return err_at(e, "'%s'", section->path);
	if (e) {
		input_damaged(in, section->path);
		diag_add(diags, DIAG_WARNING, "'%s': %s: ignored from here on", section->path,
			 err_text(e));
	}
	err_free(e);
	if (!p.groups.nr)
		return NULL;
	if (!lengths_agree(&p, first) || !pair_in_order(&p, first))
		pair_by_sum(&p, first);
	in->members.nr = first;
	for (size_t i = 0; i < p.paired.nr; i++)
		vec_push(&in->members, p.paired.items[i]);
	*ret_left = p.groups.nr - p.nr_taken;
	return NULL;
}
