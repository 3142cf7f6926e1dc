/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assembly_finish.c - from fragments to bytes
 *
 * The records come in the order in which pahole appends them, because the ids of the result
 * follow from it (spec pahole-encoder 1.2): unit by unit its types, the index type if it
 * is here, its tags, its variables; then the functions by name; then the sections. A unit
 * whose types are told by their names contributes only those that no earlier unit has; one
 * that is not contributes all it says. Then the rule of dedup.h runs over the list, which
 * is about as long as its result.
 */
#include "encoder/assembly.h"

#include "base/cleanup.h"
#include "base/placed.h"
#include "dedup/btf_image.h"
#include "dedup/dedup.h"
#include "dedup/distill.h"
#include "encoder/assembly_note.h"
#include "encoder/var_ledger.h"

#include <stdlib.h>

struct finish {
	struct assembly *a;
	struct btf_types out;
	struct {
		struct placed *items;
		size_t nr, cap;
	} placed;
	uint32_t *final; /* by pool id: the record that it becomes, 0 for none yet */
	uint32_t index;  /* the record that is the index type of arrays, 0 for none */
	struct func_choice funcs;
	uint32_t end_unit; /* the place of strings behind all units */
	uint32_t step;
	/* string ids */
	uint32_t kfunc_tag, fastcall_tag, arena_tag, int_name;
	struct var_ledger vars;
	/* if a note is wanted: by record, what it has become */
	uint32_t *ids;
	uint32_t funcs_from;     /* the first record that is about functions */
	uint32_t *section_names; /* string ids, by section of the first file */
};

static void finish_release(struct finish *f)
{
	btf_types_release(&f->out);
	free(f->placed.items);
	free(f->final);
	free(f->funcs.items);
	var_ledger_release(&f->vars);
	free(f->ids);
	free(f->section_names);
}

static uint32_t offset_of(const struct finish *f, uint32_t string)
{
	return string ? str_pool_at(&f->a->strings, string)->offset : 0;
}

/* --- which record comes where ---------------------------------------------------- */

static void collect_placed(struct finish *f)
{
	uint32_t end = atomic_load(&f->a->types.end);

	vec_reserve(&f->placed, end);
	for (uint32_t id = 1; id < end; id++) {
		const struct pool_type *t = type_pool_at(&f->a->types, id);

		if (atomic_load_explicit(&t->unplaced, memory_order_relaxed))
			f->placed.items[f->placed.nr++] = (struct placed){ pool_type_place(t), id };
	}
	placed_sort(f->placed.items, f->placed.nr);
	f->final = mem_zalloc(end, sizeof(f->final[0]));
}

static bool index_is_made_by(const struct assembly *a, uint32_t unit)
{
	return a->have_index && a->own_index && a->index_unit == unit;
}

/* The id of record @tid of an exact unit. */
static uint32_t exact_id(const struct assembly *a, const struct assembly_unit *u, frag_tid tid)
{
	bool gap = tid > u->frag.index_place && !index_is_made_by(a, u->frag.unit);

	return tid ? u->first + tid - 1 - gap : 0;
}

/* Give each record of unit @u its id, from @next on. Returns the next one. */
static uint32_t number_unit(struct finish *f, struct assembly_unit *u, size_t *pos, uint32_t next)
{
	struct assembly *a = f->a;
	uint32_t unit = u->frag.unit;
	bool made = index_is_made_by(a, unit);

	u->first = next;
	if (u->exact)
		next += (uint32_t)u->exact->start.nr - 2 + made;
	for (; *pos < f->placed.nr && pool_place_unit(f->placed.items[*pos].place) == unit;
	     ++*pos) {
		const struct placed *p = &f->placed.items[*pos];
		uint32_t tid = pool_place_index(p->place);

		if (u->exact) {
			f->final[p->id] = exact_id(a, u, tid);
			continue;
		}
		if (made && !f->index && tid > a->index_tid)
			f->index = next++;
		f->final[p->id] = next++;
	}
	if (made && u->exact)
		f->index = exact_id(a, u, a->index_tid);
	else if (made && !f->index)
		f->index = next++;
	u->vars = next;
	for (size_t i = 0; i < u->frag.vars.nr; i++) {
		const struct frag_var *v = &u->frag.vars.items[i];

		if (!v->dropped)
			next += 1 + v->nr_tags;
	}
	return next;
}

