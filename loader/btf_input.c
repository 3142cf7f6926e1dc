/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_input.c - see btf_input.h */
#include "loader/btf_input.h"

#include "base/cleanup.h"
#include "loader/object.h"
#include "loader/raw_file.h"

#include <elf.h>
#include <stdlib.h>

static struct err *open_view(struct bytes b, const struct btf_view *base, const char *what,
			     struct btf_view *ret)
{
	TRY(err_at(btf_view_open(b, base, ret), "%s", what));
	if (ret->size != b.len)
		return err_new(ERR_FORMAT, "%s+%#zx: %zu bytes behind the BTF; is it an archive?",
			       what, ret->size, b.len - ret->size);
	return NULL;
}

static struct err *open_elf(const char *path, struct btf_input *in)
{
	CLEANUP(object_close) struct object obj = { 0 };

	TRY(object_open(path, &obj));
	const struct object_section *btf = object_section(&obj, ".BTF");
	const struct object_section *base = object_section(&obj, ".BTF.base");
	if (!btf || !btf->data.len)
		return err_new(ERR_FORMAT, "'%s': there is no .BTF section", path);
	if (base && base->data.len) {
		in->base_bytes = mem_dup(base->data.ptr, base->data.len);
		TRY(err_at(open_view((struct bytes){ in->base_bytes, base->data.len }, NULL,
				     ".BTF.base", &in->base_view),
			   "'%s'", path));
		in->has_base = true;
	}
	in->bytes = mem_dup(btf->data.ptr, btf->data.len);
	return err_at(open_view((struct bytes){ in->bytes, btf->data.len },
				in->has_base ? &in->base_view : NULL, ".BTF", &in->view),
		      "'%s'", path);
}

struct err *btf_input_open(const char *path, struct btf_input *in)
{
	size_t len = 0;

	in->path = mem_strdup(path);
	if (raw_file_starts_with(path, ELFMAG, SELFMAG))
		return open_elf(path, in);
	TRY(raw_file_read(path, &in->bytes, &len));
	return err_at(open_view((struct bytes){ in->bytes, len }, NULL, "BTF", &in->view), "'%s'",
		      path);
}

void btf_input_release(struct btf_input *in)
{
	btf_view_release(&in->view);
	btf_view_release(&in->base_view);
	free(in->bytes);
	free(in->base_bytes);
	free(in->path);
	*in = (struct btf_input){ 0 };
}
