/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What libbpf makes of small inputs. Expected results were taken from libbpf; names are
 * plain numbers. VARs are never merged, so they show where a type went.
 */
#include "dedup/dedup.h"

#include "base/cleanup.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

enum { A = 1, B, C, E, F, FOO, P, Q, S, T, U, V, X, Y };

static void run(struct btf_types *t)
{
	const struct dedup_opts opts = { .base_typedefs = true };

	CHECK_OK(dedup_run(t, &opts));
}

static struct err *try_run(struct btf_types *t)
{
	const struct dedup_opts opts = { .base_typedefs = true };

	return dedup_run(t, &opts);
}

static uint32_t nr_types(const struct btf_types *t)
{
	return (uint32_t)t->start.nr;
}

static uint32_t word(const struct btf_types *t, uint32_t id, size_t i)
{
	CHECK(id < btf_types_end(t));
	return btf_types_rec(t, id)[i];
}

static uint32_t kind(const struct btf_types *t, uint32_t id)
{
	return btf_info_kind(word(t, id, BTF_REC_INFO));
}

/* The type of the last record, which is a VAR. */
static uint32_t last_var(const struct btf_types *t)
{
	uint32_t id = btf_types_end(t) - 1;

	CHECK_EQ(kind(t, id), BTF_VAR);
	return word(t, id, BTF_REC_SIZE_TYPE);
}

static size_t count(const struct btf_types *t, enum btf_kind k)
{
	size_t nr = 0;

	for (uint32_t id = t->first; id < btf_types_end(t); id++)
		nr += kind(t, id) == k;
	return nr;
}

#define TYPES(t)                                               \
	CLEANUP(btf_types_release) struct btf_types t = { 0 }; \
	btf_types_init(&t, NULL)

TEST(two_members_become_one)
{
	/* offsets in "\0int\0s\0t\0a\0p\0x\0" */
	enum { INT_ = 1, S_ = 5, T_ = 7, A_ = 9, P_ = 11, X_ = 13 };
	TYPES(t);

	add_int(&t, INT_);
	add_fwd(&t, S_, false);
	add_ptr(&t, 2);
	add_struct2(&t, T_, A_, 1, P_, 3);
	add_struct1(&t, S_, X_, 6);
	add_int(&t, INT_);
	add_ptr(&t, 5);
	add_struct2(&t, T_, A_, 6, P_, 7);
	run(&t);
	CHECK(HAS_WORDS(&t, /* [1] INT */ 1, 0x01000000, 4, 0x01000020,
			/* [2] PTR to s */ 0, 0x02000000, 4,
			/* [3] STRUCT t */ 7, 0x04000002, 16, 9, 1, 0, 11, 2, 64,
			/* [4] STRUCT s */ 5, 0x04000001, 8, 13, 1, 0));
}

TEST(integers_of_another_encoding_are_others)
{
	TYPES(t);

	add_int(&t, A);
	ADD(&t, A, btf_info(BTF_INT, 0, false), 4, 0x20);
	add_int(&t, A);
	add_int(&t, B);
	run(&t);
	CHECK_EQ(nr_types(&t), 3);
}

static uint32_t add_enum1(struct btf_types *t, uint32_t name, uint32_t item, uint32_t value)
{
	return ADD(t, name, btf_info(BTF_ENUM, 1, false), 4, item, value);
}

static uint32_t add_enum_fwd(struct btf_types *t, uint32_t name, uint32_t size)
{
	return ADD(t, name, btf_info(BTF_ENUM, 0, false), size);
}

TEST(declared_enums_end_at_the_last_full_one_that_was_scanned)
{
	TYPES(t);

	add_enum_fwd(&t, E, 4);
	add_enum1(&t, E, A, 1);
	add_enum1(&t, E, A, 2);
	add_enum1(&t, E, A, 1);
	add_enum_fwd(&t, E, 1);
	for (uint32_t id = 1; id <= 5; id++)
		add_var(&t, V, id);
	run(&t);
	CHECK(HAS_WORDS(&t, /* [1] */ E, 0x06000001, 4, A, 1, /* [2] */ E, 0x06000001, 4, A, 2, V,
			0x0e000000, 2, 1, V, 0x0e000000, 1, 1, V, 0x0e000000, 2, 1, V, 0x0e000000,
			1, 1, V, 0x0e000000, 2, 1));
}

