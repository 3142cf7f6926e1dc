/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_inline_sites.c - sites of inlined functions are read and printed
 *
 * tests/lib/btftext.h has the notation.
 */
#include "show/inline_sites.h"

#include "base/cleanup.h"
#include "cmd/print/sites.h"
#include "tests/lib/btftext.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

/* [5] void f(int a, const char *b, ...) */
#define TYPES "int; int char 1 8; const 2; ptr 3; func_proto 0 {a 1, b 4, 0}; func f 5; "

static void file(struct object *o, struct symbols *s, struct addr_symbols *symbols)
{
	struct elfmake m = make_x86_64(ET_EXEC);

	MAKE_SECTION(&m, .name = ".text", .type = SHT_NOBITS, .addr = 0x1000, .size = 0x1000,
		     .flags = SHF_ALLOC | SHF_EXECINSTR, .align = 16);
	MAKE_SECTION(&m, .name = ".init.text", .type = SHT_NOBITS, .addr = 0x2000, .size = 0x1000,
		     .flags = SHF_ALLOC | SHF_EXECINSTR, .align = 16);
	MAKE_SECTION(&m, .name = ".data", .type = SHT_NOBITS, .addr = 0x3000, .size = 0x1000,
		     .flags = SHF_ALLOC, .align = 16);
	make_symbol(&m, "outer", STT_FUNC, 1, 0x1100, 0x100);
	make_symbol(&m, "variable", STT_OBJECT, 3, 0x3010, 8);
	make_symtab(&m);
	CHECK_OK(make_open(&m, o));
	CHECK_OK(symbols_read(o, s));
	addr_symbols_make(o, s, symbols);
}

static void print(const struct test_view *v, const struct object *o,
		  const struct addr_symbols *symbols, struct text *ret)
{
	static const struct addr_symbols none;
	char *types[64] = { 0 };
	CLEANUP(inline_sites_release) struct inline_sites sites = { 0 };
	const struct sites_view view = {
		.btf = &v->view,
		.obj = o,
		.symbols = symbols ? symbols : &none,
		.base = 0x1000,
		.base_name = "_text",
		.types = types,
	};

	CHECK_OK(inline_sites_read(&v->view, 1, o, &sites));
	for (size_t i = 0; i < sites.nr; i++)
		sites_print(ret, &view, &sites.items[i]);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		free(types[i]);
}

/* Of parameter a, whose type is int, and of b, which is a pointer. */
static const struct {
	const char *name; /* the text */
	const char *place;
	bool of_b;
} places[] = {
	{ "rdi", "loc_param 4 8 {5}", false },
	{ "rax:rdx", "loc_param 16 8 {0, 1}", false },
	{ "*(int *)(rdi)", "loc_param 4 24 {5}", false },
	{ "*(int *)(rsp - 0x8)", "loc_param 4 57 {7, -8}", false },
	{ "*(int *)(rsp + 0xfffffff8)", "loc_param 4 56 {7, -8}", false },
	{ "rdi + 0x10", "loc_param 4 41 {5, 16}", false },
	{ "rdi - 0x8000000000000000", "loc_param 8 41 {5, 0, 0x80000000}", false },
	{ "*(int *)(frame base - 0x20)", "loc_param 4 57 {-1, -32}", false },
	{ "-1", "loc_param 4 3 {-1}", false },
	{ "4294967295", "loc_param 4 2 {-1}", false },
	{ "255", "loc_param 1 2 {-1}", false },
	{ "-1", "loc_param 1 3 {255, 7}", false },
	{ "reg99", "loc_param 4 8 {99}", false },
	{ "0x500000001", "loc_param 8 2 {1, 5}", true },
	{ "*(const char **)(rdi)", "loc_param 8 24 {5}", true },
	{ "&variable", "loc_param 8 6 {0x2010, 0}", true },
	{ "&variable+0x4", "loc_param 8 6 {0x2014, 0}", true },
	{ "_text+0x2018", "loc_param 8 6 {0x2018, 0}", true },
	{ "&outer+0x1", "loc_param 8 6 {0x101, 0}", true },
	{ "_text+0xffffffffffff", "loc_param 8 6 {-1, 0xffff}", true },
};

