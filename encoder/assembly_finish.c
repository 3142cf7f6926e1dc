/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assembly_finish.c - from fragments to bytes
 *
 * The records come in the order in which pahole appends them, because the ids of the result
 * follow from it (spec pahole-encoder 1.2): unit by unit its types, the index type if it
 * is here, its tags, its variables; then the functions by name; then the sections. Of types that
 * are told by their names, a unit contributes only those that no earlier unit has; of others,
 * which have to be judged, all it says. Then the rule of dedup.h runs over the list, which
 * is about as long as its result.
 *
 * So what a reference of a unit means is its own record of that type, if it has one, and else the
 * one that all units share.
 */
#include "encoder/finish.h"

#include "base/cleanup.h"
#include "dedup/btf_image.h"
#include "dedup/dedup.h"
#include "dedup/distill.h"
#include "encoder/assembly_note.h"

#include <stdlib.h>

static void finish_release(struct finish *f)
{
	btf_types_release(&f->out);
	free(f->placed.items);
	free(f->final);
	free(f->funcs.items);
	var_ledger_release(&f->vars);
	free(f->ids);
	btf_types_release(&f->apart);
	free(f->text);
	free(f->apart_text);
	free(f->section_names);
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

/* Is the next type that has a place record @tid of @unit? */
static bool placed_here(const struct finish *f, size_t pos, uint32_t unit, frag_tid tid)
{
	return pos < f->placed.nr && f->placed.items[pos].place == ((uint64_t)unit << 32 | tid);
}

static bool is_judged(const struct assembly *a, uint32_t id)
{
	return !a->settled.judged || a->settled.judged[id];
}

/* Number what unit @u says, some of which is its own. */
static uint32_t number_judged(struct finish *f, struct assembly_unit *u, size_t *pos, uint32_t next)
{
	const struct frag *frag = &u->frag;
	uint32_t start = next;

	u->ids = mem_zalloc(frag->types.nr, sizeof(u->ids[0]));
	for (frag_tid t = 1; t < frag->types.nr; t++) {
		uint32_t id = frag->types.items[t];
		bool here = placed_here(f, *pos, frag->unit, t);

		if (!id && index_is_made_by(f->a, frag->unit))
			f->index = next++;
		if (id && is_judged(f->a, id))
			u->ids[t] = next;
		if (here)
			f->final[f->placed.items[(*pos)++].id] = next;
		next += here || u->ids[t];
	}
	if (u->exact)
		return next;
	own_types_init(&u->own, next - start);
	for (frag_tid t = 1; t < frag->types.nr; t++) {
		uint32_t id = frag->types.items[t];

		if (u->ids[t])
			own_types_add(&u->own, pool_ref_to(type_pool_at(&f->a->types, id)->rec, id),
				      u->ids[t]);
	}
	return next;
}

/* The same where all is shared. */
static uint32_t number_shared(struct finish *f, const struct assembly_unit *u, size_t *pos,
			      uint32_t next)
{
	const struct assembly *a = f->a;
	uint32_t unit = u->frag.unit;
	bool made = index_is_made_by(a, unit);

	for (; *pos < f->placed.nr && pool_place_unit(f->placed.items[*pos].place) == unit;
	     ++*pos) {
		const struct placed *p = &f->placed.items[*pos];

		if (made && !f->index && pool_place_index(p->place) > a->index_tid)
			f->index = next++;
		f->final[p->id] = next++;
	}
	if (made && !f->index)
		f->index = next++;
	return next;
}

/* Give each record of unit @u its id, from @next on. Returns the next one. */
static uint32_t number_unit(struct finish *f, struct assembly_unit *u, size_t *pos, uint32_t next)
{
	next = u->judged ? number_judged(f, u, pos, next) : number_shared(f, u, pos, next);
	u->vars = next;
	for (size_t i = 0; i < u->frag.vars.nr; i++) {
		const struct frag_var *v = &u->frag.vars.items[i];

		if (!v->dropped && !v->apart)
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
	if (a->have_index && !a->own_index)
		f->index = finish_unit_ref(f, &a->units.items[a->index_unit], a->index_tid);
	return NULL;
}

/* --- writing records --------------------------------------------------------------- */

/* The record that a reference of the pool means to all who have no own. */
static uint32_t shared_ref(const struct finish *f, pool_ref r)
{
	if (!r)
		return 0;
	if (r == POOL_REF_INDEX)
		return f->index;
	if (pool_ref_is_named(r))
		r = f->a->settled.named[pool_ref_space(r)][pool_ref_name(r)];
	return f->final[r];
}

/* The same to unit @u. */
static uint32_t pooled_ref(const struct finish *f, const struct assembly_unit *u, pool_ref r)
{
	uint32_t own = own_types_find(&u->own, r);

	return own ? own : shared_ref(f, r);
}

uint32_t finish_unit_ref(const struct finish *f, const struct assembly_unit *u, frag_tid tid)
{
	if (tid == POOL_REF_INDEX)
		return f->index;
	if (u->ids && u->ids[tid])
		return u->ids[tid];

	uint32_t id = u->frag.types.items[tid];
	return id ? shared_ref(f, pool_ref_to(type_pool_at(&f->a->types, id)->rec, id)) : 0;
}

/* Copy a record to the result. Its references are those of the pool, or numbers of @u if @exact. */
static void copy(struct finish *f, const uint32_t *rec, const struct assembly_unit *u, bool exact)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	/* what has no kind is lonely, and its unit says it as it is */
	if (unlikely(!l))
		return;
	size_t nr = BTF_REC_WORDS + l->fixed + (size_t)l->elem * vlen;
	uint32_t *out = btf_types_add(&f->out, nr);

#define REF(x) (exact ? finish_unit_ref(f, u, x) : pooled_ref(f, u, x))
	memcpy(out, rec, nr * sizeof(*rec));
	out[BTF_REC_NAME] = finish_offset(f, rec[BTF_REC_NAME]);
	if (l->main_is_type)
		out[BTF_REC_SIZE_TYPE] = REF(rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < l->fixed_types; i++)
		out[BTF_REC_WORDS + i] = REF(rec[BTF_REC_WORDS + i]);
	out += BTF_REC_WORDS + l->fixed;
	for (uint32_t i = 0; i < vlen; i++, out += l->elem) {
		if (l->elem_name >= 0)
			out[l->elem_name] = finish_offset(f, out[l->elem_name]);
		if (l->elem_type >= 0)
			out[l->elem_type] = REF(out[l->elem_type]);
	}
#undef REF
}

/* The type with pool id @id, as unit @u means it. */
static void copy_pooled(struct finish *f, uint32_t id, const struct assembly_unit *u)
{
	copy(f, type_pool_at(&f->a->types, id)->rec, u, false);
}

void finish_copy_proto(struct finish *f, const struct frag_func *func)
{
	const struct assembly_unit *u = &f->a->units.items[func->unit];

	if (u->exact)
		copy(f, u->exact->words.items + u->exact->protos.items[func->ordinal], u, true);
	else
		copy_pooled(f, func->proto, u);
}

uint32_t finish_add(struct btf_types *to, const uint32_t *rec, size_t nr)
{
	uint32_t id = btf_types_end(to);

	memcpy(btf_types_add(to, nr), rec, nr * sizeof(*rec));
	return id;
}

void finish_tag(const struct finish *f, struct btf_types *to, uint32_t value, uint32_t of,
		int32_t component)
{
	const uint32_t rec[] = { finish_offset(f, value), btf_info(BTF_DECL_TAG, 0, false), of,
				 (uint32_t)component };

	finish_add(to, rec, ARRAY_SIZE(rec));
}

static void emit_index(struct finish *f)
{
	const uint32_t rec[] = { finish_offset(f, f->int_name), btf_info(BTF_INT, 0, false), 4,
				 (uint32_t)BTF_ENC_SIGNED << 24 | 32 };

	finish_add(&f->out, rec, ARRAY_SIZE(rec));
}

static void emit_judged(struct finish *f, const struct assembly_unit *u, size_t *pos)
{
	const struct frag *frag = &u->frag;

	for (frag_tid t = 1; t < frag->types.nr; t++) {
		uint32_t id = frag->types.items[t];
		bool here = placed_here(f, *pos, frag->unit, t);

		if (!id && index_is_made_by(f->a, frag->unit))
			emit_index(f);
		else if (u->ids[t] && u->exact)
			copy(f, u->exact->words.items + u->exact->start.items[t], u, true);
		else if (here || u->ids[t])
			copy_pooled(f, id, u);
		*pos += here;
	}
}

static void emit_shared(struct finish *f, const struct assembly_unit *u, size_t *pos)
{
	uint32_t unit = u->frag.unit;

	for (; *pos < f->placed.nr && pool_place_unit(f->placed.items[*pos].place) == unit;
	     ++*pos) {
		if (btf_types_end(&f->out) == f->index && index_is_made_by(f->a, unit))
			emit_index(f);
		copy_pooled(f, f->placed.items[*pos].id, u);
	}
	if (btf_types_end(&f->out) == f->index && index_is_made_by(f->a, unit))
		emit_index(f);
}

static void emit_units(struct finish *f)
{
	size_t pos = 0;

	for (size_t i = 0; i < f->a->units.nr; i++) {
		struct assembly_unit *u = &f->a->units.items[i];

		if (u->judged)
			emit_judged(f, u, &pos);
		else
			emit_shared(f, u, &pos);
		assert(btf_types_end(&f->out) == u->vars);
		finish_vars(f, u);
	}
}

/* --- all of it --------------------------------------------------------------------- */

static struct err *emit_all(struct finish *f)
{
	emit_units(f);
	f->funcs_from = btf_types_end(&f->out);
	TRY(finish_funcs(f));
	return finish_sections(f);
}

static bool wants_note(const struct assembly *a)
{
	return a->units.nr == 1 && a->units.items[0].note;
}

static struct err *dedup_all(struct finish *f)
{
	const struct settled *s = &f->a->settled;
	struct dedup_bind *binds = mem_alloc(s->binds.nr * sizeof(*binds));
	size_t nr = 0;

	for (size_t i = 0; i < s->binds.nr; i++) {
		const struct settle_bind *b = &s->binds.items[i];

		/* over a base, one of them may be in judged units only */
		if (f->final[b->fwd] && f->final[b->def])
			binds[nr++] = (struct dedup_bind){ f->final[b->fwd], f->final[b->def] };
	}
	if (wants_note(f->a) || feature_on(f->a->opts, FEATURE_VARS_APART))
		f->ids = mem_alloc(btf_types_end(&f->out) * sizeof(f->ids[0]));
	const struct dedup_opts opts = {
		.binds = binds,
		.nr_binds = nr,
		.ids = f->ids,
		.base_typedefs = feature_on(f->a->opts, FEATURE_BASE_TYPEDEFS),
		.base = f->a->base && f->a->base->shared ? &f->a->base->types : NULL,
	};

	struct err *e = dedup_run(&f->out, &opts);
	free(binds);
	return e;
}

/* Bytes of strings below those of the result. */
static uint32_t str_base(const struct assembly *a)
{
	return a->base ? btf_input_str_len(a->base) : 0;
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

/*
 * The result, as long as it has to be, and what stands over it. The strings of that begin
 * where those of the result end.
 */
static struct err *make_images(struct finish *f, struct encoded *ret)
{
	CLEANUP(encoded_release) struct encoded made = { 0 };
	const struct bytes strings = { (const uint8_t *)f->text, f->text_len };
	const struct assembly *a = f->a;
	struct btf_image_opts opts = { .swap = a->files.items[0].obj->swap };
	size_t len = f->text_len;

	if (!f->out.start.nr && !a->base)
		return NULL;
	if (a->base && feature_on(a->opts, FEATURE_DISTILLED_BASE)) {
		/* pahole's has no table of kinds, and .BTF is split */
		TRY(distilled_images(f, strings, &opts, &made));
	} else {
		opts.layout = feature_on(a->opts, FEATURE_LAYOUT);
		TRY(btf_image_make(&f->out, strings, &opts, &made.btf, &made.btf_len));
	}
	if (made.btf_len < a->image_size) {
		len += a->image_size - made.btf_len;
		btf_image_stretch(&made.btf, &made.btf_len, a->image_size);
	}
	if (feature_on(a->opts, FEATURE_VARS_APART)) {
		const struct bytes own = { (const uint8_t *)f->apart_text, f->apart_len };

		finish_apart_move(f, (uint32_t)(str_base(a) + len - f->apart_names));
		TRY(btf_image_make(&f->apart, own, &opts, &made.vars, &made.vars_len));
	}
	*ret = TAKE(made);
	return NULL;
}

/* Append the note to the strings of the result. */
static void add_note(struct finish *f)
{
	struct assembly_unit *u = &f->a->units.items[0];
	uint32_t *ids = mem_zalloc(u->frag.types.nr + 1, sizeof(*ids));
	struct member_note_bytes strings = { (uint8_t *)f->text, f->text_len, f->text_len };
	struct note_frame frame = { .ids = ids, .func_start = 1, .strings_len = f->text_len };

	for (frag_tid t = 1; t < u->frag.types.nr; t++) {
		if (t != u->frag.index_place)
			ids[t] = f->ids[u->ids ? u->ids[t] : f->final[u->frag.types.items[t]]];
	}
	for (uint32_t id = 1; id < f->funcs_from; id++) {
		if (f->ids[id] >= frame.func_start)
			frame.func_start = f->ids[id] + 1;
	}
	if (index_is_made_by(f->a, 0))
		frame.index = f->ids[f->index];
	assembly_note_append(f->a, &frame, &strings);
	f->text = (char *)strings.items;
	f->text_len = strings.nr;
	free(ids);
}

/* Those that stand apart are not in the result, as far as its note is concerned. */
static void forget_apart_strings(struct finish *f)
{
	uint32_t end = atomic_load(&f->a->strings.end);

	for (uint32_t id = 1; id < end; id++) {
		struct str_entry *s = str_pool_at(&f->a->strings, id);

		if (s->offset >= f->apart_names)
			s->offset = 0;
	}
}

static struct err *lay_out_strings(struct finish *f)
{
	struct assembly *a = f->a;
	size_t len, apart;

	if (a->base)
		find_in_base(a);
	TRY(str_pool_layout(&a->strings, str_base(a), &f->text, &len, &apart));
	f->text_len = apart;
	f->apart_names = str_base(a) + (uint32_t)apart;
	f->apart_len = len - apart;
	if (f->apart_len)
		f->apart_text = mem_dup(f->text + apart, f->apart_len);
	return NULL;
}

static void choose_funcs(struct finish *f, struct notes *notes)
{
	struct assembly *a = f->a;
	struct func_file *files = mem_alloc(a->files.nr * sizeof(*files));

	const struct frag **units = mem_alloc(a->units.nr * sizeof(*units) + 1);
	struct enum_kinds enums = { 0 };

	for (size_t i = 0; i < a->files.nr; i++)
		files[i].syms = a->files.items[i].syms;
	for (size_t i = 0; i < a->units.nr; i++)
		units[i] = &a->units.items[i].frag;
	enum_kinds_find(&a->types, units, a->units.nr, &enums);
	const struct func_program program = { files, &a->types, &enums, &a->strings };
	func_ledger_choose(&a->funcs, a->opts, &program, notes, &f->funcs);
	enum_kinds_release(&enums);
	free(units);
	free(files);
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

	*ret = (struct encoded){ 0 };
	for (size_t i = 0; i < a->units.nr; i++)
		notes_move(notes, &a->units.items[i].frag.notes);
	choose_funcs(&f, notes);

	btf_types_init(&f.out, a->base ? &a->base->view.types : NULL);
	finish_choose_vars(&f, notes);
	collect_placed(&f);
	TRY(number_all(&f));
	finish_use_func_strings(&f);
	finish_name_sections(&f);
	TRY(lay_out_strings(&f));

	TRY(emit_all(&f));
	TRY(dedup_all(&f));
	if (feature_on(a->opts, FEATURE_VARS_APART))
		TRY(finish_apart(&f));
	if (wants_note(a) && f.out.start.nr) {
		if (f.apart_len)
			forget_apart_strings(&f);
		add_note(&f);
	}
	return make_images(&f, ret);
}
