/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * completed_btf.c - see completed_btf.h
 *
 * Source: libbpf 1.8, bpf_object__collect_externs() and btf_fixup_datasec(); docs/spec/kernel-rules.md
 * has the rules. libbpf stops at the first problem, this lists all.
 *
 * Not done, because neither a check nor a printed type depends on it: libbpf makes hidden functions static.
 */
#include "loader/btf/completed_btf.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/sort.h"
#include "btf/btf_serialize.h"
#include "btf/btf_view.h"
#include "loader/elf/symbols.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char KCONFIG[] = ".kconfig", KSYMS[] = ".ksyms", DUMMY[] = "dummy_ksym";

/* Names with the index of a symbol or the id of a type, sorted by both. */
struct named {
	const char *name;
	uint32_t id;
};

struct names {
	struct named *items;
	size_t nr, cap;
};

/* An undefined symbol, which libbpf resolves. */
struct external {
	const char *name;
	uint32_t id, datasec; /* of its VAR or FUNC, and of the DATASEC that has it; 0: refused */
	uint32_t size, align; /* in .kconfig */
	uint32_t offset;
};

struct completion {
	const struct object *o;
	struct completed_btf *ret;
	struct btf_view view;
	struct symbols syms;
	struct names objects; /* symbols of variables that other objects can see */
	struct names types;   /* VARs and FUNCs */
	uint32_t
		*datasec_of; /* by id of a VAR or FUNC: the first DATASEC that has it, 0 for none */
	struct external *externs; /* by name */
	size_t nr_externs;
	char *strings; /* with DUMMY at the end; NULL: as they were */
	uint32_t strings_len, dummy_name,
		dummy; /* of the variable that stands for functions in KSYMS */
};

static void completion_release(struct completion *c)
{
	btf_view_release(&c->view);
	symbols_release(&c->syms);
	FREE_ALL(c->objects.items, c->types.items, c->datasec_of, c->externs, c->strings);
}

void completed_btf_release(struct completed_btf *c)
{
	for (size_t i = 0; i < c->refusals.nr; i++)
		free(c->refusals.items[i]);
	FREE_ALL(c->refusals.items, c->btf);
	*c = (struct completed_btf){ 0 };
}

bool completed_btf_applies(const struct object *o)
{
	return o->machine == EM_BPF && o->is_rel;
}

#define REFUSE(c, ...) vec_push(&(c)->ret->refusals, mem_printf(__VA_ARGS__))

static uint32_t *rec_of(const struct completion *c, uint32_t id)
{
	return btf_types_rec(&c->view.types, id);
}

static const char *name_of(const struct completion *c, uint32_t id)
{
	return btf_view_str(&c->view, NULL, rec_of(c, id)[BTF_REC_NAME]);
}

static uint32_t kind_of(const struct completion *c, uint32_t id)
{
	return id ? btf_rec_kind(rec_of(c, id)) : BTF_UNKN;
}

/* --- names ----------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int diff = strcmp(x->name, y->name);

	return diff ? diff : (x->id > y->id) - (x->id < y->id);
}

static void sort_names(struct names *n)
{
	if (n->nr)
		qsort(n->items, n->nr, sizeof(n->items[0]), by_name);
}

/* The first called @name, or NULL. */
static const struct named *find_name(const struct names *n, const char *name)
{
	size_t i = LOWER_BOUND(0, n->nr, k, strcmp(n->items[k].name, name) < 0);

	return i < n->nr && !strcmp(n->items[i].name, name) ? &n->items[i] : NULL;
}

static void list_objects(struct completion *c)
{
	for (size_t i = 0; i < c->syms.nr_all; i++) {
		const struct symbol *s = &c->syms.all[i];

		if (s->type == STT_OBJECT && (s->bind == STB_GLOBAL || s->bind == STB_WEAK))
			vec_push(&c->objects, ((struct named){ s->name, (uint32_t)i }));
	}
	sort_names(&c->objects);
}

static void list_types(struct completion *c)
{
	const struct btf_types *t = &c->view.types;

	c->datasec_of = mem_zalloc(btf_types_end(t), sizeof(*c->datasec_of));
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		const uint32_t *rec = rec_of(c, id), *var = rec + BTF_REC_WORDS;

		if (btf_rec_kind(rec) == BTF_VAR || btf_rec_kind(rec) == BTF_FUNC)
			vec_push(&c->types, ((struct named){ name_of(c, id), id }));
		if (btf_rec_kind(rec) != BTF_DATASEC)
			continue;
		for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, var += 3) {
			if (!c->datasec_of[var[0]])
				c->datasec_of[var[0]] = id;
		}
	}
	sort_names(&c->types);
}