static struct err *number_all(struct finish *f)
{
	struct assembly *a = f->a;
	uint32_t next = f->out.first;
	size_t pos = 0;

	for (size_t i = 0; i < a->units.nr; i++) {
		if (next > INT32_MAX)
			return err_new(ERR_LIMIT, "over two thousand million types");
		next = number_unit(f, &a->units.items[i], &pos, next);
	}
	if (a->have_index && !a->own_index) {
		const struct assembly_unit *u = &a->units.items[a->index_unit];

		f->index = u->exact ? exact_id(a, u, a->index_tid) :
				      f->final[u->frag.types.items[a->index_tid]];
	}
	return NULL;
}

/* --- writing records --------------------------------------------------------------- */

/* The record that a reference of the pool means. */
static uint32_t final_ref(const struct finish *f, pool_ref r)
{
	if (!r)
		return 0;
	if (r == POOL_REF_INDEX)
		return f->index;
	if (pool_ref_is_named(r))
		r = f->a->settled.named[pool_ref_space(r)][pool_ref_name(r)];
	return f->final[r];
}

/* The record that @tid of unit @u means. */
static uint32_t unit_ref(const struct finish *f, const struct assembly_unit *u, frag_tid tid)
{
	if (!tid)
		return 0;
	if (u->exact)
		return exact_id(f->a, u, tid);

	uint32_t id = u->frag.types.items[tid];
	return final_ref(f, pool_ref_to(type_pool_at(&f->a->types, id)->rec, id));
}

/* Copy a record; @u is its unit if references are numbers of one. */
static void emit(struct finish *f, const uint32_t *rec, const struct assembly_unit *u)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	/* what has no kind is lonely, and its unit is judged as it is */
	if (unlikely(!l))
		return;
	size_t nr = BTF_REC_WORDS + l->fixed + (size_t)l->elem * vlen;
	uint32_t *out = btf_types_add(&f->out, nr);

#define REF(x) ((x) == POOL_REF_INDEX ? f->index : u ? unit_ref(f, u, x) : final_ref(f, x))
	memcpy(out, rec, nr * sizeof(*rec));
	out[BTF_REC_NAME] = offset_of(f, rec[BTF_REC_NAME]);
	if (l->main_is_type)
		out[BTF_REC_SIZE_TYPE] = REF(rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < l->fixed_types; i++)
		out[BTF_REC_WORDS + i] = REF(rec[BTF_REC_WORDS + i]);
	out += BTF_REC_WORDS + l->fixed;
	for (uint32_t i = 0; i < vlen; i++, out += l->elem) {
		if (l->elem_name >= 0)
			out[l->elem_name] = offset_of(f, out[l->elem_name]);
		if (l->elem_type >= 0)
			out[l->elem_type] = REF(out[l->elem_type]);
	}
#undef REF
}

static uint32_t add(struct finish *f, const uint32_t *rec, size_t nr)
{
	uint32_t id = btf_types_end(&f->out);

	memcpy(btf_types_add(&f->out, nr), rec, nr * sizeof(*rec));
	return id;
}

static void emit_tag(struct finish *f, uint32_t value, uint32_t of, int32_t component)
{
	const uint32_t rec[] = { offset_of(f, value), btf_info(BTF_DECL_TAG, 0, false), of,
				 (uint32_t)component };

	add(f, rec, ARRAY_SIZE(rec));
}

static void emit_index(struct finish *f)
{
	const uint32_t rec[] = { offset_of(f, f->int_name), btf_info(BTF_INT, 0, false), 4,
				 (uint32_t)BTF_ENC_SIGNED << 24 | 32 };

	add(f, rec, ARRAY_SIZE(rec));
}

static void emit_types(struct finish *f, const struct assembly_unit *u, size_t *pos)
{
	uint32_t unit = u->frag.unit;

	for (; *pos < f->placed.nr && pool_place_unit(f->placed.items[*pos].place) == unit;
	     ++*pos) {
		if (u->exact)
			continue;
		if (btf_types_end(&f->out) == f->index && index_is_made_by(f->a, unit))
			emit_index(f);
		emit(f, type_pool_at(&f->a->types, f->placed.items[*pos].id)->rec, NULL);
	}
	if (u->exact) {
		for (frag_tid t = 1; t < u->exact->start.nr; t++) {
			uint32_t start = u->exact->start.items[t];

			if (start)
				emit(f, u->exact->words.items + start, u);
			else if (index_is_made_by(f->a, unit))
				emit_index(f);
		}
	} else if (btf_types_end(&f->out) == f->index && index_is_made_by(f->a, unit)) {
		emit_index(f);
	}
}

