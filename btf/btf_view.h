/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_view.h - a checked, read-only view of existing BTF */
#ifndef BTFENC_BTF_BTF_VIEW_H
#define BTFENC_BTF_BTF_VIEW_H

#include "base/bytes.h"
#include "base/diagnostics.h"
#include "base/err.h"
#include "btf/btf_types.h"

/*
 * Owns the records (decoded to native words) unless they are @in_place; borrows the strings.
 *
 * Records of kinds that btfenc does not know can be stepped over if a layout section has their sizes. They
 * keep their ids, but become records of BTF_UNKN: three words, without a name, the last of which
 * btf_unknown_kind() and btf_unknown_words() read. A reference to one becomes a reference to void.
 */
struct btf_view {
	struct btf_types types;
	struct bytes strings;        /* own ones; offsets count from the base's end */
	uint32_t str_base;           /* length of all strings below, 0 without a base */
	const struct btf_view *base; /* must outlive this view; NULL: not split */
	const char *path;            /* of the file, for messages; borrowed, NULL if unknown */
	size_t size; /* of header and sections; the next member of an archive may start there */
	struct bytes layout;    /* its own layout section, empty if there is none */
	uint32_t nr_unknown;    /* of its own records, those of BTF_UNKN */
	uint32_t first_unknown; /* the kind of the first of them */
	bool swapped;           /* the bytes have the other byte order */
	bool in_place;          /* the records were not copied from the bytes */
};

/*
 * Decode the BTF at the start of @b, over @base (NULL: none). Checks header, extents,
 * kinds, every type id and every string reference. ERR_FORMAT names the offset; ERR_BASE reports that the
 * BTF belongs to another base (base_fit.h). Bytes behind the BTF are ignored. On error *ret is untouched.
 */
MUST_CHECK struct err *btf_view_open(struct bytes b, const struct btf_view *base,
				     struct btf_view *ret);
/*
 * The same, but native and aligned records are used in place: @b must outlive *ret, and @ret->types must
 * not be changed.
 */
MUST_CHECK struct err *btf_view_open_in_place(struct bytes b, const struct btf_view *base,
					      struct btf_view *ret);
/* Copy the records if they are used in place: they can be changed then. */
void btf_view_own_words(struct btf_view *v);
void btf_view_release(struct btf_view *v);

/*
 * Check only the header and the ends of the strings of the BTF at the start of @b. Returns its size and
 * whether it has the other byte order.
 */
MUST_CHECK struct err *btf_view_measure(struct bytes b, size_t *ret_size, bool *ret_swapped);

/*
 * Load @b, which has no base, into *v, which is zeroed or was loaded before; its arrays are used again. Ids
 * and string references are not checked: check each that is followed, or call btf_view_check_refs(). On
 * error the content of @v is undefined, but it must be released.
 */
MUST_CHECK struct err *btf_view_load(struct bytes b, struct btf_view *v);
/* Check the ids and string references of @v, which was loaded from @b, as btf_view_open() does. */
MUST_CHECK struct err *btf_view_check_refs(struct bytes b, const struct btf_view *v);

/* The layout section that applies to the records of @v, its own or that of its base; may be empty. */
struct bytes btf_view_layout(const struct btf_view *v);

/*
 * Convert the records of @v that have unknown kinds, and the references to such records here and in the
 * base, as described above. Does not check other references. @spoilt, unless NULL: set for each own
 * record, counted from 0, that is of an unknown kind or lost a reference.
 */
void btf_view_hide_unknown(struct btf_view *v, bool *spoilt);

static inline uint32_t btf_unknown_kind(const uint32_t *rec)
{
	return rec[BTF_REC_SIZE_TYPE] >> 24;
}

/* The words that the record has in the file. */
static inline uint32_t btf_unknown_words(const uint32_t *rec)
{
	return rec[BTF_REC_SIZE_TYPE] & 0xffffff;
}

/* Warn if own records of @v, the BTF of the file @path, were stepped over. */
void btf_view_report_unknown(const struct btf_view *v, const char *path, struct diagnostics *diags);

/* The string at @off, which was checked before. Offsets below @v->str_base are in @base. */
const char *btf_view_str(const struct btf_view *v, const struct btf_view *base, uint32_t off);

#endif
