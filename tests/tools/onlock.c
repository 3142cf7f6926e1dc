/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * onlock.c - change a file while a command waits for its lock: onlock WAY FILE NEW COMMAND...
 *
 * Holds the lock that btfenc takes, runs COMMAND, and as soon as that has opened FILE for writing, which
 * it does to lock it, gives FILE the content of NEW. Then the lock is free. WAY is how:
 *
 *	write    into FILE as it is
 *	touch    the same, and its time of modification is set back
 *	rename   NEW takes its name
 *	not      FILE stays as it is
 *
 * Leaves with the command's status, as a shell tells it; 77 if /proc does not tell what is open.
 */
#include "base/cleanup.h"
#include "base/file_io.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99, EXIT_SKIP = 77, EXIT_SIGNALED = 128, MAX_LOOKS = 20000 };

static void need(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	exit(EXIT_TROUBLE);
}

static bool is_for_writing(int dir, const char *name)
{
	char path[300], text[256] = "";
	unsigned int flags = 0;

	snprintf(path, sizeof(path), "../fdinfo/%s", name);
	CLEANUP(file_close) int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0) {
		const char *at = strstr(text, "flags:");

		flags = at ? (unsigned int)strtoul(at + 6, NULL, 8) : 0;
	}
	return (flags & O_ACCMODE) == O_RDWR;
}

/* Has the process opened @file to write? */
static bool has_open(pid_t pid, const struct stat *file)
{
	char path[64];
	struct stat st;
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	DIR *dir = opendir(path);
	for (struct dirent *d; dir && !found && (d = readdir(dir));) {
		found = fstatat(dirfd(dir), d->d_name, &st, 0) == 0 && st.st_ino == file->st_ino &&
			st.st_dev == file->st_dev && is_for_writing(dirfd(dir), d->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static void change(const char *way, int fd, const char *file, const char *new,
		   const struct stat *was)
{
	const struct timespec times[] = { was->st_atim, was->st_mtim };
	struct stat st;

	if (!strcmp(way, "not"))
		return;
	if (!strcmp(way, "rename")) {
		need(rename(new, file) == 0, "rename");
		return;
	}
	CLEANUP(file_close) int from = open(new, O_RDONLY | O_CLOEXEC);
	need(from >= 0 && fstat(from, &st) == 0, new);
	need(!file_copy_at(from, 0, fd, 0, (uint64_t)st.st_size), "copy");
	need(ftruncate(fd, st.st_size) == 0, "ftruncate");
	if (!strcmp(way, "touch"))
		need(futimens(fd, times) == 0, "futimens");
}

int main(int argc, char **argv)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct stat was;
	bool held;
	int status = 0, runs[2];
	char c;

	need(argc > 4, "onlock WAY FILE NEW COMMAND...");
	CLEANUP(file_close) int fd = open(argv[2], O_RDWR | O_CLOEXEC);
	need(fd >= 0 && fstat(fd, &was) == 0, argv[2]);
	need(!file_lock(fd, true, 1, &held), "lock");
	if (access("/proc/self/fdinfo", F_OK) != 0)
		return EXIT_SKIP;

	/* closed by exec: until then our own descriptor is the child's, too */
	need(pipe2(runs, O_CLOEXEC) == 0, "pipe2");
	pid_t pid = fork();
	need(pid >= 0, "fork");
	if (pid == 0) {
		execvp(argv[4], argv + 4);
		_exit(127);
	}
	close(runs[1]);
	need(read(runs[0], &c, 1) == 0, "read");
	int looks = 0;
	while (!has_open(pid, &was)) {
		need(looks++ < MAX_LOOKS && waitpid(pid, &status, WNOHANG) == 0,
		     "never waits for the lock");
		nanosleep(&moment, NULL);
	}
	change(argv[1], fd, argv[2], argv[3], &was);
	file_close(&fd);
	need(waitpid(pid, &status, 0) == pid, "waitpid");
	return WIFSIGNALED(status) ? EXIT_SIGNALED + WTERMSIG(status) : WEXITSTATUS(status);
}
