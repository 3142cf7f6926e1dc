/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * header_asserts.c - see header_asserts.h
 *
 * BTF has offsets, but neither "packed" nor "aligned". libbpf infers attributes and adds padding, and fails for
 * a packed struct with an aligned member, for example. Its versions differ, and so do compilers. So the header asks
 * the compiler, where the members are not where the rules of C for plain members put them. The compiler
 * warns, because of a constant that does not fit its type. An error would refuse a header as a whole, although
 * programs with CO-RE do not depend on the layout. Without -fms-extensions, 14 structs of Linux 7.2 differ.
 *
 * The rules here are those of 64-bit machines. Where a machine has others, there are more checks.
 */
#include "cmd/print/header_asserts.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/hash_table.h"
#include "btf/addr_size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* By id. */
struct shape {
	uint32_t align; /* of the type in C; 0: not computed yet */
	bool plain;     /* a struct or union whose layout follows from its members */
};

struct asserts {
	const struct btf_view *v;
	uint32_t addr_size;
	struct shape *shapes;
	struct name_ids names; /* of structs, unions and enums */
	uint32_t *uses;        /* by id of a name: how many types have it */
	size_t nr_printed;
};

struct measure {
	uint64_t size; /* in bytes */
	uint32_t align;
};

static void asserts_release(struct asserts *a)
{
	name_ids_release(&a->names);
	FREE_ALL(a->shapes, a->uses);
}

static const uint32_t *rec_of(const struct asserts *a, uint32_t id)
{
	return btf_types_rec(&a->v->types, id);
}

static const char *string(const struct asserts *a, uint32_t off)
{
	return btf_view_str(a->v, a->v->base, off);
}

/* Modifiers and arrays lead to @id without a cycle, because @v is sound. */
static struct measure measure(const struct asserts *a, uint32_t id)
{
	uint64_t nr = 1;

	while (id) {
		const uint32_t *rec = rec_of(a, id);
		enum btf_kind kind = btf_rec_kind(rec);

		if (btf_kind_is_modifier(kind)) {
			id = rec[BTF_REC_SIZE_TYPE];
		} else if (kind == BTF_ARRAY) {
			id = rec[BTF_REC_WORDS];
			nr *= rec[BTF_REC_WORDS + 2];
		} else if (kind == BTF_PTR) {
			return (struct measure){ nr * a->addr_size, a->addr_size };
		} else if (btf_kind_is_struct(kind)) {
			return (struct measure){ nr * rec[BTF_REC_SIZE_TYPE],
						 a->shapes[id].align ? a->shapes[id].align : 1 };
		} else if (kind == BTF_INT || kind == BTF_FLOAT || btf_kind_is_enum(kind)) {
			uint32_t size = rec[BTF_REC_SIZE_TYPE];

			return (struct measure){ nr * size, size ? size : 1 };
		} else {
			break;
		}
	}
	return (struct measure){ 0, 1 };
}

/* @id without modifiers and arrays. */
static uint32_t element_type(const struct asserts *a, uint32_t id)
{
	while (id) {
		const uint32_t *rec = rec_of(a, id);
		uint32_t kind = btf_rec_kind(rec);

		if (!btf_kind_is_modifier(kind) && kind != BTF_ARRAY)
			return id;
		id = rec[kind == BTF_ARRAY ? BTF_REC_WORDS : BTF_REC_SIZE_TYPE];
	}
	return 0;
}

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/*
 * Does a compiler lay out member @m, of type @id without modifiers and arrays, as if it were plain? Not if it is a
 * struct without a name that is not plain itself: it has no check of its own. A member without a name and
 * with a type that has one (-fms-extensions) declares nothing without this option.
 */
static bool is_plain_member(const struct asserts *a, const uint32_t *m, uint32_t id)
{
	const uint32_t *rec = id ? rec_of(a, id) : NULL;

	if (!rec || !btf_kind_is_struct(btf_rec_kind(rec)))
		return true;
	return rec[BTF_REC_NAME] ? m[0] : a->shapes[id].plain;
}

/* Lay out the members of @id by the rules for plain ones, as far as they agree with those of BTF. */
static void shape_struct(struct asserts *a, uint32_t id)
{
	const uint32_t *rec = rec_of(a, id), *m = rec + BTF_REC_WORDS;
	bool is_union = btf_rec_kind(rec) == BTF_UNION, plain = true, packed = false;
	uint64_t end = 0, last = 0; /* in bits */
	uint32_t align = 1;

	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, m += 3) {
		uint64_t start = btf_rec_kflag(rec) ? m[2] & 0xffffff : m[2];
		uint32_t bits = btf_rec_kflag(rec) ? m[2] >> 24 : 0;
		struct measure t = measure(a, m[1]);
		uint64_t unit = 8 * (uint64_t)t.align;

		align = t.align > align ? t.align : align;
		plain &= is_plain_member(a, m, element_type(a, m[1]));
		if (bits) {
			/* it follows, or does not fit what is left of its type */
			plain &= start == end ||
				 (start == round_up(end, unit) && end % unit + bits > unit);
			packed |= start % unit + bits > unit;
		} else {
			plain &= start == (is_union ? 0 : round_up(end, unit));
			packed |= start % unit != 0;
		}
		last = start + (bits ? bits : 8 * t.size);
		end = !is_union || last > end ? last : end;
	}
	packed |= rec[BTF_REC_SIZE_TYPE] % align != 0;
	a->shapes[id] = (struct shape){
		.align = packed ? 1 : align,
		.plain = plain && !packed &&
			 round_up(end, 8 * (uint64_t)align) == 8 * (uint64_t)rec[BTF_REC_SIZE_TYPE],
	};
}

