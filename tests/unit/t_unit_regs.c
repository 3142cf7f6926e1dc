/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_regs.c - the prototype of a function whose parameters arrive in other registers than in the source */
#include "encoder/unit/unit_from_cu.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

struct setting {
	struct str_pool strings;
	struct type_pool types;
	struct encode_opts opts;
	struct run run;
	struct unit_encoder *encoder;
	struct cu cu;
	struct unit_btf btf;
};

static uint32_t name(struct setting *s, const char *text)
{
	return str_pool_add(&s->strings, text, strlen(text));
}

static void add_struct(struct setting *s, const char *called, uint32_t members)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct cu_type t = { .kind = BTF_STRUCT,
			     .name = name(s, called),
			     .size = members * 8,
			     .first = (uint32_t)s->cu.members.nr,
			     .nr = members };

	for (uint32_t i = 0; i < members; i++)
		vec_push(&s->cu.members,
			 ((struct cu_member){
				 .name = name(s, names[i]), .type = 1, .offset = i * 64 }));
	vec_push(&s->cu.types, t);
}

/*
 * A unit of clang with one function "f" that is marked as changed. Its types: 1 is "long", 2 and 3
 * are the structs "pair" of two members, a and b, and "bulky" of four.
 */
static void setting_init(struct setting *s, uint32_t features)
{
	static uint32_t func_by_name[] = { 0, 1 };

	*s = (struct setting){ .opts = { .features = features, .jobs = 1 } };
	str_pool_init(&s->strings);
	type_pool_init(&s->types);
	s->cu = (struct cu){ .addr_size = 8, .clang = true };
	vec_push(&s->cu.funcs,
		 ((struct cu_func){ .name = name(s, "f"), .flags = CU_FUNC_CHANGED }));
	s->run = (struct run){
		.opts = &s->opts,
		.strings = &s->strings,
		.types = &s->types,
		.func_by_name = func_by_name,
		.func_names_end = ARRAY_SIZE(func_by_name),
		.regs = regs_for_machine(EM_X86_64),
		.record = { features, &s->strings, name(s, "FAKE") },
		.int_name = name(s, "int"),
	};
	s->encoder = unit_encoder_new(&s->run);
	vec_push(&s->cu.types, ((struct cu_type){ .kind = BTF_UNKN }));
	vec_push(&s->cu.types,
		 ((struct cu_type){
			 .kind = BTF_INT, .size = 8, .encoding = 5, .name = name(s, "long") }));
	add_struct(s, "pair", 2);
	add_struct(s, "bulky", 4);
}

static void setting_release(struct setting *s)
{
	unit_btf_release(&s->btf);
	unit_encoder_free(s->encoder);
	cu_release(&s->cu);
	type_pool_release(&s->types);
	str_pool_release(&s->strings);
}

/* Returns false if @word is not "KEY" and a number, else the number in @ret. */
static bool number_after(const char *word, const char *key, long *ret)
{
	size_t len = strlen(key);

	if (strncmp(word, key, len) != 0)
		return false;
	*ret = strtol(word + len, NULL, 10);
	return true;
}

/*
 * Add the parameters of @text: NAME:TYPE, TYPE is the first letter of its name, and then how it arrives:
 *
 *	rdi ... r9     in this register
 *	loc            it has a location, which gives no register
 *	stack literal  in memory, or as a constant
 *	first=N later=N member=N    fields of the struct, see struct cu_param
 *
 * A parameter without these words does not arrive.
 */
static void add_params(struct setting *s, const char *text)
{
	static const struct {
		const char *name;
		int8_t reg;
	} regs[] = { { "rdi", 5 }, { "rsi", 4 }, { "rdx", 1 },
		     { "rcx", 2 }, { "r8", 8 },  { "r9", 9 } };
	struct cu_param *p = NULL;

	for (char *words = make_text("%s", text), *w; (w = strsep(&words, " ")) != NULL;) {
		char *type = strchr(w, ':');
		long n;

		if (type) {
			unit_tid id = type[1] == 'l' ? 1 : type[1] == 'p' ? 2 : 3;
			uint32_t bytes = s->cu.types.items[id].size;

			*type = '\0';
			vec_push(&s->cu.params,
				 ((struct cu_param){ .name = name(s, w),
						     .type = id,
						     .flags = bytes > 16 ? CU_PARAM_IN_MEMORY : 0,
						     .reg = CU_NO_REG,
						     .bytes = (uint16_t)bytes }));
			p = &s->cu.params.items[s->cu.funcs.items[0].nr_params++];
			continue;
		}
		CHECK(p);
		p->flags |= CU_PARAM_HAS_LOC;
		p->flags |= strcmp(w, "stack") == 0 ? CU_PARAM_STACK : 0;
		p->flags |= strcmp(w, "literal") == 0 ? CU_PARAM_LITERAL : 0;
		if (number_after(w, "first=", &n))
			p->first_fields = (uint8_t)n;
		else if (number_after(w, "later=", &n))
			p->later_fields = (uint64_t)n;
		else if (number_after(w, "member=", &n))
			p->member = (uint32_t)n;
		for (size_t i = 0; i < ARRAY_SIZE(regs); i++) {
			if (!strcmp(w, regs[i].name))
				p->reg = regs[i].reg;
		}
	}
}

