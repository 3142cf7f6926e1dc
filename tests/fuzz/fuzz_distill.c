/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_distill.c - any BTF and split BTF over it, one behind the other: distilled
 *
 * The result can be read, has the same content in the split's own records, and has
 * nothing left to distil.
 */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "dedup/base/distill.h"
#include "tests/lib/btfbuild.h"

#include <stdlib.h>

struct image {
	uint8_t *ptr;
	size_t len;
};

static void image_release(struct image *i)
{
	free(i->ptr);
}

/* False if there are too many members for BTF, which a view does not ask. */
static bool write(const struct btf_types *t, const char *text, size_t len, struct image *ret)
{
	struct err *e = btf_serialize(t, (struct bytes){ (const uint8_t *)text, len },
				      &(struct btf_serialize_opts){ 0 }, &ret->ptr, &ret->len);

	if (e && err_kind(e) != ERR_LIMIT)
		abort();
	err_free(e);
	return !e;
}

static void open_again(const struct image *i, const struct btf_view *base, struct btf_view *ret)
{
	if (btf_view_open((struct bytes){ i->ptr, i->len }, base, ret) || ret->size != i->len)
		abort();
}

/* Names and everything but ids. Destroys the ids. */
static void check_record(const struct btf_view *old, const struct btf_view *new, size_t nr)
{
	uint32_t *was = btf_types_rec(&old->types, old->types.first + (uint32_t)nr);
	uint32_t *is = btf_types_rec(&new->types, new->types.first + (uint32_t)nr);

	if (was[BTF_REC_INFO] != is[BTF_REC_INFO])
		abort();
	for (size_t i = 0; btf_rec_name(was, i); i++) {
		uint32_t *a = btf_rec_name(was, i), *b = btf_rec_name(is, i);

		if (strcmp(btf_view_str(old, old->base, *a), btf_view_str(new, new->base, *b)))
			abort();
		*a = *b = 0;
	}
	for (size_t i = 0; btf_rec_type(was, i); i++) {
		uint32_t *a = btf_rec_type(was, i), *b = btf_rec_type(is, i);

		if (!*a != !*b ||
		    (*a >= old->types.first && *a - old->types.first != *b - new->types.first))
			abort();
		*a = *b = 0;
	}
	if (memcmp(was, is, btf_rec_words(was) * sizeof(*was)))
		abort();
}

static void check(const struct btf_view *split, const struct distilled *d)
{
	CLEANUP(image_release) struct image base = { 0 }, over = { 0 };
	CLEANUP(btf_view_release) struct btf_view new_base = { 0 }, new_split = { 0 };
	CLEANUP(distilled_release) struct distilled again = { 0 };

	if (!write(&d->base, d->base_text, d->base_len, &base) ||
	    !write(&d->split, d->split_text, d->split_len, &over))
		return;
	open_again(&base, NULL, &new_base);
	open_again(&over, &new_base, &new_split);
	if (new_base.types.start.nr >= split->types.first ||
	    new_split.types.start.nr < split->types.start.nr)
		abort();
	if (distill(&new_split, &again) || again.base.words.nr != d->base.words.nr ||
	    again.split.words.nr != d->split.words.nr)
		abort();
	for (size_t i = 0; i < split->types.start.nr; i++)
		check_record(split, &new_split, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(btf_view_release) struct btf_view base = { 0 }, split = { 0 };
	CLEANUP(distilled_release) struct distilled d = { 0 };
	struct bytes all = { data, size };

	struct err *e = btf_view_open(all, NULL, &base);
	if (!e)
		e = btf_view_open(bytes_from(all, base.size), &base, &split);
	if (!e)
		e = distill(&split, &d);
	if (!e)
		check(&split, &d);
	err_free(e);
	return 0;
}
