/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * faults.c - let each system call of a run fail, and look what became of the files
 *
 *	faults [OPTION...] FOLDER TARGET[,TARGET] COMMAND [ARGUMENT...]
 *
 * Runs COMMAND in a copy of FOLDER once, which gives the new TARGETs; and then again and again in
 * fresh copies, with each of its system calls
 *
 *	failing with each error that it can have,
 *	failing from then on (if it is one that needs room on a disk),
 *	transferring a single byte (if it transfers any),
 *	being the last one before SIGKILL,
 *	being the last one before SIGTERM,
 *	being the last one before somebody cuts the first target to no byte, or half of them.
 *
 * After each run a target is the old one or the new one, byte for byte; status 0 means that all are
 * new; else one line says what happened; no other file is left. After SIGKILL a temporary file may
 * be left, and more states of a file are whole: the old or the new one with bytes behind its
 * end ("+"), and an ELF file that is the new one but for a gap; then COMMAND, run once more, makes
 * of all but the second the new one. Prints a table by system call, and each breach; exit status 1
 * if there is any.
 *
 * What becomes of a file while somebody else cuts it is not ours to say; but we do not die of it.
 *
 * What the dynamic linker does if it is not given what it needs is its own business; then only
 * the files count.
 *
 *	--no-proc  without /proc
 *	--no-temp  without files that have no name (O_TMPFILE)
 *	--quick    from main() on, no signals, and of errors the first alone: for a sanitizer, which
 *	           has calls of its own
 *	--once     do not run it again after SIGKILL
 */
#include "base/cleanup.h"
#include "base/file_io.h"
#include "encoder/elf_out/section_table.h"
#include "tests/lib/inject.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- files ------------------------------------------------------------------------------- */

struct file {
	char *name;
	uint8_t *bytes; /* NULL: it is not there */
	size_t len;
	mode_t mode;
};

struct files {
	struct file *items;
	size_t nr, cap;
};

static void die(const char *what, const char *name)
{
	fprintf(stderr, "faults: %s '%s': %s\n", what, name, strerrordesc_np(errno));
	exit(2);
}

static struct file file_read(int dir, const char *name)
{
	CLEANUP(file_close) int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	struct file f = { .name = mem_strdup(name) };
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return f;
	if (fd < 0 || fstat(fd, &st) != 0)
		die("cannot read", name);
	f.mode = st.st_mode & 07777;
	f.len = (size_t)st.st_size;
	f.bytes = mem_alloc(f.len);
	if (read(fd, f.bytes, f.len) != (ssize_t)f.len)
		die("cannot read", name);
	return f;
}

static void file_release(struct file *f)
{
	free(f->name);
	free(f->bytes);
}

static bool same_bytes(const struct file *a, const struct file *b)
{
	return !a->bytes == !b->bytes && a->len == b->len &&
	       (!a->bytes || !memcmp(a->bytes, b->bytes, a->len));
}

static bool begins_with(const struct file *a, const struct file *b)
{
	return a->bytes && b->bytes && a->len > b->len && !memcmp(a->bytes, b->bytes, b->len);
}

static struct files files_read(const char *folder)
{
	struct files all = { 0 };
	DIR *d = opendir(folder);
	struct dirent *e;

	if (!d)
		die("cannot open", folder);
	while ((e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			vec_push(&all, file_read(dirfd(d), e->d_name));
	}
	closedir(d);
	return all;
}

static void files_release(struct files *all)
{
	for (size_t i = 0; i < all->nr; i++)
		file_release(&all->items[i]);
	free(all->items);
}

static const struct file *files_find(const struct files *all, const char *name)
{
	for (size_t i = 0; i < all->nr; i++) {
		if (!strcmp(all->items[i].name, name))
			return &all->items[i];
	}
	return NULL;
}

static void empty_folder(const char *folder)
{
	CLEANUP(files_release) struct files all = files_read(folder);
	int dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < all.nr; i++)
		unlinkat(dir, all.items[i].name, 0);
	close(dir);
}

