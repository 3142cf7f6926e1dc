/* SPDX-License-Identifier: GPL-2.0-only */
/* t_facts_block.c - blocks of .debug.btf are written and read */
#include "encoder/member/facts_block.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "btf/btf_kind.h"
#include "loader/elf/elf_fields.h"
#include "tests/lib/testlib.h"

#include <stdlib.h>

/* Of the strings of the BTF only the length is read. Those of a block follow them. */
enum { STRINGS_LEN = 16, END_TYPE = 10 };

static const char OWN[] = "arg";

#define BYTES(...)                                                                         \
	{                                                                                  \
		(const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }) \
	}

/* clang-format off */
/* A function in two forms, another one without an address, and two variables; the tables below have the fields. */
#define EXAMPLE                                                   \
	5, 0x80, 0x80, 4, 16, 0x1f, 0x84, 1, 8, 2,                \
	3, /* functions */                                        \
	5, 0x59, 3, 1, 16, 9, 2, 1, 0, 16, 1,                     \
	5, 2, 0, 0, 0,                                            \
	7, 0, 9, 2, 5, 1, 0, 0, 0,                                \
	2, /* variables */                                        \
	1, 9, 0xff, 0xff, 0xff, 0xff, 0x0f, 1,                    \
	16, 1, 0, 6, 0xff, 0xff, 0xff, 0xff, 0x0f, 5, 0xad, 2
/* clang-format on */

static const char example_text[] =
	"unit 5 lang 65536 kabi 16 features 0x1f level 132 functions 8 index 2; "
	"func 5 slot 1 flags 0x16: 3 (16 9) tag 1 -1 tag 16 0; form 5 slot 0 flags 0: 0; "
	"func 7 slot 0 flags 0: 9 (5 1) (0 0); "
	"var 1 slot 2: type 9 size 4294967295 added 0 external; "
	"var 16 slot 3: type 1 size 0 added 4294967295 tag 5 300";

static void text_tags(struct text *t, const struct unit_facts *f, uint32_t first, uint32_t nr)
{
	for (uint32_t i = first; i < first + nr; i++)
		text_printf(t, " tag %u %d", f->tags.items[i].value, f->tags.items[i].component);
}

static void text_proto(struct text *t, const uint32_t *proto)
{
	CHECK_EQ(btf_info_kind(proto[BTF_REC_INFO]), BTF_FUNC_PROTO);
	text_printf(t, ": %u", proto[BTF_REC_SIZE_TYPE]);
	for (uint32_t k = 0; k < btf_info_vlen(proto[BTF_REC_INFO]); k++)
		text_printf(t, " (%u %u)", proto[BTF_REC_WORDS + 2 * k],
			    proto[BTF_REC_WORDS + 2 * k + 1]);
}

/* A place is its flags, its size, and its values. */
static void text_sites(struct text *t, const struct unit_facts *f)
{
	size_t next = 0, next_slot = 0;

	for (size_t i = 0; i < f->inlined.nr; i++) {
		text_printf(t, "; inlined %u", f->inlined.items[i].name);
		text_proto(t, f->words.items + f->inlined.items[i].proto);
	}
	for (size_t i = 0; i < f->sites.nr; i++) {
		const struct cu_site *site = &f->sites.items[i];
		uint32_t *proto = f->words.items + f->inlined.items[site->func].proto;

		CHECK_EQ(site->first_place, next);
		CHECK_EQ(site->addr, site->added);
		text_printf(t, "; site of %u added %#jx", site->func, (uintmax_t)site->added);
		for (uint32_t k = 0; k < btf_rec_vlen(proto); k++, next++) {
			const struct cu_place *p = &f->places.items[next];

			if (!p->flags)
				text_printf(t, " -");
			else
				text_printf(t, " %#x/%u", p->flags, p->size);
			for (uint32_t v = 0; v < p->nr; v++)
				text_printf(t, ",%#x", p->values[v]);
			if (facts_place_slot(f, &next_slot, (uint32_t)next))
				text_printf(t, " slot");
		}
	}
	CHECK_EQ(next, f->places.nr);
}

/* Prototypes are: TYPE (NAME TYPE)... Tags have a value and a component. */
static const char *facts_text(const struct facts_start *start, const struct unit_facts *f)
{
	const struct facts_head *h = &f->head;
	struct text t = { 0 };
	uint32_t slot = 0;

	text_printf(&t, "unit %u lang %u kabi %u features %#x level %u functions %u index %u%s%s",
		    h->name, h->lang, h->kabi, h->features, h->level, start->func_start,
		    start->index, h->incomplete ? " incomplete" : "",
		    h->recompiled ? " recompiled" : "");
	for (size_t i = 0; i < f->funcs.nr; i++) {
		const struct func_facts *func = &f->funcs.items[i];

		text_printf(&t, "; %s %u slot %u flags %#x", func->second_form ? "form" : "func",
			    func->name, func->has_addr && !func->second_form ? ++slot : 0,
			    func->flags);
		text_proto(&t, f->words.items + func->proto);
		text_tags(&t, f, func->tags, func->nr_tags);
	}
	for (size_t i = 0; i < f->vars.nr; i++) {
		const struct var_facts *v = &f->vars.items[i];

		text_printf(&t, "; var %u slot %u: type %u size %u added %u%s", v->name, ++slot,
			    v->type, (uint32_t)v->size, (uint32_t)v->added,
			    v->external ? " external" : "");
		text_tags(&t, f, v->tags, v->nr_tags);
	}
	text_sites(&t, f);
	return test_keep(text_take(&t));
}

