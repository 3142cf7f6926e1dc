/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * guest.c - the first process of a kernel that is booted to ask what it thinks of its BTF
 *
 * Prints a line for each question, "guest: NAME: accepted", or why not, and ends the machine:
 *
 *	btf		/sys/kernel/btf/vmlinux holds the same bytes as /vmlinux.btf of the initrd
 *	do_unlinkat	a program at the entry of a function; it follows the type of an argument,
 *			is attached, and runs when a file is removed; "no trampolines" if this kernel
 *			has none for programs, which it says by ENOTSUPP
 *	runqueues	a program that takes the address of a per-CPU variable by its id, for
 *			CPU 1, and reads a member there that must be 1
 *	kfunc		a program that calls two functions of the kernel by their ids, and reads
 *			a member of what the first returns; Linux before 5.13 has none
 *	fuse_dev_open	the same at a function of the module fuse, if that is loaded: its id is of the
 *			BTF of the module, the type of its argument is of that of the kernel
 *	bpftool		/bpftool, if the initrd has one, reads /sys/kernel/btf/vmlinux
 *	btf_check	/unit_tests, if the initrd has it: --btf_check and this kernel agree on BTF
 *			that is damaged in many ways
 *	module NAME	/modules/NAME.ko is loaded, in any order that their dependencies allow, and
 *			/sys/kernel/btf/NAME holds the same bytes as /modules/NAME.btf, if the initrd
 *			has that; bpftool, if there, reads it
 *
 * The verifier resolves all ids and offsets against the kernel's own BTF, so a program that is
 * taken shows that FUNC, FUNC_PROTO, VAR, DATASEC and the structs are right. No libbpf: what a
 * loader would find in BTF is found here, with the offsets of the members, by walking it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* linux/btf.h has BTF_KIND_ENUM64 since Linux 6.0 only. */
enum { KIND_ENUM64 = 19 };

/* An error of the kernel's own, which errno.h does not have */
enum { KERNEL_ENOTSUPP = 524 };

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV_REG(d, s) INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define MOV_IMM(d, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define LOAD(size, d, s, o) INSN(BPF_LDX | BPF_MEM | (size), d, s, o, 0)
#define ATOMIC_ADD(d, s) INSN(BPF_STX | BPF_ATOMIC | BPF_DW, d, s, 0, BPF_ADD)
#define LOAD_IMM64(d, pseudo, i) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, d, pseudo, 0, i), INSN(0, 0, 0, 0, 0)
#define CALL(pseudo, i) INSN(BPF_JMP | BPF_CALL, 0, pseudo, 0, i)
#define IF_ZERO(d, o) INSN(BPF_JMP | BPF_JEQ | BPF_K, d, 0, o, 0)
#define EXIT INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* BTF as the kernel shows it. That of a module continues the ids and the strings of its base. */
struct btf {
	char *bytes;
	size_t len;
	const struct btf *base;
};

static struct btf kernel;
static char verifier_log[1 << 16];

static void say(const char *name, const char *what)
{
	printf("guest: %s: %s\n", name, what);
	fflush(stdout);
}

static void refused(const char *name, const char *what)
{
	printf("guest: %s: %s: %s\n%s", name, what, strerror(errno), verifier_log);
	fflush(stdout);
}

static char *slurp(const char *path, size_t *len)
{
	size_t room = 1 << 26;
	char *bytes = malloc(room);
	int fd = open(path, O_RDONLY);
	ssize_t n;

	*len = 0;
	while (bytes && fd >= 0 && (n = read(fd, bytes + *len, room - *len)) > 0)
		*len += (size_t)n;
	return bytes;
}

/* --- BTF ------------------------------------------------------------------------------- */

static size_t record_size(const struct btf_type *t)
{
	size_t n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(*t) + 4;
	case BTF_KIND_ARRAY:
		return sizeof(*t) + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case KIND_ENUM64:
		return sizeof(*t) + 12 * n;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return sizeof(*t) + 8 * n;
	default:
		return sizeof(*t);
	}
}

static bool readable(const struct btf *btf)
{
	return btf->bytes && btf->len >= sizeof(struct btf_header);
}

