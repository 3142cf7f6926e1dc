/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * addr_size.c - see addr_size.h
 *
 * libbpf takes the size of "long", else that of the machine on which it runs. But a program need not have a
 * "long". Then the members of a struct tell: no member of C overlaps the next one.
 */
#include "btf/addr_size.h"

#include <string.h>

static bool is_long(const char *name)
{
	/* any order of words is C */
	static const char *const names[] = {
		"long",
		"long int",
		"int long",
		"unsigned long",
		"long unsigned",
		"unsigned long int",
		"unsigned int long",
		"long unsigned int",
		"long int unsigned",
		"int unsigned long",
		"int long unsigned",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static bool is_long_int(const struct btf_view *v, const uint32_t *rec)
{
	uint32_t size = rec[BTF_REC_SIZE_TYPE];

	return btf_rec_kind(rec) == BTF_INT && (size == 4 || size == 8) &&
	       is_long(btf_view_str(v, v->base, rec[BTF_REC_NAME]));
}

/* How many pointers the type @id has, if it is a pointer or an array of pointers; else 0. */
static uint64_t count_pointers(const struct btf_types *t, uint32_t id)
{
	enum { MAX_LINKS = 64 };
	uint64_t nr = 1;

	for (int links = 0; id && links < MAX_LINKS; links++) {
		const uint32_t *rec = btf_types_rec(t, id);
		uint32_t kind = btf_rec_kind(rec);

		if (kind == BTF_PTR)
			return nr;
		if (btf_kind_is_modifier(kind)) {
			id = rec[BTF_REC_SIZE_TYPE];
		} else if (kind == BTF_ARRAY && nr <= UINT32_MAX) {
			id = rec[BTF_REC_WORDS];
			nr *= rec[BTF_REC_WORDS + 2];
		} else {
			return 0;
		}
	}
	return 0;
}

/* The bit of @rec where member @i begins. */
static uint32_t member_start(const uint32_t *rec, uint32_t i)
{
	uint32_t word = rec[BTF_REC_WORDS + 3 * (size_t)i + 2];

	return btf_rec_kflag(rec) ? word & 0xffffff : word;
}

/* Members that pointers of one size only explain. */
struct votes {
	uint32_t of_4, of_8;
	uint32_t type; /* the first that has one for 4 */
};

/*
 * A member of @nr pointers takes the bits from @start to at most @end. If it is @before another pointer, there is
 * no reason for a hole between them.
 */
static void vote(struct votes *v, uint32_t type, uint64_t nr, uint64_t start, uint64_t end,
		 bool before)
{
	if (start + 32 * nr > end)
		return; /* invalid BTF: it has no room for either size */
	if (start + 64 * nr > end) {
		v->of_4++;
		v->type = v->type ? v->type : type;
	} else if (before && start + 64 * nr == end) {
		v->of_8++;
	}
}

static void ask_members(const struct btf_types *t, uint32_t id, struct votes *v)
{
	const uint32_t *rec = btf_types_rec(t, id), *member = rec + BTF_REC_WORDS;
	uint32_t nr = btf_rec_kind(rec) == BTF_STRUCT ? btf_rec_vlen(rec) : 0;
	uint64_t size = 8 * (uint64_t)rec[BTF_REC_SIZE_TYPE], pointers, next;

	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, member += 3) {
		uint64_t start = member_start(rec, i);
		/* all members of a union, and a member without a size, end where they may */
		bool is_last = i + 1 >= nr || member_start(rec, i + 1) <= start;

		pointers = count_pointers(t, member[1]);
		next = is_last ? 0 : count_pointers(t, member[4]);
		if (pointers)
			vote(v, id, pointers, start, is_last ? size : member_start(rec, i + 1),
			     next);
	}
}

struct addr_size addr_size_find(const struct btf_view *v)
{
	const struct btf_types *t = &v->types;
	struct votes votes = { 0 };

	for (uint32_t id = 1; id < btf_types_end(t); id++) {
		const uint32_t *rec = btf_types_rec(t, id);

		if (is_long_int(v, rec))
			return (struct addr_size){ (uint8_t)rec[BTF_REC_SIZE_TYPE], ADDR_SIZE_LONG,
						   id };
	}
	for (uint32_t id = 1; id < btf_types_end(t); id++) {
		if (btf_kind_is_struct(btf_rec_kind(btf_types_rec(t, id))))
			ask_members(t, id, &votes);
	}
	/* one damaged struct does not outweigh a whole program */
	if (votes.of_4 > votes.of_8)
		return (struct addr_size){ 4, ADDR_SIZE_MEMBER, votes.type };
	return (struct addr_size){ 8, ADDR_SIZE_ASSUMED, 0 };
}
