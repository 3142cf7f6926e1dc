/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * regs.h - in which registers a machine passes arguments
 *
 * A parameter in another register than its position in the list requires was moved by an optimization. A
 * caller then needs another prototype than that in the source
 * (docs/spec/encoding.md 8.4).
 */
#ifndef BTFENC_ENCODER_UNIT_REGS_H
#define BTFENC_ENCODER_UNIT_REGS_H

#include <stdbool.h>
#include <stdint.h>

enum { REGS_MAX = 8 };

struct regs {
	uint8_t nr;           /* arguments that are passed in registers */
	bool one_slot;        /* each takes one register, however large it is */
	int8_t reg[REGS_MAX]; /* DWARF numbers of the first @nr; -1: not known */
	/* how far the numbers are from those that the same registers have in the caller; 0: they are equal */
	uint8_t window;
	uint8_t max_align; /* members of scalar types have no larger alignment; 0: as large as they are */
};

/* The registers of EM_* @machine by its ABI; @addr_size is 4 or 8. One with @nr 0 if it is unknown. Never NULL. */
const struct regs *regs_for_machine(uint16_t machine, unsigned int addr_size);
/* Those that pahole knows. */
const struct regs *regs_of_pahole(uint16_t machine);

#endif
