/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfmutate.c - damage real inputs and see that btfenc survives: btfmutate CASES SEED FROM TO SECONDS
 *
 * Each line of the file CASES is an input, with its whole path, and arguments for btfenc ($BTFENC):
 *
 *	/var/tmp/a.o --btf_features=default --btf_encode_detached=OUT IN
 *
 * IN is the damaged input, IN2 the same with other damage; OUT, VARS and ARCHIVE are not there yet.
 * OUT is checked. Runs FROM to
 * TO - 1 are made, each of a line drawn at random, or as many as can be in SECONDS; a run is the same
 * whenever it is made. A run fails if:
 *
 * - it ends by a signal, or with another status than 0 and 1;
 * - it takes more than 10 seconds of CPU, or waits for a minute;
 * - it needs more memory than 64 MB and 8 times the size of all files that it is given;
 * - it fails and does not say why, or does and changes something;
 * - it prints what is no text;
 * - it writes BTF that btfenc --btf_check refuses, but for names that are some in C, and none in a
 *   kernel, and for a .BTF that the input had and that stays, where no DWARF is found any more.
 *
 * Prints a line for each of these, with the number of the run. With KEEP=FOLDER its input is kept
 * there.
 */
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/vec.h"
#include "loader/elf/object.h"
#include "tests/lib/mutate.h"
#include "tests/lib/testlib.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In the folder that we are in. */
static const char *const written[] = { "OUT", "VARS", "ARCHIVE" };
static const char *const others[] = { "IN", "IN2", "BEFORE", "stdout", "stderr" };

enum {
	MAX_ARGS = 32,
	CPU_SECONDS = 10,
	FILE_FACTOR = 8,
	MEMORY_FREE = 64 << 20,
	MAX_TEXT = 256 << 10,
	FAILURES_MAX = 100, /* more of them say nothing new */
};

struct input {
	char *line; /* owns what the others borrow */
	const char *path;
	const char *args[MAX_ARGS + 1]; /* as in the file, behind them NULL */
	bool checks;                    /* is --btf_check itself what is tested? */
	bool two;                       /* has IN2 */
	uint64_t other_files;           /* bytes of those that are not damaged */
	size_t nr_runs, nr_done;
};

struct bench {
	const char *btfenc, *keep;
	uint64_t seed;
	struct {
		struct input *items;
		size_t nr, cap;
	} inputs;
	size_t nr_checked, nr_failures;
	double slowest;
	uint64_t most_memory; /* above what the files account for */
};

struct outcome {
	int status; /* of wait() */
	uint64_t memory;
	double seconds; /* CPU */
};

/* One run and its result. */
struct run {
	struct bench *b;
	uint64_t number;
	struct input *input;
	struct victim in[2];
	struct outcome is;
};

NORETURN static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void find(struct run *r, const char *reason)
{
	char path[4096];

	printf("run %llu of seed %llu: %s:", (unsigned long long)r->number,
	       (unsigned long long)r->b->seed, reason);
	printf(" %s", r->input->path);
	for (size_t i = 0; r->input->args[i]; i++)
		printf(" %s", r->input->args[i]);
	puts("");
	fflush(stdout);
	r->b->nr_failures++;
	for (size_t i = 0; r->b->keep && i < ARRAY_SIZE(r->in) && r->in[i].ptr; i++) {
		snprintf(path, sizeof(path), "%s/%llu-%llu.in%s", r->b->keep,
			 (unsigned long long)r->b->seed, (unsigned long long)r->number,
			 i ? "2" : "");
		FILE *f = fopen(path, "wb");
		if (!f || fwrite(r->in[i].ptr, 1, r->in[i].len, f) != r->in[i].len || fclose(f))
			die(path);
	}
}

/* --- files -------------------------------------------------------------------------------- */

static struct victim read_all(const char *path)
{
	struct stat st;
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st))
		die(path);
	struct victim v = { .len = (size_t)st.st_size, .cap = (size_t)st.st_size + 4096 };
	v.ptr = mem_alloc(v.cap);
	if (read(fd, v.ptr, v.len) != (ssize_t)v.len)
		die(path);
	return v;
}

