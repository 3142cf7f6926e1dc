/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_lines.c - the names of files in line tables, of each version and damaged */
#include "loader/dwarf/dw_lines.h"

#include "base/cleanup.h"
#include "tests/lib/dwarfmake.h"
#include "tests/lib/testlib.h"

#include <limits.h>

static struct object object(void)
{
	return (struct object){ .addr_size = 8, .swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ };
}

static void check_file(struct dw_lines *l, uint64_t off, uint64_t number, const char *path)
{
	CLEANUP(mem_free) char *got = dw_lines_file(l, off, number, "/unit");

	CHECK_STR(got ? got : "none", path ? path : "none");
}

/* --- tables ---------------------------------------------------------------------------- */

/* A table that is being built. */
struct table {
	unsigned int version, width; /* of offsets */
	size_t start, header;        /* the end of the length, and of the header */
};

/* Append a header up to the list of folders. */
static struct table begin(struct make_buf *b, unsigned int version, unsigned int width)
{
	struct table t = { .version = version, .width = width };

	if (width == 8)
		dw_int(b, 4, 0xffffffff);
	dw_int(b, width, 0);
	t.start = b->len;
	dw_int(b, 2, version);
	if (version == 5)
		dw_int(b, 2, 8);
	dw_int(b, width, 0);
	dw_int(b, version < 4 ? 4 : 5, 0);
	dw_int(b, 1, 3); /* opcodes, and the numbers of their operands */
	dw_int(b, 2, 0x0101);
	return t;
}

/* Append a program, and set the length. */
static void finish(struct make_buf *b, struct table *t)
{
	t->header = b->len;
	dw_int(b, 3, 0x010100);
	dw_patch(b, t->start - t->width, (uint32_t)(b->len - t->start));
}

static void put_files_4(struct make_buf *b)
{
	static const struct {
		const char *name;
		unsigned int folder;
	} files[] = { { "a.c", 0 }, { "b.h", 1 }, { "c.h", 2 }, { "/abs.h", 1 }, { "d.h", 9 } };

	dw_text(b, "/usr");
	dw_text(b, "inc");
	dw_text(b, "");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		dw_text(b, files[i].name);
		dw_uleb(b, files[i].folder);
		dw_uleb(b, 1u << 20); /* time and size */
		dw_uleb(b, 300);
	}
	dw_text(b, "");
}

/* Folders are in .debug_line_str, and files in .debug_str. */
static const char line_str[] = "/unit\0/usr\0inc";
static const char str[] = "a.c\0b.h\0c.h\0/abs.h\0d.h";

static struct object object_with_strings(void)
{
	struct object obj = object();

	obj.debug[DEBUG_LINE_STR] = (struct bytes){ (const uint8_t *)line_str, sizeof(line_str) };
	obj.debug[DEBUG_STR] = (struct bytes){ (const uint8_t *)str, sizeof(str) };
	return obj;
}

/* Pairs of content and form. */
static void put_formats(struct make_buf *b, const uint8_t *formats, size_t nr)
{
	dw_int(b, 1, nr);
	make_put(b, formats, 2 * nr);
}

static void put_files_5(struct make_buf *b, unsigned int width)
{
	static const uint8_t folder[] = { DW_LNCT_path, DW_FORM_line_strp };
	static const uint8_t file[] = { 5 /* MD5 */,  DW_FORM_data16,          DW_LNCT_path,
					DW_FORM_strp, DW_LNCT_directory_index, DW_FORM_udata };
	static const unsigned int names[] = { 0, 4, 8, 12, 19 };
	static const unsigned int folders[] = { 0, 1, 2, 1, 9 };

	put_formats(b, folder, 1);
	dw_uleb(b, 4);
	dw_int(b, width, 0);
	dw_int(b, width, 6);
	dw_int(b, width, 11);
	dw_int(b, width, sizeof(line_str)); /* behind the end */
	put_formats(b, file, 3);
	dw_uleb(b, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		dw_int(b, 8, 0);
		dw_int(b, 8, 0);
		dw_int(b, width, names[i]);
		dw_uleb(b, folders[i]);
	}
}

/* Append a table with the files of put_files_4() or put_files_5(). */
static struct table put_table(struct make_buf *b, unsigned int version, unsigned int width)
{
	struct table t = begin(b, version, width);

	if (version == 5)
		put_files_5(b, width);
	else
		put_files_4(b);
	finish(b, &t);
	return t;
}

static const struct {
	const char *name;
	unsigned int version, width;
} forms[] = {
	{ "DWARF 2", 2, 4 },         { "DWARF 3, 64-bit", 3, 8 }, { "DWARF 4", 4, 4 },
	{ "DWARF 4, 64-bit", 4, 8 }, { "DWARF 5", 5, 4 },         { "DWARF 5, 64-bit", 5, 8 },
};

