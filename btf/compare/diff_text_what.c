/* SPDX-License-Identifier: GPL-2.0-only */
/* diff_text_what.c - the values of two records that differ: see diff_text.h */
#include "btf/compare/diff_text.h"

#include "base/arena.h"
#include "base/cleanup.h"

#include <inttypes.h>
#include <string.h>

const struct diff_words diff_words_changed = { "was", "new", "gone" };
const struct diff_words diff_words_copies = { "not", "extra", "missing" };

struct change {
	struct text *out;
	const struct type_graph *g;
	const struct btf_change *x;
	const struct diff_words *words;
	const char *between; /* printed before the next part of the line: "" or "; " */
};

/* ", was " */
static void put_was(struct change *s)
{
	text_printf(s->out, ", %s ", s->words->was);
}

static void put_number(struct change *s, const char *what, int64_t is, int64_t was,
		       const char *unit)
{
	if (is == was)
		return;
	text_printf(s->out, "%s%s%" PRId64 "%s", s->between, what, is, unit);
	put_was(s);
	text_printf(s->out, "%" PRId64, was);
	s->between = "; ";
}

static void put_size(struct change *s)
{
	const uint32_t *a = type_graph_words(s->g, s->x->at_a);
	const uint32_t *b = type_graph_words(s->g, s->x->at_b);

	put_number(s, "size ", b[BTF_REC_SIZE_TYPE], a[BTF_REC_SIZE_TYPE], " bytes");
}

static void print_value(struct text *out, const struct type_graph *g, const struct btf_place *p)
{
	uint64_t value = btf_enumerator_value(g, p->node, p->index);

	if (btf_rec_kflag(type_graph_words(g, p->node)))
		text_printf(out, "%" PRId64, (int64_t)value);
	else
		text_printf(out, "%" PRIu64, value);
}

/* Of bit fields; 0: of another member. */
static void put_width(struct change *s, uint32_t is, uint32_t was)
{
	const char *plural = is + was == 1 ? "" : "s";

	if (is == was)
		return;
	if (is && was) {
		put_number(s, "width ", is, was, " bits");
	} else if (is) {
		text_printf(s->out, "%sa bit field of %u bit%s", s->between, is, plural);
		put_was(s);
		text_str(s->out, "none");
	} else {
		text_printf(s->out, "%sno bit field", s->between);
		put_was(s);
		text_printf(s->out, "one of %u bit%s", was, plural);
	}
	s->between = "; ";
}

/* Bits, if one of the places is of a bit field, or not at the start of a byte; else bytes. */
static void put_place_of_member(struct change *s)
{
	const struct btf_place *a = &s->x->a, *b = &s->x->b;
	uint32_t was = btf_member_location(s->g, a->node, a->index).width;
	uint32_t is = btf_member_location(s->g, b->node, b->index).width;
	bool bits = was || is || (a->offset | b->offset) % 8;

	put_number(s, "offset ", b->offset / (bits ? 1 : 8), a->offset / (bits ? 1 : 8),
		   bits ? " bits" : " bytes");
	put_width(s, is, was);
}

static void put_value(struct change *s)
{
	print_value(s->out, s->g, &s->x->b);
	put_was(s);
	print_value(s->out, s->g, &s->x->a);
}

/* The words that the table of kinds names. */
static void put_fields(struct change *s)
{
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(s->g, s->x->at_a));
	const uint32_t *a = type_graph_element(s->g, s->x->a.node, s->x->a.index);
	const uint32_t *b = type_graph_element(s->g, s->x->b.node, s->x->b.index);

	for (uint32_t i = 0; l->elem_fields && i < l->elem; i++) {
		if (l->elem_fields[i])
			put_number(s, l->elem_fields[i], b[i], a[i], l->elem_unit);
	}
}

static void put_moved(struct change *s)
{
	enum btf_ctype c = type_graph_ctype(s->g, s->x->b.node);

	if (c == BTF_C_STRUCT)
		put_place_of_member(s);
	else if (c == BTF_C_ENUM)
		put_value(s);
	else
		put_fields(s);
}

