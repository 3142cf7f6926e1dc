/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folder.h - a temporary folder, which the program removes at its end, and whole files in it
 */
#ifndef BTFENC_TESTS_FOLDER_H
#define BTFENC_TESTS_FOLDER_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Its path. */
extern char scratch[64];

/* Create an empty folder and make it the working directory. */
void fresh_folder(void);

/* A test in an empty folder. */
#define TEST_IN_FOLDER(name_)                \
	static void IN_FOLDER_##name_(void); \
	TEST(name_)                          \
	{                                    \
		fresh_folder();              \
		IN_FOLDER_##name_();         \
	}                                    \
	static void IN_FOLDER_##name_(void)

/*
 * Run @body in a child that cannot make files larger than @limit, and return its status. The write
 * that exceeds the limit kills the child if @deadly, and fails otherwise.
 */
int in_child(size_t limit, bool deadly, int (*body)(void));

size_t count_files(void);

struct bytes read_whole(const char *path);

static inline void free_bytes(struct bytes *b)
{
	free((void *)b->ptr);
}

void write_whole(const char *path, struct bytes b);

void check_same_file(const char *path, struct bytes want);

struct stat stat_of(const char *path);

#endif
