/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/btftext.h"

#include "btf/btf_kind.h"
#include "dedup/pool/str_pool.h"
#include "tests/lib/testlib.h"

#include <ctype.h>
#include <inttypes.h>

enum { LAST_KIND = BTF_NR_KINDS - 1, PLAIN_INT = BTF_ENC_SIGNED << 24 | 32, NO_COMPONENT = -1 };

static const char *const linkages[] = { "static", "global", "extern" };

/* --- names ---------------------------------------------------------------------------------- */

void test_view_release(struct test_view *v)
{
	btf_types_release(&v->view.types);
	free(v->names.items);
}

void test_view_init(struct test_view *v)
{
	if (v->view.types.first)
		return;
	btf_types_init(&v->view.types, NULL);
	test_name_again(v, "");
}

void test_view_put_over(struct test_view *v, const struct test_view *base)
{
	v->view.base = &base->view;
	v->view.str_base = base->view.str_base + (uint32_t)base->view.strings.len;
	btf_types_init(&v->view.types, &base->view.types);
}

uint32_t test_name_again(struct test_view *v, const char *name)
{
	uint32_t at = v->view.str_base + (uint32_t)v->names.nr;

	do
		vec_push(&v->names, *name);
	while (*name++);
	v->view.strings = (struct bytes){ (const uint8_t *)v->names.items, v->names.nr };
	return at;
}

/* The offset of @name in @v or a base of it, UINT32_MAX if it is nowhere. */
static uint32_t find_name(const struct btf_view *v, const char *name)
{
	uint32_t found = v->base ? find_name(v->base, name) : UINT32_MAX;
	const char *text = (const char *)v->strings.ptr;

	for (size_t at = 0; found == UINT32_MAX && at < v->strings.len;
	     at += strlen(text + at) + 1) {
		if (!strcmp(text + at, name))
			found = v->str_base + (uint32_t)at;
	}
	return found;
}

uint32_t test_name(struct test_view *v, const char *name)
{
	test_view_init(v);

	uint32_t found = find_name(&v->view, name);
	return found == UINT32_MAX ? test_name_again(v, name) : found;
}

/* --- reading -------------------------------------------------------------------------------- */

struct reader {
	struct test_view *v;
	const char *at, *text;
};

struct words {
	uint32_t *items;
	size_t nr, cap;
};

static void words_release(struct words *w)
{
	free(w->items);
}

NORETURN static void wrong(const struct reader *r)
{
	test_fail(__FILE__, __LINE__, "not understood: '%s' of '%s'", r->at, r->text);
}

static void skip_space(struct reader *r)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
}

static bool take(struct reader *r, const char *word)
{
	size_t len = strlen(word);

	skip_space(r);
	if (strncmp(r->at, word, len) != 0 ||
	    (isalnum((unsigned char)*word) &&
	     (isalnum((unsigned char)r->at[len]) || r->at[len] == '_')))
		return false;
	r->at += len;
	return true;
}

static bool take_name(struct reader *r, uint32_t *ret)
{
	char name[256];
	size_t len = 0, quote;

	skip_space(r);
	quote = *r->at == '\'';
	if (quote)
		len = strcspn(r->at + 1, "'");
	else if (!isdigit((unsigned char)*r->at) && *r->at != '-')
		len = strcspn(r->at, " \n\t,;{}");
	if (!len && !quote)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)len, r->at + quote);
	r->at += len + 2 * quote;
	*ret = test_name(r->v, name);
	return true;
}

/* OFFSET:WIDTH is a bit field. */
static bool take_number(struct reader *r, uint64_t *ret)
{
	char *end;

	skip_space(r);
	if (!isdigit((unsigned char)*r->at) && *r->at != '-')
		return false;
	*ret = strtoull(r->at, &end, 0);
	if (*end == ':')
		*ret |= strtoull(end + 1, &end, 0) << 24;
	r->at = end;
	return true;
}

static enum btf_kind take_kind(struct reader *r)
{
	size_t len;

	skip_space(r);
	len = strspn(r->at, "abcdefghijklmnopqrstuvwxyz_0123456789");
	for (uint32_t kind = 1; kind <= LAST_KIND; kind++) {
		const char *name = btf_kind_layout(kind)->name;

		if (strlen(name) == len && !strncasecmp(name, r->at, len)) {
			r->at += len;
			return (enum btf_kind)kind;
		}
	}
	wrong(r);
}

/* Append up to @max numbers, and zeros for those that are not there. Returns how many were. */
static size_t take_words(struct reader *r, struct words *w, size_t max)
{
	uint64_t number;
	size_t nr = 0;

	while (nr < max && take_number(r, &number)) {
		vec_push(w, (uint32_t)number);
		nr++;
	}
	for (size_t i = nr; i < max; i++)
		vec_push(w, 0);
	return nr;
}

