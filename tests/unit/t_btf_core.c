/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_btf_core.c - which differences break BPF programs
 *
 * tests/lib/btftext.h has the notation.
 */
#include "base/cleanup.h"
#include "btf/compare/btf_core.h"
#include "btf/compare/diff_text.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

/* The places of what breaks, with a blank between them; in memory that is kept. */
static const char *breaks(const struct btf_view *a, const struct btf_view *b,
			  const struct btf_defined *base)
{
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 };
	CLEANUP(btf_core_release) struct btf_core core = { 0 };
	struct text text = { 0 };

	CHECK_OK(btf_compare(&(struct btf_side){ a, 1 }, &(struct btf_side){ b, 1 }, true, &c));
	btf_core_open(&c, base, &core);
	for (size_t i = 0; i < c.differences.nr; i++) {
		const struct btf_difference *d = &c.differences.items[i];

		if (!d->nr_changes && btf_core_number_breaks(&core, d)) {
			text_str(&text, text.nr ? " " : "");
			diff_text_type(&text, &c.graph, d->a, true);
		}
		for (size_t k = 0; k < d->nr_changes; k++) {
			const struct btf_change *x = &c.changes.items[d->change + k];

			if (!btf_core_change_breaks(&core, d, x))
				continue;
			text_str(&text, text.nr ? " " : "");
			diff_text_at(&text, &c, d, x);
		}
	}
	return test_keep(text_take(&text));
}

/* [1] int, [2] unsigned, [3] u64, [4] s64, [5] char, [6] struct a, [7] struct b, [8] u32 */
#define TYPES                                                                      \
	"int; int unsigned 4 32; int u64 8 64; int s64 8 0x1000040; int char 1 8;" \
	"struct a 8 {m 1}; struct b 8 {m 1}; typedef u32 2;"

