/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_options.c - any command line, one argument a line */
#include "tests/fuzz/fuzz.h"

#include "cmd/options/options.h"

#include <stdlib.h>
#include <string.h>

enum { ARGS_MAX = 256 };

/* The guarantees of options_parse(). */
static void check(const struct options *o)
{
	if (o->action != ACTION_ENCODE)
		return;
	if (!o->files.nr)
		abort();
	for (size_t i = 0; i < o->encode.nr_langs; i++) {
		if (!o->encode.langs[i])
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1), *state = NULL;
	char *argv[ARGS_MAX + 1] = { (char *)"btfenc" };
	int argc = 1;
	struct diagnostics diags = { 0 };
	struct options o = { 0 };

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	for (char *arg = strtok_r(text, "\n", &state); arg && argc < ARGS_MAX;
	     arg = strtok_r(NULL, "\n", &state))
		argv[argc++] = arg;

	struct err *e = options_parse(argc, argv, &diags, &o);
	if (!e)
		check(&o);
	else if (!*err_text(e))
		abort();
	err_free(e);
	options_release(&o);
	diag_release(&diags);
	free(text);
	return 0;
}
