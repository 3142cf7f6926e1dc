/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/unitscene.h"

#include "base/text.h"
#include "loader/dwarf/dw_const.h"
#include "tests/lib/btftext.h"

#include <elf.h>

void unit_scene_init(struct unit_scene *s)
{
	static struct symbol all[] = { { .name = "f", .value = 0x10, .bind = STB_GLOBAL },
				       { .name = "small.isra.0", .value = 0x20 } };
	static struct func_symbol at[] = {
		{ .value = 0x10, .name = "f", .symbol = 0 },
		{ .value = 0x20, .name = "small.isra.0", .symbol = 1, .optimized = true }
	};
	static struct func_entry funcs[] = {
		{ .name = "f", .name_len = 1, .first = 0, .nr = 1 },
		{ .name = "small.isra.0", .name_len = 5, .first = 1, .nr = 1 },
	};
	static struct object_section sections[] = {
		{ .name = "" },
		{ .name = ".data",
		  .type = SHT_PROGBITS,
		  .flags = SHF_ALLOC,
		  .debug_addr = DATA_ADDR,
		  .size = DATA_SIZE },
		{ .name = ".other",
		  .type = SHT_PROGBITS,
		  .flags = SHF_ALLOC,
		  .debug_addr = DATA_ADDR + DATA_SIZE,
		  .size = DATA_SIZE },
	};
	static const bool var_sections[ARRAY_SIZE(sections)] = { [1] = true };

	*s = (struct unit_scene){
		.opts = { .features = FEATURE_FLOAT | FEATURE_ENUM64 | FEATURE_VAR, .jobs = 1 },
		.obj = { .addr_size = 8,
			 .sections = sections,
			 .nr_sections = ARRAY_SIZE(sections) },
		.syms = { .all = all,
			  .nr_all = ARRAY_SIZE(all),
			  .funcs = funcs,
			  .nr_funcs = ARRAY_SIZE(funcs),
			  .func_symbols = at,
			  .nr_func_symbols = ARRAY_SIZE(at) },
		.cu = { .addr_size = 8 },
	};
	str_pool_init(&s->strings);
	type_pool_init(&s->types);
	s->func_by_name[unit_scene_name(s, "f")] = 1;
	s->func_by_name[unit_scene_name(s, "small")] = 2;
	s->run = (struct run){
		.opts = &s->opts,
		.strings = &s->strings,
		.types = &s->types,
		.obj = &s->obj,
		.syms = &s->syms,
		.func_by_name = s->func_by_name,
		.func_names_end = ARRAY_SIZE(s->func_by_name),
		.regs = regs_for_machine(EM_X86_64, 8),
		.int_name = unit_scene_name(s, "int"),
		.fake_int = unit_scene_name(s, "FAKE"),
		.var_sections = var_sections,
		.section_map = &s->section_map,
	};
	section_map_make(&s->obj, &s->section_map);
	vec_push(&s->cu.types, ((struct cu_type){ .kind = BTF_UNKN }));
}

void unit_scene_release(struct unit_scene *s)
{
	unit_btf_release(&s->btf);
	unit_encoder_free(s->encoder);
	cu_release(&s->cu);
	section_map_release(&s->section_map);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
}

uint32_t unit_scene_name(struct unit_scene *s, const char *text)
{
	return str_pool_add_copy(&s->strings, text, strlen(text));
}

/* --- types ---------------------------------------------------------------------------------- */

static const char *string_of(const struct test_view *v, uint32_t off)
{
	return btf_view_str(&v->view, NULL, off);
}

/* INT, STRUCT, UNION, ENUM without values, and kinds that only refer. */
static void add_type(struct unit_scene *s, const struct test_view *v, const uint32_t *rec)
{
	uint32_t info = rec[BTF_REC_INFO], kind = btf_info_kind(info);
	const uint32_t *rest = rec + BTF_REC_WORDS;
	bool has_size = kind == BTF_INT || kind == BTF_ENUM || btf_kind_is_struct(kind);
	struct cu_type t = {
		.kind = (uint8_t)kind,
		.name = unit_scene_name(s, string_of(v, rec[BTF_REC_NAME])),
		.size = has_size ? rec[BTF_REC_SIZE_TYPE] : 0,
		.ref = has_size ? 0 : rec[BTF_REC_SIZE_TYPE],
		.first = (uint32_t)s->cu.members.nr,
		.nr = btf_info_vlen(info),
	};

	CHECK(btf_kind_is_struct(kind) || btf_rec_words(rec) == BTF_REC_WORDS + (kind == BTF_INT));
	if (kind == BTF_INT)
		t.encoding = *rest >> 24 & BTF_ENC_SIGNED ? DW_ATE_signed : DW_ATE_unsigned;
	for (uint32_t i = 0; i < t.nr; i++, rest += 3)
		vec_push(&s->cu.members,
			 ((struct cu_member){ .name = unit_scene_name(s, string_of(v, rest[0])),
					      .type = rest[1],
					      .offset = rest[2] }));
	vec_push(&s->cu.types, t);
}

