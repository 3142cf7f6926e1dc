/* SPDX-License-Identifier: GPL-2.0-only */
/* t_id_list.c - packed lists of ids */
#include "dedup/pool/id_list.h"

#include "tests/lib/testlib.h"

static void check_same(const uint32_t *ids, size_t nr, struct id_list l)
{
	uint32_t got[16];
	size_t seen = 0;

	CHECK_EQ(l.nr, nr);
	id_list_unpack(l, got);
	CHECK(memcmp(got, ids, nr * sizeof(*ids)) == 0);
	id_list_each(l, r)
	{
		CHECK_EQ(r.index, seen);
		CHECK_EQ(r.id, ids[seen]);
		seen++;
	}
	CHECK_EQ(seen, nr);
}

TEST(ids_are_unpacked_as_they_were_packed)
{
	static const uint32_t near[] = { 0, 1, 2, 32769, 2, 0, 32767 };
	static const uint32_t far[] = { 32768, 0, UINT32_MAX, 5, 70000, 37232, 4463, 1u << 31 };
	struct id_words words = { 0 };

	id_list_pack(near, ARRAY_SIZE(near), &words);
	CHECK_EQ(words.nr, ARRAY_SIZE(near));
	id_list_pack(far, ARRAY_SIZE(far), &words);
	check_same(near, ARRAY_SIZE(near), (struct id_list){ words.items, ARRAY_SIZE(near) });
	check_same(far, ARRAY_SIZE(far),
		   (struct id_list){ words.items + ARRAY_SIZE(near), ARRAY_SIZE(far) });
	free(words.items);
}

TEST(an_empty_list_has_no_ids)
{
	id_list_each((struct id_list){ 0 }, r) CHECK(false);
}
