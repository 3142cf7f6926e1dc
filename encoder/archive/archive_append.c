/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive_append.c - append the BTF of an object to a file that others append to as well
 *
 * Under a lock: check the first and the last trailer, then write the member and its trailer behind
 * them. A writer that is killed in between leaves bytes without a trailer. The next writer finds no
 * trailer at the end of the file, walks the file once, and truncates it. If writing fails, the
 * writer itself truncates the file; signals other than SIGKILL wait until this is done.
 *
 * The first writer creates the file with its member, and gives it its name at the end, unless another one has
 * done so meanwhile.
 *
 * Nothing is synchronized with the disk: that would cost each compilation more than all the rest,
 * for a file that a build makes again. After a power failure the checksums detect the damage.
 */
#include "encoder/archive/archive_file.h"

#include "base/cleanup.h"
#include "base/critical.h"
#include "base/file_io.h"
#include "base/os/replace_file.h"
#include "base/vec.h"
#include "btf/btf_view.h"
#include "encoder/archive/archive_trailer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_REPLACED = 100 }; /* how often the file may be replaced while we wait for the lock */

/* ---- the file ---- */

static struct err *open_it(const char *path, int *ret)
{
	struct stat st;

	/* opening a device or a pipe may have side effects */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_new(ERR_IO, "not a regular file");
	*ret = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (*ret < 0 && errno != ENOENT)
		return err_sys(errno, "cannot open for writing");
	return NULL;
}

/* Open and lock the file that @path names when the lock is held. *ret_fd is -1 if there is none. */
static struct err *open_locked(const char *path, int *ret_fd, uint64_t *ret_size)
{
	for (int i = 0; i < MAX_REPLACED; i++) {
		CLEANUP(file_close) int fd = -1;
		struct stat st, now;
		bool held;

		TRY(open_it(path, &fd));
		if (fd < 0)
			return NULL;
		/* without it, two writers would write at the same offset */
		TRY(file_lock(fd, true, FILE_LOCK_PATIENCE, &held));
		if (fstat(fd, &st) != 0)
			return err_sys(errno, "cannot read the attributes");
		if (!S_ISREG(st.st_mode))
			return err_new(ERR_IO, "not a regular file");
		if (stat(path, &now) == 0 && file_is_same(&now, &st)) {
			*ret_size = (uint64_t)st.st_size;
			*ret_fd = fd;
			fd = -1;
			return NULL;
		}
	}
	return err_new(ERR_IO, "other processes keep replacing it");
}

/* ---- where it ends ---- */

struct ending {
	uint64_t at; /* behind the last trailer */
	bool empty;  /* without even the first trailer */
	bool swap;
};

/* Is there a trailer that ends at @end? */
static struct err *read_last_trailer(int fd, uint64_t end, bool *ret_is, bool *ret_swap)
{
	uint8_t numbers[ARCHIVE_TRAILER_NUMBERS];
	struct archive_trailer trailer = { 0 };

	*ret_is = false;
	if (end < sizeof(numbers) || end % ARCHIVE_TRAILER_ALIGN)
		return NULL;
	TRY(file_read_at(fd, end - sizeof(numbers), numbers, sizeof(numbers)));

	size_t size = archive_trailer_size(numbers);
	if (!size || size > end)
		return NULL;
	CLEANUP(mem_free) uint8_t *raw = mem_alloc(size);
	TRY(file_read_at(fd, end - size, raw, size));
	*ret_is = archive_trailer_parse((struct bytes){ raw, size }, &trailer) &&
		  trailer.size == size;
	*ret_swap = trailer.swap;
	return NULL;
}

/* Every file begins with the same trailer, in either byte order. */
static struct err *has_first_trailer(int fd, uint64_t size, bool swap, bool *ret)
{
	CLEANUP(mem_free) uint8_t *first = NULL, *raw = NULL;
	size_t len;

	*ret = false;
	TRY(archive_trailer_make("", (struct bytes){ 0 }, swap, &first, &len));
	if (size < len)
		return NULL;
	raw = mem_alloc(len);
	TRY(file_read_at(fd, 0, raw, len));
	*ret = !memcmp(raw, first, len);
	return NULL;
}

/* After a writer was killed; reads the whole file. */
static struct err *search_end(int fd, uint64_t size, struct ending *ret)
{
	CLEANUP(vec_release) struct archive_trailers s = { 0 };
	CLEANUP(mem_free) uint8_t *raw = mem_alloc((size_t)size);

	TRY(file_read_at(fd, 0, raw, (size_t)size));
	TRY(archive_trailers_walk((struct bytes){ raw, (size_t)size }, &s));
	*ret = (struct ending){ .at = s.end, .empty = !s.end, .swap = s.swap };
	if (ret->at < size && ftruncate(fd, (off_t)ret->at) != 0)
		return err_sys(errno, "cannot remove the incomplete member of a killed run");
	return NULL;
}

