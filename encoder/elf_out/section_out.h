/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_out.h - put sections into an ELF file
 *
 * Updates are atomic. Symbolic links are followed, mode and owner are kept. If a file has several
 * hard links (in a compiler cache), only this one gets the new contents.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_SECTION_OUT_H
#define BTFENC_ENCODER_ELF_OUT_SECTION_OUT_H

#include "base/bytes.h"
#include "base/diagnostics.h"
#include "base/err.h"
#include "loader/elf/reloc.h"
#include "loader/elf/unpack.h"

#include <stdbool.h>
#include <sys/stat.h>

/*
 * The relocations of a section: symbols are numbers in the file's symbol table. Without @rela the section
 * itself contains the addends.
 */
struct section_relocs {
	struct reloc_entry *items;
	size_t nr, cap;
	bool rela;
};

struct section_content {
	const char *name;
	struct bytes data;                   /* ptr NULL: remove the section if it is there */
	const struct section_relocs *relocs; /* NULL: remove those that are there */
	uint32_t type;                       /* SHT_*; 0: SHT_PROGBITS */
};

/*
 * An ELF file that gets sections. In two steps, because callers must detect that the file has changed since
 * they generated the sections from it:
 *
 *	CLEANUP(section_target_close) struct section_target t = { 0 };
 *
 *	TRY(section_target_open(path, &was, &t));
 *	if (!t.is_open)
 *		... the file has changed: read it again ...
 *	TRY(section_target_put(&t, sections, nr, strip, diags));
 *
 * The file stays locked from the first step to the second. Borrows the path.
 */
struct section_target {
	const char *path;
	int fd;
	bool is_open;
	bool busy; /* it is being executed: fd is for reading only */
	struct stat st;
};

/*
 * Open and lock @path. If the file has changed since its state @was (NULL: any state is accepted), no error is
 * returned, but ret->is_open is false. *ret must be zeroed. ERR_IO.
 */
MUST_CHECK struct err *section_target_open(const char *path, const struct stat *was,
					   struct section_target *ret);
/*
 * Add, replace or remove sections of the file, once.
 *
 * A replaced section keeps its number, its alignment and its flags, except those that describe its
 * contents or exclude it from links. It becomes PROGBITS and loses its relocations. If there are several
 * sections of its name, one stays. A new section is the last one, of type PROGBITS, without flags,
 * with alignment 1. A removed section leaves no name behind, because the kernel finds sections by
 * name. Nor does its entry stay in the section table: the sections behind it get other numbers
 * (section_renumber.h).
 *
 * Relocations become the section .rela or .rel with the name of their section appended. It is removed with
 * that section, or if there are no relocations.
 *
 * The result depends on the input only, not on earlier runs. If the sections are there already,
 * nothing is written. A struct object of the file must not be used afterwards, and @sections must not
 * borrow from one.
 *
 * A section of a loaded image (SHF_ALLOC in a PT_LOAD segment) is overwritten in place if the new
 * contents fit, and the rest is filled with zeros. If they do not fit, the section stays in the image with
 * ".loaded" appended to its name, and the new one is not SHF_ALLOC. Both cause a warning in @diags. This is
 * the one exception from atomic updates: if the process is killed or the disk fails, the image
 * may be torn, but the section table refers to the old or the new section.
 *
 * ERR_IO, ERR_FORMAT (not ELF, broken tables, relocations without a symbol table), ERR_LIMIT (32-bit ELF of 4 GiB), ERR_UNSUPPORTED (other
 * parts of the file refer to a section that would be dropped: section_refs.h); the file is then unchanged.
 *
 * @strip: also drop all DWARF in the same step; see section_strip.c. @nr may then be 0. The new file is as
 * small as possible, so it is a new file, with another inode. If the folder does not allow that, DWARF is
 * dropped from the tables only, and gaps stay in the file; @diags gets a warning. ERR_UNSUPPORTED also if
 * other parts of the file refer to DWARF that would be dropped.
 */
MUST_CHECK struct err *section_target_put(struct section_target *t,
					  const struct section_content *sections, size_t nr,
					  bool strip, struct diagnostics *diags);
void section_target_close(struct section_target *t);

/* Properties of a file, found before it is encoded. */
struct section_facts {
	struct stat st; /* @was of section_target_open() */
	bool is_file;   /* regular, and it could be opened */
	bool is_elf;
	enum packing packing;
	bool is_linked;      /* it has program headers */
	bool has_dwarf;      /* stripping would drop something */
	bool is_bpf;         /* its .BTF is of the compiler, for libbpf */
	bool has_btf;        /* a section .BTF */
	uint32_t loaded_btf; /* size of .BTF if the program headers load it (vmlinux), else 0 */
};

/*
 * Look at @path. ERR_IO if it is no regular file or cannot be read. A file with broken tables has no DWARF
 * and no .BTF.
 */
MUST_CHECK struct err *section_out_look(const char *path, struct section_facts *ret);

#endif
