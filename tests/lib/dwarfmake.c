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

struct bytes dw_padded(const struct make_buf *b)
{
	uint8_t *p = make_alloc(b->len + OBJECT_PADDING);

	if (b->len)
		memcpy(p, b->ptr, b->len);
	memset(p + b->len, 0, OBJECT_PADDING);
	return (struct bytes){ p, b->len };
}
