/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_select.c - select functions by the rules of docs/spec/encoding.md 8.7 to 8.10
 *
 * The functions of all units are grouped by their entry in the symbol table, each group in the
 * order of the input. Sorting so many would take too long, so the functions of a group are linked
 * into a list.
 */
#include "encoder/select/func_select.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "base/vec.h"
#include "encoder/select/proto_match.h"

#include <stdlib.h>
#include <string.h>

void func_select_add(struct func_select *all, const struct unit_btf *unit)
{
	vec_reserve(&all->funcs, unit->funcs.nr);
	if (unit->funcs.nr)
		memcpy(all->funcs.items + all->funcs.nr, unit->funcs.items,
		       unit->funcs.nr * sizeof(unit->funcs.items[0]));
	all->funcs.nr += unit->funcs.nr;
}

void func_select_release(struct func_select *all)
{
	free(all->funcs.items);
	*all = (struct func_select){ 0 };
}

/* The symbols of one key that have the same address. */
struct address {
	uint64_t addr;
	uint32_t first;       /* the first of them, in the order of the symbol table */
	bool optimized;       /* one of them is .isra or .constprop */
	const char *suffixed; /* the first of them with a suffix, or NULL */
};

/* The descriptions of one function of one file. */
struct group {
	const struct func_entry *entry;
	struct unit_func *first;
	uint32_t nr_units;
	/* the first with the flag, if possible with an address; compare_all() gives the flag to others */
	const struct unit_func *unexpected, *uncertain, *reordered;
};

/* The symbols of a group that are the function's own (8.10). */
struct own_symbols {
	bool any, several;    /* the group has one; they have several addresses */
	bool spread;          /* all symbols of the group, own or not, have several addresses */
	uint64_t addr;        /* of the last of them, as the debug information has it */
	const char *suffixed; /* if all of them have a suffix, the first; or NULL */
};

struct selection {
	const struct func_program *program;
	const struct encode_opts *opts;
	const struct compat *compat;
	const struct omission_log *log;
	/* of func_select.funcs: by index, the index of the next description of the group, plus 1 */
	struct unit_func *funcs;
	uint32_t *next;
	/* of the group at hand, sorted by address */
	VEC(struct address) addresses;
	struct own_symbols own; /* of the group at hand, if the level has own symbols */
};

static struct unit_func *next_in_group(const struct selection *s, const struct unit_func *f)
{
	uint32_t next = s->next[f - s->funcs];

	return next ? &s->funcs[next - 1] : NULL;
}

#define FOR_EACH_FUNC(s, g, f) for (struct unit_func *f = (g)->first; f; f = next_in_group(s, f))

static void keep_first(const struct unit_func **first, const struct unit_func *f,
		       enum unit_func_flags flag)
{
	if ((f->flags & flag) && (!*first || (!(*first)->addr && f->addr)))
		*first = f;
}

/*
 * Count the units of the group, which are in the order of the input. From pahole 1.32 on, functions with
 * an address precede the others (8.7).
 */
static void arrange(const struct selection *s, struct group *g)
{
	bool sort = s->compat->addresses_first;
	uint32_t first[2] = { 0 }, *end[2] = { &first[0], &first[1] }, unit = UINT32_MAX;

	for (struct unit_func *f = g->first, *next; f; f = next) {
		size_t i = (size_t)(f - s->funcs), part = sort && !f->addr;

		next = next_in_group(s, f);
		keep_first(&g->unexpected, f, UNIT_FUNC_UNEXPECTED);
		keep_first(&g->uncertain, f, UNIT_FUNC_UNCERTAIN);
		keep_first(&g->reordered, f, UNIT_FUNC_REORDERED);
		if ((f->flags & UNIT_FUNC_REORDERED) ||
		    ((f->flags & UNIT_FUNC_CHANGED) && feature_on(s->opts, FEATURE_TRUE_SIGNATURE)))
			f->flags |= UNIT_FUNC_REDUCED;
		g->nr_units += f->unit != unit;
		unit = f->unit;
		*end[part] = (uint32_t)i + 1;
		end[part] = &s->next[i];
	}
	*end[0] = first[1];
	*end[1] = 0;
	g->first = &s->funcs[first[0] - 1];
}

