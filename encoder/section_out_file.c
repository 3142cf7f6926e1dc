/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_out_file.c - bytes into a file: BTF beside its ELF file, or for a base
 *
 * A regular file is replaced in one step. What cannot be replaced is written to: devices,
 * pipes, and everything reached through /proc, where a link is not a name but an open
 * file (/dev/stdout leads there).
 */
#include "encoder/section_out.h"

#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static void free_string(char **s)
{
	free(*s);
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * If @path is /dev/stdout, /dev/fd/N or the like: a copy of our own descriptor N, which
 * shares its position, so that "{ echo; btfenc ...; echo; } >file" works. -1 if it is not.
 */
static int own_descriptor(const char *path, const struct stat *st)
{
	static const char *const dirs[] = { "/proc/self/fd/", "/dev/fd/" };
	struct stat here;
	char *end;

	if (!strcmp(path, "/dev/stdout"))
		path = "/dev/fd/1";
	else if (!strcmp(path, "/dev/stderr"))
		path = "/dev/fd/2";
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		size_t len = strlen(dirs[i]);

		if (strncmp(path, dirs[i], len) != 0 || path[len] < '0' || path[len] > '9')
			continue;
		errno = 0;
		long fd = strtol(path + len, &end, 10);
		if (errno == 0 && *end == '\0' && fd <= 1 << 20 && fstat((int)fd, &here) == 0 &&
		    same_file(&here, st))
			return fcntl((int)fd, F_DUPFD_CLOEXEC, 0);
	}
	return -1;
}

static struct err *write_through(const char *path, struct bytes data)
{
	CLEANUP(file_close) int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return err_sys(errno, "cannot open for writing");
	return file_write(fd, data);
}

/* The folder does not allow a new file: reserve the room first, then nothing should fail. */
static struct err *overwrite(int fd, const struct stat *st, struct bytes data)
{
	int errnum = data.len ? posix_fallocate(fd, 0, (off_t)data.len) : 0;

	if (errnum && errnum != EOPNOTSUPP && errnum != EINVAL) {
		(void)!ftruncate(fd, st->st_size);
		return err_sys(errnum, "no room for %zu bytes", data.len);
	}
	TRY(file_write_at(fd, 0, data.ptr, data.len));
	if (ftruncate(fd, (off_t)data.len) != 0)
		return err_sys(errno, "cannot cut the file to its new length");
	return NULL;
}

static struct err *replace(const char *path, int old, struct bytes data, bool *denied)
{
	CLEANUP(replace_file_close) struct replace_file r = { 0 };
	struct err *e = replace_file_open(path, old, &r);

	if (!e)
		e = file_write(r.fd, data);
	if (!e)
		e = replace_file_commit(&r);
	*denied = r.denied;
	return e;
}

static struct err *write_existing(const char *path, const struct stat *st, struct bytes data)
{
	/* also asks whether we may: a rename would not */
	CLEANUP(file_close) int old = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool denied;

	if (old < 0 && errno == EACCES)
		old = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (old < 0)
		return err_sys(errno, "cannot open for writing");

	struct err *e = replace(path, old, data, &denied);
	if (!e || !denied)
		return e;
	err_free(e);
	return overwrite(old, st, data);
}

/* Is @path, once its symbolic links are followed, a plain name of the file @st? */
static struct err *has_name(const char *path, const struct stat *st, bool *ret)
{
	CLEANUP(free_string) char *target = NULL;
	struct stat there;
	struct statfs fs;

	TRY(replace_file_follow(path, &target));
	/* followed through /proc, the name may be another file's by now: compare */
	*ret = lstat(target, &there) == 0 && same_file(&there, st) &&
	       (statfs(target, &fs) != 0 || fs.f_type != PROC_SUPER_MAGIC);
	return NULL;
}

static struct err *write_out(const char *path, struct bytes data)
{
	struct stat st;
	bool named, denied;

	if (stat(path, &st) != 0)
		return errno == ENOENT ? replace(path, -1, data, &denied) :
					 err_sys(errno, "cannot open");
	if (S_ISDIR(st.st_mode))
		return err_sys(EISDIR, "cannot write");

	CLEANUP(file_close) int own = own_descriptor(path, &st);
	if (own >= 0)
		return file_write(own, data);
	TRY(has_name(path, &st, &named));
	if (S_ISREG(st.st_mode) && named)
		return write_existing(path, &st, data);
	return write_through(path, data);
}

struct err *section_out_file(const char *path, struct bytes data)
{
	return err_at(write_out(path, data), "'%s'", path);
}
