/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_from_btf.c - a member of an archive goes into the pools and becomes a unit contribution */
#include "encoder/member/unit_from_btf.h"

#include "btf/btf_serialize.h"
#include "tests/lib/btfmember.h"

#include <elf.h>
#include <stdlib.h>

struct setting {
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
	unit_btf_release(&s->btf);
	member_reader_free(s->reader);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
	free(s->bytes);
	free(s->section.items);
}

#define SETTING(s)                                           \
	CLEANUP(setting_release) struct setting setting_##s; \
	struct setting *const s = &setting_##s;              \
	setting_init(s)

/* The BTF of @m becomes that of the member. */
static void set_btf(struct setting *s, struct made *m)
{
	const struct btf_serialize_opts opts = { 0 };

	unit_btf_release(&s->btf);
	s->btf = (struct unit_btf){ 0 };
	free(s->bytes);
	s->bytes = NULL;
	CHECK_OK(btf_serialize(&m->view.types, m->view.strings, &opts, &s->bytes,
			       &s->member.bytes.len));
	s->member.bytes.ptr = s->bytes;
}

/* @m is unit @unit. */
static struct err *read_member(struct setting *s, struct made *m, uint32_t unit)
{
	set_btf(s, m);
	return unit_from_btf(s->reader, &s->member, unit, &s->btf);
}

/* The strings of a block. */
static const char OWN[] = "own";

/* The member gets a block of @f with @slots. */
static void set_facts(struct setting *s, const struct unit_facts *f, const uint64_t *slots,
		      uint32_t nr_slots)
{
	struct byte_vec body = { 0 };
	size_t at = 0;

	facts_body_append(f, &body);
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

static struct err *read_with_facts(struct setting *s, struct made *m, const struct unit_facts *f,
				   const uint64_t *slots, uint32_t nr_slots)
{
	set_btf(s, m);
	set_facts(s, f, slots, nr_slots);
	return unit_from_btf(s->reader, &s->member, 0, &s->btf);
}

#define READ_WITH_FACTS(s, m, f, ...)                               \
	read_with_facts(s, m, f, (const uint64_t[]){ __VA_ARGS__ }, \
			ARRAY_SIZE(((const uint64_t[]){ __VA_ARGS__ })))

/* The facts of a unit whose types are those of @m up to now. */
static void facts_begin(const struct made *m, struct unit_facts *f)
{
	*f = (struct unit_facts){ .lang = 30, .func_start = btf_types_end(&m->view.types) };
	vec_push(&f->words, 0);
}

#define FACTS(f, m)                                              \
	CLEANUP(unit_facts_release) struct unit_facts facts_##f; \
	struct unit_facts *const f = &facts_##f;                 \
	facts_begin(m, f)

/* Add a function with a parameter @param that returns @type. */
static void add_func_fact(struct unit_facts *f, struct func_facts func, uint32_t param,
			  uint32_t type)
{
	const uint32_t proto[] = { 0, btf_info(BTF_FUNC_PROTO, 1, false), type, param, type };

	func.proto = (uint32_t)f->words.nr;
	for (size_t i = 0; i < ARRAY_SIZE(proto); i++)
		vec_push(&f->words, proto[i]);
	vec_push(&f->funcs, func);
}

static uint32_t the_int(struct made *m)
{
	return add_int(&m->view.types, str(m, "int"));
}

static uint64_t place_of(struct setting *s, const char *text)
{
	uint32_t id = str_pool_find(&s->strings, text, strlen(text));

	return id ? ~str_pool_at(&s->strings, id)->inv_first_use : 0;
}

TEST(equal_types_of_two_members_are_one)
{
	SETTING(s);
	SECOND_MEMBER(a);
	SECOND_MEMBER(b);
	uint32_t first[5] = { 0 };

	for (int k = 0; k < 2; k++) {
		struct made *m = k ? b : a;
		struct btf_types *t = &m->view.types;

		if (k) /* other offsets and ids */
			add_ref(t, BTF_CONST, 0, 0);
		uint32_t i = the_int(m), st = add_struct1(t, str(m, "s"), str(m, "m"), i);
		add_ptr(t, st);
		add_array(t, i, i, 4);
		CHECK_OK(read_member(s, m, (uint32_t)k));
		for (uint32_t n = 1; n < 5; n++) {
			uint32_t id = s->btf.types.items[n + (uint32_t)k];

			CHECK(id);
			CHECK(!k || id == first[n]);
			first[n] = id;
		}
		CHECK(s->btf.has_arrays && s->btf.first_int == 1 + (uint32_t)k);
	}
	/* an array has the index type of the program */
	CHECK(type_pool_at(&s->types, first[4])->rec[BTF_REC_WORDS + 1] == POOL_REF_INDEX);
}

TEST(strings_come_in_where_they_stand)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t early = str(m, "early"), i = the_int(m);

	add_struct1(t, str(m, "later"), early, i);
	str(m, "unused");
	CHECK_OK(read_member(s, m, 3));
	CHECK(place_of(s, "early") < place_of(s, "int") &&
	      place_of(s, "int") < place_of(s, "later"));
	CHECK(place_of(s, "early") == str_place_at(3, early));
	CHECK(place_of(s, "unused") == UINT64_MAX);
}

