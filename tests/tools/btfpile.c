/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfpile.c - combine a BTF archive with libbpf alone: btfpile ARCHIVE OUT
 *
 * The peer of the archive job: each member is opened and added by libbpf, then all
 * of it deduplicated once. Finding the members is ours, as libbpf has nothing for that.
 */
#include "base/cleanup.h"
#include "loader/btf/archive.h"
#include "loader/elf/raw_file.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what)
{
	fprintf(stderr, "btfpile: %s\n", what);
	return EXIT_FAILURE;
}

static int combine(const struct archive *a, const char *path)
{
	struct btf *all = btf__new_empty();
	unsigned int size;

	for (size_t i = 0; i < a->members.nr; i++) {
		struct bytes b = archive_bytes(a, i);
		struct btf *member = btf__new(b.ptr, (uint32_t)b.len);

		if (!member)
			return fail("libbpf does not open a member");
		if (btf__type_cnt(member) > 1 && btf__add_btf(all, member) < 0)
			return fail("libbpf does not add a member");
		btf__free(member);
	}
	if (btf__dedup(all, NULL))
		return fail("libbpf does not deduplicate");

	const void *raw = btf__raw_data(all, &size);
	FILE *out = fopen(path, "wb");
	if (!raw || !out || fwrite(raw, 1, size, out) != size || fclose(out))
		return fail("cannot write the result");
	btf__free(all);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	CLEANUP(archive_release) struct archive a = { 0 };
	uint8_t *bytes;
	size_t len;

	if (argc != 3)
		return fail("give ARCHIVE and OUT");
	libbpf_set_print(NULL);

	struct err *e = raw_file_read(argv[1], &bytes, &len);
	if (!e)
		e = archive_walk((struct bytes){ bytes, len }, false, &a);
	if (e) {
		int status = fail(err_text(e));

		err_free(e);
		return status;
	}
	int status = combine(&a, argv[2]);
	free(bytes);
	return status;
}
