/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/shuffled.h"

#include "tests/lib/btfbuild.h"

static uint32_t shuffled_string(struct shuffled *s, const char *text)
{
	uint32_t at = (uint32_t)s->text.nr;
	size_t len = strlen(text) + 1;

	vec_reserve(&s->text, len);
	memcpy(s->text.items + at, text, len);
	s->text.nr += len;
	return at;
}

/* The new offset of the string at @off of @from. @known: those that have one, by old offset. */
static uint32_t shuffled_name(struct shuffled *s, const struct btf_view *from, uint32_t off,
			      uint32_t *known, struct rnd *r)
{
	const char *text = (const char *)from->strings.ptr + off;

	if (!*text)
		return 0;
	if (!known[off] || rnd_one_in(r, 30)) {
		if (rnd_one_in(r, 20))
			shuffled_string(s, "unused");
		if (rnd_one_in(r, 20)) { /* the end of another one */
			shuffled_string(s, "end_of_");
			s->text.nr--;
		}
		known[off] = shuffled_string(s, text);
	}
	return known[off];
}

void shuffle(const struct btf_view *from, uint64_t seed, struct shuffled *ret)
{
	const struct btf_types *t = &from->types;
	uint32_t end = btf_types_end(t);
	uint32_t *order = mem_zalloc(end, sizeof(*order));
	uint32_t *known = mem_zalloc(from->strings.len, sizeof(*known));
	struct rnd r = rnd_part(seed, 1);

	*ret = (struct shuffled){ .ids = mem_zalloc(end, sizeof(uint32_t)) };
	for (uint32_t id = 1; id < end; id++) {
		uint32_t other = 1 + rnd_below(&r, id);

		order[id] = order[other];
		order[other] = id;
	}
	for (uint32_t i = 1; i < end; i++)
		ret->ids[order[i]] = i;
	shuffled_string(ret, "");
	btf_types_init(&ret->view.types, NULL);
	for (uint32_t i = 1; i < end; i++) {
		uint32_t *copy = copy_type(&ret->view.types, t, order[i]);

		btf_rec_each_name(copy, name) *name = shuffled_name(ret, from, *name, known, &r);
		btf_rec_each_type(copy, type) *type = ret->ids[*type];
	}
	ret->view.strings = (struct bytes){ (const uint8_t *)ret->text.items, ret->text.nr };
	free(order);
	free(known);
}