static void fill_folder(const char *folder, const struct files *all)
{
	int dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < all->nr; i++) {
		const struct file *f = &all->items[i];
		int fd = openat(dir, f->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, f->mode);

		if (fd < 0 || write(fd, f->bytes, f->len) != (ssize_t)f->len)
			die("cannot write", f->name);
		close(fd);
	}
	close(dir);
}

/* --- an ELF file with a gap, or without -------------------------------------------------- */

static int memory_file(const struct file *f)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (fd < 0 || write(fd, f->bytes, f->len) != (ssize_t)f->len)
		die("cannot copy", f->name);
	return fd;
}

static bool same_section(const struct section_table *a, size_t i, const uint8_t *a_bytes,
			 const struct section_table *b, const uint8_t *b_bytes)
{
	const GElf_Shdr *x = &a->items[i], *y = &b->items[i];

	if (strcmp(section_table_name(a, x), section_table_name(b, y)) ||
	    x->sh_type != y->sh_type || x->sh_link != y->sh_link || x->sh_info != y->sh_info ||
	    x->sh_flags != y->sh_flags || x->sh_addr != y->sh_addr || x->sh_size != y->sh_size ||
	    x->sh_addralign != y->sh_addralign || x->sh_entsize != y->sh_entsize)
		return false;
	return !section_in_file(x) ||
	       !memcmp(a_bytes + x->sh_offset, b_bytes + y->sh_offset, (size_t)x->sh_size);
}

/* Do they differ in nothing but where things stand? */
static bool same_elf(const struct file *a, const struct file *b)
{
	CLEANUP(section_table_release) struct section_table x = { 0 }, y = { 0 };
	bool same = false;

	if (!a->bytes || !b->bytes)
		return false;
	int fd_a = memory_file(a), fd_b = memory_file(b);
	struct err *e = section_table_read(fd_a, a->len, &x);
	if (!e)
		e = section_table_read(fd_b, b->len, &y);
	if (!e)
		same = x.nr == y.nr && x.nr_segments == y.nr_segments;
	for (size_t i = 1; same && i < x.nr; i++)
		same = same_section(&x, i, a->bytes, &y, b->bytes);
	err_free(e);
	close(fd_a);
	close(fd_b);
	return same;
}

/* --- what can happen to which call ------------------------------------------------------- */

enum {
	NEVER = 1,    /* cannot fail, or not so that anybody goes on */
	TRANSFER = 2, /* may do less than asked */
	ROOM = 4,     /* needs room: if there is none, then there is none for a while */
	MEMORY = 8,   /* a sanitizer makes it, too, and does not go on without */
};

struct call {
	uint16_t nr;
	uint8_t flags;
	const char *name;
	int errors[6];
};

#define CALL(name, flags, ...)            \
	{                                 \
		SYS_##name, flags, #name, \
		{                         \
			__VA_ARGS__       \
		}                         \
	}

