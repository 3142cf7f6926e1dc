/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sites_print.c - see sites.h
 *
 *	0xffffffff81012345 vfs_read+0x45: fdget(unsigned int fd = edi, struct file *f = *(struct file **)(rsp + 8))
 */
#include "base/cleanup.h"
#include "cmd/print/json.h"
#include "cmd/print/print_line.h"
#include "cmd/print/sites.h"
#include "loader/elf/reg_names.h"

#include <inttypes.h>

const struct addr_symbol *sites_around(const struct sites_view *f, const struct inline_site *s)
{
	return s->section ? addr_symbols_at(f->symbols, s->section, s->offset) : NULL;
}

void sites_put_position(struct text *out, const struct inline_site *s,
			const struct addr_symbol *around)
{
	uint64_t offset = around ? s->offset - around->offset : s->offset;

	text_escape_name(out, around ? around->name : s->section_name);
	text_printf(out, "+0x%" PRIx64, offset);
}

const char *sites_type(const struct sites_view *f, uint32_t id)
{
	CLEANUP(text_release) struct text raw = { 0 };
	struct text text = { 0 };

	if (!f->types[id]) {
		inline_type_text(&raw, f->btf, id);
		text_escape(&text, text_string(&raw));
		f->types[id] = text_take(&text);
	}
	return f->types[id];
}

static enum btf_ctype plain_ctype(const struct sites_view *f, uint32_t type)
{
	uint32_t id = inline_plain_type(f->btf, type);

	return id ? btf_ctype(btf_rec_kind(btf_types_rec(&f->btf->types, id))) : BTF_C_VOID;
}

/* --- places ---------------------------------------------------------------------------- */

/* The section of @f that has @addr, 0 for none. */
static uint32_t section_of(const struct sites_view *f, uint64_t addr)
{
	for (size_t i = 1; f->obj && i < f->obj->nr_sections; i++) {
		const struct object_section *s = &f->obj->sections[i];

		if (s->addr && addr - s->addr < s->size)
			return (uint32_t)i;
	}
	return 0;
}

static void put_address(struct text *out, const struct sites_view *f, uint64_t value)
{
	const uint64_t addr = f->base + value;
	const uint32_t section = section_of(f, addr);
	const struct addr_symbol *sym = NULL;

	if (section)
		sym = addr_symbols_at(f->symbols, section, addr - f->obj->sections[section].addr);
	const uint64_t offset = sym ? addr - f->obj->sections[section].addr - sym->offset : 0;
	if (sym && (!offset || offset < sym->size)) {
		text_char(out, '&');
		text_escape_name(out, sym->name);
		if (offset)
			text_printf(out, "+0x%" PRIx64, offset);
	} else if (f->base_name) {
		text_printf(out, "%s+0x%" PRIx64, f->base_name, value);
	} else {
		text_printf(out, "0x%" PRIx64, addr);
	}
}

static void put_constant(struct text *out, const struct sites_view *f, const struct inline_param *p,
			 const struct inline_place *place)
{
	enum btf_ctype c = plain_ctype(f, p->type);

	if (place->flags & BTF_LOC_ADDR)
		put_address(out, f, place->value);
	else if (c != BTF_C_INT && c != BTF_C_ENUM && c != BTF_C_VOID)
		text_printf(out, "0x%" PRIx64, place->value);
	else if (place->flags & BTF_LOC_SIGNED)
		text_printf(out, "%" PRId64, (int64_t)place->value);
	else
		text_printf(out, "%" PRIu64, place->value);
}

static void put_reg(struct text *out, const struct sites_view *f, uint32_t reg)
{
	if (reg == BTF_LOC_FBREG)
		text_str(out, "frame base");
	else
		reg_name(out, sites_machine(f), reg);
}

static void put_sum(struct text *out, const struct sites_view *f, const struct inline_place *p)
{
	put_reg(out, f, p->regs[0]);
	if (p->offset)
		text_printf(out, " %c 0x%" PRIx64, p->offset < 0 ? '-' : '+',
			    p->offset < 0 ? -(uint64_t)p->offset : (uint64_t)p->offset);
}

