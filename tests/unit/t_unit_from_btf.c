/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_from_btf.c - a member of an archive goes into the pools and becomes a unit contribution */
#include "encoder/member/unit_from_btf.h"

#include "btf/btf_kind.h"
#include "btf/btf_serialize.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

#include <elf.h>
#include <stdlib.h>

struct setting {
	struct test_view m;  /* the member */
	struct unit_facts f; /* of it */
	struct str_pool strings;
	struct type_pool types;
	struct encode_opts opts;
	struct object obj;
	struct symbols syms;
	uint32_t func_by_name[8];
	struct run run;
	struct member_reader *reader;
	struct unit_btf btf;
	uint8_t *bytes;
	struct byte_vec section; /* .debug_btf */
	struct member member;    /* as it is read next */
};

enum { DATA_ADDR = 0x1000, DATA_SIZE = 0x100 };

/*
 * Functions f and small, of which there is an optimized copy only. The variables of section 1 are
 * wanted, those of section 2 behind it are not.
 */
static void setting_init(struct setting *s)
{
	static struct symbol all[] = { { .name = "f", .value = 0x10, .bind = STB_GLOBAL },
				       { .name = "small.isra.0", .value = 0x20 } };
	static struct func_symbol at[] = {
		{ .value = 0x10, .name = "f", .symbol = 0 },
		{ .value = 0x20, .name = "small.isra.0", .symbol = 1, .optimized = true }
	};
	static struct func_entry funcs[] = {
		{ .name = "f", .name_len = 1, .first = 0, .nr = 1 },
		{ .name = "small.isra.0", .name_len = 5, .first = 1, .nr = 1 },
	};
	static const bool var_sections[] = { false, true, false };
	static struct object_section sections[] = {
		{ .name = "" },
		{ .type = SHT_PROGBITS,
		  .flags = SHF_ALLOC,
		  .debug_addr = DATA_ADDR,
		  .size = DATA_SIZE },
		{ .type = SHT_PROGBITS,
		  .flags = SHF_ALLOC,
		  .debug_addr = DATA_ADDR + DATA_SIZE,
		  .size = DATA_SIZE },
	};

	*s = (struct setting){ .opts = { .features = FEATURE_VAR, .jobs = 1, .verbose = true } };
	str_pool_init(&s->strings);
	type_pool_init(&s->types);
	s->obj = (struct object){ .addr_size = 8,
				  .sections = sections,
				  .nr_sections = ARRAY_SIZE(sections) };
	s->member = (struct member){ .where = "member", .placed = true };
	s->syms = (struct symbols){ .all = all,
				    .nr_all = 2,
				    .funcs = funcs,
				    .nr_funcs = 2,
				    .func_symbols = at,
				    .nr_func_symbols = 2 };
	s->func_by_name[str_pool_add(&s->strings, "f", 1)] = 1;
	s->func_by_name[str_pool_add(&s->strings, "small", 5)] = 2;
	s->run = (struct run){
		.opts = &s->opts,
		.strings = &s->strings,
		.types = &s->types,
		.obj = &s->obj,
		.syms = &s->syms,
		.func_by_name = s->func_by_name,
		.func_names_end = ARRAY_SIZE(s->func_by_name),
		.var_sections = var_sections,
	};
	s->run.int_name = str_pool_add(&s->strings, "int", 3);
	s->reader = member_reader_new(&s->run);
}

static void setting_release(struct setting *s)
{
	test_view_release(&s->m);
	unit_facts_release(&s->f);
	unit_btf_release(&s->btf);
	member_reader_free(s->reader);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
	free(s->bytes);
	free(s->section.items);
}

/* The types of the test become those of the member. */
static void set_btf(struct setting *s)
{
	const struct btf_serialize_opts opts = { 0 };

	unit_btf_release(&s->btf);
	s->btf = (struct unit_btf){ 0 };
	free(s->bytes);
	s->bytes = NULL;
	test_view_init(&s->m);
	CHECK_OK(btf_serialize(&s->m.view.types, s->m.view.strings, &opts, &s->bytes,
			       &s->member.bytes.len));
	s->member.bytes.ptr = s->bytes;
}