static const struct call calls[] = {
	CALL(openat, 0, EMFILE, EACCES, EIO, ENOSPC, EINTR),
	CALL(read, TRANSFER, EIO, EINTR),
	CALL(pread64, TRANSFER, EIO, EINTR),
	CALL(write, TRANSFER | ROOM, ENOSPC, EIO, EDQUOT, EINTR),
	CALL(pwrite64, TRANSFER | ROOM, ENOSPC, EIO, EDQUOT, EFBIG, EINTR),
	CALL(copy_file_range, TRANSFER | ROOM, ENOSPC, EIO, EXDEV, EOPNOTSUPP, EINTR),
	CALL(fallocate, ROOM, ENOSPC, EOPNOTSUPP, EINTR),
	CALL(ftruncate, 0, EIO, EPERM),
	CALL(close, 0, EIO, ENOSPC, EINTR),
	CALL(mmap, MEMORY, ENOMEM),
	CALL(brk, MEMORY, ENOMEM),
	CALL(mremap, MEMORY, ENOMEM),
	CALL(munmap, MEMORY, ENOMEM),
	CALL(mprotect, MEMORY, ENOMEM),
	CALL(madvise, MEMORY, EINVAL, ENOMEM),
	CALL(newfstatat, 0, EIO, ENOENT, ENOMEM),
	CALL(fstat, 0, EIO, ENOMEM),
	CALL(stat, 0, EIO, ENOENT),
	CALL(lstat, 0, EIO, ENOENT),
	CALL(statfs, 0, EIO, ENOSYS),
	CALL(fstatfs, 0, EIO, ENOSYS),
	CALL(fcntl, 0, ENOLCK, EINTR, EINVAL),
	CALL(access, 0, ENOENT, EACCES),
	CALL(readlink, 0, EIO, EACCES),
	CALL(linkat, 0, EIO, ENOSPC, EPERM, ENOENT),
	CALL(renameat, 0, EIO, ENOSPC, EACCES, EBUSY),
	CALL(unlinkat, 0, EIO),
	CALL(fchmod, 0, EPERM, EIO),
	CALL(fchown, 0, EPERM),
	CALL(flistxattr, 0, EOPNOTSUPP, ENOMEM),
	CALL(fgetxattr, 0, ENODATA, ENOMEM),
	CALL(fsetxattr, 0, ENOSPC, EPERM),
	CALL(getrandom, 0, ENOSYS, EAGAIN),
	CALL(prlimit64, 0, EPERM),
	CALL(sched_getaffinity, 0, ENOSYS),
	CALL(clone3, 0, ENOSYS, EAGAIN),
	CALL(rt_sigaction, 0, EINVAL),
	CALL(rt_sigprocmask, 0, EINVAL),
	CALL(rseq, NEVER),
	CALL(arch_prctl, NEVER),
	CALL(set_tid_address, NEVER),
	CALL(set_robust_list, NEVER),
	CALL(futex, NEVER),
	CALL(rt_sigreturn, NEVER),
	CALL(exit, NEVER),
	CALL(exit_group, NEVER),
};

static const struct call other_call = { 0, 0, "(others)", { EIO } };

static const struct call *call_of(uint16_t nr)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		if (calls[i].nr == nr)
			return &calls[i];
	}
	return &other_call;
}

/* --- one run and what came of it --------------------------------------------------------- */

enum state { OLD, LONGER, NEW, NEW_LONGER, GAP, BROKEN, NR_STATES };

/* What is counted for each system call, in the order of the columns of the table. */
enum outcome {
	PLACES, /* where the run without faults makes the call */
	REFUSED,
	DONE,
	DONE_ALL_THE_SAME, /* reports an error, but the files are new */
	CUT,
	TERMINATED,
	KILLED, /* by state of the worst target */
	NR_OUTCOMES = KILLED + NR_STATES,
};

struct matrix {
	char **argv;
	char folder[64]; /* where it runs */
	char **targets;
	size_t nr_targets;
	struct files before, after;
	struct inject how; /* what holds for all runs */
	bool quick, once;
	size_t main_at; /* the first call of main() */
	int output;
	size_t rows[ARRAY_SIZE(calls) + 1][NR_OUTCOMES]; /* the last is other_call */
	size_t runs, breaches;
};

static size_t *row_of(struct matrix *m, const struct call *c)
{
	return m->rows[c == &other_call ? ARRAY_SIZE(calls) : (size_t)(c - calls)];
}

/* What is found after a run. */
struct found {
	struct files files;
	struct file said;
	int status;
	enum state worst, best; /* of the targets */
};

static void found_release(struct found *f)
{
	files_release(&f->files);
	file_release(&f->said);
}

static const struct file *find_or_none(const struct files *all, const char *name)
{
	static const struct file none;
	const struct file *f = files_find(all, name);

	return f ? f : &none;
}

static enum state state_of(const struct matrix *m, const struct files *now, const char *name)
{
	const struct file *old = find_or_none(&m->before, name);
	const struct file *new = find_or_none(&m->after, name);
	const struct file *is = find_or_none(now, name);

	if (same_bytes(is, new))
		return NEW;
	if (same_bytes(is, old))
		return OLD;
	if (begins_with(is, new))
		return NEW_LONGER;
	if (begins_with(is, old))
		return LONGER;
	return same_elf(is, new) ? GAP : BROKEN;
}

static struct injected run(const struct matrix *m, const struct inject *how)
{
	if (ftruncate(m->output, 0) || lseek(m->output, 0, SEEK_SET))
		die("cannot empty", "output");
	return inject(how, m->folder, m->output, m->argv);
}

