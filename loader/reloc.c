/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reloc.c - see reloc.h
 *
 * Each machine has a table from relocation type to what is to be done, a byte that
 * holds an action and a width. Types that speak of thread-local storage are stepped over:
 * such a variable has no address. A type that is in no table stops us, because the
 * bytes would then mean something else than they say.
 */
#include "loader/reloc.h"

#include "base/arena.h"
#include "loader/image.h"

#include <stdlib.h>

enum action {
	ACT_UNKNOWN, /* not in the table */
	ACT_SKIP,
	ACT_ABS,  /* symbol + addend */
	ACT_ADD,  /* what is there, plus that */
	ACT_SUB,  /* what is there, minus that */
	ACT_SET6, /* the same three for the low six bits of a byte */
	ACT_ADD6,
	ACT_SUB6,
	ACT_SET_ULEB, /* and for a LEB128 number, which keeps its length */
	ACT_ADD_ULEB,
	ACT_SUB_ULEB,
};

#define OP(action, width) ((action) << 4 | (width))
#define SKIP OP(ACT_SKIP, 0)
#define ABS(width) OP(ACT_ABS, width)
#define ADD(width) OP(ACT_ADD, width)
#define SUB(width) OP(ACT_SUB, width)

/* Newer than the elf.h of some C libraries. */
enum {
	MACHINE_LOONGARCH = 258,
	RISCV_SET_ULEB128 = 60,
	RISCV_SUB_ULEB128 = 61,
};

static const uint8_t x86_64_ops[] = {
	[R_X86_64_NONE] = SKIP,     [R_X86_64_64] = ABS(8),     [R_X86_64_32] = ABS(4),
	[R_X86_64_32S] = ABS(4),    [R_X86_64_16] = ABS(2),     [R_X86_64_8] = ABS(1),
	[R_X86_64_DTPOFF64] = SKIP, [R_X86_64_DTPOFF32] = SKIP,
};

static const uint8_t i386_ops[] = {
	[R_386_NONE] = SKIP, [R_386_32] = ABS(4),       [R_386_16] = ABS(2),
	[R_386_8] = ABS(1),  [R_386_TLS_LDO_32] = SKIP,
};

static const uint8_t aarch64_ops[] = {
	[R_AARCH64_NONE] = SKIP,
	[R_AARCH64_P32_ABS32] = ABS(4),
	[256] = SKIP, /* the number that NONE had in drafts */
	[R_AARCH64_ABS64] = ABS(8),
	[R_AARCH64_ABS32] = ABS(4),
	[R_AARCH64_ABS16] = ABS(2),
	[R_AARCH64_TLS_DTPREL] = SKIP,
};

static const uint8_t arm_ops[] = {
	[R_ARM_NONE] = SKIP,   [R_ARM_ABS32] = ABS(4),   [R_ARM_ABS16] = ABS(2),
	[R_ARM_ABS8] = ABS(1), [R_ARM_TLS_LDO32] = SKIP,
};

static const uint8_t s390_ops[] = {
	[R_390_NONE] = SKIP,      [R_390_8] = ABS(1),  [R_390_16] = ABS(2),
	[R_390_32] = ABS(4),      [R_390_64] = ABS(8), [R_390_TLS_LDO32] = SKIP,
	[R_390_TLS_LDO64] = SKIP,
};

static const uint8_t ppc64_ops[] = {
	[R_PPC64_NONE] = SKIP,      [R_PPC64_ADDR64] = ABS(8),  [R_PPC64_UADDR64] = ABS(8),
	[R_PPC64_ADDR32] = ABS(4),  [R_PPC64_UADDR32] = ABS(4), [R_PPC64_ADDR16] = ABS(2),
	[R_PPC64_UADDR16] = ABS(2), [R_PPC64_DTPREL64] = SKIP,
};