void unit_scene_types(struct unit_scene *s, const char *text)
{
	VIEW(v);

	test_view_add(&v, text);
	for (uint32_t id = 1; id < btf_types_end(&v.view.types); id++)
		add_type(s, &v, btf_types_rec(&v.view.types, id));
}

struct err *unit_scene_encode(struct unit_scene *s, uint32_t unit)
{
	unit_btf_release(&s->btf);
	if (!s->encoder)
		s->encoder = unit_encoder_new(&s->run);
	return unit_from_cu(s->encoder, &s->cu, unit, &s->btf, NULL);
}

/* --- the contribution ----------------------------------------------------------------------- */

const uint32_t *unit_scene_pooled(const struct unit_scene *s, uint32_t id)
{
	return type_pool_at(&s->types, id)->rec;
}

static const char *string_at(const struct unit_scene *s, uint32_t id)
{
	return str_pool_text(&s->strings, id);
}

static const char *type_name(const struct unit_scene *s, pool_ref ref)
{
	return !ref                   ? "void" :
	       pool_ref_is_named(ref) ? string_at(s, pool_ref_name(ref)) :
					string_at(s, unit_scene_pooled(s, ref)[BTF_REC_NAME]);
}

static void text_func(struct text *t, const struct unit_scene *s, const struct unit_func *f)
{
	static const struct {
		uint32_t flag;
		const char *word;
	} flags[] = { { UNIT_FUNC_CHANGED, " changed" },
		      { UNIT_FUNC_OPTIMIZED, " optimized" },
		      { UNIT_FUNC_UNEXPECTED, " unexpected" },
		      { UNIT_FUNC_UNCERTAIN, " uncertain" },
		      { UNIT_FUNC_REORDERED, " reordered" } };
	const uint32_t *proto = unit_scene_pooled(s, f->proto), *params = proto + BTF_REC_WORDS;
	const struct func_entry *entry = &s->syms.funcs[f->func];

	text_printf(t, "%s %.*s(", type_name(s, proto[BTF_REC_SIZE_TYPE]), (int)entry->name_len,
		    entry->name);
	for (uint32_t i = 0; i < btf_info_vlen(proto[BTF_REC_INFO]); i++)
		text_printf(t, "%s%s %s", i ? ", " : "", string_at(s, params[2 * i]),
			    type_name(s, params[2 * i + 1]));
	text_str(t, ")");
	if (f->addr == UNIT_FUNC_NO_SYMBOL)
		text_str(t, " @none");
	else if (f->addr)
		text_printf(t, " @%#jx", (uintmax_t)f->addr);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		text_str(t, f->flags & flags[i].flag ? flags[i].word : "");
}

static void text_tags(struct text *t, const struct unit_scene *s, const struct unit_tag *tags,
		      uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		if (tags[i].component == UNIT_TAG_STRING_ONLY)
			text_printf(t, ", string %s", string_at(s, tags[i].value));
		else
			text_printf(t, ", tag %s %d", string_at(s, tags[i].value),
				    tags[i].component);
	}
}

const char *unit_funcs_text(const struct unit_scene *s)
{
	struct text t = { 0 };

	for (size_t i = 0; i < s->btf.funcs.nr; i++) {
		const struct unit_func *f = &s->btf.funcs.items[i];

		text_str(&t, i ? "; " : "");
		text_func(&t, s, f);
		text_tags(&t, s, s->btf.func_tags.items + f->tags, f->nr_tags);
	}
	return test_keep(text_take(&t));
}

const char *unit_vars_text(const struct unit_scene *s)
{
	static const char *const linkages[] = { "static", "global", "extern" };
	struct text t = { 0 };

	for (size_t i = 0; i < s->btf.vars.nr; i++) {
		const struct unit_var *v = &s->btf.vars.items[i];

		text_printf(&t, "%s%s: type %u, %u bytes at %u+%#x %s", i ? "; " : "",
			    string_at(s, v->name), v->type, v->size, v->section, v->offset,
			    linkages[v->linkage]);
		text_tags(&t, s, s->btf.var_tags.items + v->tags, v->nr_tags);
	}
	return test_keep(text_take(&t));
}
