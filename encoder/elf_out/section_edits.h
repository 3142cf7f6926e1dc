/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_edits.h - an ELF file in which sections are set, removed or dropped, in memory
 *
 * Decides on the layout that section_out.c then writes. The file itself is only read.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_EDITS_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_EDITS_H

#include "base/diagnostics.h"
#include "base/vec.h"
#include "encoder/elf_out/section_out.h"
#include "encoder/elf_out/section_table.h"

/* Where the content of a section comes from. */
enum section_location {
	SECTION_IN_FILE,  /* it stays as it is */
	SECTION_IN_TAIL,  /* it is written behind everything that stays */
	SECTION_IN_IMAGE, /* it is written over the old one, which the program headers load */
};

struct section_edit {
	size_t was; /* its number in the file; 0 for a new one */
	enum section_location location;
	bool changed;        /* other content than in the file, or none there yet */
	const uint8_t *data; /* borrowed; NULL if it stays in the file */
};

struct section_edits {
	struct section_table table; /* as it will be */
	GElf_Shdr *old;             /* as it is */
	size_t nr_old;
	VEC(struct section_edit) edits; /* one for each entry of @table */
	VEC(uint8_t *) owned;           /* contents that no caller owns */
	bool changed;                   /* the new file differs from the old one */
	bool stripped;                  /* sections were taken out: section_strip() */
	uint64_t rigid;     /* the end of the part that must not move: headers and segments */
	uint64_t tail;      /* everything that stays ends before this offset */
	uint64_t known_end; /* of the old file; no table refers to bytes behind it */
};

/* The end of the new file, to be written at @at, and its ELF header. */
struct section_tail {
	uint64_t at;
	uint8_t *bytes;
	size_t len;
	uint8_t ehdr[sizeof(Elf64_Ehdr)];
};

/* Errors of section_table_read(). */
MUST_CHECK struct err *section_edits_open(int fd, uint64_t file_size, struct section_edits *ret);
void section_edits_release(struct section_edits *ed);

/* Set or remove one section; borrows the data. ERR_UNSUPPORTED if its name does not fit. */
MUST_CHECK struct err *section_edits_set(struct section_edits *ed, const struct section_content *c,
					 struct diagnostics *diags);

/* The bytes of section @index as they are to be; empty if it has none. Before section_edits_plan(). */
static inline struct bytes section_edits_content(const struct section_edits *ed, size_t index)
{
	const GElf_Shdr *s = &ed->table.items[index];
	const struct section_edit *e = &ed->edits.items[index];

	if (e->data)
		return (struct bytes){ e->data, (size_t)s->sh_size };
	if (!section_in_file(s))
		return (struct bytes){ 0 };
	return (struct bytes){ ed->table.file.ptr + s->sh_offset, (size_t)s->sh_size };
}

/* After the last set and section_drop_unused(): decide which sections stay in place. */
void section_edits_plan(struct section_edits *ed, struct diagnostics *diags);

/*
 * The number of bytes before the tail that no section uses. section_edits_close_gaps() moves the
 * sections of @table together, from @rigid on; then the file must be written as a copy.
 */
uint64_t section_edits_gaps(const struct section_edits *ed);
void section_edits_close_gaps(struct section_edits *ed);
/* Undo that. */
void section_edits_keep_gaps(struct section_edits *ed);

/*
 * Lay out the tail at @at. With @images it includes the sections of SECTION_IN_IMAGE, so their old
 * bytes may be overwritten while the file refers to the tail. ERR_LIMIT if the file becomes too large
 * for 32-bit ELF. *ret is zeroed or from an earlier call.
 */
MUST_CHECK struct err *section_edits_tail(struct section_edits *ed, uint64_t at, bool images,
					  struct section_tail *ret);
void section_tail_release(struct section_tail *t);

/*
 * Is there nothing to write? The sections are there, and no interrupted run has left them behind the
 * end of @t, the tail at @tail.
 */
bool section_edits_is_done(const struct section_edits *ed, const struct section_tail *t);

#endif
