/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_dw_fast_path.c - rows of types, members, enumerators and parameters, and bodies of functions
 *
 * The loops of dw_fast_path.c read rows of DIEs with simple forms, the walk reads all others. Both must give
 * the same, so each DIE of a row has one of many shapes at random, some of which are simple.
 */
#include "tests/lib/dwarftext.h"
#include "tests/lib/rand.h"

/* The form of a number, with the bits that it can store; or the only number. NULL: there is none. */
static const struct {
	const char *form;
	uint32_t mask, only;
} numbers[] = {
	{ NULL, 0, 0 },
	{ "data1", 0xff, 0 },
	{ "data2", 0xffff, 0 },
	{ "data4", UINT32_MAX, 0 },
	{ "udata", UINT32_MAX, 0 },
	{ "const", 0, 40 },
	{ "const", 0, 1 << 19 }, /* beyond the reach of a member with bits */
};

static const char *const name_forms[] = { NULL, "strp", "string" };
static const char *const type_forms[] = { "ref4", "ref_udata" };
static const char *const names[] = { "a",       "id",       "lock",
				     "seven_c", "eight_ch", "a_long_name_of_a_member" };

enum {
	NR_SHAPES = ARRAY_SIZE(numbers) * ARRAY_SIZE(name_forms) * ARRAY_SIZE(type_forms) * 2,
	ROUNDS = 300,
	MAX_ROW = 40,
	SEED = 1,
};

/* The unit before the row. Abbreviations have codes of one byte and of two. The type is at offset 13. */
#define BEGIN "codes=120 unit5 { base size=4; "
enum { TYPE_AT = 13 };

/* One or several DIEs, and the result that a reader must have. */
struct row {
	const char *dwarf, *want;
	bool plain; /* the locations of all members are simple */
};

static const struct row_kind {
	const char *name, *owner, *die;
	bool has_type;
	const char *number; /* key, or NULL */
	const char *kind;   /* of the type in BTF */
} kinds[] = {
	{ "members of a struct", "struct", "member", true, "at", "STRUCT" },
	{ "members of a union", "union", "member", true, "at", "UNION" },
	{ "enumerators", "enum", "value", false, "const", "ENUM 4" },
	{ "parameters", "proto", "param", true, NULL, "FUNC_PROTO 0" },
};

static struct row one_die(const struct row_kind *k, unsigned int shape, const char *name,
			  uint32_t number)
{
	size_t n = shape % ARRAY_SIZE(numbers), rest = shape / ARRAY_SIZE(numbers);
	const char *name_form = name_forms[rest % ARRAY_SIZE(name_forms)];
	const char *type_form = type_forms[rest / ARRAY_SIZE(name_forms) % 2];
	bool name_last = rest / ARRAY_SIZE(name_forms) / 2;
	bool has_number = k->number && numbers[n].form;
	const char *name_attr = name_form ? make_text(" name/%s=%s", name_form, name) : "";
	const char *text = make_text("%s%s", k->die, name_last ? "" : name_attr);

	number = has_number ? (number & numbers[n].mask) + numbers[n].only : 0;
	if (k->has_type)
		text = make_text("%s type/%s=%d", text, type_form, TYPE_AT);
	if (has_number)
		text = make_text("%s %s/%s=%u", text, k->number, numbers[n].form, number);
	text = make_text("%s%s; ", text, name_last ? name_attr : "");

	bool is_union = !strcmp(k->owner, "union"), is_struct = !strcmp(k->owner, "struct");
	bool nowhere = is_struct && !has_number;
	name = name_form ? name : "-";
	return (struct row){ .dwarf = text,
			     .want = !k->has_type ? make_text("%s=%u", name, number) :
						    make_text("%s 1 @%u%s", name, number * 8,
							      nowhere ? " static" : ""),
			     .plain = !nowhere && !(is_union && number) && number * 8 <= 0xffffff };
}

/* Most numbers are small; some are too large for an offset in BTF with bits. */
static struct row random_row(struct rnd *rnd, const struct row_kind *k)
{
	struct row row = { make_text(BEGIN "%s { ", k->owner), make_text("1 INT 4; 2 %s", k->kind),
			   true };
	size_t nr = rnd_below(rnd, MAX_ROW);

