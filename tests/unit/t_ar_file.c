/* SPDX-License-Identifier: GPL-2.0-only */
/* t_ar_file.c - the members of ar archives, in the formats of GNU and BSD, and damaged ones */
#include "loader/elf/ar_file.h"

#include "loader/elf/object.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/folder.h"

#include <ar.h>
#include <errno.h>
#include <sys/inotify.h>

static struct make_buf begin(const char *magic)
{
	struct make_buf b = { 0 };

	make_put(&b, magic, SARMAG);
	return b;
}

/* Append a header; returns its position. */
static size_t header(struct make_buf *b, const char *name, size_t size)
{
	size_t pos = b->len;

	make_put(b, make_text("%-16s%-12d%-6d%-6d%-8o%-10zu" ARFMAG, name, 0, 0, 0, 0644, size),
		 sizeof(struct ar_hdr));
	return pos;
}

/* Append a member with @data; returns the position of the data. */
static size_t member(struct make_buf *b, const char *name, struct bytes data)
{
	header(b, name, data.len);

	size_t pos = b->len;
	make_put(b, data.ptr, data.len);
	if (data.len & 1)
		make_put(b, "\n", 1);
	return pos;
}

static struct bytes text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static struct file_refs *expand(struct make_buf b)
{
	struct file_refs *l = test_keep(mem_zalloc(1, sizeof(*l)));

	CHECK_OK(ar_file_expand(make_file(b), l));
	test_keep(l->items);
	for (size_t i = 0; i < l->nr; i++)
		CHECK(l->items[i].ar != NULL);
	return l;
}

/* Item @i is the @len bytes at @offset of the archive, called @name. */
static void check_member(const struct file_refs *l, size_t i, const char *name, size_t offset,
			 size_t len)
{
	CHECK(i < l->nr);
	CHECK_STR(l->items[i].name, make_text("%s(%s)", l->items[i].ar, name));
	CHECK_STR(l->items[i].path, l->items[i].ar);
	CHECK_EQ(l->items[i].offset, offset);
	CHECK_EQ(l->items[i].len, len);
}

TEST(members_have_the_names_of_gnu)
{
	struct make_buf b = begin(ARMAG);
	size_t at[5];

	member(&b, "/", text("symbols"));
	member(&b, "/SYM64/", text("symbols"));
	member(&b, "//",
	       text("a_long_name_of_an_object.o/\nwith/folder_and_space in it.o/\nno_end.o"));
	at[0] = member(&b, "a.o/", text("one"));
	at[1] = member(&b, "/0", text("two and"));
	at[2] = member(&b, "/28", text(""));
	at[3] = member(&b, "sixteen_chars.o/", text("four"));
	at[4] = member(&b, "/59", text("five"));

	struct file_refs *l = expand(b);
	CHECK_EQ(l->nr, 5);
	check_member(l, 0, "a.o", at[0], 3);
	check_member(l, 1, "a_long_name_of_an_object.o", at[1], 7);
	check_member(l, 2, "with/folder_and_space in it.o", at[2], 0);
	check_member(l, 3, "sixteen_chars.o", at[3], 4);
	check_member(l, 4, "no_end.o", at[4], 4);
}

TEST(members_have_the_names_of_bsd)
{
	struct make_buf b = begin(ARMAG);
	size_t at[3];

	member(&b, "#1/12", (struct bytes){ (const uint8_t *)"__.SYMDEF\0\0\0symbols", 19 });
	member(&b, "__.SYMDEF SORTED", text("symbols"));
	at[0] = member(&b, "a b.o", text("one"));
	at[1] = member(&b, "#1/20", text("a_long_name_of_an.o\nbytes"));
	at[2] = member(&b, "sixteen_letters_", text("three"));

	struct file_refs *l = expand(b);
	CHECK_EQ(l->nr, 3);
	check_member(l, 0, "a b.o", at[0], 3);
	check_member(l, 1, "a_long_name_of_an.o\n", at[1] + 20, 5);
	check_member(l, 2, "sixteen_letters_", at[2], 5);
}

