/* SPDX-License-Identifier: GPL-2.0-only */
/* libdw.c - see libdw.h */
#include "loader/elf/libdw.h"

#ifdef BTFENC_STATIC

#include <errno.h>

/*
 * In place of the functions of libdw.a that load libdebuginfod.so: that needs the libc.so of the system, and
 * two versions of glibc in one process crash. libdw has the same functions if it is built without debuginfod.
 */
int __libdwfl_debuginfod_find_executable(Dwfl *dwfl, const unsigned char *build_id, size_t len);
int __libdwfl_debuginfod_find_debuginfo(Dwfl *dwfl, const unsigned char *build_id, size_t len);
void __libdwfl_debuginfod_end(void *client);

int __libdwfl_debuginfod_find_executable(Dwfl *dwfl UNUSED, const unsigned char *build_id UNUSED,
					 size_t len UNUSED)
{
	return -ENOSYS;
}

int __libdwfl_debuginfod_find_debuginfo(Dwfl *dwfl UNUSED, const unsigned char *build_id UNUSED,
					size_t len UNUSED)
{
	return -ENOSYS;
}

void __libdwfl_debuginfod_end(void *client UNUSED)
{
}

struct err *libdw_load(const struct libdw **ret)
{
	static const struct libdw lib = { dwfl_begin, dwfl_report_module,
					  dwfl_module_report_build_id, dwfl_standard_find_debuginfo,
					  dwfl_end };

	*ret = &lib;
	return NULL;
}

#else

#include "base/os/dlopen_note.h"

#define LIBRARY "libdw.so.1"

DLOPEN_NOTE(LIBRARY, debuginfo, "Find separate debug files");

static struct libdw lib;

static const struct dlopen_function functions[] = {
	{ "dwfl_begin", &lib.begin },
	{ "dwfl_report_module", &lib.report_module },
	{ "dwfl_module_report_build_id", &lib.report_build_id },
	{ "dwfl_standard_find_debuginfo", &lib.find_debuginfo },
	{ "dwfl_end", &lib.end },
	{ NULL, NULL },
};

static struct dlopen_library library = { .soname = LIBRARY, .functions = functions };

struct err *libdw_load(const struct libdw **ret)
{
	const char *failure = dlopen_once(&library);

	if (failure)
		return err_new(ERR_UNSUPPORTED, "libdw is needed to find it: %s", failure);
	*ret = &lib;
	return NULL;
}

#endif
