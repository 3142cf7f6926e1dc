/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_view.c - a checked, read-only view of existing BTF
 *
 * All code that walks records later relies on the checks here: records fill their section exactly, their
 * kinds are known (or BTF_UNKN), and ids and string references are in range. btf_verify.h checks the meaning.
 *
 * The header may be longer than the known one. Members of an archive start at any byte, so no code here
 * assumes alignment.
 */
#include "btf/btf_view.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "btf/base_fit.h"
#include "btf/btf_kind.h"

#include <inttypes.h>
#include <stdlib.h>

/* One section of the member, from the end of its header. */
struct extent {
	uint64_t off, len;
};

static uint64_t extent_end(struct extent e)
{
	return e.off + e.len; /* both are 32 bits wide in the file */
}

struct layout {
	uint32_t hdr_len;
	struct extent types, kinds, strings;
};

static struct err *bad_header(const char *what, uint64_t found, const char *expected)
{
	return err_new(ERR_FORMAT, "BTF+0x0: %s %#" PRIx64 ", expected %s", what, found, expected);
}

static struct err *read_magic(struct bytes b, bool *ret_swapped)
{
	if (b.len < BTF_HDR_CLASSIC)
		return err_new(ERR_FORMAT, "BTF+0x0: %zu bytes cannot hold the header of %d", b.len,
			       BTF_HDR_CLASSIC);

	uint16_t magic = load16(b.ptr);
	if (magic != BTF_WIRE_MAGIC && magic != swap16(BTF_WIRE_MAGIC, true))
		return bad_header("magic", magic, "0xeb9f");
	if (b.ptr[2] != BTF_WIRE_VERSION)
		return bad_header("version", b.ptr[2], "1");
	if (b.ptr[3] != 0)
		return bad_header("flags", b.ptr[3], "0");
	*ret_swapped = magic != BTF_WIRE_MAGIC;
	return NULL;
}

static struct err *check_inside(const char *what, struct extent e, uint64_t room)
{
	if (extent_end(e) > room)
		return err_new(ERR_FORMAT,
			       "BTF+0x0: %s [%#" PRIx64 ", %#" PRIx64 ") end after the %#" PRIx64
			       " bytes after the header",
			       what, e.off, extent_end(e), room);
	return NULL;
}

static struct err *check_layout(const struct layout *l, uint64_t room)
{
	TRY(check_inside("records", l->types, room));
	TRY(check_inside("the layout", l->kinds, room));
	TRY(check_inside("strings", l->strings, room));
	if (l->types.off % sizeof(uint32_t))
		return bad_header("offset of records", l->types.off, "a multiple of 4");
	if (l->types.len % sizeof(uint32_t))
		return bad_header("length of records", l->types.len, "a multiple of 4");
	if (extent_end(l->types) > l->strings.off)
		return bad_header("offset of strings", l->strings.off, "them after the records");
	if (!l->kinds.len)
		return NULL;
	if (l->kinds.off % sizeof(uint32_t))
		return bad_header("offset of the layout", l->kinds.off, "a multiple of 4");
	if (l->kinds.len % BTF_LAYOUT_ENTRY)
		return bad_header("length of the layout", l->kinds.len, "a multiple of 4");
	if (l->kinds.off < extent_end(l->strings) &&
	    (l->kinds.off < extent_end(l->types) || extent_end(l->kinds) > l->strings.off))
		return bad_header("offset of the layout", l->kinds.off,
				  "it behind the records or the strings");
	return NULL;
}

static struct err *read_header(struct bytes b, struct layout *ret, bool *ret_swapped)
{
	struct btf_wire_header h = { 0 };
	bool swap = false;

	TRY(read_magic(b, &swap));
	memcpy(&h, b.ptr, BTF_HDR_CLASSIC);

	uint32_t hdr_len = swap32(h.hdr_len, swap);
	if (hdr_len < BTF_HDR_CLASSIC || hdr_len > b.len)
		return err_new(ERR_FORMAT, "BTF+0x4: header length %u, expected %d to %zu", hdr_len,
			       BTF_HDR_CLASSIC, b.len);
	if (hdr_len >= BTF_HDR_LAYOUT)
		memcpy(&h, b.ptr, BTF_HDR_LAYOUT);
	*ret = (struct layout){
		.hdr_len = hdr_len,
		.types = { swap32(h.type_off, swap), swap32(h.type_len, swap) },
		.kinds = { swap32(h.layout_off, swap), swap32(h.layout_len, swap) },
		.strings = { swap32(h.str_off, swap), swap32(h.str_len, swap) },
	};
	*ret_swapped = swap;
	return check_layout(ret, b.len - hdr_len);
}

