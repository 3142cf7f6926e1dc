/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/folder.h"

#include <ftw.h>

char scratch[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void remove_scratch(void)
{
	nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void fresh_folder(void)
{
	if (scratch[0])
		remove_scratch();
	else
		atexit(remove_scratch);
	snprintf(scratch, sizeof(scratch), P_tmpdir "/btfenc-test.XXXXXX");
	CHECK(mkdtemp(scratch));
	CHECK(chdir(scratch) == 0);
}

size_t count_files(void)
{
	size_t nr = 0;
	FILE *ls = popen("ls -A | wc -l", "r");

	CHECK(ls && fscanf(ls, "%zu", &nr) == 1);
	pclose(ls);
	return nr;
}

struct bytes read_whole(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	CHECK(fd >= 0 && fstat(fd, &st) == 0);
	uint8_t *p = mem_alloc((size_t)st.st_size);
	CHECK_EQ(read(fd, p, (size_t)st.st_size), st.st_size);
	close(fd);
	return (struct bytes){ p, (size_t)st.st_size };
}

void write_whole(const char *path, struct bytes b)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	CHECK(fd >= 0);
	CHECK_EQ(write(fd, b.ptr, b.len), b.len);
	close(fd);
}

void check_same_file(const char *path, struct bytes want)
{
	CLEANUP(free_bytes) struct bytes got = read_whole(path);

	CHECK_EQ(got.len, want.len);
	CHECK_MEM(got.ptr, want.ptr, want.len);
}

struct stat stat_of(const char *path)
{
	struct stat st;

	CHECK(stat(path, &st) == 0);
	return st;
}