/* The struct or union that member @i of @id contains, if its shape is not known; else 0. */
static uint32_t unknown_member(const struct asserts *a, uint32_t id, uint32_t i)
{
	uint32_t to = element_type(a, rec_of(a, id)[BTF_REC_WORDS + 3 * (size_t)i + 1]);

	return to && btf_kind_is_struct(btf_rec_kind(rec_of(a, to))) && !a->shapes[to].align ? to :
											       0;
}

/*
 * The kernel refuses structs that nest more than 32 deep, but depends on the order of ids. A struct below MAX_NESTED
 * others counts as aligned to a byte, so those that contain it get a check.
 */
static void shape(struct asserts *a, uint32_t root)
{
	enum { MAX_NESTED = 256 };
	struct {
		uint32_t id, next;
	} path[MAX_NESTED] = { { .id = root } };
	size_t depth = a->shapes[root].align ? 0 : 1;

	while (depth) {
		uint32_t id = path[depth - 1].id, nr = btf_rec_vlen(rec_of(a, id)), inner = 0;

		while (!inner && path[depth - 1].next < nr)
			inner = unknown_member(a, id, path[depth - 1].next++);
		if (inner && depth < ARRAY_SIZE(path)) {
			path[depth].id = inner;
			path[depth++].next = 0;
			continue;
		}
		shape_struct(a, id);
		depth--;
	}
}

/* libbpf adds a number to the second of two equal names. */
static bool is_unique(const struct asserts *a, const uint32_t *rec)
{
	return a->uses[name_ids_find(&a->names, string(a, rec[BTF_REC_NAME]))] == 1;
}

static void count_names(struct asserts *a)
{
	uint32_t end = btf_types_end(&a->v->types);

	a->uses = mem_zalloc(end, sizeof(*a->uses));
	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = rec_of(a, id);

		if (rec[BTF_REC_NAME] &&
		    (btf_kind_is_struct(btf_rec_kind(rec)) || btf_kind_is_enum(btf_rec_kind(rec))))
			a->uses[name_ids_add(&a->names, string(a, rec[BTF_REC_NAME]))]++;
	}
}

static const char macros[] =
	"/*\n"
	" * A warning about BTF_LAYOUT means that the compiler gives the struct, and structs that contain it, another\n"
	" * layout than the BTF has. Linux 7.2 needs -fms-extensions. Otherwise do not use its size, or its members\n"
	" * without CO-RE. With BTF_LAYOUT_ERRORS it is an error.\n"
	" */\n"
	"#ifdef BTF_LAYOUT_ERRORS\n"
	"#define BTF_LAYOUT(name, same) _Static_assert(same, #name \" has another layout\")\n"
	"#else\n"
	"#define BTF_LAYOUT(name, same) \\\n"
	"\tstatic const unsigned char layout_differs_##name __attribute__((unused)) = 256 * !(same)\n"
	"#endif\n";

static void put_assertion(struct asserts *a, uint32_t id)
{
	const uint32_t *rec = rec_of(a, id), *m = rec + BTF_REC_WORDS;
	const char *name = string(a, rec[BTF_REC_NAME]);
	const char *word = btf_rec_kind(rec) == BTF_UNION ? "union" : "struct";

	if (!a->nr_printed++)
		fputs(macros, stdout);
	printf("BTF_LAYOUT(%s, sizeof(%s %s) == %u", name, word, name, rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, m += 3) {
		bool is_field = btf_rec_kflag(rec) && m[2] >> 24;
		uint32_t start = btf_rec_kflag(rec) ? m[2] & 0xffffff : m[2];

		if (!is_field && m[0] && start)
			printf(" && __builtin_offsetof(%s %s, %s) == %u", word, name,
			       string(a, m[0]), start / 8);
	}
	fputs(");\n", stdout);
}

void header_asserts_print(const struct btf_view *v, uint8_t addr_size)
{
	uint32_t end = btf_types_end(&v->types);
	CLEANUP(asserts_release)
	struct asserts a = {
		.v = v,
		.addr_size = addr_size ? addr_size : addr_size_find(v).bytes,
		.shapes = mem_zalloc(end, sizeof(*a.shapes)),
	};

	count_names(&a);
	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = rec_of(&a, id);

		if (!btf_kind_is_struct(btf_rec_kind(rec)))
			continue;
		shape(&a, id);
		if (rec[BTF_REC_NAME] && !a.shapes[id].plain && is_unique(&a, rec))
			put_assertion(&a, id);
	}
	if (a.nr_printed)
		fputs("\n", stdout);
}
