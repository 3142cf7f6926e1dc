/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_facts.c - blocks of .debug_btf are written and read */
#include "encoder/member/unit_facts.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "loader/elf/elf_fields.h"
#include "tests/lib/testlib.h"

#include <stdlib.h>

/* Strings of the BTF, of which only the length is read: 0: "", 1: "int", 5: "f", 7: "g.isra.0"; 16: OWN */
enum { STRINGS_LEN = sizeof("\0int\0f\0g.isra.0") };

static const char OWN[] = "arg";

enum { STR_INT = 1, STR_F = 5, STR_G_ISRA = 7, STR_ARG = 16, END_TYPE = 10 };

static void release_bytes(struct byte_vec *b)
{
	free(b->items);
}

static struct bytes view(const struct byte_vec *b)
{
	return (struct bytes){ b->items, b->nr };
}

/* A function in two forms, one without an address, and two variables. */
static struct unit_facts example(void)
{
	const uint32_t words[] = {
		0,                                                          /* unused */
		0, btf_info(BTF_FUNC_PROTO, 1, false), 3, STR_ARG, 9,       /* 1 */
		0, btf_info(BTF_FUNC_PROTO, 0, false), 0,                   /* 6 */
		0, btf_info(BTF_FUNC_PROTO, 2, false), 9, STR_F,   1, 0, 0, /* 9 */
	};
	static const struct unit_tag tags[] = { { STR_INT, -1 }, { STR_ARG, 0 }, { STR_F, 300 } };
	static const struct func_facts funcs[] = {
		{ .name = STR_F,
		  .flags = UNIT_FUNC_OPTIMIZED | UNIT_FUNC_UNCERTAIN | UNIT_FUNC_CHANGED,
		  .slot = 1,
		  .proto = 1,
		  .nr_tags = 2 },
		{ .name = STR_F, .second_form = true, .proto = 6, .tags = 2 },
		{ .name = STR_G_ISRA, .proto = 9, .tags = 2 },
	};
	static const struct var_facts vars[] = {
		{ .name = STR_INT,
		  .type = 9,
		  .size = UINT32_MAX,
		  .external = true,
		  .slot = 2,
		  .tags = 2 },
		{ .name = STR_ARG,
		  .type = 1,
		  .added = UINT32_MAX,
		  .slot = 3,
		  .tags = 2,
		  .nr_tags = 1 },
	};
	struct unit_facts f = { .name = STR_F,
				.lang = UINT16_MAX + 1,
				.kabi = STR_ARG,
				.features = FACTS_FEATURES,
				.level = 132,
				.recompiled = true,
				.func_start = 8,
				.index = 2 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		vec_push(&f.words, words[i]);
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		vec_push(&f.tags, tags[i]);
	for (size_t i = 0; i < ARRAY_SIZE(funcs); i++)
		vec_push(&f.funcs, funcs[i]);
	for (size_t i = 0; i < ARRAY_SIZE(vars); i++)
		vec_push(&f.vars, vars[i]);
	return f;
}

/* Append a block of @f; @p has all parts but the strings and the body. */
static void append_facts(const struct unit_facts *f, struct facts_parts p, struct byte_vec *out)
{
	CLEANUP(release_bytes) struct byte_vec body = { 0 };

	facts_body_append(f, &body);
	p.strings = (struct bytes){ (const uint8_t *)OWN, sizeof(OWN) };
	p.body = view(&body);
	if (!p.key.nr_blocks)
		p.key.nr_blocks = 1;
	CHECK_OK(facts_block_append(&p, out));
}

static void append_example(struct byte_vec *out)
{
	CLEANUP(unit_facts_release) struct unit_facts f = example();

	append_facts(&f, (struct facts_parts){ .addr_size = 8, .nr_slots = 3 }, out);
}

static struct err *open_first(struct bytes section, bool swap, struct facts_block *ret)
{
	size_t at = 0;

