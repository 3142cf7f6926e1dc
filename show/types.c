/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.c - see types.h
 *
 * Functions that follow references count the steps: no C program comes near TYPES_CHAIN_MAX. Structs nest at
 * any depth, so types_facts() has a stack of its own, and visits each struct once.
 */
#include "show/types.h"

#include "base/vec.h"
#include "btf/addr_size.h"
#include "btf/btf_kind.h"
#include "show/layout.h"

#include <stdlib.h>

enum { NOT_SEARCHED, SEARCHING, SEARCHED };

/* A struct or union on the way down. */
struct types_visit {
	uint32_t id, next; /* the member that is next */
};

void types_init(struct show_types *t, const struct btf_view *view, uint8_t addr_size)
{
	*t = (struct show_types){
		.view = view,
		.end = btf_types_end(&view->types),
	};
	t->facts = mem_zalloc(t->end, sizeof(*t->facts));
	t->names = mem_alloc(sizeof(*t->names));
	names_init(t->names, view);
	t->addr_size = addr_size ? addr_size : addr_size_find(view).bytes;
}

void types_release(struct show_types *t)
{
	if (t->names)
		names_release(t->names);
	for (size_t i = 0; i < t->renames.nr; i++)
		free(t->renames.items[i]);
	FREE_ALL(t->facts, t->names, t->visits.items, t->gaps.items, t->renames.items);
	err_free(t->failure);
	*t = (struct show_types){ 0 };
}

void types_fail(struct show_types *t, struct err *e)
{
	if (t->failure)
		err_free(e);
	else
		t->failure = e;
}

void types_fail_nesting(struct show_types *t, uint32_t id)
{
	types_fail(t,
		   err_new(ERR_LIMIT, "type %u: types nest deeper than %d", id, TYPES_CHAIN_MAX));
}

void types_fail_kind(struct show_types *t, uint32_t id)
{
	types_fail(t, err_new(ERR_FORMAT, "type %u: %s is used as a type", id,
			      btf_kind_layout(types_kind(t, id))->name));
}

struct err *types_failed(struct show_types *t)
{
	struct err *e = t->failure;

	t->failure = NULL;
	return e;
}

void types_rename(struct show_types *t, uint32_t id, char *name)
{
	vec_push(&t->renames, name);
	t->facts[id].rename = (uint32_t)t->renames.nr;
}

static enum btf_space space_of(const struct show_types *t, uint32_t id)
{
	return id ? btf_rec_space(types_rec(t, id)) : BTF_SPACE_NONE;
}

bool types_is_struct(const struct show_types *t, uint32_t id)
{
	return space_of(t, id) == BTF_SPACE_STRUCT;
}

bool types_is_union(const struct show_types *t, uint32_t id)
{
	return space_of(t, id) == BTF_SPACE_UNION;
}

bool types_is_tagged(const struct show_types *t, uint32_t id)
{
	enum btf_space s = space_of(t, id);

	return s == BTF_SPACE_STRUCT || s == BTF_SPACE_UNION || s == BTF_SPACE_ENUM;
}

/* Follow one typedef, qualifier or type tag; false if @id is none of these. */
static bool step(const struct show_types *t, uint32_t *id)
{
	if (!btf_kind_is_modifier(types_kind(t, *id)))
		return false;
	*id = types_rec(t, *id)[BTF_REC_SIZE_TYPE];
	return true;
}

static void fail_chain(struct show_types *t, uint32_t id)
{
	types_fail(t, err_new(ERR_FORMAT, "type %u: more than %d types in a chain", id,
			      TYPES_CHAIN_MAX));
}

uint32_t types_bare(struct show_types *t, uint32_t id)
{
	uint32_t at = id;

	for (size_t i = 0; i < TYPES_CHAIN_MAX; i++) {
		if (!step(t, &at))
			return at;
	}
	fail_chain(t, id);
	return 0;
}

uint32_t types_untagged(struct show_types *t, uint32_t id)
{
	uint32_t at = id;

	for (size_t i = 0; i < TYPES_CHAIN_MAX; i++) {
		if (types_kind(t, at) != BTF_TYPE_TAG)
			return at;
		at = types_rec(t, at)[BTF_REC_SIZE_TYPE];
	}
	fail_chain(t, id);
	return 0;
}

static uint64_t times(struct show_types *t, uint32_t id, uint64_t size, uint64_t nr)
{
	if (nr && size > TYPES_SIZE_MAX / nr) {
		types_fail(t, err_new(ERR_LIMIT, "type %u: more than 2^48 bytes", id));
		return 0;
	}
	return size * nr;
}

static uint32_t int_size(const uint32_t *rec)
{
	return (rec[BTF_REC_WORDS] & 0xff) / 8;
}

