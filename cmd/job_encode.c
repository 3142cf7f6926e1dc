/* SPDX-License-Identifier: GPL-2.0-only */
/* job_encode.c - debug information becomes BTF, in place or in a file of its own */
#include "base/cleanup.h"
#include "cmd/jobs.h"
#include "dedup/btf_image.h"
#include "encoder/encode.h"
#include "encoder/section_out.h"

#include <stdlib.h>

static void free_bytes(uint8_t **p)
{
	free(*p);
}

static struct err *refuse_what_is_missing(const struct options *opt)
{
	if (feature_on(&opt->encode, FEATURE_DISTILLED_BASE))
		return err_new(ERR_UNSUPPORTED, "--btf_features=distilled_base: no base is distilled; the kernel's own build does without, modules outside of it with pahole");
	if (feature_on(&opt->encode, FEATURE_TRUE_SIGNATURE))
		return err_new(ERR_UNSUPPORTED, "--btf_features=true_signature: functions are encoded as their source has them");
	return NULL;
}

struct err *job_encode(const struct options *opt, struct notes *notes)
{
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(free_bytes) uint8_t *btf = NULL;
	size_t len;

	TRY(refuse_what_is_missing(opt));
	if (opt->base)
		TRY(btf_input_open(opt->base, &base));
	TRY(encode_files(opt->files.items, opt->files.nr, &opt->encode, opt->base ? &base : NULL,
			 notes, &btf, &len));
	if (!len) {
		notes_add(notes, NOTE_VERBOSE, "no types: nothing written");
		return NULL;
	}
	if (opt->detached)
		return section_out_file(opt->detached, (struct bytes){ btf, len });

	/* a kernel that has its BTF loaded takes it to be as long as it always was */
	uint64_t loaded;
	TRY(section_out_image_size(opt->files.items[0], ".BTF", &loaded));
	if (len < loaded && loaded <= UINT32_MAX)
		btf_image_stretch(&btf, &len, (uint32_t)loaded);

	const struct section_content section = { ".BTF", { btf, len } };
	return section_out_elf(opt->files.items[0], &section, 1, notes);
}
