/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpflib.h - print BTF as C, by libbpf
 *
 * The library is loaded only for this, because loading it takes longer than encoding a small object. Only
 * bpflib.c includes its headers, because they define the same names as those of btfenc.
 */
#ifndef BTFENC_CMD_PRINT_BPFLIB_H
#define BTFENC_CMD_PRINT_BPFLIB_H

#include "base/bytes.h"
#include "base/err.h"
#include "cmd/print/header_kfuncs.h"

/*
 * Print @before, and all types of @btf, over @base unless that is empty, to standard output, each type after
 * those that it needs, and then declarations of @kfuncs. @addr_size: of a pointer, 0 if unknown. ERR_UNSUPPORTED without libbpf 1, ERR_IO if libbpf
 * refuses the BTF or fails. If libbpf is missing or refuses the BTF, nothing is printed.
 */
MUST_CHECK struct err *bpflib_print_c(const char *before, struct bytes btf, struct bytes base,
				      const struct header_kfuncs *kfuncs, uint8_t addr_size);

#endif
