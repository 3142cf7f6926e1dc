/* SPDX-License-Identifier: GPL-2.0-only */
/* t_symbols.c - the symbol table and the functions it names */
#include "loader/elf/symbols.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

static void func(struct elfmake *m, const char *name, uint64_t value)
{
	make_symbol(m, name, STT_FUNC, 1, value, 4);
}

static struct elfmake little(void)
{
	struct elfmake m = make_x86_64(ET_EXEC);

	make_nobits(&m, 0x1000, 0x1000, 16);
	make_nobits(&m, 0x2000, 0x1000, 16);
	return m;
}

/* Both belong to the caller; symbols borrow from the object. */
static void read_all(struct elfmake *m, struct object *o, struct symbols *s)
{
	make_symtab(m);
	CHECK_OK(make_open(m, o));
	CHECK_OK(symbols_read(o, s));
	CHECK_OK(symbols_index_objects(o, NULL, s));
}

TEST(every_symbol_is_read_in_both_classes_and_byte_orders)
{
	FOR_EACH_KIND(class, order)
	{
		struct elfmake m = make_elf(class, order, ET_REL, EM_X86_64);
		CLEANUP(object_close) struct object o = { 0 };
		CLEANUP(symbols_release) struct symbols s = { 0 };

		make_nobits(&m, 0, 0x1000, 16);
		make_symbol(&m, "first", STT_FUNC, 1, 0x12345678, 0x9abcdef0);
		make_symbol(&m, "", STT_SECTION, 1, 0, 0);
		make_symbol(&m, "last", STT_TLS, SHN_ABS, 7, 0);
		read_all(&m, &o, &s);
		CHECK(s.have_symtab);
		CHECK_EQ(s.nr_all, 3);
		CHECK_STR(s.all[0].name, "first");
		CHECK_EQ(s.all[0].value, 0x12345678);
		CHECK_EQ(s.all[0].size, 0x9abcdef0);
		CHECK_EQ(s.all[0].section, 1);
		CHECK_EQ(s.all[0].type, STT_FUNC);
		CHECK_EQ(s.all[0].bind, STB_GLOBAL);
		CHECK_STR(s.all[1].name, "");
		CHECK_EQ(s.all[2].section, SYMBOL_RESERVED + SHN_ABS);
		CHECK_EQ(s.nr_funcs, 1);
	}
}

TEST(sections_beyond_16_bits_are_not_taken_for_reserved_ones)
{
	FOR_EACH_KIND(class, order)
	{
		struct elfmake m = make_elf(class, order, ET_REL, EM_X86_64);
		CLEANUP(object_close) struct object o = { 0 };
		CLEANUP(symbols_release) struct symbols s = { 0 };

		for (size_t i = 1; i < 66000; i++)
			MAKE_SECTION(&m, .name = "", .type = SHT_NOBITS);
		make_symbol(&m, "near", STT_OBJECT, 5, 0, 4);
		make_symbol(&m, "far", STT_OBJECT, MAKE_SHNDX(SHN_ABS), 0, 4);
		make_symbol(&m, "farther", STT_OBJECT, MAKE_SHNDX(65999), 0, 4);
		make_symbol(&m, "nowhere", STT_OBJECT, SHN_ABS, 0, 4);
		read_all(&m, &o, &s);
		CHECK_EQ(s.all[0].section, 5);
		CHECK_EQ(s.all[1].section, SHN_ABS);
		CHECK_EQ(s.all[2].section, 65999);
		CHECK_EQ(s.all[3].section, SYMBOL_RESERVED + SHN_ABS);
		CHECK(object_symbols_have(&s.objects, "far", 3, SHN_ABS));
		CHECK(!object_symbols_have(&s.objects, "nowhere", 7, SHN_ABS));
		CHECK(object_symbols_have(&s.objects, "farther", 7, 65999));
	}
}

