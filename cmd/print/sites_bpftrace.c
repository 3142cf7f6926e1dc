/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sites_bpftrace.c - see sites.h
 *
 *	kprobe:vfs_read+0x45
 *	{
 *		printf("%s(%d) vfs_read+0x45: fdget(fd=%u)\n", comm, pid, (uint32)reg("di"));
 *	}
 *
 * The language is that of bpftrace 0.17, except that 0.20 is the first one with the name of a module in a kprobe.
 * Registers are those of struct pt_regs, so there is no frame base, and no vector register.
 */
#include "base/cleanup.h"
#include "cmd/print/print_line.h"
#include "cmd/print/sites.h"
#include "loader/elf/reg_names.h"

#include <inttypes.h>

/* By default, bpftrace before 0.21 attaches at most so many. */
enum { PROBES_MAX = 512 };

/* A call of printf(): its format, and the arguments with a comma before each. */
struct call {
	struct text format, args;
};

static void call_release(struct call *c)
{
	text_release(&c->format);
	text_release(&c->args);
}

/* The value of a parameter in bpftrace. */
struct value_type {
	const char *cast, *format;
};

static bool is_signed(const uint32_t *rec)
{
	if (btf_kind_is_enum(btf_rec_kind(rec)))
		return btf_rec_kflag(rec);
	return rec[BTF_REC_WORDS] >> 24 & BTF_ENC_SIGNED;
}

/* False if bpftrace has no number for @p, whose place is @place. */
static bool find_type(const struct sites_view *f, const struct inline_param *p, uint32_t size,
		      struct value_type *ret)
{
	static const struct value_type types[][3] = {
		[1] = { { "uint8", "%u" }, { "int8", "%d" }, { "uint8", "0x%x" } },
		[2] = { { "uint16", "%u" }, { "int16", "%d" }, { "uint16", "0x%x" } },
		[4] = { { "uint32", "%u" }, { "int32", "%d" }, { "uint32", "0x%x" } },
		[8] = { { "uint64", "%lu" }, { "int64", "%ld" }, { "uint64", "0x%lx" } },
	};
	enum { UNSIGNED, SIGNED, HEX } form = HEX;
	uint32_t id = inline_plain_type(f->btf, p->type);
	const uint32_t *rec = id ? btf_types_rec(&f->btf->types, id) : NULL;
	enum btf_ctype c = rec ? btf_ctype(btf_rec_kind(rec)) : BTF_C_VOID;

	if (size >= ARRAY_SIZE(types) || !types[size][0].cast || c == BTF_C_FLOAT)
		return false;
	if (c == BTF_C_INT || c == BTF_C_ENUM)
		form = is_signed(rec) ? SIGNED : UNSIGNED;
	*ret = types[size][form];
	return true;
}

static bool put_sum(struct text *out, const struct sites_view *f, const struct inline_place *p)
{
	CLEANUP(text_release) struct text reg = { 0 };

	if (!reg_name_bpftrace(&reg, sites_machine(f), p->regs[0]))
		return false;
	text_printf(out, "%sreg(\"%s\")", p->offset ? "(" : "", text_string(&reg));
	if (p->offset)
		text_printf(out, " %c %" PRIu64 ")", p->offset < 0 ? '-' : '+',
			    p->offset < 0 ? -(uint64_t)p->offset : (uint64_t)p->offset);
	return true;
}

/* Append the value of @p in registers or memory; false if bpftrace cannot read it. */
static bool add_read(struct call *c, const struct sites_view *f, const struct inline_param *p,
		     const struct inline_place *place)
{
	CLEANUP(text_release) struct text sum = { 0 };
	struct value_type type;

	if (place->nr_regs != 1 || !find_type(f, p, place->size, &type) || !put_sum(&sum, f, place))
		return false;
	text_str(&c->format, type.format);
	text_printf(&c->args, ", %s(%s%s)%s", place->flags & BTF_LOC_DEREF ? "*" : "", type.cast,
		    place->flags & BTF_LOC_DEREF ? " *" : "", text_string(&sum));
	return true;
}

