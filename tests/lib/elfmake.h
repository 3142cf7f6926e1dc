/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elfmake.h - ELF files made to measure, of any class and byte order
 *
 *	struct elfmake m = make_elf(MAKE_64, MAKE_LITTLE, ET_REL, EM_X86_64);
 *	make_section(&m, (struct make_section){ .name = ".text", ... });
 *	make_symbol(&m, "f", STT_FUNC, 1, 0x10, 4);
 *	make_symtab(&m);
 *	const char *path = make_file(make_bytes(&m));
 *
 * Nothing is checked: wrong files are what it is for. All memory is in one arena that
 * lives as long as the program. The header is followed by the
 * section table, the names and the sections in their order, so that the last one
 * made ends with the file. Memory is not given back before the program ends.
 */
#ifndef BTFENC_TESTS_ELFMAKE_H
#define BTFENC_TESTS_ELFMAKE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "loader/elf/object.h"

#include <assert.h>
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum make_class { MAKE_32, MAKE_64 };
enum make_order { MAKE_LITTLE, MAKE_BIG };

#define FOR_EACH_KIND(class, order)                                       \
	for (enum make_class class = MAKE_32; class <= MAKE_64; class ++) \
		for (enum make_order order = MAKE_LITTLE; order <= MAKE_BIG; order++)

/* The memory of all files, until the program ends or resets it. */
extern struct arena make_arena;
void *make_alloc(size_t size);

/* As mem_grow(); the old memory stays. */
void *make_grow(const void *ptr, size_t *cap, size_t need, size_t size);

PRINTF_LIKE(1, 2) char *make_text(const char *fmt, ...);

/* Bytes that repeat late. */
struct bytes make_fill(size_t len, uint8_t seed);

static inline bool make_equal(struct bytes a, struct bytes b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

struct make_buf {
	uint8_t *ptr;
	size_t len, cap;
};

/* As in the file, but for @offset: 0 means where the section is put. */
struct make_section {
	const char *name;
	uint32_t type;
	uint64_t flags, align;
	struct bytes data;
	uint32_t link, info;
	uint64_t addr, entsize, offset;
	uint64_t size; /* if it is not the length of @data */
};

struct elfmake {
	bool is64, big;
	uint16_t type, machine;
	struct make_section *sections;
	size_t nr, cap;
	struct make_buf syms, strings, shndx;
	bool need_shndx;
};

void make_put(struct make_buf *b, const void *p, size_t len);

/* The lowest @width bytes of @v, in the order of the file. */
void make_int(const struct elfmake *m, struct make_buf *b, unsigned int width, uint64_t v);

/* An address or what has its width. */
static inline void make_word(const struct elfmake *m, struct make_buf *b, uint64_t v)
{
	make_int(m, b, m->is64 ? 8 : 4, v);
}

static inline struct bytes make_view(const struct make_buf *b)
{
	return (struct bytes){ b->ptr, b->len };
}

/* The characters of a literal, without the zero at its end. */
#define MAKE_TEXT(s) ((struct bytes){ (const uint8_t *)(s), sizeof(s) - 1 })

/* Index of the new section. */
static inline size_t make_section(struct elfmake *m, struct make_section s)
{
	m->sections = make_grow(m->sections, &m->cap, m->nr + 1, sizeof(s));
	m->sections[m->nr] = s;
	return m->nr++;
}

/* The same with its fields by name: MAKE_SECTION(&m, .name = ".text", .type = SHT_PROGBITS). */
#define MAKE_SECTION(m, ...) make_section(m, (struct make_section){ __VA_ARGS__ })

/* NOBITS, loaded. */
size_t make_nobits(struct elfmake *m, uint64_t addr, uint64_t size, uint64_t align);

/* PROGBITS, not loaded. */
static inline size_t make_data(struct elfmake *m, const char *name, struct bytes data)
{
	return MAKE_SECTION(m, .name = name, .type = SHT_PROGBITS, .align = 1, .data = data);
}

/* PROGBITS, loaded, aligned to 16 bytes. */
static inline size_t make_code(struct elfmake *m, const char *name, struct bytes data)
{
	return MAKE_SECTION(m, .name = name, .type = SHT_PROGBITS, .flags = SHF_ALLOC, .align = 16,
			    .data = data);
}

void make_raw_symbol(struct elfmake *m, uint32_t name, uint8_t info, uint32_t shndx, uint64_t value,
		     uint64_t size);

/* Section @n by way of SHT_SYMTAB_SHNDX; a plain number is one of 16 bits, SHN_ABS and all. */
#define MAKE_SHNDX(n) (0x1000000 | (uint32_t)(n))

/* Index of the new symbol; 0 is the null symbol. */
uint32_t make_any_symbol(struct elfmake *m, const char *name, uint8_t info, uint32_t shndx,
			 uint64_t value, uint64_t size);

/* The same for a global one. */
uint32_t make_symbol(struct elfmake *m, const char *name, unsigned int type, uint32_t shndx,
		     uint64_t value, uint64_t size);

/* Add the sections of the symbols made so far; index of .symtab. */
size_t make_symtab(struct elfmake *m);

/* One relocation; @type is the whole lower part of r_info. */
void make_reloc(const struct elfmake *m, struct make_buf *b, bool rela, uint64_t offset,
		uint32_t sym, uint32_t type, int64_t addend);

/* Add the relocations @b of section @target. */
size_t make_relocs(struct elfmake *m, const char *name, bool rela, size_t target, size_t symtab,
		   const struct make_buf *b);

struct elfmake make_elf(enum make_class class, enum make_order order, uint16_t type,
			uint16_t machine);

/*
 * A machine and its relocation types: those that store 8, 4, 2 and 1 bytes, and one that changes
 * nothing; 0: it has none.
 */
struct make_target {
	enum make_class class;
	enum make_order order;
	uint16_t machine;
	bool rela;
	uint32_t abs64, abs32, abs16, abs8, skip;
};

/* All machines with their classes, byte orders and names of relocation types. */
extern const struct make_target make_targets[40];

/* For IN_ROW(). */
static inline const char *make_target_name(const struct make_target *t)
{
	return make_text("machine %u, %d bits, %s-endian", t->machine,
			 t->class == MAKE_64 ? 64 : 32, t->order == MAKE_BIG ? "big" : "little");
}

static inline struct elfmake make_elf_for(const struct make_target *t, uint16_t type)
{
	return make_elf(t->class, t->order, type, t->machine);
}

static inline struct elfmake make_x86_64(uint16_t type)
{
	return make_elf(MAKE_64, MAKE_LITTLE, type, EM_X86_64);
}

/* The whole file, with .shstrtab as its last section; the bytes of that one come first. */
struct make_buf make_bytes(struct elfmake *m);

/*
 * The whole file as linkers lay it out: sections from FIRST_PART on, aligned, then .shstrtab and the
 * section table. If it is ET_EXEC, one PT_LOAD segment has everything up to the last loaded section.
 */
enum { IMAGE_ADDR = 0x10000, FIRST_PART = 0x100 };
struct make_buf make_image(struct elfmake *m);

/* A file in memory with these bytes; its name, which is good as long as we live. */
const char *make_file(struct make_buf b);

/* Open the whole file. */
static inline struct err *make_open(struct elfmake *m, struct object *ret)
{
	return object_open(make_file(make_bytes(m)), ret);
}

#endif
