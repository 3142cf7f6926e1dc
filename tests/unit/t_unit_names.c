/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_names.c - the objects that the units of a program are from */
#include "loader/dwarf/dw_read_cu.h"

#include "base/cleanup.h"
#include "loader/dwarf/dw_const.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

/* Of the file at hand. */
struct program {
	struct elfmake elf;
	struct make_buf info, abbrev, str, line_str, offsets;
};

static struct program program(enum make_class class, enum make_order order)
{
	struct program p = { .elf = make_elf(class, order, ET_EXEC, EM_X86_64) };

	make_put(&p.str, "", 1);
	make_put(&p.line_str, "", 1);
	return p;
}

static uint32_t put_text(struct make_buf *b, const char *text)
{
	uint32_t at = (uint32_t)b->len;

	make_put(b, text, strlen(text) + 1);
	return at;
}

/* A unit whose entry has the attributes of the table at @abbrev and the values @die. */
static void put_unit(struct program *p, unsigned int version, uint8_t type, uint32_t abbrev,
		     const struct make_buf *die)
{
	make_int(&p->elf, &p->info, 4, (version < 5 ? 7 : 8) + die->len);
	make_int(&p->elf, &p->info, 2, version);
	if (version >= 5) {
		make_int(&p->elf, &p->info, 1, type);
		make_int(&p->elf, &p->info, 1, 8);
	}
	make_int(&p->elf, &p->info, 4, abbrev);
	if (version < 5)
		make_int(&p->elf, &p->info, 1, 8);
	make_put(&p->info, die->ptr, die->len);
}

/* A table with one entry; @specs are pairs of attribute and form. */
static uint32_t put_abbrev(struct program *p, uint8_t tag, const uint8_t *specs, size_t nr)
{
	uint32_t at = (uint32_t)p->abbrev.len;
	const uint8_t head[] = { 1, tag, 0 }, end[] = { 0, 0, 0 };

	make_put(&p->abbrev, head, sizeof(head));
	make_put(&p->abbrev, specs, nr);
	make_put(&p->abbrev, end, sizeof(end));
	return at;
}

static void put_section(struct program *p, const char *name, const struct make_buf *b)
{
	MAKE_SECTION(&p->elf, .name = name, .type = SHT_PROGBITS, .align = 1, .data = make_view(b));
}

static struct err *read_names(struct program *p, struct unit_names *ret)
{
	put_section(p, ".debug_info", &p->info);
	put_section(p, ".debug_abbrev", &p->abbrev);
	put_section(p, ".debug_str", &p->str);
	put_section(p, ".debug_line_str", &p->line_str);
	put_section(p, ".debug_str_offsets", &p->offsets);
	return unit_names_read(make_file(make_bytes(&p->elf)), ret);
}

static const uint8_t offsets_of_strings[] = { DW_AT_producer, DW_FORM_strp,     DW_AT_name,
					      DW_FORM_strp,   DW_AT_language,   DW_FORM_udata,
					      DW_AT_comp_dir, DW_FORM_line_strp };

static struct make_buf with_offsets(struct program *p, const char *name, const char *folder)
{
	struct make_buf die = { 0 };

	make_int(&p->elf, &die, 1, 1);
	make_int(&p->elf, &die, 4, put_text(&p->str, "a compiler"));
	make_int(&p->elf, &die, 4, put_text(&p->str, name));
	make_int(&p->elf, &die, 1, DW_LANG_C11);
	make_int(&p->elf, &die, 4, put_text(&p->line_str, folder));
	return die;
}

TEST(objects_are_called_as_their_sources_in_their_folders)
{
	FOR_EACH_KIND(class, order)
	{
		CLEANUP(unit_names_release) struct unit_names u = { 0 };
		struct program p = program(class, order);
		uint32_t abbrev = put_abbrev(&p, DW_TAG_compile_unit, offsets_of_strings,
					     sizeof(offsets_of_strings));
		struct make_buf first = with_offsets(&p, "fs/open.c", "/build"),
				again = with_offsets(&p, "fs/open.c", "/build"),
				whole = with_offsets(&p, "/src/init/main.x.c", "/build");

		put_unit(&p, 5, DW_UT_compile, abbrev, &first);
		put_unit(&p, 5, DW_UT_partial, abbrev, &again);
		put_unit(&p, 4, 0, abbrev, &whole);
		CHECK_OK(read_names(&p, &u));
		CHECK_EQ(u.nr, 2);
		CHECK_STR(u.items[0], "/build/fs/open.o");
		CHECK_STR(u.items[1], "/src/init/main.x.o");
	}
}

