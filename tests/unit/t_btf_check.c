/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The check finds damage in BTF and names the kernel's rule that it breaks; the running kernel
 * refuses the same BTF.
 */
#include "check/btf_check.h"

#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "tests/lib/btfcases.h"
#include "tests/lib/btftext.h"
#include "tests/lib/rand.h"
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

/* The first breach of @f that the kernel would name, NR_RULES for none. */
static enum btf_rule_id kernel_breach(const struct btf_findings *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		if (btf_rule(f->items[i].rule)->kernel)
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

		btf_check_run(b,
			      &(struct btf_check_opts){ .addr_size = 8,
							.version = btf_cases[i].version },
			      &c);
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
	seen[RULE_STRINGS_LAST] = seen[RULE_STRINGS_SIZE] = seen[RULE_STRING_FAR] = true;
	seen[RULE_STRINGS_WHOLE] = seen[RULE_TOTAL_SIZE] = seen[RULE_TWICE_BASE] = true;
	seen[RULE_ADDR_SIZE] = true;
	seen[RULE_SITES_NO_SECTION] = seen[RULE_SITES_NO_CODE] = seen[RULE_SITE_OUTSIDE] = true;
	for (int i = RULE_DISTILLED_UNKNOWN; i <= RULE_DISTILLED_STRING; i++)
		seen[i] = true;
	for (int i = 0; i < NR_RULES; i++) {
		if (!seen[i])
			test_fail(__FILE__, __LINE__, "no case for: %s",
				  btf_rule((enum btf_rule_id)i)->text);
	}
}

/* --- split BTF ------------------------------------------------------------------------------ */

/* BTF, maybe over a base, and what was found in it. */
struct layer {
	struct test_view v;
	struct bytes bytes;
	struct btf_check check;
};

static void layer_release(struct layer *l)
{
	btf_check_release(&l->check);
	free_bytes(&l->bytes);
	test_view_release(&l->v);
}

/* Check the types of @l as they are. */
static void layer_check(struct layer *l, const struct btf_check_opts *opts)
{
	const struct btf_case c = {
		.words = l->v.view.types.words.items,
		.nr_words = l->v.view.types.words.nr,
		.alone = true,
		.strings = { l->v.names.items ? l->v.names.items : "", l->v.names.nr },
	};

	l->bytes = btf_case_make(&c);
	btf_check_run(l->bytes, opts, &l->check);
}

static void layer_make(struct layer *l, const struct layer *over, struct btf_check_opts opts,
		       const char *types)
{
	if (over) {
		test_view_put_over(&l->v, &over->v);
		opts.base = &over->check.view;
	}
	test_view_add(&l->v, types);
	layer_check(l, &opts);
}

#define LAYER_WITH(var, over, types, ...)                \
	CLEANUP(layer_release) struct layer var = { 0 }; \
	layer_make(&(var), over, (struct btf_check_opts){ __VA_ARGS__ }, types)

/* BTF over a base, or NULL; a .BTF.base; and BTF over that. */
#define LAYER(var, over, types) LAYER_WITH(var, over, types, 0)
#define DISTILLED(var, types) LAYER_WITH(var, NULL, types, .distilled = true)
#define COPIED(var, over, types) LAYER_WITH(var, over, types, .over_distilled = true)

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

/* Names: x is 5, and the first one of the split BTF is 7. */
#define BASE_TYPES "int; struct x 4 {x 1}"

