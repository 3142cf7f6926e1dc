/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc_tags.h - which tags mean an enum, and which a struct */
#ifndef BTFENC_ENCODER_GCC_TAGS_H
#define BTFENC_ENCODER_GCC_TAGS_H

#include "dedup/btf_view.h"

/*
 * Before version 14, gcc writes the same for "enum foo;" and "struct foo;", and only another
 * member, with a definition, knows which one it is. So these are the tags that all members of
 * a program define. Borrows the strings of the views. Zeroed is empty.
 */
struct gcc_tags {
	struct gcc_tag *slots;
	size_t nr, cap;
};

/* Add the tags that @v defines. In any order; not while others use @t. */
void gcc_tags_add(struct gcc_tags *t, const struct btf_view *v);
void gcc_tags_release(struct gcc_tags *t);

/* Is @name an enum, and nowhere a struct? Any thread, once all are added. */
bool gcc_tags_say_enum(const struct gcc_tags *t, const char *name);

#endif
