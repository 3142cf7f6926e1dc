/* SPDX-License-Identifier: GPL-2.0-only */
/* t_compiler_line.c - which objects a compiler's command line may make */
#include "cmd/launch/compiler_line.h"

#include "base/cleanup.h"
#include "tests/lib/folder.h"
#include "tests/lib/testlib.h"

enum { ROOM = 4096 };

/* Read @line, whose words stand between single spaces. */
static void read_line(const char *line, struct compiler_line *ret)
{
	const char *words[64];
	char *text = test_keep(mem_strdup(line)), *state = NULL;
	size_t nr = 0;

	for (char *w = strtok_r(text, " ", &state); w; w = strtok_r(NULL, " ", &state))
		words[nr++] = w;
	compiler_line_read(words, nr, ret);
}

/* The objects of @line, with "|" between them. */
static const char *objects(const char *line)
{
	CLEANUP(compiler_line_release) struct compiler_line l = { 0 };
	char *result = test_keep(mem_zalloc(1, ROOM));
	size_t len = 0;

	read_line(line, &l);
	for (size_t i = 0; i < l.objects.nr; i++)
		len += (size_t)snprintf(result + len, ROOM - len, "%s%s", i ? "|" : "",
					l.objects.items[i]);
	return result;
}

TEST(an_object_is_named_after_its_source)
{
	/* the compiler itself could be an input; no command makes gcc.o */
	CHECK_STR(objects("gcc -c a.c"), "gcc.o|a.o");
	CHECK_STR(objects("gcc -c dir/a.c ../b.cpp /abs/c.d.S"), "gcc.o|a.o|b.o|c.d.o");
	CHECK_STR(objects("gcc -c noext dir.x/noext"), "gcc.o|noext.o|noext.o");
	CHECK_STR(objects("gcc -c .c -x c -"), "gcc.o|.c.o|-.o");
	CHECK_STR(objects("gcc a.c -g --compile -O2"), "gcc.o|a.o");
}

TEST(an_output_has_many_spellings_and_the_last_counts)
{
	CHECK_STR(objects("gcc -c a.c -o x.o"), "x.o");
	CHECK_STR(objects("gcc -c a.c -ox.o"), "x.o");
	CHECK_STR(objects("gcc -c a.c --output=x.o"), "x.o");
	CHECK_STR(objects("gcc --output x.o -c a.c"), "x.o");
	CHECK_STR(objects("gcc -c a.c -o x.o -oy.o"), "y.o");
	CHECK_STR(objects("gcc -c a.c -o -"), "-");
	CHECK_STR(objects("gcc -c a.c --output-pch=x"), "gcc.o|a.o");
	CHECK_STR(objects("gcc -c a.c --output"), "gcc.o|a.o");
	CHECK_STR(objects("gcc -c a.c -o"), "gcc.o|a.o");
}

TEST(clang_may_work_in_another_folder)
{
	CHECK_STR(objects("clang -c a.c -working-directory wd -o x.o"), "wd/x.o");
	CHECK_STR(objects("clang -working-directory=/abs/wd -c a.c /abs/b.c"),
		  "/abs/wd/clang.o|/abs/wd/a.o|/abs/wd/b.o");
	CHECK_STR(objects("clang -working-directory wd -c a.c -o /abs/x.o"), "/abs/x.o");
	CHECK_STR(objects("clang -c a.c -working-directory"), "clang.o|a.o");
	CHECK_STR(objects("clang-14 -c a.c -working-directorywd -o x.o"), "wd/x.o");
}

TEST(without_c_there_is_no_object)
{
	CHECK_STR(objects("gcc a.c -o x"), "");
	CHECK_STR(objects("gcc -E a.c"), "");
	CHECK_STR(objects("gcc -coverage a.c -o x"), "");
	CHECK_STR(objects("ld -r -o x.o a.o"), "");
	CHECK_STR(objects("gcc"), "");
}