static const uint8_t ppc_ops[] = {
	[R_PPC_NONE] = SKIP,     [R_PPC_ADDR32] = ABS(4),  [R_PPC_UADDR32] = ABS(4),
	[R_PPC_ADDR16] = ABS(2), [R_PPC_UADDR16] = ABS(2), [R_PPC_DTPREL32] = SKIP,
};

static const uint8_t riscv_ops[] = {
	[R_RISCV_NONE] = SKIP,
	[R_RISCV_32] = ABS(4),
	[R_RISCV_64] = ABS(8),
	[R_RISCV_TLS_DTPREL32] = SKIP,
	[R_RISCV_TLS_DTPREL64] = SKIP,
	[R_RISCV_ADD8] = ADD(1),
	[R_RISCV_ADD16] = ADD(2),
	[R_RISCV_ADD32] = ADD(4),
	[R_RISCV_ADD64] = ADD(8),
	[R_RISCV_SUB8] = SUB(1),
	[R_RISCV_SUB16] = SUB(2),
	[R_RISCV_SUB32] = SUB(4),
	[R_RISCV_SUB64] = SUB(8),
	[R_RISCV_ALIGN] = SKIP,
	[R_RISCV_RELAX] = SKIP,
	[R_RISCV_SUB6] = OP(ACT_SUB6, 1),
	[R_RISCV_SET6] = OP(ACT_SET6, 1),
	[R_RISCV_SET8] = ABS(1),
	[R_RISCV_SET16] = ABS(2),
	[R_RISCV_SET32] = ABS(4),
	[RISCV_SET_ULEB128] = OP(ACT_SET_ULEB, 0),
	[RISCV_SUB_ULEB128] = OP(ACT_SUB_ULEB, 0),
};

static const uint8_t mips_ops[] = {
	[R_MIPS_NONE] = SKIP, [R_MIPS_16] = ABS(2),         [R_MIPS_32] = ABS(4),
	[R_MIPS_64] = ABS(8), [R_MIPS_TLS_DTPREL32] = SKIP, [R_MIPS_TLS_DTPREL64] = SKIP,
};

static const uint8_t sparc_ops[] = {
	[R_SPARC_NONE] = SKIP,         [R_SPARC_8] = ABS(1),    [R_SPARC_16] = ABS(2),
	[R_SPARC_32] = ABS(4),         [R_SPARC_64] = ABS(8),   [R_SPARC_UA16] = ABS(2),
	[R_SPARC_UA32] = ABS(4),       [R_SPARC_UA64] = ABS(8), [R_SPARC_TLS_DTPOFF32] = SKIP,
	[R_SPARC_TLS_DTPOFF64] = SKIP,
};

/* LoongArch ELF psABI, table "Relocations". */
static const uint8_t loongarch_ops[] = {
	[0] = SKIP,    /* R_LARCH_NONE */
	[1] = ABS(4),  /* R_LARCH_32 */
	[2] = ABS(8),  /* R_LARCH_64 */
	[8] = SKIP,    /* R_LARCH_TLS_DTPREL32 */
	[9] = SKIP,    /* R_LARCH_TLS_DTPREL64 */
	[47] = ADD(1), /* R_LARCH_ADD8 */
	[48] = ADD(2),
	[49] = ADD(3),
	[50] = ADD(4),
	[51] = ADD(8),
	[52] = SUB(1), /* R_LARCH_SUB8 */
	[53] = SUB(2),
	[54] = SUB(3),
	[55] = SUB(4),
	[56] = SUB(8),
	[100] = SKIP, /* R_LARCH_RELAX */
	[102] = SKIP, /* R_LARCH_ALIGN */
	[105] = OP(ACT_ADD6, 1),
	[106] = OP(ACT_SUB6, 1),
	[107] = OP(ACT_ADD_ULEB, 0),
	[108] = OP(ACT_SUB_ULEB, 0),
};