static const char *text(const struct btf *btf, uint32_t off)
{
	const struct btf_header *h = (const void *)btf->bytes;

	if (btf->base) {
		const struct btf_header *base = (const void *)btf->base->bytes;

		if (off < base->str_len)
			return text(btf->base, off);
		off -= base->str_len;
	}
	return btf->bytes + h->hdr_len + h->str_off + off;
}

/*
 * The first type of that kind and name; its id, or 0. Without a name, the id that
 * follows the last type.
 */
static int find(const struct btf *btf, uint32_t kind, const char *name, const struct btf_type **ret)
{
	const struct btf_header *h = (const void *)btf->bytes;
	const char *at = btf->bytes + h->hdr_len + h->type_off;
	const char *end = at + h->type_len;
	int id = btf->base ? find(btf->base, kind, NULL, NULL) : 1;

	for (; at < end; id++) {
		const struct btf_type *t = (const void *)at;

		if (name && BTF_INFO_KIND(t->info) == kind &&
		    strcmp(text(btf, t->name_off), name) == 0) {
			if (ret)
				*ret = t;
			return id;
		}
		at += record_size(t);
	}
	return name ? 0 : id;
}

/* Where a member is that is no bit field, or -1 */
static int member_offset(const char *type, const char *member)
{
	const struct btf_type *t;
	const struct btf_member *m;

	if (!find(&kernel, BTF_KIND_STRUCT, type, &t))
		return -1;
	m = (const void *)(t + 1);
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		if (strcmp(text(&kernel, m[i].name_off), member) == 0)
			return (int)(BTF_MEMBER_BIT_OFFSET(m[i].offset) / 8);
	}
	return -1;
}

static void ask_btf(void)
{
	size_t len;
	char *expected = slurp("/vmlinux.btf", &len);

	if (!readable(&kernel))
		say("btf", "the kernel shows none");
	else if (len != kernel.len || memcmp(kernel.bytes, expected, len) != 0)
		say("btf", "the kernel shows another");
	else
		say("btf", "accepted");
	free(expected);
}

/* --- programs ---------------------------------------------------------------------------- */

static int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int load(union bpf_attr *attr, const struct bpf_insn *insns, size_t n)
{
	attr->insns = (uintptr_t)insns;
	attr->insn_cnt = (uint32_t)n;
	attr->license = (uintptr_t) "GPL";
	attr->log_buf = (uintptr_t)verifier_log;
	attr->log_size = sizeof(verifier_log);
	attr->log_level = 1;
	verifier_log[0] = 0;
	return bpf(BPF_PROG_LOAD, attr);
}

/* Run it once; its result must be @expected. */
static void run(const char *name, int program, uint32_t expected)
{
	union bpf_attr attr = { .test.prog_fd = (uint32_t)program };

	verifier_log[0] = 0;
	if (bpf(BPF_PROG_TEST_RUN, &attr))
		refused(name, "does not run");
	else if (attr.test.retval != expected)
		say(name, "gives another value");
	else
		say(name, "accepted");
}

/* A map with one number, 0 */
static int new_number(void)
{
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1
	};

	return bpf(BPF_MAP_CREATE, &map);
}

static uint64_t number_in(int map)
{
	uint32_t key = 0;
	uint64_t number = 0;
	union bpf_attr get = { .map_fd = (uint32_t)map };

	get.key = (uintptr_t)&key;
	get.value = (uintptr_t)&number;
	return bpf(BPF_MAP_LOOKUP_ELEM, &get) ? 0 : number;
}

/* Load a program for the entry of the function @id of @module's BTF (0: the kernel's), and attach it. */
static bool attach(const char *name, int id, int module, const struct bpf_insn *insns, size_t n)
{
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_TRACING,
				.expected_attach_type = BPF_TRACE_FENTRY,
				.attach_btf_id = (uint32_t)id,
				.attach_btf_obj_fd = (uint32_t)module };
	union bpf_attr open = { 0 };
	int program = load(&attr, insns, n);

	if (program < 0) {
		refused(name, "refused");
		return false;
	}
	open.raw_tracepoint.prog_fd = (uint32_t)program;
	if (bpf(BPF_RAW_TRACEPOINT_OPEN, &open) < 0) {
		if (errno == KERNEL_ENOTSUPP)
			say(name, "no trampolines");
		else
			refused(name, "not attached");
		return false;
	}
	return true;
}

