/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * id_array.h - an array by id that grows while other threads read it
 *
 * Ids are consecutive. The array consists of blocks that double in size and never move. An element is
 * zero until it is written; the pools synchronize its content.
 */
#ifndef BTFENC_BASE_ID_ARRAY_H
#define BTFENC_BASE_ID_ARRAY_H

#include "base/arena.h"
#include "base/bytes.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { ID_ARRAY_FIRST_BITS = 10, ID_ARRAY_BLOCKS = 32 - ID_ARRAY_FIRST_BITS + 1 };

/* Zeroed is empty. */
struct id_array {
	_Atomic(void *) blocks[ID_ARRAY_BLOCKS];
};

/* Block 0 holds ids below 2^10, block b those from 2^(9+b) on. */
ALWAYS_INLINE unsigned int id_array_block(uint32_t id)
{
	return id >> ID_ARRAY_FIRST_BITS ?
		       32 - ID_ARRAY_FIRST_BITS - (unsigned int)__builtin_clz(id) :
		       0;
}

ALWAYS_INLINE size_t id_array_base(unsigned int block)
{
	return block ? (size_t)1 << (ID_ARRAY_FIRST_BITS - 1 + block) : 0;
}

/* The element of an id for which id_array_make() has returned. */
ALWAYS_INLINE void *id_array_at(const struct id_array *a, uint32_t id, size_t size)
{
	unsigned int b = id_array_block(id);
	uint8_t *block = atomic_load_explicit(&a->blocks[b], memory_order_acquire);

	return block + (id - id_array_base(b)) * size;
}

/* Make sure that the element of @id exists. Thread-safe. */
static inline void *id_array_make(struct id_array *a, uint32_t id, size_t size)
{
	unsigned int b = id_array_block(id);

	if (unlikely(!atomic_load_explicit(&a->blocks[b], memory_order_acquire))) {
		size_t nr = b ? id_array_base(b) : (size_t)1 << ID_ARRAY_FIRST_BITS;
		void *fresh = mem_zalloc(nr, size), *none = NULL;

		if (!atomic_compare_exchange_strong(&a->blocks[b], &none, fresh))
			free(fresh);
	}
	return id_array_at(a, id, size);
}

static inline void id_array_release(struct id_array *a)
{
	for (size_t b = 0; b < ID_ARRAY_BLOCKS; b++)
		free(atomic_exchange(&a->blocks[b], NULL));
}

#endif
