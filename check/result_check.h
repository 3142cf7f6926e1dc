/* SPDX-License-Identifier: GPL-2.0-only */
/* result_check.h - is what was made BTF that a kernel takes? */
#ifndef BTFENC_CHECK_RESULT_CHECK_H
#define BTFENC_CHECK_RESULT_CHECK_H

#include "base/err.h"
#include "btf/btf_view.h"

/*
 * ERR_FORMAT with the first breach of the kernel's rules (btf_verify.h) in @v, whose records came
 * from C: compilers write nothing that leads to one, so the input is damaged. Names are the
 * exception: what C calls a name, '$' and UTF-8 included, may stand.
 */
MUST_CHECK struct err *result_check(const struct btf_view *v, uint8_t addr_size);

#endif