static struct file read_output(const struct matrix *m)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", m->output);
	return file_read(AT_FDCWD, path);
}

static struct found look(const struct matrix *m, int status)
{
	struct found f = { .files = files_read(m->folder),
			   .said = read_output(m),
			   .status = status,
			   .worst = OLD,
			   .best = BROKEN };

	for (size_t i = 0; i < m->nr_targets; i++) {
		enum state s = state_of(m, &f.files, m->targets[i]);

		f.worst = s > f.worst ? s : f.worst;
		f.best = s < f.best ? s : f.best;
	}
	return f;
}

static struct found run_afresh(const struct matrix *m, const struct inject *how)
{
	empty_folder(m->folder);
	fill_folder(m->folder, &m->before);

	struct injected r = run(m, how);
	struct found f = look(m, r.status);
	injected_release(&r);
	return f;
}

/* A file that is there neither before nor after. */
static const char *left_over(const struct matrix *m, const struct found *f, bool temps_may_be)
{
	for (size_t i = 0; i < f->files.nr; i++) {
		const char *name = f->files.items[i].name;

		if (files_find(&m->before, name) || files_find(&m->after, name))
			continue;
		if (!temps_may_be || strncmp(name, ".btfenc-", 8) != 0)
			return name;
	}
	return NULL;
}

static size_t count_lines(const struct file *said)
{
	size_t nr = 0;

	for (size_t i = 0; i < said->len; i++)
		nr += said->bytes[i] == '\n';
	return nr;
}

/* It says what it does not do in one line; of a batch there is another, how many failed. */
static bool said_once(const struct matrix *m, const struct file *said)
{
	static const char prefix[] = "btfenc: ", sum[] = " files failed, ";
	const char *text = (const char *)said->bytes;

	if (said->len < sizeof(prefix) || memcmp(text, prefix, sizeof(prefix) - 1) != 0)
		return false;
	size_t lines = count_lines(said);
	return lines == 1 ||
	       (lines <= m->nr_targets + 1 && memmem(text, said->len, sum, sizeof(sum) - 1));
}

static void breach(struct matrix *m, const struct call *c, const struct inject *how,
		   const struct found *f, const char *what)
{
	static const char *const states[] = { "old",          "old and more",   "new",
					      "new and more", "new with a gap", "broken" };
	static const char *const ways[] = { "nothing", "error",  "errors",
					    "short",   "signal", "cut to" };

	m->breaches++;
	char value[16] = "";
	if (how->what == INJECT_CUT)
		snprintf(value, sizeof(value), "%d", how->value);
	printf("call %zu, %s, %s %s: %s (status %#x, targets %s to %s)\n", how->at, c->name,
	       ways[how->what],
	       how->what == INJECT_SHORT || how->what == INJECT_CUT ? value :
	       how->what == INJECT_SIGNAL                           ? sigabbrev_np(how->value) :
								      strerrorname_np(how->value),
	       what, (unsigned int)f->status, states[f->best], states[f->worst]);
	printf("%.*s", (int)f->said.len, f->said.bytes ? (const char *)f->said.bytes : "");
	fflush(stdout);
}

/* After an error, or a signal that can be handled. */
static const char *judge_failed(const struct matrix *m, const struct found *f, size_t at,
				bool by_signal)
{
	bool ok = WIFEXITED(f->status) && WEXITSTATUS(f->status) == 0;
	bool told = f->said.len != 0;

	if (left_over(m, f, false))
		return left_over(m, f, false);
	if (f->worst == BROKEN || f->worst == LONGER || f->best == LONGER)
		return "a target is neither old nor new";
	if (at < m->main_at && !ok)
		return NULL;
	if (!by_signal && WIFSIGNALED(f->status))
		return "it dies";
	if (WIFSIGNALED(f->status) && WTERMSIG(f->status) != SIGTERM)
		return "it dies of something else";
	if (f->worst > NEW && !told)
		return "there is a gap and no word";
	if (ok && f->best < NEW)
		return "it says that all is well, and it is not";
	if (WIFEXITED(f->status) && !ok && !said_once(m, &f->said))
		return "it does not say what happened, or too much";
	return NULL;
}

