/* SPDX-License-Identifier: GPL-2.0-only */
/* sites.h - --inline_sites: as text, as JSON, and as a program for bpftrace */
#ifndef BTFENC_CMD_PRINT_SITES_H
#define BTFENC_CMD_PRINT_SITES_H

#include "loader/elf/kprobe_places.h"
#include "show/inline_sites.h"

/* A file and its sites. Borrows. */
struct sites_view {
	const struct btf_view *btf;
	const struct object *obj; /* NULL: only BTF, without names of registers and symbols */
	const struct addr_symbols *symbols; /* of @obj; empty without */
	uint64_t base;                      /* what address constants are relative to ... */
	const char *base_name;              /* ... and its name; NULL: print addresses */
	const char *path;
	char **types; /* by id, their text once it was needed; owned by the caller */
};

static inline uint16_t sites_machine(const struct sites_view *f)
{
	return f->obj ? f->obj->machine : 0;
}

static inline const char *sites_func_name(const struct sites_view *f, const struct inline_site *s)
{
	return inline_name(f->btf, btf_types_rec(&f->btf->types, s->func)[BTF_REC_NAME]);
}

/* The symbol around @s, NULL if there is none. */
const struct addr_symbol *sites_around(const struct sites_view *f, const struct inline_site *s);
/* Append "vfs_read+0x45", or ".text+0x1045" if @around is NULL. */
void sites_put_position(struct text *out, const struct inline_site *s,
			const struct addr_symbol *around);
/* Append the place of @p, as in "rdi", "*(int *)(rsp + 8)", "-1". */
void sites_put_place(struct text *out, const struct sites_view *f, const struct inline_param *p);
/* The type @id as text, printable. */
const char *sites_type(const struct sites_view *f, uint32_t id);

/* A line for @s. */
void sites_print(struct text *out, const struct sites_view *f, const struct inline_site *s);
/* A line of JSON for @s. */
void json_site(struct text *out, const struct sites_view *f, const struct inline_site *s);

/*
 * A program that prints the parameters of the @nr sites @s, which are of one function, as comments those where no kprobe
 * can be, and why. @module: NULL for vmlinux. Returns the number of probes.
 */
size_t sites_bpftrace(struct text *out, const struct sites_view *f, const struct inline_site *s,
		      size_t nr, const struct kprobe_places *places, const char *module);

#endif
