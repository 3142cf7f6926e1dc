/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfdump.c - what BTF says, as text that does not depend on ids or their order
 *
 *	btfdump FILE
 *
 * One entry for each record that can be asked for by name (and those without a name that
 * nothing refers to), sorted. What has no name is written out where it is referred to.
 * Equal records give equal entries, so a merge that was missed shows.
 */
#include "btf/btf_kind.h"
#include "tests/lib/btffile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct text {
	char *items;
	size_t nr, cap;
};

struct dump {
	struct btf_file file;
	bool *referred;
	struct {
		char **items;
		size_t nr, cap;
	} entries;
};

PRINTF_LIKE(2, 3) static void put(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	vec_reserve(t, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(t->items + t->nr, (size_t)len + 1, fmt, ap);
	va_end(ap);
	t->nr += (size_t)len;
}

/* Things without names are at most that deep in one another. */
enum { MAX_DEPTH = 32 };

static void put_type(const struct dump *d, struct text *t, uint32_t id, unsigned int depth);

static const char *str(const struct dump *d, uint32_t off)
{
	return btf_file_str(&d->file, off);
}

static void put_members(const struct dump *d, struct text *t, const uint32_t *rec,
			unsigned int depth)
{
	bool kflag = btf_info_kflag(rec[BTF_REC_INFO]);
	const uint32_t *m = rec + BTF_REC_WORDS;

	put(t, " size %u {", rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++, m += 3) {
		uint32_t bit = kflag ? m[2] & 0xffffff : m[2];

		put(t, depth ? " " : "\n\t");
		put(t, "%u", bit / 8);
		if (bit % 8)
			put(t, ".%u", bit % 8);
		put(t, " %s", m[0] ? str(d, m[0]) : "(anon)");
		if (kflag && m[2] >> 24)
			put(t, ":%u", m[2] >> 24);
		put(t, " ");
		put_type(d, t, m[1], depth + 1);
		put(t, ";");
	}
	put(t, depth ? " }" : "\n}");
}

static void put_values(const struct dump *d, struct text *t, const uint32_t *rec,
		       unsigned int depth)
{
	bool wide = btf_info_kind(rec[BTF_REC_INFO]) == BTF_ENUM64;
	bool negative = btf_info_kflag(rec[BTF_REC_INFO]);
	const uint32_t *v = rec + BTF_REC_WORDS;

	put(t, " %s size %u {", negative ? "signed" : "unsigned", rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++, v += wide ? 3 : 2) {
		put(t, "%s%s ", depth ? " " : "\n\t", str(d, v[0]));
		if (wide)
			put(t, negative ? "%lld;" : "%llu;", v[1] | (unsigned long long)v[2] << 32);
		else if (negative)
			put(t, "%d;", (int)v[1]);
		else
			put(t, "%u;", v[1]);
	}
	put(t, depth ? " }" : "\n}");
}

static void put_params(const struct dump *d, struct text *t, const uint32_t *rec,
		       unsigned int depth)
{
	const uint32_t *p = rec + BTF_REC_WORDS;
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);

	put(t, "(");
	for (uint32_t i = 0; i < vlen; i++, p += 2) {
		put(t, "%s", i ? ", " : "");
		if (!p[0] && !p[1] && i == vlen - 1) {
			put(t, "...");
			break;
		}
		if (p[0])
			put(t, "%s ", str(d, p[0]));
		put_type(d, t, p[1], depth + 1);
	}
	put(t, ") -> ");
	put_type(d, t, rec[BTF_REC_SIZE_TYPE], depth + 1);
}

/* What others say to refer to @id. */
static void put_type(const struct dump *d, struct text *t, uint32_t id, unsigned int depth)
{
	static const char *const modifiers[BTF_NR_KINDS] = {
		[BTF_PTR] = "*",
		[BTF_CONST] = "const ",
		[BTF_VOLATILE] = "volatile ",
		[BTF_RESTRICT] = "restrict ",
	};

	if (!id) {
		put(t, "void");
		return;
	}
	if (depth > MAX_DEPTH) {
		put(t, "...");
		return;
	}

	const uint32_t *rec = btf_file_rec(&d->file, id);
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
	const char *name = str(d, rec[BTF_REC_NAME]);
	bool is_union = kind == BTF_UNION || (kind == BTF_FWD && btf_info_kflag(rec[BTF_REC_INFO]));

	switch (kind) {
	case BTF_STRUCT:
	case BTF_UNION:
		put(t, "%s%s%s", is_union ? "union" : "struct", *name ? " " : "", name);
		if (!*name)
			put_members(d, t, rec, depth + 1);
		break;
	case BTF_FWD:
		put(t, "%s %s", is_union ? "union" : "struct", name);
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		put(t, "enum%s%s", *name ? " " : "", name);
		if (!*name)
			put_values(d, t, rec, depth + 1);
		break;
	case BTF_ARRAY:
		put(t, "[%u]", rec[BTF_REC_WORDS + 2]);
		put_type(d, t, rec[BTF_REC_WORDS], depth + 1);
		break;
	case BTF_TYPE_TAG:
		put(t, "tag(%s) ", name);
		put_type(d, t, rec[BTF_REC_SIZE_TYPE], depth + 1);
		break;
	case BTF_FUNC_PROTO:
		put_params(d, t, rec, depth);
		break;
	default:
		if (modifiers[kind]) {
			put(t, "%s", modifiers[kind]);
			put_type(d, t, rec[BTF_REC_SIZE_TYPE], depth + 1);
		} else {
			put(t, "%s", *name ? name : "(anon)");
		}
		break;
	}
}

