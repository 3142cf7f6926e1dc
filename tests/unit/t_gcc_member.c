/* SPDX-License-Identifier: GPL-2.0-only */
#include "encoder/member/gcc_member.h"

#include "check/btf_verify.h"
#include "tests/lib/btfmember.h"

enum {
	ALL = ~0u,
	SIGNED_CHAR = BTF_ENC_SIGNED | BTF_ENC_CHAR,
};

static uint32_t add_float(struct made *m, const char *name, uint32_t size)
{
	return ADD(&m->view.types, str(m, name), btf_info(BTF_FLOAT, 0, false), size);
}

static uint32_t kind_of(const struct made *m, uint32_t id)
{
	return btf_info_kind(btf_types_rec(&m->view.types, id)[BTF_REC_INFO]);
}

static uint32_t count(const struct made *m, enum btf_kind kind)
{
	uint32_t nr = 0;

	for (uint32_t id = 1; id < btf_types_end(&m->view.types); id++)
		nr += kind_of(m, id) == kind;
	return nr;
}

/* The only record of @kind that has @name; NULL matches every name. */
static const uint32_t *find(const struct made *m, enum btf_kind kind, const char *name)
{
	const uint32_t *found = NULL;

	for (uint32_t id = 1; id < btf_types_end(&m->view.types); id++) {
		const uint32_t *rec = btf_types_rec(&m->view.types, id);

		if (kind_of(m, id) != kind ||
		    (name && strcmp(btf_view_str(&m->view, NULL, rec[BTF_REC_NAME]), name)))
			continue;
		CHECK(!found);
		found = rec;
	}
	CHECK(found);
	return found;
}

static struct err *try_normalise(struct made *m, uint32_t features, const struct gcc_tags *tags,
				 struct gcc_member_counts *n)
{
	CLEANUP(gcc_member_release) struct gcc_member result = { 0 };

	TRY(gcc_member_normalise(&m->view, features, tags, &result));
	*n = result.n;
	return NULL;
}

/* Normalise, and let the kernel's rules judge the result. */
static void normalise_with(struct made *m, uint32_t features, const struct gcc_tags *tags,
			   struct gcc_member_counts *n)
{
	CLEANUP(btf_findings_release) struct btf_findings f = { 0 };

	CHECK_OK(try_normalise(m, features, tags, n));
	btf_verify(&m->view, &(struct btf_verify_opts){ 0 }, &f);
	for (size_t i = 0; i < f.nr; i++)
		printf("# [%u] element %d: %s\n", f.items[i].id, (int)f.items[i].element,
		       btf_rule(f.items[i].rule)->text);
	CHECK_EQ(f.nr, 0);
}

static void normalise(struct made *m, struct gcc_member_counts *n)
{
	normalise_with(m, ALL, NULL, n);
}

/* --- numbers ------------------------------------------------------------------------------ */

TEST(characters_become_numbers)
{
	MEMBER(m);
	add_number(m, "char", 1, SIGNED_CHAR);
	add_number(m, "unsigned char", 1, BTF_ENC_CHAR);
	add_number(m, "_Bool", 1, BTF_ENC_BOOL);
	normalise(m, &n);
	CHECK_EQ(find(m, BTF_INT, "char")[3], BTF_ENC_SIGNED << 24 | 8);
	CHECK_EQ(find(m, BTF_INT, "unsigned char")[3], 8);
	CHECK_EQ(find(m, BTF_INT, "_Bool")[3], BTF_ENC_BOOL << 24 | 8);
	CHECK_EQ(n.ints, 2);
}

TEST(floats_that_btf_has_stay)
{
	MEMBER(m);
	add_float(m, "float", 4);
	add_float(m, "long double", 16);
	add_float(m, "x87", 12);
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_FLOAT), 3);
	CHECK_EQ(n.floats, 0);
}

TEST(a_float_that_btf_does_not_have_is_bytes)
{
	MEMBER(m);
	add_float(m, "complex long double", 32);
	normalise(m, &n);

	const uint32_t *rec = find(m, BTF_STRUCT, "");
	CHECK_EQ(rec[BTF_REC_SIZE_TYPE], 32);
	CHECK_EQ(btf_info_vlen(rec[BTF_REC_INFO]), 0);
	CHECK_EQ(n.floats, 1);
}

