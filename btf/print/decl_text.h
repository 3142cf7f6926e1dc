/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decl_text.h - types, prototypes and declarations of BTF as C, on one line
 *
 *	struct list_head *(*next)(void *, int)
 *
 * Names are as in the BTF: they may have any bytes.
 */
#ifndef BTFENC_BTF_PRINT_DECL_TEXT_H
#define BTFENC_BTF_PRINT_DECL_TEXT_H

#include "base/text.h"
#include "btf/btf_view.h"

/*
 * Append the declaration of @name with the type @id of @v, without a semicolon. With the name "", it is the type alone. "..."
 * stands for parts that nest too deep, and for the rest of a text that is too long.
 */
void decl_text(struct text *out, const struct btf_view *v, uint32_t id, const char *name);
/* The same for the record @id, a FUNC or VAR, with its name. */
void decl_text_symbol(struct text *out, const struct btf_view *v, uint32_t id);

#endif
