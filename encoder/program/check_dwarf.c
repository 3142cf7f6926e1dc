/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check_dwarf.c - find the units of a linked file or a module that have DWARF, but no BTF in its archive
 *
 * Some objects were not encoded: a library, an assembler file, a rule of the build that does not call btfenc. If the
 * objects keep their DWARF, it lists all units; otherwise it has only those that were not encoded. In both cases a
 * unit without a member of its name was left out. Only the DIE of each unit is read, and all of the units without a
 * member, because a unit that describes nothing has no member.
 */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "loader/dwarf/dw_read_cu.h"

#include <string.h>

/* The DWARF of the linked file, and the names of the members. */
struct left_out {
	struct str_pool strings; /* the names of members have the ids below @names_end */
	uint32_t names_end;
	struct dw_file dwarf;
	struct dw_reader *reader;
	struct cu cu;
};

static void left_out_release(struct left_out *b)
{
	dw_reader_free(b->reader);
	cu_release(&b->cu);
	dw_file_close(&b->dwarf);
	str_pool_release(&b->strings);
}

/* Add the names of the units of all members. False if one is unknown. */
static bool add_names(struct left_out *b, const struct program *p, const struct input *in)
{
	for (size_t i = 0; i < input_nr_units(in); i++) {
		const struct unit_btf *u = &p->units.items[in->first_unit + i].btf;
		const char *name = str_pool_text(&p->strings, u->name);

		if (!origin_has_facts(&u->origin) || !u->name)
			return false;
		uint32_t id = str_pool_add(&b->strings, name, strlen(name));
		if (id >= b->names_end)
			b->names_end = id + 1;
	}
	return true;
}

/* *ret is the name of unit @i if it was left out, else NULL. */
static struct err *find_left_out(struct left_out *b, size_t i, const char **ret)
{
	const char *folder, *name;
	bool wanted;

	*ret = NULL;
	TRY(dw_read_unit_source(b->reader, i, &folder, &name));
	if (!name || str_pool_find(&b->strings, name, strlen(name)) < b->names_end)
		return NULL;
	TRY(dw_read_cu(b->reader, i, &b->cu, &wanted));
	if (wanted && (b->cu.types.nr > 1 || b->cu.funcs.nr))
		*ret = name;
	return NULL;
}

/* Append the names of the units that were left out to in->without_btf. */
static struct err *read_left_out(struct left_out *b, struct input *in, const struct encode_opts *o)
{
	const struct dw_open_opts open = { 0 };
	const struct dw_read_opts read = {
		.func_names_end = UINT32_MAX,
		.langs = o->langs,
		.nr_langs = o->nr_langs,
		.lang_only = o->lang_only,
		.exclude = o->exclude_units,
		.nr_exclude = o->nr_exclude_units,
	};
	CLEANUP(diag_release) struct diagnostics ignored = { 0 };
	const char *name;

	TRY(object_load_debug(&in->obj));
	TRY(dw_file_open(&in->obj, &b->strings, &open, &ignored, &b->dwarf));
	/* the members count as one unit, too */
	if (b->dwarf.merged)
		return NULL;
	b->reader = dw_reader_new(&b->dwarf, &read);
	for (size_t i = 0; i < b->dwarf.units.nr; i++) {
		TRY(find_left_out(b, i, &name));
		object_forget_info(&in->obj, b->dwarf.units.items[i].start,
				   b->dwarf.units.items[i].end);
		if (name)
			vec_push(&in->without_btf, arena_strndup(&in->names, name, strlen(name)));
	}
	return NULL;
}

/* Warn of @nr units or files, from @first on, that were found in @where. */
static void warn(const struct input *in, size_t first, size_t nr, const char *what,
		 const char *where, const char *advice, struct diagnostics *diags)
{
	if (nr)
		diag_add(
			diags, DIAG_WARNING,
			"'%s': %zu %s%s of its %s %s no BTF and %s left out, the first is '%s'; %s",
			in->path, nr, what, nr > 1 ? "s" : "", where, nr > 1 ? "have" : "has",
			nr > 1 ? "are" : "is", in->without_btf.items[first], advice);
}

void check_dwarf(struct program *p)
{
	struct input *in = &p->inputs[0];
	CLEANUP(left_out_release) struct left_out b = { .names_end = 0 };

	/* the command line may name some of the objects only; an object is encoded again after its link */
	if (p->reached || p->nr_inputs != 1 || !in->from_btf || p->request->gather ||
	    !in->facts_section || (in->obj.is_rel && !p->request->base))
		return;
	str_pool_init(&b.strings);
	if (!add_names(&b, p, in))
		return;
	/* the BTF does not depend on this DWARF, so damage is no error */
	err_free(read_left_out(&b, in, p->opts));
	size_t nr = in->without_btf.nr;
	find_source_files(in, &b.strings, p);
	warn(in, 0, nr, "unit", "DWARF", "encode their objects, too", p->diags);
	warn(in, nr, in->without_btf.nr - nr, "source file", "symbol table",
	     "compile with -g and encode their objects, too", p->diags);
	if (in->without_btf.nr)
		report_without_btf(p);
}