TEST(an_argument_is_neither_an_output_nor_an_input)
{
	CHECK_STR(objects("gcc -c a.c -Xassembler -o -MF -o -I -o -x c --param -o"), "gcc.o|a.o");
	CHECK_STR(objects("clang -c -Xclang -o -mllvm -ox -target -o -Xarch_host -o a.c"),
		  "clang.o|a.o");
	CHECK_STR(objects("gcc -c -MF a.d -include b.h -isystem c a.c"), "gcc.o|a.o");
	CHECK_STR(objects("clang -c -MJ a.json -Xarch_arm64 -ox -Xopenmp-target=nvptx64 -o a.c"),
		  "clang.o|a.o");
	CHECK_STR(objects("gcc -c --output-pch p --embed-directory d --dump q a.c"), "gcc.o|a.o");
	/* attached, it takes none */
	CHECK_STR(objects("gcc -Idir -DX -xc -c a.c --param=x=1 --sysroot=/ -MFa.d"), "gcc.o|a.o");
}

TEST(a_word_that_may_be_c_counts)
{
	/* GCC for PowerPC knows -meabi as a flag, Clang gives it an argument */
	CHECK_STR(objects("powerpc-gcc -meabi -c a.c -o a.o"), "a.o");
	CHECK_STR(objects("clang -meabi gnu -c a.c"), "clang.o|gnu.o|a.o");
	/* "-T bss" to Clang 21 */
	CHECK_STR(objects("clang -Tbss -c a.c -o a.o"), "a.o");
	CHECK_STR(objects("gcc -dumpbase x -aux-info y --entry z -c a.c -o a.o"), "a.o");
	CHECK_STR(objects("cc -unknown-option -c a.c -o a.o"), "a.o");
	/* even the argument of an option */
	CHECK_STR(objects("gcc a.c -o x -Xlinker -c"), "x");
	CHECK_STR(objects("clang -mllvm -c a.c"), "clang.o|a.o");
}

TEST(an_option_that_begins_with_o_may_be_no_output)
{
	/* each is an option of Clang, and an attached output to GCC */
	CHECK_STR(objects("cc -c a.c -object"), "cc.o|a.o|bject");
	CHECK_STR(objects("cc -c a.c -objects"), "cc.o|a.o|bjects");
	CHECK_STR(objects("cc -c a.c -object-file-name=z"), "cc.o|a.o|bject-file-name=z");
	CHECK_STR(objects("cc -objcmt-migrate-all -c a.c -o x.o"), "x.o");
	CHECK_STR(objects("cc -c a.c -omit-frame-pointer"), "mit-frame-pointer");
	CHECK_STR(objects("cc -O2 -Os -c a.c --optimize --omit-frame-pointer --offload=x"),
		  "cc.o|a.o");
	CHECK_STR(objects("cc -c a.c -o= "), "=");
}

TEST(others_may_stand_before_the_compiler)
{
	CHECK_STR(objects("ccache gcc -c a.c -o a.o"), "a.o");
	CHECK_STR(objects("distcc btfenc --launch --strip_dwarf -- gcc -c a.c -o a.o"), "a.o");
	CHECK_STR(objects("env X=1 nice -n 10 gcc-12 -c a.c -o a.o"), "a.o");
}

/* objects() of "gcc @FILE" where @text stands in FILE; "@" in it is that file again. */
static const char *objects_of_file(const char *text)
{
	fresh_folder();
	FILE *out = fopen("rsp", "w");
	CHECK(out);
	for (const char *p = text; *p; p++)
		fprintf(out, *p == '@' ? "@rsp" : "%c", *p);
	CHECK_EQ(fclose(out), 0);
	return objects("gcc @rsp");
}

