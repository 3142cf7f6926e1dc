/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_serialize.h - a list of records and its strings as the bytes of a .BTF section */
#ifndef BTFENC_BTF_BTF_SERIALIZE_H
#define BTFENC_BTF_BTF_SERIALIZE_H

#include "base/bytes.h"
#include "base/err.h"
#include "btf/btf_types.h"

struct btf_serialize_opts {
	bool swap;   /* write in the other byte order than this machine's */
	bool layout; /* with the table of kinds (UAPI of March 2026) */
};

/*
 * Header (32 bytes, as pahole 1.31 writes it), own records of @t, then @strings as
 * they are. Every string reference of @t must be an offset in @strings (or below, in the base's).
 * ERR_LIMIT if a section is too long for its 32-bit length. *ret_ptr is on the heap
 * and belongs to the caller.
 */
MUST_CHECK struct err *btf_serialize(const struct btf_types *t, struct bytes strings,
				     const struct btf_serialize_opts *opts, uint8_t **ret_ptr,
				     size_t *ret_len);

/*
 * Make the image of *len bytes at *ptr, on the heap, @to bytes long (no less) by zeros at
 * the end of its strings: more empty strings, which every reader takes.
 */
void btf_serialize_pad(uint8_t **ptr, size_t *len, uint32_t to);

#endif
