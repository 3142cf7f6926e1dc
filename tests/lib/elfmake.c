/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/elfmake.h"

struct arena make_arena;

void *make_alloc(size_t size)
{
	return arena_alloc(&make_arena, size);
}

void *make_grow(const void *ptr, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return (void *)(uintptr_t)ptr;

	size_t want = need * 2 + 16;
	void *p = make_alloc(want * size);
	if (*cap)
		memcpy(p, ptr, *cap * size);
	*cap = want;
	return p;
}

char *make_text(const char *fmt, ...)
{
	char buf[4096];
	va_list ap;

	va_start(ap, fmt);
	int len = vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= sizeof(buf))
		abort();
	return arena_strndup(&make_arena, buf, (size_t)len);
}

struct bytes make_fill(size_t len, uint8_t seed)
{
	uint8_t *p = make_alloc(len);

	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)(seed + i * 7 + i / 251);
	return (struct bytes){ p, len };
}

void make_put(struct make_buf *b, const void *p, size_t len)
{
	b->ptr = make_grow(b->ptr, &b->cap, b->len + len, 1);
	if (len)
		memcpy(b->ptr + b->len, p, len);
	b->len += len;
}

void make_int(const struct elfmake *m, struct make_buf *b, unsigned int width, uint64_t v)
{
	for (unsigned int i = 0; i < width; i++) {
		uint8_t byte = (uint8_t)(v >> 8 * (m->big ? width - 1 - i : i));

		make_put(b, &byte, 1);
	}
}

size_t make_nobits(struct elfmake *m, uint64_t addr, uint64_t size, uint64_t align)
{
	return MAKE_SECTION(m, .name = "", .type = SHT_NOBITS, .flags = SHF_ALLOC, .addr = addr,
			    .size = size, .align = align);
}

void make_raw_symbol(struct elfmake *m, uint32_t name, uint8_t info, uint32_t shndx, uint64_t value,
		     uint64_t size)
{
	bool wide = shndx >= 0x10000;
	uint16_t narrow = wide ? SHN_XINDEX : (uint16_t)shndx;

	make_int(m, &m->syms, 4, name);
	if (!m->is64) {
		make_int(m, &m->syms, 4, value);
		make_int(m, &m->syms, 4, size);
	}
	make_int(m, &m->syms, 1, info);
	make_int(m, &m->syms, 1, 0);
	make_int(m, &m->syms, 2, narrow);
	if (m->is64) {
		make_int(m, &m->syms, 8, value);
		make_int(m, &m->syms, 8, size);
	}
	make_int(m, &m->shndx, 4, wide ? shndx & 0xffffff : 0);
	m->need_shndx |= wide;
}

uint32_t make_any_symbol(struct elfmake *m, const char *name, uint8_t info, uint32_t shndx,
			 uint64_t value, uint64_t size)
{
	size_t entry = m->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	if (!m->syms.len) {
		make_put(&m->strings, "", 1);
		make_raw_symbol(m, 0, 0, 0, 0, 0);
	}
	make_raw_symbol(m, (uint32_t)m->strings.len, info, shndx, value, size);
	make_put(&m->strings, name, strlen(name) + 1);
	return (uint32_t)(m->syms.len / entry - 1);
}

uint32_t make_symbol(struct elfmake *m, const char *name, unsigned int type, uint32_t shndx,
		     uint64_t value, uint64_t size)
{
	return make_any_symbol(m, name, ELF64_ST_INFO(STB_GLOBAL, type), shndx, value, size);
}

size_t make_symtab(struct elfmake *m)
{
	size_t strtab = MAKE_SECTION(m, .name = ".strtab", .type = SHT_STRTAB, .align = 1,
				     .data = make_view(&m->strings));
	size_t entry = m->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	size_t symtab = MAKE_SECTION(m, .name = ".symtab", .type = SHT_SYMTAB, .align = 8,
				     .link = (uint32_t)strtab, .entsize = entry,
				     .data = make_view(&m->syms));

	if (m->need_shndx)
		MAKE_SECTION(m, .name = ".symtab_shndx", .type = SHT_SYMTAB_SHNDX, .align = 4,
			     .entsize = 4, .link = (uint32_t)symtab, .data = make_view(&m->shndx));
	return symtab;
}

void make_reloc(const struct elfmake *m, struct make_buf *b, bool rela, uint64_t offset,
		uint32_t sym, uint32_t type, int64_t addend)
{
	make_word(m, b, offset);
	make_word(m, b, m->is64 ? ELF64_R_INFO((uint64_t)sym, type) : ELF32_R_INFO(sym, type));
	if (rela)
		make_word(m, b, (uint64_t)addend);
}

