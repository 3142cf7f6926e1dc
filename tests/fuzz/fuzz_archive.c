/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_archive.c - any bytes as an archive; what it accepts is accounted for to the last byte */
#include "tests/fuzz/fuzz.h"

#include "btf/btf_view.h"
#include "loader/btf/archive.h"

#include <stdlib.h>

/* Bytes between members are padding or an empty unit, so they are few. */
static void check_gap(struct bytes b, size_t from, size_t to, size_t nr_empty)
{
	if (from > to)
		abort(); /* members overlap */
	if (nr_empty)
		return;
	for (size_t i = from + 1; i < to; i++) {
		if (b.ptr[i] != b.ptr[from])
			abort();
	}
	if (to - from > 24 && to - from >= (to & -to))
		abort();
}

static void open_member(struct bytes m)
{
	struct btf_view v = { 0 };
	struct err *e = btf_view_open(m, NULL, &v);

	if (!e && v.size != m.len)
		abort();
	if (e && err_kind(e) != ERR_FORMAT)
		abort();
	err_free(e);
	btf_view_release(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { data, size };
	struct archive a = { 0 };
	size_t end = 0;

	struct err *e = archive_walk(b, false, &a);
	if (e) {
		/* where, and what */
		if (err_kind(e) != ERR_FORMAT || strncmp(err_text(e), "member ", 7) != 0)
			abort();
		err_free(e);
		return 0;
	}
	if (!a.members.nr)
		abort();
	for (size_t i = 0; i < a.members.nr; i++) {
		check_gap(b, end, a.members.items[i].offset, a.nr_empty);
		open_member(archive_bytes(&a, i));
		end = a.members.items[i].offset + a.members.items[i].size;
	}
	check_gap(b, end, size, a.nr_empty);
	archive_release(&a);
	return 0;
}
