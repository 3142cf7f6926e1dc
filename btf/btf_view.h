/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_view.h - a checked, read-only window on BTF that somebody else made */
#ifndef BTFENC_BTF_BTF_VIEW_H
#define BTFENC_BTF_BTF_VIEW_H

#include "base/bytes.h"
#include "base/err.h"
#include "btf/btf_types.h"

/*
 * Owns the records (decoded to native words), unless @in_place, and borrows the strings. @size is
 * what the member takes of the bytes it was opened on: header and sections, so that the
 * next member of an archive starts there.
 */
struct btf_view {
	struct btf_types types;
	struct bytes strings;        /* own ones; offsets count from the base's end */
	uint32_t str_base;           /* length of all strings below, 0 without a base */
	const struct btf_view *base; /* the one it was opened over, which must outlive it */
	const char *path;            /* of the file, for messages; borrowed, NULL if unknown */
	size_t size;
	bool swapped;  /* the bytes are in the other byte order */
	bool in_place; /* the records are used where they lie in the bytes */
};

/*
 * Decode the BTF at the start of @b, over @base (NULL: none). Checks header, extents,
 * kinds, every type id and every string reference; ERR_FORMAT names the offset, or says that the
 * BTF was made over another base (base_fit.h). Bytes
 * behind the member are the caller's business. On error *ret is untouched.
 */
MUST_CHECK struct err *btf_view_open(struct bytes b, const struct btf_view *base,
				     struct btf_view *ret);
/*
 * The same, but what needs no decoding, which is what this machine would have written, is used
 * where it lies: @b must stay, and @ret->types must not be changed.
 */
MUST_CHECK struct err *btf_view_open_in_place(struct bytes b, const struct btf_view *base,
					      struct btf_view *ret);
void btf_view_release(struct btf_view *v);

/*
 * The part of btf_view_open() that needs the header and the ends of the strings alone: how
 * many bytes of @b the BTF at its start takes, and whether it is in the other byte order.
 */
MUST_CHECK struct err *btf_view_measure(struct bytes b, size_t *ret_size, bool *ret_swapped);

/*
 * Load @b, which has no base, into *v, whose arrays are used again; zeroed is an empty one. Ids and
 * string references are not checked, so whoever follows one has to, or ... On error @v has nothing
 * to say, and is still to be released.
 */
MUST_CHECK struct err *btf_view_load(struct bytes b, struct btf_view *v);
/* ... has this done before: are those of @v, which was loaded from @b, as btf_view_open() wants them? */
MUST_CHECK struct err *btf_view_check_refs(struct bytes b, const struct btf_view *v);

/* The string at @off, which was checked on opening; looks into @base for low offsets. */
const char *btf_view_str(const struct btf_view *v, const struct btf_view *base, uint32_t off);

#endif
