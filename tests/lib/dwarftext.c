/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/dwarftext.h"

#include "btf/btf_kind.h"

#include <ctype.h>

struct word {
	const char *text;
	unsigned int value, form;
};

/* clang-format off */
static const struct word tags[] = {
	{ "array", DW_TAG_array_type, 0 }, { "base", DW_TAG_base_type, 0 }, { "block", DW_TAG_lexical_block, 0 },
	{ "call_site", DW_TAG_call_site, 0 },
	{ "enum", DW_TAG_enumeration_type, 0 }, { "func", DW_TAG_subprogram, 0 },
	{ "import", DW_TAG_imported_unit, 0 }, { "inlined", DW_TAG_inlined_subroutine, 0 }, { "member", DW_TAG_member, 0 },
	{ "module", DW_TAG_module, 0 }, { "note", TAG_GNU_ANNOTATION, 0 }, { "llvm_note", TAG_LLVM_ANNOTATION, 0 },
	{ "param", DW_TAG_formal_parameter, 0 }, { "partial", DW_TAG_partial_unit, 0 },
	{ "ptr", DW_TAG_pointer_type, 0 }, { "range", DW_TAG_subrange_type, 0 },
	{ "proto", DW_TAG_subroutine_type, 0 }, { "rest", DW_TAG_unspecified_parameters, 0 }, { "string", DW_TAG_string_type, 0 }, { "struct", DW_TAG_structure_type, 0 },
	{ "set", DW_TAG_set_type, 0 },
	{ "typedef", DW_TAG_typedef, 0 }, { "types", DW_TAG_type_unit, 0 },
	{ "union", DW_TAG_union_type, 0 }, { "unit", DW_TAG_compile_unit, 0 }, { "unspecified", DW_TAG_unspecified_type, 0 },
	{ "value", DW_TAG_enumerator, 0 }, { "var", DW_TAG_variable, 0 },
	{ "variant", DW_TAG_variant, 0 }, { "variants", DW_TAG_variant_part, 0 },
};

static const struct word keys[] = {
	{ "addr", DW_AT_low_pc, DW_FORM_addr }, { "at", DW_AT_data_member_location, DW_FORM_data1 },
	{ "bit_at", DW_AT_data_bit_offset, DW_FORM_data1 }, { "bits", DW_AT_bit_size, DW_FORM_data1 },
	{ "call", DW_AT_calling_convention, DW_FORM_data1 }, { "const", DW_AT_const_value, DW_FORM_sdata },
	{ "!decl", DW_AT_declaration, DW_FORM_flag_present }, { "entry", DW_AT_entry_pc, DW_FORM_addr }, { "frame", DW_AT_frame_base, DW_FORM_exprloc }, { "enc", DW_AT_encoding, DW_FORM_data1 },
	{ "!ext", DW_AT_external, DW_FORM_flag_present }, { "discr", DW_AT_discr_value, DW_FORM_data1 },
	{ "from", DW_AT_import, DW_FORM_ref_addr },
	{ "lang", DW_AT_language, DW_FORM_data1 }, { "length", DW_AT_string_length, DW_FORM_ref4 },
	{ "lower", DW_AT_lower_bound, DW_FORM_sdata }, { "data_at", DW_AT_data_location, DW_FORM_exprloc },
	{ "ranges", DW_AT_ranges, DW_FORM_sec_offset },
	{ "order", DW_AT_ordering, DW_FORM_data1 }, { "bit_stride", DW_AT_bit_stride, DW_FORM_data1 },
	{ "stride", DW_AT_byte_stride, DW_FORM_data1 },
	{ "loc", DW_AT_location, DW_FORM_exprloc }, { "name", DW_AT_name, DW_FORM_string },
	{ "note", ATTR_GNU_ANNOTATION, DW_FORM_ref4 }, { "origin", DW_AT_abstract_origin, DW_FORM_ref4 },
	{ "producer", DW_AT_producer, DW_FORM_string }, { "signature", DW_AT_signature, DW_FORM_ref_sig8 },
	{ "size", DW_AT_byte_size, DW_FORM_data1 }, { "spec", DW_AT_specification, DW_FORM_ref4 }, { "type", DW_AT_type, DW_FORM_ref4 },
	{ "upper", DW_AT_upper_bound, DW_FORM_data1 },
};

