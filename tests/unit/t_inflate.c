/* SPDX-License-Identifier: GPL-2.0-only */
/* t_inflate.c - compressed debug sections */
#include "loader/elf/object.h"

#include "base/cleanup.h"
#include "loader/elf/reloc.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

#include <zlib.h>
#include <zstd.h>

/* @data packed as one of the forms; @claim is the length that its header says. */
static struct bytes pack(const struct elfmake *m, struct bytes data, uint32_t type, uint64_t claim)
{
	struct make_buf b = { 0 };
	size_t cap = data.len * 2 + 1000;
	uint8_t *out = make_alloc(cap);
	uLongf len = cap;

	make_int(m, &b, 4, type);
	if (m->is64)
		make_int(m, &b, 4, 0);
	make_word(m, &b, claim);
	make_word(m, &b, 1);
	if (type == 2)
		len = ZSTD_compress(out, cap, data.ptr, data.len, 3);
	else
		CHECK_EQ(compress2(out, &len, data.ptr, data.len, 6), Z_OK);
	make_put(&b, out, len);
	return make_view(&b);
}

static struct bytes pack_gnu(struct bytes data, uint64_t claim)
{
	struct elfmake big = { .is64 = true, .big = true };
	struct make_buf b = { 0 };
	struct bytes packed = pack(&big, data, ELFCOMPRESS_ZLIB, 0);

	make_put(&b, "ZLIB", 4);
	make_int(&big, &b, 8, claim);
	make_put(&b, packed.ptr + sizeof(Elf64_Chdr), packed.len - sizeof(Elf64_Chdr));
	return make_view(&b);
}

static struct err *open_packed(struct elfmake *m, struct bytes packed, struct object *ret)
{
	MAKE_SECTION(m, .name = ".debug_info", .type = SHT_PROGBITS, .flags = SHF_COMPRESSED,
		     .align = 8, .data = packed);
	return make_open(m, ret);
}

TEST(compressed_sections_are_inflated)
{
	struct bytes data = make_fill(300000, 1);

	FOR_EACH_KIND(class, order)
	{
		for (uint32_t type = 1; type <= 2; type++) {
			struct elfmake m = make_elf(class, order, ET_EXEC, EM_X86_64);
			CLEANUP(object_close) struct object o = { 0 };

			CHECK_OK(open_packed(&m, pack(&m, data, type, data.len), &o));
			CHECK(make_equal(o.debug[DEBUG_INFO], data));
			for (size_t i = 0; i < OBJECT_PADDING; i++)
				CHECK_EQ(o.debug[DEBUG_INFO].ptr[data.len + i], 0);
			object_forget_info(&o, 0, data.len);
			CHECK(make_equal(o.debug[DEBUG_INFO], data));
		}
	}
}

TEST(the_old_form_of_gnu_tools_is_inflated)
{
	struct elfmake m = make_elf(MAKE_32, MAKE_LITTLE, ET_EXEC, EM_386);
	CLEANUP(object_close) struct object o = { 0 };

	make_data(&m, ".zdebug_info", pack_gnu(make_fill(5000, 1), 5000));
	make_data(&m, ".zdebug_str", MAKE_TEXT("never packed: longer so\0"));
	CHECK_OK(make_open(&m, &o));
	CHECK(make_equal(o.debug[DEBUG_INFO], make_fill(5000, 1)));
	CHECK_STR((const char *)o.debug[DEBUG_STR].ptr, "never packed: longer so");
}

TEST(streams_that_were_put_end_to_end_are_inflated)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	CLEANUP(object_close) struct object o = { 0 };
	struct bytes one = pack(&m, make_fill(1000, 1), ELFCOMPRESS_ZLIB, 2500);
	struct bytes two = pack(&m, make_fill(1500, 2), ELFCOMPRESS_ZLIB, 0);
	struct make_buf b = { 0 };

	make_put(&b, one.ptr, one.len);
	make_put(&b, two.ptr + sizeof(Elf64_Chdr), two.len - sizeof(Elf64_Chdr));
	make_put(&b, "\0\0\0", 3);
	CHECK_OK(open_packed(&m, make_view(&b), &o));
	CHECK_EQ(o.debug[DEBUG_INFO].len, 2500);
	CHECK_MEM(o.debug[DEBUG_INFO].ptr, make_fill(1000, 1).ptr, 1000);
	CHECK_MEM(o.debug[DEBUG_INFO].ptr + 1000, make_fill(1500, 2).ptr, 1500);
}