/* The offset of the record of @id, for messages. */
static uint64_t rec_offset(const struct layout *l, const struct btf_types *t, uint32_t id)
{
	return l->hdr_len + l->types.off +
	       (uint64_t)t->start.items[id - t->first] * sizeof(uint32_t);
}

static void load_words(struct btf_view *v, const uint8_t *from, size_t nr, bool may_stay)
{
	struct btf_types *t = &v->types;

	v->in_place = may_stay && !v->swapped && (uintptr_t)from % _Alignof(uint32_t) == 0;
	if (v->in_place) {
		t->words.items = (uint32_t *)(uintptr_t)from;
		t->words.nr = nr;
		return;
	}
	vec_reserve(&t->words, nr);
	t->words.nr = nr;
	if (nr)
		memcpy(t->words.items, from, nr * sizeof(uint32_t));
	for (size_t i = 0; v->swapped && i < nr; i++)
		t->words.items[i] = swap32(t->words.items[i], true);
}

/* The error for the record of @id at word @pos of @nr, which does not fit. */
static struct err *describe_bad_record(const struct layout *l, const struct btf_view *v,
				       const uint32_t *rec, uint32_t id, size_t pos)
{
	size_t nr = v->types.words.nr;

	uint64_t off = l->hdr_len + l->types.off + (uint64_t)pos * sizeof(*rec);

	if (nr - pos < BTF_REC_WORDS)
		return err_new(ERR_FORMAT, "BTF+%#" PRIx64 ": type %u is cut short", off, id);

	size_t words = btf_file_rec_words(rec, btf_view_layout(v));
	uint32_t kind = btf_rec_kind(rec);
	if (!words)
		return err_new(ERR_FORMAT, "BTF+%#" PRIx64 ": type %u: unknown kind %u", off, id,
			       kind);

	const struct btf_kind_layout *known = btf_kind_layout(kind);
	return err_new(ERR_FORMAT, "BTF+%#" PRIx64 ": type %u: %zu bytes of %s, only %zu are left",
		       off, id, words * sizeof(*rec),
		       known->words ? known->name : "an unknown kind", (nr - pos) * sizeof(*rec));
}

/* The highest type id and string offset that any record refers to. */
struct reach {
	uint32_t id, name;
};

static void reach_name(struct reach *reach, uint32_t off)
{
	reach->name = off > reach->name ? off : reach->name;
}

static void reach_id(struct reach *reach, uint32_t id)
{
	reach->id = id > reach->id ? id : reach->id;
}

/*
 * Add the references of @rec to @reach. Hot: opening a vmlinux as a base is most of a run for a small module,
 * so members and parameters, which begin with a name and a type, have a loop of their own.
 */
ALWAYS_INLINE void measure_record(uint32_t *rec, struct reach *reach)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);

	reach_name(reach, rec[BTF_REC_NAME]);
	if (l->main_is_type)
		reach_id(reach, rec[BTF_REC_SIZE_TYPE]);
	if (l->elem_name == 0 && l->elem_type == 1) {
		const uint32_t *elem = rec + l->words;

		for (uint32_t i = btf_rec_vlen(rec); i > 0; i--, elem += l->elem) {
			reach_name(reach, elem[0]);
			reach_id(reach, elem[1]);
		}
	} else if (l->elem || l->fixed_types) {
		btf_rec_each_name(rec, name) reach_name(reach, *name);
		btf_rec_each_type(rec, type) reach_id(reach, *type);
	}
}

/* How many words @rec takes, whose kind is unknown; 0 if that is unknown or more than @left. */
static size_t skip_unknown(struct btf_view *v, const uint32_t *rec, size_t left)
{
	uint32_t kind = left < BTF_REC_WORDS ? BTF_UNKN : btf_rec_kind(rec);
	size_t words = kind < BTF_NR_KINDS ? 0 : btf_file_rec_words(rec, btf_view_layout(v));

	if (!words || words > left)
		return 0;
	if (!v->nr_unknown++)
		v->first_unknown = kind;
	return words;
}

/*
 * Find where each record starts: the records must fill their section. @reach: also how high their
 * references go. NULL for a member of an archive, whose records are read one by one later.
 */
static struct err *index_records(const struct layout *l, struct btf_view *v, struct reach *reach)
{
	struct btf_types *t = &v->types;
	size_t pos = 0, nr = t->words.nr, room = nr / BTF_REC_WORDS, count = 0;

	if (room >= UINT32_MAX - 2 - t->first)
		return err_new(ERR_FORMAT, "BTF+%#" PRIx64 ": more records than ids",
			       l->hdr_len + l->types.off);
	vec_reserve(&t->start, room);

