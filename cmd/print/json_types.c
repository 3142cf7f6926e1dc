/* SPDX-License-Identifier: GPL-2.0-only */
/* json_types.c - types with --json, see outputs.h */
#include "base/cleanup.h"
#include "btf/print/decl_text.h"
#include "cmd/print/json.h"
#include "cmd/print/outputs.h"
#include "show/layout.h"

#include <inttypes.h>

/* One line. It is complete before it goes to the listing, because that writes out its text. */
struct line {
	struct text text;
	struct listing *listing;
	struct show_types *types;
	unsigned int depth; /* of members without a name */
};

static void line_release(struct line *l)
{
	text_release(&l->text);
}

/* False if the limits of print.h are exceeded: the types have the error then. @steps: to take. */
static bool may_go_on(struct line *l, uint32_t steps)
{
	struct print_limits *limits = &l->listing->limits;
	uint64_t before = text_pos(l->listing->text) - limits->start;

	if (l->depth > TYPES_CHAIN_MAX || steps > limits->steps ||
	    l->text.nr > limits->type_bytes || before + l->text.nr > limits->bytes) {
		types_fail(l->types,
			   err_new(ERR_LIMIT, "type %u: its text is too long", limits->type));
		return false;
	}
	limits->steps -= steps;
	return !l->types->failure;
}

static void put_type_text(struct line *l, const char *key, uint32_t id)
{
	CLEANUP(text_release) struct text text = { 0 };

	decl_text(&text, l->types->view, id, "");
	json_text(&l->text, key, text_string(&text));
}

/* Nothing for a name that is empty. */
static void put_name(struct line *l, uint32_t off)
{
	const char *name = types_raw_str(l->types, off);

	if (name)
		json_text(&l->text, "name", name);
}

static void begin(struct line *l, const char *kind, const char *name)
{
	json_open(&l->text, NULL, '{');
	json_text(&l->text, "file", l->listing->file);
	json_text(&l->text, "kind", kind);
	if (name)
		json_text(&l->text, "name", name);
}

static void end(struct line *l)
{
	json_end_line(&l->text);
	text_mem(l->listing->text, l->text.items, l->text.nr);
	l->listing->nr_written++;
}

