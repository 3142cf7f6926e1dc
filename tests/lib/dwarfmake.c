/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/dwarfmake.h"

void dw_uleb(struct make_buf *b, uint64_t v)
{
	do {
		dw_int(b, 1, (v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v);
}

void dw_abbrev_decl(struct dwarfmake *d, unsigned int code, unsigned int tag, int children, ...)
{
	va_list ap;

	dw_uleb(&d->abbrev, code);
	dw_uleb(&d->abbrev, tag);
	dw_int(&d->abbrev, 1, children);
	va_start(ap, children);
	for (unsigned int attr; (attr = va_arg(ap, unsigned int)) != 0;) {
		dw_uleb(&d->abbrev, attr);
		dw_uleb(&d->abbrev, va_arg(ap, unsigned int));
	}
	va_end(ap);
	dw_int(&d->abbrev, 2, 0);
}

void dw_unit_header(struct make_buf *b, unsigned int version)
{
	dw_int(b, 4, 0);
	dw_int(b, 2, version);
	if (version >= 5) {
		dw_int(b, 1, DW_UT_compile);
		dw_int(b, 1, 8);
		dw_int(b, 4, 0);
	} else {
		dw_int(b, 4, 0);
		dw_int(b, 1, 8);
	}
}

struct bytes dw_padded(const struct make_buf *b)
{
	uint8_t *p = make_alloc(b->len + OBJECT_PADDING);

	if (b->len)
		memcpy(p, b->ptr, b->len);
	memset(p + b->len, 0, OBJECT_PADDING);
	return (struct bytes){ p, b->len };
}

struct object dw_object(struct dwarfmake *d)
{
	struct object obj = { .addr_size = 8,
			      .machine = EM_X86_64,
			      .swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ };

	dw_int(&d->abbrev, 1, 0);
	obj.debug[DEBUG_INFO] = dw_padded(&d->info);
	obj.debug[DEBUG_ABBREV] = dw_padded(&d->abbrev);
	if (d->types.len)
		obj.debug[DEBUG_TYPES] = dw_padded(&d->types);
	if (d->str.len)
		obj.debug[DEBUG_STR] = dw_padded(&d->str);
	return obj;
}
