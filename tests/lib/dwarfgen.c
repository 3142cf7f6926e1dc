/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/dwarfgen.h"

#include "base/vec.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/lib/dwarfgen_tables.h"

struct gen_ref {
	size_t at;      /* in .debug_info */
	uint32_t width; /* bytes; 0 is a ULEB of five */
	uint32_t to;    /* as the input has it */
	bool global;
};

struct dwarfgen {
	struct fuzz_input in;
	uint32_t flags;
	struct elfmake elf;
	struct make_buf info, abbrev, str;
	uint32_t name_at[ARRAY_SIZE(gen_names)];
	struct {
		size_t *items;
		size_t nr, cap;
	} dies;
	struct {
		struct gen_ref *items;
		size_t nr, cap;
	} refs;
	/* lines of the table at hand, without their codes: where they start */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} lines;
	/* the unit at hand */
	struct {
		size_t start, table, first_die, first_ref;
		unsigned int version, off_size, addr_size, depth;
		bool open;
	} unit;
};

/* The first attributes of a DIE, besides its sort. */
enum gen_odd {
	ODD_SOME = 1,      /* a byte says which attributes it has */
	ODD_FORMS = 2,     /* a byte for each attribute says its form */
	ODD_CHILDREN = 4,  /* has children where others have none, or the other way round */
	ODD_ATTRIBUTE = 8, /* one more attribute, of any sort */
	ODD_FORM = 16,     /* with ODD_FORMS: any form at all, not one that suits the attribute */
};

/* How deep DIEs may nest. */
enum { GEN_MAX_DEPTH = 200 };

/* Where variables and functions are, and, for a test of their symbols, what these are called. */
enum { GEN_TEXT_ADDR = 0x401000, GEN_DATA_ADDR = 0x402000, GEN_PERCPU_ADDR = 0x403000 };

static void gen_put(struct dwarfgen *g, unsigned int width, uint64_t v)
{
	make_int(&g->elf, &g->info, width, v);
}

static void gen_patch(struct dwarfgen *g, size_t at, unsigned int width, uint64_t v)
{
	for (unsigned int i = 0; i < width; i++)
		g->info.ptr[at + i] = (uint8_t)(v >> 8 * (g->elf.big ? width - 1 - i : i));
}

/* --- values ------------------------------------------------------------------------------- */

/* Mostly what programs have; the rest are the ends of what a form can hold. */
static uint64_t gen_number(struct dwarfgen *g)
{
	static const uint64_t far[] = { 0x7f,       0x80,        0xff,       0x7fff,
					0xffff,     0x10000,     0x1fffff,   0xffffff,
					0x10000000, 0x1fffffff,  0x7fffffff, 0x80000000,
					0xffffffff, 0x100000000, INT64_MAX,  UINT64_MAX };
	uint32_t byte = fuzz_byte(&g->in);

	return byte < 0xf0 ? byte & 0x7f : far[byte & 15];
}

static uint32_t gen_name_index(struct dwarfgen *g, enum gen_class class)
{
	uint32_t byte = fuzz_byte(&g->in);

	return class == GEN_TEXT ?
		       GEN_FIRST_TEXT + byte % (uint32_t)(ARRAY_SIZE(gen_names) - GEN_FIRST_TEXT) :
		       byte;
}

/* Of a byte that is too high for a name: the middle of one, or behind the last. */
static uint32_t gen_name_offset(const struct dwarfgen *g, uint32_t index)
{
	return index < ARRAY_SIZE(gen_names) ? g->name_at[index] : (index - 100) * 2;
}

/* Append @v in @width, which is as in gen_layouts. */
static void gen_put_width(struct dwarfgen *g, unsigned int width, uint64_t v)
{
	if (width == WIDTH_ULEB)
		dw_uleb(&g->info, v);
	else
		gen_put(g, width == WIDTH_OFFSET ? g->unit.off_size : width ? width : 1, v);
}

static void gen_ref(struct dwarfgen *g, unsigned int form, unsigned int width)
{
	struct gen_ref ref = { .at = g->info.len,
			       .to = fuzz_u16(&g->in),
			       .global = form == DW_FORM_ref_addr };

	if (ref.global && g->unit.version <= 2)
		ref.width = g->unit.addr_size;
	else if (width != WIDTH_ULEB)
		ref.width = width == WIDTH_OFFSET ? g->unit.off_size : width;
	vec_push(&g->refs, ref);
	for (uint32_t i = 0; i < ref.width; i++)
		gen_put(g, 1, 0);
	if (!ref.width)
		dw_uleb(&g->info, UINT32_MAX);
}

