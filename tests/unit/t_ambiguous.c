/* SPDX-License-Identifier: GPL-2.0-only */
/* t_ambiguous.c - names with several meanings */
#include "base/cleanup.h"
#include "base/text.h"
#include "btf/btf_kind.h"
#include "tests/lib/poolmake.h"

static char emitter_of(const struct pool_scene *s, size_t u, uint32_t id)
{
	uint32_t unit = pool_place_unit(pool_type_place(type_pool_at(&s->types, id)));

	if (needs_exact_dedup(&s->resolved, u, id))
		return unit < MAX_UNITS ? 'X' : 'x';
	return unit < MAX_UNITS ? (char)('0' + unit) : '-';
}

static void print_meaning(struct text *t, const struct pool_scene *s, const char *keyword,
			  const char *name, uint32_t id)
{
	for (size_t u = 0; u < s->nr; u++) {
		for (size_t i = 1; i < s->units[u].types.nr; i++) {
			if (id && s->ids[u][i] == id) {
				text_printf(t, ", %s%s: %zu.%zu", keyword, name, u, i);
				return;
			}
		}
	}
}

/*
 * How the units emit their types, and what names mean in shared records: "!xxX !xx 222, s: 2.1"
 *
 * A word for each unit starts with "*" if the unit needs exact dedup, or "!" if all its types do. For each
 * type it has the number of the unit that emits the shared record, or an "X" if this unit emits a record of
 * its own beside that, or an "x" if no unit emits a shared one. A name means the first type of the first
 * unit that has it: UNIT.TYPE.
 */
static const char *emitters(const struct pool_scene *s)
{
	static const char *const keywords[POOL_NR_SPACES] = { "", "union ", "enum " };
	struct text text = { 0 };
	size_t nr_exact = 0;

	for (size_t u = 0; u < s->nr; u++) {
		const struct resolved_unit *r = &s->resolved.units[u];

		nr_exact += r->needs_exact;
		text_printf(&text, "%s%s", u ? " " : "",
			    r->all_exact   ? "!" :
			    r->needs_exact ? "*" :
					     "");
		for (size_t i = 1; i < s->units[u].types.nr; i++)
			text_char(&text, emitter_of(s, u, s->ids[u][i]));
	}
	CHECK_EQ(s->resolved.nr_need_exact, nr_exact);
	for (uint32_t name = 1; name < s->names_end; name++) {
		for (int space = 0; space < POOL_NR_SPACES; space++)
			print_meaning(&text, s, keywords[space], str_pool_text(&s->strings, name),
				      s->resolved.named[space][name]);
	}
	return test_keep(text_take(&text));
}

/* Unit 0: a struct s that others lead to, and unit 1 with the other definition. */
#define LED_TO "int; struct s 4 {x 1}; ptr 2; struct v 8 {p 3}; ptr 4; struct t 8 {p 5}"
#define OTHER "int; struct s 8 {x 1}"
/* A unit that declares v, and has what leads to it. */
#define USER "fwd v; ptr 1; struct t 8 {p 2}"

#define S_4 "int; struct s 4 {x 1}; ptr 2"
#define S_8 "int; struct s 8 {x 1}; ptr 2"

