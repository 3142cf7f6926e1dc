/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_file.h - the units of one object, and its strings */
#ifndef BTFENC_LOADER_DWARF_DW_FILE_H
#define BTFENC_LOADER_DWARF_DW_FILE_H

#include "base/diagnostics.h"
#include "base/vec.h"
#include "dedup/pool/str_pool.h"
#include "loader/dwarf/dw_form.h"
#include "loader/elf/object.h"

/* Offsets count from the start of its section. */
struct dw_unit {
	uint64_t start; /* of its header */
	uint64_t die;   /* of its outermost DIE */
	uint64_t end;
	uint64_t abbrev; /* of its table in .debug_abbrev */
	struct dw_encoding enc;
	uint8_t type;    /* DW_UT_* */
	uint8_t section; /* DEBUG_INFO or DEBUG_TYPES */
	bool in_package;
	/*
	 * Of a type unit: what it is known by, and its type, from @start; of split units the id in
	 * their headers (from DWARF 5 on), in the index of their package, or in their first DIE.
	 */
	uint64_t signature, type_off;
	/* in a package: where its part of .debug_str_offsets, .debug_loc(lists) and .debug_rnglists starts */
	uint64_t str_offsets, lists, ranges;
};

/* Units, sorted by their signatures. Of several with the same one the first in the file comes first. */
struct dw_units {
	const struct dw_unit **items;
	size_t nr, cap;
};

void dw_units_sort(struct dw_units *units);
/* The first unit with @signature; NULL if there is none. */
const struct dw_unit *dw_units_find(const struct dw_units *units, uint64_t signature);

static inline bool dw_unit_is_type(const struct dw_unit *u)
{
	return u->type == DW_UT_type || u->type == DW_UT_split_type;
}

/* Shared by all workers, read-only but for @str_ids, which is an atomic cache. */
struct dw_file {
	const struct object *obj;     /* borrowed */
	struct dw_companion *sup;     /* the supplementary file; NULL for none */
	struct dw_companion *package; /* the package; NULL for none */
	bool has_skeletons;
	char *missing_sup;        /* the path of a supplementary file that is not there; NULL */
	bool is_split;            /* a .dwo file or a package */
	struct str_pool *strings; /* borrowed */
	const char *kabi_prefix;  /* borrowed; NULL for none */
	size_t kabi_len;
	struct {
		struct dw_unit *items;
		size_t nr, cap;
	} units; /* of .debug_info */
	struct {
		struct dw_unit *items;
		size_t nr, cap;
	} types;                    /* type units beside it (DEBUG_TYPES) */
	struct dw_units signatures; /* the type units, one for each signature */
	_Atomic bool *asked_for;    /* by index in signatures: a unit refers to it */
	struct dw_units left;       /* type units that no unit refers to: dw_file_find_left() */
	size_t nr_others;           /* number of units that are not type units */
	struct dw_units ids;        /* of a package or a .dwo file: the other units, by id */
	/* by unit of a file with skeletons: the name of its .dwo file if that is missing, else 0 */
	uint32_t *missing;
	/*
	 * Units refer to each other (link time optimization). All are then read as one unit, in
	 * which references are offsets in the section (docs/spec/encoding.md 3.2). If units only
	 * share partial units (dwz), each is read with the partial units that it imports.
	 */
	bool merged;
	/*
	 * A cache for dw_str_id(): for every four bytes of .debug_str, the last string looked up
	 * there, or 0. NULL if units do not share strings.
	 */
	_Atomic uint32_t *str_ids;
	/* copy names to the pool: the file will be closed, or a borrowed one would keep the whole page in memory */
	bool strings_pass;
};

struct dw_open_opts {
	const char *kabi_prefix; /* borrowed; NULL for none */
	bool merge;              /* read all units as one in any case */
	/* the object is closed before the pool of strings: copy names */
	bool copy_names;
	/* without LTO, by a note of the kernel, units that refer to each other are not merged (3.2) */
	bool lto_note_decides;
};

/*
 * Walk the unit headers of @obj. ERR_FORMAT with the offset if one is malformed,
 * ERR_UNSUPPORTED for a version other than 2 to 5. *ret borrows @obj and @strings. @diags gets a
 * warning if a file that @obj refers to is missing.
 */
MUST_CHECK struct err *dw_file_open(const struct object *obj, struct str_pool *strings,
				    const struct dw_open_opts *opts, struct diagnostics *diags,
				    struct dw_file *ret);
void dw_file_close(struct dw_file *f);
/* The same for a file that @f needs (companion.h); @is_split: a .dwo file or package. */
MUST_CHECK struct err *dw_file_open_companion(const struct object *obj, const struct dw_file *f,
					      bool is_split, struct dw_file *ret);

/*
 * Was @obj linked with LTO, by a note of the kernel? The first such note decides if @first_decides, else any
 * that is not 0 (docs/spec/encoding.md 3.2). *ret_found is set if there is one.
 */
bool dw_find_lto_note(const struct object *obj, bool first_decides, bool *ret_found);

/* Free the data that only readers of units need. No other thread may use @f. */
void dw_file_forget_lookups(struct dw_file *f);

