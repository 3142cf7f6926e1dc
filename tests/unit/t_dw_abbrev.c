/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_abbrev.c - abbreviations are compiled to a form that has where each attribute is */
#include "loader/dwarf/dw_abbrev.h"

#include "base/cleanup.h"
#include "tests/lib/dwarfmake.h"
#include "tests/lib/testlib.h"

static const struct dw_encoding v5 = { 5, 8, 4 };

static struct err *compile(struct dwarfmake *d, struct dw_encoding enc, struct dw_abbrevs *a)
{
	dw_int(&d->abbrev, 1, 0);
	return dw_abbrevs_compile(a, dw_padded(&d->abbrev), 0, enc);
}

TEST_WITH(fixed_attributes_are_at_constant_distances, dw_abbrevs, a)
{
	struct dwarfmake d = { 0 };

	dw_abbrev_decl(&d, 3, DW_TAG_base_type, false, DW_AT_name, DW_FORM_strp, DW_AT_decl_line,
		       DW_FORM_data2, DW_AT_byte_size, DW_FORM_data1, DW_AT_encoding, DW_FORM_data1,
		       0);
	CHECK_OK(compile(&d, v5, a));
	CHECK(a->by_code.nr > 3);
	CHECK_EQ(a->by_code.items[1].kind, DK_NONE);
	const struct dw_abbrev *x = &a->by_code.items[3];
	CHECK_EQ(x->kind, DK_BASE);
	CHECK_EQ(x->tag, DW_TAG_base_type);
	CHECK_EQ(x->children, 0);
	CHECK_EQ(x->off[COL_NAME], 0);
	CHECK_EQ(x->width[COL_NAME], 4);
	CHECK_EQ(x->form[COL_NAME], DW_FORM_strp);
	CHECK_EQ(x->off[COL_SIZE], 6);
	CHECK_EQ(x->off[COL_VALUE], 7);
	CHECK_EQ(x->form[COL_TYPE], 0);
	CHECK_EQ(x->prefix, 8);
	CHECK_EQ(x->tail, 0);
}

TEST_WITH(a_tag_that_the_reader_does_not_know_has_no_kind, dw_abbrevs, a)
{
	/* DW_TAG_immutable_type is the first one that the table lacks; two of other producers */
	static const uint16_t tags[] = { 0x4b, 0x4080, 0xffff };
	struct dwarfmake d = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		dw_abbrev_decl(&d, i + 1, tags[i], false, 0);
	CHECK_OK(compile(&d, v5, a));
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		CHECK_EQ(a->by_code.items[i + 1].kind, DK_UNKNOWN);
}

TEST_WITH(behind_a_string_a_list_of_steps_goes_on, dw_abbrevs, a)
{
	struct dwarfmake d = { 0 };

	dw_abbrev_decl(&d, 1, DW_TAG_base_type, false, DW_AT_byte_size, DW_FORM_data1, DW_AT_name,
		       DW_FORM_string, DW_AT_encoding, DW_FORM_data1, 0);
	CHECK_OK(compile(&d, v5, a));
	const struct dw_abbrev *x = &a->by_code.items[1];
	CHECK_EQ(x->off[COL_SIZE], 0);
	CHECK_EQ(x->width[COL_SIZE], 1);
	CHECK(x->tail != 0);
	CHECK_EQ(a->ops.items[x->tail].shape, SHAPE_STRING);
	CHECK_EQ(a->ops.items[x->tail].column, COL_NAME);
}

TEST_WITH(a_name_in_front_is_stepped_over_first, dw_abbrevs, a)
{
	struct dwarfmake d = { 0 };

	dw_abbrev_decl(&d, 1, DW_TAG_member, false, DW_AT_name, DW_FORM_string, DW_AT_type,
		       DW_FORM_ref4, DW_AT_data_member_location, DW_FORM_data2, 0);
	CHECK_OK(compile(&d, v5, a));
	const struct dw_abbrev *x = &a->by_code.items[1];
	CHECK(x->lead);
	CHECK_EQ(x->tail, 0);
	CHECK_EQ(x->form[COL_NAME], DW_FORM_string);
	CHECK_EQ(x->off[COL_TYPE], 0);
	CHECK_EQ(x->off[COL_VALUE], 4);
	CHECK_EQ(x->prefix, 6);
	CHECK_EQ(x->fast_path, FAST_MEMBER);
	CHECK_EQ(x->location_mask, 0xffff);
}