/* --- externs --------------------------------------------------------------------------------- */

static bool is_extern(const struct completion *c, uint32_t id)
{
	const uint32_t *rec = rec_of(c, id);

	return (kind_of(c, id) == BTF_FUNC ? btf_rec_vlen(rec) : rec[BTF_REC_WORDS]) ==
	       BTF_LINK_EXTERN;
}

/* The type of @id without modifiers; void if there are too many. */
static uint32_t without_modifiers(const struct completion *c, uint32_t id)
{
	enum { MAX_LINKS = 64 };

	for (int links = 0; links < MAX_LINKS; links++) {
		if (!btf_kind_is_modifier(kind_of(c, id)))
			return id;
		id = rec_of(c, id)[BTF_REC_SIZE_TYPE];
	}
	return 0;
}

/* Size and alignment of an option of the kernel; false if libbpf has no value for the type. */
static bool measure_option(const struct completion *c, uint32_t type, struct external *e)
{
	uint32_t id = without_modifiers(c, type), nr = 1;
	bool is_array = kind_of(c, id) == BTF_ARRAY;

	if (is_array) {
		nr = rec_of(c, id)[BTF_REC_WORDS + 2];
		id = without_modifiers(c, rec_of(c, id)[BTF_REC_WORDS]);
	}
	if (!id || !nr)
		return false;

	const uint32_t *rec = rec_of(c, id);
	uint32_t size = rec[BTF_REC_SIZE_TYPE], kind = btf_rec_kind(rec);
	bool is_bool = kind == BTF_INT && rec[BTF_REC_WORDS] >> 24 & BTF_ENC_BOOL;

	if (kind == BTF_INT) {
		if (!size || size > 8 || size & (size - 1) || (is_bool && size != 1))
			return false;
	} else if (!btf_kind_is_enum(kind) || strcmp(name_of(c, id), "libbpf_tristate") != 0 ||
		   (kind == BTF_ENUM && size != 4)) {
		return false;
	}
	if (is_array && (kind != BTF_INT || size != 1 || is_bool))
		return false;
	e->align = size < 8 ? size : 8;
	e->size = size * nr;
	return true;
}

/* Find the VAR or FUNC of @e and its DATASEC. */
static void describe_external(struct completion *c, struct external *e)
{
	const struct named *type = find_name(&c->types, e->name);

	if (!type || !is_extern(c, type->id)) {
		REFUSE(c, "extern '%s': the BTF does not describe it as extern", e->name);
		return;
	}

	uint32_t datasec = c->datasec_of[type->id];
	const char *section = datasec ? name_of(c, datasec) : "";

	if (!datasec)
		REFUSE(c, "extern '%s': it is in no DATASEC", e->name);
	else if (strcmp(section, KSYMS) != 0 && strcmp(section, KCONFIG) != 0)
		REFUSE(c, "extern '%s': it is in section '%s', not in .ksyms or .kconfig", e->name,
		       section);
	else if (!strcmp(section, KCONFIG) && kind_of(c, type->id) == BTF_FUNC)
		REFUSE(c, "extern '%s': a function in .kconfig", e->name);
	else if (!strcmp(section, KCONFIG) &&
		 !measure_option(c, rec_of(c, type->id)[BTF_REC_SIZE_TYPE], e))
		REFUSE(c, "extern '%s': its type cannot hold a value of .kconfig", e->name);
	else
		e->id = type->id;
	if (e->id)
		e->datasec = datasec;
}

