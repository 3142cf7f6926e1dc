/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfhard.c - types on which an encoder can take forever: btfhard SHAPE N dwarf|btf OUT
 *
 * Two units say the same, so that there is something to compare, as DWARF or as the BTF of two members.
 * What libbpf is quadratic or exponential in, or recurses on:
 *
 *	enums     N enums without a name: no key tells them apart
 *	unions    N unions without a name, alike but for what their first member points to
 *	chain     N structs, each of which points to the next one
 *	clash     the same, but the last one is another one in the second unit, which the rule finds out
 *	          anew for each of them: what libbpf is quadratic in, and so are we
 *	pointers  N pointers to one another
 *	copies    N levels of structs, each of which has eight pointers to the next; one unit has it all
 *	          once, and the other twice where that stands
 *	types     N types of all sorts, in one unit
 *	blocks    N blocks in one another, with a type in the innermost (DWARF alone)
 */
#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/dwarfmake.h"

#include <stdlib.h>

enum { FAN_OUT = 8 };

struct program {
	struct btf_types units[2];
	struct make_buf strings;
	uint32_t blocks;
};

static uint32_t string(struct program *p, const char *text)
{
	uint32_t at = (uint32_t)p->strings.len;

	make_put(&p->strings, text, strlen(text) + 1);
	return at;
}

static uint32_t name(struct program *p, const char *prefix, uint32_t i)
{
	char text[32];

	snprintf(text, sizeof(text), "%s%u", prefix, i);
	return string(p, text);
}

/* --- shapes ------------------------------------------------------------------------------ */

static void add_enums(struct program *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t value = name(p, "value", i);

		for (uint32_t u = 0; u < 2; u++)
			ADD(&p->units[u], 0, btf_info(BTF_ENUM, 1, false), 4, value, i);
	}
}

static void add_unions(struct program *p, uint32_t n)
{
	uint32_t event = string(p, "event"), handler = string(p, "handler");

	for (uint32_t i = 0; i < n; i++) {
		uint32_t own = name(p, "s", i);

		for (uint32_t u = 0; u < 2; u++) {
			struct btf_types *t = &p->units[u];
			uint32_t to = add_ptr(t, add_fwd(t, own, false));

			ADD(t, 0, btf_info(BTF_UNION, 2, false), 8, event, to, 0, handler,
			    add_ptr(t, 0), 0);
		}
	}
}

static void add_chain(struct program *p, uint32_t n)
{
	uint32_t next = string(p, "next");

	for (uint32_t i = 0; i < n; i++) {
		uint32_t own = name(p, "s", i);

		for (uint32_t u = 0; u < 2; u++) {
			struct btf_types *t = &p->units[u];
			uint32_t id = btf_types_end(t);

			add_struct1(t, own, next, id + 1);
			add_ptr(t, i + 1 < n ? id + 2 : 0);
		}
	}
}

/* The last one is another one in the second unit, and all lead there. */
static void add_clash(struct program *p, uint32_t n)
{
	uint32_t last = string(p, "last"), member = string(p, "member");

	add_chain(p, n);
	for (uint32_t u = 0; u < 2; u++) {
		struct btf_types *t = &p->units[u];
		uint32_t end = btf_types_end(t);

		*btf_rec_type(btf_types_rec(t, end - 1), 0) = end;
		if (u)
			add_struct0(t, last);
		else
			add_struct1(t, last, member, end - 1);
	}
}

static void add_pointers(struct program *p, uint32_t n)
{
	uint32_t s = name(p, "s", 0), member = string(p, "member");

	for (uint32_t u = 0; u < 2; u++) {
		struct btf_types *t = &p->units[u];

		add_struct1(t, s, member, 2);
		for (uint32_t i = 0; i < n; i++)
			add_ptr(t, i + 1 < n ? btf_types_end(t) + 1 : 0);
	}
}

