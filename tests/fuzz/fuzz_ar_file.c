/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_ar_file.c - any file is listed as an ar archive, and its members are opened */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "tests/fuzz/fuzz_input.h"

#include <string.h>

/* Members are parts of the file, in its order, or have a path. */
static void check_members(const struct file_refs *l, const char *path, size_t size)
{
	uint64_t end = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct file_ref *f = &l->items[i];
		CLEANUP(object_close) struct object o = { 0 };

		if (!f->ar && (l->nr > 1 || strcmp(f->path, path) != 0))
			abort();
		if (!f->offset || strcmp(f->path, path) != 0)
			continue;
		if (f->offset < end || f->offset > size || f->len > size - f->offset)
			abort();
		end = f->offset + f->len;
		err_free(object_open_ref(f, &o));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(file_refs_release) struct file_refs l = { 0 };
	char path[32];
	int fd = fuzz_file(data, size, path);
	struct err *e = ar_file_expand(path, &l);

	if (!e)
		check_members(&l, path, size);
	/* a name in a file of this length cannot be repeated often enough for more */
	if (l.names.total > (64 << 10) + 32 * size)
		abort();
	err_free(e);
	close(fd);
	return 0;
}
