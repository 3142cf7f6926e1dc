/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out_file.c - see out_file.h
 *
 * Devices, pipes and all files below /proc cannot be replaced: a link in /proc is not a name but an
 * open file, and /dev/stdout leads there.
 */
#include "encoder/elf_out/out_file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/critical.h"
#include "base/file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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
		    file_is_same(&here, st))
			return fcntl((int)fd, F_DUPFD_CLOEXEC, 0);
	}
	return -1;
}

/* A signal must wait while the contents change, and nothing can be undone. */
static void nothing_to_undo(void *arg UNUSED)
{
}

static struct err *overwrite_all(int fd, const struct stat *st, struct bytes data)
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

/* Reserve the room first, so that writing should not fail. */
static struct err *overwrite(int fd, const struct stat *st, struct bytes data)
{
	struct critical guard;

	critical_begin(&guard, nothing_to_undo, NULL);
	struct err *e = overwrite_all(fd, st, data);
	critical_end(&guard);
	return e;
}

/* Open the file at @at, which was @f->st when it was looked at. @flags: further ones for openat(). */
static int open_there(const struct dir_entry *at, int flags, const struct out_file *f)
{
	int fd = openat(at->dir, at->name,
			flags | O_CLOEXEC | O_NOCTTY | (at->in_proc ? 0 : O_NOFOLLOW));
	struct stat now;

	if (fd >= 0 && (fstat(fd, &now) != 0 || !file_is_same(&now, &f->st))) {
		file_close(&fd);
		errno = ESTALE;
	}
	return fd;
}

static struct err *open_existing(struct dir_entry *at, struct out_file *f)
{
	/* checks the permissions of the file, which a rename would not */
	f->fd = open_there(at, O_RDWR | O_NONBLOCK, f);
	if (f->fd < 0 && errno == EACCES)
		f->fd = open_there(at, O_WRONLY | O_NONBLOCK, f);
	if (f->fd < 0)
		return err_sys(errno, "cannot open for writing");

	struct err *e = replace_file_open_at(at, f->fd, &f->replace);
	if (!e || !f->replace.denied)
		return e;
	err_free(e);
	f->how = OUT_FILE_OVERWRITE;
	return NULL;
}

static struct err *open_at(struct dir_entry *at, struct out_file *f)
{
	if (fstatat(at->dir, at->name, &f->st, at->in_proc ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? replace_file_open_at(at, -1, &f->replace) :
					 err_sys(errno, "cannot open");
	if (S_ISLNK(f->st.st_mode))
		return err_sys(ELOOP, "cannot open for writing");
	if (S_ISREG(f->st.st_mode) && !at->in_proc) {
		f->how = OUT_FILE_REPLACE;
		return open_existing(at, f);
	}
	f->how = OUT_FILE_THROUGH;
	f->fd = open_there(at, O_WRONLY, f);
	return f->fd < 0 ? err_sys(errno, "cannot open for writing") : NULL;
}

static struct err *open_by_kind(const char *path, struct out_file *f)
{
	CLEANUP(dir_entry_release) struct dir_entry at = { .dir = -1 };

	if (stat(path, &f->st) == 0) {
		if (S_ISDIR(f->st.st_mode))
			return err_sys(EISDIR, "cannot write");
		f->how = OUT_FILE_CONTINUE;
		f->fd = own_descriptor(path, &f->st);
		if (f->fd >= 0)
			return NULL;
		f->how = OUT_FILE_REPLACE;
	} else if (errno != ENOENT) {
		return err_sys(errno, "cannot open");
	}
	/* from here on all is done in one folder, whatever the path leads to meanwhile */
	TRY(dir_entry_find(path, &at));
	return open_at(&at, f);
}

static struct err *commit(struct out_file *f)
{
	if (f->how == OUT_FILE_OVERWRITE)
		return overwrite(f->fd, &f->st, f->data);
	if (f->how == OUT_FILE_REPLACE) {
		struct err *e = replace_file_commit(&f->replace);

		if (!e || !f->replace.denied || f->fd < 0)
			return e;
		err_free(e);
		return overwrite(f->fd, &f->st, f->data);
	}
	if (f->how == OUT_FILE_THROUGH && S_ISREG(f->st.st_mode) && ftruncate(f->fd, 0) != 0)
		return err_sys(errno, "cannot empty the file");
	return file_write(f->fd, f->data);
}

struct err *out_file_open(const char *path, struct out_file *f)
{
	*f = (struct out_file){ .path = path, .fd = -1, .is_open = true };
	return err_at(open_by_kind(path, f), "'%s'", path);
}

struct err *out_file_fill(struct out_file *f, struct bytes data)
{
	f->data = data;
	if (f->how != OUT_FILE_REPLACE)
		return NULL;
	return err_at(file_write(f->replace.fd, data), "'%s'", f->path);
}

struct err *out_file_prepare(const char *path, struct bytes data, struct out_file *f)
{
	TRY(out_file_open(path, f));
	return out_file_fill(f, data);
}

struct err *out_file_commit(struct out_file *f)
{
	return err_at(commit(f), "'%s'", f->path);
}

void out_file_release(struct out_file *f)
{
	if (!f->is_open)
		return;
	replace_file_close(&f->replace);
	file_close(&f->fd);
	f->is_open = false;
}

struct err *out_file_write(const char *path, struct bytes data)
{
	CLEANUP(out_file_release) struct out_file f = { 0 };

	TRY(out_file_prepare(path, data, &f));
	return out_file_commit(&f);
}
