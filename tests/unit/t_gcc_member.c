/* SPDX-License-Identifier: GPL-2.0-only */
/* t_gcc_member.c - BTF of gcc becomes BTF as pahole writes it */
#include "encoder/member/gcc_member.h"

#include "check/btf_verify.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

#include <stddef.h>

enum { ALL = ~0u };

static const struct encode_opts all = { .features = ALL };

/* The counts that are not 0, in memory that is kept. */
static const char *counts_text(const struct gcc_member_counts *n)
{
#define COUNT(field)             \
	{                        \
#field, n->field \
	}
	const struct {
		const char *name;
		uint32_t nr;
	} counts[] = {
		COUNT(arrays), COUNT(ints),   COUNT(enums),    COUNT(enum_fwds),
		COUNT(fwds),   COUNT(floats), COUNT(fields),   COUNT(protos),
		COUNT(funcs),  COUNT(vars),   COUNT(sections), COUNT(tags),
	};
#undef COUNT
	char *text = test_keep(mem_zalloc(256, 1));

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		if (counts[i].nr)
			sprintf(text + strlen(text), "%s%s %u", *text ? ", " : "", counts[i].name,
				counts[i].nr);
	}
	return text;
}

static struct err *try_normalise(struct test_view *m, struct encode_opts opts,
				 const struct gcc_tags *tags, struct gcc_member_counts *n)
{
	CLEANUP(gcc_member_release) struct gcc_member result = { 0 };

	TRY(gcc_member_normalise(&m->view, &opts, tags, &result));
	*n = result.n;
	return NULL;
}

/* Normalise, and check the result by the rules of the kernel. */
static const char *normalise(struct test_view *m, struct encode_opts opts,
			     const struct gcc_tags *tags)
{
	CLEANUP(btf_findings_release) struct btf_findings f = { 0 };
	struct gcc_member_counts n = { 0 };

	CHECK_OK(try_normalise(m, opts, tags, &n));
	btf_verify(&m->view, &(struct btf_verify_opts){ 0 }, &f);
	for (size_t i = 0; i < f.nr; i++)
		printf("# [%u] element %d: %s\n", f.items[i].id, (int)f.items[i].element,
		       btf_rule(f.items[i].rule)->text);
	CHECK_EQ(f.nr, 0);
	return counts_text(&n);
}

/* "ul" is what gcc takes for the index of an array. */
struct type_case {
	const char *name;
	uint32_t features;
	const char *types, *counts, *result;
};