TEST(a_declared_enum_may_stand_for_a_64_bit_one)
{
	TYPES(t);

	add_enum_fwd(&t, E, 4);
	ADD(&t, E, btf_info(BTF_ENUM64, 1, false), 8, A, 0, 1);
	add_enum1(&t, F, A, 0);
	ADD(&t, F, btf_info(BTF_ENUM64, 1, false), 8, A, 0, 0); /* full ones never merge */
	add_var(&t, V, 1);
	run(&t);
	CHECK_EQ(nr_types(&t), 4);
	CHECK_EQ(kind(&t, last_var(&t)), BTF_ENUM64);
}

TEST(nameless_enums_merge_by_content)
{
	TYPES(t);

	for (uint32_t i = 0; i < 3000; i++)
		add_enum1(&t, 0, A, i % 1000);
	run(&t);
	CHECK_EQ(nr_types(&t), 1000);
}

/*
 * Two structs foo of different content, and one S for each with a pointer to it. The third S
 * points to a declared foo, so it could be either; which one is visited first depends on
 * how often the table of candidates has grown.
 */
static uint32_t owner_of_third(uint32_t nr_others)
{
	TYPES(t);

	uint32_t foo1 = add_struct1(&t, FOO, X, add_int(&t, A));
	uint32_t foo2 = add_struct1(&t, FOO, X, add_int(&t, B));
	uint32_t s1 = add_struct1(&t, S, P, add_ptr(&t, foo1));
	uint32_t s2 = add_struct1(&t, S, P, add_ptr(&t, foo2));
	for (uint32_t i = 0; i < nr_others; i++)
		add_struct0(&t, 100 + i);
	uint32_t s3 = add_struct1(&t, S, P, add_ptr(&t, add_fwd(&t, FOO, false)));
	add_var(&t, V, s1);
	add_var(&t, V, s2);
	add_var(&t, V, s3);
	run(&t);

	uint32_t end = btf_types_end(&t), third = last_var(&t);
	CHECK_EQ(count(&t, BTF_FWD), 0);
	CHECK(third == word(&t, end - 3, 2) || third == word(&t, end - 2, 2));
	return third == word(&t, end - 3, 2) ? 1 : 2;
}

TEST(the_candidate_visited_first_depends_on_the_size_of_the_table)
{
	CHECK_EQ(owner_of_third(0), 2);
	CHECK_EQ(owner_of_third(5), 2);
	CHECK_EQ(owner_of_third(6), 1);
	CHECK_EQ(owner_of_third(17), 1);
	CHECK_EQ(owner_of_third(18), 2);
}

/* S { int[2] a; int[2] b }, both members of one array or of two. */
static size_t structs_left(bool one_array_first)
{
	TYPES(t);

	add_int(&t, A);
	add_int(&t, B);
	for (int i = 0; i < 2; i++) {
		uint32_t a = add_array(&t, 1, 1, 2);
		uint32_t b = (i == 0) == one_array_first ? a : add_array(&t, 2, 1, 2);

		add_struct2(&t, S, X, a, Y, b);
	}
	run(&t);
	return count(&t, BTF_STRUCT);
}

TEST(a_second_array_of_the_same_length_counts_as_identical)
{
	CHECK_EQ(structs_left(true), 1);
	CHECK_EQ(structs_left(false), 2);
}

/* A chain of @levels structs that point to the next; the last one holds type @end. */
static uint32_t add_chain(struct btf_types *t, uint32_t levels, uint32_t end)
{
	uint32_t id = end;

	for (uint32_t i = levels; i-- > 0;)
		id = add_ptr(t, add_struct1(t, 100 + i, P, id));
	return id;
}

/* S { p, q } with both to one chain; then S { p, q } to two copies of it. */
static size_t structs_of_chain(uint32_t levels)
{
	TYPES(t);

	uint32_t leaf = add_int(&t, A);
	uint32_t c = add_chain(&t, levels, leaf);
	add_struct2(&t, S, P, c, Q, c);
	/* before its members, so that it is compared while they are still open */
	uint32_t s = btf_types_end(&t);
	add_struct2(&t, S, P, 0, Q, 0);
	uint32_t first = add_chain(&t, levels, leaf), second = add_chain(&t, levels, leaf);
	btf_types_rec(&t, s)[4] = first;
	btf_types_rec(&t, s)[7] = second;
	run(&t);
	return count(&t, BTF_STRUCT) - levels;
}

