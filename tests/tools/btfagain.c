/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfagain.c - does libbpf find anything left to merge?
 *
 *	btfagain FILE...
 *
 * FILE is raw BTF. libbpf's own deduplication must neither drop a type nor change one. Exit status 1 if it does.
 */
#include "base/cleanup.h"
#include "base/err.h"

#include <bpf/btf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* linux/btf.h has BTF_KIND_ENUM64 since Linux 6.0 only. */
enum { KIND_ENUM64 = 19 };

static void free_btf(struct btf **btf)
{
	btf__free(*btf);
}

/* Size of an element of @t; each begins with the offset of a name if @ret_named. */
static size_t element_size(const struct btf_type *t, bool *ret_named)
{
	*ret_named = true;
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(struct btf_param);
	case KIND_ENUM64:
		return 3 * sizeof(__u32);
	case BTF_KIND_DATASEC:
		*ret_named = false;
		return sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

/* Size of what follows a type of this kind once. */
static size_t trailer_size(const struct btf_type *t)
{
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(__u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	default:
		return 0;
	}
}

static bool same_name(const struct btf *a, const struct btf *b, const void *x, const void *y)
{
	__u32 off_x, off_y;

	memcpy(&off_x, x, sizeof(off_x));
	memcpy(&off_y, y, sizeof(off_y));
	return !strcmp(btf__name_by_offset(a, off_x), btf__name_by_offset(b, off_y));
}

/* Are the records of @id equal? The strings of their names are compared, not the offsets. */
static bool same_record(const struct btf *a, const struct btf *b, __u32 id)
{
	const struct btf_type *x = btf__type_by_id(a, id), *y = btf__type_by_id(b, id);
	const char *p = (const char *)(x + 1), *q = (const char *)(y + 1);
	bool named;
	size_t size = element_size(x, &named);

	if (x->info != y->info || x->size != y->size ||
	    !same_name(a, b, &x->name_off, &y->name_off) || memcmp(p, q, trailer_size(x)) != 0)
		return false;
	for (__u32 i = 0; size && i < BTF_INFO_VLEN(x->info); i++, p += size, q += size) {
		size_t skip = named ? sizeof(__u32) : 0;

		if (named && !same_name(a, b, p, q))
			return false;
		if (memcmp(p + skip, q + skip, size - skip) != 0)
			return false;
	}
	return true;
}

/* Bytes of the string section. */
static __u32 strings_size(const struct btf *btf)
{
	__u32 size;
	const struct btf_header *header = btf__raw_data(btf, &size);

	return header ? header->str_len : 0;
}

static struct err *check(const char *path)
{
	CLEANUP(free_btf) struct btf *before = btf__parse_raw(path);
	CLEANUP(free_btf) struct btf *after = btf__parse_raw(path);

	if (!before || !after)
		return err_new(ERR_FORMAT, "libbpf does not read it");
	if (btf__dedup(after, NULL))
		return err_new(ERR_FORMAT, "libbpf does not merge it");

	__u32 nr = btf__type_cnt(before);
	if (btf__type_cnt(after) != nr)
		return err_new(ERR_FORMAT, "%u types, libbpf leaves %u", nr - 1,
			       btf__type_cnt(after) - 1);
	/* Fewer are no error: names of functions that were left out stay, as with pahole. */
	if (strings_size(before) < strings_size(after))
		return err_new(ERR_FORMAT, "%u bytes of strings, libbpf leaves %u",
			       strings_size(before), strings_size(after));
	for (__u32 id = 1; id < nr; id++) {
		if (!same_record(before, after, id))
			return err_new(ERR_FORMAT, "libbpf changes type %u", id);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int bad = argc < 2;

	for (int i = 1; i < argc; i++) {
		struct err *e = check(argv[i]);

		if (e)
			printf("%s: %s\n", argv[i], err_text(e));
		bad |= e != NULL;
		err_free(e);
	}
	return bad;
}
