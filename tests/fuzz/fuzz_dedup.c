/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_dedup.c - any graph of types: what is left after merging leads nowhere else
 *
 * The input chooses kind, name and references of each type from small ranges, so that
 * much of it is equal to something else. Graphs that no compiler makes (a struct in itself,
 * say) may have something left to merge, with libbpf as with us; but merging again never
 * finds an error, nor does it add anything, and it comes to an end.
 */
#include "tests/fuzz/fuzz.h"

#include "btf/btf_kind.h"
#include "dedup/dedup.h"
#include "tests/fuzz/fuzz_input.h"

enum { MAX_TYPES = 200, NR_NAMES = 8 };

static void add_type(struct btf_types *t, struct fuzz_input *in, uint32_t nr)
{
	static const uint8_t kinds[] = { BTF_INT,    BTF_PTR,      BTF_PTR,    BTF_ARRAY,
					 BTF_STRUCT, BTF_STRUCT,   BTF_UNION,  BTF_ENUM,
					 BTF_FWD,    BTF_TYPEDEF,  BTF_CONST,  BTF_FUNC_PROTO,
					 BTF_FLOAT,  BTF_TYPE_TAG, BTF_ENUM64, BTF_FUNC };
	static const uint8_t inlined[] = { BTF_LOC_PARAM, BTF_LOC_PROTO, BTF_LOC_PROTO,
					   BTF_LOCSEC };
	uint32_t shape = fuzz_byte(in);
	enum btf_kind kind = shape < 0xc0 ? kinds[shape % ARRAY_SIZE(kinds)] :
					    inlined[shape % ARRAY_SIZE(inlined)];
	const struct btf_kind_layout *l = btf_kind_layout(kind);
	uint32_t vlen = l->elem ? shape >> 4 & 3 : 0;
	uint32_t *rec = btf_types_add(t, BTF_REC_WORDS + l->fixed + (size_t)l->elem * vlen);

	memset(rec, 0, (BTF_REC_WORDS + l->fixed + (size_t)l->elem * vlen) * sizeof(*rec));
	rec[BTF_REC_INFO] = btf_info(kind, vlen, kind == BTF_FWD && shape & 16);
	if (kind == BTF_INT || kind == BTF_FLOAT || kind == BTF_ENUM)
		rec[BTF_REC_SIZE_TYPE] = 4;
	if (kind == BTF_STRUCT || kind == BTF_UNION)
		rec[BTF_REC_SIZE_TYPE] = 8 * vlen;
	btf_rec_each_name(rec, name) *name = fuzz_byte(in) % NR_NAMES;
	btf_rec_each_type(rec, type) *type = fuzz_byte(in) % nr;
	if (kind == BTF_LOC_PARAM && vlen)
		rec[BTF_REC_WORDS + 1] = shape >> 2 & 3;
	if (l->name_rule == BTF_NAME_NONE)
		rec[BTF_REC_NAME] = 0;
}

/* No id leads out of @t. */
static void check_ids(const struct btf_types *t)
{
	for (uint32_t id = 1; id < btf_types_end(t); id++) {
		btf_rec_each_type(btf_types_rec(t, id), type)
		{
			if (*type >= btf_types_end(t))
				abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	uint32_t nr = 2 + fuzz_byte(&in) % MAX_TYPES;
	const struct dedup_opts opts = { .base_typedefs = true };
	struct btf_types t;

	btf_types_init(&t, NULL);
	for (uint32_t i = 1; i < nr && in.left; i++)
		add_type(&t, &in, nr);
	for (uint32_t id = 1; id < btf_types_end(&t); id++) {
		btf_rec_each_type(btf_types_rec(&t, id), type)
		{
			if (*type >= btf_types_end(&t))
				*type %= btf_types_end(&t);
		}
	}

	struct err *e = dedup_run(&t, &opts);
	if (!e) {
		check_ids(&t);

		for (uint32_t end = 0; !e && end != btf_types_end(&t);) {
			end = btf_types_end(&t);
			e = dedup_run(&t, &opts);
			if (e || btf_types_end(&t) > end)
				abort();
			check_ids(&t);
		}
	}
	err_free(e);
	btf_types_release(&t);
	return 0;
}
