/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compile_order.c - see compile_order.h
 *
 * The order, and every empty line, are those of "pahole --compile" 1.31. It looks through pointers,
 * arrays and qualifiers, though not all of them; where that leaves a typedef undefined that is
 * used, we look on.
 *
 * Nested calls follow the types that need others: a typedef of a function needs those of its
 * parameters, a struct those that lie in it. DEEPEST is far more than any program has.
 */
#include "show/compile_order.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "show/print_internal.h"

#include <stdlib.h>

enum { DEEPEST = 1024 };

/* Sorts of types that share no names with one another: a bit each. */
enum { SORT_STRUCT = 1, SORT_UNION = 2, SORT_ENUM = 4, SORT_TYPEDEF = 8 };
enum { SORTS_OF_TAGS = SORT_STRUCT | SORT_UNION | SORT_ENUM };

struct order {
	struct compile_order *d;
	struct printer *p;
	unsigned int depth;
};

void compile_order_release(struct compile_order *d)
{
	free(d->items);
	hash_table_release(&d->index);
}

/* --- names --------------------------------------------------------------------------- */

static struct name_use *use_of(struct compile_order *d, const char *name)
{
	uint64_t hash = hash_string(name);
	uint32_t n = HASH_FIND(&d->index, hash, i, !strcmp(d->items[i - 1].name, name));

	if (!n) {
		vec_push(d, (struct name_use){ .name = name });
		n = (uint32_t)d->nr;
		hash_table_add(&d->index, hash, n);
	}
	return &d->items[n - 1];
}

static uint8_t sort_of(const struct show_types *t, uint32_t id)
{
	if (types_kind(t, id) == BTF_TYPEDEF)
		return SORT_TYPEDEF;
	return types_is_struct(t, id) ? SORT_STRUCT :
	       types_is_union(t, id)  ? SORT_UNION :
					SORT_ENUM;
}

static void mark_defined(struct show_types *t, uint32_t id)
{
	struct type_facts *of = &t->facts[0];

	t->facts[id].defined = true;
	if (types_kind(t, id) == BTF_TYPEDEF)
		of = &t->facts[types_rec(t, id)[BTF_REC_SIZE_TYPE]];
	if (!of->first_alias || id < of->first_alias)
		of->first_alias = id;
}

/* Is there one of its name and sort, if not itself? Then it counts as defined from now on. */
static bool is_defined(struct order *o, uint32_t id)
{
	struct show_types *t = o->p->types;
	const char *name = types_name(t, id);

	if (!t->facts[id].defined && name && (use_of(o->d, name)->defined & sort_of(t, id)))
		mark_defined(t, id);
	return t->facts[id].defined;
}

static void set_defined(struct order *o, uint32_t id)
{
	struct show_types *t = o->p->types;
	const char *name = types_name(t, id);
	struct name_use *use;

	mark_defined(t, id);
	t->facts[id].put = true;
	if (!name)
		return;
	use = use_of(o->d, name);
	use->defined |= sort_of(t, id);
	if (use->declared_in == t && use->declared == id)
		use->declared_in = NULL;
}

/* Another sort of type has the name: find one that is free of that. */
static void make_name_apart(struct order *o, uint32_t id)
{
	struct show_types *t = o->p->types;
	const char *name = types_name(t, id);
	uint8_t others = SORTS_OF_TAGS & ~sort_of(t, id);

	if (!name || !(use_of(o->d, name)->defined & others))
		return;

	uint32_t nr = use_of(o->d, name)->nr_taken;
	char *free_name = mem_printf("%s__%u", name, nr + 1);

	while (use_of(o->d, free_name)->defined & SORTS_OF_TAGS) {
		free(free_name);
		nr++;
		free_name = mem_printf("%s__%u", name, nr + 1);
	}
	use_of(o->d, name)->nr_taken = nr;
	types_rename(t, id, free_name);
}

/* --- what is needed ------------------------------------------------------------------ */

static void put_definition(struct order *o, uint32_t id, const char *prefix, const char *suffix)
{
	const struct print_style plain = { .cacheline = o->p->style->cacheline };
	struct printer p = *o->p;
	struct err *e;

	p.style = &plain;
	e = print_type(&p, id, prefix, suffix);
	text_char(p.text, '\n');
	if (e)
		types_fail(p.types, e);
}