static const struct word forms[] = {
	{ "const", DW_FORM_implicit_const, 0 }, { "data1", DW_FORM_data1, 0 }, { "data2", DW_FORM_data2, 0 },
	{ "data4", DW_FORM_data4, 0 }, { "expr", DW_FORM_exprloc, 0 },
	{ "global", DW_FORM_ref_addr, 0 }, { "ref4", DW_FORM_ref4, 0 }, { "ref_udata", DW_FORM_ref_udata, 0 },
	{ "sig8", DW_FORM_ref_sig8, 0 }, { "sdata", DW_FORM_sdata, 0 }, { "string", DW_FORM_string, 0 },
	{ "strp", DW_FORM_strp, 0 }, { "udata", DW_FORM_udata, 0 },
};

/* Numbers with a name. */
static const struct word numbers[] = {
	{ "Ada95", DW_LANG_Ada95, 0 }, { "C11", DW_LANG_C11, 0 },
	{ "C++", DW_LANG_C_plus_plus, 0 }, { "Fortran95", DW_LANG_Fortran95, 0 },
	{ "Go", DW_LANG_Go, 0 }, { "Pascal", DW_LANG_Pascal83, 0 }, { "Modula2", DW_LANG_Modula2, 0 }, { "D", DW_LANG_D, 0 }, { "COBOL", DW_LANG_Cobol85, 0 }, { "Julia", DW_LANG_Julia, 0 },
	{ "Rust", DW_LANG_Rust, 0 }, { "nocall", DW_CC_nocall, 0 },
	{ "signed", DW_ATE_signed, 0 },
};

/* Those with a number in their name come with it: reg5, breg4, lit7. */
static const struct word ops[] = {
	{ "addr", DW_OP_addr, 8 }, { "breg", DW_OP_breg0, 0 },
	{ "cfa", DW_OP_call_frame_cfa, 0 }, { "fbreg", DW_OP_fbreg, 0 },
	{ "lit", DW_OP_lit0, 0 }, { "piece", DW_OP_piece, 0 },
	{ "reg", DW_OP_reg0, 0 }, { "stack_value", DW_OP_stack_value, 0 },
};
/* clang-format on */

struct label {
	const char *name;
	size_t at;
};

/* A reference to @label in @unit, whose four bytes are at @at of @buf; @global: to any unit. */
struct fixup {
	const char *label;
	struct make_buf *buf;
	size_t unit, at;
	bool global;
};

enum { MAX_LABELS = 64, MAX_ABBREVS = 64 };

struct parser {
	struct dwarfmake *d;
	const char *p;
	struct make_buf abbrevs[MAX_ABBREVS]; /* what follows the code */
	struct label labels[MAX_LABELS];
	struct fixup fixups[MAX_LABELS];
	size_t nr_abbrevs, first_code, nr_labels, nr_fixups;
	struct make_buf *out; /* .debug_info or .debug_types */
	size_t unit;          /* where the unit at hand starts in it */
	const char *label;    /* of the next DIE, or NULL */
};

static const struct word *find(const struct word *table, size_t nr, const char *name, size_t len)
{
	for (size_t i = 0; i < nr; i++) {
		if (strlen(table[i].text) == len && !memcmp(table[i].text, name, len))
			return &table[i];
	}
	test_fail(__FILE__, __LINE__, "unknown word '%.*s'", (int)len, name);
}

#define FIND(table, name, len) find(table, ARRAY_SIZE(table), name, len)

static void skip_blanks(struct parser *p)
{
	p->p += strspn(p->p, " \t\n");
}

static bool skip_char(struct parser *p, char c)
{
	skip_blanks(p);
	if (*p->p != c)
		return false;
	p->p++;
	return true;
}

