/* SPDX-License-Identifier: GPL-2.0-only */
/* t_kfuncs.c - the kfunc sets of .BTF_ids */
#include "encoder/select/kfuncs.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

/*
 * An object whose .BTF_ids lies at an address and holds words; functions a, b, c and
 * long__name.
 */
struct ids {
	struct elfmake m;
	struct make_buf words;
	uint64_t addr;
	size_t index;
};

static struct ids begin(enum make_class class, enum make_order order, uint16_t type)
{
	struct ids s = { .m = make_elf(class, order, type, EM_S390) };

	s.addr = type == ET_EXEC ? 0x82000004 : 0;
	make_nobits(&s.m, s.addr ? 0x80000000 : 0, 0x1000, 16);
	s.index = MAKE_SECTION(&s.m, .name = ".BTF_ids", .type = SHT_PROGBITS, .flags = SHF_ALLOC,
			       .addr = s.addr, .align = 4);
	make_symbol(&s.m, "c", STT_FUNC, 1, 3, 1);
	make_symbol(&s.m, "b", STT_FUNC, 1, 2, 1);
	make_symbol(&s.m, "a", STT_FUNC, 1, 1, 1);
	make_symbol(&s.m, "long__name", STT_FUNC, 1, 1, 1);
	return s;
}

/* A symbol over the @offset-th byte of the section. */
static void label(struct ids *s, const char *name, uint64_t offset, uint64_t size)
{
	make_symbol(&s->m, name, STT_OBJECT, (uint32_t)s->index, s->addr + offset, size);
}

static void words(struct ids *s, const char *text)
{
	for (char *end; *text; text = end) {
		make_int(&s->m, &s->words, 4, strtoul(text, &end, 0));
		CHECK(end > text);
	}
}

/* "NAME OFFSET SIZE; ..."; names without "__BTF_ID__" */
static void labels(struct ids *s, const char *text)
{
	unsigned int offset, size;
	char name[64];

	for (int len; sscanf(text, "%63s %u %u%n", name, &offset, &size, &len) == 3;
	     text += len + (text[len] == ';'))
		label(s, make_text("__BTF_ID__%s", name), offset, size);
}

static struct err *finish(struct ids *s, struct object *o, struct symbols *syms, struct kfuncs *ret)
{
	s->m.sections[s->index].data = make_view(&s->words);
	make_symtab(&s->m);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), o));
	CHECK_OK(symbols_read(o, syms));
	return kfuncs_read(o, syms, ret);
}

/* The functions and their flags: "a 0x2, b 0x1", in memory that is kept. */
static const char *found(const struct symbols *syms, const struct kfuncs *k)
{
	static const char *const names[] = { "a", "b", "c", "long__name" };
	char *text = test_keep(mem_zalloc(100, 1)), *end = text;
	size_t nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		ptrdiff_t func = symbols_find_func(syms, names[i], strlen(names[i]));

		CHECK(func >= 0);
		const struct kfunc *f = kfuncs_find(k, (uint32_t)func);
		if (f)
			end += sprintf(end, "%s%s %#x", nr++ ? ", " : "", names[i], f->flags);
	}
	CHECK_EQ(k->nr, nr);
	for (size_t i = 1; i < k->nr; i++)
		CHECK(k->items[i - 1].func < k->items[i].func);
	return text;
}

/* The kfuncs of an object. */
static const char *kfuncs_of(struct ids *s)
{
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

	CHECK_OK(finish(s, &o, &syms, &k));
	return found(&syms, &k);
}

TEST(members_of_kfunc_sets_are_found)
{
	FOR_EACH_KIND(class, order)
	{
		for (uint16_t type = ET_REL; type <= ET_EXEC; type++) {
			struct ids s = begin(class, order, type);

			words(&s, make_text("0 2 1 0 %u 0 0x80000000 0 0", KFUNC_FASTCALL | 4));
			labels(&s,
			       "func__long__name__7 20 4; set8__some 4 24; func__b__123456 12 4");
			CHECK_STR(kfuncs_of(&s),
				  make_text("b %#x, long__name 0x80000000", KFUNC_FASTCALL | 4));
		}
	}
}

