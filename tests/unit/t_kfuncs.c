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

static void words(struct ids *s, size_t nr, const uint32_t *w)
{
	for (size_t i = 0; i < nr; i++)
		make_int(&s->m, &s->words, 4, w[i]);
}

#define WORDS(s, ...) words(s, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (uint32_t[]){ __VA_ARGS__ })

static struct err *finish(struct ids *s, struct object *o, struct symbols *syms, struct kfuncs *ret)
{
	s->m.sections[s->index].data = make_view(&s->words);
	make_symtab(&s->m);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), o));
	CHECK_OK(symbols_read(o, syms));
	return kfuncs_read(o, syms, ret);
}

/* The flags of function @name, or -1. */
static int64_t flags_of(const struct symbols *syms, const struct kfuncs *k, const char *name)
{
	ptrdiff_t func = symbols_find_func(syms, name, strlen(name));

	CHECK(func >= 0);
	const struct kfunc *f = kfuncs_find(k, (uint32_t)func);
	return f ? (int64_t)f->flags : -1;
}

TEST(members_of_kfunc_sets_are_found)
{
	FOR_EACH_KIND(class, order)
	{
		for (uint16_t type = ET_REL; type <= ET_EXEC; type++) {
			struct ids s = begin(class, order, type);
			CLEANUP(object_close) struct object o = { 0 };
			CLEANUP(symbols_release) struct symbols syms = { 0 };
			CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

			WORDS(&s, 0, 2, 1, 0, KFUNC_FASTCALL | 4, 0, 0x80000000, 0, 0);
			label(&s, "__BTF_ID__func__long__name__7", 20, 4);
			label(&s, "__BTF_ID__set8__some", 4, 24);
			label(&s, "__BTF_ID__func__b__123456", 12, 4);
			CHECK_OK(finish(&s, &o, &syms, &k));
			CHECK_EQ(k.nr, 2);
			CHECK(k.items[0].func < k.items[1].func);
			CHECK_EQ(flags_of(&syms, &k, "b"), KFUNC_FASTCALL | 4);
			CHECK_EQ(flags_of(&syms, &k, "long__name"), 0x80000000);
			CHECK_EQ(flags_of(&syms, &k, "a"), -1);
			CHECK_EQ(flags_of(&syms, &k, "c"), -1);
		}
	}
}

TEST(other_sets_and_what_lies_outside_of_sets_do_not_count)
{
	struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_REL);
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

	WORDS(&s, 1, 2, 0, 5); /* flags without bit 0 */
	WORDS(&s, 1, 3, 0, 6);
	WORDS(&s, 0, 7);
	label(&s, "__BTF_ID__set8__no_kfuncs", 0, 16);
	label(&s, "__BTF_ID__func__a__1", 8, 4);
	label(&s, "__BTF_ID__set8__kfuncs", 16, 16);
	label(&s, "__BTF_ID__func__b__1", 24, 4);
	label(&s, "__BTF_ID__func__c__1", 32, 4); /* just behind */
	make_symbol(&s.m, "__BTF_ID__func__c__2", STT_OBJECT, 1, 24, 4);
	CHECK_OK(finish(&s, &o, &syms, &k));
	CHECK_EQ(k.nr, 1);
	CHECK_EQ(flags_of(&syms, &k, "b"), 6);
}

TEST(names_that_are_no_members_do_not_count)
{
	static const char *const names[] = {
		"__BTF_ID__func__a",      "__BTF_ID__func__a_1",        "__BTF_ID__func___",
		"__BTF_ID__func__",       "__BTF_ID__func__unknown__1", "__BTF_ID__struct__a__1",
		"__BTF_ID__func__a__1_2",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_REL);
		CLEANUP(object_close) struct object o = { 0 };
		CLEANUP(symbols_release) struct symbols syms = { 0 };
		CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

		WORDS(&s, 1, 1, 0, 5);
		label(&s, "__BTF_ID__set8__kfuncs", 0, 16);
		label(&s, names[i], 8, 4);
		CHECK_OK(finish(&s, &o, &syms, &k));
		CHECK_EQ(k.nr, 0);
	}
}

TEST(of_several_sets_the_last_word_wins)
{
	struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_REL);
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

	WORDS(&s, 2, 1, 0, 1, 0, 2);
	WORDS(&s, 2, 1, 0, 3, 0, 4);
	label(&s, "__BTF_ID__set8__two", 24, 24);
	label(&s, "__BTF_ID__set8__one", 0, 24);
	label(&s, "__BTF_ID__func__b__1", 40, 4);
	label(&s, "__BTF_ID__func__a__3", 32, 4);
	label(&s, "__BTF_ID__func__b__2", 8, 4);
	label(&s, "__BTF_ID__func__a__4", 16, 4);
	CHECK_OK(finish(&s, &o, &syms, &k));
	CHECK_EQ(k.nr, 2);
	CHECK_EQ(flags_of(&syms, &k, "a"), 2);
	CHECK_EQ(flags_of(&syms, &k, "b"), 1);
}

TEST(sets_that_lie_in_each_other_are_one)
{
	struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_REL);
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

	WORDS(&s, 0, 1, 1, 1, 0, 9);
	WORDS(&s, 1, 1, 0, 8);
	label(&s, "__BTF_ID__set8__behind", 24, 16);
	label(&s, "__BTF_ID__set8__outer", 0, 24);
	label(&s, "__BTF_ID__set8__inner", 8, 4);
	label(&s, "__BTF_ID__func__a__1", 16, 4);
	label(&s, "__BTF_ID__func__b__1", 32, 4);
	CHECK_OK(finish(&s, &o, &syms, &k));
	CHECK_EQ(flags_of(&syms, &k, "a"), 9);
	CHECK_EQ(flags_of(&syms, &k, "b"), 8);
}

static struct err *with_set(uint64_t offset, uint64_t size, uint64_t member)
{
	struct ids s = begin(MAKE_64, MAKE_LITTLE, ET_EXEC);
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

	WORDS(&s, 1, 1, 0, 1);
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
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

	WORDS(&s, 1, 1, 0, 1);
	label(&s, "__BTF_ID__set8__kfuncs", 0, 16);
	label(&s, "__BTF_ID__func__a__1", 8, 4);
	s.m.sections[s.index].name = ".BTF_id";
	CHECK_OK(finish(&s, &o, &syms, &k));
	CHECK_EQ(k.nr, 0);
	CHECK(kfuncs_find(&k, 0) == NULL);
}
