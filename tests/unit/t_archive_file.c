/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_archive_file.c - a file to which many append: what was appended is there, whole, and
 * whatever happened to others
 */
#include "encoder/archive/archive_file.h"

#include "btf/btf_serialize.h"
#include "btf/btf_view.h"
#include "encoder/archive/archive_trailer.h"
#include "loader/btf/archive.h"
#include "tests/lib/btftext.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/folder.h"

#include <sys/resource.h>

/* BTF that differs for each @seed, in its length, too. */
static struct bytes make_btf(unsigned int seed, bool swap)
{
	uint8_t *ptr;
	size_t len;
	VIEW(v);

	for (unsigned int i = 0; i < 1 + seed % 5; i++)
		test_view_add(&v, "int");
	/* the name makes any length mod 8 */
	test_view_addf(&v, "struct name_of_%u%.*s 4 {int 1}", seed, (int)(seed % 8), "________");
	CHECK_OK(btf_serialize(&v.view.types, v.view.strings,
			       &(struct btf_serialize_opts){ .swap = swap }, &ptr, &len));
	return (struct bytes){ ptr, len };
}

static const char *object_name(unsigned int nr)
{
	return make_text("dir/object_%u.o", nr);
}

static struct err *append_as(const char *object, unsigned int seed)
{
	CLEANUP(free_bytes) struct bytes b = make_btf(seed, false);

	return archive_file_append("f", object, b);
}

static void append(unsigned int nr)
{
	CHECK_OK(append_as(object_name(nr), nr));
}

static void check_member(const struct archive_file *a, const char *object, unsigned int seed)
{
	CLEANUP(free_bytes) struct bytes want = make_btf(seed, a->swap);
	struct bytes got;
	size_t i = archive_file_find(a, object);

	CHECK(i < a->members.nr);
	CHECK_STR(a->members.items[i].object, object);
	CHECK_OK(archive_file_bytes(a, i, &got));
	CHECK_EQ(got.len, want.len);
	CHECK_MEM(got.ptr, want.ptr, want.len);
}

/* "f" has the members 0 to @nr - 1, and @torn bytes behind. */
static void check_members(size_t nr, size_t torn)
{
	CLEANUP(archive_file_release) struct archive_file a = { 0 };

	CHECK_OK(archive_file_read("f", &a));
	CHECK_EQ(a.members.nr, nr);
	CHECK_EQ(a.nr_older, 0);
	CHECK_EQ(a.torn, torn);
	for (unsigned int i = 0; i < nr; i++) {
		check_member(&a, object_name(i), i);
		CHECK_EQ(archive_file_find(&a, object_name(i)), i);
	}
}

TEST_IN_FOLDER(what_is_appended_is_read)
{
	for (unsigned int i = 0; i < 20; i++) {
		append(i);
		check_members(i + 1, 0);
	}
	CLEANUP(archive_file_release) struct archive_file a = { 0 };
	CHECK_OK(archive_file_read("f", &a));
	CHECK_EQ(archive_file_find(&a, "dir/object_20.o"), SIZE_MAX);
	CHECK_EQ(archive_file_find(&a, ""), SIZE_MAX);
}

TEST_WITH(of_each_object_the_last_version_counts, archive_file, a)
{
	fresh_folder();
	CHECK_OK(append_as("a.o", 1));
	CHECK_OK(append_as("b.o", 2));
	CHECK_OK(append_as("c.o", 3));
	CHECK_OK(append_as("a.o", 4));
	CHECK_OK(append_as("b.o", 5));
	CHECK_OK(append_as("a.o", 6));
	CHECK_OK(archive_file_read("f", a));
	CHECK_EQ(a->members.nr, 3);
	CHECK_EQ(a->nr_older, 3);
	CHECK_STR(a->members.items[0].object, "c.o");
	CHECK_STR(a->members.items[1].object, "b.o");
	CHECK_STR(a->members.items[2].object, "a.o");
	check_member(a, "a.o", 6);
	check_member(a, "b.o", 5);
	check_member(a, "c.o", 3);
}

TEST_IN_FOLDER(an_object_can_lose_its_types)
{
	struct bytes b;

	/* nothing to take back: no file */
	CHECK_OK(archive_file_append("f", "a.o", (struct bytes){ 0 }));
	CHECK_EQ(count_files(), 0);
	CHECK_OK(append_as("a.o", 1));
	CHECK_OK(append_as("b.o", 2));
	CHECK_OK(archive_file_append("f", "a.o", (struct bytes){ 0 }));

	CLEANUP(archive_file_release) struct archive_file a = { 0 };
	CHECK_OK(archive_file_read("f", &a));
	CHECK_EQ(a.members.nr, 2);
	CHECK_EQ(a.nr_older, 1);
	size_t i = archive_file_find(&a, "a.o");
	CHECK_EQ(i, 1);
	CHECK_OK(archive_file_bytes(&a, i, &b));
	CHECK_EQ(b.len, 0);
	check_member(&a, "b.o", 2);

	CHECK_OK(append_as("a.o", 3));
	archive_file_release(&a);
	CHECK_OK(archive_file_read("f", &a));
	check_member(&a, "a.o", 3);
}

