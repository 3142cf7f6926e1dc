/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive.c - see archive.h
 *
 * No table says where the members are, but each header says how long its member is:
 *
 *	| header types strings | padding | header types strings | ...
 *
 * So we read a header, step over what it claims, step over padding, and repeat. We never
 * search for the next magic number: in a damaged file that would drop members in silence,
 * and text among the strings could pass for a header. Even behind gcc's malformed
 * unit, whose header does not say how long it is, we know where the next one must be.
 *
 * Nor is any number of zeros padding: they are also what a file system leaves where it lost
 * a block. Linkers pad in front of a contribution up to the alignment it asks for, hence
 * there are fewer zeros than the largest power of two that divides the offset behind them.
 * In an archive that was moved (into a section with a smaller alignment, say) offsets do
 * not tell that any more; there, padding is what is too short to have been a member.
 *
 * For the same reason a member must not hide another one: what lies in it outside of its
 * sections is zero, and no header stands among its strings, which is where a wrong length
 * would put it. (Among the records it would not pass for one.)
 */
#include "loader/btf/archive.h"

#include "base/cleanup.h"
#include "base/os/mapped_file.h"
#include "base/vec.h"
#include "btf/btf_view.h"
#include "btf/btf_wire.h"

#include <stdlib.h>

/* A header, and strings that are the empty one alone. */
enum { SMALLEST_MEMBER = BTF_HDR_CLASSIC + 1 };

/* The number of the member that is being looked at, for messages. */
static size_t number(const struct archive *a)
{
	return a->members.nr + 1;
}

static bool has_magic(struct bytes b)
{
	if (b.len < sizeof(uint16_t))
		return false;

	uint16_t magic = load16(b.ptr);
	return magic == BTF_WIRE_MAGIC || magic == swap16(BTF_WIRE_MAGIC, true);
}

/* How many bytes at the start of @b are the same; @b is not empty. */
static size_t run_length(struct bytes b)
{
	size_t n = 1;

	while (n < b.len && b.ptr[n] == b.ptr[0])
		n++;
	return n;
}

/* Can @len bytes that end at offset @end be there for an alignment? */
static bool is_alignment(size_t len, size_t end)
{
	return len < (end & -end);
}

/* Step over what a linker put behind a member; other bytes than zeros have to lead to a header. */
static struct err *skip_padding(const struct archive *a, size_t *pos)
{
	struct bytes rest = bytes_from(a->bytes, *pos);

	if (!rest.len || has_magic(rest))
		return NULL;

	size_t len = run_length(rest), end = *pos + len;
	if (is_alignment(len, end) && (rest.ptr[0] == 0 || has_magic(bytes_from(rest, len)))) {
		*pos = end;
		return NULL;
	}
	if (rest.ptr[0] != 0)
		return NULL; /* the reader of the header reports what is wrong with it */
	if (len >= SMALLEST_MEMBER)
		return err_new(ERR_FORMAT,
			       "member %zu at %#zx: %zu zeros, expected a header, or zeros for an "
			       "alignment",
			       number(a), *pos, len);
	*pos = end;
	return NULL;
}

/*
 * gcc 12 -gbtf describes a unit without types by a header whose numbers are all zero, and
 * puts strings behind it as if they had been counted: the empty one, the name of the source
 * file, and the empty one again. The size of such a unit at the start of @b, 0 if it is none.
 */
static size_t empty_unit_size(struct bytes b)
{
	struct btf_wire_header h = { 0 };

	if (b.len < BTF_HDR_CLASSIC || !has_magic(b))
		return 0;
	memcpy(&h, b.ptr, BTF_HDR_CLASSIC);
	if (h.version != BTF_WIRE_VERSION || h.flags ||
	    swap32(h.hdr_len, h.magic != BTF_WIRE_MAGIC) != BTF_HDR_CLASSIC || h.type_off ||
	    h.type_len || h.str_off || h.str_len)
		return 0;

	size_t pos = BTF_HDR_CLASSIC;
	if (b.len - pos < 2 || b.ptr[pos] != '\0' || b.ptr[pos + 1] == '\0')
		return 0;
	for (pos++; pos < b.len && b.ptr[pos] != '\0'; pos++) {
		const uint8_t *nul = memchr(b.ptr + pos, '\0', b.len - pos);

		if (!nul)
			return 0;
		pos = (size_t)(nul - b.ptr);
	}
	return pos < b.len ? pos + 1 : 0;
}

/* Bytes [@from, @to) of a member do not belong to a section that we know. */
static struct err *check_zeros(struct bytes m, size_t from, size_t to)
{
	for (; from < to; from++) {
		if (m.ptr[from])
			return err_new(ERR_FORMAT, "BTF+%#zx: %#x outside of all sections", from,
				       m.ptr[from]);
	}
	return NULL;
}

/* How many bytes the header at the start of @b takes for its member; 0: it is none. */
static uint64_t claimed_size(struct bytes b, bool swap)
{
	struct btf_wire_header h = { 0 };

	if (b.len < BTF_HDR_CLASSIC)
		return 0;
	memcpy(&h, b.ptr, BTF_HDR_CLASSIC);
	if (swap16(h.magic, swap) != BTF_WIRE_MAGIC || h.version != BTF_WIRE_VERSION || h.flags ||
	    swap32(h.hdr_len, swap) < BTF_HDR_CLASSIC)
		return 0;
	return (uint64_t)swap32(h.hdr_len, swap) + swap32(h.str_off, swap) +
	       swap32(h.str_len, swap);
}