static void take_element(struct reader *r, enum btf_kind kind, struct words *w)
{
	const struct btf_kind_layout *l = btf_kind_layout(kind);
	bool named = l->elem_name >= 0;
	uint64_t wide = 0;
	uint32_t name = 0;

	if (named) {
		take_name(r, &name);
		vec_push(w, name);
	}
	if (kind != BTF_ENUM64) {
		take_words(r, w, l->elem - named);
		return;
	}
	take_number(r, &wide);
	vec_push(w, (uint32_t)wide);
	vec_push(w, (uint32_t)(wide >> 32));
}

static uint32_t take_elements(struct reader *r, enum btf_kind kind, struct words *w)
{
	uint32_t nr = 0;

	if (!take(r, "{") || take(r, "}"))
		return 0;
	do {
		take_element(r, kind, w);
		nr++;
	} while (take(r, ","));
	if (!take(r, "}"))
		wrong(r);
	return nr;
}

static uint32_t take_linkage(struct reader *r, uint32_t otherwise)
{
	for (uint32_t i = 0; i < ARRAY_SIZE(linkages); i++) {
		if (take(r, linkages[i]))
			return i;
	}
	return otherwise;
}

static uint32_t take_record(struct reader *r)
{
	CLEANUP(words_release) struct words w = { 0 };
	enum btf_kind kind = take_kind(r);
	const struct btf_kind_layout *l = btf_kind_layout(kind);
	bool kflag = take(r, "!"), has_vlen = take(r, "/");
	uint64_t vlen = 0;
	uint32_t name = 0, id = btf_types_end(&r->v->view.types);
	size_t skipped = kind == BTF_ARRAY, given;

	if (has_vlen && !take_number(r, &vlen))
		wrong(r);
	if (!take_name(r, &name) && kind == BTF_INT)
		name = test_name(r->v, "int");
	vec_push(&w, name);
	vec_push(&w, 0);
	if (skipped)
		vec_push(&w, 0);
	given = take_words(r, &w, 1 + l->fixed - skipped);
	if (kind == BTF_INT && !given) {
		w.items[BTF_REC_SIZE_TYPE] = 4;
		w.items[BTF_REC_WORDS] = PLAIN_INT;
	} else if (kind == BTF_VAR && given < 2) {
		w.items[BTF_REC_WORDS] = take_linkage(r, BTF_LINK_GLOBAL);
	} else if (kind == BTF_DECL_TAG && given < 2) {
		w.items[BTF_REC_WORDS] = (uint32_t)NO_COMPONENT;
	}

	uint32_t nr = kind == BTF_FUNC ? take_linkage(r, BTF_LINK_STATIC) :
					 take_elements(r, kind, &w);
	w.items[BTF_REC_INFO] = btf_info(kind, has_vlen ? (uint32_t)vlen : nr, kflag);
	memcpy(btf_types_add(&r->v->view.types, w.nr), w.items, w.nr * sizeof(*w.items));
	return id;
}

uint32_t test_view_add(struct test_view *v, const char *text)
{
	struct reader r = { v, text, text };
	uint32_t id;

	test_view_init(v);
	do
		id = take_record(&r);
	while (take(&r, ";"));
	skip_space(&r);
	if (*r.at)
		wrong(&r);
	v->view.size = v->names.nr + v->view.types.words.nr * sizeof(uint32_t);
	return id;
}

uint32_t test_view_addf(struct test_view *v, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return test_view_add(v, text);
}

uint32_t test_view_add_doubling(struct test_view *v)
{
	uint32_t below = test_view_add(v, "int");

	for (int i = 0; i < 40; i++)
		below = test_view_addf(v, "func_proto %u {f %u, f %u}; ptr %u", below, below, below,
				       below + 1);
	return below;
}

/* --- printing ------------------------------------------------------------------------------- */

struct printer {
	const struct test_view *v;
	FILE *f;
	const char *sep; /* what comes before the next word */
};

PRINTF_LIKE(2, 3) static void put(struct printer *p, const char *fmt, ...)
{
	va_list ap;

	fputs(p->sep, p->f);
	va_start(ap, fmt);
	vfprintf(p->f, fmt, ap);
	va_end(ap);
	p->sep = " ";
}

static const char *name_at(const struct printer *p, uint32_t off)
{
	return btf_view_str(&p->v->view, p->v->view.base, off);
}

static void put_name(struct printer *p, uint32_t off)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
	const char *name = name_at(p, off);
	bool quoted = !*name || isdigit((unsigned char)*name) || name[strspn(name, plain)];

	if (off)
		put(p, quoted ? "'%s'" : "%s", name);
}

