/* SPDX-License-Identifier: GPL-2.0-only */
/* t_func_select.c - which functions may be described, and by whose word */
#include "encoder/select/func_select.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

/*
 * One file with the functions "a" (at 0x10), "b" (at 0x20, an optimized copy), "many" (at 0x30 and 0x40) and "own" (at
 * 0x50, an optimized copy at 0x60).
 */
struct setting {
	struct func_select select;
	struct type_pool types;
	struct str_pool strings;
	struct diagnostics diags;
	struct func_choice choice;
	struct symbols syms;
	uint32_t proto, other; /* two prototypes that differ */
};

static void setting_init(struct setting *s)
{
#define SYMBOL(name_, addr, ...)                                                               \
	{                                                                                      \
		.name = name_, .value = addr, .debug_addr = addr, .defined = true, __VA_ARGS__ \
	}
	static struct func_symbol at[] = { SYMBOL("a", 0x10, .own = true),
					   SYMBOL("b.isra.0", 0x20, .optimized = true),
					   SYMBOL("many", 0x30, .own = true),
					   SYMBOL("many", 0x40, .own = true),
					   SYMBOL("own.isra.0", 0x60, .optimized = true),
					   SYMBOL("own", 0x50, .own = true) };
	static struct func_entry funcs[] = {
		{ .name = "a", .name_len = 1, .first = 0, .nr = 1 },
		{ .name = "b", .name_len = 1, .first = 1, .nr = 1 },
		{ .name = "many", .name_len = 4, .first = 2, .nr = 2, .ambiguous = true },
		{ .name = "own", .name_len = 3, .first = 4, .nr = 2, .ambiguous = true },
	};
	struct pool_type *t;

	*s = (struct setting){ .diags.verbose = true };
	s->syms = (struct symbols){
		.funcs = funcs, .nr_funcs = 4, .func_symbols = at, .nr_func_symbols = 6
	};
	type_pool_init(&s->types);
	str_pool_init(&s->strings);
	uint32_t name = str_pool_add(&s->strings, "p", 1);
	struct type_arena *arena = type_pool_arena(&s->types);
	s->proto = type_pool_add(&s->types, arena,
				 (const uint32_t[]){ 0, btf_info(BTF_FUNC_PROTO, 0, false), 0 }, 3,
				 &t);
	s->other = type_pool_add(&s->types, arena,
				 (const uint32_t[]){ 0, btf_info(BTF_FUNC_PROTO, 1, false), 0, name,
						     0 },
				 5, &t);
}

static void setting_release(struct setting *s)
{
	func_select_release(&s->select);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
	diag_release(&s->diags);
	free(s->choice.items);
}

enum { A, B, MANY, OWN };

static const char *const func_names[] = { [A] = "a", [B] = "b", [MANY] = "many", [OWN] = "own" };

static uint32_t flag_of(const char *word)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} flags[] = {
		{ "optimized", UNIT_FUNC_OPTIMIZED }, { "reordered", UNIT_FUNC_REORDERED },
		{ "changed", UNIT_FUNC_CHANGED },     { "unexpected", UNIT_FUNC_UNEXPECTED },
		{ "uncertain", UNIT_FUNC_UNCERTAIN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (!strcmp(word, flags[i].name))
			return flags[i].flag;
	}
	test_fail(__FILE__, __LINE__, "no flag '%s'", word);
}

/*
 * Add the functions of units: "UNIT FUNC [ADDR] [other] [FLAG...]; ...". ADDR is 0 if it is not
 * given; "other" is the other prototype.
 */
static void add_funcs(struct setting *s, const char *text)
{
	char *copy = test_keep(mem_strdup(text)), *next, *state;

	for (char *one = strtok_r(copy, ";", &next); one; one = strtok_r(NULL, ";", &next)) {
		struct unit_func f = { .proto = s->proto };
		struct unit_btf unit = { .funcs = { &f, 1, 1 } };
		char *word = strtok_r(one, " ", &state);

		f.unit = (uint32_t)strtoul(word, NULL, 10);
		word = strtok_r(NULL, " ", &state);
		while (strcmp(word, func_names[f.func]) != 0)
			f.func++;
		while ((word = strtok_r(NULL, " ", &state))) {
			if (*word == '0')
				f.addr = strtoull(word, NULL, 16);
			else if (!strcmp(word, "other"))
				f.proto = s->other;
			else
				f.flags |= flag_of(word);
		}
		func_select_add(&s->select, &unit);
	}
}

