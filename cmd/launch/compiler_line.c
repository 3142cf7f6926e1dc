/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compiler_line.c - see compiler_line.h
 *
 * Only few of the thousands of options of GCC and Clang matter here: -c, -o and -g, and the options that
 * take the next word as their argument, so that this word is not taken for one of these or for an input.
 *
 * A wrong guess in one direction costs an object its BTF; a wrong guess in the other adds a name, and the
 * caller checks whether there is a new object of that name. So each doubt adds a name:
 *
 *  - A "-c" anywhere means that objects may be made, even one that is the argument of another option.
 *  - An option takes the next word only if it does so in each compiler that knows the option. -meabi takes an
 *    argument in Clang and none in GCC for PowerPC; -Tbss is an option of GCC, but "-T bss" to Clang 21. The
 *    argument then counts as an input.
 *  - The meaning of the whole line is not determined: whether -E or -S override -c, which inputs only a linker
 *    reads, or which word is the compiler behind that of ccache.
 */
#include "cmd/launch/compiler_line.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "loader/elf/raw_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Options whose argument is the next word in each compiler that knows the option: GCC 12 and 16 for nine
 * machines, Clang 14 and 21. Those of GCC come first. The options of Darwin's linker are missing, because
 * their arguments are names of files or numbers.
 */
static const char take_next[] =
	"--assert --define-macro --dump --dumpbase --dumpbase-ext --dumpdir --embed-directory "
	"--for-assembler --for-linker --force-link --imacros --include --include-directory "
	"--include-directory-after --include-prefix --include-with-prefix "
	"--include-with-prefix-after --include-with-prefix-before --language "
	"--library-directory --output-pch --param --prefix --specs --sysroot --undefine-macro "
	"-A -B -D -F -G -I -J -L -MF -MQ -MT -T -U -Xassembler -Xlinker -Xpreprocessor -e -h "
	"-idirafter -imacros -imultiarch -imultilib -include -iprefix -iquote -isysroot "
	"-isystem -iwithprefix -iwithprefixbefore -l -specs -u -wrapper -x -z "
	"--analyzer-output --config --dyld-prefix --no-system-header-prefix --rtlib "
	"--serialize-diagnostics --std --stdlib --system-header-prefix --vfsoverlay -MJ -V "
	"-Xanalyzer -Xarch_device -Xarch_host -Xclang -Xcuda-fatbinary -Xcuda-ptxas "
	"-Xopenmp-target -arch -b -cxx-isystem -fdebug-compilation-dir "
	"-fmodule-implementation-of -fmodules-user-build-path -ftrapv-handler "
	"-iapinotes-modules -iframework -iframeworkwithsysroot -ivfsoverlay -iwithsysroot "
	"-mllvm -mmlir -module-dependency-dir -mthread-model -resource-dir -rpath "
	"-serialize-diagnostics -stdlib++-isystem -target";

/* The same for all options that begin with these. */
static const char take_next_prefixes[] = "-Xarch_ -Xopenmp-target=";

/* With these the command makes no object. */
static const char make_none[] =
	"-### -E -M -MM -S -dumpfullversion -dumpmachine -dumpspecs -dumpversion "
	"-fsyntax-only --analyze --assemble --dependencies --help --precompile --preprocess "
	"--target-help --user-dependencies --version";

/* A response file that names itself has no end. */
enum { MAX_RESPONSE_FILES = 64 };

/* How response files are quoted, see cut_word(). */
enum quoting { QUOTING_GNU, QUOTING_POSIX };

struct reader {
	enum quoting quoting;
	/* the rest of the words, the next one last */
	VEC(const char *) words;
	size_t nr_response_files;
	struct arena *names;
};

static void reader_release(struct reader *r)
{
	free(r->words.items);
}

/* --- response files ------------------------------------------------------------------------ */

/* Does a backslash in front of @next, inside of quotation marks @quote ('\0': outside), quote it? */
static bool backslash_quotes(enum quoting quoting, char quote, char next)
{
	if (quoting == QUOTING_GNU || !quote)
		return true;
	return quote == '"' && strchr("\"\\$`\n", next);
}