static struct err *read_unit(struct setting *s, uint32_t unit)
{
	set_btf(s);
	return unit_from_btf(s->reader, &s->member, unit, &s->btf);
}

/* Read a member with the types of @text. */
static struct err *read_types(struct setting *s, const char *text)
{
	test_view_add(&s->m, text);
	return read_unit(s, 0);
}

static const char *text_at(struct setting *s, uint32_t id)
{
	return str_pool_text(&s->strings, id);
}

static const uint32_t *pooled(struct setting *s, uint32_t id)
{
	return type_pool_at(&s->types, id)->rec;
}

static const struct unit_func *func_at(struct setting *s, size_t i)
{
	CHECK(i < s->btf.funcs.nr);
	return &s->btf.funcs.items[i];
}

static uint64_t place_of(struct setting *s, const char *text)
{
	uint32_t id = str_pool_find(&s->strings, text, strlen(text));

	return id ? ~str_pool_at(&s->strings, id)->inv_first_use : 0;
}

/* --- facts of a unit ------------------------------------------------------------------------ */

/* The strings of a block. */
static const char OWN[] = "own";

/* The member gets a block of its facts, with @slots. */
static void set_facts(struct setting *s, const uint64_t *slots, uint32_t nr_slots)
{
	struct byte_vec body = { 0 };
	size_t at = 0;

	facts_body_append(&s->f, &body);
	const struct facts_parts p = {
		.key = { (uint32_t)s->member.bytes.len, 1, facts_sum(s->member.bytes) },
		.addr_size = 8,
		.nr_slots = nr_slots,
		.slots = { (const uint8_t *)slots, nr_slots * sizeof(*slots) },
		.strings = { (const uint8_t *)OWN, sizeof(OWN) },
		.body = { body.items, body.nr },
	};
	s->section.nr = 0;
	CHECK_OK(facts_block_append(&p, &s->section));
	CHECK_OK(facts_block_open((struct bytes){ s->section.items, s->section.nr }, &at, false,
				  &s->member.block));
	free(body.items);
}

static struct err *read_with_facts(struct setting *s, const uint64_t *slots, uint32_t nr_slots)
{
	set_btf(s);
	set_facts(s, slots, nr_slots);
	return unit_from_btf(s->reader, &s->member, 0, &s->btf);
}

#define READ_WITH_FACTS(s, ...)                               \
	read_with_facts(s, (const uint64_t[]){ __VA_ARGS__ }, \
			ARRAY_SIZE(((const uint64_t[]){ __VA_ARGS__ })))

/* The member has the types of @text, and facts, which belong to all of them. */
static struct unit_facts *facts_begin(struct setting *s, const char *text)
{
	test_view_add(&s->m, text);
	s->f = (struct unit_facts){ .lang = 30, .func_start = btf_types_end(&s->m.view.types) };
	vec_push(&s->f.words, 0);
	return &s->f;
}

/* Add a function with a parameter @param, both of type @type. */
static void add_func(struct setting *s, const char *name, struct func_facts func, uint32_t param,
		     uint32_t type)
{
	const uint32_t proto[] = { 0, btf_info(BTF_FUNC_PROTO, 1, false), type, param, type };

	func.name = test_name(&s->m, name);
	func.proto = (uint32_t)s->f.words.nr;
	for (size_t i = 0; i < ARRAY_SIZE(proto); i++)
		vec_push(&s->f.words, proto[i]);
	vec_push(&s->f.funcs, func);
}

/* --- types ---------------------------------------------------------------------------------- */

