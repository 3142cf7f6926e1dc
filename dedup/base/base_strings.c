/* SPDX-License-Identifier: GPL-2.0-only */
/* base_strings.c - see base_strings.h */
#include "dedup/base/base_strings.h"

#include "base/cleanup.h"

void base_strings_index(const struct btf_view *base, const struct str_pool *wanted,
			struct string_index *ret)
{
	CLEANUP(bloom_filter_release) struct bloom_filter starts = { 0 };

	if (wanted)
		string_index_wanted(wanted, &starts);
	/* the lowest base first */
	for (const struct btf_view *next, *done = NULL; done != base; done = next) {
		for (next = base; next->base != done;)
			next = next->base;
		string_index_add(ret, (const char *)next->strings.ptr, (uint32_t)next->strings.len,
				 next->str_base, wanted ? &starts : NULL);
	}
}
