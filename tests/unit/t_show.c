/* SPDX-License-Identifier: GPL-2.0-only */
/* What no compiler writes, and what only some do, is printed as C or refused: nothing hangs. */
#include "show/print.h"

#include "base/cleanup.h"
#include "show/layout.h"
#include "tests/lib/btfview.h"
#include "tests/lib/testlib.h"

#define VIEW(var)                                                \
	CLEANUP(test_view_release) struct test_view var = { 0 }; \
	test_view_init(&var)

static uint32_t add_kind(struct test_view *v, enum btf_kind kind, const char *name, uint32_t to)
{
	return add_ref(&v->view.types, kind, name ? test_name(v, name) : 0, to);
}

static uint32_t add_number(struct test_view *v, const char *name, uint32_t size)
{
	return ADD(&v->view.types, test_name(v, name), btf_info(BTF_INT, 0, false), size, size * 8);
}

/* One member, at 0. */
static uint32_t add_holder(struct test_view *v, enum btf_kind kind, const char *name, uint32_t size,
			   const char *member, uint32_t type)
{
	return ADD(&v->view.types, name ? test_name(v, name) : 0, btf_info(kind, 1, false), size,
		   member ? test_name(v, member) : 0, type, 0);
}

/* The text of @id, without comments, in *ret. */
static struct err *print(struct test_view *v, uint32_t id, const struct print_style *style,
			 struct text *ret)
{
	CLEANUP(types_release) struct show_types t = { 0 };

	types_init(&t, &v->view, 8);
	struct printer p = { .types = &t, .text = ret, .style = style, .room = 1 << 20 };
	struct err *e = print_type(&p, id, NULL, NULL);
	text_char(ret, '\0');
	return e;
}

static const struct print_style quiet = { .cacheline = 64, .quiet = true };
static const struct print_style expanding = { .cacheline = 64, .quiet = true, .expand = true };

#define CHECK_PRINTS(v, id, style, want)                         \
	do {                                                     \
		CLEANUP(text_release) struct text text_ = { 0 }; \
		CHECK_OK(print(v, id, style, &text_));           \
		CHECK_STR(text_.items, want);                    \
	} while (0)

#define CHECK_REFUSES(v, id, style, kind, part)                          \
	do {                                                             \
		CLEANUP(text_release) struct text text_ = { 0 };         \
		CHECK_ERR_TEXT(print(v, id, style, &text_), kind, part); \
	} while (0)

TEST(lengths_of_arrays_come_in_the_order_of_c)
{
	VIEW(v);
	uint32_t number = add_number(&v, "int", 4);
	uint32_t three = add_array(&v.view.types, number, number, 3);
	uint32_t two = add_array(&v.view.types, three, number, 2);
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 24, "a", two);

	CHECK_PRINTS(&v, s, &quiet, "struct s {\n\tint                        a[2][3];\n};");
}

TEST(a_member_without_a_name_has_none)
{
	VIEW(v);
	uint32_t number = add_number(&v, "int", 4);
	uint32_t inner = add_holder(&v, BTF_STRUCT, NULL, 4, "a", number);
	uint32_t alias = add_kind(&v, BTF_TYPEDEF, "alias", inner);
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 4, NULL, alias);

	CHECK_PRINTS(&v, s, &quiet, "struct s {\n\talias                      ;\n};");
}

TEST(type_tags_are_not_seen)
{
	VIEW(v);
	uint32_t number = add_number(&v, "int", 4);
	uint32_t tag = add_kind(&v, BTF_TYPE_TAG, "user", number);
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 8, "a", add_ptr(&v.view.types, tag));
	uint32_t direct = add_holder(&v, BTF_STRUCT, "t", 4, "a", tag);

	CHECK_PRINTS(&v, s, &quiet, "struct s {\n\tint *                      a;\n};");
	CHECK_PRINTS(&v, direct, &quiet, "struct t {\n\tint                        a;\n};");
}