/* Documentation/bpf/llvm_reloc.rst of the kernel. */
static const uint8_t bpf_ops[] = {
	[0] = SKIP,   /* R_BPF_NONE */
	[2] = ABS(8), /* R_BPF_64_ABS64 */
	[3] = ABS(4), /* R_BPF_64_ABS32 */
	[4] = ABS(4), /* R_BPF_64_NODYLD32 */
};

struct machine {
	uint16_t machine;
	uint16_t nr;
	const uint8_t *ops;
};

#define MACHINE(number, table)                   \
	{                                        \
		number, ARRAY_SIZE(table), table \
	}

static const struct machine machines[] = {
	MACHINE(EM_X86_64, x86_64_ops),
	MACHINE(EM_386, i386_ops),
	MACHINE(EM_AARCH64, aarch64_ops),
	MACHINE(EM_ARM, arm_ops),
	MACHINE(EM_S390, s390_ops),
	MACHINE(EM_PPC64, ppc64_ops),
	MACHINE(EM_PPC, ppc_ops),
	MACHINE(EM_RISCV, riscv_ops),
	MACHINE(EM_MIPS, mips_ops),
	MACHINE(EM_SPARC, sparc_ops),
	MACHINE(EM_SPARC32PLUS, sparc_ops),
	MACHINE(EM_SPARCV9, sparc_ops),
	MACHINE(MACHINE_LOONGARCH, loongarch_ops),
	MACHINE(EM_BPF, bpf_ops),
};

static const struct machine *find_machine(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return &machines[i];
	return NULL;
}

enum symbol_state {
	SYMBOL_KNOWN,
	SYMBOL_UNDEFINED, /* some other file has it */
	SYMBOL_BROKEN,    /* in a section that does not exist */
};

struct reloc_symbol {
	uint64_t value;
	enum symbol_state state;
};

/* One run over a section of relocations. */
struct run {
	const struct object *o;
	const struct object_section *relocs, *target;
	const struct machine *machine;
	const struct reloc_symbols *syms;
	uint8_t *data;
	size_t len;
	bool rela;
};

static struct reloc_symbol value_of(const struct object *o, const struct image_symtab *tab,
				    size_t i)
{
	struct image_symbol sym = image_symbol_at(o, tab->data.ptr + i * image_symbol_size(o));

	if (sym.shndx == SHN_UNDEF)
		return (struct reloc_symbol){ .state = SYMBOL_UNDEFINED };
	/* not allocated yet; what st_value holds is its alignment */
	if (sym.shndx == SHN_COMMON)
		return (struct reloc_symbol){ .value = 0 };
	if (sym.shndx >= SHN_LORESERVE && sym.shndx != SHN_XINDEX)
		return (struct reloc_symbol){ .value = sym.value };

	uint32_t index = image_symbol_section(o, tab, i, sym.shndx);
	if (index >= o->nr_sections)
		return (struct reloc_symbol){ .state = SYMBOL_BROKEN };
	const struct object_section *s = &o->sections[index];
	uint64_t base = s->flags & SHF_ALLOC ? s->debug_addr : 0;
	return (struct reloc_symbol){ .value = base + sym.value };
}

static struct err *read_symbols(const struct object *o, size_t section, struct reloc_symbols *syms)
{
	struct image_symtab tab;

	if (syms->section == section)
		return NULL;
	if (section == 0 || section >= o->nr_sections ||
	    (o->sections[section].type != SHT_SYMTAB && o->sections[section].type != SHT_DYNSYM))
		return err_new(ERR_FORMAT, "section %zu is not a symbol table", section);
	TRY(image_symtab(o, section, &tab));

	reloc_symbols_release(syms);
	syms->items = mem_alloc(tab.nr * sizeof(syms->items[0]));
	syms->nr = tab.nr;
	syms->section = section;
	for (size_t i = 0; i < tab.nr; i++)
		syms->items[i] = value_of(o, &tab, i);
	/* strip leaves relocations against the start of a debug section without a symbol */
	if (tab.nr)
		syms->items[0] = (struct reloc_symbol){ .value = 0 };
	return NULL;
}