static void write_all(const char *path, const struct victim *v)
{
	CLEANUP(file_close) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, v->ptr, v->len) != (ssize_t)v->len)
		die(path);
}

static void unlink_all(const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		unlink(names[i]);
}

static bool is_as_written(const char *path, const struct victim *v)
{
	struct victim now = read_all(path);
	bool same = now.len == v->len && !memcmp(now.ptr, v->ptr, v->len);

	free(now.ptr);
	return same;
}

/* --- processes ---------------------------------------------------------------------------- */

static void limit(int what, rlim_t most)
{
	if (setrlimit(what, &(struct rlimit){ most, most }))
		_exit(126);
}

static void output_to(const char *path, int fd)
{
	int new = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (new < 0 || dup2(new, fd) < 0)
		_exit(126);
	close(new);
}

/* Run it with @args in the folder that we are in. */
static struct outcome start(const struct bench *b, const char *const *args)
{
	const char *argv[MAX_ARGS + 2] = { b->btfenc };
	struct outcome is;
	struct rusage used;

	for (size_t i = 0; args[i]; i++)
		argv[i + 1] = args[i];
	pid_t pid = vfork();
	if (!pid) {
		output_to("stdout", STDOUT_FILENO);
		output_to("stderr", STDERR_FILENO);
		limit(RLIMIT_CPU, CPU_SECONDS);
		limit(RLIMIT_CORE, 0);
		alarm(test_seconds());
		execv(b->btfenc, (char *const *)(uintptr_t)argv);
		_exit(126);
	}
	if (pid < 0 || wait4(pid, &is.status, 0, &used) != pid)
		die("btfmutate: cannot run btfenc");
	is.memory = (uint64_t)used.ru_maxrss * 1024;
	is.seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
	return is;
}

/* Of @arg, with @out in place for OUT; others are files of these names. */
static const char *option_value(const char *arg, const char *option)
{
	size_t len = strlen(option);

	return !strncmp(arg, option, len) ? arg + len : NULL;
}

/* The beginning of its output. */
static size_t read_text(const char *path, char *text)
{
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, MAX_TEXT - 1);

	if (len < 0)
		die(path);
	text[len] = '\0';
	return (size_t)len;
}

/* Is @line about a name like 'a$', or one with characters beyond ASCII? */
static bool is_about_c_name(const char *line)
{
	static const char breach[] = ": the name is not an identifier [";
	const char *end = strstr(line, breach), *name = NULL;
	bool odd = false;

	for (const char *s = line; end && s < end; s++) {
		if (*s == '\'' && s + 1 < end && s[1] != ' ' && s[1] != ':')
			name = s + 1;
	}
	for (; name && *name && *name != '\''; name++) {
		if (*name == '$' || (*name & 0x80) ||
		    (name[0] == '\\' && name[1] == 'x' && name[2] >= '8'))
			odd = true;
		else if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.",
				 *name))
			return false;
	}
	return odd;
}

static bool is_all_about_c_names(char *text)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!strstr(line, ": warning: ") && !is_about_c_name(line))
			return false;
	}
	return true;
}

/*
 * Does --btf_check take @path, over the base that the run had? It uses the newest rules, because a damaged member of an
 * archive can have a record that only the newest kernels accept.
 */
static bool is_good(const struct run *r, const char *path, bool over_base)
{
	const char *args[4] = { "--btf_check=7.4", path };
	char out[MAX_TEXT], err[MAX_TEXT];

	for (size_t i = 0; over_base && r->input->args[i]; i++) {
		if (option_value(r->input->args[i], "--btf_base="))
			args[2] = r->input->args[i];
	}
	struct outcome is = start(r->b, args);
	if (WIFEXITED(is.status) && WEXITSTATUS(is.status) == 0)
		return true;
	read_text("stdout", out);
	read_text("stderr", err);
	/* DWARF may be dropped if it gave no types; the empty section is that of the input */
	return *err ? strstr(err, "there is no .BTF section") ||
			       strstr(err, "the .BTF section is empty") :
		      is_all_about_c_names(out);
}

