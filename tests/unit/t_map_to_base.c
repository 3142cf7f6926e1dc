/* SPDX-License-Identifier: GPL-2.0-only */
/* t_map_to_base.c - which types of a pool are sure to be merged with one of the base */
#include "dedup/ambiguous/map_to_base.h"

#include "base/cleanup.h"
#include "dedup/ambiguous/ambiguous.h"
#include "dedup/base/base_cache.h"
#include "tests/lib/overbase.h"

/* The twin of each type of @b, by pool id. The caller's. */
static uint32_t *mapped_of(struct both *b)
{
	CLEANUP(resolved_names_release) struct resolved_names resolved = { 0 };
	uint32_t *same, *types = mem_zalloc(b->nr + (size_t)1, sizeof(*types));
	struct resolve_unit unit = { .types = types, .nr = b->nr + (size_t)1 };

	for (uint32_t i = 1; i <= b->nr; i++)
		types[i] = i;
	find_base_conflicts(&b->types, &b->strings, &b->base, NULL, &b->other, &same);
	CHECK_EQ(b->other.nr, 0);
	ambiguous_resolve(&b->types, &b->strings, &unit, 1, &b->other, &resolved);
	CHECK_EQ(resolved.nr_need_exact, 0);
	CHECK(base_has_no_duplicates(BASE(b)));
	map_to_base(&b->types, &resolved, same);
	free(types);
	return same;
}

TEST_WITH_INIT(a_definition_and_what_leads_to_it_are_in_the_base, both, b)
{
	uint32_t i, s, ptr, proto, *mapped_to_base;

	i = add_int(BASE(b), there(b, "int"));
	s = add_struct0(BASE(b), there(b, "s"));
	ptr = add_ptr(BASE(b), s);
	proto = ADD(BASE(b), 0, btf_info(BTF_FUNC_PROTO, 2, false), i, 0, ptr, 0, 0);
	add_struct1(BASE(b), there(b, "t"), there(b, "m"), add_ptr(BASE(b), proto));

	uint32_t my_int = say_int(b);
	uint32_t my_s = SAY(b, here(b, "s"), btf_info(BTF_STRUCT, 0, false), 0);
	uint32_t my_ptr = say_ptr(b, pool_ref_named(POOL_STRUCT, here(b, "s")));
	uint32_t my_proto = SAY(b, 0, btf_info(BTF_FUNC_PROTO, 2, false), my_int, 0, my_ptr, 0, 0);
	uint32_t my_t = say_struct(b, "t", say_ptr(b, my_proto));
	uint32_t unknown = say_ptr(b, my_int);

	mapped_to_base = mapped_of(b);
	CHECK_EQ(mapped_to_base[my_int], i);
	CHECK_EQ(mapped_to_base[my_s], s);
	CHECK_EQ(mapped_to_base[my_ptr], ptr);
	CHECK_EQ(mapped_to_base[my_proto], proto);
	CHECK_EQ(mapped_to_base[my_t], proto + 2);
	CHECK_EQ(mapped_to_base[unknown], 0); /* the base has no int * */
	free(mapped_to_base);
}

TEST_WITH_INIT(a_declaration_is_the_definition_of_the_base, both, b)
{
	uint32_t s, *mapped_to_base;

	s = add_struct0(BASE(b), there(b, "s"));
	add_fwd(BASE(b), there(b, "declared"), false);

	uint32_t fwd = say_fwd(b, "s"), there_too = say_fwd(b, "declared");
	uint32_t of_union = SAY(b, here(b, "s"), btf_info(BTF_FWD, 0, true), 0);
	uint32_t nowhere = say_fwd(b, "nowhere");

	mapped_to_base = mapped_of(b);
	CHECK_EQ(mapped_to_base[fwd], s);
	CHECK_EQ(mapped_to_base[there_too], 0);
	CHECK_EQ(mapped_to_base[of_union], 0);
	CHECK_EQ(mapped_to_base[nowhere], 0);
	free(mapped_to_base);
}

TEST_WITH_INIT(what_leads_to_a_typedef_an_array_or_a_nameless_struct_is_not_mapped, both, b)
{
	uint32_t i, m, refs[3], *mapped_to_base;

	m = there(b, "m");
	i = add_int(BASE(b), there(b, "int"));
	refs[0] = add_ptr(BASE(b), add_ref(BASE(b), BTF_TYPEDEF, there(b, "t"), i));
	refs[1] = add_ptr(BASE(b), add_array(BASE(b), i, i, 3));
	refs[2] = add_ptr(BASE(b), add_struct1(BASE(b), 0, m, i));
	for (int k = 0; k < 3; k++)
		add_struct1(BASE(b), there(b, (const char *[]){ "a", "b", "c" }[k]), m, refs[k]);

	uint32_t my_int = say_int(b);
	uint32_t mine[] = {
		SAY(b, here(b, "t"), btf_info(BTF_TYPEDEF, 0, false), my_int),
		SAY(b, 0, btf_info(BTF_ARRAY, 0, false), 0, my_int, POOL_REF_INDEX, 3),
		say_struct(b, "", my_int),
	};
	uint32_t owners[3], ptrs[3];
	for (int k = 0; k < 3; k++) {
		ptrs[k] = say_ptr(b, mine[k]);
		owners[k] = say_struct(b, (const char *[]){ "a", "b", "c" }[k], ptrs[k]);
	}

	mapped_to_base = mapped_of(b);
	CHECK_EQ(mapped_to_base[my_int], i);
	for (int k = 0; k < 3; k++) {
		CHECK_EQ(mapped_to_base[mine[k]], 0);
		CHECK_EQ(mapped_to_base[ptrs[k]], 0);
		CHECK(mapped_to_base[owners[k]] > refs[k]); /* they are said by their names */
	}
	free(mapped_to_base);
}

TEST_WITH_INIT(a_base_with_duplicates_is_recognized, both, b)
{
	uint32_t i;

	i = add_int(BASE(b), there(b, "int"));
	add_ptr(BASE(b), i);
	add_ref(BASE(b), BTF_CONST, 0, i);
	CHECK(base_has_no_duplicates(BASE(b)));

	/* what nothing refers to does not count */
	ADD(BASE(b), there(b, "tag"), btf_info(BTF_DECL_TAG, 0, false), i, 0);
	ADD(BASE(b), (uint32_t)b->base.strings.len - 4, btf_info(BTF_DECL_TAG, 0, false), i, 0);
	CHECK(base_has_no_duplicates(BASE(b)));
	add_ptr(BASE(b), i);
	CHECK(!base_has_no_duplicates(BASE(b)));
}