TEST(strings_stand_in_the_entry_or_are_numbered)
{
	static const uint8_t numbered[] = {
		DW_AT_name,     DW_FORM_strx1,          DW_AT_comp_dir,
		DW_FORM_string, DW_AT_str_offsets_base, DW_FORM_sec_offset
	};

	FOR_EACH_KIND(class, order)
	{
		CLEANUP(unit_names_release) struct unit_names u = { 0 };
		struct program p = program(class, order);
		uint32_t abbrev = put_abbrev(&p, DW_TAG_compile_unit, numbered, sizeof(numbered));
		struct make_buf die = { 0 };

		make_int(&p.elf, &p.offsets, 8, 0); /* a header, and what other units have */
		make_int(&p.elf, &p.offsets, 8, 0);
		make_int(&p.elf, &p.offsets, 4, put_text(&p.str, "other.c"));
		make_int(&p.elf, &p.offsets, 4, put_text(&p.str, "a.S"));
		make_int(&p.elf, &die, 1, 1);
		make_int(&p.elf, &die, 1, 1);
		put_text(&die, "/here");
		make_int(&p.elf, &die, 4, 16);
		put_unit(&p, 5, DW_UT_compile, abbrev, &die);
		CHECK_OK(read_names(&p, &u));
		CHECK_EQ(u.nr, 1);
		CHECK_STR(u.items[0], "/here/a.o");
	}
}

TEST(units_that_say_no_name_are_passed_over)
{
	static const uint8_t none[] = { DW_AT_language, DW_FORM_udata },
			     elsewhere[] = { DW_AT_name, DW_FORM_strp_sup };
	CLEANUP(unit_names_release) struct unit_names u = { 0 };
	struct program p = program(MAKE_64, MAKE_LITTLE);
	uint32_t nameless = put_abbrev(&p, DW_TAG_compile_unit, none, sizeof(none)),
		 shared = put_abbrev(&p, DW_TAG_compile_unit, elsewhere, sizeof(elsewhere)),
		 normal = put_abbrev(&p, DW_TAG_compile_unit, offsets_of_strings,
				     sizeof(offsets_of_strings));
	struct make_buf short_die = { 0 }, shared_die = { 0 }, nothing = { 0 };
	struct make_buf far = with_offsets(&p, "far.c", "/");

	make_int(&p.elf, &short_die, 1, 1);
	make_int(&p.elf, &short_die, 1, DW_LANG_C11);
	make_int(&p.elf, &shared_die, 1, 1);
	make_int(&p.elf, &shared_die, 4, 1);
	put_unit(&p, 5, DW_UT_compile, nameless, &short_die);
	put_unit(&p, 5, DW_UT_compile, shared, &shared_die);
	put_unit(&p, 5, DW_UT_compile, normal, &nothing);
	memset(far.ptr + 5, 0x7f, 4); /* no offset of a string */
	put_unit(&p, 5, DW_UT_compile, normal, &far);
	CHECK_OK(read_names(&p, &u));
	CHECK_EQ(u.nr, 0);
}

TEST(a_program_without_debug_information_has_none)
{
	CLEANUP(unit_names_release) struct unit_names u = { 0 };
	struct program p = program(MAKE_64, MAKE_LITTLE);

	CHECK_OK(unit_names_read(make_file(make_bytes(&p.elf)), &u));
	CHECK_EQ(u.nr, 0);
}

TEST(what_is_damaged_is_refused_with_its_offset)
{
	struct program p = program(MAKE_64, MAKE_LITTLE);
	struct unit_names u = { 0 };
	uint32_t abbrev = put_abbrev(&p, DW_TAG_compile_unit, offsets_of_strings,
				     sizeof(offsets_of_strings));
	struct make_buf die = with_offsets(&p, "a.c", "/"), unknown = { 0 };

	put_unit(&p, 5, DW_UT_compile, abbrev, &die);
	make_int(&p.elf, &unknown, 1, 9);
	put_unit(&p, 5, DW_UT_compile, abbrev, &unknown);
	CHECK_ERR_TEXT(read_names(&p, &u), ERR_FORMAT, ".debug_info+0x26: no abbreviation");

	struct program cut = program(MAKE_64, MAKE_LITTLE);
	abbrev = put_abbrev(&cut, DW_TAG_compile_unit, offsets_of_strings,
			    sizeof(offsets_of_strings));
	die = with_offsets(&cut, "a.c", "/");
	die.len -= 2;
	put_unit(&cut, 5, DW_UT_compile, abbrev, &die);
	CHECK_ERR_TEXT(read_names(&cut, &u), ERR_FORMAT,
		       ".debug_info+0xc: the entry leaves its unit");
	CHECK_EQ(u.nr, 0);
}
