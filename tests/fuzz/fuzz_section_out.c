/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_section_out.c - any file gets a section, or two, one with relocations, and may lose its DWARF:
 * doing it again changes nothing; after an error the file is unchanged
 */
#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/fuzz_input.h"
#include "tests/lib/sectionput.h"

#include <stdio.h>

static void write_file(const char *path, const uint8_t *data, size_t size)
{
	FILE *f = fopen(path, "wb");

	if (!f || (size && fwrite(data, 1, size, f) != size) || fclose(f))
		abort();
}

/* The bytes of @path, which the caller frees. */
static uint8_t *read_file(const char *path, size_t *ret_len)
{
	FILE *f = fopen(path, "rb");
	uint8_t *buf;

	if (!f || fseek(f, 0, SEEK_END))
		abort();
	*ret_len = (size_t)ftell(f);
	rewind(f);
	buf = malloc(*ret_len + 1);
	if (!buf || fread(buf, 1, *ret_len, f) != *ret_len || fclose(f))
		abort();
	return buf;
}

static void check_same(const char *path, const uint8_t *data, size_t size)
{
	size_t len;
	uint8_t *now = read_file(path, &len);

	if (len != size || memcmp(now, data, size))
		abort();
	free(now);
}

/* One of the sections of that name: an unused entry of the table may have it, too. */
static bool is_there(const struct object *obj, const struct section_content *c)
{
	for (size_t i = 1; i < obj->nr_sections; i++) {
		const struct object_section *s = &obj->sections[i];

		if (!strcmp(s->name, c->name) && s->data.len >= c->data.len &&
		    !memcmp(s->data.ptr, c->data.ptr, c->data.len))
			return true;
	}
	return false;
}

/* It is done: the section can be read, and doing it again changes nothing. */
static void check_done(const char *path, const struct section_content *c, size_t nr, bool strip,
		       struct diagnostics *diags)
{
	struct object obj = { 0 };
	size_t len;
	uint8_t *once = read_file(path, &len);

	struct err *e = section_put(path, c, nr, strip, diags);
	/* sections that overlap can have too many bytes for the file without its unused entries */
	if (e && !strstr(err_text(e), "they overlap"))
		abort();
	err_free(e);
	check_same(path, once, len);
	free(once);

	e = object_open(path, &obj);
	if (!e) {
		for (size_t i = 0; i < nr; i++) {
			if (!is_there(&obj, &c[i]))
				abort();
		}
		object_close(&obj);
	}
	err_free(e);
}

static void check_no_dwarf(const char *path)
{
	struct section_facts facts;
	struct err *e = section_out_look(path, &facts);

	if (e || facts.has_dwarf)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t text[] = "what the section says";
	/* stripping does not renumber symbol 0 */
	static struct reloc_entry entries[] = { { 3, 5, 0, 1 }, { 8, 0, 0, 2 } };
	static const struct section_relocs relocs = { entries, 2, 2, true };
	static const struct section_content c[] = {
		{ .name = ".BTF", .data = { text, sizeof(text) } },
		{ .name = ".debug.btf", .data = { text, sizeof(text) }, .relocs = &relocs },
	};
	struct diagnostics diags = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/dev/shm/btfenc-fuzz.%d", (int)getpid());
	for (size_t i = 0; i < 4; i++) {
		bool strip = i % 2;
		size_t nr = 1 + i / 2;

		write_file(path, data, size);

		struct err *e = section_put(path, c, nr, strip, &diags);
		if (e)
			check_same(path, data, size);
		else
			check_done(path, c, nr, strip, &diags);
		if (!e && strip)
			check_no_dwarf(path);
		err_free(e);
		diag_release(&diags);
	}
	unlink(path);
	return 0;
}
