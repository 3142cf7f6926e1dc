/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_input.c - see btf_input.h */
#include "loader/btf/btf_input.h"
#include "loader/btf/btf_section.h"

#include "base/arena.h"
#include "base/cleanup.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct err *open_view(struct bytes b, const struct btf_view *base, const char *what,
			     struct btf_view *ret)
{
	TRY(err_at(btf_view_open_in_place(b, base, ret), "%s", what));
	if (ret->size != b.len)
		return err_new(ERR_FORMAT, "%s+%#zx: %zu bytes after the BTF; is it an archive?",
			       what, ret->size, b.len - ret->size);
	return NULL;
}

static struct err *open_elf(const struct file_ref *file, const struct btf_view *over,
			    struct diagnostics *diags, struct btf_input *in)
{
	const char *path = file->name;

	TRY(object_open_ref(file, &in->obj));

	const struct object_section *btf = object_section(&in->obj, ".BTF");
	const struct object_section *base = object_section(&in->obj, ".BTF.base");
	if (!btf || !btf->data.len)
		return err_at(btf_section_missing(&in->obj), "'%s'", path);
	if (base && base->data.len) {
		TRY(err_at(open_view(base->data, NULL, ".BTF.base", &in->base_view), "'%s'", path));
		in->base_view.path = ".BTF.base";
		in->has_base = true;
	}
	if (completed_btf_applies(&in->obj)) {
		TRY(btf_section_read(&in->obj, diags, &in->btf, &in->own));
		TRY(completed_btf_make(&in->obj, in->btf, &in->completed));
		if (in->completed.btf)
			in->btf = (struct bytes){ in->completed.btf, in->completed.btf_len };
	} else {
		in->btf = btf->data;
	}
	return err_at(open_view(in->btf, in->has_base ? &in->base_view : over, ".BTF", &in->view),
		      "'%s'", path);
}

struct err *btf_input_open_over(const struct file_ref *file, const struct btf_view *over,
				struct diagnostics *diags, struct btf_input *in)
{
	const char *path = file->name;

	in->path = mem_strdup(path);
	if (raw_file_is_object(file)) {
		TRY(open_elf(file, over, diags, in));
	} else {
		TRY(raw_file_open(path, &in->raw));
		in->btf = (struct bytes){ in->raw.ptr, in->raw.len };
		TRY(err_at(open_view(in->btf, over, "BTF", &in->view), "'%s'", path));
	}
	in->view.path = in->path;
	btf_view_report_unknown(&in->view, path, diags);
	return NULL;
}

/* Open all files of @list but the last one, whose name is returned. */
static struct err *open_under(char *list, struct diagnostics *diags, struct btf_input *in,
			      const char **ret_last)
{
	for (char *comma; (comma = strchr(list, ',')); list = comma + 1) {
		struct btf_input *next = mem_zalloc(1, sizeof(*next));

		*comma = '\0';
		const struct file_ref file = file_ref_of(list);
		next->under = in->under;
		in->under = next;
		TRY(btf_input_open_over(&file, next->under ? &next->under->view : NULL, diags,
					next));
	}
	*ret_last = list;
	return NULL;
}

struct err *btf_input_open(const char *path, struct diagnostics *diags, struct btf_input *in)
{
	CLEANUP(mem_free_text) char *list = NULL;

	if (access(path, F_OK)) {
		list = mem_strdup(path);
		TRY(open_under(list, diags, in, &path));
	}
	const struct file_ref file = file_ref_of(path);
	return btf_input_open_over(&file, in->under ? &in->under->view : NULL, diags, in);
}

static void close_input(struct btf_input *in)
{
	btf_view_release(&in->view);
	btf_view_release(&in->base_view);
	object_close(&in->obj);
	raw_file_close(&in->raw);
	completed_btf_release(&in->completed);
	FREE_ALL(in->own, in->path);
}

void btf_input_release(struct btf_input *in)
{
	struct btf_input *under = in->under;

	close_input(in);
	while (under) {
		struct btf_input *next = under->under;

		close_input(under);
		free(under);
		under = next;
	}
	*in = (struct btf_input){ 0 };
}
