/* SPDX-License-Identifier: GPL-2.0-only */
/* reg_names.h - the names of registers, by their numbers in DWARF */
#ifndef BTFENC_LOADER_ELF_REG_NAMES_H
#define BTFENC_LOADER_ELF_REG_NAMES_H

#include "base/text.h"

/* Append the name that gdb has for register @number of @machine (EM_*); "reg5" if that is not known. */
void reg_name(struct text *out, uint16_t machine, uint32_t number);
/* Append the name in reg() of bpftrace, without quotes; false if it has none. */
bool reg_name_bpftrace(struct text *out, uint16_t machine, uint32_t number);

#endif