/* --- symbols --------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	const struct address *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* A damaged file may have many symbols of one key, so they are sorted for binary search. */
static void find_addresses(struct selection *s, const struct group *g)
{
	const struct symbols *syms = s->program->files[g->first->file].syms;
	size_t nr = 0;

	s->addresses.nr = 0;
	for (uint32_t i = 0; i < g->entry->nr; i++) {
		const struct func_symbol *sym = &syms->func_symbols[g->entry->first + i];
		const char *suffixed = sym->name[g->entry->name_len] ? sym->name : NULL;

		vec_push(&s->addresses,
			 ((struct address){ sym->value, i, sym->optimized, suffixed }));
	}
	if (s->addresses.nr > 1)
		qsort(s->addresses.items, s->addresses.nr, sizeof(struct address), by_address);
	for (size_t i = 0; i < s->addresses.nr; i++) {
		struct address *a = &s->addresses.items[i];
		struct address *last = nr ? &s->addresses.items[nr - 1] : NULL;

		if (!last || last->addr != a->addr) {
			s->addresses.items[nr++] = *a;
			continue;
		}
		last->optimized |= a->optimized;
		if (!last->suffixed)
			last->suffixed = a->suffixed;
	}
	s->addresses.nr = nr;
}

static void find_own_symbols(struct selection *s, const struct group *g)
{
	const struct symbols *syms = s->program->files[g->first->file].syms;
	struct own_symbols own = { 0 };
	const struct func_symbol *last = NULL;

	for (uint32_t i = 0; i < g->entry->nr; i++) {
		const struct func_symbol *sym = &syms->func_symbols[g->entry->first + i];
		const char *suffixed = sym->name[g->entry->name_len] ? sym->name : NULL;

		if (!sym->defined)
			continue;
		own.spread |= last && last->debug_addr != sym->debug_addr;
		last = sym;
		if (!sym->own)
			continue;
		own.several |= own.any && own.addr != sym->debug_addr;
		own.suffixed = !own.any ? suffixed : suffixed ? own.suffixed : NULL;
		own.addr = sym->debug_addr;
		own.any = true;
	}
	s->own = own;
}

/* The symbols at @addr; NULL if there is none. */
static const struct address *symbols_at(const struct selection *s, uint64_t addr)
{
	const struct address *items = s->addresses.items;
	size_t i = LOWER_BOUND(0, s->addresses.nr, k, items[k].addr < addr);

	return i < s->addresses.nr && items[i].addr == addr ? &items[i] : NULL;
}

/* The symbols at the address of @f; NULL also if @f has no address. */
static const struct address *symbols_of(const struct selection *s, const struct unit_func *f)
{
	return f->addr ? symbols_at(s, f->addr) : NULL;
}

/* --- selecting ------------------------------------------------------------------------- */

/* "Optimized away" (docs/spec/encoding.md 8.7). With true_signature no function is (8.9). */
static bool optimized_away(const struct selection *s, const struct unit_func *f)
{
	const struct address *at = symbols_of(s, f);

	return (f->flags & UNIT_FUNC_OPTIMIZED) && !feature_on(s->opts, FEATURE_TRUE_SIGNATURE) &&
	       ((f->flags & UNIT_FUNC_CHANGED) || (at && at->optimized));
}

/* The canonical function of the group (8.7). */
static const struct unit_func *canonical(const struct selection *s, const struct group *g)
{
	const struct unit_func *at_symbol = NULL;

	FOR_EACH_FUNC(s, g, f)
	{
		/* not symbols_of(): 8.7 includes functions at address 0 */
		if (!symbols_at(s, f->addr))
			continue;
		if (!optimized_away(s, f))
			return f;
		if (!at_symbol)
			at_symbol = f;
	}
	return at_symbol ? at_symbol : g->first;
}

/* The first two functions whose prototypes differ; @diff.part is PROTO_SAME if there are none. */
struct clash {
	const struct unit_func *a, *b;
	struct proto_diff diff;
};

/*
 * Compare the first function of the group with the others, as 8.7 describes it. The first one
 * gets the flags of all others, each of the others those of all before it.
 */
static struct clash compare_all(const struct selection *s, const struct group *g)
{
	const uint32_t shared = UNIT_FUNC_UNEXPECTED | UNIT_FUNC_INCONSISTENT |
				UNIT_FUNC_UNCERTAIN | UNIT_FUNC_REORDERED;
	const uint32_t decided = shared & ~(uint32_t)UNIT_FUNC_UNCERTAIN;
	const struct func_program *p = s->program;
	/* docs/spec/encoding.md 8.9 */
	const bool inlined_may_differ = s->compat->inlined_may_differ &&
					feature_on(s->opts, FEATURE_TRUE_SIGNATURE);
	struct unit_func *first = g->first;
	struct clash clash = { 0 };