static int by_external_name(const void *a, const void *b)
{
	const struct external *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void list_externs(struct completion *c)
{
	c->externs = mem_zalloc(c->syms.nr_all, sizeof(*c->externs));
	for (size_t i = 0; i < c->syms.nr_all; i++) {
		const struct symbol *s = &c->syms.all[i];

		if (s->section != SHN_UNDEF || s->type != STT_NOTYPE || !s->name[0] ||
		    (s->bind != STB_GLOBAL && s->bind != STB_WEAK))
			continue;
		c->externs[c->nr_externs].name = s->name;
		describe_external(c, &c->externs[c->nr_externs++]);
	}
	if (c->nr_externs)
		qsort(c->externs, c->nr_externs, sizeof(*c->externs), by_external_name);
}

static struct external *find_extern(const struct completion *c, uint32_t id)
{
	const char *name = name_of(c, id);
	size_t i = LOWER_BOUND(0, c->nr_externs, k, strcmp(c->externs[k].name, name) < 0);

	return i < c->nr_externs && !strcmp(c->externs[i].name, name) ? &c->externs[i] : NULL;
}

/* The symbol of @id, which is in the DATASEC @section; NULL if libbpf refuses it, which is then reported. */
static const struct external *require_extern(struct completion *c, uint32_t id, const char *section)
{
	bool is_function = kind_of(c, id) == BTF_FUNC && strcmp(section, KSYMS) == 0;

	if (!is_function && kind_of(c, id) != BTF_VAR) {
		REFUSE(c, "DATASEC '%s': type %u is no variable", section, id);
		return NULL;
	}

	const struct external *e = find_extern(c, id);
	if (!e)
		REFUSE(c, "DATASEC '%s': no symbol is undefined that is called '%s'", section,
		       name_of(c, id));
	return e && e->id ? e : NULL;
}

/* --- .kconfig -------------------------------------------------------------------------------- */

/* The largest alignment first, then the smallest size. */
static int by_layout(const void *a, const void *b)
{
	const struct external *x = *(struct external *const *)a, *y = *(struct external *const *)b;

	if (x->align != y->align)
		return x->align > y->align ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return strcmp(x->name, y->name);
}

static uint32_t lay_out_options(struct completion *c, uint32_t id)
{
	CLEANUP(mem_free) struct external **order = mem_zalloc(c->nr_externs, sizeof(*order));
	uint32_t end = 0;
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_externs; i++) {
		if (c->externs[i].datasec == id)
			order[nr++] = &c->externs[i];
	}
	if (nr)
		qsort(order, nr, sizeof(order[0]), by_layout);
	for (size_t i = 0; i < nr; i++) {
		order[i]->offset = (end + order[i]->align - 1) & -order[i]->align;
		end = order[i]->offset + order[i]->size;
	}
	return end;
}

static void complete_kconfig(struct completion *c, uint32_t id)
{
	uint32_t *rec = rec_of(c, id), *var = rec + BTF_REC_WORDS;

	rec[BTF_REC_SIZE_TYPE] = lay_out_options(c, id);
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, var += 3) {
		const struct external *e = require_extern(c, var[0], KCONFIG);

		if (!e)
			continue;
		var[1] = e->offset;
		rec_of(c, var[0])[BTF_REC_WORDS] = BTF_LINK_GLOBAL;
		c->ret->nr_externs++;
	}
}

/* --- .ksyms ---------------------------------------------------------------------------------- */

static uint32_t find_int(const struct completion *c)
{
	for (uint32_t id = 1; id < btf_types_end(&c->view.types); id++) {
		if (kind_of(c, id) == BTF_INT && (rec_of(c, id)[BTF_REC_WORDS] & 0xff) == 32)
			return id;
	}
	return 0;
}

static bool has_function(const struct completion *c, uint32_t datasec)
{
	const uint32_t *rec = rec_of(c, datasec), *var = rec + BTF_REC_WORDS;

	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, var += 3) {
		if (kind_of(c, var[0]) == BTF_FUNC)
			return true;
	}
	return false;
}

/* Add the variable that stands for all functions of @datasec, if it has any. */
static void add_dummy(struct completion *c, uint32_t datasec)
{
	struct bytes s = c->view.strings;
	uint32_t type = find_int(c), *rec;

	if (c->dummy || !has_function(c, datasec))
		return;
	c->dummy_name = (uint32_t)s.len;
	c->strings_len = (uint32_t)(s.len + sizeof(DUMMY));
	c->strings = mem_alloc(c->strings_len);
	memcpy(c->strings, s.ptr, s.len);
	memcpy(c->strings + s.len, DUMMY, sizeof(DUMMY));
	c->dummy = btf_types_end(&c->view.types);
	rec = btf_types_add(&c->view.types, BTF_REC_WORDS + 1);
	rec[BTF_REC_NAME] = c->dummy_name;
	rec[BTF_REC_INFO] = btf_info(BTF_VAR, 0, false);
	rec[BTF_REC_SIZE_TYPE] = type;
	rec[BTF_REC_WORDS] = BTF_LINK_GLOBAL;
}

/* The function becomes global, and its parameters get a name. */
static void complete_function(struct completion *c, uint32_t id)
{
	uint32_t *func = rec_of(c, id), proto = func[BTF_REC_SIZE_TYPE];

	func[BTF_REC_INFO] = btf_info(BTF_FUNC, BTF_LINK_GLOBAL, btf_rec_kflag(func));
	if (kind_of(c, proto) != BTF_FUNC_PROTO)
		return; /* a check reports it */

	uint32_t *rec = rec_of(c, proto), *param = rec + BTF_REC_WORDS;
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, param += 2) {
		if (param[1] && !param[0])
			param[0] = c->dummy_name;
	}
}

