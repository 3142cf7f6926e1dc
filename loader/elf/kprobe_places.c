/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kprobe_places.c - see kprobe_places.h
 *
 * The rules are those of register_kprobe() and of the kprobe events of perf in Linux 6.12 (kernel/kprobes.c,
 * kernel/trace/trace_kprobe.c): not in code that is freed after the boot, in a region or function that is excluded, at
 * an instruction that the kernel itself replaces, or in a function that ftrace cannot trace (unless
 * CONFIG_KPROBE_EVENTS_ON_NOTRACE is set, which no file shows). bpftrace 0.27 has more: it excludes some names, and accepts
 * only symbols that ftrace lists, so no parts such as "foo.cold". It runs no probe of a program if one is refused.
 *
 * vmlinux marks its tables with symbols, and a module has a section for each. In a module, the addresses are in
 * relocations: if they are relative to the entry, the sum of symbol and addend is the address all the same.
 */
#include "loader/elf/kprobe_places.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "loader/elf/image.h"
#include "loader/elf/reloc.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

const char *const kprobe_refusals[NR_KPROBE_REFUSALS] = {
	[KPROBE_NO_SYMBOL] = "no symbol is around it",
	[KPROBE_AMBIGUOUS] = "several symbols have the name of its function",
	[KPROBE_ODD_NAME] = "bpftrace does not accept the name of its function",
	[KPROBE_INIT] = "its code is freed after initialization",
	[KPROBE_NOINSTR] = "its code is noinstr",
	[KPROBE_NOKPROBE] = "its function is excluded from kprobes",
	[KPROBE_ENTRY] = "its code enters the kernel",
	[KPROBE_JUMP_LABEL] = "the kernel patches this instruction (static key)",
	[KPROBE_STATIC_CALL] = "the kernel patches this instruction (static call)",
	[KPROBE_BUG] = "this instruction is that of BUG() or WARN()",
	[KPROBE_NOTRACE] = "ftrace cannot trace its function",
};

/* -fpatchable-function-entry can put the call of ftrace in front of the function; on x86 the kernel does not. */
enum { PREFIX_MAX = 16 };

/* A table of addresses: between two symbols of vmlinux, or in a section of modules. */
struct table {
	const char *section, *start, *stop;
	uint8_t strides[3]; /* bytes of an entry: the first that fits */
	bool relative;      /* to the entry, 32 bits; else a whole address */
	enum kprobe_refusal why;
};

static const struct table tables[] = {
	{ "__jump_table",
	  "__start___jump_table",
	  "__stop___jump_table",
	  { 16 },
	  true,
	  KPROBE_JUMP_LABEL },
	{ ".static_call_sites",
	  "__start_static_call_sites",
	  "__stop_static_call_sites",
	  { 8 },
	  true,
	  KPROBE_STATIC_CALL },
	/* with line and file, without them, and with a format */
	{ "__bug_table",
	  "__start___bug_table",
	  "__stop___bug_table",
	  { 12, 16, 8 },
	  true,
	  KPROBE_BUG },
	{ "_kprobe_blacklist",
	  "__start_kprobe_blacklist",
	  "__stop_kprobe_blacklist",
	  { 0 },
	  false,
	  KPROBE_NOKPROBE },
	{ "__mcount_loc", "__start_mcount_loc", "__stop_mcount_loc", { 0 }, false, KPROBE_NOTRACE },
	{ "__patchable_function_entries", "", "", { 0 }, false, KPROBE_NOTRACE },
};

static const struct {
	const char *start, *stop;
	enum kprobe_refusal why;
} areas[] = {
	{ "__init_begin", "__init_end", KPROBE_INIT },
	{ "__noinstr_text_start", "__noinstr_text_end", KPROBE_NOINSTR },
	{ "__kprobes_text_start", "__kprobes_text_end", KPROBE_NOKPROBE },
	{ "__entry_text_start", "__entry_text_end", KPROBE_ENTRY },
};

/* Of a module, whose sections keep their names. */
static const struct {
	const char *name;
	enum kprobe_refusal why;
} sections[] = {
	{ ".init.text", KPROBE_INIT },
	{ ".noinstr.text", KPROBE_NOINSTR },
	{ ".kprobes.text", KPROBE_NOKPROBE },
};

static const struct symbol *find_symbol(const struct symbols *syms, const char *name)
{
	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *s = &syms->all[i];

		if (s->section && !strcmp(s->name, name))
			return s;
	}
	return NULL;
}

/* --- files ----------------------------------------------------------------------------- */