TEST(split_btf_refers_to_its_base)
{
	LAYER(base, NULL, BASE_TYPES);
	CHECK_CLEAN(base);
	LAYER(good, &base, "struct y 4 {x 2}");
	CHECK_CLEAN(good);
	LAYER(no_type, &base, "struct y 4 {x 4}");
	CHECK_FOUND(no_type, RULE_TYPE_MISSING, 3, 4);

	CLEANUP(layer_release) struct layer empty = { 0 }, no_name = { 0 }, no_base = { 0 };
	test_view_put_over(&empty.v, &base.v);
	test_name_again(&empty.v, "");
	layer_make(&empty, &base, (struct btf_check_opts){ 0 }, "ptr 2");
	CHECK_FOUND(empty, RULE_STRINGS_WHOLE, 0, 0);
	test_view_put_over(&no_name.v, &base.v);
	test_view_add(&no_name.v, "struct y 4 {x 2}");
	btf_types_rec(&no_name.v.view.types, 3)[BTF_REC_NAME] = 9;
	layer_check(&no_name, &(struct btf_check_opts){ .base = &base.check.view });
	CHECK_FOUND(no_name, RULE_STRING_OUTSIDE, 3, 9);
	test_view_put_over(&no_base.v, &base.v);
	test_view_add(&no_base.v, "struct y 4 {x 2}");
	layer_check(&no_base, &(struct btf_check_opts){ 0 });
	CHECK_FOUND(no_base, RULE_STRINGS_FIRST, 0, 0);
}

TEST(the_first_type_over_a_base_is_checked)
{
	LAYER(base, NULL, "int; func_proto 1 {1}");
	CHECK_CLEAN(base);
	LAYER(split, &base, "func f 2");
	CHECK_FOUND(split, RULE_FUNC_PARAM_NAME, 3, 0);
}

TEST(what_the_base_has_is_a_warning)
{
	CLEANUP(layer_release) struct layer twice = { 0 };
	LAYER(base, NULL, BASE_TYPES);

	/* by content: "x" is there twice */
	test_view_put_over(&twice.v, &base.v);
	test_view_add(&twice.v, "struct x 4 {x 1}; typedef y 3");
	uint32_t *rec = btf_types_rec(&twice.v.view.types, 3);
	rec[BTF_REC_NAME] = rec[BTF_REC_WORDS] = test_name_again(&twice.v, "x");
	layer_check(&twice, &(struct btf_check_opts){ .base = &base.check.view });
	CHECK_FOUND(twice, RULE_TWICE_BASE, 3, 2);
	CHECK(btf_rule(RULE_TWICE_BASE)->warning);
}

TEST(a_distilled_base_has_types_with_names)
{
	DISTILLED(good, BASE_TYPES);
	CHECK_CLEAN(good);
	DISTILLED(nameless, "struct 4");
	CHECK_FOUND(nameless, RULE_DISTILLED_NAME, 1, 0);
	DISTILLED(pointer, "ptr 0");
	CHECK_FOUND(pointer, RULE_DISTILLED_KIND, 1, 0);
}

TEST(a_typedef_may_be_the_copy_of_the_one_in_the_base)
{
	DISTILLED(distilled, BASE_TYPES);
	COPIED(typedefs, &distilled, "typedef y 1; typedef y 1");
	CHECK_CLEAN(typedefs);
	COPIED(structs, &distilled, "struct y 4 {x 1}; struct y 4 {x 1}");
	CHECK_FOUND(structs, RULE_TWICE, 4, 3);
	LAYER(over_base, &distilled, "typedef y 1; typedef y 1");
	CHECK_FOUND(over_base, RULE_TWICE, 4, 3);
}