static void gen_location(struct dwarfgen *g, struct gen_layout layout)
{
	uint32_t choice = fuzz_byte(&g->in), addr_size = g->unit.addr_size;
	struct make_buf expr = { 0 };
	uint64_t addr = (choice & 1 ? GEN_PERCPU_ADDR : GEN_DATA_ADDR) + (choice & 0x78);

	switch (choice & 7) {
	case 0:
	case 1:
	case 7:
		dw_int(&expr, 1, DW_OP_addr);
		make_int(&g->elf, &expr, addr_size, addr);
		if ((choice & 7) == 7) {
			dw_int(&expr, 1, DW_OP_plus_uconst);
			dw_uleb(&expr, gen_number(g));
		}
		break;
	case 2:
		dw_int(&expr, 1, DW_OP_reg0 + (choice >> 3));
		break;
	case 3:
		dw_int(&expr, 1, DW_OP_fbreg);
		dw_int(&expr, 1, choice >> 3);
		break;
	case 4: /* two registers */
		dw_int(&expr, 4, 0x00930055 + 0x08000000 + (choice >> 3));
		dw_int(&expr, 1, DW_OP_reg0 + (choice >> 5));
		dw_int(&expr, 2, 0x0893);
		break;
	case 5: /* what a register had when the function was called */
		dw_int(&expr, 4, 0x9f5001a3 + ((uint32_t)(choice >> 5) << 16));
		break;
	default:
		for (uint32_t n = choice >> 4; n; n--)
			dw_int(&expr, 1, fuzz_byte(&g->in));
	}
	if (layout.sort == SORT_LIST) {
		gen_put_width(g, layout.width, layout.width == WIDTH_ULEB ? choice & 7 : choice);
		return;
	}
	gen_put_width(g, layout.width, expr.len);
	make_put(&g->info, expr.ptr, expr.len);
}

static void gen_value(struct dwarfgen *g, enum gen_class class, unsigned int form)
{
	struct gen_layout layout = { SORT_NUMBER, 0 };
	uint32_t name;

	if (form == DW_FORM_GNU_ref_alt)
		layout = (struct gen_layout){ SORT_REF, WIDTH_OFFSET };
	else if (form < ARRAY_SIZE(gen_layouts))
		layout = gen_layouts[form];
	switch ((enum gen_sort)layout.sort) {
	case SORT_NOTHING:
		break;
	case SORT_TEXT:
		name = gen_name_index(g, class);
		dw_text(&g->info, gen_names[name % ARRAY_SIZE(gen_names)]);
		break;
	case SORT_TEXT_OFFSET:
		name = gen_name_index(g, class);
		gen_put_width(g, layout.width, gen_name_offset(g, name));
		break;
	case SORT_TEXT_INDEX:
		gen_put_width(g, layout.width, gen_name_index(g, class));
		break;
	case SORT_REF:
		gen_ref(g, form, layout.width);
		break;
	case SORT_EXPR:
	case SORT_LIST:
		gen_location(g, layout);
		break;
	case SORT_ADDR:
		gen_put(g, g->unit.addr_size, GEN_TEXT_ADDR + (fuzz_byte(&g->in) & 0x3fu) * 16);
		break;
	case SORT_INDIRECT:
		dw_uleb(&g->info, DW_FORM_udata);
		dw_uleb(&g->info, gen_number(g));
		break;
	case SORT_SLEB:
		dw_int(&g->info, 1, fuzz_byte(&g->in) & 0x7f);
		break;
	case SORT_NUMBER:
		gen_put_width(g, layout.width == 16 ? 8 : layout.width, gen_number(g));
		if (layout.width == 16)
			gen_put(g, 8, 0);
		break;
	}
}

/* --- abbreviations ------------------------------------------------------------------------ */

/* The code of the line @line of the table at hand, whose last lines are looked through for it. */
static uint32_t gen_code(struct dwarfgen *g, const struct make_buf *line)
{
	size_t nr = g->lines.nr, oldest = nr > 64 ? nr - 64 : 0;

	for (size_t i = nr; i-- > oldest;) {
		size_t start = g->lines.items[i];

		if (g->abbrev.len - start >= line->len &&
		    !memcmp(g->abbrev.ptr + start, line->ptr, line->len))
			return (uint32_t)i + 1;
	}
	dw_uleb(&g->abbrev, nr + 1);
	vec_push(&g->lines, (uint32_t)g->abbrev.len);
	make_put(&g->abbrev, line->ptr, line->len);
	return (uint32_t)nr + 1;
}