static void ask_do_unlinkat(void)
{
	int counter = new_number();
	int old = find(&kernel, BTF_KIND_FUNC, "do_unlinkat", NULL);
	/* Linux 7.2 has it by another name, with the same parameters */
	int id = old ? old : find(&kernel, BTF_KIND_FUNC, "filename_unlinkat", NULL);
	/* there, the head of struct filename is a struct of its own */
	int head = member_offset("__filename_head", "name");
	int name = head >= 0 ? head : member_offset("filename", "name");
	const struct bpf_insn insns[] = {
		LOAD(BPF_DW, BPF_REG_2, BPF_REG_1,
		     8), /* its second argument, a struct filename * */
		LOAD(BPF_DW, BPF_REG_3, BPF_REG_2, (int16_t)name),
		LOAD_IMM64(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, counter),
		MOV_IMM(BPF_REG_0, 1),
		ATOMIC_ADD(BPF_REG_1, BPF_REG_0),
		MOV_IMM(BPF_REG_0, 0),
		EXIT,
	};

	if (!id || name < 0 || counter < 0) {
		say("do_unlinkat", "no such function, no struct filename, or no map");
		return;
	}
	if (!attach("do_unlinkat", id, 0, insns, ARRAY_SIZE(insns)))
		return;
	close(open("/removed", O_CREAT | O_WRONLY, 0600));
	unlink("/removed");
	say("do_unlinkat", number_in(counter) == 1 ? "accepted" : "did not run");
}

static void ask_runqueues(void)
{
	int id = find(&kernel, BTF_KIND_VAR, "runqueues", NULL);
	int cpu = member_offset("rq", "cpu");
	const struct bpf_insn insns[] = {
		LOAD_IMM64(BPF_REG_1, BPF_PSEUDO_BTF_ID, id),
		MOV_IMM(BPF_REG_2, 1),
		CALL(0, BPF_FUNC_per_cpu_ptr),
		IF_ZERO(BPF_REG_0, 1),
		LOAD(BPF_W, BPF_REG_0, BPF_REG_0, (int16_t)cpu),
		EXIT,
	};
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT };
	int program;

	if (!id || cpu < 0) {
		say("runqueues", "no such variable, or no struct rq");
		return;
	}
	program = load(&attr, insns, ARRAY_SIZE(insns));
	if (program < 0)
		refused("runqueues", "refused");
	else
		run("runqueues", program, 1);
}

/* Load and run a program that calls functions of the kernel. */
static void run_kfunc(const struct bpf_insn *insns, size_t n, uint32_t expected)
{
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_SYSCALL, .prog_flags = BPF_F_SLEEPABLE };
	int program = load(&attr, insns, n);

	if (program < 0)
		refused("kfunc", "refused");
	else
		run("kfunc", program, expected);
}

/* Linux 6.1 has functions for tests only. The first takes the address of a number. */
static void ask_kfunc_for_tests(void)
{
	int acquire = find(&kernel, BTF_KIND_FUNC, "bpf_kfunc_call_test_acquire", NULL);
	int release = find(&kernel, BTF_KIND_FUNC, "bpf_kfunc_call_test_release", NULL);
	int a = member_offset("prog_test_ref_kfunc", "a");
	const struct bpf_insn insns[] = {
		INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0),
		MOV_REG(BPF_REG_1, BPF_REG_10),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8),
		CALL(BPF_PSEUDO_KFUNC_CALL, acquire),
		IF_ZERO(BPF_REG_0, 4),
		LOAD(BPF_W, BPF_REG_6, BPF_REG_0, (int16_t)a),
		MOV_REG(BPF_REG_1, BPF_REG_0),
		CALL(BPF_PSEUDO_KFUNC_CALL, release),
		MOV_REG(BPF_REG_0, BPF_REG_6),
		EXIT,
	};

	if (!acquire || !release || a < 0)
		say("kfunc", "no such functions, or not their struct");
	else
		run_kfunc(insns, ARRAY_SIZE(insns), 42);
}

