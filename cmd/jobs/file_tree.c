/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_tree.c - see file_tree.h
 *
 * Symbolic links in a directory are not followed: "build" in /lib/modules/6.12 leads to the whole source.
 */
#include "cmd/jobs/file_tree.h"

#include "base/cleanup.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_tree_is(const char *arg)
{
	return (arg[0] == '@' && arg[1]) || is_directory(arg);
}

static bool ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(s + len - n, end, n);
}

/* The length of @name without the suffix of a compressed file. */
static size_t plain_len(const char *name)
{
	static const char *const suffixes[] = { ".gz", ".xz", ".zst" };
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (ends_with(name, len, suffixes[i]))
			return len - strlen(suffixes[i]);
	}
	return len;
}

/* @skip: the length of the directory in the name. */
static void add_file(struct file_tree *t, const struct file_ref *file, size_t skip)
{
	const char *name = file->name + skip;

	vec_push(t, ((struct tree_file){ arena_strndup(&t->names, name, plain_len(name)), *file }));
}

/* --- a directory ------------------------------------------------------------------------- */

struct paths {
	char **items;
	size_t nr, cap;
};

static void paths_release(struct paths *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->items[i]);
	free(p->items);
}

static bool has_btf_name(const char *name)
{
	size_t len = plain_len(name);

	return ends_with(name, len, ".ko") || ends_with(name, len, ".btf");
}

/* Add an entry of directory @dir: a file, or a directory to be read. */
static void add_entry(struct file_tree *t, const char *dir, const char *entry, size_t skip,
		      struct paths *left)
{
	char *path = mem_printf("%s/%s", dir, entry);
	struct stat st;
	bool is_dir = lstat(path, &st) == 0 && S_ISDIR(st.st_mode);

	if (is_dir) {
		vec_push(left, path);
		return;
	}
	if (has_btf_name(entry) && S_ISREG(st.st_mode)) {
		const struct file_ref file = file_ref_of(
			arena_strndup(&t->names, path, strlen(path)));

		add_file(t, &file, skip);
	}
	free(path);
}

static struct err *read_directory(struct file_tree *t, const char *path, size_t skip,
				  struct paths *left)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;

	if (!dir)
		return err_sys(errno, "'%s'", path);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream has one user */
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			add_entry(t, path, entry->d_name, skip, left);
	}
	closedir(dir);
	return NULL;
}

static struct err *read_directories(struct file_tree *t, const char *top)
{
	CLEANUP(paths_release) struct paths left = { 0 };
	size_t len = strlen(top);

	while (len > 1 && top[len - 1] == '/')
		len--;
	vec_push(&left, mem_printf("%.*s", (int)len, top));
	while (left.nr) {
		CLEANUP(mem_free_text) char *path = left.items[--left.nr];

		TRY(read_directory(t, path, len + 1, &left));
	}
	return NULL;
}

/* --- a list ------------------------------------------------------------------------------ */

/* The length of the directory that all files are in, with the slash; 0: there is none. */
static size_t common_directory(const struct file_refs *l)
{
	const char *first = l->items[0].name;
	const char *slash = strrchr(first, '/');
	size_t len = slash ? (size_t)(slash - first) + 1 : 0;

	for (size_t i = 1; i < l->nr; i++) {
		while (len && strncmp(first, l->items[i].name, len) != 0) {
			len--;
			while (len && first[len - 1] != '/')
				len--;
		}
	}
	return len;
}

static int compare_files(const void *a, const void *b)
{
	const struct tree_file *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct err *file_tree_read(const char *arg, struct file_tree *ret)
{
	if (arg[0] == '@') {
		TRY(file_list_expand(&arg, 1, &ret->listed));
		for (size_t i = 0, skip = common_directory(&ret->listed); i < ret->listed.nr; i++)
			add_file(ret, &ret->listed.items[i], skip);
	} else {
		TRY(read_directories(ret, arg));
	}
	vec_sort(ret, compare_files);
	for (size_t i = 1; i < ret->nr; i++) {
		if (!compare_files(&ret->items[i - 1], &ret->items[i]))
			return err_new(ERR_FORMAT, "'%s' has '%s' twice", arg, ret->items[i].name);
	}
	if (!ret->nr)
		return err_new(ERR_FORMAT, "'%s' has no files '*.ko' or '*.btf'", arg);
	return NULL;
}

void file_tree_release(struct file_tree *t)
{
	free(t->items);
	arena_release(&t->names);
	file_refs_release(&t->listed);
	*t = (struct file_tree){ 0 };
}

/* --- several arguments ------------------------------------------------------------------- */

struct err *file_trees_find(const char *const *args, size_t nr, struct diagnostics *diags,
			    struct file_trees *ret)
{
	ret->trees = mem_zalloc(nr, sizeof(*ret->trees));
	ret->nr_trees = nr;
	for (size_t i = 0; i < nr; i++) {
		struct file_tree *t = &ret->trees[i];
		size_t others = 0; /* arguments from here on that are no directories */

		while (i + others < nr && !is_directory(args[i + others]))
			others++;
		if (others) {
			TRY(file_list_expand(args + i, others, &ret->files));
			i += others - 1;
			continue;
		}
		TRY(file_tree_read(args[i], t));
		for (size_t k = 0; k < t->nr; k++)
			vec_push(&ret->files, t->items[k].file);
	}
	return file_list_keep_btf(&ret->files, diags);
}

void file_trees_release(struct file_trees *t)
{
	for (size_t i = 0; i < t->nr_trees; i++)
		file_tree_release(&t->trees[i]);
	free(t->trees);
	file_refs_release(&t->files);
	*t = (struct file_trees){ 0 };
}
