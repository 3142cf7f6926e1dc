/* SPDX-License-Identifier: GPL-2.0-only */
/* sources.h - the files that are encoded together: opened, their symbols and units found */
#ifndef BTFENC_ENCODER_SOURCES_H
#define BTFENC_ENCODER_SOURCES_H

#include "encoder/encode.h"
#include "encoder/input.h"
#include "encoder/report/omission.h"

/* Owns all. Zeroed is empty. */
struct sources {
	struct input *inputs; /* those that have anything to encode */
	size_t nr_inputs;
	/*
	 * Of the string pool. The names of functions, up to the first '.', are the first in it: who
	 * has an id below this is in the symbol table of some file.
	 */
	uint32_t func_names_end;
	uint32_t int_name, fake_int;
	struct arena names; /* of functions, as far as no file has them as they are */
};

/*
 * Open the files of @job, whose strings go into @strings, which must be empty. No inputs if there
 * is nothing to encode; a note says why. Release @s in any case.
 */
MUST_CHECK struct err *sources_open(struct sources *s, const struct encode_job *job,
				    const struct encode_opts *opts, struct str_pool *strings,
				    struct diagnostics *diags);
void sources_release(struct sources *s);

/*
 * Tell @log's report, whose strings are @strings, of the objects that have no BTF; -V has been told
 * while they were looked for.
 */
void sources_report_without_btf(const struct sources *s, struct str_pool *strings,
				const struct omission_log *log);

/* How many threads are worth their while for so many @bytes of input; one at least. */
unsigned int sources_jobs(const struct encode_opts *opts, size_t bytes);

#endif