	uint32_t *start = t->start.items;
	while (pos < nr) {
		uint32_t *rec = t->words.items + pos;
		size_t words = likely(nr - pos >= BTF_REC_WORDS) ? btf_rec_words(rec) : 0;

		if (unlikely(!words || words > nr - pos || !btf_rec_kind(rec))) {
			words = skip_unknown(v, rec, nr - pos);
			if (!words)
				return describe_bad_record(l, v, rec, t->first + (uint32_t)count,
							   pos);
		} else if (reach) {
			measure_record(rec, reach);
		}
		start[count++] = (uint32_t)pos;
		pos += words;
	}
	t->start.nr = count;
	return NULL;
}

/* The error for the first reference of the record of @id that is out of range, or NULL. */
static struct err *describe_bad_ref(const struct layout *l, const struct btf_view *v, uint32_t id,
				    uint32_t strs)
{
	uint32_t *rec = btf_types_rec(&v->types, id);
	uint64_t off = rec_offset(l, &v->types, id);

	btf_rec_each_name(rec, name)
	{
		if (*name >= strs)
			return err_new(ERR_FORMAT,
				       "BTF+%#" PRIx64
				       ": type %u: string offset %#x, strings end at %#x",
				       off + (uint64_t)(name - rec) * sizeof(*rec), id, *name,
				       strs);
	}
	btf_rec_each_type(rec, ref)
	{
		if (*ref >= btf_types_end(&v->types))
			return err_new(ERR_FORMAT,
				       "BTF+%#" PRIx64 ": type %u: refers to type %u, there are %u",
				       off + (uint64_t)(ref - rec) * sizeof(*rec), id, *ref,
				       btf_types_end(&v->types) - 1);
	}
	return NULL;
}

static struct err *check_refs(const struct layout *l, const struct btf_view *v,
			      const struct reach *reach)
{
	uint32_t strs = v->str_base + (uint32_t)v->strings.len;

	if (likely(reach->id < btf_types_end(&v->types) && reach->name < strs))
		return NULL;
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++)
		TRY(describe_bad_ref(l, v, id, strs));
	return err_new(ERR_FORMAT, "BTF+%#" PRIx64 ": bad reference", l->hdr_len + l->types.off);
}

/* Check that a string starts at every offset inside and ends inside. */
static struct err *check_strings(const struct layout *l, const struct btf_view *v)
{
	struct bytes s = v->strings;
	uint64_t off = l->hdr_len + l->strings.off;

	if (!s.len && !v->base)
		return err_new(ERR_FORMAT, "BTF+%#" PRIx64 ": the strings are empty", off);
	if (s.len && s.ptr[s.len - 1] != '\0')
		return err_new(ERR_FORMAT, "BTF+%#" PRIx64 ": the last string has no end",
			       off + s.len - 1);
	if (s.len && !v->base && s.ptr[0] != '\0')
		return err_new(ERR_FORMAT,
			       "BTF+%#" PRIx64
			       ": the first string is not empty: is it split, over a base?",
			       off);
	if ((uint64_t)v->str_base + s.len > UINT32_MAX)
		return err_new(ERR_FORMAT,
			       "BTF+%#" PRIx64 ": strings and those of the base exceed 4 GiB", off);
	return NULL;
}

/* Everything but the records. */
static struct err *open_frame(struct bytes b, struct layout *l, struct btf_view *v)
{
	TRY(read_header(b, l, &v->swapped));
	bool kinds_last = l->kinds.len && l->kinds.off > l->strings.off;
	v->size = l->hdr_len + (size_t)extent_end(kinds_last ? l->kinds : l->strings);
	v->layout = (struct bytes){ b.ptr + l->hdr_len + l->kinds.off, (size_t)l->kinds.len };
	v->str_base = v->base ? v->base->str_base + (uint32_t)v->base->strings.len : 0;
	v->strings = (struct bytes){ b.ptr + l->hdr_len + l->strings.off, (size_t)l->strings.len };
	return check_strings(l, v);
}

struct err *btf_view_measure(struct bytes b, size_t *ret_size, bool *ret_swapped)
{
	struct btf_view v = { 0 };
	struct layout l = { 0 };

	TRY(open_frame(b, &l, &v));
	*ret_size = v.size;
	*ret_swapped = v.swapped;
	return NULL;
}

/* Load the header and the words into the arrays of @v. @may_stay: words that need no decoding stay in @b. */
static struct err *load(struct bytes b, bool may_stay, struct layout *l, struct btf_view *v)
{
	struct btf_types *t = &v->types;

	t->base = v->base ? &v->base->types : NULL;
	t->first = v->base ? btf_types_end(t->base) : 1;
	t->words.nr = t->start.nr = 0;
	v->nr_unknown = 0;
	TRY(open_frame(b, l, v));
	load_words(v, b.ptr + l->hdr_len + l->types.off, (size_t)l->types.len / 4, may_stay);
	return NULL;
}

struct bytes btf_view_layout(const struct btf_view *v)
{
	while (!v->layout.len && v->base)
		v = v->base;
	return v->layout;
}

