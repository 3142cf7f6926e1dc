/* SPDX-License-Identifier: GPL-2.0-only */
/* raw_file.c - see raw_file.h */
#include "loader/elf/raw_file.h"

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/vec.h"
#include "btf/btf_wire.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

/*
 * Open @path for reading; -1 and errno on error. A named pipe without a writer reads as empty; a plain
 * open() would block.
 */
static int open_input(const char *path, struct stat *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return -1;
	/* wait for a writer that is there */
	if (fstat(fd, ret) || (!S_ISREG(ret->st_mode) && fcntl(fd, F_SETFL, 0))) {
		int errnum = errno;

		file_close(&fd);
		errno = errnum;
	}
	return fd;
}

struct err *raw_file_read(const char *path, uint8_t **ret, size_t *ret_len)
{
	struct stat st;
	CLEANUP(file_close) int fd = open_input(path, &st);
	VEC(uint8_t) buf = { 0 };

	if (fd < 0)
		return err_sys(errno, "'%s'", path);
	if (S_ISBLK(st.st_mode) || (S_ISCHR(st.st_mode) && !isatty(fd)))
		return err_new(ERR_IO, "'%s' is a device, which may have no end", path);
	for (;;) {
		vec_reserve(&buf, CHUNK);
		ssize_t n = read(fd, buf.items + buf.nr, buf.cap - buf.nr);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int errnum = errno;

			free(buf.items);
			return err_sys(errnum, "'%s'", path);
		}
		if (n == 0)
			break;
		buf.nr += (size_t)n;
	}
	*ret = buf.items;
	*ret_len = buf.nr;
	return NULL;
}

/* Map @path if it has @least bytes. @flags: further ones for mmap(). */
static bool map_file(const char *path, off_t least, int flags, struct raw_file *f)
{
	struct stat st;
	CLEANUP(file_close) int fd = open_input(path, &st);

	if (fd < 0 || !S_ISREG(st.st_mode) || st.st_size < least)
		return false;

	void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | flags, fd, 0);
	if (map == MAP_FAILED)
		return false;
	*f = (struct raw_file){ map, (size_t)st.st_size, true };
	return true;
}

struct err *raw_file_read_unpacked(const char *path, uint8_t **ret, size_t *ret_len)
{
	uint8_t *bytes = NULL;
	size_t len = 0;

	TRY(raw_file_read(path, &bytes, &len));

	struct bytes file = { bytes, len };
	if (unpack_packing(file) == PACKING_NONE) {
		*ret = bytes;
		*ret_len = len;
		return NULL;
	}

	struct err *e = err_at(unpack(file, 0, ret, ret_len), "'%s'", path);
	free(bytes);
	return e;
}

/* ERR_FORMAT if @file, which is no ELF file, does not begin with the magic number of BTF either. */
static struct err *expect_btf(struct bytes file)
{
	uint16_t magic = file.len < sizeof(magic) ? 0 : load16(file.ptr);

	return magic == BTF_WIRE_MAGIC || magic == swap16(BTF_WIRE_MAGIC, true) ?
		       NULL :
		       err_new(ERR_FORMAT, "neither an ELF file nor BTF");
}

static struct err *open_raw(const char *path, off_t least, int flags, struct raw_file *ret)
{
	uint8_t *bytes = NULL;

	if (map_file(path, least, flags, ret) &&
	    unpack_packing((struct bytes){ ret->ptr, ret->len }) != PACKING_NONE)
		raw_file_close(ret);
	if (!ret->mapped) {
		/* compressed, a pipe, or sysfs before Linux 6.16 */
		TRY(raw_file_read_unpacked(path, &bytes, &ret->len));
		ret->ptr = bytes;
	}
	return err_at(ar_file_refuse((struct bytes){ ret->ptr, ret->len }), "'%s'", path);
}

struct err *raw_file_open(const char *path, struct raw_file *ret)
{
	TRY(open_raw(path, 1, MAP_POPULATE, ret));
	return err_at(expect_btf((struct bytes){ ret->ptr, ret->len }), "'%s'", path);
}

/* A program may have more small files than Linux allows mappings (vm.max_map_count). */
enum { WORTH_MAPPING = 1024 * 1024 };

struct err *raw_file_open_in_parts(const char *path, struct raw_file *ret)
{
	return open_raw(path, WORTH_MAPPING, 0, ret);
}

void raw_file_close(struct raw_file *f)
{
	if (f->mapped)
		munmap((void *)(uintptr_t)f->ptr, f->len);
	else
		free((void *)(uintptr_t)f->ptr);
	*f = (struct raw_file){ 0 };
}

/* The first @cap bytes of @path; returns how many. Bytes that are read from a pipe would be lost. */
static size_t read_start(const char *path, char *buf, size_t cap)
{
	struct stat st;
	CLEANUP(file_close) int fd = open_input(path, &st);

	if (fd < 0 || S_ISFIFO(st.st_mode))
		return 0;
	ssize_t n = read(fd, buf, cap);
	return n < 0 ? 0 : (size_t)n;
}

bool raw_file_starts_with(const char *path, const char *magic, size_t len)
{
	char have[16];
	size_t nr = read_start(path, have, sizeof(have));

	assert(len <= sizeof(have) && UNPACK_MAGIC <= sizeof(have));
	if (unpack_packing((struct bytes){ (const uint8_t *)have, nr }) != PACKING_NONE) {
		struct raw_file file = { 0 };

		if (!map_file(path, 1, MAP_POPULATE, &file))
			return false;
		nr = unpack_start((struct bytes){ file.ptr, file.len }, (uint8_t *)have,
				  sizeof(have));
		raw_file_close(&file);
	}
	return len <= nr && !memcmp(have, magic, len);
}

bool raw_file_is_object(const struct file_ref *file)
{
	return file->ar || raw_file_starts_with(file->path, ELFMAG, SELFMAG);
}
