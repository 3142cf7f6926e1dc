/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_serialize.h - write records and strings as the bytes of a .BTF section */
#ifndef BTFENC_BTF_BTF_SERIALIZE_H
#define BTFENC_BTF_BTF_SERIALIZE_H

#include "base/bytes.h"
#include "base/err.h"
#include "btf/btf_types.h"

struct btf_serialize_opts {
	bool swap;        /* write in the other byte order than this machine's */
	bool layout;      /* with the table of kinds (Linux 7.1) */
	bool long_header; /* 32 bytes, also without that table */
	bool wide;        /* vlen may have 24 bits (Linux 7.2) */
};

/*
 * Write the header, the own records of @t, and @strings unchanged. Every string reference of @t must be an
 * offset in @strings or in the strings of the base. ERR_LIMIT if a section exceeds its 32-bit length or a
 * record has too many elements. The caller frees *ret_ptr.
 */
MUST_CHECK struct err *btf_serialize(const struct btf_types *t, struct bytes strings,
				     const struct btf_serialize_opts *opts, uint8_t **ret_ptr,
				     size_t *ret_len);

/*
 * Pad the BTF of *len bytes at *ptr, which is on the heap, to @to bytes. The padding is zeros at the end of
 * the strings: empty strings, which every reader accepts.
 */
void btf_serialize_pad(uint8_t **ptr, size_t *len, uint32_t to);

#endif
