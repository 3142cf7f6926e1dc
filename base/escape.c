/* SPDX-License-Identifier: GPL-2.0-only */
/* escape.c - see escape.h */
#include "base/escape.h"

#include "base/utf8.h"

/* The kernel limits names to 512 bytes. */
enum { NAME_MAX_PRINTED = 512 };

/* The length of the character at @s if it may be printed as it is, else 0. */
static size_t printable_len(const uint8_t *s)
{
	size_t len = utf8_len(s);

	return len && !utf8_is_control(s) ? len : 0;
}

static void escape(struct text *out, const char *text, size_t max)
{
	const uint8_t *start = (const uint8_t *)text, *s = start;

	while (*s && (size_t)(s - start) < max) {
		size_t len = printable_len(s);

		if (len) {
			text_mem(out, (const char *)s, len);
			s += len;
			continue;
		}
		len = utf8_len(s);
		for (len += !len; len; len--)
			text_printf(out, "\\x%02x", *s++);
	}
	if (*s)
		text_str(out, "...");
}

void text_escape(struct text *out, const char *s)
{
	escape(out, s, SIZE_MAX);
}

void text_escape_name(struct text *out, const char *name)
{
	escape(out, name, NAME_MAX_PRINTED);
}

bool escape_keeps(const char *s)
{
	const uint8_t *p = (const uint8_t *)s;
	size_t len;

	for (; *p; p += len) {
		len = printable_len(p);
		if (!len)
			return false;
	}
	return true;
}

/* The keywords of C11, and those of gcc that programs use without underscores. In Linux, "bool" is a typedef. */
static bool is_keyword(const char *s)
{
	static const char *const keywords[] = {
		"_Alignas",
		"_Alignof",
		"_Atomic",
		"_Bool",
		"_Complex",
		"_Generic",
		"_Imaginary",
		"_Noreturn",
		"_Static_assert",
		"_Thread_local",
		"asm",
		"auto",
		"break",
		"case",
		"char",
		"const",
		"continue",
		"default",
		"do",
		"double",
		"else",
		"enum",
		"extern",
		"float",
		"for",
		"goto",
		"if",
		"inline",
		"int",
		"long",
		"register",
		"restrict",
		"return",
		"short",
		"signed",
		"sizeof",
		"static",
		"struct",
		"switch",
		"typedef",
		"typeof",
		"union",
		"unsigned",
		"void",
		"volatile",
		"while",
	};

	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++) {
		if (*s == *keywords[i] && !strcmp(s, keywords[i]))
			return true;
	}
	return false;
}

static bool is_letter(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length of the character @s[at] if it may stand there, else 0. */
static size_t fitting_len(const uint8_t *s, size_t at, enum c_name_kind kind)
{
	uint8_t c = s[at];

	if (is_letter(c) || (at && c >= '0' && c <= '9'))
		return 1;
	if (c == ' ' && at && kind == C_BASE_TYPE)
		return is_letter(s[at + 1]);
	return c < 0x80 ? 0 : printable_len(s + at);
}

bool c_name_fits(const char *s, enum c_name_kind kind)
{
	const uint8_t *p = (const uint8_t *)s;
	size_t at = 0, len;

	for (; p[at]; at += len) {
		len = fitting_len(p, at, kind);
		if (!len)
			return false;
	}
	return at && (kind == C_BASE_TYPE || !is_keyword(s));
}

void text_c_name(struct text *out, const char *s)
{
	const uint8_t *p = (const uint8_t *)s;
	bool escape_first = is_keyword(s);

	for (size_t at = 0; p[at];) {
		size_t len = !at && escape_first ? 0 : fitting_len(p, at, C_IDENTIFIER);

		if (len)
			text_mem(out, s + at, len);
		else
			text_printf(out, "_x%02x", p[at]);
		at += len + !len;
	}
}