/* From @level on; the id of its struct. */
static uint32_t add_levels(struct program *p, struct btf_types *t, uint32_t n)
{
	uint32_t below = 0, member = string(p, "member");

	for (uint32_t level = n; level-- > 0;) {
		uint32_t to[FAN_OUT], rec[BTF_REC_WORDS + 3 * FAN_OUT];

		for (uint32_t i = 0; i < FAN_OUT; i++)
			to[i] = add_ptr(t, below);
		rec[0] = name(p, "level", level);
		rec[1] = btf_info(BTF_STRUCT, FAN_OUT, false);
		rec[2] = 8 * FAN_OUT;
		for (uint32_t i = 0; i < FAN_OUT; i++) {
			rec[BTF_REC_WORDS + 3 * i] = member;
			rec[BTF_REC_WORDS + 3 * i + 1] = to[i];
			rec[BTF_REC_WORDS + 3 * i + 2] = 64 * i;
		}
		below = add_words(t, rec, ARRAY_SIZE(rec));
	}
	return below;
}

static void add_copies(struct program *p, uint32_t n)
{
	uint32_t a = string(p, "a"), b = string(p, "b"), root = string(p, "root");

	for (uint32_t u = 0; u < 2; u++) {
		struct btf_types *t = &p->units[u];
		/* the root comes first: it is compared before what is in it */
		uint32_t id = add_struct2(t, root, a, 0, b, 0);
		uint32_t one = add_ptr(t, add_levels(p, t, n));
		uint32_t two = u ? add_ptr(t, add_levels(p, t, n)) : one;

		*btf_rec_type(btf_types_rec(t, id), 0) = one;
		*btf_rec_type(btf_types_rec(t, id), 1) = two;
	}
}

static void add_types(struct program *p, uint32_t n)
{
	struct btf_types *t = &p->units[0];
	uint32_t member = string(p, "member"), number = add_int(t, string(p, "int"));

	for (uint32_t i = 0; btf_types_end(t) < n; i++) {
		uint32_t own = name(p, "s", i), s = add_struct1(t, own, member, number);

		add_ref(t, BTF_TYPEDEF, name(p, "t", i), s);
		add_array(t, add_ptr(t, add_ref(t, BTF_CONST, 0, s)), number, i + 1);
	}
}

static void add_blocks(struct program *p, uint32_t n)
{
	add_chain(p, 1);
	p->blocks = n;
}

static const struct shape {
	const char *name;
	void (*add)(struct program *p, uint32_t n);
} shapes[] = {
	{ "enums", add_enums }, { "unions", add_unions },     { "chain", add_chain },
	{ "clash", add_clash }, { "pointers", add_pointers }, { "copies", add_copies },
	{ "types", add_types }, { "blocks", add_blocks },
};

/* --- as DWARF ----------------------------------------------------------------------------- */

enum {
	CODE_UNIT = 1,
	CODE_BLOCK,
	CODE_FUNCTION,
	CODE_INT,
	CODE_PTR,
	CODE_PTR_VOID,
	CODE_STRUCT,
	CODE_UNION,
	CODE_MEMBER,
	CODE_FWD,
	CODE_ENUM,
	CODE_VALUE,
	CODE_TYPEDEF,
	CODE_CONST,
	CODE_ARRAY,
	CODE_RANGE,
};

