/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_from_btf.c - a member of an archive goes into the pools and becomes a unit contribution */
#include "encoder/member/unit_from_btf.h"

#include "btf/btf_serialize.h"
#include "tests/lib/btftext.h"
#include "tests/lib/unitscene.h"

#include <elf.h>
#include <stdlib.h>

struct setting {
	struct unit_scene u;
	struct test_view m;       /* the member */
	struct facts_start start; /* of its block */
	struct unit_facts f;
	struct member_reader *reader;
	uint8_t *bytes;
	struct byte_vec section; /* .debug.btf */
	struct member member;    /* as it is read next */
};

static void setting_init(struct setting *s)
{
	*s = (struct setting){ .member = { .where = "member", .linked = true } };
	unit_scene_init(&s->u);
	s->u.opts.verbose = true;
	s->reader = member_reader_new(&s->u.run);
}

static void setting_release(struct setting *s)
{
	test_view_release(&s->m);
	unit_facts_release(&s->f);
	member_reader_free(s->reader);
	unit_scene_release(&s->u);
	free(s->bytes);
	free(s->section.items);
}

/* The types of the test become those of the member. */
static void set_btf(struct setting *s)
{
	const struct btf_serialize_opts opts = { 0 };

	unit_btf_release(&s->u.btf);
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
	return unit_from_btf(s->reader, &s->member, unit, &s->u.btf);
}

/* Read a member with the types of @text. */
static struct err *read_types(struct setting *s, const char *text)
{
	test_view_add(&s->m, text);
	return read_unit(s, 0);
}

static uint64_t place_of(struct setting *s, const char *text)
{
	uint32_t id = str_pool_find(&s->u.strings, text, strlen(text));

	return id ? ~str_pool_at(&s->u.strings, id)->inv_first_use : 0;
}

/* --- facts of a unit ------------------------------------------------------------------------ */

/* The strings of a block. */
static const char OWN[] = "own";

/* The facts of the test have strings and types as in the block. */
static uint32_t same_id(void *ctx UNUSED, uint32_t id)
{
	return id;
}

static const struct facts_ids same_ids = { NULL, same_id, same_id, NULL, true };

/* The member gets a block of its facts, with @slots. */
static void set_facts(struct setting *s, const uint64_t *slots, uint32_t nr_slots)
{
	struct byte_vec body = { 0 };
	size_t at = 0;

	facts_body_append(&s->f, &s->start, &same_ids, &body);
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
	return unit_from_btf(s->reader, &s->member, 0, &s->u.btf);
}

#define READ_WITH_FACTS(s, ...)                               \
	read_with_facts(s, (const uint64_t[]){ __VA_ARGS__ }, \
			ARRAY_SIZE(((const uint64_t[]){ __VA_ARGS__ })))

/* The member has the types of @text, and facts, which belong to all of them. */
static struct unit_facts *facts_begin(struct setting *s, const char *text)
{
	test_view_add(&s->m, text);
	s->start.func_start = btf_types_end(&s->m.view.types);
	unit_facts_clear(&s->f);
	s->f.head.lang = 30;
	return &s->f;
}

/* Add a function that returns type @type and has a parameter @param of that type. */
static void add_func_of(struct setting *s, struct func_facts func, uint32_t param, uint32_t type)
{
	const uint32_t proto[] = { 0, btf_info(BTF_FUNC_PROTO, 1, false), type, param, type };

	func.proto = (uint32_t)s->f.words.nr;
	for (size_t i = 0; i < ARRAY_SIZE(proto); i++)
		vec_push(&s->f.words, proto[i]);
	vec_push(&s->f.funcs, func);
}

static void add_func(struct setting *s, const char *name, uint32_t slot, const char *param)
{
	add_func_of(s, (struct func_facts){ .name = test_name(&s->m, name), .has_addr = slot != 0 },
		    test_name(&s->m, param), 1);
}

static void add_var(struct setting *s, const char *name, struct var_facts var)
{
	var.name = test_name(&s->m, name);
	vec_push(&s->f.vars, var);
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
			uint32_t id = s->u.btf.types.items[n + k];

			CHECK(id);
			CHECK(!k || id == first[n]);
			first[n] = id;
		}
		CHECK(s->u.btf.has_arrays && s->u.btf.first_int == 1 + k);
	}
	/* an array has the index type of the program */
	CHECK(unit_scene_pooled(&s->u, first[4])[BTF_REC_WORDS + 1] == POOL_REF_INDEX);
}

