/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive_append.c - append an object's BTF to a file, beside others who do the same
 *
 * Under a lock: look at the first seal and at the last, then write the member and its seal
 * behind. Killed in between, we leave bytes without a seal; whoever does not find one at the
 * end of the file walks it once to see where what counts ends, and cuts the rest off. If
 * writing fails, we do that ourselves, and signals but SIGKILL wait until it is done.
 *
 * Nothing is synchronized with the disk: that would cost each compilation more than all the
 * rest, for a file that a build makes again. If the system loses its power, the checksums tell.
 */
#include "encoder/archive/archive_file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/critical.h"
#include "base/file_io.h"
#include "btf/btf_view.h"
#include "encoder/archive/archive_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_REPLACED = 100 }; /* how often somebody may replace the file while we wait */

/* ---- the file ---- */

static struct err *open_it(const char *path, bool create, int *ret)
{
	struct stat st;

	/* look first: opening a device or a pipe may do things */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_new(ERR_IO, "not a regular file");
	*ret = open(path, O_RDWR | (create ? O_CREAT : 0) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
		    0666);
	if (*ret < 0 && (create || errno != ENOENT))
		return err_sys(errno, "cannot open for writing");
	return NULL;
}

/* Open and lock the file that @path leads to once we have the lock. -1 if there is none. */
static struct err *open_locked(const char *path, bool create, int *ret_fd, uint64_t *ret_size)
{
	for (int i = 0; i < MAX_REPLACED; i++) {
		CLEANUP(file_close) int fd = -1;
		struct stat st, now;
		bool held;

		TRY(open_it(path, create, &fd));
		if (fd < 0)
			return NULL;
		/* without it, two writers would write to the same place */
		TRY(file_lock(fd, true, FILE_LOCK_PATIENCE, &held));
		if (fstat(fd, &st) != 0)
			return err_sys(errno, "cannot read the attributes");
		if (!S_ISREG(st.st_mode))
			return err_new(ERR_IO, "not a regular file");
		if (stat(path, &now) == 0 && now.st_dev == st.st_dev && now.st_ino == st.st_ino) {
			*ret_size = (uint64_t)st.st_size;
			*ret_fd = fd;
			fd = -1;
			return NULL;
		}
	}
	return err_new(ERR_IO, "is being replaced all the time");
}

/* ---- where it ends ---- */

struct ending {
	uint64_t at; /* what counts ends there */
	bool empty;  /* not even the first seal is there */
	bool swap;
};

/* The seal that ends at @end, if there is one. */
static struct err *read_last_seal(int fd, uint64_t end, bool *ret_is, bool *ret_swap)
{
	uint8_t numbers[ARCHIVE_SEAL_NUMBERS];
	struct archive_seal seal = { 0 };

	*ret_is = false;
	if (end < sizeof(numbers) || end % ARCHIVE_SEAL_ALIGN)
		return NULL;
	TRY(file_read_at(fd, end - sizeof(numbers), numbers, sizeof(numbers)));

	size_t size = archive_seal_size(numbers);
	if (!size || size > end)
		return NULL;
	CLEANUP(mem_free) uint8_t *raw = mem_alloc(size);
	TRY(file_read_at(fd, end - size, raw, size));
	*ret_is = archive_seal_parse((struct bytes){ raw, size }, &seal) && seal.size == size;
	*ret_swap = seal.swap;
	return NULL;
}

/* The seal that every file begins with, and which is the same in all but its byte order. */
static struct err *has_first_seal(int fd, uint64_t size, bool swap, bool *ret)
{
	CLEANUP(mem_free) uint8_t *first = NULL, *raw = NULL;
	size_t len;

	*ret = false;
	TRY(archive_seal_make("", (struct bytes){ 0 }, swap, &first, &len));
	if (size < len)
		return NULL;
	raw = mem_alloc(len);
	TRY(file_read_at(fd, 0, raw, len));
	*ret = !memcmp(raw, first, len);
	return NULL;
}

/* A writer was killed. This is the one time that the whole file is read. */
static struct err *search_end(int fd, uint64_t size, struct ending *ret)
{
	CLEANUP(archive_seals_release) struct archive_seals s = { 0 };
	CLEANUP(mem_free) uint8_t *raw = mem_alloc((size_t)size);

	TRY(file_read_at(fd, 0, raw, (size_t)size));
	TRY(archive_seals_walk((struct bytes){ raw, (size_t)size }, &s));
	*ret = (struct ending){ .at = s.end, .empty = !s.end, .swap = s.swap };
	if (ret->at < size && ftruncate(fd, (off_t)ret->at) != 0)
		return err_sys(errno, "cannot cut off what a killed run has left");
	return NULL;
}

static struct err *find_end(int fd, uint64_t size, struct ending *ret)
{
	bool sealed = false, ours = false, swap = false;

	TRY(read_last_seal(fd, size, &sealed, &swap));
	if (sealed)
		TRY(has_first_seal(fd, size, swap, &ours));
	if (!ours)
		return search_end(fd, size, ret);
	*ret = (struct ending){ .at = size, .swap = swap };
	return NULL;
}

/* ---- what is written ---- */

struct unsealed {
	int fd;
	off_t at;
	struct critical guard;
};

/* Should this fail as well, the next one does it. */
static void take_back(void *arg)
{
	const struct unsealed *u = arg;

	(void)!ftruncate(u->fd, u->at);
}

/* One write for all: the first seal if it is not there, the member, zeros, its seal. */
static struct err *write_sealed(int fd, const struct ending *end, const char *object,
				struct bytes btf, bool swap)
{
	CLEANUP(mem_free) uint8_t *first = NULL, *seal = NULL;
	size_t first_len = 0, seal_len = 0;

	if (end->empty)
		TRY(archive_seal_make("", (struct bytes){ 0 }, swap, &first, &first_len));
	TRY(archive_seal_make(object, btf, swap, &seal, &seal_len));

	size_t len = first_len + btf.len + archive_seal_padding(btf.len) + seal_len;
	CLEANUP(mem_free) uint8_t *all = mem_zalloc(1, len);
	if (first)
		memcpy(all, first, first_len);
	if (btf.len)
		memcpy(all + first_len, btf.ptr, btf.len);
	memcpy(all + len - seal_len, seal, seal_len);

	struct unsealed u = { .fd = fd, .at = (off_t)end->at };
	critical_begin(&u.guard, take_back, &u);
	struct err *e = file_write_at(fd, end->at, all, len);
	if (e)
		take_back(&u);
	critical_end(&u.guard);
	return e;
}

static struct err *append(const char *path, const char *object, struct bytes btf, bool swap)
{
	CLEANUP(file_close) int fd = -1;
	struct ending end = { 0 };
	uint64_t size = 0;

	TRY(open_locked(path, btf.len != 0, &fd, &size));
	if (fd >= 0)
		TRY(find_end(fd, size, &end));
	/* that there are no types needs to be said only where there may have been some */
	if (fd < 0 || (end.empty && !btf.len))
		return NULL;
	if (!btf.len)
		swap = end.swap;
	if (!end.empty && end.swap != swap)
		return err_new(ERR_UNSUPPORTED, "has BTF of the other byte order than '%s'",
			       object);
	return write_sealed(fd, &end, object, btf, swap);
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
		return err_new(ERR_FORMAT, "BTF of '%s' has %zu bytes behind its end", object,
			       btf.len - size);
	return err_at(append(path, object, btf, swap), "'%s'", path);
}