/* @kfuncs: those of .BTF_ids, or NULL. */
static void choose(struct setting *s, uint32_t features, enum compat_level level,
		   const struct kfuncs *kfuncs)
{
	const struct encode_opts opts = { .compat = level, .features = features };
	uint32_t names[ARRAY_SIZE(func_names)];
	const struct func_file file = { .syms = &s->syms, .func_names = names, .kfuncs = kfuncs };
	const struct enum_kinds none = { 0 };
	static const struct unit_btf unit;
	const struct unit_btf *const units[] = { &unit, &unit, &unit, &unit, &unit, &unit };
	const struct func_program program = { &file, &s->types, &none, &s->strings, units };
	const struct omission_log log = { .diags = &s->diags, .strings = &s->strings };

	for (size_t i = 0; i < ARRAY_SIZE(func_names); i++)
		names[i] = str_pool_add(&s->strings, func_names[i], strlen(func_names[i]));
	func_select_choose(&s->select, &opts, &program, &log, &s->choice);
}

/* The functions that are described: "FUNC of UNIT [as SYMBOL], ...", in memory that is kept. */
static const char *chosen(const struct setting *s)
{
	char *text = test_keep(mem_zalloc(200, 1)), *end = text;

	for (size_t i = 0; i < s->choice.nr; i++) {
		const struct chosen_func *c = &s->choice.items[i];

		end += sprintf(end, "%s%s of %u%s%s", i ? ", " : "", func_names[c->func->func],
			       c->func->unit, c->symbol ? " as " : "", c->symbol ? c->symbol : "");
	}
	return text;
}

/* The diagnostics without the words that all of them have. */
static const char *reasons(const struct setting *s)
{
	static const char same[] = " : skipping BTF encoding of function due to ";
	char *text = test_keep(mem_zalloc(500, 1)), *end = text;

	for (const struct diagnostic *d = s->diags.first; d; d = d->next) {
		const char *why = strstr(d->text, same);

		CHECK(why);
		end += sprintf(end, "%s%.*s: %s", end == text ? "" : "; ", (int)(why - d->text),
			       d->text, why + strlen(same));
	}
	return text;
}

#define CONSISTENT FEATURE_CONSISTENT_FUNC
#define TRUE_SIGNATURE FEATURE_TRUE_SIGNATURE

static const struct {
	const char *name;
	uint32_t features;
	const char *funcs, *chosen, *reasons;
} cases[] = {
	{ "functions are listed by name, each once", CONSISTENT, "0 b 0x20; 1 a 0x10; 2 b",
	  "a of 1, b of 0", "" },
	{ "the unit at the address of a symbol is believed", CONSISTENT, "0 a; 1 a 0x10", "a of 1",
	  "" },
	{ "two prototypes are one too many if that counts", CONSISTENT, "0 a 0x10; 1 a other", "",
	  "a: param count mismatch; 0 params != 1 params; a: inconsistet prototype" },
	{ "two prototypes do not matter else", 0, "0 a 0x10; 1 a other", "a of 0", "" },
	{ "a function with two addresses is not described", CONSISTENT, "0 many 0x30", "",
	  "many: ambiguous address" },
	/* what one unit tells of its parameters counts for all */
	{ "an unexpected parameter", CONSISTENT, "0 a; 1 a unexpected", "",
	  "a: unexpected register usage for parameter" },
	{ "an uncertain parameter", CONSISTENT, "0 a; 1 a uncertain", "",
	  "a: uncertain parameter location" },
	{ "reordered parameters", CONSISTENT, "0 a; 1 a reordered", "", "a: reordered parameters" },
	{ "dropped parameters count only if the symbol has a suffix", CONSISTENT,
	  "0 a 0x10 optimized; 0 b 0x20 optimized", "a of 0", "b: optimized parameters" },
	{ "nothing gives nothing", CONSISTENT, "", "", "" },

	{ "by its true signature a copy has the name of its symbol", CONSISTENT | TRUE_SIGNATURE,
	  "0 b other; 1 b 0x20 optimized reordered", "b of 1 as b.isra.0", "" },
	{ "a symbol without a suffix has no true signature", CONSISTENT | TRUE_SIGNATURE,
	  "0 a 0x10 optimized changed; 0 b; 0 many 0x30", "a of 0, b of 0",
	  "many: ambiguous address" },
	/* a doubt counts for the first and for all that come later */
	{ "an unexpected parameter before the copy", TRUE_SIGNATURE,
	  "0 b; 1 b unexpected; 2 b 0x20", "", "b: unexpected register usage for parameter" },
	{ "an uncertain parameter before the copy", TRUE_SIGNATURE, "0 b; 1 b uncertain; 2 b 0x20",
	  "", "b: uncertain parameter location" },
	{ "an unexpected parameter after the first", TRUE_SIGNATURE, "0 b 0x20; 1 b unexpected", "",
	  "b: unexpected register usage for parameter" },
	{ "an uncertain parameter after the first", TRUE_SIGNATURE, "0 b 0x20; 1 b uncertain", "",
	  "b: uncertain parameter location" },
};