struct scene {
	struct byte_vec section;
	struct facts_block block; /* the last one that was opened */
	struct facts_start start; /* the last ones that were read */
	struct unit_facts facts;
};

static void scene_release(struct scene *s)
{
	free(s->section.items);
	unit_facts_release(&s->facts);
}

static void release_bytes(struct byte_vec *b)
{
	free(b->items);
}

/* Append a block of @p, with the example if @p has no body. */
static void append_block(struct scene *s, struct facts_parts p)
{
	const struct bytes example = BYTES(EXAMPLE);

	p.strings = (struct bytes){ (const uint8_t *)OWN, sizeof(OWN) };
	if (!p.body.ptr)
		p.body = example;
	if (!p.key.nr_blocks)
		p.key.nr_blocks = 1;
	CHECK_OK(facts_block_append(&p, &s->section));
}

static void append_example(struct scene *s)
{
	append_block(s, (struct facts_parts){ .addr_size = 8, .nr_slots = 3 });
}

static struct err *open_at(struct scene *s, size_t *at, bool swap)
{
	return facts_block_open((struct bytes){ s->section.items, s->section.nr }, at, swap,
				&s->block);
}

static struct err *open_first(struct scene *s, bool swap)
{
	size_t at = 0;

	return open_at(s, &at, swap);
}

/* The ids of the unit are those of the block. */
static uint32_t same_id(void *ctx UNUSED, uint32_t id)
{
	return id;
}

static bool is_wanted(void *ctx UNUSED, uint32_t name UNUSED, bool second_form UNUSED)
{
	return true;
}

static const struct facts_ids same_ids = { NULL, same_id, same_id, is_wanted, true };

static struct err *read_block(struct scene *s)
{
	TRY(facts_block_check(&s->block, STRINGS_LEN, END_TYPE, &s->start));
	facts_block_read(&s->block, &same_ids, &s->facts);
	return NULL;
}

static struct err *read_first(struct scene *s, bool swap)
{
	TRY(open_first(s, swap));
	CHECK(s->block.all.ptr);
	return read_block(s);
}

/* --- what is written is read -------------------------------------------------------------- */

TEST(slots_of_both_sizes_come_back_in_both_byte_orders)
{
	static const uint64_t addrs[] = { 0xffffffff81000000, 0x10, 0 };

	for (unsigned int i = 0; i < 4; i++) {
		CLEANUP(scene_release) struct scene s = { 0 };
		struct facts_parts p = { .key = { 1234, 7, 0x0123456789abcdef },
					 .swap = i & 1,
					 .addr_size = i & 2 ? 4 : 8,
					 .nr_slots = 3 };
		uint64_t mask = p.addr_size == 4 ? UINT32_MAX : UINT64_MAX;
		uint8_t slots[3 * 8];

		for (size_t k = 0; k < 3; k++)
			field_put(slots + k * p.addr_size, p.addr_size, p.swap, addrs[k] & mask);
		p.slots = (struct bytes){ slots, (size_t)3 * p.addr_size };
		append_block(&s, p);
		CHECK_OK(read_first(&s, p.swap));
		CHECK_STR(facts_text(&s.start, &s.facts), example_text);
		CHECK_EQ(s.block.addr_size, p.addr_size);
		CHECK_EQ(s.block.nr_slots, 3);
		CHECK_EQ(s.block.all.len, s.section.nr);
		CHECK_EQ(s.block.key.len, 1234);
		CHECK_EQ(s.block.key.nr_blocks, 7);
		CHECK_EQ(s.block.key.sum, 0x0123456789abcdef);
		CHECK_EQ(facts_block_addr(&s.block, 0), 0);
		for (uint32_t k = 0; k < 3; k++)
			CHECK_EQ(facts_block_addr(&s.block, k + 1), addrs[k] & mask);
		CHECK_ERR(open_first(&s, !p.swap), ERR_FORMAT);
	}
}

TEST_WITH(slots_that_are_not_given_are_zeros, scene, s)
{
	append_example(s);
	CHECK_OK(open_first(s, false));
	for (uint32_t i = 1; i <= 3; i++)
		CHECK_EQ(facts_block_addr(&s->block, i), 0);
}