TEST(the_size_of_a_variable_is_that_of_its_only_symbol)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };

	make_symbol(&m, "plain", STT_OBJECT, 1, 0x1000, 8);
	make_symbol(&m, "equal", STT_OBJECT, 1, 0x1000, 6);
	make_symbol(&m, "lto.lto_priv.0", STT_OBJECT, 1, 0x1008, 12);
	make_symbol(&m, "longer", STT_OBJECT, 1, 0x1010, 4);
	make_symbol(&m, "twice", STT_OBJECT, 1, 0x1020, 4);
	make_symbol(&m, "twice.1", STT_OBJECT, 1, 0x1020, 6);
	make_symbol(&m, "__pi_work", STT_OBJECT, 2, 0x2000, 16);
	read_all(&m, &o, &s);
	CHECK_EQ(object_symbols_size(&s.objects, "plain", 5, 1, 0x1000), 8);
	CHECK_EQ(object_symbols_size(&s.objects, "equal", 5, 1, 0x1000), 6);
	CHECK_EQ(object_symbols_size(&s.objects, "plain", 5, 1, 0x1001), 0);
	CHECK_EQ(object_symbols_size(&s.objects, "plain", 5, 2, 0x1000), 0);
	CHECK_EQ(object_symbols_size(&s.objects, "lto", 3, 1, 0x1008), 12);
	CHECK_EQ(object_symbols_size(&s.objects, "long", 4, 1, 0x1010), 0);
	CHECK_EQ(object_symbols_size(&s.objects, "twice", 5, 1, 0x1020), 0);
	CHECK_EQ(object_symbols_size(&s.objects, "plain", 5, 1 << 20, 0x1000), 0);
	CHECK(object_symbols_have_prefixed(&s.objects, "work", 4, 2, 16));
	CHECK(!object_symbols_have_prefixed(&s.objects, "work", 4, 2, 8));
	CHECK(!object_symbols_have_prefixed(&s.objects, "__pi_work", 9, 2, 16));
	CHECK(!object_symbols_have_prefixed(&s.objects, "work", 4, 1 << 20, 16));
}

TEST(no_symbol_table_is_no_error)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };

	/* the dynamic one is no substitute: pahole goes by the name */
	make_symbol(&m, "f", STT_FUNC, 1, 0, 4);
	m.sections[make_symtab(&m)].name = ".dynsym";
	CHECK_OK(make_open(&m, &o));
	CHECK_OK(symbols_read(&o, &s));
	CHECK(!s.have_symtab);
	CHECK_EQ(s.nr_all, 0);
	CHECK_EQ(s.nr_funcs, 0);
	CHECK_EQ(symbols_find_func(&s, "f", 1), -1);
	CHECK(!object_symbols_have(&s.objects, "f", 1, 1));
}

TEST(only_functions_become_keys)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };

	make_symbol(&m, "object", STT_OBJECT, 1, 0, 4);
	make_symbol(&m, "notype", STT_NOTYPE, 1, 0, 4);
	make_symbol(&m, "ifunc", STT_GNU_IFUNC, 1, 0, 4);
	make_symbol(&m, "undefined", STT_FUNC, SHN_UNDEF, 0, 0);
	func(&m, "defined", 0x1000);
	read_all(&m, &o, &s);
	CHECK_EQ(s.nr_funcs, 2);
	CHECK_EQ(symbols_find_func(&s, "defined", 7), 0);
	CHECK_EQ(symbols_find_func(&s, "undefined", 9), 1);
}

TEST(fragments_are_left_out_and_copies_belong_to_their_function)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };

	func(&m, "f.isra.0", 0x1010);
	func(&m, "f", 0x1000);
	func(&m, "f.cold", 0x1020);
	func(&m, "f.constprop.0.cold", 0x1021);
	func(&m, "f.part.0", 0x1030);
	func(&m, "f.constprop.0.isra.1", 0x1040);
	func(&m, "f.llvm.123", 0x1050);
	func(&m, "g.part.0", 0x1060);
	func(&m, "z", 0x1070);
	read_all(&m, &o, &s);
	CHECK_EQ(s.nr_funcs, 2);
	CHECK_EQ(s.funcs[0].name_len, 1);
	CHECK_EQ(s.funcs[0].nr, 4);

	const struct func_symbol *f = s.func_symbols + s.funcs[0].first;
	CHECK_STR(f[0].name, "f.isra.0");
	CHECK(f[0].optimized);
	CHECK_EQ(f[0].value, 0x1010);
	CHECK_STR(f[1].name, "f");
	CHECK(!f[1].optimized);
	CHECK_STR(f[2].name, "f.constprop.0.isra.1");
	CHECK(f[2].optimized);
	CHECK_STR(f[3].name, "f.llvm.123");
	CHECK(!f[3].optimized);
	CHECK_EQ(symbols_find_func(&s, "g", 1), -1);
	CHECK_EQ(symbols_find_func(&s, "f.isra", 6), -1);
}