TEST(a_thin_archive_names_files_beside_it)
{
	struct make_buf inner = begin(ARMAG), b = begin("!<thin>\n");
	size_t nested, at;

	member(&inner, "/", text("symbols"));
	member(&inner, "//", text("another_long_name.o/\n"));
	member(&inner, "first.o/", text("one"));
	nested = inner.len;
	at = member(&inner, "/0", text("the second"));

	const char *path = make_file(inner), *file = strrchr(path, '/') + 1;
	member(&b, "//", text(make_text("some/folder/x.o/\n/absolute/y.o/\n%s/\n", file)));
	header(&b, "a.o/", 1000000);
	header(&b, "/0", 2000000);
	header(&b, "/17", 0);
	header(&b, make_text("/32:%zu", nested), 10);

	struct file_refs *l = expand(b);
	CHECK_EQ(l->nr, 4);
	CHECK_STR(l->items[0].name, "/proc/self/fd/a.o");
	CHECK_STR(l->items[0].path, "/proc/self/fd/a.o");
	CHECK_EQ(l->items[0].offset, 0);
	CHECK_STR(l->items[1].path, "/proc/self/fd/some/folder/x.o");
	CHECK_STR(l->items[2].path, "/absolute/y.o");
	CHECK_STR(l->items[3].name, make_text("%s(another_long_name.o)", path));
	CHECK_STR(l->items[3].path, path);
	CHECK_EQ(l->items[3].offset, at);
	CHECK_EQ(l->items[3].len, 10);
}

TEST(a_file_that_is_no_archive_stands_for_itself)
{
	CLEANUP(file_refs_release) struct file_refs l = { 0 };
	struct make_buf b = begin("!<what>\n");

	CHECK_OK(ar_file_expand("/nowhere/lib.a", &l));
	CHECK_OK(ar_file_expand(make_file(b), &l));
	CHECK_OK(ar_file_expand("/dev/null", &l));
	CHECK_EQ(l.nr, 3);
	CHECK_STR(l.items[0].name, "/nowhere/lib.a");
	CHECK_STR(l.items[0].path, "/nowhere/lib.a");
	CHECK(!l.items[1].ar && !l.items[2].ar);
	CHECK_OK(ar_file_expand(make_file(begin(ARMAG)), &l));
	CHECK_EQ(l.nr, 3);
}

/* A tape would be rewound, a process that waits for a reader of the pipe would go on. */
TEST_IN_FOLDER(what_is_not_a_regular_file_is_not_opened)
{
	CLEANUP(file_refs_release) struct file_refs l = { 0 };
	struct inotify_event opened;
	int events = inotify_init1(IN_NONBLOCK);

	CHECK(mkfifo("pipe", 0600) == 0);
	CHECK(events >= 0 && inotify_add_watch(events, "pipe", IN_OPEN) >= 0);
	CHECK_OK(ar_file_expand("pipe", &l));
	CHECK(read(events, &opened, sizeof(opened)) < 0);
	CHECK_EQ(errno, EAGAIN);
	close(events);
}

/* @b is damaged: an error with @message, and the position of the header in it. */
static void check_damaged(struct make_buf b, size_t pos, const char *message)
{
	CLEANUP(file_refs_release) struct file_refs l = { 0 };
	const char *path = make_file(b);

	CHECK_ERR_TEXT(ar_file_expand(path, &l), ERR_FORMAT,
		       make_text("'%s'+%#zx: %s", path, pos, message));
}

TEST(an_archive_cut_anywhere_is_an_error_with_its_position)
{
	struct make_buf b = begin(ARMAG);

	member(&b, "a.o/", text("data"));
	size_t pos = b.len, whole;
	member(&b, "b.o/", text("odd"));
	whole = b.len;
	for (b.len = SARMAG + 1; b.len < whole - 1; b.len++) {
		size_t last = b.len < pos ? SARMAG : pos;

		if (b.len == pos)
			continue;
		check_damaged(b, last,
			      b.len < last + sizeof(struct ar_hdr) ?
				      "the file ends in the header of a member" :
				      make_text("a member of %d bytes in a file of %zu bytes",
						last == pos ? 3 : 4, b.len));
	}
	/* some programs do not pad the last member */
	CHECK_EQ(expand(b)->nr, 2);
}