/* Not in that of the string section (docs/spec/dedup.md 8). */
TEST_WITH_INIT(strings_come_in_the_order_of_the_records, setting, s)
{
	test_name(&s->m, "early");
	test_view_add(&s->m, "int; struct later 8 {early 1}");
	test_name(&s->m, "unused");
	CHECK_OK(read_unit(s, 3));
	CHECK(place_of(s, "int") < place_of(s, "later") &&
	      place_of(s, "later") < place_of(s, "early"));
	CHECK(place_of(s, "early") < str_place_at(4, 0));
	CHECK(place_of(s, "unused") == UINT64_MAX);
}

/*
 * The reader marks the ids of strings with the number of the member, in three bits. In the first member "bar" is
 * where the eighth one has "foo", the end of another string.
 */
TEST_WITH_INIT(strings_of_eight_members_before_are_forgotten, setting, s)
{
	for (uint32_t i = 0; i < 7; i++) {
		test_view_release(&s->m);
		s->m = (struct test_view){ 0 };
		test_view_add(&s->m, i ? "struct a 4" : "struct a 4; struct bar 4");
		CHECK_OK(read_unit(s, i));
	}
	test_view_release(&s->m);
	s->m = (struct test_view){ 0 };
	test_view_add(&s->m, "struct xxfoo 4; struct 4");
	btf_types_rec(&s->m.view.types, 2)[BTF_REC_NAME] = test_name(&s->m, "xxfoo") + 2;
	CHECK_OK(read_unit(s, 7));

	const uint32_t *rec = unit_scene_pooled(&s->u, s->u.btf.types.items[2]);
	CHECK_STR(str_pool_text(&s->u.strings, rec[BTF_REC_NAME]), "foo");
}

TEST_WITH_INIT(two_of_one_name_make_a_crowd, setting, s)
{
	CHECK_OK(read_types(s, "int; fwd s"));
	CHECK(!s->u.btf.multiply_defined.nr);
	test_view_add(&s->m, "struct s 8 {m 1}");
	CHECK_OK(read_unit(s, 1));
	CHECK(s->u.btf.multiply_defined.nr == 1);
}

TEST_WITH_INIT(what_waits_for_a_later_record_is_entered, setting, s)
{
	CHECK_OK(read_types(s, "ptr 2; const 3; typedef t 4; int"));
	CHECK(!s->u.btf.irregular);
	CHECK(unit_scene_pooled(&s->u, s->u.btf.types.items[1])[BTF_REC_SIZE_TYPE] ==
	      s->u.btf.types.items[2]);
}

TEST_WITH_INIT(a_cycle_without_names_is_odd, setting, s)
{
	CHECK_OK(read_types(s, "ptr 2; const 1"));
	CHECK(s->u.btf.irregular);
}

/* A member of pahole has no facts. */
TEST_WITH_INIT(functions_of_the_table_are_held_back, setting, s)
{
	CHECK_OK(
		read_types(s, "int; func_proto 1 {arg 1}; func f 2; func unknown 2; func small 2"));
	/* the prototype is none of the unit's types */
	CHECK(s->u.btf.types.nr == 3 && s->u.btf.index_tid == 2);
	CHECK_STR(unit_funcs_text(&s->u), "int f(arg int) @0x10");
	CHECK(s->u.btf.diags.first && strstr(s->u.btf.diags.first->text, "'small'"));
	CHECK(place_of(s, "arg") != UINT64_MAX);
}

TEST_WITH_INIT(a_prototype_that_a_type_has_too_is_a_type, setting, s)
{
	CHECK_OK(read_types(s, "int; func_proto 1; ptr 2; func f 2"));
	CHECK(s->u.btf.types.nr == 5 && s->u.btf.types.items[2]);
	CHECK(s->u.btf.funcs.items[0].proto == s->u.btf.types.items[2]);
}

TEST_WITH_INIT(in_a_relocatable_file_no_address_is_a_symbol_s, setting, s)
{
	s->u.obj.is_rel = true;
	CHECK_OK(read_types(s, "func_proto 0; func f 1"));
	CHECK_STR(unit_funcs_text(&s->u), "void f() @none");
}