TEST(a_suffix_of_a_compiler_may_belong_to_the_function_itself)
{
	static const struct {
		const char *name;
		bool own;
	} all[] = {
		{ "f", true },
		{ "f.llvm.12345", true },
		{ "f.__uniq.12345", true },
		{ "f.__uniq.12345.llvm.6", true },
		{ "f.lto_priv.0", true },
		{ "f.0", true },
		{ "f.isra.0", false },
		{ "f.constprop.0", false },
		{ "f.lto_priv.0.isra.0", false },
		{ "f.llvm", true },
		{ "f.llvmx.1", false },
		{ "f.1x", false },
		{ "f.", false },
		{ "f..1", false },
		{ "f.specialized.1", false },
	};
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		func(&m, all[i].name, i);
	make_symbol(&m, "f", STT_FUNC, SHN_UNDEF, 0, 0);
	make_symbol(&m, "f", STT_FUNC, SHN_ABS, 0, 0);
	read_all(&m, &o, &s);
	CHECK_EQ(s.nr_func_symbols, ARRAY_SIZE(all) + 2);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (s.func_symbols[i].own != all[i].own || !s.func_symbols[i].defined)
			test_fail(__FILE__, __LINE__, "%s", all[i].name);
	}
	CHECK(!s.func_symbols[ARRAY_SIZE(all)].defined);
	CHECK(s.func_symbols[ARRAY_SIZE(all) + 1].defined);
}

TEST(functions_of_relocatable_files_have_the_addresses_of_debug_information)
{
	for (uint16_t type = ET_REL; type <= ET_EXEC; type++) {
		struct elfmake m = make_x86_64(type);
		CLEANUP(object_close) struct object o = { 0 };
		CLEANUP(symbols_release) struct symbols s = { 0 };
		bool is_rel = type == ET_REL;

		make_nobits(&m, is_rel ? 0 : 0x1000, 0x1000, 16);
		make_nobits(&m, is_rel ? 0 : 0x2000, 0x1000, 16);
		make_symbol(&m, "f", STT_FUNC, 1, is_rel ? 8 : 0x1008, 4);
		make_symbol(&m, "f", STT_FUNC, 2, is_rel ? 8 : 0x2008, 4);
		read_all(&m, &o, &s);
		CHECK_EQ(s.func_symbols[0].debug_addr, o.sections[1].debug_addr + 8);
		CHECK_EQ(s.func_symbols[1].debug_addr, o.sections[2].debug_addr + 8);
	}
}

TEST(functions_without_symbols_can_be_added)
{
	static const struct func_entry more[] = { { .name = "m__1", .name_len = 1 },
						  { .name = "a", .name_len = 1 },
						  { .name = "m", .name_len = 1 },
						  { .name = "f.x", .name_len = 1 } };
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };

	func(&m, "f", 0x1000);
	func(&m, "z", 0x1010);
	read_all(&m, &o, &s);
	symbols_add_funcs(&s, more, ARRAY_SIZE(more));
	CHECK_EQ(s.nr_funcs, 4);
	CHECK_EQ(symbols_find_func(&s, "a", 1), 0);
	CHECK_EQ(symbols_find_func(&s, "f", 1), 1);
	CHECK_EQ(symbols_find_func(&s, "m", 1), 2);
	CHECK_EQ(symbols_find_func(&s, "z", 1), 3);
	CHECK_EQ(s.funcs[1].nr, 1);
	CHECK_EQ(s.funcs[2].nr, 0);
}

/* The result of the address test for a key with these values, which is not the last key. */
static bool ambiguous(const uint64_t *values, size_t nr, bool last)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };

	for (size_t i = 0; i < nr; i++)
		func(&m, "key", values[i]);
	func(&m, last ? "a" : "z", 0);
	read_all(&m, &o, &s);
	return s.funcs[symbols_find_func(&s, "key", 3)].ambiguous;
}

TEST(a_key_with_two_addresses_is_ambiguous)
{
	CHECK(!ambiguous((uint64_t[]){ 6 }, 1, false));
	CHECK(!ambiguous((uint64_t[]){ 6, 6, 6 }, 3, false));
	CHECK(ambiguous((uint64_t[]){ 6, 7 }, 2, false));
	CHECK(ambiguous((uint64_t[]){ 6, 0 }, 2, false));
	CHECK(!ambiguous((uint64_t[]){ 0, 12 }, 2, false));
	CHECK(!ambiguous((uint64_t[]){ 0, 0 }, 2, false));
	CHECK(ambiguous((uint64_t[]){ 0, 12, 13 }, 3, false));
}

