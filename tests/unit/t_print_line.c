/* SPDX-License-Identifier: GPL-2.0-only */
/* t_print_line.c - what a terminal would obey is written out, and nothing else */
#include "cmd/print/print_line.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK_PRINTED(print, in, out)                         \
	do {                                                  \
		struct text text_ = { 0 };                    \
		print(&text_, in);                            \
		CHECK_STR(test_keep(text_take(&text_)), out); \
	} while (0)

TEST(what_can_be_shown_is)
{
	CHECK_PRINTED(text_escape, "", "");
	CHECK_PRINTED(text_escape, "it's a \\ ~", "it's a \\ ~");
	CHECK_PRINTED(text_escape, "\xc3\xa9\xe2\x82\xac", "\xc3\xa9\xe2\x82\xac");
}

TEST(control_characters_of_either_set_are_not)
{
	CHECK_PRINTED(text_escape, "a\n\x1b[31m\x7f", "a\\x0a\\x1b[31m\\x7f");
	CHECK_PRINTED(text_escape, "\xc2\x9b\xc2\xa0", "\\xc2\\x9b\xc2\xa0");
}

TEST(characters_that_turn_the_text_around_are_not)
{
	CHECK_PRINTED(text_escape, "\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\xa8",
		      "\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xd8\\x9c\\xe2\\x80\\xa8");
	/* their neighbours */
	CHECK_PRINTED(text_escape, "\xe2\x80\xaf\xe2\x81\xa5\xd8\x9b\xe2\x80\xa7",
		      "\xe2\x80\xaf\xe2\x81\xa5\xd8\x9b\xe2\x80\xa7");
}

static const struct {
	const char *name, *as;
	bool is_base; /* it is the name of a base type */
} c_names[] = {
	{ "list_head", NULL, true },
	{ "r\xc3\xa9sum\xc3\xa9", NULL, true },
	{ "long unsigned int", "long_x20unsigned_x20int", true },
	{ "int", "_x69nt", true },
	{ "bool", NULL, true },
	{ "0a1", "_x30a1", false },
	{ "a b", "a_x20b", true },
	{ "a ", "a_x20", false },
	{ " a", "_x20a", false },
	{ "a  b", "a_x20_x20b", false },
	{ "a;b\xff\n", "a_x3bb_xff_x0a", false },
	{ "x\xe2\x80\xae", "x_xe2_x80_xae", false },
};

TEST_EACH(names_that_c_does_not_have_are_replaced, c_names, c)
{
	CHECK_EQ(c_name_fits(c->name, C_IDENTIFIER), !c->as);
	CHECK_EQ(c_name_fits(c->name, C_BASE_TYPE), c->is_base);
	CHECK_PRINTED(text_c_name, c->name, c->as ? c->as : c->name);
}

/* a terminal of Latin-1 takes 0x9b for the start of a sequence */
TEST(nor_are_bytes_of_no_character)
{
	CHECK_PRINTED(text_escape,
		      "\x9b"
		      "a\xc3",
		      "\\x9b"
		      "a\\xc3");
	CHECK_PRINTED(text_escape,
		      "\xe2\x82"
		      "b",
		      "\\xe2\\x82"
		      "b");
}

TEST(a_name_is_cut_at_the_end_of_a_character)
{
	char name[600], expected[600];

	memset(name, 'x', sizeof(name));
	name[512] = 0;
	CHECK_PRINTED(text_escape_name, name, name);
	memcpy(expected, name, 512);
	memcpy(expected + 512, "...", 4);
	memcpy(name + 512, "x", 2);
	CHECK_PRINTED(text_escape_name, name, expected);
	memcpy(name + 511, "\xc3\xa9y", 4);
	memcpy(expected, name, 513);
	memcpy(expected + 513, "...", 4);
	CHECK_PRINTED(text_escape_name, name, expected);
	CHECK_PRINTED(text_escape, name, name);
}

/* The write fails early, the flush at the end succeeds. */
static void fail_and_flush(void)
{
	static char small[64];
	int null = open("/dev/null", O_WRONLY);

	if (!freopen("/dev/full", "w", stdout) || null < 0)
		_exit(2);
	setvbuf(stdout, small, _IOFBF, sizeof(small));
	for (int i = 0; i < 100; i++)
		putchar('x');
	dup2(null, STDOUT_FILENO);

	struct err *e = print_flush();
	_exit(e && strstr(err_text(e), "cannot write to standard output: Input/output error") ? 0 :
												1);
}

TEST(a_write_that_failed_is_an_error_whatever_comes_later)
{
	int status;

	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0)
		fail_and_flush();
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK_EQ(status, 0);
}