static const struct type_case cases[] = {
	/* --- numbers --- */
	{ "characters become numbers", ALL,
	  "int char 1 0x3000008; int 'unsigned char' 1 0x2000008; int _Bool 1 0x4000008", "ints 2",
	  "int char 1 0x1000008; int 'unsigned char' 1 8; int _Bool 1 0x4000008" },
	{ "floats that BTF has stay", ALL, "float float 4; float 'long double' 16; float x87 12",
	  "", "float float 4; float 'long double' 16; float x87 12" },
	{ "a float that BTF does not have becomes bytes", ALL, "float 'complex long double' 32",
	  "floats 1", "struct 32" },
	{ "floats are numbers without the feature", 0,
	  "float float 4; struct s 8 {x 1}; float x87 12", "floats 2",
	  "int float 4 32; struct s 8 {x 1}; struct 12" },

	/* --- enums --- */
	{ "a negative value of gcc 12 gives its enum a sign", ALL,
	  "enum e 4 {A 5, B -1}; enum u 4 {C 0x7fffffff}", "enums 1",
	  "enum! e 4 {A 5, B -1}; enum u 4 {C 2147483647}" },
	{ "a large value of gcc 13 is not negative", ALL,
	  "int; enum e 4 {A 0xffffffff}; func_proto 0 {p 1}; func not_of_12 3 global", "",
	  "int; enum e 4 {A 4294967295}; func_proto 0 {p 1}; func not_of_12 3" },
	{ "a sign without negative values is none", ALL,
	  "enum! typed 4 {A 1}; enum! negative 4 {B -1}", "enums 1",
	  "enum typed 4 {A 1}; enum! negative 4 {B -1}" },
	{ "a wide enum of gcc 12 becomes an enum64", ALL, "enum wide 8 {A 3, B -1}", "enums 1",
	  "enum64! wide 8 {A 3, B -1}" },
	{ "enums have no sign without the feature enum64", FEATURE_FLOAT,
	  "enum e 4 {A -1}; enum! f 4 {B -1}", "enums 1",
	  "enum e 4 {A 4294967295}; enum f 4 {B 4294967295}" },
	{ "wide enums keep the low halves without the feature enum64", FEATURE_FLOAT,
	  "enum64! of_13 8 {A 0xffffffff00000007}; enum of_12 8 {A 7}", "enums 1",
	  "enum of_13 8 {A 7}; enum of_12 8 {A 7}" },
	{ "a declared enum of gcc 14 gets a size", ALL, "enum later 0; ptr 1", "enum_fwds 1",
	  "enum later 4; ptr 1" },
	{ "declarations lose the garbage in them", ALL, "int; fwd s 1; fwd! u", "fwds 1",
	  "int; fwd s; fwd! u" },

	/* --- arrays --- */
	{ "dimensions stay apart, with int as their index", ALL,
	  "int; int ul 8 64; array 1 2 2; array 3 2 3; struct s 24 {x 4}", "",
	  "int; int ul 8 64; array 1 1 2; array 3 1 3; struct s 24 {x 4}" },
	{ "lengths are in the wrong order before gcc 14", ALL,
	  "int; int ul 8 64; int char 1 0x3000008; array 1 2 2; array 4 2 3; array 5 2 4;"
	  "array 1 2 7; array 1 2 8; array 8 2 9",
	  "ints 1",
	  "int; int ul 8 64; int char 1 0x1000008; array 1 1 4; array 4 1 3; array 5 1 2; "
	  "array 1 1 7; array 1 1 9; array 8 1 8" },
	{ "a row with a name is a type of its own", ALL,
	  "int; int ul 8 64; array 1 2 2; typedef row 3; array 4 2 3", "",
	  "int; int ul 8 64; array 1 1 2; typedef row 3; array 4 1 3" },
	{ "an int is added for the arrays of a unit without one", ALL,
	  "int ul 8 64; int char 1 0x3000008; array 2 1 7; typedef uint 1", "ints 1",
	  "int ul 8 64; int char 1 0x1000008; array 2 5 7; typedef uint 1; int" },
	{ "an extern array without an index gets one", ALL,
	  "int char 1 0x3000008; array 1 0 0; typedef uint 1", "ints 1",
	  "int char 1 0x1000008; array 1 4 0; typedef uint 1; int" },

	/* --- functions --- */
	{ "the functions of pointers go and their prototypes stay", ALL,
	  "int; func_proto 0 {1}; ptr 2; func 2", "funcs 1", "int; func_proto 0 {1}; ptr 2" },
	/* gcc 13 leaves a name in the prototype */
	{ "a function with names for its parameters stays", ALL,
	  "int; func_proto left 0 {p 1, 0}; func printf 2 global", "",
	  "int; func_proto 0 {p 1, 0}; func printf 2" },
	{ "a function that is certainly declared only goes", ALL,
	  "int; fwd incomplete; func_proto 0 {1}; func no_name 3; func_proto 0 {p 2}; func takes 5;"
	  "func_proto 2 {p 1}; func returns 7; func_proto 0 {p 1}; func external 9 extern",
	  "funcs 4", "int; fwd incomplete" },
	/* {0, x 4} does not end in dots, because something follows */
	{ "a pointer to a function that takes a vector is one to void", ALL,
	  "typedef v4 0; func_proto 0 {1}; ptr 2; func_proto 1 {p 3}; func f 4;"
	  "func_proto 0 {0, x 3}; func g 6",
	  "protos 3, funcs 2", "typedef v4 0; ptr 0" },
	{ "tags go with their targets", ALL,
	  "int; func_proto 0 {1}; func 2; func_proto 0 {value 1}; func f 4;"
	  "decl_tag value 3 0; decl_tag value 5 0",
	  "funcs 1, tags 1", "int; func_proto 0 {value 1}; func f 2; decl_tag value 3 0" },

	/* --- members --- */
	{ "members without a type are left out", ALL,
	  "int; typedef v4 0; array 2 1 2; struct! s 80 {a 2, b 3 128, c 1 384:3, d 2 512};"
	  "decl_tag value 4; decl_tag value 4 2; ptr 3",
	  "fields 3, tags 1",
	  "int; typedef v4 0; struct! s 80 {c 1 384:3}; decl_tag value 3; ptr 0" },

	/* --- variables --- */
	{ "variables stay and their sections go", ALL, "int; var defined 1; datasec .bss 0 {2 0 4}",
	  "sections 1", "int; var defined 1" },
	{ "a variable of no section goes", ALL, "int; var of_a_thread 1", "vars 1", "int" },
	{ "variables that are declared only or have no size go", ALL,
	  "int; fwd incomplete; struct empty 0; array 1 1 0; struct byte 1; const 0;"
	  "var external 1 extern; datasec .ksyms 0 {7 0 4};"
	  "var v1 2; var v2 3; var v3 4; var v4 5; var v5 6; datasec .bss 0 {9 0 4};"
	  "datasec .bss 0 {10 0 4}; datasec .bss 0 {11 0 4}; datasec .bss 0 {12 0 4};"
	  "datasec .bss 0 {13 0 4}",
	  "vars 6, sections 6",
	  "int; fwd incomplete; struct empty 0; array 1 1 0; struct byte 1; const 0" },
	{ "variables that pahole leaves out go", ALL,
	  "int; var __UNIQUE_ID_a1 1; datasec .data 0 {2 0 4}; var no$name 1; "
	  "datasec .data 0 {4 0 4}",
	  "vars 2, sections 2", "int" },
	{ "references follow records that move", ALL,
	  "int; func_proto 0 {1}; func 2; ptr 5; struct s 8 {self 4}", "funcs 1",
	  "int; ptr 3; struct s 8 {self 2}" },
};