static bool enter(struct order *o, uint32_t id)
{
	if (o->p->types->failure)
		return false;
	if (o->depth < DEEPEST) {
		o->depth++;
		return true;
	}
	types_fail(o->p->types,
		   err_new(ERR_LIMIT, "type %u: more than %d types need one another", id, DEEPEST));
	return false;
}

/* NOLINTBEGIN(misc-no-recursion): enter() sets the limit */

static bool need(struct order *o, uint32_t id);
static bool prepare(struct order *o, uint32_t id);

/* Return type and parameters, and an empty line if that has put anything. */
static bool need_prototype(struct order *o, uint32_t id)
{
	const struct show_types *t = o->p->types;
	const uint32_t *params = types_rec(t, id) + BTF_REC_WORDS;
	bool any;

	/* in C, only a struct or a typedef can lead back to a prototype */
	if (!enter(o, id))
		return false;
	any = need(o, types_rec(t, id)[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < types_vlen(t, id); i++)
		any |= need(o, params[2 * i + 1]);
	o->depth--;
	if (any)
		text_char(o->p->text, '\n');
	return any;
}

/* An enum with a name. */
static bool need_enum(struct order *o, uint32_t id)
{
	if (is_defined(o, id))
		return false;
	make_name_apart(o, id);
	put_definition(o, id, NULL, NULL);
	/* without enumerators it may only be declared there, and be defined later */
	if (types_vlen(o->p->types, id))
		set_defined(o, id);
	return true;
}

static bool need_declaration(struct order *o, uint32_t id)
{
	struct show_types *t = o->p->types;
	const char *name = types_name(t, id);
	struct name_use *use;

	if (t->facts[id].declared || !name)
		return false;
	t->facts[id].declared = true;
	use = use_of(o->d, name);
	if (use->declared_in)
		return false;
	text_printf(o->p->text, "%s %s;\n", types_is_union(t, id) ? "union" : "struct", name);
	if (!t->facts[id].put) {
		use->declared_in = t;
		use->declared = id;
	}
	return true;
}

static bool need_tagged(struct order *o, uint32_t id, bool pointed)
{
	struct show_types *t = o->p->types;

	if (btf_kind_is_enum(types_kind(t, id)))
		return types_name(t, id) && need_enum(o, id);
	if (pointed || types_kind(t, id) == BTF_FWD) {
		if (!types_name(t, id))
			prepare(o, id);
		return need_declaration(o, id);
	}
	if (prepare(o, id) && types_name(t, id))
		put_definition(o, id, NULL, NULL);
	return true;
}

/* The first typedef has the enum's body, others stand for that. */
static void put_enum_typedef(struct order *o, uint32_t id, uint32_t of)
{
	const struct show_types *t = o->p->types;
	uint32_t first = t->facts[of].first_alias;

	if (!is_defined(o, of)) {
		put_definition(o, of, "typedef", types_name(t, id));
		set_defined(o, of);
		return;
	}
	if (!first)
		return;
	text_printf(o->p->text, "typedef %s %s;\n", types_name(t, first), types_name(t, id));
}

/* Something nameless gets the typedef's name; true if that has been put with it. */
static bool need_for_typedef(struct order *o, uint32_t id, uint32_t of)
{
	const struct show_types *t = o->p->types;

	enum btf_ctype c = types_ctype(t, of);

	if (c != BTF_C_ENUM && c != BTF_C_STRUCT)
		return false;
	if (types_name(t, of)) {
		need_tagged(o, of, false);
		return false;
	}
	if (c == BTF_C_ENUM) {
		put_enum_typedef(o, id, of);
	} else {
		prepare(o, of);
		put_definition(o, of, "typedef", types_name(t, id));
	}
	return true;
}

/* The type that @id, the type of a typedef, leads to through pointers and qualifiers. */
static void need_behind(struct order *o, uint32_t id)
{
	const struct show_types *t = o->p->types;

	for (size_t i = 0; i < TYPES_CHAIN_MAX; i++) {
		switch (types_ctype(t, id)) {
		case BTF_C_POINTER:
		case BTF_C_QUALIFIER:
			break;
		case BTF_C_ARRAY:
			need(o, types_rec(t, id)[BTF_REC_WORDS]);
			return;
		case BTF_C_TYPEDEF:
			need(o, id);
			return;
		case BTF_C_FUNCTION:
			need_prototype(o, id);
			return;
		case BTF_C_NONE:
		case BTF_C_VOID:
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_STRUCT:
		case BTF_C_ENUM:
		case BTF_C_FORWARD:
			return;
		}
		id = types_rec(t, id)[BTF_REC_SIZE_TYPE];
	}
}

/* Compilers have this one themselves, and clang takes no other. */
static bool is_built_in(const char *name)
{
	return name && !strcmp(name, "__builtin_va_list");
}

static bool need_typedef(struct order *o, uint32_t id)
{
	const struct show_types *t = o->p->types;
	uint32_t of = types_rec(t, id)[BTF_REC_SIZE_TYPE];

	if (is_built_in(types_name(t, id)) || is_defined(o, id) || !enter(o, id))
		return false;
	if (!need_for_typedef(o, id, of)) {
		need_behind(o, of);
		/* what it needs may have needed it: a function that takes a pointer to it, say */
		if (!t->facts[id].defined)
			put_definition(o, id, NULL, NULL);
	}
	set_defined(o, id);
	o->depth--;
	return true;
}

/* Something has the type @id: true if that has put anything. */
static bool need(struct order *o, uint32_t id)
{
	const struct show_types *t = o->p->types;
	bool pointed = false, hidden = false;

	for (size_t i = 0; i < TYPES_CHAIN_MAX && print_may_go_on(o->p, 1); i++) {
		switch (types_ctype(t, id)) {
		case BTF_C_POINTER:
			pointed = true;
			break;
		case BTF_C_QUALIFIER:
			hidden |= types_kind(t, id) != BTF_CONST &&
				  types_kind(t, id) != BTF_VOLATILE;
			break;
		case BTF_C_ARRAY:
			id = types_rec(t, id)[BTF_REC_WORDS];
			continue;
		case BTF_C_TYPEDEF:
			return need_typedef(o, id);
		case BTF_C_FUNCTION:
			return need_prototype(o, id);
		case BTF_C_STRUCT:
		case BTF_C_FORWARD:
		case BTF_C_ENUM:
			/* pahole does not see it, and where it is mentioned it is declared */
			if (hidden && pointed)
				return false;
			return need_tagged(o, id, pointed);
		case BTF_C_NONE:
		case BTF_C_VOID:
		case BTF_C_INT:
		case BTF_C_FLOAT:
			return false;
		}
		id = types_rec(t, id)[BTF_REC_SIZE_TYPE];
	}
	return false;
}

static void look_for_packed(struct order *o, uint32_t id)
{
	CLEANUP(layout_release) struct layout l = { 0 };

	layout_find(o->p->types, id, o->p->style->cacheline, &l);
	packed_look_into_struct(o->p->types, &l);
}

/* As compile_order_prepare() does. */
static bool prepare(struct order *o, uint32_t id)
{
	struct show_types *t = o->p->types;
	const uint32_t *rec = types_rec(t, id);
	enum btf_kind kind = types_kind(t, id);

	if (kind == BTF_TYPEDEF)
		return need_typedef(o, id);
	if (is_defined(o, id) || !enter(o, id))
		return false;
	make_name_apart(o, id);
	if (!is_defined(o, id)) {
		set_defined(o, id);
		if (btf_kind_is_struct(kind))
			look_for_packed(o, id);
		for (uint32_t i = 0; btf_kind_is_struct(kind) && i < types_vlen(t, id); i++) {
			if (need(o, types_member(rec, i).type))
				text_char(o->p->text, '\n');
		}
		o->depth--;
		return true;
	}
	o->depth--;
	return false;
}

/* NOLINTEND(misc-no-recursion) */

bool compile_order_prepare(struct compile_order *d, struct printer *p, uint32_t id)
{
	struct order o = { .d = d, .p = p };

	print_limits_next(p->limits, id, p->text);
	return prepare(&o, id);
}
