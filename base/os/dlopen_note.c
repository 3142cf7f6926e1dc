/* SPDX-License-Identifier: GPL-2.0-only */
/* dlopen_note.c - see dlopen_note.h */
#include "base/os/dlopen_note.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The reason why @l cannot be used, on the heap, or NULL. */
static char *load(const struct dlopen_library *l)
{
	void *handle = dlopen(l->soname, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): glibc keeps the text for each thread */
		return mem_strdup(dlerror());
	for (const struct dlopen_function *f = l->functions; f->name; f++) {
		void *symbol = dlsym(handle, f->name);

		if (!symbol)
			return mem_printf("%s has no %s()", l->soname, f->name);
		/* C does not convert a void * to a pointer to a function */
		memcpy(f->ret, &symbol, sizeof(symbol));
	}
	return NULL;
}

const char *dlopen_once(struct dlopen_library *l)
{
	pthread_mutex_lock(&lock);
	if (!l->loaded)
		l->failure = load(l);
	l->loaded = true;
	pthread_mutex_unlock(&lock);
	return l->failure;
}
