/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * input.h - one file to encode, and where its units come from
 *
 * Units are those of a file's DWARF, or the members of an archive: of the file's own .BTF, where
 * the linker put what its objects had; of these objects themselves; or of a file that they
 * were gathered in.
 */
#ifndef BTFENC_ENCODER_INPUT_H
#define BTFENC_ENCODER_INPUT_H

#include "encoder/archive/archive_file.h"
#include "encoder/encode.h"
#include "encoder/member/gcc_tags.h"
#include "encoder/member/unit_from_btf.h"
#include "encoder/select/kfuncs.h"
#include "loader/btf/archive.h"
#include "loader/dwarf/dw_file.h"
#include "loader/elf/symbols.h"

/* A file that members lie in. */
struct member_file {
	struct object obj;
	struct archive_file gathered;
	uint8_t *own; /* bytes that no file has as they are */
	bool is_object, is_gathered;
};

struct input {
	const char *path;
	struct object obj;
	struct symbols syms;
	struct kfuncs kfuncs;
	/* string ids of the keys of syms.funcs; and by string id, which of these it is, plus 1 */
	uint32_t *func_names, *func_by_name;
	/* by section index: are variables in it wanted? NULL: none are */
	bool *var_sections;
	/* the same: do they stand apart? NULL: none do */
	bool *apart_sections;
	uint32_t first_unit; /* number of its unit 0 among those of all files */
	bool opened;

	bool from_btf; /* units are @members, else those of @dwarf */
	struct dw_file dwarf;
	struct {
		struct member *items;
		size_t nr, cap;
	} members;
	struct {
		struct member_file *items;
		size_t nr, cap;
	} member_files;
	/* objects whose members are wanted, and that have none; as the job calls them */
	struct {
		const char **items;
		size_t nr, cap;
	} without_btf;
	struct arena names; /* of members */
	struct gcc_tags gcc_tags;
};

/*
 * Open @path and find out where its units come from; @job says what to look at. Without any,
 * input_is_empty(), and a note says so. @in must be zeroed; release it in any case. Its symbols
 * and units are still to be read.
 */
MUST_CHECK struct err *input_open(struct input *in, const char *path, const struct encode_job *job,
				  struct diagnostics *diags);
/* The same for the members of all files of @job, which are of no linked file: not @opened. */
MUST_CHECK struct err *input_open_unlinked(struct input *in, const struct encode_job *job,
					   struct diagnostics *diags);
void input_release(struct input *in);

static inline bool input_is_empty(const struct input *in)
{
	return !in->path;
}

/* How many units it has. Its DWARF must be open. */
static inline size_t input_nr_units(const struct input *in)
{
	if (in->from_btf)
		return in->members.nr;
	return dw_file_nr_readings(&in->dwarf);
}

/* Add to an error of member @i which object is before or behind it. NULL stays NULL. */
MUST_CHECK struct err *input_member_err(const struct input *in, size_t i, struct err *err);

/* Bytes of what its units are read from. */
size_t input_size(const struct input *in);

#endif
