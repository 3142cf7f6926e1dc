/* SPDX-License-Identifier: GPL-2.0-only */
/* btffile.h - BTF of a file, raw or in an ELF section, for the tools of the tests */
#ifndef BTFENC_TESTS_BTFFILE_H
#define BTFENC_TESTS_BTFFILE_H

#include "base/arena.h"
#include "btf/btf_view.h"
#include "loader/elf/object.h"

#include <stdio.h>
#include <stdlib.h>

/* Lives until the program ends. Owns its base. */
struct btf_file {
	const char *path;
	struct btf_file *base;
	struct bytes bytes;
	struct btf_view view;
};

NORETURN static inline void die_of(const char *path, struct err *e)
{
	fprintf(stderr, "%s: %s\n", path, err_text(e));
	err_free(e);
	exit(2);
}

static inline struct bytes read_file(const char *path)
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

/* @base, on the heap or NULL, is its from now on. */
static inline void btf_file_read_over(const char *path, struct btf_file *base, struct btf_file *ret)
{
	*ret = (struct btf_file){ .path = path, .base = base, .bytes = read_file(path) };
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

	struct err *e = btf_view_open(ret->bytes, base ? &base->view : NULL, &ret->view);
	if (e)
		die_of(path, e);
}

static inline void btf_file_read(const char *path, struct btf_file *ret)
{
	btf_file_read_over(path, NULL, ret);
}

/* @list: files with commas between, each over the one before; what they are together */
static inline void btf_file_read_list(const char *list, struct btf_file *ret)
{
	struct btf_file *base = NULL;
	char *names = mem_strdup(list), *comma;

	for (char *name = names; (comma = strchr(name, ',')); name = comma + 1) {
		struct btf_file *below = mem_zalloc(1, sizeof(*below));

		*comma = '\0';
		btf_file_read_over(name, base, below);
		base = below;
	}
	/* messages name the whole list */
	btf_file_read_over(strrchr(list, ',') ? strrchr(list, ',') + 1 : list, base, ret);
	ret->path = list;
	free(names);
}

static inline void btf_file_release(struct btf_file *f)
{
	struct btf_file *below = f->base, *next;

	btf_view_release(&f->view);
	free((void *)(uintptr_t)f->bytes.ptr);
	for (; below; below = next) {
		next = below->base;
		btf_view_release(&below->view);
		free((void *)(uintptr_t)below->bytes.ptr);
		free(below);
	}
}

static inline uint32_t *btf_file_rec(const struct btf_file *f, uint32_t id)
{
	return btf_types_rec(&f->view.types, id);
}

static inline const char *btf_file_str(const struct btf_file *f, uint32_t off)
{
	return btf_view_str(&f->view, f->view.base, off);
}

#endif
