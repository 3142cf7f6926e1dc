/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_from_btf.c - a member of an archive goes into the pools and becomes a unit contribution */
#include "encoder/member/unit_from_btf.h"

#include "btf/btf_serialize.h"
#include "encoder/member/member_note.h"
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
};

/* Functions f and small, of which there is an optimized copy only; variables of .data count. */
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
	static const bool var_sections[] = { false, true };

	*s = (struct setting){ .opts = { .features = FEATURE_VAR, .jobs = 1, .verbose = true } };
	str_pool_init(&s->strings);
	type_pool_init(&s->types);
	s->obj = (struct object){ .addr_size = 8 };
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
}

#define SETTING(s)                                           \
	CLEANUP(setting_release) struct setting setting_##s; \
	struct setting *const s = &setting_##s;              \
	setting_init(s)

/* Make @len bytes longer by @note, which has no strings of its own. */
static void append_note(uint8_t **bytes, size_t *len, const struct member_note *note)
{
	enum { FIELD_STR_LEN = 20 };
	struct member_note_bytes all = { mem_dup(*bytes, *len), *len, *len };
	uint32_t str_len;

	member_note_pack(note, (struct bytes){ 0 }, &all);
	memcpy(&str_len, all.items + FIELD_STR_LEN, sizeof(str_len));
	str_len += (uint32_t)(all.nr - *len);
	memcpy(all.items + FIELD_STR_LEN, &str_len, sizeof(str_len));
	free(*bytes);
	*bytes = all.items;
	*len = all.nr;
}

/* @m is unit @unit; @note may be NULL. */
static struct err *read_noted(struct setting *s, struct made *m, uint32_t unit,
			      const struct member_note *note)
{
	const struct btf_serialize_opts opts = { 0 };
	struct member member = { .where = "member" };

	unit_btf_release(&s->btf);
	s->btf = (struct unit_btf){ 0 };
	free(s->bytes);
	s->bytes = NULL;
	CHECK_OK(btf_serialize(&m->view.types, m->view.strings, &opts, &s->bytes,
			       &member.bytes.len));
	if (note)
		append_note(&s->bytes, &member.bytes.len, note);
	member.bytes.ptr = s->bytes;
	return unit_from_btf(s->reader, &member, unit, &s->btf);
}

static struct err *read_member(struct setting *s, struct made *m, uint32_t unit)
{
	return read_noted(s, m, unit, NULL);
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

/* What pahole's member says: no note. */
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

static void check_var(struct setting *s, const struct unit_var *v, const char *name,
		      const char *symbol, uint32_t order)
{
	CHECK_STR(str_pool_text(&s->strings, v->name), name);
	CHECK_STR(str_pool_text(&s->strings, v->symbol), symbol);
	CHECK_EQ(v->order, order);
}

TEST(variables_in_parts_that_are_no_vars_are_in_the_note)
{
	CLEANUP(member_note_release) struct member_note n = { .func_start = 3 };
	SETTING(s);
	SECOND_MEMBER(m);
	struct btf_types *t = &m->view.types;
	uint32_t i = the_int(m), two = add_array(t, i, i, 2);
	uint32_t a = add_var(t, str(m, "a"), i), b = add_var(t, str(m, "b"), two);
	const struct member_size sizes[] = {
		{ 0, 4, str(m, "first.0"), str(m, "first"), two, str(m, ".one"), BTF_LINK_STATIC },
		{ .var = 1, .size = 4, .symbol = str(m, "b.1") },
		{ 2, 4, str(m, "last.1"), str(m, "last"), two, str(m, ".two"), BTF_LINK_GLOBAL },
	};

	ADD(t, str(m, ".one"), btf_info(BTF_DATASEC, 2, false), 16, a, 8, 4, b, 16, 8);
	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++)
		vec_push(&n.sizes, sizes[k]);
	CHECK_OK(read_noted(s, m, 0, &n));
	CHECK(!s->btf.diags.first);
	CHECK_EQ(s->btf.vars.nr, 4);

	const struct input_section *one = &s->btf.homes.items[0], *other = &s->btf.homes.items[1];
	const struct unit_var *v = s->btf.vars.items;
	CHECK_EQ(one->nr, 3);
	CHECK_EQ(other->nr, 1);
	CHECK_STR(str_pool_text(&s->strings, other->name), ".two");
	check_var(s, &v[one->first], "first", "first.0", 0);
	check_var(s, &v[one->first + 1], "a", "a", 1);
	check_var(s, &v[one->first + 2], "b", "b.1", 2);
	check_var(s, &v[other->first], "last", "last.1", 3);
	CHECK(!v[one->first].offset && v[one->first].size == 8 && v[one->first].symbol_size == 4);
	CHECK(v[one->first].type == v[one->first + 2].type);
	CHECK(v[one->first].linkage == BTF_LINK_STATIC);
	CHECK(v[other->first].linkage == BTF_LINK_GLOBAL);
}

TEST(a_record_of_a_note_that_has_no_words_has_no_size)
{
	CLEANUP(member_note_release) struct member_note n = { .func_start = 1 };
	SETTING(s);
	SECOND_MEMBER(m);

	add_var(&m->view.types, str(m, "a"), the_int(m));
	vec_push(&n.words, 0);
	for (int k = 0; k < 3; k++)
		vec_push(&n.own, 0);
	vec_push(&n.var_types, 1);
	CHECK_OK(read_noted(s, m, 0, &n));
	CHECK(!s->btf.vars.nr);
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