TEST(the_last_key_is_never_ambiguous)
{
	CHECK(!ambiguous((uint64_t[]){ 6, 7 }, 2, true));
}

TEST(names_outside_of_their_table_are_refused)
{
	for (size_t way = 0; way < 3; way++) {
		struct elfmake m = little();
		CLEANUP(object_close) struct object o = { 0 };
		struct symbols s = { .nr_all = 77 };

		func(&m, "fine", 0);
		if (way == 0)
			make_raw_symbol(&m, (uint32_t)m.strings.len, STT_FUNC, 1, 0, 0);
		else if (way == 1)
			make_raw_symbol(&m, 0xffffffff, STT_OBJECT, 1, 0, 0);
		else
			m.strings.len--; /* the zero behind "fine" */
		make_symtab(&m);
		CHECK_OK(make_open(&m, &o));
		CHECK_ERR_TEXT(symbols_read(&o, &s), ERR_FORMAT,
			       way == 2 ? "('.symtab'): symbol 1: name at 0x1 of 0x5 bytes" :
					  "('.symtab'): symbol 2: name at 0x");
		CHECK_EQ(s.nr_all, 77);
	}
}

TEST(a_table_that_contradicts_itself_is_refused)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object no_names = { 0 }, bad_size = { 0 }, short_index = { 0 };
	struct symbols s;

	make_symbol(&m, "f", STT_FUNC, MAKE_SHNDX(1), 0, 0);
	size_t symtab = make_symtab(&m);
	struct make_section *shndx = &m.sections[symtab + 1];
	shndx->data.len--;
	CHECK_OK(make_open(&m, &short_index));
	CHECK_ERR_TEXT(symbols_read(&short_index, &s), ERR_FORMAT, "for the sections of 2 symbols");
	m.sections[symtab + 1].type = SHT_PROGBITS;
	m.sections[symtab].link = 1000;
	CHECK_OK(make_open(&m, &no_names));
	CHECK_ERR_TEXT(symbols_read(&no_names, &s), ERR_FORMAT, "names in section 1000");
	m.sections[symtab].entsize = 23;
	CHECK_OK(make_open(&m, &bad_size));
	CHECK_ERR_TEXT(symbols_read(&bad_size, &s), ERR_FORMAT, "symbols of 23 bytes");
}

TEST(objects_are_found_in_their_section_only)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };

	make_symbol(&m, "one", STT_OBJECT, 1, 0x1500, 4);
	make_symbol(&m, "two", STT_OBJECT, 2, 0x2000, 4);
	make_symbol(&m, "both", STT_OBJECT, 1, 0x1600, 4);
	make_symbol(&m, "both", STT_OBJECT, 2, 0x2004, 4);
	make_symbol(&m, "func", STT_FUNC, 1, 0x1000, 4);
	make_symbol(&m, "other", STT_OBJECT, 1, 0x1000, 4);
	make_symbol(&m, "bogus", STT_OBJECT, 0x4000, 0, 4);
	read_all(&m, &o, &s);
	CHECK(object_symbols_have(&s.objects, "one", 3, 1));
	CHECK(object_symbols_have(&s.objects, "other", 5, 1));
	CHECK(object_symbols_have(&s.objects, "two", 3, 2));
	CHECK(object_symbols_have(&s.objects, "both", 4, 1));
	CHECK(object_symbols_have(&s.objects, "both", 4, 2));
	CHECK(!object_symbols_have(&s.objects, "one", 3, 2));
	CHECK(!object_symbols_have(&s.objects, "on", 2, 1));
	CHECK(!object_symbols_have(&s.objects, "one!", 4, 1));
	CHECK(!object_symbols_have(&s.objects, "func", 4, 1));
	CHECK(!object_symbols_have(&s.objects, "bogus", 5, 0x4000));
	CHECK(!object_symbols_have(&s.objects, "bogus", 5, UINT32_MAX));
}