TEST_WITH(an_empty_file_has_no_members_and_takes_some, archive_file, a)
{
	fresh_folder();
	CHECK_ERR(archive_file_read("f", a), ERR_IO);
	write_whole("f", (struct bytes){ 0 });
	CHECK_OK(archive_file_read("f", a));
	CHECK_EQ(a->members.nr, 0);
	append(0);
	check_members(1, 0);
}

TEST_WITH(whoever_walks_members_passes_the_trailers, archive, walked)
{
	fresh_folder();
	for (unsigned int i = 0; i < 9; i++)
		append(i);
	CLEANUP(free_bytes) struct bytes b = read_whole("f");
	CHECK_OK(archive_walk(b, false, walked));
	CHECK_EQ(walked->members.nr, 1 + 2 * 9);
	for (size_t i = 0; i < walked->members.nr; i++) {
		CLEANUP(btf_view_release) struct btf_view v = { 0 };

		CHECK_OK(btf_view_open(archive_bytes(walked, i), NULL, &v));
		CHECK_EQ(v.types.start.nr == 0, i % 2 == 0);
	}
	CHECK_EQ(b.len % ARCHIVE_TRAILER_ALIGN, 0);
}

TEST_WITH(members_of_the_other_byte_order_are_by_themselves, archive_file, a)
{
	CLEANUP(free_bytes) struct bytes b = make_btf(7, true);

	fresh_folder();
	CHECK_OK(archive_file_append("f", "a.o", b));
	CHECK_OK(archive_file_append("f", "b.o", b));
	CHECK_ERR_TEXT(append_as("c.o", 1), ERR_UNSUPPORTED,
		       "'f': has BTF of the other byte order than 'c.o'");
	CHECK_OK(archive_file_append("f", "b.o", (struct bytes){ 0 }));
	CHECK_OK(archive_file_read("f", a));
	CHECK(a->swap);
	CHECK_EQ(a->members.nr, 2);
	check_member(a, "a.o", 7);
}

TEST_IN_FOLDER(two_files_may_be_put_together)
{
	append(0);
	append(1);
	CHECK(rename("f", "g") == 0);
	append(2);
	append(3);
	CHECK(system("cat g f >h && mv h f") == 0);
	check_members(4, 0);
	append(4);
	check_members(5, 0);
}

/* ---- files of other kinds ---- */

static void check_untouched(struct bytes b)
{
	CLEANUP(archive_file_release) struct archive_file a = { 0 };

	write_whole("f", b);
	CHECK_ERR_TEXT(archive_file_read("f", &a), ERR_FORMAT,
		       "'f': not a file that --btf_archive has made");
	CHECK_ERR_TEXT(append_as("a.o", 1), ERR_FORMAT,
		       "'f': not a file that --btf_archive has made");
	check_same_file("f", b);
}

TEST_IN_FOLDER(a_file_of_another_kind_is_refused_and_left_alone)
{
	CLEANUP(free_bytes) struct bytes btf = make_btf(1, false);
	uint8_t *trailer;
	size_t len;

	check_untouched(btf);
	check_untouched((struct bytes){ (const uint8_t *)"int main;\n", 10 });
	check_untouched((struct bytes){ (const uint8_t *)"\x9f\x9f", 2 });
	/* a trailer alone does not make it ours */
	CHECK_OK(archive_trailer_make("a.o", btf, false, &trailer, &len));
	check_untouched((struct bytes){ trailer, len });
	free(trailer);
	CHECK(mkfifo("pipe", 0600) == 0);
	CHECK_ERR(archive_file_append("pipe", "a.o", btf), ERR_IO);
	CHECK_ERR(archive_file_append(".", "a.o", btf), ERR_IO);
	CHECK_ERR(archive_file_append("no/f", "a.o", btf), ERR_IO);
}

TEST_IN_FOLDER(what_is_no_btf_is_not_appended)
{
	CLEANUP(free_bytes) struct bytes b = make_btf(1, false);
	struct bytes cut = { b.ptr, b.len - 1 };

	CHECK_ERR(archive_file_append("f", "a.o", cut), ERR_FORMAT);
	CHECK_ERR(archive_file_append("f", "", b), ERR_USAGE);
	CHECK_EQ(count_files(), 0);
}

