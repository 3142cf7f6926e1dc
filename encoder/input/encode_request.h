/* SPDX-License-Identifier: GPL-2.0-only */
/* encode_request.h - which files are encoded together, and for which output */
#ifndef BTFENC_ENCODER_INPUT_ENCODE_REQUEST_H
#define BTFENC_ENCODER_INPUT_ENCODE_REQUEST_H

#include "base/os/progress.h"
#include "encoder/input/until.h"
#include "encoder/report/report.h"
#include "encoder/unit/encode_opts.h"
#include "loader/btf/btf_input.h"

struct encode_stats;

enum encode_from {
	ENCODE_FROM_EITHER, /* .BTF if it is an archive, else DWARF */
	ENCODE_FROM_DWARF,
	ENCODE_FROM_BTF,
};

/* Borrows everything. */
struct encode_request {
	const struct file_ref *files; /* in this order */
	size_t nr;
	enum encode_from from;
	const struct btf_input *base; /* NULL: not split */
	/* the result replaces .BTF of the first file; .BTF that is no archive stays as it is */
	bool in_place;
	/* as with @in_place, .BTF that is no archive stays; a file with nothing to encode gives no warning */
	bool may_be_empty;
	/* it is one of many, and the caller gives one warning for all that have BTF and nothing to encode */
	bool one_of_many;
	/* the least number of bytes of the result (struct section_facts) */
	uint32_t image_size;
	/*
	 * If @gather, @files is one linked file, whose members are in @objects, or, under these
	 * names, in the file @archive (archive_file.h). With @nr_objects 0 the units of its DWARF
	 * name the objects.
	 */
	bool gather;
	const struct file_ref *objects;
	size_t nr_objects;
	const char *archive;        /* NULL: in the objects */
	struct encode_stats *stats; /* or NULL */
	struct report *report;      /* or NULL */
	struct progress *progress;  /* or NULL */
	/*
	 * Stop reading behind the first unit with which these types are all defined. This needs
	 * one thread. Members of archives are not checked then, and no variable may be wanted.
	 */
	struct until until;
};

#endif
