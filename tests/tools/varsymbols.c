/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * varsymbols.c - list the variables of an ELF file that have a symbol and debug information
 *
 *	gcc varsymbols.c -ldw -lelf -o varsymbols && ./varsymbols FILE
 *
 * There is a line for each symbol of type OBJECT with a size in a section that is loaded: its name, section, offset
 * there, size, and the DIEs that have a location at this address, all separated by tabs. A DIE is written as
 * SCOPE:LANGUAGE:NAME:UNIT. SCOPE is "unit", "artificial" or "function". It reads DWARF by libdw and shares no code
 * with btfenc.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct die {
	Dwarf_Addr addr;
	char *text;
	size_t nr;
};

static struct die *dies;
static size_t nr_dies, cap_dies;

static void add_die(Dwarf_Addr addr, char *text)
{
	if (nr_dies == cap_dies) {
		cap_dies = 2 * cap_dies + 1024;
		dies = realloc(dies, cap_dies * sizeof(*dies));
		if (!dies)
			exit(2);
	}
	dies[nr_dies] = (struct die){ addr, text, nr_dies };
	nr_dies++;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));

	return name ? name : "";
}

static void variable(Dwarf_Die *die, const char *scope, Dwarf_Die *unit)
{
	Dwarf_Attribute attr, addr_attr;
	Dwarf_Addr addr;
	Dwarf_Op *ops;
	size_t nr;
	char *text;

	/* clang describes each string literal as a variable without a name */
	if (!*name_of(die) || !dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &nr) || !nr)
		return;
	addr = ops[0].number;
	if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) {
		if (dwarf_getlocation_attr(&attr, &ops[0], &addr_attr) ||
		    dwarf_formaddr(&addr_attr, &addr))
			return;
	} else if (ops[0].atom != DW_OP_addr) {
		return;
	}
	if (nr == 2 && ops[1].atom == DW_OP_plus_uconst)
		addr += ops[1].number;
	else if (nr != 1)
		return;
	if (!strcmp(scope, "unit") && dwarf_hasattr_integrate(die, DW_AT_artificial))
		scope = "artificial";
	if (asprintf(&text, "%s:%d:%s:%s", scope, dwarf_srclang(unit), name_of(die),
		     name_of(unit)) < 0)
		exit(2);
	add_die(addr, text);
}

static void walk(Dwarf_Die *parent, const char *scope, Dwarf_Die *unit)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			variable(&die, scope, unit);
			break;
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
			walk(&die, "function", unit);
			break;
		case DW_TAG_namespace:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			if (dwarf_srclang(unit) != DW_LANG_C11 &&
			    dwarf_srclang(unit) != DW_LANG_C99)
				walk(&die, "namespace", unit);
			break;
		}
	} while (!dwarf_siblingof(&die, &die));
}

static int by_addr(const void *a, const void *b)
{
	const struct die *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->nr > y->nr) - (x->nr < y->nr);
}

static void list(Dwfl_Module *module)
{
	int nr = dwfl_module_getsymtab(module);

	for (int i = 1; i < nr; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		GElf_Word index;
		Elf *elf;
		Dwarf_Addr bias;
		GElf_Shdr header;
		size_t names, low = 0, high = nr_dies;
		const char *name = dwfl_module_getsym_info(module, i, &sym, &addr, &index, &elf,
							   &bias);

		if (!name || GELF_ST_TYPE(sym.st_info) != STT_OBJECT || !sym.st_size)
			continue;
		Elf_Scn *section = elf_getscn(elf, index);
		if (!section || !gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    elf_getshdrstrndx(elf, &names))
			continue;
		/* the section of a relocatable file got an address, too */
		printf("%s\t%s\t%llu\t%llu", name, elf_strptr(elf, names, header.sh_name),
		       (unsigned long long)(addr - bias - header.sh_addr),
		       (unsigned long long)sym.st_size);
		while (low < high) {
			size_t mid = (low + high) / 2;

			if (dies[mid].addr < addr)
				low = mid + 1;
			else
				high = mid;
		}
		for (; low < nr_dies && dies[low].addr == addr; low++)
			printf("\t%s", dies[low].text);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	static const Dwfl_Callbacks callbacks = {
		.section_address = dwfl_offline_section_address,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module = argc == 2 ? dwfl_report_offline(dwfl, "", argv[1], -1) : NULL;
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	if (!module || dwfl_report_end(dwfl, NULL, NULL)) {
		fprintf(stderr, "usage: varsymbols FILE (%s)\n", dwfl_errmsg(-1));
		return 2;
	}
	while ((unit = dwfl_module_nextcu(module, unit, &bias)))
		walk(unit, "unit", unit);
	for (size_t i = 0; i < nr_dies; i++)
		dies[i].addr += bias;
	qsort(dies, nr_dies, sizeof(*dies), by_addr);
	list(module);
	for (size_t i = 0; i < nr_dies; i++)
		free(dies[i].text);
	free(dies);
	dwfl_end(dwfl);
	return 0;
}