/* A split over a .BTF.base is relocated to a base. At most one of the two has a finding. */
static const struct relocation {
	const char *name, *base, *distilled, *split;
	enum btf_rule_id in_distilled, in_split; /* NR_RULES: none */
	uint32_t id;
	uint64_t value;
} relocations[] = {
	{ "types are found again", BASE_TYPES, BASE_TYPES, "struct y 4 {x 2}", NR_RULES, NR_RULES,
	  0, 0 },
	{ "a pointer to a struct of another size", BASE_TYPES, "struct x 8",
	  "ptr 1; struct y 8 {x 2}", NR_RULES, NR_RULES, 0, 0 },
	{ "an embedded struct of another size", BASE_TYPES, "struct x 8",
	  "const 1; struct y 8 {x 2}", RULE_DISTILLED_MISSING, NR_RULES, 1, 0 },
	{ "a type is found twice", BASE_TYPES "; struct x 4 {1}", "struct x 4", "ptr 1",
	  RULE_DISTILLED_TWO, NR_RULES, 1, 3 },
	{ "two structs of one name are told apart by their sizes", BASE_TYPES "; struct x 8",
	  "struct x 8", "ptr 1", NR_RULES, NR_RULES, 0, 0 },
	{ "of two structs neither has the size", BASE_TYPES "; struct x 8", "struct x 12", "ptr 1",
	  RULE_DISTILLED_MISSING, NR_RULES, 1, 0 },
	{ "enums of both kinds are one, and declarations are structs",
	  "enum64 int 8 {x 1}; struct x 4", "enum int 8; fwd x", "ptr 1", NR_RULES, NR_RULES, 0,
	  0 },
	/* the string x is in the distilled base, but not as the name of a type */
	{ "strings of a distilled base are names of its types", BASE_TYPES, "int",
	  "struct y 4 {x 1}", NR_RULES, RULE_DISTILLED_STRING, 2, 5 },
	{ "an array of itself ends", BASE_TYPES, "int", "array 2 1 1; struct y 4 {2}", NR_RULES,
	  RULE_LOOP, 2, 0 },
};

TEST_EACH(a_distilled_base_finds_its_types_again, relocations, c)
{
	CLEANUP(layer_release) struct layer distilled = { 0 };

	LAYER(base, NULL, c->base);
	test_name(&distilled.v, "int");
	test_name(&distilled.v, "x");
	layer_make(&distilled, NULL, (struct btf_check_opts){ .distilled = true }, c->distilled);
	LAYER(split, &distilled, c->split);
	btf_check_relocation(&split.check.view, &base.check.view, &split.check.findings,
			     &distilled.check.findings);
	CHECK_FOUND(distilled, c->in_distilled, c->id, c->value);
	CHECK_FOUND(split, c->in_split, c->id, c->value);
}

/* Distilling copies typedefs of the real base, which pahole repeats in split BTF. */
TEST(typedefs_over_a_distilled_base_in_another_file_may_be_there_twice)
{
	LAYER(distilled, NULL, "int; struct x 8");
	LAYER(split, &distilled, "typedef f 1; typedef f 1");
	CHECK_CLEAN(split);
	LAYER(whole, NULL, "int; ptr 1");
	LAYER(module, &whole, "typedef f 1; typedef f 1");
	CHECK_FOUND(module, RULE_TWICE, 4, 3);
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
	static const char types[] = "int long 4 0x1000020; ptr 0; struct x 4 {x 2}";

	LAYER(unknown, NULL, types);
	CHECK_CLEAN(unknown);
	LAYER_WITH(of_64_bits, NULL, types, .addr_size = 8);
	CHECK_FOUND(of_64_bits, RULE_MEMBER_END, 3, 0);
}

TEST(pointers_have_the_size_for_which_there_is_room)
{
	static const char small[] =
		"ptr 0; array 1 4 2; int; int char 1 0x1000008;"
		"struct x 8 {1 0, 4 32}; union y 8 {2 0}; struct z 8 {1 0, 1 32}";
	/* three votes for 8 bytes, and a struct that is too small */
	static const char wide[] = "ptr 0; struct x 24 {1 0, 1 64, 1 128}; struct y 16 {1 0, 1 64};"
				   "struct z 4 {1 0}";

	LAYER(of_32_bits, NULL, small);
	CHECK_FOUND(of_32_bits, RULE_ADDR_SIZE, 5, 0);
	LAYER_WITH(known, NULL, small, .addr_size = 4);
	CHECK_CLEAN(known);
	LAYER(of_64_bits, NULL, wide);
	CHECK_FOUND(of_64_bits, RULE_MEMBER_END, 4, 0);
}

/* A reference to nothing is one finding, whatever depends on it. */
TEST(damage_does_not_spread)
{
	const struct btf_case c = {
		.types = "typedef x 99; array 9 1 4; struct f 8 {x 9, y 10 32}; func_proto 9 {x 9};"
			 "ptr 9; var y 9 static; datasec .data 4 {14 0 4}; decl_tag y 9",
	};
	CLEANUP(btf_check_release) struct btf_check check = { 0 };
	IMAGE(b, &c);

	btf_check_run(b, &(struct btf_check_opts){ 0 }, &check);
	CHECK_EQ(check.findings.nr, 1);
	CHECK_EQ(check.findings.items[0].id, OWN);
	CHECK(!check.sound);
}