static const struct {
	const char *name, *a, *b; /* follow TYPES, from [9] on */
	const char *result;
} cases[] = {
	/* gone */
	{ "a struct", "struct x 4 {m 1}; struct y 4 {m 1}", "struct y 4 {m 1}", "struct x" },
	{ "a declaration", "fwd x", "fwd y", "" },
	{ "only declared", "struct x 4 {m 1}", "fwd x", "struct x (a declaration)" },
	{ "defined", "fwd x", "struct x 4 {m 1}", "" },
	{ "another definition is left", "struct x 4 {m 1}; struct x 4 {n 1}", "struct x 4 {m 1}",
	  "" },
	{ "an enum, a typedef, a function, a variable",
	  "enum e 4 {A 0}; typedef t 1; func_proto 0; func f 11; var v 1", "int",
	  "enum e typedef t func f var v" },
	{ "an enum without a name", "enum 4 {A 0}", "int", "" },
	{ "a member", "struct x 8 {m 1, n 1 32}", "struct x 8 {n 1 32}", "struct x.m" },
	{ "a member of a struct without a name", "union 4 {m 1, n 1}; struct x 4 {9}",
	  "union 4 {n 1}; struct x 4 {9}", "struct x.m" },
	{ "a member that moved into a struct without a name", "struct x 8 {m 1, n 1 32}",
	  "struct 4 {m 1}; struct x 8 {9, n 1 32}", "" },
	{ "a member that moved into one with a tag", "struct x 8 {m 1, n 1 32}",
	  "struct x 8 {6, n 1 32}", "" },
	{ "an enumerator", "enum e 4 {A 0, B 1}", "enum e 4 {A 0}", "enum e: B" },
	{ "one of an enum without a name", "enum 4 {A 0, B 1}", "enum 4 {A 0}", "" },
	{ "one of a typedef", "enum 4 {A 0, B 1}; typedef t 9", "enum 4 {A 0}; typedef t 9",
	  "enum { A }: B" },
	{ "a kfunc", "func_proto 0; func f 9; decl_tag bpf_kfunc 10", "func_proto 0; func f 9",
	  "func f" },
	{ "another tag", "func_proto 0; func f 9; decl_tag tag 10", "func_proto 0; func f 9", "" },

	/* members */
	{ "offsets, sizes, values, order, new ones",
	  "struct x 8 {m 1, n 1 32}; enum e 4 {A 0, B 1}",
	  "struct x 12 {n 1, o 1 32, m 1 64}; enum e 4 {B 2, A 0, C 1}", "" },
	{ "an unsigned integer of another size", "struct x 8 {m 2}", "struct x 8 {m 3}", "" },
	{ "a signed one", "struct x 8 {m 1}", "struct x 8 {m 4}", "struct x.m" },
	{ "one that becomes signed and larger", "struct x 8 {m 2}", "struct x 8 {m 4}",
	  "struct x.m" },
	{ "signedness alone", "struct x 8 {m 2}", "struct x 8 {m 1}", "" },
	{ "a typedef instead of its type", "struct x 8 {m 2}", "struct x 8 {m 8}", "" },
	{ "const", "struct x 8 {m 2}", "const 2; struct x 8 {m 9}", "" },
	{ "an enum instead of an integer", "struct x 8 {m 1}", "enum e 4 {A 0}; struct x 8 {m 9}",
	  "struct x.m" },
	{ "another enum", "enum e 4 {A 0}; enum f 4 {A 0}; struct x 8 {m 9}",
	  "enum e 4 {A 0}; enum f 4 {A 0}; struct x 8 {m 10}", "struct x.m" },
	{ "ENUM64", "enum e 4 {A 0}; struct x 8 {m 9}", "enum64 e 4 {A 0}; struct x 8 {m 9}", "" },
	{ "an enum of another size", "enum e 4 {A 0}", "enum e 1 {A 0}", "enum e" },
	{ "a bit field", "struct x 8 {m 1}", "struct! x 8 {m 1 0:3}", "struct x.m" },
	{ "no bit field any more", "struct! x 8 {m 1 0:3}", "struct x 8 {m 1}", "struct x.m" },
	{ "a wider one elsewhere", "struct! x 8 {m 1 0:3}", "struct! x 8 {m 1 8:5}", "" },
	{ "an array of another length", "array 1 1 4; struct x 8 {m 9}",
	  "array 1 1 5; struct x 8 {m 9}", "" },
	{ "an array of larger elements", "array 2 1 4; struct x 8 {m 9}",
	  "array 3 1 4; struct x 8 {m 9}", "struct x.m" },
	{ "a pointer to another struct", "ptr 6; struct x 8 {m 9}", "ptr 7; struct x 8 {m 9}",
	  "struct x.m" },
	{ "to a declaration of the same", "ptr 6; struct x 8 {m 9}",
	  "ptr 10; fwd a; struct x 8 {m 9}", "" },
	{ "to void", "ptr 6; struct x 8 {m 9}", "ptr 0; struct x 8 {m 9}", "struct x.m" },
	{ "instead of void", "ptr 0; struct x 8 {m 9}", "ptr 6; struct x 8 {m 9}", "" },
	{ "to bytes instead of characters", "ptr 5; struct x 8 {m 9}",
	  "int u8 1 8; ptr 9; struct x 8 {m 10}", "" },
	{ "another struct with the same members", "struct x 8 {m 6}", "struct x 8 {m 7}", "" },
	{ "another struct with others", "struct x 8 {m 6}",
	  "struct c 8 {n 1, m 1 32}; struct x 8 {m 9}", "struct x.m" },
	{ "a pointer to a function of another prototype",
	  "func_proto 0 {a 1}; ptr 9; struct x 8 {m 10}",
	  "func_proto 1 {a 4, b 1}; ptr 9; struct x 8 {m 10}", "" },

	/* typedefs, variables, base types */
	{ "a typedef of a smaller unsigned type", "typedef t 3", "typedef t 2", "" },
	{ "a typedef of another struct", "typedef t 6", "struct c 8 {n 1}; typedef t 9",
	  "typedef t" },
	{ "a member of a typedef's struct", "struct 4 {m 1}; typedef t 9",
	  "struct 4 {n 1}; typedef t 9", "typedef t.m" },
	{ "an unsigned variable of another size", "var v 2", "var v 3", "var v" },
	{ "the linkage of a variable", "var v 2", "var v 2 static", "" },

	/* functions */
	{ "a parameter more", "func_proto 1 {a 1}; func f 9", "func_proto 1 {a 1, b 1}; func f 9",
	  "func f: parameter 2 'b'" },
	{ "a parameter less", "func_proto 1 {a 1, b 1}; func f 9", "func_proto 1 {b 1}; func f 9",
	  "func f: parameter 1 'a'" },
	{ "another name", "func_proto 1 {a 1}; func f 9", "func_proto 1 {b 1}; func f 9", "" },
	{ "a wider parameter and result", "func_proto 1 {a 1}; func f 9",
	  "func_proto 4 {a 4}; func f 9", "" },
	{ "narrower ones", "func_proto 4 {a 4}; func f 9", "func_proto 1 {a 1}; func f 9",
	  "func f: result func f: parameter 1 'a'" },
	{ "a result instead of none", "func_proto 0; func f 9", "func_proto 1; func f 9",
	  "func f: result" },
	{ "no result any more", "func_proto 1; func f 9", "func_proto 0; func f 9",
	  "func f: result" },
	{ "a pointer instead of void *", "ptr 0; func_proto 0 {a 9}; func f 10",
	  "ptr 6; func_proto 0 {a 9}; func f 10", "func f: parameter 1 'a'" },
	{ "a function that takes another one",
	  "func_proto 0 {a 1}; ptr 9; func_proto 0 {b 10}; func f 11",
	  "func_proto 0 {a 6}; ptr 9; func_proto 0 {b 10}; func f 11",
	  "func f: parameter 1 'b': parameter 1 'a'" },
	{ "a parameter of another struct", "ptr 6; func_proto 0 {a 9}; func f 10",
	  "ptr 7; func_proto 0 {a 9}; func f 10", "func f: parameter 1 'a'" },
};

TEST_EACH(a_change_breaks_programs_or_does_not, cases, c)
{
	VIEW(a);
	VIEW(b);

	test_view_addf(&a, "%s%s", TYPES, c->a);
	test_view_addf(&b, "%s%s", TYPES, c->b);
	CHECK_STR(breaks(&a.view, &b.view, NULL), c->result);
}

TEST(what_the_base_defines_is_not_gone)
{
	CLEANUP(btf_defined_release) struct btf_defined base = { 0 };
	VIEW(old);
	VIEW(new);
	VIEW(vmlinux);

	test_view_add(&old, TYPES "struct x 4 {m 1}; struct y 4 {m 1}; func_proto 0; func x 11");
	test_view_add(&new, TYPES "int");
	test_view_add(&vmlinux, "int; struct x 4 {m 1}; fwd y; union x 4 {m 1}");
	btf_defined_find(&vmlinux.view, &base);
	CHECK_STR(breaks(&old.view, &new.view, &base), "struct y func x");
}
