/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_dw_fast_path.c - rows of members, enumerators and parameters
 *
 * Whatever the forms of their attributes, and whoever reads them: the loops of dw_fast_path.c or the
 * walk. So each DIE takes one of many shapes, of which some are simple, and says what it should.
 */
#include "loader/dwarf/dw_read_cu.h"

#include "tests/gen/rand.h"
#include "tests/lib/dwarfread.h"
#include "tests/lib/testlib.h"

enum name_form { NAME_NONE, NAME_STRP, NAME_STRING, NR_NAME_FORMS };
enum place_form {
	PLACE_NONE,
	PLACE_1,
	PLACE_2,
	PLACE_4,
	PLACE_CONST, /* what it says is the same for all */
	PLACE_FAR_CONST,
	PLACE_ULEB,
	NR_PLACE_FORMS
};

/* How a DIE is written down. */
struct shape {
	enum name_form name;
	enum place_form place;
	bool short_type; /* DW_FORM_ref_udata */
	bool name_last;
};

enum { NR_SHAPES = NR_NAME_FORMS * NR_PLACE_FORMS * 4, CONST_PLACE = 40, FAR_PLACE = 1 << 19 };

/* Codes of one byte and of two. */
enum { UNIT = 1, INT, STRUCT, UNION, ENUM, FUNC_TYPE, PTR, FIRST_MEMBER = 20 };
enum { FIRST_VALUE = FIRST_MEMBER + NR_SHAPES, FIRST_PARAM = FIRST_VALUE + NR_SHAPES };

static struct shape shape_at(unsigned int i)
{
	return (struct shape){ .name = i % NR_NAME_FORMS,
			       .place = i / NR_NAME_FORMS % NR_PLACE_FORMS,
			       .short_type = i / (NR_NAME_FORMS * NR_PLACE_FORMS) % 2,
			       .name_last = i / (NR_NAME_FORMS * NR_PLACE_FORMS) / 2 };
}

static void declare_name(struct dwarfmake *d, struct shape s)
{
	if (s.name == NAME_NONE)
		return;
	dw_uleb(&d->abbrev, DW_AT_name);
	dw_uleb(&d->abbrev, s.name == NAME_STRP ? DW_FORM_strp : DW_FORM_string);
}

static void declare_place(struct dwarfmake *d, struct shape s, unsigned int attr)
{
	static const unsigned int forms[] = {
		[PLACE_1] = DW_FORM_data1,
		[PLACE_2] = DW_FORM_data2,
		[PLACE_4] = DW_FORM_data4,
		[PLACE_CONST] = DW_FORM_implicit_const,
		[PLACE_FAR_CONST] = DW_FORM_implicit_const,
		[PLACE_ULEB] = DW_FORM_udata,
	};

	if (s.place == PLACE_NONE)
		return;
	dw_uleb(&d->abbrev, attr);
	dw_uleb(&d->abbrev, forms[s.place]);
	if (s.place == PLACE_CONST)
		dw_uleb(&d->abbrev, CONST_PLACE);
	if (s.place == PLACE_FAR_CONST)
		dw_uleb(&d->abbrev, FAR_PLACE);
}

/* One line for each shape. @place is the attribute of a number, 0 for none. */
static void declare_shapes(struct dwarfmake *d, unsigned int first, unsigned int tag, bool has_type,
			   unsigned int place)
{
	for (unsigned int i = 0; i < NR_SHAPES; i++) {
		struct shape s = shape_at(i);

		dw_uleb(&d->abbrev, first + i);
		dw_uleb(&d->abbrev, tag);
		dw_int(&d->abbrev, 1, false);
		if (!s.name_last)
			declare_name(d, s);
		if (has_type) {
			dw_uleb(&d->abbrev, DW_AT_type);
			dw_uleb(&d->abbrev, s.short_type ? DW_FORM_ref_udata : DW_FORM_ref4);
		}
		if (place)
			declare_place(d, s, place);
		if (s.name_last)
			declare_name(d, s);
		dw_int(&d->abbrev, 2, 0);
	}
}

static const char *const names[] = { "a",       "id",       "lock",
				     "seven_c", "eight_ch", "a_long_name_of_a_member" };

/* Where each is in .debug_str. */
static uint32_t name_offsets[ARRAY_SIZE(names)];

