/* SPDX-License-Identifier: GPL-2.0-only */
/* passes.h - the passes of an encoding, in the order in which encode_files() calls them */
#ifndef BTFENC_ENCODER_PROGRAM_PASSES_H
#define BTFENC_ENCODER_PROGRAM_PASSES_H

#include "encoder/program/program.h"

/*
 * open_files.c: open the files, and find for each whether its units are those of its DWARF or the members of an
 * archive. Without anything to encode there are no inputs, and a diagnostic has the reason.
 */
MUST_CHECK struct err *open_files(struct program *p);
/* Read the symbols, and find the units. */
MUST_CHECK struct err *read_tables(struct program *p);
/* Begin the report that is wanted, if any, and report the files and objects without BTF. */
void begin_report(struct program *p);

/* read_units.c: read all units. */
MUST_CHECK struct err *read_units(struct program *p);
/*
 * resolve_names.c: resolve ambiguous names, and beside that select the functions. With dedup_by_rule no name is
 * resolved, and all units are raw.
 */
void resolve_names(struct program *p);
/* read_units.c: read the raw records of @p->raw_units, and free what only reading needs. */
MUST_CHECK struct err *read_raw_units(struct program *p);

/*
 * check_dwarf.c: warn of the units of the linked file that have DWARF, but no member in its archive, and of its source
 * files that have neither, and report them.
 */
void check_dwarf(struct program *p);
/* check_members.c: compare the members of archives with each other and with the options of this run. */
void check_members(struct program *p);
/*
 * locate_vars.c: if the first file is an archive, find the variables of unit_btf.unlocated by the symbol table. They become
 * unit_btf.vars, or are omitted.
 */
void locate_vars(struct program *p);
/* emit_funcs.c: drop reports of functions that one unit omits and another provides. */
void settle_omissions(struct program *p);

/* resolve_names.c: unpack the lists of types of the units that still need them, and drop all packed lists. */
void unpack_lists(struct program *p);

/*
 * emit_vars.c: select the variables, and use their strings. The name of a variable that is described is used where the
 * first variable of that name is, described or not. So the string section is pahole's.
 */
void select_vars(struct program *p);
/* emit_types.c: give each record of the units its id. ERR_LIMIT over 2^31 types. */
MUST_CHECK struct err *number_records(struct program *p);
/* Use the strings of functions and then of sections, behind those of all units. */
void use_func_strings(struct program *p);
void name_sections(struct program *p);
/*
 * emit_sites.c: sort the copies of inlined functions by address, and use their strings, behind those of functions: in
 * the split BTF of sites with FEATURE_INLINE_APART.
 */
void select_sites(struct program *p);
/* serialize.c: give each string its offset. */
MUST_CHECK struct err *lay_out_strings(struct program *p);

/*
 * Append the records in pahole's order, because the ids of the result depend on it (docs/spec/encoding.md 1.2): for
 * each unit its types, the index type if it is in this unit, its tags and variables; then the functions by name; then
 * those of the sites; then the sections. Deduplication gets a list that is hardly longer than its result.
 */
MUST_CHECK struct err *convert_records(struct program *p);
MUST_CHECK struct err *append_funcs(struct program *p);
void append_funcs_of_sites(struct program *p);
MUST_CHECK struct err *append_sections(struct program *p);
/* deduplicate.c: merge equal records. Units and pools are released unless a report or facts need them. */
MUST_CHECK struct err *deduplicate(struct program *p);
/*
 * emit_sites.c: append the places of the sites and the LOCSECs, once the functions have their ids. No two places or
 * lists of places are equal, so there is nothing to merge.
 */
MUST_CHECK struct err *append_sites(struct program *p);

/*
 * unresolved_ids.c: report the types and functions that .BTF_ids refers to and the result, which
 * must be deduplicated, and its base lack. resolve_btfids does not find an id for them: a kfunc
 * cannot be called, arguments are not checked against a struct. Kfuncs are a warning. In an object
 * only functions count that it defines itself.
 */
void report_unresolved_ids(struct program *p);
/*
 * unmatched_funcs.c: warn about each name and pattern of --btf_functions that no function of the result has. Not
 * over a base: one list serves a kernel and all its modules.
 */
void report_unmatched_funcs(struct program *p);
/*
 * multiple_definitions.c: report each struct, union, enum and typedef that has several definitions
 * in the result, or one beside that of the base, and where they differ. Readers of BTF take them for
 * different types, and so everything that refers to them: one difference in one unit can make
 * thousands of copies, and a function of the kernel does not take the struct of the module. A
 * typedef counts only if it refers to such a name not only by name. ERR_LIMIT if there are more
 * types than an id can number.
 */
MUST_CHECK struct err *report_definitions(struct program *p);
/*
 * emit_vars.c: with FEATURE_VARS_APART, put variables and sections into the split BTF @p->apart. The offsets of the
 * strings assume that those of the result end at @p->apart_names.
 */
MUST_CHECK struct err *append_apart(struct program *p);
/* emit_sites.c: the same with FEATURE_INLINE_APART for sites, @p->inlined, and what only they need. */
MUST_CHECK struct err *append_sites_apart(struct program *p);
/*
 * serialize.c: make @p->result, in the byte order of the first file, and beside that check the rules of the kernel.
 * Without any type and without a base it stays empty. ERR_LIMIT if it does not fit into BTF, ERR_FORMAT if the base
 * cannot be distilled.
 */
MUST_CHECK struct err *check_and_serialize(struct program *p);
/* Add the facts of the units to the result of a file that may be linked further. */
MUST_CHECK struct err *make_facts(struct program *p);

/* Without any type, report the reason. ERR_IO if a file is missing without which nothing can be read. */
MUST_CHECK struct err *explain_empty(struct program *p);
/* open_files.c: complete the report. If there is no file to encode, it does not count as begun. */
void end_report(struct program *p);

/* Between passes: */

/* Report the objects without BTF. The diagnostics for -V have been added when they were opened. */
void report_without_btf(struct program *p);
/*
 * check_files.c: append to in->without_btf the source files in the symbol table of @in that have none of the names
 * @units. @p: the program of @in only.
 */
void find_source_files(struct input *in, const struct str_pool *units, const struct program *p);
/* How the units of the files are opened. */
struct dw_open_opts program_dw_opts(const struct program *p);

#endif
