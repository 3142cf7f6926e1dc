/* SPDX-License-Identifier: GPL-2.0-only */
/* t_arena.c - the bump allocator and mem_grow() */
#include "base/arena.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

TEST_WITH(pieces_are_aligned_and_do_not_overlap, arena, a)
{
	enum { NR = 5000 };
	uint8_t *piece[NR];

	for (size_t i = 0; i < NR; i++) {
		piece[i] = arena_alloc(a, i % 97);
		CHECK_EQ((uintptr_t)piece[i] % 8, 0);
		memset(piece[i], (int)(i % 251), i % 97);
	}
	for (size_t i = 0; i < NR; i++) {
		for (size_t k = 0; k < i % 97; k++)
			CHECK_EQ(piece[i][k], i % 251);
	}
}

TEST_WITH(a_piece_larger_than_any_chunk_is_given, arena, a)
{
	size_t size = 9u << 20;

	arena_alloc(a, 10);
	uint8_t *big = arena_alloc(a, size);
	memset(big, 0xa5, size);
	uint8_t *next = arena_alloc(a, 8);
	CHECK(next + 8 <= big || next >= big + size);
}

TEST_WITH(reset_keeps_room_and_forgets_the_rest, arena, a)
{
	for (int i = 0; i < 1000; i++)
		arena_alloc(a, 1000);
	size_t before = a->total;
	arena_reset(a);
	CHECK(a->total > 0);
	CHECK(a->total < before);
	size_t kept = a->total;
	memset(arena_alloc(a, 1000), 1, 1000);
	CHECK_EQ(a->total, kept);
}

TEST(grown_memory_keeps_its_content_and_grows_by_half_at_least)
{
	size_t cap = 0;
	uint32_t *p = NULL;
	size_t moves = 0;

	for (uint32_t i = 0; i < 100000; i++) {
		size_t old = cap;

		p = mem_grow(p, &cap, i + 1, sizeof(*p));
		if (cap != old) {
			CHECK(cap >= old + old / 2 || (ADDRESS_SANITIZED && cap <= 64));
			moves++;
		}
		p[i] = i * 3;
	}
	CHECK(moves < (ADDRESS_SANITIZED ? 104 : 40));
	for (uint32_t i = 0; i < 100000; i++)
		CHECK_EQ(p[i], i * 3);
	free(p);
}