static const struct type_case flat_cases[] = {
	{ "dimensions become one array, with int as its index", ALL,
	  "int; int ul 8 64; array 1 2 2; array 3 2 3; struct s 24 {x 4}", "arrays 1",
	  "int; int ul 8 64; array 1 1 6; struct s 24 {x 3}" },
	{ "an inner array that is used stays", ALL,
	  "int; int ul 8 64; array 1 2 2; typedef row 3; array 3 2 3", "arrays 1",
	  "int; int ul 8 64; array 1 1 2; typedef row 3; array 1 1 6" },
	{ "a flexible dimension leaves nothing", ALL, "int; int ul 8 64; array 1 2 0; array 3 2 7",
	  "arrays 1", "int; int ul 8 64; array 1 1 0" },
};

static void check_case(const struct type_case *c, enum compat_level level)
{
	const struct encode_opts opts = { .compat = level, .features = c->features };
	VIEW(m);

	test_view_add(&m, c->types);
	CHECK_STR(normalise(&m, opts, NULL), c->counts);
	CHECK_STR(test_view_text(&m), c->result);
}

TEST_EACH(members_of_gcc_become_those_of_pahole, cases, c)
{
	check_case(c, COMPAT_1_32);
}

TEST_EACH(arrays_of_gcc_become_those_of_pahole_1_31, flat_cases, c)
{
	check_case(c, COMPAT_1_31);
}

/* The kind of the declaration "struct foo;" of gcc 12, given the tags of all members. */
static const struct {
	const char *name, *types, *others; /* the types of another member, or NULL */
	const char *counts, *result;
} tag_cases[] = {
	{ "another member defines an enum", "fwd foo 1; ptr 1", "enum foo 4", "enum_fwds 1",
	  "enum foo 4; ptr 1" },
	{ "another member defines a struct", "fwd foo 1; ptr 1", "struct foo 4", "fwds 1",
	  "fwd foo; ptr 1" },
	{ "another member has a float of that name", "fwd foo 1; ptr 1", "float foo 4", "fwds 1",
	  "fwd foo; ptr 1" },
	{ "a union is not an enum", "fwd! foo; enum foo 4", NULL, "", "fwd! foo; enum foo 4" },
	{ "a parameter of a function behind a pointer is an enum",
	  "fwd stage; const 1; func_proto 0 {2}; ptr 3; func 3", NULL, "enum_fwds 1, funcs 1",
	  "enum stage 4; const 1; func_proto 0 {2}; ptr 3" },
	{ "a parameter of a declared function may be a struct",
	  "fwd incomplete; func_proto 0 {p 1}; func declared 2", NULL, "funcs 1",
	  "fwd incomplete" },
};