/* After another process cut the first target to another size: the contents are lost anyway. */
static const char *judge_cut(const struct matrix *m, const struct found *f)
{
	if (left_over(m, f, false))
		return left_over(m, f, false);
	if (!WIFEXITED(f->status))
		return "it dies";
	if (WEXITSTATUS(f->status) && !said_once(m, &f->said))
		return "it does not say what happened, or too much";
	return NULL;
}

/* After SIGKILL, the same command again must not mind what happened. */
static const char *judge_killed(const struct matrix *m, const struct found *f)
{
	struct inject how = m->how;

	if (f->worst == BROKEN)
		return "a target is broken";
	if (left_over(m, f, true) || m->once)
		return left_over(m, f, true);
	struct injected r = run(m, &how);
	CLEANUP(found_release) struct found again = look(m, r.status);
	injected_release(&r);
	if (again.status)
		return "the next run fails";
	if (again.best < NEW || again.worst > NEW_LONGER)
		return "the next run makes something else";
	return left_over(m, &again, true);
}

static enum outcome outcome_of(const struct inject *how, const struct found *f)
{
	if (how->what == INJECT_CUT)
		return CUT;
	if (how->what == INJECT_SIGNAL)
		return how->value == SIGTERM ? TERMINATED : (enum outcome)(KILLED + f->worst);
	if (WIFEXITED(f->status) && WEXITSTATUS(f->status) == 0)
		return DONE;
	return f->best >= NEW ? DONE_ALL_THE_SAME : REFUSED;
}

/* Run it once with @what happening to call @at. */
static void try(struct matrix *m, const struct call *c, size_t at, uint16_t nr,
		enum inject_what what, int value)
{
	struct inject how = m->how;
	const char *wrong;
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", m->folder, m->targets[0]);
	how.what = what;
	how.at = at;
	how.nr = nr;
	how.value = value;
	how.file = path;
	CLEANUP(found_release) struct found f = run_afresh(m, &how);

	m->runs++;
	row_of(m, c)[outcome_of(&how, &f)]++;
	if (what == INJECT_CUT)
		wrong = judge_cut(m, &f);
	else if (what == INJECT_SIGNAL && value == SIGKILL)
		wrong = judge_killed(m, &f);
	else
		wrong = judge_failed(m, &f, at, what == INJECT_SIGNAL);
	if (wrong)
		breach(m, c, &how, &f, wrong);
}

static void try_call(struct matrix *m, size_t at, uint16_t nr)
{
	const struct call *c = call_of(nr);

	if (m->quick && (c->flags & MEMORY))
		return;
	row_of(m, c)[PLACES]++;
	if (!m->quick) {
		try(m, c, at, nr, INJECT_SIGNAL, SIGKILL);
		try(m, c, at, nr, INJECT_SIGNAL, SIGTERM);
	}
	if (!m->quick && at >= m->main_at) {
		try(m, c, at, nr, INJECT_CUT, 0);
		try(m, c, at, nr, INJECT_CUT,
		    (int)find_or_none(&m->before, m->targets[0])->len / 2);
	}
	if (c->flags & NEVER)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(c->errors) && c->errors[i]; i++) {
		try(m, c, at, nr, INJECT_ERROR, c->errors[i]);
		if (m->quick)
			return;
	}
	if (c->flags & ROOM)
		try(m, c, at, nr, INJECT_ERRORS, ENOSPC);
	if (c->flags & TRANSFER)
		try(m, c, at, nr, INJECT_SHORT, 0);
}

/* --- all runs ---------------------------------------------------------------------------- */

/* main() begins by looking at standard input. */
static size_t first_of_main(const struct injected *r)
{
	size_t i = 0;

	while (i < r->calls.nr && r->calls.items[i] != SYS_fcntl)
		i++;
	return i;
}

enum { EDGE = 4 };

/* A handler for each signal is one long series in which nothing else happens: its ends will do. */
static bool is_amid_handlers(const struct injected *r, size_t at)
{
	if (at < EDGE || r->calls.nr - at <= EDGE)
		return false;
	for (size_t i = at - EDGE; i <= at + EDGE; i++) {
		if (r->calls.items[i] != SYS_rt_sigaction)
			return false;
	}
	return true;
}

