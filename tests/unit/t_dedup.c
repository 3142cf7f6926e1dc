/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_dedup.c - the result of libbpf's rule for small inputs
 *
 * Expected results were taken from libbpf, but for those of two arrays (docs/spec/dedup.md 3.7); tests/lib/btftext.h has the notation. VARs are never merged,
 * so a VAR shows where a type went.
 */
#include "dedup/dedup.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

static struct err *try_run(struct test_view *v)
{
	const struct dedup_opts opts = { .base_typedefs = true };

	test_view_init(v);
	return dedup_run(&v->view.types, &opts);
}

static size_t count(const struct btf_types *t, enum btf_kind kind)
{
	size_t nr = 0;

	for (uint32_t id = t->first; id < btf_types_end(t); id++)
		nr += btf_info_kind(btf_types_rec(t, id)[BTF_REC_INFO]) == kind;
	return nr;
}

static const struct {
	const char *name, *base, *types, *result; /* base NULL: none */
} cases[] = {
	{ "two members become one", NULL,
	  "int; fwd s; ptr 2; struct t 16 {a 1, p 3 64}; struct s 8 {x 6};"
	  "int; ptr 5; struct t 16 {a 6, p 7 64}",
	  "int; ptr 4; struct t 16 {a 1, p 2 64}; struct s 8 {x 1}" },
	{ "a declaration whose name is behind a long one", NULL,
	  "struct of_a_name_of_sixty_four_bytes_so_that_the_next_one_is_far_behind 4; fwd f; ptr 2;"
	  "struct f 4; fwd f; ptr 5",
	  "struct of_a_name_of_sixty_four_bytes_so_that_the_next_one_is_far_behind 4; ptr 3; struct f 4" },
	{ "integers of another encoding are others", NULL, "int A; int A 4 32; int A; int B",
	  "int A; int A 4 32; int B" },
	{ "declared enums end at the last full one that was scanned", NULL,
	  "enum E 4; enum E 4 {A 1}; enum E 4 {A 2}; enum E 4 {A 1}; enum E 1;"
	  "var V 1; var V 2; var V 3; var V 4; var V 5",
	  "enum E 4 {A 1}; enum E 4 {A 2}; var V 2; var V 1; var V 2; var V 1; var V 2" },
	{ "a declared enum may stand for one of 64 bits; full ones never merge", NULL,
	  "enum E 4; enum64 E 8 {A 0x100000000}; enum F 4 {A 0}; enum64 F 8 {A 0}; var V 1",
	  "enum64 E 8 {A 4294967296}; enum F 4 {A 0}; enum64 F 8 {A 0}; var V 1" },
	{ "recursive typedefs merge", NULL, "typedef T 2; ptr 1; typedef T 4; ptr 3",
	  "typedef T 2; ptr 1" },
	{ "a declaration is bound to the only struct of its name, not to one of another kind", NULL,
	  "fwd S; struct S 0; fwd! U; struct U 0; var V 1",
	  "struct S 0; fwd! U; struct U 0; var V 1" },
	{ "a struct and a union of one name leave the declaration open", NULL,
	  "fwd S; struct S 0; union S 0", "fwd S; struct S 0; union S 0" },
	{ "of equal references the first to be finished stays", NULL,
	  "int A; const 5; ptr 1; int B; ptr 1", "int A; const 4; int B; ptr 1" },
	{ "functions merge by name, linkage and prototype", NULL,
	  "func_proto 0; func_proto 0; func F 1; func F 2; func F 2 global",
	  "func_proto 0; func F 1; func F 1 global" },
	{ "names of parameters tell prototypes apart", NULL,
	  "int; func_proto 1 {x 1}; func_proto 1 {y 1}; func_proto 1 {x 1}",
	  "int; func_proto 1 {x 1}; func_proto 1 {y 1}" },
	{ "variables, sections and their tags stay", NULL,
	  "int; var V 1; datasec S 4 {2 0 4}; decl_tag T 2;"
	  "var V 1; datasec S 4 {5 0 4}; decl_tag T 5; int",
	  "int; var V 1; datasec S 4 {2 0 4}; decl_tag T 2;"
	  " var V 1; datasec S 4 {5 0 4}; decl_tag T 5" },
	{ "tags merge by value, target and component", NULL,
	  "struct S 16 {x 0, y 0 64}; decl_tag T 1 0; decl_tag T 1 1; decl_tag T 1 0; "
	  "decl_tag U 1 0",
	  "struct S 16 {x 0, y 0 64}; decl_tag T 1 0; decl_tag T 1 1; decl_tag U 1 0" },
	{ "structs that refer to each other merge", NULL,
	  "struct S 8 {p 2}; ptr 3; struct T 8 {q 4}; ptr 1;"
	  "struct S 8 {p 6}; ptr 7; struct T 8 {q 8}; ptr 5;"
	  "struct S 8 {p 10}; ptr 11; struct T 8 {q 12}; ptr 9",
	  "struct S 8 {p 2}; ptr 3; struct T 8 {q 4}; ptr 1" },
	{ "a nameless struct with a declaration inside merges all the same", NULL,
	  "int A; struct F 8 {x 1}; ptr 2; struct 8 {p 3}; fwd F; ptr 5; struct 8 {p 6}",
	  "int A; struct F 8 {x 1}; ptr 2; struct 8 {p 3}" },
	{ "places merge by size, flags and words", NULL,
	  "loc_param 4 8 {5}; loc_param 8 8 {5}; loc_param 4 24 {5}; loc_param 4 8 {6}; loc_param 4 8 {5, 6}; "
	  "loc_param 4 8 {5}; loc_proto {6, 2}",
	  "loc_param 4 8 {5}; loc_param 8 8 {5}; loc_param 4 24 {5}; loc_param 4 8 {6}; loc_param 4 8 {5, 6}; "
	  "loc_proto {1, 2}" },
	{ "tuples of places merge by all of them, after these; sites never do", NULL,
	  "func_proto 0; func F 1; loc_proto {6, 0}; loc_proto {0, 6}; loc_proto {6}; loc_param 4 8 {5}; "
	  "loc_param 4 8 {5}; loc_proto {7, 0}; loc_proto {7, 7}; loc_proto; loc_proto; func_proto 0; func F 12; "
	  "locsec S {13 8 4, 2 3 0}; locsec S {13 8 4, 2 3 0}",
	  "func_proto 0; func F 1; loc_proto {6, 0}; loc_proto {0, 6}; loc_proto {6}; loc_param 4 8 {5}; "
	  "loc_proto {6, 6}; loc_proto; locsec S {2 3 4, 2 3 0}; locsec S {2 3 4, 2 3 0}" },
	{ "nothing stays nothing", NULL, NULL, "" },

	/* S { int[2] x; int[2] y; }: both members of one array or of two */
	{ "two arrays are not one of other elements", NULL,
	  "int A; int B; array 1 1 2; struct S 16 {x 3, y 3 64};"
	  "array 1 1 2; array 2 1 2; struct S 16 {x 5, y 6 64}",
	  "int A; int B; array 1 1 2; struct S 16 {x 3, y 3 64};"
	  " array 2 1 2; struct S 16 {x 3, y 5 64}" },
	{ "nor one two", NULL,
	  "int A; int B; array 1 1 2; array 2 1 2; struct S 16 {x 3, y 4 64};"
	  "array 1 1 2; struct S 16 {x 6, y 6 64}",
	  "int A; int B; array 1 1 2; array 2 1 2; struct S 16 {x 3, y 4 64};"
	  " struct S 16 {x 3, y 3 64}" },

	/* --- over a base --- */
	{ "types of the base are found and not written again", "int A; struct S 8 {x 1}; ptr 2",
	  "int A; struct S 8 {x 4}; ptr 5; struct T 8 {p 6}", "struct T 8 {p 3}" },
	{ "places and functions of the base are found, its sites are not",
	  "func_proto 0; func F 1; loc_param 4 8 {5}; loc_proto {3}; locsec S {2 4 0}",
	  "func_proto 0; func F 6; loc_param 4 8 {5}; loc_proto {8}; loc_param 4 8 {6}; loc_proto {8, 10}; "
	  "locsec S {7 9 0, 7 11 4}",
	  "loc_param 4 8 {6}; loc_proto {3, 6}; locsec S {2 4 0, 2 7 4}" },
	{ "a declaration of the base is not replaced, but own references follow",
	  "fwd S; ptr 1; struct T 8 {p 2}",
	  "int A; struct S 8 {x 4}; ptr 5; struct T 8 {p 6}; var V 1",
	  "int A; struct S 8 {x 4}; ptr 5; struct T 8 {p 6}; var V 5" },
	{ "own references follow a declared enum of the base, too", "enum E 4",
	  "enum E 4 {A 1}; var V 1", "enum E 4 {A 1}; var V 2" },
};

