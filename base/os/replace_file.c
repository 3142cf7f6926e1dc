/* SPDX-License-Identifier: GPL-2.0-only */
/* replace_file.c - see replace_file.h */
#include "base/os/replace_file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
	MAX_LINKS = 40,  /* as the kernel */
	MAX_NAMES = 100, /* attempts to find a free one among 2^64 */
};

static char *path_join(const char *dir, size_t dir_len, const char *name)
{
	size_t len = strlen(name);
	char *path = mem_alloc(dir_len + len + 1);

	memcpy(path, dir, dir_len);
	memcpy(path + dir_len, name, len + 1);
	return path;
}

/* Length of the folder part of @path, with its slash. */
static size_t dir_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Open the folder of @path, which is relative to the folder *dir, and replace *dir by it. */
static struct err *enter_folder(const char *path, struct dir_entry *p)
{
	size_t len = dir_length(path);
	CLEANUP(mem_free) char *folder = path_join(path, len, ".");
	int from = p->dir < 0 ? AT_FDCWD : p->dir;
	int dir = openat(from, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return err_sys(errno, "cannot open its folder");
	file_close(&p->dir);
	free(p->name);
	p->dir = dir;
	p->name = mem_strdup(path + len);
	return NULL;
}

/*
 * Read the link at @p into @target; *ret_len is -1 if there is none. The kernel checks the owner of a link when it
 * follows one itself.
 */
static struct err *read_link(const struct dir_entry *p, char *target, size_t size, ssize_t *ret_len)
{
	assert(p->name);

