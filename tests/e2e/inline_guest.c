/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline_guest.c - the first process of a kernel whose inlined functions are probed
 *
 * Reads from the initrd what tools/inline_probes.py made, and prints, with "guest: " in front:
 *
 *	_text		where the kernel is
 *	symbol		where a symbol of the module is
 *	refused		a line of /probes that the kernel does not take
 *	places		how many address constants are where the kernel has their symbol
 *	trace		the end of the list of hits, which has the form of /sys/kernel/tracing/trace; then the kernel's reasons
 *	bpftrace	the output of /bpftrace with /program.bt, if the initrd has them
 *
 * A child with the name "probed" makes the system calls, and nothing else, while the probes are enabled. It shares a
 * page with its parent instead of waiting in a call.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/"
#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* tools/inline_probes.py has them, too. There is no such file descriptor, process or address. */
static const long args[] = {
	0x7f010203,         0x1234567890010101, 0x0fedcba987010102,
	0x1111111122010103, 0x2222222233010104, 0x3333333344010105,
};

/* Calls that fail with these arguments, and change nothing. */
static const int calls[] = {
	SYS_read,
	SYS_write,
	SYS_close,
	SYS_fstat,
	SYS_lseek,
	SYS_ioctl,
	SYS_pread64,
	SYS_pwrite64,
	SYS_readv,
	SYS_writev,
	SYS_preadv,
	SYS_pwritev,
	SYS_dup,
	SYS_dup2,
	SYS_dup3,
	SYS_fcntl,
	SYS_flock,
	SYS_fsync,
	SYS_fdatasync,
	SYS_ftruncate,
	SYS_getdents64,
	SYS_fchdir,
	SYS_fchmod,
	SYS_fchown,
	SYS_readahead,
	SYS_fallocate,
	SYS_fstatfs,
	SYS_syncfs,
	SYS_tee,
	SYS_splice,
	SYS_kill,
	SYS_tgkill,
	SYS_getpgid,
	SYS_getsid,
	SYS_setpriority,
	SYS_getpriority,
	SYS_sched_getscheduler,
	SYS_sched_getparam,
	SYS_prlimit64,
	SYS_epoll_ctl,
	SYS_bind,
	SYS_listen,
	SYS_connect,
	SYS_shutdown,
	SYS_getsockopt,
	SYS_openat,
	SYS_unlinkat,
	SYS_mkdirat,
	SYS_fchmodat,
	SYS_faccessat,
	SYS_newfstatat,
	SYS_readlinkat,
};

struct shared {
	volatile int start, done;
};

static int write_file(const char *path, const char *text, int flags)
{
	int fd = open(path, O_WRONLY | flags);
	int n = fd < 0 ? -1 : (int)write(fd, text, strlen(text));
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return n;
}

static void print_file(const char *path)
{
	char buf[65536];
	ssize_t n;
	int fd = open(path, O_RDONLY);

	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, (size_t)n, stdout);
	if (fd >= 0)
		close(fd);
}

/* --- addresses --------------------------------------------------------------------------- */

static struct kernel_symbol {
	unsigned long addr;
	char name[128];
} * kernel_symbols;

static size_t nr_symbols;

static void read_symbols(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512];

	kernel_symbols = calloc(400000, sizeof(*kernel_symbols));
	while (file && kernel_symbols && nr_symbols < 400000 && fgets(line, sizeof(line), file)) {
		struct kernel_symbol *s = &kernel_symbols[nr_symbols];

		if (sscanf(line, "%lx %*c %127s", &s->addr, s->name) == 2)
			nr_symbols++;
	}
	if (file)
		fclose(file);
}

/* Does the kernel have symbol @name at @addr? */
static int is_at(const char *name, unsigned long addr)
{
	for (size_t i = 0; i < nr_symbols; i++) {
		if (kernel_symbols[i].addr == addr && !strcmp(kernel_symbols[i].name, name))
			return 1;
	}
	return 0;
}

static unsigned long addr_of(const char *name)
{
	for (size_t i = 0; i < nr_symbols; i++) {
		if (!strcmp(kernel_symbols[i].name, name))
			return kernel_symbols[i].addr;
	}
	return 0;
}

static void check_places(void)
{
	FILE *file = fopen("/places", "r");
	unsigned long value, text = addr_of("_text");
	char name[128];
	int right = 0, wrong = 0;

	printf("guest: _text: %lx\n", text);
	printf("guest: symbol probed_object %lx\n", addr_of("probed_object"));
	while (file && fscanf(file, "%lx %127s", &value, name) == 2) {
		if (!addr_of(name)) /* kallsyms leaves some out */
			continue;
		if (is_at(name, text + value)) {
			right++;
		} else {
			wrong++;
			printf("guest: not at its place: %s\n", name);
		}
	}
	printf("guest: places: %d right, %d wrong\n", right, wrong);
}

/* --- probes ------------------------------------------------------------------------------ */

static void add_probes(void)
{
	FILE *file = fopen("/probes", "r");
	char line[4096];

	while (file && fgets(line, sizeof(line), file)) {
		if (write_file(TRACING "kprobe_events", line, O_APPEND) < 0)
			printf("guest: refused %s: %s", strerror(errno), line);
	}
}