TEST(damaged_headers_are_errors_with_their_position)
{
	static const struct {
		const char *name, *size, *end, *message;
	} cases[] = {
		{ "b.o/", "3", "`x", "no header of a member" },
		{ "b.o/", "x3", ARFMAG, "no header of a member" },
		{ "b.o/", "9999999999", ARFMAG, "a member of 9999999999 bytes in a file" },
		{ "/9", "3", ARFMAG, "name '/9              ' with 9 bytes of names" },
		{ "/99999999999999", "3", ARFMAG, "name '/99999999999999 ' with 9 bytes of names" },
		{ "#1/4", "3", ARFMAG, "name '#1/4            ' with 3 bytes of names" },
		{ "#1/x", "3", ARFMAG, "name '#1/x            ' with 3 bytes of names" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct make_buf b = begin(ARMAG);
		char *h;

		member(&b, "//", text("any name\n"));
		size_t pos = header(&b, cases[i].name, 3);
		h = (char *)b.ptr + pos;
		memcpy(h + offsetof(struct ar_hdr, ar_size), make_text("%-10s", cases[i].size), 10);
		memcpy(h + offsetof(struct ar_hdr, ar_fmag), cases[i].end, 2);
		make_put(&b, "abc\n", 4);
		check_damaged(b, pos, cases[i].message);
	}
}

TEST(a_long_name_without_end_is_an_error)
{
	CLEANUP(file_refs_release) struct file_refs l = { 0 };
	struct make_buf b = begin(ARMAG);

	member(&b, "//", make_fill(5000, 'x'));
	memset((char *)b.ptr + SARMAG + sizeof(struct ar_hdr), 'x', 5000);
	member(&b, "/7", text("data"));
	CHECK_ERR_TEXT(ar_file_expand(make_file(b), &l), ERR_LIMIT,
		       "a name of more than 1022 bytes");
}

TEST(a_nested_archive_that_is_damaged_or_missing_is_an_error)
{
	struct make_buf inner = begin(ARMAG), thin = begin("!<thin>\n");
	const char *const files[] = { "missing", strrchr(make_file(inner), '/') + 1,
				      strrchr(make_file(thin), '/') + 1 };
	const char *const messages[] = {
		"'/proc/self/fd/missing' is no ar archive with data",
		make_text("'/proc/self/fd/%s'+0x8: the file ends in the header", files[1]),
		make_text("'/proc/self/fd/%s' is no ar archive with data", files[2]),
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct make_buf b = begin("!<thin>\n");

		member(&b, "//", text(make_text("%s/\n", files[i])));
		size_t pos = header(&b, "/0:8888", 10);
		check_damaged(b, pos, messages[i]);
	}
}

/* An object at any even position is the object: sections, their data and their debug information. */
TEST(an_object_is_read_at_any_even_position)
{
	FOR_EACH_KIND(class, order)
	{
		for (size_t before = 0; before < 16; before += 2) {
			struct elfmake m = make_elf(class, order, ET_REL, EM_X86_64);
			CLEANUP(object_close) struct object o = { 0 };
			struct make_buf b = begin(ARMAG);

			make_data(&m, ".debug_info", make_fill(33, 5));
			make_data(&m, ".debug_str", text("string"));
			member(&b, "notes/", make_fill(before, 1));
			struct make_buf object = make_bytes(&m);
			member(&b, "a.o/", make_view(&object));
			member(&b, "behind/", make_fill(50, 'x'));

			const struct file_refs *l = expand(b);
			CHECK_OK(object_open_ref(&l->items[1], &o));
			CHECK_STR(o.path, l->items[1].name);
			CHECK_EQ(o.is_rel, true);
			CHECK(make_equal(object_section(&o, ".debug_info")->data,
					 make_fill(33, 5)));
			CHECK_OK(object_load_debug(&o));
			CHECK(make_equal(o.debug[DEBUG_INFO], make_fill(33, 5)));
			CHECK_STR((const char *)o.debug[DEBUG_STR].ptr, "string");
		}
	}
}

TEST(a_member_that_is_no_elf_file_has_no_sections)
{
	struct make_buf b = begin(ARMAG);

	member(&b, "empty/", text(""));
	member(&b, "short/", text("\177E"));
	member(&b, "text/", text("some lines of text"));
	const struct file_refs *l = expand(b);
	for (size_t i = 0; i < l->nr; i++) {
		CLEANUP(object_close) struct object o = { 0 };

		CHECK_OK(object_open_ref(&l->items[i], &o));
		CHECK_EQ(o.nr_sections, 0);
		CHECK_OK(object_load_debug(&o));
		CHECK_EQ(o.debug[DEBUG_INFO].len, 0);
	}
}

TEST_IN_FOLDER(an_archive_is_mapped_once_for_all_members)
{
	CLEANUP(file_refs_release) struct file_refs l = { 0 };
	struct make_buf b = begin(ARMAG);

	member(&b, "a.o/", text("some bytes"));
	member(&b, "b.o/", text("others"));
	write_whole("lib.a", (struct bytes){ b.ptr, b.len });
	CHECK_OK(ar_file_expand("lib.a", &l));
	CHECK_OK(ar_file_expand("lib.a", &l));
	CHECK_EQ(l.nr, 4);
	for (size_t i = 0; i < l.nr; i++)
		CHECK(l.items[i].archive.ptr == l.items[0].archive.ptr);
	CHECK_MEM(l.items[0].archive.ptr, b.ptr, b.len);

	member(&b, "c.o/", text("more"));
	write_whole("lib.a", (struct bytes){ b.ptr, b.len });
	CHECK_ERR_TEXT(ar_file_expand("lib.a", &l), ERR_IO, "'lib.a': changes while it is read");
}
