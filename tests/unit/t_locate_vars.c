/* SPDX-License-Identifier: GPL-2.0-only */
/* t_locate_vars.c - variables of members without addresses, found by the symbols of the linked file */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

/* Addresses of the sections; those of undefined and common symbols stand for these. */
enum {
	UNDEFINED,
	DATA = 0x100000,
	BSS = 0x200000,
	TBSS = 0x300000,
	LATE = TBSS,
	COMMENT = 0x400000,
	COMMON = 0x500000,
	SIZE = 0x10000,
	MAX_SECTIONS = 16
};

struct scene {
	struct elfmake m;
	struct object obj;
	struct symbols syms;
	struct encode_opts opts;
	struct program a;
	uint64_t addrs[MAX_SECTIONS];
	bool unwanted[MAX_SECTIONS];
	bool *apart;
	struct diagnostics diags;
};

struct scene_symbol {
	const char *name;
	uint8_t info;
	uint64_t addr, size;
};

/* clang-format off */
#define SYMBOL(name_, bind, type, addr_, size_) { name_, ELF64_ST_INFO(STB_##bind, STT_##type), addr_, size_ }
/* clang-format on */
#define SOURCE(name_) SYMBOL(name_, LOCAL, FILE, 0, 0)
#define LOCAL(name_, addr_) SYMBOL(name_, LOCAL, OBJECT, addr_, 4)
#define GLOBAL(name_, addr_) SYMBOL(name_, GLOBAL, OBJECT, addr_, 4)

/* A variable of a member. */
struct scene_var {
	uint32_t unit;
	const char *name;
	uint32_t linkage, size;
	uint64_t addr;       /* that it must have; ANYWHERE or OMITTED */
	bool has_facts;      /* it is at @addr already */
	const char *section; /* of the object; NULL: .data */
};

enum { ANYWHERE, OMITTED };

#define VAR(unit_, name_, linkage_, addr_, ...)                                                    \
	{                                                                                          \
		.unit = (unit_), .name = (name_), .linkage = BTF_LINK_##linkage_, .addr = (addr_), \
		__VA_ARGS__                                                                        \
	}
#define STATIC(unit_, name_, addr_) VAR(unit_, name_, STATIC, addr_, .size = 4)
#define EXTERNAL(unit_, name_, addr_) VAR(unit_, name_, GLOBAL, addr_, .size = 4)
#define WITH_FACTS(unit_, name_, addr_) \
	VAR(unit_, name_, STATIC, addr_, .size = 4, .has_facts = true)

/* Returns the number of the section, which has no data. */
static uint32_t add_section(struct scene *s, const char *name, uint64_t addr, uint64_t flags)
{
	size_t i = MAKE_SECTION(&s->m, .name = name, .type = SHT_NOBITS, .flags = flags,
				.addr = s->m.type == ET_REL ? 0 : addr, .size = SIZE, .align = 16);

	CHECK(i < MAX_SECTIONS);
	s->addrs[i] = addr;
	return (uint32_t)i;
}

static void scene_begin(struct scene *s, uint16_t type)
{
	static const struct encode_request no_request;

	s->m = make_x86_64(type);
	add_section(s, ".data", DATA, SHF_ALLOC);
	add_section(s, ".bss", BSS, SHF_ALLOC);
	program_init(&s->a, &no_request, &s->opts, &s->diags);
	s->diags.verbose = true;
}

static void scene_release(struct scene *s)
{
	program_release(&s->a);
	diag_release(&s->diags);
	symbols_release(&s->syms);
	object_close(&s->obj);
}

/* The last section that begins at @addr or before. */
static uint32_t section_at(const struct scene *s, uint64_t addr)
{
	uint32_t ret = 0;

	for (uint32_t i = 1; i < MAX_SECTIONS; i++) {
		if (s->addrs[i] && s->addrs[i] <= addr)
			ret = i;
	}
	return ret;
}

static void add_symbols(struct scene *s, const struct scene_symbol *symbols, size_t nr)
{
	for (size_t i = 0; i < nr && symbols[i].name; i++) {
		const struct scene_symbol *y = &symbols[i];
		uint32_t section = ELF64_ST_TYPE(y->info) == STT_FILE ? SHN_ABS :
				   y->addr >= COMMON                  ? SHN_COMMON :
									section_at(s, y->addr);
		bool is_offset = s->m.type == ET_REL && section < MAX_SECTIONS;

		make_any_symbol(&s->m, y->name, y->info, section,
				is_offset ? y->addr - s->addrs[section] : y->addr, y->size);
	}
}

