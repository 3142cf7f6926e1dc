/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_launch.c - run a compiler, and encode the objects that it makes
 *
 * A build, or a compiler cache, sees one compiler. If the compiler succeeds, each object that it made is
 * encoded in place. An object that cannot be encoded is removed and the build fails, as it does
 * when a compiler fails.
 */
#include "base/cleanup.h"
#include "base/critical.h"
#include "base/file_io.h"
#include "base/vec.h"
#include "cmd/jobs/jobs.h"
#include "cmd/launch/child.h"
#include "cmd/launch/compiler_line.h"
#include "loader/elf/object.h"
#include "loader/elf/raw_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct launch {
	const struct options *opt;
	char **argv;
	struct compiler_line line;
	/* the state of each of line.objects before; st_nlink 0 for none */
	struct stat *before;
	/* the indexes of the objects that it made, and how many are encoded */
	VEC(size_t) made;
	size_t done;
};

static void launch_release(struct launch *l)
{
	compiler_line_release(&l->line);
	FREE_ALL(l->argv, l->before, l->made.items);
}

static struct stat stat_of(const char *path)
{
	struct stat st = { 0 };

	if (stat(path, &st) != 0)
		st.st_nlink = 0;
	return st;
}

/* Was @path written by the command? A device, or a pipe, counts. */
static bool is_new(const char *path, const struct stat *before)
{
	struct stat now = stat_of(path);

	return now.st_nlink && (!S_ISREG(now.st_mode) || !file_is_unchanged(before, &now));
}

/* Not assembler text, a precompiled header, the LTO bitcode of clang, or a device. */
static bool is_elf(const char *path)
{
	struct stat now = stat_of(path);

	return S_ISREG(now.st_mode) && raw_file_starts_with(path, ELFMAG, SELFMAG);
}

/*
 * An ELF file that keeps what the compiler put in:
 *
 *  - GCC's intermediate code. The linker asks the compiler for an object with other types and addresses, and
 *    its debug information refers to that of this one.
 *  - An object for BPF. There the compiler makes the BTF itself, and .BTF.ext, which refers to it.
 *  - A linked file: "ionice -c 2 gcc a.c -o a" has a -c, which is not the compiler's.
 */
static bool is_not_ours(const char *path)
{
	CLEANUP(object_close) struct object o = { 0 };
	struct err *e = object_open_bare(path, &o);

	if (e) {
		err_free(e); /* encoding it reports the same */
		return false;
	}
	for (size_t i = 1; i < o.nr_sections; i++) {
		if (starts_with(o.sections[i].name, ".gnu.lto_"))
			return true;
	}
	return o.machine == EM_BPF || !o.is_rel;
}

static void prepare(struct launch *l)
{
	const struct strings *words = &l->opt->files;

	l->argv = mem_zalloc(words->nr + 1, sizeof(*l->argv));
	for (size_t i = 0; i < words->nr; i++)
		l->argv[i] = (char *)words->items[i];
	compiler_line_read(words->items, words->nr, &l->line);
	l->before = mem_zalloc(l->line.objects.nr, sizeof(*l->before));
	for (size_t i = 0; i < l->line.objects.nr; i++)
		l->before[i] = stat_of(l->line.objects.items[i]);
}

/*
 * Warn if there is no file at all where an object with debug information was expected: the command line was
 * misunderstood, and the object is elsewhere and has no BTF.
 */
static void find_made(struct launch *l, struct diagnostics *diags)
{
	const struct file_list *objects = &l->line.objects;
	bool any_new = false;

	for (size_t i = 0; i < objects->nr; i++) {
		const char *path = objects->items[i];

		if (!is_new(path, &l->before[i]))
			continue;
		any_new = true;
		if (is_elf(path) && !is_not_ours(path))
			vec_push(&l->made, i);
	}
	if (l->line.expects_debug && !any_new)
		diag_add(diags, DIAG_WARNING,
			 "'--launch': the command made no object '%s', no BTF is generated",
			 objects->nr ? objects->items[objects->nr - 1] : "");
}

/* Remove objects that are not encoded. May be called in a signal handler. */
static void remove_rest(void *arg)
{
	const struct launch *l = arg;

	for (size_t i = l->done; i < l->made.nr; i++)
		unlink(l->line.objects.items[l->made.items[i]]);
}

/* Encode each object, and go on after an error, as compilers go on with the next input. */
static struct err *encode_made(struct launch *l, struct diagnostics *diags)
{
	struct reporting none = { 0 };
	struct err *last = NULL;

	for (; l->done < l->made.nr; l->done++) {
		const char *path = l->line.objects.items[l->made.items[l->done]];
		struct file_ref file = file_ref_of(path);
		const struct file_refs one = { .items = &file, .nr = 1 };
		struct err *e = job_encode_files(l->opt, &l->opt->encode, &one, NULL, &none, NULL,
						 diags);

		if (!e)
			continue;
		unlink(path);
		diag_keep_last(diags, &last, e);
	}
	return last;
}

static struct err *run(struct launch *l, struct diagnostics *diags, struct child_end *end)
{
	TRY(child_run(l->argv, end));
	if (end->status)
		return NULL;
	find_made(l, diags);
	if (end->told) {
		/* the command ended before the signal reached it */
		remove_rest(l);
		end->signal = end->told;
		return NULL;
	}
	struct err *e = encode_made(l, diags);
	if (e)
		end->status = EXIT_FAILURE;
	return e;
}

struct err *job_launch(const struct options *opt, struct diagnostics *diags, int *ret_status)
{
	CLEANUP(launch_release) struct launch l = { .opt = opt };
	struct child_end end;
	struct critical guard;

	prepare(&l);
	critical_begin(&guard, remove_rest, &l);
	struct err *e = run(&l, diags, &end);
	/* a signal during encoding takes effect here, when all objects are complete */
	critical_end(&guard);
	if (!e && end.signal)
		child_die_of(end.signal);
	*ret_status = end.status;
	return e;
}
