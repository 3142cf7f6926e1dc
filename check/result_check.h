/* SPDX-License-Identifier: GPL-2.0-only */
/* result_check.h - check that a kernel accepts the encoded BTF */
#ifndef BTFENC_CHECK_RESULT_CHECK_H
#define BTFENC_CHECK_RESULT_CHECK_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "btf/btf_view.h"

/*
 * Check the rules of the kernel (btf_verify.h) for @v, which was encoded for @path. If all units are C and complete
 * (@all_c), the first breach is ERR_FORMAT: compilers of C write nothing that leads to one, so the input is damaged.
 * Names are the exception: identifiers of C with '$' or UTF-8 are allowed. These, and all breaches of other programs,
 * are one warning: names of C++ and Rust are no identifiers.
 */
MUST_CHECK struct err *result_check_rules(const struct btf_view *v, uint8_t addr_size, bool all_c,
					  const char *path, struct diagnostics *diags);

/*
 * Warn if Linux 6.12 (btf_wire.h) refuses the result for @path because it has too many types, too many
 * bytes of strings, a name that is too long, or too many elements in a type; only the first name or type is reported. @strings start at
 * offset @str_base. This is no error: pahole writes such BTF, and programs other than the kernel use it.
 */
void result_check_limits(const struct btf_types *t, struct bytes strings, uint32_t str_base,
			 const char *path, struct diagnostics *diags);

#endif
