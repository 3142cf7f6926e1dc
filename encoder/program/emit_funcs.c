/* SPDX-License-Identifier: GPL-2.0-only */
/* emit_funcs.c - append the functions behind all units, sorted by name */
#include "encoder/program/passes.h"

#include "base/cleanup.h"

#include <stdlib.h>

/* BPF programs do not call a function that is described under the name of an optimized copy. */
static const struct kfunc *kfunc_of(const struct program *p, const struct chosen_func *c)
{
	const struct kfuncs *k = &p->inputs[c->func->file].kfuncs;

	if (c->symbol || !feature_on(p->opts, FEATURE_DECL_TAG_KFUNCS))
		return NULL;
	return kfuncs_find(k, c->func->func);
}

static uint32_t func_name(struct program *p, const struct chosen_func *c)
{
	if (c->symbol)
		return str_pool_add(&p->strings, c->symbol, strlen(c->symbol));
	return p->inputs[c->func->file].func_names[c->func->func];
}

static bool has_arena(const struct program *p, const struct kfunc *k)
{
	return k && feature_on(p->opts, FEATURE_ATTRIBUTES) &&
	       (k->flags & (KFUNC_ARENA_RET | KFUNC_ARENA_ARG1 | KFUNC_ARENA_ARG2));
}

void settle_omissions(struct program *p)
{
	CLEANUP(mem_free) bool *described = NULL;
	struct omissions *list = p->omissions;
	size_t nr = 0;

	if (!list)
		return;
	described = mem_zalloc(atomic_load(&p->strings.end), sizeof(*described));
	for (size_t i = 0; i < p->chosen.nr; i++) {
		const struct unit_func *func = p->chosen.items[i].func;

		described[p->inputs[func->file].func_names[func->func]] = true;
	}
	for (size_t i = 0; i < list->nr; i++) {
		const struct omission *o = &list->items[i];
		const struct omission_rule_def *rule = &omission_rules[o->rule];

		if (rule->subject != SUBJECT_FUNC || rule->result == RESULT_CHANGED ||
		    !described[o->name])
			list->items[nr++] = *o;
	}
	list->nr = nr;
}

void use_func_strings(struct program *p)
{
	bool decl_tags = feature_on(p->opts, FEATURE_DECL_TAG);
	struct str_pool *s = &p->strings;

	p->kfunc_tag = str_pool_add(s, KFUNC_TAG, strlen(KFUNC_TAG));
	p->fastcall_tag = str_pool_add(s, KFUNC_FASTCALL_TAG, strlen(KFUNC_FASTCALL_TAG));
	p->arena_tag = str_pool_add(s, "address_space(1)", 16);
	for (size_t i = 0; i < p->chosen.nr; i++) {
		const struct chosen_func *func = &p->chosen.items[i];
		const struct kfunc *k = kfunc_of(p, func);

		if (has_arena(p, k))
			str_pool_use(s, p->arena_tag, program_next_place(p));
		str_pool_use(s, func_name(p, func), program_next_place(p));
		if (!k || !decl_tags)
			continue;
		str_pool_use(s, p->kfunc_tag, program_next_place(p));
		if (k->flags & KFUNC_FASTCALL)
			str_pool_use(s, p->fastcall_tag, program_next_place(p));
	}
}

/* Replace *ref, a pointer, by one into the arena of BPF programs (docs/spec/encoding.md 10.3). */
static struct err *into_arena(struct program *p, const char *func, uint32_t *ref)
{
	const uint32_t *ptr = *ref ? btf_types_rec(&p->out, *ref) : NULL;

	if (!ptr || btf_rec_kind(ptr) != BTF_PTR)
		return err_new(
			ERR_FORMAT,
			"kfunc '%s': marked as taking or returning an arena pointer, but it is no pointer",
			func);

	const uint32_t tag[] = { string_offset(p, p->arena_tag), btf_info(BTF_TYPE_TAG, 0, true),
				 ptr[BTF_REC_SIZE_TYPE] };
	uint32_t target = append_record(&p->out, tag, ARRAY_SIZE(tag));
	const uint32_t rec[] = { 0, btf_info(BTF_PTR, 0, false), target };