static uint32_t name_of(struct scene *s, const char *text)
{
	return str_pool_add(&s->a.strings, text, strlen(text));
}

static void add_vars(struct scene *s, const struct scene_var *vars, size_t nr)
{
	for (size_t i = 0; i < nr && vars[i].name; i++) {
		const struct scene_var *v = &vars[i];

		for (uint32_t unit = (uint32_t)s->a.units.nr; unit <= v->unit; unit++)
			vec_push(&s->a.units,
				 ((struct program_unit){
					 .btf = { .unit = unit,
						  .name = name_of(s, make_text("u%u", unit)) } }));

		struct unit_btf *f = &s->a.units.items[v->unit].btf;
		uint32_t name = name_of(s, v->name);
		uint32_t section = section_at(s, v->addr);

		if (v->has_facts)
			vec_push(&f->vars,
				 ((struct unit_var){
					 .name = name,
					 .section = section,
					 .offset = (uint32_t)(v->addr - s->addrs[section]),
					 .size = v->size,
					 .linkage = v->linkage }));
		else
			vec_push(&f->unlocated,
				 ((struct unlocated_var){
					 .name = name,
					 .size = v->size,
					 .linkage = v->linkage,
					 .section = name_of(s,
							    v->section ? v->section : ".data") }));
	}
}

static void locate(struct scene *s)
{
	bool wanted[MAX_SECTIONS];
	struct input in = { .from_btf = true,
			    .var_sections = wanted,
			    .apart_sections = s->apart,
			    .members.nr = s->a.units.nr };

	make_symtab(&s->m);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), &s->obj));
	CHECK_OK(symbols_read(&s->obj, &s->syms));
	CHECK_OK(symbols_index_objects(&s->obj, NULL, &s->syms));
	for (size_t i = 0; i < MAX_SECTIONS; i++)
		wanted[i] = !s->unwanted[i];
	in.obj = s->obj;
	in.syms = s->syms;
	s->a.inputs = &in;
	locate_vars(&s->a);
	s->a.inputs = NULL;
}

static uint64_t addr_of(struct scene *s, const struct scene_var *v)
{
	const struct unit_btf *f = &s->a.units.items[v->unit].btf;

	for (size_t i = 0; i < f->vars.nr; i++) {
		const struct unit_var *u = &f->vars.items[i];

		if (u->name == name_of(s, v->name))
			return s->addrs[u->section] + u->offset;
	}
	return OMITTED;
}

/* Locate @vars, which must get their addresses with so many messages. */
static void check_addresses(struct scene *s, const struct scene_symbol *symbols, size_t nr_symbols,
			    const struct scene_var *vars, size_t nr_vars, size_t nr_messages)
{
	size_t nr = 0;

	add_symbols(s, symbols, nr_symbols);
	add_vars(s, vars, nr_vars);
	locate(s);
	for (size_t i = 0; i < nr_vars && vars[i].name; i++) {
		if (vars[i].addr != ANYWHERE && addr_of(s, &vars[i]) != vars[i].addr)
			test_fail(__FILE__, __LINE__,
				  "[%s] variable %zu, '%s': address %#jx, not %#jx",
				  test_state.row ? test_state.row : "", i, vars[i].name,
				  (uintmax_t)addr_of(s, &vars[i]), (uintmax_t)vars[i].addr);
	}
	for (const struct diagnostic *d = s->diags.first; d; d = d->next)
		nr++;
	CHECK_EQ(nr, nr_messages);
}

#define CHECK_ADDRESSES(s, symbols, vars, nr_messages) \
	check_addresses(s, symbols, ARRAY_SIZE(symbols), vars, ARRAY_SIZE(vars), nr_messages)

