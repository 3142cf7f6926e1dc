/* SPDX-License-Identifier: GPL-2.0-only */
/* btfshuffle.c - the same BTF with other ids and other string offsets: btfshuffle IN OUT SEED */
#include "base/arena.h"
#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "loader/elf/raw_file.h"
#include "tests/lib/shuffled.h"

#include <stdio.h>
#include <stdlib.h>

static struct err *run(char **argv)
{
	CLEANUP(shuffled_release) struct shuffled s = { 0 };
	CLEANUP(btf_view_release) struct btf_view view = { 0 };
	CLEANUP(mem_free) uint8_t *bytes = NULL;
	CLEANUP(mem_free) uint8_t *image = NULL;
	size_t len;

	TRY(raw_file_read(argv[1], &bytes, &len));
	TRY(btf_view_open((struct bytes){ bytes, len }, NULL, &view));
	shuffle(&view, strtoull(argv[3], NULL, 10), &s);
	TRY(btf_serialize(&s.view.types, s.view.strings, &(struct btf_serialize_opts){ 0 }, &image,
			  &len));
	FILE *f = fopen(argv[2], "wb");
	if (!f || fwrite(image, 1, len, f) != len || fclose(f))
		return err_new(ERR_IO, "'%s': cannot write", argv[2]);
	return NULL;
}

int main(int argc, char **argv)
{
	struct err *e = argc == 4 ? run(argv) : err_new(ERR_USAGE, "give IN, OUT and SEED");
	int status = e ? 2 : 0;

	if (e)
		fprintf(stderr, "btfshuffle: %s\n", err_text(e));
	err_free(e);
	return status;
}