/* @classes_first: as if comparisons had taken long. */
static void check_case(const char *base_types, const char *types, const char *result,
		       bool classes_first)
{
	const struct dedup_opts opts = { .base_typedefs = true, .classes_first = classes_first };
	VIEW(base);
	VIEW(v);
	const char *before = "";

	if (base_types) {
		test_view_add(&base, base_types);
		before = test_view_text(&base);
		test_view_put_over(&v, &base);
	}
	if (types)
		test_view_add(&v, types);
	test_view_init(&v);
	CHECK_OK(dedup_run(&v.view.types, &opts));
	CHECK_STR(test_view_text(&v), result);
	CHECK_STR(test_view_text(&base), before);
}

TEST_EACH(small_inputs_give_the_result_of_libbpf, cases, c)
{
	check_case(c->base, c->types, c->result, false);
	check_case(c->base, c->types, c->result, true);
}

static const struct {
	const char *name, *types, *problem;
} bad_cases[] = {
	{ "two pointers in a cycle", "ptr 2; ptr 1", "type 1 refers to itself" },
	{ "a const of itself", "int A; const 2", "type 2 refers to itself" },
	{ "a prototype in a cycle", "func_proto 0 {x 2}; ptr 1", "refers to itself" },
	/* the second struct is scanned before its typedefs find their own canonical ones */
	{ "copies in a cycle without a struct",
	  "typedef T 2; ptr 1; struct S 16 {p 1, q 1 64}; struct S 16 {p 5, q 7 64};"
	  "typedef T 6; ptr 5; typedef T 8; ptr 7",
	  "types 5 and 7" },
	{ "a variable is not a type", "int A; var V 1; ptr 2", "a VAR is used as a type" },
	{ "a section is not a type", "datasec S 4; struct T 8 {x 1}",
	  "a DATASEC is used as a type" },
	{ "a place is not a type", "loc_param 4 8 {5}; ptr 1", "a LOC_PARAM is used as a type" },
	{ "a list of sites is not a type", "locsec S; struct T 8 {x 1}",
	  "a LOCSEC is used as a type" },
	{ "places are not a type, when two structs are compared",
	  "struct T 8 {x 3}; struct T 8 {x 4}; loc_proto; loc_proto",
	  "a LOC_PROTO is used as a type" },
	{ "a tag is not a type, when two are compared",
	  "struct T 8 {x 2}; decl_tag T 0; struct T 8 {x 4}; decl_tag T 0",
	  "a DECL_TAG is used as a type" },
};

