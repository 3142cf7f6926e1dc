/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inflate.c - see inflate.h
 *
 * The length that a section claims is not believed: it is refused where no stream of
 * that many bytes can hold so much, and memory grows with what really comes out. So
 * a file of a few bytes cannot ask for gigabytes.
 */
#include "loader/elf/inflate.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "loader/elf/image.h"
#include "loader/elf/unpack.h"

#include <limits.h>
#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

enum {
	/* deflate: a match of 258 bytes takes two bits at least (zlib, "Technical Details") */
	ZLIB_MAX_RATIO = 1032,
	/* zstd: a block is at most 128 KiB and has at least 4 bytes (RFC 8878, 3.1.1.2) */
	ZSTD_MAX_RATIO = 32768,
	/*
	 * Debug information shrinks to a third, or a tenth if it repeats itself. What shrinks to less
	 * than that is taken if it is little in the whole file, else it is there to fill the memory.
	 */
	CREDIBLE_RATIO = 64,
	HARMLESS = 16 << 20,
	/* What is allocated at once without being told so by the stream. */
	USUAL_RATIO = 16,
	GNU_HEADER = 12,
};

/* From newer versions of elf.h. */
enum { COMPRESS_ZSTD = 2 };

struct packed {
	uint32_t type; /* ELFCOMPRESS_* */
	uint64_t size; /* claimed */
	struct bytes stream;
};

/* What came out so far: @len of @cap bytes. Owns @buf. */
struct output {
	uint8_t *buf;
	size_t cap, len;
};

static void output_release(struct output *out)
{
	free(out->buf);
}

static bool is_gnu(const struct object_section *s)
{
	return strncmp(s->name, ".zdebug_", strlen(".zdebug_")) == 0 && s->data.len >= GNU_HEADER &&
	       memcmp(s->data.ptr, "ZLIB", 4) == 0;
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

	bool is64 = o->addr_size == 8;
	size_t header = is64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	const uint8_t *p = s->data.ptr;

	if (s->data.len < header)
		return err_new(ERR_FORMAT, "section ends in its compression header");
	*ret = (struct packed){
		.type = image_u32(o, p),
		.size = is64 ? image_u64(o, p + offsetof(Elf64_Chdr, ch_size)) :
			       image_u32(o, p + offsetof(Elf32_Chdr, ch_size)),
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

/*
 * Room for more output, one byte above what is claimed at most, so that a stream that
 * has more is found out. False if that byte is taken.
 */
static bool output_grow(struct output *out, const struct packed *in)
{
	size_t most = (size_t)in->size + 1;
	size_t usual = in->stream.len < SIZE_MAX / USUAL_RATIO ? in->stream.len * USUAL_RATIO :
								 SIZE_MAX;
	size_t want = out->cap ? out->cap : usual;

	if (out->len < out->cap)
		return true;
	if (out->cap == most)
		return false;
	want = want > most / 2 ? most : want * 2;
	size_t have = 0;
	out->buf = mem_grow(out->buf, &have, want + OBJECT_PADDING, 1);
	out->cap = want;
	return true;
}

static void end_zlib(z_stream *z)
{
	inflateEnd(z);
}

/*
 * "ld -r" of GNU tools may have put several streams end to end. What is behind the last
 * byte claimed is padding.
 */
static struct err *inflate_zlib(const struct packed *in, struct output *out)
{
	CLEANUP(end_zlib) z_stream z = { 0 };
	const uint8_t *p = in->stream.ptr, *end = p + in->stream.len;
	int rc = Z_OK;

	if (inflateInit(&z) != Z_OK)
		mem_die();
	while (p < end || rc == Z_OK) {
		if (!output_grow(out, in))
			return NULL;

		size_t left = (size_t)(end - p), room = out->cap - out->len;
		z.next_in = p;
		z.avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
		z.next_out = out->buf + out->len;
		z.avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
		rc = inflate(&z, Z_NO_FLUSH);
		p = z.next_in;
		out->len = (size_t)(z.next_out - out->buf);
		if (rc == Z_STREAM_END) {
			if (out->len == in->size)
				return NULL;
			if (p < end && inflateReset(&z) != Z_OK)
				mem_die();
		} else if (rc == Z_MEM_ERROR) {
			mem_die();
		} else if (rc == Z_BUF_ERROR && p == end) {
			return err_new(ERR_FORMAT, "zlib data end too early");
		} else if (rc != Z_OK) {
			return err_new(ERR_FORMAT, "broken zlib data%s%s", z.msg ? ": " : "",
				       z.msg ? z.msg : "");
		}
	}
	return NULL;
}

static void free_zstd(ZSTD_DStream **z)
{
	ZSTD_freeDStream(*z);
}

static struct err *inflate_zstd(const struct packed *in, struct output *out)
{
	CLEANUP(free_zstd) ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer src = { in->stream.ptr, in->stream.len, 0 };
	size_t rc = 1;

	if (!z)
		mem_die();
	while (src.pos < src.size || rc != 0) {
		if (!output_grow(out, in) || (rc == 0 && out->len == in->size))
			return NULL;

		size_t in_before = src.pos, out_before = out->len;
		ZSTD_outBuffer dst = { out->buf, out->cap, out->len };
		rc = ZSTD_decompressStream(z, &dst, &src);
		out->len = dst.pos;
		if (ZSTD_isError(rc))
			return err_new(ERR_FORMAT, "broken zstd data: %s", ZSTD_getErrorName(rc));
		if (src.pos == in_before && out->len == out_before && rc != 0)
			return err_new(ERR_FORMAT, "zstd data end too early");
	}
	return NULL;
}

static struct err *inflate_any(const struct object *o, const struct packed *in, struct output *out)
{
	switch (in->type) {
	case ELFCOMPRESS_ZLIB:
		TRY(check_size(o, in));
		return inflate_zlib(in, out);
	case COMPRESS_ZSTD:
		TRY(check_size(o, in));
		return inflate_zstd(in, out);
	default:
		return err_new(ERR_UNSUPPORTED, "compression of type %u", in->type);
	}
}

struct err *inflate_section(const struct object *o, const struct object_section *s, uint8_t **ret,
			    size_t *len_ret)
{
	CLEANUP(output_release) struct output out = { 0 };
	struct packed in = { 0 };

	TRY(err_at(read_packed(o, s, &in), "section '%s'", s->name));
	TRY(err_at(inflate_any(o, &in, &out), "section '%s'", s->name));
	if (out.len != in.size)
		return err_new(ERR_FORMAT, "section '%s': %s than the %#jx bytes it claims",
			       s->name, out.len < in.size ? "less" : "more", (uintmax_t)in.size);
	assert(out.buf); // the first thing that both do is to make room
	memset(out.buf + out.len, 0, OBJECT_PADDING);
	*len_ret = out.len;
	*ret = TAKE(out).buf;
	return NULL;
}