TEST(response_files_are_read)
{
	CHECK_STR(objects_of_file("-c a.c -o x.o"), "x.o");
	CHECK_STR(objects_of_file("  -c\n\ta.c\r\n-o\n\nx.o\n"), "x.o");
	CHECK_STR(objects_of_file("-c -o 'x y.o'"), "x y.o");
	CHECK_STR(objects_of_file("-c -o \"x y\".o"), "x y.o");
	CHECK_STR(objects_of_file("-c -o x\\ y\\\\.o"), "x y\\.o");
	CHECK_STR(objects_of_file("-c -o 'not ended"), "not ended");
	CHECK_STR(objects_of_file("-c -o ''"), "");
	CHECK_STR(objects_of_file("-c -o x.o\\"), "x.o\\");
	CHECK_STR(objects_of_file(""), "");
	CHECK_STR(objects_of_file(" \n "), "");
	CHECK_STR(objects("gcc -c a.c @/nowhere/at.all -o x.o"), "x.o");
	CHECK_STR(objects("gcc -c a.c @ -o x.o"), "x.o");
	/* no file, and btfenc does not wait for its end */
	CHECK_STR(objects("gcc -c a.c @/dev/zero -o x.o"), "x.o");
}

TEST(response_files_are_read_with_the_quoting_of_old_and_of_new_compilers)
{
	CHECK_STR(objects_of_file("-c -o 'it\\'s.o' -g"), "it's.o|it\\s.o -g");
	CHECK_STR(objects_of_file("-c -o 'x\\y.o'"), "xy.o|x\\y.o");
	CHECK_STR(objects_of_file("-c -o \"x\\y.o\""), "xy.o|x\\y.o");
	CHECK_STR(objects_of_file("-c -o \"x\\'.o\""), "x'.o|x\\'.o");
	CHECK_STR(objects_of_file("-c -o \"\\\"\\\\\\$\\`.o\""), "\"\\$`.o");
	CHECK_STR(objects_of_file("-c -o x\\\ny.o"), "x\ny.o|xy.o");
	CHECK_STR(objects_of_file("-c -o \"x\\\ny.o\""), "x\ny.o|xy.o");
	CHECK_STR(objects_of_file("-c -o x\\'y.o"), "x'y.o");
	/* a word that ends elsewhere hides what follows */
	CHECK_STR(objects_of_file("-c '-DX=\\'x\\'' a.c"), "gcc.o|a.o");
	CHECK_STR(objects_of_file("-c '-DX=\\' a.c"), "gcc.o|a.o");
}

TEST(a_response_file_that_names_itself_comes_to_an_end)
{
	CHECK_STR(objects_of_file("-c -o x.o @"), "x.o");
	CHECK_STR(objects_of_file("@ @ @ -c -o x.o"), "x.o");
}

/* Does the line promise an object with debug information? */
static bool expects_debug(const char *line)
{
	CLEANUP(compiler_line_release) struct compiler_line l = { 0 };

	read_line(line, &l);
	return l.expects_debug;
}

/* Each of the options between "|" in @options, with -c and without. */
static void check_debug(const char *options, bool with_c)
{
	char *text = test_keep(mem_strdup(options)), *next = text, line[64];

	for (const char *option; (option = strsep(&next, "|"));) {
		IN_ROW(option);
		snprintf(line, sizeof(line), "gcc %s -c a.c", option);
		CHECK_EQ(expects_debug(line), with_c);
		snprintf(line, sizeof(line), "gcc %s a.c", option);
		CHECK(!expects_debug(line));
	}
}

TEST(debug_information_is_expected_with_c_and_g)
{
	check_debug("-g|-g1|-g3|-ggdb|-ggdb3|-gmlt|-gdwarf|-gdwarf-5|-gsplit-dwarf|-g0 -g"
		    "|-gline-tables-only",
		    true);
	check_debug(
		"|-O2|-g0|-ggdb0|-g -g0|-gno-column-info|-gz|-gstrict-dwarf|-g -E|-g -S|-g -M|-g -MM"
		"|-g -###|-g -fsyntax-only|-g --version|-g -x c-header|-g --help=common|-g b.h"
		"|-g -print-file-name=x",
		false);
	CHECK(expects_debug("gcc -g -c a.c -MD -MF a.d -include b.h -save-temps -pipe"));
}
