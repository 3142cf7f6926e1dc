/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One test per rule: the breach is found, where it is, and nothing else is. What the kernel
 * accepts was checked against BPF_BTF_LOAD.
 */
#include "check/btf_verify.h"

#include "base/cleanup.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

enum { INT_ = 1, S = 5, T = 7, U = 9, X = 11, Y = 13, SPACE = 15, DIGIT = 19, NAMES_END = 22 };
static const char names[] = "\0int\0s\0t\0u\0x\0y\0a b\0"
			    "1x";

/* An int in the first place of every test, because most need one. */
static void view_init(struct btf_view *v, const struct btf_view *base)
{
	*v = (struct btf_view){ .base = base,
				.strings = { (const uint8_t *)names, sizeof(names) } };
	btf_types_init(&v->types, base ? &base->types : NULL);
	if (base) {
		v->str_base = base->str_base + (uint32_t)base->strings.len;
		v->strings.len = 0;
	} else {
		add_int(&v->types, INT_);
	}
}

#define VIEW(v)                                              \
	CLEANUP(btf_view_release) struct btf_view v = { 0 }; \
	view_init(&v, NULL)

struct log {
	size_t nr;
	struct btf_finding first, last;
};

/* NR_RULES if nothing was found. */
static struct log verify(const struct btf_view *v)
{
	CLEANUP(btf_findings_release) struct btf_findings f = { 0 };
	struct log log = { .first.rule = NR_RULES, .last.rule = NR_RULES };

	btf_verify(v, &(struct btf_verify_opts){ .addr_size = 8 }, &f);
	btf_findings_sort(&f);
	for (size_t i = 0; i < f.nr; i++) {
		CHECK(i == 0 || f.items[i - 1].id <= f.items[i].id);
		CHECK(f.items[i].function != NULL);
	}
	log.nr = f.nr;
	if (f.nr) {
		log.first = f.items[0];
		log.last = f.items[f.nr - 1];
	}
	return log;
}

static const char *text_of(enum btf_rule_id rule)
{
	return rule == NR_RULES ? "-" : btf_rule(rule)->text;
}

static void check_clean(const struct btf_view *v, int line)
{
	struct log log = verify(v);

	if (log.nr)
		test_fail(__FILE__, line, "type %u, element %u: %s", log.first.id,
			  log.first.element, text_of(log.first.rule));
}

static void check_breach(const struct btf_view *v, uint32_t id, uint32_t element,
			 enum btf_rule_id rule, int line)
{
	struct log log = verify(v);

	if (log.nr != 1 || log.first.id != id || log.first.element != element ||
	    log.first.rule != rule)
		test_fail(__FILE__, line, "%zu findings, first: type %u, element %u: %s", log.nr,
			  log.first.id, log.first.element, text_of(log.first.rule));
}

#define CHECK_CLEAN(v) check_clean(v, __LINE__)
#define CHECK_BREACH(v, id, element, rule) check_breach(v, id, element, rule, __LINE__)
#define WHOLE UINT32_MAX

/* A view with the int and one record, which breaks one rule. */
#define CHECK_RECORD(rule, element, ...)             \
	do {                                         \
		VIEW(v_);                            \
		ADD(&v_.types, __VA_ARGS__);         \
		CHECK_BREACH(&v_, 2, element, rule); \
	} while (0)

#define CHECK_RECORD_CLEAN(...)              \
	do {                                 \
		VIEW(v_);                    \
		ADD(&v_.types, __VA_ARGS__); \
		CHECK_CLEAN(&v_);            \
	} while (0)

#define INFO(kind, vlen) btf_info(BTF_##kind, vlen, false)
#define KFLAG(kind, vlen) btf_info(BTF_##kind, vlen, true)

