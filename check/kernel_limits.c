/* SPDX-License-Identifier: GPL-2.0-only */
/* kernel_limits.c - see kernel_limits.h */
#include "check/kernel_limits.h"

#include "btf/btf_kind.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_PRINTED = 40 }; /* enough to know it by */

/* Is one of the strings longer than any name may be? Looks at one byte of 500 or so. */
static bool any_is_long(struct bytes strings)
{
	size_t pos = 0;

	while (strings.len - pos > KERNEL_MAX_NAME) {
		const uint8_t *end = memrchr(strings.ptr + pos, '\0', KERNEL_MAX_NAME + 1);

		if (!end)
			return true;
		pos = (size_t)(end - strings.ptr) + 1;
	}
	return false;
}

/* What a tag says is no name. */
static bool has_names(uint32_t info)
{
	return btf_info_kind(info) != BTF_DECL_TAG && btf_info_kind(info) != BTF_TYPE_TAG;
}

static void report_long_names(const struct btf_types *t, struct bytes strings, uint32_t str_base,
			      const char *path, struct diagnostics *diags)
{
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		uint32_t *rec = btf_types_rec(t, id);

		if (!has_names(rec[BTF_REC_INFO]))
			continue;
		btf_rec_each_name(rec, name)
		{
			/* those of the base are somebody else's */
			if (*name < str_base || *name - str_base >= strings.len)
				continue;

			const char *text = (const char *)strings.ptr + (*name - str_base);
			size_t len = strlen(text);
			if (len <= KERNEL_MAX_NAME)
				continue;
			diag_add(
				diags, DIAG_WARNING,
				"'%s': type %" PRIu32
				": the name '%.*s...' has %zu bytes: a kernel takes no BTF with one of over %d",
				path, id, NAME_PRINTED, text, len, KERNEL_MAX_NAME);
			return;
		}
	}
}

void kernel_limits_report(const struct btf_types *t, struct bytes strings, uint32_t str_base,
			  const char *path, struct diagnostics *diags)
{
	if (btf_types_end(t) > KERNEL_MAX_TYPES)
		diag_add(diags, DIAG_WARNING,
			 "'%s': %" PRIu32 " types: a kernel takes no more than %d of them", path,
			 btf_types_end(t) - 1, KERNEL_MAX_TYPES - 1);
	if (strings.len > (size_t)KERNEL_MAX_STRING + 1)
		diag_add(diags, DIAG_WARNING,
			 "'%s': %zu bytes of strings: a kernel takes no more than %d", path,
			 strings.len, KERNEL_MAX_STRING + 1);
	if (any_is_long(strings))
		report_long_names(t, strings, str_base, path, diags);
}
