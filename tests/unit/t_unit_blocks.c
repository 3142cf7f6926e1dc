/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_blocks.c - the facts of combined members become those of the result, with their relocations */
#include "encoder/program/unit_blocks.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

enum { NR_SLOTS = 3 };

static const struct machine {
	enum make_class class;
	enum make_order order;
	uint16_t machine;
	bool rela;
	uint32_t abs;
} machines[] = {
	{ MAKE_64, MAKE_LITTLE, EM_X86_64, true, R_X86_64_64 },
	{ MAKE_64, MAKE_BIG, EM_S390, true, R_390_64 },
	{ MAKE_32, MAKE_LITTLE, EM_386, false, R_386_32 },
	{ MAKE_32, MAKE_BIG, EM_ARM, false, R_ARM_ABS32 },
};

/* A relocatable file with .debug.btf: two blocks of NR_SLOTS, and zeros before each. */
struct scene {
	const struct machine *machine;
	struct elfmake m;
	struct input input;
	size_t section; /* number of .debug.btf */
	struct bytes data;
	uint8_t *own;
	struct member members[4];
	struct encode_opts opts;
	struct program program; /* their units */
	struct encode_result made;
};

static void scene_release(struct scene *s)
{
	encode_result_release(&s->made);
	free(s->program.units.items);
	free(s->own);
	object_close(&s->input.obj);
}

static struct bytes text_bytes(const char *text)
{
	return (struct bytes){ (const uint8_t *)text, strlen(text) };
}

static size_t width(const struct scene *s)
{
	return s->m.is64 ? 8 : 4;
}

/*
 * Slot 2 of each block has the value 0x77 and no relocation. The others have relocations against symbol 1 in the
 * first block, and symbol 2 in the second one.
 */
static void begin(struct scene *s, const struct machine *machine)
{
	struct byte_vec facts = { 0 };
	struct make_buf relocs = { 0 }, data = { 0 };

	s->machine = machine;
	s->m = make_elf(machine->class, machine->order, ET_REL, machine->machine);
	make_symbol(&s->m, "x", STT_OBJECT, SHN_ABS, 0x1000, 4);
	make_symbol(&s->m, "y", STT_OBJECT, SHN_ABS, 0x2000, 4);
	for (uint32_t block = 0; block < 2; block++) {
		struct make_buf slots = { 0 };

		for (uint32_t i = 0; i <= block; i++)
			vec_push(&facts, 0);
		for (uint32_t i = 0; i < NR_SLOTS; i++) {
			uint64_t at = facts.nr + FACTS_HEADER_LEN + i * width(s);

			if (i != 1)
				make_reloc(&s->m, &relocs, machine->rela, at, block + 1,
					   machine->abs, 0x10 * i);
			make_word(&s->m, &slots, i == 1 ? 0x77 : machine->rela ? 0 : 0x10 * i);
		}
		const struct facts_parts p = {
			.key = { 7, 1, 0x1234 },
			.swap = s->m.big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__),
			.addr_size = (uint8_t)width(s),
			.nr_slots = NR_SLOTS,
			.slots = make_view(&slots),
			.strings = { (const uint8_t *)"own", 4 },
			.body = text_bytes(block ? "second" : "first"),
		};
		CHECK_OK(facts_block_append(&p, &facts));
	}
	make_put(&data, facts.items, facts.nr);
	free(facts.items);
	s->section = make_data(&s->m, FACTS_SECTION, make_view(&data));
	make_relocs(&s->m, machine->rela ? ".rela.debug.btf" : ".rel.debug.btf", machine->rela,
		    s->section, make_symtab(&s->m), &relocs);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), &s->input.obj));
	CHECK_OK(object_read_section(&s->input.obj, s->section, &s->data, &s->own));
}

enum { NO_BLOCK = 2 };

