/* SPDX-License-Identifier: GPL-2.0-only */
/* kernel_limits.h - what BTF has room for, and no kernel takes */
#ifndef BTFENC_CHECK_KERNEL_LIMITS_H
#define BTFENC_CHECK_KERNEL_LIMITS_H

#include "base/bytes.h"
#include "base/diagnostics.h"
#include "btf/btf_types.h"

/*
 * Warn in @diags if Linux 6.12 (btf_wire.h) refuses the result for @path because of a number: too
 * many types, too many bytes of strings, a name too long, of which the first is told. Its strings
 * start at @str_base. Not an error, for programs have use for such BTF, and pahole makes it.
 */
void kernel_limits_report(const struct btf_types *t, struct bytes strings, uint32_t str_base,
			  const char *path, struct diagnostics *diags);

#endif
