/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * object.h - an ELF file with its sections and its debug information
 *
 * Maps the file, lists its sections, and provides the debug sections decompressed and with their
 * relocations applied, so a reader of DWARF sees plain bytes. Read-only once open, so all threads
 * share it.
 */
#ifndef BTFENC_LOADER_ELF_OBJECT_H
#define BTFENC_LOADER_ELF_OBJECT_H

#include "base/bytes.h"
#include "base/err.h"
#include "loader/elf/ar_file.h"

enum debug_section {
	DEBUG_INFO,
	DEBUG_ABBREV,
	DEBUG_STR,
	DEBUG_LINE_STR,
	DEBUG_STR_OFFSETS,
	DEBUG_ADDR,
	DEBUG_LOC,
	DEBUG_LOCLISTS,
	DEBUG_RANGES,
	DEBUG_RNGLISTS,
	DEBUG_TYPES,
	NR_DEBUG_SECTIONS,
};

/* SHT_CREL, relocations of LLVM 19 and later; elf.h may be older. */
enum { SECTION_CREL = 0x40000014 };

/* Borrows @name from the file. Index 0 is the null section of ELF. */
struct object_section {
	const char *name;
	uint32_t type;  /* SHT_* */
	uint64_t flags; /* SHF_* */
	uint64_t addr;  /* as in the file */
	/*
	 * As the debug information of this object sees it. Differs from @addr in
	 * ET_REL only: sections there have no addresses, so they get some, by the
	 * rule that pahole's library uses (docs/spec/encoding.md 2.2), because which
	 * variable lies in which section and which function is "at 0" follow from it.
	 */
	uint64_t debug_addr;
	uint64_t size, align, entsize;
	uint32_t link, info; /* other sections, as their type says */
	struct bytes data;   /* empty for SHT_NOBITS; as stored, so possibly compressed */
};

struct object {
	char *path;
	bool swap;          /* the file is in the other byte order than this machine */
	bool is_rel;        /* ET_REL */
	uint8_t addr_size;  /* 4 or 8, from the ELF class */
	uint16_t machine;   /* EM_* */
	uint64_t load_addr; /* the lowest address of a segment that is loaded; 0 if there is none */
	struct object_section *sections;
	size_t nr_sections;
	/*
	 * Empty where absent. OBJECT_PADDING bytes behind each of them may be read, and
	 * hold anything; only behind the two sections of strings a zero is certain, so a
	 * string that starts inside always ends. They may come from another file than
	 * @sections: the one that holds the debug information stripped from this one.
	 * DEBUG_INFO is read with object_info(), for its relocations may not be applied here.
	 */
	struct bytes debug[NR_DEBUG_SECTIONS];
	bool is_split; /* they are those of split DWARF, .debug_*.dwo */
	struct object_impl *impl;
};

/*
 * The base of address constants (docs/spec/encoding.md 15.4). Where @end is 0, readers know no such address, as of
 * a relocatable file, whose sections are loaded at different ones.
 */
struct addr_base {
	uint64_t start, end; /* of the image; addresses of debug information */
};

/* A reader may load this many bytes behind the end of a debug section. */
enum { OBJECT_PADDING = 16 };

/*
 * Open @path. ERR_IO if it cannot be read, ERR_FORMAT if it is not ELF or a section
 * lies outside the file, ERR_UNSUPPORTED for a compression or a relocation that we do
 * not know; the message names the file. A file without debug information opens well:
 * its DEBUG_INFO is empty. On error *ret is untouched.
 */
MUST_CHECK struct err *object_open(const char *path, struct object *ret);
/* The same for a .dwo file or a package of them: ignores other debug information in it. */
MUST_CHECK struct err *object_open_split(const char *path, struct object *ret);
/* The same without its debug information, which costs next to nothing, ... */
MUST_CHECK struct err *object_open_bare(const char *path, struct object *ret);
/* ... for a member of an ar archive as well. If the member is no ELF file, *ret has no sections. */
MUST_CHECK struct err *object_open_ref(const struct file_ref *file, struct object *ret);
/* ... and may be added later, once. */
MUST_CHECK struct err *object_load_debug(struct object *o);
/* The same for a supplementary file of dwz, which may only have strings, and has no debug file. */
MUST_CHECK struct err *object_load_supplement(struct object *o);
/* Find the debug file of @o, opened bare, for its symbol table alone. */
void object_find_debug_file(struct object *o);
/* The debug file of @o; NULL if it was not looked for or there is none. */
const struct object *object_debug_file(const struct object *o);
/* Why a debug file of @o was not used, with its name; NULL if none was refused, or one was found. */
const char *object_refused_debug_file(const struct object *o);
/* Free the table of sections, which is not needed any more. Bytes of the file stay. */
void object_drop_sections(struct object *o);
void object_close(struct object *o);

/* Room of one thread for parts of DEBUG_INFO. Zeroed is empty. */
struct object_room {
	uint8_t *items;
	size_t cap;
};

/*
 * The bytes [@start, @end) of DEBUG_INFO with their relocations applied; they must be inside. They
 * lie in @room, until the next call with it, or where they are if none has to be applied. OBJECT_PADDING
 * bytes may be read behind them, and hold anything. Errors as those of relocations; any thread.
 */
MUST_CHECK struct err *object_info(const struct object *o, size_t start, size_t end,
				   struct object_room *room, struct bytes *ret);
/* Does object_info() make copies? */
bool object_info_is_copied(const struct object *o);
void object_room_release(struct object_room *room);

/*
 * The number of the section that is debug section @which. 0 if there is none, if it was joined from
 * several (type units), or if the debug information is in another file.
 */
size_t object_debug_index(const struct object *o, enum debug_section which);

/*
 * The bytes of section @index, inflated if it is compressed, and with its relocations applied if the file
 * is ET_REL. If *ret_own is not NULL, it is the memory of *ret, which the caller frees; else *ret borrows
 * from @o. Errors of object_open(). One thread at a time.
 */
MUST_CHECK struct err *object_read_section(const struct object *o, size_t index, struct bytes *ret,
					   uint8_t **ret_own);

/* The section called @name, NULL if there is none; the first of several. */
const struct object_section *object_section(const struct object *o, const char *name);

/*
 * The bytes [@start, @end) of DEBUG_INFO will not be read again soon: give their pages back.
 * Safe at any time (they are read again from the file if need be).
 */
void object_forget_info(const struct object *o, size_t start, size_t end);
/* The same for @section, all of it. */
void object_forget_section(const struct object *o, const struct object_section *section);
/*
 * The same for all that a reader of DEBUG_INFO looks up in other sections; for DEBUG_STR only if
 * object_strings_pass().
 */
void object_forget_lookups(const struct object *o);
/* Does each unit have strings of its own in DEBUG_STR, and are they too many to be kept? */
bool object_strings_pass(const struct object *o);

#endif
