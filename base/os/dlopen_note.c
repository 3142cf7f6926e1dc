/* SPDX-License-Identifier: GPL-2.0-only */
/* dlopen_note.c - see dlopen_note.h */
#include "base/os/dlopen_note.h"

#include "base/arena.h"

char *dlopen_functions(const char *soname, const struct dlopen_function *functions, size_t nr)
{
	void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): glibc keeps the text for each thread */
		return mem_strdup(dlerror());
	for (size_t i = 0; i < nr; i++) {
		if (dlopen_find(handle, functions[i].name, functions[i].ret))
			continue;
		dlclose(handle);
		return mem_printf("%s has no %s()", soname, functions[i].name);
	}
	return NULL;
}