/* All files of the table at @off; NULL instead of each path if it is @malformed. */
static void check_files(struct dw_lines *l, uint64_t off, unsigned int version, bool malformed)
{
	static const char *const paths[] = { "/unit/a.c", "/usr/b.h", "inc/c.h", "/abs.h", "d.h" };
	const uint64_t first = version < 5;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		check_file(l, off, first + i, malformed ? NULL : paths[i]);
	check_file(l, off, first + ARRAY_SIZE(paths), NULL);
	check_file(l, off, first - 1, NULL);
	check_file(l, off, UINT32_MAX, NULL);
	check_file(l, off, UINT64_MAX, NULL);
}

TEST(files_have_the_folder_that_the_table_names)
{
	struct object obj = object_with_strings();

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
		struct make_buf b = { 0 };

		IN_ROW(forms[i].name);
		dw_int(&b, 7, 0);
		put_table(&b, forms[i].version, forms[i].width);
		dw_lines_init(&l, &obj, make_view(&b));
		check_files(&l, 7, forms[i].version, false);
	}
}

TEST(folder_0_is_that_of_each_unit_up_to_dwarf_4)
{
	CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
	struct object obj = object();
	struct make_buf b = { 0 };

	put_table(&b, 4, 4);
	dw_lines_init(&l, &obj, make_view(&b));
	for (int i = 0; i < 3; i++) {
		CLEANUP(mem_free) char *one = dw_lines_file(&l, 0, 1, "/one");
		CLEANUP(mem_free) char *none = dw_lines_file(&l, 0, 1, NULL);

		CHECK_STR(one, "/one/a.c");
		CHECK_STR(none, "a.c");
	}
}

TEST(names_can_be_in_the_table_from_dwarf_5_on)
{
	static const uint8_t formats[] = { DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index,
					   DW_FORM_indirect };
	CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
	struct object obj = object();
	struct make_buf b = { 0 };
	struct table t = begin(&b, 5, 4);

	put_formats(&b, formats, 1);
	dw_uleb(&b, 1);
	dw_text(&b, "/there");
	put_formats(&b, formats, 2);
	dw_uleb(&b, 1);
	dw_text(&b, "a.c");
	dw_uleb(&b, DW_FORM_data2);
	dw_int(&b, 2, 0);
	finish(&b, &t);
	dw_lines_init(&l, &obj, make_view(&b));
	check_file(&l, 0, 0, "/there/a.c");
}

/* --- damage ---------------------------------------------------------------------------- */

/* Look up all files in @len bytes of @b, which the sanitizer knows to end there. */
static void check_cut(const struct object *obj, const struct make_buf *b, size_t len,
		      unsigned int version, bool malformed)
{
	CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
	CLEANUP(mem_free) uint8_t *copy = mem_alloc(len + !len);

	memcpy(copy, b->ptr, len);
	dw_lines_init(&l, obj, (struct bytes){ copy, len });
	check_files(&l, 0, version, malformed);
}

TEST(a_table_that_is_cut_has_no_files)
{
	struct object obj = object_with_strings();

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct make_buf b = { 0 };
		struct table t = put_table(&b, forms[i].version, forms[i].width);

		IN_ROW(forms[i].name);
		for (size_t len = 0; len < b.len; len++)
			check_cut(&obj, &b, len, forms[i].version, true);
		/* the length is right, so the end of the header counts */
		for (size_t len = t.start; len <= b.len; len++) {
			dw_patch(&b, t.start - t.width, (uint32_t)(len - t.start));
			check_cut(&obj, &b, len, forms[i].version, len < t.header);
			check_cut(&obj, &b, b.len, forms[i].version, len < t.header);
		}
	}
}

TEST(changed_bytes_do_no_harm)
{
	struct object obj = object_with_strings();

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct make_buf b = { 0 };

		IN_ROW(forms[i].name);
		put_table(&b, forms[i].version, forms[i].width);
		for (size_t at = 0; at < 256 * b.len; at++) {
			CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
			uint8_t old = b.ptr[at / 256];

			b.ptr[at / 256] = (uint8_t)at;
			dw_lines_init(&l, &obj, make_view(&b));
			for (uint64_t number = 0; number < 7; number++)
				free(dw_lines_file(&l, 0, number, "/unit"));
			b.ptr[at / 256] = old;
			CHECK(l.entries.nr <= b.len);
		}
	}
}

TEST(other_versions_and_offsets_have_no_files)
{
	struct object obj = object();

	for (unsigned int version = 0; version < 8; version++) {
		CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
		struct make_buf b = { 0 };

		put_table(&b, 4, 4);
		b.ptr[4] = (uint8_t)version;
		dw_lines_init(&l, &obj, make_view(&b));
		if (version < 2 || version > 5)
			check_files(&l, 0, 4, true);
		check_files(&l, b.len, 4, true);
		check_files(&l, b.len + 1, 4, true);
		check_files(&l, UINT64_MAX, 4, true);
	}
	CLEANUP(dw_lines_release) struct dw_lines none = { 0 };
	check_file(&none, 0, 1, NULL);
}