/*
 * Return the next word of the text up to @end, or NULL if there is none. The word is unquoted in
 * place; there is room for a NUL behind @end. White space separates words unless it is quoted.
 *
 * Compilers differ in what a backslash means. For Clang, and GCC up to 14, it quotes the next
 * character, inside of quotation marks as well (QUOTING_GNU). For GCC 16 a backslash inside of single
 * ones is a character like others, inside of double ones it quotes " \ $ ` only, and outside of single
 * ones it continues a line (QUOTING_POSIX).
 */
static const char *cut_word(enum quoting quoting, char **text, const char *end)
{
	char *p = *text, quote = '\0';

	while (p < end && isspace((unsigned char)*p))
		p++;
	if (p == end)
		return NULL;

	char *word = p, *to = p;
	for (; p < end && (quote || !isspace((unsigned char)*p)); p++) {
		if (*p == '\\' && p + 1 < end && backslash_quotes(quoting, quote, p[1])) {
			p++;
			if (quoting != QUOTING_POSIX || *p != '\n')
				*to++ = *p;
		} else if (quote ? *p == quote : *p == '\'' || *p == '"') {
			quote = quote ? '\0' : *p;
		} else {
			*to++ = *p;
		}
	}
	*text = p < end ? p + 1 : p;
	*to = '\0';
	return word;
}

/* Only files: a pipe can be read once, by the compiler. */
static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Put the words of @path in front of the rest. False if @path is an ordinary word. */
static bool expand(struct reader *r, const char *path)
{
	uint8_t *bytes = NULL;
	size_t len = 0, first = r->words.nr;

	if (r->nr_response_files == MAX_RESPONSE_FILES || !is_file(path))
		return false;

	struct err *e = raw_file_read(path, &bytes, &len);
	if (e) {
		err_free(e);
		return false;
	}
	r->nr_response_files++;

	char *text = arena_strndup(r->names, (const char *)bytes, len), *end = text + len;
	const char *word;
	while ((word = cut_word(r->quoting, &text, end)))
		vec_push(&r->words, word);
	free(bytes);
	for (size_t i = first, k = r->words.nr; i + 1 < k; i++) {
		const char *swapped = r->words.items[i];

		r->words.items[i] = r->words.items[--k];
		r->words.items[k] = swapped;
	}
	return true;
}

/* ------------------------------------------------------------------------------------------ */

static const char *next_word(struct reader *r)
{
	while (r->words.nr) {
		const char *word = r->words.items[--r->words.nr];

		if (word[0] != '@' || !word[1] || !expand(r, word + 1))
			return word;
	}
	return NULL;
}

/* Is @word in @list, which has blanks between its words? @prefixes: does it begin with one of them? */
static bool is_in(const char *word, const char *list, bool prefixes)
{
	for (size_t len; *list; list += len + (list[len] == ' ')) {
		len = strcspn(list, " ");
		if (!strncmp(word, list, len) && (prefixes || !word[len]))
			return true;
	}
	return false;
}

/* -o FILE, -oFILE, --output FILE, --output=FILE; NULL if @word is none of these. */
static const char *output(struct reader *r, const char *word)
{
	static const char name[] = "--output";
	const size_t len = sizeof(name) - 1;

	if (starts_with(word, "-o"))
		return word[2] ? word + 2 : next_word(r);
	if (!starts_with(word, name))
		return NULL;
	if (word[len] == '=')
		return word + len + 1;
	return word[len] ? NULL : next_word(r);
}

/*
 * DIR of Clang's -working-directory DIR or -working-directory=DIR, in Clang 14 also -working-directoryDIR;
 * NULL if @word is none of these.
 */
static const char *folder(struct reader *r, const char *word)
{
	static const char name[] = "-working-directory";

	if (!starts_with(word, name))
		return NULL;
	word += sizeof(name) - 1;
	return *word ? word + (*word == '=') : next_word(r);
}

/* @name as a path from here, if the compiler works in @dir; NULL: in the current folder. */
static const char *in_folder(const char *dir, const char *name, struct arena *names)
{
	size_t size = (dir ? strlen(dir) : 0) + strlen(name) + sizeof("/");
	char *path;

	if (!dir || name[0] == '/')
		return arena_strndup(names, name, strlen(name));
	path = arena_alloc(names, size);
	snprintf(path, size, "%s/%s", dir, name);
	return path;
}

