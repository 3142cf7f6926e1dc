/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted.c - see wanted.h */
#include "show/wanted.h"

#include "base/compiler.h"
#include "base/name_list.h"

#include <string.h>

static size_t skip_spaces(const char *s)
{
	return strspn(s, " \t");
}

struct wanted wanted_read(const char *asked)
{
	static const struct {
		const char *word;
		enum wanted_sort sort;
	} keywords[] = {
		{ "struct", WANTED_STRUCT }, { "class", WANTED_STRUCT },
		{ "union", WANTED_UNION },   { "typedef", WANTED_TYPEDEF },
		{ "enum", WANTED_ENUM },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++) {
		size_t len = strlen(keywords[i].word);
		size_t spaces = strncmp(asked, keywords[i].word, len) ? 0 :
									skip_spaces(asked + len);

		if (spaces && asked[len + spaces])
			return (struct wanted){ .asked = asked,
						.name = asked + len + spaces,
						.is_pattern = name_is_pattern(asked + len + spaces),
						.sort = keywords[i].sort };
	}
	return (struct wanted){ .asked = asked,
				.name = wanted_base_name(asked),
				.is_pattern = name_is_pattern(asked) };
}

/* The words of names of integers. */
enum {
	WORD_UNSIGNED,
	WORD_SIGNED,
	WORD_SHORT,
	WORD_LONG,
	WORD_INT,
	WORD_CHAR,
	WORD_INT128,
	NR_WORDS
};

/* Count the words of @name; false if it has others. */
static bool count_words(const char *name, unsigned int counts[NR_WORDS])
{
	static const char *const words[NR_WORDS] = {
		[WORD_UNSIGNED] = "unsigned", [WORD_SIGNED] = "signed", [WORD_SHORT] = "short",
		[WORD_LONG] = "long",         [WORD_INT] = "int",       [WORD_CHAR] = "char",
		[WORD_INT128] = "__int128",
	};

	for (const char *s = name + skip_spaces(name); *s; s += skip_spaces(s)) {
		size_t len = strcspn(s, " \t"), i = 0;

		while (i < NR_WORDS && (strlen(words[i]) != len || memcmp(words[i], s, len) != 0))
			i++;
		if (i == NR_WORDS)
			return false;
		counts[i]++;
		s += len;
	}
	return true;
}

const char *wanted_base_name(const char *name)
{
	/* by their unsignedness */
	static const char *const chars[] = { "char", "unsigned char" };
	static const char *const shorts[] = { "short int", "short unsigned int" };
	static const char *const ints[] = { "int", "unsigned int" };
	static const char *const longs[] = { "long int", "long unsigned int" };
	static const char *const long_longs[] = { "long long int", "long long unsigned int" };
	static const char *const int128s[] = { "__int128", "__int128 unsigned" };
	unsigned int n[NR_WORDS] = { 0 };

	if (!count_words(name, n) || n[WORD_UNSIGNED] + n[WORD_SIGNED] > 1 || n[WORD_LONG] > 2 ||
	    n[WORD_SHORT] + n[WORD_CHAR] + n[WORD_INT128] + (n[WORD_LONG] > 0) > 1 ||
	    n[WORD_INT] > 1 || (n[WORD_INT] && (n[WORD_CHAR] || n[WORD_INT128])))
		return name;
	if (n[WORD_CHAR])
		return n[WORD_SIGNED] ? "signed char" : chars[n[WORD_UNSIGNED]];
	if (n[WORD_INT128])
		return int128s[n[WORD_UNSIGNED]];
	if (n[WORD_SHORT])
		return shorts[n[WORD_UNSIGNED]];
	if (n[WORD_LONG])
		return (n[WORD_LONG] > 1 ? long_longs : longs)[n[WORD_UNSIGNED]];
	return n[WORD_INT] || n[WORD_SIGNED] || n[WORD_UNSIGNED] ? ints[n[WORD_UNSIGNED]] : name;
}

uint32_t wanted_definitions(const struct wanted *w)
{
	static const uint32_t kinds[] = {
		[WANTED_STRUCT] = 1 << BTF_STRUCT,
		[WANTED_UNION] = 1 << BTF_UNION,
		[WANTED_ENUM] = 1 << BTF_ENUM | 1 << BTF_ENUM64,
		[WANTED_TYPEDEF] = 1 << BTF_TYPEDEF,
	};

	if (w->sort != WANTED_ANY)
		return kinds[w->sort];
	return kinds[WANTED_STRUCT] | kinds[WANTED_UNION] | kinds[WANTED_ENUM] |
	       kinds[WANTED_TYPEDEF];
}

bool wanted_takes(const struct wanted *w, enum btf_kind kind, bool kflag)
{
	if (w->is_func)
		return kind == BTF_FUNC;
	if (w->sort == WANTED_ANY)
		return true;
	if (kind == BTF_FWD)
		kind = kflag ? BTF_UNION : BTF_STRUCT;
	return wanted_definitions(w) >> kind & 1;
}
