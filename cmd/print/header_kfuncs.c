/* SPDX-License-Identifier: GPL-2.0-only */
/* header_kfuncs.c - see header_kfuncs.h */
#include "cmd/print/header_kfuncs.h"

#include "base/cleanup.h"
#include "base/escape.h"
#include "encoder/select/kfuncs.h"

#include <string.h>

/* As in the header that bpftool prints. */
const char header_kfunc_macros[] = "#ifndef __ksym\n"
				   "#define __ksym __attribute__((section(\".ksyms\")))\n"
				   "#endif\n"
				   "\n"
				   "#ifndef __weak\n"
				   "#define __weak __attribute__((weak))\n"
				   "#endif\n"
				   "\n"
				   "#ifndef __bpf_fastcall\n"
				   "#if __has_attribute(bpf_fastcall)\n"
				   "#define __bpf_fastcall __attribute__((bpf_fastcall))\n"
				   "#else\n"
				   "#define __bpf_fastcall\n"
				   "#endif\n"
				   "#endif\n"
				   "\n";
const char header_kfuncs_before[] = "/* BPF kfuncs */\n"
				    "#ifndef BPF_NO_KFUNC_PROTOTYPES\n";
const char header_kfuncs_behind[] = "#endif\n"
				    "\n";

static const char *name_of(const struct btf_view *v, const uint32_t *rec)
{
	return btf_view_str(v, v->base, rec[BTF_REC_NAME]);
}

static int by_name(const void *a, const void *b)
{
	const struct header_kfunc *x = a, *y = b;
	int diff = strcmp(x->name, y->name);

	return diff ? diff : (x->func > y->func) - (x->func < y->func);
}

/* Is @rec a decl tag @text of a whole function? */
static bool is_tag(const struct btf_view *v, const uint32_t *rec, const char *text)
{
	uint32_t of = rec[BTF_REC_SIZE_TYPE];

	return btf_rec_kind(rec) == BTF_DECL_TAG && rec[BTF_REC_WORDS] == UINT32_MAX &&
	       !strcmp(name_of(v, rec), text) && of &&
	       btf_rec_kind(btf_types_rec(&v->types, of)) == BTF_FUNC;
}

static struct err *add_kfunc(const struct btf_view *v, uint32_t func, struct header_kfuncs *ret)
{
	const uint32_t *rec = btf_types_rec(&v->types, func);
	const char *name = name_of(v, rec);

	if (!c_name_fits(name, C_IDENTIFIER))
		return err_new(ERR_FORMAT, "type %u: C does not accept its name, or a name in it",
			       func);
	vec_push(ret, ((struct header_kfunc){
			      .name = name, .func = func, .proto = rec[BTF_REC_SIZE_TYPE] }));
	return NULL;
}

/* Drop repeated ones. @is_fast: by id of the function. */
static void settle(struct header_kfuncs *k, const bool *is_fast)
{
	size_t nr = 0;

	vec_sort(k, by_name);
	for (size_t i = 0; i < k->nr; i++) {
		if (nr && k->items[nr - 1].func == k->items[i].func)
			continue;
		k->items[nr] = k->items[i];
		k->items[nr].fastcall = is_fast[k->items[nr].func];
		nr++;
	}
	k->nr = nr;
}

struct err *header_kfuncs_find(const struct btf_view *v, struct header_kfuncs *ret)
{
	CLEANUP(mem_free) bool *is_fast = mem_zalloc(btf_types_end(&v->types), sizeof(*is_fast));

	for (uint32_t id = 1; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);

		if (is_tag(v, rec, KFUNC_TAG))
			TRY(add_kfunc(v, rec[BTF_REC_SIZE_TYPE], ret));
		else if (is_tag(v, rec, KFUNC_FASTCALL_TAG))
			is_fast[rec[BTF_REC_SIZE_TYPE]] = true;
	}
	settle(ret, is_fast);
	return NULL;
}

void header_kfuncs_release(struct header_kfuncs *k)
{
	free(k->items);
	*k = (struct header_kfuncs){ 0 };
}
