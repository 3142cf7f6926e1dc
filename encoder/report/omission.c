/* SPDX-License-Identifier: GPL-2.0-only */
/* omission.c - see omission.h */
#include "encoder/report/omission.h"

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/text.h"

#include <inttypes.h>

uint64_t omission_rules_of_loss(void)
{
	uint64_t set = 0;

	for (int rule = 0; rule < NR_OMISSION_RULES; rule++) {
		if (!omission_rules[rule].no_loss)
			set |= omission_rule_bit((enum omission_rule)rule);
	}
	return set;
}

/* The text of the diagnostic for @o, which the caller frees. */
static char *note_text(const struct omission *o, const struct str_pool *strings)
{
	static const char unit[] = "unit '%u': ";
	const char *s = omission_rules[o->rule].note;
	struct text out = { 0 };

	/* the units of gcc's LTO are read as one, without a name */
	if (!o->unit && starts_with(s, unit))
		s += sizeof(unit) - 1;
	for (; *s; s++) {
		if (*s != '%') {
			text_char(&out, *s);
			continue;
		}
		switch (*++s) {
		case 'n':
			text_str(&out, o->name ? str_pool_text(strings, o->name) : "(anon)");
			break;
		case 'p':
			text_str(&out, o->part ? str_pool_text(strings, o->part) : "(anon)");
			break;
		case 'u':
			text_str(&out, str_pool_text(strings, o->unit));
			break;
		case 'o':
			if (o->other_unit)
				text_printf(&out, " of unit '%s'",
					    str_pool_text(strings, o->other_unit));
			break;
		case 'k':
			text_str(&out, o->keyword);
			break;
		default:
			text_printf(&out, "%" PRIu64, o->number);
		}
	}
	return text_take(&out);
}

void omission_report(const struct omission_log *to, struct omission o)
{
	const struct omission_rule_def *rule = &omission_rules[o.rule];

	if (!o.nr_units) {
		o.unit = to->unit;
		o.unit_number = to->unit_number;
		o.nr_units = 1;
	}
	if (rule->note && (rule->level < DIAG_VERBOSE || to->diags->verbose)) {
		CLEANUP(mem_free_text) char *text = note_text(&o, to->strings);

		diag_add(to->diags, rule->level, "%s", text);
	}
	if (omission_wanted_at(to, o.name, rule->number == NUMBER_ADDRESS ? o.number : 0) ||
	    omission_wanted(to, o.part))
		vec_push(to->list, o);
}

/* --- merging ------------------------------------------------------------------ */

/* The number of @o if it tells omissions of one name apart, or 0. */
static uint64_t distinct_number(const struct omission *o)
{
	/* functions of one name in several units have variables of one name, at several addresses */
	bool by_address = o->rule == OMIT_VAR_IN_FUNCTION;
	/* types without a name differ in their size, if in anything */
	bool by_size = !o->name && omission_rules[o->rule].number == NUMBER_BYTES;

	return by_address || by_size ? o->number : 0;
}

static uint64_t hash_of(const struct omission *o)
{
	const uint64_t number = distinct_number(o);
	const uint32_t words[] = { (uint32_t)o->rule, o->name, o->part, (uint32_t)number,
				   (uint32_t)(number >> 32) };

	return hash_words(words, ARRAY_SIZE(words));
}

static bool same(const struct omission *a, const struct omission *b)
{
	return a->rule == b->rule && a->name == b->name && a->part == b->part &&
	       a->keyword == b->keyword && distinct_number(a) == distinct_number(b);
}

static struct omission *find(const struct omissions *to, const struct omission *o)
{
	uint32_t nr = HASH_FIND(&to->index, hash_of(o), i, same(&to->items[i - 1], o));

	return nr ? &to->items[nr - 1] : NULL;
}

void omissions_merge(struct omissions *to, struct omissions *from)
{
	for (size_t i = 0; i < from->nr; i++) {
		const struct omission *o = &from->items[i];
		/* rules about units apply to each unit once */
		bool once = omission_rules[o->rule].subject == SUBJECT_UNIT;
		struct omission *met = once ? NULL : find(to, o);

		if (!met) {
			vec_push(to, *o);
			hash_table_add(&to->index, hash_of(o), (uint32_t)to->nr);
			continue;
		}
		if (omission_rules[o->rule].number == NUMBER_COUNT)
			met->number += o->number;
		if (met->unit_number != o->unit_number) {
			met->unit_number = o->unit_number;
			met->nr_units++;
		}
	}
	omissions_release(from);
}

void asked_names_add(struct asked_names *a, uint32_t name, uint64_t addr)
{
	if (name)
		hash_table_add(&a->names, hash_key32(name), name);
	if (!addr)
		return;
	vec_push(&a->addr, addr);
	hash_table_add(&a->addrs, hash_key32((uint32_t)(addr ^ addr >> 32)), (uint32_t)a->addr.nr);
}

void asked_names_release(struct asked_names *a)
{
	hash_table_release(&a->names);
	hash_table_release(&a->addrs);
	free(a->addr.items);
	*a = (struct asked_names){ 0 };
}

void omissions_release(struct omissions *o)
{
	FREE_ALL(o->items, o->clashes.items, o->definitions.items);
	hash_table_release(&o->index);
	*o = omissions_like(o);
}