TEST(floats_are_numbers_without_the_feature)
{
	MEMBER(m);
	uint32_t f = add_float(m, "float", 4);

	add_struct1(t, str(m, "s"), str(m, "x"), f);
	add_float(m, "x87", 12);
	normalise_with(m, 0, NULL, &n);

	const uint32_t *rec = find(m, BTF_INT, "float");
	CHECK_EQ(rec[BTF_REC_SIZE_TYPE], 4);
	CHECK_EQ(rec[BTF_REC_WORDS], 32);
	CHECK_EQ(find(m, BTF_STRUCT, "")[BTF_REC_SIZE_TYPE], 12);
	CHECK_EQ(n.floats, 2);
}

/* --- enums ----------------------------------------------------------------------------------- */

TEST(a_negative_value_of_gcc_12_gives_its_enum_a_sign)
{
	MEMBER(m);
	ADD(t, str(m, "e"), btf_info(BTF_ENUM, 2, false), 4, str(m, "A"), 5, str(m, "B"),
	    UINT32_MAX);
	ADD(t, str(m, "u"), btf_info(BTF_ENUM, 1, false), 4, str(m, "C"), INT32_MAX);
	normalise(m, &n);
	CHECK_EQ(find(m, BTF_ENUM, "e")[BTF_REC_INFO], btf_info(BTF_ENUM, 2, true));
	CHECK_EQ(find(m, BTF_ENUM, "u")[BTF_REC_INFO], btf_info(BTF_ENUM, 1, false));
	CHECK_EQ(n.enums, 1);
}

TEST(a_large_value_of_gcc_13_is_not_negative)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);

	ADD(t, str(m, "e"), btf_info(BTF_ENUM, 1, false), 4, str(m, "A"), UINT32_MAX);
	add_func(t, str(m, "not_of_12"), BTF_LINK_GLOBAL, add_proto(t, 0, str(m, "p"), i));
	normalise(m, &n);
	CHECK_EQ(find(m, BTF_ENUM, "e")[BTF_REC_INFO], btf_info(BTF_ENUM, 1, false));
}

TEST(a_sign_without_negative_values_is_none)
{
	MEMBER(m);
	ADD(t, str(m, "typed"), btf_info(BTF_ENUM, 1, true), 4, str(m, "A"), 1);
	ADD(t, str(m, "negative"), btf_info(BTF_ENUM, 1, true), 4, str(m, "B"), UINT32_MAX);
	normalise(m, &n);
	CHECK_EQ(find(m, BTF_ENUM, "typed")[BTF_REC_INFO], btf_info(BTF_ENUM, 1, false));
	CHECK_EQ(find(m, BTF_ENUM, "negative")[BTF_REC_INFO], btf_info(BTF_ENUM, 1, true));
	CHECK_EQ(n.enums, 1);
}

TEST(a_wide_enum_of_gcc_12_becomes_an_enum64)
{
	MEMBER(m);
	uint32_t a = str(m, "A"), b = str(m, "B");

	ADD(t, str(m, "wide"), btf_info(BTF_ENUM, 2, false), 8, a, 3, b, UINT32_MAX);
	normalise(m, &n);

	const uint32_t *rec = find(m, BTF_ENUM64, "wide");
	const uint32_t want[] = {
		btf_info(BTF_ENUM64, 2, true), 8, a, 3, 0, b, UINT32_MAX, UINT32_MAX
	};
	CHECK_MEM(rec + BTF_REC_INFO, want, sizeof(want));
	CHECK_EQ(n.enums, 1);
}