TEST_WITH(btf_and_strings_of_a_block_come_back, scene, s)
{
	const struct bytes btf = BYTES(0x9f, 0xeb, 1, 2, 3, 0);

	append_block(s, (struct facts_parts){ .addr_size = 4, .nr_slots = 3, .btf = btf });
	CHECK_OK(read_first(s, false));
	CHECK_STR(facts_text(&s->start, &s->facts), example_text);
	CHECK_EQ(s->block.btf.len, btf.len);
	CHECK_MEM(s->block.btf.ptr, btf.ptr, btf.len);
	CHECK_EQ(s->block.strings.len, sizeof(OWN));
	CHECK_STR((const char *)s->block.strings.ptr, OWN);
}

TEST_WITH(zeros_between_blocks_are_skipped, scene, s)
{
	static const uint8_t zeros[16];
	size_t at = 0, nr = 0;

	for (size_t i = 0; i < 4; i++) {
		append_example(s);
		for (size_t k = 0; k < i; k++)
			vec_push(&s->section, 0);
	}
	for (;; nr++) {
		CHECK_OK(open_at(s, &at, false));
		if (!s->block.all.ptr)
			break;
		CHECK_OK(read_block(s));
		CHECK_EQ(s->block.all.ptr - s->section.items,
			 nr * s->block.all.len + nr * (nr ? nr - 1 : 0) / 2);
	}
	CHECK_EQ(nr, 4);
	CHECK_EQ(at, s->section.nr);

	at = 0;
	CHECK_OK(facts_block_open((struct bytes){ zeros, sizeof(zeros) }, &at, false, &s->block));
	CHECK(!s->block.all.ptr);
	at = 0;
	CHECK_OK(facts_block_open((struct bytes){ 0 }, &at, false, &s->block));
	CHECK(!s->block.all.ptr);
}

TEST_WITH(a_block_of_over_4_gib_is_not_written, scene, s)
{
	struct facts_parts p = { .addr_size = 8, .nr_slots = UINT32_MAX };

	CHECK_ERR(facts_block_append(&p, &s->section), ERR_LIMIT);
	p = (struct facts_parts){ .addr_size = 8, .btf.len = UINT32_MAX };
	CHECK_ERR(facts_block_append(&p, &s->section), ERR_LIMIT);
	CHECK_EQ(s->section.nr, 0);
}

/* --- damage ----------------------------------------------------------------------------------- */

enum {
	HEAD_VERSION = 2,
	HEAD_ADDR_SIZE = 3,
	HEAD_LEN = 4,
	HEAD_NR_BLOCKS = 20,
	HEAD_NR_SLOTS = 24,
	HEAD_BTF_LEN = 28,
	HEAD_STRINGS_LEN = 32,
};

TEST_WITH(another_version_is_not_read, scene, s)
{
	append_example(s);
	s->section.items[HEAD_VERSION]++;
	CHECK_ERR_TEXT(open_first(s, false), ERR_UNSUPPORTED, ".debug.btf+0: a block of version 4");
}

static const struct {
	const char *name;
	size_t at, width;
	uint64_t value;
} lengths[] = {
	{ "slots of 2 bytes", HEAD_ADDR_SIZE, 1, 2 },
	{ "slots of 0 bytes", HEAD_ADDR_SIZE, 1, 0 },
	{ "a block without a header", HEAD_LEN, 4, 0 },
	{ "a block without its last slot", HEAD_LEN, 4, FACTS_HEADER_LEN + 23 },
	{ "a block that exceeds the section", HEAD_LEN, 4, UINT32_MAX },
	{ "no blocks", HEAD_NR_BLOCKS, 4, 0 },
	{ "1000 slots", HEAD_NR_SLOTS, 4, 1000 },
	{ "4 Gi slots", HEAD_NR_SLOTS, 4, UINT32_MAX },
	{ "4 GiB of BTF", HEAD_BTF_LEN, 4, UINT32_MAX },
	{ "4 GiB of strings", HEAD_STRINGS_LEN, 4, UINT32_MAX },
};

TEST_EACH(lengths_that_contradict_each_other_are_refused, lengths, c)
{
	CLEANUP(scene_release) struct scene s = { 0 };
	size_t at = 0;

	append_example(&s);
	field_put(s.section.items + c->at, c->width, false, c->value);
	CHECK_ERR_TEXT(open_at(&s, &at, false), ERR_FORMAT, ".debug.btf+0: a block of");
	CHECK(!at && !s.block.all.ptr);
}