size_t make_relocs(struct elfmake *m, const char *name, bool rela, size_t target, size_t symtab,
		   const struct make_buf *b)
{
	return MAKE_SECTION(m, .name = name, .type = rela ? SHT_RELA : SHT_REL, .align = 8,
			    .entsize = (rela ? 3 : 2) * (m->is64 ? 8u : 4u),
			    .link = (uint32_t)symtab, .info = (uint32_t)target,
			    .data = make_view(b));
}

struct elfmake make_elf(enum make_class class, enum make_order order, uint16_t type,
			uint16_t machine)
{
	struct elfmake m = {
		.is64 = class == MAKE_64, .big = order == MAKE_BIG, .type = type, .machine = machine
	};

	make_section(&m, (struct make_section){ .name = "" });
	return m;
}

const struct make_target make_targets[40] = {
	{ MAKE_64, MAKE_LITTLE, EM_X86_64, true, R_X86_64_64, R_X86_64_32, R_X86_64_16, R_X86_64_8,
	  R_X86_64_DTPOFF64 },
	{ MAKE_64, MAKE_LITTLE, EM_X86_64, true, R_X86_64_64, R_X86_64_32S, 0, 0,
	  R_X86_64_DTPOFF32 },
	{ MAKE_32, MAKE_LITTLE, EM_X86_64, true, 0, R_X86_64_32, 0, 0, 0 },
	{ MAKE_32, MAKE_LITTLE, EM_386, false, 0, R_386_32, R_386_16, R_386_8, R_386_TLS_LDO_32 },
	{ MAKE_32, MAKE_LITTLE, EM_386, false, 0, R_386_32, R_386_16, R_386_8, R_386_GOTOFF },
	{ MAKE_64, MAKE_LITTLE, EM_AARCH64, true, R_AARCH64_ABS64, R_AARCH64_ABS32, R_AARCH64_ABS16,
	  0, R_AARCH64_TLS_DTPREL },
	{ MAKE_64, MAKE_BIG, EM_AARCH64, true, R_AARCH64_ABS64, R_AARCH64_ABS32, R_AARCH64_ABS16, 0,
	  256 },
	{ MAKE_32, MAKE_LITTLE, EM_ARM, false, 0, R_ARM_ABS32, R_ARM_ABS16, R_ARM_ABS8,
	  R_ARM_TLS_LDO32 },
	{ MAKE_32, MAKE_BIG, EM_ARM, false, 0, R_ARM_ABS32, R_ARM_ABS16, R_ARM_ABS8,
	  R_ARM_TLS_LDO32 },
	{ MAKE_64, MAKE_BIG, EM_S390, true, R_390_64, R_390_32, R_390_16, R_390_8,
	  R_390_TLS_LDO64 },
	{ MAKE_32, MAKE_BIG, EM_S390, true, 0, R_390_32, R_390_16, R_390_8, R_390_TLS_LDO32 },
	{ MAKE_64, MAKE_LITTLE, EM_PPC64, true, R_PPC64_ADDR64, R_PPC64_ADDR32, R_PPC64_ADDR16, 0,
	  R_PPC64_DTPREL64 },
	{ MAKE_64, MAKE_BIG, EM_PPC64, true, R_PPC64_UADDR64, R_PPC64_UADDR32, R_PPC64_UADDR16, 0,
	  0 },
	{ MAKE_32, MAKE_BIG, EM_PPC, true, 0, R_PPC_ADDR32, R_PPC_ADDR16, 0, R_PPC_DTPREL32 },
	{ MAKE_64, MAKE_LITTLE, EM_RISCV, true, R_RISCV_64, R_RISCV_32, R_RISCV_SET16, R_RISCV_SET8,
	  R_RISCV_RELAX },
	{ MAKE_32, MAKE_LITTLE, EM_RISCV, true, 0, R_RISCV_SET32, 0, 0, R_RISCV_TLS_DTPREL32 },
	{ MAKE_32, MAKE_BIG, EM_MIPS, false, 0, R_MIPS_32, R_MIPS_16, 0, R_MIPS_TLS_DTPREL32 },
	{ MAKE_32, MAKE_LITTLE, EM_MIPS, false, 0, R_MIPS_32, R_MIPS_16, 0, R_MIPS_TLS_DTPREL32 },
	{ MAKE_64, MAKE_BIG, EM_MIPS, true, R_MIPS_64, R_MIPS_32, 0, 0, R_MIPS_TLS_DTPREL64 },
	{ MAKE_32, MAKE_BIG, EM_SPARC, true, 0, R_SPARC_32, R_SPARC_UA16, R_SPARC_8,
	  R_SPARC_TLS_DTPOFF32 },
	/* the upper 24 bits of the type are data, for other relocations */
	{ MAKE_64, MAKE_BIG, EM_SPARCV9, true, R_SPARC_UA64, 0xabcd00 | R_SPARC_UA32, R_SPARC_16, 0,
	  R_SPARC_TLS_DTPOFF64 },
	{ MAKE_64, MAKE_LITTLE, 258 /* LoongArch */, true, 2, 1, 0, 0, 100 },
	{ MAKE_64, MAKE_LITTLE, EM_ALPHA, true, R_ALPHA_REFQUAD, R_ALPHA_REFLONG, 0, 0,
	  R_ALPHA_DTPREL64 },
	{ MAKE_32, MAKE_BIG, EM_PARISC, true, 0, R_PARISC_DIR32, 0, 0, R_PARISC_TLS_DTPOFF32 },
	{ MAKE_64, MAKE_BIG, EM_PARISC, true, R_PARISC_DIR64, R_PARISC_SECREL32, 0, 0,
	  R_PARISC_TLS_DTPOFF64 },
	{ MAKE_32, MAKE_BIG, EM_68K, true, 0, R_68K_32, R_68K_16, R_68K_8, R_68K_TLS_LDO32 },
	{ MAKE_32, MAKE_LITTLE, EM_SH, true, 0, R_SH_DIR32, 0, 0, R_SH_TLS_LDO_32 },
	{ MAKE_32, MAKE_LITTLE, EM_ARC_COMPACT, true, 0, R_ARC_32, R_ARC_16, R_ARC_8,
	  R_ARC_TLS_DTPOFF },
	{ MAKE_32, MAKE_BIG, EM_ARCV2, true, 0, R_ARC_32, R_ARC_16, R_ARC_8, R_ARC_TLS_DTPOFF },
	{ MAKE_32, MAKE_LITTLE, EM_MICROBLAZE, true, 0, R_MICROBLAZE_32, 0, 0,
	  R_MICROBLAZE_TLSDTPREL32 },
	{ MAKE_32, MAKE_BIG, EM_MICROBLAZE, true, 0, R_MICROBLAZE_32, 0, 0, R_MICROBLAZE_64_NONE },
	{ MAKE_32, MAKE_LITTLE, EM_ALTERA_NIOS2, true, 0, R_NIOS2_BFD_RELOC_32,
	  R_NIOS2_BFD_RELOC_16, R_NIOS2_BFD_RELOC_8, R_NIOS2_TLS_DTPREL },
	{ MAKE_32, MAKE_BIG, EM_OPENRISC, true, 0, R_OR1K_32, R_OR1K_16, R_OR1K_8,
	  R_OR1K_TLS_DTPOFF },
	{ MAKE_32, MAKE_LITTLE, EM_XTENSA, true, 0, 1, 0, 0, 19 /* R_XTENSA_DIFF32 */ },
	{ MAKE_32, MAKE_LITTLE, EM_CSKY, true, 0, R_CKCORE_ADDR32, 0, 0, R_CKCORE_TLS_LDO32 },
	{ MAKE_32, MAKE_LITTLE, EM_QDSP6, true, 0, 6, 7, 8, 47 /* R_HEX_DTPREL_32 */ },
	{ MAKE_64, MAKE_LITTLE, EM_IA_64, true, R_IA64_DIR64LSB, R_IA64_DIR32LSB, 0, 0,
	  R_IA64_DTPREL64LSB },
	{ MAKE_64, MAKE_LITTLE, EM_IA_64, true, R_IA64_SECREL64LSB, R_IA64_SECREL32LSB, 0, 0,
	  R_IA64_DTPREL32LSB },
	{ MAKE_64, MAKE_LITTLE, EM_BPF, false, 2, 3, 0, 0, 0 },
	{ MAKE_64, MAKE_BIG, EM_BPF, false, 2, 4, 0, 0, 0 },
};