TEST(two_of_one_name_make_a_crowd)
{
	SETTING(s);
	SECOND_MEMBER(m);
	uint32_t name = str(m, "s"), i = the_int(m);

	add_fwd(&m->view.types, name, false);
	CHECK_OK(read_member(s, m, 0));
	CHECK(!s->btf.multiply_defined.nr);
	add_struct1(&m->view.types, name, str(m, "m"), i);
	CHECK_OK(read_member(s, m, 1));
	CHECK(s->btf.multiply_defined.nr == 1);
}

TEST(what_waits_for_a_later_record_is_entered)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;

	add_ptr(t, 2);
	add_ref(t, BTF_CONST, 0, 3);
	add_ref(t, BTF_TYPEDEF, str(m, "t"), 4);
	the_int(m);
	CHECK_OK(read_member(s, m, 0));
	CHECK(!s->btf.irregular);

	const uint32_t *ptr = type_pool_at(&s->types, s->btf.types.items[1])->rec;
	CHECK(ptr[BTF_REC_SIZE_TYPE] == s->btf.types.items[2]);
}

TEST(a_circle_without_names_is_odd)
{
	SETTING(s);
	SECOND_MEMBER(m);

	add_ptr(&m->view.types, 2);
	add_ref(&m->view.types, BTF_CONST, 0, 1);
	CHECK_OK(read_member(s, m, 0));
	CHECK(s->btf.irregular);
}

/* A member of pahole has no facts. */
TEST(functions_of_the_table_are_held_back)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t i = the_int(m);
	uint32_t proto = ADD(t, 0, btf_info(BTF_FUNC_PROTO, 1, false), i, str(m, "arg"), i);

	add_ref(t, BTF_FUNC, str(m, "f"), proto);
	add_ref(t, BTF_FUNC, str(m, "unknown"), proto);
	add_ref(t, BTF_FUNC, str(m, "small"), proto);
	CHECK_OK(read_member(s, m, 0));
	/* the prototype is none of the unit's types */
	CHECK(s->btf.types.nr == 3 && s->btf.index_place == 2);
	CHECK(s->btf.funcs.nr == 1);
	CHECK(s->btf.funcs.items[0].func == 0 && s->btf.funcs.items[0].addr == 0x10);
	CHECK(s->btf.diags.first && strstr(s->btf.diags.first->text, "'small'"));
	CHECK(place_of(s, "arg") != UINT64_MAX);
}

TEST(a_prototype_that_a_type_has_too_is_a_type)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t i = the_int(m), proto = ADD(t, 0, btf_info(BTF_FUNC_PROTO, 0, false), i);

	add_ptr(t, proto);
	add_ref(t, BTF_FUNC, str(m, "f"), proto);
	CHECK_OK(read_member(s, m, 0));
	CHECK(s->btf.types.nr == 5 && s->btf.types.items[2]);
	CHECK(s->btf.funcs.items[0].proto == s->btf.types.items[2]);
}

TEST(in_a_relocatable_file_no_address_is_a_symbol_s)
{
	SETTING(s);
	SECOND_MEMBER(m);
	uint32_t proto = ADD(&m->view.types, 0, btf_info(BTF_FUNC_PROTO, 0, false), 0);

	add_ref(&m->view.types, BTF_FUNC, str(m, "f"), proto);
	s->obj.is_rel = true;
	CHECK_OK(read_member(s, m, 0));
	CHECK(s->btf.funcs.items[0].addr == UNIT_FUNC_NO_SYMBOL);
}