uint64_t types_size(struct show_types *t, uint32_t id)
{
	uint64_t nr = 1;
	uint32_t at = id;

	for (size_t i = 0; i < TYPES_CHAIN_MAX; i++) {
		if (step(t, &at))
			continue;

		if (!at) /* void */
			return 0;

		const uint32_t *rec = types_rec(t, at);
		switch (types_ctype(t, at)) {
		case BTF_C_ARRAY:
			nr = times(t, id, nr, rec[BTF_REC_WORDS + 2]);
			at = rec[BTF_REC_WORDS];
			continue;
		case BTF_C_POINTER:
		case BTF_C_FUNCTION:
			return times(t, id, t->addr_size, nr);
		case BTF_C_INT:
			return times(t, id, int_size(rec), nr);
		case BTF_C_STRUCT:
			/* in C++ an empty struct has one byte, but none as a member */
			if (rec[BTF_REC_SIZE_TYPE] == 1 && !btf_rec_vlen(rec))
				return 0;
			return times(t, id, rec[BTF_REC_SIZE_TYPE], nr);
		case BTF_C_ENUM:
		case BTF_C_FLOAT:
			return times(t, id, rec[BTF_REC_SIZE_TYPE], nr);
		case BTF_C_FORWARD:
			return 0;
		case BTF_C_NONE:
		case BTF_C_VOID:
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
			break;
		}
		types_fail_kind(t, at);
		return 0;
	}
	fail_chain(t, id);
	return 0;
}

/* The struct or union that a value of type @id holds, maybe in arrays; 0 if there is none. */
static uint32_t held(struct show_types *t, uint32_t id)
{
	uint32_t at = types_bare(t, id);

	for (size_t i = 0; i < TYPES_CHAIN_MAX; i++) {
		if (types_ctype(t, at) != BTF_C_ARRAY)
			return types_ctype(t, at) == BTF_C_STRUCT ? at : 0;
		at = types_bare(t, types_rec(t, at)[BTF_REC_WORDS]);
	}
	fail_chain(t, id);
	return 0;
}

/*
 * NOLINTBEGIN(misc-no-recursion): types_facts() needs alignments of types only after it has visited them, so
 * types_alignment() does not call it again
 */

uint32_t types_alignment(struct show_types *t, uint32_t id)
{
	uint32_t at = id;

	for (size_t i = 0; i < TYPES_CHAIN_MAX; i++) {
		if (!at) /* void */
			return 1;

		const uint32_t *rec = types_rec(t, at);
		uint32_t found = 1;

		switch (types_ctype(t, at)) {
		case BTF_C_ARRAY:
			at = types_bare(t, rec[BTF_REC_WORDS]);
			continue;
		case BTF_C_POINTER:
			found = t->addr_size;
			break;
		case BTF_C_INT:
			found = int_size(rec);
			break;
		case BTF_C_FLOAT:
		case BTF_C_ENUM:
			found = rec[BTF_REC_SIZE_TYPE];
			break;
		case BTF_C_STRUCT:
			found = types_facts(t, at)->alignment;
			break;
		case BTF_C_NONE:
		case BTF_C_VOID:
		case BTF_C_FORWARD:
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
		case BTF_C_FUNCTION:
			break;
		}
		return found ? found : 1;
	}
	fail_chain(t, id);
	return 1;
}

static bool is_flexible(const struct show_types *t, uint32_t id)
{
	return types_kind(t, id) == BTF_ARRAY && !types_rec(t, id)[BTF_REC_WORDS + 2];
}

bool types_ends_flexible(const struct show_types *t, uint32_t id)
{
	const uint32_t *rec = types_rec(t, id);
	uint32_t nr = types_vlen(t, id);

	return types_kind(t, id) == BTF_STRUCT && nr &&
	       is_flexible(t, types_member(rec, nr - 1).type);
}

/* Add to @f a member of type @type, all structs in which were visited. */
static void add_member(struct show_types *t, uint32_t type, struct type_facts *f)
{
	uint32_t bare = types_bare(t, type), alignment = types_alignment(t, bare);

	if (f->alignment < alignment)
		f->alignment = alignment;
	if (types_kind(t, bare) == BTF_STRUCT)
		f->embeds_flexible |= types_ends_flexible(t, bare) ||
				      t->facts[bare].embeds_flexible;
}

/* Visit the next member of the struct on top of the stack; false if there is none. */
static bool visit_member(struct show_types *t, struct types_visit *top)
{
	const uint32_t *rec = types_rec(t, top->id);
	uint32_t type, below;

	if (top->next == types_vlen(t, top->id))
		return false;
	type = types_member(rec, top->next).type;
	below = held(t, type);
	if (below && t->facts[below].search == NOT_SEARCHED) {
		t->facts[below].search = SEARCHING;
		vec_push(&t->visits, ((struct types_visit){ .id = below }));
		return true;
	}
	if (below && t->facts[below].search == SEARCHING)
		types_fail(t, err_new(ERR_FORMAT, "type %u: it lies in itself", below));
	else
		add_member(t, type, &t->facts[top->id]);
	top->next++;
	return true;
}

struct type_facts *types_facts(struct show_types *t, uint32_t id)
{
	struct type_facts *f = &t->facts[id];

	if (likely(f->search != NOT_SEARCHED))
		return f;
	f->search = SEARCHING;
	vec_push(&t->visits, ((struct types_visit){ .id = id }));
	while (t->visits.nr) {
		if (visit_member(t, &t->visits.items[t->visits.nr - 1]))
			continue;
		t->facts[t->visits.items[--t->visits.nr].id].search = SEARCHED;
	}
	return f;
}

/* NOLINTEND(misc-no-recursion) */
