/* SPDX-License-Identifier: GPL-2.0-only */
/* btfshuffle.c - the same BTF with other ids and other string offsets: btfshuffle IN OUT SEED */
#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "tests/lib/btffile.h"
#include "tests/lib/shuffled.h"

int main(int argc, char **argv)
{
	CLEANUP(shuffled_release) struct shuffled s = { 0 };
	struct btf_file file;
	uint8_t *image = NULL;
	size_t len = 0;
	FILE *f;

	if (argc != 4) {
		fprintf(stderr, "usage: btfshuffle IN OUT SEED\n");
		return 2;
	}
	btf_file_read(argv[1], &file);
	shuffle(&file.view, strtoull(argv[3], NULL, 10), &s);

	struct err *e = btf_serialize(&s.view.types, s.view.strings,
				      &(struct btf_serialize_opts){ 0 }, &image, &len);
	if (e)
		die_of(argv[1], e);
	f = fopen(argv[2], "wb");
	if (!f || fwrite(image, 1, len, f) != len || fclose(f))
		die_of(argv[2], err_new(ERR_IO, "cannot write"));
	free(image);
	btf_file_release(&file);
	return 0;
}