static const struct {
	const char *name;
	struct pool_unit units[6];
	const char *result; /* emitters() */
} cases[] = {
	{ "a name with one definition means it everywhere",
	  { UNIT(S_4), UNIT(S_4), UNIT(S_4) },
	  "000 000 000, s: 0.2" },
	{ "a declaration elsewhere means the definition",
	  { UNIT("fwd s; ptr 1"), UNIT("int; struct s 4 {x 1}") },
	  "00 11, s: 1.2" },
	{ "a name that is only declared means the declaration",
	  { UNIT("fwd s; ptr 1") },
	  "00, s: 0.1" },
	{ "units with an uncommon definition need exact dedup",
	  { UNIT(S_4), UNIT(S_4), UNIT(S_4), UNIT(S_8), UNIT(S_4), UNIT(S_4) },
	  "!xxx !xxx !xxx !xxx !xxx !xxx, s: 3.2" },
	/* so no unit emits "other" for others */
	{ "a unit with an uncommon definition emits all its records",
	  { UNIT(S_4 "; struct other 4 {x 1}"), UNIT(S_8 "; struct other 4 {x 1}") },
	  "!xxxx !xxxx, s: 1.2, other: 0.4" },
	/* the shared pointer is no longer that of the first unit */
	{ "a unit that only declares a name shares pointers to the declaration",
	  { UNIT(S_4), UNIT(OTHER), UNIT("fwd s; ptr 1; const 2") },
	  "!xxX !xx 222, s: 2.1" },
	{ "copies of such a pointer are shared, too",
	  { UNIT(S_4), UNIT(OTHER), UNIT("fwd s; ptr 1; ptr 1") },
	  "!xxX !xx 222, s: 2.1" },
	/* the second unit cannot tell what "struct v" leads to */
	{ "what leads there needs exact dedup in all units that have a definition",
	  { UNIT(LED_TO), UNIT("int; struct s 8 {x 1}; fwd v; ptr 3; struct t 8 {p 4}") },
	  "!xxxxxx !xxxxx, s: 1.2, v: 1.3, t: 0.6" },
	{ "a name means the definition that others lead to",
	  { UNIT(LED_TO), UNIT(OTHER), UNIT(USER), UNIT(USER), UNIT(USER) },
	  "000000 !Xx 200 200 200, s: 0.2, v: 0.4, t: 0.6" },
	{ "a name with a common definition that others declare propagates",
	  { UNIT(LED_TO), UNIT(OTHER), UNIT("fwd s; ptr 1; struct v 8 {p 2}"),
	    UNIT("fwd s; ptr 1; struct v 8 {p 2}"), UNIT("fwd s; ptr 1; struct v 8 {p 2}") },
	  "*0XXXXX !Xx *XXX *XXX *XXX, s: 0.2, v: 0.4, t: 0.6" },
	{ "a declaration of another kind stays one",
	  { UNIT(LED_TO), UNIT(OTHER "; union s 8 {x 1}"), UNIT(USER), UNIT(USER),
	    UNIT(USER "; fwd! s") },
	  "000000 !Xxx 200 200 2004, s: 0.2, union s: 4.4, v: 0.4, t: 0.6" },
	/* it becomes one of the others, and which one the rule has to see */
	{ "an enum without values is not what others mean",
	  { UNIT("enum h 4 {v 0}"), UNIT("enum h 4 {v 1}"),
	    UNIT("enum h 4; struct v 4 {x 1}; ptr 2; struct w 8 {p 3}"),
	    UNIT("enum h 4; struct v 4 {x 1}; ptr 2; struct w 8 {p 3}"),
	    UNIT("enum h 4; struct v 4 {x 1}; ptr 2; struct w 8 {p 3}"),
	    UNIT("fwd v; ptr 1; struct w 8 {p 2}") },
	  "*X *X *XXXX *XXXX *XXXX *XXX, enum h: 1.1, v: 2.2, w: 2.4" },
	/* and nothing tells which of the two a declaration means that nothing leads to */
	{ "if others lead to both definitions, the name propagates",
	  { UNIT(LED_TO), UNIT(OTHER "; ptr 2; struct w 8 {p 3}"),
	    UNIT("fwd s; ptr 1; struct v 8 {p 2}; struct w 8 {p 2}"),
	    UNIT("fwd s; ptr 1; struct v 8 {p 2}; struct w 8 {p 2}"),
	    UNIT("fwd s; ptr 1; struct v 8 {p 2}; struct w 8 {p 2}") },
	  "*0XXXXX *0XXX *XXXX *XXXX *XXXX, s: 1.2, v: 0.4, t: 0.6, w: 1.4" },
	/* struct e leads to an ambiguous name, but not in the unit that has the pointer first */
	{ "a pointer to a declaration is not that of a unit that needs exact dedup",
	  { UNIT("fwd c; ptr 1; struct e 8 {p 2}; ptr 3", .twice = "c"),
	    UNIT("int; struct c 4 {x 1}; ptr 2; struct e 8 {p 3}"), UNIT("int; struct c 8 {x 1}"),
	    UNIT("fwd e; ptr 1") },
	  "!xxxX !xxxx !xx 33, c: 0.1, e: 3.1" },
	/* records of the unit tell which of the two they mean; those of the pool mean the declaration */
	{ "what leads to a name that one unit has twice needs exact dedup",
	  { UNIT("fwd s; int; struct s 4 {x 2}; ptr 1", .twice = "s") },
	  "!xxxx, s: 0.1" },
	{ "a unit with two definitions of a name needs exact dedup",
	  { UNIT("int; struct s 4 {x 1}; struct s 8 {x 1}", .twice = "s") },
	  "!xxx, s: 0.3" },
	{ "units without an ambiguous name are not concerned",
	  { UNIT("int; struct s 4 {x 1}"), UNIT(OTHER), UNIT("int; struct other 4 {x 1}") },
	  "!Xx !Xx 22, s: 1.2, other: 2.2" },
	{ "an irregular unit needs exact dedup as a whole",
	  { UNIT("int", .irregular = true), UNIT("int") },
	  "!X 1" },
	/* two nameless structs { array x, y; } */
	{ "types that differ in the elements of arrays are others, and shared",
	  { UNIT("int; array 1 0 4; struct 32 {x 2, y 2 128}"),
	    UNIT("int; ptr 1; array 2 0 4; int; array 1 0 4; struct 32 {x 5, y 3 128}"),
	    UNIT("int; array 1 0 4; struct u 16 {x 2}") },
	  "000 011001 002, u: 2.3" },
	/* the pool id of a nameless declaration is not the id of a string */
	{ "a declaration without a name declares nothing",
	  { UNIT(S_4
		 "; ptr 3; ptr 4; ptr 5; ptr 6; ptr 7; ptr 8; ptr 9; ptr 10; ptr 11; ptr 12; fwd"),
	    UNIT(S_8
		 "; ptr 3; ptr 4; ptr 5; ptr 6; ptr 7; ptr 8; ptr 9; ptr 10; ptr 11; ptr 12; fwd") },
	  "!xxxxxxxxxxxxxx !xxxxxxxxxxxxxx, s: 1.2" },
	{ "units that emit all their types share nothing",
	  { UNIT("int; struct s 4 {x 1}; struct both 8 {x 1}; struct here 8 {x 1}"),
	    UNIT(OTHER "; struct alone 8 {x 1}"), UNIT("fwd here; int; struct both 8 {x 2}") },
	  "!XxXx !Xxx 222, s: 1.2, both: 0.3, here: 2.1, alone: 1.3" },
};