TEST(enums_have_no_sign_without_the_feature_enum64)
{
	MEMBER(m);
	ADD(t, str(m, "e"), btf_info(BTF_ENUM, 1, false), 4, str(m, "A"), UINT32_MAX);
	ADD(t, str(m, "f"), btf_info(BTF_ENUM, 1, true), 4, str(m, "B"), UINT32_MAX);
	normalise_with(m, FEATURE_FLOAT, NULL, &n);
	CHECK_EQ(find(m, BTF_ENUM, "e")[BTF_REC_INFO], btf_info(BTF_ENUM, 1, false));
	CHECK_EQ(find(m, BTF_ENUM, "f")[BTF_REC_INFO], btf_info(BTF_ENUM, 1, false));
}

TEST(wide_enums_keep_the_low_halves_without_the_feature_enum64)
{
	MEMBER(m);
	uint32_t a = str(m, "A");

	ADD(t, str(m, "of_13"), btf_info(BTF_ENUM64, 1, true), 8, a, 7, UINT32_MAX);
	ADD(t, str(m, "of_12"), btf_info(BTF_ENUM, 1, false), 8, a, 7);
	normalise_with(m, FEATURE_FLOAT, NULL, &n);

	const uint32_t want[] = { btf_info(BTF_ENUM, 1, false), 8, a, 7 };
	CHECK_MEM(find(m, BTF_ENUM, "of_13") + BTF_REC_INFO, want, sizeof(want));
	CHECK_MEM(find(m, BTF_ENUM, "of_12") + BTF_REC_INFO, want, sizeof(want));
	CHECK_EQ(count(m, BTF_ENUM64), 0);
}

TEST(a_declared_enum_of_gcc_14_gets_a_size)
{
	MEMBER(m);
	add_ptr(t, ADD(t, str(m, "later"), btf_info(BTF_ENUM, 0, false), 0));
	normalise(m, &n);
	CHECK_EQ(find(m, BTF_ENUM, "later")[BTF_REC_SIZE_TYPE], 4);
	CHECK_EQ(n.enum_fwds, 1);
}

/* --- declarations ------------------------------------------------------------------------------ */

TEST(declarations_lose_the_garbage_in_them)
{
	MEMBER(m);
	add_the_int(m);
	ADD(t, str(m, "s"), btf_info(BTF_FWD, 0, false), 1);
	ADD(t, str(m, "u"), btf_info(BTF_FWD, 0, true), 0);
	normalise(m, &n);
	CHECK_EQ(find(m, BTF_FWD, "s")[BTF_REC_SIZE_TYPE], 0);
	CHECK_EQ(find(m, BTF_FWD, "u")[BTF_REC_INFO], btf_info(BTF_FWD, 0, true));
	CHECK_EQ(n.fwds, 1);
}

/* What becomes of "struct foo;" beside another member, which has a record of @kind of that name. */
static uint32_t declared_beside(enum btf_kind kind)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	SECOND_MEMBER(other);
	MEMBER(m);
	uint32_t fwd = ADD(t, str(m, "foo"), btf_info(BTF_FWD, 0, false), 1);

	add_ptr(t, fwd);
	ADD(&other->view.types, str(other, "foo"), btf_info(kind, 0, false), 4);
	gcc_tags_add(&tags, &other->view);
	gcc_tags_add(&tags, &m->view);
	normalise_with(m, ALL, &tags, &n);
	CHECK_EQ(n.enum_fwds, kind == BTF_ENUM);
	return kind_of(m, fwd);
}

TEST(another_member_tells_a_declared_enum)
{
	CHECK_EQ(declared_beside(BTF_ENUM), BTF_ENUM);
	CHECK_EQ(declared_beside(BTF_STRUCT), BTF_FWD);
	CHECK_EQ(declared_beside(BTF_FLOAT), BTF_FWD);
}

TEST(a_union_is_no_enum)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	MEMBER(m);
	uint32_t name = str(m, "foo"), fwd = add_fwd(t, name, true);

	ADD(t, name, btf_info(BTF_ENUM, 0, false), 4);
	gcc_tags_add(&tags, &m->view);
	normalise_with(m, ALL, &tags, &n);
	CHECK_EQ(kind_of(m, fwd), BTF_FWD);
}