TEST_EACH(references_that_lead_nowhere_are_refused, bad_cases, c)
{
	VIEW(v);

	test_view_add(&v, c->types);
	CHECK_ERR_TEXT(try_run(&v), ERR_FORMAT, c->problem);
}

TEST(nameless_enums_merge_by_content)
{
	VIEW(v);

	for (uint32_t i = 0; i < 3000; i++)
		test_view_addf(&v, "enum 4 {A %u}", i % 1000);
	CHECK_OK(try_run(&v));
	CHECK_EQ(v.view.types.start.nr, 1000);
}

TEST(nameless_unions_of_one_outline_are_told_apart)
{
	VIEW(v);

	for (uint32_t i = 0; i < 4000; i++)
		test_view_addf(&v, "struct s%u 0; ptr %u; union 32 {x %u}", i % 2000, 3 * i + 1,
			       3 * i + 2);
	CHECK_OK(try_run(&v));
	CHECK_EQ(v.view.types.start.nr, 3 * 2000);
}

/*
 * Two structs F of different content, and one S for each with a pointer to it. The third S points to a
 * declared F, so it could be either. The size of the table of candidates determines which one is
 * visited first. Returns the number of the S that the third one became.
 */
static uint32_t owner_of_third(uint32_t nr_others)
{
	VIEW(v);
	struct btf_types *t = &v.view.types;
	uint32_t fwd;

	test_view_add(&v, "int A; struct F 8 {x 1}; int B; struct F 8 {x 3};"
			  "ptr 2; struct S 8 {p 5}; ptr 4; struct S 8 {p 7}");
	for (uint32_t i = 0; i < nr_others; i++)
		test_view_addf(&v, "struct s%u 0", i);
	fwd = test_view_add(&v, "fwd F");
	test_view_addf(&v, "ptr %u; struct S 8 {p %u}; var V 6; var V 8; var V %u", fwd, fwd + 1,
		       fwd + 2);
	CHECK_OK(try_run(&v));
	CHECK_EQ(count(t, BTF_FWD), 0);

	uint32_t end = btf_types_end(t), third = btf_types_rec(t, end - 1)[BTF_REC_SIZE_TYPE];
	bool is_first = third == btf_types_rec(t, end - 3)[BTF_REC_SIZE_TYPE];
	CHECK(is_first || third == btf_types_rec(t, end - 2)[BTF_REC_SIZE_TYPE]);
	return is_first ? 1 : 2;
}