static const struct {
	const char *name;
	struct scene_symbol symbols[10];
	struct scene_var vars[8];
	size_t nr_messages;
} cases[] = {
	{ "all symbols are names of files",
	  { SOURCE("a.c"), SOURCE("b.c") },
	  { VAR(0, "x", STATIC, OMITTED, .size = 4, .section = ".bss") },
	  2 },
	{ "a global variable is where its symbol is",
	  { SYMBOL("g", GLOBAL, OBJECT, DATA + 0x40, 8) },
	  { VAR(0, "g", GLOBAL, DATA + 0x40, .size = 0x8) },
	  0 },
	{ "an overridden definition is where the other one is",
	  { SOURCE("weak.c"), LOCAL("beside", DATA + 0x24), GLOBAL("g", BSS + 0x80) },
	  { EXTERNAL(0, "g", BSS + 0x80), STATIC(0, "beside", DATA + 0x24),
	    EXTERNAL(1, "g", BSS + 0x80) },
	  0 },
	/* lld leaves the symbol in the group of the unit, ld moves it to a group of its own. */
	{ "a global variable may have become local",
	  { SOURCE("a.c"), LOCAL("own", DATA + 0x20), LOCAL("by_lld", DATA + 0x28), SOURCE("b.c"),
	    LOCAL("by_lld", DATA + 0x48), LOCAL("by_ld", DATA + 0x50), LOCAL("other", DATA + 0x54),
	    SOURCE(""), LOCAL("by_ld2", DATA + 0x60) },
	  { STATIC(0, "own", DATA + 0x20), EXTERNAL(0, "by_lld", DATA + 0x28),
	    EXTERNAL(0, "by_ld2", DATA + 0x60), STATIC(1, "by_lld", ANYWHERE),
	    STATIC(1, "by_ld", DATA + 0x50), STATIC(1, "other", ANYWHERE) },
	  0 },
	{ "a global variable that became local does not show the group",
	  { SOURCE("a.c"), LOCAL("x", DATA + 0x20), SOURCE("b.c"), LOCAL("x", DATA + 0x24),
	    GLOBAL("y", DATA + 0x28) },
	  { EXTERNAL(0, "x", OMITTED), STATIC(1, "x", OMITTED), EXTERNAL(1, "y", DATA + 0x28) },
	  3 },
	{ "a global variable that became local is not in the group of another unit",
	  { SOURCE("b.c"), LOCAL("x", DATA + 0x20), LOCAL("y", DATA + 0x24),
	    LOCAL("z", DATA + 0x28) },
	  { STATIC(0, "x", DATA + 0x20), STATIC(0, "y", DATA + 0x24), STATIC(0, "z", DATA + 0x28),
	    EXTERNAL(1, "x", OMITTED) },
	  2 },
	{ "a global variable that became local is not one of two symbols",
	  { SOURCE("b.c"), LOCAL("x", DATA + 0x20), SOURCE(""), LOCAL("x", DATA + 0x24) },
	  { EXTERNAL(0, "x", OMITTED) },
	  2 },
	/* The name of a unit is not known. */
	{ "a static variable is at the only symbol of its name",
	  { SOURCE("b.c"), LOCAL("x", DATA + 0x20), SOURCE("a.c"), LOCAL("y", DATA + 0x40) },
	  { STATIC(0, "x", DATA + 0x20), STATIC(1, "y", DATA + 0x40) },
	  0 },
	{ "the symbol of the unit's group is that of several",
	  { SOURCE("a.c"), LOCAL("debug", DATA + 0x40), LOCAL("one", DATA + 0x44), SOURCE("a.c"),
	    LOCAL("debug", DATA + 0x60), LOCAL("two", BSS + 0x8) },
	  { STATIC(0, "debug", DATA + 0x60), STATIC(0, "two", BSS + 0x8),
	    STATIC(1, "debug", DATA + 0x40), STATIC(1, "one", DATA + 0x44) },
	  0 },
	/* As "ld -r" makes it. */
	{ "a unit may have several groups",
	  { SOURCE("a.c"), LOCAL("x", DATA + 0x20), LOCAL("a", DATA + 0x24), SOURCE("b.c"),
	    LOCAL("y", DATA + 0x30), LOCAL("b", DATA + 0x34), SOURCE("c.c"),
	    LOCAL("x", DATA + 0x40), LOCAL("y", DATA + 0x44), LOCAL("c", DATA + 0x48) },
	  { STATIC(0, "x", DATA + 0x20), STATIC(0, "a", ANYWHERE), STATIC(0, "y", DATA + 0x30),
	    STATIC(0, "b", ANYWHERE), STATIC(1, "x", DATA + 0x40), STATIC(1, "y", DATA + 0x44),
	    STATIC(1, "c", ANYWHERE) },
	  0 },
	{ "a unit with two symbols of a name in its groups is not decided",
	  { SOURCE("a.c"), LOCAL("x", DATA + 0x20), LOCAL("a", DATA + 0x24), SOURCE("b.c"),
	    LOCAL("x", DATA + 0x30), LOCAL("b", DATA + 0x34) },
	  { STATIC(0, "x", OMITTED), STATIC(0, "a", DATA + 0x24), STATIC(0, "b", DATA + 0x34) },
	  2 },
	{ "a unit with two variables of a name is not decided",
	  { SOURCE("a.c"), LOCAL("x", DATA + 0x20), LOCAL("a", DATA + 0x24), SOURCE("b.c"),
	    LOCAL("x", DATA + 0x30), LOCAL("b", DATA + 0x34) },
	  { STATIC(0, "x", OMITTED), STATIC(0, "a", ANYWHERE), STATIC(0, "x", OMITTED),
	    STATIC(1, "b", ANYWHERE), STATIC(1, "x", DATA + 0x30) },
	  3 },
	{ "a group of two units has no owner",
	  { SOURCE("a.c"), LOCAL("x", DATA + 0x20), LOCAL("a", DATA + 0x24),
	    LOCAL("b", DATA + 0x28), SOURCE("b.c"), LOCAL("x", DATA + 0x30) },
	  { STATIC(0, "x", OMITTED), STATIC(0, "a", DATA + 0x24), STATIC(1, "x", OMITTED),
	    STATIC(1, "b", DATA + 0x28) },
	  3 },
	{ "a symbol may be larger than the type but not smaller",
	  { SYMBOL("flexible", LOCAL, OBJECT, DATA + 0x40, 0x40),
	    SYMBOL("small", LOCAL, OBJECT, DATA + 0x80, 8) },
	  { VAR(0, "flexible", STATIC, DATA + 0x40, .size = 0x10),
	    VAR(0, "small", STATIC, OMITTED, .size = 0x10) },
	  2 },
	{ "a table without files has addresses of single variables",
	  { LOCAL("x", DATA + 0x44), LOCAL("y", BSS + 0x40), LOCAL("debug", BSS + 0x30),
	    LOCAL("debug", BSS + 0x10) },
	  { STATIC(0, "x", DATA + 0x44), STATIC(0, "y", BSS + 0x40), STATIC(0, "debug", OMITTED),
	    STATIC(1, "debug", OMITTED) },
	  3 },
	/* A linker script may list the object of b.c first. */
	{ "the order of the groups does not count",
	  { SOURCE("b.c"), LOCAL("debug", DATA + 0x20), SOURCE("a.c"),
	    LOCAL("debug", DATA + 0x40) },
	  { STATIC(0, "debug", OMITTED), STATIC(1, "debug", OMITTED) },
	  3 },
	{ "of two one was discarded",
	  { SOURCE("a.c"), LOCAL("debug", DATA + 0x20) },
	  { STATIC(0, "debug", OMITTED), STATIC(1, "debug", OMITTED) },
	  3 },
	{ "a variable with facts shows the group of its unit",
	  { SOURCE("a.c"), LOCAL("x", DATA + 0x20), LOCAL("y", DATA + 0x24), SOURCE("b.c"),
	    LOCAL("x", DATA + 0x40), LOCAL("z", DATA + 0x44) },
	  { WITH_FACTS(0, "x", DATA + 0x20), WITH_FACTS(0, "y", DATA + 0x24),
	    STATIC(1, "x", DATA + 0x40), STATIC(1, "z", DATA + 0x44) },
	  0 },
	{ "a variable with facts counts",
	  { SOURCE("a.c"), LOCAL("x", DATA + 0x20) },
	  { WITH_FACTS(0, "x", DATA + 0x20), STATIC(1, "x", OMITTED) },
	  2 },
	{ "a symbol at another address is not that of a variable with facts",
	  { SOURCE("a.c"), LOCAL("x", DATA + 0x20), LOCAL("y", DATA + 0x24) },
	  { WITH_FACTS(0, "x", DATA + 0x28), STATIC(1, "y", DATA + 0x24),
	    STATIC(1, "x", DATA + 0x20) },
	  0 },
	{ "at the start of a section a variable needs its symbol",
	  { GLOBAL("object", DATA), SYMBOL("label", GLOBAL, NOTYPE, BSS, 0),
	    SYMBOL("later", GLOBAL, NOTYPE, BSS + 0x8, 0) },
	  { EXTERNAL(0, "object", DATA), EXTERNAL(0, "label", OMITTED),
	    EXTERNAL(0, "later", BSS + 0x8) },
	  0 },
	{ "a variable must end within four gigabytes",
	  { GLOBAL("long", DATA + 0x8), GLOBAL("just", DATA + 0x10) },
	  { VAR(0, "long", GLOBAL, OMITTED, .size = 0xfffffff8),
	    VAR(0, "just", GLOBAL, DATA + 0x10, .size = 0xffffffef) },
	  0 },
};

