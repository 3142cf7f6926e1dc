/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_check_frame.c - the rules about header and sections
 *
 * The kernel takes a header of any length that is all zeros behind the words it knows; words that
 * a short one lacks count as zero. The two sections must follow it without a gap, types
 * first, and fill the data to its last byte.
 *
 * The other byte order as such is not a breach: it is that of another machine.
 */
#include "check/btf_check_internal.h"

enum { MAX_STRINGS = 1 << 24, MAX_LOAD = 1 << 24 };

/* Byte offsets in the header. */
enum {
	FIELD_VERSION = 2,
	FIELD_FLAGS = 3,
	FIELD_HDR_LEN = 4,
	FIELD_TYPE_OFF = 8,
	FIELD_STR_OFF = 16
};

struct section {
	uint32_t off, len; /* from the end of the header */
	uint32_t at;       /* where in the header it is said */
};

struct header {
	uint32_t len;
	struct section types, strings;
};

static bool check_known(struct btf_check *c, struct bytes b, uint32_t hdr_len)
{
	for (uint32_t i = BTF_HDR_CLASSIC; i < hdr_len; i++) {
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
	memcpy(&raw, b.ptr, h->len < BTF_HDR_CLASSIC ? h->len : BTF_HDR_CLASSIC);
	h->types = (struct section){ swap32(raw.type_off, *swap), swap32(raw.type_len, *swap),
				     FIELD_TYPE_OFF };
	h->strings = (struct section){ swap32(raw.str_off, *swap), swap32(raw.str_len, *swap),
				       FIELD_STR_OFF };
	check_known(c, b, h->len);
	return true;
}

static bool check_inside(struct btf_check *c, const struct section *s, uint64_t room)
{
	if ((uint64_t)s->off + s->len <= room)
		return true;
	check_found_at(c, RULE_SECTION_OUTSIDE, s->at, 0);
	return false;
}

/* Do the sections fill @room? What does not hinder reading them is reported, too. */
static bool check_sections(struct btf_check *c, const struct header *h, uint64_t room)
{
	struct section first = h->types, last = h->strings;
	/* each has something to say */
	bool types_inside = check_inside(c, &first, room),
	     strings_inside = check_inside(c, &last, room);

	if (!types_inside || !strings_inside)
		return false;
	if (last.off < first.off || (last.off == first.off && last.len < first.len)) {
		first = h->strings;
		last = h->types;
	}

	uint64_t end = (uint64_t)first.off + first.len;
	if (first.off)
		check_found_at(c, RULE_SECTION_GAP, h->len, first.off);
	if (last.off > end)
		check_found_at(c, RULE_SECTION_GAP, h->len + end, last.off - end);
	if (last.off < end) {
		check_found_at(c, RULE_SECTION_OVERLAP, last.at, 0);
		return false;
	}
	end = (uint64_t)last.off + last.len;
	if (end < room)
		check_found_at(c, RULE_SECTION_GAP, h->len + end, room - end);
	else if (h->types.off > h->strings.off)
		check_found_at(c, RULE_STRINGS_PLACE, FIELD_STR_OFF, 0);
	return true;
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
	if (h.types.off % sizeof(uint32_t))
		check_found_at(c, RULE_TYPES_ALIGNMENT, FIELD_TYPE_OFF, h.types.off);
	return true;
}
