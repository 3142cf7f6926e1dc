/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * image.h - the private part of struct object: the mapped file
 *
 * An image is an object without its debug sections: the mapped file, its header, its section table,
 * and the addresses that the debug information uses. object.c adds the debug sections of this file or,
 * by debug_file.c, of another one.
 */
#ifndef BTFENC_LOADER_ELF_IMAGE_H
#define BTFENC_LOADER_ELF_IMAGE_H

#include "loader/elf/elf_fields.h"
#include "loader/elf/object.h"
#include "loader/elf/reloc.h"

#include <elf.h>

struct object_impl {
	uint8_t *map;
	size_t map_len;    /* of the file, or of the member of an ar archive */
	size_t readable;   /* up to the end of the last page */
	bool borrowed;     /* a part of file_ref.archive ... */
	size_t before;     /* ... where page faults load so many bytes in front of it, too */
	bool is_copy;      /* on the heap: the file was compressed, or too many files are mapped */
	size_t packed_len; /* length of the compressed file; 0 if it is not compressed */
	/*
	 * Of .debug_info, if it is relocated part by part; in_order says whether it is. It then lies
	 * in the file as the compiler left it.
	 */
	struct reloc_table info_relocs;
	size_t debug_index[NR_DEBUG_SECTIONS]; /* see object_debug_index() */
	/* Private copies of sections that cannot be used in the mapping. */
	uint8_t *copies[NR_DEBUG_SECTIONS];
	/* Bytes of compressed sections beyond the credible ratio; see inflate.c. */
	uint64_t incredible;
	/* All bytes of compressed sections, decompressed. */
	uint64_t inflated;
	/* The file that the debug sections come from, NULL if it is this one. */
	struct object *debug_file;
	/* Why a debug file was not used, with its name; NULL if there is none. See debug_file.h. */
	char *refused_debug;
};

/* Does not close @debug_file. */
void image_close(struct object *o);

ALWAYS_INLINE uint32_t image_u32(const struct object *o, const void *p)
{
	return swap32(load32(p), o->swap);
}

/* One entry of a symbol table, in our byte order. */
struct image_symbol {
	uint32_t name;
	uint8_t info, other;
	uint16_t shndx; /* SHN_XINDEX: look into the table of type SHT_SYMTAB_SHNDX */
	uint64_t value, size;
};

static inline size_t image_symbol_size(const struct object *o)
{
	return SIZE(o, Sym);
}

ALWAYS_INLINE struct image_symbol image_symbol_at(const struct object *o, const uint8_t *p)
{
	return (struct image_symbol){
		.name = (uint32_t)GET(o, Sym, p, st_name),
		.info = (uint8_t)GET(o, Sym, p, st_info),
		.other = (uint8_t)GET(o, Sym, p, st_other),
		.shndx = (uint16_t)GET(o, Sym, p, st_shndx),
		.value = GET(o, Sym, p, st_value),
		.size = GET(o, Sym, p, st_size),
	};
}

/*
 * A symbol table and what belongs to it, checked: @data holds @nr whole entries and
 * @shndx is empty or holds @nr words.
 */
struct image_symtab {
	struct bytes data, shndx;
	size_t nr;
};

/* The symbol table that is section @index of @o, which must be one. */
MUST_CHECK struct err *image_symtab(const struct object *o, size_t index, struct image_symtab *ret);

/* The section index of entry @i of @tab, which has @shndx in its own field. */
static inline uint32_t image_symbol_section(const struct object *o, const struct image_symtab *tab,
					    size_t i, uint16_t shndx)
{
	if (likely(shndx != SHN_XINDEX) || !tab->shndx.len)
		return shndx;
	return image_u32(o, tab->shndx.ptr + i * sizeof(uint32_t));
}

#endif
