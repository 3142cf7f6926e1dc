/* SPDX-License-Identifier: GPL-2.0-only */
/* t_unit_regs.c - the prototype of a function whose parameters arrive in other registers than in the source */
#include "encoder/unit/facts_from_cu.h"
#include "loader/dwarf/dw_const.h"

#include "tests/lib/elfmake.h"
#include "tests/lib/unitscene.h"

/* A unit of clang with one function "f" that is marked as changed. */
static void begin(struct unit_scene *s, uint32_t features)
{
	unit_scene_init(s);
	s->opts.features = features;
	s->cu.clang = true;
	vec_push(&s->cu.funcs,
		 ((struct cu_func){ .name = unit_scene_name(s, "f"), .flags = CU_FUNC_CHANGED }));
	unit_scene_types(s, "int long 8 0x1000040; struct pair 16 {a 1, b 1 64};"
			    "struct bulky 32 {a 1, b 1 64, c 1 128, d 1 192};"
			    "int real 8 0x40");
	s->cu.types.items[4].encoding = DW_ATE_float;
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
 *	rbx xmm0       in a register that is for no integer argument
 *	late           not from the start of the function on
 *
 * A parameter without these words does not arrive.
 */
static void add_params(struct unit_scene *s, const char *text)
{
	static const struct {
		const char *name;
		int8_t reg;
	} regs[] = { { "rdi", 5 }, { "rsi", 4 }, { "rdx", 1 }, { "rcx", 2 },
		     { "r8", 8 },  { "r9", 9 },  { "rbx", 3 }, { "xmm0", 17 } };
	struct cu_param *p = NULL;

	for (char *words = make_text("%s", text), *w; (w = strsep(&words, " ")) != NULL;) {
		char *type = strchr(w, ':');
		long n;

		if (type) {
			unit_tid id = type[1] == 'l' ? 1 :
				      type[1] == 'p' ? 2 :
				      type[1] == 'b' ? 3 :
						       4;
			uint32_t bytes = s->cu.types.items[id].size;

			*type = '\0';
			vec_push(&s->cu.params,
				 ((struct cu_param){ .name = unit_scene_name(s, w),
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
		p->flags |= strcmp(w, "late") == 0 ? CU_PARAM_LATE : 0;
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

static const struct {
	const char *name, *params, *func;
} rows[] = {
	{ "unused and constant ones are left out", "unused:l constant:l literal x:l rdi y:l rsi",
	  "void f(x long, y long) changed optimized" },
	{ "a gap before the next register: a parameter that the function does not read",
	  "unread:p x:l rdx", "void f(unread pair, x long) changed optimized" },
	{ "one member replaces its struct", "s:p later=1 member=2 rdi x:l rsi",
	  "void f(s__b long, x long) changed" },
	{ "both halves of a struct arrive", "s:p first=1 later=1 rdi x:l rdx",
	  "void f(s pair, x long) changed" },
	{ "the next parameter leaves room for both halves", "s:p first=1 member=1 rdi x:l rdx",
	  "void f(s pair, x long) changed" },
	{ "no member starts at the piece that arrives", "s:p first=2 rdi x:l rsi",
	  "void f(s pair, x long) changed" },
	/* as pahole does: the name has the member, the type does not; no "unexpected", since it is a struct */
	{ "a member in the wrong register", "s:p first=1 member=1 r8",
	  "void f(s__a pair) changed" },
	{ "the wrong register", "x:l rsi", "void f(x long) changed unexpected" },
	{ "no register", "x:l loc", "void f(x long) changed unexpected" },
	{ "the stack instead of a register", "x:l stack", "void f(x long) changed unexpected" },
	{ "a large struct takes no register", "s:b stack x:l rdi",
	  "void f(s bulky, x long) changed" },
	{ "behind the last register the stack follows",
	  "r:l rdi r:l rsi r:l rdx r:l rcx r:l r8 r:l r9 onstack:l stack constant:l literal",
	  "void f(r long, r long, r long, r long, r long, r long, onstack long) changed optimized" },
};

TEST_EACH(registers_determine_the_parameters_of_the_prototype, rows, c)
{
	CLEANUP(unit_scene_release) struct unit_scene s;

	begin(&s, FEATURE_TRUE_SIGNATURE);
	add_params(&s, c->params);
	CHECK_OK(unit_scene_encode(&s, 0));
	CHECK_STR(unit_funcs_text(&s), c->func);
}

TEST(without_the_feature_the_prototype_is_that_of_the_source)
{
	CLEANUP(unit_scene_release) struct unit_scene s;

	begin(&s, 0);
	add_params(&s, "unused:l s:p first=1 member=1 rsi x:l rcx");
	CHECK_OK(unit_scene_encode(&s, 0));
	CHECK_STR(unit_funcs_text(&s), "void f(unused long, s pair, x long) changed optimized");
}

/* The first form is the one that the features of the run ask for. */
TEST(facts_have_the_prototype_of_the_source_and_that_of_the_code)
{
	enum { IN_SOURCE = 2, IN_CODE = 1 };

	for (int code_first = 0; code_first < 2; code_first++) {
		CLEANUP(unit_scene_release) struct unit_scene s;
		CLEANUP(unit_facts_release) struct unit_facts facts = { 0 };

		begin(&s, code_first ? FEATURE_TRUE_SIGNATURE : 0);
		add_params(&s, "unused:l x:l rdi");
		CHECK_OK(unit_scene_encode(&s, 0));
		facts_from_cu(s.encoder, true, &facts);
		CHECK_EQ(facts.funcs.nr, 2);
		for (size_t i = 0; i < 2; i++) {
			const struct func_facts *f = &facts.funcs.items[i];
			uint32_t info = facts.words.items[f->proto + BTF_REC_INFO];

			CHECK_EQ(f->second_form, i);
			CHECK_EQ(btf_info_vlen(info), code_first == (int)i ? IN_SOURCE : IN_CODE);
		}
	}
}

static void tag_param(struct unit_scene *s, const char *value, int32_t component)
{
	vec_push(&s->cu.tags, ((struct cu_tag){ .value = unit_scene_name(s, value),
						.owner = CU_TAG_FUNC,
						.component = component }));
}

/* A kernel refuses the tag of a parameter that the prototype does not have. */
TEST(tags_follow_the_parameters_that_are_left)
{
	CLEANUP(unit_scene_release) struct unit_scene s;

	begin(&s, FEATURE_TRUE_SIGNATURE);
	add_params(&s, "unused:l x:l rdi constant:l literal y:l rsi");
	tag_param(&s, "of_f", -1);
	for (int32_t i = 0; i < 4; i++)
		tag_param(&s, "of_param", i);
	CHECK_OK(unit_scene_encode(&s, 0));
	CHECK_STR(unit_funcs_text(&s), "void f(x long, y long) changed optimized, tag of_f -1, "
				       "string of_param, tag of_param 0, string of_param, "
				       "tag of_param 1");
}

/* Of functions that are not marked as changed: by clang and by gcc, at the level of pahole and by the ABI. */
static const struct {
	const char *name, *params, *by_pahole, *by_abi;
	bool gcc;
	unit_tid ret;
} plain_rows[] = {
	{ "in turn", "x:l rdi y:l rsi", "", "", false, 0 },
	{ "swapped", "x:l rsi y:l rdi", " unexpected", " unexpected", false, 0 },
	{ "swapped, by gcc", "x:l rsi y:l rdi", " unexpected", " optimized unexpected", true, 0 },
	{ "one is gone, by gcc", "x:l y:l rdi", " optimized unexpected", " optimized unexpected",
	  true, 0 },
	{ "moved to a register for no argument", "x:l rbx", " unexpected", "", false, 0 },
	{ "the same by gcc: where it arrives is not known", "x:l rbx", " unexpected", " optimized",
	  true, 0 },
	{ "moved before the list starts", "x:l rsi late y:l rsi", " unexpected", "", false, 0 },
	{ "a number in a vector register", "x:r xmm0 y:l rdi", " unexpected", "", false, 0 },
	{ "the same by gcc", "x:r xmm0 y:l rdi", " unexpected", "", true, 0 },
	{ "a number may take a register", "x:r xmm0 y:l rsi", " unexpected", "", false, 0 },
	{ "but not those before it", "y:l rsi x:r xmm0", " unexpected", " unexpected", false, 0 },
	{ "a result in memory", "x:l rsi y:l rdx", " unexpected", "", false, 3 },
	{ "a result in memory, or in registers", "x:l rdi y:l rsi", "", "", false, 2 },
	{ "an argument is not left out for it", "x:l rdx", " unexpected", " unexpected", false, 3 },
	{ "a small struct that is moved to memory, by gcc", "s:p stack x:l rdx", " optimized",
	  " optimized", true, 0 },
	{ "one behind a struct is computed, by gcc", "s:p rdi x:l loc", " optimized", " optimized",
	  true, 0 },
	{ "a large one is there", "s:b stack x:l rdi", " optimized", "", true, 0 },
	{ "a parameter is a struct", "x:l rsi s:b stack", "", "", false, 0 },
	{ "perhaps on the stack", "a:l rdi b:l rsi c:r xmm0 d:l rdx e:l rcx f:l rdi", " unexpected",
	  "", false, 0 },
};

static const char *flags_at(enum compat_level level, const char *params, bool gcc, unit_tid ret)
{
	CLEANUP(unit_scene_release) struct unit_scene s;

	begin(&s, 0);
	s.opts.compat = level;
	s.cu.clang = !gcc;
	s.cu.funcs.items[0].flags = 0;
	s.cu.funcs.items[0].ret = ret;
	add_params(&s, params);
	CHECK_OK(unit_scene_encode(&s, 0));
	const char *text = unit_funcs_text(&s), *end = strchr(text, ')');
	CHECK(end);
	return make_text("%s", end + 1);
}

TEST_EACH(a_parameter_is_unexpected_if_its_register_is_for_another, plain_rows, c)
{
	CHECK_STR(flags_at(COMPAT_1_32, c->params, c->gcc, c->ret), c->by_pahole);
	CHECK_STR(flags_at(COMPAT_NONE, c->params, c->gcc, c->ret), c->by_abi);
}