/* Behind the first block, so that the offset in the message is not 0. */
TEST_WITH(a_section_that_ends_within_a_block_is_refused, scene, s)
{
	append_example(s);
	size_t first = s->section.nr;
	CLEANUP(mem_free_text) char *position = mem_printf(".debug.btf+%#zx:", first);
	append_example(s);
	for (size_t len = first; len < s->section.nr; len++) {
		/* so that ASan finds reads behind it */
		CLEANUP(mem_free) uint8_t *copy = mem_dup(s->section.items, len);
		size_t at = 0;

		CHECK_OK(facts_block_open((struct bytes){ copy, len }, &at, false, &s->block));
		CHECK_EQ(at, first);
		struct err *e = facts_block_open((struct bytes){ copy, len }, &at, false,
						 &s->block);
		CHECK_EQ(e == NULL, len == first);
		CHECK(!s->block.all.ptr);
		if (e)
			CHECK_ERR_TEXT(e, ERR_FORMAT, position);
	}
}

TEST_WITH(each_flipped_bit_is_found_but_in_slots, scene, s)
{
	const size_t behind = FACTS_HEADER_LEN + 3 * 8;

	append_example(s);
	for (size_t bit = 0; bit < s->section.nr * 8; bit++) {
		uint8_t *byte = &s->section.items[bit / 8];

		*byte ^= (uint8_t)(1u << bit % 8);
		struct err *e = read_first(s, false);
		CHECK_EQ(!e, bit / 8 >= FACTS_HEADER_LEN && bit / 8 < behind);
		for (uint32_t k = 1; !e && k <= 3; k++)
			CHECK_EQ(facts_block_addr(&s->block, k) != 0,
				 (bit / 8 - FACTS_HEADER_LEN) / 8 == k - 1);
		err_free(e);
		*byte ^= (uint8_t)(1u << bit % 8);
	}
}

TEST_WITH(strings_of_a_block_must_end, scene, s)
{
	const struct facts_parts p = { .key.nr_blocks = 1,
				       .addr_size = 8,
				       .strings = { (const uint8_t *)OWN, 3 } };

	CHECK_OK(facts_block_append(&p, &s->section));
	CHECK_ERR_TEXT(read_first(s, false), ERR_FORMAT, "has no end");
}

/* --- bodies with a correct checksum -------------------------------------------------------- */

static struct err *read_body(struct scene *s, struct bytes body, uint32_t nr_slots)
{
	append_block(s, (struct facts_parts){ .addr_size = 4, .nr_slots = nr_slots, .body = body });
	return read_first(s, false);
}

/* name, language, prefix, features, level, function start, index */
#define UNIT 5, 30, 7, 0, 99, 8, 2
#define UNIT_WITH(features) \
	"unit 5 lang 30 kabi 7 features " features " level 99 functions 8 index 2"
#define UNIT_TEXT UNIT_WITH("0")

static bool is_not_5(void *ctx UNUSED, uint32_t name, bool second_form UNUSED)
{
	return name != 5;
}

/* A unit with sites, and without functions and variables: only functions that are inlined, and sites, follow. */
#define UNIT_SITES 5, 30, 7, 0x80, 0x80, 0x20, 99, 8, 2, 0, 0
#define UNIT_SITES_TEXT UNIT_WITH("0x80000")
/* Function 5, which returns 3 and has parameter 16 of type 9 */
#define INLINED 1, 5, 3, 1, 16, 9
#define INLINED_TEXT "; inlined 5: 3 (16 9)"