TEST(much_zero_in_few_bytes_is_inflated)
{
	/* near the best that deflate can do, and far beyond what is allocated at once */
	size_t len = 15000000;

	for (uint32_t type = 1; type <= 2; type++) {
		struct elfmake m = make_x86_64(ET_EXEC);
		CLEANUP(object_close) struct object o = { 0 };
		struct bytes zeros = { mem_zalloc(len, 1), len };

		CHECK_OK(open_packed(&m, pack(&m, zeros, type, len), &o));
		CHECK(make_equal(o.debug[DEBUG_INFO], zeros));
		free((void *)(uintptr_t)zeros.ptr);
	}
}

TEST(so_much_that_it_fills_the_memory_is_refused)
{
	size_t len = 50000000;

	for (uint32_t type = 1; type <= 2; type++) {
		struct elfmake m = make_x86_64(ET_EXEC);
		struct object o = { 0 };
		struct bytes zeros = { mem_zalloc(len, 1), len };
		struct bytes packed = pack(&m, zeros, type, len);

		free((void *)(uintptr_t)zeros.ptr);
		CHECK_ERR_TEXT(open_packed(&m, packed, &o), ERR_LIMIT, "0x2faf080 bytes in 0x");
	}
}

/* The same in many sections, each of which is harmless. */
TEST(so_much_in_many_sections_is_refused)
{
	size_t len = 8000000;

	for (uint32_t type = 1; type <= 2; type++) {
		struct elfmake m = make_x86_64(ET_REL);
		struct bytes zeros = { mem_zalloc(len, 1), len };
		struct bytes packed = pack(&m, zeros, type, len);
		struct object o = { 0 };

		free((void *)(uintptr_t)zeros.ptr);
		for (int i = 0; i < 3; i++)
			MAKE_SECTION(&m, .name = ".debug_types", .type = SHT_PROGBITS,
				     .flags = SHF_COMPRESSED | SHF_GROUP, .align = 8,
				     .data = packed);
		CHECK_ERR_TEXT(open_packed(&m, packed, &o), ERR_LIMIT, "0x7a1200 bytes in 0x");
	}
}

/* 1,000,000 bytes that zlib makes 40 times shorter. */
static struct bytes make_shrinking(void)
{
	enum { LEN = 1000000, PERIOD = 1000, NOISE = 16 };
	uint8_t *p = mem_zalloc(LEN, 1);
	uint32_t x = 1;

	for (size_t i = 0; i < LEN; i++) {
		x = x * 1664525 + 1013904223;
		if (i % PERIOD < NOISE)
			p[i] = x >> 24;
	}
	return (struct bytes){ p, LEN };
}

/*
 * Forty of these are harmless in a plain file. They are the same, so that they nearly vanish if the file
 * is compressed, too, and then they are not.
 */
TEST(so_much_in_a_compressed_file_is_refused)
{
	struct elfmake m = make_x86_64(ET_REL);
	struct bytes data = make_shrinking();
	struct bytes packed = pack(&m, data, ELFCOMPRESS_ZLIB, data.len);
	CLEANUP(object_close) struct object plain = { 0 };
	struct object o = { 0 };

	free((void *)(uintptr_t)data.ptr);
	for (int i = 0; i < 40; i++)
		MAKE_SECTION(&m, .name = ".debug_types", .type = SHT_PROGBITS,
			     .flags = SHF_COMPRESSED | SHF_GROUP, .align = 8, .data = packed);
	make_data(&m, ".debug_info", MAKE_TEXT("a unit"));

	struct make_buf file = make_bytes(&m), outer = { 0 };
	size_t cap = ZSTD_compressBound(file.len);
	uint8_t *out = make_alloc(cap);
	make_put(&outer, out, ZSTD_compress(out, cap, file.ptr, file.len, 3));
	CHECK(outer.len * 20 < file.len);
	CHECK_OK(object_open(make_file(file), &plain));
	CHECK_ERR_TEXT(object_open(make_file(outer), &o), ERR_LIMIT,
		       "bytes in compressed sections of a file that has");
}

static struct err *open_claim(uint32_t type, uint64_t claim)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	CLEANUP(object_close) struct object o = { 0 };

	return open_packed(&m, pack(&m, make_fill(1000, 1), type, claim), &o);
}

