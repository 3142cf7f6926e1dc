/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/elfparts.h"

const struct elf_kind elf_kinds[4] = {
	{ ELFCLASS64, ELFDATA2LSB },
	{ ELFCLASS64, ELFDATA2MSB },
	{ ELFCLASS32, ELFDATA2LSB },
	{ ELFCLASS32, ELFDATA2MSB },
};
const struct elf_kind native = {
	ELFCLASS64,
	__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
};

const struct part plain_parts[2] = {
	{ ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, TEXT("code code code"), 0, 0 },
	{ ".debug_info", SHT_PROGBITS, 0, 1, TEXT("what the code means"), 0, 0 },
};

/* ---- ELF files ---- */

static size_t add_name(char *names, size_t *len, const char *name)
{
	size_t at = *len;

	if (!name[0])
		return 0;
	memcpy(names + at, name, strlen(name) + 1);
	*len += strlen(name) + 1;
	return at;
}

void write_elf(const char *path, struct elf_kind kind, bool linked, const struct part *parts,
	       size_t nr)
{
	char names[4096] = "";
	size_t names_len = 1, pos = FIRST_PART, image_end = FIRST_PART;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	Elf *elf = elf_begin(fd, (elf_version(EV_CURRENT), ELF_C_WRITE), NULL);
	GElf_Ehdr eh;
	GElf_Phdr ph;

	CHECK(fd >= 0 && elf && gelf_newehdr(elf, kind.class));
	CHECK(!linked || gelf_newphdr(elf, 1));
	elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
	for (size_t i = 0; i <= nr; i++) {
		Elf_Scn *scn = elf_newscn(elf);
		Elf_Data *data = elf_newdata(scn);
		struct part p = { ".shstrtab", SHT_STRTAB, 0, 1, { 0 }, 0, 0 };
		GElf_Shdr sh;

		if (i < nr)
			p = parts[i];
		size_t name = add_name(names, &names_len, p.name);
		if (i == nr)
			p.data = (struct bytes){ (uint8_t *)names, names_len };
		pos = (pos + p.align - 1) / p.align * p.align;
		sh = (GElf_Shdr){
			.sh_name = (uint32_t)name,
			.sh_type = p.type,
			.sh_flags = p.flags,
			.sh_addr = linked && (p.flags & SHF_ALLOC) ? IMAGE_ADDR + pos : 0,
			.sh_offset = pos,
			.sh_size = p.data.len,
			.sh_addralign = p.align,
			.sh_link = p.link,
			.sh_info = p.info,
		};
		CHECK(gelf_update_shdr(scn, &sh));
		*data = (Elf_Data){ (void *)p.data.ptr, ELF_T_BYTE, EV_CURRENT,
				    p.data.len,         0,          p.align };
		pos += p.data.len;
		if (p.flags & SHF_ALLOC)
			image_end = pos;
	}

	CHECK(gelf_getehdr(elf, &eh));
	eh.e_ident[EI_DATA] = (unsigned char)kind.order;
	eh.e_type = linked ? ET_EXEC : ET_REL;
	eh.e_version = EV_CURRENT;
	eh.e_shstrndx = nr + 1 < SHN_LORESERVE ? (uint16_t)(nr + 1) : SHN_XINDEX;
	eh.e_phoff = linked ? gelf_fsize(elf, ELF_T_EHDR, 1, EV_CURRENT) : 0;
	eh.e_shoff = (pos + 7) & ~(size_t)7;
	CHECK(gelf_update_ehdr(elf, &eh));
	if (eh.e_shstrndx == SHN_XINDEX) {
		GElf_Shdr null = { .sh_link = (uint32_t)(nr + 1) };
		CHECK(gelf_update_shdr(elf_getscn(elf, 0), &null));
	}
	ph = (GElf_Phdr){ .p_type = PT_LOAD,
			  .p_vaddr = IMAGE_ADDR,
			  .p_filesz = image_end,
			  .p_memsz = image_end,
			  .p_align = 1 };
	CHECK(!linked || gelf_update_phdr(elf, 0, &ph));
	CHECK(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
}

struct found find(const char *path, const char *name)
{
	int fd = open(path, O_RDONLY);
	Elf *elf = elf_begin(fd, (elf_version(EV_CURRENT), ELF_C_READ), NULL);
	struct found f = { 0 };
	size_t names;
	Elf_Scn *scn = NULL;

	CHECK(elf && elf_getshdrstrndx(elf, &names) == 0);
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr sh;
		CHECK(gelf_getshdr(scn, &sh));
		const char *n = elf_strptr(elf, names, sh.sh_name);
		CHECK(n);
		if (strcmp(n, name) != 0 || sh.sh_type == SHT_NULL)
			continue;
		Elf_Data *d = elf_rawdata(scn, NULL);
		CHECK(d && d->d_size == sh.sh_size);
		f = (struct found){ elf_ndxscn(scn),
				    sh,
				    { mem_dup(d->d_buf, d->d_size), d->d_size } };
		break;
	}
	elf_end(elf);
	close(fd);
	return f;
}

struct found header_of(const char *path, const char *name)
{
	struct found f = find(path, name);

	free_found(&f);
	f.data = (struct bytes){ 0 };
	return f;
}

size_t count_sections(const char *path)
{
	int fd = open(path, O_RDONLY);
	Elf *elf = elf_begin(fd, (elf_version(EV_CURRENT), ELF_C_READ), NULL);
	size_t nr = 0;

	CHECK(elf && elf_getshdrnum(elf, &nr) == 0);
	elf_end(elf);
	close(fd);
	return nr;
}

void check_section(const char *path, const char *name, struct bytes want)
{
	CLEANUP(free_found) struct found f = find(path, name);

	CHECK(f.index);
	CHECK_EQ(f.data.len, want.len);
	CHECK_MEM(f.data.ptr, want.ptr, want.len);
}

uint8_t noise[3 << 20];

struct bytes noise_of(size_t len)
{
	uint32_t x = 1;

	for (size_t i = 0; i < sizeof(noise) && !noise[sizeof(noise) - 1]; i++) {
		x = x * 1664525 + 1013904223;
		noise[i] = (uint8_t)(x >> 24 | 1);
	}
	return (struct bytes){ noise, len };
}

void make_plain(const char *path, struct elf_kind kind)
{
	write_elf(path, kind, false, plain_parts, ARRAY_SIZE(plain_parts));
}

void check_plain_parts(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(plain_parts); i++)
		check_section(path, plain_parts[i].name, plain_parts[i].data);
}

struct diagnostics put_diags;

struct err *put(const char *path, const char *name, struct bytes data)
{
	struct section_content c = { .name = name, .data = data };

	diag_release(&put_diags);
	return section_out_elf(path, &c, 1, &put_diags);
}

int put_noise(void)
{
	struct err *e = put("f", ".BTF", noise_of(NOISE_LEN));
	int kind = e ? 1 + (int)err_kind(e) : 0;

	err_free(e);
	return kind;
}