/* "NAME:TYPE ..." of the prototype, and the flags of the function in words. */
static const char *described(struct setting *s)
{
	static const struct {
		uint32_t flag;
		const char *word;
	} flags[] = { { UNIT_FUNC_CHANGED, " changed" },
		      { UNIT_FUNC_OPTIMIZED, " optimized" },
		      { UNIT_FUNC_UNEXPECTED, " unexpected" },
		      { UNIT_FUNC_UNCERTAIN, " uncertain" },
		      { UNIT_FUNC_REORDERED, " reordered" } };
	const char *text = "";

	CHECK_OK(unit_from_cu(s->encoder, &s->cu, 0, &s->btf));
	CHECK_EQ(s->btf.funcs.nr, 1);

	const uint32_t *rec = type_pool_at(&s->types, s->btf.funcs.items[0].proto)->rec;
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++) {
		const uint32_t *elem = rec + BTF_REC_WORDS + 2 * (size_t)i;
		uint32_t type = pool_ref_is_named(elem[1]) ?
					pool_ref_name(elem[1]) :
					type_pool_at(&s->types, elem[1])->rec[BTF_REC_NAME];

		text = make_text("%s%s%s:%c", text, i ? " " : "",
				 str_pool_text(&s->strings, elem[0]),
				 *str_pool_text(&s->strings, type));
	}
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (s->btf.funcs.items[0].flags & flags[i].flag)
			text = make_text("%s%s", text, flags[i].word);
	}
	return text;
}

TEST(the_registers_tell_which_parameters_the_prototype_has)
{
	static const struct {
		const char *name, *params, *want;
	} rows[] = {
		{ "unused and constant ones are left out",
		  "unused:l constant:l literal x:l rdi y:l rsi", "x:l y:l changed optimized" },
		{ "a gap before the next register: a parameter that the function does not read",
		  "unread:p x:l rdx", "unread:p x:l changed optimized" },
		{ "one member takes the place of its struct", "s:p later=1 member=2 rdi x:l rsi",
		  "s__b:l x:l changed" },
		{ "both halves of a struct arrive", "s:p first=1 later=1 rdi x:l rdx",
		  "s:p x:l changed" },
		{ "the next parameter leaves room for both halves",
		  "s:p first=1 member=1 rdi x:l rdx", "s:p x:l changed" },
		{ "no member starts at the piece that arrives", "s:p first=2 rdi x:l rsi",
		  "s:p x:l changed" },
		/* as pahole does: the name has the member, the type does not; no "unexpected", since it is a struct */
		{ "a member in the wrong register", "s:p first=1 member=1 r8", "s__a:p changed" },
		{ "the wrong register", "x:l rsi", "x:l changed unexpected" },
		{ "no register", "x:l loc", "x:l changed unexpected" },
		{ "the stack instead of a register", "x:l stack", "x:l changed unexpected" },
		{ "a large struct takes no register", "s:b stack x:l rdi", "s:b x:l changed" },
		{ "behind the last register the stack follows",
		  "r:l rdi r:l rsi r:l rdx r:l rcx r:l r8 r:l r9 onstack:l stack constant:l literal",
		  "r:l r:l r:l r:l r:l r:l onstack:l changed optimized" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CLEANUP(setting_release) struct setting s;

		IN_ROW(rows[i].name);
		setting_init(&s, FEATURE_TRUE_SIGNATURE);
		add_params(&s, rows[i].params);
		CHECK_STR(described(&s), rows[i].want);
	}
}

TEST(without_the_feature_the_prototype_is_that_of_the_source)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, 0);
	add_params(&s, "unused:l s:p first=1 member=1 rsi x:l rcx");
	CHECK_STR(described(&s), "unused:l s:p x:l changed optimized");
}

static void tag_param(struct setting *s, const char *value, int32_t component)
{
	vec_push(&s->cu.tags,
		 ((struct cu_tag){
			 .value = name(s, value), .owner = CU_TAG_FUNC, .component = component }));
}

/* A kernel refuses the tag of a parameter that the prototype does not have. */
TEST(tags_follow_the_parameters_that_are_left)
{
	CLEANUP(setting_release) struct setting s;

	setting_init(&s, FEATURE_TRUE_SIGNATURE);
	add_params(&s, "unused:l x:l rdi constant:l literal y:l rsi");
	tag_param(&s, "of the function", -1);
	for (int32_t i = 0; i < 4; i++)
		tag_param(&s, "of a parameter", i);
	CHECK_STR(described(&s), "x:l y:l changed optimized");
	static const int32_t components[] = { -1, UNIT_TAG_STRING_ONLY, 0, UNIT_TAG_STRING_ONLY,
					      1 };
	CHECK_EQ(s.btf.funcs.items[0].nr_tags, ARRAY_SIZE(components));

	const struct unit_tag *tags = s.btf.func_tags.items + s.btf.funcs.items[0].tags;
	for (size_t i = 0; i < ARRAY_SIZE(components); i++)
		CHECK_EQ(tags[i].component, components[i]);
}