/* The next member has @btf and block @block of the section. */
static void add_member(struct scene *s, const char *btf, uint32_t block, bool excluded)
{
	struct unit_btf unit = {
		.origin = { .source = block != NO_BLOCK && !excluded ? SOURCE_LINKED : SOURCE_BTF,
			    .excluded = excluded }
	};
	struct member *m = &s->members[s->program.units.nr];
	size_t at = 0;

	vec_push(&s->program.units, ((struct program_unit){ .btf = unit }));
	*m = (struct member){ .bytes = text_bytes(btf), .where = "member" };
	if (block == NO_BLOCK)
		return;
	for (uint32_t k = 0; k <= block; k++)
		CHECK_OK(facts_block_open(s->data, &at, s->input.obj.swap, &m->block));
	m->block_at = (size_t)(m->block.all.ptr - s->data.ptr);
	m->linked = true;
}

/* Block @i of the result, at *at. */
static void check_block(const struct scene *s, const char *btf, const char *body, uint32_t nr_slots,
			size_t *at, struct facts_block *b)
{
	const struct bytes facts = { s->made.facts.items, s->made.facts.nr };
	struct facts_start f;

	CHECK_OK(facts_block_open(facts, at, s->input.obj.swap, b));
	CHECK(b->all.ptr);
	CHECK(make_equal(b->btf, text_bytes(btf)));
	CHECK(make_equal(b->body, text_bytes(body)));
	CHECK_EQ(b->strings.len, nr_slots ? 4 : 0);
	CHECK_EQ(b->addr_size, width(s));
	CHECK_EQ(b->nr_slots, nr_slots);
	/* blocks for a link stand alone */
	CHECK_EQ(b->key.len, s->opts.for_link ? 0 : 6);
	CHECK_EQ(b->key.sum, s->opts.for_link ? 0 : facts_sum(text_bytes("result")));
	CHECK_EQ(b->key.nr_blocks, 3);
	/* its CRC is correct, though its body is no list of facts */
	CHECK_ERR_TEXT(facts_block_check(b, 0, 1, &f), ERR_FORMAT, "are inconsistent");
}

/* Relocation @i of the result is that of slot @slot of @b. */
static void check_reloc(const struct scene *s, size_t i, const struct facts_block *b, uint32_t slot,
			uint32_t symbol, int64_t addend)
{
	const struct reloc_entry *e = &s->made.relocs.items[i];
	size_t start = (size_t)(b->all.ptr - s->made.facts.items);

	CHECK_EQ(e->offset, start + FACTS_HEADER_LEN + (slot - 1) * width(s));
	CHECK_EQ(e->symbol, symbol);
	CHECK_EQ(e->type, s->machine->abs);
	if (s->machine->rela)
		CHECK_EQ(e->addend, addend);
	CHECK_EQ(facts_block_addr(b, slot), s->machine->rela ? 0 : addend);
}

TEST(relocations_of_slots_move_with_blocks_of_units_that_are_not_excluded)
{
	for (size_t k = 0; k < 2 * ARRAY_SIZE(machines); k++) {
		CLEANUP(scene_release) struct scene s = { .opts = { .for_link = k % 2 } };
		struct facts_block b;
		size_t at = 0, i = k / 2;

		begin(&s, &machines[i]);
		s.program.inputs = &s.input;
		s.program.opts = &s.opts;
		add_member(&s, "last", 1, false);
		add_member(&s, "none", NO_BLOCK, false);
		add_member(&s, "excluded", 1, true);
		add_member(&s, "first", 0, false);
		s.made.btf = mem_dup("result", 6);
		s.made.btf_len = 6;
		CHECK_OK(unit_blocks_copy(&s.program, s.section, s.members, &s.made));
		CHECK_EQ(s.made.relocs_rela, machines[i].rela);
		CHECK_EQ(s.made.relocs.nr, 4);

		check_block(&s, "last", "second", NR_SLOTS, &at, &b);
		CHECK_EQ(facts_block_addr(&b, 2), 0x77);
		check_reloc(&s, 0, &b, 1, 2, 0);
		check_reloc(&s, 1, &b, 3, 2, 0x20);

		/* a member without facts has its types, for the next link */
		check_block(&s, "none", "", 0, &at, &b);

		check_block(&s, "first", "first", NR_SLOTS, &at, &b);
		CHECK_EQ(facts_block_addr(&b, 2), 0x77);
		check_reloc(&s, 2, &b, 1, 1, 0);
		check_reloc(&s, 3, &b, 3, 1, 0x20);
		CHECK_EQ(at, s.made.facts.nr);
	}
}