static void put_element(struct printer *p, enum btf_kind kind, bool kflag, const uint32_t *e)
{
	const struct btf_kind_layout *l = btf_kind_layout(kind);
	bool is_member = kind == BTF_STRUCT || kind == BTF_UNION;

	if (l->elem_name >= 0)
		put_name(p, *e);
	if (kind == BTF_ENUM || kind == BTF_ENUM64) {
		uint64_t high = kind == BTF_ENUM64 ? e[2] : kflag && e[1] >> 31 ? UINT32_MAX : 0;

		put(p, kflag ? "%" PRId64 : "%" PRIu64, high << 32 | e[1]);
		return;
	}
	for (uint32_t i = l->elem_name >= 0; i < (uint32_t)l->elem - is_member; i++)
		put(p, "%" PRIu32, e[i]);
	if (is_member && kflag && e[2] >> 24)
		put(p, "%" PRIu32 ":%" PRIu32, e[2] & 0xffffff, e[2] >> 24);
	else if (is_member && e[2])
		put(p, "%" PRIu32, e[2]);
}

static void put_elements(struct printer *p, enum btf_kind kind, const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(kind);
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);

	for (uint32_t i = 0; i < vlen; i++) {
		p->sep = i ? ", " : " {";
		put_element(p, kind, btf_info_kflag(rec[BTF_REC_INFO]),
			    rec + BTF_REC_WORDS + l->fixed + i * l->elem);
	}
	if (vlen)
		fprintf(p->f, "}");
}

static void put_record(struct printer *p, const uint32_t *rec)
{
	uint32_t info = rec[BTF_REC_INFO], main_word = rec[BTF_REC_SIZE_TYPE];
	enum btf_kind kind = (enum btf_kind)btf_info_kind(info);
	const uint32_t *fixed = rec + BTF_REC_WORDS;
	bool plain_int = kind == BTF_INT && main_word == 4 && *fixed == PLAIN_INT;
	char name[16] = "";

	for (size_t i = 0; btf_kind_layout(kind)->name[i]; i++)
		name[i] = (char)tolower((unsigned char)btf_kind_layout(kind)->name[i]);
	put(p, "%s%s", name, btf_info_kflag(info) ? "!" : "");
	if (!plain_int || strcmp(name_at(p, *rec), "int") != 0)
		put_name(p, *rec);
	if (plain_int)
		return;
	if (main_word ||
	    (kind != BTF_ARRAY && kind != BTF_FWD && kind != BTF_LOC_PROTO && kind != BTF_LOCSEC))
		put(p, "%" PRIu32, main_word);
	if (kind == BTF_LOC_PARAM)
		put(p, "%" PRIu32, *fixed);
	if (kind == BTF_INT)
		put(p, *fixed >> 16 ? "%#" PRIx32 : "%" PRIu32, *fixed);
	else if (kind == BTF_ARRAY)
		put(p, "%" PRIu32 " %" PRIu32 " %" PRIu32, fixed[0], fixed[1], fixed[2]);
	else if (kind == BTF_VAR && *fixed != BTF_LINK_GLOBAL)
		put(p, "%s", linkages[*fixed]);
	else if (kind == BTF_FUNC && btf_info_vlen(info))
		put(p, "%s", linkages[btf_info_vlen(info)]);
	else if (kind == BTF_DECL_TAG && *fixed != (uint32_t)NO_COMPONENT)
		put(p, "%" PRIu32, *fixed);
	else if (kind != BTF_FUNC)
		put_elements(p, kind, rec);
}

static const char *text_of(const struct test_view *v, const struct btf_types *t, uint32_t from,
			   uint32_t end)
{
	char *text = NULL;
	size_t len;
	struct printer p = { v, open_memstream(&text, &len), "" };

	for (uint32_t id = from; id < end; id++) {
		put_record(&p, btf_types_rec(t, id));
		p.sep = "; ";
	}
	fclose(p.f);
	return test_keep(text);
}

const char *test_types_text(const struct test_view *v, const struct btf_types *types)
{
	return text_of(v, types, types->first, btf_types_end(types));
}

const char *test_view_text(const struct test_view *v)
{
	return test_types_text(v, &v->view.types);
}

const char *record_text(const struct str_pool *strings, const uint32_t *rec)
{
	VIEW(v);
	size_t nr = btf_rec_words(rec);

	test_view_init(&v);
	memcpy(btf_types_add(&v.view.types, nr), rec, nr * sizeof(*rec));
	btf_rec_each_name(btf_types_rec(&v.view.types, 1),
			  name) *name = test_name(&v, str_pool_text(strings, *name));
	return test_rec_text(&v, 1);
}

const char *test_rec_text(const struct test_view *v, uint32_t id)
{
	return text_of(v, &v->view.types, id, id + 1);
}