	for (size_t i = 0; i < nr; i++) {
		unsigned int shape = rnd_below(rnd, NR_SHAPES);
		const char *name = names[rnd_below(rnd, ARRAY_SIZE(names))];
		struct row one = one_die(k, shape, name,
					 rnd_below(rnd, rnd_one_in(rnd, 4) ? 1 << 24 : 300));

		row.dwarf = make_text("%s%s", row.dwarf, one.dwarf);
		row.want = make_text("%s%s%s", row.want, i ? ", " : " { ", one.want);
		row.plain &= one.plain;
	}
	row.dwarf = make_text("%s} }", row.dwarf);
	row.want = make_text("%s%s", row.want, nr ? " }" : "");
	return row;
}

TEST_EACH(rows_of_every_shape, kinds, k)
{
	static const struct dw_read_opts opts = { .vars = true, .func_names_end = 1000 };
	struct rnd rnd = { SEED };

	for (size_t round = 0; round < ROUNDS; round++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct row row = random_row(&rnd, k);

		CHECK_OK(dwarf_read(&r, row.dwarf, &opts));
		CHECK_STR(cu_text(&r), row.want);
		if (!strcmp(k->die, "member")) {
			CHECK_EQ(!!(r.cu.types.items[2].flags & CU_TYPE_PLAIN), row.plain);
			CHECK(!(r.cu.types.items[2].flags & CU_TYPE_BITS));
		}
	}
}

/* Wherever the unit ends in a row, something is missing, and the error tells so. */
TEST(a_row_that_leaves_its_unit_is_refused)
{
	static const struct dw_read_opts opts = { .func_names_end = 1000 };

	for (unsigned int shape = 0; shape < NR_SHAPES; shape++) {
		for (int codes = 1; codes <= 200; codes += 199) {
			struct row row = one_die(&kinds[0], shape, "a_long_name_of_a_member", 200);
			const char *text = make_text("codes=%d unit5 { base size=4; struct { ",
						     codes);
			struct dwarfmake without = { 0 }, with = { 0 };

			dwarf_text(&without, text);
			dwarf_text(&with, make_text("%s%s", text, row.dwarf));
			size_t code = codes > 0x7f ? 2 : 1, len = with.info.len - without.info.len;
			for (size_t cut = 1; cut <= len - code; cut++) {
				CLEANUP(result_release) struct result r = { 0 };

				CHECK_OK(dwarf_open(&r,
						    make_text("%s%scut=%zu", text, row.dwarf, cut),
						    &opts));
				CHECK_ERR_TEXT(result_read(&r, 0), ERR_FORMAT, "leaves its unit");
			}
		}
	}
}

/* DIEs at the outermost level. "~" ends the attributes of a DIE that a loop may read. */
static const char *const types[] = {
	"ptr type=13~; ",
	"ptr~; ",
	"typedef name/strp=number type=13~; ",
	"typedef num type=13~; ",
	"struct pair size=8~ { member name/strp=first type=13 at=0~; member b type=13 at=4~; } ",
	"struct name/strp=bits size=4~ { member a type=13 bits=3 bit_at=2~; member b type=13 bits=8 bit_at/const=5~; } ",
	"struct later !decl~; ",
	"struct empty size/const=0~ { } ",
	"struct outer size=8~ { member a type=13 at=0~; struct inner size=4~ { member x type=13 at=0~; } member b type=13 at=4~; } ",
	"union choice size=4~ { member a type=13~; union size=4~ { member x type=13~; } member b type=13~; } ",
	"union name/strp=choice size=4~ { member a type=13 bits=3 bit_at=0~; member b type=13 bits=3 bit_at=1~; } ",
	"enum level size=8 type=13~ { value LOW const=1~; value HIGH const/data1=2~; } ",
	"enum none~; ",
	"array type=13~ { range upper=3~; } ",
	"array type=13~ { range upper=3~; range upper/data2=300~; range~; } ",
	"array type=13~; ",
	"proto type=13~ { param type=13~; param type=13~; } ",
	"proto~ { param type=13~; param name/strp=named type=13~; } ",
	"proto~; ",
	"func f addr=0x10 { param a type=13; block { ptr type=13~; } } ",
	"var v type=13 loc=[addr 0x4000]; ",
};