static uint64_t load_width(const struct run *r, const uint8_t *p, unsigned int width)
{
	switch (width) {
	case 1:
		return *p;
	case 2:
		return image_u16(r->o, p);
	case 3: /* LoongArch only, which is little-endian */
		return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16;
	case 4:
		return image_u32(r->o, p);
	default:
		return image_u64(r->o, p);
	}
}

static void store_width(const struct run *r, uint8_t *p, unsigned int width, uint64_t value)
{
	uint16_t v16 = swap16((uint16_t)value, r->o->swap);
	uint32_t v32 = swap32((uint32_t)value, r->o->swap);
	uint64_t v64 = swap64(value, r->o->swap);

	switch (width) {
	case 1:
		*p = (uint8_t)value;
		break;
	case 2:
		memcpy(p, &v16, sizeof(v16));
		break;
	case 3:
		for (unsigned int i = 0; i < 3; i++)
			p[i] = (uint8_t)(value >> 8 * i);
		break;
	case 4:
		memcpy(p, &v32, sizeof(v32));
		break;
	default:
		memcpy(p, &v64, sizeof(v64));
	}
}

/*
 * Numbers wrap at the length they have: of the two relocations that make a difference,
 * the first alone need not fit.
 */
static struct err *change_uleb(uint8_t *p, size_t room, enum action action, uint64_t value)
{
	uint64_t old = 0;
	size_t len = 0;

	do {
		if (len == room)
			return err_new(ERR_FORMAT, "LEB128 number runs out of the section");
		if (len < 10)
			old |= (uint64_t)(p[len] & 0x7f) << 7 * len;
	} while (p[len++] & 0x80);

	if (action == ACT_ADD_ULEB)
		value = old + value;
	else if (action == ACT_SUB_ULEB)
		value = old - value;
	for (size_t i = 0; i < len; i++) {
		uint64_t part = i < 10 ? value >> 7 * i & 0x7f : 0;

		p[i] = (uint8_t)(part | (i + 1 < len ? 0x80 : 0));
	}
	return NULL;
}

static struct err *change(const struct run *r, const struct reloc_entry *e, uint8_t op,
			  uint64_t value)
{
	uint8_t *p = r->data + e->offset;
	unsigned int width = op & 0xf;
	enum action action = op >> 4;

	switch (action) {
	case ACT_ABS:
		store_width(r, p, width, value);
		break;
	case ACT_ADD:
		store_width(r, p, width, load_width(r, p, width) + value);
		break;
	case ACT_SUB:
		store_width(r, p, width, load_width(r, p, width) - value);
		break;
	case ACT_SET6:
		*p = (uint8_t)((*p & 0xc0) | (value & 0x3f));
		break;
	case ACT_ADD6:
		*p = (uint8_t)((*p & 0xc0) | ((*p + value) & 0x3f));
		break;
	case ACT_SUB6:
		*p = (uint8_t)((*p & 0xc0) | ((*p - value) & 0x3f));
		break;
	case ACT_SET_ULEB:
	case ACT_ADD_ULEB:
	case ACT_SUB_ULEB:
		return change_uleb(p, r->len - (size_t)e->offset, action, value);
	case ACT_UNKNOWN:
	case ACT_SKIP:
		break;
	}
	return NULL;
}

static struct err *apply_one(const struct run *r, const struct reloc_entry *e)
{
	uint8_t op = e->type < r->machine->nr ? r->machine->ops[e->type] : 0;
	unsigned int width = op & 0xf;

