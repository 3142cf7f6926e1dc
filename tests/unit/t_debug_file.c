/* SPDX-License-Identifier: GPL-2.0-only */
/* t_debug_file.c - debug information that was stripped into a file of its own */
#include "loader/elf/object.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

#include <sys/stat.h>
#include <zlib.h>

/* A debug file and what was stripped of it, in a folder that is removed at the end. */
struct pair {
	char *dir, *main, *debug;
};

static void write_file(const char *path, struct make_buf b)
{
	FILE *f = fopen(path, "we");

	CHECK(f != NULL);
	CHECK_EQ(fwrite(b.ptr, 1, b.len, f), b.len);
	CHECK_EQ(fclose(f), 0);
}

static void remove_pair(struct pair *p)
{
	unlink(p->main);
	unlink(p->debug);
	rmdir(make_text("%s/.debug", p->dir));
	rmdir(p->dir);
}

static void make_note(struct elfmake *m, const char *id)
{
	struct make_buf note = { 0 };

	/* another note first, whose name needs padding */
	make_int(m, &note, 4, 6);
	make_int(m, &note, 4, 4);
	make_int(m, &note, 4, 0x100);
	make_put(&note, "Linux\0\0\0abcd", 12);
	make_int(m, &note, 4, 4);
	make_int(m, &note, 4, strlen(id));
	make_int(m, &note, 4, NT_GNU_BUILD_ID);
	make_put(&note, "GNU", 4);
	make_put(&note, id, strlen(id));
	MAKE_SECTION(m, .name = ".note", .type = SHT_NOTE, .align = 4, .data = make_view(&note));
}

/*
 * The loaded sections of both files. Those of the stripped one have other numbers and
 * other addresses.
 */
static void make_loaded(struct elfmake *m, bool stripped)
{
	make_nobits(m, 0, stripped ? 0x58 : 0x18, 8);
	if (stripped)
		make_data(m, ".comment", MAKE_TEXT("only here"));
	make_nobits(m, 0, 0x18, 32);
}

/* Build ids may be NULL. @crc_off is added to the right checksum. */
static struct pair make_pair(const char *sub, enum make_order order, const char *main_id,
			     const char *debug_id, uint32_t crc_off)
{
	struct elfmake m = make_elf(MAKE_64, order, ET_REL, EM_AARCH64);
	struct elfmake d = make_elf(MAKE_64, order, ET_REL, EM_AARCH64);
	struct make_buf relocs = { 0 }, link = { 0 };
	const char *tmp = getenv("TMPDIR");
	struct pair p = { 0 };

	if (debug_id)
		make_note(&d, debug_id);
	make_loaded(&d, false);
	size_t info = make_data(&d, ".debug_info", make_fill(24, 0));
	uint32_t sym = make_symbol(&d, "", STT_SECTION, (uint32_t)info - 1, 4, 0);
	size_t symtab = make_symtab(&d);
	make_reloc(&d, &relocs, true, 8, sym, R_AARCH64_ABS64, 0x100);
	make_relocs(&d, ".rela.debug_info", true, info, symtab, &relocs);
	struct make_buf debug = make_bytes(&d);

	make_put(&link, "x.debug", 8);
	make_int(&m, &link, 4, crc_off + (uint32_t)crc32(0, debug.ptr, (uInt)debug.len));
	if (main_id)
		make_note(&m, main_id);
	make_loaded(&m, true);
	make_data(&m, ".gnu_debuglink", make_view(&link));

	p.dir = make_text("%s/t_debug_file.XXXXXX", tmp ? tmp : P_tmpdir);
	CHECK(mkdtemp(p.dir) != NULL);
	p.main = make_text("%s/x", p.dir);
	p.debug = make_text("%s%s/x.debug", p.dir, sub);
	if (*sub)
		CHECK_EQ(mkdir(make_text("%s%s", p.dir, sub), 0700), 0);
	write_file(p.main, make_bytes(&m));
	write_file(p.debug, debug);
	return p;
}

static bool is_found(struct pair p)
{
	CLEANUP(object_close) struct object o = { 0 };
	struct err *e = object_open(p.main, &o);
	CLEANUP(object_room_release) struct object_room room = { 0 };
	uint64_t want = 0x10060 + 4 + 0x100;
	struct bytes part;

	remove_pair(&p);
	CHECK_OK(e);
	CHECK_STR(o.sections[o.nr_sections - 1].name, ".shstrtab");
	if (!o.debug[DEBUG_INFO].len)
		return false;
	CHECK_EQ(object_debug_index(&o, DEBUG_INFO), 0);
	CHECK_OK(object_info(&o, 8, 16, &room, &part));
	CHECK_EQ(swap64(load64(part.ptr), o.swap), want);
	object_forget_info(&o, 0, o.debug[DEBUG_INFO].len);
	return true;
}

TEST(debug_information_is_found_through_its_link)
{
	CHECK(is_found(make_pair("", MAKE_LITTLE, NULL, NULL, 0)));
	CHECK(is_found(make_pair("/.debug", MAKE_LITTLE, NULL, NULL, 0)));
	CHECK(is_found(make_pair("", MAKE_BIG, NULL, NULL, 0)));
	CHECK(is_found(make_pair("", MAKE_LITTLE, NULL, "0123456789ab", 0)));
}

TEST(debug_information_of_another_build_is_passed_over)
{
	CHECK(!is_found(make_pair("", MAKE_LITTLE, NULL, NULL, 1)));
	CHECK(!is_found(make_pair("", MAKE_LITTLE, "0123456789ab", "0123456789ac", 0)));
	/* as libdw decides: the checksum does not replace a missing build id */
	CHECK(!is_found(make_pair("", MAKE_LITTLE, "0123456789ab", NULL, 0)));
	CHECK(is_found(make_pair("", MAKE_LITTLE, "0123456789ab", "0123456789ab", 1)));
}