static const struct {
	const char *name;
	uint32_t nr_slots;
	struct bytes body;
	const char *text;
} bodies[] = {
	{ "nothing but a unit", 0, BYTES(UNIT, 0, 0), UNIT_TEXT },
	{ "the last string and type of each kind", 0, BYTES(19, 0, 19, 0, 99, 10, 9, 0, 0),
	  "unit 19 lang 0 kabi 19 features 0 level 99 functions 10 index 9" },
	{ "the last language", 0, BYTES(5, 0x80, 0x80, 4, 7, 0, 99, 8, 2, 0, 0),
	  "unit 5 lang 65536 kabi 7 features 0 level 99 functions 8 index 2" },
	{ "all features", 0, BYTES(5, 30, 7, 0xff, 0xff, 0xff, 0xff, 0x0f, 99, 8, 2, 0, 0, 0, 0),
	  UNIT_WITH("0x3fffffff") " incomplete recompiled" },
	{ "an incomplete unit", 0, BYTES(5, 30, 7, 0x80, 0x80, 0x80, 0x80, 8, 99, 8, 2, 0, 0),
	  UNIT_TEXT " incomplete" },
	{ "a recompiled unit", 0, BYTES(5, 30, 7, 0x80, 0x80, 0x80, 0x80, 4, 99, 8, 2, 0, 0),
	  UNIT_TEXT " recompiled" },
	{ "an example of everything", 3, BYTES(EXAMPLE), example_text },

	/* one function: name, flags, return type, parameters, tags; no variables */
	{ "a function", 0, BYTES(UNIT, 1, 5, 0, 3, 0, 0, 0),
	  UNIT_TEXT "; func 5 slot 0 flags 0: 3" },
	{ "a function with an address", 1, BYTES(UNIT, 1, 5, 1, 3, 0, 0, 0),
	  UNIT_TEXT "; func 5 slot 1 flags 0: 3" },
	{ "all flags, two parameters, a tag", 0,
	  BYTES(UNIT, 1, 5, 0x7c, 3, 2, 19, 9, 0, 0, 1, 16, 0, 0),
	  UNIT_TEXT "; func 5 slot 0 flags 0x1f: 3 (19 9) (0 0) tag 16 -1" },
	{ "the second form of a function", 1, BYTES(UNIT, 2, 5, 1, 3, 0, 0, 5, 2, 3, 0, 0, 0),
	  UNIT_TEXT "; func 5 slot 1 flags 0: 3; form 5 slot 0 flags 0: 3" },

	/* one variable: name, type, size, tags and flags */
	{ "a variable", 1, BYTES(UNIT, 0, 1, 5, 3, 8, 0),
	  UNIT_TEXT "; var 5 slot 1: type 3 size 8 added 0" },
	{ "an external variable behind its slot", 1, BYTES(UNIT, 0, 1, 19, 9, 8, 3, 0x80, 1),
	  UNIT_TEXT "; var 19 slot 1: type 9 size 8 added 128 external" },
	{ "a variable with a tag", 1, BYTES(UNIT, 0, 1, 5, 3, 8, 4, 16, 0),
	  UNIT_TEXT "; var 5 slot 1: type 3 size 8 added 0 tag 16 -1" },

	/* functions that are inlined: as above; sites: function and addend, places */
	{ "no site", 0, BYTES(UNIT_SITES, 0, 0), UNIT_SITES_TEXT },
	{ "an inlined function without sites", 0, BYTES(UNIT_SITES, INLINED, 0),
	  UNIT_SITES_TEXT INLINED_TEXT },
	{ "sites of two functions", 3,
	  BYTES(UNIT_SITES, 2, 5, 3, 0, 7, 0, 1, 0, 0, 3, 2, 0, 0, 3, 0x80, 1, 0),
	  UNIT_SITES_TEXT "; inlined 5: 3; inlined 7: 0 (0 0); site of 1 added 0 -; "
			  "site of 0 added 0; site of 1 added 0x80 -" },
	{ "a function that is also inlined, and one that is only inlined", 3,
	  BYTES(5, 30, 7, 0x80, 0x80, 0x20, 99, 8, 2, 2, 5, 0, 0, 0, 0, 5, 0x81, 1, 3, 1, 16, 9, 0,
		0, 1, 5, 3, 0, 2, 0, 0x57, 6, 2),
	  UNIT_SITES_TEXT "; func 5 slot 0 flags 0: 0; func 5 slot 1 flags 0: 3 (16 9)"
			  "; inlined 5: 3 (16 9); inlined 5: 3; site of 0 added 0 0x8/8,0x5; "
			  "site of 1 added 0" },
	{ "a large addend", 1,
	  BYTES(UNIT_SITES, INLINED, 1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
		0),
	  UNIT_SITES_TEXT INLINED_TEXT "; site of 0 added 0xffffffffffffffff -" },
	{ "constants", 4,
	  BYTES(UNIT_SITES, INLINED, 4, 0, 0x13, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0x23, 1, 0, 0x17,
		0x80, 0x80, 0x80, 0x80, 0x10, 0, 0x27, 1),
	  UNIT_SITES_TEXT INLINED_TEXT "; site of 0 added 0 0x2/4,0xffffffff; "
				       "site of 0 added 0 0x3/4,0xffffffff; "
				       "site of 0 added 0 0x2/8,0,0x1; "
				       "site of 0 added 0 0x3/8,0xffffffff,0xffffffff" },
	{ "address constants", 4, BYTES(UNIT_SITES, INLINED, 2, 0, 0x33, 16, 0, 0x43, 1),
	  UNIT_SITES_TEXT INLINED_TEXT "; site of 0 added 0 0x6/4,0x8 slot; "
				       "site of 0 added 0 0x7/4,0xffffffff slot" },
	{ "registers", 5,
	  BYTES(UNIT_SITES, INLINED, 5, 0, 0x57, 6, 0, 0x6f, 1, 1, 0, 0x70, 4, 0, 0x87, 7, 2, 0,
		0x93, 0, 63),
	  UNIT_SITES_TEXT INLINED_TEXT "; site of 0 added 0 0x8/8,0x5; "
				       "site of 0 added 0 0x8/16,0,0x1; "
				       "site of 0 added 0 0x18/1,0x3; "
				       "site of 0 added 0 0x29/8,0x6,0x1; "
				       "site of 0 added 0 0x39/4,0xffffffff,0xffffffe0" },
};

