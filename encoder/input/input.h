/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * input.h - one file to encode, and the source of its units
 *
 * Units are those of the file's DWARF, or the members of an archive. These are in the file's own
 * .BTF, where the linker has concatenated the BTF of its objects, in the objects themselves, or in a
 * file to which the objects have appended their BTF (archive_file.h).
 */
#ifndef BTFENC_ENCODER_INPUT_H
#define BTFENC_ENCODER_INPUT_H

#include "base/vec.h"
#include "encoder/archive/archive_file.h"
#include "encoder/input/encode_request.h"
#include "encoder/member/gcc_tags.h"
#include "encoder/member/unit_from_btf.h"
#include "encoder/select/kfuncs.h"
#include "loader/btf/archive.h"
#include "loader/dwarf/dw_file.h"
#include "loader/elf/raw_file.h"
#include "loader/elf/section_map.h"
#include "loader/elf/symbols.h"

/* A file that has members. */
struct member_file {
	struct object obj;   /* zeroed: it is @raw */
	struct raw_file raw; /* zeroed: it is @obj */
	uint8_t *own;        /* bytes of members of @obj that are not mapped, or NULL */
	uint8_t *facts;      /* the same for .debug.btf */
};

struct input {
	const char *path;
	const struct file_ref *file; /* NULL: not @opened */
	struct object obj;
	struct symbols syms;
	struct kfuncs kfuncs;
	uint32_t *func_names; /* string ids of the keys of syms.funcs */
	/* by section: are its variables wanted? NULL: none are */
	bool *var_sections;
	struct section_map section_map; /* where its variables and its code are, if they are read */
	struct addr_base addr_base;     /* if sites are wanted */
	/* by section: are they put into the split BTF of variables? NULL: none are */
	bool *apart_sections;
	uint32_t first_unit; /* number of its unit 0 among those of all files */
	bool opened;         /* there is a linked file, in @obj */
	/*
	 * Of several files, all but the first are open only while their units are read, so that their
	 * number is not limited: see input_suspend().
	 */
	bool is_further;
	bool suspended;
	size_t nr_units; /* once a suspended file has been open again: how many it has */

	bool from_btf; /* units are @members, else those of @dwarf */
	bool as_one;   /* if they were those of @dwarf, it would be merged */
	struct dw_file dwarf;
	VEC(struct member) members;
	VEC(struct member_file) member_files;
	struct archive_file gathered; /* request->archive */
	/* .debug.btf of the linked file: its number, 0 for none; and its bytes if they are not mapped */
	size_t facts_section;
	uint8_t *facts;
	/* the names of wanted objects that have no BTF */
	VEC(const char *) without_btf;
	/* the names of files whose .BTF or .debug.btf is damaged, incomplete or of another version */
	VEC(const char *) damaged;
	bool lacks_all;     /* after input_open(): the file is empty, and should not be */
	struct arena names; /* of members */
	struct gcc_tags gcc_tags;
};

/*
 * Open @file, which must stay, and find the source of its units as @request requires. A file without units becomes
 * input_is_empty(), with a diagnostic. Symbols and units are not read yet. @in must be zeroed, but for
 * @is_further. Release it also after an error.
 */
MUST_CHECK struct err *input_open(struct input *in, const struct file_ref *file,
				  const struct encode_request *request,
				  const struct encode_opts *opts, struct diagnostics *diags);
/* The same for the members of all files of @request, without a linked file: not @opened. */
MUST_CHECK struct err *input_open_unlinked(struct input *in, const struct encode_request *request,
					   const struct encode_opts *opts,
					   struct diagnostics *diags);
/*
 * scan_members.c: collect the tags of gcc's members, and, unless @names is NULL, the names of all functions, which
 * @in owns.
 */
MUST_CHECK struct err *input_scan_members(struct input *in, const struct encode_opts *opts,
					  struct name_ids *names);
/*
 * Close a further file until its units are read, unless that is impossible. It keeps its functions, whose names
 * are copied to @names.
 */
MUST_CHECK struct err *input_suspend(struct input *in, struct arena *names);
/*
 * Open a suspended file, and its units with @opts, until input_pause(). An error if it has not as many units as when
 * it was open before.
 */
MUST_CHECK struct err *input_resume(struct input *in, struct str_pool *strings,
				    const struct dw_open_opts *opts, struct diagnostics *diags);
void input_pause(struct input *in);
void input_release(struct input *in);
/* Note that the archive in the file @path is damaged. */
void input_damaged(struct input *in, const char *path);
/* Note that the object or source file @name has no BTF. */
void input_leave_out(struct input *in, const char *name);

static inline bool input_is_empty(const struct input *in)
{
	return !in->path;
}

/* How many units it has. Its DWARF must be open. */
static inline size_t input_nr_units(const struct input *in)
{
	if (in->from_btf)
		return in->members.nr;
	if (in->suspended)
		return in->nr_units;
	return dw_file_nr_readings(&in->dwarf);
}

/* Add to an error of member @i which object is before or behind it. NULL stays NULL. */
MUST_CHECK struct err *input_member_err(const struct input *in, size_t i, struct err *err);

/* The number of bytes from which its units are read. */
size_t input_size(const struct input *in);

/* The units of a file that were read and whose pages are not given back. Zeroed: none was read. */
struct pages_kept {
	size_t first;  /* index of the first */
	uint64_t size; /* their bytes */
};

/*
 * No thread reads unit @i any more, nor those before it: give their pages back, GIVE_BACK_STRIDE bytes at a time. So
 * the memory grows with the output, not with the input. Other threads are at most a window of units ahead
 * (base/os/ordered.h).
 */
void input_give_back(const struct input *in, struct pages_kept *kept, size_t i);
/* The same for all units that are left. A later read loads the pages again. */
void input_give_back_rest(const struct input *in, const struct pages_kept *kept);

#endif