enum kernel_file kernel_file(const struct object *o, const struct symbols *syms)
{
	if (o->is_rel)
		return object_section(o, ".modinfo") ? KERNEL_MODULE : KERNEL_NONE;
	return find_symbol(syms, "_text") && find_symbol(syms, "__init_begin") ? KERNEL_IMAGE :
										 KERNEL_NONE;
}

char *kernel_module_name(const struct object *o, const char *path)
{
	const struct object_section *info = object_section(o, ".modinfo");
	const char *name = strrchr(path, '/');
	struct bytes b = info ? info->data : (struct bytes){ 0 };
	char *copy;

	/* strings, each ended by a zero */
	for (size_t pos = 0, len; pos < b.len; pos += len + 1) {
		const char *s = (const char *)b.ptr + pos;

		len = strnlen(s, b.len - pos);
		if (len > 5 && !memcmp(s, "name=", 5))
			return mem_printf("%.*s", (int)(len - 5), s + 5);
	}
	name = name ? name + 1 : path;
	copy = mem_printf("%.*s", (int)strcspn(name, "."), name);
	for (char *p = copy; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return copy;
}

/* --- tables ---------------------------------------------------------------------------- */

static const struct object_section *section_at(const struct object *o, uint64_t addr)
{
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->flags & SHF_ALLOC && addr - s->debug_addr < s->size)
			return s;
	}
	return NULL;
}

static bool is_code(const struct object *o, uint64_t addr)
{
	const struct object_section *s = section_at(o, addr);

	return s && s->flags & SHF_EXECINSTR;
}

static void drop(struct code_addrs *a)
{
	free(a->items);
	*a = (struct code_addrs){ 0 };
}

/* The addresses of the entries of @b, which is at @addr. Entries may be unused. */
static bool read_linked(const struct object *o, const struct table *t, size_t stride,
			struct bytes b, uint64_t addr, struct code_addrs *ret)
{
	if (b.len % stride)
		return false;
	for (size_t pos = 0; pos < b.len; pos += stride) {
		uint64_t value = field_get(b.ptr + pos, t->relative ? 4 : stride, o->swap);

		if (t->relative)
			value = addr + pos + (uint64_t)(int64_t)(int32_t)value;
		if (t->relative && !is_code(o, value))
			return false;
		if (value)
			vec_push(ret, value);
	}
	return true;
}

/* The same for relocations @e of a table in a relocatable file. */
static bool read_relocs(const struct object *o, const struct symbols *syms, size_t stride,
			const struct reloc_entries *e, struct code_addrs *ret)
{
	for (const struct reloc_entry *r = e->items; r < e->items + e->nr; r++) {
		const struct symbol *s;
		uint64_t addr;

		if (r->offset % stride)
			continue;
		/* the symbols lack the first one of the table */
		if (!r->symbol || r->symbol > syms->nr_all)
			return false;
		s = &syms->all[r->symbol - 1];
		if (!s->section || s->section >= o->nr_sections)
			return false;
		addr = o->sections[s->section].debug_addr + s->value + r->addend;
		if (!is_code(o, addr))
			return false;
		vec_push(ret, addr);
	}
	return true;
}

static bool read_section(const struct object *o, const struct symbols *syms, size_t index,
			 size_t stride, struct code_addrs *ret)
{
	for (size_t i = 1; i < o->nr_sections; i++) {
		struct reloc_entries e = { 0 };
		bool fits;

		if (o->sections[i].type != SHT_RELA || o->sections[i].info != index)
			continue;
		struct err *bad = reloc_read(o, i, &e);
		fits = !bad && read_relocs(o, syms, stride, &e, ret);
		err_free(bad);
		reloc_entries_release(&e);
		if (!fits)
			return false;
	}
	return true;
}

static bool read_module(const struct object *o, const struct symbols *syms, const struct table *t,
			size_t stride, struct code_addrs *ret)
{
	for (size_t i = 1; i < o->nr_sections; i++) {
		if (!strcmp(o->sections[i].name, t->section) &&
		    !read_section(o, syms, i, stride, ret))
			return false;
	}
	return true;
}

static bool read_image(const struct object *o, const struct symbols *syms, const struct table *t,
		       size_t stride, struct code_addrs *ret)
{
	const struct symbol *start = find_symbol(syms, t->start);
	const struct symbol *stop = find_symbol(syms, t->stop);
	const struct object_section *s;

	if (!start || !stop || stop->value < start->value)
		return false;
	s = section_at(o, start->value);
	if (!s || !bytes_have(s->data, start->value - s->addr, stop->value - start->value))
		return false;
	const struct bytes b = { s->data.ptr + (start->value - s->addr),
				 stop->value - start->value };
	return read_linked(o, t, stride, b, start->value, ret);
}

