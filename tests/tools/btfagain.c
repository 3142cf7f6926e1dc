/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfagain.c - does libbpf find anything left to merge?
 *
 *	btfagain FILE...
 *
 * FILE is raw BTF. libbpf's own deduplication must neither drop a type nor change one. Exit status 1 if it does.
 */
#include "base/cleanup.h"
#include "dedup/btf_kind.h"
#include "dedup/btf_view.h"

#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_btf(struct btf **btf)
{
	btf__free(*btf);
}

static struct err *view_of(const struct btf *btf, struct btf_view *ret)
{
	__u32 size;
	const void *raw = btf__raw_data(btf, &size);

	if (!raw)
		return err_new(ERR_FORMAT, "libbpf gives no bytes");
	return btf_view_open((struct bytes){ raw, size }, NULL, ret);
}

/* The same record, wherever its names stand? Destroys them. */
static bool same_record(const struct btf_view *a, const struct btf_view *b, uint32_t id)
{
	uint32_t *x = btf_types_rec(&a->types, id), *y = btf_types_rec(&b->types, id);
	size_t i = 0;

	if (x[BTF_REC_INFO] != y[BTF_REC_INFO])
		return false;
	btf_rec_each_name(x, p)
	{
		uint32_t *q = btf_rec_name(y, i++);

		if (strcmp(btf_view_str(a, NULL, *p), btf_view_str(b, NULL, *q)))
			return false;
	}
	i = 0;
	btf_rec_each_name(x, p)
	{
		*p = 0;
		*btf_rec_name(y, i++) = 0;
	}
	return !memcmp(x, y, btf_rec_words(x) * sizeof(*x));
}

static struct err *check(const char *path)
{
	CLEANUP(free_btf) struct btf *before = btf__parse_raw(path);
	CLEANUP(free_btf) struct btf *after = btf__parse_raw(path);
	CLEANUP(btf_view_release) struct btf_view a = { 0 }, b = { 0 };

	if (!before || !after)
		return err_new(ERR_FORMAT, "libbpf does not read it");
	if (btf__dedup(after, NULL))
		return err_new(ERR_FORMAT, "libbpf does not merge it");
	TRY(view_of(before, &a));
	TRY(view_of(after, &b));
	if (btf_types_end(&a.types) != btf_types_end(&b.types))
		return err_new(ERR_FORMAT, "%u types, libbpf leaves %u",
			       btf_types_end(&a.types) - 1, btf_types_end(&b.types) - 1);
	/* fewer are no harm: names of functions that were left out stay, as pahole has it */
	if (a.strings.len < b.strings.len)
		return err_new(ERR_FORMAT, "%zu bytes of strings, libbpf leaves %zu", a.strings.len,
			       b.strings.len);
	for (uint32_t id = 1; id < btf_types_end(&a.types); id++) {
		if (!same_record(&a, &b, id))
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
