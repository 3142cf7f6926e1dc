/* SPDX-License-Identifier: GPL-2.0-only */
/* placing.h - members whose variables are looked for in a linked file */
#ifndef BTFENC_TESTS_LIB_PLACING_H
#define BTFENC_TESTS_LIB_PLACING_H

#include "encoder/place/var_place.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

enum { MAX_UNITS = 16, BASE = 0x10000, SIZE = 0x10000, NOWHERE = UINT32_MAX };

/*
 * A file with the sections .data and .bss, its symbols, and units with homes. Symbols of a
 * section are given by their offset in it.
 */
struct scene {
	struct elfmake m;
	uint32_t data, bss;
	struct object obj;
	struct symbols syms;
	struct str_pool strings;
	struct unit_btf btfs[MAX_UNITS];
	struct place_unit units[MAX_UNITS];
	size_t nr_units;
	struct {
		struct place_home *items;
		size_t nr, cap;
	} homes;
	const bool *wanted;
	struct diagnostics diags;
};

static inline void scene_release(struct scene *s)
{
	for (size_t i = 0; i < MAX_UNITS; i++)
		unit_btf_release(&s->btfs[i]);
	free(s->homes.items);
	diag_release(&s->diags);
	str_pool_release(&s->strings);
	symbols_release(&s->syms);
	object_close(&s->obj);
}

static inline uint32_t nobits(struct scene *s, const char *name, uint64_t addr, uint64_t size)
{
	return (uint32_t)make_section(&s->m, (struct make_section){
						     .name = name,
						     .type = SHT_NOBITS,
						     .flags = SHF_ALLOC,
						     .addr = s->m.type == ET_REL ? 0 : addr,
						     .size = size,
						     .align = 16,
					     });
}

static inline void begin_type(struct scene *s, uint16_t type)
{
	s->m = make_elf(MAKE_64, MAKE_LITTLE, type, EM_X86_64);
	s->data = nobits(s, ".data", BASE, SIZE);
	s->bss = nobits(s, ".bss", BASE + SIZE, SIZE);
	str_pool_init(&s->strings);
	s->diags.verbose = true;
}

static inline void begin(struct scene *s)
{
	begin_type(s, ET_EXEC);
}

/* --- symbols --- */

static inline void any_symbol(struct scene *s, const char *name, uint8_t info, uint32_t section,
			      uint64_t value, uint64_t size)
{
	/* for the null symbol and the name */
	make_symbol(&s->m, name, STT_OBJECT, section, 0, 0);
	s->m.syms.len -= sizeof(Elf64_Sym);
	make_raw_symbol(&s->m, (uint32_t)(s->m.strings.len - strlen(name) - 1), info, section,
			value, size);
}

static inline uint64_t value_of(const struct scene *s, uint32_t section, uint64_t offset)
{
	return offset + (s->m.type == ET_REL ? 0 : s->m.sections[section].addr);
}

static inline void file(struct scene *s, const char *name)
{
	any_symbol(s, name, ELF64_ST_INFO(STB_LOCAL, STT_FILE), SHN_ABS, 0, 0);
}

static inline void local(struct scene *s, const char *name, uint32_t section, uint64_t offset,
			 uint64_t size)
{
	any_symbol(s, name, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), section,
		   value_of(s, section, offset), size);
}

static inline void global(struct scene *s, const char *name, uint32_t section, uint64_t offset,
			  uint64_t size)
{
	any_symbol(s, name, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), section,
		   value_of(s, section, offset), size);
}

/* --- members --- */

static inline uint32_t id_of(struct scene *s, const char *name)
{
	return str_pool_add(&s->strings, name, strlen(name));
}

/* The next unit; @file may be NULL. */
static inline void unit(struct scene *s, const char *file_name)
{
	struct unit_btf *f = &s->btfs[s->nr_units];

	f->unit = (uint32_t)s->nr_units;
	f->name = id_of(s, make_text("u%zu", s->nr_units));
	s->units[s->nr_units++] = (struct place_unit){ f, file_name };
}

/* The next home of the unit. */
static inline void home(struct scene *s, const char *name)
{
	const struct unit_btf *f = &s->btfs[s->nr_units - 1];
	const struct place_home h = { .unit = f->unit,
				      .name = id_of(s, name),
				      .first = (uint32_t)f->vars.nr };

	vec_push(&s->homes, h);
}

/* The next variable of the home. */
static inline void var(struct scene *s, uint32_t linkage, const char *name, uint32_t offset,
		       uint32_t size)
{
	const struct unit_var v = {
		.name = id_of(s, name),
		.symbol = id_of(s, name),
		.offset = offset,
		.size = size,
		.linkage = linkage,
	};

	vec_push(&s->btfs[s->nr_units - 1].vars, v);
	s->homes.items[s->homes.nr - 1].nr++;
}

static inline void svar(struct scene *s, const char *name, uint32_t offset, uint32_t size)
{
	var(s, BTF_LINK_STATIC, name, offset, size);
}

static inline void gvar(struct scene *s, const char *name, uint32_t offset, uint32_t size)
{
	var(s, BTF_LINK_GLOBAL, name, offset, size);
}

/* A unit with one static variable at the start of .data. */
static inline void small_unit(struct scene *s, const char *file_name, const char *name,
			      uint32_t size)
{
	unit(s, file_name);
	home(s, ".data");
	svar(s, name, 0, size);
}

static inline void place(struct scene *s)
{
	make_symtab(&s->m);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), &s->obj));
	CHECK_OK(symbols_read(&s->obj, &s->syms));
	const struct omission_log log = { .diags = &s->diags, .strings = &s->strings };

	var_place(s->units, s->nr_units, s->homes.items, s->homes.nr, &s->obj, &s->syms,
		  &s->strings, s->wanted, &log);
}

/* Is the @i-th variable of @unit_nr at @offset of @section? NOWHERE: is it dropped? */
#define CHECK_PLACE(s, unit_nr, i, section_, offset_)                                \
	do {                                                                         \
		const struct unit_var *v_ = &(s)->btfs[unit_nr].vars.items[i];       \
                                                                                     \
		CHECK_EQ(v_->dropped ? NOWHERE : v_->section, (uint32_t)(section_)); \
		if (!v_->dropped)                                                    \
			CHECK_EQ(v_->offset, (offset_));                             \
	} while (0)

static inline size_t nr_notes(const struct scene *s)
{
	size_t nr = 0;

	for (const struct diagnostic *n = s->diags.first; n; n = n->next)
		nr++;
	return nr;
}

#endif
