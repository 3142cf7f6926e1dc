/* SPDX-License-Identifier: GPL-2.0-only */
/* id_list.c - see id_list.h */
#include "dedup/pool/id_list.h"

void id_list_pack(const uint32_t *ids, size_t nr, struct id_words *to)
{
	uint32_t last = 0;

	for (size_t i = 0; i < nr; i++) {
		int32_t step = (int32_t)(ids[i] - last);

		vec_reserve(to, 3);
		if (step > INT16_MIN && step <= INT16_MAX) {
			to->items[to->nr++] = (int16_t)step;
		} else {
			to->items[to->nr] = ID_LIST_FAR;
			memcpy(to->items + to->nr + 1, &ids[i], sizeof(ids[i]));
			to->nr += 3;
		}
		last = ids[i];
	}
}

void id_list_unpack(struct id_list l, uint32_t *to)
{
	id_list_each(l, r) to[r.index] = r.id;
}