void sites_put_place(struct text *out, const struct sites_view *f, const struct inline_param *p)
{
	struct inline_place place;

	if (!p->place) {
		text_str(out, "unavailable");
		return;
	}
	place = inline_place(p->place);
	if (place.flags & BTF_LOC_CONST) {
		put_constant(out, f, p, &place);
	} else if (place.flags & BTF_LOC_DEREF) {
		const char *type = sites_type(f, p->type);
		size_t len = strlen(type);

		text_printf(out, "*(%s%s*)(", type, len && type[len - 1] == '*' ? "" : " ");
		put_sum(out, f, &place);
		text_char(out, ')');
	} else if (place.nr_regs == 2) {
		put_reg(out, f, place.regs[0]);
		text_char(out, ':');
		put_reg(out, f, place.regs[1]);
	} else {
		put_sum(out, f, &place);
	}
}

/* --- lines ----------------------------------------------------------------------------- */

static void put_param(struct text *out, const struct sites_view *f, const struct inline_param *p)
{
	const char *type = sites_type(f, p->type);
	size_t len = strlen(type);

	if (!p->type && !*p->name) {
		text_str(out, "...");
		return;
	}
	text_str(out, type);
	if (len && type[len - 1] != '*')
		text_char(out, ' ');
	text_escape_name(out, *p->name ? p->name : "(anon)");
	text_str(out, " = ");
	sites_put_place(out, f, p);
}

static bool has_address(const struct sites_view *f, const struct inline_site *s)
{
	return s->section && !f->obj->is_rel;
}

void sites_print(struct text *out, const struct sites_view *f, const struct inline_site *s)
{
	const struct addr_symbol *around = sites_around(f, s);
	uint32_t nr = inline_nr_params(f->btf, s);

	if (has_address(f, s)) {
		text_printf(out, "0x%" PRIx64 " ", f->obj->sections[s->section].addr + s->offset);
	} else if (around) {
		sites_put_position(out, s, NULL);
		text_char(out, ' ');
	}
	sites_put_position(out, s, around);
	text_str(out, ": ");
	text_escape_name(out, sites_func_name(f, s));
	text_char(out, '(');
	for (uint32_t i = 0; i < nr; i++) {
		const struct inline_param p = inline_param(f->btf, s, i);

		text_str(out, i ? ", " : "");
		put_param(out, f, &p);
	}
	text_str(out, ")\n");
}

static void json_param(struct text *out, const struct sites_view *f, const struct inline_param *p)
{
	CLEANUP(text_release) struct text place = { 0 };

	json_open(out, NULL, '{');
	json_text(out, "name", p->name);
	json_text(out, "type", sites_type(f, p->type));
	if (p->place) {
		sites_put_place(&place, f, p);
		json_text(out, "place", text_string(&place));
		json_number(out, "size", p->place[BTF_REC_SIZE_TYPE]);
		json_number(out, "flags", p->place[BTF_REC_WORDS]);
		json_open(out, "values", '[');
		for (uint32_t i = 0; i < btf_rec_vlen(p->place); i++)
			json_number(out, NULL, p->place[BTF_REC_WORDS + 1 + i]);
		json_close(out, ']');
	}
	json_close(out, '}');
}

void json_site(struct text *out, const struct sites_view *f, const struct inline_site *s)
{
	const struct addr_symbol *around = sites_around(f, s);

	json_open(out, NULL, '{');
	json_text(out, "file", f->path);
	json_text(out, "function", sites_func_name(f, s));
	/* a number of JSON need not have 64 bits */
	if (has_address(f, s))
		text_printf(out, ",\"address\":\"0x%" PRIx64 "\"",
			    f->obj->sections[s->section].addr + s->offset);
	json_text(out, "section", s->section_name);
	json_number(out, "offset", s->offset);
	if (around) {
		json_text(out, "container", around->name);
		json_number(out, "container_offset", s->offset - around->offset);
	}
	json_open(out, "parameters", '[');
	for (uint32_t i = 0; i < inline_nr_params(f->btf, s); i++) {
		const struct inline_param p = inline_param(f->btf, s, i);

		json_param(out, f, &p);
	}
	json_close(out, ']');
	json_end_line(out);
}