	if (op == SKIP)
		return NULL;
	if (!op)
		return err_new(ERR_UNSUPPORTED, "relocation type %u of machine %u", e->type,
			       r->o->machine);
	if (!bytes_have((struct bytes){ r->data, r->len }, e->offset, width))
		return err_new(ERR_FORMAT, "relocation lies outside of the %#zx bytes", r->len);
	if (e->symbol >= r->syms->nr)
		return err_new(ERR_FORMAT, "relocation against symbol %u of %zu", e->symbol,
			       r->syms->nr);

	const struct reloc_symbol *sym = &r->syms->items[e->symbol];
	if (sym->state == SYMBOL_BROKEN)
		return err_new(ERR_FORMAT, "relocation against symbol %u, in no section",
			       e->symbol);
	if (sym->state == SYMBOL_UNDEFINED)
		return NULL;

	uint64_t value = sym->value + e->addend;
	/* REL: the addend is what is there */
	if (!r->rela && op >> 4 == ACT_ABS)
		value += load_width(r, r->data + e->offset, width);
	return change(r, e, op, value);
}

/* In 64-bit MIPS up to three types share an entry, in bytes whose order is fixed. */
static void split_mips64_info(const struct run *r, const uint8_t *p, struct reloc_entry *e)
{
	e->symbol = image_u32(r->o, p);
	e->type = (uint32_t)p[7] | (uint32_t)p[6] << 8 | (uint32_t)p[5] << 16;
}

static void read_entry(const struct run *r, const uint8_t *p, struct reloc_entry *e)
{
	const struct object *o = r->o;

	if (o->addr_size == 4) {
		uint32_t info = image_u32(o, p + offsetof(Elf32_Rela, r_info));

		e->offset = image_u32(o, p);
		e->symbol = ELF32_R_SYM(info);
		e->type = ELF32_R_TYPE(info);
		e->addend = 0;
		if (r->rela)
			e->addend = (uint64_t)(int32_t)image_u32(o, p + offsetof(Elf32_Rela,
										 r_addend));
		return;
	}

	uint64_t info = image_u64(o, p + offsetof(Elf64_Rela, r_info));
	e->offset = image_u64(o, p);
	e->symbol = (uint32_t)ELF64_R_SYM(info);
	e->type = (uint32_t)ELF64_R_TYPE(info);
	e->addend = r->rela ? image_u64(o, p + offsetof(Elf64_Rela, r_addend)) : 0;
	if (o->machine == EM_MIPS)
		split_mips64_info(r, p + offsetof(Elf64_Rela, r_info), e);
	else if (o->machine == EM_SPARCV9)
		e->type &= 0xff; /* the rest is a second addend, of other types */
}

static struct err *at_entry(struct err *e, const struct run *r, uint64_t offset)
{
	return err_at(e, "%s+%#jx", r->target->name, (uintmax_t)offset);
}

static struct err *apply_any(const struct run *r, const uint8_t *p, const uint8_t *end, size_t step)
{
	for (; p < end; p += step) {
		struct reloc_entry e;

		read_entry(r, p, &e);
		TRY(at_entry(apply_one(r, &e), r, e.offset));
	}
	return NULL;
}

/*
 * Hot: a kernel object has 100,000 of these, nearly all of 4 or 8 absolute bytes.
 * 64-bit RELA in our own byte order, and not MIPS or SPARC; the rest is left to
 * apply_one(), errors included.
 */
static struct err *apply_native(const struct run *r, const uint8_t *p, const uint8_t *end)
{
	const uint8_t *ops = r->machine->ops;
	const struct reloc_symbol *syms = r->syms->items;
	size_t nr_ops = r->machine->nr, nr_syms = r->syms->nr, len = r->len;
	uint8_t *data = r->data;

