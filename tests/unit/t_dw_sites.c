/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_sites.c - copies of inlined functions, and the places of their parameters */
#include "base/text.h"
#include "btf/btf_wire.h"
#include "tests/lib/dwarftext.h"

static const struct dw_read_opts sites_wanted = { .skip_inlined = true, .sites = true };

/* The abstract function f(int a, int b). */
#define ABSTRACT \
	"unit5 { int: base int size=4 enc=5; f: func f { a: param a type=int; b: param b type=int; } "

static const struct cu_place *place(const struct result *r, size_t site, size_t param)
{
	return &r->cu.places.items[r->cu.sites.items[site].first_place + param];
}

TEST(a_site_has_a_place_for_each_parameter_of_the_abstract_function)
{
	CLEANUP(result_release) struct result r = { 0 };

	CHECK_OK(dwarf_read(&r,
			    ABSTRACT "func g addr=0x1000 frame=[cfa] { block { inlined origin=f "
				     "addr=0x1010 { param origin=b loc=[reg5]; } } "
				     "inlined origin=f addr=0x1020 { param origin=a const=-1; "
				     "param origin=b loc=[fbreg 8]; } } }",
			    &sites_wanted));
	CHECK_EQ(r.cu.inlined.nr, 1);
	CHECK_EQ(r.cu.inlined.items[0].nr_params, 2);
	CHECK_EQ(r.cu.sites.nr, 2);
	CHECK_EQ(r.cu.places.nr, 4);
	CHECK_EQ(r.cu.sites.items[0].addr, 0x1010);
	CHECK_EQ(place(&r, 0, 0)->flags, 0);
	CHECK_EQ(place(&r, 0, 1)->flags, BTF_LOC_REG);
	CHECK_EQ(place(&r, 0, 1)->size, 4);
	CHECK_EQ(place(&r, 1, 0)->flags, BTF_LOC_CONST | BTF_LOC_SIGNED);
	CHECK_EQ(place(&r, 1, 0)->values[0], UINT32_MAX);
	CHECK_EQ(place(&r, 1, 1)->values[0], BTF_LOC_FBREG);
}

TEST(a_variadic_function_has_a_place_for_the_rest)
{
	CLEANUP(result_release) struct result r = { 0 };

	CHECK_OK(dwarf_read(&r,
			    "unit5 { int: base int size=4 enc=5; "
			    "f: func f { a: param a type=int; rest; } func g addr=0x1000 { "
			    "inlined origin=f addr=0x1010; inlined origin=f addr=0x1020; } }",
			    &sites_wanted));
	CHECK_EQ(r.cu.sites.nr, 2);
	CHECK_EQ(r.cu.sites.items[1].first_place, 2);
	CHECK_EQ(r.cu.places.nr, 4);
}

TEST(the_address_of_a_site_is_its_entry)
{
	CLEANUP(result_release) struct result r = { 0 };

	CHECK_OK(dwarf_read(&r,
			    ABSTRACT "func g addr=0x1000 { "
				     "inlined origin=f addr=0x1010 entry=0x1018; "
				     "inlined origin=f addr=0x1020 entry/data2=4; "
				     "inlined origin=f; inlined origin=int addr=0x1030; "
				     "inlined addr=0x1040; } }",
			    &sites_wanted));
	CHECK_EQ(r.cu.sites.nr, 2);
	CHECK_EQ(r.cu.sites.items[0].addr, 0x1018);
	CHECK_EQ(r.cu.sites.items[1].addr, 0x1024);
	CHECK_EQ(r.cu.sites.items[1].added, 4);
	/* one without any address is part of an abstract function */
	CHECK_EQ(r.cu.nr_unplaced, 0);
}

TEST(in_dwarf_4_a_list_of_ranges_may_set_its_base)
{
	CLEANUP(result_release) struct result r = { 0 };
	struct dwarfmake d = { 0 };
	struct make_buf ranges = { 0 };

	dw_int(&ranges, 8, UINT64_MAX);
	dw_int(&ranges, 8, 0x1000);
	dw_int(&ranges, 8, 0x20);
	dw_int(&ranges, 8, 0x24);
	dwarf_text(&d, "unit4 { f: func f { } func g addr=0x1000 { inlined origin=f ranges=0; } }");
	CHECK_OK(result_open(&d, &sites_wanted, &r));
	r.obj.debug[DEBUG_RANGES] = dw_padded(&ranges);
	CHECK_OK(result_read(&r, 0));
	CHECK_EQ(r.cu.sites.nr, 1);
	CHECK_EQ(r.cu.sites.items[0].addr, 0x1020);
}

/* The parameters of the outer one may even come behind the inner one. */
TEST(sites_may_be_nested)
{
	CLEANUP(result_release) struct result r = { 0 };

	CHECK_OK(dwarf_read(
		&r,
		ABSTRACT
		"h: func h { c: param c type=int; } "
		"func g addr=0x1000 { inlined origin=f addr=0x1010 { param origin=a loc=[reg1]; "
		"block { inlined origin=h addr=0x1014 { param origin=c loc=[reg3]; } "
		"param origin=b loc=[reg9]; struct s { ptr; } } func { inlined origin=h addr=0x1018; } "
		"param origin=b loc=[reg2]; param origin=c loc=[reg4]; } } }",
		&sites_wanted));
	CHECK_EQ(r.cu.sites.nr, 2);
	CHECK_EQ(r.cu.places.nr, 3);
	CHECK_EQ(place(&r, 0, 0)->values[0], 1);
	CHECK_EQ(place(&r, 0, 1)->values[0], 2);
	CHECK_EQ(place(&r, 1, 0)->values[0], 3);
	CHECK_STR(cu_text(&r), "1 INT int 4 encoding 5");
}

/* A unit of a few thousand bytes must not take gigabytes. */
TEST(more_places_than_bytes_are_refused)
{
	CLEANUP(result_release) struct result r = { 0 };
	CLEANUP(text_release) struct text t = { 0 };

	text_str(&t, "unit5 { func f { ");
	for (int i = 0; i < 500; i++)
		text_str(&t, "param; ");
	text_str(&t, "} func g addr=0x1000 { ");
	/* the first DIE of a unit */
	for (int i = 0; i < 500; i++)
		text_str(&t, "inlined origin=13 addr=0x1010; ");
	text_str(&t, "} }");
	CHECK_ERR_TEXT(dwarf_read(&r, text_string(&t), &sites_wanted), ERR_LIMIT,
		       "more parameters than the unit has bytes");
}

TEST(a_site_that_leaves_its_unit_is_refused)
{
	for (int cut = 1; cut <= 8; cut++) {
		CLEANUP(result_release) struct result r = { 0 };

		CHECK_OK(dwarf_open(
			&r,
			make_text("unit5 { func f; func g addr=0x1000 { inlined origin=13 "
				  "addr=0x1010 { inlined origin=13 addr=0x1010; cut=%d",
				  cut),
			&sites_wanted));
		CHECK_ERR_TEXT(result_read(&r, 0), ERR_FORMAT, "leaves its unit");
	}
}