static void read_table(const struct object *o, const struct symbols *syms, const struct table *t,
		       struct code_addrs *ret)
{
	/* the entries of 32-bit machines differ */
	if (t->relative && o->addr_size != 8)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(t->strides) && (!i || t->strides[i]); i++) {
		size_t stride = t->strides[i] ? t->strides[i] : o->addr_size;
		struct code_addrs found = { 0 };

		if ((o->is_rel ? read_module : read_image)(o, syms, t, stride, &found)) {
			vec_append(ret, found.items, found.nr);
			drop(&found);
			return;
		}
		drop(&found);
	}
}

/* --- places ---------------------------------------------------------------------------- */

void kprobe_places_make(const struct object *o, const struct symbols *syms,
			struct kprobe_places *ret)
{
	ret->o = o;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct code_addrs *to = tables[i].why == KPROBE_NOKPROBE ?
						&ret->excluded :
					tables[i].why == KPROBE_NOTRACE ?
						&ret->traced :
						&ret->changed[tables[i].why];

		read_table(o, syms, &tables[i], to);
		vec_sort(to, by_uint64);
	}
	for (size_t i = 0; !o->is_rel && i < ARRAY_SIZE(areas); i++) {
		const struct symbol *start = find_symbol(syms, areas[i].start);
		const struct symbol *stop = find_symbol(syms, areas[i].stop);

		if (start && stop)
			vec_push(&ret->areas,
				 ((struct code_area){ start->value, stop->value, areas[i].why }));
	}
	for (size_t i = 1; o->is_rel && i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		for (size_t k = 0; k < ARRAY_SIZE(sections); k++) {
			if (!strcmp(s->name, sections[k].name))
				vec_push(&ret->areas, ((struct code_area){ s->debug_addr,
									   s->debug_addr + s->size,
									   sections[k].why }));
		}
	}
}

void kprobe_places_release(struct kprobe_places *p)
{
	for (size_t i = 0; i < NR_KPROBE_REFUSALS; i++)
		drop(&p->changed[i]);
	drop(&p->traced);
	drop(&p->excluded);
	free(p->areas.items);
	*p = (struct kprobe_places){ 0 };
}

/* Has @a an address from @start on, and before @end? */
static bool have(const struct code_addrs *a, uint64_t start, uint64_t end)
{
	size_t at = LOWER_BOUND(0, a->nr, i, a->items[i] < start);

	return at < a->nr && a->items[at] < end;
}

static uint64_t addr_of(const struct kprobe_places *p, uint32_t section, uint64_t offset)
{
	return p->o->sections[section].debug_addr + offset;
}

static bool is_traced(const struct kprobe_places *p, const struct addr_symbol *s)
{
	uint64_t addr = addr_of(p, s->section, s->offset);
	bool is_x86 = p->o->machine == EM_X86_64 || p->o->machine == EM_386;

	return have(&p->traced, addr - (is_x86 ? 0 : PREFIX_MAX), addr + s->size);
}

/* bpftrace excludes some functions by their names. */
static bool name_is_accepted(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

	return !name[strspn(name, letters)] && !strstr(name, ".part.") &&
	       !starts_with(name, "rcu_") && strcmp(name, "default_idle") != 0;
}

enum kprobe_refusal kprobe_places_check(const struct kprobe_places *p, uint32_t section,
					uint64_t offset, const struct addr_symbol *around)
{
	uint64_t addr, start;

	if (!around)
		return KPROBE_NO_SYMBOL;
	addr = addr_of(p, section, offset);
	start = addr_of(p, section, around->offset);
	for (size_t i = 0; i < p->areas.nr; i++) {
		if (addr >= p->areas.items[i].start && addr < p->areas.items[i].end)
			return p->areas.items[i].why;
	}
	if (have(&p->excluded, start, start + 1))
		return KPROBE_NOKPROBE;
	for (enum kprobe_refusal why = 0; why < NR_KPROBE_REFUSALS; why++) {
		if (have(&p->changed[why], addr, addr + 1))
			return why;
	}
	if (p->traced.nr && !is_traced(p, around))
		return KPROBE_NOTRACE;
	if (around->nr_named > 1)
		return KPROBE_AMBIGUOUS;
	return name_is_accepted(around->name) ? KPROBE_FITS : KPROBE_ODD_NAME;
}