TEST_EACH(functions_are_described_if_their_units_agree, cases, c)
{
	for (enum compat_level level = COMPAT_NONE; level < COMPAT_END; level++) {
		CLEANUP(setting_release) struct setting s;

		setting_init(&s);
		add_funcs(&s, c->funcs);
		choose(&s, c->features, level, NULL);
		CHECK_STR(chosen(&s), c->chosen);
		CHECK_STR(reasons(&s), c->reasons);
	}
}

static const struct {
	const char *name;
	uint32_t features;
	const char *funcs, *chosen[2]; /* from 1.32 on, at 1.31 */
} level_cases[] = {
	{ "functions with an address come first",
	  0,
	  "0 a; 1 a 0x99 other",
	  { "a of 1", "a of 0" } },
	{ "also if all agree", CONSISTENT, "0 a; 1 a 0x99", { "a of 1", "a of 0" } },
	{ "others keep their order", 0, "0 a; 1 a other", { "a of 0", "a of 0" } },
	{ "a copy that becomes the first gets all flags",
	  TRUE_SIGNATURE,
	  "0 b; 1 b 0x20; 2 b unexpected",
	  { "", "b of 1 as b.isra.0" } },
	{ "a copy gets flags of those before it only",
	  TRUE_SIGNATURE,
	  "0 b; 1 b 0x99; 2 b 0x20; 3 b 0x98 uncertain",
	  { "b of 2 as b.isra.0", "b of 2 as b.isra.0" } },
	{ "an inlined function may differ",
	  CONSISTENT | TRUE_SIGNATURE,
	  "0 a 0x10; 1 a other",
	  { "a of 0", "" } },
	{ "an inlined function that precedes may differ",
	  CONSISTENT | TRUE_SIGNATURE,
	  "0 a other; 1 a 0x10",
	  { "a of 1", "" } },
	{ "it may not without true_signature", CONSISTENT, "0 a 0x10; 1 a other", { "", "" } },
	{ "two functions with addresses may not differ",
	  CONSISTENT | TRUE_SIGNATURE,
	  "0 a 0x10; 1 a 0x99 other",
	  { "", "" } },
	{ "two inlined functions may not differ",
	  CONSISTENT | TRUE_SIGNATURE,
	  "0 a; 1 a other",
	  { "", "" } },
};

TEST_EACH(functions_with_an_address_precede_others_from_1_32_on, level_cases, c)
{
	for (enum compat_level level = COMPAT_NONE; level < COMPAT_END; level++) {
		CLEANUP(setting_release) struct setting s;

		setting_init(&s);
		add_funcs(&s, c->funcs);
		choose(&s, c->features, level, NULL);
		CHECK_STR(chosen(&s), c->chosen[level == COMPAT_1_31]);
	}
}

