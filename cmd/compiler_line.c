/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compiler_line.c - see compiler_line.h
 *
 * Of the thousands of options that GCC and Clang have little matters here: -c, -o, and which words are
 * the arguments of others, so as not to be mistaken for these two or for an input.
 *
 * What the line means in the end (-E or -S beside -c, -fsyntax-only, -###, "-x c-header", an input that only
 * a linker would read, the name of the compiler behind that of ccache) is not asked. Whoever uses the names
 * looks whether there is a new object behind them, so one too many does no harm; a list of options that
 * have to be known would be wrong with the next compiler.
 */
#include "cmd/compiler_line.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "loader/raw_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The options whose argument is the next word if nothing is attached: those of GCC's manual ("Option
 * Summary", and the long names of its common.opt and c.opt), then those that only Clang has.
 */
static const char *const take_next[] = {
	"-A",
	"-B",
	"-D",
	"-F",
	"-G",
	"-I",
	"-L",
	"-MF",
	"-MQ",
	"-MT",
	"-T",
	"-Tbss",
	"-Tdata",
	"-Ttext",
	"-U",
	"-Xassembler",
	"-Xlinker",
	"-Xpreprocessor",
	"-aux-info",
	"-dumpbase",
	"-dumpbase-ext",
	"-dumpdir",
	"-e",
	"-h",
	"-idirafter",
	"-imacros",
	"-imultilib",
	"-include",
	"-iprefix",
	"-iquote",
	"-isysroot",
	"-isystem",
	"-iwithprefix",
	"-iwithprefixbefore",
	"-l",
	"-specs",
	"-u",
	"-wrapper",
	"-x",
	"-z",
	"--assert",
	"--define-macro",
	"--dumpbase",
	"--dumpbase-ext",
	"--dumpdir",
	"--entry",
	"--for-assembler",
	"--for-linker",
	"--force-link",
	"--imacros",
	"--include",
	"--include-directory",
	"--include-directory-after",
	"--include-prefix",
	"--include-with-prefix",
	"--include-with-prefix-after",
	"--include-with-prefix-before",
	"--language",
	"--library-directory",
	"--param",
	"--prefix",
	"--specs",
	"--sysroot",
	"--undefine-macro",

	"-Xanalyzer",
	"-Xclang",
	"-Xopenmp-target",
	"-arch",
	"-c-isystem",
	"-cxx-isystem",
	"-fmodule-implementation-of",
	"-gcc-toolchain",
	"-iframework",
	"-isystem-after",
	"-ivfsoverlay",
	"-iwithsysroot",
	"-meabi",
	"-mllvm",
	"-mmlir",
	"-mthread-model",
	"-rpath",
	"-serialize-diagnostics",
	"-target",
	"--serialize-diagnostics",
};

/* One that names itself would go on forever. */
enum { MAX_RESPONSE_FILES = 64 };

/* How response files are quoted, see cut_word(). */
enum quoting { QUOTING_GNU, QUOTING_POSIX };

struct reader {
	enum quoting quoting;
	/* those to come, the next one last */
	struct {
		const char **items;
		size_t nr, cap;
	} words;
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

/* Only files: a pipe can be read once, and that is the compiler's. */
static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Put the words of @path in front of what is to come. False if it is a word like others. */
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

static bool takes_next(const char *option)
{
	for (size_t i = 0; i < ARRAY_SIZE(take_next); i++) {
		if (!strcmp(option, take_next[i]))
			return true;
	}
	return false;
}

/* -o FILE, -oFILE, --output FILE, --output=FILE; NULL if @word is none of these. */
static const char *output(struct reader *r, const char *word)
{
	static const char name[] = "--output";
	const size_t len = sizeof(name) - 1;

	if (!strncmp(word, "-o", 2))
		return word[2] ? word + 2 : next_word(r);
	if (strncmp(word, name, len) != 0)
		return NULL;
	if (word[len] == '=')
		return word + len + 1;
	return word[len] ? NULL : next_word(r);
}

/* Of Clang: DIR of -working-directory DIR or -working-directory=DIR; NULL if @word is neither. */
static const char *folder(struct reader *r, const char *word)
{
	static const char name[] = "-working-directory";
	const size_t len = sizeof(name) - 1;

	if (strncmp(word, name, len) != 0 || (word[len] && word[len] != '='))
		return NULL;
	return word[len] ? word + len + 1 : next_word(r);
}

/* @name, where the compiler finds it if it works in @dir; NULL: where it was called. */
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

static bool has_item(const struct file_list *l, const char *name)
{
	for (size_t i = 0; i < l->nr; i++) {
		if (!strcmp(l->items[i], name))
			return true;
	}
	return false;
}

/* Add the objects to @ret. Returns whether the words contain response files. */
static bool add_objects(const char *const *words, size_t nr, enum quoting quoting,
			struct file_list *ret)
{
	CLEANUP(reader_release) struct reader r = { .quoting = quoting, .names = &ret->names };
	CLEANUP(file_list_release) struct file_list l = { 0 };
	const char *word, *out = NULL, *dir = NULL;
	bool compiles = false;

	while (nr)
		vec_push(&r.words, words[--nr]);
	while ((word = next_word(&r))) {
		const char *o = output(&r, word), *d = folder(&r, word);

		if (o)
			out = o;
		else if (d)
			dir = d;
		else if (!strcmp(word, "-c") || !strcmp(word, "--compile"))
			compiles = true;
		else if (takes_next(word))
			(void)next_word(&r);
		/* what stands behind "--" may be a compiler with its options, see ccache and us */
		else if (word[0] != '-' || !word[1])
			vec_push(&l, object_of(word, &ret->names));
	}
	if (out) {
		l.nr = 0;
		vec_push(&l, out);
	}
	for (size_t i = 0; compiles && i < l.nr; i++) {
		const char *name = in_folder(dir, l.items[i], &ret->names);

		if (quoting == QUOTING_GNU || !has_item(ret, name))
			vec_push(ret, name);
	}
	return r.nr_response_files > 0;
}

void compiler_line_objects(const char *const *words, size_t nr, struct file_list *ret)
{
	/* Which compiler runs behind ccache or env is not known, so both quotings are tried. */
	if (add_objects(words, nr, QUOTING_GNU, ret))
		add_objects(words, nr, QUOTING_POSIX, ret);
}