static void emit_vars(struct finish *f, struct assembly_unit *u)
{
	for (size_t i = 0; i < u->frag.vars.nr; i++) {
		struct frag_var *v = &u->frag.vars.items[i];

		if (v->dropped)
			continue;

		const uint32_t rec[] = { offset_of(f, v->name), btf_info(BTF_VAR, 0, false),
					 unit_ref(f, u, v->type), v->linkage };
		v->id = add(f, rec, ARRAY_SIZE(rec));

		for (uint32_t t = 0; t < v->nr_tags; t++) {
			const struct frag_tag *tag = &u->frag.var_tags.items[v->tags + t];

			emit_tag(f, tag->value, v->id, tag->component);
		}
	}
}

static void emit_units(struct finish *f)
{
	size_t pos = 0;

	for (size_t i = 0; i < f->a->units.nr; i++) {
		struct assembly_unit *u = &f->a->units.items[i];

		emit_types(f, u, &pos);
		assert(btf_types_end(&f->out) == u->vars);
		emit_vars(f, u);
	}
}

/* --- functions -------------------------------------------------------------------- */

/* What is described as an optimized copy is not what BPF programs call. */
static const struct kfunc *kfunc_of(const struct finish *f, const struct chosen_func *c)
{
	const struct kfuncs *k = f->a->files.items[c->func->file].kfuncs;

	if (!k || c->symbol || !feature_on(f->a->opts, FEATURE_DECL_TAG_KFUNCS))
		return NULL;
	return kfuncs_find(k, c->func->func);
}

static uint32_t func_name(struct finish *f, const struct chosen_func *c)
{
	const struct func_entry *e = &f->a->files.items[c->func->file].syms->funcs[c->func->func];

	if (c->symbol)
		return str_pool_add(&f->a->strings, c->symbol, strlen(c->symbol));
	return str_pool_find(&f->a->strings, e->name, e->name_len);
}

static bool arena(const struct finish *f, const struct kfunc *k)
{
	return k && feature_on(f->a->opts, FEATURE_ATTRIBUTES) &&
	       (k->flags & (KFUNC_ARENA_RET | KFUNC_ARENA_ARG1 | KFUNC_ARENA_ARG2));
}

/* The strings that functions and sections add behind those of all units. */
static void use_func_strings(struct finish *f)
{
	bool decl_tags = feature_on(f->a->opts, FEATURE_DECL_TAG);
	struct str_pool *s = &f->a->strings;

	for (size_t i = 0; i < f->funcs.nr; i++) {
		const struct chosen_func *func = &f->funcs.items[i];
		const struct kfunc *k = kfunc_of(f, func);

		if (arena(f, k))
			str_pool_use(s, f->arena_tag, str_place_at(f->end_unit, f->step++));
		str_pool_use(s, func_name(f, func), str_place_at(f->end_unit, f->step++));
		if (!k || !decl_tags)
			continue;
		str_pool_use(s, f->kfunc_tag, str_place_at(f->end_unit, f->step++));
		if (k->flags & KFUNC_FASTCALL)
			str_pool_use(s, f->fastcall_tag, str_place_at(f->end_unit, f->step++));
	}
}

/* The pointer @ref, as one into the arena of BPF programs. */
static struct err *into_arena(struct finish *f, const char *func, uint32_t *ref)
{
	const uint32_t *ptr = *ref ? btf_types_rec(&f->out, *ref) : NULL;

	if (!ptr || btf_info_kind(ptr[BTF_REC_INFO]) != BTF_PTR)
		return err_new(
			ERR_FORMAT,
			"kfunc '%s': marked as taking or returning an arena pointer, but it is no pointer",
			func);

	const uint32_t tag[] = { offset_of(f, f->arena_tag), btf_info(BTF_TYPE_TAG, 0, true),
				 ptr[BTF_REC_SIZE_TYPE] };
	uint32_t target = add(f, tag, ARRAY_SIZE(tag));
	const uint32_t rec[] = { 0, btf_info(BTF_PTR, 0, false), target };

	*ref = add(f, rec, ARRAY_SIZE(rec));
	return NULL;
}

