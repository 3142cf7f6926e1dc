/* SPDX-License-Identifier: GPL-2.0-only */
/* decl_info.h - where a type is declared, which BTF does not have */
#ifndef BTFENC_SHOW_DECL_INFO_H
#define BTFENC_SHOW_DECL_INFO_H

#include <stdbool.h>
#include <stdint.h>

struct show_types;

/* NULL or 0: unknown. Valid until the next one is looked up. */
struct decl_info {
	const char *unit, *file;
	uint64_t line;
	uint64_t offset; /* of the DIE */
};

/* The debug information that has it. Zeroed: none. */
struct decl_source {
	void *ctx;
	/* Calls types_fail() if the debug information is malformed. */
	struct decl_info (*find)(void *ctx, struct show_types *t, uint32_t id);
};

#endif