enum { MAX_TYPES = 12 };

/* @text with ANNOTATED, which the loops leave to the walk, for all "~", or for some of them. */
#define ANNOTATED " note=13"
static const char *annotate(const char *text, struct rnd *rnd)
{
	const char *ret = "", *at;

	for (; (at = strchr(text, '~')); text = at + 1)
		ret = make_text("%s%.*s%s", ret, (int)(at - text), text,
				rnd && rnd_below(rnd, 4) ? "" : ANNOTATED);
	return make_text("%s%s", ret, text);
}

TEST(rows_of_types_are_read_as_the_walk_reads_them)
{
	static const struct dw_read_opts opts = { .vars = true, .func_names_end = 1000 };
	struct rnd rnd = { SEED };

	for (size_t round = 0; round < ROUNDS; round++) {
		CLEANUP(result_release) struct result fast = { 0 }, walked = { 0 };
		const char *row = "";

		for (size_t i = 0, nr = rnd_below(&rnd, MAX_TYPES); i < nr; i++)
			row = make_text("%s%s", row, RND_PICK(&rnd, types));
		row = make_text("unit5 { base size=4; %s}", row);
		CHECK_OK(dwarf_read(&fast, annotate(row, &rnd), &opts));
		CHECK_OK(dwarf_read(&walked, annotate(row, NULL), &opts));
		CHECK_STR(cu_text(&fast), cu_text(&walked));
		CHECK_EQ(fast.cu.types.nr, walked.cu.types.nr);
		for (size_t i = 0; i < fast.cu.types.nr; i++)
			CHECK_EQ(fast.cu.types.items[i].flags, walked.cu.types.items[i].flags);
	}
}

TEST(only_types_and_parameters_of_a_body_count)
{
	static const struct dw_read_opts opts = { .vars = true, .func_names_end = 1000 };
	CLEANUP(result_release) struct result r = { 0 };

	CHECK_OK(dwarf_read(
		&r,
		"unit5 { base size=4; func f addr=0x10 { param a type=13; var v type=13; "
		"call_site type=13 { param x; call_site { ptr; } } "
		"block { var w type=13 loc=[fbreg 1]; inlined { param b type=13 loc=[reg5]; "
		"ptr type=13; } block { struct s size=4 { member m type=13 at=0; } } } "
		"param c type=13; } typedef t type=13; }",
		&opts));
	CHECK_STR(cu_text(&r), "1 INT 4; 2 PTR 1; 3 STRUCT s 4 { m 1 @0 }; 4 TYPEDEF t 1; "
			       "FUNC f 0 @0x10 (a 1 bytes 4, c 1 bytes 4)");
}

/* With skip_inlined, types in inlined functions do not count. */
TEST(inlined_functions_may_be_skipped)
{
	static const struct dw_read_opts opts = { .skip_inlined = true, .func_names_end = 1000 };
	CLEANUP(result_release) struct result r = { 0 };

	CHECK_OK(dwarf_read(&r,
			    "unit5 { base size=4; func f { block { inlined { ptr type=13; } "
			    "ptr; } } }",
			    &opts));
	CHECK_STR(cu_text(&r), "1 INT 4; 2 PTR 0; FUNC f 0");
}

/* Wherever the unit ends in a body, something is missing, or only the ends of the blocks. */
TEST(a_body_that_leaves_its_unit_is_refused)
{
	static const struct dw_read_opts opts = { .func_names_end = 1000 };

	for (int cut = 1; cut <= 12; cut++) {
		CLEANUP(result_release) struct result r = { 0 };

		CHECK_OK(dwarf_open(&r,
				    make_text("unit5 { base size=4; func f { block { "
					      "var type=13 loc=[fbreg 1] ; call_site type=13 "
					      "{ var type=13 loc=[fbreg 1]; cut=%d",
					      cut),
				    &opts));
		if (cut == 8)
			CHECK_OK(result_read(&r, 0)); /* the whole of the last variable */
		else
			CHECK_ERR_TEXT(result_read(&r, 0), ERR_FORMAT, "leaves its unit");
	}
}