static void gen_end_table(struct dwarfgen *g)
{
	dw_int(&g->abbrev, 1, 0);
	g->unit.table = g->abbrev.len;
	g->lines.nr = 0;
}

static unsigned int gen_form(struct dwarfgen *g, uint32_t odd, enum gen_class class)
{
	uint32_t choice = odd & ODD_FORMS ? fuzz_byte(&g->in) : 0;

	if (!(odd & ODD_FORM))
		return gen_forms[class].forms[choice % gen_forms[class].nr];
	/* 0x2c is the last one of DWARF 5; of those that GNU added four mean another file */
	choice %= DW_FORM_addrx4 + 1;
	if (choice == DW_FORM_strp_sup || choice == DW_FORM_ref_sup4 || choice == DW_FORM_ref_sup8)
		return g->flags & GEN_FOREIGN ? choice & 1 ? DW_FORM_GNU_ref_alt : choice :
						DW_FORM_udata;
	return choice;
}

/* --- entries ------------------------------------------------------------------------------ */

static void gen_die(struct dwarfgen *g, const struct gen_tag *tag, uint32_t odd)
{
	uint32_t wanted = odd & ODD_SOME ? fuzz_byte(&g->in) : 0xff, nr = 0;
	unsigned int forms[GEN_MAX_ATTRS + 1];
	struct gen_attr attrs[GEN_MAX_ATTRS + 1];
	bool children = tag->children != !!(odd & ODD_CHILDREN);
	struct make_buf line = { 0 };

	for (uint32_t i = 0; i < GEN_MAX_ATTRS && tag->attrs[i].attr; i++) {
		if (wanted & 1u << i)
			attrs[nr++] = tag->attrs[i];
	}
	if (odd & ODD_ATTRIBUTE)
		attrs[nr++] = gen_extra[fuzz_byte(&g->in) % ARRAY_SIZE(gen_extra)];

	dw_uleb(&line, tag->tag);
	dw_int(&line, 1, children);
	for (uint32_t i = 0; i < nr; i++) {
		forms[i] = gen_form(g, odd, attrs[i].class);
		dw_uleb(&line, attrs[i].attr);
		dw_uleb(&line, forms[i]);
		if (forms[i] == DW_FORM_implicit_const)
			dw_int(&line, 1, fuzz_byte(&g->in) & 0x7f);
	}
	dw_int(&line, 2, 0);

	uint32_t code = gen_code(g, &line);
	vec_push(&g->dies, g->info.len);
	dw_uleb(&g->info, code);
	for (uint32_t i = 0; i < nr; i++)
		gen_value(g, attrs[i].class, forms[i]);
	g->unit.depth += children;
}

/* --- units -------------------------------------------------------------------------------- */

/* Where @ref leads, from the start of the section; @first to @end are the DIEs that it can mean. */
static uint64_t gen_target(const struct dwarfgen *g, const struct gen_ref *ref, size_t first,
			   size_t end)
{
	uint64_t die = g->dies.items[first + ref->to % (end - first)];

	if (ref->to < 0xff00)
		return die;
	/* into the middle of one, or behind the end */
	return ref->to & 0x80 ? g->info.len + (ref->to & 0x7f) : die + 1;
}

static void gen_resolve(struct dwarfgen *g, const struct gen_ref *ref, uint64_t target)
{
	if (ref->width) {
		gen_patch(g, ref->at, ref->width, target);
		return;
	}
	for (uint32_t i = 0; i < 5; i++)
		g->info.ptr[ref->at + i] = (uint8_t)((target >> 7 * i & 0x7f) | (i < 4 ? 0x80 : 0));
}

static void gen_end_unit(struct dwarfgen *g, uint32_t longer)
{
	unsigned int len = g->unit.off_size == 8 ? 12 : 4;

	if (!g->unit.open)
		return;
	for (; g->unit.depth; g->unit.depth--)
		gen_put(g, 1, 0);
	gen_patch(g, g->unit.start + len - g->unit.off_size, g->unit.off_size,
		  g->info.len - g->unit.start - len + longer);
	for (size_t i = g->unit.first_ref; i < g->refs.nr; i++) {
		const struct gen_ref *r = &g->refs.items[i];

		if (!r->global)
			gen_resolve(g, r,
				    gen_target(g, r, g->unit.first_die, g->dies.nr) -
					    g->unit.start);
	}
	g->unit.open = false;
}