/* Enable each by itself: the kernel refuses some places only now. */
static void enable_probes(void)
{
	FILE *file = fopen("/probes", "r");
	char line[4096], name[64], path[128];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "p:inline/%63s", name) != 1)
			continue;
		snprintf(path, sizeof(path), TRACING "events/inline/%s/enable", name);
		if (access(path, F_OK) == 0 && write_file(path, "1", 0) < 0)
			printf("guest: refused %s: %s", strerror(errno), line);
	}
}

static pid_t start_child(struct shared *s)
{
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_NAME, "probed");
	int module = open("/sys/module/inline_module/parameters/run", O_WRONLY);
	while (!s->start)
		;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		syscall(calls[i], args[0], args[1], args[2], args[3], args[4], args[5]);
	s->done = 1;
	while (s->start == 1)
		;
	write(module, "1", 1);
	_exit(0);
}

/*
 * The child makes the calls in the first phase, and executes the sites of the module in the second one: then the system
 * call has other arguments.
 */
static void probe(void)
{
	struct shared *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
				0);
	pid_t child = start_child(s);

	enable_probes();
	s->start = 1;
	while (!s->done)
		usleep(10000);
	write_file(TRACING "tracing_on", "0", 0);
	print_file(TRACING "trace");
	write_file(TRACING "trace", "", O_TRUNC);
	/* from here on only the module's */
	FILE *file = fopen("/probes", "r");
	char line[4096], name[64], path[128];
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "p:inline/%63s", name) != 1 || name[0] != 'v')
			continue;
		snprintf(path, sizeof(path), TRACING "events/inline/%s/enable", name);
		write_file(path, "0", 0);
	}
	write_file(TRACING "tracing_on", "1", 0);
	s->start = 2;
	waitpid(child, NULL, 0);
	write_file(TRACING "tracing_on", "0", 0);
	print_file(TRACING "trace");
	printf("guest: trace: end\n");
	print_file(TRACING "error_log");
	write_file(TRACING "events/inline/enable", "0", 0);
	write_file(TRACING "kprobe_events", "", O_TRUNC);
	write_file(TRACING "tracing_on", "1", 0);
}

/* --- bpftrace ---------------------------------------------------------------------------- */

/* Wait until the output has @text, at most @seconds. A pipe would fill, and stop bpftrace. */
static void wait_for(const char *text, int seconds)
{
	static char buf[1 << 22];

	for (int i = 0; i < seconds * 10; i++) {
		int fd = open("/bpftrace.log", O_RDONLY);
		ssize_t n = fd < 0 ? 0 : read(fd, buf, sizeof(buf) - 1);

		if (fd >= 0)
			close(fd);
		buf[n > 0 ? n : 0] = 0;
		if (strstr(buf, text))
			return;
		usleep(100000);
	}
}

/* Only its child makes the calls, so this process may wait in some. */
static void run_bpftrace(void)
{
	struct shared *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
				0);
	char line[4096];

	if (access("/bpftrace", X_OK))
		return;
	setenv("PATH", "/", 1);
	fflush(stdout);
	pid_t tracer = fork();
	if (tracer == 0) {
		int log = open("/bpftrace.log", O_CREAT | O_WRONLY | O_APPEND, 0600);

		dup2(log, STDOUT_FILENO);
		dup2(log, STDERR_FILENO);
		execl("/bpftrace", "/bpftrace", "-B", "line", "/program.bt", NULL);
		_exit(127);
	}
	wait_for("ttach", 200);
	sleep(2);
	pid_t child = start_child(s);
	s->start = 1;
	while (!s->done)
		usleep(10000);
	s->start = 2;
	waitpid(child, NULL, 0);
	wait_for("probed(", 60);
	sleep(1);
	kill(tracer, SIGINT);
	waitpid(tracer, NULL, 0);

	FILE *file = fopen("/bpftrace.log", "r");
	for (int i = 0; file && i < 500 && fgets(line, sizeof(line), file); i++)
		printf("guest: bpftrace: %s", line);
	printf("guest: bpftrace: end\n");
}

int main(void)
{
	mkdir("/dev", 0755);
	mkdir("/sys", 0755);
	mkdir("/proc", 0755);
	mkdir("/tmp", 0755);
	mount("none", "/dev", "devtmpfs", 0, NULL);
	symlink("/proc/self/fd", "/dev/fd");
	mount("none", "/sys", "sysfs", 0, NULL);
	mount("none", "/proc", "proc", 0, NULL);
	mount("none", "/sys/kernel/tracing", "tracefs", 0, NULL);
	mount("none", "/sys/kernel/debug", "debugfs", 0, NULL);
	dup2(open("/dev/console", O_RDWR), STDOUT_FILENO);
	dup2(STDOUT_FILENO, STDERR_FILENO);

	int module = open("/inline_module.ko", O_RDONLY);
	if (syscall(SYS_finit_module, module, "", 0))
		printf("guest: no module: %s\n", strerror(errno));
	read_symbols();
	check_places();
	add_probes();
	probe();
	run_bpftrace();
	fflush(stdout);
	reboot(RB_AUTOBOOT);
	return 0;
}