/* Three abbreviations, numbered from @first on, in a table that is all of @d. */
static struct bytes three_abbrevs(struct dwarfmake *d, unsigned int first)
{
	dw_abbrev_decl(d, first, DW_TAG_base_type, false, DW_AT_name, DW_FORM_strp, DW_AT_byte_size,
		       DW_FORM_data1, 0);
	dw_abbrev_decl(d, first + 1, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_string,
		       DW_AT_byte_size, DW_FORM_udata, 0);
	dw_abbrev_decl(d, first + 2, DW_TAG_member, false, DW_AT_type, DW_FORM_ref_addr, 0);
	dw_int(&d->abbrev, 1, 0);
	return dw_padded(&d->abbrev);
}

static void check_same(const struct dw_abbrevs *a, size_t i, const struct dw_abbrevs *b, size_t k)
{
	struct dw_abbrev x = a->by_code.items[i], y = b->by_code.items[k];
	const struct dw_op *steps_x = &a->ops.items[x.tail], *steps_y = &b->ops.items[y.tail];
	const struct dw_spec *specs_x = &a->specs.items[x.specs],
			     *specs_y = &b->specs.items[y.specs];

	CHECK_EQ(!x.tail, !y.tail);
	for (; x.tail && steps_x->shape != SHAPE_END; steps_x++, steps_y++)
		CHECK(!memcmp(steps_x, steps_y, sizeof(*steps_x)));
	for (; specs_x->attr; specs_x++, specs_y++) {
		CHECK_EQ(specs_x->attr, specs_y->attr);
		CHECK_EQ(specs_x->form, specs_y->form);
	}
	CHECK_EQ(specs_y->attr, 0);
	x.tail = y.tail = x.specs = y.specs = 0;
	CHECK(!memcmp(&x, &y, sizeof(x)));
}

TEST(an_abbreviation_that_was_met_is_the_same_under_another_code_and_not_in_another_encoding)
{
	static const struct dw_encoding v2 = { 2, 4, 4 };
	static const struct dw_encoding *const encodings[] = { &v5, &v5, &v2, &v2, &v5 };
	CLEANUP(dw_abbrevs_release) struct dw_abbrevs used = { 0 };

	for (size_t round = 0; round < ARRAY_SIZE(encodings); round++) {
		CLEANUP(dw_abbrevs_release) struct dw_abbrevs fresh = { 0 };
		struct dwarfmake d = { 0 }, same = { 0 };
		unsigned int first = (unsigned int)round % 4 + 1;

		CHECK_OK(dw_abbrevs_compile(&used, three_abbrevs(&d, first), 0, *encodings[round]));
		CHECK_OK(dw_abbrevs_compile(&fresh, three_abbrevs(&same, 1), 0, *encodings[round]));
		CHECK_EQ(used.by_code.nr, first + 3);
		for (unsigned int i = 0; i < first; i++)
			CHECK_EQ(used.by_code.items[i].kind, DK_NONE);
		for (unsigned int i = 0; i < 3; i++)
			check_same(&used, first + i, &fresh, 1 + i);
		CHECK_EQ(used.known.nr, 3);
	}
}

