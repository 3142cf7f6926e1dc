/* SPDX-License-Identifier: GPL-2.0-only */
/* file_list.c - see file_list.h */
#include "cmd/options/file_list.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "loader/elf/object.h"
#include "loader/elf/raw_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void file_list_release(struct file_list *l)
{
	FREE_ALL(l->items, l->lines.items);
	arena_release(&l->names);
	*l = (struct file_list){ 0 };
}

struct err *file_list_read(const char *path, struct file_list *ret)
{
	uint8_t *bytes = NULL;
	size_t len = 0;

	TRY(raw_file_read(path, &bytes, &len));
	const char *text = (const char *)bytes, *end = text + len;
	size_t nr = 0;
	while (text < end) {
		const char *line = text, *stop = memchr(text, '\n', (size_t)(end - text));

		nr++;
		text = stop ? stop + 1 : end;
		if (!stop)
			stop = end;
		if (stop > line && stop[-1] == '\r')
			stop--;
		if (stop == line)
			continue;
		vec_push(ret, arena_strndup(&ret->names, line, (size_t)(stop - line)));
		vec_push(&ret->lines, nr);
	}
	free(bytes);
	return NULL;
}

static struct err *expand_list(const char *path, bool only_names, struct file_refs *ret)
{
	CLEANUP(file_list_release) struct file_list lines = { 0 };
	bool is_input = !strcmp(path, "-");

	TRY(err_at(file_list_read(is_input ? "/dev/stdin" : path, &lines), "list of files"));
	for (size_t i = 0; i < lines.nr; i++) {
		if (!only_names && access(lines.items[i], F_OK) != 0)
			return err_sys(errno,
				       "list of files: '%s': cannot find the file of line %zu",
				       is_input ? "/dev/stdin" : path, lines.lines.items[i]);
		TRY(ar_file_expand(lines.items[i], ret));
	}
	return NULL;
}

static struct err *expand(const char *const *args, size_t nr, bool only_names,
			  struct file_refs *ret)
{
	for (size_t i = 0; i < nr; i++) {
		if (args[i][0] == '@' && args[i][1])
			TRY(expand_list(args[i] + 1, only_names, ret));
		else
			TRY(ar_file_expand(args[i], ret));
	}
	if (nr && !ret->nr)
		return err_new(args[0][0] == '@' ? ERR_USAGE : ERR_FORMAT,
			       "no input file: '%s' is empty", args[0]);
	return NULL;
}

struct err *file_list_expand(const char *const *args, size_t nr, struct file_refs *ret)
{
	return expand(args, nr, false, ret);
}

struct err *file_list_expand_names(const char *const *args, size_t nr, struct file_refs *ret)
{
	return expand(args, nr, true, ret);
}

static bool lacks_btf(const struct file_ref *file)
{
	CLEANUP(object_close) struct object o = { 0 };
	struct err *e = object_open_ref(file, &o);
	const struct object_section *btf = e ? NULL : object_section(&o, ".BTF");

	if (e) {
		err_free(e); /* reading it again reports the error */
		return false;
	}
	return !btf || !btf->data.len;
}

struct err *file_list_keep_btf(struct file_refs *l, struct diagnostics *diags)
{
	const char *ar = l->items[0].ar;
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++) {
		if (l->items[i].ar && lacks_btf(&l->items[i]))
			diag_add(diags, DIAG_VERBOSE, "'%s' has no BTF: left out",
				 l->items[i].name);
		else
			l->items[nr++] = l->items[i];
	}
	l->nr = nr;
	return nr ? NULL : err_new(ERR_FORMAT, "'%s': none of its members has BTF", ar);
}