TEST_WITH(an_inlined_function_is_read_although_the_function_is_not_wanted, scene, s)
{
	static const struct facts_ids ids = { NULL, same_id, same_id, is_not_5, true };

	CHECK_OK(read_body(s,
			   (struct bytes)BYTES(5, 30, 7, 0x80, 0x80, 0x20, 99, 8, 2, 1, 5, 0x80, 1,
					       3, 1, 16, 9, 0, 0, 0, 1, 0, 0x57, 6),
			   1));
	facts_block_read(&s->block, &ids, &s->facts);
	CHECK_STR(facts_text(&s->start, &s->facts),
		  UNIT_SITES_TEXT INLINED_TEXT "; site of 0 added 0 0x8/8,0x5");
}

TEST_WITH(sites_that_are_not_wanted_are_skipped, scene, s)
{
	static const struct facts_ids ids = { NULL, same_id, same_id, is_wanted, false };

	CHECK_OK(read_body(s, (struct bytes)BYTES(UNIT_SITES, INLINED, 1, 0, 0), 1));
	facts_block_read(&s->block, &ids, &s->facts);
	CHECK(!s->facts.inlined.nr && !s->facts.sites.nr && !s->facts.places.nr);
	CHECK_EQ(s->facts.head.features, FEATURE_INLINE);
}

TEST_WITH(functions_that_are_not_wanted_are_skipped, scene, s)
{
	static const struct facts_ids ids = { NULL, same_id, same_id, is_not_5, true };

	CHECK_OK(read_body(s, (struct bytes)BYTES(EXAMPLE), 3));
	facts_block_read(&s->block, &ids, &s->facts);
	CHECK_EQ(s->facts.funcs.nr, 1);
	CHECK_EQ(s->facts.funcs.items[0].name, 7);
	CHECK_EQ(s->facts.vars.nr, 2);
	CHECK_EQ(s->facts.tags.nr, 1);
}

/* The type of a parameter is no type of the unit. */
static uint32_t no_9(void *ctx UNUSED, uint32_t id)
{
	return id == 9 ? 0 : id;
}

TEST_WITH(a_function_of_a_record_that_is_no_type_has_no_prototype, scene, s)
{
	static const struct facts_ids ids = { NULL, same_id, no_9, is_wanted, true };

	CHECK_OK(read_body(s, (struct bytes)BYTES(EXAMPLE), 3));
	facts_block_read(&s->block, &ids, &s->facts);
	CHECK_EQ(s->facts.funcs.nr, 3);
	CHECK(!s->facts.funcs.items[0].proto);
	CHECK(s->facts.funcs.items[1].proto);
	CHECK_EQ(s->facts.vars.items[0].type, 0);
}

TEST_WITH(an_inlined_function_of_a_record_that_is_no_type_has_no_prototype, scene, s)
{
	static const struct facts_ids ids = { NULL, same_id, no_9, is_wanted, true };

	CHECK_OK(read_body(s, (struct bytes)BYTES(UNIT_SITES, INLINED, 1, 0, 0x57, 6), 1));
	facts_block_read(&s->block, &ids, &s->facts);
	CHECK_EQ(s->facts.inlined.nr, 1);
	CHECK(!s->facts.inlined.items[0].proto);
	CHECK_EQ(s->facts.sites.nr, 1);
	CHECK_EQ(s->facts.places.nr, 1);
}

TEST_WITH(an_address_constant_may_have_8_bytes, scene, s)
{
	append_block(s, (struct facts_parts){ .addr_size = 8,
					      .nr_slots = 2,
					      .body = BYTES(UNIT_SITES, INLINED, 1, 0, 0x37, 0x80,
							    0x80, 0x80, 0x80, 0x20) });
	CHECK_OK(read_first(s, false));
	CHECK_STR(facts_text(&s->start, &s->facts),
		  UNIT_SITES_TEXT INLINED_TEXT "; site of 0 added 0 0x6/8,0,0x1 slot");
}

/* Of a constant that debug information does not store, nothing is known after the link. */
TEST_WITH(an_address_constant_without_a_slot_is_unknown, scene, s)
{
	static const uint8_t expected[] = { UNIT_SITES, INLINED, 1, 0, 0 };
	CLEANUP(release_bytes) struct byte_vec again = { 0 };

	CHECK_OK(read_body(s, (struct bytes)BYTES(UNIT_SITES, INLINED, 1, 0, 0x33, 16), 2));
	s->facts.place_slots.nr = 0;
	facts_body_append(&s->facts, &s->start, &same_ids, &again);
	CHECK_EQ(again.nr, sizeof(expected));
	CHECK_MEM(again.items, expected, again.nr);
}

TEST_EACH(facts_are_read_and_written_back_as_the_same_bytes, bodies, c)
{
	CLEANUP(scene_release) struct scene s = { 0 };
	CLEANUP(release_bytes) struct byte_vec again = { 0 };

	CHECK_OK(read_body(&s, c->body, c->nr_slots));
	CHECK_STR(facts_text(&s.start, &s.facts), c->text);
	facts_body_append(&s.facts, &s.start, &same_ids, &again);
	CHECK_EQ(again.nr, c->body.len);
	CHECK_MEM(again.items, c->body.ptr, again.nr);
}

