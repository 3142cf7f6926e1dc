/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check_frame.c - the rules about header and sections
 *
 * The kernel takes a header of any length that is all zeros behind the words it knows; words that
 * a short one lacks count as zero. The sections must follow it without a gap and fill the data to its last
 * byte. Until Linux 7.1, these are two, and the types are first. Since then a third one, the layout, is
 * possible, and headers of 32 bytes may be followed by the sections in any order.
 *
 * The other byte order as such is not a breach: it is that of another machine.
 */
#include "check/btf_check_internal.h"

#include <stdlib.h>

enum { MAX_STRINGS = 1 << 24, MAX_LOAD = 1 << 24 };

/* Byte offsets in the header. */
enum {
	FIELD_VERSION = 2,
	FIELD_FLAGS = 3,
	FIELD_HDR_LEN = 4,
	FIELD_TYPE_OFF = 8,
	FIELD_STR_OFF = 16,
	FIELD_LAYOUT_OFF = 24,
};

enum { LINUX_LAYOUT = 7 << 16 | 1 };

struct section {
	uint32_t off, len; /* from the end of the header */
	uint32_t at;       /* where in the header it is said */
};

struct header {
	uint32_t len;
	struct section types, strings, layout;
	bool has_layout; /* as this version of Linux reads it */
	bool any_order;  /* of the sections */
};

static bool check_known(struct btf_check *c, struct bytes b, uint32_t hdr_len, uint32_t version)
{
	for (uint32_t i = version < LINUX_LAYOUT ? BTF_HDR_CLASSIC : BTF_HDR_LAYOUT; i < hdr_len;
	     i++) {
		if (b.ptr[i]) {
			check_found_at(c, RULE_HEADER_UNKNOWN, i, 0);
			return false;
		}
	}
	return true;
}

static bool is_other_order(const struct btf_check_opts *opts, bool swap)
{
	return (opts->base && opts->base->swapped != swap) ||
	       (opts->order != CHECK_ANY_ORDER && (opts->order == CHECK_OTHER_ORDER) != swap);
}

/* The header as the kernel reads it; false if it is none. */
static bool read_header(struct btf_check *c, struct bytes b, const struct btf_check_opts *opts,
			struct header *h, bool *swap)
{
	struct btf_wire_header raw = { 0 };
	uint16_t magic;

	if (b.len < FIELD_HDR_LEN + sizeof(uint32_t)) {
		check_found_at(c, RULE_HEADER_CUT, 0, b.len);
		return false;
	}
	magic = load16(b.ptr);
	*swap = magic == swap16(BTF_WIRE_MAGIC, true);
	if (!*swap && magic != BTF_WIRE_MAGIC) {
		check_found_at(c, RULE_MAGIC, 0, 0);
		return false;
	}
	if (is_other_order(opts, *swap))
		check_found_at(c, RULE_BYTE_ORDER, 0, 0);
	if (b.ptr[FIELD_VERSION] != BTF_WIRE_VERSION)
		check_found_at(c, RULE_VERSION, FIELD_VERSION, b.ptr[FIELD_VERSION]);
	if (b.ptr[FIELD_FLAGS])
		check_found_at(c, RULE_FLAGS, FIELD_FLAGS, b.ptr[FIELD_FLAGS]);

	h->len = swap32(load32(b.ptr + FIELD_HDR_LEN), *swap);
	if (h->len > b.len) {
		check_found_at(c, RULE_HEADER_LEN, FIELD_HDR_LEN, h->len);
		return false;
	}
	if (h->len < BTF_HDR_CLASSIC)
		check_found_at(c, RULE_HEADER_SHORT, FIELD_HDR_LEN, h->len);
	memcpy(&raw, b.ptr, h->len < sizeof(raw) ? h->len : sizeof(raw));
	h->types = (struct section){ swap32(raw.type_off, *swap), swap32(raw.type_len, *swap),
				     FIELD_TYPE_OFF };
	h->strings = (struct section){ swap32(raw.str_off, *swap), swap32(raw.str_len, *swap),
				       FIELD_STR_OFF };
	h->layout = (struct section){ swap32(raw.layout_off, *swap), swap32(raw.layout_len, *swap),
				      FIELD_LAYOUT_OFF };
	/* a header that ends within the words of the layout has none */
	if (h->len < BTF_HDR_LAYOUT)
		h->layout.len = 0;
	h->any_order = opts->version >= LINUX_LAYOUT && h->len >= BTF_HDR_LAYOUT;
	h->has_layout = h->any_order && h->layout.len;
	check_known(c, b, h->len, opts->version);
	return true;
}

static bool check_inside(struct btf_check *c, const struct section *s, uint64_t room)
{
	if ((uint64_t)s->off + s->len <= room)
		return true;
	check_found_at(c, RULE_SECTION_OUTSIDE, s->at, 0);
	return false;
}

