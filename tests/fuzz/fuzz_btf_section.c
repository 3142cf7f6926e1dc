/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_btf_section.c - any file as an object whose BTF is relocated: only offsets change. Or it is completed */
#include "tests/fuzz/fuzz.h"

#include "btf/btf_view.h"
#include "loader/btf/btf_section.h"
#include "loader/btf/completed_btf.h"
#include "tests/fuzz/fuzz_input.h"

#include <elf.h>
#include <stdlib.h>

/* Valid BTF stays valid. */
static void complete(const struct object *o, struct bytes b)
{
	struct completed_btf c = { 0 };
	struct btf_view v = { 0 };

	struct err *e = completed_btf_make(o, b, &c);
	if (!e && c.btf) {
		e = btf_view_open((struct bytes){ c.btf, c.btf_len }, NULL, &v);
		if (e)
			abort();
		btf_view_release(&v);
	}
	err_free(e);
	completed_btf_release(&c);
}

static void read_section(const struct object *o)
{
	const struct object_section *s = object_section(o, ".BTF");
	struct diagnostics diags = { 0 };
	struct bytes b = { 0 };
	uint8_t *own = NULL;

	struct err *e = btf_section_read(o, &diags, &b, &own);
	if (e && (own || b.len))
		abort();
	if (!e && b.len && !s)
		abort();
	if (!e && own && b.ptr != own)
		abort();
	/* to the last byte */
	if (!e && b.len && !(s->flags & SHF_COMPRESSED) &&
	    (b.len != s->data.len || (!own && memcmp(b.ptr, s->data.ptr, b.len))))
		abort();
	if (!e && b.len)
		complete(o, b);
	err_free(e);
	free(own);
	diag_release(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct object o = { 0 };
	char path[32];
	int fd = fuzz_file(data, size, path);

	struct err *e = object_open(path, &o);
	if (!e) {
		read_section(&o);
		object_close(&o);
	}
	err_free(e);
	close(fd);
	return 0;
}
