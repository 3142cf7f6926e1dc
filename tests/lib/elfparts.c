/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/elfparts.h"

const struct elf_kind elf_kinds[4] = {
	{ MAKE_64, MAKE_LITTLE },
	{ MAKE_64, MAKE_BIG },
	{ MAKE_32, MAKE_LITTLE },
	{ MAKE_32, MAKE_BIG },
};
const struct elf_kind native = {
	MAKE_64,
	__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? MAKE_LITTLE : MAKE_BIG,
};

const struct make_section plain_parts[2] = {
	{ ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16,
	  .data = MAKE_TEXT("code code code") },
	{ ".debug_info", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("what the code means") },
};

void write_elf(const char *path, struct elf_kind kind, bool linked,
	       const struct make_section *parts, size_t nr)
{
	struct elfmake m = make_elf(kind.class, kind.order, linked ? ET_EXEC : ET_REL, EM_X86_64);

	for (size_t i = 0; i < nr; i++)
		make_section(&m, parts[i]);
	struct make_buf b = make_image(&m);
	write_whole(path, make_view(&b));
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
	return section_put(path, &c, 1, false, &put_diags);
}

int put_noise(void)
{
	struct err *e = put("f", ".BTF", noise_of(NOISE_LEN));
	int kind = e ? 1 + (int)err_kind(e) : 0;

	err_free(e);
	return kind;
}