TEST(what_functions_behind_pointers_take_is_an_enum)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	MEMBER(m);
	uint32_t fwd = add_fwd(t, str(m, "stage"), false);
	uint32_t proto = add_proto(t, 0, 0, add_ref(t, BTF_CONST, 0, fwd));

	add_ptr(t, proto);
	add_func(t, 0, BTF_LINK_STATIC, proto);
	gcc_tags_add(&tags, &m->view);
	normalise_with(m, ALL, &tags, &n);
	CHECK_EQ(kind_of(m, fwd), BTF_ENUM);
	CHECK_EQ(n.enum_fwds, 1);
}

TEST(what_declared_functions_take_may_be_a_struct)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	MEMBER(m);
	uint32_t fwd = add_fwd(t, str(m, "incomplete"), false);

	add_func(t, str(m, "declared"), BTF_LINK_STATIC, add_proto(t, 0, str(m, "p"), fwd));
	gcc_tags_add(&tags, &m->view);
	normalise_with(m, ALL, &tags, &n);
	CHECK_EQ(kind_of(m, fwd), BTF_FWD);
	CHECK_EQ(count(m, BTF_FUNC), 0);
	CHECK_EQ(count(m, BTF_FUNC_PROTO), 0);
}

/* --- arrays ----------------------------------------------------------------------------------- */

TEST(dimensions_become_one_array_of_ints_index)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), index = add_index(m);
	uint32_t inner = add_array(t, i, index, 2);

	uint32_t outer = add_array(t, inner, index, 3);
	ADD(t, str(m, "s"), btf_info(BTF_STRUCT, 1, false), 24, str(m, "x"), outer, 0);
	normalise(m, &n);

	const uint32_t *array = find(m, BTF_ARRAY, NULL) + BTF_REC_WORDS;
	CHECK_EQ(array[0], i);
	CHECK_EQ(array[1], i);
	CHECK_EQ(array[2], 6);
	CHECK_EQ(kind_of(m, find(m, BTF_STRUCT, "s")[BTF_REC_WORDS + 1]), BTF_ARRAY);
	CHECK_EQ(n.arrays, 1);
}

TEST(an_inner_array_that_is_used_stays)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), index = add_index(m);
	uint32_t inner = add_array(t, i, index, 2);

	add_ref(t, BTF_TYPEDEF, str(m, "row"), inner);
	add_array(t, inner, index, 3);
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_ARRAY), 2);
	CHECK_EQ(find(m, BTF_TYPEDEF, "row")[BTF_REC_SIZE_TYPE], inner);
}

TEST(a_row_with_a_name_is_a_type_of_its_own)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), index = add_index(m);
	uint32_t row = add_ref(t, BTF_TYPEDEF, str(m, "row"), add_array(t, i, index, 2));
	uint32_t outer = add_array(t, row, index, 3);

	normalise(m, &n);
	CHECK_EQ(btf_types_rec(t, outer)[BTF_REC_WORDS], row);
	CHECK_EQ(btf_types_rec(t, outer)[BTF_REC_WORDS + 2], 3);
	CHECK_EQ(n.arrays, 0);
}

TEST(a_flexible_dimension_leaves_nothing)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), index = add_index(m);

	add_array(t, add_array(t, i, index, 0), index, 7);
	normalise(m, &n);
	CHECK_EQ(find(m, BTF_ARRAY, NULL)[BTF_REC_WORDS + 2], 0);
}

TEST(an_int_is_added_for_arrays_of_a_unit_without)
{
	MEMBER(m);
	uint32_t index = add_index(m);

	add_array(t, add_number(m, "char", 1, SIGNED_CHAR), index, 7);
	normalise(m, &n);

	const uint32_t *rec = find(m, BTF_INT, "int");
	CHECK_EQ(rec[BTF_REC_WORDS], BTF_ENC_SIGNED << 24 | 32);
	CHECK_EQ(find(m, BTF_ARRAY, NULL)[BTF_REC_WORDS + 1], btf_types_end(t) - 1);
}

TEST(an_extern_array_of_no_index_gets_one)
{
	MEMBER(m);
	uint32_t array = add_array(t, add_number(m, "char", 1, SIGNED_CHAR), 0, 0);

	normalise(m, &n);
	CHECK_EQ(kind_of(m, btf_types_rec(t, array)[BTF_REC_WORDS + 1]), BTF_INT);
}