TEST(variables_are_together_by_section)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t i = the_int(m), a = add_var(t, str(m, "a"), i), b = add_var(t, str(m, "b"), i);
	uint32_t c = add_var(t, str(m, "c"), i);

	ADD(t, str(m, ".one"), btf_info(BTF_DATASEC, 2, false), 16, c, 0, 4, a, 8, 4);
	ADD(t, str(m, ".two"), btf_info(BTF_DATASEC, 1, false), 4, b, 0, 4);
	CHECK_OK(read_member(s, m, 0));
	CHECK(s->btf.vars.nr == 3);

	const struct input_section *one = &s->btf.homes.items[0], *two = &s->btf.homes.items[1];
	CHECK(one->nr == 2 && two->nr == 1 && two->first == 2);
	CHECK(!strcmp(str_pool_text(&s->strings, one->name), ".one"));

	const struct unit_var *first = &s->btf.vars.items[one->first];
	CHECK(first[0].order == 0 && first[0].offset == 8 && first[1].order == 2);
	/* what has no place yet may get none */
	CHECK(place_of(s, "a") == UINT64_MAX);
}

TEST(a_function_is_no_type)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t proto = ADD(t, 0, btf_info(BTF_FUNC_PROTO, 0, false), 0);
	uint32_t func = add_ref(t, BTF_FUNC, str(m, "f"), proto);

	add_ptr(t, func);
	CHECK_ERR_TEXT(read_member(s, m, 0), ERR_FORMAT, "member: ");
}

TEST(broken_btf_is_refused)
{
	SETTING(s);
	SECOND_MEMBER(m);

	add_ptr(&m->view.types, 7);
	CHECK_ERR_TEXT(read_member(s, m, 0), ERR_FORMAT, "refers to type 7");
}

/* --- facts ------------------------------------------------------------------------------------- */

static const struct unit_func *func_at(struct setting *s, size_t i)
{
	CHECK(i < s->btf.funcs.nr);
	return &s->btf.funcs.items[i];
}

TEST(functions_have_the_addresses_in_slots)
{
	SETTING(s);
	SECOND_MEMBER(m);
	uint32_t i = the_int(m);
	FACTS(f, m);

	f->name = str(m, "unit.c");
	f->features = FEATURE_FLOAT;
	f->recompiled = true;
	uint32_t name = str(m, "f"), small = str(m, "small"), other = str(m, "other");
	uint32_t own = (uint32_t)m->view.strings.len;
	add_func_fact(f, (struct func_facts){ .name = name, .slot = 1 }, own, i);
	add_func_fact(f, (struct func_facts){ .name = small }, own, i);
	add_func_fact(f, (struct func_facts){ .name = other, .slot = 2 }, own, i);
	CHECK_OK(READ_WITH_FACTS(s, m, f, 0x1234, 0x5678));
	CHECK(!s->btf.diags.first);
	CHECK(s->btf.have_facts && s->btf.placed && s->btf.have_lang && s->btf.recompiled);
	CHECK_EQ(s->btf.features, FEATURE_FLOAT);
	CHECK_STR(str_pool_text(&s->strings, s->btf.name), "unit.c");
	CHECK_EQ(s->btf.funcs.nr, 2); /* no symbol is called "other" */
	CHECK_EQ(func_at(s, 0)->addr, 0x1234);
	CHECK_EQ(func_at(s, 1)->addr, 0);

	const uint32_t *proto = type_pool_at(&s->types, func_at(s, 0)->proto)->rec;
	CHECK_STR(str_pool_text(&s->strings, proto[BTF_REC_WORDS]), OWN);
	CHECK_EQ(proto[BTF_REC_SIZE_TYPE], s->btf.types.items[i]);
}

TEST(without_addresses_functions_have_those_of_symbols)
{
	SETTING(s);
	SECOND_MEMBER(m);
	uint32_t i = the_int(m);
	FACTS(f, m);

	s->member.placed = false;
	add_func_fact(f, (struct func_facts){ .name = str(m, "f"), .slot = 1 }, 0, i);
	add_func_fact(f, (struct func_facts){ .name = str(m, "small"), .slot = 2 }, 0, i);
	CHECK_OK(READ_WITH_FACTS(s, m, f, 0x1234, 0x5678));
	CHECK(s->btf.have_facts && !s->btf.placed);
	CHECK_EQ(func_at(s, 0)->addr, 0x10);
	CHECK_EQ(func_at(s, 1)->addr, 0);
	s->obj.is_rel = true;
	CHECK_OK(READ_WITH_FACTS(s, m, f, 0x1234, 0x5678));
	CHECK_EQ(func_at(s, 0)->addr, UNIT_FUNC_NO_SYMBOL);
}