TEST(what_a_compiler_writes_passes)
{
	VIEW(v);
	struct btf_types *t = &v.types;

	uint32_t s = add_struct2(t, S, X, 1, Y, add_ptr(t, 4)); /* [2] PTR, [3] s */
	CHECK_EQ(s, 3);
	add_ref(t, BTF_CONST, 0, 3);
	add_array(t, 3, 1, 4);
	add_ref(t, BTF_TYPEDEF, T, 5);
	ADD(t, 0, INFO(FUNC_PROTO, 2), 0, X, 2, 0, 0);
	ADD(t, X, btf_info(BTF_FUNC, BTF_LINK_GLOBAL, false), 7);
	uint32_t var = add_var(t, Y, 6);
	ADD(t, SPACE, INFO(DATASEC, 1), 64, var, 0, 64);
	ADD(t, T, INFO(DECL_TAG, 0), 8, 0);
	ADD(t, T, INFO(TYPE_TAG, 0), 4);
	ADD(t, 0, KFLAG(ENUM, 1), 4, X, UINT32_MAX);
	ADD(t, U, INFO(ENUM64, 1), 8, Y, 1, 1);
	ADD(t, INT_, INFO(FLOAT, 0), 8);
	add_fwd(t, U, true);
	CHECK_CLEAN(&v);
}

TEST(nothing_is_too_little)
{
	CLEANUP(btf_view_release) struct btf_view v = {
		.strings = { (const uint8_t *)names, sizeof(names) },
	};

	btf_types_init(&v.types, NULL);
	CHECK_BREACH(&v, 0, WHOLE, RULE_NO_TYPES);
}

TEST(elements_and_flags_belong_to_some_kinds)
{
	CHECK_RECORD(RULE_ELEMENTS, WHOLE, 0, INFO(PTR, 1), 1);
	CHECK_RECORD(RULE_ELEMENTS, WHOLE, T, INFO(TYPEDEF, 1), 1);
	CHECK_RECORD(RULE_KIND_FLAG, WHOLE, 0, KFLAG(CONST, 0), 1);
	CHECK_RECORD(RULE_KIND_FLAG, WHOLE, INT_, KFLAG(FLOAT, 0), 4);
	CHECK_RECORD_CLEAN(S, KFLAG(FWD, 0), 0);
	CHECK_RECORD(RULE_KIND_FLAG_TAG, WHOLE, S, KFLAG(TYPE_TAG, 0), 1);
}

TEST(names_follow_the_kind)
{
	CHECK_RECORD(RULE_NAME_UNWANTED, WHOLE, T, INFO(PTR, 0), 1);
	CHECK_RECORD(RULE_NAME_UNWANTED, WHOLE, T, INFO(FUNC_PROTO, 0), 0);
	CHECK_RECORD(RULE_NAME_MISSING, WHOLE, 0, INFO(TYPEDEF, 0), 1);
	CHECK_RECORD(RULE_NAME_IDENTIFIER, WHOLE, SPACE, INFO(FWD, 0), 0);
	CHECK_RECORD(RULE_NAME_IDENTIFIER, WHOLE, DIGIT, INFO(STRUCT, 0), 0);
	CHECK_RECORD(RULE_NAME_VALUE, WHOLE, 0, INFO(TYPE_TAG, 0), 1);
	CHECK_RECORD(RULE_NAME_MISSING, WHOLE, 0, INFO(DATASEC, 0), 4);
	CHECK_RECORD_CLEAN(SPACE, INFO(TYPE_TAG, 0), 1);
	CHECK_RECORD_CLEAN(SPACE, INFO(INT, 0), 4, 32);
}

/* Is a struct of this name accepted? */
static bool name_passes(const char *name)
{
	char buf[600] = "";
	struct btf_view v = { .strings = { (const uint8_t *)buf, sizeof(buf) } };

	memcpy(buf + 1, name, strlen(name));
	btf_types_init(&v.types, NULL);
	add_struct0(&v.types, 1);
	bool pass = verify(&v).nr == 0;
	btf_view_release(&v);
	return pass;
}

