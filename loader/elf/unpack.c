/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.c - see unpack.h
 *
 * The lengths that the data claim are not used: the output buffer is doubled when it is full, up to a
 * limit.
 */
#include "loader/elf/unpack.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "loader/elf/liblzma.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

enum { FIRST_ROOM = 64 * 1024 };

/* The output. Owns @buf if it may grow. */
struct sink {
	uint8_t *buf;
	size_t len, cap;
	size_t most;    /* @cap grows up to this */
	size_t padding; /* behind @cap */
	size_t want; /* decoding ends where a stream ends and @len is this; SIZE_MAX: at the end of the input */
};

static void release_sink(struct sink *s)
{
	free(s->buf);
}

/* Make room for more of what comes out of @in. False: the limit is reached. */
static bool sink_grow(struct sink *s, struct bytes in)
{
	size_t have = 0;

	if (s->len < s->cap)
		return true;
	if (s->cap == s->most)
		return false;
	if (!s->cap)
		s->cap = in.len > FIRST_ROOM ? in.len : FIRST_ROOM / 2;
	s->cap = s->cap > s->most / 2 ? s->most : s->cap * 2;
	s->buf = mem_grow(s->buf, &have, s->cap + s->padding, 1);
	return true;
}

enum packing unpack_packing(struct bytes b)
{
	static const struct {
		const char *magic;
		uint8_t len;
		enum packing packing;
	} known[] = {
		{ "\x1f\x8b\x08", 3, PACKING_GZIP },
		{ "\3757zXZ\0", 6, PACKING_XZ },
		{ "\x28\xb5\x2f\xfd", 4, PACKING_ZSTD },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (b.len >= known[i].len && !memcmp(b.ptr, known[i].magic, known[i].len))
			return known[i].packing;
	/* the digit is the size of a block, and then the first begins */
	if (b.len >= UNPACK_MAGIC && !memcmp(b.ptr, "BZh", 3) && b.ptr[3] >= '1' &&
	    b.ptr[3] <= '9' && !memcmp(b.ptr + 4, "1AY&SY", 6))
		return PACKING_BZIP2;
	return PACKING_NONE;
}

const char *unpack_name(enum packing p)
{
	static const char *const names[] = {
		[PACKING_NONE] = "nothing", [PACKING_GZIP] = "gzip", [PACKING_BZIP2] = "bzip2",
		[PACKING_XZ] = "xz",        [PACKING_ZSTD] = "zstd", [PACKING_ZLIB] = "zlib",
	};

	return names[p];
}

static struct err *damaged(enum packing p, size_t pos, const char *why)
{
	return err_new(ERR_FORMAT, "%s data+0x%zx: %s", unpack_name(p), pos, why);
}

static bool all_zeros(struct bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		if (b.ptr[i])
			return false;
	return true;
}

static void end_zlib(z_stream *z)
{
	inflateEnd(z);
}

/* gzip and "ld -r" of GNU tools may concatenate several streams. */
static struct err *from_zlib(enum packing p, struct bytes in, struct sink *out)
{
	CLEANUP(end_zlib) z_stream z = { 0 };
	size_t pos = 0;

	if (inflateInit2(&z, p == PACKING_GZIP ? MAX_WBITS + 16 : MAX_WBITS) != Z_OK)
		mem_die();
	while (sink_grow(out, in)) {
		size_t left = in.len - pos, room = out->cap - out->len;

		z.next_in = in.ptr + pos;
		z.avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
		z.next_out = out->buf + out->len;
		z.avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;

		int rc = inflate(&z, Z_NO_FLUSH);
		pos = (size_t)(z.next_in - in.ptr);
		out->len = (size_t)(z.next_out - out->buf);
		if (rc == Z_STREAM_END) {
			/* gzip accepts zeros behind the data, for the sake of tapes */
			if (out->len == out->want || all_zeros(bytes_from(in, pos)))
				return NULL;
			if (inflateReset(&z) != Z_OK)
				mem_die();
		} else if (rc == Z_MEM_ERROR) {
			mem_die();
		} else if (rc == Z_BUF_ERROR) {
			return damaged(p, pos, "the data end too early");
		} else if (rc != Z_OK) {
			return damaged(p, pos, z.msg ? z.msg : "the data are damaged");
		}
	}
	return NULL;
}

static void free_zstd(ZSTD_DStream **z)
{
	ZSTD_freeDStream(*z);
}

static struct err *from_zstd(struct bytes in, struct sink *out)
{
	CLEANUP(free_zstd) ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer src = { in.ptr, in.len, 0 };

