/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfcheck.c - does the kernel accept this BTF?
 *
 *	btfcheck FILE...
 *
 * FILE is raw BTF. Asks our copy of the kernel's rules, and then the kernel we run on, if it
 * lets us. One line per file and finding; exit status 1 if anything is refused.
 */
#include "base/bytes.h"
#include "base/cleanup.h"
#include "check/btf_check.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOG_SIZE = 64 << 10, MAX_FINDINGS = 10 };

static bool rules_accept(const char *path, struct bytes b)
{
	CLEANUP(btf_check_release) struct btf_check c = { 0 };
	size_t nr = 0;

	btf_check_run(b, &(struct btf_check_opts){ 0 }, &c);
	for (size_t i = 0; i < c.findings.nr; i++) {
		const struct btf_finding *f = &c.findings.items[i];

		if (btf_rule(f->rule)->warning || nr++ >= MAX_FINDINGS)
			continue;
		printf("%s: [%u] element %d: %s (%llu)\n", path, f->id, (int)f->element,
		       btf_rule(f->rule)->text, (unsigned long long)f->value);
	}
	if (nr)
		return false;
	printf("%s: %zu types, our copy of the kernel's rules accepts it\n", path,
	       c.view.types.start.nr);
	return true;
}

/* The end of the kernel's log says why. */
static void print_log(const char *path, const char *log)
{
	const char *at = log + strlen(log);

	for (int lines = 0; at > log && lines < 4; at--)
		lines += at[-1] == '\n';
	printf("%s: the kernel says: %s\n", path, at);
}

static bool kernel_accepts(const char *path, struct bytes b)
{
	char *log = calloc(1, LOG_SIZE);
	LIBBPF_OPTS(bpf_btf_load_opts, opts);
	int fd = bpf_btf_load(b.ptr, b.len, &opts);
	bool ok = fd >= 0;

	if (ok) {
		printf("%s: the kernel accepts it\n", path);
		close(fd);
	} else if (errno == EPERM || errno == ENOSYS) {
		printf("%s: the kernel was not asked: %s\n", path, strerror(errno));
		ok = true;
	} else {
		printf("%s: the kernel refuses it: %s\n", path, strerror(errno));
		opts.log_buf = log;
		opts.log_size = LOG_SIZE;
		opts.log_level = 1;
		fd = bpf_btf_load(b.ptr, b.len, &opts);
		if (fd >= 0)
			close(fd);
		print_log(path, log);
	}
	free(log);
	return ok;
}

static bool check(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *map = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED) {
		printf("%s: cannot be read, or is empty\n", path);
		return false;
	}

	struct bytes b = { map, (size_t)st.st_size };
	bool ok = rules_accept(path, b);
	ok &= kernel_accepts(path, b);
	munmap(map, b.len);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = argc > 1;

	for (int i = 1; i < argc; i++)
		ok &= check(argv[i]);
	return ok ? 0 : 1;
}
