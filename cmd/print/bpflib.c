/* SPDX-License-Identifier: GPL-2.0-only */
/* bpflib.c - see bpflib.h */
#include "cmd/print/bpflib.h"

#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/os/dlopen_note.h"
#include "base/text.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

/* The functions of libbpf. */
struct functions {
	__typeof__(btf__parse_split) *btf_parse_split;
	__typeof__(btf__free) *btf_free;
	__typeof__(btf__type_cnt) *btf_type_cnt;
	__typeof__(btf__set_pointer_size) *btf_set_pointer_size;
	__typeof__(btf_dump__new) *btf_dump_new;
	__typeof__(btf_dump__dump_type) *btf_dump_type;
	__typeof__(btf_dump__emit_type_decl) *btf_dump_decl;
	__typeof__(btf_dump__free) *btf_dump_free;
	__typeof__(libbpf_set_print) *set_print;
};

#ifdef BTFENC_STATIC

static const struct functions lib = {
	btf__parse_split,         btf__free,      btf__type_cnt,
	btf__set_pointer_size,    btf_dump__new,  btf_dump__dump_type,
	btf_dump__emit_type_decl, btf_dump__free, libbpf_set_print,
};

static struct err *load_library(void)
{
	return NULL;
}

#else

#define LIBRARY "libbpf.so.1"

DLOPEN_NOTE(LIBRARY, btf_header, "Print BTF as a C header for BPF programs");

static struct functions lib;

static const struct dlopen_function functions[] = {
	{ "btf__parse_split", &lib.btf_parse_split },
	{ "btf__free", &lib.btf_free },
	{ "btf__type_cnt", &lib.btf_type_cnt },
	{ "btf__set_pointer_size", &lib.btf_set_pointer_size },
	{ "btf_dump__new", &lib.btf_dump_new },
	{ "btf_dump__dump_type", &lib.btf_dump_type },
	{ "btf_dump__emit_type_decl", &lib.btf_dump_decl },
	{ "btf_dump__free", &lib.btf_dump_free },
	{ "libbpf_set_print", &lib.set_print },
	{ NULL, NULL },
};

static struct dlopen_library library = { .soname = LIBRARY, .functions = functions };

static struct err *load_library(void)
{
	const char *failure = dlopen_once(&library);

	return failure ? err_new(ERR_UNSUPPORTED, "'--btf_header' needs libbpf 1: %s", failure) :
			 NULL;
}

#endif

/* The objects of libbpf. */
struct bpflib {
	struct btf *base, *btf;
	struct btf_dump *dump;
	struct text text; /* of a type and what it needs, as far as it is not written */
};

static void bpflib_close(struct bpflib *l)
{
	text_release(&l->text);
	if (l->dump)
		lib.btf_dump_free(l->dump);
	if (l->btf)
		lib.btf_free(l->btf);
	if (l->base)
		lib.btf_free(l->base);
}

static int say_nothing(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* libbpf before 1.2 says "()" of a function without parameters, which may mean any in C. */
static void write_out(struct text *t)
{
	if (!t->nr)
		return; /* there is no array yet */

	const char *from = t->items, *end = from + t->nr, *at = from;
	for (; at + 1 < end; at++) {
		if (at[0] != '(' || at[1] != ')')
			continue;
		fwrite(from, 1, (size_t)(at - from), stdout);
		fputs("(void)", stdout);
		from = at + 2;
	}
	if (end > from)
		fwrite(from, 1, (size_t)(end - from), stdout);
	t->nr = 0;
}

enum { WRITE_FROM = 1 << 16 };

static void put(void *ctx, const char *fmt, va_list ap)
{
	struct text *t = ctx;

	text_vprintf(t, fmt, ap);
	/* the rest of "()" may follow */
	if (t->nr >= WRITE_FROM && t->items[t->nr - 1] != '(')
		write_out(t);
}

/* libbpf 1.1 takes split BTF by the name of a file only, so it gets one in memory. */
static struct err *parse(struct bytes b, struct btf *base, struct btf **ret)
{
	CLEANUP(file_close) int fd = memfd_create("btf", MFD_CLOEXEC);
	char path[32];

	if (fd < 0)
		return err_sys(errno, "cannot make a file in memory");
	TRY(file_write(fd, b));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	*ret = lib.btf_parse_split(path, base);
	return *ret ? NULL : err_sys(errno, "libbpf refuses it");
}

static struct err *load(struct bpflib *l, struct bytes btf, struct bytes base, uint8_t addr_size)
{
	const struct btf_dump_opts opts = { .sz = sizeof(opts) };

	if (base.len)
		TRY(err_at(parse(base, NULL, &l->base), "base"));
	TRY(parse(btf, l->base, &l->btf));
	if (addr_size)
		lib.btf_set_pointer_size(l->btf, addr_size);
	l->dump = lib.btf_dump_new(l->btf, put, &l->text, &opts);
	return l->dump ? NULL : err_sys(errno, "libbpf cannot begin to print");
}

static struct err *put_kfuncs(struct bpflib *l, const struct header_kfuncs *kfuncs)
{
	fputs(header_kfuncs_before, stdout);
	for (size_t i = 0; i < kfuncs->nr && !ferror(stdout); i++) {
		const struct header_kfunc *k = &kfuncs->items[i];
		LIBBPF_OPTS(btf_dump_emit_type_decl_opts, opts, .field_name = k->name);
		int failed;

		text_str(&l->text, k->fastcall ? "extern __bpf_fastcall " : "extern ");
		failed = lib.btf_dump_decl(l->dump, k->proto, &opts);
		if (failed)
			return err_sys(-failed, "type %u: libbpf cannot print it", k->proto);
		text_str(&l->text, " __weak __ksym;\n");
		write_out(&l->text);
	}
	fputs(header_kfuncs_behind, stdout);
	return NULL;
}

struct err *bpflib_print_c(const char *before, struct bytes btf, struct bytes base,
			   const struct header_kfuncs *kfuncs, uint8_t addr_size)
{
	CLEANUP(bpflib_close) struct bpflib l = { 0 };

	TRY(load_library());
	lib.set_print(say_nothing);
	TRY(load(&l, btf, base, addr_size));
	fputs(before, stdout);
	if (kfuncs->nr)
		fputs(header_kfunc_macros, stdout);
	for (uint32_t id = 1; id < lib.btf_type_cnt(l.btf) && !ferror(stdout); id++) {
		int failed = lib.btf_dump_type(l.dump, id);

		if (failed)
			return err_sys(-failed, "type %u: libbpf cannot print it", id);
		write_out(&l.text);
	}
	return kfuncs->nr ? put_kfuncs(&l, kfuncs) : NULL;
}