/* Records before one that cannot be read are still checked, one by one. */
TEST(records_before_a_damaged_one_are_checked)
{
	const struct btf_case c = {
		.types = "float x 3; ptr 12",
		WORDS(0, 60u << 24, 0, 0, BI(FLOAT, 0), 4),
	};
	CLEANUP(btf_check_release) struct btf_check check = { 0 };
	IMAGE(b, &c);

	btf_check_run(b, &(struct btf_check_opts){ 0 }, &check);
	CHECK_EQ(check.findings.nr, 2);
	CHECK_EQ(check.findings.items[0].rule, RULE_FLOAT_SIZE);
	CHECK_EQ(check.findings.items[1].rule, RULE_KIND);
	CHECK_EQ(check.findings.items[1].id, OWN + 2);
}

/* Two sections of one name, as in groups of an object, count as the larger one. */
TEST(sites_lie_in_executable_sections_of_the_file)
{
	struct file_section sections[] = {
		{ "", 0, false },       { ".text", 16, true },  { ".data", 16, false },
		{ ".text.f", 1, true }, { ".text.f", 4, true }, { ".text.f", 99, false },
	};
	static const struct {
		enum btf_rule_id rule;
		uint32_t id, element;
		uint64_t value;
	} want[] = {
		{ RULE_SITE_OUTSIDE, 11, 1, 16 },          { RULE_SITES_NO_CODE, 12, NOT_ONE, 0 },
		{ RULE_SITES_NO_SECTION, 13, NOT_ONE, 0 }, { RULE_SITE_OUTSIDE, 14, 1, 4 },
		{ RULE_SITES_PREFIX, 15, NOT_ONE, 0 },
	};
	const struct btf_case c = {
		.types = "func f 5; loc_proto; locsec inline.text {9 10 15, 9 10 16}; "
			 "locsec inline.data {9 10 0}; locsec inline.bss {9 10 0}; "
			 "locsec inline.text.f {9 10 3, 9 10 4}; locsec .data {9 10 0}",
	};
	CLEANUP(btf_check_release) struct btf_check check = { 0 };
	IMAGE(b, &c);

	btf_check_run(b, &(struct btf_check_opts){ .version = LINUX_NEWEST }, &check);
	btf_check_sites(&check, sections, ARRAY_SIZE(sections));
	CHECK_EQ(check.findings.nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		CHECK_EQ(check.findings.items[i].rule, want[i].rule);
		CHECK_EQ(check.findings.items[i].id, want[i].id);
		CHECK_EQ(check.findings.items[i].element, want[i].element);
		CHECK_EQ(check.findings.items[i].value, want[i].value);
	}
}

static uint32_t running_version(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname u;

	if (uname(&u) || sscanf(u.release, "%u.%u", &major, &minor) != 2)
		return 0;
	return linux_version(major, minor);
}

/* Before Linux 5.13: an empty struct instead of [7] FLOAT, without which the rest can be compared. */
static void drop_float(struct bytes b)
{
	static const uint32_t from = BI(FLOAT, 0), to = BI(STRUCT, 0);
	uint8_t *p = (uint8_t *)(uintptr_t)b.ptr;

	for (size_t at = BTF_HDR_CLASSIC; at + 4 <= b.len; at += 4) {
		if (!memcmp(p + at, &from, sizeof(from)))
			memcpy(p + at, &to, sizeof(to));
	}
}

/* The rule by which a kernel of this version refuses @b, or NR_RULES. */
static enum btf_rule_id breach_in(struct bytes b, uint32_t version)
{
	CLEANUP(btf_check_release) struct btf_check c = { 0 };
	const struct btf_check_opts opts = { .version = version, .addr_size = sizeof(void *) };

	btf_check_run(b, &opts, &c);
	return kernel_breach(&c.findings);
}