	for (struct unit_func *f = first; (f = next_in_group(s, f));) {
		first->flags |= f->flags & shared;
		if (!(first->flags & decided) &&
		    !(inlined_may_differ && !first->addr != !f->addr)) {
			clash.diff = proto_compare(p->types, p->enums,
						   (struct unit_proto){ first->proto, first->unit },
						   (struct unit_proto){ f->proto, f->unit });
			if (clash.diff.part != PROTO_SAME) {
				first->flags |= UNIT_FUNC_INCONSISTENT;
				clash.a = first;
				clash.b = f;
			}
		}
		f->flags |= first->flags & shared;
	}
	return clash;
}

/* Compare @f with all others of the group whose prototypes are those of the source. */
static struct clash compare_with(const struct selection *s, const struct group *g,
				 const struct unit_func *f)
{
	const struct func_program *p = s->program;
	const bool inlined_may_differ = s->compat->inlined_may_differ &&
					feature_on(s->opts, FEATURE_TRUE_SIGNATURE);
	struct clash clash = { .a = f };

	FOR_EACH_FUNC(s, g, other)
	{
		if (other == f || (other->flags & UNIT_FUNC_REDUCED) ||
		    (inlined_may_differ && !f->addr != !other->addr))
			continue;
		clash.b = other;
		clash.diff = proto_compare(p->types, p->enums,
					   (struct unit_proto){ f->proto, f->unit },
					   (struct unit_proto){ other->proto, other->unit });
		if (clash.diff.part != PROTO_SAME)
			break;
	}
	return clash;
}

/* The first function that can be described by the name of an optimized copy (8.9). */
static struct chosen_func true_signature(const struct selection *s, const struct group *g)
{
	FOR_EACH_FUNC(s, g, f)
	{
		const struct address *at = symbols_of(s, f);

		if (at && at->suffixed &&
		    !(f->flags & (UNIT_FUNC_UNEXPECTED | UNIT_FUNC_UNCERTAIN)))
			return (struct chosen_func){ .func = f, .symbol = at->suffixed };
	}
	return (struct chosen_func){ 0 };
}

/*
 * The rules (8.7) by which the function is omitted, a bit each. The highest one is reported. compare_all()
 * merges flags of the whole group in the first function; "optimized away" is a property of the
 * chosen one alone.
 */
static uint32_t refusals(const struct selection *s, const struct group *g,
			 const struct unit_func *chosen)
{
	uint32_t flags = g->first->flags, rules = 0;

	if (flags & UNIT_FUNC_UNEXPECTED)
		rules |= 1u << OMIT_FUNC_UNEXPECTED_REGISTER;
	if (feature_on(s->opts, FEATURE_CONSISTENT_FUNC) && (flags & UNIT_FUNC_INCONSISTENT))
		rules |= 1u << OMIT_FUNC_INCONSISTENT_PROTOTYPE;
	if (flags & UNIT_FUNC_UNCERTAIN)
		rules |= 1u << OMIT_FUNC_UNCERTAIN_LOCATION;
	if (flags & UNIT_FUNC_REORDERED)
		rules |= 1u << OMIT_FUNC_REORDERED_PARAMETERS;
	if (optimized_away(s, chosen))
		rules |= 1u << OMIT_FUNC_OPTIMIZED_PARAMETERS;
	if (s->compat->own_symbols ? s->own.spread : g->entry->ambiguous)
		rules |= 1u << OMIT_FUNC_AMBIGUOUS_ADDRESS;
	return rules;
}

/* --- reporting ------------------------------------------------------------------------- */

static const uint32_t *proto_of(const struct selection *s, const struct unit_func *f)
{
	return type_pool_at(s->program->types, f->proto)->rec;
}

static const char *param_name(const struct selection *s, const struct unit_func *f, uint32_t param)
{
	return str_pool_text(s->program->strings,
			     proto_of(s, f)[BTF_REC_WORDS + (size_t)param * 2]);
}

