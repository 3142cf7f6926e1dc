/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is wrong with damaged BTF is found, and named as the kernel's rule that it breaks; and the
 * kernel that runs is of the same opinion.
 */
#include "check/btf_check.h"

#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/btfcases.h"
#include "tests/lib/testlib.h"

#include <errno.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Ask the running kernel, without a library: 0 if it accepts the BTF, else errno. */
static int btf_load(struct bytes b)
{
	union bpf_attr attr = { 0 };

	attr.btf = (uintptr_t)b.ptr;
	attr.btf_size = (uint32_t)b.len;

	int fd = (int)syscall(SYS_bpf, BPF_BTF_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Does @err mean that we cannot ask the kernel? */
static bool btf_load_is_denied(int err)
{
	return err == EPERM || err == EACCES || err == ENOSYS || err == ENOMEM;
}

static void free_bytes(struct bytes *b)
{
	free((void *)(uintptr_t)b->ptr);
}

#define IMAGE(var, c) CLEANUP(free_bytes) struct bytes var = btf_case_make(c)

/* The first breach of @f that a kernel of @version would name, NR_RULES for none. */
static enum btf_rule_id kernel_breach(const struct btf_findings *f, uint32_t version)
{
	for (size_t i = 0; i < f->nr; i++) {
		const struct btf_rule *rule = btf_rule(f->items[i].rule);

		if (rule->kernel && (!rule->until || version < rule->until))
			return f->items[i].rule;
	}
	return NR_RULES;
}

static void print_findings(const struct btf_findings *f)
{
	for (size_t i = 0; i < f->nr; i++)
		printf("#   type %u, element %d, +%#llx: %s (%llu) [%s]\n", f->items[i].id,
		       (int)f->items[i].element, (unsigned long long)f->items[i].offset,
		       btf_rule(f->items[i].rule)->text, (unsigned long long)f->items[i].value,
		       f->items[i].function);
}

/* The finding is the right one, and alone. */
static bool is_right(const struct btf_case *c, const struct btf_findings *f)
{
	if (c->rule == NR_RULES)
		return f->nr == 0;
	if (!f->nr || (f->nr > 1 && !c->more))
		return false;
	return f->items[0].rule == c->rule && f->items[0].id == c->id &&
	       f->items[0].element == c->element && !strcmp(f->items[0].function, c->function);
}

TEST(the_names_of_the_cases_are_where_they_should)
{
	CHECK_STR(btf_case_names + N_X, "x");
	CHECK_STR(btf_case_names + N_SPACE, "a b");
	CHECK_STR(btf_case_names + N_DIGIT, "1x");
	CHECK_STR(btf_case_names + N_BELL, "\abc");
	CHECK_STR(btf_case_names + N_UTF8, "\xc3\xa9");
	CHECK_STR(btf_case_names + N_DOT, ".L");
	CHECK_STR(btf_case_names + N_NOTHING, "");
}

TEST(damage_is_found_and_named)
{
	size_t bad = 0;

	for (size_t i = 0; i < nr_btf_cases; i++) {
		CLEANUP(btf_check_release) struct btf_check c = { 0 };
		IMAGE(b, &btf_cases[i]);

		btf_check_run(b, &(struct btf_check_opts){ .addr_size = 8 }, &c);
		if (is_right(&btf_cases[i], &c.findings))
			continue;
		printf("# %s:\n", btf_cases[i].name);
		print_findings(&c.findings);
		bad++;
	}
	CHECK_EQ(bad, 0);
}

/* Every rule that one BTF alone can break is broken by some case. */
TEST(every_rule_has_a_case)
{
	bool seen[NR_RULES] = { false };

	for (size_t i = 0; i < nr_btf_cases; i++) {
		if (btf_cases[i].rule != NR_RULES)
			seen[btf_cases[i].rule] = true;
	}
	seen[RULE_BYTE_ORDER] = seen[RULE_ARCHIVE] = seen[RULE_TYPES_ALIGNMENT] = true;
	seen[RULE_STRINGS_PLACE] = seen[RULE_STRINGS_SIZE] = seen[RULE_STRING_FAR] = true;
	seen[RULE_STRINGS_WHOLE] = seen[RULE_TOTAL_SIZE] = seen[RULE_TWICE_BASE] = true;
	for (int i = RULE_DISTILLED_KIND; i <= RULE_DISTILLED_STRING; i++)
		seen[i] = true;
	for (int i = 0; i < NR_RULES; i++) {
		if (!seen[i])
			test_fail(__FILE__, __LINE__, "no case for: %s",
				  btf_rule((enum btf_rule_id)i)->text);
	}
}

/* --- split BTF ------------------------------------------------------------------------------ */

/* Sound BTF over @base with the @nr words of @w and @strings, and what was found in it. */
struct layer {
	struct bytes bytes;
	struct btf_check check;
};

static void layer_release(struct layer *l)
{
	btf_check_release(&l->check);
	free_bytes(&l->bytes);
}

static void layer_make(struct layer *l, const struct btf_check_opts *opts, const uint32_t *w,
		       size_t nr, const char *strings, size_t len)
{
	const struct btf_case c = {
		.words = w,
		.nr_words = nr,
		.alone = true,
		.strings = { strings, len },
	};

	l->bytes = btf_case_make(&c);
	btf_check_run(l->bytes, opts, &l->check);
}

/* Over a .BTF.base. */
#define COPIED(var, base_, strings_, ...)                                                     \
	CLEANUP(layer_release) struct layer var = { 0 };                                      \
	layer_make(&var, &(struct btf_check_opts){ .base = (base_), .over_distilled = true }, \
		   (const uint32_t[]){ __VA_ARGS__ },                                         \
		   sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), (strings_),  \
		   sizeof(strings_))

/* The names of the base and of what stands on it follow each other: x is 5, y is 7. */
#define LAYER(var, base_, distilled_, strings_, ...)                                             \
	CLEANUP(layer_release) struct layer var = { 0 };                                         \
	layer_make(&var, &(struct btf_check_opts){ .base = (base_), .distilled = (distilled_) }, \
		   (const uint32_t[]){ __VA_ARGS__ },                                            \
		   sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), (strings_),     \
		   sizeof(strings_))

