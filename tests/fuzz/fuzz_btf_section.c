/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_btf_section.c - any file as an object whose BTF is relocated: only offsets change */
#include "tests/fuzz/fuzz.h"

#include "loader/btf/btf_section.h"
#include "tests/fuzz/fuzz_input.h"

#include <elf.h>
#include <stdlib.h>

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