TEST_WITH_INIT(equal_types_of_two_members_are_one, setting, s)
{
	uint32_t first[5] = { 0 };

	for (uint32_t k = 0; k < 2; k++) {
		if (k) { /* other offsets and ids */
			test_view_release(&s->m);
			s->m = (struct test_view){ 0 };
			test_view_add(&s->m, "const 0; int; struct s 8 {m 2}; ptr 3; array 2 2 4");
		} else {
			test_view_add(&s->m, "int; struct s 8 {m 1}; ptr 2; array 1 1 4");
		}
		CHECK_OK(read_unit(s, k));
		for (uint32_t n = 1; n < 5; n++) {
			uint32_t id = s->btf.types.items[n + k];

			CHECK(id);
			CHECK(!k || id == first[n]);
			first[n] = id;
		}
		CHECK(s->btf.has_arrays && s->btf.first_int == 1 + k);
	}
	/* an array has the index type of the program */
	CHECK(pooled(s, first[4])[BTF_REC_WORDS + 1] == POOL_REF_INDEX);
}

TEST_WITH_INIT(strings_come_in_where_they_stand, setting, s)
{
	uint32_t early = test_name(&s->m, "early");

	test_view_add(&s->m, "int; struct later 8 {early 1}");
	test_name(&s->m, "unused");
	CHECK_OK(read_unit(s, 3));
	CHECK(place_of(s, "early") < place_of(s, "int") &&
	      place_of(s, "int") < place_of(s, "later"));
	CHECK(place_of(s, "early") == str_place_at(3, early));
	CHECK(place_of(s, "unused") == UINT64_MAX);
}

TEST_WITH_INIT(two_of_one_name_make_a_crowd, setting, s)
{
	CHECK_OK(read_types(s, "int; fwd s"));
	CHECK(!s->btf.multiply_defined.nr);
	test_view_add(&s->m, "struct s 8 {m 1}");
	CHECK_OK(read_unit(s, 1));
	CHECK(s->btf.multiply_defined.nr == 1);
}

TEST_WITH_INIT(what_waits_for_a_later_record_is_entered, setting, s)
{
	CHECK_OK(read_types(s, "ptr 2; const 3; typedef t 4; int"));
	CHECK(!s->btf.irregular);
	CHECK(pooled(s, s->btf.types.items[1])[BTF_REC_SIZE_TYPE] == s->btf.types.items[2]);
}

TEST_WITH_INIT(a_circle_without_names_is_odd, setting, s)
{
	CHECK_OK(read_types(s, "ptr 2; const 1"));
	CHECK(s->btf.irregular);
}

/* A member of pahole has no facts. */
TEST_WITH_INIT(functions_of_the_table_are_held_back, setting, s)
{
	CHECK_OK(
		read_types(s, "int; func_proto 1 {arg 1}; func f 2; func unknown 2; func small 2"));
	/* the prototype is none of the unit's types */
	CHECK(s->btf.types.nr == 3 && s->btf.index_place == 2);
	CHECK(s->btf.funcs.nr == 1);
	CHECK(s->btf.funcs.items[0].func == 0 && s->btf.funcs.items[0].addr == 0x10);
	CHECK(s->btf.diags.first && strstr(s->btf.diags.first->text, "'small'"));
	CHECK(place_of(s, "arg") != UINT64_MAX);
}

TEST_WITH_INIT(a_prototype_that_a_type_has_too_is_a_type, setting, s)
{
	CHECK_OK(read_types(s, "int; func_proto 1; ptr 2; func f 2"));
	CHECK(s->btf.types.nr == 5 && s->btf.types.items[2]);
	CHECK(func_at(s, 0)->proto == s->btf.types.items[2]);
}

TEST_WITH_INIT(in_a_relocatable_file_no_address_is_a_symbol_s, setting, s)
{
	s->obj.is_rel = true;
	CHECK_OK(read_types(s, "func_proto 0; func f 1"));
	CHECK(func_at(s, 0)->addr == UNIT_FUNC_NO_SYMBOL);
}