/* Two registers: both numbers. */
static bool add_pair(struct call *c, const struct sites_view *f, const struct inline_place *place)
{
	CLEANUP(text_release) struct text first = { 0 };
	CLEANUP(text_release) struct text second = { 0 };

	if (place->nr_regs != 2 || !reg_name_bpftrace(&first, sites_machine(f), place->regs[0]) ||
	    !reg_name_bpftrace(&second, sites_machine(f), place->regs[1]))
		return false;
	text_str(&c->format, "0x%lx:0x%lx");
	text_printf(&c->args, ", reg(\"%s\"), reg(\"%s\")", text_string(&first),
		    text_string(&second));
	return true;
}

static void add_param(struct call *c, const struct sites_view *f, const struct inline_param *p)
{
	struct inline_place place = { 0 };

	if (!p->type && !*p->name) {
		text_str(&c->format, "...");
		return;
	}
	if (*p->name) {
		text_c_name(&c->format, p->name);
		text_char(&c->format, '=');
	}
	if (p->place)
		place = inline_place(p->place);
	if (place.flags & BTF_LOC_ADDR && f->base_name) {
		text_str(&c->format, "0x%lx");
		text_printf(&c->args, ", kaddr(\"%s\") + %" PRIu64, f->base_name, place.value);
	} else if (place.flags & BTF_LOC_CONST && !(place.flags & BTF_LOC_ADDR)) {
		sites_put_place(&c->format, f, p);
	} else if (!p->place || (!add_read(c, f, p, &place) && !add_pair(c, f, &place))) {
		text_str(&c->format, "unavailable");
	}
}

static void put_probe(struct text *out, const struct sites_view *f, const struct inline_site *s,
		      const struct addr_symbol *around, const char *module)
{
	CLEANUP(call_release) struct call c = { 0 };
	uint32_t nr = inline_nr_params(f->btf, s);

	text_str(out, "kprobe:");
	if (module)
		text_printf(out, "%s:", module);
	sites_put_position(out, s, around);
	text_str(out, "\n{\n\tprintf(\"%s(%d) ");
	sites_put_position(out, s, around);
	text_str(out, ": ");
	text_c_name(out, sites_func_name(f, s));
	for (uint32_t i = 0; i < nr; i++) {
		const struct inline_param p = inline_param(f->btf, s, i);

		text_str(&c.format, i ? ", " : "");
		add_param(&c, f, &p);
	}
	text_printf(out, "(%s)\\n\", comm, pid%s);\n}\n\n", text_string(&c.format),
		    text_string(&c.args));
}

static void put_refused(struct text *out, const struct inline_site *s,
			const struct addr_symbol *around, enum kprobe_refusal why)
{
	text_str(out, "// not at ");
	sites_put_position(out, s, around);
	text_printf(out, ": %s\n", kprobe_refusals[why]);
}

/* The comment at the start. */
static void put_head(struct text *out, const struct sites_view *f, const struct inline_site *s,
		     size_t nr, size_t nr_probes)
{
	text_str(out, "// inlined code of ");
	text_escape_name(out, sites_func_name(f, s));
	text_str(out, "() in ");
	text_escape_name(out, f->path);
	text_printf(out, ": %zu of %zu sites can have a probe\n", nr_probes, nr);
	if (nr_probes > PROBES_MAX)
		text_printf(
			out,
			"// run it with BPFTRACE_MAX_PROBES=%zu BPFTRACE_MAX_BPF_PROGS=%zu in the "
			"environment\n",
			nr_probes, nr_probes);
	text_char(out, '\n');
}

size_t sites_bpftrace(struct text *out, const struct sites_view *f, const struct inline_site *s,
		      size_t nr, const struct kprobe_places *places, const char *module)
{
	CLEANUP(text_release) struct text probes = { 0 };
	CLEANUP(text_release) struct text refused = { 0 };
	size_t nr_probes = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct addr_symbol *around = sites_around(f, &s[i]);
		enum kprobe_refusal why = kprobe_places_check(places, s[i].section, s[i].offset,
							      around);

		if (why) {
			put_refused(&refused, &s[i], around, why);
		} else {
			put_probe(&probes, f, &s[i], around, module);
			nr_probes++;
		}
	}
	put_head(out, f, s, nr, nr_probes);
	text_mem(out, probes.items, probes.nr);
	text_mem(out, refused.items, refused.nr);
	return nr_probes;
}