/* Without segments, or with one, whose header follows. */
static void make_header(const struct elfmake *m, struct make_buf *b, uint32_t names,
			bool has_segment, uint64_t shoff)
{
	uint8_t class = m->is64 ? ELFCLASS64 : ELFCLASS32,
		order = m->big ? ELFDATA2MSB : ELFDATA2LSB;
	uint8_t ident[EI_NIDENT] = { 0x7f, 'E', 'L', 'F', class, order, EV_CURRENT };
	unsigned int ehsize = m->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);

	make_put(b, ident, sizeof(ident));
	make_int(m, b, 2, m->type);
	make_int(m, b, 2, m->machine);
	make_int(m, b, 4, EV_CURRENT);
	make_word(m, b, 0);
	make_word(m, b, has_segment ? ehsize : 0);
	make_word(m, b, shoff);
	make_int(m, b, 4, 0);
	make_int(m, b, 2, ehsize);
	make_int(m, b, 2, m->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	make_int(m, b, 2, has_segment);
	make_int(m, b, 2, m->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
	make_int(m, b, 2, m->nr < SHN_LORESERVE ? m->nr : 0);
	make_int(m, b, 2, names < SHN_LORESERVE ? names : SHN_XINDEX);
}

static void make_shdr(const struct elfmake *m, struct make_buf *b, const struct make_section *s,
		      uint32_t name, uint64_t offset)
{
	make_int(m, b, 4, name);
	make_int(m, b, 4, s->type);
	make_word(m, b, s->flags);
	make_word(m, b, s->addr);
	make_word(m, b, s->offset ? s->offset : offset);
	make_word(m, b, s->size ? s->size : s->data.len);
	make_int(m, b, 4, s->link);
	make_int(m, b, 4, s->info);
	make_word(m, b, s->align);
	make_word(m, b, s->entsize);
}

/* A PT_LOAD segment of the first @len bytes of the file. */
static void make_segment(const struct elfmake *m, struct make_buf *b, uint64_t len)
{
	make_int(m, b, 4, PT_LOAD);
	if (m->is64)
		make_int(m, b, 4, 0);
	make_word(m, b, 0);
	make_word(m, b, IMAGE_ADDR);
	make_word(m, b, 0);
	make_word(m, b, len);
	make_word(m, b, len);
	if (!m->is64)
		make_int(m, b, 4, 0);
	make_word(m, b, 1);
}

/* Add .shstrtab; returns its index. @offsets gets the offset of each name. */
static size_t make_names(struct elfmake *m, uint32_t **offsets)
{
	size_t table = MAKE_SECTION(m, .name = ".shstrtab", .type = SHT_STRTAB, .align = 1);
	struct make_buf names = { 0 };

	*offsets = make_alloc(m->nr * sizeof(**offsets));
	for (size_t i = 0; i < m->nr; i++) {
		(*offsets)[i] = (uint32_t)names.len;
		make_put(&names, m->sections[i].name, strlen(m->sections[i].name) + 1);
	}
	m->sections[table].data = make_view(&names);
	if (m->nr >= SHN_LORESERVE)
		m->sections[0].size = m->nr;
	if (table >= SHN_LORESERVE)
		m->sections[0].link = (uint32_t)table;
	return table;
}

struct make_buf make_bytes(struct elfmake *m)
{
	struct make_buf file = { 0 };
	size_t ehdr = m->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	size_t shdr = m->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	uint32_t *name;
	size_t table = make_names(m, &name);
	struct bytes names = m->sections[table].data;

	make_header(m, &file, (uint32_t)table, false, ehdr);
	uint64_t offset = file.len + m->nr * shdr;
	make_shdr(m, &file, &m->sections[0], 0, 0);
	uint64_t first = offset + names.len;
	for (size_t i = 1; i < m->nr; i++) {
		make_shdr(m, &file, &m->sections[i], name[i], i == table ? offset : first);
		if (i != table)
			first += m->sections[i].data.len;
	}
	make_put(&file, names.ptr, names.len);
	for (size_t i = 1; i < table; i++)
		make_put(&file, m->sections[i].data.ptr, m->sections[i].data.len);
	return file;
}

static void make_pad(struct make_buf *b, uint64_t len)
{
	while (b->len < len)
		make_put(b, "", 1);
}

struct make_buf make_image(struct elfmake *m)
{
	struct make_buf file = { 0 };
	bool linked = m->type == ET_EXEC;
	uint64_t end = FIRST_PART, image_end = FIRST_PART;
	uint32_t *name;
	size_t table = make_names(m, &name);

	for (size_t i = 1; i < m->nr; i++) {
		struct make_section *s = &m->sections[i];

		s->offset = (end + s->align - 1) / s->align * s->align;
		end = s->offset + s->data.len;
		if (s->flags & SHF_ALLOC) {
			image_end = end;
			s->addr = linked ? IMAGE_ADDR + s->offset : 0;
		}
	}
	end = (end + 7) & ~(uint64_t)7;
	make_header(m, &file, (uint32_t)table, linked, end);
	if (linked)
		make_segment(m, &file, image_end);
	for (size_t i = 1; i < m->nr; i++) {
		make_pad(&file, m->sections[i].offset);
		make_put(&file, m->sections[i].data.ptr, m->sections[i].data.len);
	}
	make_pad(&file, end);
	for (size_t i = 0; i < m->nr; i++)
		make_shdr(m, &file, &m->sections[i], name[i], 0);
	return file;
}

const char *make_file(struct make_buf b)
{
	int fd = memfd_create("elfmake", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	for (size_t done = 0; done < b.len;) {
		ssize_t n = write(fd, b.ptr + done, b.len - done);

		if (n <= 0)
			abort();
		done += (size_t)n;
	}
	return make_text("/proc/self/fd/%d", fd);
}
