/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unitscene.h - the pools and the file that a unit of DWARF or a member is encoded for, and its contribution as text
 *
 * The file has the functions f, at 0x10, and small, of which there is only an optimized copy, at 0x20. Variables
 * of section 1, .data, are wanted. Those of section 2 behind it are not.
 */
#ifndef BTFENC_TESTS_UNITSCENE_H
#define BTFENC_TESTS_UNITSCENE_H

#include "encoder/unit/unit_from_cu.h"
#include "tests/lib/testlib.h"

enum { DATA_ADDR = 0x1000, DATA_SIZE = 0x100 };

struct unit_scene {
	struct str_pool strings;
	struct type_pool types;
	struct encode_opts opts; /* for all that follows, if it is set first */
	struct object obj;
	struct symbols syms;
	struct section_map section_map;
	uint32_t func_by_name[3];
	struct run run;
	struct unit_encoder *encoder;
	struct cu cu;
	struct unit_btf btf; /* of what was encoded last */
};

void unit_scene_init(struct unit_scene *s);
void unit_scene_release(struct unit_scene *s);

/* The id of @text in the string pool. */
uint32_t unit_scene_name(struct unit_scene *s, const char *text);

/* Add types in the notation of btftext.h to @s->cu, whose first type has number 1. */
void unit_scene_types(struct unit_scene *s, const char *text);

/* Encode @s->cu. */
struct err *unit_scene_encode(struct unit_scene *s, uint32_t unit);

/* The record with pool id @id. */
const uint32_t *unit_scene_pooled(const struct unit_scene *s, uint32_t id);

/*
 * The functions and variables of the contribution, in memory that is kept. "@none": no symbol is there. Types of
 * functions are names, those of variables are numbers.
 *
 *	int f(arg long) @0x10 optimized; int small() @none
 *	a: type 1, 4 bytes at 1+0x8 global, tag tagged -1
 */
const char *unit_funcs_text(const struct unit_scene *s);
const char *unit_vars_text(const struct unit_scene *s);

#endif