static struct err *arena_pointers(struct finish *f, const struct kfunc *k, const char *func,
				  struct record_words *proto)
{
	uint32_t nr = btf_info_vlen(proto->items[BTF_REC_INFO]);
	uint32_t *arg = proto->items + BTF_REC_WORDS + 1;

	if (k->flags & KFUNC_ARENA_RET)
		TRY(into_arena(f, func, &proto->items[BTF_REC_SIZE_TYPE]));
	if ((k->flags & KFUNC_ARENA_ARG1) && nr > 0)
		TRY(into_arena(f, func, &arg[0]));
	if ((k->flags & KFUNC_ARENA_ARG2) && nr > 1)
		TRY(into_arena(f, func, &arg[2]));
	return NULL;
}

/* A kfunc's prototype, with its arena pointers. */
static struct err *emit_arena_proto(struct finish *f, const struct chosen_func *c,
				    const struct kfunc *k, uint32_t *ret)
{
	const struct frag_func *func = c->func;
	/* write it, take it back, and write it again with other pointers */
	size_t words = f->out.words.nr, records = f->out.start.nr;
	const struct assembly_unit *u = &f->a->units.items[func->unit];
	struct record_words proto = { 0 };

	if (u->exact)
		emit(f, u->exact->words.items + u->exact->protos.items[func->ordinal], u);
	else
		emit(f, type_pool_at(&f->a->types, func->proto)->rec, NULL);
	proto.nr = f->out.words.nr - words;
	proto.items = mem_dup(f->out.words.items + words, proto.nr * sizeof(proto.items[0]));
	f->out.words.nr = words;
	f->out.start.nr = records;

	struct err *e = arena_pointers(f, k, str_pool_text(&f->a->strings, func_name(f, c)),
				       &proto);
	if (!e)
		*ret = add(f, proto.items, proto.nr);
	free(proto.items);
	return e;
}

static uint32_t emit_proto(struct finish *f, const struct frag_func *func)
{
	const struct assembly_unit *u = &f->a->units.items[func->unit];
	uint32_t id = btf_types_end(&f->out);

	if (u->exact) {
		emit(f, u->exact->words.items + u->exact->protos.items[func->ordinal], u);
		return id;
	}
	/* one that is there already would be merged with this one */
	if (f->final[func->proto])
		return f->final[func->proto];
	f->final[func->proto] = id;
	emit(f, type_pool_at(&f->a->types, func->proto)->rec, NULL);
	return id;
}

static struct err *emit_func(struct finish *f, const struct chosen_func *c)
{
	const struct frag_func *func = c->func;
	const struct assembly_unit *u = &f->a->units.items[func->unit];
	const struct kfunc *k = kfunc_of(f, c);
	uint32_t proto;

	if (arena(f, k))
		TRY(emit_arena_proto(f, c, k, &proto));
	else
		proto = emit_proto(f, func);

	/* pahole says "static" of all of them, and so do the kernel's tools expect it */
	const uint32_t rec[] = { offset_of(f, func_name(f, c)),
				 btf_info(BTF_FUNC, BTF_LINK_STATIC, false), proto };
	uint32_t id = add(f, rec, ARRAY_SIZE(rec));

	for (uint32_t t = 0; t < func->nr_tags; t++) {
		const struct frag_tag *tag = &u->frag.func_tags.items[func->tags + t];

		emit_tag(f, tag->value, id, tag->component);
	}
	if (k && feature_on(f->a->opts, FEATURE_DECL_TAG)) {
		emit_tag(f, f->kfunc_tag, id, -1);
		if (k->flags & KFUNC_FASTCALL)
			emit_tag(f, f->fastcall_tag, id, -1);
	}
	return NULL;
}

/* --- sections --------------------------------------------------------------------- */

/*
 * Which variables are described is known before records are numbered. The strings of the
 * others stay: so the string section is pahole's, with or without them.
 */
static void choose_vars(struct finish *f, struct notes *notes)
{
	struct assembly *a = f->a;
	struct var_drops drops = { 0 };

	var_ledger_init(&f->vars, a->files.items[0].obj->nr_sections);
	for (size_t i = 0; i < a->units.nr; i++)
		var_ledger_add(&f->vars, &a->units.items[i].frag);
	var_ledger_choose(&f->vars, a->files.items[0].obj, a->files.items[0].syms, &a->strings,
			  &drops);
	for (size_t i = 0; i < drops.nr; i++) {
		const struct var_place *d = &drops.items[i].dropped, *by = &drops.items[i].by;
		const struct str_pool *s = &a->strings;

		notes_add(notes, NOTE_VERBOSE,
			  "unit '%s': variable '%s' left out: it overlaps '%s' of unit '%s'",
			  str_pool_text(s, a->units.items[d->unit].frag.name),
			  str_pool_text(s, d->var->name), str_pool_text(s, by->var->name),
			  str_pool_text(s, a->units.items[by->unit].frag.name));
	}
	free(drops.items);
}

