/* SPDX-License-Identifier: GPL-2.0-only */
/* t_companion.c - files that hold a part of the debug information */
#include "loader/dwarf/companion.h"

#include "tests/lib/elfmake.h"
#include "tests/lib/folder.h"

/* Open the package of a file, which has an index without units, with the four bytes @version. */
static struct err *open_package(enum make_order order, const char *version, bool *ret_found)
{
	struct elfmake main = make_elf(MAKE_64, order, ET_EXEC, EM_PPC64), package = main;
	CLEANUP(object_close) struct object obj = { 0 };
	struct dw_companion *c = NULL;
	struct make_buf index = { 0 }, b = make_bytes(&main);

	write_whole("prog", make_view(&b));
	make_put(&index, version, 4);
	make_put(&index, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
	make_data(&package, ".debug_cu_index", make_view(&index));
	b = make_bytes(&package);
	write_whole("prog.dwp", make_view(&b));
	CHECK_OK(object_open_bare("prog", &obj));

	const struct dw_file f = { .obj = &obj };
	struct err *e = package_open(&f, &c);
	*ret_found = c;
	if (c)
		dw_companion_close(c);
	return e;
}

/* Version 2, that of GNU, has four bytes; version 5 has two, and two bytes of padding follow. */
TEST_IN_FOLDER(the_version_of_the_index_of_a_package_has_two_or_four_bytes)
{
	static const struct {
		const char *name, *version;
		enum make_order order;
	} known[] = {
		{ "2", "\2\0\0\0", MAKE_LITTLE },
		{ "5", "\5\0\0\0", MAKE_LITTLE },
		{ "2, big-endian", "\0\0\0\2", MAKE_BIG },
		{ "5, big-endian", "\0\5\0\0", MAKE_BIG },
	};
	bool found;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		IN_ROW(known[i].name);
		CHECK_OK(open_package(known[i].order, known[i].version, &found));
		CHECK(found);
	}
	CHECK_ERR_TEXT(open_package(MAKE_LITTLE, "\3\0\0\0", &found), ERR_UNSUPPORTED,
		       "'prog.dwp': .debug_cu_index: version 3");
}
