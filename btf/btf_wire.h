/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_wire.h - the BTF format as bytes and words
 *
 * Our own names, because the installed linux/btf.h may be older than the kinds and
 * header words we write. Source: Documentation/bpf/btf.rst and include/uapi/linux/btf.h.
 */
#ifndef BTFENC_BTF_BTF_WIRE_H
#define BTFENC_BTF_BTF_WIRE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BTF_WIRE_MAGIC = 0xeb9f,
	BTF_WIRE_VERSION = 1,
	BTF_HDR_CLASSIC = 24, /* up to and without the two layout words */
	BTF_HDR_LAYOUT = 32,  /* with them (Linux 7.1); every kernel accepts zeros there */
};

/* An entry of the layout section: bytes after the common words, bytes per element, 16 flag bits. */
enum { BTF_LAYOUT_FIXED, BTF_LAYOUT_ELEM, BTF_LAYOUT_ENTRY = 4 };

struct btf_wire_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len;
	/* offsets count from the end of the header */
	uint32_t type_off, type_len;
	uint32_t str_off, str_len;
	uint32_t layout_off,
		layout_len; /* only if hdr_len >= BTF_HDR_LAYOUT; length 0: no layout */
};

enum btf_kind {
	BTF_UNKN = 0,
	BTF_INT = 1,
	BTF_PTR = 2,
	BTF_ARRAY = 3,
	BTF_STRUCT = 4,
	BTF_UNION = 5,
	BTF_ENUM = 6,
	BTF_FWD = 7,
	BTF_TYPEDEF = 8,
	BTF_VOLATILE = 9,
	BTF_CONST = 10,
	BTF_RESTRICT = 11,
	BTF_FUNC = 12,
	BTF_FUNC_PROTO = 13,
	BTF_VAR = 14,
	BTF_DATASEC = 15,
	BTF_FLOAT = 16,
	BTF_DECL_TAG = 17,
	BTF_TYPE_TAG = 18,
	BTF_ENUM64 = 19,
	BTF_LOC_PARAM = 20,
	BTF_LOC_PROTO = 21,
	BTF_LOCSEC = 22,
};

enum { BTF_NR_KINDS = BTF_LOCSEC + 1 };

/* Is @kind in the set @kinds, which has a bit for each? */
static inline bool btf_kind_in(uint32_t kind, uint32_t kinds)
{
	return kind < BTF_NR_KINDS && (kinds >> kind & 1);
}

/* A record is BTF_REC_WORDS words, then what its kind adds (btf_kind.h). */
enum { BTF_REC_NAME, BTF_REC_INFO, BTF_REC_SIZE_TYPE, BTF_REC_WORDS };

/*
 * Limits of the kernel, which are tighter than the format's: the number of types with void
 * (BTF_MAX_TYPE), the last offset of a string (BTF_MAX_NAME_OFFSET), the length of a name in bytes
 * (KSYM_NAME_LEN, 128 before Linux 6.1), and vlen (BTF_MAX_VLEN, 0xffffff from Linux 7.2 on). linux/btf.h
 * gives these names other values in other releases, so we have our own.
 */
enum {
	KERNEL_MAX_TYPES = 0xfffff,
	KERNEL_MAX_STRING = 0xffffff,
	KERNEL_MAX_NAME = 512,
	KERNEL_MAX_NAME_BEFORE_6_1 = 128,
	KERNEL_MAX_VLEN_BEFORE_7_2 = 0xffff,
};

/*
 * The info word. Since Linux 7.2 vlen has 24 bits and the kind has 7. Before, the bits between them were
 * zero, so the wide masks read both. An older kernel refuses vlen over KERNEL_MAX_VLEN_BEFORE_7_2.
 */
enum { BTF_VLEN_MAX = 0xffffff };

static inline uint32_t btf_info(enum btf_kind kind, uint32_t vlen, bool kflag)
{
	return (uint32_t)kflag << 31 | (uint32_t)kind << 24 | vlen;
}

static inline enum btf_kind btf_info_kind(uint32_t info)
{
	return (enum btf_kind)(info >> 24 & 0x7f);
}

static inline uint32_t btf_info_vlen(uint32_t info)
{
	return info & BTF_VLEN_MAX;
}

static inline bool btf_info_kflag(uint32_t info)
{
	return info >> 31;
}

/* The same of a record. */
static inline enum btf_kind btf_rec_kind(const uint32_t *rec)
{
	return btf_info_kind(rec[BTF_REC_INFO]);
}

static inline uint32_t btf_rec_vlen(const uint32_t *rec)
{
	return btf_info_vlen(rec[BTF_REC_INFO]);
}

static inline bool btf_rec_kflag(const uint32_t *rec)
{
	return btf_info_kflag(rec[BTF_REC_INFO]);
}

/* Encoding bits of an INT's data word (encoding << 24 | bit offset << 16 | bits). */
enum { BTF_ENC_SIGNED = 1, BTF_ENC_CHAR = 2, BTF_ENC_BOOL = 4 };

/* Linkage of VAR and FUNC. */
enum { BTF_LINK_STATIC = 0, BTF_LINK_GLOBAL = 1, BTF_LINK_EXTERN = 2 };

/*
 * The flags word of a LOC_PARAM, the place of a parameter at the start of inlined code. Its elements are words:
 * a constant of one word or two, the low one first; or a register by its number in DWARF, and an offset. The
 * kernel accepts ten sets of flags (docs/spec/kernel-rules.md).
 */
enum {
	BTF_LOC_SIGNED = 1, /* the constant or the offset */
	BTF_LOC_CONST = 2,
	BTF_LOC_ADDR =
		4, /* the constant is an address, relative to that of the kernel or the module */
	BTF_LOC_REG = 8, /* two words are two registers, which have a part of the value each */
	BTF_LOC_DEREF = 0x10,
	BTF_LOC_OFFSET = 0x20,
};

#define BTF_LOC_FBREG UINT32_MAX /* the register number that stands for the frame base */

/* The name of a LOCSEC is this, then the name of the section whose sites it has. */
#define BTF_LOCSEC_PREFIX "inline"

/* An element of a LOCSEC: inlined code. Offsets are relative to the start of the section. */
enum { BTF_SITE_FUNC, BTF_SITE_PROTO, BTF_SITE_OFFSET, BTF_SITE_WORDS };

#endif
