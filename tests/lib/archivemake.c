/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/archivemake.h"

#include "base/text.h"
#include "tests/lib/btftext.h"

void archive_put_bytes(struct archivemake *m, const void *bytes, size_t len)
{
	CHECK(len <= sizeof(m->bytes) - m->len);
	memcpy(m->bytes + m->len, bytes, len);
	m->len += len;
}

static void put_fill(struct archivemake *m, uint8_t byte, size_t len)
{
	while (len--)
		archive_put_bytes(m, &byte, 1);
}

static void put_member(struct archivemake *m, const struct archive_part *p)
{
	size_t at = m->len, hdr_len = p->hdr_len ? p->hdr_len : BTF_HDR_CLASSIC;
	VIEW(v);

	test_view_init(&v);
	if (p->types)
		test_view_add(&v, p->types);
	if (p->text)
		test_name_again(&v, p->text);
	const uint32_t type_len = (uint32_t)(v.view.types.words.nr * sizeof(uint32_t));
	struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, p->swap),
		.version = 1,
		.hdr_len = swap32((uint32_t)hdr_len, p->swap),
		.type_len = swap32(type_len, p->swap),
		.str_off = swap32(type_len, p->swap),
		.str_len = swap32((uint32_t)v.names.nr, p->swap),
	};

	archive_put_bytes(m, &h, hdr_len < sizeof(h) ? hdr_len : sizeof(h));
	put_fill(m, 0, at + hdr_len - m->len);
	for (size_t i = 0; i < v.view.types.words.nr; i++) {
		uint32_t w = swap32(v.view.types.words.items[i], p->swap);

		archive_put_bytes(m, &w, sizeof(w));
	}
	archive_put_bytes(m, v.names.items, v.names.nr);
}

/* Its header has no lengths, and its path is behind an empty string. */
static void put_unit_without_types(struct archivemake *m, const struct archive_part *p)
{
	const struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, p->swap),
		.version = 1,
		.hdr_len = swap32(BTF_HDR_CLASSIC, p->swap),
	};

	archive_put_bytes(m, &h, BTF_HDR_CLASSIC);
	put_fill(m, 0, 1);
	archive_put_bytes(m, p->text, strlen(p->text) + 1);
	put_fill(m, 0, 1);
}

static void put_member_up_to(struct archivemake *m, size_t end)
{
	char name[512] = "";

	CHECK(end > m->len + BTF_HDR_CLASSIC + 2 && end < m->len + sizeof(name));
	memset(name, 'n', end - m->len - BTF_HDR_CLASSIC - 2);
	put_member(m, &(struct archive_part){ .text = name });
	CHECK_EQ(m->len, end);
}

static void put_part(struct archivemake *m, const struct archive_part *p)
{
	size_t at = m->len;

	switch (p->sort) {
	case PART_NONE:
		break;
	case PART_MEMBER:
		put_member(m, p);
		break;
	case PART_MEMBER_UP_TO:
		put_member_up_to(m, p->nr);
		break;
	case PART_UNTYPED:
		put_unit_without_types(m, p);
		break;
	case PART_BYTES:
		archive_put_bytes(m, p->text, strlen(p->text));
		break;
	case PART_FILL:
		put_fill(m, p->byte, p->nr);
		break;
	case PART_ALIGN:
		put_fill(m, 0, -m->len % p->nr);
		break;
	}
	for (size_t i = 0; i < ARRAY_SIZE(p->changes) && p->changes[i].at; i++)
		m->bytes[(p->changes[i].at < 0 ? m->len : at) + (size_t)p->changes[i].at] =
			p->changes[i].byte;
}

void archive_put(struct archivemake *m, const struct archive_part *parts, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		put_part(m, &parts[i]);
}

struct archivemake make_archive(const struct archive_part *parts, size_t nr)
{
	struct archivemake m = { 0 };

	archive_put(&m, parts, nr);
	return m;
}

struct err *read_all(const struct archivemake *m, struct archive *ret)
{
	/* of exactly these bytes, so that a sanitizer sees each read too far */
	CLEANUP(mem_free) void *copy = mem_dup(m->bytes, m->len);
	CLEANUP(archive_release) struct archive a = { 0 };
	struct err *e = archive_walk((struct bytes){ copy, m->len }, false, &a);

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

const char *members_of(const struct archivemake *m)
{
	CLEANUP(archive_release) struct archive a = { 0 };
	struct text text = { 0 };

	CHECK_OK(read_all(m, &a));
	for (size_t i = 0; i < a.members.nr; i++)
		text_printf(&text, "%s%zu", i ? " " : "", a.members.items[i].offset);
	if (a.nr_empty)
		text_printf(&text, ", %zu empty", a.nr_empty);
	text_str(&text, a.swap ? ", swapped" : "");
	return test_keep(text_take(&text));
}

void check_refused_at(const struct archivemake *m, size_t nr, size_t offset)
{
	char position[64];

	snprintf(position, sizeof(position), "member %zu at %#zx: ", nr, offset);
	CHECK_REFUSED(m, position);
}

struct three make_three(void)
{
	static const struct archive_part parts[] = { THREE_MEMBERS };
	struct three t = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		t.at[nr] = t.m.len;
		put_part(&t.m, &parts[i]);
		t.end[nr] = t.m.len;
		nr += parts[i].sort == PART_MEMBER;
	}
	CHECK(t.at[1] % 2 && t.at[2] > t.end[1]);
	return t;
}

struct archivemake stretch(const struct three *t, size_t nr, size_t more)
{
	struct archivemake m = t->m;
	uint32_t len = load32(m.bytes + t->at[nr] + 20) + (uint32_t)more;

	memcpy(m.bytes + t->at[nr] + 20, &len, sizeof(len));
	return m;
}