/* Return the name of the parameter of function "f". */
static const char *form_that_is_read(uint32_t made_with, uint32_t asked)
{
	SETTING(s);
	SECOND_MEMBER(m);
	uint32_t i = the_int(m), name = str(m, "f");
	FACTS(f, m);

	f->features = made_with;
	s->opts.features |= asked;
	add_func_fact(f, (struct func_facts){ .name = name, .slot = 1 }, str(m, "first"), i);
	add_func_fact(f, (struct func_facts){ .name = name, .second_form = true }, str(m, "second"),
		      i);
	add_func_fact(f, (struct func_facts){ .name = str(m, "small"), .slot = 2 }, str(m, "only"),
		      i);
	CHECK_OK(READ_WITH_FACTS(s, m, f, 0x1234, 0x5678));
	CHECK_EQ(s->btf.funcs.nr, 2);
	CHECK_EQ(func_at(s, 0)->addr, 0x1234); /* both forms have one slot */
	CHECK_EQ(func_at(s, 1)->addr, 0x5678);

	const uint32_t *proto = type_pool_at(&s->types, func_at(s, 0)->proto)->rec;
	return !strcmp(str_pool_text(&s->strings, proto[BTF_REC_WORDS]), "first") ? "first" :
										    "second";
}

TEST(a_function_has_the_form_that_true_signature_asks_for)
{
	const uint32_t on = FEATURE_TRUE_SIGNATURE;

	CHECK_STR(form_that_is_read(0, 0), "first");
	CHECK_STR(form_that_is_read(0, on), "second");
	CHECK_STR(form_that_is_read(on, 0), "second");
	CHECK_STR(form_that_is_read(on, on), "first");
}

TEST(variables_are_placed_by_slots)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t i = the_int(m), three = add_array(t, i, i, 3),
		 fwd = add_fwd(t, str(m, "s"), false);
	FACTS(f, m);
	/* the size is that of DWARF, whatever BTF has */
	const struct var_facts vars[] = {
		{ str(m, "a"), i, 4, true, 0, 1, 0, 0 },
		{ str(m, "b"), three, 7, false, 0x20, 2, 0, 2 },
		{ str(m, "elsewhere"), i, 4, true, 0, 3, 0, 0 },
		{ str(m, "nowhere"), i, 4, true, 0, 4, 0, 0 },
		{ str(m, "no_size"), fwd, 0, true, 0, 5, 0, 0 },
		{ str(m, "no_type"), 0, 4, true, 0, 6, 0, 0 },
	};

	for (size_t k = 0; k < ARRAY_SIZE(vars); k++)
		vec_push(&f->vars, vars[k]);
	vec_push(&f->tags, ((struct unit_tag){ str(m, "tag"), -1 }));
	vec_push(&f->tags, ((struct unit_tag){ str(m, "part"), 2 }));
	CHECK_OK(READ_WITH_FACTS(s, m, f, DATA_ADDR + 8, DATA_ADDR + 0x10, DATA_ADDR + DATA_SIZE, 0,
				 DATA_ADDR + 0x40, DATA_ADDR + 0x50));
	CHECK_EQ(s->btf.vars.nr, 2);
	CHECK_EQ(s->btf.homes.nr, 0);

	const struct unit_var *a = &s->btf.vars.items[0], *b = &s->btf.vars.items[1];
	CHECK_STR(str_pool_text(&s->strings, a->name), "a");
	CHECK(a->section == 1 && a->offset == 8 && a->size == 4 && !a->nr_tags);
	CHECK(a->type == i && a->linkage == BTF_LINK_GLOBAL);
	CHECK_STR(str_pool_text(&s->strings, b->name), "b");
	CHECK(b->section == 1 && b->offset == 0x30 && b->size == 7 && b->nr_tags == 2);
	CHECK(b->type == three && b->linkage == BTF_LINK_STATIC);

	const struct unit_tag *tags = s->btf.var_tags.items + b->tags;
	CHECK_STR(str_pool_text(&s->strings, tags[0].value), "tag");
	CHECK_STR(str_pool_text(&s->strings, tags[1].value), "part");
	CHECK(tags[0].component == -1 && tags[1].component == 2);
}