TEST_EACH(units_emit_types_of_ambiguous_names, cases, c)
{
	CLEANUP(pool_scene_release) struct pool_scene s;

	pool_scene_init(&s);
	pool_scene_units(&s, c->units, ARRAY_SIZE(c->units));
	pool_scene_resolve(&s, NULL);
	CHECK_STR(emitters(&s), c->result);
}

TEST_WITH_INIT(the_id_of_an_index_type_may_be_empty, pool_scene, s)
{
	for (int i = 0; i < 4; i++) {
		struct resolve_unit *u = pool_scene_unit(s);
		const uint32_t ptr[] = { 0, btf_info(BTF_PTR, 0, false),
					 pool_ref_named(POOL_STRUCT, pool_scene_name(s, "s")) };

		pool_scene_add(s, i == 1 ? OTHER : "int; struct s 4 {x 1}");
		s->ids[s->nr - 1][u->types.nr++] = 0;
		pool_scene_add_record(s, ptr, ARRAY_SIZE(ptr));
	}
	pool_scene_resolve(s, NULL);
	CHECK(s->resolved.units[1].needs_exact);
}

/* No compiler writes this, but a member of an archive may have any records. */
TEST_WITH_INIT(others_than_arrays_may_refer_to_the_index_type, pool_scene, s)
{
	for (int i = 0; i < 2; i++) {
		const uint32_t ptr[] = { 0, btf_info(BTF_PTR, 0, false), POOL_REF_INDEX };
		uint32_t named[] = { pool_scene_name(s, "t"), btf_info(BTF_TYPEDEF, 0, false),
				     POOL_REF_INDEX };

		pool_scene_unit(s);
		pool_scene_add(s, i ? OTHER : "int; struct s 4 {x 1}");
		uint32_t pointer = pool_scene_add_record(s, ptr, ARRAY_SIZE(ptr));
		pool_scene_add_record(s, named, ARRAY_SIZE(named));
		named[BTF_REC_SIZE_TYPE] = pointer;
		pool_scene_add_record(s, named, ARRAY_SIZE(named));
	}
	pool_scene_resolve(s, NULL);
	CHECK_EQ(s->resolved.nr_need_exact, 2);
}

/* --- over a base -------------------------------------------------------------------------- */

static const struct {
	const char *name;
	struct pool_unit units[3];
	const char *other; /* the struct that the base defines differently */
	const char *result;
} base_cases[] = {
	{ "units that lead to the name need exact dedup",
	  { UNIT("int; struct s 4 {x 1}"), UNIT("ptr 2; fwd s"), UNIT("int; struct t 4 {x 1}") },
	  "s",
	  "*0X *XX 02, s: 0.2, t: 2.2" },
	{ "units that emit all their types share nothing",
	  { UNIT("int; struct s 4 {x 1}; struct both 8 {x 1}; struct here 8 {x 1}"),
	    UNIT(OTHER "; struct alone 8 {x 1}"), UNIT("fwd here; int; struct both 8 {x 2}") },
	  "nobody",
	  "!XxXx !Xxx 222, s: 1.2, both: 0.3, here: 2.1, alone: 1.3" },
};

TEST_EACH(names_that_the_base_defines_differently_are_ambiguous, base_cases, c)
{
	CLEANUP(pool_scene_release) struct pool_scene s;

	pool_scene_init(&s);
	pool_scene_units(&s, c->units, ARRAY_SIZE(c->units));

	pool_ref names[] = { pool_ref_named(POOL_STRUCT, pool_scene_name(&s, c->other)) };
	pool_scene_resolve(&s,
			   &(struct pool_ref_list){ names, ARRAY_SIZE(names), ARRAY_SIZE(names) });
	CHECK_STR(emitters(&s), c->result);
}