TEST(entries_and_values_need_bytes)
{
	static const uint8_t formats[] = { DW_LNCT_directory_index, DW_FORM_flag_present,
					   DW_LNCT_directory_index, DW_FORM_data1 };
	static const size_t nrs[] = { 0, 1, 2 };
	struct object obj = object();

	for (size_t i = 0; i < ARRAY_SIZE(nrs); i++) {
		CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
		struct make_buf b = { 0 };
		struct table t = begin(&b, 5, 4);

		put_formats(&b, formats, nrs[i]);
		dw_uleb(&b, UINT64_C(1) << 50);
		for (unsigned int k = 0; k < 1000; k++)
			dw_int(&b, 1, 0);
		finish(&b, &t);
		dw_lines_init(&l, &obj, make_view(&b));
		check_file(&l, 0, 0, NULL);
		CHECK_EQ(l.entries.nr, 0);
	}
}

TEST(names_are_no_longer_than_paths)
{
	static const size_t lengths[] = { PATH_MAX, PATH_MAX + 1, 5 * PATH_MAX };
	CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
	CLEANUP(mem_free) char *name = mem_zalloc(5 * PATH_MAX + 1, 1);
	struct object obj = object();
	struct make_buf b = { 0 };
	struct table t = begin(&b, 4, 4);

	memset(name, 'n', 5 * PATH_MAX);
	dw_text(&b, name);
	dw_text(&b, "");
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		dw_text(&b, name + 5 * PATH_MAX - lengths[i]);
		dw_int(&b, 3, 0);
	}
	dw_text(&b, "a.c");
	dw_int(&b, 3, 1);
	dw_text(&b, "");
	finish(&b, &t);
	dw_lines_init(&l, &obj, make_view(&b));

	CLEANUP(mem_free) char *longest = dw_lines_file(&l, 0, 1, name + 4 * PATH_MAX);
	CLEANUP(mem_free) char *alone = dw_lines_file(&l, 0, 1, name);
	CHECK_EQ(strlen(longest), PATH_MAX + strlen("/") + PATH_MAX);
	CHECK_EQ(strlen(alone), PATH_MAX);
	check_file(&l, 0, 2, NULL);
	check_file(&l, 0, 3, NULL);
	check_file(&l, 0, 4, "a.c");
}

/* --- bounds ---------------------------------------------------------------------------- */

TEST(a_table_is_read_once)
{
	CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
	struct object obj = object();
	struct make_buf b = { 0 };
	struct table t = put_table(&b, 4, 4);
	size_t second = b.len;

	put_table(&b, 4, 4);
	dw_lines_init(&l, &obj, make_view(&b));
	for (int i = 0; i < 10; i++) {
		check_files(&l, 0, 4, false);
		CHECK_EQ(l.left, b.len - t.header);
	}
	check_files(&l, second, 4, false);
	CHECK_EQ(l.left, b.len - 2 * t.header);
	CHECK_EQ(l.tables.nr, 2);
}

/* A table of DWARF 5 whose folders are the bytes up to @end of the section. All such tables have the same files. */
static void put_overlapping(struct make_buf *b, size_t end)
{
	static const uint8_t byte[] = { DW_LNCT_directory_index, DW_FORM_data1 };
	struct table t = begin(b, 5, 4);
	uint64_t nr;

	put_formats(b, byte, 1);
	nr = end - b->len - 3;
	for (int i = 0; i < 3; i++)
		dw_int(b, 1, (nr >> 7 * i & 0x7f) | (i < 2 ? 0x80 : 0));
	dw_patch(b, t.start - 4, (uint32_t)(end + 8 - t.start));
}

TEST(tables_that_overlap_are_read_up_to_the_length_of_the_section)
{
	static const uint8_t file[] = { DW_LNCT_path, DW_FORM_string };
	enum { NR = 1000, SIZE = 32 };
	CLEANUP(dw_lines_release) struct dw_lines l = { 0 };
	struct object obj = object();
	struct make_buf b = { 0 };
	size_t nr_found = 0;

	for (unsigned int i = 0; i < NR; i++) {
		put_overlapping(&b, (size_t)NR * SIZE);
		while (b.len % SIZE)
			dw_int(&b, 1, 0);
	}
	CHECK_EQ(b.len, NR * SIZE);
	put_formats(&b, file, 1);
	dw_uleb(&b, 1);
	dw_text(&b, "a.c");
	dw_int(&b, 1, 0);
	dw_lines_init(&l, &obj, make_view(&b));
	for (size_t i = NR; i--;) {
		CLEANUP(mem_free) char *path = dw_lines_file(&l, i * SIZE, 0, NULL);

		CHECK(path || i < NR - 1);
		nr_found += path != NULL;
	}
	CHECK(nr_found < NR / 10);
	CHECK(l.entries.nr <= b.len);
	check_file(&l, (size_t)(NR - 1) * SIZE, 0, "a.c");
}
