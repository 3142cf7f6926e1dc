/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_edits.h - what becomes of an ELF file when sections are set in it
 *
 * Decides, and lays out in memory, what section_out.c then writes. The file is only read.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_EDITS_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_EDITS_H

#include "base/diagnostics.h"
#include "encoder/elf_out/section_out.h"
#include "encoder/elf_out/section_table.h"

/* Where the content of a section comes from. */
enum section_place {
	SECTION_IN_FILE,  /* it stays as it is */
	SECTION_IN_TAIL,  /* it is written behind everything that stays */
	SECTION_IN_IMAGE, /* it is written over the old one, which the program headers load */
};

struct section_edit {
	size_t was; /* its number in the file; 0 for a new one */
	enum section_place place;
	bool changed;        /* other content than in the file, or none there yet */
	const uint8_t *data; /* borrowed; NULL if it stays in the file */
};

struct section_edits {
	struct section_table table; /* as it will be */
	GElf_Shdr *old;             /* as it is */
	size_t nr_old;
	struct { /* one for each entry of @table */
		struct section_edit *items;
		size_t nr, cap;
	} edits;
	struct { /* contents that somebody had to make */
		uint8_t **items;
		size_t nr, cap;
	} owned;
	bool changed;       /* does the file become another one? */
	bool stripped;      /* sections were taken out: section_strip() */
	uint64_t rigid;     /* what lies before may not move: headers and segments */
	uint64_t tail;      /* everything that stays ends before */
	uint64_t known_end; /* of the old file; what follows belongs to nobody */
};

/* The end of the new file, as bytes that stand at @at, and the ELF header for it. */
struct section_tail {
	uint64_t at;
	uint8_t *bytes;
	size_t len;
	uint8_t ehdr[sizeof(Elf64_Ehdr)];
};

/* Errors of section_table_read(). */
MUST_CHECK struct err *section_edits_open(int fd, uint64_t file_size, struct section_edits *ret);
void section_edits_release(struct section_edits *ed);

/* Set or remove one section; borrows the data. ERR_UNSUPPORTED if its name has no place. */
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

/* After the last set: find out what stays where it is. */
MUST_CHECK struct err *section_edits_plan(struct section_edits *ed, struct diagnostics *diags);

/*
 * Room before the tail that no section uses. It can be closed only where a copy is
 * written: section_edits_close_gaps() moves the sections of @table together, from @rigid on.
 */
uint64_t section_edits_gaps(const struct section_edits *ed);
void section_edits_close_gaps(struct section_edits *ed);
/* Undo that. */
void section_edits_keep_gaps(struct section_edits *ed);

/*
 * Lay out the tail at @at. With @images it contains what belongs in the image, too, so that
 * the old image may be overwritten meanwhile. ERR_LIMIT if it does not fit in a 32-bit
 * file. *ret is zeroed or of an earlier call.
 */
MUST_CHECK struct err *section_edits_tail(struct section_edits *ed, uint64_t at, bool images,
					  struct section_tail *ret);
void section_tail_release(struct section_tail *t);

/*
 * Does the file need no writing? The sections are there, and no interrupted run has left
 * them further out than where @t, the tail at @tail, would end.
 */
bool section_edits_is_done(const struct section_edits *ed, const struct section_tail *t);
/* Does @t lie where the old file has nothing? */
bool section_edits_is_free(const struct section_edits *ed, const struct section_tail *t);

#endif