TEST_WITH_INIT(variables_have_the_sections_and_sizes_of_their_entries, setting, s)
{
	CHECK_OK(read_types(s, "int; var a 1; var b 1; datasec .one 16 {3 8 12}"));
	CHECK(s->u.btf.unlocated.nr == 2 && !s->u.btf.vars.nr);

	const struct unlocated_var *a = &s->u.btf.unlocated.items[0], *b = a + 1;
	CHECK(!a->section && a->size == 4);
	CHECK_STR(str_pool_text(&s->u.strings, b->section), ".one");
	CHECK_EQ(b->size, 12);
	/* what has no address yet may get none */
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
	static const char *const names[] = { "f", "small", "other" };
	struct unit_facts *f = facts_begin(s, "int");

	f->head.name = test_name(&s->m, "unit.c");
	f->head.features = FEATURE_FLOAT;
	f->head.recompiled = true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) /* the names of the block follow them */
		test_name(&s->m, names[i]);
	uint32_t own = (uint32_t)s->m.view.strings.len;
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++)
		add_func_of(s,
			    (struct func_facts){ .name = test_name(&s->m, names[i]),
						 .has_addr = i != 1 },
			    own, 1);
	CHECK_OK(READ_WITH_FACTS(s, 0x1234, 0x5678));
	CHECK(!s->u.btf.diags.first);
	CHECK_EQ(s->u.btf.origin.source, SOURCE_LINKED);
	CHECK(s->u.btf.origin.head.lang && s->u.btf.origin.head.recompiled);
	CHECK_EQ(s->u.btf.origin.head.features, FEATURE_FLOAT);
	CHECK_STR(str_pool_text(&s->u.strings, s->u.btf.name), "unit.c");
	/* no symbol is called "other" */
	CHECK_STR(unit_funcs_text(&s->u), "int f(own int) @0x1234; int small(own int)");
}

TEST_WITH_INIT(without_addresses_functions_have_those_of_symbols, setting, s)
{
	facts_begin(s, "int");
	s->member.linked = false;
	add_func(s, "f", 1, "arg");
	add_func(s, "small", 2, "arg");
	CHECK_OK(READ_WITH_FACTS(s, 0x1234, 0x5678));
	CHECK_EQ(s->u.btf.origin.source, SOURCE_FACTS);
	CHECK_STR(unit_funcs_text(&s->u), "int f(arg int) @0x10; int small(arg int)");
	s->u.obj.is_rel = true;
	CHECK_OK(READ_WITH_FACTS(s, 0x1234, 0x5678));
	CHECK_STR(unit_funcs_text(&s->u), "int f(arg int) @none; int small(arg int) @none");
}

TEST_WITH_INIT(only_a_linked_file_has_sites, setting, s)
{
	uint32_t proto[] = { 0, btf_info(BTF_FUNC_PROTO, 0, false), 1 };
	struct unit_facts *f = facts_begin(s, "int");
	struct object_section *code = &s->u.obj.sections[2];

	f->head.features = FEATURE_INLINE;
	vec_push(&f->inlined, ((struct inlined_facts){ .name = test_name(&s->m, "f"),
						       .proto = (uint32_t)f->words.nr }));
	vec_append(&f->words, proto, ARRAY_SIZE(proto));
	vec_push(&f->sites, ((struct cu_site){ .func = 0 }));
	s->u.run.sites = true;
	code->flags |= SHF_EXECINSTR;
	CHECK_OK(READ_WITH_FACTS(s, code->debug_addr + 4));
	CHECK_EQ(s->u.btf.sites.nr, 1);
	CHECK_EQ(s->u.btf.sites.items[0].offset, 4);
	s->member.linked = false;
	CHECK_OK(READ_WITH_FACTS(s, code->debug_addr + 4));
	CHECK_EQ(s->u.btf.sites.nr, 0);
	code->flags &= ~(uint64_t)SHF_EXECINSTR;
}

/* Both forms of f have one slot. */
#define FIRST "int f(first int) @0x1234; int small(only int) @0x5678"
#define SECOND "int f(second int) @0x1234; int small(only int) @0x5678"

static const struct {
	const char *name;
	uint32_t made_with, asked; /* features */
	const char *funcs;
} forms[] = {
	{ "neither", 0, 0, FIRST },
	{ "asked for", 0, FEATURE_TRUE_SIGNATURE, SECOND },
	{ "made with it", FEATURE_TRUE_SIGNATURE, 0, SECOND },
	{ "both", FEATURE_TRUE_SIGNATURE, FEATURE_TRUE_SIGNATURE, FIRST },
};

TEST_EACH(a_function_has_the_form_that_true_signature_asks_for, forms, c)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	facts_begin(&s, "int")->head.features = c->made_with;
	s.u.opts.features |= c->asked;
	add_func(&s, "f", 1, "first");
	add_func(&s, "f", 0, "second");
	s.f.funcs.items[1].second_form = true;
	add_func(&s, "small", 2, "only");
	CHECK_OK(READ_WITH_FACTS(&s, 0x1234, 0x5678));
	CHECK_STR(unit_funcs_text(&s.u), c->funcs);
}