/* --- verdicts ----------------------------------------------------------------------------- */

static bool is_text(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		uint8_t c = (uint8_t)text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

static void judge_end(struct run *r, bool *ret_failed)
{
	uint64_t files = r->in[0].len + r->in[1].len + r->input->other_files;
	uint64_t extra = r->is.memory > FILE_FACTOR * files ? r->is.memory - FILE_FACTOR * files :
							      0;
	char out[MAX_TEXT], err[MAX_TEXT];
	size_t out_len = read_text("stdout", out), err_len = read_text("stderr", err);
	int status = r->is.status;

	*ret_failed = !WIFEXITED(status) || WEXITSTATUS(status);
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
		find(r, "does not come to an end");
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		find(r, "waits for ever");
	else if (WIFSIGNALED(status))
		find(r, strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) > 1)
		find(r, "strange exit status");
	else if (*ret_failed && !r->input->checks && !strstr(err, "btfenc: error: "))
		find(r, "fails without a word");
	if (extra > MEMORY_FREE)
		find(r, "too much memory");
	if (!is_text(out, out_len) || !is_text(err, err_len))
		find(r, "prints what is no text");
	if (extra > r->b->most_memory)
		r->b->most_memory = extra;
	if (r->is.seconds > r->b->slowest)
		r->b->slowest = r->is.seconds;
}

static struct bytes btf_of(struct object *o, const char *path)
{
	struct err *e = object_open_bare(path, o);
	const struct object_section *s = e ? NULL : object_section(o, ".BTF");

	err_free(e);
	return s ? s->data : (struct bytes){ 0 };
}

/* Is the .BTF of @path that of the @input? */
static bool is_old_btf(const char *path, const struct victim *input)
{
	CLEANUP(object_close) struct object now = { 0 };
	CLEANUP(object_close) struct object before = { 0 };

	write_all("BEFORE", input);

	struct bytes a = btf_of(&now, path), b = btf_of(&before, "BEFORE");
	return a.len && a.len == b.len && !memcmp(a.ptr, b.ptr, a.len);
}

/* @input: what @path was; NULL: it was not there. */
static void check(struct run *r, const char *path, const struct victim *input)
{
	r->b->nr_checked++;
	if (is_good(r, path, true) || (input && is_old_btf(path, input)))
		return;
	/* a damaged base is one that --btf_check refuses, or not our fault */
	for (size_t i = 0; r->input->args[i]; i++) {
		const char *base = option_value(r->input->args[i], "--btf_base=");

		if (base && !strcmp(base, "IN") && !is_good(r, "IN", false))
			return;
	}
	find(r, "writes BTF that --btf_check refuses");
}

static void judge_files(struct run *r, bool failed)
{
	for (size_t i = 0; i < 1u + r->input->two; i++) {
		const char *name = i ? "IN2" : "IN";

		if (is_as_written(name, &r->in[i]))
			continue;
		/* of several files one may fail, and others not */
		if (failed && !r->input->two)
			find(r, "fails, and changes the file");
		check(r, name, &r->in[i]);
	}
	if (access("OUT", F_OK))
		return;
	if (failed)
		find(r, "fails, and writes a file");
	check(r, "OUT", NULL);
}

static void run(struct bench *b, uint64_t number)
{
	struct rnd rnd = rnd_part(b->seed, number);
	struct run r = { .b = b, .number = number };
	bool failed;

	r.input = &b->inputs.items[rnd_below(&rnd, (unsigned int)b->inputs.nr)];
	unlink_all(written, ARRAY_SIZE(written));
	for (size_t i = 0; i < 1u + r.input->two; i++) {
		r.in[i] = read_all(r.input->path);
		mutate(&r.in[i], &rnd);
		write_all(i ? "IN2" : "IN", &r.in[i]);
	}
	r.is = start(b, r.input->args);
	judge_end(&r, &failed);
	if (!r.input->checks)
		judge_files(&r, failed);
	r.input->nr_runs++;
	r.input->nr_done += !failed;
	for (size_t i = 0; i < ARRAY_SIZE(r.in); i++)
		free(r.in[i].ptr);
}