TEST(a_claim_that_is_not_kept_is_refused)
{
	for (uint32_t type = 1; type <= 2; type++) {
		CHECK_ERR_TEXT(open_claim(type, 999), ERR_FORMAT, "more than the 0x3e7 bytes");
		CHECK_ERR_TEXT(open_claim(type, 0), ERR_FORMAT, "more than the 0 bytes");
		CHECK_ERR_TEXT(open_claim(type, 1001), ERR_FORMAT, "less than the 0x3e9 bytes");
		CHECK_ERR_TEXT(open_claim(type, UINT64_MAX), ERR_FORMAT, "are claimed to be in");
		CHECK_ERR_TEXT(open_claim(type, (uint64_t)1 << 40), ERR_FORMAT,
			       "are claimed to be");
	}
}

TEST(broken_compressed_data_are_refused)
{
	for (uint32_t type = 1; type <= 2; type++) {
		struct elfmake m = make_x86_64(ET_EXEC);
		struct bytes packed = pack(&m, make_fill(1000, 1), type, 1000);

		for (size_t len = 1; len < packed.len; len++) {
			struct elfmake n = make_x86_64(ET_EXEC);
			struct object o;

			CHECK_ERR(open_packed(&n, (struct bytes){ packed.ptr, len }, &o),
				  ERR_FORMAT);
		}
		uint8_t *bad = mem_dup(packed.ptr, packed.len);
		memset(bad + sizeof(Elf64_Chdr), 0xee, 8);
		struct object o;
		CHECK_ERR_TEXT(open_packed(&m, (struct bytes){ bad, packed.len }, &o), ERR_FORMAT,
			       type == 1 ? "section '.debug_info': zlib data+0x2: " :
					   "section '.debug_info': zstd data+0x");
		free(bad);
	}
}

TEST(a_header_of_gnu_tools_without_data_is_refused)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	struct bytes packed = pack_gnu(make_fill(1000, 1), 1000);
	struct object o;

	make_data(&m, ".zdebug_info", (struct bytes){ packed.ptr, 12 });
	CHECK_ERR_TEXT(make_open(&m, &o), ERR_FORMAT, "section '.zdebug_info'");
}

TEST(an_unknown_compression_is_unsupported)
{
	CHECK_ERR_TEXT(open_claim(3, 1000), ERR_UNSUPPORTED, "compression of type 3");
}

/* Their offsets are far behind the end of the compressed bytes. */
TEST(relocations_of_a_compressed_section_are_found)
{
	enum { WORD = 8 * 60000 };
	static const char *const names[] = { ".debug_info", ".zdebug_info" };
	struct make_buf data = { 0 };

	make_put(&data, make_alloc(WORD + 8), WORD + 8);
	memset(data.ptr, 0, data.len);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct elfmake m = make_x86_64(ET_REL);
		CLEANUP(object_close) struct object o = { 0 };
		CLEANUP(reloc_finder_release) struct reloc_finder f = { 0 };
		struct make_buf relocs = { 0 };
		struct reloc_entry e;
		struct bytes read;
		uint8_t *own;

		uint32_t sym = make_symbol(&m, "x", STT_OBJECT, SHN_ABS, 0x1234, 8);
		size_t symtab = make_symtab(&m);
		make_reloc(&m, &relocs, true, WORD, sym, R_X86_64_64, 3);
		make_relocs(&m, ".rela.debug_info", true, m.nr + 1, symtab, &relocs);
		MAKE_SECTION(&m, .name = names[i], .type = SHT_PROGBITS,
			     .flags = i ? 0 : SHF_COMPRESSED,
			     .data = i ? pack_gnu(make_view(&data), data.len) :
					 pack(&m, make_view(&data), 1, data.len));
		CHECK_OK(make_open(&m, &o));
		size_t index = object_debug_index(&o, DEBUG_INFO);
		CHECK_OK(reloc_finder_open(&o, index, &f));
		CHECK(reloc_finder_at(&f, WORD, 8, 0, &e));
		CHECK_EQ(e.symbol, sym);
		CHECK_EQ(e.addend, 3);
		CHECK(!reloc_finder_at(&f, WORD - 8, 8, 0, &e));

		CHECK_OK(object_read_section(&o, index, &read, &own));
		CHECK(own && read.ptr == own);
		CHECK_EQ(read.len, data.len);
		CHECK_EQ(load64(read.ptr + WORD), 0x1237);
		free(own);
	}
}