TEST(copies_within_one_unit_are_understood_16_structs_deep)
{
	CHECK_EQ(structs_of_chain(1), 1);
	CHECK_EQ(structs_of_chain(16), 1);
	CHECK_EQ(structs_of_chain(17), 2);
}

/* @levels layers in which every struct points @width times to the next. */
static uint32_t add_layers(struct btf_types *t, uint32_t levels, uint32_t width, uint32_t end)
{
	uint32_t id = end;

	for (uint32_t i = levels; i-- > 0;) {
		uint32_t *rec = btf_types_add(t, 3 + 3 * (size_t)width);
		rec[0] = 100 + i;
		rec[1] = btf_info(BTF_STRUCT, width, false);
		rec[2] = 8 * width;
		for (uint32_t m = 0; m < width; m++) {
			rec[3 + 3 * m] = P;
			rec[4 + 3 * m] = id;
			rec[5 + 3 * m] = 64 * m;
		}
		id = add_ptr(t, btf_types_end(t) - 1);
	}
	return id;
}

TEST(many_paths_to_a_copy_take_no_exponential_time)
{
	TYPES(t);

	uint32_t leaf = add_int(&t, A);
	uint32_t c = add_layers(&t, 15, 16, leaf);
	add_struct2(&t, S, P, c, Q, c);
	uint32_t s = btf_types_end(&t);
	add_struct2(&t, S, P, 0, Q, 0);
	uint32_t first = add_layers(&t, 15, 16, leaf), second = add_layers(&t, 15, 16, leaf);
	btf_types_rec(&t, s)[4] = first;
	btf_types_rec(&t, s)[7] = second;
	run(&t); /* 16^15 paths */
	CHECK_EQ(count(&t, BTF_STRUCT), 16);
}

TEST(copies_that_loop_without_a_struct_are_refused)
{
	TYPES(t);

	add_ref(&t, BTF_TYPEDEF, T, 2);
	add_ptr(&t, 1);
	add_struct2(&t, S, P, 1, Q, 1);
	/* scanned before its typedefs find their own canonical ones */
	add_struct2(&t, S, P, 5, Q, 7);
	add_ref(&t, BTF_TYPEDEF, T, 6);
	add_ptr(&t, 5);
	add_ref(&t, BTF_TYPEDEF, T, 8);
	add_ptr(&t, 7);
	CHECK_ERR_TEXT(try_run(&t), ERR_FORMAT, "types 5 and 7");
}

TEST(recursive_typedefs_merge)
{
	TYPES(t);

	for (int i = 0; i < 2; i++) {
		uint32_t id = btf_types_end(&t);

		add_ref(&t, BTF_TYPEDEF, T, id + 1);
		add_ptr(&t, id);
	}
	run(&t);
	CHECK(HAS_WORDS(&t, T, 0x08000000, 2, 0, 0x02000000, 1));
}

TEST(a_declaration_is_bound_to_the_only_struct_of_its_name)
{
	TYPES(t);

	add_fwd(&t, S, false);
	add_struct0(&t, S);
	add_fwd(&t, U, true);
	add_struct0(&t, U); /* of the other kind */
	add_var(&t, V, 1);
	run(&t);
	CHECK_EQ(nr_types(&t), 4);
	CHECK_EQ(kind(&t, last_var(&t)), BTF_STRUCT);
	CHECK_EQ(kind(&t, 2), BTF_FWD);
}

TEST(a_struct_and_a_union_of_one_name_leave_the_declaration_open)
{
	TYPES(t);

	add_fwd(&t, S, false);
	add_struct0(&t, S);
	ADD(&t, S, btf_info(BTF_UNION, 0, false), 0);
	run(&t);
	CHECK_EQ(nr_types(&t), 3);
	CHECK_EQ(kind(&t, 1), BTF_FWD);
}