TEST(an_array_of_itself_is_refused)
{
	MEMBER(m);
	uint32_t words[] = { 0, btf_info(BTF_ARRAY, 0, false), 0, 1, 1, 1 };

	add_words(t, words, ARRAY_SIZE(words));
	CHECK_ERR_TEXT(try_normalise(m, ALL, NULL, &n), ERR_FORMAT,
		       "type 1: an array of more than 64 dimensions");
	CHECK(has_words(t, words, ARRAY_SIZE(words)));
}

TEST(sixty_four_dimensions_are_not_too_many)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), array = i;

	for (int d = 0; d < 64; d++)
		array = add_array(t, array, i, 1);
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_ARRAY), 1);

	SECOND_MEMBER(more);
	i = array = add_the_int(more);
	for (int d = 0; d < 65; d++)
		array = add_array(&more->view.types, array, i, 1);
	CHECK_ERR(try_normalise(more, ALL, NULL, &n), ERR_FORMAT);
}

/* --- functions -------------------------------------------------------------------------------- */

TEST(the_functions_of_pointers_go_and_their_prototypes_stay)
{
	MEMBER(m);
	uint32_t proto = add_proto(t, 0, 0, add_the_int(m));
	uint32_t ptr = add_ptr(t, proto);

	add_func(t, 0, BTF_LINK_STATIC, proto);
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_FUNC), 0);
	CHECK_EQ(btf_types_rec(t, ptr)[BTF_REC_SIZE_TYPE], proto);
	CHECK_EQ(n.funcs, 1);
}

TEST(a_function_with_names_for_its_parameters_stays)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);
	uint32_t proto = ADD(t, str(m, "left"), btf_info(BTF_FUNC_PROTO, 2, false), 0, str(m, "p"),
			     i, 0, 0);

	add_func(t, str(m, "printf"), BTF_LINK_GLOBAL, proto);
	normalise(m, &n);

	const uint32_t *func = find(m, BTF_FUNC, "printf");
	CHECK_EQ(func[BTF_REC_INFO], btf_info(BTF_FUNC, BTF_LINK_STATIC, false));
	CHECK_EQ(func[BTF_REC_SIZE_TYPE], proto);
	CHECK_EQ(btf_types_rec(t, proto)[BTF_REC_NAME], 0); /* gcc 13 leaves it there */
	CHECK_EQ(n.funcs, 0);
}

TEST(a_function_that_is_certainly_declared_only_goes)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), fwd = add_fwd(t, str(m, "incomplete"), false);
	uint32_t p = str(m, "p");

	add_func(t, str(m, "no_name"), BTF_LINK_STATIC, add_proto(t, 0, 0, i));
	add_func(t, str(m, "takes"), BTF_LINK_STATIC, add_proto(t, 0, p, fwd));
	add_func(t, str(m, "returns"), BTF_LINK_STATIC, add_proto(t, fwd, p, i));
	add_func(t, str(m, "external"), BTF_LINK_EXTERN, add_proto(t, 0, p, i));
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_FUNC), 0);
	CHECK_EQ(count(m, BTF_FUNC_PROTO), 0);
	CHECK_EQ(n.funcs, 4);
}

TEST(a_pointer_to_a_function_that_takes_a_vector_is_one_to_void)
{
	MEMBER(m);
	uint32_t vector = add_ref(t, BTF_TYPEDEF, str(m, "v4"), 0);
	uint32_t ptr = add_ptr(t, add_proto(t, 0, 0, vector));

	add_func(t, str(m, "f"), BTF_LINK_STATIC, add_proto(t, vector, str(m, "p"), ptr));
	/* not dots, for something follows */
	uint32_t proto = ADD(t, 0, btf_info(BTF_FUNC_PROTO, 2, false), 0, 0, 0, str(m, "x"), ptr);
	add_func(t, str(m, "g"), BTF_LINK_STATIC, proto);
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_FUNC), 0);
	CHECK_EQ(count(m, BTF_FUNC_PROTO), 0);
	CHECK_EQ(find(m, BTF_PTR, NULL)[BTF_REC_SIZE_TYPE], 0);
	CHECK_EQ(n.protos, 3);
}

