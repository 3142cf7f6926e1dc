/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * image.c - map an ELF file, read its section table, give sections addresses
 *
 * Both classes and both byte orders. Nothing in the file is trusted: each header and
 * each section is checked against the length of the file before anybody sees it, so
 * that the rest of the program may use struct object_section without a second thought.
 *
 * A relocatable file has no addresses, but DWARF speaks in them. pahole reads DWARF
 * through libdwfl, which lays out the sections by a rule of its own, and which variable
 * is in which section and which function is "at 0" follow from it. place_sections() is
 * that rule.
 */
#include "loader/elf/image.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/os/pages.h"
#include "loader/elf/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where libdwfl puts the first section of the first relocatable file. */
static const uint64_t FIRST_ADDRESS = 0x10000;

/* What is needed of the ELF header and not kept. */
struct header {
	uint64_t shoff;
	uint16_t shentsize, shnum, shstrndx;
};

/*
 * Linux has room for 65,530 mappings (vm.max_map_count), those of malloc() included, and a program may
 * have more objects. What is open beyond these is copied.
 */
enum { MAX_MAPPED = 32 * 1024 };

static atomic_int nr_mapped;

static struct err *copy_file(int fd, size_t len, struct object_impl *impl)
{
	pages_keep_all();
	impl->is_copy = true;
	impl->map_len = len;
	impl->readable = len + OBJECT_PADDING;
	impl->map = mem_zalloc(1, impl->readable);
	return file_read_at(fd, 0, impl->map, len);
}

/*
 * Other files are named by what stands in files: to open a device may do anything, to open a FIFO may
 * take for ever.
 */
static struct err *check_regular(const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return err_sys(EISDIR, "cannot read");
	if (!S_ISREG(st->st_mode))
		return err_new(ERR_IO, "cannot read: not a regular file");
	return NULL;
}

static struct err *map_file(const char *path, struct object_impl *impl)
{
	CLEANUP(file_close) int fd = -1;
	struct stat st;

	if (stat(path, &st) < 0)
		return err_sys(errno, "cannot open");
	TRY(check_regular(&st));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(errno, "cannot open");
	TRY(check_regular(&st));
	if (st.st_size == 0)
		return err_new(ERR_FORMAT, "not an ELF file: empty");
	if ((uint64_t)st.st_size > PTRDIFF_MAX)
		return err_new(ERR_IO, "cannot map: %jd bytes are too many", (intmax_t)st.st_size);

	size_t len = (size_t)st.st_size;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (atomic_load(&nr_mapped) >= MAX_MAPPED)
		return copy_file(fd, len, impl);

	void *map = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return err_sys(errno, "cannot map");
	atomic_fetch_add(&nr_mapped, 1);
	impl->map = map;
	impl->map_len = len;
	impl->readable = (len + page - 1) / page * page;
	return NULL;
}

static void unmap(struct object_impl *impl)
{
	if (impl->is_copy) {
		free(impl->map);
	} else if (impl->map) {
		munmap(impl->map, impl->map_len);
		atomic_fetch_sub(&nr_mapped, 1);
	}
}

/* Put what is compressed in the file in its place. */
static struct err *unpack_file(struct object_impl *impl)
{
	struct bytes file = { impl->map, impl->map_len };
	struct object_impl whole = { .is_copy = true, .packed_len = file.len };

	if (unpack_packing(file) == PACKING_NONE)
		return NULL;
	TRY(unpack(file, OBJECT_PADDING, &whole.map, &whole.map_len));
	pages_keep_all();
	whole.readable = whole.map_len + OBJECT_PADDING;
	unmap(impl);
	*impl = whole;
	return NULL;
}

/* What pahole reads and we do not deserves a better answer. */
static struct err *no_elf_file(struct bytes file)
{
	static const struct {
		const char *magic;
		uint8_t len;
		const char *what;
	} known[] = {
		{ "!<arch>\n", 8, "an archive of ar; name the objects in it" },
		{ "!<thin>\n", 8, "an archive of ar; name the objects in it" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (file.len >= known[i].len && !memcmp(file.ptr, known[i].magic, known[i].len))
			return err_new(ERR_FORMAT, "not an ELF file but %s", known[i].what);
	}
	return err_new(ERR_FORMAT, "not an ELF file");
}

static struct err *read_header(struct object *o, struct bytes file, struct header *ret)
{
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	if (file.len < EI_NIDENT || memcmp(file.ptr, ELFMAG, SELFMAG) != 0)
		return no_elf_file(file);
	uint8_t class = file.ptr[EI_CLASS], data = file.ptr[EI_DATA];
	if (class != ELFCLASS32 && class != ELFCLASS64)
		return err_new(ERR_FORMAT, "ELF class %u instead of 1 or 2", class);
	if (data != ELFDATA2LSB && data != ELFDATA2MSB)
		return err_new(ERR_FORMAT, "ELF byte order %u instead of 1 or 2", data);
	o->addr_size = class == ELFCLASS64 ? 8 : 4;
	o->swap = (data == ELFDATA2MSB) != big;