static void gen_header(struct dwarfgen *g, unsigned int type)
{
	bool is_type = type == DW_UT_type;

	if (g->unit.off_size == 8)
		gen_put(g, 4, 0xffffffff);
	gen_put(g, g->unit.off_size, 0);
	gen_put(g, 2, g->unit.version);
	if (g->unit.version >= 5) {
		gen_put(g, 1, type);
		gen_put(g, 1, g->unit.addr_size);
	}
	gen_put(g, g->unit.off_size, g->unit.table);
	if (g->unit.version < 5)
		gen_put(g, 1, g->unit.addr_size);
	if (g->unit.version >= 5 && is_type) {
		gen_put(g, 8, fuzz_byte(&g->in));
		/* the first DIE below the unit's, which takes less than 64 bytes; mostly wrong, or not */
		gen_put(g, g->unit.off_size, 24 + (fuzz_byte(&g->in) & 0x3f));
	}
}

/* The outermost DIE, with bases of what lies in sections of its own. */
static void gen_unit_die(struct dwarfgen *g, unsigned int type)
{
	/* types of other languages are not checked by the kernel's rules */
	static const uint8_t langs[] = {
		DW_LANG_C11,  DW_LANG_C89,       DW_LANG_C99,  DW_LANG_C, DW_LANG_C_plus_plus_14,
		DW_LANG_Rust, LANGUAGE_ASSEMBLY, DW_LANG_Ada95
	};
	static const uint16_t bases[] = { DW_AT_str_offsets_base, DW_AT_addr_base,
					  DW_AT_loclists_base };
	struct make_buf line = { 0 };

	dw_uleb(&line, type == DW_UT_partial ? DW_TAG_partial_unit :
		       type == DW_UT_type    ? DW_TAG_type_unit :
					       DW_TAG_compile_unit);
	dw_int(&line, 1, 1);
	dw_uleb(&line, DW_AT_language);
	dw_uleb(&line, DW_FORM_data1);
	dw_uleb(&line, DW_AT_producer);
	dw_uleb(&line, DW_FORM_string);
	for (size_t i = 0; i < ARRAY_SIZE(bases) && g->unit.version >= 5; i++) {
		dw_uleb(&line, bases[i]);
		dw_uleb(&line, DW_FORM_sec_offset);
	}
	dw_int(&line, 2, 0);

	uint32_t code = gen_code(g, &line), choice = fuzz_byte(&g->in);
	vec_push(&g->dies, g->info.len);
	dw_uleb(&g->info, code);
	gen_put(g, 1, langs[choice & (g->flags & GEN_FOREIGN ? 7 : 3)]);
	dw_text(&g->info, choice & 8 ? "clang version 19" : "GNU C11");
	for (size_t i = 0; i < ARRAY_SIZE(bases) && g->unit.version >= 5; i++)
		gen_put(g, g->unit.off_size, bases[i] == DW_AT_loclists_base ? 12 : 8);
	g->unit.depth = 1;
}

static void gen_begin_unit(struct dwarfgen *g)
{
	static const uint8_t types[] = { DW_UT_compile, DW_UT_partial, DW_UT_type, DW_UT_compile };
	/* no bits are the usual: version 5, everything in its ordinary width */
	uint32_t choice = fuzz_byte(&g->in);
	unsigned int type = types[choice >> 4 & 3];

	if (choice & 0x40)
		gen_end_table(g);
	g->unit.version = 5 - (choice & 3);
	g->unit.off_size = choice & 4 ? 8 : 4;
	g->unit.addr_size = g->elf.is64 != !!(choice & 8) ? 8 : 4;
	g->unit.start = g->info.len;
	g->unit.first_die = g->dies.nr;
	g->unit.first_ref = g->refs.nr;
	g->unit.open = true;
	gen_header(g, type);
	gen_unit_die(g, type);
}

static void gen_units(struct dwarfgen *g)
{
	enum { END_CHILDREN = ARRAY_SIZE(gen_tags), END_UNIT, NR_CHOICES };

	do {
		uint32_t first, choice;

		if (!g->unit.open)
			gen_begin_unit(g);
		first = fuzz_byte(&g->in);
		choice = first % NR_CHOICES;
		if (choice == END_UNIT) {
			/* a high one claims more than is there */
			gen_end_unit(g, first > 0xe0 ? fuzz_byte(&g->in) : 0);
		} else if (choice == END_CHILDREN || g->unit.depth == GEN_MAX_DEPTH) {
			if (g->unit.depth > 1) {
				gen_put(g, 1, 0);
				g->unit.depth--;
			}
		} else {
			gen_die(g, &gen_tags[choice], fuzz_byte(&g->in));
		}
	} while (g->in.left);
	gen_end_unit(g, 0);
	for (size_t i = 0; i < g->refs.nr; i++) {
		const struct gen_ref *r = &g->refs.items[i];

		if (r->global)
			gen_resolve(g, r, gen_target(g, r, 0, g->dies.nr));
	}
	dw_int(&g->abbrev, 1, 0);
}