TEST(tags_go_with_what_they_are_about)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), value = str(m, "value");
	uint32_t gone = add_func(t, 0, BTF_LINK_STATIC, add_proto(t, 0, 0, i));
	uint32_t stays = add_func(t, str(m, "f"), BTF_LINK_STATIC, add_proto(t, 0, value, i));

	ADD(t, value, btf_info(BTF_DECL_TAG, 0, false), gone, 0);
	ADD(t, value, btf_info(BTF_DECL_TAG, 0, false), stays, 0);
	normalise(m, &n);

	uint32_t of = find(m, BTF_DECL_TAG, NULL)[BTF_REC_SIZE_TYPE];
	CHECK_STR(btf_view_str(&m->view, NULL, btf_types_rec(t, of)[BTF_REC_NAME]), "f");
	CHECK_EQ(n.tags, 1);
}

/* --- members -------------------------------------------------------------------------------------- */

TEST(members_without_a_type_are_left_out)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), value = str(m, "value");
	uint32_t vector = add_ref(t, BTF_TYPEDEF, str(m, "v4"), 0);
	uint32_t vectors = add_array(t, vector, i, 2);
	uint32_t s = ADD(t, str(m, "s"), btf_info(BTF_STRUCT, 4, true), 80, str(m, "a"), vector, 0,
			 str(m, "b"), vectors, 128, str(m, "c"), i, 384 | 3 << 24, str(m, "d"),
			 vector, 512);

	ADD(t, value, btf_info(BTF_DECL_TAG, 0, false), s, UINT32_MAX);
	ADD(t, value, btf_info(BTF_DECL_TAG, 0, false), s, 2);
	add_ptr(t, vectors);
	normalise(m, &n);

	const uint32_t *rec = find(m, BTF_STRUCT, "s");
	CHECK_EQ(rec[BTF_REC_INFO], btf_info(BTF_STRUCT, 1, true));
	CHECK_STR(btf_view_str(&m->view, NULL, rec[BTF_REC_WORDS]), "c");
	CHECK_EQ(rec[BTF_REC_WORDS + 2], 384 | 3 << 24);
	CHECK_EQ(find(m, BTF_PTR, NULL)[BTF_REC_SIZE_TYPE], 0);
	CHECK_EQ(find(m, BTF_DECL_TAG, "value")[BTF_REC_WORDS], UINT32_MAX);
	CHECK_EQ(n.fields, 3);
	CHECK_EQ(n.tags, 1);
}

TEST(a_circle_of_names_has_no_size_and_takes_no_time)
{
	MEMBER(m);
	uint32_t a = str(m, "a");

	/* two typedefs of each other */
	add_ref(t, BTF_TYPEDEF, a, 2);
	add_ref(t, BTF_TYPEDEF, a, 1);
	add_struct1(t, str(m, "s"), str(m, "x"), 1);
	CHECK_OK(try_normalise(m, ALL, NULL, &n));
	CHECK_EQ(n.fields, 1);
}

/* --- variables ------------------------------------------------------------------------------------ */

TEST(variables_stay_and_their_sections_go)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);

	add_section(m, ".bss", add_var(t, str(m, "defined"), i));
	normalise(m, &n);
	CHECK_EQ(find(m, BTF_VAR, "defined")[BTF_REC_SIZE_TYPE], i);
	CHECK_EQ(find(m, BTF_VAR, "defined")[BTF_REC_WORDS], BTF_LINK_GLOBAL);
	CHECK_EQ(count(m, BTF_DATASEC), 0);
	CHECK_EQ(n.sections, 1);
	CHECK_EQ(n.vars, 0);
}

TEST(a_variable_of_no_section_goes)
{
	MEMBER(m);
	add_var(t, str(m, "of_a_thread"), add_the_int(m));
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_VAR), 0);
	CHECK_EQ(n.vars, 1);
}

