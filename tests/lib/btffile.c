/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/btffile.h"

#include "base/arena.h"
#include "loader/elf/object.h"

#include <stdio.h>
#include <stdlib.h>

void die_of(const char *path, struct err *e)
{
	fprintf(stderr, "%s: %s\n", path, err_text(e));
	err_free(e);
	exit(2);
}

static struct bytes read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *buf = NULL;
	size_t len = 0, cap = 0, got;

	if (!f)
		die_of(path, err_new(ERR_IO, "cannot open"));
	do {
		buf = mem_grow(buf, &cap, len + 65536, 1);
		got = fread(buf + len, 1, 65536, f);
		len += got;
	} while (got);
	fclose(f);
	return (struct bytes){ buf, len };
}

void btf_file_read(const char *path, struct btf_file *ret)
{
	*ret = (struct btf_file){ .bytes = read_file(path) };
	if (ret->bytes.len > 4 && !memcmp(ret->bytes.ptr, "\177ELF", 4)) {
		struct object obj;
		struct err *e = object_open(path, &obj);
		if (e)
			die_of(path, e);

		const struct object_section *s = object_section(&obj, ".BTF");
		if (!s)
			die_of(path, err_new(ERR_FORMAT, "no section .BTF"));
		free((void *)(uintptr_t)ret->bytes.ptr);
		ret->bytes = (struct bytes){ mem_dup(s->data.ptr, s->data.len), s->data.len };
		object_close(&obj);
	}

	struct err *e = btf_view_open(ret->bytes, NULL, &ret->view);
	if (e)
		die_of(path, e);
}

void btf_file_release(struct btf_file *f)
{
	btf_view_release(&f->view);
	free((void *)(uintptr_t)f->bytes.ptr);
}
