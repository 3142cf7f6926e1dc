/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_file.h - the units of one object, and its strings */
#ifndef BTFENC_LOADER_DW_FILE_H
#define BTFENC_LOADER_DW_FILE_H

#include "base/vec.h"
#include "dedup/str_pool.h"
#include "loader/dw_form.h"
#include "loader/object.h"

/* Offsets count from the start of .debug_info. */
struct dw_unit {
	uint64_t start; /* of its header */
	uint64_t die;   /* of its outermost DIE */
	uint64_t end;
	uint64_t abbrev; /* of its table in .debug_abbrev */
	struct dw_encoding enc;
	uint8_t type; /* DW_UT_* */
};

/* Shared by all workers, read-only but for @str_ids, which is an atomic cache. */
struct dw_file {
	const struct object *obj; /* borrowed */
	struct str_pool *strings; /* borrowed */
	const char *kabi_prefix;  /* borrowed; NULL for none */
	size_t kabi_len;
	struct {
		struct dw_unit *items;
		size_t nr, cap;
	} units;
	/*
	 * Units refer to one another (link time optimization, dwz): they are read as one,
	 * whose references count from the start of the section (spec pahole-encoder 3.2).
	 */
	bool merged;
	/*
	 * Id by offset in .debug_str, 0 until somebody has asked; NULL if each unit has strings of
	 * its own, so that others never will.
	 */
	_Atomic uint32_t *str_ids;
	/* borrowed, a name would keep the pages of others as well */
	bool strings_pass;
};

/*
 * Walk the unit headers of @obj. ERR_FORMAT with the offset if one is malformed,
 * ERR_UNSUPPORTED for a version other than 2 to 5. Both arguments must live as long.
 */
MUST_CHECK struct err *dw_file_open(const struct object *obj, struct str_pool *strings,
				    const char *kabi_prefix, struct dw_file *ret);
void dw_file_close(struct dw_file *f);

/*
 * The id of @len bytes at @s, with a zero behind, which must stay; the prefix of --kabi_prefix
 * applied. And of bytes that will not stay.
 */
uint32_t dw_file_name(const struct dw_file *f, const char *s, size_t len);
uint32_t dw_file_passing_name(const struct dw_file *f, const char *s, size_t len);

/*
 * What one reader remembers of strings. Relocatable files have theirs once for each unit, for
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

/* Strings of a unit lie side by side: they share a place only with much older ones, mostly. */
enum { DW_RECENT_NAMES = 32768 };

ALWAYS_INLINE struct dw_recent_name *dw_recent_name(const struct dw_names *n, uint64_t off)
{
	return &n->recent[off >> 3 & (DW_RECENT_NAMES - 1)];
}

/*
 * What dw_file_str() does if it does not remember; 0 if @off is outside or not ended. Without @n
 * (NULL) each string is looked up.
 */
uint32_t dw_file_str_slow(const struct dw_file *f, uint64_t off, struct dw_names *n);

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
		uint32_t id = atomic_load_explicit(&f->str_ids[off], memory_order_acquire);

		if (likely(id))
			return id;
	}
	return dw_file_str_slow(f, off, n);
}

#endif