static void name_sections(struct finish *f)
{
	const struct object *obj = f->a->files.items[0].obj;
	struct str_pool *strings = &f->a->strings;

	f->section_names = mem_zalloc(f->vars.nr_sections + 1, sizeof(f->section_names[0]));
	for (size_t i = 0; i < f->vars.nr_sections; i++) {
		const char *name = obj->sections[i].name;

		if (!f->vars.sections[i].nr)
			continue;
		f->section_names[i] = str_pool_add(strings, name, strlen(name));
		str_pool_use(strings, f->section_names[i], str_place_at(f->end_unit, f->step++));
	}
}

static struct err *emit_section(struct finish *f, const struct var_section *s, uint32_t name)
{
	if (!s->nr)
		return NULL;
	if (s->nr > BTF_MAX_VLEN)
		return err_new(ERR_LIMIT, "section '%s' has %zu variables; BTF has room for %u",
			       str_pool_text(&f->a->strings, name), s->nr, BTF_MAX_VLEN);

	const struct var_place *last = &s->items[s->nr - 1];
	uint32_t *rec = btf_types_add(&f->out, BTF_REC_WORDS + s->nr * 3);
	rec[BTF_REC_NAME] = offset_of(f, name);
	rec[BTF_REC_INFO] = btf_info(BTF_DATASEC, (uint32_t)s->nr, false);
	rec[BTF_REC_SIZE_TYPE] = last->offset + last->size;
	rec += BTF_REC_WORDS;
	for (size_t i = 0; i < s->nr; i++, rec += 3) {
		rec[0] = s->items[i].var->id;
		rec[1] = s->items[i].offset;
		rec[2] = s->items[i].size;
	}
	return NULL;
}

/* --- all of it --------------------------------------------------------------------- */

static struct err *emit_all(struct finish *f)
{
	emit_units(f);
	f->funcs_from = btf_types_end(&f->out);
	for (size_t i = 0; i < f->funcs.nr; i++)
		TRY(emit_func(f, &f->funcs.items[i]));
	for (size_t i = 0; i < f->vars.nr_sections; i++)
		TRY(emit_section(f, &f->vars.sections[i], f->section_names[i]));
	return NULL;
}

static bool wants_note(const struct assembly *a)
{
	return a->units.nr == 1 && a->units.items[0].note;
}

static struct err *dedup_all(struct finish *f)
{
	const struct settled *s = &f->a->settled;
	struct dedup_bind *binds = mem_alloc(s->binds.nr * sizeof(*binds));
	if (wants_note(f->a))
		f->ids = mem_alloc(btf_types_end(&f->out) * sizeof(f->ids[0]));
	const struct dedup_opts opts = {
		.binds = binds,
		.nr_binds = s->binds.nr,
		.ids = f->ids,
		.base = f->a->base && f->a->base->shared ? &f->a->base->types : NULL,
	};

	for (size_t i = 0; i < s->binds.nr; i++)
		binds[i] = (struct dedup_bind){ f->final[s->binds.items[i].fwd],
						f->final[s->binds.items[i].def] };

	struct err *e = dedup_run(&f->out, &opts);
	free(binds);
	return e;
}

/* What the base says already is not said again. */
static void find_in_base(struct assembly *a)
{
	const struct btf_input *base = a->base;

	if (base->shared) {
		string_index_find(&base->strings, &a->strings);
		return;
	}
	if (base->has_base)
		str_pool_find_in_base(&a->strings, (const char *)base->base_view.strings.ptr,
				      base->base_view.strings.len, 0);
	str_pool_find_in_base(&a->strings, (const char *)base->view.strings.ptr,
			      base->view.strings.len, base->view.str_base);
}