static uint32_t begin(struct dwarfmake *d)
{
	dw_abbrev_decl(d, UNIT, DW_TAG_compile_unit, true, 0);
	dw_abbrev_decl(d, INT, DW_TAG_base_type, false, DW_AT_byte_size, DW_FORM_data1, 0);
	dw_abbrev_decl(d, STRUCT, DW_TAG_structure_type, true, 0);
	dw_abbrev_decl(d, UNION, DW_TAG_union_type, true, 0);
	dw_abbrev_decl(d, ENUM, DW_TAG_enumeration_type, true, 0);
	dw_abbrev_decl(d, FUNC_TYPE, DW_TAG_subroutine_type, true, 0);
	declare_shapes(d, FIRST_MEMBER, DW_TAG_member, true, DW_AT_data_member_location);
	declare_shapes(d, FIRST_VALUE, DW_TAG_enumerator, false, DW_AT_const_value);
	declare_shapes(d, FIRST_PARAM, DW_TAG_formal_parameter, true, 0);
	dw_text(&d->str, "");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		name_offsets[i] = (uint32_t)d->str.len;
		dw_text(&d->str, names[i]);
	}
	dw_unit_begin(d, 5);
	dw_uleb(&d->info, UNIT);

	uint32_t at = dw_here(d);
	dw_uleb(&d->info, INT);
	dw_int(&d->info, 1, 4);
	return at;
}

static void put_name(struct dwarfmake *d, struct shape s, size_t name)
{
	if (s.name == NAME_STRP)
		dw_int(&d->info, 4, name_offsets[name]);
	else if (s.name == NAME_STRING)
		dw_text(&d->info, names[name]);
}

/* What is said by a number that takes the shape's form; @number is cut to it. */
static uint32_t put_number(struct dwarfmake *d, struct shape s, uint32_t number)
{
	switch (s.place) {
	case PLACE_1:
		dw_int(&d->info, 1, number & 0xff);
		return number & 0xff;
	case PLACE_2:
		dw_int(&d->info, 2, number & 0xffff);
		return number & 0xffff;
	case PLACE_4:
		dw_int(&d->info, 4, number);
		return number;
	case PLACE_ULEB:
		dw_uleb(&d->info, number);
		return number;
	case PLACE_CONST:
		return CONST_PLACE;
	case PLACE_FAR_CONST:
		return FAR_PLACE;
	default:
		return 0;
	}
}

/* A DIE, and what comes of it. */
struct item {
	struct shape shape;
	size_t name;
	uint32_t number;
};

/* The DIE of shape @i of those whose codes start at @first. @type is 0 for none. */
static uint32_t put_shape(struct dwarfmake *d, unsigned int first, unsigned int i, size_t name,
			  uint32_t type, bool has_number, uint32_t number)
{
	struct shape s = shape_at(i);

	dw_uleb(&d->info, first + i);
	if (!s.name_last)
		put_name(d, s, name);
	if (type && s.short_type)
		dw_uleb(&d->info, type);
	else if (type)
		dw_int(&d->info, 4, type);
	if (has_number)
		number = put_number(d, s, number);
	if (s.name_last)
		put_name(d, s, name);
	return number;
}

static struct item put_item(struct rnd *rnd, struct dwarfmake *d, unsigned int first, uint32_t type,
			    bool has_number)
{
	unsigned int i = rnd_below(rnd, NR_SHAPES);
	struct item it = { .shape = shape_at(i), .name = rnd_below(rnd, ARRAY_SIZE(names)) };

	/* most are small; some are beyond the reach of a place in BTF with bits */
	unsigned int range = rnd_one_in(rnd, 4) ? 1 << 24 : 300;

	it.number = put_shape(d, first, i, it.name, type, has_number, rnd_below(rnd, range));
	return it;
}

static struct err *read_all(struct dwarfmake *d, struct result *r)
{
	static const struct dw_read_opts opts = { .vars = true, .func_names_end = 1000 };

	dw_int(&d->info, 1, 0);
	dw_unit_end(d);
	TRY(result_open(d, &opts, r));
	return result_read(r, 0);
}

static void check_name(const struct result *r, uint32_t id, const struct item *it)
{
	CHECK_STR(str_pool_text(&r->strings, id),
		  it->shape.name == NAME_NONE ? "" : names[it->name]);
}

enum { ROUNDS = 300, MAX_ROW = 40, SEED = 1 };