	for (; p < end; p += sizeof(Elf64_Rela)) {
		uint64_t offset = load64(p), info = load64(p + 8), addend = load64(p + 16);
		uint32_t sym = (uint32_t)(info >> 32), type = (uint32_t)info;

		if (likely(type < nr_ops && sym < nr_syms && len >= 8 && offset <= len - 8 &&
			   syms[sym].state == SYMBOL_KNOWN)) {
			uint64_t value = syms[sym].value + addend;
			uint32_t low = (uint32_t)value;

			if (ops[type] == ABS(4)) {
				memcpy(data + offset, &low, sizeof(low));
				continue;
			}
			if (ops[type] == ABS(8)) {
				memcpy(data + offset, &value, sizeof(value));
				continue;
			}
		}
		struct reloc_entry e = { offset, addend, sym, type };
		TRY(at_entry(apply_one(r, &e), r, offset));
	}
	return NULL;
}

/* Entries of @s have *step_ret bytes, and an addend of their own if *rela_ret. */
static struct err *check_table(const struct object *o, const struct object_section *s,
			       bool *rela_ret, size_t *step_ret)
{
	size_t rel = o->addr_size == 8 ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
	size_t rela = o->addr_size == 8 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);

	*rela_ret = s->type == SHT_RELA;
	*step_ret = *rela_ret ? rela : rel;
	if (s->flags & SHF_COMPRESSED)
		return err_new(ERR_UNSUPPORTED, "compressed relocations");
	if (s->entsize != *step_ret || s->data.len % *step_ret)
		return err_new(ERR_FORMAT, "%zu bytes of relocations of %ju bytes instead of %zu",
			       s->data.len, (uintmax_t)s->entsize, *step_ret);
	return NULL;
}

static struct err *start_run(const struct object *o, size_t index, struct reloc_symbols *syms,
			     struct run *r, size_t *step_ret)
{
	const struct object_section *s = &o->sections[index];

	TRY(check_table(o, s, &r->rela, step_ret));
	return read_symbols(o, s->link, syms);
}

struct err *reloc_apply(const struct object *o, size_t index, struct reloc_symbols *syms,
			uint8_t *data, size_t len)
{
	const struct object_section *s = &o->sections[index];
	struct run r = {
		.o = o,
		.relocs = s,
		.target = &o->sections[s->info],
		.machine = find_machine(o->machine),
		.syms = syms,
		.data = data,
		.len = len,
	};
	size_t step;

	if (s->data.len == 0)
		return NULL;
	if (!r.machine)
		return err_new(ERR_UNSUPPORTED, "section %zu ('%s'): relocations of machine %u",
			       index, s->name, o->machine);
	TRY(err_at(start_run(o, index, syms, &r, &step), "section %zu ('%s')", index, s->name));

	const uint8_t *p = s->data.ptr, *end = p + s->data.len;
	if (r.rela && o->addr_size == 8 && !o->swap && o->machine != EM_MIPS &&
	    o->machine != EM_SPARCV9)
		return apply_native(&r, p, end);
	return apply_any(&r, p, end, step);
}

void reloc_symbols_release(struct reloc_symbols *syms)
{
	free(syms->items);
	*syms = (struct reloc_symbols){ 0 };
}

struct err *reloc_read(const struct object *o, size_t index, struct reloc_entries *ret)
{
	const struct object_section *s = &o->sections[index];
	struct run r = { .o = o };
	size_t step;

	TRY(err_at(check_table(o, s, &r.rela, &step), "section %zu ('%s')", index, s->name));
	ret->nr = s->data.len / step;
	ret->items = mem_alloc(ret->nr * sizeof(ret->items[0]));
	for (size_t i = 0; i < ret->nr; i++)
		read_entry(&r, s->data.ptr + i * step, &ret->items[i]);
	return NULL;
}

void reloc_entries_release(struct reloc_entries *e)
{
	free(e->items);
	*e = (struct reloc_entries){ 0 };
}

unsigned int reloc_absolute_width(const struct object *o, uint32_t type)
{
	const struct machine *m = find_machine(o->machine);
	uint8_t op = m && type < m->nr ? m->ops[type] : 0;

	return op >> 4 == ACT_ABS ? op & 0xf : 0;
}
