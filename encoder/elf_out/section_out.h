/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_out.h - put sections into an ELF file, or bytes into a file
 *
 * At every moment the target is the old file or the new one, whole. Symbolic links
 * are followed, mode and owner survive, and a file with several names (a compiler
 * cache) is replaced under this name only.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_OUT_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_OUT_H

#include "base/bytes.h"
#include "base/diagnostics.h"
#include "base/err.h"
#include "loader/elf/unpack.h"

#include <stdbool.h>
#include <sys/stat.h>

struct section_content {
	const char *name;
	struct bytes data; /* ptr NULL: remove the section if it is there */
};

/*
 * Add or replace the sections of the ELF file @path. A replaced section keeps its
 * place in the section table, its alignment, and its flags but for those that say what
 * is in it or that a linker leaves it out; it becomes PROGBITS, and loses its relocations.
 * Of several of its name one stays. A new one is last, type PROGBITS, no flags, alignment 1. A removed one leaves no
 * name behind (the kernel goes by the name alone); its place in the section table
 * stays, unused, where giving it up would renumber others.
 *
 * The content depends on the input alone, not on earlier runs, and if the sections
 * are there already, nothing is written. A struct object of @path must not be used
 * any more, nor may @sections borrow from one.
 *
 * A section of a loaded image (SHF_ALLOC in a PT_LOAD segment) is overwritten where it
 * lies if the new one fits, and zeros follow it. If not, it goes elsewhere, no longer
 * SHF_ALLOC, and the image keeps the old bytes; both end in a warning in @diags. This is
 * the one exception from "old or new": if we are killed or the disk fails, the image can
 * be torn, though with a section table that leads to the old or the new section.
 *
 * ERR_IO, ERR_FORMAT (not ELF, broken tables), ERR_LIMIT (32-bit ELF of 4 GiB),
 * ERR_UNSUPPORTED (something refers to a section that is to go: section_refs.h); the file
 * is then unchanged.
 */
MUST_CHECK struct err *section_out_elf(const char *path, const struct section_content *sections,
				       size_t nr, struct diagnostics *diags);

/*
 * The same, and in the same step all DWARF goes: see section_strip.c for what that is and
 * what becomes of the rest. @nr may be 0. If there is none, this is section_out_elf().
 *
 * The file becomes as small as it can be, for which it is written anew, with another inode.
 * Where the folder does not let us, DWARF is taken out of the tables only, and what lay
 * before other sections leaves its room unused, of which a warning in @diags tells. Also
 * ERR_UNSUPPORTED, if what stays needs what would go.
 */
MUST_CHECK struct err *section_out_elf_stripped(const char *path,
						const struct section_content *sections, size_t nr,
						struct diagnostics *diags);

/*
 * The same in two steps, for who wants to be sure that the file is still the one that the sections
 * were made of:
 *
 *	CLEANUP(section_target_close) struct section_target t = { 0 };
 *
 *	TRY(section_target_open(path, &was, &t));
 *	if (!t.is_open)
 *		... read it again ...
 *	TRY(section_target_put(&t, sections, nr, strip, diags));
 *
 * Between the two nobody else who asks for the lock changes it. Borrows the path.
 */
struct section_target {
	const char *path;
	int fd;
	bool is_open;
	bool busy; /* it is executed: fd is for reading only */
	struct stat st;
};

/* Not open, and no error, if the file is not as @was says (NULL: any is good). *ret is zeroed before. ERR_IO. */
MUST_CHECK struct err *section_target_open(const char *path, const struct stat *was,
					   struct section_target *ret);
/* Once. */
MUST_CHECK struct err *section_target_put(struct section_target *t,
					  const struct section_content *sections, size_t nr,
					  bool strip, struct diagnostics *diags);
void section_target_close(struct section_target *t);

/* What a run has to know of a file before it is encoded. */
struct section_facts {
	struct stat st; /* to be given to section_target_open() */
	bool is_file;   /* regular, and it could be opened */
	bool is_elf;
	enum packing packing;
	bool has_dwarf; /* stripping would drop something */
	uint32_t
		loaded_btf; /* bytes that .BTF takes in the image of a kernel, say; 0: it is not loaded */
};

/*
 * Look at @path. ERR_IO if it is no regular file or cannot be read. A file with broken tables has no DWARF
 * and no .BTF.
 */
MUST_CHECK struct err *section_out_look(const char *path, struct section_facts *ret);

/*
 * Make @data the content of @path. A regular file is replaced in one step; a new one
 * gets mode 0666 less the umask, as from any compiler. Where the folder does not let
 * us (not writable, or the file is a mount point), the file is overwritten once the room is
 * reserved. Devices, pipes and /dev/stdout are written to.
 */
MUST_CHECK struct err *section_out_file(const char *path, struct bytes data);

#endif