	*ref = append_record(&p->out, rec, ARRAY_SIZE(rec));
	return NULL;
}

static struct err *arena_pointers(struct program *p, const struct kfunc *k, const char *func,
				  struct record_words *proto)
{
	uint32_t nr = btf_rec_vlen(proto->items);
	uint32_t *arg = proto->items + BTF_REC_WORDS + 1;

	if (k->flags & KFUNC_ARENA_RET)
		TRY(into_arena(p, func, &proto->items[BTF_REC_SIZE_TYPE]));
	if ((k->flags & KFUNC_ARENA_ARG1) && nr > 0)
		TRY(into_arena(p, func, &arg[0]));
	if ((k->flags & KFUNC_ARENA_ARG2) && nr > 1)
		TRY(into_arena(p, func, &arg[2]));
	return NULL;
}

/* Append the prototype of @c unless the result has it already; *ret is its id. */
static struct err *emit_proto(struct program *p, const struct chosen_func *c, const struct kfunc *k,
			      uint32_t *ret)
{
	const struct unit_func *func = c->func;
	bool arena = has_arena(p, k);
	/* deduplication would merge it with the one that is there */
	uint32_t *shared = arena || p->units.items[func->unit].needs_exact ? NULL :
									     &p->final[func->proto];

	if (shared && *shared) {
		*ret = *shared;
		return NULL;
	}
	read_proto(p, func, &p->proto);
	if (arena)
		TRY(arena_pointers(p, k, str_pool_text(&p->strings, func_name(p, c)), &p->proto));
	*ret = append_record(&p->out, p->proto.items, p->proto.nr);
	if (shared)
		*shared = *ret;
	return NULL;
}

static void emit_tags(struct program *p, const struct unit_func *func, uint32_t id)
{
	const struct program_unit *u = &p->units.items[func->unit];

	for (uint32_t t = 0; t < func->nr_tags; t++) {
		const struct unit_tag *tag = &u->btf.func_tags.items[func->tags + t];

		if (tag->component != UNIT_TAG_STRING_ONLY)
			append_tag(p, &p->out, tag->value, id, tag->component);
	}
}

/* Sites of the function that have the prototype @proto mean @id, too. */
static void share_func(struct program *p, const struct chosen_func *c, uint32_t proto, uint32_t id)
{
	const uint32_t rec[] = { p->inputs[c->func->file].func_names[c->func->func],
				 btf_info(BTF_FUNC, BTF_LINK_STATIC, false), c->func->proto };
	const struct pool_type *func;

	if (!p->sites.nr || !feature_on(p->opts, FEATURE_INLINE) || c->symbol ||
	    p->final[c->func->proto] != proto || p->units.items[c->func->unit].needs_exact)
		return;
	func = type_pool_find(&p->types, rec, ARRAY_SIZE(rec));
	if (func)
		p->final[func->id] = id;
}

static struct err *emit_func(struct program *p, const struct chosen_func *c)
{
	const struct kfunc *k = kfunc_of(p, c);
	uint32_t proto;

	TRY(emit_proto(p, c, k, &proto));
	/* pahole writes "static" for all functions, and the kernel's tools expect it */
	const uint32_t rec[] = { string_offset(p, func_name(p, c)),
				 btf_info(BTF_FUNC, BTF_LINK_STATIC, false), proto };
	uint32_t id = append_record(&p->out, rec, ARRAY_SIZE(rec));

	share_func(p, c, rec[BTF_REC_SIZE_TYPE], id);
	emit_tags(p, c->func, id);
	/* deduplication removes those that are equal */
	for (size_t i = 0; i < c->nr_also; i++)
		emit_tags(p, p->chosen.also.items[c->also + i], id);
	if (k && feature_on(p->opts, FEATURE_DECL_TAG)) {
		append_tag(p, &p->out, p->kfunc_tag, id, -1);
		if (k->flags & KFUNC_FASTCALL)
			append_tag(p, &p->out, p->fastcall_tag, id, -1);
	}
	return NULL;
}

struct err *append_funcs(struct program *p)
{
	p->funcs_from = btf_types_end(&p->out);
	for (size_t i = 0; i < p->chosen.nr; i++)
		TRY(emit_func(p, &p->chosen.items[i]));
	return NULL;
}