	size_t want = class == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	if (file.len < want)
		return err_new(ERR_FORMAT, "file ends in the ELF header, after %zu of %zu bytes",
			       file.len, want);

	const uint8_t *p = file.ptr;
	o->is_rel = image_u16(o, p + offsetof(Elf64_Ehdr, e_type)) == ET_REL;
	o->machine = image_u16(o, p + offsetof(Elf64_Ehdr, e_machine));
	if (class == ELFCLASS64)
		*ret = (struct header){
			.shoff = image_u64(o, p + offsetof(Elf64_Ehdr, e_shoff)),
			.shentsize = image_u16(o, p + offsetof(Elf64_Ehdr, e_shentsize)),
			.shnum = image_u16(o, p + offsetof(Elf64_Ehdr, e_shnum)),
			.shstrndx = image_u16(o, p + offsetof(Elf64_Ehdr, e_shstrndx)),
		};
	else
		*ret = (struct header){
			.shoff = image_u32(o, p + offsetof(Elf32_Ehdr, e_shoff)),
			.shentsize = image_u16(o, p + offsetof(Elf32_Ehdr, e_shentsize)),
			.shnum = image_u16(o, p + offsetof(Elf32_Ehdr, e_shnum)),
			.shstrndx = image_u16(o, p + offsetof(Elf32_Ehdr, e_shstrndx)),
		};
	return NULL;
}

/* Elf32_Shdr has the same fields in the same order, all of them words. */
static Elf64_Shdr read_shdr(const struct object *o, const uint8_t *p)
{
	if (o->addr_size == 8)
		return (Elf64_Shdr){
			.sh_name = image_u32(o, p + offsetof(Elf64_Shdr, sh_name)),
			.sh_type = image_u32(o, p + offsetof(Elf64_Shdr, sh_type)),
			.sh_flags = image_u64(o, p + offsetof(Elf64_Shdr, sh_flags)),
			.sh_addr = image_u64(o, p + offsetof(Elf64_Shdr, sh_addr)),
			.sh_offset = image_u64(o, p + offsetof(Elf64_Shdr, sh_offset)),
			.sh_size = image_u64(o, p + offsetof(Elf64_Shdr, sh_size)),
			.sh_link = image_u32(o, p + offsetof(Elf64_Shdr, sh_link)),
			.sh_info = image_u32(o, p + offsetof(Elf64_Shdr, sh_info)),
			.sh_addralign = image_u64(o, p + offsetof(Elf64_Shdr, sh_addralign)),
			.sh_entsize = image_u64(o, p + offsetof(Elf64_Shdr, sh_entsize)),
		};
	return (Elf64_Shdr){
		.sh_name = image_u32(o, p + offsetof(Elf32_Shdr, sh_name)),
		.sh_type = image_u32(o, p + offsetof(Elf32_Shdr, sh_type)),
		.sh_flags = image_u32(o, p + offsetof(Elf32_Shdr, sh_flags)),
		.sh_addr = image_u32(o, p + offsetof(Elf32_Shdr, sh_addr)),
		.sh_offset = image_u32(o, p + offsetof(Elf32_Shdr, sh_offset)),
		.sh_size = image_u32(o, p + offsetof(Elf32_Shdr, sh_size)),
		.sh_link = image_u32(o, p + offsetof(Elf32_Shdr, sh_link)),
		.sh_info = image_u32(o, p + offsetof(Elf32_Shdr, sh_info)),
		.sh_addralign = image_u32(o, p + offsetof(Elf32_Shdr, sh_addralign)),
		.sh_entsize = image_u32(o, p + offsetof(Elf32_Shdr, sh_entsize)),
	};
}

static struct err *read_section(size_t index, struct bytes file, const Elf64_Shdr *sh,
				struct object_section *ret)
{
	*ret = (struct object_section){
		.name = "",
		.type = sh->sh_type,
		.flags = sh->sh_flags,
		.addr = sh->sh_addr,
		.debug_addr = sh->sh_addr,
		.size = sh->sh_size,
		.align = sh->sh_addralign,
		.entsize = sh->sh_entsize,
		.link = sh->sh_link,
		.info = sh->sh_info,
	};
	if (sh->sh_type == SHT_NOBITS || sh->sh_type == SHT_NULL || sh->sh_size == 0)
		return NULL;
	if (!bytes_have(file, sh->sh_offset, sh->sh_size))
		return err_new(
			ERR_FORMAT,
			"section %zu: %#jx bytes at %#jx lie outside of the file of %#zx bytes",
			index, (uintmax_t)sh->sh_size, (uintmax_t)sh->sh_offset, file.len);
	ret->data = (struct bytes){ file.ptr + sh->sh_offset, (size_t)sh->sh_size };
	return NULL;
}

/* Section 0 says what does not fit into the header (System V gABI, "Sections"). */
static struct err *count_sections(const struct object *o, struct bytes file, const struct header *h,
				  uint64_t *nr_ret, uint32_t *names_ret)
{
	size_t want = o->addr_size == 8 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	*nr_ret = 0;
	*names_ret = 0;
	if (h->shoff == 0)
		return NULL;
	if (h->shentsize != want)
		return err_new(ERR_FORMAT, "section headers of %u bytes instead of %zu",
			       h->shentsize, want);
	if (!bytes_have(file, h->shoff, want))
		return err_new(ERR_FORMAT, "section table at %#jx lies outside of the file",
			       (uintmax_t)h->shoff);

	Elf64_Shdr first = read_shdr(o, file.ptr + h->shoff);
	*nr_ret = h->shnum ? h->shnum : first.sh_size;
	*names_ret = h->shstrndx == SHN_XINDEX ? first.sh_link : h->shstrndx;
	if (*nr_ret > (file.len - h->shoff) / want)
		return err_new(ERR_FORMAT, "%ju section headers at %#jx lie outside of the file",
			       (uintmax_t)*nr_ret, (uintmax_t)h->shoff);
	return NULL;
}

static struct err *name_sections(struct object *o, struct bytes file, const struct header *h,
				 uint32_t names)
{
	if (names == SHN_UNDEF)
		return NULL;
	if (names >= o->nr_sections)
		return err_new(ERR_FORMAT, "section names are in section %u of %zu", names,
			       o->nr_sections);

	struct bytes table = o->sections[names].data;
	size_t last = 0;
	bool any = image_last_string(table, &last);
	for (size_t i = 0; i < o->nr_sections; i++) {
		uint32_t name = image_u32(o, file.ptr + h->shoff + i * h->shentsize);

		if (!any || name > last)
			return err_new(ERR_FORMAT,
				       "section %zu: name at %#x of %#zx bytes of names", i, name,
				       table.len);
		o->sections[i].name = (const char *)table.ptr + name;
	}
	return NULL;
}

/*
 * Two sections may share bytes (a linker puts one table inside another), but many that share them
 * would make whoever reads them all read the file many times.
 */
static struct err *check_overlap(const struct object *o, struct bytes file)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < o->nr_sections; i++) {
		sum += o->sections[i].data.len;
		if (sum / 2 > file.len)
			return err_new(
				ERR_FORMAT,
				"the sections up to %zu have %#jx bytes in a file of %#zx: they overlap",
				i, (uintmax_t)sum, file.len);
	}
	return NULL;
}