TEST(the_candidate_visited_first_depends_on_the_size_of_the_table)
{
	CHECK_EQ(owner_of_third(0), 2);
	CHECK_EQ(owner_of_third(5), 2);
	CHECK_EQ(owner_of_third(6), 1);
	CHECK_EQ(owner_of_third(17), 1);
	CHECK_EQ(owner_of_third(18), 2);
}

/*
 * @levels structs, each with @width pointers to the next one, the last one with type 1. Returns the
 * pointer to the first.
 */
static uint32_t add_layers(struct test_view *v, uint32_t levels, uint32_t width)
{
	uint32_t id = 1;

	for (uint32_t i = levels; i-- > 0;) {
		char members[16 * 12] = "";

		for (uint32_t m = 0; m < width; m++)
			sprintf(members + strlen(members), "%sp %u %u", m ? ", " : "", id, 64 * m);
		id = test_view_addf(v, "struct s%u %u {%s}", i, 8 * width, members);
		id = test_view_addf(v, "ptr %u", id);
	}
	return id;
}

static uint32_t add_pyramid(struct test_view *v, uint32_t levels, uint32_t width, bool in_array)
{
	uint32_t id = add_layers(v, levels, width);

	return in_array ? test_view_addf(v, "array %u 1 1", id) : id;
}

/*
 * S { p, q } with both to one pyramid, then S { p, q } to two copies of it; or to arrays of them. The
 * second S precedes its members, so that it is compared while these are open. Returns how many structs S
 * are left.
 */
static size_t structs_of_copies(uint32_t levels, uint32_t width, bool arrays)
{
	VIEW(v);
	uint32_t first, second, s;

	test_view_add(&v, "int A");
	first = add_pyramid(&v, levels, width, arrays);
	s = test_view_addf(&v, "struct S 16 {p %u, q %u 64}; struct S 16 {p 0, q 0 64}", first,
			   first);
	first = add_pyramid(&v, levels, width, arrays);
	second = add_pyramid(&v, levels, width, arrays);
	btf_types_rec(&v.view.types, s)[4] = first;
	btf_types_rec(&v.view.types, s)[7] = second;
	CHECK_OK(try_run(&v));
	return count(&v.view.types, BTF_STRUCT) - levels;
}

TEST(copies_within_one_unit_are_understood_16_structs_deep)
{
	CHECK_EQ(structs_of_copies(1, 1, false), 1);
	CHECK_EQ(structs_of_copies(16, 1, false), 1);
	CHECK_EQ(structs_of_copies(17, 1, false), 2);
}

/* libbpf does not look into arrays, so there the limit would tell equal types apart that it merges. */
TEST(copies_in_arrays_are_understood_at_any_depth)
{
	CHECK_EQ(structs_of_copies(16, 1, true), 1);
	CHECK_EQ(structs_of_copies(17, 1, true), 1);
	CHECK_EQ(structs_of_copies(100, 1, true), 1);
}