static void check_alone(const struct btf_findings *f, enum btf_rule_id rule, uint32_t id,
			uint64_t value, int line)
{
	if (f->nr == (rule != NR_RULES) &&
	    (!f->nr ||
	     (f->items[0].rule == rule && f->items[0].id == id && f->items[0].value == value)))
		return;
	print_findings(f);
	test_fail(__FILE__, line, "%zu findings", f->nr);
}

#define CHECK_FOUND(layer, rule, id, value) \
	check_alone(&(layer).check.findings, rule, id, value, __LINE__)
#define CHECK_CLEAN(layer) CHECK_FOUND(layer, NR_RULES, 0, 0)

/* [1] INT int, [2] STRUCT x { int x; } */
#define BASE_WORDS 1, BI(INT, 0), 4, 0x01000020, 5, BI(STRUCT, 1), 4, 5, 1, 0
static const char base_names[] = "\0int\0x";

TEST(split_btf_refers_to_its_base)
{
	LAYER(base, NULL, false, base_names, BASE_WORDS);
	CHECK_CLEAN(base);
	LAYER(good, &base.check.view, false, "y", 7, BI(STRUCT, 1), 4, 5, 2, 0);
	CHECK_CLEAN(good);
	LAYER(own_empty_string, &base.check.view, false, "", 0, BI(PTR, 0), 2);
	CHECK_FOUND(own_empty_string, RULE_STRINGS_WHOLE, 0, 0);
	LAYER(no_type, &base.check.view, false, "y", 7, BI(STRUCT, 1), 4, 5, 4, 0);
	CHECK_FOUND(no_type, RULE_TYPE_MISSING, 3, 4);
	LAYER(no_name, &base.check.view, false, "y", 9, BI(STRUCT, 1), 4, 5, 2, 0);
	CHECK_FOUND(no_name, RULE_STRING_OUTSIDE, 3, 9);
	LAYER(no_base, NULL, false, "y", 7, BI(STRUCT, 1), 4, 5, 2, 0);
	CHECK_FOUND(no_base, RULE_STRINGS_FIRST, 0, 0);
}