/*
 * A length that is too large by whole members ends where the last of them does, or behind
 * its padding. That tells them from strings that happen to look like a header. Text
 * has next to none of the bytes that a header begins with, so this is quick.
 */
static struct err *check_strings(struct bytes m, size_t from, bool swap)
{
	const uint16_t magic = swap16(BTF_WIRE_MAGIC, swap);
	const uint8_t *end = m.ptr + m.len, *p = m.ptr + from;
	size_t zeros = 0;
	uint8_t first;

	memcpy(&first, &magic, 1);
	while (zeros < m.len - from && end[-1 - (ptrdiff_t)zeros] == '\0')
		zeros++;
	while ((p = memchr(p, first, (size_t)(end - p))) != NULL) {
		size_t left = (size_t)(end - p);
		uint64_t size = claimed_size((struct bytes){ p, left }, swap);

		if (size <= left && left - size < zeros)
			return err_new(ERR_FORMAT, "BTF+%#zx: another header among the strings",
				       (size_t)(p - m.ptr));
		p++;
	}
	return NULL;
}

/* Is all of @m, whose extents are known to be sound, there for @m itself? */
static struct err *check_nothing_hidden(struct bytes m, bool swap)
{
	struct btf_wire_header h = { 0 };

	memcpy(&h, m.ptr, BTF_HDR_CLASSIC);
	size_t hdr_len = swap32(h.hdr_len, swap), known = BTF_HDR_CLASSIC;
	if (hdr_len >= BTF_HDR_LAYOUT) {
		known = BTF_HDR_LAYOUT;
		memcpy(&h, m.ptr, BTF_HDR_LAYOUT);
	}

	size_t types = hdr_len + swap32(h.type_off, swap), end = types + swap32(h.type_len, swap);
	TRY(check_zeros(m, known, types));
	if (h.layout_len) {
		size_t kinds = hdr_len + swap32(h.layout_off, swap);

		TRY(check_zeros(m, end, kinds));
		end = kinds + swap32(h.layout_len, swap);
	}
	size_t strings = hdr_len + swap32(h.str_off, swap);
	TRY(check_zeros(m, end, strings));
	return check_strings(m, strings, swap);
}

/* All members of an archive have the byte order of what comes first. */
static struct err *check_order(struct archive *a, bool swapped)
{
	if (!a->members.nr && !a->nr_empty)
		a->swap = swapped;
	if (a->swap != swapped)
		return err_new(ERR_FORMAT, "BTF+0x0: byte order differs from that of member 1");
	return NULL;
}

/* Take in the member, or the empty unit, that begins at *pos. */
static struct err *take_member(struct archive *a, size_t *pos)
{
	struct bytes rest = bytes_from(a->bytes, *pos);
	size_t empty = empty_unit_size(rest);
	struct archive_member m = { .offset = *pos };
	bool swapped = false;

	if (empty) {
		TRY(check_order(a, load16(rest.ptr) != BTF_WIRE_MAGIC));
		a->nr_empty++;
		*pos += empty;
		return NULL;
	}
	TRY(btf_view_measure(rest, &m.size, &swapped));
	TRY(check_order(a, swapped));
	TRY(check_nothing_hidden((struct bytes){ rest.ptr, m.size }, swapped));
	m.hdr_len = swap32(load32(rest.ptr + offsetof(struct btf_wire_header, hdr_len)), swapped);
	vec_push(&a->members, m);
	*pos += m.size;
	return NULL;
}

struct err *archive_walk(struct bytes b, bool mapped, struct archive *ret)
{
	CLEANUP(archive_release) struct archive a = { .bytes = b };
	size_t kept = 0;

	for (size_t pos = 0; pos < b.len;) {
		TRY(err_at(take_member(&a, &pos), "member %zu at %#zx", number(&a), pos));
		TRY(skip_padding(&a, &pos));
		if (mapped && (pos - kept > GIVE_BACK_STRIDE || pos == b.len)) {
			pages_give_back(b.ptr + kept, pos - kept);
			kept = pos;
		}
	}
	if (!a.members.nr)
		return err_new(ERR_FORMAT, "member 1 at 0: %zu bytes hold no BTF", b.len);
	*ret = TAKE(a);
	return NULL;
}

bool archive_is_split(struct bytes b)
{
	struct btf_wire_header h = { 0 };

	if (b.len < BTF_HDR_CLASSIC)
		return false;
	memcpy(&h, b.ptr, BTF_HDR_CLASSIC);

	bool swap = h.magic != BTF_WIRE_MAGIC;
	uint64_t strings = (uint64_t)swap32(h.hdr_len, swap) + swap32(h.str_off, swap);
	return claimed_size(b, swap) == b.len && (strings == b.len || b.ptr[strings] != '\0');
}

enum archive_guess archive_guess(struct bytes b, bool mapped, struct archive *ret)
{
	CLEANUP(archive_release) struct archive a = { 0 };

	if (!b.len || empty_unit_size(b) == b.len)
		return ARCHIVE_NONE;

	struct err *e = archive_walk(b, mapped, &a);
	if (e) {
		err_free(e);
		return archive_is_split(b) ? ARCHIVE_NONE : ARCHIVE_DAMAGED;
	}
	if (a.members.nr + a.nr_empty < 2)
		return ARCHIVE_NONE;
	*ret = TAKE(a);
	return ARCHIVE_MANY;
}

void archive_release(struct archive *a)
{
	free(a->members.items);
	*a = (struct archive){ 0 };
}