/* --- what is around them ------------------------------------------------------------------ */

/* A section with a header of DWARF 5: its length, version, and @more. */
static void gen_indexed(struct dwarfgen *g, const char *name, uint32_t more,
			const struct make_buf *body)
{
	struct make_buf all = { 0 };

	make_int(&g->elf, &all, 4, body->len + 4);
	make_int(&g->elf, &all, 2, 5);
	make_int(&g->elf, &all, 1, more);
	make_int(&g->elf, &all, 1, 0);
	make_put(&all, body->ptr, body->len);
	make_data(&g->elf, name, make_view(&all));
}

static void gen_indexes(struct dwarfgen *g)
{
	struct make_buf offsets = { 0 }, addrs = { 0 }, lists = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(gen_names); i++)
		make_int(&g->elf, &offsets, 4, g->name_at[i]);
	for (uint32_t i = 0; i < 8; i++)
		make_word(&g->elf, &addrs, (i & 4 ? GEN_DATA_ADDR : GEN_TEXT_ADDR) + i * 16);
	make_int(&g->elf, &lists, 4, 4);
	for (uint32_t i = 0; i < 4; i++)
		make_int(&g->elf, &lists, 4, 16 + 4 * i);
	for (uint32_t i = 0; i < 4; i++) {
		dw_int(&lists, 1, DW_LLE_default_location);
		dw_int(&lists, 1, 1);
		dw_int(&lists, 1, DW_OP_reg5 - i);
		dw_int(&lists, 1, DW_LLE_end_of_list);
	}
	gen_indexed(g, ".debug_str_offsets", 0, &offsets);
	gen_indexed(g, ".debug_addr", g->elf.is64 ? 8 : 4, &addrs);
	gen_indexed(g, ".debug_loclists", g->elf.is64 ? 8 : 4, &lists);
}

static void gen_symbols(struct dwarfgen *g)
{
	static const struct {
		const char *section;
		uint64_t flags, addr;
	} sections[] = { { ".text", SHF_EXECINSTR, GEN_TEXT_ADDR },
			 { ".data", SHF_WRITE, GEN_DATA_ADDR },
			 { ".data..percpu", SHF_WRITE, GEN_PERCPU_ADDR } };
	static const char *const funcs[] = { "f", "main", "g", "f.isra.0" };

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		MAKE_SECTION(&g->elf, .name = sections[i].section, .type = SHT_NOBITS,
			     .flags = SHF_ALLOC | sections[i].flags, .addr = sections[i].addr,
			     .size = 0x400);
	for (uint32_t i = 0; i < ARRAY_SIZE(funcs); i++)
		make_symbol(&g->elf, funcs[i], STT_FUNC, 1, GEN_TEXT_ADDR + 16 * i, 16);
	for (uint32_t i = 0; i < 8; i++)
		make_symbol(&g->elf, i & 1 ? "percpu" : "v", STT_OBJECT, 2 + (i & 1),
			    (i & 1 ? GEN_PERCPU_ADDR : GEN_DATA_ADDR) + 16 * (i / 2), 8);
	make_symtab(&g->elf);
}

struct make_buf dwarfgen_file(const uint8_t *data, size_t size)
{
	static const uint16_t machines[2][2] = { { EM_386, EM_MIPS }, { EM_X86_64, EM_S390 } };
	struct dwarfgen g = { .in = { data, size } };

	g.flags = fuzz_byte(&g.in);
	bool big = g.flags & GEN_BIG_ENDIAN, wide = !(g.flags & GEN_32_BITS);
	g.elf = make_elf(wide ? MAKE_64 : MAKE_32, big ? MAKE_BIG : MAKE_LITTLE, ET_EXEC,
			 machines[wide][big]);
	for (size_t i = 0; i < ARRAY_SIZE(gen_names); i++) {
		g.name_at[i] = (uint32_t)g.str.len;
		dw_text(&g.str, gen_names[i]);
	}
	gen_units(&g);
	gen_symbols(&g);
	gen_indexes(&g);
	make_data(&g.elf, ".debug_info", make_view(&g.info));
	make_data(&g.elf, ".debug_abbrev", make_view(&g.abbrev));
	make_data(&g.elf, ".debug_str", make_view(&g.str));
	make_data(&g.elf, ".debug_line_str", make_view(&g.str));
	free(g.dies.items);
	free(g.refs.items);
	free(g.lines.items);
	return make_bytes(&g.elf);
}