	return facts_block_open(section, &at, swap, ret);
}

static struct err *read_first(struct bytes section, bool swap, struct facts_block *b,
			      struct unit_facts *ret)
{
	TRY(open_first(section, swap, b));
	CHECK(b->all.ptr);
	return facts_block_read(b, STRINGS_LEN, END_TYPE, ret);
}

static void check_tags(const struct unit_facts *a, uint32_t tags, uint32_t nr,
		       const struct unit_facts *b, uint32_t other_tags, uint32_t other_nr)
{
	CHECK_EQ(nr, other_nr);
	for (uint32_t i = 0; i < nr; i++) {
		const struct unit_tag *x = &a->tags.items[tags + i];
		const struct unit_tag *y = &b->tags.items[other_tags + i];

		CHECK_EQ(x->value, y->value);
		CHECK_EQ(x->component, y->component);
	}
}

static void check_func(const struct unit_facts *a, const struct unit_facts *b, size_t i)
{
	const struct func_facts *x = &a->funcs.items[i], *y = &b->funcs.items[i];
	const uint32_t *proto = a->words.items + x->proto;

	CHECK_EQ(x->name, y->name);
	CHECK_EQ(x->flags, y->flags);
	CHECK_EQ(x->second_form, y->second_form);
	CHECK_EQ(x->slot, y->slot);
	CHECK(!memcmp(proto, b->words.items + y->proto, btf_rec_words(proto) * sizeof(*proto)));
	check_tags(a, x->tags, x->nr_tags, b, y->tags, y->nr_tags);
}

static void check_var(const struct unit_facts *a, const struct unit_facts *b, size_t i)
{
	const struct var_facts *x = &a->vars.items[i], *y = &b->vars.items[i];

	CHECK_EQ(x->name, y->name);
	CHECK_EQ(x->type, y->type);
	CHECK_EQ(x->size, y->size);
	CHECK_EQ(x->external, y->external);
	CHECK_EQ(x->added, y->added);
	CHECK_EQ(x->slot, y->slot);
	check_tags(a, x->tags, x->nr_tags, b, y->tags, y->nr_tags);
}

static void check_same(const struct unit_facts *a, const struct unit_facts *b)
{
	CHECK_EQ(a->name, b->name);
	CHECK_EQ(a->lang, b->lang);
	CHECK_EQ(a->kabi, b->kabi);
	CHECK_EQ(a->features, b->features);
	CHECK_EQ(a->level, b->level);
	CHECK_EQ(a->incomplete, b->incomplete);
	CHECK_EQ(a->recompiled, b->recompiled);
	CHECK_EQ(a->func_start, b->func_start);
	CHECK_EQ(a->index, b->index);
	CHECK_EQ(a->funcs.nr, b->funcs.nr);
	CHECK_EQ(a->vars.nr, b->vars.nr);
	for (size_t i = 0; i < a->funcs.nr; i++)
		check_func(a, b, i);
	for (size_t i = 0; i < a->vars.nr; i++)
		check_var(a, b, i);
}

/* --- what is written is read -------------------------------------------------------------- */

TEST(all_facts_come_back)
{
	for (unsigned int flags = 0; flags < 4; flags++) {
		CLEANUP(unit_facts_release) struct unit_facts f = example(), back = { 0 };
		CLEANUP(release_bytes) struct byte_vec section = { 0 };
		struct facts_block b;

		f.incomplete = flags & 1;
		f.recompiled = flags & 2;
		append_facts(&f, (struct facts_parts){ .addr_size = 8, .nr_slots = 3 }, &section);
		CHECK_OK(read_first(view(&section), false, &b, &back));
		check_same(&f, &back);
	}
}

TEST(slots_of_both_sizes_come_back_in_both_byte_orders)
{
	static const uint64_t addrs[] = { 0xffffffff81000000, 0x10, 0 };

	for (unsigned int i = 0; i < 4; i++) {
		CLEANUP(unit_facts_release) struct unit_facts f = example(), back = { 0 };
		CLEANUP(release_bytes) struct byte_vec section = { 0 };
		struct facts_parts p = { .key = { 1234, 7, 0x0123456789abcdef },
					 .swap = i & 1,
					 .addr_size = i & 2 ? 4 : 8,
					 .nr_slots = 3 };
		uint64_t mask = p.addr_size == 4 ? UINT32_MAX : UINT64_MAX;
		uint8_t slots[3 * 8];
		struct facts_block b;

		for (size_t k = 0; k < 3; k++)
			field_put(slots + k * p.addr_size, p.addr_size, p.swap, addrs[k] & mask);
		p.slots = (struct bytes){ slots, (size_t)3 * p.addr_size };
		append_facts(&f, p, &section);
		CHECK_OK(read_first(view(&section), p.swap, &b, &back));
		check_same(&f, &back);
		CHECK_EQ(b.addr_size, p.addr_size);
		CHECK_EQ(b.nr_slots, 3);
		CHECK_EQ(b.all.len, section.nr);
		CHECK_EQ(b.key.len, 1234);
		CHECK_EQ(b.key.nr_blocks, 7);
		CHECK_EQ(b.key.sum, 0x0123456789abcdef);
		CHECK_EQ(facts_block_addr(&b, 0), 0);
		for (uint32_t k = 0; k < 3; k++)
			CHECK_EQ(facts_block_addr(&b, k + 1), addrs[k] & mask);
		CHECK_ERR(open_first(view(&section), !p.swap, &b), ERR_FORMAT);
	}
}

TEST(slots_that_are_not_given_are_zeros)
{
	CLEANUP(release_bytes) struct byte_vec section = { 0 };
	struct facts_block b;

	append_example(&section);
	CHECK_OK(open_first(view(&section), false, &b));
	for (uint32_t i = 1; i <= 3; i++)
		CHECK_EQ(facts_block_addr(&b, i), 0);
}

TEST(btf_and_strings_of_a_block_come_back)
{
	static const uint8_t btf[] = { 0x9f, 0xeb, 1, 2, 3, 0 };
	CLEANUP(unit_facts_release) struct unit_facts f = example(), back = { 0 };
	CLEANUP(release_bytes) struct byte_vec section = { 0 };
	struct facts_block b;

	append_facts(&f,
		     (struct facts_parts){
			     .addr_size = 4, .nr_slots = 3, .btf = { btf, sizeof(btf) } },
		     &section);
	CHECK_OK(read_first(view(&section), false, &b, &back));
	check_same(&f, &back);
	CHECK_MEM(b.btf.ptr, btf, sizeof(btf));
	CHECK_EQ(b.btf.len, sizeof(btf));
	CHECK_EQ(b.strings.len, sizeof(OWN));
	CHECK_STR((const char *)b.strings.ptr, OWN);
}

TEST(zeros_between_blocks_are_skipped)
{
	static const uint8_t zeros[16];
	CLEANUP(release_bytes) struct byte_vec section = { 0 };
	size_t at = 0, nr = 0;
	struct facts_block b;

	for (size_t i = 0; i < 4; i++) {
		append_example(&section);
		for (size_t k = 0; k < i; k++)
			vec_push(&section, 0);
	}
	for (;; nr++) {
		CLEANUP(unit_facts_release) struct unit_facts back = { 0 };

		CHECK_OK(facts_block_open(view(&section), &at, false, &b));
		if (!b.all.ptr)
			break;
		CHECK_OK(facts_block_read(&b, STRINGS_LEN, END_TYPE, &back));
		CHECK_EQ(b.all.ptr - section.items, nr * b.all.len + nr * (nr ? nr - 1 : 0) / 2);
	}
	CHECK_EQ(nr, 4);
	CHECK_EQ(at, section.nr);

	CHECK_OK(open_first((struct bytes){ zeros, sizeof(zeros) }, false, &b));
	CHECK(!b.all.ptr);
	CHECK_OK(open_first((struct bytes){ 0 }, false, &b));
	CHECK(!b.all.ptr);
}

TEST(a_block_of_over_4_gib_is_not_written)
{
	CLEANUP(release_bytes) struct byte_vec section = { 0 };
	struct facts_parts p = { .addr_size = 8, .nr_slots = UINT32_MAX };

	CHECK_ERR(facts_block_append(&p, &section), ERR_LIMIT);
	p = (struct facts_parts){ .addr_size = 8, .btf.len = UINT32_MAX };
	CHECK_ERR(facts_block_append(&p, &section), ERR_LIMIT);
	CHECK_EQ(section.nr, 0);
}

/* --- damage ----------------------------------------------------------------------------------- */

enum {
	HEAD_VERSION = 2,
	HEAD_ADDR_SIZE = 3,
	HEAD_LEN = 4,
	HEAD_NR_BLOCKS = 20,
	HEAD_NR_SLOTS = 24
};

TEST(another_version_is_not_read)
{
	CLEANUP(release_bytes) struct byte_vec section = { 0 };
	struct facts_block b;

	append_example(&section);
	section.items[HEAD_VERSION]++;
	CHECK_ERR_TEXT(open_first(view(&section), false, &b), ERR_UNSUPPORTED,
		       ".debug_btf+0: a block of version 3");
}

TEST(lengths_that_contradict_each_other_are_refused)
{
	static const struct {
		size_t at, width;
		uint64_t value;
	} changes[] = {
		{ HEAD_ADDR_SIZE, 1, 2 },    { HEAD_ADDR_SIZE, 1, 0 },
		{ HEAD_LEN, 4, 0 },          { HEAD_LEN, 4, FACTS_HEADER_LEN + 23 },
		{ HEAD_LEN, 4, UINT32_MAX }, { HEAD_NR_BLOCKS, 4, 0 },
		{ HEAD_NR_SLOTS, 4, 1000 },  { HEAD_NR_SLOTS, 4, UINT32_MAX },
		{ 28, 4, UINT32_MAX },       { 32, 4, UINT32_MAX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		CLEANUP(release_bytes) struct byte_vec section = { 0 };
		struct facts_block b;
		size_t at = 0;

		append_example(&section);
		field_put(section.items + changes[i].at, changes[i].width, false, changes[i].value);
		CHECK_ERR_TEXT(facts_block_open(view(&section), &at, false, &b), ERR_FORMAT,
			       ".debug_btf+0: a block of");
		CHECK(!at && !b.all.ptr);
	}
}

/* Behind the first block, so that the offset in the message is not 0. */
TEST(a_section_that_ends_within_a_block_is_refused)
{
	CLEANUP(release_bytes) struct byte_vec section = { 0 };

	append_example(&section);
	size_t first = section.nr;
	CLEANUP(mem_free_text) char *place = mem_printf(".debug_btf+%#zx:", first);
	append_example(&section);
	for (size_t len = first; len < section.nr; len++) {
		uint8_t *copy = mem_dup(section.items,
					len); /* so that ASan finds reads behind it */
		struct facts_block b;
		size_t at = 0;

		CHECK_OK(facts_block_open((struct bytes){ copy, len }, &at, false, &b));
		CHECK_EQ(at, first);
		struct err *e = facts_block_open((struct bytes){ copy, len }, &at, false, &b);
		CHECK_EQ(e == NULL, len == first);
		CHECK(!b.all.ptr);
		if (e)
			CHECK_ERR_TEXT(e, ERR_FORMAT, place);
		free(copy);
	}
}

TEST(each_flipped_bit_is_found_but_in_slots)
{
	CLEANUP(release_bytes) struct byte_vec section = { 0 };
	const size_t behind = FACTS_HEADER_LEN + 3 * 8;

	append_example(&section);
	for (size_t bit = 0; bit < section.nr * 8; bit++) {
		CLEANUP(unit_facts_release) struct unit_facts back = { 0 };
		uint8_t *byte = &section.items[bit / 8];
		struct facts_block b;

		*byte ^= (uint8_t)(1u << bit % 8);
		struct err *e = read_first(view(&section), false, &b, &back);
		CHECK_EQ(!e, bit / 8 >= FACTS_HEADER_LEN && bit / 8 < behind);
		for (uint32_t k = 1; !e && k <= 3; k++)
			CHECK_EQ(facts_block_addr(&b, k) != 0,
				 (bit / 8 - FACTS_HEADER_LEN) / 8 == k - 1);
		err_free(e);
		*byte ^= (uint8_t)(1u << bit % 8);
	}
}

TEST(strings_of_a_block_must_end)
{
	CLEANUP(release_bytes) struct byte_vec section = { 0 };
	CLEANUP(unit_facts_release) struct unit_facts back = { 0 };
	const struct facts_parts p = { .key.nr_blocks = 1,
				       .addr_size = 8,
				       .strings = { (const uint8_t *)OWN, 3 } };
	struct facts_block b;

	CHECK_OK(facts_block_append(&p, &section));
	CHECK_ERR_TEXT(read_first(view(&section), false, &b, &back), ERR_FORMAT, "has no end");
}

/* --- bodies with a correct checksum -------------------------------------------------------- */

static struct err *read_body(struct bytes body, uint32_t nr_slots)
{
	CLEANUP(release_bytes) struct byte_vec section = { 0 };
	CLEANUP(unit_facts_release) struct unit_facts back = { 0 };
	const struct facts_parts p = { .key.nr_blocks = 1,
				       .addr_size = 4,
				       .nr_slots = nr_slots,
				       .strings = { (const uint8_t *)OWN, sizeof(OWN) },
				       .body = body };
	struct facts_block b;

	CHECK_OK(facts_block_append(&p, &section));
	return read_first(view(&section), false, &b, &back);
}

struct body_case {
	const char *problem; /* NULL: it is read */
	uint32_t nr_slots;
	struct bytes body;
};

#define B(...)                                                                             \
	{                                                                                  \
		(const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }) \
	}
/* name, language, prefix, features, level, function start, index */
#define UNIT 5, 30, 7, 0, 99, 8, 2

static const struct body_case bodies[] = {
	{ NULL, 0, B(UNIT, 0, 0) },
	{ NULL, 0, B(19, 0, 19, 0, 99, 10, 9, 0, 0) }, /* the last of each */
	{ "it ends early", 0, B(UNIT, 0) },
	{ "it ends early", 0, B(5) },
	{ "more follows", 0, B(UNIT, 0, 0, 0) },
	{ "no such name", 0, B(20, 30, 7, 0, 99, 8, 2, 0, 0) },
	{ "no such prefix", 0, B(5, 30, 20, 0, 99, 8, 2, 0, 0) },
	{ NULL, 0, B(5, 0x80, 0x80, 4, 7, 0, 99, 8, 2, 0, 0) },
	{ "no such language", 0, B(5, 0x81, 0x80, 4, 7, 0, 99, 8, 2, 0, 0) },
	{ NULL, 0, B(5, 30, 7, 0xff, 0xff, 0xff, 0xff, 0x0f, 99, 8, 2, 0, 0) },
	{ "a number of over 32 bits", 0,
	  B(5, 30, 7, 0xff, 0xff, 0xff, 0xff, 0x1f, 99, 8, 2, 0, 0) },
	{ "a number of over 5 bytes", 0, B(UNIT, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0) },
	{ "no such function start", 0, B(5, 30, 7, 0, 99, 11, 2, 0, 0) },
	{ "no such index type", 0, B(5, 30, 7, 0, 99, 8, 10, 0, 0) },
	{ "more functions than bytes", 0, B(UNIT, 100, 0) },
	{ "more variables than bytes", 0, B(UNIT, 0, 100) },

	/* one function: name, flags, return type, parameters, tags; no variables */
	{ NULL, 0, B(UNIT, 1, 5, 0, 3, 0, 0, 0) },
	{ NULL, 1, B(UNIT, 1, 5, 1, 3, 0, 0, 0) },
	{ NULL, 0, B(UNIT, 1, 5, 0x7c, 3, 2, 19, 9, 0, 0, 1, 16, 0, 0) },
	{ "a slot without a function", 1, B(UNIT, 1, 5, 0, 3, 0, 0, 0) },
	{ "a function without its slot", 0, B(UNIT, 1, 5, 1, 3, 0, 0, 0) },
	{ "no name", 0, B(UNIT, 1, 0, 0, 3, 0, 0, 0) },
	{ "no such name", 0, B(UNIT, 1, 20, 0, 3, 0, 0, 0) },
	{ "no such flag", 0, B(UNIT, 1, 5, 0x80, 1, 3, 0, 0, 0) },
	{ "no such return type", 0, B(UNIT, 1, 5, 0, 10, 0, 0, 0) },
	{ "no such name of a parameter", 0, B(UNIT, 1, 5, 0, 3, 1, 20, 9, 0, 0) },
	{ "no such type of a parameter", 0, B(UNIT, 1, 5, 0, 3, 1, 5, 10, 0, 0) },
	{ "more parameters than bytes", 0, B(UNIT, 1, 5, 0, 3, 100, 5, 9, 0, 0) },
	{ "no such tag", 0, B(UNIT, 1, 5, 0, 3, 0, 1, 20, 0, 0) },
	{ "more tags than bytes", 0, B(UNIT, 1, 5, 0, 3, 0, 100, 1, 0, 0) },

	/* the second form of a function */
	{ NULL, 1, B(UNIT, 2, 5, 1, 3, 0, 0, 5, 2, 3, 0, 0, 0) },
	{ "there is no first form", 0, B(UNIT, 1, 5, 2, 3, 0, 0, 0) },
	{ "it has a slot", 2, B(UNIT, 2, 5, 1, 3, 0, 0, 5, 3, 3, 0, 0, 0) },

	/* one variable: name, type, size, tags and flags */
	{ NULL, 1, B(UNIT, 0, 1, 5, 3, 8, 0) },
	{ NULL, 1, B(UNIT, 0, 1, 19, 9, 8, 3, 0x80, 1) },
	{ NULL, 1, B(UNIT, 0, 1, 5, 3, 8, 4, 16, 0) },
	{ "a variable without its slot", 0, B(UNIT, 0, 1, 5, 3, 8, 0) },
	{ "a slot without a variable", 2, B(UNIT, 0, 1, 5, 3, 8, 0) },
	{ "no such name", 1, B(UNIT, 0, 1, 20, 3, 8, 0) },
	{ "no such type", 1, B(UNIT, 0, 1, 5, 10, 8, 0) },
	{ "no offset", 1, B(UNIT, 0, 1, 5, 3, 8, 2) },
	{ "no such tag", 1, B(UNIT, 0, 1, 5, 3, 8, 4, 20, 0) },
	{ "more tags than bytes", 1, B(UNIT, 0, 1, 5, 3, 8, 12, 16, 0) },
};

TEST(a_body_must_hold_together)
{
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		const struct body_case *c = &bodies[i];
		struct err *e = read_body(c->body, c->nr_slots);

		if (!e != !c->problem)
			test_fail(__FILE__, __LINE__, "body %zu (%s): %s", i,
				  c->problem ? c->problem : "valid", e ? err_text(e) : "no error");
		if (e)
			CHECK_ERR_TEXT(e, ERR_FORMAT, "do not hold together");
	}
}

