/* SPDX-License-Identifier: GPL-2.0-only */
/* debug_file.c - see debug_file.h */
#include "loader/elf/debug_file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "loader/elf/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#define DEBUG_ROOT "/usr/lib/debug"

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

	return stat(a->path, &x) == 0 && stat(b->path, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* NULL if @debug belongs to @main, else the reason. @crc: NULL if the build id must decide. */
static struct err *check_pair(const struct object *main, const struct object *debug,
			      const uint32_t *crc)
{
	struct bytes a = debug_file_build_id(main), b = debug_file_build_id(debug);

	if (main->machine != debug->machine || main->addr_size != debug->addr_size ||
	    main->swap != debug->swap || main->is_rel != debug->is_rel)
		return err_new(ERR_FORMAT, "it is for another machine or another type of file");
	if (a.len && b.len) {
		if (a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0)
			return NULL;
		return err_new(ERR_FORMAT, "its build id differs");
	}
	if (!crc)
		return err_new(ERR_FORMAT, "it has no build id");

	uint32_t its = (uint32_t)crc32_z(0, debug->impl->map, debug->impl->map_len);
	if (its == *crc)
		return NULL;
	return err_new(ERR_FORMAT, "its checksum is %#x, .gnu_debuglink says %#x", its, *crc);
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

/* Keep @why, which names the debug file, if it is the first reason. Frees it. */
static void refuse(const struct object *main, struct err *why)
{
	if (!main->impl->refused_debug)
		main->impl->refused_debug = mem_strdup(err_text(why));
	err_free(why);
}

static struct object *try_file(const struct object *main, const char *path, const uint32_t *crc)
{
	CLEANUP(image_close) struct object debug = { 0 };
	struct stat st;

	if (stat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return NULL;

	struct err *e = image_open(path, &debug);
	if (!e && debug_file_is_same(main, &debug))
		return NULL;
	if (!e)
		e = err_at(check_pair(main, &debug, crc), "'%s'", path);
	if (e) {
		refuse(main, e);
		return NULL;
	}
	if (main->is_rel)
		share_addresses(main, &debug);

	struct object *ret = mem_dup(&debug, sizeof(debug));
	debug = (struct object){ 0 };
	return ret;
}

static struct object *find_by_id(const struct object *main, struct bytes id)
{
	char hex[2 * DEBUG_FILE_ID_MAX + 1];

	for (size_t i = 0; i < id.len; i++)
		snprintf(hex + 2 * i, 3, "%02x", id.ptr[i]);
	CLEANUP(mem_free_text) char *path = mem_printf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex,
						       hex + 2);
	return try_file(main, path, NULL);
}

static struct object *find_by_link(const struct object *main, const char *name, uint32_t crc)
{
	CLEANUP(mem_free_text) char *real = realpath(main->path, NULL);

	if (!real)
		return NULL;
	*strrchr(real, '/') = '\0';

	static const char *const formats[][2] = {
		{ "", "/" },
		{ "", "/.debug/" },
		{ DEBUG_ROOT, "/" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		CLEANUP(mem_free_text) char *path = mem_printf("%s%s%s%s", formats[i][0], real,
							       formats[i][1], name);
		struct object *debug = try_file(main, path, &crc);

		if (debug)
			return debug;
	}
	return NULL;
}

struct object *debug_file_find(const struct object *main)
{
	struct bytes id = debug_file_build_id(main);
	struct object *debug = id.len ? find_by_id(main, id) : NULL;
	uint32_t crc = 0;
	const char *name = debug ? NULL : debug_link(main, &crc);

	return name ? find_by_link(main, name, crc) : debug;
}