TEST_EACH(variables_are_at_the_symbols_that_fit, cases, c)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	scene_begin(&s, ET_EXEC);
	CHECK_ADDRESSES(&s, c->symbols, c->vars, c->nr_messages);
}

TEST_WITH(a_global_variable_without_a_symbol_was_discarded, scene, s)
{
	static const struct scene_symbol symbols[] = {
		SOURCE("a.c"),
		LOCAL("kept", DATA + 0x20),
		SYMBOL("elsewhere", GLOBAL, NOTYPE, UNDEFINED, 0),
		SYMBOL("gone", GLOBAL, FUNC, DATA + 0x24, 4),
	};
	static const struct scene_var vars[] = {
		VAR(0, "gone", GLOBAL, OMITTED, .size = 4, .section = ".data.gone"),
		VAR(0, "elsewhere", GLOBAL, OMITTED, .size = 4, .section = ".data.gone"),
		STATIC(0, "kept", DATA + 0x20),
	};

	scene_begin(s, ET_EXEC);
	CHECK_ADDRESSES(s, symbols, vars, 1);
	CHECK_EQ(s->diags.first->level, DIAG_VERBOSE);
	CHECK(strstr(s->diags.first->text, "'.data.gone': 2 variables"));
}

TEST_WITH(units_whose_variables_are_alike_are_left_out, scene, s)
{
	static const struct scene_symbol symbols[] = {
		SOURCE("a.c"),
		LOCAL("debug", DATA + 0x20),
		SOURCE("a.c"),
		LOCAL("debug", DATA + 0x40),
	};
	static const struct scene_var vars[] = { STATIC(0, "debug", OMITTED),
						 STATIC(1, "debug", OMITTED) };

	scene_begin(s, ET_EXEC);
	CHECK_ADDRESSES(s, symbols, vars, 3);
	const struct diagnostic *d = s->diags.first;

	CHECK_EQ(d->level, DIAG_VERBOSE);
	CHECK(strstr(d->text, "unit 'u0': variable 'debug' left out"));
	CHECK(strstr(d->next->text, "unit 'u1': variable 'debug' left out"));
	CHECK_EQ(d->next->next->level, DIAG_WARNING);
	CHECK(strstr(d->next->next->text, ": 2 variables left out"));
	CHECK(strstr(d->next->next->text, "first 'debug'"));
}

