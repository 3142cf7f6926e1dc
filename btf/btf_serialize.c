/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_serialize.c - see btf_serialize.h
 *
 *	| header, 24 or 32 bytes | records | table of kinds (on request) | strings |
 *
 * There is no padding. The two words behind the classic header are written with the table of kinds, or on
 * request. Without the table they are zero. libbpf before 1.8 then accepts them only in the byte order of its
 * machine (docs/compatibility.md, Readers), so they are not written without a reason. The table of kinds has
 * the length of the records of each kind, so that a reader can skip kinds that it does not know. Older kernels
 * refuse the table. Split BTF has none: the table of the base serves both.
 */
#include "btf/btf_serialize.h"

#include "btf/btf_kind.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

/* The name of type @id, or of the function whose prototype it is. NULL if unknown. */
static const char *name_of(const struct btf_types *t, struct bytes strings, uint32_t id)
{
	uint32_t name = btf_types_rec(t, id)[BTF_REC_NAME];

	for (uint32_t i = t->first; !name && i < btf_types_end(t); i++) {
		const uint32_t *rec = btf_types_rec(t, i);

		if (btf_rec_kind(rec) == BTF_FUNC && rec[BTF_REC_SIZE_TYPE] == id)
			name = rec[BTF_REC_NAME];
	}
	/* with a base, @strings do not start at offset 0 */
	return t->base || !name || name >= strings.len ? NULL : (const char *)strings.ptr + name;
}

static struct err *too_many(const struct btf_types *t, struct bytes strings, uint32_t id)
{
	const uint32_t *rec = btf_types_rec(t, id);
	const char *name = name_of(t, strings, id);

	return err_new(ERR_LIMIT, "type %u '%s': %u elements in one %s, BTF has room for %d", id,
		       name ? name : "(anon)", btf_rec_vlen(rec), btf_rec_layout(rec)->name,
		       KERNEL_MAX_VLEN_BEFORE_7_2);
}

/* Too many members, parameters, ... for the kernels that know 16 bits of vlen. */
static struct err *check_vlens(const struct btf_types *t, struct bytes strings)
{
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		if (unlikely(btf_rec_vlen(btf_types_rec(t, id)) > KERNEL_MAX_VLEN_BEFORE_7_2))
			return too_many(t, strings, id);
	}
	return NULL;
}

static struct err *check_length(const char *what, uint64_t len)
{
	if (len > UINT32_MAX)
		return err_new(ERR_LIMIT,
			       ".BTF: %" PRIu64 " bytes of %s do not fit a 32-bit length", len,
			       what);
	return NULL;
}

static uint8_t *put_header(uint8_t *pos, uint32_t hdr_len, uint32_t type_len, uint32_t layout_len,
			   uint32_t str_len, bool swap)
{
	const struct btf_wire_header hdr = {
		.magic = swap16(BTF_WIRE_MAGIC, swap),
		.version = BTF_WIRE_VERSION,
		.hdr_len = swap32(hdr_len, swap),
		.type_len = swap32(type_len, swap),
		.str_off = swap32(type_len + layout_len, swap),
		.str_len = swap32(str_len, swap),
		.layout_off = layout_len ? swap32(type_len, swap) : 0,
		.layout_len = swap32(layout_len, swap),
	};

	_Static_assert(sizeof(hdr) == BTF_HDR_LAYOUT, "the header has no holes");
	memcpy(pos, &hdr, hdr_len);
	return pos + hdr_len;
}

static uint8_t *put_words(uint8_t *pos, const uint32_t *words, size_t nr, bool swap)
{
	if (!swap) {
		if (nr)
			memcpy(pos, words, nr * sizeof(*words));
		return pos + nr * sizeof(*words);
	}
	for (size_t i = 0; i < nr; i++) {
		uint32_t w = swap32(words[i], true);

		memcpy(pos, &w, sizeof(w));
		pos += sizeof(w);
	}
	return pos;
}

/*
 * The number of kinds in the table: those of Linux 7.1, where it came, or all. Which one depends on the
 * records, so that older kinds give the table that pahole writes.
 */
static uint32_t layout_kinds(const struct btf_types *t)
{
	for (size_t i = 0; i < t->start.nr; i++) {
		if (unlikely(btf_rec_kind(t->words.items + t->start.items[i]) > BTF_ENUM64))
			return BTF_NR_KINDS;
	}
	return BTF_ENUM64 + 1;
}

/* Per kind from 0 up: bytes behind the common words, bytes per element, 16 flag bits. */
static uint8_t *put_layout(uint8_t *pos, uint32_t kinds)
{
	for (uint32_t kind = 0; kind < kinds; kind++, pos += BTF_LAYOUT_ENTRY) {
		const struct btf_kind_layout *l = btf_kind_layout(kind);

		memset(pos, 0, BTF_LAYOUT_ENTRY);
		pos[BTF_LAYOUT_FIXED] = (uint8_t)(l->fixed * sizeof(uint32_t));
		pos[BTF_LAYOUT_ELEM] = (uint8_t)(l->elem * sizeof(uint32_t));
	}
	return pos;
}

struct err *btf_serialize(const struct btf_types *t, struct bytes strings,
			  const struct btf_serialize_opts *opts, uint8_t **ret_ptr, size_t *ret_len)
{
	uint32_t kinds = opts->layout && !t->base ? layout_kinds(t) : 0;
	uint32_t layout_len = kinds * BTF_LAYOUT_ENTRY;
	uint64_t type_len = (uint64_t)t->words.nr * sizeof(uint32_t);

	if (!opts->wide)
		TRY(check_vlens(t, strings));
	TRY(check_length("records", type_len + layout_len));
	TRY(check_length("strings", strings.len));

	uint32_t hdr_len = layout_len || opts->long_header ? BTF_HDR_LAYOUT : BTF_HDR_CLASSIC;
	size_t len = hdr_len + (size_t)type_len + layout_len + strings.len;
	uint8_t *image = mem_alloc(len);
	uint8_t *pos = put_header(image, hdr_len, (uint32_t)type_len, layout_len,
				  (uint32_t)strings.len, opts->swap);

	pos = put_words(pos, t->words.items, t->words.nr, opts->swap);
	pos = put_layout(pos, kinds);
	if (strings.len)
		memcpy(pos, strings.ptr, strings.len);
	*ret_ptr = image;
	*ret_len = len;
	return NULL;
}

void btf_serialize_pad(uint8_t **ptr, size_t *len, uint32_t to)
{
	enum { STR_LEN = offsetof(struct btf_wire_header, str_len) };
	bool swap = load16(*ptr) != BTF_WIRE_MAGIC;
	uint8_t *image = mem_alloc(to);

	memcpy(image, *ptr, *len);
	memset(image + *len, 0, to - *len);

	uint32_t strings = swap32(load32(image + STR_LEN), swap) + (uint32_t)(to - *len);
	strings = swap32(strings, swap);
	memcpy(image + STR_LEN, &strings, sizeof(strings));
	free(*ptr);
	*ptr = image;
	*len = to;
}
