/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/mutate.h"

#include "base/bytes.h"
#include "base/compiler.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BTF_MAGIC = 0xeb9f, FACTS_MAGIC = 0xdb7f, FACTS_HEADER = 40 };

struct range {
	size_t start, len;
};

static uint64_t mutate_get(const struct victim *v, size_t at, unsigned int width)
{
	bool big = v->len > EI_DATA && v->ptr[EI_DATA] == ELFDATA2MSB;
	uint64_t n = 0;

	for (unsigned int i = 0; i < width; i++)
		n = n << 8 | v->ptr[at + (big ? i : width - 1 - i)];
	return n;
}

static void mutate_put(struct victim *v, size_t at, unsigned int width, uint64_t n)
{
	bool big = v->len > EI_DATA && v->ptr[EI_DATA] == ELFDATA2MSB;

	for (unsigned int i = 0; i < width && at + i < v->len; i++)
		v->ptr[at + i] = (uint8_t)(n >> 8 * (big ? width - 1 - i : i));
}

/* The section headers of @v: @len bytes for each; none in what is no ELF file. */
static struct range mutate_headers(const struct victim *v, unsigned int *nr)
{
	bool is64 = v->len > EI_CLASS && v->ptr[EI_CLASS] == ELFCLASS64;
	struct range r = { 0, is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr) };

	*nr = 0;
	if (v->len < sizeof(Elf64_Ehdr) || memcmp(v->ptr, ELFMAG, SELFMAG) != 0)
		return r;
	r.start = is64 ? mutate_get(v, offsetof(Elf64_Ehdr, e_shoff), 8) :
			 mutate_get(v, offsetof(Elf32_Ehdr, e_shoff), 4);
	*nr = (unsigned int)mutate_get(v,
				       is64 ? offsetof(Elf64_Ehdr, e_shnum) :
					      offsetof(Elf32_Ehdr, e_shnum),
				       2);
	if (r.start > v->len || *nr > (v->len - r.start) / r.len)
		*nr = 0;
	return r;
}

/* Section @i of those whose @headers these are; empty if it lies outside of the file. */
static struct range mutate_section(const struct victim *v, struct range headers, unsigned int i)
{
	size_t at = headers.start + headers.len * i;
	struct range one;

	if (headers.len == sizeof(Elf64_Shdr))
		one = (struct range){ mutate_get(v, at + offsetof(Elf64_Shdr, sh_offset), 8),
				      mutate_get(v, at + offsetof(Elf64_Shdr, sh_size), 8) };
	else
		one = (struct range){ mutate_get(v, at + offsetof(Elf32_Shdr, sh_offset), 4),
				      mutate_get(v, at + offsetof(Elf32_Shdr, sh_size), 4) };
	if (!bytes_have((struct bytes){ v->ptr, v->len }, one.start, one.len))
		one.len = 0;
	return one;
}

/* One of the sections of @v, or all of it: what has no section is hit as well. */
static struct range mutate_somewhere(const struct victim *v, struct rnd *r)
{
	struct range all = { 0, v->len };
	unsigned int nr;
	struct range headers = mutate_headers(v, &nr);

	if (!nr || rnd_one_in(r, 4))
		return all;
	if (rnd_one_in(r, 8))
		return (struct range){ headers.start, headers.len * nr };
	if (rnd_one_in(r, 16))
		return (struct range){ 0, sizeof(Elf64_Ehdr) };

	struct range one = mutate_section(v, headers, rnd_below(r, nr));
	return one.len ? one : all;
}

/* A number at which something may go wrong. */
static uint64_t mutate_number(const struct victim *v, struct rnd *r, uint64_t old)
{
	static const uint64_t odd[] = { 0,         1,          UINT64_MAX, UINT64_MAX - 1,
					INT64_MAX, INT32_MAX,  UINT32_MAX, 0x80,
					0x7f,      0xffff,     0x8000,     0xfffffff0,
					1u << 31,  1ull << 63, 1ull << 40, 0x10000 };

	switch (rnd_below(r, 5)) {
	case 0:
		return RND_PICK(r, odd);
	case 1:
		return v->len - rnd_below(r, 64);
	case 2:
		return old + rnd_below(r, 17) - 8;
	case 3:
		return rnd_below(r, 1u << rnd_below(r, 31));
	default:
		return old << rnd_below(r, 32);
	}
}

/* Put @len bytes of @from in at @at, or take as many out if @from is NULL. */
static void mutate_shift(struct victim *v, size_t at, const uint8_t *from, size_t len)
{
	if (from && v->len + len <= v->cap) {
		memmove(v->ptr + at + len, v->ptr + at, v->len - at);
		memcpy(v->ptr + at, from, len);
		v->len += len;
	} else if (!from && at + len <= v->len) {
		memmove(v->ptr + at, v->ptr + at + len, v->len - at - len);
		v->len -= len;
	}
}

/* Two blocks of the same length in @where, maybe overlapping. */
static size_t mutate_blocks(struct range where, struct rnd *r, size_t *a, size_t *b)
{
	size_t len = 1 + rnd_below(r, 1u << rnd_below(r, 10));

	if (len > where.len)
		len = where.len;
	*a = where.start + rnd_next(r) % (where.len - len + 1);
	*b = where.start + rnd_next(r) % (where.len - len + 1);
	return len;
}

