/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elfparts.h - ELF files from a list of sections, and a section of a file as libelf reads it
 *
 * For tests of what writes ELF files without libelf. Brings folder.h, too.
 */
#ifndef BTFENC_TESTS_ELFPARTS_H
#define BTFENC_TESTS_ELFPARTS_H

#include "tests/lib/elfmake.h"
#include "tests/lib/folder.h"
#include "tests/lib/sectionput.h"

#include <gelf.h>

struct elf_kind {
	enum make_class class;
	enum make_order order;
};

extern const struct elf_kind elf_kinds[4];

/* 64 bits, and the byte order of this machine. */
extern const struct elf_kind native;

/* Write the image of these sections, which is linked or relocatable. */
void write_elf(const char *path, struct elf_kind kind, bool linked,
	       const struct make_section *parts, size_t nr);

/* A section as libelf reads it. */
struct found {
	size_t index; /* 0: there is none */
	GElf_Shdr sh;
	struct bytes data;
};

static inline void free_found(struct found *f)
{
	free((void *)f->data.ptr);
}

struct found find(const char *path, const char *name);

/* The same without its content. */
struct found header_of(const char *path, const char *name);

size_t count_sections(const char *path);

void check_section(const char *path, const char *name, struct bytes want);

/* The first @len bytes of @noise, which has no zero byte after the first call. */
extern uint8_t noise[3 << 20];
struct bytes noise_of(size_t len);

/* The diagnostics of the last put(). */
extern struct diagnostics put_diags;

/* Make @data the content of section @name of the file, or drop the section if it has no bytes. */
struct err *put(const char *path, const char *name, struct bytes data);

/* Put NOISE_LEN bytes of noise into .BTF of "f". Returns 0, or 1 + the kind of the error. */
enum { NOISE_LEN = 50000 };
int put_noise(void);

/* A file with .text and .debug_info. */
extern const struct make_section plain_parts[2];
void make_plain(const char *path, struct elf_kind kind);
void check_plain_parts(const char *path);

#endif