static void declare_abbrevs(struct dwarfmake *d)
{
	dw_abbrev_decl(d, CODE_UNIT, DW_TAG_compile_unit, true, DW_AT_name, DW_FORM_string,
		       DW_AT_language, DW_FORM_data1, 0);
	dw_abbrev_decl(d, CODE_BLOCK, DW_TAG_lexical_block, true, 0);
	dw_abbrev_decl(d, CODE_FUNCTION, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_string, 0);
	dw_abbrev_decl(d, CODE_INT, DW_TAG_base_type, false, DW_AT_name, DW_FORM_strp,
		       DW_AT_byte_size, DW_FORM_data1, DW_AT_encoding, DW_FORM_data1, 0);
	dw_abbrev_decl(d, CODE_PTR, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, CODE_PTR_VOID, DW_TAG_pointer_type, false, 0);
	dw_abbrev_decl(d, CODE_STRUCT, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_strp,
		       DW_AT_byte_size, DW_FORM_udata, 0);
	dw_abbrev_decl(d, CODE_UNION, DW_TAG_union_type, true, DW_AT_byte_size, DW_FORM_udata, 0);
	dw_abbrev_decl(d, CODE_MEMBER, DW_TAG_member, false, DW_AT_name, DW_FORM_strp, DW_AT_type,
		       DW_FORM_ref4, DW_AT_data_member_location, DW_FORM_udata, 0);
	dw_abbrev_decl(d, CODE_FWD, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_strp,
		       DW_AT_declaration, DW_FORM_flag_present, 0);
	dw_abbrev_decl(d, CODE_ENUM, DW_TAG_enumeration_type, true, DW_AT_byte_size, DW_FORM_udata,
		       0);
	dw_abbrev_decl(d, CODE_VALUE, DW_TAG_enumerator, false, DW_AT_name, DW_FORM_strp,
		       DW_AT_const_value, DW_FORM_udata, 0);
	dw_abbrev_decl(d, CODE_TYPEDEF, DW_TAG_typedef, false, DW_AT_name, DW_FORM_strp, DW_AT_type,
		       DW_FORM_ref4, 0);
	dw_abbrev_decl(d, CODE_CONST, DW_TAG_const_type, false, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, CODE_ARRAY, DW_TAG_array_type, true, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, CODE_RANGE, DW_TAG_subrange_type, false, DW_AT_count, DW_FORM_udata, 0);
}

struct writer {
	struct dwarfmake d;
	struct {
		struct fixup {
			size_t at;
			uint32_t id;
		} * items;
		size_t nr, cap;
	} fixups;
	uint32_t *die; /* by id */
};

static void put_ref(struct writer *w, uint32_t id)
{
	vec_push(&w->fixups, ((struct fixup){ w->d.info.len, id }));
	dw_int(&w->d.info, 4, 0);
}

static void put_code(struct writer *w, unsigned int code, uint32_t strp)
{
	dw_uleb(&w->d.info, code);
	if (strp)
		dw_int(&w->d.info, 4, strp);
}

static void put_record(struct writer *w, const uint32_t *rec)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]), vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	struct make_buf *b = &w->d.info;
	const uint32_t *elem = rec + BTF_REC_WORDS;

	switch (kind) {
	case BTF_INT:
		put_code(w, CODE_INT, rec[BTF_REC_NAME]);
		dw_int(b, 1, 4), dw_int(b, 1, DW_ATE_signed);
		break;
	case BTF_PTR:
		put_code(w, rec[BTF_REC_SIZE_TYPE] ? CODE_PTR : CODE_PTR_VOID, 0);
		if (rec[BTF_REC_SIZE_TYPE])
			put_ref(w, rec[BTF_REC_SIZE_TYPE]);
		break;
	case BTF_CONST:
	case BTF_TYPEDEF:
		put_code(w, kind == BTF_CONST ? CODE_CONST : CODE_TYPEDEF, rec[BTF_REC_NAME]);
		put_ref(w, rec[BTF_REC_SIZE_TYPE]);
		break;
	case BTF_FWD:
		put_code(w, CODE_FWD, rec[BTF_REC_NAME]);
		break;
	case BTF_ARRAY:
		put_code(w, CODE_ARRAY, 0);
		put_ref(w, elem[0]);
		put_code(w, CODE_RANGE, 0);
		dw_uleb(b, elem[2]);
		dw_int(b, 1, 0);
		break;
	case BTF_ENUM:
		put_code(w, CODE_ENUM, 0);
		dw_uleb(b, 4);
		for (uint32_t i = 0; i < vlen; i++, elem += 2) {
			put_code(w, CODE_VALUE, elem[0]);
			dw_uleb(b, elem[1]);
		}
		dw_int(b, 1, 0);
		break;
	case BTF_STRUCT:
	case BTF_UNION:
		put_code(w, kind == BTF_STRUCT ? CODE_STRUCT : CODE_UNION, rec[BTF_REC_NAME]);
		dw_uleb(b, rec[BTF_REC_SIZE_TYPE]);
		for (uint32_t i = 0; i < vlen; i++, elem += 3) {
			put_code(w, CODE_MEMBER, elem[0]);
			put_ref(w, elem[1]);
			dw_uleb(b, elem[2] / 8);
		}
		dw_int(b, 1, 0);
		break;
	default:
		abort();
	}
}