/* The next word, up to a character of @ends, or what is in quotes or brackets. */
static char *take(struct parser *p, const char *ends)
{
	bool quoted = *p->p == '\'' || *p->p == '[';
	const char *start = p->p + quoted;
	size_t len = strcspn(start, !quoted ? ends : *p->p == '[' ? "]" : "'");

	p->p = start + len + quoted;
	return make_text("%.*s", (int)len, start);
}

static uint64_t number(const char *text)
{
	if (isdigit((unsigned char)*text) || *text == '-')
		return (uint64_t)strtoll(text, NULL, 0);
	return FIND(numbers, text, strlen(text))->value;
}

static void put_sleb(struct make_buf *b, int64_t v)
{
	for (; v < -64 || v > 63; v >>= 7)
		dw_int(b, 1, (uint64_t)(v & 0x7f) | 0x80);
	dw_int(b, 1, (uint64_t)v & 0x7f);
}

static void put_expression(struct make_buf *b, const char *text)
{
	struct make_buf expr = { 0 };
	unsigned int width = 1;

	while (*(text += strspn(text, " "))) {
		size_t name = strcspn(text, "0123456789 ");
		char *end = (char *)(uintptr_t)text + name;
		uint64_t v = isdigit((unsigned char)*end) ? strtoull(end, &end, 0) : 0;

		if (name) {
			const struct word *op = FIND(ops, text, name);

			dw_int(&expr, 1, op->value + v);
			width = op->form ? op->form : 1;
		} else {
			dw_int(&expr, width, v);
		}
		text = end;
	}
	dw_uleb(b, expr.len);
	make_put(b, expr.ptr, expr.len);
}

static void put_reference(struct parser *p, struct make_buf *b, const char *value, bool global)
{
	bool is_label = !isdigit((unsigned char)*value);

	if (is_label) {
		CHECK(p->nr_fixups < MAX_LABELS);
		p->fixups[p->nr_fixups++] = (struct fixup){ value, p->out, p->unit, b->len,
							    global };
	}
	dw_int(b, 4, is_label ? 0 : number(value));
}

static void put_value(struct parser *p, struct make_buf *b, unsigned int form, const char *value)
{
	static const uint8_t widths[] = {
		[DW_FORM_data1] = 1, [DW_FORM_data2] = 2,    [DW_FORM_data4] = 4,
		[DW_FORM_addr] = 8,  [DW_FORM_ref_sig8] = 8, [DW_FORM_sec_offset] = 4,
	};

	if (form == DW_FORM_string) {
		dw_text(b, value);
	} else if (form == DW_FORM_strp) {
		dw_int(b, 4, p->d->str.len);
		dw_text(&p->d->str, value);
	} else if (form == DW_FORM_udata || form == DW_FORM_ref_udata) {
		dw_uleb(b, number(value));
	} else if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
		put_sleb(b, (int64_t)number(value));
	} else if (form == DW_FORM_exprloc) {
		put_expression(b, value);
	} else if (form == DW_FORM_ref4 || form == DW_FORM_ref_addr) {
		put_reference(p, b, value, form == DW_FORM_ref_addr);
	} else if (form != DW_FORM_flag_present) {
		dw_int(b, widths[form], number(value));
	}
}

/* Append one attribute to the abbreviation and to the DIE. */
static void attribute(struct parser *p, struct make_buf *abbrev, struct make_buf *values)
{
	size_t len = strcspn(p->p, "/= ;{}\n");
	bool has_key = p->p[len] == '=' || p->p[len] == '/' || *p->p == '!';
	const struct word *key = has_key ? FIND(keys, p->p, len) : FIND(keys, "name", 4);
	unsigned int form = key->form;

	p->p += has_key ? len : 0;
	if (has_key && *p->p == '/') {
		len = strcspn(++p->p, "=");
		form = FIND(forms, p->p, len)->value;
		p->p += len;
	}
	p->p += *p->p == '=';
	dw_uleb(abbrev, key->value);
	dw_uleb(abbrev, form);
	put_value(p, form == DW_FORM_implicit_const ? abbrev : values, form,
		  form == DW_FORM_flag_present ? "" : take(p, " ;{}\n"));
}