/* --- inputs ------------------------------------------------------------------------------- */

/* Bytes of the file that @arg is, or names behind "="; 0 if there is none. */
static uint64_t file_size(const char *arg)
{
	const char *value = strchr(arg, '=');
	struct stat st;

	return !stat(value && *arg == '-' ? value + 1 : arg, &st) && S_ISREG(st.st_mode) ?
		       (uint64_t)st.st_size :
		       0;
}

static void add_input(struct bench *b, char *line)
{
	struct input in = { .line = line, .path = strtok(line, " \n") };
	size_t nr = 0;

	if (!in.path) {
		free(line);
		return;
	}
	for (const char *arg = strtok(NULL, " \n"); arg && nr < MAX_ARGS;
	     arg = strtok(NULL, " \n")) {
		in.args[nr++] = arg;
		in.other_files += file_size(arg);
		in.checks |= !strcmp(arg, "--btf_check");
		in.two |= !strcmp(arg, "IN2");
	}
	vec_push(&b->inputs, in);
}

static void read_inputs(struct bench *b, const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;

	if (!f)
		die(path);
	for (; getline(&line, &cap, f) > 0; line = NULL, cap = 0)
		add_input(b, line);
	free(line);
	fclose(f);
	if (!b->inputs.nr) {
		fprintf(stderr, "btfmutate: no inputs in '%s'\n", path);
		exit(2);
	}
}

/* How many runs of each line came to BTF: nothing is tested where none does. */
static void print_counts(const struct bench *b, uint64_t nr)
{
	size_t done = 0;

	for (size_t i = 0; i < b->inputs.nr; i++) {
		const struct input *in = &b->inputs.items[i];

		done += in->nr_done;
		fprintf(stderr, "%8zu of %8zu %s", in->nr_done, in->nr_runs, in->path);
		for (size_t k = 0; in->args[k]; k++)
			fprintf(stderr, " %s", in->args[k]);
		fputs("\n", stderr);
	}
	printf("%llu runs, %zu without an error, %zu results checked; "
	       "slowest %.2f s, %llu MB beyond 8 times the files; %zu findings\n",
	       (unsigned long long)nr, done, b->nr_checked, b->slowest,
	       (unsigned long long)(b->most_memory >> 20), b->nr_failures);
}

static uint64_t number_arg(const char *text)
{
	return strtoull(text, NULL, 10);
}

int main(int argc, char **argv)
{
	struct bench b = { .btfenc = getenv("BTFENC"), .keep = getenv("KEEP") };
	time_t start_time = time(NULL);
	char folder[] = "/dev/shm/btfmutate.XXXXXX";

	if (argc != 6 || !b.btfenc) {
		fprintf(stderr,
			"btfmutate: give CASES, SEED, FROM, TO and SECONDS, and set BTFENC\n");
		return 2;
	}
	read_inputs(&b, argv[1]);
	b.seed = number_arg(argv[2]);
	if (!mkdtemp(folder) || chdir(folder))
		die(folder);

	uint64_t first = number_arg(argv[3]), end = number_arg(argv[4]), i = first;
	for (; i < end && b.nr_failures < FAILURES_MAX; i++) {
		if (time(NULL) - start_time >= (time_t)number_arg(argv[5]))
			break;
		run(&b, i);
		if ((i + 1) % 10000 == 0)
			fprintf(stderr, "%llu runs, %zu findings\n", (unsigned long long)(i + 1),
				b.nr_failures);
	}
	unlink_all(written, ARRAY_SIZE(written));
	unlink_all(others, ARRAY_SIZE(others));
	if (rmdir(folder))
		die(folder);
	print_counts(&b, i - first);
	for (size_t k = 0; k < b.inputs.nr; k++)
		free(b.inputs.items[k].line);
	free(b.inputs.items);
	return b.nr_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
