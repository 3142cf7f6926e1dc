/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpfcomplete.c - does completed_btf_make() give the BTF that libbpf loads?
 *
 *	bpfcomplete FILE...
 *
 * FILE is a BPF object. Compares types and strings with those of libbpf after it has opened the object, and prints a
 * line for each file. Exit status 1 if one differs, or if only one of both refuses it.
 */
#include "base/cleanup.h"
#include "loader/btf/btf_section.h"
#include "loader/btf/completed_btf.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int say_nothing(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* The types, or the strings, of @b, whose header is valid. */
static struct bytes part(struct bytes b, size_t field)
{
	return (struct bytes){ b.ptr + load32(b.ptr + 4) + load32(b.ptr + field),
			       load32(b.ptr + field + 4) };
}

static bool is_equal(struct bytes a, struct bytes b)
{
	for (size_t field = 8; field <= 16; field += 8) {
		struct bytes x = part(a, field), y = part(b, field);

		if (x.len != y.len || memcmp(x.ptr, y.ptr, x.len) != 0)
			return false;
	}
	return true;
}

/* Open the file by libbpf, whose BTF is *ret; NULL if it refuses the file. */
static struct bpf_object *open_by_libbpf(const char *path, struct bytes *ret)
{
	struct bpf_object *obj = bpf_object__open_file(path, NULL);
	uint32_t len = 0;

	if (!obj)
		return NULL;
	ret->ptr = bpf_object__btf(obj) ? btf__raw_data(bpf_object__btf(obj), &len) : NULL;
	ret->len = len;
	return obj;
}

static struct err *compare(const char *path, bool *ret_same)
{
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(completed_btf_release) struct completed_btf ours = { 0 };
	CLEANUP(mem_free) uint8_t *own = NULL;
	struct diagnostics diags = { 0 };
	struct bytes btf, theirs = { 0 };

	TRY(object_open_bare(path, &o));
	TRY(btf_section_read(&o, &diags, &btf, &own));
	TRY(completed_btf_make(&o, btf, &ours));
	diag_release(&diags);

	struct bpf_object *obj = open_by_libbpf(path, &theirs);
	bool refused = ours.refusals.nr;

	*ret_same = refused == !obj;
	if (obj && !refused)
		*ret_same = ours.btf && theirs.ptr &&
			    is_equal((struct bytes){ ours.btf, ours.btf_len }, theirs);
	printf("%s: %s%s%s\n", path, *ret_same ? "the same" : "different",
	       obj ? "" : ", libbpf refuses it",
	       refused ? ", btfenc says that libbpf refuses it" : "");
	if (obj)
		bpf_object__close(obj);
	return NULL;
}

int main(int argc, char **argv)
{
	bool ok = argc > 1;

	libbpf_set_print(say_nothing);
	for (int i = 1; i < argc; i++) {
		bool same = false;
		struct err *e = compare(argv[i], &same);

		if (e)
			printf("%s\n", err_text(e));
		err_free(e);
		ok &= same;
	}
	return ok ? 0 : 1;
}