/* In the kernel's order, btf_sec_info_cmp(). */
static int by_offset(const void *a, const void *b)
{
	const struct section *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	return (x->len > y->len) - (x->len < y->len);
}

/* Do the sections fill @room? What does not hinder reading them is reported, too. */
static bool check_sections(struct btf_check *c, const struct header *h, uint64_t room)
{
	struct section all[] = { h->types, h->strings, h->layout };
	size_t nr = h->has_layout ? 3 : 2;
	bool inside = true;
	uint64_t end = 0;

	for (size_t i = 0; i < nr; i++)
		inside &= check_inside(c, &all[i], room); /* each has a finding of its own */
	if (!inside)
		return false;
	qsort(all, nr, sizeof(all[0]), by_offset);
	for (size_t i = 0; i < nr; i++) {
		if (all[i].off > end)
			check_found_at(c, RULE_SECTION_GAP, h->len + end, all[i].off - end);
		if (all[i].off < end) {
			check_found_at(c, RULE_SECTION_OVERLAP, all[i].at, 0);
			return false;
		}
		end = (uint64_t)all[i].off + all[i].len;
	}
	if (end < room)
		check_found_at(c, RULE_SECTION_GAP, h->len + end, room - end);
	else if (!h->any_order && h->types.off > h->strings.off)
		check_found_at(c, RULE_STRINGS_LAST, FIELD_STR_OFF, 0);
	return true;
}

/* The layout, if records can be stepped over with it, although this version of Linux may not know it. */
static struct bytes check_layout(struct btf_check *c, const struct header *h, struct bytes b)
{
	const struct section *s = &h->layout;
	bool good = s->len && !(s->off % sizeof(uint32_t)) && !(s->len % BTF_LAYOUT_ENTRY) &&
		    bytes_have(b, (uint64_t)h->len + s->off, s->len);

	if (h->has_layout && s->off % sizeof(uint32_t))
		check_found_at(c, RULE_LAYOUT_ALIGNMENT, s->at, s->off);
	else if (h->has_layout && s->len < BTF_LAYOUT_ENTRY)
		check_found_at(c, RULE_LAYOUT_SHORT, s->at, s->len);
	else if (h->has_layout && s->len % BTF_LAYOUT_ENTRY)
		check_found_at(c, RULE_LAYOUT_SIZE, s->at, s->len);
	return good ? (struct bytes){ b.ptr + h->len + s->off, s->len } : (struct bytes){ 0 };
}

static bool check_strings(struct btf_check *c, const struct header *h, struct bytes s,
			  const struct btf_view *base)
{
	uint64_t at = (uint64_t)h->len + h->strings.off;

	if (!s.len && base)
		return true;
	if (!s.len) {
		check_found_at(c, RULE_STRINGS_NONE, FIELD_STR_OFF, 0);
		return false;
	}
	if (s.len > MAX_STRINGS)
		check_found_at(c, RULE_STRINGS_SIZE, at, s.len);
	if (s.ptr[s.len - 1]) {
		check_found_at(c, RULE_STRINGS_END, at + s.len - 1, 0);
		return false;
	}
	if (!base && s.ptr[0]) {
		check_found_at(c, RULE_STRINGS_FIRST, at, 0);
		return false;
	}
	/* the base of split BTF has the empty string, so split BTF does not repeat it */
	if (base && !s.ptr[0])
		check_found_at(c, RULE_STRINGS_WHOLE, at, 0);
	/* the room for offsets, with those of the base; nothing that exists comes near */
	return !base || (uint64_t)base->str_base + base->strings.len + s.len <= UINT32_MAX;
}

bool check_frame(struct btf_check *c, struct bytes b, const struct btf_check_opts *opts,
		 struct check_frame *ret)
{
	struct header h = { 0 };

	if (!read_header(c, b, opts, &h, &ret->swap))
		return false;
	if (h.len == b.len && !opts->base) {
		check_found_at(c, RULE_NO_DATA, FIELD_HDR_LEN, 0);
		return false;
	}
	if (b.len > MAX_LOAD && !opts->base)
		check_found_at(c, RULE_TOTAL_SIZE, 0, b.len);
	if (!check_sections(c, &h, b.len - h.len))
		return false;

	ret->types_offset = (uint64_t)h.len + h.types.off;
	ret->types = (struct bytes){ b.ptr + ret->types_offset, h.types.len };
	ret->strings = (struct bytes){ b.ptr + h.len + h.strings.off, h.strings.len };
	if (!check_strings(c, &h, ret->strings, opts->base))
		return false;
	ret->layout = check_layout(c, &h, b);
	if (h.types.off % sizeof(uint32_t))
		check_found_at(c, RULE_TYPES_ALIGNMENT, FIELD_TYPE_OFF, h.types.off);
	return true;
}