TEST(of_equal_references_the_first_to_be_finished_stays)
{
	TYPES(t);

	add_int(&t, A);
	add_ref(&t, BTF_CONST, 0, 5);
	add_ptr(&t, 1);
	add_int(&t, B);
	add_ptr(&t, 1);
	run(&t);
	CHECK(HAS_WORDS(&t, A, 0x01000000, 4, 0x01000020, 0, 0x0a000000, 4, B, 0x01000000, 4,
			0x01000020, 0, 0x02000000, 1));
}

TEST(references_in_a_circle_are_refused)
{
	TYPES(two);
	add_ptr(&two, 2);
	add_ptr(&two, 1);
	CHECK_ERR_TEXT(try_run(&two), ERR_FORMAT, "type 1 refers to itself");

	TYPES(one);
	add_int(&one, A);
	add_ref(&one, BTF_CONST, 0, 2);
	CHECK_ERR_TEXT(try_run(&one), ERR_FORMAT, "type 2 refers to itself");

	TYPES(proto);
	ADD(&proto, 0, btf_info(BTF_FUNC_PROTO, 1, false), 0, X, 2);
	add_ptr(&proto, 1);
	CHECK_ERR(try_run(&proto), ERR_FORMAT);
}

/* A type of @kind, of what refers to others, that refers to @to. */
static void add_referring(struct btf_types *t, enum btf_kind kind, uint32_t to)
{
	switch (kind) {
	case BTF_ARRAY:
		add_array(t, to, to, 2);
		break;
	case BTF_STRUCT:
	case BTF_UNION:
		ADD(t, S, btf_info(kind, 1, false), 8, A, to, 0);
		break;
	case BTF_FUNC_PROTO:
		ADD(t, 0, btf_info(kind, 1, false), to, A, to);
		break;
	case BTF_DECL_TAG:
		ADD(t, A, btf_info(kind, 0, false), to, UINT32_MAX);
		break;
	case BTF_VAR:
		add_var(t, V, to);
		break;
	default:
		add_ref(t, kind, kind == BTF_TYPEDEF || kind == BTF_FUNC ? T : 0, to);
	}
}

/* Two copies of two types that refer to each other, whatever they are: an error, or all are there. */
TEST(loops_through_every_kind_come_to_an_end)
{
	static const enum btf_kind kinds[] = { BTF_PTR,      BTF_CONST,      BTF_VOLATILE,
					       BTF_RESTRICT, BTF_TYPEDEF,    BTF_TYPE_TAG,
					       BTF_ARRAY,    BTF_STRUCT,     BTF_UNION,
					       BTF_FUNC,     BTF_FUNC_PROTO, BTF_VAR,
					       BTF_DECL_TAG };
	size_t nr_errors = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(kinds); j++) {
			TYPES(t);

			for (uint32_t copy = 0; copy < 2; copy++) {
				add_referring(&t, kinds[i], 2 * copy + 2);
				add_referring(&t, kinds[j], 2 * copy + 1);
			}

			struct err *e = try_run(&t);
			nr_errors += e != NULL;
			CHECK(!e || err_kind(e) == ERR_FORMAT);
			for (uint32_t id = 1; !e && id < btf_types_end(&t); id++)
				btf_rec_each_type(btf_types_rec(&t, id), type)
					CHECK(*type < btf_types_end(&t));
			err_free(e);
		}
	}
	/* a struct or union in between makes a loop a type */
	CHECK(nr_errors && nr_errors < ARRAY_SIZE(kinds) * ARRAY_SIZE(kinds));
}

TEST(functions_merge_by_name_linkage_and_prototype)
{
	TYPES(t);

	for (int i = 0; i < 2; i++)
		ADD(&t, 0, btf_info(BTF_FUNC_PROTO, 0, false), 0);
	ADD(&t, F, btf_info(BTF_FUNC, BTF_LINK_STATIC, false), 1);
	ADD(&t, F, btf_info(BTF_FUNC, BTF_LINK_STATIC, false), 2);
	ADD(&t, F, btf_info(BTF_FUNC, BTF_LINK_GLOBAL, false), 2);
	run(&t);
	CHECK(HAS_WORDS(&t, 0, 0x0d000000, 0, F, 0x0c000000, 1, F, 0x0c000001, 1));
}