/* Ten thousand units of one name. */
TEST_WITH(many_that_are_alike_take_no_longer_than_others, scene, s)
{
	enum { NR = 10000 };

	scene_begin(s, ET_EXEC);
	for (uint32_t i = 0; i < NR; i++) {
		add_symbols(s,
			    (struct scene_symbol[]){ SOURCE("a.c"),
						     LOCAL("debug", DATA + 4 + 4 * i) },
			    2);
		add_vars(s, &(struct scene_var)STATIC(i, "debug", OMITTED), 1);
	}
	locate(s);
	CHECK_EQ(s->a.units.nr, NR);
	CHECK(!s->a.units.items[NR - 1].btf.vars.nr && !s->a.units.items[NR - 1].btf.unlocated.nr);
}

/* --- sections --- */

/* Of the last two units only one has the symbol. */
TEST_WITH(what_lies_in_no_wanted_section_is_dropped_without_a_message, scene, s)
{
	static const struct scene_symbol symbols[] = {
		SOURCE("a.c"), LOCAL("x", DATA + 0x20), LOCAL("y", BSS + 0x20),
		SOURCE("b.c"), LOCAL("x", DATA + 0x40), GLOBAL("g", DATA + 0x30),
	};
	static const struct scene_var vars[] = {
		EXTERNAL(0, "g", OMITTED),
		STATIC(0, "x", OMITTED),
		VAR(0, "y", STATIC, BSS + 0x20, .size = 4, .section = ".bss"),
		STATIC(1, "x", OMITTED),
		STATIC(2, "x", OMITTED),
	};

	scene_begin(s, ET_EXEC);
	s->unwanted[section_at(s, DATA)] = true;
	CHECK_ADDRESSES(s, symbols, vars, 0);
}

