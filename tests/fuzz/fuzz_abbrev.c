/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_abbrev.c - any table of abbreviations, for any sort of unit */
#include "tests/fuzz/fuzz.h"

#include "loader/dwarf/dw_abbrev.h"
#include "tests/fuzz/fuzz_input.h"

/* The reader relies on this: constant slots lie in the prefix, indexes in their arrays. */
static void check(const struct dw_abbrevs *a)
{
	for (size_t i = 0; i < a->by_code.nr; i++) {
		const struct dw_abbrev *x = &a->by_code.items[i];

		if (x->kind > DK_UNKNOWN || x->tail > a->ops.nr || x->specs > a->specs.nr)
			abort();
		for (size_t s = 0; s < NR_COLUMNS; s++) {
			if (x->form[s] && x->width[s] <= 8 && x->off[s] > x->prefix)
				abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	uint32_t shape = fuzz_byte(&in), table = fuzz_byte(&in);
	const struct dw_encoding enc = {
		.version = (uint8_t)(2 + shape % 4),
		.addr_size = shape & 4 ? 4 : 8,
		.off_size = shape & 8 ? 8 : 4,
	};
	struct bytes abbrev = fuzz_section(&in, in.left, false);
	struct dw_abbrevs a = { 0 };

	/* twice: a worker uses the abbreviations of one unit again for the next */
	for (uint64_t at = 0; at <= table; at += table ? table : 1) {
		struct err *e = dw_abbrevs_compile(&a, abbrev, at, enc);

		if (!e)
			check(&a);
		err_free(e);

		size_t len;
		dw_abbrevs_use(abbrev, at, &len);
		if (at > abbrev.len ? len : len > abbrev.len - at)
			abort();
	}
	dw_abbrevs_release(&a);
	free((void *)(uintptr_t)abbrev.ptr);
	return 0;
}
