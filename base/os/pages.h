/* SPDX-License-Identifier: GPL-2.0-only */
/* pages.h - memory that a file can give again */
#ifndef BTFENC_BASE_OS_PAGES_H
#define BTFENC_BASE_OS_PAGES_H

#include <stddef.h>

/*
 * The @len bytes at @p are of a file that is mapped and not written to, and will not be read again
 * soon: give their pages back, those at the edges included. If they are read after all, they
 * come again from the file.
 */
void pages_give_back(const void *p, size_t len);
/*
 * From now on nothing is given back: a file is not mapped, and what is taken for its mapping is
 * memory that would not come again.
 */
void pages_keep_all(void);

/*
 * Linux brings in up to so many bytes around a page that is read: also those before it that were
 * given back already, and whoever reads on will not do so again.
 */
enum { PAGES_AROUND = 64 * 1024 };

#endif
