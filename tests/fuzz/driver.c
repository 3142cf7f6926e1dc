/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * driver.c - runs a fuzz target over files, where libFuzzer is not linked
 *
 * Each argument is a file, or a folder whose files are taken (not those of folders in
 * it). So every input that once broke something is an ordinary test, with any compiler.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static size_t nr_run;

static void run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t len = 0, cap = 0, got;

	if (!f) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	do {
		cap += 65536;
		data = realloc(data, cap);
		if (!data)
			abort();
		got = fread(data + len, 1, cap - len, f);
		len += got;
	} while (got);
	fclose(f);

	/* of exactly that size, so that a sanitizer sees each byte too far */
	uint8_t *exact = malloc(len ? len : 1);
	if (!exact)
		abort();
	for (size_t i = 0; i < len; i++)
		exact[i] = data[i];
	free(data);
	LLVMFuzzerTestOneInput(exact, len);
	free(exact);
	nr_run++;
}

static void run_folder(const char *path)
{
	DIR *dir = opendir(path);
	char name[4096];

	if (!dir) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		run_file(name);
	}
	closedir(dir);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct stat st;

		if (!stat(argv[i], &st) && S_ISDIR(st.st_mode))
			run_folder(argv[i]);
		else
			run_file(argv[i]);
	}
	printf("%zu inputs\n", nr_run);
	/* no input means that the corpus was not found */
	return nr_run ? EXIT_SUCCESS : EXIT_FAILURE;
}
