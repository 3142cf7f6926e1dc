/* SPDX-License-Identifier: GPL-2.0-only */
/* processors.h - how many threads are worth having */
#ifndef BTFENC_BASE_OS_PROCESSORS_H
#define BTFENC_BASE_OS_PROCESSORS_H

/* How many processors this process may use: at least 1. */
unsigned int processors(void);

/*
 * Of @jobs threads, those that are worth starting: at least 1, and two for each processor at most.
 * One may wait for the file while another computes; more take memory and caches from one another.
 */
unsigned int threads_worth(unsigned int jobs);

#endif
