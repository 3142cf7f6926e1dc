/* SPDX-License-Identifier: GPL-2.0-only */
/* addr_size.h - the size of a pointer, which BTF does not state */
#ifndef BTFENC_BTF_ADDR_SIZE_H
#define BTFENC_BTF_ADDR_SIZE_H

#include "btf/btf_view.h"

struct addr_size {
	uint8_t bytes; /* 4 or 8 */
	enum addr_size_source {
		ADDR_SIZE_LONG,    /* that of C's "long", as in every kernel */
		ADDR_SIZE_MEMBER,  /* 4: most structs have no room for 8 bytes, such as @type */
		ADDR_SIZE_ASSUMED, /* 8 */
	} source;
	uint32_t type;
};

/* The size of a pointer in @v, whose references are valid, and in its bases. */
struct addr_size addr_size_find(const struct btf_view *v);

#endif