/* The words are pahole's, because scripts search for them. */
static void note_clash(const struct selection *s, const struct group *g, const struct clash *c)
{
	CLEANUP(mem_free_text) char *why = NULL;

	switch (c->diff.part) {
	case PROTO_NR_PARAMS:
		why = mem_printf("param count mismatch; %u params != %u params",
				 btf_rec_vlen(proto_of(s, c->a)), btf_rec_vlen(proto_of(s, c->b)));
		break;
	case PROTO_RETURN:
		why = mem_printf("return type mismatch");
		break;
	default:
		why = mem_printf("param type mismatch for param#%u %s != %s", c->diff.param + 1,
				 param_name(s, c->a, c->diff.param),
				 param_name(s, c->b, c->diff.param));
		break;
	}
	diag_add(s->log->diags, DIAG_OUTPUT, "%.*s : skipping BTF encoding of function due to %s",
		 (int)g->entry->name_len, g->entry->name, why);
}

static uint64_t known_address(const struct unit_func *f)
{
	return f->addr == UNIT_FUNC_NO_SYMBOL ? 0 : f->addr;
}

/* The prototype of @f for the report. The BTF does not get the string, because no record uses it. */
static struct omission_proto describe_proto(const struct selection *s, const struct unit_func *f)
{
	const struct func_program *p = s->program;
	CLEANUP(mem_free_text) char *text = proto_text(p->types, p->strings, f->proto);

	return (struct omission_proto){
		.text = str_pool_add_copy(p->strings, text, strlen(text)),
		.unit = p->units[f->unit]->name,
		.addr = known_address(f),
	};
}

/* The function to which @rule applies. */
static const struct unit_func *cause_of(const struct group *g, enum omission_rule rule,
					const struct unit_func *chosen)
{
	switch (rule) {
	case OMIT_FUNC_UNEXPECTED_REGISTER:
		return g->unexpected;
	case OMIT_FUNC_UNCERTAIN_LOCATION:
		return g->uncertain;
	case OMIT_FUNC_REORDERED_PARAMETERS:
		return g->reordered;
	default:
		return chosen;
	}
}

/* Report that @chosen is omitted or changed because of the highest of @rules. */
static void report(const struct selection *s, const struct group *g, struct chosen_func chosen,
		   uint32_t rules, const struct clash *clash)
{
	const struct func_program *p = s->program;
	enum omission_rule rule = (enum omission_rule)(31 - __builtin_clz(rules));
	const struct unit_func *f = cause_of(g, rule, chosen.func);
	struct omission o = {
		.rule = rule,
		.name = p->files[f->file].func_names[f->func],
		.unit_number = f->unit,
		.nr_units = g->nr_units,
	};

	if (omission_wanted(s->log, o.name)) {
		o.also = rules & ~(1u << o.rule);
		o.unit = p->units[f->unit]->name;
		o.number = known_address(f);
		if (clash->diff.part != PROTO_SAME) {
			vec_push(&s->log->list->clashes,
				 ((struct omission_clash){ .a = describe_proto(s, clash->a),
							   .b = describe_proto(s, clash->b),
							   .part = clash->diff.part,
							   .param = clash->diff.param + 1 }));
			o.clash = s->log->list->clashes.nr;
		} else {
			o.proto = describe_proto(s, f).text;
		}
		if (chosen.symbol)
			o.part = str_pool_add(p->strings, chosen.symbol, strlen(chosen.symbol));
	}
	omission_report(s->log, o);
}

/* --------------------------------------------------------------------------------------- */

/* The decision about a group. */
struct decision {
	struct chosen_func chosen;
	uint32_t rules;  /* by which the function is omitted */
	uint32_t lifted; /* that do not omit it, because it is a kfunc */
	struct clash clash;
};

static bool is_at_own_symbol(const struct selection *s, const struct unit_func *f)
{
	return s->own.any && !s->own.several && f->addr && f->addr == s->own.addr;
}

/*
 * The first function at the own symbol of the group that takes its parameters as in the source (8.10). NULL if
 * there is none. Call it before compare_all() merges flags.
 */
static const struct unit_func *intact(const struct selection *s, const struct group *g)
{
	const uint32_t changed = UNIT_FUNC_UNEXPECTED | UNIT_FUNC_UNCERTAIN | UNIT_FUNC_REORDERED;

	FOR_EACH_FUNC(s, g, f)
	{
		if (is_at_own_symbol(s, f) && !(f->flags & changed) && !optimized_away(s, f))
			return f;
	}
	return NULL;
}

