/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * image.c - map an ELF file and give its sections addresses
 *
 * header_tables.h checks every header and section against the length of the file, so the rest of the
 * program uses struct object_section without further checks.
 *
 * A relocatable file has no addresses, but DWARF needs them. pahole reads DWARF with libdwfl, which
 * lays out the sections by its own rule. The rule decides which variable is in which section, and
 * which function is at address 0, so lay_out_sections() does the same.
 */
#include "loader/elf/image.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/os/mapped_file.h"
#include "loader/elf/header_tables.h"
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

/*
 * Linux allows 65,530 mappings (vm.max_map_count), including those of malloc(), and a program may have
 * more objects. Further files are copied.
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
 * File names come from the contents of files, too: opening a device may have side effects, and opening a
 * FIFO may block.
 */
static struct err *check_regular(const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return err_sys(EISDIR, "cannot read");
	if (!S_ISREG(st->st_mode))
		return err_new(ERR_IO, "cannot read: not a regular file");
	return NULL;
}

static size_t round_to_page(size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (len + page - 1) / page * page;
}

static void use_archive(const struct file_ref *file, struct object_impl *impl)
{
	impl->borrowed = true;
	impl->map = (uint8_t *)(uintptr_t)file->archive.ptr + file->offset;
	impl->map_len = (size_t)file->len;
	impl->readable = round_to_page(file->archive.len) - (size_t)file->offset;
	impl->before = file->offset < PAGES_AROUND ? (size_t)file->offset : PAGES_AROUND;
}

static struct err *map_file(const struct file_ref *file, struct object_impl *impl)
{
	CLEANUP(file_close) int fd = -1;
	struct stat st;

	if (stat(file->path, &st) < 0)
		return err_sys(errno, "cannot open");
	TRY(check_regular(&st));
	fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(errno, "cannot open");
	TRY(check_regular(&st));
	if ((uint64_t)st.st_size > PTRDIFF_MAX)
		return err_new(ERR_IO, "cannot map: %jd bytes are too many", (intmax_t)st.st_size);

	size_t len = (size_t)st.st_size;
	if (!len)
		return file->ar ? NULL : err_new(ERR_FORMAT, "not an ELF file: empty");
	if (atomic_load(&nr_mapped) >= MAX_MAPPED)
		return copy_file(fd, len, impl);

	void *map = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return err_sys(errno, "cannot map");
	atomic_fetch_add(&nr_mapped, 1);
	impl->map = map;
	impl->map_len = len;
	impl->readable = round_to_page(len);
	return NULL;
}

static void unmap(struct object_impl *impl)
{
	if (impl->is_copy) {
		free(impl->map);
	} else if (impl->borrowed) {
		pages_give_back(impl->map - impl->before, impl->before + impl->map_len);
	} else if (impl->map) {
		munmap(impl->map, impl->map_len);
		atomic_fetch_sub(&nr_mapped, 1);
	}
}

/* Replace a compressed file by its decompressed contents. */
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

static void fill_section(const struct header_tables *t, size_t i, struct object_section *ret)
{
	const GElf_Shdr *s = &t->sections[i];

	*ret = (struct object_section){
		.name = section_name(t, i),
		.type = s->sh_type,
		.flags = s->sh_flags,
		.addr = s->sh_addr,
		.debug_addr = s->sh_addr,
		.size = s->sh_size,
		.align = s->sh_addralign,
		.entsize = s->sh_entsize,
		.link = s->sh_link,
		.info = s->sh_info,
		.data = section_bytes(t, i),
	};
}

/* The lowest address of a segment that is loaded. */
static uint64_t load_address(const struct header_tables *t)
{
	uint64_t lowest = UINT64_MAX;
	GElf_Phdr segment;

	for (int i = 0; gelf_getphdr(t->elf, i, &segment); i++) {
		if (segment.p_type == PT_LOAD && segment.p_vaddr < lowest)
			lowest = segment.p_vaddr;
	}
	return lowest == UINT64_MAX ? 0 : lowest;
}

static struct err *fill_sections(struct object *o)
{
	CLEANUP(header_tables_release) struct header_tables t = { 0 };

	TRY(header_tables_read((struct bytes){ o->impl->map, o->impl->map_len }, &t));
	o->addr_size = t.addr_size;
	o->swap = t.swap;
	o->is_rel = t.ehdr.e_type == ET_REL;
	o->machine = t.ehdr.e_machine;
	o->load_addr = load_address(&t);
	o->sections = mem_zalloc(t.nr_sections, sizeof(o->sections[0]));
	o->nr_sections = t.nr_sections;
	for (size_t i = 1; i < t.nr_sections; i++)
		fill_section(&t, i, &o->sections[i]);
	/* its fields hold what does not fit into the ELF header */
	if (t.nr_sections)
		o->sections[0] = (struct object_section){ .name = section_name(&t, 0) };
	return NULL;
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

/* Lay the loaded sections up to @last out one after the other from @base; returns where they end. */
static uint64_t lay_out_again(struct object *o, size_t last, uint64_t base)
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
 * lays out itself, unless padding is needed there: "ld -r" leaves an address on the section
 * __patchable_function_entries of a module. (0.196 ignores these addresses.) An alignment
 * larger than all before starts over from a base that has it, at most once for each power
 * of two.
 */
static struct err *lay_out_sections(struct object *o)
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
			end = lay_out_again(o, i, base);
			continue;
		}
		s->debug_addr = next;
		end = next + s->size;
	}
	return NULL;
}

void object_drop_sections(struct object *o)
{
	free(o->sections);
	o->sections = NULL;
	o->nr_sections = 0;
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
	FREE_ALL(o->impl, o->sections, o->path);
	*o = (struct object){ 0 };
}

static struct err *open_image(const struct file_ref *file, struct object *o)
{
	o->path = mem_strdup(file->name);
	o->impl = mem_zalloc(1, sizeof(*o->impl));
	if (file->archive.len)
		use_archive(file, o->impl);
	else
		TRY(map_file(file, o->impl));
	TRY(unpack_file(o->impl));
	if (file->ar &&
	    (o->impl->map_len < SELFMAG || memcmp(o->impl->map, ELFMAG, SELFMAG) != 0)) {
		o->is_rel = true;
		o->addr_size = 8;
		return NULL;
	}
	TRY(fill_sections(o));
	return o->is_rel ? lay_out_sections(o) : NULL;
}

struct err *object_open_ref(const struct file_ref *file, struct object *ret)
{
	CLEANUP(image_close) struct object o = { 0 };

	TRY(err_at(open_image(file, &o), "'%s'", file->name));
	*ret = TAKE(o);
	return NULL;
}

struct err *object_open_bare(const char *path, struct object *ret)
{
	const struct file_ref file = file_ref_of(path);

	return object_open_ref(&file, ret);
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