TEST(many_paths_to_a_copy_take_no_exponential_time)
{
	CHECK_EQ(structs_of_copies(15, 16, false), 1); /* 16^15 paths */
}

/* Two copies of two types that refer to each other, of any kinds: an error, or a whole result. */
TEST(cycles_through_every_kind_come_to_an_end)
{
	static const char *const kinds[] = {
		"ptr %u",
		"const %u",
		"volatile %u",
		"restrict %u",
		"typedef T %u",
		"type_tag %u",
		"array %u %1$u 2",
		"func T %u",
		"func_proto %u {A %1$u}",
		"struct S 8 {A %u}",
		"var V %u",
		"union S 8 {A %u}",
		"decl_tag A %u",
	};
	size_t nr_errors = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds) * ARRAY_SIZE(kinds); i++) {
		VIEW(v);
		struct btf_types *t = &v.view.types;
		char text[64];

		for (uint32_t id = 1; id <= 4; id++) {
			size_t kind = id % 2 ? i / ARRAY_SIZE(kinds) : i % ARRAY_SIZE(kinds);

			snprintf(text, sizeof(text), kinds[kind], id % 2 ? id + 1 : id - 1);
			test_view_add(&v, text);
		}

		struct err *e = try_run(&v);
		nr_errors += e != NULL;
		CHECK(!e || err_kind(e) == ERR_FORMAT);
		for (uint32_t id = 1; !e && id < btf_types_end(t); id++)
			btf_rec_each_type(btf_types_rec(t, id), type)
				CHECK(*type < btf_types_end(t));
		err_free(e);
	}
	/* a struct or union in between makes a cycle a type */
	CHECK(nr_errors && nr_errors < ARRAY_SIZE(kinds) * ARRAY_SIZE(kinds));
}

TEST(typedefs_of_the_base_are_found_on_request)
{
	for (int find = 0; find < 2; find++) {
		const struct dedup_opts opts = { .base_typedefs = find };
		VIEW(base);
		VIEW(v);

		test_view_add(&base, "int A; typedef T 1");
		test_view_put_over(&v, &base);
		test_view_add(&v, "int A; typedef T 3; var V 4");
		CHECK_OK(dedup_run(&v.view.types, &opts));
		CHECK_STR(test_view_text(&v), find ? "var V 2" : "typedef T 1; var V 3");
	}
}

TEST(split_btf_may_stand_on_split_btf)
{
	VIEW(base);
	VIEW(mid);
	VIEW(v);

	test_view_add(&base, "int A");
	test_view_put_over(&mid, &base);
	test_view_add(&mid, "ptr 1");
	test_view_put_over(&v, &mid);
	test_view_add(&v, "int A; ptr 3; var V 4");
	CHECK_OK(try_run(&v));
	CHECK_STR(test_view_text(&v), "var V 2");
}

TEST(depth_is_limited_by_memory_only)
{
	enum { DEPTH = 300000 };
	VIEW(v);

	test_view_add(&v, "int A");
	/* each CONST refers to the next one: the first is finished last */
	for (uint32_t i = 0; i < DEPTH; i++)
		add_ref(&v.view.types, BTF_CONST, 0, i + 1 < DEPTH ? i + 3 : 1);
	/* and two lists of structs, which are compared to their ends */
	for (int copy = 0; copy < 2; copy++) {
		for (uint32_t i = 0; i < DEPTH; i++) {
			uint32_t id = btf_types_end(&v.view.types);

			add_struct1(&v.view.types, 100 + i, 1, i + 1 < DEPTH ? id + 1 : 1);
		}
	}
	CHECK_OK(try_run(&v));
	CHECK_EQ(v.view.types.start.nr, 1 + 2 * DEPTH);
}

TEST(a_kind_that_does_not_exist_is_refused)
{
	VIEW(v);

	test_view_add(&v, "int A");
	ADD(&v.view.types, 0, 31u << 24, 0);
	CHECK_ERR_TEXT(try_run(&v), ERR_FORMAT, "type 2: unknown kind 31");
}
