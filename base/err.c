/* SPDX-License-Identifier: GPL-2.0-only */
/* err.c - see err.h */
#include "base/err.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct err {
	enum err_kind kind;
	char *text;
};

static char *format(const char *fmt, va_list ap)
{
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) < 0)
		mem_die();
	return text;
}

static struct err *make(enum err_kind kind, char *text)
{
	struct err *e = mem_alloc(sizeof(*e));

	*e = (struct err){ .kind = kind, .text = text };
	return e;
}

struct err *err_new(enum err_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *text = format(fmt, ap);
	va_end(ap);
	return make(kind, text);
}

struct err *err_sys(int errnum, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *text = format(fmt, ap);
	va_end(ap);

	const char *reason = strerrordesc_np(errnum);
	char *whole;
	if (asprintf(&whole, "%s: %s", text, reason ? reason : "unknown error") < 0)
		mem_die();
	free(text);
	return make(ERR_IO, whole);
}

struct err *err_add_context(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *where = format(fmt, ap);
	va_end(ap);

	char *whole;
	if (asprintf(&whole, "%s: %s", where, e->text) < 0)
		mem_die();
	free(where);
	free(e->text);
	e->text = whole;
	return e;
}

enum err_kind err_kind(const struct err *e)
{
	return e->kind;
}

const char *err_text(const struct err *e)
{
	return e->text;
}

void err_free(struct err *e)
{
	if (!e)
		return;
	free(e->text);
	free(e);
}