/* The number of the abbreviation with this content, which is new if there is none. */
static size_t abbrev_code(struct parser *p, const struct make_buf *content)
{
	for (size_t i = 0; i < p->nr_abbrevs; i++) {
		if (make_equal(make_view(&p->abbrevs[i]), make_view(content)))
			return p->first_code + i;
	}
	CHECK(p->nr_abbrevs < MAX_ABBREVS);
	p->abbrevs[p->nr_abbrevs++] = *content;
	size_t code = p->first_code + p->nr_abbrevs - 1;
	dw_uleb(&p->d->abbrev, code);
	make_put(&p->d->abbrev, content->ptr, content->len);
	return code;
}

static void die(struct parser *p, unsigned int tag)
{
	struct make_buf abbrev = { 0 }, attrs = { 0 }, values = { 0 };
	size_t fixup = p->nr_fixups;

	if (p->label) {
		CHECK(p->nr_labels < MAX_LABELS);
		p->labels[p->nr_labels++] = (struct label){ p->label, p->out->len };
		p->label = NULL;
	}
	for (skip_blanks(p); *p->p && !strchr(";{}", *p->p); skip_blanks(p))
		attribute(p, &attrs, &values);

	bool children = skip_char(p, '{');
	if (!children)
		skip_char(p, ';');
	dw_uleb(&abbrev, tag);
	dw_int(&abbrev, 1, children);
	make_put(&abbrev, attrs.ptr, attrs.len);
	dw_int(&abbrev, 2, 0);
	dw_uleb(p->out, abbrev_code(p, &abbrev));
	for (; fixup < p->nr_fixups; fixup++)
		p->fixups[fixup].at += p->out->len;
	make_put(p->out, values.ptr, values.len);
}

static void put_unit_header(struct make_buf *b, unsigned int version)
{
	dw_int(b, 4, 0);
	dw_int(b, 2, version);
	if (version >= 5) {
		dw_int(b, 1, DW_UT_compile);
		dw_int(b, 1, 8);
		dw_int(b, 4, 0);
	} else {
		dw_int(b, 4, 0);
		dw_int(b, 1, 8);
	}
}

static void unit_end(struct parser *p)
{
	if (p->out)
		dw_patch(p->out, p->unit, (uint32_t)(p->out->len - p->unit - 4));
}

static void unit_begin(struct parser *p, const struct word *tag, unsigned int version)
{
	bool types = tag->value == DW_TAG_type_unit;

	unit_end(p);
	p->out = types ? &p->d->types : &p->d->info;
	p->unit = p->out->len;
	put_unit_header(p->out, version);
	if (types) {
		skip_blanks(p);
		CHECK(!strncmp(p->p, "sig=", 4));
		p->p += 4;
		dw_int(p->out, 8, number(take(p, " ")));
		dw_int(p->out, 4, 0);
	}
	die(p, tag->value);
	if (types && !p->out->ptr[p->unit + 19])
		dw_patch(p->out, p->unit + 19, (uint32_t)(p->out->len - p->unit));
}

/* The offset of LABEL, or of LABEL-NUMBER. */
static size_t label_at(const struct parser *p, const char *name)
{
	size_t len = strcspn(name, "-");

	for (size_t i = 0; i < p->nr_labels; i++) {
		const struct label *l = &p->labels[i];

		if (strlen(l->name) == len && !memcmp(l->name, name, len))
			return l->at - (name[len] ? number(name + len + 1) : 0);
	}
	test_fail(__FILE__, __LINE__, "there is no label '%s'", name);
}