/* ---- writers that are killed ---- */

enum { SOME = 4 };

/* A file of SOME members, and where each is complete. */
struct some {
	size_t ends[SOME];
	struct bytes all, but_last;
};

static void some_init(struct some *s)
{
	fresh_folder();
	for (unsigned int i = 0; i < SOME; i++) {
		append(i);
		s->ends[i] = (size_t)stat_of("f").st_size;
	}
	s->all = read_whole("f");
	s->but_last = (struct bytes){ s->all.ptr, s->ends[SOME - 2] };
}

static void some_release(struct some *s)
{
	free_bytes(&s->all);
}

/* The bytes, to be damaged. */
static uint8_t *writable(const struct some *s)
{
	return (uint8_t *)(uintptr_t)s->all.ptr;
}

TEST_WITH_INIT(a_torn_tail_of_any_length_does_not_count_and_is_repaired, some, s)
{
	uint8_t *trailer;
	size_t first;

	CHECK_OK(archive_trailer_make("", (struct bytes){ 0 }, false, &trailer, &first));
	free(trailer);
	for (size_t cut = 0; cut < s->all.len; cut++) {
		unsigned int nr = 0;
		size_t complete = cut < first ? 0 : first;

		while (s->ends[nr] <= cut)
			complete = s->ends[nr++];
		unlink("f");
		write_whole("f", (struct bytes){ s->all.ptr, cut });
		check_members(nr, cut - complete);
		for (; nr < SOME; nr++)
			append(nr);
		check_same_file("f", s->all);
	}
}

static int append_last_and_tell(void)
{
	struct err *e = append_as("dir/object_3.o", SOME - 1);
	int kind = e ? 1 + (int)err_kind(e) : 0;

	err_free(e);
	return kind;
}

TEST_WITH_INIT(a_writer_may_be_killed_after_any_byte, some, s)
{
	for (size_t limit = s->but_last.len; limit < s->all.len; limit++) {
		write_whole("f", s->but_last);
		/* the first write gets as far as the limit, the second one is deadly */
		int status = in_child(limit, true, append_last_and_tell);

		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
		CHECK_EQ(stat_of("f").st_size, limit);
		check_members(SOME - 1, limit - s->but_last.len);
		append(SOME - 1);
		check_same_file("f", s->all);
	}
}

TEST_WITH_INIT(without_room_the_file_is_as_before, some, s)
{
	for (size_t limit = s->but_last.len; limit < s->all.len; limit += 7) {
		write_whole("f", s->but_last);
		int status = in_child(limit, false, append_last_and_tell);

		CHECK(WIFEXITED(status));
		CHECK_EQ(WEXITSTATUS(status), 1 + ERR_IO);
		check_same_file("f", s->but_last);
	}
}

enum { WRITERS = 32, EACH = 50 };

static void append_many(unsigned int writer)
{
	for (unsigned int i = 0; i < EACH; i++) {
		struct err *e = append_as(make_text("%u/%u.o", writer, i), writer * EACH + i);

		if (e) {
			printf("# %s\n", err_text(e));
			_exit(1);
		}
	}
}

static void check_many(const struct archive_file *a, unsigned int writer, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		check_member(a, make_text("%u/%u.o", writer, i), writer * EACH + i);
}

