/* SPDX-License-Identifier: GPL-2.0-only */
/* finish_funcs.c - append the functions behind all units, sorted by name */
#include "encoder/emit/finish.h"

#include "base/cleanup.h"

#include <stdlib.h>

/* BPF programs do not call a function that is described under the name of an optimized copy. */
static const struct kfunc *kfunc_of(const struct finish *f, const struct chosen_func *c)
{
	const struct kfuncs *k = f->a->files.items[c->func->file].kfuncs;

	if (!k || c->symbol || !feature_on(f->a->opts, FEATURE_DECL_TAG_KFUNCS))
		return NULL;
	return kfuncs_find(k, c->func->func);
}

static uint32_t func_name(struct finish *f, const struct chosen_func *c)
{
	if (c->symbol)
		return str_pool_add(&f->a->strings, c->symbol, strlen(c->symbol));
	return f->a->files.items[c->func->file].func_names[c->func->func];
}

static bool has_arena(const struct finish *f, const struct kfunc *k)
{
	return k && feature_on(f->a->opts, FEATURE_ATTRIBUTES) &&
	       (k->flags & (KFUNC_ARENA_RET | KFUNC_ARENA_ARG1 | KFUNC_ARENA_ARG2));
}

void finish_decide_omissions(const struct finish *f, struct omissions *list)
{
	CLEANUP(mem_free) bool *described = mem_zalloc(atomic_load(&f->a->strings.end),
						       sizeof(*described));
	size_t nr = 0;

	for (size_t i = 0; i < f->a->chosen.nr; i++) {
		const struct unit_func *func = f->a->chosen.items[i].func;

		described[f->a->files.items[func->file].func_names[func->func]] = true;
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

void finish_use_func_strings(struct finish *f)
{
	bool decl_tags = feature_on(f->a->opts, FEATURE_DECL_TAG);
	struct str_pool *s = &f->a->strings;

	for (size_t i = 0; i < f->a->chosen.nr; i++) {
		const struct chosen_func *func = &f->a->chosen.items[i];
		const struct kfunc *k = kfunc_of(f, func);

		if (has_arena(f, k))
			str_pool_use(s, f->arena_tag, str_place_at(f->end_unit, f->step++));
		str_pool_use(s, func_name(f, func), str_place_at(f->end_unit, f->step++));
		if (!k || !decl_tags)
			continue;
		str_pool_use(s, f->kfunc_tag, str_place_at(f->end_unit, f->step++));
		if (k->flags & KFUNC_FASTCALL)
			str_pool_use(s, f->fastcall_tag, str_place_at(f->end_unit, f->step++));
	}
}

/* Replace *ref, a pointer, by one into the arena of BPF programs (docs/spec/encoding.md 10.3). */
static struct err *into_arena(struct finish *f, const char *func, uint32_t *ref)
{
	const uint32_t *ptr = *ref ? btf_types_rec(&f->out, *ref) : NULL;

	if (!ptr || btf_rec_kind(ptr) != BTF_PTR)
		return err_new(
			ERR_FORMAT,
			"kfunc '%s': marked as taking or returning an arena pointer, but it is no pointer",
			func);

	const uint32_t tag[] = { finish_offset(f, f->arena_tag), btf_info(BTF_TYPE_TAG, 0, true),
				 ptr[BTF_REC_SIZE_TYPE] };
	uint32_t target = finish_add(&f->out, tag, ARRAY_SIZE(tag));
	const uint32_t rec[] = { 0, btf_info(BTF_PTR, 0, false), target };

	*ref = finish_add(&f->out, rec, ARRAY_SIZE(rec));
	return NULL;
}

static struct err *arena_pointers(struct finish *f, const struct kfunc *k, const char *func,
				  struct record_words *proto)
{
	uint32_t nr = btf_rec_vlen(proto->items);
	uint32_t *arg = proto->items + BTF_REC_WORDS + 1;

	if (k->flags & KFUNC_ARENA_RET)
		TRY(into_arena(f, func, &proto->items[BTF_REC_SIZE_TYPE]));
	if ((k->flags & KFUNC_ARENA_ARG1) && nr > 0)
		TRY(into_arena(f, func, &arg[0]));
	if ((k->flags & KFUNC_ARENA_ARG2) && nr > 1)
		TRY(into_arena(f, func, &arg[2]));
	return NULL;
}

/* Append the prototype of @c unless the result has it already; *ret is its id. */
static struct err *emit_proto(struct finish *f, const struct chosen_func *c, const struct kfunc *k,
			      uint32_t *ret)
{
	const struct unit_func *func = c->func;
	bool arena = has_arena(f, k);
	/* deduplication would merge it with the one that is there */
	uint32_t *shared = arena || f->a->units.items[func->unit].needs_exact ?
				   NULL :
				   &f->final[func->proto];

	if (shared && *shared) {
		*ret = *shared;
		return NULL;
	}
	finish_read_proto(f, func, &f->proto);
	if (arena)
		TRY(arena_pointers(f, k, str_pool_text(&f->a->strings, func_name(f, c)),
				   &f->proto));
	*ret = finish_add(&f->out, f->proto.items, f->proto.nr);
	if (shared)
		*shared = *ret;
	return NULL;
}

static void emit_tags(struct finish *f, const struct unit_func *func, uint32_t id)
{
	const struct assembly_unit *u = &f->a->units.items[func->unit];

	for (uint32_t t = 0; t < func->nr_tags; t++) {
		const struct unit_tag *tag = &u->btf.func_tags.items[func->tags + t];

		if (tag->component != UNIT_TAG_STRING_ONLY)
			finish_tag(f, &f->out, tag->value, id, tag->component);
	}
}

static struct err *emit_func(struct finish *f, const struct chosen_func *c)
{
	const struct kfunc *k = kfunc_of(f, c);
	uint32_t proto;

	TRY(emit_proto(f, c, k, &proto));
	/* pahole writes "static" for all functions, and the kernel's tools expect it */
	const uint32_t rec[] = { finish_offset(f, func_name(f, c)),
				 btf_info(BTF_FUNC, BTF_LINK_STATIC, false), proto };
	uint32_t id = finish_add(&f->out, rec, ARRAY_SIZE(rec));

	emit_tags(f, c->func, id);
	/* deduplication removes those that are equal */
	for (size_t i = 0; i < c->nr_also; i++)
		emit_tags(f, f->a->chosen.also.items[c->also + i], id);
	if (k && feature_on(f->a->opts, FEATURE_DECL_TAG)) {
		finish_tag(f, &f->out, f->kfunc_tag, id, -1);
		if (k->flags & KFUNC_FASTCALL)
			finish_tag(f, &f->out, f->fastcall_tag, id, -1);
	}
	return NULL;
}

struct err *finish_funcs(struct finish *f)
{
	for (size_t i = 0; i < f->a->chosen.nr; i++)
		TRY(emit_func(f, &f->a->chosen.items[i]));
	return NULL;
}
