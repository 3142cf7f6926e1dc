/* SPDX-License-Identifier: GPL-2.0-only */
/* file_list.c - see file_list.h */
#include "cmd/options/file_list.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "loader/elf/raw_file.h"

#include <stdlib.h>
#include <string.h>

void file_list_release(struct file_list *l)
{
	free(l->items);
	arena_release(&l->names);
	*l = (struct file_list){ 0 };
}

struct err *file_list_read(const char *path, struct file_list *ret)
{
	uint8_t *bytes = NULL;
	size_t len = 0;

	TRY(raw_file_read(path, &bytes, &len));
	const char *text = (const char *)bytes, *end = text + len;
	while (text < end) {
		const char *line = text, *stop = memchr(text, '\n', (size_t)(end - text));

		text = stop ? stop + 1 : end;
		if (!stop)
			stop = end;
		if (stop > line && stop[-1] == '\r')
			stop--;
		if (stop > line)
			vec_push(ret, arena_strndup(&ret->names, line, (size_t)(stop - line)));
	}
	free(bytes);
	return NULL;
}

struct err *file_list_expand(const char *const *args, size_t nr, struct file_list *ret)
{
	CLEANUP(file_list_release) struct file_list l = { 0 };

	for (size_t i = 0; i < nr; i++) {
		if (args[i][0] == '@' && args[i][1])
			TRY(err_at(file_list_read(strcmp(args[i], "@-") ? args[i] + 1 :
									  "/dev/stdin",
						  &l),
				   "list of files"));
		else
			vec_push(&l, arena_strndup(&l.names, args[i], strlen(args[i])));
	}
	if (nr && !l.nr)
		return err_new(ERR_USAGE, "no input file");
	*ret = TAKE(l);
	return NULL;
}
