/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_dwarf_gen.c - debug information that is nearly right (lib/dwarfgen.h), encoded
 *
 * The result is an error, or BTF without errors; and two threads generate the same bytes as one,
 * with the same notes and errors. The first byte is that of enum dwarfgen_flags.
 */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "check/btf_check.h"
#include "check/btf_rule.h"
#include "encoder/encode.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/lib/dwarfgen.h"

static struct err *encode(const char *path, uint32_t flags, unsigned int jobs,
			  struct diagnostics *diags, struct encode_result *made)
{
	const struct file_ref file = file_ref_of(path);
	const struct encode_request request = { .files = &file,
						.nr = 1,
						.from = ENCODE_FROM_DWARF };
	struct encode_opts opts = {
		.features = (FEATURE_TRUE_SIGNATURE << 1) - 1 - FEATURE_DISTILLED_BASE,
		.jobs = jobs,
		.small_jobs = true,
		.unchecked = flags & GEN_NO_CHECK,
		.dedup_by_rule = flags & GEN_BY_RULE,
	};

	if (flags & GEN_OLD_KINDS)
		opts.features &= ~(uint32_t)(FEATURE_ENUM64 | FEATURE_FLOAT | FEATURE_TYPE_TAG |
					     FEATURE_DECL_TAG);
	if (flags & GEN_NO_VARS)
		opts.features &= ~(uint32_t)(FEATURE_GLOBAL_VAR | FEATURE_VAR);
	return encode_files(&request, &opts, diags, made);
}

/* Rules that result_check.h ignores: C has more names than the kernel, and a depth is no damage. */
static bool may_stand(enum btf_rule_id rule)
{
	return rule == RULE_DEPTH || rule == RULE_NAME_IDENTIFIER || rule == RULE_MEMBER_NAME ||
	       rule == RULE_ENUMERATOR_NAME || rule == RULE_PARAM_NAME || btf_rule(rule)->warning ||
	       !btf_rule_applies(rule, LINUX_NEWEST);
}

static void check(const struct encode_result *made, uint32_t flags)
{
	const struct btf_check_opts opts = { .addr_size = flags & GEN_32_BITS ? 4 : 8 };
	struct btf_check c = { 0 };

	btf_check_run((struct bytes){ made->btf, made->btf_len }, &opts, &c);
	if (!c.readable || !c.sound)
		abort();
	/* content of a missing file cannot be distinguished from damage */
	for (size_t i = 0; i < c.findings.nr && !(flags & (GEN_NO_CHECK | GEN_FOREIGN)); i++) {
		if (!may_stand(c.findings.items[i].rule))
			abort();
	}
	btf_check_release(&c);
}

static bool same_notes(const struct diagnostics *a, const struct diagnostics *b)
{
	const struct diagnostic *x = a->first, *y = b->first;

	for (; x && y && !strcmp(x->text, y->text); x = x->next)
		y = y->next;
	return !x && !y;
}

/* Two threads make what one did. */
static void check_again(const char *path, uint32_t flags, const struct encode_result *made,
			const struct diagnostics *diags, const struct err *e)
{
	CLEANUP(diag_release) struct diagnostics again_notes = { .verbose = true };
	CLEANUP(encode_result_release) struct encode_result again = { 0 };
	struct err *again_e = encode(path, flags, 2, &again_notes, &again);

	if (!e != !again_e || (e && strcmp(err_text(e), err_text(again_e)) != 0))
		abort();
	if (made->btf_len != again.btf_len ||
	    (made->btf_len && memcmp(made->btf, again.btf, made->btf_len)))
		abort();
	if (!e && !same_notes(diags, &again_notes))
		abort();
	err_free(again_e);
}

static void encode_and_check(const char *path, uint32_t flags)
{
	CLEANUP(diag_release) struct diagnostics diags = { .verbose = true };
	CLEANUP(encode_result_release) struct encode_result made = { 0 };
	struct err *e = encode(path, flags, 1, &diags, &made);

	if (e && err_kind(e) == ERR_IO)
		abort();
	if (flags & GEN_TWO_THREADS)
		check_again(path, flags, &made, &diags, e);
	if (made.btf)
		check(&made, flags);
	err_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct make_buf file = dwarfgen_file(data, size);
	char path[32];
	int fd = fuzz_file(file.ptr, file.len, path);

	arena_reset(&make_arena);
	encode_and_check(path, size ? data[0] : 0);
	close(fd);
	return 0;
}
