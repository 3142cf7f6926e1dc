/* SPDX-License-Identifier: GPL-2.0-only */
/* var_name.h - which names a variable may have (docs/spec/encoding.md 9.2) */
#ifndef BTFENC_ENCODER_UNIT_VAR_NAME_H
#define BTFENC_ENCODER_UNIT_VAR_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Do the kernel's macros make such a variable, which no BPF program wants? */
bool var_name_of_macro(const char *name);
/* Does BTF accept it? */
bool var_name_valid(const char *name, size_t len);

#endif
