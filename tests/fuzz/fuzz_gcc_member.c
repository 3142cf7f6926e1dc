/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_gcc_member.c - any bytes as a member of gcc; what it becomes is in order */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "dedup/dedup.h"
#include "encoder/member/gcc_member.h"
#include "encoder/unit/compat.h"
#include "encoder/unit/unit_btf.h"

#include <stdlib.h>

/* Without the string "int", the program adds the index type of arrays later: @has_int. */
static void check_record(const struct btf_types *t, uint32_t *rec, bool flat_arrays, bool has_int)
{
	btf_rec_each_type(rec, type)
	{
		if (*type >= btf_types_end(t))
			abort();
	}
	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_ARRAY: {
		uint32_t elem = rec[BTF_REC_WORDS], index = rec[BTF_REC_WORDS + 1];

		if (!elem || (!index && has_int))
			abort();
		if (flat_arrays && btf_info_kind(btf_types_rec(t, elem)[BTF_REC_INFO]) == BTF_ARRAY)
			abort();
		return;
	}
	case BTF_FWD:
		if (rec[BTF_REC_SIZE_TYPE])
			abort();
		return;
	case BTF_FUNC:
		if (!rec[BTF_REC_NAME] || !rec[BTF_REC_SIZE_TYPE])
			abort();
		return;
	case BTF_DATASEC:
		abort();
	default:
		return;
	}
}

static void check(const struct btf_view *v, struct encode_opts opts, const struct gcc_tags *tags)
{
	CLEANUP(gcc_member_release) struct gcc_member m = { 0 };
	struct btf_view copy = *v;
	bool has_int = memmem(v->strings.ptr, v->strings.len, "int", sizeof("int"));
	size_t nr = 0;

	btf_types_init(&copy.types, NULL);
	for (uint32_t id = 1; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		memcpy(btf_types_add(&copy.types, btf_rec_words(rec)), rec,
		       btf_rec_words(rec) * sizeof(*rec));
	}

	struct err *e = gcc_member_normalise(&copy, &opts, tags, &m);
	for (size_t i = 0; i < m.losses.nr; i++) {
		btf_view_str(v, NULL, m.losses.items[i].name);
		btf_view_str(v, NULL, m.losses.items[i].part);
	}
	if (e) {
		err_free(e);
		btf_types_release(&copy.types);
		return;
	}
	for (uint32_t id = 1; id < btf_types_end(&copy.types); id++) {
		uint32_t *rec = btf_types_rec(&copy.types, id);

		check_record(&copy.types, rec, compat_get(opts.compat)->flat_arrays, has_int);
		nr += btf_rec_words(rec);
	}
	if (nr != copy.types.words.nr)
		abort();
	err_free(dedup_run(&copy.types, &(struct dedup_opts){ 0 }));
	btf_types_release(&copy.types);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gcc_tags tags = { 0 };
	struct btf_view v = { 0 };
	struct err *e = btf_view_open((struct bytes){ data, size }, NULL, &v);

	if (e) {
		err_free(e);
		return 0;
	}
	producer_of(&v);
	const char *source = gcc_member_source(&v);
	if (source && !*source)
		abort();
	gcc_tags_add(&tags, &v);
	check(&v, (struct encode_opts){ .features = ~0u }, &tags);
	check(&v, (struct encode_opts){ .compat = COMPAT_1_31 }, NULL);
	gcc_tags_release(&tags);
	btf_view_release(&v);
	return 0;
}
