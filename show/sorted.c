/* SPDX-License-Identifier: GPL-2.0-only */
/* sorted.c - see sorted.h */
#include "show/sorted.h"

#include "show/print_internal.h"

#include <stdlib.h>

void sorted_add(struct sorted *s, struct show_types *t, uint32_t id)
{
	vec_push(s, ((struct sorted_type){ t, id, (uint32_t)s->nr, s }));
}

void sorted_release(struct sorted *s)
{
	free(s->items);
	text_release(&s->names);
	*s = (struct sorted){ 0 };
}

static int by_number(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

/* Names can be long, overlap, and begin with the same bytes: these count as text that is compared. */
static int by_text(struct sorted *of, const char *a, const char *b)
{
	size_t i = 0;

	a = a ? a : "";
	b = b ? b : "";
	while (a != b && a[i] && a[i] == b[i])
		i++;
	of->names.written += i;
	return (unsigned char)a[i] - (unsigned char)b[i];
}

/* Do the limits allow another comparison of @s? If not, its types have the error. */
static bool may_compare(const struct sorted_type *s)
{
	struct printer p = { .types = s->types, .text = &s->of->names, .limits = &s->of->limits };

	s->of->limits.type = s->id;
	s->of->limits.type_start = text_pos(&s->of->names);
	return print_may_go_on(&p, 0);
}

/* Append the name of type @id, as it stands before a member, to @of->names. */
static void put_name(struct sorted *of, struct show_types *t, uint32_t id)
{
	const struct print_style style = { .cacheline = 1 };
	struct printer p = {
		.types = t,
		.text = &of->names,
		.style = &style,
		.limits = &of->limits,
	};

	print_name(&p, id);
	text_char(&of->names, '\0');
}

static int by_type(const struct sorted_type *a, uint32_t x, const struct sorted_type *b, uint32_t y)
{
	struct sorted *of = a->of;
	size_t second;
	int order;

	if (a->types == b->types && x == y)
		return 0;
	put_name(of, a->types, x);
	second = of->names.nr;
	put_name(of, b->types, y);
	order = strcmp(of->names.items, of->names.items + second);
	/* the limits count the text of all comparisons */
	of->names.written += of->names.nr;
	of->names.nr = 0;
	return order;
}

static int by_member(const struct sorted_type *a, const struct sorted_type *b, uint32_t i)
{
	struct types_member x = types_member(types_rec(a->types, a->id), i);
	struct types_member y = types_member(types_rec(b->types, b->id), i);
	int order = by_text(a->of, types_raw_str(a->types, x.name),
			    types_raw_str(b->types, y.name));

	if (!order)
		order = by_number(x.bit_offset, y.bit_offset);
	if (!order)
		order = by_number(x.bitfield_size, y.bitfield_size);
	return order ? order : by_type(a, x.type, b, y.type);
}

static int by_members(const struct sorted_type *a, const struct sorted_type *b)
{
	uint32_t nr = types_vlen(a->types, a->id), others = types_vlen(b->types, b->id);
	int order = 0;

	for (uint32_t i = 0; !order && i < nr && i < others && may_compare(a); i++)
		order = by_member(a, b, i);
	return order;
}

static int by_size(const struct sorted_type *a, const struct sorted_type *b)
{
	int order = by_number(types_rec(a->types, a->id)[BTF_REC_SIZE_TYPE],
			      types_rec(b->types, b->id)[BTF_REC_SIZE_TYPE]);

	return order ? order : by_number(types_vlen(a->types, a->id), types_vlen(b->types, b->id));
}

/* 0 if they are the same. */
static int compare(const struct sorted_type *a, const struct sorted_type *b)
{
	int order;

	if (!may_compare(a))
		return 0;
	order = by_text(a->of, types_raw_name(a->types, a->id), types_raw_name(b->types, b->id));
	if (!order)
		order = a->of->members_first ? by_members(a, b) : by_size(a, b);
	if (!order)
		order = a->of->members_first ? by_size(a, b) : by_members(a, b);
	return order ? order : types_is_union(a->types, a->id) - types_is_union(b->types, b->id);
}

static int by_all(const void *a, const void *b)
{
	const struct sorted_type *x = a, *y = b;
	int order = compare(x, y);

	return order ? order : by_number(x->at, y->at);
}

struct err *sorted_finish(struct sorted *s, size_t size)
{
	size_t kept = 0;

	s->limits = print_limits_for(size, &s->names);
	vec_sort(s, by_all);
	for (size_t i = 0; i < s->nr; i++) {
		if (!kept || compare(&s->items[kept - 1], &s->items[i]))
			s->items[kept++] = s->items[i];
	}
	for (size_t i = 0; i < s->nr; i++)
		TRY(types_failed(s->items[i].types));
	s->nr = kept;
	return NULL;
}