static void put_unit(struct writer *w, const struct program *p, const struct btf_types *t)
{
	struct make_buf *b = &w->d.info;

	w->die = mem_zalloc(btf_types_end(t), sizeof(*w->die));
	w->fixups.nr = 0;
	dw_unit_begin(&w->d, 5);
	put_code(w, CODE_UNIT, 0);
	dw_text(b, "hard.c");
	dw_int(b, 1, DW_LANG_C11);
	if (p->blocks) {
		put_code(w, CODE_FUNCTION, 0);
		dw_text(b, "f");
	}
	for (uint32_t i = 0; i < p->blocks; i++)
		put_code(w, CODE_BLOCK, 0);
	for (uint32_t id = 1; id < btf_types_end(t); id++) {
		w->die[id] = dw_here(&w->d);
		put_record(w, btf_types_rec(t, id));
	}
	for (uint32_t i = 0; i < p->blocks + !!p->blocks + 1; i++)
		dw_int(b, 1, 0);
	for (size_t i = 0; i < w->fixups.nr; i++)
		dw_patch(&w->d.info, w->fixups.items[i].at, w->die[w->fixups.items[i].id]);
	dw_unit_end(&w->d);
	free(w->die);
}

static struct make_buf as_dwarf(const struct program *p)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	struct writer w = { 0 };

	declare_abbrevs(&w.d);
	dw_int(&w.d.abbrev, 1, 0);
	for (uint32_t u = 0; u < 2; u++) {
		if (p->units[u].start.nr)
			put_unit(&w, p, &p->units[u]);
	}
	free(w.fixups.items);
	make_data(&m, ".debug_info", (struct bytes){ w.d.info.ptr, w.d.info.len });
	make_data(&m, ".debug_abbrev", (struct bytes){ w.d.abbrev.ptr, w.d.abbrev.len });
	make_data(&m, ".debug_str", (struct bytes){ p->strings.ptr, p->strings.len });
	make_symbol(&m, "f", STT_FUNC, SHN_ABS, 0x1000, 1);
	make_symtab(&m);
	return make_bytes(&m);
}

/* --- as BTF ------------------------------------------------------------------------------- */

static struct make_buf as_btf(const struct program *p)
{
	const struct bytes strings = { p->strings.ptr, p->strings.len };
	struct make_buf all = { 0 };

	for (uint32_t u = 0; u < 2; u++) {
		uint8_t *ptr;
		size_t len;

		if (!p->units[u].start.nr)
			continue;
		struct err *e = btf_serialize(&p->units[u], strings,
					      &(struct btf_serialize_opts){ 0 }, &ptr, &len);
		if (e)
			abort();
		make_put(&all, ptr, len);
		free(ptr);
	}
	return all;
}

static int usage(void)
{
	fprintf(stderr, "btfhard: give SHAPE, N, dwarf or btf, and OUT\n");
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct program p = { 0 };
	const struct shape *shape = NULL;

	if (argc != 5)
		return usage();
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		if (!strcmp(shapes[i].name, argv[1]))
			shape = &shapes[i];
	}
	bool dwarf = !strcmp(argv[3], "dwarf");
	if (!shape || (!dwarf && strcmp(argv[3], "btf") != 0))
		return usage();

	string(&p, "");
	for (uint32_t u = 0; u < 2; u++)
		btf_types_init(&p.units[u], NULL);
	shape->add(&p, (uint32_t)strtoul(argv[2], NULL, 10));

	struct make_buf out = dwarf ? as_dwarf(&p) : as_btf(&p);
	FILE *f = fopen(argv[4], "wb");
	bool bad = !f || fwrite(out.ptr, 1, out.len, f) != out.len || fclose(f);
	for (uint32_t u = 0; u < 2; u++)
		btf_types_release(&p.units[u]);
	if (bad)
		fprintf(stderr, "btfhard: cannot write '%s'\n", argv[4]);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