	if (!z)
		mem_die();
	while (sink_grow(out, in)) {
		size_t pos = src.pos, len = out->len;
		ZSTD_outBuffer dst = { out->buf, out->cap, out->len };
		size_t rc = ZSTD_decompressStream(z, &dst, &src);

		out->len = dst.pos;
		if (ZSTD_isError(rc))
			return damaged(PACKING_ZSTD, src.pos, ZSTD_getErrorName(rc));
		if (rc == 0 && (src.pos == src.size || out->len == out->want))
			return NULL;
		if (src.pos == pos && out->len == len)
			return damaged(PACKING_ZSTD, src.pos, "the data end too early");
	}
	return NULL;
}

struct xz {
	const struct liblzma *lib;
	lzma_stream stream;
};

static void end_xz(struct xz *x)
{
	x->lib->end(&x->stream);
}

static struct err *xz_error(lzma_ret rc, size_t pos)
{
	switch (rc) {
	case LZMA_MEM_ERROR:
		mem_die();
	case LZMA_MEMLIMIT_ERROR:
		return err_new(ERR_LIMIT, "xz data+0x%zx: decompression needs more than %d MiB",
			       pos, UNPACK_MEMORY >> 20);
	case LZMA_OPTIONS_ERROR:
		return damaged(PACKING_XZ, pos, "a filter is unknown");
	case LZMA_FORMAT_ERROR:
		return damaged(PACKING_XZ, pos, "no header of xz");
	case LZMA_BUF_ERROR:
		return damaged(PACKING_XZ, pos, "the data end too early");
	default:
		return damaged(PACKING_XZ, pos, "the data are damaged");
	}
}

static struct err *from_xz(struct bytes in, struct sink *out)
{
	const struct liblzma *lib = NULL;

	TRY(liblzma_load(&lib));

	CLEANUP(end_xz) struct xz x = { .lib = lib, .stream = LZMA_STREAM_INIT };
	lzma_ret rc = lib->stream_decoder(&x.stream, UNPACK_MEMORY, LZMA_CONCATENATED);

	x.stream.next_in = in.ptr;
	x.stream.avail_in = in.len;
	while (rc == LZMA_OK && sink_grow(out, in)) {
		x.stream.next_out = out->buf + out->len;
		x.stream.avail_out = out->cap - out->len;
		rc = lib->code(&x.stream, LZMA_FINISH);
		out->len = out->cap - x.stream.avail_out;
	}
	if (rc == LZMA_OK || rc == LZMA_STREAM_END)
		return NULL;
	return xz_error(rc, in.len - x.stream.avail_in);
}

/* Decode until the input ends, @out has all that is wanted, or @out is full. */
static struct err *decode(enum packing p, struct bytes in, struct sink *out)
{
	switch (p) {
	case PACKING_GZIP:
	case PACKING_ZLIB:
		return from_zlib(p, in, out);
	case PACKING_XZ:
		return from_xz(in, out);
	case PACKING_ZSTD:
		return from_zstd(in, out);
	case PACKING_BZIP2:
		return err_new(ERR_UNSUPPORTED, "compressed by bzip2: decompress it first");
	case PACKING_NONE:
		break;
	}
	return err_new(ERR_FORMAT, "not compressed");
}

static void take_output(struct sink *out, uint8_t **ret, size_t *ret_len)
{
	assert(out->buf); /* all decoders make room first */
	memset(out->buf + out->len, 0, out->padding);
	*ret_len = out->len;
	*ret = TAKE(*out).buf;
}

struct err *unpack(struct bytes packed, size_t padding, uint8_t **ret, size_t *ret_len)
{
	uint64_t most = (uint64_t)packed.len * UNPACK_RATIO + UNPACK_FREE + 1;
	CLEANUP(release_sink) struct sink out = {
		.most = most < PTRDIFF_MAX - padding ? (size_t)most : PTRDIFF_MAX - padding,
		.padding = padding,
		.want = SIZE_MAX,
	};

	TRY(decode(unpack_packing(packed), packed, &out));
	if (out.len == out.most)
		return err_new(ERR_LIMIT, "more than %zu bytes come out of %zu compressed ones",
			       out.most - 1, packed.len);
	take_output(&out, ret, ret_len);
	return NULL;
}

struct err *unpack_stream(enum packing p, struct bytes packed, size_t want, size_t padding,
			  uint8_t **ret, size_t *ret_len)
{
	/* one byte more, to detect a stream that is longer */
	CLEANUP(release_sink) struct sink out = {
		.most = want + 1,
		.padding = padding,
		.want = want,
	};

	TRY(decode(p, packed, &out));
	if (out.len != want)
		return err_new(ERR_FORMAT, "%s than the %#zx bytes it claims",
			       out.len < want ? "less" : "more", want);
	take_output(&out, ret, ret_len);
	return NULL;
}

size_t unpack_start(struct bytes packed, uint8_t *buf, size_t len)
{
	struct sink out = { .buf = buf, .cap = len, .most = len, .want = SIZE_MAX };
	struct err *e = decode(unpack_packing(packed), packed, &out);

	err_free(e);
	return e ? 0 : out.len;
}
