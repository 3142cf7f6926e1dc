/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_btf_check.c - any bytes are checked, alone, over a base, and as a module with .BTF.base
 *
 *  * the other way round;
The first byte selects one. btf_view_open() must accept exactly the BTF that has no errors;
 * the other way round; every finding must be one that can be printed.
 */
#include "tests/fuzz/fuzz.h"

#include "btf/btf_kind.h"
#include "check/btf_check.h"

#include <stdlib.h>

/* int, struct x { int x; }, and its header. */
static const uint32_t base_words[] = {
	BTF_WIRE_MAGIC | BTF_WIRE_VERSION << 16,
	BTF_HDR_CLASSIC,
	0,
	40,
	40,
	8,
	1,
	BTF_INT << 24,
	4,
	0x01000020,
	5,
	BTF_STRUCT << 24 | 1,
	4,
	5,
	1,
	0,
	0x746e6900,
	0x00007800, /* "\0int" "\0x\0\0": little-endian, but any will do */
};

static void check_findings(const struct btf_check *c)
{
	for (size_t i = 0; i < c->findings.nr; i++) {
		const struct btf_finding *f = &c->findings.items[i];

		if (f->rule >= NR_RULES || !f->function || !btf_rule(f->rule)->text)
			abort();
		if (i && f->id < f[-1].id)
			abort();
		if (f->element == UINT32_MAX || !c->readable || !f->id)
			continue;
		if (f->id >= btf_types_end(&c->view.types) ||
		    f->element >= btf_info_vlen(btf_types_rec(&c->view.types, f->id)[BTF_REC_INFO]))
			abort();
	}
}

/* Is a breach among the findings, or is there another base? */
static bool is_refused(const struct btf_check *c)
{
	for (size_t i = 0; i < c->findings.nr; i++) {
		if (!btf_rule(c->findings.items[i].rule)->warning)
			return true;
	}
	return c->other_base;
}

/* A reader that generates other BTF may accept more than the kernel, but no less. */
static void compare_with_view(const struct btf_check *c, struct bytes b,
			      const struct btf_view *base)
{
	struct btf_view v = { 0 };
	struct err *e = btf_view_open(b, base, &v);

	if (e && !is_refused(c))
		abort();
	if (!e && c->readable && c->findings.nr == 0 && !c->sound)
		abort();
	if (!e)
		btf_view_release(&v);
	err_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes base_bytes = { (const uint8_t *)base_words, sizeof(base_words) };
	struct file_section sections[] = { { ".text", 16, true }, { "", 8, false } };
	struct btf_check base = { 0 }, c = { 0 };
	struct btf_check_opts opts = { 0 };
	struct bytes b;

	if (!size)
		return 0;
	b = (struct bytes){ data + 1, size - 1 };
	btf_check_run(base_bytes, &(struct btf_check_opts){ .distilled = true }, &base);
	if (!base.sound || base.findings.nr)
		abort();
	if (data[0] & 1)
		opts.base = &base.view;
	else
		opts.distilled = data[0] & 2;
	opts.version = data[0] & 16 ? LINUX_NEWEST : 0;
	opts.addr_size = data[0] & 4 ? 4 : data[0] & 8 ? 8 : 0;
	btf_check_run(b, &opts, &c);
	btf_check_sites(&c, sections, ARRAY_SIZE(sections));
	if (c.sound && opts.base)
		btf_check_relocation(&c.view, &base.view, &c.findings, &base.findings);
	check_findings(&c);
	check_findings(&base);
	compare_with_view(&c, b, opts.base);
	btf_check_release(&c);
	btf_check_release(&base);
	return 0;
}
