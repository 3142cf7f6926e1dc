/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_object.c - any file: opened, its sections, symbols and kfuncs read, encoded */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "btf/btf_view.h"
#include "encoder/encode.h"
#include "encoder/select/kfuncs.h"
#include "loader/elf/reloc.h"
#include "tests/fuzz/fuzz_input.h"

/* Read each section, and look for relocations at each of its bytes. */
static struct err *read_sections(const struct object *o)
{
	for (size_t i = 1; i < o->nr_sections; i++) {
		CLEANUP(reloc_finder_release) struct reloc_finder f = { 0 };
		CLEANUP(mem_free) uint8_t *own = NULL;
		struct reloc_entry e;
		struct bytes b;

		TRY(object_read_section(o, i, &b, &own));
		TRY(reloc_finder_open(o, i, &f));
		for (size_t at = 0; at < b.len; at++) {
			if (reloc_finder_at(&f, at, o->addr_size, 0, &e) && e.offset != at)
				abort();
		}
	}
	return NULL;
}

static struct err *look(const char *path)
{
	CLEANUP(object_close) struct object obj = { 0 };
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs kfuncs = { 0 };

	TRY(object_open(path, &obj));
	err_free(read_sections(&obj));
	TRY(symbols_read(&obj, &syms));
	TRY(symbols_index_objects(&obj, NULL, &syms));
	for (size_t i = 0; i < syms.nr_funcs; i++) {
		if (symbols_find_func(&syms, syms.funcs[i].name, syms.funcs[i].name_len) !=
		    (ptrdiff_t)i)
			abort();
	}
	return kfuncs_read(&obj, &syms, &kfuncs);
}

static struct err *encode(const char *path)
{
	const struct encode_opts opts = { .features = (FEATURE_LAYOUT << 1) - 1, .jobs = 1 };
	CLEANUP(diag_release) struct diagnostics diags = { .verbose = true };
	CLEANUP(encode_result_release) struct encode_result made = { 0 };
	struct btf_view view = { 0 };

	const struct file_ref file = file_ref_of(path);
	const struct encode_request request = { .files = &file, .nr = 1 };

	TRY(encode_files(&request, &opts, &diags, &made));
	if (made.btf) {
		struct err *e = btf_view_open((struct bytes){ made.btf, made.btf_len }, NULL,
					      &view);

		if (e)
			abort();
		btf_view_release(&view);
	}
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	int fd = fuzz_file(data, size, path);

	err_free(look(path));
	err_free(encode(path));
	close(fd);
	return 0;
}