TEST_EACH(declared_enums_are_recognised_by_the_tags_of_all_members, tag_cases, c)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	VIEW(other);
	VIEW(m);

	test_view_add(&m, c->types);
	if (c->others) {
		test_view_add(&other, c->others);
		gcc_tags_add(&tags, &other.view);
	}
	gcc_tags_add(&tags, &m.view);
	CHECK_STR(normalise(&m, all, &tags), c->counts);
	CHECK_STR(test_view_text(&m), c->result);
}

TEST(an_array_of_itself_is_refused)
{
	VIEW(m);
	struct gcc_member_counts n;

	test_view_add(&m, "array 1 1 1");
	CHECK_ERR_TEXT(try_normalise(&m, all, NULL, &n), ERR_FORMAT,
		       "type 1: an array of more than 64 dimensions");
	CHECK_STR(test_view_text(&m), "array 1 1 1");
}

TEST(sixty_four_dimensions_are_not_too_many)
{
	const struct encode_opts flat = { .features = ALL, .compat = COMPAT_1_31 };

	for (uint32_t nr = 64; nr <= 65; nr++) {
		VIEW(m);
		struct gcc_member_counts n;

		test_view_add(&m, "int");
		for (uint32_t d = 1; d <= nr; d++)
			test_view_addf(&m, "array %u 1 1", d);
		if (nr == 65)
			CHECK_ERR(try_normalise(&m, all, NULL, &n), ERR_FORMAT);
		else
			CHECK_STR(normalise(&m, flat, NULL), "arrays 63");
		CHECK(nr == 65 || !strcmp(test_view_text(&m), "int; array 1 1 1"));
	}
}

TEST(a_cycle_of_names_has_no_size_and_takes_no_time)
{
	VIEW(m);
	struct gcc_member_counts n = { 0 };

	test_view_add(&m, "typedef a 2; typedef a 1; struct s 8 {x 1}");
	CHECK_OK(try_normalise(&m, all, NULL, &n));
	CHECK_STR(counts_text(&n), "fields 1");
}

TEST(a_normalised_member_stays_as_it_is)
{
	VIEW(m);
	const char *once;

	test_view_add(&m, "int; array 1 0 1; array 2 0 2; struct s 8 {x 3};"
			  "func_proto 0 {p 1}; func f 5 global");
	normalise(&m, all, NULL);
	once = test_view_text(&m);
	CHECK_STR(normalise(&m, all, NULL), "");
	CHECK_STR(test_view_text(&m), once);
}

static const struct {
	const char *name, *strings[5], *source;
} sources[] = {
	{ "the last string of types", { "int", "dir/unit.c", "", ".bss" }, "dir/unit.c" },
	{ "no strings", { NULL }, NULL },
	{ "a section only", { "", ".bss" }, NULL },
	{ "a type only", { "int", "" }, NULL },
	{ "empty strings", { "", "" }, NULL },
};

TEST_EACH(the_name_of_the_source_is_the_last_string_of_types, sources, c)
{
	VIEW(m);

	test_view_init(&m);
	for (size_t i = 0; c->strings[i]; i++)
		test_name_again(&m, c->strings[i]);
	CHECK_STR(gcc_member_source(&m.view), c->source);
}

TEST(an_empty_member_stays_empty)
{
	VIEW(m);
	struct gcc_member_counts n;

	test_view_init(&m);
	CHECK_OK(try_normalise(&m, all, NULL, &n));
	CHECK_STR(test_view_text(&m), "");
}