TEST(parameter_names_tell_prototypes_apart)
{
	TYPES(t);

	add_int(&t, A);
	ADD(&t, 0, btf_info(BTF_FUNC_PROTO, 1, false), 1, X, 1);
	ADD(&t, 0, btf_info(BTF_FUNC_PROTO, 1, false), 1, Y, 1);
	ADD(&t, 0, btf_info(BTF_FUNC_PROTO, 1, false), 1, X, 1);
	run(&t);
	CHECK_EQ(nr_types(&t), 3);
}

TEST(variables_sections_and_their_tags_stay)
{
	TYPES(t);

	add_int(&t, A);
	for (int i = 0; i < 2; i++) {
		uint32_t var = add_var(&t, V, 1);

		ADD(&t, S, btf_info(BTF_DATASEC, 1, false), 4, var, 0, 4);
		ADD(&t, T, btf_info(BTF_DECL_TAG, 0, false), var, UINT32_MAX);
	}
	add_int(&t, A);
	run(&t);
	CHECK_EQ(nr_types(&t), 7);
	CHECK_EQ(word(&t, 6, 3), 5); /* the second section still lists the second VAR */
}

TEST(tags_merge_by_value_target_and_component)
{
	TYPES(t);

	add_struct2(&t, S, X, 0, Y, 0);
	ADD(&t, T, btf_info(BTF_DECL_TAG, 0, false), 1, 0);
	ADD(&t, T, btf_info(BTF_DECL_TAG, 0, false), 1, 1);
	ADD(&t, T, btf_info(BTF_DECL_TAG, 0, false), 1, 0);
	ADD(&t, U, btf_info(BTF_DECL_TAG, 0, false), 1, 0);
	run(&t);
	CHECK_EQ(nr_types(&t), 4);
}

TEST(structs_that_refer_to_each_other_merge)
{
	TYPES(t);

	for (int i = 0; i < 3; i++) {
		uint32_t id = btf_types_end(&t);

		add_struct1(&t, S, P, id + 1);
		add_ptr(&t, id + 2);
		add_struct1(&t, T, Q, id + 3);
		add_ptr(&t, id);
	}
	run(&t);
	CHECK_EQ(nr_types(&t), 4);
}

TEST(nameless_unions_of_one_outline_are_told_apart)
{
	TYPES(t);

	for (uint32_t i = 0; i < 4000; i++) {
		uint32_t s = add_struct0(&t, 100 + i % 2000);

		ADD(&t, 0, btf_info(BTF_UNION, 1, false), 32, X, add_ptr(&t, s), 0);
	}
	run(&t);
	CHECK_EQ(nr_types(&t), 3 * 2000);
}

TEST(a_nameless_struct_with_a_declaration_inside_merges_all_the_same)
{
	TYPES(t);

	uint32_t full = add_struct1(&t, FOO, X, add_int(&t, A));
	ADD(&t, 0, btf_info(BTF_STRUCT, 1, false), 8, P, add_ptr(&t, full), 0);
	uint32_t fwd = add_fwd(&t, FOO, false);
	ADD(&t, 0, btf_info(BTF_STRUCT, 1, false), 8, P, add_ptr(&t, fwd), 0);
	run(&t);
	CHECK_EQ(nr_types(&t), 4);
}

#define SPLIT(base, t)                                         \
	CLEANUP(btf_types_release) struct btf_types t = { 0 }; \
	btf_types_init(&t, &base)

TEST(types_of_the_base_are_found_and_not_written_again)
{
	TYPES(base);
	add_int(&base, A);
	add_struct1(&base, S, X, 1);
	add_ptr(&base, 2);
	size_t words = base.words.nr;

	SPLIT(base, t);
	add_int(&t, A);
	add_struct1(&t, S, X, 4);
	add_ptr(&t, 5);
	add_struct1(&t, T, P, 6);
	run(&t);
	CHECK(HAS_WORDS(&t, T, 0x04000001, 8, P, 3, 0));
	CHECK_EQ(base.words.nr, words);
}