TEST(what_lies_in_itself_is_an_error)
{
	VIEW(v);
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 8, "a", 2);
	add_holder(&v, BTF_UNION, "u", 8, "b", s);

	CHECK_REFUSES(&v, s, &quiet, ERR_FORMAT, "it lies in itself");
	CHECK_REFUSES(&v, s, &expanding, ERR_FORMAT, "it lies in itself");
	CHECK_REFUSES(&v, 2, &quiet, ERR_FORMAT, "it lies in itself");
}

TEST(what_stands_for_itself_is_an_error)
{
	VIEW(v);
	uint32_t alias = add_kind(&v, BTF_TYPEDEF, "t", 1);
	uint32_t fixed = add_kind(&v, BTF_CONST, NULL, 2);
	uint32_t pointer = add_ptr(&v.view.types, 3);
	uint32_t array = add_array(&v.view.types, 4, 4, 2);
	uint32_t tag = add_kind(&v, BTF_TYPE_TAG, "g", 5);

	for (uint32_t type = alias; type <= tag; type++) {
		uint32_t s = add_holder(&v, BTF_STRUCT, "s", 8, "a", type);

		if (type == pointer) {
			CHECK_REFUSES(&v, s, &quiet, ERR_LIMIT, "types nest deeper than 256");
			continue;
		}
		CHECK_REFUSES(&v, s, &quiet, ERR_FORMAT, "more than 256 types in a chain");
	}
	CHECK(fixed < pointer && array < tag);
}

TEST(a_prototype_of_itself_is_an_error)
{
	VIEW(v);
	uint32_t pointer = add_ptr(&v.view.types, 2);
	ADD(&v.view.types, 0, btf_info(BTF_FUNC_PROTO, 2, false), 0, 0, pointer, 0, pointer);
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 8, "a", pointer);

	CHECK_REFUSES(&v, s, &quiet, ERR_LIMIT, "nest deeper");
}

/* Two parameters each: the text of 40 of them would be as long as 2^40. */
TEST(text_that_doubles_with_each_level_is_an_error)
{
	VIEW(v);
	uint32_t below = add_number(&v, "int", 4);

	for (size_t i = 0; i < 40; i++) {
		uint32_t proto = ADD(&v.view.types, 0, btf_info(BTF_FUNC_PROTO, 2, false), 0, 0,
				     below, 0, below);
		below = add_ptr(&v.view.types, proto);
	}
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 8, "a", below);
	CHECK_REFUSES(&v, s, &quiet, ERR_LIMIT, "bytes of text");
}

TEST(a_nameless_struct_behind_its_own_pointer_is_an_error)
{
	VIEW(v);
	uint32_t pointer = add_ptr(&v.view.types, 2);
	add_holder(&v, BTF_STRUCT, NULL, 8, "a", pointer);
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 8, "a", pointer);

	CHECK_REFUSES(&v, s, &quiet, ERR_LIMIT, "nest deeper");
}

TEST(what_is_no_type_is_refused)
{
	VIEW(v);
	uint32_t number = add_number(&v, "int", 4);
	uint32_t var = add_var(&v.view.types, test_name(&v, "x"), number);
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 8, "a", var);
	uint32_t p = add_holder(&v, BTF_STRUCT, "p", 8, "a", add_ptr(&v.view.types, var));

	CHECK_REFUSES(&v, s, &quiet, ERR_FORMAT, "type 2: VAR is used as a type");
	CHECK_REFUSES(&v, p, &quiet, ERR_FORMAT, "type 2: VAR is used as a type");
}

