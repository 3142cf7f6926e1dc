/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/folder.h"

#include <ftw.h>
#include <sys/resource.h>

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

int in_child(size_t limit, bool deadly, int (*body)(void))
{
	int status;
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		struct rlimit rl = { limit, limit }, core = { 0, 0 };

		setrlimit(RLIMIT_CORE, &core);
		signal(SIGXFSZ, deadly ? SIG_DFL : SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &rl);
		_exit(body());
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	return status;
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