/* What is wanted of the base, and the records over that. */
static struct err *distilled_images(const struct finish *f, struct bytes strings,
				    const struct btf_image_opts *opts, struct encoded *ret)
{
	const struct btf_input *base = f->a->base;
	const struct btf_view split = {
		.types = f->out,
		.strings = strings,
		.str_base = btf_input_str_len(base),
		.base = &base->view,
	};
	CLEANUP(distilled_release) struct distilled d = { 0 };

	TRY(err_at(distill(&split, &d), "'%s'", base->path));
	TRY(btf_image_make(&d.split, (struct bytes){ (uint8_t *)d.split_text, d.split_len }, opts,
			   &ret->btf, &ret->btf_len));
	return btf_image_make(&d.base, (struct bytes){ (uint8_t *)d.base_text, d.base_len }, opts,
			      &ret->base, &ret->base_len);
}

static struct err *make_images(const struct finish *f, struct bytes strings, struct encoded *ret)
{
	CLEANUP(encoded_release) struct encoded made = { 0 };
	const struct assembly *a = f->a;
	struct btf_image_opts opts = { .swap = a->files.items[0].obj->swap };

	if (a->base && feature_on(a->opts, FEATURE_DISTILLED_BASE)) {
		/* pahole's has no table of kinds, and .BTF is split */
		TRY(distilled_images(f, strings, &opts, &made));
	} else if (f->out.start.nr || a->base) {
		opts.layout = feature_on(a->opts, FEATURE_LAYOUT);
		TRY(btf_image_make(&f->out, strings, &opts, &made.btf, &made.btf_len));
	}
	*ret = TAKE(made);
	return NULL;
}

/* Append the note to the strings of the result, *text of *len bytes. */
static void add_note(struct finish *f, char **text, size_t *len)
{
	struct assembly_unit *u = &f->a->units.items[0];
	uint32_t *ids = mem_zalloc(u->frag.types.nr + 1, sizeof(*ids));
	struct member_note_bytes strings = { (uint8_t *)*text, *len, *len };
	struct note_frame frame = { .ids = ids, .func_start = 1, .strings_len = *len };

	for (frag_tid t = 1; t < u->frag.types.nr; t++) {
		if (t != u->frag.index_place)
			ids[t] = f->ids[u->exact ? exact_id(f->a, u, t) :
						   f->final[u->frag.types.items[t]]];
	}
	for (uint32_t id = 1; id < f->funcs_from; id++) {
		if (f->ids[id] >= frame.func_start)
			frame.func_start = f->ids[id] + 1;
	}
	if (index_is_made_by(f->a, 0))
		frame.index = f->ids[f->index];
	assembly_note_append(f->a, &frame, &strings);
	*text = (char *)strings.items;
	*len = strings.nr;
	free(ids);
}

struct err *assembly_finish(struct assembly *a, struct notes *notes, struct encoded *ret)
{
	CLEANUP(finish_release) struct finish f = {
		.a = a,
		.end_unit = (uint32_t)a->units.nr,
		.kfunc_tag = str_pool_add(&a->strings, "bpf_kfunc", 9),
		.fastcall_tag = str_pool_add(&a->strings, "bpf_fastcall", 12),
		.arena_tag = str_pool_add(&a->strings, "address_space(1)", 16),
		.int_name = str_pool_add(&a->strings, "int", 3),
	};
	struct func_file *files = mem_alloc(a->files.nr * sizeof(*files));

	for (size_t i = 0; i < a->files.nr; i++)
		files[i].syms = a->files.items[i].syms;
	for (size_t i = 0; i < a->units.nr; i++)
		notes_move(notes, &a->units.items[i].frag.notes);
	func_ledger_choose(&a->funcs, a->opts, files, &a->types, notes, &f.funcs);
	free(files);

	*ret = (struct encoded){ 0 };
	btf_types_init(&f.out, a->base ? &a->base->view.types : NULL);
	choose_vars(&f, notes);
	collect_placed(&f);
	TRY(number_all(&f));
	use_func_strings(&f);
	name_sections(&f);

	char *text;
	size_t len;
	if (a->base)
		find_in_base(a);
	TRY(str_pool_layout(&a->strings, a->base ? btf_input_str_len(a->base) : 0, &text, &len));
	struct err *e = emit_all(&f);
	if (!e)
		e = dedup_all(&f);
	if (!e && wants_note(a) && f.out.start.nr)
		add_note(&f, &text, &len);
	if (!e)
		e = make_images(&f, (struct bytes){ (uint8_t *)text, len }, ret);
	free(text);
	return e;
}