TEST_EACH(places_have_a_text, places, c)
{
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };
	CLEANUP(addr_symbols_release) struct addr_symbols symbols = { 0 };
	CLEANUP(text_release) struct text text = { 0 };
	VIEW(v);

	file(&o, &s, &symbols);
	test_view_addf(&v, TYPES "%s; loc_proto {%s}; locsec inline.text {6 8 0x110}", c->place,
		       c->of_b ? "0, 7, 0" : "7, 0, 0");
	print(&v, &o, &symbols, &text);
	CHECK_STR(text_string(&text),
		  c->of_b ?
			  make_text("0x1110 outer+0x10: f(int a = unavailable, const char *b = %s, "
				    "...)\n",
				    c->name) :
			  make_text("0x1110 outer+0x10: f(int a = %s, const char *b = unavailable, "
				    "...)\n",
				    c->name));
}

TEST(sites_come_by_section_and_offset)
{
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };
	CLEANUP(addr_symbols_release) struct addr_symbols symbols = { 0 };
	CLEANUP(text_release) struct text text = { 0 };
	VIEW(v);

	file(&o, &s, &symbols);
	test_view_add(
		&v,
		"func_proto 0 {}; func f 1; func g 1; loc_proto {}; "
		"locsec inline.init.text {2 4 8}; locsec inline.text {2 4 0x104, 3 4 0, 3 4 0x100, 2 4 0x100}");
	print(&v, &o, &symbols, &text);
	CHECK_STR(text_string(&text), "0x1000 .text+0x0: g()\n"
				      "0x1100 outer+0x0: g()\n"
				      "0x1100 outer+0x0: f()\n"
				      "0x1104 outer+0x4: f()\n"
				      "0x2008 .init.text+0x8: f()\n");
}

TEST(without_a_file_sections_and_registers_have_no_names)
{
	CLEANUP(text_release) struct text text = { 0 };
	VIEW(v);

	test_view_add(&v, TYPES
		      "loc_param 4 8 {5}; loc_proto {7, 0, 0}; locsec inline.text {6 8 0x110}; "
		      "locsec odd {6 8 1}");
	print(&v, NULL, NULL, &text);
	CHECK_STR(text_string(&text),
		  ".text+0x110: f(int a = reg5, const char *b = unavailable, ...)\n"
		  "odd+0x1: f(int a = reg5, const char *b = unavailable, ...)\n");
}

TEST(sites_of_the_base_belong_to_another_file)
{
	CLEANUP(inline_sites_release) struct inline_sites sites = { 0 };
	VIEW(base);
	VIEW(v);

	test_view_add(&base, "func_proto 0 {}; func f 1; loc_proto {}; locsec inline.text {2 3 0}");
	test_view_put_over(&v, &base);
	test_view_add(&v, "func g 1; locsec inline.text {5 3 16, 2 3 17}");
	CHECK_OK(inline_sites_read(&v.view, v.view.types.first, NULL, &sites));
	CHECK_EQ(sites.nr, 2);
	CHECK_EQ(sites.items[0].func, 5);
	CHECK_EQ(sites.items[1].offset, 17);
}

static const struct {
	const char *name, *records, *error;
} damaged[] = {
	{ "a site of something else", "loc_proto {}; locsec inline.text {1 7 0}", "no FUNC" },
	{ "a site of void", "loc_proto {}; locsec inline.text {0 7 0}", "no FUNC" },
	{ "a function without a prototype", "func g 1; loc_proto {}; locsec inline.text {7 8 0}",
	  "no FUNC" },
	{ "places that are something else", "locsec inline.text {6 1 0}", "no LOC_PROTO" },
	{ "no places", "locsec inline.text {6 0 0}", "no LOC_PROTO" },
	{ "too few places", "loc_proto {0}; locsec inline.text {6 7 0}", "has not as many places" },
	{ "a place that is something else", "loc_proto {1, 0, 0}; locsec inline.text {6 7 0}",
	  "no LOC_PARAM" },
	{ "flags of no meaning", "loc_param 4 63 {1}; loc_proto {7, 0, 0}", "flags" },
	{ "no words", "loc_param 4 8 {}; loc_proto {7, 0, 0}", "words" },
	{ "three registers", "loc_param 4 8 {1, 2, 3}; loc_proto {7, 0, 0}", "words" },
	{ "an offset without words", "loc_param 4 40 {1}; loc_proto {7, 0, 0}", "words" },
	{ "a constant of 16 bytes", "loc_param 16 2 {1, 2}; loc_proto {7, 0, 0}", "words" },
	{ "a size of 0", "loc_param 0 8 {1}; loc_proto {7, 0, 0}", "words" },
};

