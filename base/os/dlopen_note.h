/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dlopen_note.h - a library that the program loads while it runs: the note for packagers, and its functions
 *
 * The note is the one that the UAPI group specifies as "ELF dlopen metadata". Packaging tools
 * make a dependency of it: dlopen() leaves no trace in the dynamic section.
 */
#ifndef BTFENC_BASE_OS_DLOPEN_NOTE_H
#define BTFENC_BASE_OS_DLOPEN_NOTE_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

enum { DLOPEN_NOTE_TYPE = 0x407c0c0a };

#ifdef __clang__
#define DLOPEN_NOTE_PLAIN_ no_sanitize("address"),
#else
#define DLOPEN_NOTE_PLAIN_
#endif

/* @soname_ is loaded for @feature_, which is described by @text_. At file scope, once for each library. */
#define DLOPEN_NOTE(soname_, feature_, text_)                                   \
	DLOPEN_NOTE_(feature_##_note,                                           \
		     "[{\"feature\":\"" #feature_ "\",\"description\":\"" text_ \
		     "\",\"priority\":\"recommended\",\"soname\":[\"" soname_ "\"]}]")
#define DLOPEN_NOTE_(variable_, json_)                                              \
	__attribute__((DLOPEN_NOTE_PLAIN_ used, section(".note.dlopen"))) _Alignas( \
		uint32_t) static const struct {                                     \
		uint32_t name_len, text_len, type;                                  \
		char name[4];                                                       \
		_Alignas(uint32_t) char text[sizeof(json_)];                        \
	} variable_ = { sizeof("FDO"), sizeof(json_), DLOPEN_NOTE_TYPE, "FDO", json_ }

/* A function of a library, and the pointer to a function that is to be set to it. */
struct dlopen_function {
	const char *name;
	void *ret;
};

/* A library that is loaded once. @functions end with a name of NULL. */
struct dlopen_library {
	const char *soname;
	const struct dlopen_function *functions;
	bool loaded;   /* the rest is private */
	char *failure; /* NULL: the pointers are set */
};

/*
 * Load @l at the first call. Returns NULL, or the reason why it cannot be used; the pointers are then
 * undefined. Any thread. Without BTFENC_STATIC only.
 */
const char *dlopen_once(struct dlopen_library *l);

#endif