	CLEANUP(file_close)
	int fd = openat(p->dir, p->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat link, folder;

	*ret_len = -1;
	/* no file yet. Opening it reports other errors. */
	if (fd < 0 || fstat(fd, &link) != 0 || !S_ISLNK(link.st_mode) ||
	    fstat(p->dir, &folder) != 0)
		return NULL;
	if ((folder.st_mode & S_ISVTX) && (folder.st_mode & S_IWOTH) && link.st_uid != geteuid() &&
	    link.st_uid != folder.st_uid)
		return err_sys(EACCES, "cannot follow the link of another user");
	*ret_len = readlinkat(fd, "", target, size);
	return NULL;
}

static bool is_in_proc(int dir)
{
	struct statfs fs;

	return fstatfs(dir, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

struct err *dir_entry_find(const char *path, struct dir_entry *ret)
{
	*ret = (struct dir_entry){ .dir = -1 };
	TRY(enter_folder(path, ret));
	for (int i = 0; i < MAX_LINKS; i++) {
		char target[PATH_MAX];
		ssize_t len;

		ret->in_proc = is_in_proc(ret->dir);
		if (ret->in_proc)
			return NULL;
		TRY(read_link(ret, target, sizeof(target) - 1, &len));
		if (len < 0)
			return NULL;
		target[len] = '\0';
		TRY(enter_folder(target, ret));
	}
	return err_sys(ELOOP, "cannot follow '%s'", path);
}

void dir_entry_release(struct dir_entry *p)
{
	file_close(&p->dir);
	free(p->name);
	p->name = NULL;
}

static struct err *refused(struct replace_file *r, int errnum, const char *what)
{
	/* EBUSY, EXDEV: a single file is mounted there, as containers do */
	r->denied = errnum == EACCES || errnum == EPERM || errnum == EROFS || errnum == EBUSY ||
		    errnum == EXDEV;
	return err_sys(errnum, "%s", what);
}

static void remove_temp(void *arg)
{
	const struct replace_file *r = arg;

	if (r->temp[0])
		unlinkat(r->at.dir, r->temp, 0);
}

static void guard(struct replace_file *r)
{
	if (!r->guarded)
		critical_begin(&r->guard, remove_temp, r);
	r->guarded = true;
}

static void unguard(struct replace_file *r)
{
	if (r->guarded)
		critical_end(&r->guard);
	r->guarded = false;
}

static void make_name(char *name, size_t size)
{
	uint64_t random = 0;

	/* if this fails, O_EXCL still detects a name that is in use */
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random = (uint64_t)getpid();
	snprintf(name, size, ".btfenc-%016" PRIx64, random);
}

static void proc_path(int fd, char *path, size_t size)
{
	snprintf(path, size, "/proc/self/fd/%d", fd);
}

/* -1 if the file system has no unnamed files, or /proc is not mounted. */
static int open_unnamed(int dir, mode_t mode)
{
	int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	char path[64];

	if (fd < 0)
		return -1;
	/* link_unnamed() needs /proc: AT_EMPTY_PATH needs a privilege */
	proc_path(fd, path, sizeof(path));
	if (access(path, F_OK) != 0)
		file_close(&fd);
	return fd;
}

static struct err *open_named(struct replace_file *r, mode_t mode)
{
	guard(r);
	for (int i = 0; i < MAX_NAMES; i++) {
		char name[sizeof(r->temp)];

		make_name(name, sizeof(name));
		r->fd = openat(r->at.dir, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW,
			       mode);
		if (r->fd >= 0) {
			memcpy(r->temp, name, sizeof(name));
			return NULL;
		}
		if (errno != EEXIST)
			break;
	}
	return refused(r, errno, "cannot create a temporary file in its folder");
}

struct err *replace_file_open_at(struct dir_entry *at, int old, struct replace_file *r)
{
	/* private until it has the mode of the old file */
	mode_t mode = old >= 0 ? 0600 : 0666;

	*r = (struct replace_file){ .fd = -1, .at = *at, .old = old, .is_open = true };
	*at = (struct dir_entry){ .dir = -1 };
	r->fd = open_unnamed(r->at.dir, mode);
	return r->fd >= 0 ? NULL : open_named(r, mode);
}

struct err *replace_file_open(const char *path, int old, struct replace_file *r)
{
	CLEANUP(dir_entry_release) struct dir_entry at = { .dir = -1 };

	TRY(dir_entry_find(path, &at));
	return replace_file_open_at(&at, old, r);
}

/* Best effort: a label or an ACL that cannot be copied is no error. */
static void copy_xattrs(int from, int to)
{
	ssize_t size = flistxattr(from, NULL, 0);
	if (size <= 0)
		return;

	CLEANUP(mem_free) char *names = mem_alloc((size_t)size);
	size = flistxattr(from, names, (size_t)size);
	for (char *name = names; name < names + size; name += strlen(name) + 1) {
		ssize_t len = fgetxattr(from, name, NULL, 0);
		CLEANUP(mem_free) char *value = mem_alloc(len > 0 ? (size_t)len : 0);

		if (len > 0)
			len = fgetxattr(from, name, value, (size_t)len);
		if (len >= 0)
			(void)fsetxattr(to, name, value, (size_t)len, 0);
	}
}

static const char caps_name[] = "security.capability";

void file_caps_get(int fd, struct file_caps *ret)
{
	ssize_t len = fgetxattr(fd, caps_name, ret->bytes, sizeof(ret->bytes));

	ret->len = len > 0 ? (size_t)len : 0;
}

bool file_caps_put(int fd, const struct file_caps *caps)
{
	struct file_caps now;

	if (!caps->len || fsetxattr(fd, caps_name, caps->bytes, caps->len, 0) == 0)
		return true;
	file_caps_get(fd, &now);
	return now.len == caps->len && !memcmp(now.bytes, caps->bytes, now.len);
}

static void lose(struct replace_file *r, const char *what)
{
	size_t len = strlen(r->lost);

	snprintf(r->lost + len, sizeof(r->lost) - len, "%s%s", len ? ", " : "", what);
}

static struct err *copy_attributes(struct replace_file *r)
{
	int from = r->old, to = r->fd;
	struct file_caps caps;
	struct stat old, now;

	if (fstat(from, &old) != 0 || fstat(to, &now) != 0)
		return err_sys(errno, "cannot read the attributes");

	mode_t mode = old.st_mode & 07777;
	/* without the old owner, the set-id bits must go */
	if (now.st_uid != old.st_uid && fchown(to, old.st_uid, (gid_t)-1) != 0) {
		mode &= ~(mode_t)S_ISUID;
		lose(r, "owner");
	}
	if (now.st_gid != old.st_gid && fchown(to, (uid_t)-1, old.st_gid) != 0) {
		mode &= ~(mode_t)S_ISGID;
		lose(r, "group");
	}
	if (mode != (old.st_mode & 07777))
		lose(r, "set-id bits");
	if (fchmod(to, mode) != 0 && (now.st_mode & 07777) != mode)
		return err_sys(errno, "cannot give the new file mode %04o", (unsigned int)mode);
	/* last: a change of owner drops capabilities */
	copy_xattrs(from, to);
	file_caps_get(from, &caps);
	if (!file_caps_put(to, &caps))
		lose(r, "capabilities");
	return NULL;
}

/* Give the unnamed file its final name, or a temporary one if there is an old file. */
static struct err *link_unnamed(struct replace_file *r)
{
	char path[64];

	proc_path(r->fd, path, sizeof(path));
	if (r->old < 0 && linkat(AT_FDCWD, path, r->at.dir, r->at.name, AT_SYMLINK_FOLLOW) == 0)
		return NULL;
	for (int i = 0; i < MAX_NAMES; i++) {
		char name[sizeof(r->temp)];

		make_name(name, sizeof(name));
		if (linkat(AT_FDCWD, path, r->at.dir, name, AT_SYMLINK_FOLLOW) == 0) {
			memcpy(r->temp, name, sizeof(name));
			return NULL;
		}
		if (errno != EEXIST)
			break;
	}
	return refused(r, errno, "cannot give the new file a name");
}

static struct err *check_still_there(const struct replace_file *r)
{
	struct stat old, there;

	if (r->old < 0)
		return NULL;
	if (fstat(r->old, &old) != 0 ||
	    fstatat(r->at.dir, r->at.name, &there, AT_SYMLINK_NOFOLLOW) != 0)
		return err_sys(errno, "cannot find the file that is to be replaced");
	if (!file_is_same(&old, &there))
		return err_new(ERR_IO, "replaced by another process in the meantime");
	return NULL;
}

struct err *replace_file_commit(struct replace_file *r)
{
	r->lost[0] = '\0';
	if (r->old >= 0)
		TRY(copy_attributes(r));
	guard(r);
	TRY(check_still_there(r));
	if (!r->temp[0])
		TRY(link_unnamed(r));
	TRY(err_at(file_close_written(&r->fd), "the new file"));
	if (r->temp[0] && renameat(r->at.dir, r->temp, r->at.dir, r->at.name) != 0)
		return refused(r, errno, "cannot rename the new file over the old");
	r->temp[0] = '\0';
	unguard(r);
	return NULL;
}

/* Give the new file, which has the name @temp or none, its final name. */
static int link_new(const struct replace_file *r)
{
	char path[64];

	if (!r->temp[0]) {
		proc_path(r->fd, path, sizeof(path));
		return linkat(AT_FDCWD, path, r->at.dir, r->at.name, AT_SYMLINK_FOLLOW);
	}
	/* some file systems have no links, others no RENAME_NOREPLACE */
	if (linkat(r->at.dir, r->temp, r->at.dir, r->at.name, 0) == 0)
		return 0;
	return errno == EEXIST ?
		       -1 :
		       renameat2(r->at.dir, r->temp, r->at.dir, r->at.name, RENAME_NOREPLACE);
}

struct err *replace_file_commit_new(struct replace_file *r, bool *ret_exists)
{
	guard(r);
	int status = link_new(r), errnum = errno;

	*ret_exists = status != 0 && errnum == EEXIST;
	remove_temp(r);
	r->temp[0] = '\0';
	unguard(r);
	if (status != 0)
		return *ret_exists ? NULL : err_sys(errnum, "cannot give the new file a name");
	return file_close_written(&r->fd);
}

void replace_file_close(struct replace_file *r)
{
	if (!r->is_open)
		return;
	remove_temp(r);
	r->temp[0] = '\0';
	unguard(r);
	file_close(&r->fd);
	dir_entry_release(&r->at);
	*r = (struct replace_file){ 0 };
}