static void try_all(struct matrix *m)
{
	fill_folder(m->folder, &m->before);

	struct injected r = run(m, &m->how);
	if (r.status) {
		CLEANUP(file_release) struct file said = read_output(m);

		fprintf(stderr, "faults: the command fails of itself (%#x): %.*s",
			(unsigned int)r.status, (int)said.len, (const char *)said.bytes);
		exit(2);
	}
	m->after = files_read(m->folder);
	for (size_t i = 0; i < m->nr_targets; i++) {
		if (state_of(m, &m->before, m->targets[i]) != OLD) {
			fprintf(stderr, "faults: '%s' stays as it is\n", m->targets[i]);
			exit(2);
		}
	}
	m->main_at = first_of_main(&r);
	for (size_t i = m->quick ? m->main_at : 0; i < r.calls.nr; i++) {
		if (!is_amid_handlers(&r, i))
			try_call(m, i, r.calls.items[i]);
	}
	injected_release(&r);
}

static void print_row(const char *name, const size_t *row)
{
	static const int widths[NR_OUTCOMES] = { 5, 8, 5, 5, 6, 6, 7, 6, 6, 6, 6, 6 };

	printf("%-18s", name);
	for (size_t i = 0; i < NR_OUTCOMES; i++)
		printf("%s%*zu", i == REFUSED || (i >= CUT && i <= KILLED) ? " |" : " ", widths[i],
		       row[i]);
	putchar('\n');
}

static void print_table(const struct matrix *m)
{
	size_t sum[NR_OUTCOMES] = { 0 };

	puts("                         | failing:             | CUT:  | TERM: | KILL:");
	puts("system call        calls | refused  done  both | ended | whole |    old   old+    new   new+"
	     "    gap broken");
	for (size_t i = 0; i < ARRAY_SIZE(m->rows); i++) {
		for (size_t k = 0; k < NR_OUTCOMES; k++)
			sum[k] += m->rows[i][k];
		if (m->rows[i][PLACES])
			print_row(i < ARRAY_SIZE(calls) ? calls[i].name : other_call.name,
				  m->rows[i]);
	}
	print_row("all", sum);
	printf("%zu runs, %zu breaches\n", m->runs, m->breaches);
}

static void split_targets(struct matrix *m, char *list)
{
	static char *names[4];
	char *rest = list;

	while (m->nr_targets < ARRAY_SIZE(names) && (names[m->nr_targets] = strsep(&rest, ",")))
		m->nr_targets++;
	m->targets = names;
}

static void parse(struct matrix *m, int argc, char **argv)
{
	static const struct option options[] = {
		{ "no-proc", no_argument, NULL, 'p' },
		{ "no-temp", no_argument, NULL, 't' },
		{ "quick", no_argument, NULL, 'q' },
		{ "once", no_argument, NULL, 'o' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		m->how.no_proc |= c == 'p';
		m->how.no_temp |= c == 't';
		m->quick |= c == 'q';
		m->once |= c == 'o';
		if (c == '?')
			exit(2);
	}
	if (argc - optind < 3) {
		fputs("usage: faults [OPTION...] FOLDER TARGET[,TARGET] COMMAND [ARGUMENT...]\n",
		      stderr);
		exit(2);
	}
	m->before = files_read(argv[optind]);
	split_targets(m, argv[optind + 1]);
	m->argv = argv + optind + 2;
}

int main(int argc, char **argv)
{
	struct matrix m = { .folder = "faults.XXXXXX" };

	if (!INJECT_WORKS) {
		puts("not on this machine");
		return 77;
	}
	parse(&m, argc, argv);
	m.output = memfd_create("output", MFD_CLOEXEC);
	if (m.output < 0 || !mkdtemp(m.folder))
		die("cannot make", m.folder);
	try_all(&m);
	print_table(&m);
	empty_folder(m.folder);
	rmdir(m.folder);
	files_release(&m.before);
	files_release(&m.after);
	close(m.output);
	return m.breaches ? 1 : 0;
}
