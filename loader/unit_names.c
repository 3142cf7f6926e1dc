/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_names.c - see unit_names.h
 *
 * Needed once for each unit and nothing else of it, so libdw does it.
 */
#include "loader/unit_names.h"

#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/vec.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void unit_names_release(struct unit_names *u)
{
	for (size_t i = 0; i < u->nr; i++)
		free(u->items[i]);
	free(u->items);
	*u = (struct unit_names){ 0 };
}

static void end_dwarf(Dwarf **dw)
{
	if (*dw)
		dwarf_end(*dw);
}

/* "fs/open.c" in "/build" is from "/build/fs/open.o"; @folder NULL if the name is whole. */
static char *object_of(const char *folder, const char *source)
{
	const char *base = strrchr(source, '/'), *dot = strrchr(base ? base : source, '.');
	int len = dot ? (int)(dot - source) : (int)strlen(source);

	if (folder)
		return mem_printf("%s/%.*s.o", folder, len, source);
	return mem_printf("%.*s.o", len, source);
}

static const char *attribute(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr(die, name, &attr));
}

static void add_unit(struct unit_names *u, Dwarf_Die *die)
{
	const char *source = attribute(die, DW_AT_name);
	const char *folder = attribute(die, DW_AT_comp_dir);

	if (!source)
		return;
	char *object = object_of(source[0] == '/' ? NULL : folder, source);
	if (u->nr && !strcmp(u->items[u->nr - 1], object))
		free(object); /* an object may have several */
	else
		vec_push(u, object);
}

struct err *unit_names_read(const char *path, struct unit_names *ret)
{
	CLEANUP(unit_names_release) struct unit_names u = { 0 };
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	Dwarf_Half version;
	int more;

	if (fd < 0)
		return err_sys(errno, "'%s'", path);
	CLEANUP(end_dwarf) Dwarf *dw = dwarf_begin(fd, DWARF_C_READ);
	if (!dw)
		return NULL;
	while (!(more = dwarf_get_units(dw, cu, &cu, &version, &type, &die, NULL))) {
		if (type == DW_UT_compile || type == DW_UT_partial)
			add_unit(&u, &die);
	}
	if (more < 0)
		return err_new(ERR_FORMAT, "'%s': .debug_info: %s", path, dwarf_errmsg(-1));
	*ret = TAKE(u);
	return NULL;
}