/*
 * Report in @diags the .dwo files that were missing when the units of @f were read. ERR_IO if all of them
 * were missing and @f has no other units.
 */
MUST_CHECK struct err *dw_file_report_missing(const struct dw_file *f, struct diagnostics *diags);
/*
 * A unit is read together with the units that it refers to. Returns the limit for the bytes of such other
 * units, in all units of @f. Files of compilers and dwz need a small multiple of the file size, but a file
 * in which each unit refers to all others would need its square.
 */
uint64_t dw_file_most_work(const struct dw_file *f);
/* ERR_LIMIT if @work exceeds dw_file_most_work(). */
MUST_CHECK struct err *dw_file_check_work(const struct dw_file *f, uint64_t work);
/* The size of its units in bytes; an estimate if they are in other files. */
size_t dw_file_size(const struct dw_file *f);

/* The unit of .debug_info that contains offset @off, and the type unit with @signature; NULL if there is none. */
const struct dw_unit *dw_file_unit_at(const struct dw_file *f, uint64_t off);
const struct dw_unit *dw_file_type_unit(const struct dw_file *f, uint64_t signature);
/*
 * The number of readings (dw_read_cu()) that @f takes. If it has several units, of which some are type units,
 * there is one reading more than units, for the type units that no unit refers to (gcc
 * -fno-eliminate-unused-debug-types); call dw_file_find_left() before it and after all others. If @f has
 * one unit, that has all types of the file.
 */
size_t dw_file_nr_readings(const struct dw_file *f);
bool dw_file_has_left(const struct dw_file *f);
void dw_file_find_left(struct dw_file *f);
/* The name of the section of @u in messages. */
const char *dw_unit_section(const struct dw_unit *u);

/*
 * The id of the string of @len bytes at @s, with the prefix of --kabi_prefix applied. A zero follows
 * the string. @stays: the pool may keep a pointer to it, for the bytes stay as long as the pool.
 */
uint32_t dw_file_name(const struct dw_file *f, const char *s, size_t len, bool stays);
/* The id of the string at @off of .debug_line_str; 0 if it is outside or not ended. */
uint32_t dw_file_line_str(const struct dw_file *f, uint64_t off);

/*
 * Strings that one reader remembers. Relocatable files have theirs once for each unit, for
 * "ld -r" merges none; but units include the same headers in the same order. Zeroed is ready;
 * dw_names_release().
 */
struct dw_names {
	/* what came behind each string, by its id, 0 for nothing: a guess */
	uint32_t *next;
	size_t nr;
	uint32_t last;
	/* the ids of strings that were asked for lately, if the file does not keep all */
	struct dw_recent_name {
		uint32_t off, id;
	} * recent;
};

void dw_names_release(struct dw_names *n);

/* Strings of a unit lie side by side: they share an element only with much older ones, mostly. */
enum { RECENT_NAMES = 32768 };

ALWAYS_INLINE struct dw_recent_name *dw_recent_name(const struct dw_names *n, uint64_t off)
{
	return &n->recent[off >> 3 & (RECENT_NAMES - 1)];
}

/*
 * dw_file_str() for a string that it does not remember; 0 if @off is outside or not ended. Without @n
 * (NULL) each string is looked up.
 */
uint32_t dw_file_str_slow(const struct dw_file *f, uint64_t off, struct dw_names *n);

/*
 * An element of str_ids: where in its four bytes the string starts, and the id. Strings that are so
 * close that they share an element are those that the linker made the end of others.
 */
enum { STR_ID_BITS = 2 };

_Static_assert(STR_POOL_MAX <= UINT32_MAX >> STR_ID_BITS, "an id and a position are 32 bits");

static inline uint32_t dw_str_id(uint64_t off, uint32_t id)
{
	return id << STR_ID_BITS | (uint32_t)(off & ((1 << STR_ID_BITS) - 1));
}

/* dw_file_str() will likely be asked for @off, which may be anything, in a moment. */
ALWAYS_INLINE void dw_file_str_soon(const struct dw_file *f, uint64_t off)
{
	if (f->str_ids && off < f->obj->debug[DEBUG_STR].len)
		__builtin_prefetch(&f->str_ids[off >> STR_ID_BITS]);
}

/* The id of the string at @off of .debug_str. */
ALWAYS_INLINE uint32_t dw_file_str(const struct dw_file *f, uint64_t off, struct dw_names *n)
{
	if (!f->str_ids) {
		if (likely(n && n->recent)) {
			const struct dw_recent_name *r = dw_recent_name(n, off);

			if (likely(r->off == off && r->id))
				return r->id;
		}
	} else if (likely(off < f->obj->debug[DEBUG_STR].len)) {
		uint32_t known = atomic_load_explicit(&f->str_ids[off >> STR_ID_BITS],
						      memory_order_acquire);
		uint32_t id = known >> STR_ID_BITS;

		if (likely(id && !((known ^ off) & ((1 << STR_ID_BITS) - 1))))
			return id;
	}
	return dw_file_str_slow(f, off, n);
}

#endif