/* "dir/a.b.c" -> "a.b.o", where the compiler is; "-" -> "-.o". */
static const char *object_of(const char *input, struct arena *names)
{
	const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input;
	const char *dot = strrchr(base, '.');
	size_t len = dot && dot != base ? (size_t)(dot - base) : strlen(base);
	size_t size = len + sizeof(".o");
	char *name = arena_alloc(names, size);

	snprintf(name, size, "%.*s.o", (int)len, base);
	return name;
}

/* Does @word switch debug information on or off? Of several options the last counts. */
static void read_debug_option(const char *word, bool *debug)
{
	static const char on[] = "-g -g1 -g2 -g3 -gfull -gline-tables-only -gmlt -gsplit-dwarf";

	if (is_in(word, "-g0 -ggdb0", false))
		*debug = false;
	else if (is_in(word, on, false) || is_in(word, "-gdwarf -ggdb", true))
		*debug = true;
}

/* A header becomes a precompiled one: gcc -c a.h */
static bool is_header(const char *input)
{
	const char *dot = strrchr(input, '.');

	return dot && is_in(dot, ".h .H .hh .hp .hxx .hpp .HPP .h++", false);
}

static bool makes_none(const char *word)
{
	return is_in(word, make_none, false) || is_in(word, "-print- --print- --help=", true);
}

/* The part of a line that was read so far. */
struct line {
	struct file_list objects; /* of the inputs; the names are not its own */
	const char *out, *dir;
	bool compiles, debug, makes_none;
};

static void read_word(struct line *l, struct reader *r, const char *word)
{
	const char *name;

	l->compiles |= is_in(word, "-c --compile", false);
	l->makes_none |= makes_none(word);
	read_debug_option(word, &l->debug);
	if (is_in(word, take_next, false) || is_in(word, take_next_prefixes, true)) {
		const char *next = next_word(r);

		l->compiles |= next && !strcmp(next, "-c");
		l->makes_none |= next && !strcmp(word, "-x") && strstr(next, "-header");
	} else if (starts_with(word, "-obj")) {
		/* -object, -objcmt-* and -object-file-name of Clang; to GCC an attached output */
		vec_push(&l->objects, word + 2);
	} else if ((name = output(r, word))) {
		l->out = name;
	} else if ((name = folder(r, word))) {
		l->dir = name;
	} else if (word[0] != '-' || !word[1]) {
		/* the words after "--" may be a compiler with its options, as with ccache */
		vec_push(&l->objects, object_of(word, r->names));
		l->makes_none |= is_header(word);
	}
}

static bool has_item(const struct file_list *l, const char *name)
{
	for (size_t i = 0; i < l->nr; i++) {
		if (!strcmp(l->items[i], name))
			return true;
	}
	return false;
}

/* Add what the words mean with @quoting to @ret. Returns whether they contain response files. */
static bool read_line(const char *const *words, size_t nr, enum quoting quoting,
		      struct compiler_line *ret)
{
	struct file_list *objects = &ret->objects;
	CLEANUP(reader_release) struct reader r = { .quoting = quoting, .names = &objects->names };
	struct line l = { 0 };
	const char *word;

	while (nr)
		vec_push(&r.words, words[--nr]);
	while ((word = next_word(&r)))
		read_word(&l, &r, word);
	if (l.out) {
		l.objects.nr = 0;
		vec_push(&l.objects, l.out);
	}
	for (size_t i = 0; l.compiles && i < l.objects.nr; i++) {
		const char *name = in_folder(l.dir, l.objects.items[i], &objects->names);

		if (quoting == QUOTING_GNU || !has_item(objects, name))
			vec_push(objects, name);
	}
	file_list_release(&l.objects);
	ret->expects_debug |= l.compiles && l.debug && !l.makes_none;
	return r.nr_response_files > 0;
}

void compiler_line_read(const char *const *words, size_t nr, struct compiler_line *ret)
{
	/* Which compiler runs behind ccache or env is not known, so both quotings are tried. */
	if (read_line(words, nr, QUOTING_GNU, ret))
		read_line(words, nr, QUOTING_POSIX, ret);
}

void compiler_line_release(struct compiler_line *l)
{
	file_list_release(&l->objects);
	*l = (struct compiler_line){ 0 };
}
