/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_input.c - see btf_input.h */
#include "loader/btf_input.h"

#include "base/cleanup.h"
#include "base/file_io.h"
#include "loader/object.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

/* Read a file to its end: those of sysfs and pipes do not say how long they are. */
static struct err *read_whole(const char *path, uint8_t **ret, size_t *ret_len)
{
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct {
		uint8_t *items;
		size_t nr, cap;
	} buf = { 0 };

	if (fd < 0)
		return err_sys(errno, "'%s'", path);
	for (;;) {
		vec_reserve(&buf, CHUNK);
		ssize_t n = read(fd, buf.items + buf.nr, buf.cap - buf.nr);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int errnum = errno;

			free(buf.items);
			return err_sys(errnum, "'%s'", path);
		}
		if (n == 0)
			break;
		buf.nr += (size_t)n;
	}
	*ret = buf.items;
	*ret_len = buf.nr;
	return NULL;
}

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

static bool is_elf(const char *path)
{
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char magic[SELFMAG];

	return fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

struct err *btf_input_open(const char *path, struct btf_input *in)
{
	size_t len = 0;

	in->path = mem_strdup(path);
	if (is_elf(path))
		return open_elf(path, in);
	TRY(read_whole(path, &in->bytes, &len));
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