TEST(a_size_belongs_to_each_beginning_of_a_name_with_suffixes)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };
	CLEANUP(object_symbols_release) struct object_symbols second = { 0 };
	const bool wanted[] = { false, false, true };

	make_symbol(&m, "a.b.c", STT_OBJECT, 1, 0x1000, 8);
	make_symbol(&m, "x_a.b.c", STT_OBJECT, 1, 0x1000, 8);
	make_symbol(&m, "y_x_a.b.c", STT_OBJECT, 1, 0x1008, 8);
	make_symbol(&m, "a.b", STT_OBJECT, 2, 0x2000, 4);
	read_all(&m, &o, &s);
	CHECK_EQ(object_symbols_size(&s.objects, "a", 1, 1, 0x1000), 8);
	CHECK_EQ(object_symbols_size(&s.objects, "a.b", 3, 1, 0x1000), 8);
	CHECK_EQ(object_symbols_size(&s.objects, "a.b.c", 5, 1, 0x1000), 8);
	CHECK_EQ(object_symbols_size(&s.objects, "a.", 2, 1, 0x1000), 0);
	CHECK(object_symbols_have_prefixed(&s.objects, "a.b.c", 5, 1, 8));
	/* only at the start of the section */
	CHECK(!object_symbols_have_prefixed(&s.objects, "x_a.b.c", 7, 1, 8));

	CHECK_OK(object_symbols_make(&o, s.all, s.nr_all, s.names_len, wanted, &second));
	CHECK(!object_symbols_have(&second, "a.b.c", 5, 1));
	CHECK(object_symbols_have(&second, "a.b", 3, 2));
}

TEST(names_of_objects_that_share_long_ends_are_an_error)
{
	struct elfmake m = little();
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };
	char *name = test_keep(mem_zalloc(1, 20001));

	memset(name, 'a', 20000);
	for (size_t i = 0; i < 200; i++)
		make_symbol(&m, name, STT_OBJECT, 1, 0x1000, 8);
	make_symtab(&m);
	CHECK_OK(make_open(&m, &o));
	CHECK_OK(symbols_read(&o, &s));
	CHECK_OK(object_symbols_make(&o, s.all, s.nr_all, s.names_len, NULL, &s.objects));
	object_symbols_release(&s.objects);
	CHECK_ERR_TEXT(object_symbols_make(&o, s.all, s.nr_all, 20001, NULL, &s.objects), ERR_LIMIT,
		       "name of 20000 bytes, of 20001 in all");
}

/* A name of @r that shares its beginning with many others. */
static char *some_name(uint64_t r)
{
	static const char *const starts[] = { "__pfx_", "__x64_sys_", "", "a", "\x80\xff_" };
	static const char *const ends[] = { "", "", ".isra.0", ".constprop.0" };

	return make_text("%s%.*s%x%s", starts[r % 5], (int)(r >> 3 & 15), "aaaaaaaabbbbbbbb",
			 (unsigned int)(r >> 8 & 0x3ff), ends[r >> 20 & 3]);
}

TEST(keys_are_sorted_as_strcmp_sorts_them)
{
	for (size_t nr = 1; nr <= 20000; nr = nr * 5 + 1) {
		struct elfmake m = little();
		CLEANUP(object_close) struct object o = { 0 };
		CLEANUP(symbols_release) struct symbols s = { 0 };
		uint64_t seed = nr;
		size_t sum = 0;

		for (size_t i = 0; i < nr; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			func(&m, some_name(seed >> 20), i);
		}
		read_all(&m, &o, &s);
		CHECK_EQ(s.nr_func_symbols, nr);
		for (size_t i = 0; i < s.nr_funcs; i++) {
			const struct func_entry *f = &s.funcs[i];

			CHECK_EQ(f->first, sum);
			sum += f->nr;
			if (i) {
				char *a = strndup(f[-1].name, f[-1].name_len);
				char *b = strndup(f->name, f->name_len);
				CHECK(strcmp(a, b) < 0);
				free(a);
				free(b);
			}
			CHECK_EQ(symbols_find_func(&s, f->name, f->name_len), i);
			for (uint32_t k = 0; k < f->nr; k++) {
				const struct func_symbol *fs = &s.func_symbols[f->first + k];

				CHECK_EQ(strcspn(fs->name, "."), f->name_len);
				CHECK_MEM(fs->name, f->name, f->name_len);
				/* in the order of the table, which the values tell */
				CHECK(k == 0 || fs[-1].value < fs->value);
			}
		}
		CHECK_EQ(sum, nr);
		CHECK_EQ(symbols_find_func(&s, "not there", 9), -1);
	}
}
