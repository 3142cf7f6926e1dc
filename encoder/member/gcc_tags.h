/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc_tags.h - which declared tags are enums and which are structs */
#ifndef BTFENC_ENCODER_MEMBER_GCC_TAGS_H
#define BTFENC_ENCODER_MEMBER_GCC_TAGS_H

#include "base/hash_table.h"
#include "btf/btf_view.h"

/*
 * Before version 14, gcc writes the same record for "enum foo;" and "struct foo;". Only the
 * definition in another member shows which one is meant. So this table has the tags that all members define.
 *
 * Some tags have no definition, for example "enum x86_intercept_stage;" in a kernel without KVM.
 * Gcc accepts a pointer to a function that takes such an enum by value, while one that takes a
 * struct of unknown size is useless. So such a tag is an enum unless a member defines it as a struct.
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

/* Add the tags of @v, a member of gcc, in any order. No other thread may use @t. */
void gcc_tags_add(struct gcc_tags *t, const struct btf_view *v);
void gcc_tags_release(struct gcc_tags *t);

/* Is @name, which is declared as a struct, an enum? Threads may share @t once all are added. */
bool gcc_tags_say_enum(const struct gcc_tags *t, const char *name);

#endif