TEST(the_size_of_an_offset_follows_the_unit)
{
	static const struct {
		struct dw_encoding enc;
		unsigned int form, width;
	} cases[] = {
		{ { 5, 8, 4 }, DW_FORM_strp, 4 },
		{ { 5, 8, 8 }, DW_FORM_strp, 8 },
		{ { 2, 4, 4 }, DW_FORM_ref_addr, 4 },
		{ { 2, 8, 4 }, DW_FORM_ref_addr, 8 },
		{ { 3, 8, 4 }, DW_FORM_ref_addr, 4 },
		{ { 4, 4, 4 }, DW_FORM_addr, 4 },
		{ { 4, 8, 4 }, DW_FORM_addr, 8 },
		{ { 5, 8, 4 }, DW_FORM_data16, 16 },
		{ { 5, 8, 4 }, DW_FORM_strx3, 3 },
		{ { 5, 8, 4 }, DW_FORM_implicit_const, 0 },
		{ { 5, 8, 4 }, DW_FORM_flag_present, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_EQ(dw_form_shape(cases[i].form, cases[i].enc), cases[i].width);
	CHECK_EQ(dw_form_shape(0x7e, v5), SHAPE_UNKNOWN);
}

TEST_WITH(a_declaration_is_noted_as_far_as_the_form_tells, dw_abbrevs, a)
{
	struct dwarfmake d = { 0 };

	dw_abbrev_decl(&d, 1, DW_TAG_structure_type, false, DW_AT_declaration, DW_FORM_flag_present,
		       0);
	dw_abbrev_decl(&d, 2, DW_TAG_structure_type, false, DW_AT_declaration, DW_FORM_flag, 0);
	CHECK_OK(compile(&d, v5, a));
	CHECK(a->by_code.items[1].flags & DA_DECL_TRUE);
	CHECK(!(a->by_code.items[2].flags & DA_DECL_TRUE));
	CHECK(a->by_code.items[2].flags & DA_DECL_FORM);
}

TEST_WITH(a_table_may_be_replaced_by_another, dw_abbrevs, a)
{
	struct dwarfmake d = { 0 }, e = { 0 };

	dw_abbrev_decl(&d, 1, DW_TAG_base_type, false, DW_AT_byte_size, DW_FORM_data1, 0);
	dw_int(&d.abbrev, 1, 0);
	uint64_t second = d.abbrev.len;
	dw_abbrev_decl(&d, 1, DW_TAG_pointer_type, false, DW_AT_byte_size, DW_FORM_data1, 0);
	dw_int(&d.abbrev, 1, 0);
	(void)e;
	struct bytes both = dw_padded(&d.abbrev);
	CHECK_OK(dw_abbrevs_compile(a, both, 0, v5));
	CHECK_EQ(a->by_code.items[1].kind, DK_BASE);
	CHECK_OK(dw_abbrevs_compile(a, both, second, v5));
	CHECK_EQ(a->by_code.items[1].kind, DK_POINTER);
	CHECK_OK(dw_abbrevs_compile(a, both, 0, v5));
	CHECK_EQ(a->by_code.items[1].kind, DK_BASE);
}

TEST(references_between_units_are_found)
{
	struct dwarfmake d = { 0 }, e = { 0 };
	size_t len;

	dw_abbrev_decl(&d, 1, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref4, 0);
	dw_int(&d.abbrev, 1, 0);
	CHECK_EQ(dw_abbrevs_use(dw_padded(&d.abbrev), 0, &len), 0);
	CHECK_EQ(len, d.abbrev.len);
	dw_abbrev_decl(&e, 1, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref_addr, 0);
	dw_int(&e.abbrev, 1, 0);
	CHECK_EQ(dw_abbrevs_use(dw_padded(&e.abbrev), 0, &len), USES_REF_ADDR);
	CHECK_EQ(dw_abbrevs_use(dw_padded(&e.abbrev), 1000, &len), 0);
	CHECK_EQ(len, 0);
	e.abbrev.len--;
	dw_abbrev_decl(&e, 2, DW_TAG_partial_unit, true, 0);
	dw_int(&e.abbrev, 1, 0);
	CHECK_EQ(dw_abbrevs_use(dw_padded(&e.abbrev), 0, &len), USES_REF_ADDR | USES_PARTIAL_UNIT);
}

TEST_WITH(damage_is_told_with_its_offset, dw_abbrevs, a)
{
	struct dwarfmake d = { 0 }, e = { 0 };

	dw_abbrev_decl(&d, 1, DW_TAG_base_type, false, DW_AT_byte_size, DW_FORM_data1, 0);
	struct bytes whole = dw_padded(&d.abbrev);
	for (size_t len = 0; len <= whole.len; len++)
		CHECK_ERR_TEXT(dw_abbrevs_compile(a, (struct bytes){ whole.ptr, len }, 0, v5),
			       ERR_FORMAT, ".debug_abbrev+0");
	CHECK_ERR(dw_abbrevs_compile(a, whole, whole.len + 1, v5), ERR_FORMAT);

	dw_abbrev_decl(&e, 1, DW_TAG_base_type, false, DW_AT_byte_size, 0x7eu, 0);
	CHECK_ERR_TEXT(compile(&e, v5, a), ERR_FORMAT, "unknown form 0x7e");
}
