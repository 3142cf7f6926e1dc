/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/pile.h"

#include "base/text.h"

/* @name: one more string, or NULL. */
static void put_member(struct pile *p, bool types, size_t hdr_len, const char *name, bool swap)
{
	size_t at = p->len, type_len = types ? sizeof(records) : 0;
	size_t str_len = (types ? sizeof("\0int") : 1) + (name ? strlen(name) + 1 : 0);
	struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, swap),
		.version = 1,
		.hdr_len = swap32((uint32_t)hdr_len, swap),
		.type_len = swap32((uint32_t)type_len, swap),
		.str_off = swap32((uint32_t)type_len, swap),
		.str_len = swap32((uint32_t)str_len, swap),
	};

	put(p, &h, hdr_len < sizeof(h) ? hdr_len : sizeof(h));
	put_fill(p, 0, at + hdr_len - p->len);
	for (size_t i = 0; types && i < ARRAY_SIZE(records); i++) {
		uint32_t w = swap32(records[i], swap);

		put(p, &w, sizeof(w));
	}
	put(p, "\0int", types ? sizeof("\0int") : 1);
	if (name)
		put(p, name, strlen(name) + 1);
}

static void put_empty_unit(struct pile *p, const char *path, bool swap)
{
	struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, swap),
		.version = 1,
		.hdr_len = swap32(BTF_HDR_CLASSIC, swap),
	};

	put(p, &h, BTF_HDR_CLASSIC);
	put(p, "", 1);
	put(p, path, strlen(path) + 1);
	put(p, "", 1);
}

static void put_member_to(struct pile *p, size_t end)
{
	char name[512] = "";

	CHECK(end > p->len + BTF_HDR_CLASSIC + 2 && end < p->len + sizeof(name));
	memset(name, 'n', end - p->len - BTF_HDR_CLASSIC - 2);
	put_member(p, false, BTF_HDR_CLASSIC, name, false);
	CHECK_EQ(p->len, end);
}

/* Cut @word at the first @end; what follows it, or NULL. */
static char *cut(char *word, char end)
{
	char *at = strchr(word, end);

	if (!at)
		return NULL;
	*at = '\0';
	return at + 1;
}

static void put_word(struct pile *p, char *word)
{
	size_t at = p->len;
	bool swap = *word == '~';
	char *changes = cut(word, '@'), *name = cut(word, '\''), *hdr_len = cut(word, '/');

	word += swap;
	if (*word == 't' || *word == 'm')
		put_member(p, *word == 't', hdr_len ? strtoul(hdr_len, NULL, 10) : BTF_HDR_CLASSIC,
			   name, swap);
	else if (name)
		put_empty_unit(p, name, swap);
	else if (*word == '<')
		put_member_to(p, strtoul(word + 1, NULL, 10));
	else if (*word == '=')
		put(p, word + 1, strlen(word + 1));
	else if (!strcmp(word, "0+"))
		put_fill(p, 0, -p->len & 3);
	else
		put_fill(p, (uint8_t)strtoul(word, NULL, 16), strtoul(cut(word, '*'), NULL, 10));
	for (char *next; changes; changes = next) {
		next = cut(changes, '@');
		long offset = strtol(changes, &changes, 10);
		size_t from = offset < 0 ? p->len : at;

		p->bytes[from + (size_t)offset] = (uint8_t)strtoul(changes + 1, NULL, 16);
	}
}

size_t put_words(struct pile *p, const char *text)
{
	CLEANUP(free_copy) void *copy = mem_strdup(text);
	char *state = NULL;
	size_t at = p->len;

	for (char *w = strtok_r(copy, " ", &state); w; w = strtok_r(NULL, " ", &state)) {
		at = p->len;
		put_word(p, w);
	}
	return at;
}

struct pile make_pile(const char *text)
{
	struct pile p = { 0 };

	put_words(&p, text);
	return p;
}

void *exact_copy(const struct pile *p)
{
	void *copy = malloc(p->len ? p->len : 1);

	if (!copy)
		abort();
	memcpy(copy, p->bytes, p->len);
	return copy;
}

struct err *read_all(const struct pile *p, struct archive *ret)
{
	CLEANUP(free_copy) void *copy = exact_copy(p);
	CLEANUP(archive_release) struct archive a = { 0 };
	struct err *e = archive_walk((struct bytes){ copy, p->len }, false, &a);

	if (e)
		CHECK(!a.members.items && !a.bytes.ptr); /* untouched */
	TRY(e);
	for (size_t i = 0; i < a.members.nr; i++) {
		CLEANUP(btf_view_release) struct btf_view v = { 0 };

		TRY(err_at(btf_view_open(archive_bytes(&a, i), NULL, &v), "member %zu at %#zx",
			   i + 1, a.members.items[i].offset));
		CHECK_EQ(v.size, a.members.items[i].size);
		CHECK_EQ(v.swapped, a.swap);
	}
	if (ret) {
		*ret = TAKE(a);
		ret->bytes = (struct bytes){ 0 };
	}
	return NULL;
}

const char *pile_members(const struct pile *p)
{
	CLEANUP(archive_release) struct archive a = { 0 };
	struct text text = { 0 };

	CHECK_OK(read_all(p, &a));
	for (size_t i = 0; i < a.members.nr; i++)
		text_printf(&text, "%s%zu", i ? " " : "", a.members.items[i].offset);
	if (a.nr_empty)
		text_printf(&text, ", %zu empty", a.nr_empty);
	text_str(&text, a.swap ? ", swapped" : "");
	return test_keep(text_take(&text));
}

void check_refused_at(const struct pile *p, size_t nr, size_t offset)
{
	char place[64];

	snprintf(place, sizeof(place), "member %zu at %#zx: ", nr, offset);
	CHECK_REFUSED(p, place);
}

struct three make_three(void)
{
	static const char *const words[] = { "t/32'a", "t'abcd", "0+ t/40" };
	struct three t = { 0 };

	for (size_t i = 0; i < 3; i++) {
		t.at[i] = put_words(&t.p, words[i]);
		t.end[i] = t.p.len;
	}
	CHECK(t.at[1] % 2 && t.at[2] > t.end[1]);
	return t;
}

struct pile stretch(const struct three *t, size_t nr, size_t more)
{
	struct pile p = t->p;
	uint32_t len = load32(p.bytes + t->at[nr] + 20) + (uint32_t)more;

	memcpy(p.bytes + t->at[nr] + 20, &len, sizeof(len));
	return p;
}