static const char *linkage(uint32_t l)
{
	static const char *const names[] = { "static", "global", "extern" };

	return l < ARRAY_SIZE(names) ? names[l] : "(unknown linkage)";
}

static void put_datasec(const struct dump *d, struct text *t, const uint32_t *rec)
{
	const uint32_t *v = rec + BTF_REC_WORDS;

	put(t, "datasec %s size %u {", str(d, rec[BTF_REC_NAME]), rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++, v += 3)
		put(t, "\n\t%s size %u", str(d, btf_file_rec(&d->file, v[0])[BTF_REC_NAME]), v[2]);
	put(t, "\n}");
}

static void put_decl_tag(const struct dump *d, struct text *t, const uint32_t *rec)
{
	const uint32_t *of = btf_file_rec(&d->file, rec[BTF_REC_SIZE_TYPE]);
	int32_t component = (int32_t)rec[BTF_REC_WORDS];

	put(t, "decl_tag '%s' of %s %s", str(d, rec[BTF_REC_NAME]),
	    btf_kind_layout(btf_info_kind(of[BTF_REC_INFO]))->name, str(d, of[BTF_REC_NAME]));
	if (component >= 0)
		put(t, ", component %d", component);
}

/* The whole record. */
static void put_entry(const struct dump *d, struct text *t, const uint32_t *rec)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
	/* the last record of all may end before it */
	uint32_t word = btf_rec_words(rec) > BTF_REC_WORDS ? rec[BTF_REC_WORDS] : 0;
	const char *name = str(d, rec[BTF_REC_NAME]);

	switch (kind) {
	case BTF_INT:
		put(t, "int %s size %u bits %u%s%s%s", name, rec[BTF_REC_SIZE_TYPE], word & 0xff,
		    word >> 24 & BTF_ENC_SIGNED ? " signed" : "",
		    word >> 24 & BTF_ENC_CHAR ? " char" : "",
		    word >> 24 & BTF_ENC_BOOL ? " bool" : "");
		break;
	case BTF_FLOAT:
		put(t, "float %s size %u", name, rec[BTF_REC_SIZE_TYPE]);
		break;
	case BTF_STRUCT:
	case BTF_UNION:
		put(t, "%s %s", kind == BTF_UNION ? "union" : "struct", name);
		put_members(d, t, rec, 0);
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		put(t, "%s %s", kind == BTF_ENUM64 ? "enum64" : "enum", name);
		put_values(d, t, rec, 0);
		break;
	case BTF_FWD:
		put(t, "fwd %s %s", btf_info_kflag(rec[BTF_REC_INFO]) ? "union" : "struct", name);
		break;
	case BTF_TYPEDEF:
		put(t, "typedef %s ", name);
		put_type(d, t, rec[BTF_REC_SIZE_TYPE], 1);
		break;
	case BTF_FUNC:
		put(t, "func %s %s", linkage(btf_info_vlen(rec[BTF_REC_INFO])), name);
		put_type(d, t, rec[BTF_REC_SIZE_TYPE], 1);
		break;
	case BTF_VAR:
		put(t, "var %s %s ", linkage(word), name);
		put_type(d, t, rec[BTF_REC_SIZE_TYPE], 1);
		break;
	case BTF_DATASEC:
		put_datasec(d, t, rec);
		break;
	case BTF_DECL_TAG:
		put_decl_tag(d, t, rec);
		break;
	default:
		put(t, "%s %s", btf_kind_layout(kind)->name, name); /* it should not have one */
		break;
	}
}

static bool is_named(const uint32_t *rec)
{
	return rec[BTF_REC_NAME] && btf_info_kind(rec[BTF_REC_INFO]) != BTF_TYPE_TAG;
}

static void collect(struct dump *d)
{
	uint32_t end = btf_types_end(&d->file.view.types);

	d->referred = mem_zalloc(end, 1);
	for (uint32_t id = 1; id < end; id++) {
		btf_rec_each_type(btf_file_rec(&d->file, id), p) d->referred[*p] = true;
	}
	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = btf_file_rec(&d->file, id);
		struct text t = { 0 };

		if (is_named(rec)) {
			put_entry(d, &t, rec);
		} else if (!d->referred[id]) {
			put(&t, "nameless ");
			put_type(d, &t, id, 0);
		} else {
			continue;
		}
		vec_push(&d->entries, t.items);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
	struct dump d = { 0 };

	if (argc != 2) {
		fprintf(stderr, "usage: btfdump FILE\n");
		return 2;
	}
	btf_file_read(argv[1], &d.file);
	collect(&d);
	if (d.entries.nr)
		qsort(d.entries.items, d.entries.nr, sizeof(d.entries.items[0]), by_text);
	for (size_t i = 0; i < d.entries.nr; i++) {
		puts(d.entries.items[i]);
		free(d.entries.items[i]);
	}
	free(d.entries.items);
	free(d.referred);
	btf_file_release(&d.file);
	return 0;
}
