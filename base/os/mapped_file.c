/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mapped_file.c - see mapped_file.h
 *
 * SIGBUS gives the address only. /proc/self/maps has the file that is mapped there, so btfenc keeps
 * no list of its mappings. The handler ends the process: nothing can be unwound at an arbitrary read,
 * and a partial result is useless.
 */
#include "base/os/mapped_file.h"

#include "base/compiler.h"
#include "base/critical.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_bool keep_all;

void pages_keep_all(void)
{
	atomic_store(&keep_all, true);
}

void pages_give_back(const void *p, size_t len)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)p / page * page, end = (uintptr_t)p + len;

	/* a failure costs memory only */
	if (len && !atomic_load_explicit(&keep_all, memory_order_relaxed))
		(void)madvise((void *)start, end - start, MADV_DONTNEED);
}

/* --- SIGBUS ------------------------------------------------------------------------------ */

/* A reader of /proc/self/maps, one line at a time. Longer lines are cut. */
struct lines {
	int fd;
	char buf[512];
	size_t pos, len;
	char line[PATH_MAX + 128];
};

static bool next_byte(struct lines *l, char *ret)
{
	if (l->pos == l->len) {
		ssize_t n = read(l->fd, l->buf, sizeof(l->buf));

		if (n <= 0)
			return false;
		l->pos = 0;
		l->len = (size_t)n;
	}
	*ret = l->buf[l->pos++];
	return true;
}

static bool next_line(struct lines *l)
{
	size_t len = 0;
	char c;

	while (next_byte(l, &c)) {
		if (c == '\n') {
			l->line[len] = '\0';
			return true;
		}
		if (len < sizeof(l->line) - 1)
			l->line[len++] = c;
	}
	return false;
}

static uintptr_t take_address(const char **p)
{
	uintptr_t value = 0;

	for (;; (*p)++) {
		char c = **p;

		if (c >= '0' && c <= '9')
			value = value << 4 | (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uintptr_t)(c - 'a' + 10);
		else
			return value;
	}
}

/* Of a line "START-END rwxp OFFSET DEVICE INODE   /PATH": the path, if @addr is in the range. */
static const char *path_at(const char *line, uintptr_t addr)
{
	uintptr_t start = take_address(&line);

	line += *line == '-';
	return addr >= start && addr < take_address(&line) ? strchr(line, '/') : NULL;
}

static size_t append_text(char *to, size_t pos, size_t size, const char *text)
{
	while (*text && pos < size)
		to[pos++] = *text++;
	return pos;
}

NORETURN static void die(const char *path)
{
	char text[PATH_MAX + 256];
	const size_t size = sizeof(text);
	size_t len = append_text(text, 0, size, "btfenc: error: ");

	if (path) {
		len = append_text(text, len, size, "'");
		len = append_text(text, len, size, path);
		len = append_text(text, len, size, "'");
	} else {
		len = append_text(text, len, size, "a file");
	}
	len = append_text(text, len, size,
			  " became shorter while it was read, or its disk has failed\n");
	critical_die(text, len);
}

static void on_bus_error(int sig, siginfo_t *info, void *context UNUSED)
{
	struct lines l = { .fd = -1 };
	const char *path = NULL;

	/* not of a mapped file: the default action follows when the access is repeated */
	if (info->si_code != BUS_ADRERR) {
		signal(sig, SIG_DFL);
		return;
	}
	l.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	while (!path && l.fd >= 0 && next_line(&l))
		path = path_at(l.line, (uintptr_t)info->si_addr);
	die(path);
}

void bus_error_catch(void)
{
	struct sigaction catch = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

	sigfillset(&catch.sa_mask);
	sigaction(SIGBUS, &catch, NULL);
}