static struct err *find_end(int fd, uint64_t size, struct ending *ret)
{
	bool complete = false, ours = false, swap = false;

	TRY(read_last_trailer(fd, size, &complete, &swap));
	if (complete)
		TRY(has_first_trailer(fd, size, swap, &ours));
	if (!ours)
		return search_end(fd, size, ret);
	*ret = (struct ending){ .at = size, .swap = swap };
	return NULL;
}

/* ---- what is written ---- */

struct appending {
	int fd;
	off_t at;
	struct critical guard;
};

/* If this fails, the next writer does it. */
static void take_back(void *arg)
{
	const struct appending *u = arg;

	(void)!ftruncate(u->fd, u->at);
}

/*
 * All that is appended: the first trailer if @first, the member, zeros, its trailer. The caller frees *ret.
 */
static struct err *make_member(bool first, const char *object, struct bytes btf, bool swap,
			       uint8_t **ret, size_t *ret_len)
{
	CLEANUP(mem_free) uint8_t *start = NULL, *trailer = NULL;
	size_t start_len = 0, trailer_len = 0;

	if (first)
		TRY(archive_trailer_make("", (struct bytes){ 0 }, swap, &start, &start_len));
	TRY(archive_trailer_make(object, btf, swap, &trailer, &trailer_len));

	size_t len = start_len + btf.len + archive_trailer_padding(btf.len) + trailer_len;
	uint8_t *all = mem_zalloc(1, len);
	if (start)
		memcpy(all, start, start_len);
	if (btf.len)
		memcpy(all + start_len, btf.ptr, btf.len);
	memcpy(all + len - trailer_len, trailer, trailer_len);
	*ret = all;
	*ret_len = len;
	return NULL;
}

static struct err *write_member(int fd, const struct ending *end, const char *object,
				struct bytes btf, bool swap)
{
	CLEANUP(mem_free) uint8_t *all = NULL;
	size_t len = 0;

	TRY(make_member(end->empty, object, btf, swap, &all, &len));

	struct appending u = { .fd = fd, .at = (off_t)end->at };
	critical_begin(&u.guard, take_back, &u);
	struct err *e = file_write_at(fd, end->at, all, len);
	if (e)
		take_back(&u);
	critical_end(&u.guard);
	return e;
}

/* The new file is complete when it gets its name: none stays behind after an error. */
static struct err *create(const char *path, const char *object, struct bytes btf, bool swap,
			  bool *ret_exists)
{
	CLEANUP(replace_file_close) struct replace_file r = { 0 };
	CLEANUP(mem_free) uint8_t *all = NULL;
	size_t len = 0;

	TRY(make_member(true, object, btf, swap, &all, &len));
	TRY(replace_file_open(path, -1, &r));
	TRY(file_write(r.fd, (struct bytes){ all, len }));
	return replace_file_commit_new(&r, ret_exists);
}

/* Append to the file, unless there is none. */
static struct err *append(const char *path, const char *object, struct bytes btf, bool swap,
			  bool *ret_exists)
{
	CLEANUP(file_close) int fd = -1;
	struct ending end = { 0 };
	uint64_t size = 0;

	TRY(open_locked(path, &fd, &size));
	*ret_exists = fd >= 0;
	if (fd < 0)
		return NULL;
	TRY(find_end(fd, size, &end));
	/* an object without types needs an entry only if it may have had some before */
	if (end.empty && !btf.len)
		return NULL;
	if (!btf.len)
		swap = end.swap;
	if (!end.empty && end.swap != swap)
		return err_new(ERR_UNSUPPORTED, "has BTF of the other byte order than '%s'",
			       object);
	return write_member(fd, &end, object, btf, swap);
}

static struct err *append_or_create(const char *path, const char *object, struct bytes btf,
				    bool swap)
{
	for (int i = 0; i < MAX_REPLACED; i++) {
		bool exists = false, created_by_other = false;

		TRY(append(path, object, btf, swap, &exists));
		if (exists || !btf.len)
			return NULL;
		TRY(create(path, object, btf, swap, &created_by_other));
		if (!created_by_other)
			return NULL;
	}
	return err_new(ERR_IO, "other processes keep replacing it");
}

struct err *archive_file_append(const char *path, const char *object, struct bytes btf)
{
	size_t size = 0;
	bool swap = false;

	if (!*object)
		return err_new(ERR_USAGE, "an object without a name");
	if (btf.len)
		TRY(err_at(btf_view_measure(btf, &size, &swap), "BTF of '%s'", object));
	if (size != btf.len)
		return err_new(ERR_FORMAT, "BTF of '%s' has %zu bytes after its end", object,
			       btf.len - size);
	return err_at(append_or_create(path, object, btf, swap), "'%s'", path);
}
