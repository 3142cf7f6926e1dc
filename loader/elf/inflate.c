/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inflate.c - see inflate.h
 *
 * The length that a section claims is not trusted: it is refused where no stream of that many bytes can
 * hold so much, and unpack_stream() allocates for what really comes out. A file of a few bytes
 * cannot make us allocate gigabytes.
 */
#include "loader/elf/inflate.h"

#include "loader/elf/elf_fields.h"
#include "loader/elf/image.h"
#include "loader/elf/unpack.h"

enum {
	/* deflate: a match of 258 bytes takes two bits at least (zlib, "Technical Details") */
	ZLIB_MAX_RATIO = 1032,
	/* zstd: a block is at most 128 KiB and has at least 4 bytes (RFC 8878, 3.1.1.2) */
	ZSTD_MAX_RATIO = 32768,
	/*
	 * Debug information shrinks to a third, or to a tenth if it repeats itself. A higher ratio is
	 * accepted only for a small part of a file: it may be meant to exhaust the memory.
	 */
	CREDIBLE_RATIO = 64,
	HARMLESS = 16 << 20,
	GNU_HEADER = 12,
};

/* elf.h of glibc before 2.36 lacks it. */
enum { COMPRESS_ZSTD = 2 };

struct packed {
	uint32_t type; /* ELFCOMPRESS_* */
	uint64_t size; /* claimed */
	struct bytes stream;
};

/* objcopy renames only .debug_* to .zdebug_*; .debug.btf keeps its name */
static bool is_gnu(const struct object_section *s)
{
	return (starts_with(s->name, ".zdebug") || starts_with(s->name, ".debug.")) &&
	       s->data.len >= GNU_HEADER && memcmp(s->data.ptr, "ZLIB", 4) == 0;
}

bool inflate_needed(const struct object_section *s)
{
	return (s->flags & SHF_COMPRESSED) || is_gnu(s);
}

static struct err *read_packed(const struct object *o, const struct object_section *s,
			       struct packed *ret)
{
	if (!(s->flags & SHF_COMPRESSED)) {
		uint64_t size = load64(s->data.ptr + 4);

		*ret = (struct packed){
			.type = ELFCOMPRESS_ZLIB,
			.size = swap64(size, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__),
			.stream = bytes_from(s->data, GNU_HEADER),
		};
		return NULL;
	}

	size_t header = SIZE(o, Chdr);
	const uint8_t *p = s->data.ptr;

	if (s->data.len < header)
		return err_new(ERR_FORMAT, "section ends in its compression header");
	*ret = (struct packed){
		.type = (uint32_t)GET(o, Chdr, p, ch_type),
		.size = GET(o, Chdr, p, ch_size),
		.stream = bytes_from(s->data, header),
	};
	return NULL;
}

static struct err *check_size(const struct object *o, const struct packed *in)
{
	uint64_t ratio = in->type == ELFCOMPRESS_ZLIB ? ZLIB_MAX_RATIO : ZSTD_MAX_RATIO;
	uint64_t credible = (uint64_t)in->stream.len * CREDIBLE_RATIO;

	if (in->size / ratio > in->stream.len || in->size > PTRDIFF_MAX - OBJECT_PADDING)
		return err_new(ERR_FORMAT, "%#jx bytes are claimed to be in %#zx compressed ones",
			       (uintmax_t)in->size, in->stream.len);
	/* what is compressed twice must not grow by the product of both limits */
	o->impl->inflated += in->size;
	if (o->impl->packed_len &&
	    o->impl->inflated > (uint64_t)o->impl->packed_len * UNPACK_RATIO + UNPACK_FREE)
		return err_new(
			ERR_LIMIT,
			"%#jx bytes in compressed sections of a file that has %#zx compressed",
			(uintmax_t)o->impl->inflated, o->impl->packed_len);
	if (in->size > credible)
		o->impl->incredible += in->size - credible;
	if (in->size > credible && o->impl->incredible > HARMLESS)
		return err_new(ERR_LIMIT,
			       "%#jx bytes in %#zx compressed ones are more than %d for each",
			       (uintmax_t)in->size, in->stream.len, CREDIBLE_RATIO);
	return NULL;
}

static struct err *inflate(const struct object *o, const struct packed *in, uint8_t **ret,
			   size_t *len_ret)
{
	bool zlib = in->type == ELFCOMPRESS_ZLIB;

	if (!zlib && in->type != COMPRESS_ZSTD)
		return err_new(ERR_UNSUPPORTED, "compression of type %u", in->type);
	TRY(check_size(o, in));
	return unpack_stream(zlib ? PACKING_ZLIB : PACKING_ZSTD, in->stream, (size_t)in->size,
			     OBJECT_PADDING, ret, len_ret);
}

struct err *inflate_section(const struct object *o, const struct object_section *s,
			    struct bytes *ret, uint8_t **ret_own)
{
	struct packed in = { 0 };

	*ret = s->data;
	*ret_own = NULL;
	if (!inflate_needed(s))
		return NULL;
	TRY(err_at(read_packed(o, s, &in), "section '%s'", s->name));
	TRY(err_at(inflate(o, &in, ret_own, &ret->len), "section '%s'", s->name));
	ret->ptr = *ret_own;
	return NULL;
}