static void complete_ksyms(struct completion *c, uint32_t id)
{
	uint32_t type = find_int(c), end = 0;

	add_dummy(c, id);

	uint32_t *rec = rec_of(c, id), *var = rec + BTF_REC_WORDS;
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, var += 3, end += sizeof(uint32_t)) {
		if (!require_extern(c, var[0], KSYMS))
			continue;
		if (kind_of(c, var[0]) == BTF_FUNC) {
			complete_function(c, var[0]);
			var[0] = c->dummy;
		} else {
			rec_of(c, var[0])[BTF_REC_WORDS] = BTF_LINK_GLOBAL;
			rec_of(c, var[0])[BTF_REC_SIZE_TYPE] = type;
		}
		var[1] = end;
		var[2] = sizeof(uint32_t);
		c->ret->nr_externs++;
	}
	rec[BTF_REC_SIZE_TYPE] = end;
}

/* --- other sections -------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (x[1] > y[1]) - (x[1] < y[1]);
}

/* Complete the variable @var of a DATASEC. Static variables have their offsets from the compiler. */
static void complete_variable(struct completion *c, uint32_t *var, const char *section, bool fix)
{
	if (kind_of(c, var[0]) != BTF_VAR) {
		REFUSE(c, "DATASEC '%s': type %u is no variable", section, var[0]);
		return;
	}
	if (rec_of(c, var[0])[BTF_REC_WORDS] != BTF_LINK_GLOBAL)
		return;

	const struct named *found = find_name(&c->objects, name_of(c, var[0]));
	if (!found) {
		REFUSE(c, "DATASEC '%s': no symbol of a global variable is called '%s'", section,
		       name_of(c, var[0]));
		return;
	}

	const struct symbol *symbol = &c->syms.all[found->id];
	if (fix)
		var[1] = (uint32_t)symbol->value;
	if (symbol->visibility == STV_HIDDEN || symbol->visibility == STV_INTERNAL)
		rec_of(c, var[0])[BTF_REC_WORDS] = BTF_LINK_STATIC;
}

/* A linker for BPF has set size and offsets. */
static void complete_section(struct completion *c, uint32_t id)
{
	uint32_t *rec = rec_of(c, id), *var = rec + BTF_REC_WORDS;
	const char *name = name_of(c, id);
	bool fix = !rec[BTF_REC_SIZE_TYPE];

	if (fix) {
		const struct object_section *s = object_section(c->o, name);

		if (!s || !s->size || s->size > UINT32_MAX) {
			REFUSE(c, "DATASEC '%s': there is no section of this name with a size",
			       name);
			return;
		}
		rec[BTF_REC_SIZE_TYPE] = (uint32_t)s->size;
		c->ret->nr_sections++;
	}
	for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, var += 3)
		complete_variable(c, var, name, fix);
}

static void complete_datasec(struct completion *c, uint32_t id)
{
	const char *name = name_of(c, id);

	if (!strcmp(name, KSYMS))
		complete_ksyms(c, id);
	else if (!strcmp(name, KCONFIG))
		complete_kconfig(c, id);
	else
		complete_section(c, id);
	if (btf_rec_vlen(rec_of(c, id)))
		qsort(rec_of(c, id) + BTF_REC_WORDS, btf_rec_vlen(rec_of(c, id)),
		      3 * sizeof(uint32_t), by_offset);
}

struct err *completed_btf_make(const struct object *o, struct bytes btf, struct completed_btf *ret)
{
	CLEANUP(completion_release) struct completion c = { .o = o, .ret = ret };
	struct err *e = btf_view_open(btf, NULL, &c.view);

	/* a check reports what is wrong with it */
	if (e || c.view.size != btf.len || c.view.nr_unknown) {
		err_free(e);
		return NULL;
	}
	TRY(symbols_read(o, &c.syms));
	list_objects(&c);
	list_types(&c);
	list_externs(&c);

	uint32_t end = btf_types_end(&c.view.types);
	for (uint32_t id = 1; id < end; id++) {
		if (kind_of(&c, id) == BTF_DATASEC)
			complete_datasec(&c, id);
	}

	const struct bytes strings = { (const uint8_t *)c.strings, c.strings_len };
	const struct btf_serialize_opts opts = { .swap = c.view.swapped,
						 .layout = c.view.layout.len,
						 .wide = true };
	return btf_serialize(&c.view.types, c.strings ? strings : c.view.strings, &opts, &ret->btf,
			     &ret->btf_len);
}