TEST(what_the_base_has_is_a_warning)
{
	LAYER(base, NULL, false, base_names, BASE_WORDS);
	/* by content: "x" is there twice */
	LAYER(twice, &base.check.view, false, "y\0x", 9, BI(STRUCT, 1), 4, 9, 1, 0, 7,
	      BI(TYPEDEF, 0), 3);
	CHECK_FOUND(twice, RULE_TWICE_BASE, 3, 2);
	CHECK(btf_rule(RULE_TWICE_BASE)->warning);
}

TEST(a_distilled_base_has_types_with_names)
{
	LAYER(good, NULL, true, base_names, BASE_WORDS);
	CHECK_CLEAN(good);
	LAYER(nameless, NULL, true, base_names, 0, BI(STRUCT, 0), 4);
	CHECK_FOUND(nameless, RULE_DISTILLED_NAME, 1, 0);
	LAYER(pointer, NULL, true, base_names, 0, BI(PTR, 0), 0);
	CHECK_FOUND(pointer, RULE_DISTILLED_KIND, 1, 0);
}

TEST(a_typedef_may_be_the_copy_of_the_one_in_the_base)
{
	LAYER(distilled, NULL, true, base_names, BASE_WORDS);
	COPIED(typedefs, &distilled.check.view, "y", 7, BI(TYPEDEF, 0), 1, 7, BI(TYPEDEF, 0), 1);
	CHECK_CLEAN(typedefs);
	COPIED(structs, &distilled.check.view, "y", 7, BI(STRUCT, 1), 4, 5, 1, 0, 7, BI(STRUCT, 1),
	       4, 5, 1, 0);
	CHECK_FOUND(structs, RULE_TWICE, 4, 3);
	LAYER(over_base, &distilled.check.view, false, "y", 7, BI(TYPEDEF, 0), 1, 7, BI(TYPEDEF, 0),
	      1);
	CHECK_FOUND(over_base, RULE_TWICE, 4, 3);
}

/* Move @split over to @base; what is found against it. */
#define RELOCATE(split, distilled, base)                                                       \
	btf_check_relocation(&(split).check.view, &(base).check.view, &(split).check.findings, \
			     &(distilled).check.findings)

TEST(a_distilled_base_finds_its_types_again)
{
	LAYER(base, NULL, false, base_names, BASE_WORDS);
	LAYER(distilled, NULL, true, base_names, BASE_WORDS);
	LAYER(split, &distilled.check.view, false, "y", 7, BI(STRUCT, 1), 4, 5, 2, 0);
	RELOCATE(split, distilled, base);
	CHECK_CLEAN(split);
	CHECK_CLEAN(distilled);
}

TEST(an_embedded_struct_must_have_the_same_size)
{
	LAYER(base, NULL, false, base_names, BASE_WORDS);
	LAYER(distilled, NULL, true, base_names, 5, BI(STRUCT, 0), 8);
	LAYER(pointer, &distilled.check.view, false, "y", 0, BI(PTR, 0), 1, 7, BI(STRUCT, 1), 8, 5,
	      2, 0);
	RELOCATE(pointer, distilled, base);
	CHECK_CLEAN(pointer);
	CHECK_CLEAN(distilled);
	LAYER(member, &distilled.check.view, false, "y", 0, BI(CONST, 0), 1, 7, BI(STRUCT, 1), 8, 5,
	      2, 0);
	RELOCATE(member, distilled, base);
	CHECK_CLEAN(member);
	CHECK_FOUND(distilled, RULE_DISTILLED_MISSING, 1, 0);
}

TEST(a_type_must_be_found_once)
{
	LAYER(base, NULL, false, base_names, BASE_WORDS, 5, BI(STRUCT, 1), 4, 0, 1, 0);
	LAYER(distilled, NULL, true, base_names, 5, BI(STRUCT, 0), 4);
	LAYER(split, &distilled.check.view, false, "y", 0, BI(PTR, 0), 1);
	RELOCATE(split, distilled, base);
	CHECK_FOUND(distilled, RULE_DISTILLED_TWO, 1, 3);
}

