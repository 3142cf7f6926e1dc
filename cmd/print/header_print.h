/* SPDX-License-Identifier: GPL-2.0-only */
/* header_print.h - BTF as a C header, by libbpf */
#ifndef BTFENC_CMD_PRINT_HEADER_PRINT_H
#define BTFENC_CMD_PRINT_HEADER_PRINT_H

#include "base/bytes.h"
#include "base/err.h"

/*
 * Print @btf, over @base unless that is empty, to standard output as "bpftool btf dump ... format c"
 * does. @addr_size: of a pointer, 0 if unknown. ERR_FORMAT if the kernel's checker refuses the BTF, or
 * if its types nest too deep for libbpf, which recurses; ERR_UNSUPPORTED without libbpf.
 */
MUST_CHECK struct err *header_print(struct bytes btf, struct bytes base, uint8_t addr_size);

#endif