static bool any_unknown(const struct btf_view *v)
{
	for (; v; v = v->base) {
		if (v->nr_unknown)
			return true;
	}
	return false;
}

void btf_view_own_words(struct btf_view *v)
{
	size_t nr = v->types.words.nr;

	if (!v->in_place)
		return;
	v->types.words.items = mem_dup(v->types.words.items, nr * sizeof(uint32_t));
	v->types.words.cap = nr;
	v->in_place = false;
}

static void hide_record(uint32_t *rec, struct bytes layout)
{
	uint32_t kind = btf_rec_kind(rec);
	size_t words = btf_file_rec_words(rec, layout);

	rec[BTF_REC_NAME] = 0;
	rec[BTF_REC_INFO] = btf_info(BTF_UNKN, 0, false);
	rec[BTF_REC_SIZE_TYPE] = kind << 24 | (uint32_t)(words < 0xffffff ? words : 0xffffff);
}

static bool is_unknown(const struct btf_types *t, uint32_t id)
{
	return id && id < btf_types_end(t) && btf_rec_kind(btf_types_rec(t, id)) == BTF_UNKN;
}

void btf_view_hide_unknown(struct btf_view *v, bool *spoilt)
{
	struct btf_types *t = &v->types;
	struct bytes layout = btf_view_layout(v);

	if (likely(!any_unknown(v)))
		return;
	btf_view_own_words(v);
	for (uint32_t id = t->first; v->nr_unknown && id < btf_types_end(t); id++) {
		uint32_t *rec = btf_types_rec(t, id);

		if (!btf_rec_layout(rec)->words)
			hide_record(rec, layout);
	}
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		bool lost = is_unknown(t, id);

		btf_rec_each_type(btf_types_rec(t, id), ref)
		{
			if (!is_unknown(t, *ref))
				continue;
			*ref = 0;
			lost = true;
		}
		if (spoilt)
			spoilt[id - t->first] |= lost;
	}
}

void btf_view_report_unknown(const struct btf_view *v, const char *path, struct diagnostics *diags)
{
	if (v->nr_unknown)
		diag_add(
			diags, DIAG_WARNING,
			"'%s': skipped %u type%s of kinds that btfenc does not know, the first of kind %u; references to them became void",
			path, v->nr_unknown, v->nr_unknown == 1 ? "" : "s", v->first_unknown);
}

static struct err *check_base(const struct btf_view *v)
{
	if (!v->base)
		return NULL;

	struct base_fit fit = base_fit_measure(v);
	if (!base_fit_is_wrong(&fit))
		return NULL;

	CLEANUP(mem_free_text) char *text = base_fit_text(&fit, v->base->path);
	return err_new(ERR_BASE, "%s", text);
}

static struct err *open_view(struct bytes b, const struct btf_view *base, bool may_stay,
			     struct btf_view *ret)
{
	CLEANUP(btf_view_release) struct btf_view v = { .base = base };
	struct layout l = { 0 };
	struct reach reach = { 0 };

	TRY(load(b, may_stay, &l, &v));
	TRY(index_records(&l, &v, &reach));
	btf_view_hide_unknown(&v, NULL);
	TRY(check_base(&v));
	TRY(check_refs(&l, &v, &reach));
	*ret = TAKE(v);
	return NULL;
}

struct err *btf_view_open(struct bytes b, const struct btf_view *base, struct btf_view *ret)
{
	return open_view(b, base, false, ret);
}

struct err *btf_view_open_in_place(struct bytes b, const struct btf_view *base,
				   struct btf_view *ret)
{
	return open_view(b, base, true, ret);
}

struct err *btf_view_load(struct bytes b, struct btf_view *v)
{
	struct layout l = { 0 };

	v->base = NULL;
	TRY(load(b, false, &l, v));
	TRY(index_records(&l, v, NULL));
	btf_view_hide_unknown(v, NULL);
	return NULL;
}

struct err *btf_view_check_refs(struct bytes b, const struct btf_view *v)
{
	struct layout l = { 0 };
	struct reach reach = { 0 };
	bool swapped;

	TRY(read_header(b, &l, &swapped));
	for (size_t i = 0; i < v->types.start.nr; i++)
		measure_record(v->types.words.items + v->types.start.items[i], &reach);
	return check_refs(&l, v, &reach);
}

void btf_view_release(struct btf_view *v)
{
	if (v->in_place)
		v->types.words.items = NULL;
	btf_types_release(&v->types);
	*v = (struct btf_view){ 0 };
}

const char *btf_view_str(const struct btf_view *v, const struct btf_view *base, uint32_t off)
{
	for (; off < v->str_base; base = v->base)
		v = base;
	assert(off - v->str_base < v->strings.len);
	return (const char *)v->strings.ptr + (off - v->str_base);
}