/* The type and the place of a member. @base: the offset of the struct. */
static void put_place(struct line *l, const struct types_member *m, uint64_t base)
{
	put_type_text(l, "type", m->type);
	json_number(&l->text, "offset", base + m->bit_offset / 8);
	json_number(&l->text, "size", types_size(l->types, m->type));
	if (m->bitfield_size || m->bit_offset % 8) {
		json_number(&l->text, "bit", m->bit_offset % 8);
		json_number(&l->text, "bits", m->bitfield_size);
	}
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than TYPES_CHAIN_MAX */

static void put_members(struct line *l, uint32_t id, uint64_t base)
{
	const uint32_t *rec = types_rec(l->types, id);

	if (!may_go_on(l, types_vlen(l->types, id)))
		return;
	l->depth++;
	json_open(&l->text, "members", '[');
	for (uint32_t i = 0; i < types_vlen(l->types, id) && may_go_on(l, 0); i++) {
		const struct types_member m = types_member(rec, i);
		enum btf_kind kind = types_kind(l->types, m.type);

		json_open(&l->text, NULL, '{');
		put_name(l, m.name);
		put_place(l, &m, base);
		if (btf_kind_is_struct(kind) && !types_raw_name(l->types, m.type))
			put_members(l, m.type, base + m.bit_offset / 8);
		json_close(&l->text, '}');
	}
	json_close(&l->text, ']');
	l->depth--;
}

/* NOLINTEND(misc-no-recursion) */

static void put_struct(struct line *l, uint32_t id)
{
	CLEANUP(layout_release) struct layout layout = { 0 };

	json_number(&l->text, "size", types_rec(l->types, id)[BTF_REC_SIZE_TYPE]);
	layout_find(l->types, id, l->listing->opts->style.cacheline, &layout);
	json_number(&l->text, "holes", layout.gaps.nr_holes);
	json_number(&l->text, "bit_holes", layout.gaps.nr_bit_holes);
	json_number(&l->text, "padding", layout.gaps.padding);
	put_members(l, id, 0);
}

static void put_enumerators(struct line *l, uint32_t id)
{
	const uint32_t *rec = types_rec(l->types, id), *e = rec + BTF_REC_WORDS;
	bool wide = btf_rec_kind(rec) == BTF_ENUM64;

	json_number(&l->text, "size", rec[BTF_REC_SIZE_TYPE]);
	json_open(&l->text, "enumerators", '[');
	for (uint32_t i = 0; i < btf_rec_vlen(rec) && may_go_on(l, 1); i++, e += wide ? 3 : 2) {
		int64_t value = wide               ? (int64_t)(e[1] | (uint64_t)e[2] << 32) :
				btf_rec_kflag(rec) ? (int32_t)e[1] :
						     (int64_t)e[1];

		json_open(&l->text, NULL, '{');
		put_name(l, e[0]);
		if (wide && !btf_rec_kflag(rec))
			json_number(&l->text, "value", (uint64_t)value);
		else
			text_printf(&l->text, ",\"value\":%" PRId64, value);
		json_close(&l->text, '}');
	}
	json_close(&l->text, ']');
}

static void put_type(struct listing *listing, struct show_types *t, const struct typedefs *td,
		     uint32_t id)
{
	CLEANUP(line_release) struct line l = { .listing = listing, .types = t };
	enum btf_kind kind = types_kind(t, id);
	static const char *const words[] = {
		[BTF_STRUCT] = "struct", [BTF_UNION] = "union",     [BTF_ENUM] = "enum",
		[BTF_ENUM64] = "enum",   [BTF_TYPEDEF] = "typedef",
	};

	print_limits_next(&listing->limits, id, listing->text);
	begin(&l, words[kind], types_raw_name(t, id));
	if (!types_raw_name(t, id) && td->first && td->first[id])
		json_text(&l.text, "typedef", types_raw_name(t, td->first[id]));
	if (kind == BTF_TYPEDEF)
		put_type_text(&l, "type", types_rec(t, id)[BTF_REC_SIZE_TYPE]);
	else if (btf_kind_is_enum(kind))
		put_enumerators(&l, id);
	else
		put_struct(&l, id);
	end(&l);
}

static void put_function(struct line *l, uint32_t proto)
{
	const uint32_t *rec = types_rec(l->types, proto), *param = rec + BTF_REC_WORDS;

	put_type_text(l, "returns", rec[BTF_REC_SIZE_TYPE]);
	json_open(&l->text, "parameters", '[');
	for (uint32_t i = 0; i < btf_rec_vlen(rec) && may_go_on(l, 1); i++, param += 2) {
		json_open(&l->text, NULL, '{');
		put_name(l, param[0]);
		if (param[1])
			put_type_text(l, "type", param[1]);
		else
			json_text(&l->text, "type", "...");
		json_close(&l->text, '}');
	}
	json_close(&l->text, ']');
}

static void put_symbol(struct listing *listing, struct show_types *t, uint32_t id,
		       const struct var_place *place)
{
	CLEANUP(line_release) struct line l = { .listing = listing, .types = t };
	CLEANUP(text_release) struct text text = { 0 };
	bool is_func = types_kind(t, id) == BTF_FUNC;
	uint32_t type = types_rec(t, id)[BTF_REC_SIZE_TYPE];

	print_limits_next(&listing->limits, id, listing->text);
	begin(&l, is_func ? "func" : "var", types_raw_name(t, id));
	decl_text_symbol(&text, t->view, id);
	json_text(&l.text, "declaration", text_string(&text));
	if (is_func && types_kind(t, type) == BTF_FUNC_PROTO)
		put_function(&l, type);
	else
		put_type_text(&l, "type", type);
	if (place) {
		json_text(&l.text, "section", types_raw_name(t, place->section));
		json_number(&l.text, "offset", place->offset);
		json_number(&l.text, "size", place->size);
	}
	end(&l);
}

static void put_member(struct listing *listing, struct show_types *t, const struct wanted *w,
		       const struct listing_member *found)
{
	CLEANUP(line_release) struct line l = { .listing = listing, .types = t };
	const struct types_member m = types_member(types_rec(t, found->id), found->index);

	begin(&l, "member", w->whole);
	put_place(&l, &m, found->offset);
	if (btf_kind_is_struct(types_kind(t, m.type)) && !types_raw_name(t, m.type))
		put_members(&l, m.type, found->offset + m.bit_offset / 8);
	end(&l);
}

const struct listing_writer json_types = { put_type, put_symbol, put_member };

void json_types_end(struct text *out, size_t nr)
{
	json_open(out, NULL, '{');
	json_bool(out, "end", true);
	json_number(out, "types", nr);
	json_end_line(out);
}
