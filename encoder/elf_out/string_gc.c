/* SPDX-License-Identifier: GPL-2.0-only */
/* string_gc.c - see string_gc.h */
#include "encoder/elf_out/string_gc.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

void string_gc_init(struct string_gc *s, char *text, size_t len)
{
	*s = (struct string_gc){ text, len, mem_zalloc(len, sizeof(s->to[0])) };
}

void string_gc_release(struct string_gc *s)
{
	free(s->to);
}

struct err *string_gc_use(struct string_gc *s, uint64_t at)
{
	if (at >= s->len)
		return err_new(ERR_FORMAT, "a name is at %#" PRIx64 " of %#zx bytes of names", at,
			       s->len);
	/* what is marked is marked up to its end */
	for (; at < s->len && !s->to[at]; at++) {
		s->to[at] = 1;
		if (!s->text[at])
			break;
	}
	return NULL;
}

void string_gc_close(struct string_gc *s)
{
	size_t len = 0;

	for (size_t i = 0; i < s->len; i++) {
		if (!s->to[i])
			continue;
		s->to[i] = (uint32_t)len;
		s->text[len++] = s->text[i];
	}
	s->len = len;
}