static void ask_kfunc(void)
{
	int acquire = find(&kernel, BTF_KIND_FUNC, "bpf_task_from_pid", NULL);
	int release = find(&kernel, BTF_KIND_FUNC, "bpf_task_release", NULL);
	int pid = member_offset("task_struct", "pid");
	const struct bpf_insn insns[] = {
		MOV_IMM(BPF_REG_1, 1),         CALL(BPF_PSEUDO_KFUNC_CALL, acquire),
		IF_ZERO(BPF_REG_0, 4),         LOAD(BPF_W, BPF_REG_6, BPF_REG_0, (int16_t)pid),
		MOV_REG(BPF_REG_1, BPF_REG_0), CALL(BPF_PSEUDO_KFUNC_CALL, release),
		MOV_REG(BPF_REG_0, BPF_REG_6), EXIT,
	};

	if (!acquire && !release)
		ask_kfunc_for_tests();
	else if (!acquire || !release || pid < 0)
		say("kfunc", "no such functions, or no struct task_struct");
	else
		run_kfunc(insns, ARRAY_SIZE(insns), 1);
}

/* Does a program succeed? It may print more than a serial line takes in a reasonable time. */
static bool succeeds(const char *const argv[])
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return status == 0;
}

static bool bpftool_reads(const char *path)
{
	return succeeds((const char *const[]){ "/bpftool", "btf", "dump", "file", path, NULL });
}

/* "Skipped" is a failure here: no other test asks this kernel. */
static void ask_btf_check(void)
{
	static const char *const argv[] = { "/unit_tests", "--file=t_btf_check",
					    "the_kernel_agrees", NULL };

	if (access(argv[0], X_OK) == 0)
		say("btf_check", succeeds(argv) ? "accepted" : "the kernel does not agree");
}

/* --- modules ------------------------------------------------------------------------------ */

static struct module {
	char name[64];
	bool loaded;
	int error;
} modules[64];

static size_t nr_modules;

static void list_modules(void)
{
	DIR *folder = opendir("/modules");
	struct dirent *e;

	while (folder && nr_modules < ARRAY_SIZE(modules) && (e = readdir(folder))) {
		size_t len = strlen(e->d_name);

		if (len <= 3 || len - 3 >= sizeof(modules[0].name) ||
		    strcmp(e->d_name + len - 3, ".ko"))
			continue;
		memcpy(modules[nr_modules++].name, e->d_name, len - 3);
	}
}

static bool load_module(struct module *m)
{
	char path[128];

	snprintf(path, sizeof(path), "/modules/%s.ko", m->name);
	int fd = open(path, O_RDONLY);
	m->loaded = syscall(SYS_finit_module, fd, "", 0) == 0;
	m->error = errno;
	close(fd);
	return m->loaded;
}

static bool same_bytes(const char *a, const char *b)
{
	size_t len_a, len_b;
	char *bytes_a = slurp(a, &len_a), *bytes_b = slurp(b, &len_b);
	bool same = len_a && len_a == len_b && !memcmp(bytes_a, bytes_b, len_a);

	free(bytes_a);
	free(bytes_b);
	return same;
}

static void ask_module(const struct module *m, bool have_bpftool)
{
	char name[80], shown[128], expected[128];

	snprintf(name, sizeof(name), "module %s", m->name);
	snprintf(shown, sizeof(shown), "/sys/kernel/btf/%s", m->name);
	/* the name of a module has no dash, even if that of its file has one */
	for (char *c = shown; *c; c++) {
		if (*c == '-')
			*c = '_';
	}
	snprintf(expected, sizeof(expected), "/modules/%s.btf", m->name);
	if (!m->loaded)
		say(name, strerror(m->error));
	else if (access(expected, R_OK))
		say(name, "accepted");
	else if (access(shown, R_OK))
		say(name, "the kernel has no BTF of it");
	else if (!same_bytes(shown, expected))
		say(name, "the kernel shows another BTF");
	else if (have_bpftool && !bpftool_reads(shown))
		say(name, "bpftool does not read it");
	else
		say(name, "accepted");
}