TEST(a_prototype_has_no_more_parameters_than_a_record_can_have)
{
	static const uint8_t start[] = { UNIT, 1, 5, 0, 3 }; /* as above, up to the parameters */
	static const uint8_t counts[][4] = { { 0xff, 0xff, 0xff, 7 }, { 0x80, 0x80, 0x80, 8 } };

	for (uint32_t i = 0; i < 2; i++) {
		size_t params = 2 * ((size_t)BTF_VLEN_MAX + i);
		size_t len = sizeof(start) + sizeof(counts[i]) + params +
			     2; /* no tags, no variables */
		CLEANUP(mem_free) uint8_t *body = mem_zalloc(len, 1);

		memcpy(body, start, sizeof(start));
		memcpy(body + sizeof(start), counts[i], sizeof(counts[i]));
		struct err *e = read_body((struct bytes){ body, len }, 0);
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
	/* both sums overflow: 0xffffffff is -1 */
	CHECK_EQ(sum_of("\xff\xff\xff\xff\x03"), 0x0000000100000002);
}

TEST(the_checksum_depends_on_the_order_of_words)
{
	CHECK(sum_of("abcdefgh") != sum_of("efghabcd"));
	CHECK_EQ((uint32_t)sum_of("abcdefgh"), (uint32_t)sum_of("efghabcd"));
	CHECK(sum_of("abcdefghi") != sum_of("abcdefgi") && sum_of("abcd") != sum_of("abdc"));
}
