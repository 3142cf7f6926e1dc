/* SPDX-License-Identifier: GPL-2.0-only */
/* debug_file.c - see debug_file.h */
#include "loader/elf/debug_file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "loader/elf/image.h"
#include "loader/elf/libdw.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* The build id among the notes of @data, which are padded to @align. */
static struct bytes find_build_id(const struct object *o, struct bytes data, uint64_t align)
{
	uint64_t mask = align == 8 ? 7 : 3;

	for (uint64_t pos = 0; bytes_have(data, pos, sizeof(Elf64_Nhdr));) {
		const uint8_t *p = data.ptr + pos;
		uint64_t name_len = image_u32(o, p), desc_len = image_u32(o, p + 4);
		uint32_t type = image_u32(o, p + 8);
		uint64_t name = pos + sizeof(Elf64_Nhdr);
		uint64_t desc = (name + name_len + mask) & ~mask;

		if (!bytes_have(data, desc, desc_len))
			break;
		if (type == NT_GNU_BUILD_ID && name_len == sizeof("GNU") &&
		    memcmp(data.ptr + name, "GNU", sizeof("GNU")) == 0)
			return (struct bytes){ data.ptr + desc, (size_t)desc_len };
		pos = (desc + desc_len + mask) & ~mask;
	}
	return (struct bytes){ 0 };
}

struct bytes debug_file_build_id(const struct object *o)
{
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (s->type != SHT_NOTE || !s->data.len)
			continue;
		struct bytes id = find_build_id(o, s->data, s->align);
		if (id.len >= DEBUG_FILE_ID_MIN && id.len <= DEBUG_FILE_ID_MAX)
			return id;
	}
	return (struct bytes){ 0 };
}

/* A name, zeros up to a multiple of 4, the checksum of the whole debug file. */
static const char *debug_link(const struct object *o, uint32_t *crc_ret)
{
	const struct object_section *s = object_section(o, ".gnu_debuglink");

	if (!s || !s->data.len)
		return NULL;
	const char *name = (const char *)s->data.ptr;
	size_t len = strnlen(name, s->data.len);
	size_t crc = (len + 4) & ~(size_t)3;

	if (len == 0 || strchr(name, '/') || !bytes_have(s->data, crc, sizeof(*crc_ret)))
		return NULL;
	*crc_ret = image_u32(o, s->data.ptr + crc);
	return name;
}

bool debug_file_is_same(const struct object *a, const struct object *b)
{
	struct stat x, y;

	return stat(a->path, &x) == 0 && stat(b->path, &y) == 0 && file_is_same(&x, &y);
}

/* By the rule of libdw: if @main has a build id, only that counts. NULL if @debug belongs to @main. */
static struct err *check_pair(const struct object *main, const struct object *debug, uint32_t crc)
{
	struct bytes a = debug_file_build_id(main), b = debug_file_build_id(debug);

	if (main->machine != debug->machine || main->addr_size != debug->addr_size ||
	    main->swap != debug->swap || main->is_rel != debug->is_rel)
		return err_new(ERR_FORMAT, "it is for another machine or another type of file");
	if (a.len && (a.len != b.len || memcmp(a.ptr, b.ptr, a.len) != 0))
		return err_new(ERR_FORMAT, b.len ? "its build id differs" : "it has no build id");

	uint32_t its = (uint32_t)crc32_z(0, debug->impl->map, debug->impl->map_len);
	if (a.len || its == crc)
		return NULL;
	return err_new(ERR_FORMAT, "its checksum is %#x, .gnu_debuglink says %#x", its, crc);
}

/*
 * Stripping may have renumbered the sections, but not reordered those that are loaded:
 * the n-th of them here is the n-th there (libdwfl relies on the same).
 */
static void share_addresses(const struct object *main, struct object *debug)
{
	size_t from = 0;

	for (size_t i = 0; i < debug->nr_sections; i++) {
		struct object_section *s = &debug->sections[i];

		if (!(s->flags & SHF_ALLOC))
			continue;
		while (from < main->nr_sections && !(main->sections[from].flags & SHF_ALLOC))
			from++;
		if (from == main->nr_sections)
			return;
		s->debug_addr = main->sections[from++].debug_addr;
	}
}