TEST(identifiers_are_those_of_the_kernel)
{
	char longest[514];

	CHECK(name_passes("_a.b9"));
	CHECK(name_passes(".L1"));
	CHECK(!name_passes("9a"));
	CHECK(!name_passes("a-b"));
	CHECK(!name_passes("a<b>"));
	CHECK(name_passes("\xe9t\xe9")); /* Latin-1 letters */
	CHECK(!name_passes("\xc3\xa9")); /* the same in UTF-8: a letter and a sign */
	memset(longest, 'a', 513);
	longest[513] = '\0';
	CHECK(!name_passes(longest));
	longest[512] = '\0';
	CHECK(name_passes(longest));
}

TEST(integers_have_an_encoding_and_fit_their_size)
{
	CHECK_RECORD(RULE_INT_UNUSED, WHOLE, INT_, INFO(INT, 0), 4, 0x10000020);
	CHECK_RECORD(RULE_INT_ENCODING, WHOLE, INT_, INFO(INT, 0), 1, 0x03000008);
	CHECK_RECORD(RULE_INT_SIZE, WHOLE, INT_, INFO(INT, 0), 1, 9);
	CHECK_RECORD(RULE_INT_BITS, WHOLE, INT_, INFO(INT, 0), 32, 0x00010080);
	CHECK_RECORD_CLEAN(INT_, INFO(INT, 0), 16, 0x80);
}

TEST(arrays_are_of_something_by_something)
{
	CHECK_RECORD(RULE_ARRAY_SIZE_WORD, WHOLE, 0, INFO(ARRAY, 0), 4, 1, 1, 1);

	VIEW(v);
	add_array(&v.types, 0, 1, 1);
	CHECK_BREACH(&v, 2, WHOLE, RULE_ARRAY_VOID);
}

TEST(members_are_in_order_and_inside)
{
	CHECK_RECORD(RULE_MEMBER_ORDER, 1, S, INFO(STRUCT, 2), 16, X, 1, 64, Y, 1, 32);
	CHECK_RECORD(RULE_UNION_OFFSET, 0, S, INFO(UNION, 1), 16, X, 1, 32);
	CHECK_RECORD(RULE_MEMBER_END, 0, S, INFO(STRUCT, 1), 4, X, 1, 8);
	CHECK_RECORD(RULE_MEMBER_NAME, 1, S, INFO(STRUCT, 2), 8, X, 1, 0, DIGIT, 1, 32);
	CHECK_RECORD(RULE_MEMBER_VOID, 0, S, INFO(STRUCT, 1), 4, X, 0, 0);

	VIEW(v);
	ADD(&v.types, S, INFO(STRUCT, 1), 4, X, 1, 40);
	CHECK_BREACH(&v, 2, 0, RULE_MEMBER_START);
}

TEST(bit_fields_have_a_type_that_is_wide_enough)
{
	CHECK_RECORD_CLEAN(S, KFLAG(STRUCT, 2), 8, X, 1, 5u << 24, Y, 1, 7u << 24 | 5);
	CHECK_RECORD(RULE_BITS_WIDE, 0, S, KFLAG(STRUCT, 1), 8, X, 1, 33u << 24);
	CHECK_RECORD(RULE_MEMBER_BYTE, 0, S, KFLAG(STRUCT, 1), 8, X, 1, 3);

	VIEW(v);
	add_ptr(&v.types, 0);
	ADD(&v.types, S, KFLAG(STRUCT, 1), 8, X, 2, 3u << 24);
	CHECK_BREACH(&v, 3, 0, RULE_BITS_TYPE);
}

TEST(enumerators_have_names_and_enums_a_size)
{
	CHECK_RECORD(RULE_ENUM_SIZE, WHOLE, 0, INFO(ENUM, 0), 3);
	CHECK_RECORD(RULE_ENUM_SIZE, WHOLE, 0, INFO(ENUM64, 0), 16);
	CHECK_RECORD(RULE_ENUMERATOR_NAME, 1, 0, INFO(ENUM, 2), 4, X, 1, 0, 2);
	CHECK_RECORD(RULE_ENUMERATOR_NAME, 1, 0, INFO(ENUM64, 2), 8, X, 1, 1, DIGIT, 2, 2);
}