TEST(a_variable_that_is_declared_only_or_of_no_size_goes)
{
	MEMBER(m);
	uint32_t i = add_the_int(m), fwd = add_fwd(t, str(m, "incomplete"), false);
	uint32_t empty = add_struct0(t, str(m, "empty")), none = add_array(t, i, i, 0);
	uint32_t byte = ADD(t, str(m, "byte"), btf_info(BTF_STRUCT, 0, false), 1);
	uint32_t nothing = add_ref(t, BTF_CONST, 0, 0);

	add_section(m, ".ksyms",
		    ADD(t, str(m, "external"), btf_info(BTF_VAR, 0, false), i, BTF_LINK_EXTERN));
	add_section(m, ".bss", add_var(t, str(m, "v1"), fwd));
	add_section(m, ".bss", add_var(t, str(m, "v2"), empty));
	add_section(m, ".bss", add_var(t, str(m, "v3"), none));
	add_section(m, ".bss", add_var(t, str(m, "v4"), byte));
	add_section(m, ".bss", add_var(t, str(m, "v5"), nothing));
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_VAR), 0);
	CHECK_EQ(n.vars, 6);
}

TEST(a_variable_that_nobody_wants_goes)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);

	add_section(m, ".data", add_var(t, str(m, "__UNIQUE_ID_a1"), i));
	add_section(m, ".data", add_var(t, str(m, "no$name"), i));
	normalise(m, &n);
	CHECK_EQ(count(m, BTF_VAR), 0);
}

/* --- what else is in it ------------------------------------------------------------------------------- */

TEST(references_follow_records_that_move)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);

	add_func(t, 0, BTF_LINK_STATIC, add_proto(t, 0, 0, i)); /* both go */
	uint32_t ptr = btf_types_end(t);
	add_ptr(t, ptr + 1);
	add_struct1(t, str(m, "s"), str(m, "self"), ptr);
	normalise(m, &n);
	CHECK_EQ(btf_types_end(t), 4);
	CHECK_EQ(btf_types_rec(t, 2)[BTF_REC_SIZE_TYPE], 3);
	CHECK_EQ(btf_types_rec(t, 3)[BTF_REC_WORDS + 1], 2);
}

TEST(a_normalised_member_stays_as_it_is)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);
	struct gcc_member_counts again = { 0 }, none = { 0 };

	add_struct1(t, str(m, "s"), str(m, "x"), add_array(t, add_array(t, i, 0, 1), 0, 2));
	add_func(t, str(m, "f"), BTF_LINK_GLOBAL, add_proto(t, 0, str(m, "p"), i));
	normalise(m, &n);

	size_t nr = t->words.nr;
	uint32_t *words = test_keep(mem_dup(t->words.items, nr * sizeof(*words)));
	normalise(m, &again);
	CHECK(has_words(t, words, nr));
	CHECK_MEM(&again, &none, sizeof(none));
}

TEST(the_name_of_the_source_is_the_last_string_of_types)
{
	MEMBER(m);
	str(m, "int");
	str(m, "dir/unit.c");
	str(m, "");
	str(m, ".bss");
	CHECK_STR(gcc_member_source(&m->view), "dir/unit.c");
}

TEST(a_member_without_a_source_has_none)
{
	MEMBER(m);
	CHECK_STR(gcc_member_source(&m->view), NULL);
	str(m, "");
	str(m, ".bss");
	CHECK_STR(gcc_member_source(&m->view), NULL);
	SECOND_MEMBER(other);
	str(other, "int");
	CHECK_STR(gcc_member_source(&other->view), NULL);
	str(other, "");
	CHECK_STR(gcc_member_source(&other->view), NULL);
	SECOND_MEMBER(empty);
	str(empty, "");
	str(empty, "");
	CHECK_STR(gcc_member_source(&empty->view), NULL);
}

TEST(an_empty_member_stays_empty)
{
	MEMBER(m);
	CHECK_OK(try_normalise(m, ALL, NULL, &n));
	CHECK_EQ(btf_types_end(t), 1);
}