/* An object with the words of a set for a at 8, to which one more label belongs. */
#define ONE "1 1 0 5", "set8__kfuncs 0 16; "

static const struct {
	const char *name, *words, *set, *labels, *found;
} cases[] = {
	/* flags without bit 0; a label just behind the set */
	{ "other sets and labels outside of sets do not count", "1 2 0 5 1 3 0 6 0 7",
	  "set8__no_kfuncs 0 16; set8__kfuncs 16 16; ",
	  "func__a__1 8 4; func__b__1 24 4; func__c__1 32 4", "b 0x6" },
	{ "a member", ONE, "func__a__1 8 4", "a 0x5" },
	{ "no number", ONE, "func__a 8 4", "" },
	{ "a number behind one underscore", ONE, "func__a_1 8 4", "" },
	{ "underscores only", ONE, "func___ 8 4", "" },
	{ "no name", ONE, "func__ 8 4", "" },
	{ "an unknown function", ONE, "func__unknown__1 8 4", "" },
	{ "a struct", ONE, "struct__a__1 8 4", "" },
	{ "something behind the number", ONE, "func__a__1_2 8 4", "" },
	{ "of several sets the last word wins", "2 1 0 1 0 2 2 1 0 3 0 4",
	  "set8__two 24 24; set8__one 0 24; ",
	  "func__b__1 40 4; func__a__3 32 4; func__b__2 8 4; func__a__4 16 4", "a 0x2, b 0x1" },
	{ "sets that lie in each other are one", "0 1 1 1 0 9 1 1 0 8",
	  "set8__behind 24 16; set8__outer 0 24; set8__inner 8 4; ",
	  "func__a__1 16 4; func__b__1 32 4", "a 0x9, b 0x8" },
};

TEST_EACH(members_are_recognised_by_their_names_and_offsets, cases, c)
{
	struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_REL);

	words(&s, c->words);
	labels(&s, c->set);
	labels(&s, c->labels);
	CHECK_STR(kfuncs_of(&s), c->found);
}

TEST(labels_of_other_sections_do_not_count)
{
	struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_REL);

	words(&s, "1 3 0 6");
	labels(&s, "set8__kfuncs 0 16; func__b__1 8 4");
	make_symbol(&s.m, "__BTF_ID__func__c__2", STT_OBJECT, 1, 8, 4);
	CHECK_STR(kfuncs_of(&s), "b 0x6");
}

static struct err *with_set(uint64_t offset, uint64_t size, uint64_t member)
{
	struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_EXEC);
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

	words(&s, "1 1 0 1");
	label(&s, "__BTF_ID__set8__kfuncs", offset, size);
	label(&s, "__BTF_ID__func__a__1", member, 4);
	return finish(&s, &o, &syms, &k);
}

TEST(symbols_outside_of_the_section_are_refused)
{
	CHECK_OK(with_set(0, 16, 8));
	CHECK_ERR_TEXT(with_set(12, 16, 8), ERR_FORMAT,
		       ".BTF_ids+0xc: symbol '__BTF_ID__set8__kfuncs' lies outside of");
	CHECK_ERR(with_set(16, 16, 8), ERR_FORMAT);
	CHECK_ERR(with_set((uint64_t)-4, 16, 8), ERR_FORMAT);
	CHECK_ERR(with_set((uint64_t)-16, 16, 8), ERR_FORMAT);
	CHECK_ERR_TEXT(with_set(0, 64, 16), ERR_FORMAT, "'__BTF_ID__func__a__1' lies outside");
	CHECK_ERR(with_set(0, 64, 12), ERR_FORMAT);
	CHECK_ERR_TEXT(with_set(0, UINT64_MAX, 8), ERR_FORMAT, "set '__BTF_ID__set8__kfuncs' of");
}

TEST(no_section_means_no_kfuncs)
{
	struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_REL);

	words(&s, "1 1 0 1");
	labels(&s, "set8__kfuncs 0 16; func__a__1 8 4");
	s.m.sections[s.index].name = ".BTF_id";
	CHECK_STR(kfuncs_of(&s), "");
}
