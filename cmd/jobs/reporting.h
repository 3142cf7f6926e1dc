/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reporting.h - --btf_report and --explain: what is asked for, and what there is to say so far
 *
 * Of many modules each has a report of its own, and these follow one another as the files do.
 */
#ifndef BTFENC_CMD_JOBS_REPORTING_H
#define BTFENC_CMD_JOBS_REPORTING_H

#include "cmd/options/file_list.h"
#include "cmd/options/options.h"
#include "encoder/elf_out/out_file.h"
#include "encoder/report/report.h"

/* Text that grows. */
struct reporting_text {
	FILE *to; /* NULL: not asked for */
	char *text;
	size_t len;
};

/* Zeroed is nothing asked for. Does not move once it is prepared. */
struct reporting {
	struct reporting_text json, explained;
	bool part; /* of one of many: reporting_append() will take it */
	struct out_file file;
	bool prepared;
};

void reporting_begin(const struct options *opt, struct reporting *r);
void reporting_release(struct reporting *r);

static inline bool reporting_asked(const struct reporting *r)
{
	return r->json.to || r->explained.to;
}

/* What a run has to find out. */
struct report reporting_wants(const struct options *opt);

/*
 * Of @files, over @base (NULL: none), @made was made; @found is all that there is to tell. ERR_FORMAT
 * if @made is no BTF.
 */
MUST_CHECK struct err *reporting_add(struct reporting *r, const struct options *opt,
				     const struct file_list *files, const struct btf_input *base,
				     const struct encoded *made, const struct report *found);
/*
 * The file @path has no debug information, and only an explanation is asked for: add where the name is
 * in its BTF. ERR_FORMAT if it has none that can be read.
 */
MUST_CHECK struct err *reporting_add_btf(struct reporting *r, const struct options *opt,
					 const char *path, const struct btf_input *base);
/* Nothing was made, because of @error. */
void reporting_add_failure(struct reporting *r, const struct options *opt,
			   const struct file_list *files, const char *error);
/* What @from has follows. */
void reporting_append(struct reporting *to, struct reporting *from);

/*
 * Make sure that there can be a report, before anything else is written. To be called only where
 * reporting_prepare() comes too late for that. ERR_IO.
 */
MUST_CHECK struct err *reporting_open(struct reporting *r, const struct options *opt);
/*
 * All is told, and the BTF not yet written: write the report, but for its name, so that nothing is
 * written if it cannot be. What has no name to be given, as a pipe, gets it now. Nothing for a part.
 * ERR_IO.
 */
MUST_CHECK struct err *reporting_prepare(struct reporting *r, const struct options *opt);
/* Give the report its name, or write it, if it was not prepared; print what is explained. ERR_IO. */
MUST_CHECK struct err *reporting_end(struct reporting *r, const struct options *opt);

#endif