void dwarf_text(struct dwarfmake *d, const char *text)
{
	struct parser p = { .d = d, .p = text, .first_code = 1 };

	for (skip_blanks(&p); *p.p; skip_blanks(&p)) {
		char *word = take(&p, " :;{}\n");
		size_t len = strlen(word);

		if (!len) {
			CHECK(*p.p++ == '}');
			dw_int(p.out, 1, 0);
		} else if (*p.p == ':') {
			p.label = word;
			p.p++;
		} else if (*word == '#') {
			dw_uleb(p.out, number(word + 1));
		} else if (!strncmp(word, "codes=", 6)) {
			for (; p.first_code < number(word + 6); p.first_code++)
				dw_abbrev_decl(d, (unsigned int)p.first_code, DW_TAG_base_type,
					       false, 0);
		} else if (!strncmp(word, "cut=", 4)) {
			p.out->len -= number(word + 4);
		} else if (isdigit((unsigned char)word[len - 1])) {
			unit_begin(&p, FIND(tags, word, len - 1),
				   (unsigned int)(word[len - 1] - '0'));
		} else {
			die(&p, FIND(tags, word, len)->value);
		}
	}
	unit_end(&p);
	for (size_t i = 0; i < p.nr_fixups; i++) {
		const struct fixup *f = &p.fixups[i];

		dw_patch(f->buf, f->at,
			 (uint32_t)(label_at(&p, f->label) - (f->global ? 0 : f->unit)));
	}
}

/* Ends the table of abbreviations. */
static struct object make_object(struct dwarfmake *d)
{
	struct object obj = { .addr_size = 8,
			      .machine = EM_X86_64,
			      .swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ };

	dw_int(&d->abbrev, 1, 0);
	obj.debug[DEBUG_INFO] = dw_padded(&d->info);
	obj.debug[DEBUG_ABBREV] = dw_padded(&d->abbrev);
	if (d->types.len)
		obj.debug[DEBUG_TYPES] = dw_padded(&d->types);
	if (d->str.len)
		obj.debug[DEBUG_STR] = dw_padded(&d->str);
	return obj;
}

void result_release(struct result *r)
{
	dw_reader_free(r->reader);
	cu_release(&r->cu);
	diag_release(&r->diags);
	dw_file_close(&r->file);
	str_pool_release(&r->strings);
}

struct err *result_open(struct dwarfmake *d, const struct dw_read_opts *opts, struct result *r)
{
	const struct dw_open_opts open = { 0 };

	r->obj = make_object(d);
	r->diags.verbose = true;
	str_pool_init(&r->strings);
	TRY(dw_file_open(&r->obj, &r->strings, &open, &r->diags, &r->file));
	r->reader = dw_reader_new(&r->file, opts);
	return NULL;
}

struct err *result_read(struct result *r, size_t unit)
{
	return dw_read_cu(r->reader, unit, &r->cu, &r->wanted);
}

struct err *dwarf_open(struct result *r, const char *text, const struct dw_read_opts *opts)
{
	struct dwarfmake d = { 0 };

	dwarf_text(&d, text);
	return result_open(&d, opts, r);
}

struct err *dwarf_read(struct result *r, const char *text, const struct dw_read_opts *opts)
{
	TRY(dwarf_open(r, text, opts));
	return result_read(r, 0);
}

/* ---- what was read ---- */

struct flag_word {
	unsigned int flag;
	const char *word;
};

static void print_flags(FILE *f, unsigned int flags, const struct flag_word *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (flags & words[i].flag)
			fprintf(f, " %s", words[i].word);
	}
}

#define PRINT_FLAGS(f, flags, ...)                                       \
	print_flags(f, flags, (const struct flag_word[]){ __VA_ARGS__ }, \
		    ARRAY_SIZE(((const struct flag_word[]){ __VA_ARGS__ })))

static const char *name_of(const struct result *r, uint32_t id)
{
	const char *name = str_pool_text(&r->strings, id);

	return *name ? name : "-";
}

static void print_enumerator(FILE *f, const struct result *r, const struct cu_enumerator *e)
{
	fprintf(f, "%s=%jd", name_of(r, e->name), (intmax_t)e->value);
}

static void print_member(FILE *f, const struct result *r, const struct cu_member *m)
{
	fprintf(f, "%s %u @%u", name_of(r, m->name), m->type, m->offset);
	PRINT_FLAGS(f, m->flags, { CU_MEMBER_STATIC, "static" }, { CU_MEMBER_FAR, "far" },
		    { CU_MEMBER_LOST, "lost" });
}

