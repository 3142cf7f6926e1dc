/* SPDX-License-Identifier: GPL-2.0-only */
/* t_out_file.c - bytes into a file */
#include "encoder/elf_out/out_file.h"
#include "tests/lib/elfparts.h"

#include <sys/xattr.h>

TEST_IN_FOLDER(a_new_file_gets_the_mode_that_a_compiler_gives)
{
	mode_t old = umask(027);
	struct err *e = out_file_write("f", MAKE_TEXT("types"));

	umask(old);
	CHECK_OK(e);
	check_same_file("f", MAKE_TEXT("types"));
	CHECK_EQ(stat_of("f").st_mode & 07777, 0640);
	CHECK_EQ(count_files(), 1);
}

TEST_IN_FOLDER(an_empty_file_can_be_written)
{
	CHECK_OK(out_file_write("f", MAKE_TEXT("")));
	check_same_file("f", MAKE_TEXT(""));
	CHECK_OK(out_file_write("f", MAKE_TEXT("types")));
	CHECK_OK(out_file_write("f", MAKE_TEXT("")));
	check_same_file("f", MAKE_TEXT(""));
}

TEST_IN_FOLDER(an_old_file_is_replaced_and_keeps_its_mode)
{
	write_whole("f", noise_of(100000));
	CHECK(chmod("f", 0604) == 0 && link("f", "other") == 0);
	CHECK_OK(out_file_write("f", MAKE_TEXT("types")));
	check_same_file("f", MAKE_TEXT("types"));
	check_same_file("other", noise_of(100000));
	CHECK_EQ(stat_of("f").st_mode & 07777, 0604);
	CHECK_EQ(count_files(), 2);
}

TEST_IN_FOLDER(what_is_prepared_and_not_committed_leaves_no_trace)
{
	struct out_file f = { 0 };

	write_whole("old", noise_of(1000));
	CHECK_OK(out_file_prepare("new", MAKE_TEXT("types"), &f));
	CHECK_EQ(count_files(), 1);
	out_file_release(&f);
	CHECK_OK(out_file_prepare("old", MAKE_TEXT("types"), &f));
	check_same_file("old", noise_of(1000));
	out_file_release(&f);
	check_same_file("old", noise_of(1000));
	CHECK_EQ(count_files(), 1);

	CHECK_OK(out_file_open("old", &f));
	check_same_file("old", noise_of(1000));
	CHECK_OK(out_file_fill(&f, MAKE_TEXT("types")));
	check_same_file("old", noise_of(1000));
	CHECK_OK(out_file_commit(&f));
	check_same_file("old", MAKE_TEXT("types"));
	out_file_release(&f);
	CHECK_EQ(count_files(), 1);

	/* what can fail fails in the first step */
	CHECK_ERR(out_file_open("no/such/folder", &f), ERR_IO);
	out_file_release(&f);
	CHECK_ERR(out_file_prepare("/", MAKE_TEXT("types"), &f), ERR_IO);
	out_file_release(&f);
}