TEST(two_structs_of_one_name_are_told_by_their_sizes)
{
	LAYER(base, NULL, false, base_names, BASE_WORDS, 5, BI(STRUCT, 0), 8);
	LAYER(distilled, NULL, true, base_names, 5, BI(STRUCT, 0), 8);
	LAYER(split, &distilled.check.view, false, "y", 0, BI(PTR, 0), 1);
	RELOCATE(split, distilled, base);
	CHECK_CLEAN(distilled);
	LAYER(neither, NULL, true, base_names, 5, BI(STRUCT, 0), 12);
	LAYER(above, &neither.check.view, false, "y", 0, BI(PTR, 0), 1);
	RELOCATE(above, neither, base);
	CHECK_FOUND(neither, RULE_DISTILLED_MISSING, 1, 0);
}

TEST(enums_of_both_kinds_are_one_and_declarations_are_structs)
{
	LAYER(base, NULL, false, base_names, 1, BI(ENUM64, 1), 8, 5, 1, 0, 5, BI(STRUCT, 0), 4);
	LAYER(distilled, NULL, true, base_names, 1, BI(ENUM, 0), 8, 5, BI(FWD, 0), 0);
	LAYER(split, &distilled.check.view, false, "y", 0, BI(PTR, 0), 1);
	RELOCATE(split, distilled, base);
	CHECK_CLEAN(distilled);
}

TEST(strings_of_a_distilled_base_are_names_of_its_types)
{
	LAYER(base, NULL, false, base_names, BASE_WORDS);
	LAYER(distilled, NULL, true, base_names, 1, BI(INT, 0), 4, 0x01000020);
	LAYER(split, &distilled.check.view, false, "y", 7, BI(STRUCT, 1), 4, 5, 1, 0);
	RELOCATE(split, distilled, base);
	CHECK_CLEAN(distilled);
	CHECK_FOUND(split, RULE_DISTILLED_STRING, 2, 5);
}

/* --- the rest ------------------------------------------------------------------------------- */

TEST(the_byte_order_is_that_of_the_file)
{
	const struct btf_check_opts other = { .order = CHECK_OTHER_ORDER };
	CLEANUP(btf_check_release) struct btf_check c = { 0 };
	IMAGE(b, &btf_cases[0]);

	btf_check_run(b, &other, &c);
	CHECK_EQ(c.findings.nr, 1);
	CHECK_EQ(c.findings.items[0].rule, RULE_BYTE_ORDER);
}

TEST(both_byte_orders_are_read)
{
	CLEANUP(btf_check_release) struct btf_check c = { 0 }, d = { 0 };
	IMAGE(b, &btf_cases[0]);
	uint8_t *image;
	size_t len;

	btf_check_run(b, &(struct btf_check_opts){ 0 }, &c);
	CHECK_EQ(c.findings.nr, 0);
	CHECK_OK(btf_serialize(&c.view.types, c.view.strings,
			       &(struct btf_serialize_opts){ .swap = true }, &image, &len));
	btf_check_run((struct bytes){ test_keep(image), len },
		      &(struct btf_check_opts){ .order = CHECK_OTHER_ORDER }, &d);
	CHECK_EQ(d.findings.nr, 0);
	CHECK_EQ(d.view.types.start.nr, c.view.types.start.nr);
}

TEST(types_are_at_a_multiple_of_four)
{
	CLEANUP(btf_check_release) struct btf_check c = { 0 };
	IMAGE(b, &btf_cases[0]);
	uint8_t *longer = test_keep(mem_zalloc(b.len + 2, 1));

	memcpy(longer, b.ptr, 8);
	memcpy(longer + 8, b.ptr + 8, b.len - 8);
	memmove(longer + 26, longer + 24, b.len - 24);
	memset(longer + 24, 0, 2);
	longer[8] += 2;
	longer[16] += 2;
	btf_check_run((struct bytes){ longer, b.len + 2 }, &(struct btf_check_opts){ 0 }, &c);
	CHECK_EQ(c.findings.nr, 2); /* and the gap before them */
	CHECK_EQ(c.findings.items[1].rule, RULE_TYPES_ALIGNMENT);
}