TEST(a_variable_at_the_start_of_a_section_needs_a_symbol)
{
	SETTING(s);
	SECOND_MEMBER(m);
	uint32_t i = the_int(m);
	FACTS(f, m);

	vec_push(&f->vars,
		 ((struct var_facts){ .name = str(m, "a"), .type = i, .size = 4, .slot = 1 }));
	CHECK_OK(READ_WITH_FACTS(s, m, f, DATA_ADDR));
	CHECK_EQ(s->btf.vars.nr, 0);
}

TEST(records_from_the_function_start_on_are_no_types)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t i = the_int(m), index = add_index(m);
	uint32_t array = add_array(t, i, index, 3), ptr = add_ptr(t, i);
	FACTS(f, m);

	uint32_t proto = ADD(t, 0, btf_info(BTF_FUNC_PROTO, 0, false), i);
	uint32_t func = add_func(t, str(m, "f"), 0, proto);
	ADD(t, str(m, "tag"), btf_info(BTF_DECL_TAG, 0, false), func, UINT32_MAX);
	f->index = index;
	CHECK_OK(read_with_facts(s, m, f, NULL, 0));
	CHECK_EQ(s->btf.types.nr, ptr + 1);
	CHECK_EQ(s->btf.index_place, index);
	CHECK(!s->btf.types.items[index]);
	CHECK_EQ(type_pool_at(&s->types, s->btf.types.items[array])->rec[BTF_REC_WORDS + 1],
		 POOL_REF_INDEX);
	/* the facts list no functions */
	CHECK_EQ(s->btf.funcs.nr, 0);
}

TEST(facts_that_refer_to_no_type_are_refused)
{
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t i = the_int(m);
	FACTS(f, m);

	uint32_t proto = ADD(t, 0, btf_info(BTF_FUNC_PROTO, 0, false), i);
	add_func_fact(f, (struct func_facts){ .name = str(m, "f"), .slot = 1 }, 0, proto);
	CHECK_ERR_TEXT(READ_WITH_FACTS(s, m, f, 0x1234), ERR_FORMAT,
		       "member: function 'f' refers to what is no type");
}

/* --- facts that are ignored --------------------------------------------------------------------- */

/* Read a member of function "f", whose block is @damage. */
static void check_ignored(void (*damage)(struct setting *s), const char *warning)
{
	SETTING(s);
	SECOND_MEMBER(m);
	uint32_t i = the_int(m), name = str(m, "f");
	FACTS(f, m);

	s->opts.verbose = false;
	add_func_fact(f, (struct func_facts){ .name = name, .slot = 1 }, 0, i);
	add_ref(&m->view.types, BTF_FUNC, name,
		ADD(&m->view.types, 0, btf_info(BTF_FUNC_PROTO, 0, false), i));
	set_btf(s, m);
	set_facts(s, f, (const uint64_t[]){ 0x1234 }, 1);
	s->member.sum_unchecked = true;
	damage(s);
	CHECK_OK(unit_from_btf(s->reader, &s->member, 0, &s->btf));
	CHECK_EQ(s->btf.have_facts, warning == NULL);
	CHECK_EQ(s->btf.placed, warning == NULL);
	CHECK_EQ(func_at(s, 0)->addr, warning ? 0x10 : 0x1234);
	CHECK_EQ(s->btf.diags.first != NULL, warning != NULL);
	if (warning) {
		CHECK(strstr(s->btf.diags.first->text, warning));
		CHECK_EQ(s->btf.diags.first->level, DIAG_WARNING);
	}
}

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

TEST(a_block_that_does_not_fit_is_ignored)
{
	check_ignored(no_damage, NULL);
	check_ignored(of_other_btf,
		      "member: its block in .debug_btf is passed over: it belongs to another .BTF");
	check_ignored(of_other_btf_but_checked, NULL);
	check_ignored(damaged, "member: its block in .debug_btf is passed over: checksum ");
}

TEST(a_note_of_an_older_btfenc_is_ignored)
{
	SETTING(s);
	SECOND_MEMBER(m);

	the_int(m);
	str(m, "btfnote\4");
	CHECK_OK(read_member(s, m, 0));
	CHECK(!s->btf.have_facts && s->btf.diags.first);
	CHECK_STR(s->btf.diags.first->text, "member: made by an older btfenc, whose note is passed "
					    "over; encode its object again");
}
