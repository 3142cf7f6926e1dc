/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted.h - a type that the command line names */
#ifndef BTFENC_SHOW_WANTED_H
#define BTFENC_SHOW_WANTED_H

#include "btf/btf_kind.h"

#include <stdbool.h>

/* WANTED_ANY: the name was given without a keyword. */
enum wanted_sort { WANTED_ANY, WANTED_STRUCT, WANTED_UNION, WANTED_ENUM, WANTED_TYPEDEF };

struct wanted {
	const char *asked; /* the text of the user; borrowed */
	const char *
		location; /* "'FILE', line N" for a name in a file; NULL for one of the command line */
	const char *name; /* the name in BTF; borrowed, or a constant */
	enum wanted_sort sort;
	bool is_pattern; /* @name is one (base/name_list.h), and stands for all names that match */
	const char *
		path; /* "lru" of "page.lru", where @name is "page"; NULL: the type itself is asked for */
	const char *
		whole; /* with @path: "page.lru" without a keyword, which can be the name of a function */
	bool is_func;      /* "NAME()": only a function; no type is called so */
	bool lacks_member; /* the type exists, but has no member @path */
	bool leads_through; /* with @lacks_member: because a part of @path that is not its last is a pointer */
	const char *
		similar; /* with @lacks_member: the most similar name of a member there; NULL: none is similar; borrowed */
	bool found; /* of a pattern: at least one name matched */
	/* if not found: the kind of another type with this name, or BTF_UNKN */
	enum btf_kind other;
};

/*
 * Read @asked, which must outlive the result: "NAME", or a keyword and the name, as in "struct NAME".
 * A base type may have any spelling that C allows. The name may be a pattern.
 */
struct wanted wanted_read(const char *asked);

/* The spelling of gcc for the base type @name of C, which may have another; @name itself for others. */
const char *wanted_base_name(const char *name);

/* The kinds of definitions that @w asks for, a bit each. */
uint32_t wanted_definitions(const struct wanted *w);

/* Is a type of @kind, with the kind_flag @kflag, of the sort that @w asks for? */
bool wanted_takes(const struct wanted *w, enum btf_kind kind, bool kflag);

#endif