/* Decide by @f, which is intact(). */
static struct decision decide_by_own(const struct selection *s, const struct group *g,
				     const struct unit_func *f)
{
	struct decision d = { .chosen.func = f, .clash = compare_with(s, g, f) };

	if (feature_on(s->opts, FEATURE_TRUE_SIGNATURE))
		d.chosen.symbol = s->own.suffixed;
	if (feature_on(s->opts, FEATURE_CONSISTENT_FUNC) && d.clash.diff.part != PROTO_SAME)
		d.rules = 1u << OMIT_FUNC_INCONSISTENT_PROTOTYPE;
	return d;
}

/* Decide by all functions of the group (8.7, 8.9). */
static struct decision decide_by_all(const struct selection *s, const struct group *g)
{
	struct decision d = { .clash = compare_all(s, g) };

	if (feature_on(s->opts, FEATURE_TRUE_SIGNATURE))
		d.chosen = true_signature(s, g);
	if (!d.chosen.func) {
		d.chosen.func = canonical(s, g);
		d.rules = refusals(s, g, d.chosen.func);
	}
	return d;
}

/*
 * The function whose prototype is that of the source, if possible of the one at the own symbol, or else at
 * another symbol of the group.
 */
static const struct unit_func *declared(const struct selection *s, const struct group *g)
{
	const struct unit_func *best = NULL;
	unsigned int best_rank = 0;

	FOR_EACH_FUNC(s, g, f)
	{
		unsigned int rank = is_at_own_symbol(s, f) ? 0 : symbols_of(s, f) ? 1 : 2;

		if (f->flags & UNIT_FUNC_REDUCED)
			rank += 3;
		if (!best || rank < best_rank) {
			best = f;
			best_rank = rank;
		}
	}
	return best;
}

/* @d omits a kfunc, or describes a copy of it: describe it as declared unless its name is ambiguous (10.4). */
static void keep_kfunc(const struct selection *s, const struct group *g, struct decision *d)
{
	const struct unit_func *f = declared(s, g);
	uint32_t omitted = 0, all = d->rules;

	d->chosen = (struct chosen_func){ .func = f };
	d->clash = compare_with(s, g, f);
	if (feature_on(s->opts, FEATURE_CONSISTENT_FUNC) && d->clash.diff.part != PROTO_SAME) {
		all |= 1u << OMIT_FUNC_INCONSISTENT_PROTOTYPE;
		if (!is_at_own_symbol(s, f))
			omitted |= 1u << OMIT_FUNC_INCONSISTENT_PROTOTYPE;
	}
	if (s->own.several)
		omitted |= 1u << OMIT_FUNC_AMBIGUOUS_ADDRESS;
	if (!s->own.any)
		all |= 1u << OMIT_FUNC_NO_SYMBOL;
	d->rules = omitted;
	d->lifted = omitted ? 0 : all;
}

static bool is_kept_kfunc(const struct selection *s, const struct group *g)
{
	const struct kfuncs *k = s->program->files[g->first->file].kfuncs;

	return s->compat->keep_kfuncs && k && kfuncs_find(k, g->first->func);
}

static struct decision decide(const struct selection *s, const struct group *g)
{
	const struct unit_func *own = s->compat->own_symbols ? intact(s, g) : NULL;
	struct decision d = own ? decide_by_own(s, g, own) : decide_by_all(s, g);

	/* a copy may be described where the function is not */
	if (own && d.rules && feature_on(s->opts, FEATURE_TRUE_SIGNATURE))
		d = decide_by_all(s, g);
	if (is_kept_kfunc(s, g) && (d.rules || d.chosen.symbol || !s->own.any))
		keep_kfunc(s, g, &d);
	return d;
}

/* The rules to report of a function that is described. */
static uint32_t changes(const struct decision *d)
{
	uint32_t rules = d->lifted;

	if (rules)
		return rules |
		       1u << (rules & 1u << OMIT_FUNC_NO_SYMBOL ? OMIT_FUNC_KFUNC_NO_SYMBOL :
								  OMIT_FUNC_KFUNC);
	if (d->clash.diff.part != PROTO_SAME)
		rules |= 1u << OMIT_FUNC_ONE_PROTOTYPE;
	if (d->chosen.symbol)
		rules |= 1u << OMIT_FUNC_TRUE_SIGNATURE;
	return rules;
}

