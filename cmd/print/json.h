/* SPDX-License-Identifier: GPL-2.0-only */
/* json.h - write JSON, an object on each line */
#ifndef BTFENC_CMD_PRINT_JSON_H
#define BTFENC_CMD_PRINT_JSON_H

#include "base/text.h"
#include "loader/elf/ar_file.h"

/*
 * Append a value to the object or array that is open in @out. @key is NULL in an array, and for the object
 * that begins a line. The functions add commas.
 */
void json_open(struct text *out, const char *key, char bracket);
void json_text(struct text *out, const char *key, const char *value);
void json_number(struct text *out, const char *key, uint64_t value);
void json_bool(struct text *out, const char *key, bool value);

/* Close the innermost object or array, or the object of the line. */
void json_close(struct text *out, char bracket);
void json_end_line(struct text *out);

/*
 * Begin a line with the keys that the first line of each kind of output has. Its schema is "btfenc-@schema",
 * and @version changes if the meaning of a line does; new keys do not change it.
 */
void json_begin_first_line(struct text *out, const char *schema, int version,
			   const struct file_refs *files);

/*
 * Append @s in quotes. UTF-8 stays as it is but for quotes, backslashes and control characters (utf8_is_control()). A
 * byte that belongs to no character becomes \udcNN, as in Python (PEP 383, "surrogateescape"), so that a
 * reader can restore every name.
 */
void json_string(struct text *out, const char *s);

#endif