TEST_WITH_INIT(variables_are_together_by_section, setting, s)
{
	CHECK_OK(read_types(s, "int; var a 1; var b 1; var c 1;"
			       "datasec .one 16 {4 0 4, 2 8 4}; datasec .two 4 {3 0 4}"));
	CHECK(s->btf.vars.nr == 3);

	const struct input_section *one = &s->btf.homes.items[0], *two = &s->btf.homes.items[1];
	CHECK(one->nr == 2 && two->nr == 1 && two->first == 2);
	CHECK_STR(text_at(s, one->name), ".one");

	const struct unit_var *first = &s->btf.vars.items[one->first];
	CHECK(first[0].order == 0 && first[0].offset == 8 && first[1].order == 2);
	/* what has no place yet may get none */
	CHECK(place_of(s, "a") == UINT64_MAX);
}

TEST_WITH_INIT(a_function_is_no_type, setting, s)
{
	CHECK_ERR_TEXT(read_types(s, "func_proto 0; func f 1; ptr 2"), ERR_FORMAT, "member: ");
}

TEST_WITH_INIT(broken_btf_is_refused, setting, s)
{
	CHECK_ERR_TEXT(read_types(s, "ptr 7"), ERR_FORMAT, "refers to type 7");
}

/* --- units with facts ------------------------------------------------------------------------- */

TEST_WITH_INIT(functions_have_the_addresses_in_slots, setting, s)
{
	struct unit_facts *f = facts_begin(s, "int");

	f->name = test_name(&s->m, "unit.c");
	f->features = FEATURE_FLOAT;
	f->recompiled = true;
	for (size_t i = 0; i < 3; i++) /* the names of the block follow them */
		test_name(&s->m, (const char *[]){ "f", "small", "other" }[i]);
	uint32_t own = (uint32_t)s->m.view.strings.len;
	add_func(s, "f", (struct func_facts){ .slot = 1 }, own, 1);
	add_func(s, "small", (struct func_facts){ 0 }, own, 1);
	add_func(s, "other", (struct func_facts){ .slot = 2 }, own, 1);
	CHECK_OK(READ_WITH_FACTS(s, 0x1234, 0x5678));
	CHECK(!s->btf.diags.first);
	CHECK(s->btf.have_facts && s->btf.placed && s->btf.have_lang && s->btf.recompiled);
	CHECK_EQ(s->btf.features, FEATURE_FLOAT);
	CHECK_STR(text_at(s, s->btf.name), "unit.c");
	CHECK_EQ(s->btf.funcs.nr, 2); /* no symbol is called "other" */
	CHECK_EQ(func_at(s, 0)->addr, 0x1234);
	CHECK_EQ(func_at(s, 1)->addr, 0);

	const uint32_t *proto = pooled(s, func_at(s, 0)->proto);
	CHECK_STR(text_at(s, proto[BTF_REC_WORDS]), OWN);
	CHECK_EQ(proto[BTF_REC_SIZE_TYPE], s->btf.types.items[1]);
}

TEST_WITH_INIT(without_addresses_functions_have_those_of_symbols, setting, s)
{
	facts_begin(s, "int");
	s->member.placed = false;
	add_func(s, "f", (struct func_facts){ .slot = 1 }, 0, 1);
	add_func(s, "small", (struct func_facts){ .slot = 2 }, 0, 1);
	CHECK_OK(READ_WITH_FACTS(s, 0x1234, 0x5678));
	CHECK(s->btf.have_facts && !s->btf.placed);
	CHECK_EQ(func_at(s, 0)->addr, 0x10);
	CHECK_EQ(func_at(s, 1)->addr, 0);
	s->obj.is_rel = true;
	CHECK_OK(READ_WITH_FACTS(s, 0x1234, 0x5678));
	CHECK_EQ(func_at(s, 0)->addr, UNIT_FUNC_NO_SYMBOL);
}

static const struct {
	const char *name;
	uint32_t made_with, asked; /* features */
	const char *param;         /* of the form that is read */
} forms[] = {
	{ "neither", 0, 0, "first" },
	{ "asked for", 0, FEATURE_TRUE_SIGNATURE, "second" },
	{ "made with it", FEATURE_TRUE_SIGNATURE, 0, "second" },
	{ "both", FEATURE_TRUE_SIGNATURE, FEATURE_TRUE_SIGNATURE, "first" },
};