TEST_EACH(damaged_records_are_refused, damaged, c)
{
	CLEANUP(inline_sites_release) struct inline_sites sites = { 0 };
	VIEW(v);

	test_view_addf(&v, TYPES "%s", c->records);
	CHECK_ERR_TEXT(inline_sites_read(&v.view, 1, NULL, &sites), ERR_FORMAT, c->error);
}

/* --- bpftrace --------------------------------------------------------------------------- */

static const struct {
	const char *name;
	const char *type; /* of the parameter, the last one */
	const char *place;
	const char *format, *args;
} values[] = {
	{ "an int", "int", "loc_param 4 8 {5}", "%d", ", (int32)reg(\"di\")" },
	{ "an unsigned int", "int u 4 32", "loc_param 4 8 {5}", "%u", ", (uint32)reg(\"di\")" },
	{ "a long in memory", "int l 8 0x1000040", "loc_param 8 57 {7, -8}", "%ld",
	  ", *(int64 *)(reg(\"sp\") - 8)" },
	{ "a sum", "int c 1 8", "loc_param 1 41 {5, 1}", "%u", ", (uint8)(reg(\"di\") + 1)" },
	{ "a pointer", "ptr 0", "loc_param 8 8 {5}", "0x%lx", ", (uint64)reg(\"di\")" },
	{ "memory at a register", "ptr 0", "loc_param 8 24 {5}", "0x%lx",
	  ", *(uint64 *)reg(\"di\")" },
	{ "a struct in two registers", "struct s 16 {}", "loc_param 16 8 {0, 1}", "0x%lx:0x%lx",
	  ", reg(\"ax\"), reg(\"dx\")" },
	{ "a struct of 3 bytes", "struct s 3 {}", "loc_param 3 8 {0}", "unavailable", "" },
	{ "an enum", "enum e 4 {A 0}", "loc_param 4 8 {5}", "%u", ", (uint32)reg(\"di\")" },
	{ "a signed enum", "enum! e 4 {A -1}", "loc_param 4 8 {5}", "%d", ", (int32)reg(\"di\")" },
	{ "a float", "float f 8", "loc_param 8 8 {5}", "unavailable", "" },
	{ "a vector register", "int", "loc_param 4 8 {17}", "unavailable", "" },
	{ "the frame base", "int", "loc_param 4 57 {-1, -8}", "unavailable", "" },
	{ "a constant", "int", "loc_param 4 3 {-5}", "-5", "" },
	{ "an address", "ptr 0", "loc_param 8 6 {16, 0}", "0x%lx", ", kaddr(\"_text\") + 16" },
};

TEST_EACH(values_are_read_by_bpftrace, values, c)
{
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };
	CLEANUP(addr_symbols_release) struct addr_symbols symbols = { 0 };
	CLEANUP(inline_sites_release) struct inline_sites sites = { 0 };
	CLEANUP(text_release) struct text text = { 0 };
	const struct kprobe_places no_places = { .o = &o };
	char *types[16] = { 0 };
	VIEW(v);

	file(&o, &s, &symbols);
	test_view_addf(
		&v,
		"%s; func_proto 0 {x 1}; func f 2; %s; loc_proto {4}; locsec inline.text {3 5 0x104, 3 5 4}",
		c->type, c->place);
	CHECK_OK(inline_sites_read(&v.view, 1, &o, &sites));
	const struct sites_view view = { .btf = &v.view,
					 .obj = &o,
					 .symbols = &symbols,
					 .base = 0x1000,
					 .base_name = "_text",
					 .path = "vmlinux",
					 .types = types };
	CHECK_EQ(sites_bpftrace(&text, &view, sites.items, sites.nr, &no_places, "mod"), 1);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		free(types[i]);
	CHECK_STR(text_string(&text),
		  make_text("// inlined code of f() in vmlinux: 1 of 2 sites can have a probe\n\n"
			    "kprobe:mod:outer+0x4\n{\n"
			    "\tprintf(\"%%s(%%d) outer+0x4: f(x=%s)\\n\", comm, pid%s);\n}\n\n"
			    "// not at .text+0x4: no symbol is around it\n",
			    c->format, c->args));
}
