/* SPDX-License-Identifier: GPL-2.0-only */
/* result_check.h - check that a kernel accepts the encoded BTF */
#ifndef BTFENC_CHECK_RESULT_CHECK_H
#define BTFENC_CHECK_RESULT_CHECK_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "btf/btf_view.h"

/*
 * ERR_FORMAT with the first breach of the kernel's rules (btf_verify.h) in @v, which was encoded from
 * DWARF: compilers write nothing that leads to a breach, so the input is damaged. Names are the
 * exception: identifiers of C with '$' or UTF-8 are allowed.
 */
MUST_CHECK struct err *result_check_rules(const struct btf_view *v, uint8_t addr_size);

/*
 * Warn if Linux 6.12 (btf_wire.h) refuses the result for @path because it has too many types, too many
 * bytes of strings, a name that is too long, or too many elements in a type; only the first name or type is reported. @strings start at
 * offset @str_base. This is no error: pahole writes such BTF, and programs other than the kernel use it.
 */
void result_check_limits(const struct btf_types *t, struct bytes strings, uint32_t str_base,
			 const char *path, struct diagnostics *diags);

#endif