TEST_EACH(a_function_has_the_form_that_true_signature_asks_for, forms, c)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	facts_begin(&s, "int")->features = c->made_with;
	s.opts.features |= c->asked;
	add_func(&s, "f", (struct func_facts){ .slot = 1 }, test_name(&s.m, "first"), 1);
	add_func(&s, "f", (struct func_facts){ .second_form = true }, test_name(&s.m, "second"), 1);
	add_func(&s, "small", (struct func_facts){ .slot = 2 }, test_name(&s.m, "only"), 1);
	CHECK_OK(READ_WITH_FACTS(&s, 0x1234, 0x5678));
	CHECK_EQ(s.btf.funcs.nr, 2);
	CHECK_EQ(func_at(&s, 0)->addr, 0x1234); /* both forms have one slot */
	CHECK_EQ(func_at(&s, 1)->addr, 0x5678);
	CHECK_STR(text_at(&s, pooled(&s, func_at(&s, 0)->proto)[BTF_REC_WORDS]), c->param);
}

TEST_WITH_INIT(variables_are_placed_by_slots, setting, s)
{
	enum { INT = 1, THREE, STRUCT_S };
	struct unit_facts *f = facts_begin(s, "int; array 1 1 3; fwd s");
	/* the size is that of DWARF, whatever BTF has */
	const struct var_facts vars[] = {
		{ test_name(&s->m, "a"), INT, 4, true, 0, 1, 0, 0 },
		{ test_name(&s->m, "b"), THREE, 7, false, 0x20, 2, 0, 2 },
		{ test_name(&s->m, "elsewhere"), INT, 4, true, 0, 3, 0, 0 },
		{ test_name(&s->m, "nowhere"), INT, 4, true, 0, 4, 0, 0 },
		{ test_name(&s->m, "no_size"), STRUCT_S, 0, true, 0, 5, 0, 0 },
		{ test_name(&s->m, "no_type"), 0, 4, true, 0, 6, 0, 0 },
	};

	for (size_t k = 0; k < ARRAY_SIZE(vars); k++)
		vec_push(&f->vars, vars[k]);
	vec_push(&f->tags, ((struct unit_tag){ test_name(&s->m, "tag"), -1 }));
	vec_push(&f->tags, ((struct unit_tag){ test_name(&s->m, "part"), 2 }));
	CHECK_OK(READ_WITH_FACTS(s, DATA_ADDR + 8, DATA_ADDR + 0x10, DATA_ADDR + DATA_SIZE, 0,
				 DATA_ADDR + 0x40, DATA_ADDR + 0x50));
	CHECK_EQ(s->btf.vars.nr, 2);
	CHECK_EQ(s->btf.homes.nr, 0);

	const struct unit_var *a = &s->btf.vars.items[0], *b = &s->btf.vars.items[1];
	CHECK_STR(text_at(s, a->name), "a");
	CHECK(a->section == 1 && a->offset == 8 && a->size == 4 && !a->nr_tags);
	CHECK(a->type == INT && a->linkage == BTF_LINK_GLOBAL);
	CHECK_STR(text_at(s, b->name), "b");
	CHECK(b->section == 1 && b->offset == 0x30 && b->size == 7 && b->nr_tags == 2);
	CHECK(b->type == THREE && b->linkage == BTF_LINK_STATIC);

	const struct unit_tag *tags = s->btf.var_tags.items + b->tags;
	CHECK_STR(text_at(s, tags[0].value), "tag");
	CHECK_STR(text_at(s, tags[1].value), "part");
	CHECK(tags[0].component == -1 && tags[1].component == 2);
}

TEST_WITH_INIT(a_variable_at_the_start_of_a_section_needs_a_symbol, setting, s)
{
	struct unit_facts *f = facts_begin(s, "int");

	vec_push(&f->vars,
		 ((struct var_facts){
			 .name = test_name(&s->m, "a"), .type = 1, .size = 4, .slot = 1 }));
	CHECK_OK(READ_WITH_FACTS(s, DATA_ADDR));
	CHECK_EQ(s->btf.vars.nr, 0);
}