static void ask_modules(bool have_bpftool)
{
	bool progress = true;

	list_modules();
	while (progress) {
		progress = false;
		for (size_t i = 0; i < nr_modules; i++) {
			if (!modules[i].loaded)
				progress |= load_module(&modules[i]);
		}
	}
	for (size_t i = 0; i < nr_modules; i++)
		ask_module(&modules[i], have_bpftool);
}

/* The BTF of a module as a file, or -1 */
static int module_btf(const char *module)
{
	for (uint32_t id = 0;;) {
		char name[64] = { 0 };
		struct bpf_btf_info info = { .name_len = sizeof(name) };
		union bpf_attr attr = { .start_id = id };
		int fd;

		if (bpf(BPF_BTF_GET_NEXT_ID, &attr))
			return -1;
		id = attr.next_id;
		attr = (union bpf_attr){ .btf_id = id };
		fd = bpf(BPF_BTF_GET_FD_BY_ID, &attr);
		info.name = (uintptr_t)name;
		attr = (union bpf_attr){ .info.bpf_fd = (uint32_t)fd,
					 .info.info_len = sizeof(info) };
		attr.info.info = (uintptr_t)&info;
		if (fd >= 0 && !bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) && strcmp(name, module) == 0)
			return fd;
		close(fd);
	}
}

static void ask_fuse_dev_open(void)
{
	struct btf fuse = { .base = &kernel };
	int flags = member_offset("file", "f_flags");
	int sum = new_number();
	int module = module_btf("fuse");
	const struct bpf_insn insns[] = {
		LOAD(BPF_DW, BPF_REG_2, BPF_REG_1, 8), /* its second argument, a struct file * */
		LOAD(BPF_W, BPF_REG_3, BPF_REG_2, (int16_t)flags),
		INSN(BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_3, 0, 0, O_ACCMODE),
		LOAD_IMM64(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, sum),
		ATOMIC_ADD(BPF_REG_1, BPF_REG_3),
		MOV_IMM(BPF_REG_0, 0),
		EXIT,
	};

	if (module < 0)
		return;
	fuse.bytes = slurp("/sys/kernel/btf/fuse", &fuse.len);
	int id = readable(&fuse) ? find(&fuse, BTF_KIND_FUNC, "fuse_dev_open", NULL) : 0;
	if (!id || flags < 0 || sum < 0) {
		say("fuse_dev_open", "no such function, no struct file, or no map");
		return;
	}
	if (!attach("fuse_dev_open", id, module, insns, ARRAY_SIZE(insns)))
		return;
	close(open("/dev/fuse", O_RDWR));
	say("fuse_dev_open", number_in(sum) == O_RDWR ? "accepted" : "did not run");
}

int main(void)
{
	mkdir("/dev", 0755);
	mkdir("/sys", 0755);
	mount("none", "/dev", "devtmpfs", 0, NULL);
	mount("none", "/sys", "sysfs", 0, NULL);
	dup2(open("/dev/console", O_RDWR), STDOUT_FILENO);
	dup2(STDOUT_FILENO, STDERR_FILENO);

	kernel.bytes = slurp("/sys/kernel/btf/vmlinux", &kernel.len);
	ask_btf();
	bool have_bpftool = access("/bpftool", X_OK) == 0;
	if (have_bpftool)
		say("bpftool", bpftool_reads("/sys/kernel/btf/vmlinux") ?
				       "accepted" :
				       "does not read /sys/kernel/btf/vmlinux");
	if (readable(&kernel)) {
		ask_do_unlinkat();
		ask_runqueues();
		ask_kfunc();
	}
	ask_modules(have_bpftool);
	if (readable(&kernel))
		ask_fuse_dev_open();
	ask_btf_check();
	/* User Mode Linux restarts itself; qemu ends at a restart, and may not know how to power off. */
	/* The line console of s390 writes later, and not after the reboot. */
	tcdrain(1);
	reboot(getenv("POWER_OFF") ? RB_POWER_OFF : RB_AUTOBOOT);
	return 0;
}