static const struct {
	const char *name;
	uint32_t nr_slots;
	struct bytes body;
} bad_bodies[] = {
	{ "it ends early", 0, BYTES(UNIT, 0) },
	{ "it ends early", 0, BYTES(5) },
	{ "more follows", 0, BYTES(UNIT, 0, 0, 0) },
	{ "no such name", 0, BYTES(20, 30, 7, 0, 99, 8, 2, 0, 0) },
	{ "no such prefix", 0, BYTES(5, 30, 20, 0, 99, 8, 2, 0, 0) },
	{ "no such language", 0, BYTES(5, 0x81, 0x80, 4, 7, 0, 99, 8, 2, 0, 0) },
	{ "a number of over 32 bits", 0,
	  BYTES(5, 30, 7, 0xff, 0xff, 0xff, 0xff, 0x1f, 99, 8, 2, 0, 0) },
	{ "a number of over 5 bytes", 0, BYTES(UNIT, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0) },
	{ "no such function start", 0, BYTES(5, 30, 7, 0, 99, 11, 2, 0, 0) },
	{ "no such index type", 0, BYTES(5, 30, 7, 0, 99, 8, 10, 0, 0) },
	{ "more functions than bytes", 0, BYTES(UNIT, 100, 0) },
	{ "more variables than bytes", 0, BYTES(UNIT, 0, 100) },

	/* one function: name, flags, return type, parameters, tags; no variables */
	{ "a slot without a function", 1, BYTES(UNIT, 1, 5, 0, 3, 0, 0, 0) },
	{ "a function without its slot", 0, BYTES(UNIT, 1, 5, 1, 3, 0, 0, 0) },
	{ "no name", 0, BYTES(UNIT, 1, 0, 0, 3, 0, 0, 0) },
	{ "no such name", 0, BYTES(UNIT, 1, 20, 0, 3, 0, 0, 0) },
	{ "no such flag", 0, BYTES(UNIT, 1, 5, 0x80, 1, 3, 0, 0, 0) },
	{ "no such return type", 0, BYTES(UNIT, 1, 5, 0, 10, 0, 0, 0) },
	{ "no such name of a parameter", 0, BYTES(UNIT, 1, 5, 0, 3, 1, 20, 9, 0, 0) },
	{ "no such type of a parameter", 0, BYTES(UNIT, 1, 5, 0, 3, 1, 5, 10, 0, 0) },
	{ "more parameters than bytes", 0, BYTES(UNIT, 1, 5, 0, 3, 100, 5, 9, 0, 0) },
	{ "no such tag", 0, BYTES(UNIT, 1, 5, 0, 3, 0, 1, 20, 0, 0) },
	{ "more tags than bytes", 0, BYTES(UNIT, 1, 5, 0, 3, 0, 100, 1, 0, 0) },

	/* the second form of a function */
	{ "there is no first form", 0, BYTES(UNIT, 1, 5, 2, 3, 0, 0, 0) },
	{ "it has a slot", 2, BYTES(UNIT, 2, 5, 1, 3, 0, 0, 5, 3, 3, 0, 0, 0) },

	/* one variable: name, type, size, tags and flags */
	{ "a variable without its slot", 0, BYTES(UNIT, 0, 1, 5, 3, 8, 0) },
	{ "a slot without a variable", 2, BYTES(UNIT, 0, 1, 5, 3, 8, 0) },
	{ "no such name", 1, BYTES(UNIT, 0, 1, 20, 3, 8, 0) },
	{ "no such type", 1, BYTES(UNIT, 0, 1, 5, 10, 8, 0) },
	{ "no offset", 1, BYTES(UNIT, 0, 1, 5, 3, 8, 2) },
	{ "no such tag", 1, BYTES(UNIT, 0, 1, 5, 3, 8, 4, 20, 0) },
	{ "more tags than bytes", 1, BYTES(UNIT, 0, 1, 5, 3, 8, 12, 16, 0) },

	/* sites */
	{ "sites in a unit without the feature", 0, BYTES(UNIT, 0, 0, 0, 0) },
	{ "no sites in a unit with the feature", 0, BYTES(UNIT_SITES) },
	{ "more inlined functions than bytes", 0, BYTES(UNIT_SITES, 100, 0) },
	{ "an inlined function without a name", 0, BYTES(UNIT_SITES, 1, 0, 3, 0, 0) },
	{ "no such type", 0, BYTES(UNIT_SITES, 1, 5, 10, 0, 0) },
	{ "more sites than bytes", 1, BYTES(UNIT_SITES, INLINED, 2, 0, 0) },
	{ "a site without its slot", 0, BYTES(UNIT_SITES, INLINED, 1, 0, 0) },
	{ "a slot without a site", 2, BYTES(UNIT_SITES, INLINED, 1, 0, 0) },
	{ "no such function", 1, BYTES(UNIT_SITES, INLINED, 1, 2, 0) },
	{ "a site of no function", 1, BYTES(UNIT_SITES, 0, 1, 0, 0) },
	{ "no place", 1, BYTES(UNIT_SITES, INLINED, 1, 0) },
	{ "more places than parameters", 1, BYTES(UNIT_SITES, INLINED, 1, 0, 0, 0) },
	{ "an unknown place with a size", 1, BYTES(UNIT_SITES, INLINED, 1, 0, 3) },
	{ "no such form of a place", 1, BYTES(UNIT_SITES, INLINED, 1, 0, 0xa0, 1, 0) },
	{ "a constant of 9 bytes", 1, BYTES(UNIT_SITES, INLINED, 1, 0, 0x18, 0) },
	{ "a constant of over 32 bits in 4 bytes", 1,
	  BYTES(UNIT_SITES, INLINED, 1, 0, 0x13, 0x80, 0x80, 0x80, 0x80, 0x10) },
	{ "a signed constant of over 32 bits in 4 bytes", 1,
	  BYTES(UNIT_SITES, INLINED, 1, 0, 0x23, 0x80, 0x80, 0x80, 0x80, 0x10) },
	{ "a constant of over 64 bits", 1,
	  BYTES(UNIT_SITES, INLINED, 1, 0, 0x17, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 2) },
	{ "a constant of 11 bytes", 1,
	  BYTES(UNIT_SITES, INLINED, 1, 0, 0x17, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0) },
	{ "no constant", 1, BYTES(UNIT_SITES, INLINED, 1, 0, 0x13) },
	{ "an address constant without its slot", 1, BYTES(UNIT_SITES, INLINED, 1, 0, 0x33, 0) },
	{ "an address constant of another size", 2, BYTES(UNIT_SITES, INLINED, 1, 0, 0x37, 0) },
	{ "no register", 1, BYTES(UNIT_SITES, INLINED, 1, 0, 0x57) },
	{ "no second register", 1, BYTES(UNIT_SITES, INLINED, 1, 0, 0x6f, 1) },
	{ "an offset of over 32 bits", 1,
	  BYTES(UNIT_SITES, INLINED, 1, 0, 0x87, 1, 0x80, 0x80, 0x80, 0x80, 0x10) },
};

