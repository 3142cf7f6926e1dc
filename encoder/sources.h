/* SPDX-License-Identifier: GPL-2.0-only */
/* sources.h - the files that are encoded together, with their symbols and units */
#ifndef BTFENC_ENCODER_SOURCES_H
#define BTFENC_ENCODER_SOURCES_H

#include "encoder/input/encode_request.h"
#include "encoder/input/input.h"
#include "encoder/report/omission.h"

struct assembly;

/* Owns all of it. Zeroed is empty. */
struct sources {
	struct input *inputs; /* the files that have anything to encode */
	size_t nr_inputs;
	VEC(const char *) empty; /* borrowed: the files that should not be empty */
	/*
	 * The names of functions in the symbol tables, up to the first '.', have the lowest string
	 * ids: those below this one.
	 */
	uint32_t func_names_end;
	/* by these ids: the index of the function in syms.funcs of the file that is read now, plus 1; or 0 */
	uint32_t *func_by_name;
	uint32_t int_name, fake_int;
	struct arena names; /* of functions whose symbols have suffixes */
};

/*
 * Open the files of @request and put the names of their functions into @strings, which must be empty.
 * Without anything to encode there are no inputs, and a diagnostic has the reason. Release @s also
 * after an error.
 */
MUST_CHECK struct err *sources_open(struct sources *s, const struct encode_request *request,
				    const struct encode_opts *opts, struct str_pool *strings,
				    struct diagnostics *diags);
void sources_release(struct sources *s);
/* Fill @func_by_name with the functions of @in, or remove them. */
void sources_know_funcs(struct sources *s, const struct input *in, bool known);
/* How the units of the files are opened. */
struct dw_open_opts sources_dw_opts(const struct encode_opts *opts);

/*
 * Report the objects without BTF to @log, whose strings are @strings. The diagnostics for -V have
 * been added when they were opened.
 */
void sources_report_without_btf(const struct sources *s, struct str_pool *strings,
				const struct omission_log *log);

/*
 * check_dwarf.c: warn of the units of the linked file that have DWARF, but no member in its archive, which is in @a, and
 * of its source files that have neither, and report them.
 */
void sources_check_dwarf(struct sources *s, struct assembly *a,
			 const struct encode_request *request, struct diagnostics *diags);

/*
 * check_files.c: append to in->without_btf the source files in the symbol table of @in that have none of the names
 * @units. @a: what was read of @in.
 */
void sources_find_files(struct input *in, const struct str_pool *units, const struct assembly *a);

/*
 * check_members.c: compare the members of archives, which are in @a, with each other and with the
 * options of this run. @in_place: the result replaces them.
 */
void sources_check_members(const struct sources *s, const struct assembly *a, bool in_place,
			   struct diagnostics *diags);

#endif
