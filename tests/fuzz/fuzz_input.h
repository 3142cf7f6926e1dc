/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_input.h - an input cut into numbers and sections */
#ifndef BTFENC_TESTS_FUZZ_INPUT_H
#define BTFENC_TESTS_FUZZ_INPUT_H

#include "loader/elf/object.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The rest of the input; after its end it gives zeros. */
struct fuzz_input {
	const uint8_t *p;
	size_t left;
};

static inline uint32_t fuzz_byte(struct fuzz_input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

static inline uint32_t fuzz_u16(struct fuzz_input *in)
{
	uint32_t low = fuzz_byte(in);

	return low | fuzz_byte(in) << 8;
}

/*
 * Up to @len bytes, in memory of their own that promises no more than object.h does of a
 * section: a few bytes behind it can be read, and hold nonsense, or zeros behind strings.
 */
static inline struct bytes fuzz_section(struct fuzz_input *in, size_t len, bool strings)
{
	if (len > in->left)
		len = in->left;

	uint8_t *copy = malloc(len + OBJECT_PADDING);
	if (!copy)
		abort();
	if (len)
		memcpy(copy, in->p, len);
	memset(copy + len, strings ? 0 : 0xa5, OBJECT_PADDING);
	in->p += len;
	in->left -= len;
	return (struct bytes){ copy, len };
}

/* All debug sections of @obj: eight bytes of lengths come first, .debug_info gets the rest. */
static inline void fuzz_debug_sections(struct fuzz_input *in, struct object *obj)
{
	static const enum debug_section order[] = { DEBUG_ABBREV,      DEBUG_STR,  DEBUG_LINE_STR,
						    DEBUG_STR_OFFSETS, DEBUG_ADDR, DEBUG_LOC,
						    DEBUG_LOCLISTS };
	size_t len[ARRAY_SIZE(order)];

	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		len[i] = i < 2 ? fuzz_u16(in) : fuzz_byte(in);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		obj->debug[order[i]] = fuzz_section(in, len[i],
						    order[i] == DEBUG_STR ||
							    order[i] == DEBUG_LINE_STR);
	obj->debug[DEBUG_INFO] = fuzz_section(in, in->left, false);
}

static inline void fuzz_release_sections(struct object *obj)
{
	for (size_t i = 0; i < NR_DEBUG_SECTIONS; i++)
		free((void *)(uintptr_t)obj->debug[i].ptr);
}

/* A file in memory with these bytes, to be closed; its name is put into @path. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[32])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size))
		abort();
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