TEST_IN_FOLDER(symbolic_links_are_followed_even_to_nothing)
{
	struct stat st;

	CHECK(mkdir("sub", 0755) == 0);
	CHECK(symlink("sub/link", "a") == 0 && symlink("target", "sub/link") == 0);
	CHECK_OK(out_file_write("a", MAKE_TEXT("first")));
	check_same_file("sub/target", MAKE_TEXT("first"));
	CHECK_OK(out_file_write("a", MAKE_TEXT("second")));
	check_same_file("sub/target", MAKE_TEXT("second"));
	CHECK(lstat("a", &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(lstat("sub/link", &st) == 0 && S_ISLNK(st.st_mode));

	CHECK(symlink("loop", "loop") == 0);
	CHECK_ERR(out_file_write("loop", MAKE_TEXT("types")), ERR_IO);
}

TEST_IN_FOLDER(a_device_is_written_to)
{
	CHECK_OK(out_file_write("/dev/null", noise_of(100000)));
	CHECK(S_ISCHR(stat_of("/dev/null").st_mode));
	if (access("/dev/full", W_OK) == 0)
		CHECK_ERR_TEXT(out_file_write("/dev/full", MAKE_TEXT("types")), ERR_IO,
			       "'/dev/full': ");
}

/* The bytes that a reader gets from the pipe @fd. */
static void check_pipe(int fd, struct bytes want)
{
	uint8_t buf[256];

	CHECK_EQ(read(fd, buf, sizeof(buf)), want.len);
	CHECK_MEM(buf, want.ptr, want.len);
}

TEST_IN_FOLDER(pipes_are_written_to)
{
	char path[32];
	int ends[2];

	CHECK(pipe(ends) == 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	CHECK_OK(out_file_write(path, MAKE_TEXT("types")));
	check_pipe(ends[0], MAKE_TEXT("types"));
	close(ends[0]);
	close(ends[1]);

	CHECK(mkfifo("fifo", 0644) == 0);
	int fd = open("fifo", O_RDWR);
	CHECK_OK(out_file_write("fifo", MAKE_TEXT("more types")));
	check_pipe(fd, MAKE_TEXT("more types"));
	close(fd);
	CHECK(S_ISFIFO(stat_of("fifo").st_mode));
}

TEST_IN_FOLDER(an_open_file_is_continued_where_it_stands)
{
	char path[32];

	int fd = open("f", O_WRONLY | O_CREAT, 0644);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (access(path, F_OK) != 0)
		SKIP("no /proc");
	CHECK_EQ(write(fd, "<", 1), 1);
	CHECK_OK(out_file_write(path, MAKE_TEXT("types")));
	CHECK_EQ(write(fd, ">", 1), 1);
	close(fd);
	check_same_file("f", MAKE_TEXT("<types>"));
}

TEST_IN_FOLDER(an_open_file_without_a_name_is_written_to)
{
	char path[32], buf[16];

	int fd = open("f", O_RDWR | O_CREAT, 0644);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
	if (access(path, F_OK) != 0)
		SKIP("no /proc");
	CHECK(unlink("f") == 0);
	CHECK_OK(out_file_write(path, MAKE_TEXT("types")));
	CHECK_EQ(pread(fd, buf, sizeof(buf), 0), 5);
	CHECK_MEM(buf, "types", 5);
	close(fd);
	CHECK_EQ(count_files(), 0);
}

TEST_IN_FOLDER(a_folder_or_a_missing_one_is_an_error)
{
	CHECK(mkdir("dir", 0755) == 0);
	CHECK_ERR_TEXT(out_file_write("dir", MAKE_TEXT("types")), ERR_IO, "'dir': ");
	CHECK_ERR(out_file_write("dir/", MAKE_TEXT("types")), ERR_IO);
	CHECK_ERR(out_file_write("no/f", MAKE_TEXT("types")), ERR_IO);
	CHECK_ERR(out_file_write("dir/f/", MAKE_TEXT("types")), ERR_IO);
	CHECK_ERR(out_file_write("", MAKE_TEXT("types")), ERR_IO);
	CHECK_EQ(count_files(), 1);
}

static int (*body_of_nobody)(void);

static int become_nobody(void)
{
	if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
		return 77;
	return body_of_nobody();
}

/* Run @body in a child that is not root, with files of @limit bytes at most. */
static int as_nobody(size_t limit, int (*body)(void))
{
	body_of_nobody = body;
	int status = in_child(limit, false, become_nobody);

	CHECK(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		SKIP("cannot change the user");
	return WEXITSTATUS(status);
}

static int write_f(void)
{
	struct err *e = out_file_write("f", (struct bytes){ noise, NOISE_LEN });
	int kind = e ? 1 + (int)err_kind(e) : 0;

	err_free(e);
	return kind;
}

TEST_IN_FOLDER(in_a_folder_that_is_not_ours_the_file_is_overwritten)
{
	noise_of(1);
	write_whole("f", noise_of(9000));
	CHECK(chmod("f", 0666) == 0 && chmod(".", 0555) == 0);
	ino_t ino = stat_of("f").st_ino;
	CHECK_EQ(as_nobody(1 << 20, write_f), 0);
	check_same_file("f", noise_of(NOISE_LEN));
	CHECK_EQ(stat_of("f").st_ino, ino);

	/* no room: it stays */
	CHECK(truncate("f", 100) == 0);
	CHECK_EQ(as_nobody(3000, write_f), 1 + ERR_IO);
	check_same_file("f", noise_of(100));
	CHECK(chmod(".", 0755) == 0);
}

TEST_IN_FOLDER(in_a_folder_that_is_not_ours_an_elf_file_can_be_encoded)
{
	noise_of(1);
	make_plain("f", elf_kinds[0]);
	CHECK(chmod("f", 0666) == 0 && chmod(".", 0555) == 0);
	CHECK_EQ(as_nobody(1 << 20, put_noise), 0);
	check_section("f", ".BTF", noise_of(NOISE_LEN));
	CHECK(chmod(".", 0755) == 0);

	/* but not if that would change it under another name */
	make_plain("f", elf_kinds[0]);
	CHECK(link("f", "other") == 0 && chmod("f", 0666) == 0 && chmod(".", 0555) == 0);
	CLEANUP(free_bytes) struct bytes old = read_whole("f");
	CHECK_EQ(as_nobody(1 << 20, put_noise), 1 + ERR_IO);
	check_same_file("other", old);
	CHECK(chmod(".", 0755) == 0);
}

TEST_IN_FOLDER(set_id_bits_survive_a_write_by_the_owner)
{
	noise_of(1);
	make_plain("f", elf_kinds[0]);
	if (getuid() == 0)
		CHECK(chown("f", 65534, 65534) == 0 && chmod(".", 0755) == 0);
	CHECK(chmod("f", 06755) == 0);
	CHECK_EQ(as_nobody(1 << 20, put_noise), 0);
	CHECK_EQ(stat_of("f").st_mode & 07777, 06755);
	check_section("f", ".BTF", noise_of(NOISE_LEN));
}

TEST_IN_FOLDER(a_file_that_may_not_be_written_is_not_replaced)
{
	noise_of(1);
	CHECK(chmod(".", 0777) == 0);
	make_plain("f", elf_kinds[0]);
	CHECK(chmod("f", 0444) == 0);
	CLEANUP(free_bytes) struct bytes old = read_whole("f");
	CHECK_EQ(as_nobody(1 << 20, write_f), 1 + ERR_IO);
	CHECK_EQ(as_nobody(1 << 20, put_noise), 1 + ERR_IO);
	check_same_file("f", old);
}

TEST_IN_FOLDER(without_room_the_old_file_stays)
{
	noise_of(1);
	CHECK(chmod(".", 0777) == 0);
	CHECK_EQ(as_nobody(3000, write_f), 1 + ERR_IO);
	CHECK_EQ(count_files(), 0);
	write_whole("f", MAKE_TEXT("old"));
	CHECK(chmod("f", 0666) == 0);
	CHECK_EQ(as_nobody(3000, write_f), 1 + ERR_IO);
	check_same_file("f", MAKE_TEXT("old"));
	CHECK_EQ(count_files(), 1);
}

/* put_noise() that expects one warning, of @lost. */
static const char *lost;

static int encode_and_lose(void)
{
	char want[128];

	snprintf(want, sizeof(want), "'f': written, but not kept: %s", lost);
	struct err *e = put("f", ".BTF", noise_of(NOISE_LEN));
	const struct diagnostic *d = put_diags.first;
	bool told = !e && d && !d->next && !strcmp(d->text, want);
	if (!told)
		printf("# %s\n", e ? err_text(e) : d ? d->text : "no warning");
	err_free(e);
	return told ? 0 : 1;
}

TEST_IN_FOLDER(what_a_new_file_cannot_have_of_the_old_one_is_told)
{
	if (getuid() != 0)
		SKIP("whose files are all ours");
	noise_of(1);
	make_plain("f", elf_kinds[0]);
	CHECK(link("f", "other") == 0 && chmod("f", 0666) == 0 && chmod(".", 0777) == 0);
	lost = "owner, group";
	CHECK_EQ(as_nobody(1 << 20, encode_and_lose), 0);
	CHECK_EQ(stat_of("f").st_uid, 65534);
	CHECK_EQ(stat_of("f").st_mode & 07777, 0666);

	CHECK(unlink("other") == 0);
	make_plain("f", elf_kinds[0]);
	CHECK(chown("f", 0, 0) == 0 && chmod("f", 06777) == 0);
	lost = "set-id bits";
	CHECK_EQ(as_nobody(1 << 20, encode_and_lose), 0);
}

TEST_IN_FOLDER(capabilities_survive_or_are_told_of)
{
	/* revision 2, effective; CAP_NET_RAW */
	static const uint8_t caps[20] = { 1, 0, 0, 2, 0, 0x20 };
	static const char name[] = "security.capability";
	uint8_t now[64];

	noise_of(1);
	make_plain("f", elf_kinds[0]);
	if (setxattr("f", name, caps, sizeof(caps), 0) != 0)
		SKIP("no capabilities for us to give");
	CHECK_EQ(put_noise(), 0);
	CHECK_EQ(getxattr("f", name, now, sizeof(now)), sizeof(caps));
	CHECK_MEM(now, caps, sizeof(caps));

	make_plain("f", elf_kinds[0]);
	CHECK(chown("f", 65534, 65534) == 0 && chmod(".", 0755) == 0);
	CHECK(setxattr("f", name, caps, sizeof(caps), 0) == 0);
	lost = "capabilities";
	CHECK_EQ(as_nobody(1 << 20, encode_and_lose), 0);
	CHECK(getxattr("f", name, now, sizeof(now)) < 0);
}