TEST_WITH(many_writers_at_once_lose_nothing, archive_file, a)
{
	fresh_folder();
	for (unsigned int i = 0; i < WRITERS; i++) {
		if (fork() != 0)
			continue;
		append_many(i);
		_exit(0);
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;

		CHECK(wait(&status) > 0);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	CHECK_OK(archive_file_read("f", a));
	CHECK_EQ(a->members.nr, WRITERS * EACH);
	CHECK_EQ(a->nr_older, 0);
	CHECK_EQ(a->torn, 0);
	for (unsigned int i = 0; i < WRITERS; i++)
		check_many(a, i, EACH);
}

/* Each time another writer is killed by its small world in the midst of its work. */
TEST_WITH(writers_that_are_killed_cost_the_others_nothing, archive_file, a)
{
	pid_t pids[WRITERS];

	fresh_folder();
	for (unsigned int i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		if (pids[i] != 0)
			continue;
		struct rlimit core = { 0, 0 }, rl = { 2000 + 7919 * i, 2000 + 7919 * i };

		setrlimit(RLIMIT_CORE, &core);
		if (i % 2)
			setrlimit(RLIMIT_FSIZE, &rl);
		append_many(i);
		_exit(0);
	}
	int killed = 0, done[WRITERS] = { 0 };
	for (int i = 0; i < WRITERS; i++) {
		int status;

		CHECK(waitpid(pids[i], &status, 0) == pids[i]);
		done[i] = WIFEXITED(status) && WEXITSTATUS(status) == 0;
		killed += WIFSIGNALED(status);
		CHECK(done[i] || (i % 2 && WIFSIGNALED(status)));
	}
	CHECK(killed > 0);
	CHECK_OK(archive_file_read("f", a));
	for (unsigned int i = 0; i < WRITERS; i++) {
		if (done[i])
			check_many(a, i, EACH);
	}
	/* what the killed ones have complete is there, too, without a hole */
	for (size_t i = 0; i < a->members.nr; i++) {
		struct bytes b;

		CHECK_OK(archive_file_bytes(a, i, &b));
	}
}

/* ---- damage ---- */

/* Is what can be read what was written? Otherwise it must be said. */
static void check_damage(size_t pos, size_t last_at)
{
	CLEANUP(archive_file_release) struct archive_file a = { 0 };
	struct err *e = archive_file_read("f", &a);
	bool torn = !e && a.torn && a.members.nr == SOME - 1;

	for (unsigned int i = 0; !e && i < a.members.nr; i++) {
		CLEANUP(free_bytes) struct bytes want = make_btf(i, false);
		struct bytes b;

		e = archive_file_bytes(&a, i, &b);
		if (!e)
			CHECK(b.len == want.len && !memcmp(b.ptr, want.ptr, b.len));
	}
	CHECK(e || a.members.nr == SOME || (torn && pos >= last_at));
	CHECK(!e || err_kind(e) == ERR_FORMAT);
	err_free(e);
}

static void poke(size_t pos, const void *bytes, size_t len)
{
	int fd = open("f", O_WRONLY);

	CHECK(fd >= 0 && pwrite(fd, bytes, len, (off_t)pos) == (ssize_t)len);
	close(fd);
}

TEST_WITH_INIT(no_damage_goes_unseen, some, s)
{
	static const uint8_t zeros[64];

	for (size_t pos = 0; pos < s->all.len; pos++) {
		for (unsigned int bit = 0; bit < 8; bit += 3) {
			uint8_t wrong = s->all.ptr[pos] ^ (uint8_t)(1 << bit);

			poke(pos, &wrong, 1);
			check_damage(pos, s->but_last.len);
			poke(pos, s->all.ptr + pos, 1);
		}
	}
	/* a block that a file system has lost */
	for (size_t from = 0; from + 64 < s->but_last.len; from += 24) {
		poke(from, zeros, 64);
		check_damage(from, s->but_last.len);
		poke(from, s->all.ptr + from, 64);
	}
	check_same_file("f", s->all);
}

TEST_WITH_INIT(a_damaged_member_is_named_and_nobody_cuts_off_what_follows, some, s)
{
	CLEANUP(archive_file_release) struct archive_file a = { 0 };
	uint8_t *p = writable(s);

	memset(p + s->ends[1], 0, 40);
	/* and a torn tail besides, which makes the next writer walk */
	struct bytes torn = { p, s->all.len - 3 };
	write_whole("f", torn);
	char text[100];
	snprintf(text, sizeof(text), "'f': member 3, at %#zx after that of 'dir/object_1.o', is",
		 s->ends[1]);
	CHECK_ERR_TEXT(archive_file_read("f", &a), ERR_FORMAT, text);
	CHECK_ERR_TEXT(append_as("x.o", 1), ERR_FORMAT, "is damaged");
	check_same_file("f", torn);
}

TEST_WITH_INIT(a_checksum_tells_what_the_walk_does_not_see, some, s)
{
	CLEANUP(archive_file_release) struct archive_file a = { 0 };
	uint8_t *p = writable(s);
	struct bytes b;

	p[s->ends[0] + 40] ^= 1;
	write_whole("f", s->all);
	CHECK_OK(archive_file_read("f", &a));
	CHECK_OK(archive_file_bytes(&a, 0, &b));
	CHECK_ERR_TEXT(archive_file_bytes(&a, 1, &b), ERR_FORMAT,
		       "of 'dir/object_1.o', is damaged");
}

/* ---- time ---- */

static unsigned long long bytes_read(void)
{
	unsigned long long n = 0;
	FILE *f = fopen("/proc/self/io", "r");

	if (!f || fscanf(f, "rchar: %llu", &n) != 1)
		SKIP("no /proc/self/io");
	fclose(f);
	return n;
}

TEST_IN_FOLDER(how_long_the_file_is_makes_no_difference)
{
	unsigned long long first = 0;

	for (unsigned int i = 0; i < 2000; i++) {
		unsigned long long before = bytes_read();

		CHECK_OK(append_as("dir/object_1.o", 1));
		unsigned long long cost = bytes_read() - before;
		if (i == 1)
			first = cost;
		CHECK(i < 1 || cost < first + 100);
	}
}