TEST_WITH_INIT(records_from_the_function_start_on_are_no_types, setting, s)
{
	enum { INDEX = 2, ARRAY, POINTER };

	facts_begin(s, "int; int ul 8 64; array 1 2 3; ptr 1")->index = INDEX;
	test_view_add(&s->m, "func_proto 1; func f 5; decl_tag tag 6");
	CHECK_OK(read_with_facts(s, NULL, 0));
	CHECK_EQ(s->btf.types.nr, POINTER + 1);
	CHECK_EQ(s->btf.index_place, INDEX);
	CHECK(!s->btf.types.items[INDEX]);
	CHECK_EQ(pooled(s, s->btf.types.items[ARRAY])[BTF_REC_WORDS + 1], POOL_REF_INDEX);
	/* the facts list no functions */
	CHECK_EQ(s->btf.funcs.nr, 0);
}

TEST_WITH_INIT(facts_that_refer_to_no_type_are_refused, setting, s)
{
	facts_begin(s, "int");
	add_func(s, "f", (struct func_facts){ .slot = 1 }, 0, test_view_add(&s->m, "func_proto 1"));
	CHECK_ERR_TEXT(READ_WITH_FACTS(s, 0x1234), ERR_FORMAT,
		       "member: function 'f' refers to what is no type");
}

/* --- facts that are ignored --------------------------------------------------------------------- */

static void no_damage(struct setting *s UNUSED)
{
}

static void of_other_btf(struct setting *s)
{
	s->member.block.key.sum++;
}

static void of_other_btf_but_checked(struct setting *s)
{
	s->member.block.key.sum++;
	s->member.sum_unchecked = false;
}

static void damaged(struct setting *s)
{
	s->section.items[s->section.nr - 1] ^= 1;
}

static const struct {
	const char *name;
	void (*damage)(struct setting *s);
	const char *warning; /* NULL: the block is read */
} damages[] = {
	{ "none", no_damage, NULL },
	{ "of other BTF", of_other_btf,
	  "member: its block in .debug_btf is passed over: it belongs to another .BTF" },
	{ "of other BTF, but the sum is checked", of_other_btf_but_checked, NULL },
	{ "damaged", damaged, "member: its block in .debug_btf is passed over: checksum " },
};

TEST_EACH(a_block_that_does_not_fit_is_ignored, damages, c)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	s.opts.verbose = false;
	facts_begin(&s, "int");
	add_func(&s, "f", (struct func_facts){ .slot = 1 }, 0, 1);
	test_view_add(&s.m, "func_proto 1; func f 2");
	set_btf(&s);
	set_facts(&s, (const uint64_t[]){ 0x1234 }, 1);
	s.member.sum_unchecked = true;
	c->damage(&s);
	CHECK_OK(unit_from_btf(s.reader, &s.member, 0, &s.btf));
	CHECK_EQ(s.btf.have_facts, c->warning == NULL);
	CHECK_EQ(s.btf.placed, c->warning == NULL);
	CHECK_EQ(func_at(&s, 0)->addr, c->warning ? 0x10 : 0x1234);
	CHECK_EQ(s.btf.diags.first != NULL, c->warning != NULL);
	if (c->warning) {
		CHECK(strstr(s.btf.diags.first->text, c->warning));
		CHECK_EQ(s.btf.diags.first->level, DIAG_WARNING);
	}
}

TEST_WITH_INIT(a_note_of_an_older_btfenc_is_ignored, setting, s)
{
	test_view_add(&s->m, "int");
	test_name(&s->m, "btfnote\4");
	CHECK_OK(read_unit(s, 0));
	CHECK(!s->btf.have_facts && s->btf.diags.first);
	CHECK_STR(s->btf.diags.first->text, "member: made by an older btfenc, whose note is passed "
					    "over; encode its object again");
}
