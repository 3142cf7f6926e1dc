/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_combine.c - any bytes as an archive, combined, alone and in a linked file
 *
 * The first byte has flags (enum below), the second the number of symbols of the linked file, five
 * bytes each. With facts two bytes follow with the length of .debug.btf. Then come the symbols,
 * .debug.btf and the archive. Without an archive, the blocks of .debug.btf stand alone. Checksums of facts are corrected,
 * because random damage never leads to a correct one.
 */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "btf/btf_view.h"
#include "encoder/encode.h"
#include "encoder/member/facts_block.h"
#include "loader/btf/archive.h"
#include "loader/elf/elf_fields.h"
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
	FACTS = 64,          /* the linked file has .debug.btf */
	SITES = 128,         /* those of inlined functions are wanted */
};

/* Names of the seeds. */
static const char *const names[] = {
	"one",     "two",      "main",   "weak",    "same",        "clash",   "helper",
	"count",   "here",     "hidden", "cpu_one", "local",       "cpu_two", "shown",
	"pointer", "instance", "one.c",  "two.c",   "same.isra.0", "",
};

enum { SECTIONS = 5, SECTION_SIZE = 0x1000, FIRST_ADDR = 0x401000 };

static void add_sections(struct elfmake *m)
{
	static const char *const sections[SECTIONS] = { ".text", ".data", ".bss", ".data..percpu",
							".rodata" };
	uint64_t addr = m->type == ET_REL ? 0 : FIRST_ADDR;

	for (size_t i = 0; i < SECTIONS; i++) {
		MAKE_SECTION(m, .name = sections[i], .type = i == 2 ? SHT_NOBITS : SHT_PROGBITS,
			     .flags = SHF_ALLOC | (i ? SHF_WRITE : SHF_EXECINSTR), .addr = addr,
			     .align = 16, .size = SECTION_SIZE,
			     .data = i == 2 ? (struct bytes){ 0 } : make_fill(SECTION_SIZE, 1));
		addr += m->type == ET_REL ? 0 : SECTION_SIZE;
	}
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

/* A relocation for each slot of 8 bytes in @facts: an offset in the section that has its address in an ET_EXEC. */
static struct make_buf make_slot_relocs(const struct elfmake *m, struct bytes facts,
					uint32_t section_syms)
{
	struct make_buf relocs = { 0 };
	struct facts_block b;
	size_t at = 0;

	for (;;) {
		struct err *e = facts_block_open(facts, &at, false, &b);
		bool end = e || !b.all.ptr;

		err_free(e);
		if (end)
			return relocs;
		for (uint32_t i = 1; b.addr_size == 8 && i <= b.nr_slots; i++) {
			uint64_t addr = facts_block_addr(&b, i);
			uint64_t section = (addr - FIRST_ADDR) / SECTION_SIZE % SECTIONS;
			size_t block = (size_t)(b.all.ptr - facts.ptr);

			make_reloc(m, &relocs, true, block + FACTS_HEADER_LEN + 8 * ((size_t)i - 1),
				   section_syms + (uint32_t)section, R_X86_64_64,
				   (int64_t)(addr % SECTION_SIZE));
		}
	}
}

static struct make_buf make_linked(struct fuzz_input *in, uint32_t flags, uint32_t nr,
				   struct bytes facts, struct bytes archive)
{
	const bool relocatable = flags & RELOCATABLE;
	struct elfmake m = make_elf(MAKE_64, MAKE_LITTLE, relocatable ? ET_REL : ET_EXEC,
				    EM_X86_64);
	uint32_t section_syms = 0;

	add_sections(&m);
	if (archive.len)
		make_data(&m, ".BTF", archive);
	size_t debug = flags & FACTS ? make_data(&m, FACTS_SECTION, facts) : 0;
	make_symbol(&m, "_start", STT_FUNC, 1, m.sections[1].addr, 1);
	while (nr--)
		add_symbol(&m, in);
	for (uint32_t i = 0; relocatable && i < SECTIONS; i++) {
		uint32_t sym = make_symbol(&m, "", STT_SECTION, i + 1, 0, 0);

		section_syms = i ? section_syms : sym;
	}
	size_t symtab = make_symtab(&m);
	if (relocatable && debug) {
		struct make_buf relocs = make_slot_relocs(&m, facts, section_syms);

		make_relocs(&m, ".rela" FACTS_SECTION, true, debug, symtab, &relocs);
	}
	return make_bytes(&m);
}

/* The header fields of a block that are corrected (facts_block.h). */
enum { HEAD_KEY_LEN = 8, HEAD_KEY_SUM = 12, HEAD_KEY_BLOCKS = 20, HEAD_CRC = 36 };

/* Let the block at @block belong to @btf, as one of @nr_blocks, and correct its CRC. */
static void mend_block(uint8_t *block, const struct facts_block *b, struct bytes btf,
		       uint32_t nr_blocks)
{
	size_t behind = FACTS_HEADER_LEN + (size_t)b->nr_slots * b->addr_size;

	field_put(block + HEAD_KEY_LEN, 4, false, btf.len);
	field_put(block + HEAD_KEY_SUM, 8, false, facts_sum(btf));
	field_put(block + HEAD_KEY_BLOCKS, 4, false, nr_blocks);
	uLong crc = crc32_z(0, block, HEAD_CRC);
	field_put(block + HEAD_CRC, 4, false, crc32_z(crc, block + behind, b->all.len - behind));
}

/* Let the blocks of @facts stand alone. */
static void mend_alone(uint8_t *facts, size_t len)
{
	struct facts_block b;
	struct err *e;

	for (size_t at = 0;;) {
		e = facts_block_open((struct bytes){ facts, len }, &at, false, &b);
		if (e || !b.all.ptr)
			break;
		mend_block(facts + (b.all.ptr - facts), &b, (struct bytes){ 0 }, b.key.nr_blocks);
	}
	err_free(e);
}

/* Let the blocks of @facts belong to the members of @archive, one after the other. */
static void mend_facts(uint8_t *facts, size_t len, struct bytes archive)
{
	CLEANUP(archive_release) struct archive a = { 0 };
	struct err *e = archive_walk(archive, false, &a);
	uint32_t nr_blocks = 0;
	struct facts_block b;

	for (size_t at = 0, member = 0, left = 0; !e; left--) {
		e = facts_block_open((struct bytes){ facts, len }, &at, false, &b);
		if (e || !b.all.ptr || (!left && member == a.members.nr))
			break;
		if (!left) {
			left = nr_blocks = b.key.nr_blocks;
			member++;
		}
		mend_block(facts + (b.all.ptr - facts), &b, archive_bytes(&a, member - 1),
			   nr_blocks);
	}
	err_free(e);
}

static struct err *combine(const char *path, uint32_t flags, bool alone, unsigned int jobs,
			   struct encode_result *made)
{
	uint32_t features = (FEATURE_GLOBAL_VAR << 1) - 1 - FEATURE_DISTILLED_BASE;
	const struct file_ref file = file_ref_of(path);
	const struct encode_request request = { .files = &file, .nr = 1, .from = ENCODE_FROM_BTF };
	CLEANUP(diag_release) struct diagnostics diags = { .verbose = true };

	if (flags & NO_GLOBAL_VAR)
		features -= FEATURE_GLOBAL_VAR;
	if (flags & TRUE_SIGNATURE)
		features |= FEATURE_TRUE_SIGNATURE | FEATURE_LAYOUT | FEATURE_ATTRIBUTES;
	if (flags & SITES)
		features |= flags & TRUE_SIGNATURE ? FEATURE_INLINE_APART : FEATURE_INLINE;
	return encode_files(&request,
			    &(struct encode_opts){ .features = features,
						   .jobs = jobs,
						   .small_jobs = true,
						   .facts = true,
						   .for_link = alone },
			    &diags, made);
}

/* The facts of a relocatable file are written again for the next link. */
static void check_facts(struct bytes facts)
{
	struct facts_block b;
	size_t at = 0;

	do {
		if (facts_block_open(facts, &at, false, &b))
			abort();
	} while (b.all.ptr);
}

/* Sites apart are BTF over the result. */
static void check_sites(struct bytes sites, const struct btf_view *base)
{
	struct btf_view view = { 0 };

	if (!sites.ptr)
		return;
	if (btf_view_open(sites, base, &view))
		abort();
	btf_view_release(&view);
}

static bool same_bytes(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
	return a_len == b_len && (!a_len || !memcmp(a, b, a_len));
}

/* The result of one thread is BTF, and two have the same result. */
static void check(const char *path, uint32_t flags, bool alone)
{
	CLEANUP(encode_result_release) struct encode_result made = { 0 }, again = { 0 };
	struct btf_view view = { 0 };

	struct err *e = combine(path, flags, alone, 1, &made);
	if (!e && made.btf) {
		struct err *bad = btf_view_open((struct bytes){ made.btf, made.btf_len }, NULL,
						&view);
		if (bad)
			abort();
		check_sites((struct bytes){ made.sites, made.sites_len }, &view);
		btf_view_release(&view);
		check_facts((struct bytes){ made.facts.items, made.facts.nr });
	}
	if (flags & TWO_THREADS) {
		struct err *other = combine(path, flags, alone, 2, &again);

		if (!e != !other || (e && strcmp(err_text(e), err_text(other)) != 0) ||
		    !same_bytes(made.btf, made.btf_len, again.btf, again.btf_len) ||
		    !same_bytes(made.sites, made.sites_len, again.sites, again.sites_len) ||
		    !same_bytes(made.facts.items, made.facts.nr, again.facts.items, again.facts.nr))
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
	size_t facts_len = flags & FACTS ? fuzz_u16(&in) : 0;
	struct fuzz_input symbols = { in.p, 5 * (size_t)nr < in.left ? 5 * (size_t)nr : in.left };
	char path[32];
	int fd;

	in.p += symbols.left;
	in.left -= symbols.left;
	/* copies that end where the bytes end */
	const struct bytes facts = fuzz_section(&in, facts_len, false);
	const struct bytes archive = fuzz_section(&in, in.left, false);
	if (!(flags & AS_IS) && !archive.len)
		mend_alone((uint8_t *)(uintptr_t)facts.ptr, facts.len);
	else if (!(flags & AS_IS))
		mend_facts((uint8_t *)(uintptr_t)facts.ptr, facts.len, archive);
	if (flags & LINKED) {
		struct make_buf file = make_linked(&symbols, flags, nr, facts, archive);

		fd = fuzz_file(file.ptr, file.len, path);
	} else {
		fd = fuzz_file(archive.ptr, archive.len, path);
	}
	check(path, flags, !archive.len);
	close(fd);
	free((void *)(uintptr_t)facts.ptr);
	free((void *)(uintptr_t)archive.ptr);
	arena_reset(&make_arena);
	return 0;
}
