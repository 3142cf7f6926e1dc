/* SPDX-License-Identifier: GPL-2.0-only */
/* header_print.c - see header_print.h */
#include "cmd/header_print.h"

#include "base/cleanup.h"
#include "cmd/bpflib.h"
#include "dedup/btf_check.h"

#include <inttypes.h>
#include <stdio.h>

static const char before[] =
	"#ifndef __VMLINUX_H__\n"
	"#define __VMLINUX_H__\n"
	"\n"
	"#ifndef BPF_NO_PRESERVE_ACCESS_INDEX\n"
	"#pragma clang attribute push (__attribute__((preserve_access_index)), "
	"apply_to = record)\n"
	"#endif\n"
	"\n";
static const char behind[] = "#ifndef BPF_NO_PRESERVE_ACCESS_INDEX\n"
			     "#pragma clang attribute pop\n"
			     "#endif\n"
			     "\n"
			     "#endif /* __VMLINUX_H__ */\n";

static struct err *check_one(struct bytes b, const struct btf_check_opts *opts,
			     struct btf_check *ret)
{
	btf_check_run(b, opts, ret);
	for (size_t i = 0; i < ret->findings.nr; i++) {
		const struct btf_finding *f = &ret->findings.items[i];
		const struct btf_rule *rule = btf_rule(f->rule);

		/* some kernel takes it */
		if (!rule->warning && !rule->until)
			return err_new(ERR_FORMAT, "type %" PRIu32 ": %s", f->id, rule->text);
	}
	return NULL;
}

static struct err *check(struct bytes btf, struct bytes base, uint8_t addr_size)
{
	CLEANUP(btf_check_release) struct btf_check below = { 0 };
	CLEANUP(btf_check_release) struct btf_check above = { 0 };
	struct btf_check_opts opts = { .addr_size = addr_size };

	if (base.len) {
		TRY(err_at(check_one(base, &opts, &below), "base"));
		opts.base = &below.view;
	}
	return check_one(btf, &opts, &above);
}

struct err *header_print(struct bytes btf, struct bytes base, uint8_t addr_size)
{
	TRY(check(btf, base, addr_size));
	TRY(bpflib_print_c(before, btf, base, addr_size));
	fputs(behind, stdout);
	return NULL;
}
