/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kfuncs.c - functions that the kernel would offer to BPF programs
 *
 * They are listed in the section .BTF_ids as the kernel's macros BTF_KFUNCS_START() and
 * BTF_ID_FLAGS() do it: a set with its number of members and its flags, then for each member room
 * for an id, and flags of its own.
 */
#include "tests/gen/model.h"

enum { SET_KFUNCS = 1, FASTCALL = 1 << 12, ARENA_RET = 1 << 13, ARENA_FIRST = 1 << 14 };

/* What stands for memory of an arena must be a pointer, and nothing else. */
static bool plain_pointer(const struct type *t)
{
	return t->kind == TYPE_POINTER && !t->quals;
}

static unsigned member_flags(const struct func *f, struct rnd *r)
{
	unsigned flags = 0;

	if (rnd_one_in(r, 3))
		flags |= FASTCALL;
	/* compilers leave the parameters of the others out */
	if (f->kind != FUNC_GLOBAL || f->other)
		return flags;
	if (rnd_one_in(r, 2) && plain_pointer(f->type->to))
		flags |= ARENA_RET;
	if (rnd_one_in(r, 2) && f->type->nr_params && plain_pointer(f->type->params[0]))
		flags |= ARENA_FIRST;
	return flags;
}

static void print_object(FILE *out, const char *name)
{
	fprintf(out, "\t\".type %s,%%object\\n.local %s\\n%s:\\n\"\n", name, name, name);
}

static void print_member(struct prog *p, const struct func *f, unsigned flags, unsigned number,
			 FILE *out)
{
	const char *name = text(p, "__BTF_ID__func__%s__%u", f->name, number);

	print_object(out, name);
	fprintf(out, "\t\".long 0\\n.size %s, 4\\n.long %u\\n\"\n", name, flags);
}

void print_kfuncs(struct prog *p, FILE *out)
{
	struct rnd r = rnd_part(p->seed, 5);
	unsigned sets = rnd_below(&r, 3);

	if (!rnd_one_in(&r, 4))
		return;
	fprintf(out, "__asm__(\".pushsection .BTF_ids,\\\"a\\\"\\n\"\n");
	for (unsigned i = 0; i <= sets; i++) {
		const char *name = text(p, "__BTF_ID__set8__set%u", i);
		unsigned kfuncs = !rnd_one_in(&r, 4);

		print_object(out, name);
		fprintf(out, "\t\".long 0\\n.long %u\\n\"\n", kfuncs * SET_KFUNCS);
		for (unsigned k = 0; k < p->nr_funcs; k++) {
			const struct func *f = &p->funcs[k];

			if (rnd_one_in(&r, 3) && f->kind != FUNC_ALIAS)
				print_member(p, f, member_flags(f, &r), i * MAX_FUNCS + k, out);
		}
		fprintf(out, "\t\".size %s, .-%s\\n\"\n", name, name);
	}
	fprintf(out, "\t\".popsection\\n\");\n");
}
