/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_fields.h - single fields of ELF structures, in both classes and both byte orders
 *
 * The classes have the same fields in different widths and sometimes in a different order.
 * GET and PUT name a field once for both; @t is any struct with @addr_size and @swap. For
 * whole tables of headers use header_tables.h.
 */
#ifndef BTFENC_LOADER_ELF_ELF_FIELDS_H
#define BTFENC_LOADER_ELF_ELF_FIELDS_H

#include "base/bytes.h"

#include <elf.h>

#define GET(t, type, p, field)                                                                 \
	((t)->addr_size == 8 ? field_get((const uint8_t *)(p) + offsetof(Elf64_##type, field), \
					 sizeof(((Elf64_##type *)0)->field), (t)->swap) :      \
			       field_get((const uint8_t *)(p) + offsetof(Elf32_##type, field), \
					 sizeof(((Elf32_##type *)0)->field), (t)->swap))
#define PUT(t, type, p, field, value)                                                            \
	((t)->addr_size == 8 ? field_put((uint8_t *)(p) + offsetof(Elf64_##type, field),         \
					 sizeof(((Elf64_##type *)0)->field), (t)->swap, value) : \
			       field_put((uint8_t *)(p) + offsetof(Elf32_##type, field),         \
					 sizeof(((Elf32_##type *)0)->field), (t)->swap, value))
#define SIZE(t, type) ((t)->addr_size == 8 ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

static inline uint64_t field_get(const uint8_t *p, size_t width, bool swap)
{
	switch (width) {
	case 1:
		return *p;
	case 2:
		return swap16(load16(p), swap);
	case 3: /* relocations of LoongArch, which is little-endian */
		return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16;
	case 4:
		return swap32(load32(p), swap);
	default:
		return swap64(load64(p), swap);
	}
}

static inline void field_put(uint8_t *p, size_t width, bool swap, uint64_t value)
{
	uint16_t v16 = swap16((uint16_t)value, swap);
	uint32_t v32 = swap32((uint32_t)value, swap);
	uint64_t v64 = swap64(value, swap);

	switch (width) {
	case 1:
		*p = (uint8_t)value;
		break;
	case 2:
		memcpy(p, &v16, width);
		break;
	case 3:
		for (unsigned int i = 0; i < 3; i++)
			p[i] = (uint8_t)(value >> 8 * i);
		break;
	case 4:
		memcpy(p, &v32, width);
		break;
	default:
		memcpy(p, &v64, width);
	}
}

#endif