static struct err *read_sections(struct object *o, struct bytes file, const struct header *h)
{
	uint64_t nr;
	uint32_t names;

	TRY(count_sections(o, file, h, &nr, &names));
	o->sections = mem_zalloc((size_t)nr, sizeof(o->sections[0]));
	o->nr_sections = (size_t)nr;
	for (size_t i = 0; i < o->nr_sections; i++) {
		Elf64_Shdr sh = read_shdr(o, file.ptr + h->shoff + i * h->shentsize);

		/* section 0 is none; its fields were used by count_sections() */
		if (i == 0)
			sh = (Elf64_Shdr){ .sh_type = SHT_NULL };
		TRY(read_section(i, file, &sh, &o->sections[i]));
	}
	TRY(check_overlap(o, file));
	return name_sections(o, file, h, names);
}

static uint64_t round_up(uint64_t addr, uint64_t align)
{
	return (addr + align - 1) & -align;
}

/* sh_addralign 0 means the same as 1. */
static uint64_t alignment(const struct object_section *s)
{
	return s->align ? s->align : 1;
}

/* Put the loaded sections up to @last end to end from @base; returns where they end. */
static uint64_t place_again(struct object *o, size_t last, uint64_t base)
{
	uint64_t end = base;

	for (size_t i = 0; i <= last; i++) {
		struct object_section *s = &o->sections[i];

		if (!(s->flags & SHF_ALLOC))
			continue;
		s->debug_addr = round_up(end, alignment(s));
		end = s->debug_addr + s->size;
	}
	return end;
}