/* The data word of an INT or VAR, the linkage of a FUNC. */
static void print_data(struct text *out, const struct type_graph *g, uint32_t n)
{
	static const char *const linkages[] = { "static", "global", "extern" };
	const uint32_t *words = type_graph_words(g, n);
	uint32_t data = words[BTF_REC_WORDS];

	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(g, n));

	if (l->ctype == BTF_C_INT) {
		text_printf(out, "%s%s%s%s%u bits", data >> 24 & BTF_ENC_BOOL ? "bool, " : "",
			    data >> 24 & BTF_ENC_CHAR ? "char, " : "",
			    data >> 24 & BTF_ENC_SIGNED ? "signed, " : "",
			    data >> 27 ? "unknown bits, " : "", data & 0xff);
		if (data >> 16 & 0xff)
			text_printf(out, " from bit %u", data >> 16 & 0xff);
		return;
	}
	if (l->vlen_is_linkage)
		data = btf_rec_vlen(words);
	if (l->space != BTF_SPACE_FUNC && l->space != BTF_SPACE_VAR)
		text_printf(out, "data %#x", data);
	else if (data < ARRAY_SIZE(linkages))
		text_str(out, linkages[data]);
	else
		text_printf(out, "linkage %u", data);
}

static void put_data(struct change *s)
{
	print_data(s->out, s->g, s->x->at_b);
	put_was(s);
	print_data(s->out, s->g, s->x->at_a);
}

static const char *kind_text(const struct type_graph *g, uint32_t n)
{
	enum btf_ctype c = type_graph_ctype(g, n);

	return c == BTF_C_STRUCT  ? "a definition" :
	       c == BTF_C_FORWARD ? "a declaration" :
				    btf_kind_layout(type_graph_kind(g, n))->name;
}

static void put_kind(struct change *s)
{
	text_str(s->out, kind_text(s->g, s->x->at_b));
	put_was(s);
	text_str(s->out, kind_text(s->g, s->x->at_a));
}

static void put_flag(struct change *s)
{
	bool is = btf_rec_kflag(type_graph_words(s->g, s->x->at_b));
	enum btf_kind kind = type_graph_kind(s->g, s->x->at_a);

	if (btf_kind_is_enum(kind)) {
		text_str(s->out, is ? "signed" : "unsigned");
		put_was(s);
		text_str(s->out, is ? "unsigned" : "signed");
	} else {
		text_printf(s->out, "kind flag %d", is);
		put_was(s);
		text_printf(s->out, "%d", !is);
	}
}

/* The tags of @n that @other does not have; both are in order. */
static void print_tags(struct change *s, uint32_t n, uint32_t other, const char *what)
{
	const struct type_graph *g = s->g;
	const uint32_t *x = type_graph_words(g, n), *y = type_graph_words(g, other);
	const uint32_t *end = g->words + g->word_start[n + 1];
	const uint32_t *y_end = g->words + g->word_start[other + 1];

	for (x += btf_rec_words(x), y += btf_rec_words(y); x < end; x += TAG_WORDS) {
		while (y < y_end && type_graph_compare_tags(y, x) < 0)
			y += TAG_WORDS;
		if (y < y_end && type_graph_compare_tags(y, x) == 0) {
			y += TAG_WORDS; /* each is matched once */
			continue;
		}
		text_printf(s->out, "%stag '", s->between);
		diff_text_name(s->out, g->names[x[TAG_NAME]]);
		text_str(s->out, "'");
		if (x[TAG_COMPONENT] != UINT32_MAX)
			text_printf(s->out, " of %s %u",
				    type_graph_kind(g, n) == BTF_FUNC ? "parameter" : "member",
				    x[TAG_COMPONENT] + 1);
		text_printf(s->out, " is %s", what);
		s->between = "; ";
	}
}

/* One of the two has a name. */
static void print_name(struct text *out, const struct type_graph *g, const struct btf_place *p)
{
	const char *name = diff_element_name(g, p->node, p->index);

	text_str(out, *name ? "'" : "no name");
	diff_text_name(out, name);
	text_str(out, *name ? "'" : "");
}