TEST(a_base_declaration_is_not_replaced_but_own_references_follow)
{
	TYPES(base);
	add_fwd(&base, S, false);
	add_struct1(&base, T, P, add_ptr(&base, 1));

	SPLIT(base, t);
	uint32_t s = add_struct1(&t, S, X, add_int(&t, A)); /* [4] INT, [5] s */
	add_struct1(&t, T, P, add_ptr(&t, s));              /* [6] PTR, [7] t */
	add_var(&t, V, 1);
	run(&t);
	CHECK(HAS_WORDS(&t, A, 0x01000000, 4, 0x01000020, S, 0x04000001, 8, X, 4, 0, 0, 0x02000000,
			5, T, 0x04000001, 8, P, 6, 0, V, 0x0e000000, 5, 1));
	CHECK_EQ(word(&base, 2, BTF_REC_SIZE_TYPE), 1);
}

TEST(a_declared_enum_of_the_base_is_followed_too)
{
	TYPES(base);
	add_enum_fwd(&base, E, 4);

	SPLIT(base, t);
	add_enum1(&t, E, A, 1);
	add_var(&t, V, 1);
	run(&t);
	CHECK_EQ(last_var(&t), 2);
}

TEST(typedefs_of_the_base_are_found_on_request)
{
	for (int find = 0; find < 2; find++) {
		const struct dedup_opts opts = { .base_typedefs = find };

		TYPES(base);
		add_ref(&base, BTF_TYPEDEF, T, add_int(&base, A));
		SPLIT(base, t);
		add_ref(&t, BTF_TYPEDEF, T, add_int(&t, A));
		add_var(&t, V, 4);
		CHECK_OK(dedup_run(&t, &opts));
		CHECK_EQ(nr_types(&t), find ? 1 : 2);
		CHECK_EQ(last_var(&t), find ? 2 : 3);
	}
}

TEST(split_btf_may_stand_on_split_btf)
{
	TYPES(base);
	add_int(&base, A);
	SPLIT(base, mid);
	add_ptr(&mid, 1);
	SPLIT(mid, t);
	add_ptr(&t, add_int(&t, A));
	add_var(&t, V, 4);
	run(&t);
	CHECK_EQ(nr_types(&t), 1);
	CHECK_EQ(last_var(&t), 2);
}

TEST(depth_is_limited_by_memory_only)
{
	enum { DEPTH = 300000 };
	TYPES(t);

	add_int(&t, A);
	/* each CONST refers to the next one: the first is finished last */
	for (uint32_t i = 0; i < DEPTH; i++)
		add_ref(&t, BTF_CONST, 0, i + 1 < DEPTH ? i + 3 : 1);
	/* and two lists of structs, which are compared to their ends */
	for (int copy = 0; copy < 2; copy++) {
		for (uint32_t i = 0; i < DEPTH; i++) {
			uint32_t id = btf_types_end(&t);

			add_struct1(&t, 100 + i, P, i + 1 < DEPTH ? id + 1 : 1);
		}
	}
	run(&t);
	CHECK_EQ(nr_types(&t), 1 + 2 * DEPTH);
}

TEST(what_is_no_type_is_not_used_as_one)
{
	TYPES(var);
	add_var(&var, V, add_int(&var, A));
	add_ptr(&var, 2);
	CHECK_ERR_TEXT(try_run(&var), ERR_FORMAT, "a VAR is used as a type");

	TYPES(sec);
	ADD(&sec, S, btf_info(BTF_DATASEC, 0, false), 4);
	add_struct1(&sec, T, X, 1);
	CHECK_ERR_TEXT(try_run(&sec), ERR_FORMAT, "a DATASEC is used as a type");

	TYPES(both); /* found while comparing */
	for (int i = 0; i < 2; i++) {
		add_struct1(&both, T, X, btf_types_end(&both) + 1);
		ADD(&both, T, btf_info(BTF_DECL_TAG, 0, false), 0, UINT32_MAX);
	}
	CHECK_ERR_TEXT(try_run(&both), ERR_FORMAT, "a DECL_TAG is used as a type");
}

TEST(a_kind_that_does_not_exist_is_refused)
{
	TYPES(t);

	add_int(&t, A);
	ADD(&t, 0, 31u << 24, 0);
	CHECK_ERR_TEXT(try_run(&t), ERR_FORMAT, "type 2: unknown kind 31");
}

TEST(nothing_stays_nothing)
{
	TYPES(t);

	run(&t);
	CHECK_EQ(nr_types(&t), 0);
}