/*
 * Lay the loaded sections of a relocatable file out as libdwfl of elfutils 0.188 to 0.192
 * does. It keeps an address that the file gives, even in the middle of sections that it
 * places itself, unless padding is needed there: "ld -r" leaves an address on the section
 * __patchable_function_entries of a module. (0.196 ignores these addresses.) An alignment
 * larger than all before starts over from a base that has it, at most once for each power
 * of two.
 */
static struct err *place_sections(struct object *o)
{
	uint64_t start = FIRST_ADDRESS, end = start, base = start;

	for (size_t i = 0; i < o->nr_sections; i++) {
		struct object_section *s = &o->sections[i];
		uint64_t align = alignment(s);

		if (!(s->flags & SHF_ALLOC))
			continue;
		if (align & (align - 1))
			return err_new(ERR_FORMAT,
				       "section %zu ('%s'): alignment %#jx is no power of two", i,
				       s->name, (uintmax_t)align);

		uint64_t next = round_up(end, align);
		if (s->addr != 0 && (end <= start || end == next)) {
			if (end < s->addr + s->size)
				end = s->addr + s->size;
			continue;
		}
		if (end == base) {
			start = base = next;
		} else if (base & (align - 1)) {
			start = base = round_up(base, align);
			end = place_again(o, i, base);
			continue;
		}
		s->debug_addr = next;
		end = next + s->size;
	}
	return NULL;
}

void image_close(struct object *o)
{
	if (o->impl) {
		for (size_t i = 0; i < NR_DEBUG_SECTIONS; i++)
			free(o->impl->copies[i]);
		reloc_table_release(&o->impl->info_relocs);
		unmap(o->impl);
	}
	if (o->impl)
		free(o->impl->refused_debug);
	free(o->impl);
	free(o->sections);
	free(o->path);
	*o = (struct object){ 0 };
}

static struct err *open_image(const char *path, struct object *o)
{
	struct header h = { 0 };

	o->path = mem_strdup(path);
	o->impl = mem_zalloc(1, sizeof(*o->impl));
	TRY(map_file(path, o->impl));
	TRY(unpack_file(o->impl));

	struct bytes file = { o->impl->map, o->impl->map_len };
	TRY(read_header(o, file, &h));
	TRY(read_sections(o, file, &h));
	return o->is_rel ? place_sections(o) : NULL;
}

struct err *image_open(const char *path, struct object *ret)
{
	CLEANUP(image_close) struct object o = { 0 };

	TRY(err_at(open_image(path, &o), "'%s'", path));
	*ret = TAKE(o);
	return NULL;
}

const struct object_section *object_section(const struct object *o, const char *name)
{
	for (size_t i = 1; i < o->nr_sections; i++)
		if (strcmp(o->sections[i].name, name) == 0)
			return &o->sections[i];
	return NULL;
}

struct err *image_symtab(const struct object *o, size_t index, struct image_symtab *ret)
{
	const struct object_section *s = &o->sections[index];
	size_t size = image_symbol_size(o);

	if (s->entsize != size)
		return err_new(ERR_FORMAT,
			       "section %zu ('%s'): symbols of %ju bytes instead of %zu", index,
			       s->name, (uintmax_t)s->entsize, size);

	*ret = (struct image_symtab){ .data = s->data, .nr = s->data.len / size };
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *x = &o->sections[i];

		if (x->type != SHT_SYMTAB_SHNDX || x->link != index)
			continue;
		if (x->data.len / sizeof(uint32_t) < ret->nr)
			return err_new(
				ERR_FORMAT,
				"section %zu ('%s'): %zu bytes for the sections of %zu symbols", i,
				x->name, x->data.len, ret->nr);
		ret->shndx = x->data;
		break;
	}
	return NULL;
}