TEST_EACH(a_body_must_hold_together, bad_bodies, c)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	CHECK_ERR_TEXT(read_body(&s, c->body, c->nr_slots), ERR_FORMAT, "are inconsistent");
}

TEST(a_prototype_has_no_more_parameters_than_a_record_can_have)
{
	static const uint8_t start[] = { UNIT, 1, 5, 0, 3 }; /* as above, up to the parameters */
	static const uint8_t counts[][4] = { { 0xff, 0xff, 0xff, 7 }, { 0x80, 0x80, 0x80, 8 } };

	for (uint32_t i = 0; i < 2; i++) {
		CLEANUP(scene_release) struct scene s = { 0 };
		size_t params = 2 * ((size_t)BTF_VLEN_MAX + i);
		size_t len = sizeof(start) + sizeof(counts[i]) + params +
			     2; /* no tags, no variables */
		CLEANUP(mem_free) uint8_t *body = mem_zalloc(len, 1);

		memcpy(body, start, sizeof(start));
		memcpy(body + sizeof(start), counts[i], sizeof(counts[i]));
		struct err *e = read_body(&s, (struct bytes){ body, len }, 0);
		CHECK_EQ(e != NULL, i);
		err_free(e);
	}
}

/* --- the checksum of .BTF --------------------------------------------------------------- */

static uint64_t sum_of(const char *text)
{
	return facts_sum((struct bytes){ (const uint8_t *)text, strlen(text) });
}

TEST(the_checksum_sums_words_and_their_sums)
{
	CHECK_EQ(facts_sum((struct bytes){ 0 }), 0);
	/* a last word of less than four bytes is filled with zeros */
	CHECK_EQ(sum_of("a"), 0x0000006100000061);
	CHECK_EQ(sum_of("abc"), 0x0063626100636261);
	CHECK_EQ(sum_of("abcd"), 0x6463626164636261);
	CHECK_EQ(sum_of("abcde"), 0xc8c6c527646362c6);
	/* more words than are added at once */
	CHECK_EQ(sum_of("a sum of seven words and a rest"), 0x7237e37d13cfca67);
	/* both sums overflow: 0xffffffff is -1 */
	CHECK_EQ(sum_of("\xff\xff\xff\xff\x03"), 0x0000000100000002);
}

TEST(the_checksum_depends_on_the_order_of_words)
{
	CHECK(sum_of("abcdefgh") != sum_of("efghabcd"));
	CHECK_EQ((uint32_t)sum_of("abcdefgh"), (uint32_t)sum_of("efghabcd"));
	CHECK(sum_of("abcdefghi") != sum_of("abcdefgi") && sum_of("abcd") != sum_of("abdc"));
}