/* The change of 6.3 to variables of a DATASEC is in later releases of older series. */
static bool accepted_since_63(struct bytes b, uint32_t version, enum btf_rule_id rule)
{
	return version < linux_version(6, 3) &&
	       (rule == RULE_SECTION_VAR_ORDER || rule == RULE_SECTION_VAR_SMALL) &&
	       breach_in(b, linux_version(6, 3)) == NR_RULES;
}

/* Does the kernel give the same answer? *asked: it gave any. */
static bool kernel_agrees(const char *name, struct bytes b, size_t *asked)
{
	uint32_t version = running_version();

	if (version < linux_version(5, 13))
		drop_float(b);

	int err = btf_load(b);
	if (btf_load_is_denied(err))
		return true;
	++*asked;

	enum btf_rule_id rule = breach_in(b, version);
	if ((rule != NR_RULES) == (err != 0))
		return true;
	if (!err && accepted_since_63(b, version, rule))
		return true;
	printf("# %s: kernel: %s, we: %s\n", name, strerror(err),
	       rule == NR_RULES ? "-" : btf_rule(rule)->text);
	return false;
}

TEST(the_kernel_agrees)
{
	size_t bad = 0, asked = 0;

	for (size_t i = 0; i < nr_btf_cases; i++) {
		IMAGE(b, &btf_cases[i]);

		bad += !kernel_agrees(btf_cases[i].name, b, &asked);
	}
	if (!asked)
		SKIP("the kernel does not let us load BTF");
	CHECK_EQ(asked, nr_btf_cases);
	CHECK_EQ(bad, 0);
}

/* Change a word, a byte or a bit, or make a word one that may be an id, an info word or an offset. */
static void damage(struct rnd *r, struct bytes b)
{
	static const uint32_t infos[] = { BI(CONST, 0),      BI(PTR, 0),    BI(TYPEDEF, 0),
					  BI(STRUCT, 1),     BI(VAR, 0),    BI(FUNC, 0),
					  BI(FUNC_PROTO, 1), BI(INT, 0),    BI(TYPE_TAG, 0),
					  BI(DECL_TAG, 0),   BI(FWD, 0),    BI(DATASEC, 1),
					  BI(ENUM, 1),       BI(ENUM64, 1), BI(UNION, 2) };
	uint8_t *p = (uint8_t *)(uintptr_t)b.ptr;
	size_t at = 4 * (size_t)rnd_below(r, (uint32_t)b.len / 4);
	uint32_t word = load32(p + at), way = rnd_below(r, 6), by = rnd_below(r, 32);

	switch (way) {
	case 0:
		word ^= 1u << by;
		break;
	case 1:
		word += by - 16;
		break;
	case 2:
		word = by;
		break;
	case 3:
		word = RND_PICK(r, infos) | (by & 1) << 31;
		break;
	case 4:
		word = word << 8 | word >> 24;
		break;
	default:
		word = 8 * by;
	}
	memcpy(p + at, &word, sizeof(word));
}

TEST(the_kernel_agrees_about_damaged_cases)
{
	uint64_t nr = test_setting("BTF_MUTANTS", 2000), seed = test_setting("BTF_SEED", 1);
	size_t bad = 0, asked = 0;

	for (uint64_t i = 0; i < nr && (asked || !i) && bad < 20; i++) {
		struct rnd r = rnd_part(seed, i);
		const struct btf_case *of = &btf_cases[rnd_below(&r, (uint32_t)nr_btf_cases)];
		char name[64];

		if (of->nr > 64)
			of = &btf_cases[0];
		IMAGE(b, of);
		for (uint32_t changes = 1 + rnd_below(&r, 3); b.len >= 8 && changes; changes--)
			damage(&r, b);
		snprintf(name, sizeof(name), "%s, %llu", of->name, (unsigned long long)i);
		bad += !kernel_agrees(name, b, &asked);
	}
	if (!asked)
		SKIP("the kernel does not let us load BTF");
	printf("# %zu asked\n", asked);
	CHECK_EQ(bad, 0);
}
