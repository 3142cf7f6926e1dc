/* SPDX-License-Identifier: GPL-2.0-only */
/* btfview.h - a view of BTF that a test writes down, names included */
#ifndef BTFENC_TESTS_BTFVIEW_H
#define BTFENC_TESTS_BTFVIEW_H

#include "base/vec.h"
#include "btf/btf_view.h"
#include "tests/lib/btfbuild.h"

#include <stdlib.h>

/* Its records are in @view.types, where btfbuild.h adds them. */
struct test_view {
	struct btf_view view;
	struct {
		char *items;
		size_t nr, cap;
	} names;
};

static inline void test_view_init(struct test_view *v)
{
	*v = (struct test_view){ 0 };
	btf_types_init(&v->view.types, NULL);
	vec_push(&v->names, '\0');
}

static inline void test_view_release(struct test_view *v)
{
	btf_types_release(&v->view.types);
	free(v->names.items);
}

/* The string offset of @name. */
static inline uint32_t test_name(struct test_view *v, const char *name)
{
	uint32_t at = (uint32_t)v->names.nr;

	do
		vec_push(&v->names, *name);
	while (*name++);
	v->view.strings = (struct bytes){ (const uint8_t *)v->names.items, v->names.nr };
	v->view.size = v->names.nr + v->view.types.words.nr * sizeof(uint32_t);
	return at;
}

#endif