static const struct {
	const char *name;
	uint32_t features;
	const char *funcs, *chosen[2], *reasons[2]; /* by default, at the levels of pahole */
} own_cases[] = {
	{ "a copy does not make it ambiguous",
	  CONSISTENT,
	  "0 own 0x50; 1 own 0x60 optimized",
	  { "own of 0", "" },
	  { "", "own: ambiguous address" } },
	{ "nor has it the registers of the copy",
	  CONSISTENT,
	  "0 own 0x60 unexpected reordered; 1 own; 2 own 0x50",
	  { "own of 2", "" },
	  { "", "own: ambiguous address" } },
	{ "a part at an address without a symbol counts as little",
	  CONSISTENT,
	  "0 a 0x10; 0 a 0x99 reordered",
	  { "a of 0", "" },
	  { "", "a: reordered parameters" } },
	{ "nor does one without an address, which is inlined, or a copy in several ranges",
	  CONSISTENT,
	  "0 a 0x10; 1 a unexpected uncertain",
	  { "a of 0", "" },
	  { "", "a: uncertain parameter location" } },
	{ "the prototype is its own",
	  0,
	  "0 own 0x60 other; 1 own 0x50",
	  { "own of 1", "" },
	  { "", "own: ambiguous address" } },
	{ "all have to agree on it",
	  CONSISTENT,
	  "0 a 0x10; 1 a 0x99 other",
	  { "", "" },
	  { "a: param count mismatch; 0 params != 1 params; a: inconsistet prototype",
	    "a: param count mismatch; 0 params != 1 params; a: inconsistet prototype" } },
	{ "but for a copy with fewer parameters",
	  CONSISTENT,
	  "0 own 0x50; 1 own 0x60 other reordered",
	  { "own of 0", "" },
	  { "", "own: ambiguous address" } },
	{ "it has to be intact itself",
	  CONSISTENT,
	  "0 own 0x50 unexpected; 1 own 0x60",
	  { "", "" },
	  { "own: ambiguous address", "own: ambiguous address" } },
	{ "it has to be at its symbol",
	  CONSISTENT,
	  "0 own; 1 own 0x60",
	  { "", "" },
	  { "own: ambiguous address", "own: ambiguous address" } },
	{ "by its true signature it has its own name",
	  TRUE_SIGNATURE,
	  "0 own 0x60 optimized; 1 own 0x50",
	  { "own of 1", "own of 0 as own.isra.0" },
	  { "", "" } },
	{ "if units do not agree, the copy has its name",
	  CONSISTENT | TRUE_SIGNATURE,
	  "0 own 0x60 other; 1 own 0x50",
	  { "own of 0 as own.isra.0", "own of 0 as own.isra.0" },
	  { "own: param count mismatch; 1 params != 0 params",
	    "own: param count mismatch; 1 params != 0 params" } },
};

TEST_EACH(by_default_a_function_is_what_has_its_own_symbol, own_cases, c)
{
	for (enum compat_level level = COMPAT_NONE; level < COMPAT_END; level++) {
		CLEANUP(setting_release) struct setting s;

		setting_init(&s);
		add_funcs(&s, c->funcs);
		choose(&s, c->features, level, NULL);
		CHECK_STR(chosen(&s), c->chosen[level != COMPAT_NONE]);
		CHECK_STR(reasons(&s), c->reasons[level != COMPAT_NONE]);
	}
}

static const struct {
	const char *name;
	uint32_t features;
	const char *funcs, *chosen[2]; /* by default, at 1.32 */
} kfunc_cases[] = {
	{ "registers do not matter",
	  CONSISTENT,
	  "0 a 0x10 unexpected uncertain",
	  { "a of 0", "" } },
	{ "nor do copies", CONSISTENT, "0 b 0x20 optimized", { "b of 0", "" } },
	{ "the prototype that has all parameters is declared",
	  CONSISTENT,
	  "0 a 0x10 other reordered; 1 a",
	  { "a of 1", "" } },
	{ "if none has all, the one at the symbol",
	  CONSISTENT,
	  "0 a reordered; 1 a 0x10 reordered",
	  { "a of 1", "" } },
	{ "of several prototypes, the one at the symbol",
	  CONSISTENT,
	  "0 a other; 1 a 0x10",
	  { "a of 1", "" } },
	{ "without a symbol they have to agree", CONSISTENT, "0 b other; 1 b 0x20", { "", "" } },
	{ "a name with two addresses is ambiguous", CONSISTENT, "0 many 0x30", { "", "" } },
	{ "its signature is not that of a copy",
	  TRUE_SIGNATURE,
	  "0 b 0x20 optimized changed",
	  { "b of 0", "b of 0 as b.isra.0" } },
	{ "it may need no exception", CONSISTENT, "0 a 0x10; 1 a", { "a of 0", "a of 0" } },
};

TEST_EACH(by_default_kfuncs_are_described_as_declared, kfunc_cases, c)
{
	struct kfunc items[] = { { .func = A }, { .func = B }, { .func = MANY }, { .func = OWN } };
	bool listed[] = { [A] = true, [B] = true, [MANY] = true, [OWN] = true };
	const struct kfuncs kfuncs = { .items = items, .nr = ARRAY_SIZE(items), .listed = listed };

	for (enum compat_level level = COMPAT_NONE; level <= COMPAT_1_32; level++) {
		CLEANUP(setting_release) struct setting s;

		setting_init(&s);
		s.diags.verbose = false;
		add_funcs(&s, c->funcs);
		choose(&s, c->features, level, &kfuncs);
		CHECK_STR(chosen(&s), c->chosen[level]);
	}
}