/* libdw asks for the addresses of sections where it reads the build id of a relocatable file. */
static int no_address(Dwfl_Module *mod UNUSED, void **userdata UNUSED, const char *name UNUSED,
		      Dwarf_Addr base UNUSED, const char *section UNUSED, GElf_Word index UNUSED,
		      const GElf_Shdr *header UNUSED, Dwarf_Addr *ret)
{
	*ret = 0;
	return 0;
}

/*
 * Ask libdw where the debug file of @main is. *ret is NULL if there is none. libdw gets the build id,
 * not the file: it would lay out the sections of a relocatable file. @main_path: NULL to ask only by the build id.
 */
static struct err *find_path(const struct object *main, const char *main_path, const char *link,
			     uint32_t crc, char **ret)
{
	static const Dwfl_Callbacks callbacks = { .section_address = no_address };
	struct bytes id = debug_file_build_id(main);
	const struct libdw *lib = NULL;
	char *name = NULL;
	void *unused = NULL;

	*ret = NULL;
	TRY(libdw_load(&lib));

	Dwfl *dwfl = lib->begin(&callbacks);
	Dwfl_Module *mod = lib->report_module(dwfl, "", 0, 1);
	if (!mod || (id.len && lib->report_build_id(mod, id.ptr, id.len, 0) != 0))
		mem_die();
	CLEANUP(file_close) int fd = lib->find_debuginfo(mod, &unused, "", 0, main_path, link, crc,
							 &name);
	if (fd >= 0) {
		/* libdw names no file that it got from debuginfod */
		CLEANUP(mem_free_text) char *self = mem_printf("/proc/self/fd/%d", fd);
		*ret = realpath(self, NULL);
	}
	/* elfutils 0.188 closes descriptor 0 here, which @fd may be */
	lib->end(dwfl);
	free(name);
	return NULL;
}

/* *ret_is_main if @path is @main itself; *ret is empty then. */
static struct err *open_debug_file(const struct object *main, const char *path, struct object *ret,
				   bool *ret_is_main)
{
	CLEANUP(image_close) struct object debug = { 0 };

	TRY(object_open_bare(path, &debug));
	*ret_is_main = debug_file_is_same(main, &debug);
	if (*ret_is_main)
		return NULL;
	if (main->is_rel)
		share_addresses(main, &debug);
	*ret = TAKE(debug);
	return NULL;
}

/* libdw does not tell which file it did not use: look where .gnu_debuglink leads. */
static struct err *explain_none(const struct object *main, const char *link, uint32_t crc)
{
	static const char *const formats[][2] = {
		{ "", "/" },
		{ "", "/.debug/" },
		{ "/usr/lib/debug", "/" },
	};
	CLEANUP(mem_free_text) char *dir = realpath(main->path, NULL);

	if (!dir)
		return NULL;
	*strrchr(dir, '/') = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		CLEANUP(mem_free_text) char *path = mem_printf("%s%s%s%s", formats[i][0], dir,
							       formats[i][1], link);
		CLEANUP(image_close) struct object debug = { 0 };

		if (access(path, F_OK) != 0)
			continue;
		TRY(object_open_bare(path, &debug));
		if (!debug_file_is_same(main, &debug))
			TRY(err_at(check_pair(main, &debug, crc), "'%s'", path));
	}
	return NULL;
}

static struct err *find(const struct object *main, struct object *ret)
{
	CLEANUP(mem_free_text) char *path = NULL;
	uint32_t crc = 0;
	const char *link = debug_link(main, &crc);

	bool is_main = false;

	/* objects of a build have neither, and loading libdw takes as long as encoding a small one */
	if (!link && !debug_file_build_id(main).len)
		return NULL;
	TRY(find_path(main, main->path, link, crc, &path));
	if (path)
		TRY(open_debug_file(main, path, ret, &is_main));
	else if (link)
		TRY(explain_none(main, link, crc));
	if (!is_main || link)
		return NULL;
	/* without a link, libdw takes @main by its name and asks no server */
	FREE_ALL(path);
	TRY(find_path(main, NULL, NULL, 0, &path));
	return path ? open_debug_file(main, path, ret, &is_main) : NULL;
}

struct object *debug_file_find(const struct object *main)
{
	struct object debug = { 0 };
	struct err *e = find(main, &debug);

	if (e && !main->impl->refused_debug)
		main->impl->refused_debug = mem_strdup(err_text(e));
	err_free(e);
	return debug.impl ? mem_dup(&debug, sizeof(debug)) : NULL;
}
