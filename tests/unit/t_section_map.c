/* SPDX-License-Identifier: GPL-2.0-only */
/* t_section_map.c - the section at an address */
#include "loader/elf/section_map.h"

#include "tests/lib/testlib.h"

#include <elf.h>

static const struct object_section *holder(const struct object_section *s, uint64_t addr)
{
	return (s->flags & SHF_ALLOC) && (s->type == SHT_PROGBITS || s->type == SHT_NOBITS) &&
			       addr >= s->debug_addr && addr - s->debug_addr < s->size ?
		       s :
		       NULL;
}

/* The rule: the first section of the table that has @addr. */
static uint32_t section_at(const struct object *o, uint64_t addr)
{
	for (size_t i = 1; i < o->nr_sections; i++)
		if (holder(&o->sections[i], addr))
			return (uint32_t)i;
	return 0;
}

static bool ends(const struct object *o, uint64_t addr)
{
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if ((s->flags & SHF_ALLOC) && s->size && addr - s->debug_addr == s->size)
			return true;
	}
	return false;
}

static void check_all(const struct object *o)
{
	struct section_map m;

	section_map_make(o, &m);
	for (uint64_t addr = 0; addr < 64; addr++) {
		const uint64_t both[] = { addr, -addr };

		for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
			CHECK_EQ(section_map_at(&m, both[i]), section_at(o, both[i]));
			CHECK_EQ(section_map_ends(&m, both[i]), ends(o, both[i]));
		}
	}
	section_map_release(&m);
}

TEST(of_sections_that_overlap_the_first_holds_a_variable)
{
	static const uint32_t types[] = { SHT_PROGBITS, SHT_NOBITS, SHT_NOTE };
	struct object_section sections[8];
	const struct object o = { .sections = sections, .nr_sections = ARRAY_SIZE(sections) };
	uint64_t random = 1;

	for (int round = 0; round < 2000; round++) {
		for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
			uint64_t bits = (random = random * 6364136223846793005u + 1) >> 20;

			sections[i] = (struct object_section){
				.type = types[bits % ARRAY_SIZE(types)],
				.flags = bits & 8 ? 0 : SHF_ALLOC,
				/* some are at the end of the address space, or beyond it */
				.debug_addr = (bits >> 8 & 63) - (bits & 16 ? 40 : 0),
				.size = bits >> 16 & (bits & 32 ? 15 : 63),
			};
		}
		check_all(&o);
	}
}

TEST(a_file_without_sections_holds_no_variable)
{
	check_all(&(struct object){ 0 });
}