TEST(declarations_and_floats_are_checked)
{
	CHECK_RECORD(RULE_FWD_TYPE_WORD, WHOLE, S, INFO(FWD, 0), 1);
	CHECK_RECORD(RULE_FLOAT_SIZE, WHOLE, INT_, INFO(FLOAT, 0), 10);
}

TEST(extern_is_refused)
{
	VIEW(v);

	ADD(&v.types, 0, INFO(FUNC_PROTO, 0), 0);
	ADD(&v.types, X, btf_info(BTF_FUNC, BTF_LINK_EXTERN, false), 2);
	CHECK_BREACH(&v, 3, WHOLE, RULE_FUNC_LINKAGE);
	CHECK_RECORD(RULE_VAR_LINKAGE, WHOLE, X, INFO(VAR, 0), 1, BTF_LINK_EXTERN);
}

TEST(variables_have_a_size)
{
	VIEW(v);

	add_fwd(&v.types, S, false);
	add_var(&v.types, X, 2);
	CHECK_BREACH(&v, 3, WHOLE, RULE_VAR_SIZE);
}

/* Two variables of 4 bytes in a section of 8. */
static enum btf_rule_id section_breach(uint32_t off1, uint32_t size1, uint32_t off2, uint32_t size2)
{
	VIEW(v);

	add_var(&v.types, X, 1);
	add_var(&v.types, Y, 1);
	ADD(&v.types, S, INFO(DATASEC, 2), 8, 2, off1, size1, 3, off2, size2);
	struct log log = verify(&v);
	return log.first.rule;
}

TEST(sections_list_their_variables_side_by_side)
{
	CHECK_EQ(section_breach(0, 4, 4, 4), NR_RULES);
	CHECK_EQ(section_breach(4, 4, 0, 4), RULE_SECTION_VAR_OVERLAP);
	CHECK_EQ(section_breach(0, 4, 3, 4), RULE_SECTION_VAR_OVERLAP);
	CHECK_EQ(section_breach(0, 4, 5, 4), RULE_SECTION_VAR_END);
	CHECK_EQ(section_breach(0, 4, UINT32_MAX, 4), RULE_SECTION_VAR_END);
	CHECK_EQ(section_breach(0, 4, 4, 0), RULE_SECTION_VAR_SIZE);
	CHECK_EQ(section_breach(0, 3, 4, 4), RULE_SECTION_VAR_SMALL);
	CHECK_RECORD(RULE_SECTION_EMPTY, WHOLE, S, INFO(DATASEC, 0), 0);
	CHECK_RECORD(RULE_SECTION_NO_VAR, 0, S, INFO(DATASEC, 1), 8, 1, 0, 4);
}

TEST(functions_have_prototypes_with_named_parameters)
{
	CHECK_RECORD(RULE_FUNC_PROTO, WHOLE, X, INFO(FUNC, 0), 1);

	VIEW(v);
	ADD(&v.types, 0, INFO(FUNC_PROTO, 2), 0, X, 1, 0, 1);
	CHECK_CLEAN(&v);
	ADD(&v.types, X, INFO(FUNC, 0), 2);
	CHECK_BREACH(&v, 3, WHOLE, RULE_FUNC_PARAM_NAME);
}

TEST(prototypes_take_and_return_values)
{
	CHECK_RECORD(RULE_PARAM_SIZE, 0, 0, INFO(FUNC_PROTO, 2), 0, 0, 0, X, 1);
	CHECK_RECORD(RULE_DOTS_NAME, 0, 0, INFO(FUNC_PROTO, 1), 0, X, 0);

	VIEW(v);
	add_fwd(&v.types, S, false);
	ADD(&v.types, 0, INFO(FUNC_PROTO, 0), 2);
	CHECK_BREACH(&v, 3, WHOLE, RULE_RETURN_SIZE);
}

TEST(type_tags_come_first)
{
	VIEW(good);
	add_ref(&good.types, BTF_CONST, 0, 1);
	add_ref(&good.types, BTF_TYPE_TAG, T, 2);
	add_ref(&good.types, BTF_TYPE_TAG, U, 3);
	add_ptr(&good.types, 4);
	CHECK_CLEAN(&good);

	VIEW(bad);
	add_ref(&bad.types, BTF_TYPE_TAG, T, 1);
	add_ref(&bad.types, BTF_CONST, 0, 2);
	CHECK_BREACH(&bad, 3, WHOLE, RULE_TAG_ORDER);
}