/*
 * Functions of members without facts merge with all their tags, as in libbpf (docs/spec/dedup.md 8.4). Of other
 * units, only the tags of the chosen description count, as in pahole.
 */
static void add_tagged(const struct selection *s, const struct group *g, struct chosen_func *c,
		       struct func_choice *ret)
{
	const struct unit_btf *const *units = s->program->units;

	c->also = ret->also.nr;
	FOR_EACH_FUNC(s, g, f)
	{
		if (f != c->func && f->nr_tags && f->proto == c->func->proto &&
		    units[f->unit]->origin.source == SOURCE_BTF)
			vec_push(&ret->also, f);
	}
	c->nr_also = ret->also.nr - c->also;
}

static void select_from(const struct selection *s, const struct group *g, struct func_choice *ret)
{
	struct decision d = decide(s, g);
	uint32_t rules = d.rules;

	/* Without the feature the function is not omitted for it, and pahole prints nothing. */
	if (d.clash.diff.part != PROTO_SAME && !d.lifted && s->log->diags->verbose &&
	    feature_on(s->opts, FEATURE_CONSISTENT_FUNC))
		note_clash(s, g, &d.clash);
	if (!rules) {
		if (unlikely(s->program->units[d.chosen.func->unit]->origin.source == SOURCE_BTF) &&
		    !d.chosen.symbol)
			add_tagged(s, g, &d.chosen, ret);
		vec_push(ret, d.chosen);
		rules = changes(&d);
	}
	if (unlikely(rules))
		report(s, g, d.chosen, rules, &d.clash);
}

/* A function and the first of its descriptions. */
struct described {
	const struct func_entry *entry;
	struct unit_func *first;
};

static int by_name(const void *a, const void *b)
{
	const struct described *x = a, *y = b;
	uint32_t min = x->entry->name_len < y->entry->name_len ? x->entry->name_len :
								 y->entry->name_len;
	int diff = memcmp(x->entry->name, y->entry->name, min);

	if (diff)
		return diff;
	if (x->entry->name_len != y->entry->name_len)
		return x->entry->name_len < y->entry->name_len ? -1 : 1;
	return (x->first->file > y->first->file) - (x->first->file < y->first->file);
}

struct described_funcs {
	struct described *items;
	size_t nr, cap;
};

/* Link the descriptions of each function in the order of the input, and list the functions by name. */
static void find_described(struct selection *s, size_t nr, struct described_funcs *ret)
{
	/* the descriptions of one file are consecutive */
	for (size_t begin = 0, end; begin < nr; begin = end) {
		uint32_t file = s->funcs[begin].file;
		const struct symbols *syms = s->program->files[file].syms;
		/* by function: the index of its first description, plus 1 */
		uint32_t *first = mem_zalloc(syms->nr_funcs, sizeof(*first));

		for (end = begin; end < nr && s->funcs[end].file == file; end++)
			;
		for (size_t i = end; i-- > begin;) {
			s->next[i] = first[s->funcs[i].func];
			first[s->funcs[i].func] = (uint32_t)i + 1;
		}
		for (size_t i = 0; i < syms->nr_funcs; i++) {
			if (first[i])
				vec_push(ret, ((struct described){ &syms->funcs[i],
								   &s->funcs[first[i] - 1] }));
		}
		free(first);
	}
	/* the functions of one file are sorted already */
	if (ret->nr && s->funcs[nr - 1].file != s->funcs[0].file)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), by_name);
}

void func_select_choose(struct func_select *all, const struct encode_opts *opts,
			const struct func_program *program, const struct omission_log *log,
			struct func_choice *ret)
{
	struct selection s = {
		.program = program,
		.opts = opts,
		.compat = compat_get(opts->compat),
		.log = log,
		.funcs = all->funcs.items,
		.next = mem_alloc(all->funcs.nr * sizeof(s.next[0])),
	};
	struct described_funcs described = { 0 };

	find_described(&s, all->funcs.nr, &described);
	for (size_t i = 0; i < described.nr; i++) {
		const struct described *d = &described.items[i];
		struct group g = { .entry = d->entry, .first = d->first };

		arrange(&s, &g);
		find_addresses(&s, &g);
		if (s.compat->own_symbols)
			find_own_symbols(&s, &g);
		select_from(&s, &g, ret);
	}
	FREE_ALL(described.items, s.addresses.items, s.next);
}
