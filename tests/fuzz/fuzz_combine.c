/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_combine.c - any bytes as an archive, combined, alone and in a linked file
 *
 * The first byte says how (enum below), the second how many symbols the linked file has, five
 * bytes each; the archive is behind. Checksums of notes are made right, or chance would
 * never get past them.
 */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "btf/btf_view.h"
#include "encoder/encode.h"
#include "encoder/member/member_note.h"
#include "loader/btf/archive.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/lib/elfmake.h"

#include <stdlib.h>
#include <zlib.h>

enum {
	LINKED = 1,          /* in a file with symbols, else raw */
	TWO_THREADS = 2,     /* compare with what two threads make */
	AS_IS = 4,           /* wrong checksums stay wrong */
	NO_GLOBAL_VAR = 8,   /* per-CPU variables alone */
	TRUE_SIGNATURE = 16, /* and other decisions about functions */
	RELOCATABLE = 32,    /* the linked file is from ld -r */
};

/* Names of the seeds. */
static const char *const names[] = {
	"one",     "two",      "main",   "weak",    "same",        "clash",   "helper",
	"count",   "here",     "hidden", "cpu_one", "local",       "cpu_two", "shown",
	"pointer", "instance", "one.c",  "two.c",   "same.isra.0", "",
};

enum { SECTIONS = 5 };

static void add_sections(struct elfmake *m, struct bytes archive)
{
	static const char *const sections[SECTIONS] = { ".text", ".data", ".bss", ".data..percpu",
							".rodata" };
	uint64_t addr = m->type == ET_REL ? 0 : 0x401000;

	for (size_t i = 0; i < SECTIONS; i++) {
		make_section(m,
			     (struct make_section){
				     .name = sections[i],
				     .type = i == 2 ? SHT_NOBITS : SHT_PROGBITS,
				     .flags = SHF_ALLOC | (i ? SHF_WRITE : SHF_EXECINSTR),
				     .addr = addr,
				     .align = 16,
				     .size = 0x1000,
				     .data = i == 2 ? (struct bytes){ 0 } : make_fill(0x1000, 1) });
		addr += m->type == ET_REL ? 0 : 0x1000;
	}
	make_data(m, ".BTF", archive);
}

/* A name, what it is (type, binding and size), a section, and where in it. */
static void add_symbol(struct elfmake *m, struct fuzz_input *in)
{
	static const uint8_t types[] = { STT_OBJECT, STT_FUNC, STT_FILE, STT_NOTYPE };
	const char *name = names[fuzz_byte(in) % ARRAY_SIZE(names)];
	uint32_t what = fuzz_byte(in), section = fuzz_byte(in) % (SECTIONS + 1);
	uint64_t value = fuzz_u16(in) & 0xfff;
	uint8_t type = types[what & 3];

	if (type == STT_FILE)
		section = SHN_ABS;
	else if (section && m->type != ET_REL)
		value += m->sections[section].addr;
	make_raw_symbol(m, (uint32_t)m->strings.len, ELF64_ST_INFO((what >> 2 & 3) % 3, type),
			section, value, (what >> 4) * 8);
	make_put(&m->strings, name, strlen(name) + 1);
}

static struct make_buf make_linked(struct fuzz_input *in, uint32_t flags, uint32_t nr,
				   struct bytes archive)
{
	struct elfmake m = make_elf(MAKE_64, MAKE_LITTLE, flags & RELOCATABLE ? ET_REL : ET_EXEC,
				    EM_X86_64);

	add_sections(&m, archive);
	make_symbol(&m, "_start", STT_FUNC, 1, m.sections[1].addr, 1);
	while (nr--)
		add_symbol(&m, in);
	make_symtab(&m);
	return make_bytes(&m);
}

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* If the strings [@strings, @end) have a note at their end, let its length and checksum fit. */
static void mend_note(const uint8_t *strings, uint8_t *end)
{
	size_t room = (size_t)(end - strings);
	uint8_t *tail = end - MEMBER_NOTE_TAIL;

	if (room <= MEMBER_NOTE_TAIL || memcmp(tail + 12, "btfnote", 7) != 0)
		return;
	uint32_t len = (uint32_t)tail[0] | (uint32_t)tail[1] << 8;
	if (len < MEMBER_NOTE_TAIL || len >= room)
		len = (uint32_t)room - 1;
	put32(tail, len);
	put32(tail + 8, (uint32_t)crc32_z(0, end - len, len - MEMBER_NOTE_TAIL));
}

static void mend_notes(uint8_t *bytes, size_t len)
{
	struct archive a = { 0 };

	struct err *e = archive_walk((struct bytes){ bytes, len }, false, &a);
	for (size_t i = 0; !e && i < a.members.nr; i++) {
		uint8_t *m = bytes + a.members.items[i].offset;
		size_t size = a.members.items[i].size;

		mend_note(m + size - swap32(load32(m + 20), a.swap), m + size);
	}
	err_free(e);
	archive_release(&a);
}

static struct err *combine(const char *path, uint32_t flags, unsigned int jobs,
			   struct encoded *made)
{
	uint32_t features = (FEATURE_GLOBAL_VAR << 1) - 1 - FEATURE_DISTILLED_BASE;
	const struct file_ref file = file_ref_of(path);
	const struct encode_job job = { .files = &file, .nr = 1, .from = ENCODE_FROM_BTF };
	CLEANUP(diag_release) struct diagnostics diags = { .verbose = true };

	if (flags & NO_GLOBAL_VAR)
		features -= FEATURE_GLOBAL_VAR;
	if (flags & TRUE_SIGNATURE)
		features |= FEATURE_TRUE_SIGNATURE | FEATURE_LAYOUT | FEATURE_ATTRIBUTES;
	return encode_files(&job,
			    &(struct encode_opts){
				    .features = features, .jobs = jobs, .small_jobs = true },
			    &diags, made);
}

/* What one thread makes is BTF, and two make the same. */
static void check(const char *path, uint32_t flags)
{
	CLEANUP(encoded_release) struct encoded made = { 0 }, again = { 0 };
	struct btf_view view = { 0 };

	struct err *e = combine(path, flags, 1, &made);
	if (!e && made.btf) {
		struct err *bad = btf_view_open((struct bytes){ made.btf, made.btf_len }, NULL,
						&view);
		if (bad)
			abort();
		btf_view_release(&view);
	}
	if (flags & TWO_THREADS) {
		struct err *other = combine(path, flags, 2, &again);

		if (!e != !other || (e && strcmp(err_text(e), err_text(other)) != 0) ||
		    made.btf_len != again.btf_len ||
		    (made.btf_len && memcmp(made.btf, again.btf, made.btf_len)))
			abort();
		err_free(other);
	}
	if (e && err_kind(e) == ERR_IO)
		abort();
	err_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	uint32_t flags = fuzz_byte(&in), nr = fuzz_byte(&in) % 64;
	size_t symbols = 5 * (size_t)nr < in.left ? 5 * (size_t)nr : in.left;
	struct bytes archive = { in.p + symbols, in.left - symbols };
	uint8_t *copy = archive.len ? mem_dup(archive.ptr, archive.len) : NULL;
	char path[32];
	int fd;

	if (!(flags & AS_IS))
		mend_notes(copy, archive.len);
	archive.ptr = copy;
	in.left = symbols;
	if (flags & LINKED) {
		struct make_buf file = make_linked(&in, flags, nr, archive);

		fd = fuzz_file(file.ptr, file.len, path);
	} else {
		fd = fuzz_file(copy, archive.len, path);
	}
	check(path, flags);
	close(fd);
	free(copy);
	arena_reset(&make_arena);
	return 0;
}