TEST(component_tags_name_a_component)
{
	CHECK_RECORD(RULE_TAG_TARGET, WHOLE, T, INFO(DECL_TAG, 0), 1, UINT32_MAX);

	VIEW(v);
	add_struct1(&v.types, S, X, 1);
	ADD(&v.types, T, INFO(DECL_TAG, 0), 2, 0);
	CHECK_CLEAN(&v);
	ADD(&v.types, T, INFO(DECL_TAG, 0), 2, 1);
	CHECK_BREACH(&v, 4, WHOLE, RULE_TAG_COMPONENT_MISSING);
	btf_types_rec(&v.types, 4)[3] = (uint32_t)-2;
	CHECK_EQ(verify(&v).first.rule, RULE_TAG_COMPONENT);
}

TEST(a_struct_does_not_contain_itself)
{
	VIEW(v);

	ADD(&v.types, S, INFO(STRUCT, 1), 8, X, 3, 0);
	add_array(&v.types, 4, 1, 1);
	add_ref(&v.types, BTF_CONST, 0, 2);
	CHECK_BREACH(&v, 2, WHOLE, RULE_LOOP);

	VIEW(through_pointer);
	ADD(&through_pointer.types, S, INFO(STRUCT, 1), 8, X, 3, 0);
	add_ptr(&through_pointer.types, 2);
	CHECK_CLEAN(&through_pointer);
}

TEST(pointers_lead_somewhere)
{
	VIEW(v);

	add_ptr(&v.types, 3);
	add_ref(&v.types, BTF_CONST, 0, 2);
	CHECK_EQ(verify(&v).first.rule, RULE_LOOP);

	VIEW(typedefs); /* the tag check has a limit of its own */
	add_ref(&typedefs.types, BTF_TYPEDEF, T, 2);
	CHECK_BREACH(&typedefs, 2, WHOLE, RULE_CHAIN);
}

/* Structs that contain the next one, the outermost first. */
static size_t nest(uint32_t depth)
{
	VIEW(v);

	for (uint32_t i = 0; i < depth; i++)
		ADD(&v.types, S, INFO(STRUCT, 1), 4, X, i + 1 < depth ? i + 3 : 1, 0);
	struct log log = verify(&v);
	CHECK(!log.nr || log.first.rule == RULE_DEPTH);
	return log.nr;
}

TEST(nesting_is_limited)
{
	CHECK_EQ(nest(32), 0);
	CHECK_EQ(nest(33), 1);
	CHECK(nest(1000) >= 1);
}

TEST(split_btf_is_judged_by_what_it_refers_to_in_the_base)
{
	VIEW(base);
	add_fwd(&base.types, S, false); /* [2] */
	add_ref(&base.types, BTF_CONST, 0, 1);
	add_ref(&base.types, BTF_RESTRICT, T, 1); /* a breach of the base's own */

	CLEANUP(btf_view_release) struct btf_view v = { 0 };
	view_init(&v, &base);
	CHECK_CLEAN(&v); /* it may be empty, too */
	add_var(&v.types, X, 3);
	add_array(&v.types, 1, 3, 4);
	CHECK_CLEAN(&v);
	add_var(&v.types, Y, 2);
	CHECK_BREACH(&v, 7, WHOLE, RULE_VAR_SIZE);
}

TEST(findings_come_in_the_order_of_ids)
{
	VIEW(v);

	add_var(&v.types, X, 4); /* found last, by resolution */
	ADD(&v.types, INT_, INFO(FLOAT, 0), 3);
	add_fwd(&v.types, DIGIT, false);
	struct log log = verify(&v); /* checks the order */
	CHECK_EQ(log.nr, 3);
	CHECK_EQ(log.first.id, 2);
	CHECK_EQ(log.last.id, 4);
}