static void put_names(struct change *s)
{
	print_name(s->out, s->g, &s->x->b);
	put_was(s);
	print_name(s->out, s->g, &s->x->a);
}

static void put_types(struct change *s)
{
	CLEANUP(mem_free_text) char *is = diff_type_text(s->g, s->x->type_b, false);
	CLEANUP(mem_free_text) char *was = diff_type_text(s->g, s->x->type_a, false);

	if (s->x->sort == CHANGE_ANOTHER || !strcmp(is, was)) {
		text_printf(s->out, "another %s", is);
	} else {
		text_str(s->out, is);
		put_was(s);
		text_str(s->out, was);
	}
	s->between = "; ";
	if (s->x->b.index != NO_ELEMENT && type_graph_ctype(s->g, s->x->b.node) == BTF_C_STRUCT)
		put_place_of_member(s);
}

/* An element that only one side has, with its type or value. */
static void put_element(struct change *s, const struct btf_place *p, const char *what)
{
	const struct type_graph *g = s->g;
	enum btf_ctype c = type_graph_ctype(g, p->node);

	text_str(s->out, what);
	if (c == BTF_C_NONE)
		return;
	text_str(s->out, " (");
	if (c == BTF_C_ENUM)
		print_value(s->out, g, p);
	else
		diff_text_type(s->out, g,
			       type_graph_edge(g, p->node,
					       type_graph_edges_before(g, p->node, p->index)),
			       false);
	text_char(s->out, ')');
}

static void put_order(struct change *s)
{
	const struct type_graph *g = s->g;
	bool nests = type_graph_ctype(g, s->x->at_b) == BTF_C_STRUCT;

	text_printf(s->out, "another order%s of %ss", nests ? " or nesting" : "",
		    btf_kind_layout(type_graph_kind(g, s->x->at_b))->element);
}

static void put_count(struct change *s, uint32_t nr, const char *what)
{
	if (!nr)
		return;
	text_printf(s->out, "%s%u %s", s->between, nr, what);
	s->between = ", ";
}

static void put_sites(struct change *s, const struct btf_site_changes *sites)
{
	put_count(s, sites->fresh, "new");
	put_count(s, sites->gone, "gone");
	put_count(s, sites->places, "with other places of parameters");
	put_count(s, sites->moved, "at another offset");
}

static void put_other(struct change *s)
{
	text_printf(s->out, "info %#x", type_graph_words(s->g, s->x->at_b)[BTF_REC_INFO]);
	put_was(s);
	text_printf(s->out, "%#x", type_graph_words(s->g, s->x->at_a)[BTF_REC_INFO]);
}

void diff_text_what(struct text *out, const struct type_graph *g, const struct btf_difference *d,
		    const struct btf_change *x, const struct diff_words *words)
{
	struct change s = { out, g, x, words, "" };

	switch (x->sort) {
	case CHANGE_KIND:
		put_kind(&s);
		break;
	case CHANGE_GONE:
		put_element(&s, &x->a, words->is_gone);
		break;
	case CHANGE_NEW:
		put_element(&s, &x->b, words->is_new);
		break;
	case CHANGE_NAME:
		put_names(&s);
		break;
	case CHANGE_MOVED:
		put_moved(&s);
		break;
	case CHANGE_INDEX:
		text_str(out, "array index ");
		put_types(&s);
		break;
	case CHANGE_TYPE:
	case CHANGE_ANOTHER:
		put_types(&s);
		break;
	case CHANGE_SIZE:
		put_size(&s);
		break;
	case CHANGE_DATA:
		put_data(&s);
		break;
	case CHANGE_FLAG:
		put_flag(&s);
		break;
	case CHANGE_TAGS:
		print_tags(&s, x->at_b, x->at_a, words->is_new);
		print_tags(&s, x->at_a, x->at_b, words->is_gone);
		break;
	case CHANGE_SITES:
		put_sites(&s, &d->sites);
		break;
	case CHANGE_ORDER:
		put_order(&s);
		break;
	case CHANGE_OTHER:
	case NR_CHANGE_SORTS:
		put_other(&s);
		break;
	}
}
