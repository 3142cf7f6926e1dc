/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/pile.h"

size_t put_member(struct pile *p, struct member m)
{
	size_t at = p->len, hdr_len = m.hdr_len ? m.hdr_len : BTF_HDR_CLASSIC;
	size_t type_len = m.types ? sizeof(records) : 0;
	size_t str_len = (m.types ? sizeof("\0int") : 1) + (m.name ? strlen(m.name) + 1 : 0);
	struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, m.swap),
		.version = 1,
		.hdr_len = swap32((uint32_t)hdr_len, m.swap),
		.type_len = swap32((uint32_t)type_len, m.swap),
		.str_off = swap32((uint32_t)type_len, m.swap),
		.str_len = swap32((uint32_t)str_len, m.swap),
	};

	put(p, &h, hdr_len < sizeof(h) ? hdr_len : sizeof(h));
	put_fill(p, 0, at + hdr_len - p->len);
	for (size_t i = 0; m.types && i < ARRAY_SIZE(records); i++) {
		uint32_t w = swap32(records[i], m.swap);

		put(p, &w, sizeof(w));
	}
	put(p, "\0int", m.types ? sizeof("\0int") : 1);
	if (m.name)
		put(p, m.name, strlen(m.name) + 1);
	return at;
}

size_t put_empty_unit(struct pile *p, const char *path)
{
	struct btf_wire_header h = {
		.magic = BTF_WIRE_MAGIC,
		.version = 1,
		.hdr_len = BTF_HDR_CLASSIC,
	};
	size_t at = p->len;

	put(p, &h, BTF_HDR_CLASSIC);
	put(p, "", 1);
	put(p, path, strlen(path) + 1);
	put(p, "", 1);
	return at;
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

void check_members(const struct pile *p, const size_t *offsets, size_t nr)
{
	CLEANUP(archive_release) struct archive a = { 0 };

	CHECK_OK(read_all(p, &a));
	check_offsets(&a, offsets, nr);
}

void check_refused_at(const struct pile *p, size_t nr, size_t offset)
{
	char place[64];

	snprintf(place, sizeof(place), "member %zu at %#zx: ", nr, offset);
	CHECK_REFUSED(p, place);
}

struct three make_three(void)
{
	struct three t = { 0 };

	t.at[0] = put_member(&t.p, (struct member){ .types = true, .hdr_len = 32, .name = "a" });
	t.end[0] = t.p.len;
	t.at[1] = put_member(&t.p, (struct member){ .types = true, .name = "abcd" });
	t.end[1] = t.p.len;
	put_fill(&t.p, 0, -t.p.len & 3);
	t.at[2] = put_member(&t.p, (struct member){ .types = true, .hdr_len = 40 });
	t.end[2] = t.p.len;
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
