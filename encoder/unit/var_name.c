/* SPDX-License-Identifier: GPL-2.0-only */
/* var_name.c - see var_name.h */
#include "encoder/unit/var_name.h"

#include "base/compiler.h"

#include <string.h>

bool var_name_of_macro(const char *name)
{
	static const char *const prefixes[] = {
		"__UNIQUE_ID",          "__tpstrtab_",
		"__exitcall_",          "__func_stack_frame_non_standard_",
		"__gendwarfksyms_ptr_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	}
	return false;
}

bool var_name_valid(const char *name, size_t len)
{
	enum { MAX_NAME = 128 };

	if (!len || len > MAX_NAME)
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = name[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
			      c == '.';

		if (!letter && (i == 0 || c < '0' || c > '9'))
			return false;
	}
	return true;
}