/* A pointer takes what the file says, else what a long does. */
TEST(pointers_have_the_size_of_a_long)
{
	static const char long_names[] = "\0long\0x";
	static const uint32_t words[] = { 1, BI(INT, 0),    4, 0x01000020, 0, BI(PTR, 0), 0,
					  6, BI(STRUCT, 1), 4, 6,          2, 0 };
	const struct btf_check_opts unknown = { 0 }, of_64_bits = { .addr_size = 8 };
	CLEANUP(layer_release) struct layer a = { 0 }, b = { 0 };

	layer_make(&a, &unknown, words, ARRAY_SIZE(words), long_names, sizeof(long_names));
	CHECK_CLEAN(a);
	layer_make(&b, &of_64_bits, words, ARRAY_SIZE(words), long_names, sizeof(long_names));
	CHECK_FOUND(b, RULE_MEMBER_END, 3, 0);
}

/* A reference to nothing is one finding, whatever depends on it. */
TEST(damage_does_not_spread)
{
	const struct btf_case c = {
		WORDS(N_X, BI(TYPEDEF, 0), 99, 0, BI(ARRAY, 0), 0, 9, 1, 4, N_F, BI(STRUCT, 2), 8,
		      N_X, 9, 0, N_Y, 10, 32, 0, BI(FUNC_PROTO, 1), 9, N_X, 9, 0, BI(PTR, 0), 9,
		      N_Y, BI(VAR, 0), 9, 0, N_DATA, BI(DATASEC, 1), 4, 14, 0, 4, N_Y,
		      BI(DECL_TAG, 0), 9, UINT32_MAX),
	};
	CLEANUP(btf_check_release) struct btf_check check = { 0 };
	IMAGE(b, &c);

	btf_check_run(b, &(struct btf_check_opts){ 0 }, &check);
	print_findings(&check.findings);
	CHECK_EQ(check.findings.nr, 1);
	CHECK_EQ(check.findings.items[0].id, OWN);
	CHECK(!check.sound);
}

/* What stands before a record that cannot be read is still checked, one by one. */
TEST(records_before_a_damaged_one_are_checked)
{
	const struct btf_case c = {
		WORDS(N_X, BI(FLOAT, 0), 3, 0, BI(PTR, 0), 12, 0, 20u << 24, 0, 0, BI(FLOAT, 0), 4),
	};
	CLEANUP(btf_check_release) struct btf_check check = { 0 };
	IMAGE(b, &c);

	btf_check_run(b, &(struct btf_check_opts){ 0 }, &check);
	CHECK_EQ(check.findings.nr, 2);
	CHECK_EQ(check.findings.items[0].rule, RULE_FLOAT_SIZE);
	CHECK_EQ(check.findings.items[1].rule, RULE_KIND);
	CHECK_EQ(check.findings.items[1].id, OWN + 2);
}

static uint32_t running_version(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname u;

	if (uname(&u) || sscanf(u.release, "%u.%u", &major, &minor) != 2)
		return 0;
	return linux_version(major, minor);
}

TEST(the_kernel_agrees)
{
	size_t bad = 0, asked = 0;

	for (size_t i = 0; i < nr_btf_cases; i++) {
		CLEANUP(btf_check_release) struct btf_check c = { 0 };
		IMAGE(b, &btf_cases[i]);

		btf_check_run(b, &(struct btf_check_opts){ .addr_size = sizeof(void *) }, &c);
		int err = btf_load(b);
		if (btf_load_is_denied(err))
			continue;
		asked++;

		enum btf_rule_id rule = kernel_breach(&c.findings, running_version());
		if ((rule != NR_RULES) == (err != 0))
			continue;
		printf("# %s: kernel: %s, we: %s\n", btf_cases[i].name, strerror(err),
		       rule == NR_RULES ? "-" : btf_rule(rule)->text);
		bad++;
	}
	if (!asked)
		SKIP("the kernel does not let us load BTF");
	CHECK_EQ(asked, nr_btf_cases);
	CHECK_EQ(bad, 0);
}
