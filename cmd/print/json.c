/* SPDX-License-Identifier: GPL-2.0-only */
/* json.c - see json.h */
#include "cmd/print/json.h"

#include "base/utf8.h"

#include <inttypes.h>

void json_string(struct text *out, const char *s)
{
	const uint8_t *p = (const uint8_t *)s;

	text_char(out, '"');
	while (*p) {
		size_t len = utf8_len(p);

		if (!len) {
			text_printf(out, "\\udc%02x", *p++);
		} else if (*p == '"' || *p == '\\') {
			text_printf(out, "\\%c", *p++);
		} else {
			if (utf8_is_control(p))
				text_printf(out, "\\u%04x", utf8_code(p));
			else
				text_mem(out, (const char *)p, len);
			p += len;
		}
	}
	text_char(out, '"');
}

static void put_key(struct text *out, const char *key)
{
	if (out->nr && !strchr("{[\n", out->items[out->nr - 1]))
		text_char(out, ',');
	if (key)
		text_printf(out, "\"%s\":", key);
}

void json_open(struct text *out, const char *key, char bracket)
{
	put_key(out, key);
	text_char(out, bracket);
}

void json_close(struct text *out, char bracket)
{
	text_char(out, bracket);
}

void json_end_line(struct text *out)
{
	text_str(out, "}\n");
}

void json_text(struct text *out, const char *key, const char *value)
{
	put_key(out, key);
	json_string(out, value);
}

void json_number(struct text *out, const char *key, uint64_t value)
{
	put_key(out, key);
	text_printf(out, "%" PRIu64, value);
}

void json_bool(struct text *out, const char *key, bool value)
{
	put_key(out, key);
	text_str(out, value ? "true" : "false");
}

void json_begin_first_line(struct text *out, const char *schema, int version,
			   const struct file_refs *files)
{
	text_printf(out, "{\"schema\":\"btfenc-%s\",\"version\":%d,\"tool\":\"btfenc %s\"", schema,
		    version, BTFENC_VERSION);
	json_open(out, "inputs", '[');
	for (size_t i = 0; i < files->nr; i++)
		json_text(out, NULL, files->items[i].name);
	json_close(out, ']');
}
