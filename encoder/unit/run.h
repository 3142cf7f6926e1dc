/* SPDX-License-Identifier: GPL-2.0-only */
/* run.h - what all workers of one run share, and read only */
#ifndef BTFENC_ENCODER_UNIT_RUN_H
#define BTFENC_ENCODER_UNIT_RUN_H

#include "dedup/pool/str_pool.h"
#include "dedup/pool/type_pool.h"
#include "encoder/report/omission.h"
#include "encoder/unit/encode_opts.h"
#include "encoder/unit/regs.h"
#include "loader/elf/object.h"
#include "loader/elf/section_map.h"
#include "loader/elf/symbols.h"

struct gcc_tags;

/* Borrows everything. The two pools take many threads. */
struct run {
	const struct encode_opts *opts;
	struct str_pool *strings;
	struct type_pool *types;
	uint32_t file; /* which of the input files */
	const struct object *obj;
	const struct symbols *syms;
	/*
	 * The names of all functions were the first to enter the string pool. By string id:
	 * index in @syms of this file's function of the name, plus 1; 0 for none.
	 */
	const uint32_t *func_by_name;
	uint32_t func_names_end;
	/* by index in @syms: is it a kfunc that is described as declared? NULL: none is */
	const bool *kept_kfuncs;
	const struct regs *regs;
	/* of the members that gcc made; NULL: none */
	const struct gcc_tags *gcc_tags;
	/* string ids: "int", and the name of an INT for a base type that BTF lacks */
	uint32_t int_name, fake_int;
	/* by section index: do variables in it count? NULL: none does */
	const bool *var_sections;
	const struct section_map
		*section_map; /* where variables are; with @var_sections or facts */
	/* the same for variables in a split BTF (FEATURE_VARS_APART) */
	const bool *apart_sections;
	bool sites;                 /* copies of inlined functions are wanted */
	struct addr_base addr_base; /* of address constants */
	str_place funcs_place;      /* added to the places of strings of members' functions */
	const struct omissions *omissions; /* which to collect; NULL: none */
};

/* Are the members those of objects that are not linked? Then there is no file to ask for anything. */
static inline bool run_is_unlinked(const struct run *run)
{
	return !run->obj->nr_sections;
}

/* The entry of any string @name in @func_by_name. */
static inline uint32_t run_func(const struct run *run, uint32_t name)
{
	return name < run->func_names_end ? run->func_by_name[name] : 0;
}

/* Is function @func of @syms described as declared, even with true_signature? */
static inline bool run_keeps(const struct run *run, uint32_t func)
{
	return run->kept_kfuncs && run->kept_kfuncs[func];
}

#endif
