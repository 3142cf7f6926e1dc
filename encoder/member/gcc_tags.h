/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc_tags.h - which tags mean an enum, and which a struct */
#ifndef BTFENC_ENCODER_MEMBER_GCC_TAGS_H
#define BTFENC_ENCODER_MEMBER_GCC_TAGS_H

#include "base/hash_table.h"
#include "btf/btf_view.h"

/*
 * Before version 14, gcc writes the same for "enum foo;" and "struct foo;", and only another
 * member, with a definition, knows which one it is. So these are the tags that all members of
 * a program define.
 *
 * There may be no definition at all: "enum x86_intercept_stage;" stays as it is in a kernel
 * without KVM. A pointer to a function that takes a struct of unknown size is of no use in any
 * unit, while gcc lets one take such an enum; so that is an enum if it is nowhere a struct.
 *
 * Borrows the strings of the views. Zeroed is empty.
 */
struct gcc_tags {
	struct name_ids names;
	struct {
		uint8_t *items;
		size_t nr, cap;
	} kinds; /* by number of the name - 1 */
};

/* Add the tags of @v, a member of gcc. In any order; not while others use @t. */
void gcc_tags_add(struct gcc_tags *t, const struct btf_view *v);
void gcc_tags_release(struct gcc_tags *t);

/* Is @name, declared as a struct, an enum? Any thread, once all are added. */
bool gcc_tags_say_enum(const struct gcc_tags *t, const char *name);

#endif