TEST_WITH(variables_of_a_section_may_stand_apart, scene, s)
{
	static const struct scene_symbol symbols[] = { SOURCE("a.c"), LOCAL("x", DATA + 0x20),
						       LOCAL("y", BSS + 0x20) };
	static const struct scene_var vars[] = { VAR(0, "y", STATIC, BSS + 0x20, .size = 4,
						     .section = ".bss"),
						 STATIC(0, "x", DATA + 0x20) };
	bool apart[MAX_SECTIONS] = { 0 };

	scene_begin(s, ET_EXEC);
	apart[section_at(s, BSS)] = true;
	s->apart = apart;
	CHECK_ADDRESSES(s, symbols, vars, 0);
	CHECK(s->a.units.items[0].btf.vars.items[0].apart);
	CHECK(!s->a.units.items[0].btf.vars.items[1].apart);
}

TEST_WITH(in_a_relocatable_file_values_are_offsets, scene, s)
{
	static const struct scene_symbol symbols[] = {
		SOURCE("a.c"),
		LOCAL("x", BSS + 0x20),
		GLOBAL("g", DATA + 0x40),
		GLOBAL("common", COMMON + 0x10),
		GLOBAL("beyond", DATA + SIZE),
	};
	static const struct scene_var vars[] = {
		VAR(0, "x", STATIC, BSS + 0x20, .size = 4, .section = ".bss"),
		EXTERNAL(0, "g", DATA + 0x40),
		EXTERNAL(0, "common", OMITTED),
		EXTERNAL(0, "beyond", OMITTED),
	};

	scene_begin(s, ET_REL);
	CHECK_ADDRESSES(s, symbols, vars, 1);
}

/* .tbss has addresses but occupies none. */
TEST_WITH(the_first_section_that_has_the_address_counts, scene, s)
{
	static const struct scene_symbol symbols[] = { GLOBAL("a", LATE + 0x10),
						       GLOBAL("b", LATE + 0x100),
						       GLOBAL("d", COMMENT + 8) };
	static const struct scene_var vars[] = { EXTERNAL(0, "a", TBSS + 0x10),
						 EXTERNAL(0, "b", LATE + 0x100),
						 EXTERNAL(0, "d", OMITTED) };

	scene_begin(s, ET_EXEC);
	uint32_t tbss = add_section(s, ".tbss", TBSS, SHF_ALLOC | SHF_TLS);
	uint32_t late = add_section(s, ".late", LATE, SHF_ALLOC);
	s->m.sections[tbss].size = 0x100;
	add_section(s, ".comment", COMMENT, 0);
	CHECK_ADDRESSES(s, symbols, vars, 0);
	CHECK_EQ(s->a.units.items[0].btf.vars.items[0].section, tbss);
	CHECK_EQ(s->a.units.items[0].btf.vars.items[1].section, late);
}

TEST_WITH(without_local_symbols_there_is_a_warning, scene, s)
{
	static const struct scene_symbol symbols[] = { GLOBAL("g", DATA + 0x20) };
	static const struct scene_var vars[] = { EXTERNAL(0, "g", DATA + 0x20),
						 VAR(0, "x", STATIC, OMITTED, .size = 4,
						     .section = ".bss") };

	scene_begin(s, ET_EXEC);
	CHECK_ADDRESSES(s, symbols, vars, 2);
	CHECK_EQ(s->diags.first->next->level, DIAG_WARNING);
	CHECK(strstr(s->diags.first->next->text, "has no local symbols"));
}