/* One change somewhere. */
static void mutate_once(struct victim *v, struct rnd *r)
{
	struct range where = mutate_somewhere(v, r);
	unsigned int width = 1u << rnd_below(r, 4);
	uint8_t copy[1024];
	size_t a, b, len;

	if (!where.len)
		return;
	len = mutate_blocks(where, r, &a, &b);
	switch (rnd_below(r, 16)) {
	default:
		v->ptr[a] ^= (uint8_t)(1u << rnd_below(r, 8));
		break;
	case 4:
	case 5:
	case 6:
		v->ptr[a] = (uint8_t)rnd_next(r);
		break;
	case 7:
	case 8:
	case 9:
		if (a + width <= v->len)
			mutate_put(v, a, width, mutate_number(v, r, mutate_get(v, a, width)));
		break;
	case 10:
	case 11:
		memmove(v->ptr + a, v->ptr + b, len);
		break;
	case 12:
		memcpy(copy, v->ptr + a, len);
		memmove(v->ptr + a, v->ptr + b, len);
		memcpy(v->ptr + b, copy, len);
		break;
	case 13:
		memset(v->ptr + a, rnd_one_in(r, 2) ? 0 : 0xff, len);
		break;
	case 14:
		memcpy(copy, v->ptr + b, len);
		mutate_shift(v, a, rnd_one_in(r, 2) ? copy : NULL, len);
		break;
	case 15:
		if (rnd_one_in(r, 2))
			v->len = a;
		break;
	}
}

/* One field of one section header, for a word is rarely hit by chance. */
static void mutate_header(struct victim *v, struct rnd *r)
{
	unsigned int nr;
	struct range headers = mutate_headers(v, &nr);
	static const uint8_t fields64[] = { 0, 4, 8, 16, 24, 32, 40, 44, 48, 56 };
	static const uint8_t widths64[] = { 4, 4, 8, 8, 8, 8, 4, 4, 8, 8 };

	if (!nr)
		return;
	unsigned int field = rnd_below(r, ARRAY_SIZE(fields64)), from = rnd_below(r, nr);
	bool is64 = headers.len == sizeof(Elf64_Shdr);
	size_t in = is64 ? fields64[field] : 4 * field;
	unsigned int width = is64 ? widths64[field] : 4;
	size_t at = headers.start + headers.len * rnd_below(r, nr) + in;
	size_t other = headers.start + headers.len * from + in;

	/* as another section has it, or nonsense */
	if (rnd_one_in(r, 2))
		mutate_put(v, at, width, mutate_get(v, other, width));
	else
		mutate_put(v, at, width, mutate_number(v, r, mutate_get(v, at, width)));
}

/* The first section that begins with @magic, in the byte order of the file; empty if there is none. */
static struct range section_of_magic(const struct victim *v, unsigned int magic)
{
	unsigned int nr;
	struct range headers = mutate_headers(v, &nr);

	for (unsigned int i = 0; i < nr; i++) {
		struct range s = mutate_section(v, headers, i);

		if (s.len >= FACTS_HEADER && mutate_get(v, s.start, 2) == magic)
			return s;
	}
	return (struct range){ 0 };
}

/* Take the next member of the archive @btf off its start; the rest of it if its lengths are wrong. */
static struct range next_member(const struct victim *v, struct range *btf)
{
	while (btf->len && !v->ptr[btf->start])
		btf->start++, btf->len--;

	struct range member = *btf;
	if (btf->len >= 24) {
		uint64_t len = mutate_get(v, btf->start + 4, 4) +
			       mutate_get(v, btf->start + 16, 4) +
			       mutate_get(v, btf->start + 20, 4);
		if (len < member.len)
			member.len = len;
	}
	btf->start += member.len;
	btf->len -= member.len;
	return member;
}

/* The sum of docs/archive-metadata.md */
static uint64_t sum_of(const struct victim *v, struct range r)
{
	uint32_t sum = 0, sums = 0;

	for (size_t i = 0; i < r.len; i += 4) {
		uint32_t word = 0;

		for (size_t k = 0; k < 4 && i + k < r.len; k++)
			word |= (uint32_t)v->ptr[r.start + i + k] << 8 * k;
		sum += word;
		sums += sum;
	}
	return (uint64_t)sums << 32 | sum;
}

/* The checksums of .debug.btf fit what is there: a reader that compared no more would accept it. */
static void mutate_seal(struct victim *v)
{
	struct range facts = section_of_magic(v, FACTS_MAGIC), btf = section_of_magic(v, BTF_MAGIC);
	struct range member = { 0 };
	uint64_t left = 0;

	while (facts.len >= FACTS_HEADER) {
		size_t at = facts.start, len = mutate_get(v, at + 4, 4);
		uint64_t slots = mutate_get(v, at + 24, 4) * v->ptr[at + 3];

		if (len < FACTS_HEADER || len > facts.len || slots > len - FACTS_HEADER)
			return;
		if (!left) {
			member = next_member(v, &btf);
			left = mutate_get(v, at + 20, 4);
		}
		left--;
		mutate_put(v, at + 8, 4, member.len);
		mutate_put(v, at + 12, 8, sum_of(v, member));
		uLong crc = crc32_z(0, v->ptr + at, 36);
		crc = crc32_z(crc, v->ptr + at + FACTS_HEADER + slots, len - FACTS_HEADER - slots);
		mutate_put(v, at + 36, 4, crc);
		facts.start += len;
		facts.len -= len;
	}
}

void mutate(struct victim *v, struct rnd *r)
{
	do {
		if (rnd_one_in(r, 8))
			mutate_header(v, r);
		else
			mutate_once(v, r);
	} while (v->len && !rnd_one_in(r, 3));
	if (rnd_one_in(r, 2))
		mutate_seal(v);
}