static void print_type(FILE *f, const struct result *r, const struct cu_type *t)
{
	fprintf(f, "%s", btf_kind_layout(t->kind)->name);
	if (t->name)
		fprintf(f, " %s", name_of(r, t->name));
	if (t->kind == BTF_ARRAY)
		fprintf(f, " [%u] of %u", t->size, t->ref);
	else if (t->size)
		fprintf(f, " %u", t->size);
	else if (!btf_kind_is_struct(t->kind) && t->kind != BTF_ENUM)
		fprintf(f, " %u", t->ref);
	if (t->encoding)
		fprintf(f, " encoding %u", t->encoding);
	PRINT_FLAGS(f, t->flags, { CU_TYPE_FWD, "declaration" }, { CU_TYPE_SIGNED, "signed" },
		    { CU_TYPE_OPAQUE, "opaque" }, { CU_TYPE_ELSEWHERE, "elsewhere" });
	for (uint32_t i = 0; i < t->nr; i++) {
		fprintf(f, i ? ", " : " { ");
		if (t->kind == BTF_ENUM)
			print_enumerator(f, r, &r->cu.enumerators.items[t->first + i]);
		else
			print_member(f, r, &r->cu.members.items[t->first + i]);
	}
	if (t->nr)
		fprintf(f, " }");
}

static void print_param(FILE *f, const struct result *r, const struct cu_param *p)
{
	fprintf(f, "%s %u", name_of(r, p->name), p->type);
	if (p->bytes)
		fprintf(f, " bytes %u", p->bytes);
	if (p->reg != CU_NO_REG)
		fprintf(f, " reg%d", p->reg);
	PRINT_FLAGS(f, p->flags, { CU_PARAM_HAS_LOC, "loc" }, { CU_PARAM_HAS_CONST, "const" },
		    { CU_PARAM_STACK, "stack" }, { CU_PARAM_LITERAL, "literal" },
		    { CU_PARAM_IN_MEMORY, "in-memory" });
	if (p->member)
		fprintf(f, " .%s", name_of(r, r->cu.members.items[p->member - 1].name));
}

static void print_func(FILE *f, const struct result *r, const struct cu_func *func)
{
	fprintf(f, "FUNC %s %u", name_of(r, func->name), func->ret);
	if (func->addr)
		fprintf(f, " @%#jx", (uintmax_t)func->addr);
	PRINT_FLAGS(f, func->flags, { CU_FUNC_CHANGED, "changed" });
	for (uint32_t i = 0; i < func->nr_params; i++) {
		fprintf(f, i ? ", " : " (");
		print_param(f, r, &r->cu.params.items[func->first_param + i]);
	}
	if (func->nr_params)
		fprintf(f, ")");
}

const char *cu_text(const struct result *r)
{
	const struct cu *cu = &r->cu;
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	CHECK(f);
	for (unit_tid i = 1; i < cu->types.nr; i++) {
		fprintf(f, "; %u ", i);
		print_type(f, r, &cu->types.items[i]);
	}
	for (size_t i = 0; i < cu->funcs.nr; i++) {
		fprintf(f, "; ");
		print_func(f, r, &cu->funcs.items[i]);
	}
	for (size_t i = 0; i < cu->vars.nr; i++) {
		const struct cu_var *v = &cu->vars.items[i];

		fprintf(f, "; VAR %s %u @%#jx", name_of(r, v->name), v->type, (uintmax_t)v->addr);
		PRINT_FLAGS(f, v->flags, { CU_VAR_EXTERNAL, "external" });
	}
	for (size_t i = 0; i < cu->tags.nr; i++) {
		static const char *const owners[] = { "TYPE", "FUNC", "VAR" };
		const struct cu_tag *t = &cu->tags.items[i];

		fprintf(f, "; TAG %s %s %u", name_of(r, t->value), owners[t->owner], t->of);
		if (t->component >= 0)
			fprintf(f, ".%d", t->component);
	}
	if (cu->nr_void)
		fprintf(f, "; void %zu", cu->nr_void);
	if (!r->wanted)
		fprintf(f, "; unwanted");
	fclose(f);
	return len ? (char *)test_keep(text) + 2 : test_keep(text);
}
