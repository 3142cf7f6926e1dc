/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/elftell.h"

#include "tests/lib/folder.h"

#include <gelf.h>

struct tell {
	Elf *elf;
	size_t names;
	Elf_Scn *symtab;
	Elf_Data *syms, *xindex;
	size_t strings, nr_syms;
	FILE *out;
};

static const char *tell_section(struct tell *t, size_t index)
{
	GElf_Shdr sh;

	if (index == 0)
		return "-";
	if (index >= SHN_LORESERVE && index <= SHN_HIRESERVE && !t->xindex)
		return "special";
	CHECK(gelf_getshdr(elf_getscn(t->elf, index), &sh));

	const char *name = elf_strptr(t->elf, t->names, sh.sh_name);
	CHECK(name);
	return name;
}

static const char *tell_location(struct tell *t, size_t i, GElf_Sym *sym)
{
	Elf32_Word x = 0;

	CHECK(gelf_getsymshndx(t->syms, t->xindex, (int)i, sym, &x));
	if (sym->st_shndx == SHN_XINDEX)
		return tell_section(t, x);
	return sym->st_shndx >= SHN_LORESERVE ? "special" : tell_section(t, sym->st_shndx);
}

/* "NAME@SECTION", which is enough to know it in a test. */
static void tell_symbol(struct tell *t, size_t i)
{
	GElf_Sym sym;

	CHECK(i < t->nr_syms);
	const char *location = tell_location(t, i, &sym);
	fprintf(t->out, "%s@%s", elf_strptr(t->elf, t->strings, sym.st_name), location);
}

static void tell_symbols(struct tell *t)
{
	GElf_Shdr sh;

	CHECK(gelf_getshdr(t->symtab, &sh));
	for (size_t i = 1; i < t->nr_syms; i++) {
		GElf_Sym sym;

		tell_location(t, i, &sym);
		fprintf(t->out, "symbol ");
		tell_symbol(t, i);
		fprintf(t->out, " info %u other %u value %#jx size %#jx%s\n", sym.st_info,
			sym.st_other, (uintmax_t)sym.st_value, (uintmax_t)sym.st_size,
			i < sh.sh_info ? " local" : "");
	}
}

static void tell_relocations(struct tell *t, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *d = elf_getdata(scn, NULL);

	for (size_t i = 0; i < sh->sh_size / sh->sh_entsize; i++) {
		GElf_Rela r = { 0 };
		GElf_Rel rel;

		if (sh->sh_type == SHT_RELA) {
			CHECK(gelf_getrela(d, (int)i, &r));
		} else {
			CHECK(gelf_getrel(d, (int)i, &rel));
			r.r_offset = rel.r_offset;
			r.r_info = rel.r_info;
		}
		fprintf(t->out, "relocation of %s at %#jx type %ju addend %jd to ",
			tell_section(t, sh->sh_info), (uintmax_t)r.r_offset,
			(uintmax_t)GELF_R_TYPE(r.r_info), (intmax_t)r.r_addend);
		tell_symbol(t, GELF_R_SYM(r.r_info));
		fprintf(t->out, "\n");
	}
}

static void tell_group(struct tell *t, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	const uint32_t *w = d->d_buf;

	for (size_t i = 1; i < d->d_size / sizeof(*w); i++) {
		fprintf(t->out, "group %u ", w[0]);
		tell_symbol(t, sh->sh_info);
		fprintf(t->out, " has %s\n", tell_section(t, w[i]));
	}
}

static void tell_addrsig(struct tell *t, Elf_Scn *scn)
{
	Elf_Data *d = elf_rawdata(scn, NULL);
	const uint8_t *p = d->d_buf, *end = p + d->d_size;

	while (p < end) {
		size_t v = 0;
		unsigned int shift = 0;

		do
			v |= (size_t)(*p & 0x7f) << shift, shift += 7;
		while (*p++ & 0x80);
		fprintf(t->out, "address of ");
		tell_symbol(t, v);
		fprintf(t->out, "\n");
	}
}

static void tell_bytes(struct tell *t, Elf_Scn *scn)
{
	Elf_Data *d = elf_rawdata(scn, NULL);
	uint64_t sum = 14695981039346656037u;

	for (size_t i = 0; d->d_buf && i < d->d_size; i++)
		sum = (sum ^ ((uint8_t *)d->d_buf)[i]) * 1099511628211u;
	fprintf(t->out, " bytes %#jx", (uintmax_t)sum);
}

static void tell_one(struct tell *t, Elf_Scn *scn)
{
	GElf_Shdr sh;

	CHECK(gelf_getshdr(scn, &sh));

	const char *name = elf_strptr(t->elf, t->names, sh.sh_name);
	bool numbers = sh.sh_type == SHT_REL || sh.sh_type == SHT_RELA || sh.sh_type == SHT_GROUP ||
		       sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_SYMTAB_SHNDX ||
		       sh.sh_type == SHT_STRTAB || sh.sh_type == 0x6fff4c03;
	if (sh.sh_type == SHT_NULL || sh.sh_type == SHT_SYMTAB_SHNDX)
		return;
	fprintf(t->out, "section %s type %#x flags %#jx addr %#jx align %ju link %s", name,
		sh.sh_type, (uintmax_t)sh.sh_flags, (uintmax_t)sh.sh_addr,
		(uintmax_t)sh.sh_addralign, tell_section(t, sh.sh_link));
	if (!numbers) {
		fprintf(t->out, " size %#jx", (uintmax_t)sh.sh_size);
		tell_bytes(t, scn);
	}
	fprintf(t->out, "\n");
	if (sh.sh_type == SHT_SYMTAB)
		tell_symbols(t);
	else if (sh.sh_type == SHT_REL || sh.sh_type == SHT_RELA)
		tell_relocations(t, scn, &sh);
	else if (sh.sh_type == SHT_GROUP)
		tell_group(t, scn, &sh);
	else if (sh.sh_type == 0x6fff4c03)
		tell_addrsig(t, scn);
}

static void tell_find_symbols(struct tell *t)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(t->elf, scn)) != NULL;) {
		GElf_Shdr sh;

		CHECK(gelf_getshdr(scn, &sh));
		if (sh.sh_type == SHT_SYMTAB_SHNDX)
			t->xindex = elf_getdata(scn, NULL);
		if (sh.sh_type != SHT_SYMTAB)
			continue;
		t->symtab = scn;
		t->syms = elf_getdata(scn, NULL);
		t->strings = sh.sh_link;
		t->nr_syms = sh.sh_size / sh.sh_entsize;
	}
}

char *tell_elf(const char *path, const char *skip)
{
	struct tell t = { 0 };
	char *text = NULL, *end;
	size_t len;
	int fd = open(path, O_RDONLY);

	t.elf = elf_begin(fd, (elf_version(EV_CURRENT), ELF_C_READ), NULL);
	t.out = open_memstream(&text, &len);
	CHECK(t.elf && t.out && elf_getshdrstrndx(t.elf, &t.names) == 0);
	tell_find_symbols(&t);
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(t.elf, scn)) != NULL;)
		tell_one(&t, scn);
	fclose(t.out);
	elf_end(t.elf);
	close(fd);

	char *to = text;
	for (char *line = text; skip && *line; line = end) {
		end = strchr(line, '\n') + 1;
		if (memmem(line, (size_t)(end - line), skip, strlen(skip)))
			continue;
		memmove(to, line, (size_t)(end - line));
		to += end - line;
	}
	if (skip)
		*to = '\0';
	return text;
}