TEST(an_array_larger_than_any_memory_is_refused)
{
	VIEW(v);
	uint32_t number = add_number(&v, "int", 4);
	uint32_t large = add_array(&v.view.types, number, number, UINT32_MAX);
	uint32_t larger = add_array(&v.view.types, large, number, UINT32_MAX);
	uint32_t fits = add_holder(&v, BTF_STRUCT, "s", 4, "a", large);
	uint32_t s = add_holder(&v, BTF_STRUCT, "t", 4, "a", larger);

	CHECK_PRINTS(&v, fits, &quiet,
		     "struct s {\n\tint                        a[4294967295];\n};");
	CHECK_REFUSES(&v, s, &quiet, ERR_LIMIT, "more than 2^48 bytes");
}

/* 2000 structs, each in the next: no depth of calls is spent on that. */
TEST(structs_may_lie_in_structs_at_any_depth)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	uint32_t below = add_number(&v, "long", 8);

	for (size_t i = 0; i < 2000; i++)
		below = add_holder(&v, BTF_STRUCT, "s", 8, "a", below);
	types_init(&t, &v.view, 0);
	CHECK_EQ(t.addr_size, 8);
	CHECK_EQ(types_alignment(&t, below), 8);
	CHECK_OK(types_failed(&t));
	CHECK_REFUSES(&v, below, &expanding, ERR_LIMIT, "nest deeper");
	CHECK_PRINTS(&v, below, &quiet, "struct s {\n\tstruct s                   a;\n};");
}

TEST(a_pointer_is_as_large_as_long)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 }, said = { 0 };
	uint32_t number = add_number(&v, "unsigned long", 4);
	uint32_t pointer = add_ptr(&v.view.types, number);

	types_init(&t, &v.view, 0);
	CHECK_EQ(types_size(&t, pointer), 4);
	types_init(&said, &v.view, 8);
	CHECK_EQ(types_size(&said, pointer), 8);
}

TEST(members_behind_the_end_leave_no_padding)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	CLEANUP(layout_release) struct layout l = { 0 };
	uint32_t number = add_number(&v, "int", 4);
	uint32_t s = ADD(&v.view.types, test_name(&v, "s"), btf_info(BTF_STRUCT, 2, false), 4,
			 test_name(&v, "a"), number, 0, test_name(&v, "b"), number, 1 << 20);

	types_init(&t, &v.view, 8);
	layout_find(&t, s, 64, &l);
	CHECK_EQ(l.padding, 0);
	CHECK_EQ(l.nr_holes, 1);
	CHECK_EQ(l.items[0].hole, (1 << 17) - 4);
	CHECK_OK(types_failed(&t));
}

TEST(paddings_are_counted_beyond_64_kib)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	CLEANUP(layout_release) struct layout l = { 0 };
	uint32_t s = add_holder(&v, BTF_STRUCT, "s", 1 << 20, "a", add_number(&v, "int", 4));

	types_init(&t, &v.view, 8);
	layout_find(&t, s, 64, &l);
	CHECK_EQ(l.padding, (1 << 20) - 4);
}

/* As in pahole, what an outer struct tells counts from when it is looked at. */
TEST(a_struct_off_its_alignment_is_packed_from_then_on)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	CLEANUP(layout_release) struct layout in = { 0 }, out = { 0 };
	uint32_t number = add_number(&v, "int", 4), byte = add_number(&v, "char", 1);
	uint32_t inner = ADD(&v.view.types, test_name(&v, "in"), btf_info(BTF_STRUCT, 2, false), 8,
			     test_name(&v, "a"), byte, 0, test_name(&v, "b"), number, 32);
	uint32_t outer = ADD(&v.view.types, test_name(&v, "out"), btf_info(BTF_STRUCT, 2, false),
			     12, test_name(&v, "c"), byte, 0, test_name(&v, "d"), inner, 8);

	types_init(&t, &v.view, 8);
	layout_find(&t, inner, 64, &in);
	layout_find(&t, outer, 64, &out);
	CHECK(!packed_guess(&t, inner, &in));
	CHECK_EQ(out.padding, 3);
	CHECK(!packed_guess(&t, outer, &out));
	CHECK(packed_guess(&t, inner, &in));
}
