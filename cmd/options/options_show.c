/* SPDX-License-Identifier: GPL-2.0-only */
/* options_show.c - see options_show.h */
#include "cmd/options/options_show.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Where the system does not know it. */
enum { CACHELINE_USUAL = 64, CACHELINE_MAX = UINT16_MAX };

static struct err *set_number(const struct option_def *def, const char *value, uint32_t least,
			      uint32_t most, uint32_t *ret)
{
	char *end;

	errno = 0;
	unsigned long n = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || n < least || n > most)
		return err_new(ERR_USAGE, "--%s: '%s' is not a number from %u to %u", def->name,
			       value, least, most);
	*ret = (uint32_t)n;
	return NULL;
}

/* Of an option that is given twice the last one counts, as in pahole. */
static struct err *set_name(struct options *o, enum options_show what, const char *value)
{
	static const char *const names[] = {
		[SHOW_NAMED] = "--class_name",
		[SHOW_CONTAINERS] = "--contains",
		[SHOW_POINTERS] = "--find_pointers_to",
	};

	if (o->show_what != SHOW_ALL && o->show_what != what)
		return err_new(ERR_USAGE, "'%s' and '%s' cannot be combined", names[o->show_what],
			       names[what]);
	o->show_what = what;
	o->show_name = value;
	return NULL;
}

static struct err *act_on_filter(struct options *o, const struct option_def *def, const char *value)
{
	struct filter *f = &o->show.filter;

	switch (def->use) {
	case USE_SHOW_STRUCTS:
		f->structs = true;
		return NULL;
	case USE_SHOW_UNIONS:
		f->unions = true;
		return NULL;
	case USE_SHOW_PACKED:
		f->packed = f->structs = true;
		return NULL;
	case USE_SHOW_FLEXIBLE:
		f->flexible = true;
		return NULL;
	case USE_SHOW_EMBEDDED_FLEXIBLE:
		f->embeds_flexible = f->structs = true;
		return NULL;
	case USE_SHOW_ANONYMOUS:
		f->anonymous = true;
		return NULL;
	case USE_SHOW_EXCLUDE:
		f->exclude = value;
		return NULL;
	case USE_SHOW_PREFIX:
		f->include = value;
		return NULL;
	case USE_SHOW_HOLES:
		return set_number(def, value, 0, UINT16_MAX, &f->holes);
	case USE_SHOW_BIT_HOLES:
		return set_number(def, value, 0, UINT16_MAX, &f->bit_holes);
	case USE_SHOW_HOLE_SIZE:
		/* as in pahole, where -V counts from its place on */
		if (!o->verbose_before)
			o->show.form = LISTING_NAMES;
		return set_number(def, value, 0, UINT32_MAX, &f->hole_size);
	default: /* USE_SHOW_PADDING */
		return set_number(def, value, 0, UINT32_MAX, &f->padding);
	}
}

static struct err *act_on_style(struct options *o, const struct option_def *def, const char *value)
{
	struct print_style *s = &o->show.style;

	switch (def->use) {
	case USE_SHOW_EXPAND:
		s->expand = true;
		return NULL;
	case USE_SHOW_HEX:
		s->hex = true;
		return NULL;
	case USE_SHOW_RELATIVE:
		s->relative = true;
		return NULL;
	case USE_SHOW_NO_ALIGNED:
		s->no_aligned = true;
		return NULL;
	case USE_SHOW_NO_PACKED:
		s->no_packed = true;
		return NULL;
	case USE_SHOW_CACHELINE:
		return set_number(def, value, 1, CACHELINE_MAX, &s->cacheline);
	default:
		return act_on_filter(o, def, value);
	}
}

struct err *options_show_act(struct options *o, const struct option_def *def, const char *value)
{
	switch (def->use) {
	case USE_SHOW_NAMED:
		return set_name(o, SHOW_NAMED, value);
	case USE_SHOW_CONTAINERS:
		return set_name(o, SHOW_CONTAINERS, value);
	case USE_SHOW_POINTERS:
		return set_name(o, SHOW_POINTERS, value);
	case USE_SHOW_RECURSIVE:
		o->show.recursive = true;
		return NULL;
	case USE_SHOW_SKIP_MISSING:
		o->skip_missing = true;
		return NULL;
	case USE_SHOW_NESTED_ANONYMOUS:
		o->show.nested_anonymous = true;
		return NULL;
	case USE_SHOW_COMPILABLE:
		o->show.compilable = true;
		return NULL;
	case USE_SHOW_HEADER:
		o->show_header = true;
		return NULL;
	case USE_SHOW_SIZES:
		o->show.form = LISTING_SIZES;
		return NULL;
	case USE_SHOW_NAME_LENGTHS:
		o->show.form = LISTING_NAME_LENGTHS;
		return NULL;
	case USE_SHOW_MEMBERS:
		o->show.form = LISTING_MEMBERS;
		return NULL;
	case USE_SHOW_TIMES:
		o->show.form = LISTING_TIMES;
		return NULL;
	case USE_SHOW_SEPARATOR:
		o->show.separator = value[0];
		return NULL;
	default:
		return act_on_style(o, def, value);
	}
}

void options_show_settle(struct options *o)
{
	struct print_style *s = &o->show.style;
	long size;

	o->show.counts = o->encode.verbose;
	s->quiet = o->quiet;
	if (s->cacheline)
		return;
	size = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
	s->cacheline = size > 0 && size <= CACHELINE_MAX ? (uint32_t)size : CACHELINE_USUAL;
}
