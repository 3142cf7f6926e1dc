/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_archive_file.c - any file is read as one of members, and appended to: either it is
 * left alone, or what was appended is there
 */
#include "tests/fuzz/fuzz.h"

#include "btf/btf_wire.h"
#include "encoder/archive/archive_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void write_file(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

static void check_same(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_RDONLY);
	uint8_t *now = malloc(size + 1);

	if (fd < 0 || !now || read(fd, now, size + 1) != (ssize_t)size || memcmp(now, data, size))
		abort();
	free(now);
	close(fd);
}

/* All members that are listed can be found; their bytes are whole, or that is said. */
static void check_members(const struct archive_file *a)
{
	for (size_t i = 0; i < a->members.nr; i++) {
		struct bytes b;
		struct err *e = archive_file_bytes(a, i, &b);

		if (archive_file_find(a, a->members.items[i].object) != i)
			abort();
		err_free(e);
	}
}

static void check_is_there(const char *path, struct bytes want)
{
	struct archive_file a = { 0 };
	struct err *e = archive_file_read(path, &a);

	/* who appends does not look at what is in the middle */
	if (!e) {
		struct bytes b;
		size_t i = archive_file_find(&a, "new.o");

		if (i == SIZE_MAX || a.torn || archive_file_bytes(&a, i, &b) || b.len != want.len ||
		    memcmp(b.ptr, want.ptr, b.len))
			abort();
	}
	err_free(e);
	archive_file_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct {
		struct btf_wire_header h;
		char strings[4];
	} btf = { { .magic = BTF_WIRE_MAGIC, .version = 1, .hdr_len = 32, .str_len = 4 }, "\0ab" };
	const struct bytes b = { (const uint8_t *)&btf, sizeof(btf) };
	struct archive_file a = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/dev/shm/btfenc-fuzz-archive.%d", (int)getpid());
	write_file(path, data, size);
	struct err *e = archive_file_read(path, &a);
	if (!e)
		check_members(&a);
	err_free(e);
	archive_file_release(&a);
	check_same(path, data, size);

	e = archive_file_append(path, "new.o", b);
	if (!e)
		check_is_there(path, b);
	else if (err_kind(e) == ERR_FORMAT)
		check_same(path, data, size);
	err_free(e);
	unlink(path);
	return 0;
}
