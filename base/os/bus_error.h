/* SPDX-License-Identifier: GPL-2.0-only */
/* bus_error.h - a mapped file that becomes shorter is an error like any other */
#ifndef BTFENC_BASE_OS_BUS_ERROR_H
#define BTFENC_BASE_OS_BUS_ERROR_H

/*
 * From now on, whoever reads of a mapped file what is no longer there, or cannot be read from its
 * disk, ends the process by critical_die() with a line that names the file.
 */
void bus_error_catch(void);

#endif
