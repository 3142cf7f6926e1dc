/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_btf_view.c - any bytes as BTF; what is accepted can be checked, written and merged */
#include "tests/fuzz/fuzz.h"

#include "btf/btf_kind.h"
#include "btf/btf_serialize.h"
#include "btf/btf_view.h"
#include "check/btf_verify.h"
#include "dedup/dedup.h"

#include <stdlib.h>

/* Written and read again, it is the same; only a count over what older kernels take is refused. */
static void write_again(const struct btf_view *v)
{
	struct btf_view again = { 0 };
	uint8_t *image;
	size_t len;

	struct err *e = btf_serialize(&v->types, v->strings,
				      &(struct btf_serialize_opts){ .swap = v->swapped }, &image,
				      &len);
	if (e) {
		if (err_kind(e) != ERR_LIMIT)
			abort();
		err_free(e);
		return;
	}
	e = btf_view_open((struct bytes){ image, len }, NULL, &again);
	if (e || again.size != len || again.types.words.nr != v->types.words.nr ||
	    (v->types.words.nr && memcmp(again.types.words.items, v->types.words.items,
					 v->types.words.nr * sizeof(uint32_t))))
		abort();
	btf_view_release(&again);
	free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf_findings found = { 0 };
	struct btf_view v = { 0 };

	struct err *e = btf_view_open((struct bytes){ data, size }, NULL, &v);
	if (e) {
		err_free(e);
		return 0;
	}
	if (v.size > size)
		abort();
	for (uint32_t id = 1; id < btf_types_end(&v.types); id++) {
		btf_rec_each_name(btf_types_rec(&v.types, id), name)
		{
			if (strlen(btf_view_str(&v, NULL, *name)) > v.strings.len)
				abort();
		}
		btf_rec_each_type(btf_types_rec(&v.types, id), type)
		{
			if (*type >= btf_types_end(&v.types))
				abort();
		}
	}
	btf_verify(&v, &(struct btf_verify_opts){ 0 }, &found);
	btf_findings_release(&found);
	if (!v.nr_unknown)
		write_again(&v);
	err_free(dedup_run(&v.types, &(struct dedup_opts){ 0 }));
	btf_view_release(&v);
	return 0;
}