static void check_members(const struct result *r, bool is_union, const struct item *items,
			  size_t nr)
{
	const struct cu_type *t = &r->cu.types.items[2];
	bool plain = true, bits = false;

	CHECK_EQ(t->kind, is_union ? BTF_UNION : BTF_STRUCT);
	CHECK_EQ(t->nr, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct cu_member *m = &r->cu.members.items[t->first + i];
		bool nowhere = items[i].shape.place == PLACE_NONE && !is_union;

		check_name(r, m->name, &items[i]);
		CHECK_EQ(m->type, 1);
		CHECK_EQ(m->offset, items[i].number * 8);
		CHECK_EQ(m->bits, 0);
		CHECK_EQ(m->flags, nowhere ? CU_MEMBER_STATIC : 0);
		plain &= !nowhere && !(is_union && m->offset) && m->offset <= 0xffffff;
		bits |= m->bits;
	}
	CHECK_EQ(!!(t->flags & CU_TYPE_PLAIN), plain);
	CHECK_EQ(!!(t->flags & CU_TYPE_BITS), bits);
}

TEST(members_of_every_shape)
{
	struct rnd rnd = { SEED };

	for (size_t round = 0; round < ROUNDS; round++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };
		bool is_union = round % 2;
		size_t nr = rnd_below(&rnd, MAX_ROW);
		struct item items[MAX_ROW];
		uint32_t number = begin(&d);

		dw_uleb(&d.info, is_union ? UNION : STRUCT);
		for (size_t i = 0; i < nr; i++)
			items[i] = put_item(&rnd, &d, FIRST_MEMBER, number, true);
		dw_int(&d.info, 1, 0);
		CHECK_OK(read_all(&d, &r));
		check_members(&r, is_union, items, nr);
	}
}

TEST(values_of_every_shape)
{
	struct rnd rnd = { SEED };

	for (size_t round = 0; round < ROUNDS; round++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };
		size_t nr = rnd_below(&rnd, MAX_ROW);
		struct item items[MAX_ROW];

		begin(&d);
		dw_uleb(&d.info, ENUM);
		for (size_t i = 0; i < nr; i++)
			items[i] = put_item(&rnd, &d, FIRST_VALUE, 0, true);
		dw_int(&d.info, 1, 0);
		CHECK_OK(read_all(&d, &r));

		const struct cu_type *t = &r.cu.types.items[2];
		CHECK_EQ(t->nr, nr);
		for (size_t i = 0; i < nr; i++) {
			check_name(&r, r.cu.enumerators.items[t->first + i].name, &items[i]);
			CHECK_EQ(r.cu.enumerators.items[t->first + i].value, items[i].number);
		}
	}
}

TEST(parameters_of_every_shape)
{
	struct rnd rnd = { SEED };

	for (size_t round = 0; round < ROUNDS; round++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };
		size_t nr = rnd_below(&rnd, MAX_ROW);
		struct item items[MAX_ROW];
		uint32_t number = begin(&d);

		dw_uleb(&d.info, FUNC_TYPE);
		for (size_t i = 0; i < nr; i++)
			items[i] = put_item(&rnd, &d, FIRST_PARAM, number, false);
		dw_int(&d.info, 1, 0);
		CHECK_OK(read_all(&d, &r));

		const struct cu_type *t = &r.cu.types.items[2];
		CHECK_EQ(t->nr, nr);
		for (size_t i = 0; i < nr; i++) {
			check_name(&r, r.cu.members.items[t->first + i].name, &items[i]);
			CHECK_EQ(r.cu.members.items[t->first + i].type, 1);
		}
	}
}

/* Wherever the unit ends in a row, something is missing, and is said to be. */
TEST(a_row_that_leaves_its_unit_is_refused)
{
	static const struct dw_read_opts opts = { .func_names_end = 1000 };

	for (unsigned int shape = 0; shape < NR_SHAPES; shape++) {
		size_t code = FIRST_MEMBER + shape > 0x7f ? 2 : 1;

		for (size_t len = code, all = len + 1; len < all; len++) {
			CLEANUP(result_release) struct result r = { 0 };
			struct dwarfmake d = { 0 };
			uint32_t number = begin(&d);

			dw_uleb(&d.info, STRUCT);
			size_t start = d.info.len;
			put_shape(&d, FIRST_MEMBER, shape, ARRAY_SIZE(names) - 1, number, true,
				  200);
			all = d.info.len - start;
			d.info.len = start + len;
			dw_unit_end(&d);
			CHECK_OK(result_open(&d, &opts, &r));
			CHECK_ERR_TEXT(result_read(&r, 0), ERR_FORMAT, "leaves its unit");
		}
	}
}
