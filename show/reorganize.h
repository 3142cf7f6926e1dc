/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reorganize.h - an order of the members of a struct with fewer and smaller holes
 *
 * The moves are those of pahole 1.32. BTF does not contain which order a program depends on.
 */
#ifndef BTFENC_SHOW_REORGANIZE_H
#define BTFENC_SHOW_REORGANIZE_H

#include "show/layout.h"

/* One move: the names of the member, and of the members before its old and its new place. */
struct reorganize_move {
	uint32_t member, from, to;
	uint64_t padding; /* bytes that it adds to the padding at the end */
};

/* Receives each move, and the layout after it. */
typedef void reorganize_watch(void *arg, const struct layout *l, const struct reorganize_move *m);

/*
 * Reorganize @l, the layout of a struct. It never becomes larger. @watch may be NULL; the offsets that it sees are
 * estimates, as in pahole.
 */
void reorganize(struct show_types *t, struct layout *l, reorganize_watch *watch, void *arg);

/* The size of the struct @id after that; its size if it has no hole. @cacheline as in layout_find(). */
uint32_t reorganized_size(struct show_types *t, uint32_t id, uint32_t cacheline);

#endif