TEST_WITH_INIT(variables_are_located_by_slots, setting, s)
{
	enum { INT = 1, THREE, STRUCT_S };
	struct unit_facts *f = facts_begin(s, "int; array 1 1 3; fwd s");

	/* the size is that of DWARF, whatever BTF has */
	add_var(s, "a", (struct var_facts){ .type = INT, .size = 4, .external = true });
	add_var(s, "b",
		(struct var_facts){ .type = THREE, .size = 7, .added = 0x20, .nr_tags = 2 });
	add_var(s, "elsewhere", (struct var_facts){ .type = INT, .size = 4 });
	add_var(s, "nowhere", (struct var_facts){ .type = INT, .size = 4 });
	add_var(s, "no_size", (struct var_facts){ .type = STRUCT_S });
	add_var(s, "no_type", (struct var_facts){ .size = 4 });
	vec_push(&f->tags, ((struct unit_tag){ test_name(&s->m, "tagged"), -1 }));
	vec_push(&f->tags, ((struct unit_tag){ test_name(&s->m, "part"), 2 }));
	CHECK_OK(READ_WITH_FACTS(s, DATA_ADDR + 8, DATA_ADDR + 0x10, DATA_ADDR + DATA_SIZE, 0,
				 DATA_ADDR + 0x40, DATA_ADDR + 0x50));
	CHECK_STR(unit_vars_text(&s->u), "a: type 1, 4 bytes at 1+0x8 global; "
					 "b: type 2, 7 bytes at 1+0x30 static, tag tagged -1, "
					 "tag part 2");
	CHECK_EQ(s->u.btf.unlocated.nr, 0);
}

TEST_WITH_INIT(a_variable_at_the_start_of_a_section_needs_a_symbol, setting, s)
{
	facts_begin(s, "int");
	add_var(s, "a", (struct var_facts){ .type = 1, .size = 4 });
	CHECK_OK(READ_WITH_FACTS(s, DATA_ADDR));
	CHECK_EQ(s->u.btf.vars.nr, 0);
}

TEST_WITH_INIT(records_from_the_function_start_on_are_no_types, setting, s)
{
	enum { INDEX = 2, ARRAY, POINTER };

	facts_begin(s, "int; int ul 8 64; array 1 2 3; ptr 1");
	s->start.index = INDEX;
	test_view_add(&s->m, "func_proto 1; func f 5; decl_tag tag 6");
	CHECK_OK(read_with_facts(s, NULL, 0));
	CHECK_EQ(s->u.btf.types.nr, POINTER + 1);
	CHECK_EQ(s->u.btf.index_tid, INDEX);
	CHECK(!s->u.btf.types.items[INDEX]);
	CHECK_EQ(unit_scene_pooled(&s->u, s->u.btf.types.items[ARRAY])[BTF_REC_WORDS + 1],
		 POOL_REF_INDEX);
	/* the facts list no functions */
	CHECK_EQ(s->u.btf.funcs.nr, 0);
}

TEST_WITH_INIT(facts_that_refer_to_no_type_are_refused, setting, s)
{
	facts_begin(s, "int");
	add_func_of(s, (struct func_facts){ .name = test_name(&s->m, "f"), .has_addr = true }, 0,
		    test_view_add(&s->m, "func_proto 1"));
	CHECK_ERR_TEXT(READ_WITH_FACTS(s, 0x1234), ERR_FORMAT,
		       "member: function 'f' refers to a record that is not a type");
}

/* --- facts that are ignored --------------------------------------------------------------------- */

static const struct {
	const char *name;
	bool other_btf, sum_unchecked, damaged;
	const char *warning; /* NULL: the block is read */
} damages[] = {
	{ "none", false, true, false, NULL },
	{ "of other BTF", true, true, false,
	  "member: its block in .debug.btf is ignored: it belongs to another .BTF" },
	{ "of other BTF, but the sum is checked", true, false, false, NULL },
	{ "damaged", false, true, true, "member: its block in .debug.btf is ignored: checksum " },
};

TEST_EACH(a_block_that_does_not_fit_is_ignored, damages, c)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s);
	s.u.opts.verbose = false;
	facts_begin(&s, "int");
	add_func(&s, "f", 1, "arg");
	test_view_add(&s.m, "func_proto 1; func f 2");
	set_btf(&s);
	set_facts(&s, (const uint64_t[]){ 0x1234 }, 1);
	s.member.sum_unchecked = c->sum_unchecked;
	s.member.block.key.sum += c->other_btf;
	s.section.items[s.section.nr - 1] ^= c->damaged;
	CHECK_OK(unit_from_btf(s.reader, &s.member, 0, &s.u.btf));
	CHECK_EQ(s.u.btf.origin.source, c->warning ? SOURCE_BTF : SOURCE_LINKED);
	CHECK_STR(unit_funcs_text(&s.u), c->warning ? "int f() @0x10" : "int f(arg int) @0x1234");
	CHECK_EQ(s.u.btf.diags.first != NULL, c->warning != NULL);
	if (c->warning) {
		CHECK(strstr(s.u.btf.diags.first->text, c->warning));
		CHECK_EQ(s.u.btf.diags.first->level, DIAG_WARNING);
	}
}
