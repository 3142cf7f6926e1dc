/* SPDX-License-Identifier: GPL-2.0-only */
/* record.c - see record.h */
#include "encoder/unit/record.h"

#include "dedup/pool/type_pool.h"
#include "encoder/unit/run.h"
#include "loader/dwarf/dw_const.h"

static void report(const struct omission_log *log, struct omission o)
{
	if (log)
		omission_report(log, o);
}

static uint32_t *append(struct record_words *w, size_t nr)
{
	vec_reserve(w, nr);
	w->nr += nr;
	return w->items + w->nr - nr;
}

static void header(struct record_words *w, uint32_t name, uint32_t info, uint32_t size_type)
{
	uint32_t *rec = append(w, BTF_REC_WORDS);

	rec[BTF_REC_NAME] = name;
	rec[BTF_REC_INFO] = info;
	rec[BTF_REC_SIZE_TYPE] = size_type;
}

static bool float_size(uint32_t size)
{
	return size == 2 || size == 4 || size == 8 || size == 12 || size == 16;
}

static bool int_size(uint32_t size)
{
	return size && size <= 16 && !(size & (size - 1));
}

/* Has BTF neither an INT nor a FLOAT of this size? */
static bool is_opaque(const struct run *run, const struct cu_type *t)
{
	bool is_float = t->encoding == DW_ATE_float && feature_on(run->opts, FEATURE_FLOAT);

	return t->flags & CU_TYPE_OPAQUE ||
	       !(int_size(t->size) || (is_float && float_size(t->size)));
}

/* A type of which BTF has only the size. The kernel accepts a struct without members of any size, also of 0. */
static void opaque(const struct cu_type *t, struct record_words *w, const struct omission_log *log)
{
	const char *keyword = t->encoding == DW_ATE_float         ? "float" :
			      t->encoding == DW_ATE_complex_float ? "complex" :
								    "int";

	if (t->flags & CU_TYPE_OPAQUE)
		keyword = t->encoding == DW_TAG_array_type ? "array" :
			  t->encoding == DW_TAG_set_type   ? "set" :
							     "file";

	if (t->size)
		report(log, (struct omission){ OMIT_TYPE_ONLY_SIZE, .name = t->name,
					       .keyword = keyword, .number = t->size });
	header(w, 0, btf_info(BTF_STRUCT, 0, false), t->size);
}

/* An INT or FLOAT (docs/spec/encoding.md 6.1). */
static void base_type(const struct run *run, const struct cu_type *t, struct record_words *w,
		      const struct omission_log *log)
{
	uint32_t size = t->size & 0x1fff; /* pahole has 16 bits for the size in bits */
	uint32_t name = t->name, encoding = 0;

	if (unlikely(!compat_get(run->opts->compat)->c_types && is_opaque(run, t))) {
		opaque(t, w, log);
		return;
	}
	switch (t->encoding) {
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		encoding = BTF_ENC_SIGNED;
		break;
	case DW_ATE_boolean:
		encoding = BTF_ENC_BOOL;
		break;
	case DW_ATE_float:
		if (!feature_on(run->opts, FEATURE_FLOAT))
			break;
		if (float_size(size)) {
			header(w, name, btf_info(BTF_FLOAT, 0, false), size);
			return;
		}
		report(log, (struct omission){ OMIT_TYPE_FLOAT_SIZE, .name = t->name,
					       .keyword = "float", .number = size });
		break;
	default:
		break;
	}
	if (!int_size(size)) {
		/* the kernel refuses such an INT: replace its name and size */
		report(log, (struct omission){ OMIT_TYPE_INT_SIZE, .name = t->name,
					       .keyword = "int", .number = t->size });
		name = run->fake_int;
		size = 4;
	}
	header(w, name, btf_info(BTF_INT, 0, false), size);
	*append(w, 1) = encoding << 24 | size * 8;
}

static void enum32(const struct run *run, const struct cu *cu, const struct cu_type *t,
		   struct record_words *w, const struct omission_log *log)
{
	bool enum64 = feature_on(run->opts, FEATURE_ENUM64), negative = false;
	size_t start = w->nr;

	header(w, t->name, 0, t->size);
	for (uint32_t i = 0; i < t->nr; i++) {
		const struct cu_enumerator *e = &cu->enumerators.items[t->first + i];
		uint32_t *elem = append(w, 2);

		elem[0] = e->name;
		elem[1] = (uint32_t)e->value;
		/* without enum64 pahole takes every value for unsigned */
		negative |= enum64 && e->value < 0;
		if (e->value < INT32_MIN || e->value > UINT32_MAX)
			report(log, (struct omission){ OMIT_TYPE_ENUM_VALUE, .name = t->name,
						       .part = e->name, .keyword = "enum",
						       .number = t->size });
	}
	w->items[start + BTF_REC_INFO] = btf_info(BTF_ENUM, t->nr, negative);
}

static void enum64(const struct cu *cu, const struct cu_type *t, struct record_words *w)
{
	header(w, t->name, btf_info(BTF_ENUM64, t->nr, t->flags & CU_TYPE_SIGNED), t->size);
	for (uint32_t i = 0; i < t->nr; i++) {
		const struct cu_enumerator *e = &cu->enumerators.items[t->first + i];
		uint32_t *elem = append(w, 3);

		elem[0] = e->name;
		elem[1] = (uint32_t)e->value;
		elem[2] = (uint32_t)((uint64_t)e->value >> 32);
	}
}

static const enum omission_rule lost_rules[] = {
	[CU_LOST_BITS] = OMIT_MEMBER_BITS,
	[CU_LOST_OUTSIDE] = OMIT_MEMBER_OUTSIDE,
	[CU_LOST_LOCATION] = OMIT_MEMBER_NO_PLACE,
	[CU_LOST_ELSEWHERE] = OMIT_MEMBER_ELSEWHERE,
};

/* Can BTF express the member? Reports the rule to @log if not. */
static bool member_fits(const struct cu_type *t, const struct cu_member *m, bool kflag,
			const struct omission_log *log)
{
	struct omission o = {
		.name = t->name,
		.part = m->name,
		.keyword = t->kind == BTF_UNION ? "union" : "struct",
		.number = m->offset,
	};

	if (m->flags & CU_MEMBER_FAR)
		o.rule = OMIT_MEMBER_BEYOND_512M;
	else if (m->flags & CU_MEMBER_LOST)
		o.rule = lost_rules[m->old_size];
	else if (t->kind == BTF_UNION && m->offset)
		o.rule = OMIT_MEMBER_OF_UNION;
	else if (!m->bits && m->offset % 8)
		o.rule = OMIT_MEMBER_INSIDE_BYTE;
	else if (kflag && m->offset > 0xffffff)
		o.rule = OMIT_MEMBER_BEYOND_2M;
	else
		return true;
	report(log, o);
	return false;
}

static void composite(const struct cu *cu, const struct cu_type *t, struct record_words *w,
		      const struct omission_log *log)
{
	const uint32_t nr = t->nr;
	const struct cu_member *members = nr ? cu->members.items + t->first : NULL;
	bool kflag = false;
	uint32_t vlen = 0;
	size_t start = w->nr;

	for (uint32_t i = 0; i < nr; i++)
		kflag |= members[i].bits && !(members[i].flags & CU_MEMBER_INHERITANCE);
	header(w, t->name, 0, t->size);
	for (uint32_t i = 0; i < nr; i++) {
		const struct cu_member *m = &members[i];

		if (m->flags & CU_MEMBER_INHERITANCE)
			continue;
		/* the offset of a CU_MEMBER_FAR is both odd and large */
		if (unlikely((m->offset % 8 && !m->bits) || (t->kind == BTF_UNION && m->offset) ||
			     (kflag && m->offset > 0xffffff) || m->flags & CU_MEMBER_LOST) &&
		    !member_fits(t, m, kflag, log))
			continue;
		uint32_t *elem = append(w, 3);
		elem[0] = m->name;
		elem[1] = m->type;
		elem[2] = m->offset | (uint32_t)m->bits << 24;
		vlen++;
	}
	w->items[start + BTF_REC_INFO] = btf_info((enum btf_kind)t->kind, vlen, kflag);
}

static void proto(const struct cu *cu, const struct cu_type *t, struct record_words *w)
{
	bool vararg = t->flags & CU_TYPE_VARARG;

	header(w, 0, btf_info(BTF_FUNC_PROTO, t->nr + vararg, false), t->ref);
	for (uint32_t i = 0; i < t->nr; i++) {
		const struct cu_member *m = &cu->members.items[t->first + i];
		uint32_t *elem = append(w, 2);

		elem[0] = m->name;
		elem[1] = m->type;
	}
	if (vararg) {
		uint32_t *elem = append(w, 2);

		elem[0] = elem[1] = 0;
	}
}

void record_append(const struct run *run, const struct cu *cu, unit_tid tid, struct record_words *w,
		   const struct omission_log *log)
{
	const struct cu_type *t = &cu->types.items[tid];
	uint32_t *elem;

	switch (btf_ctype(t->kind)) {
	case BTF_C_INT:
		base_type(run, t, w, log);
		break;
	case BTF_C_STRUCT:
		if (t->flags & CU_TYPE_FWD && t->name)
			header(w, t->name, btf_info(BTF_FWD, 0, t->kind == BTF_UNION), 0);
		else
			composite(cu, t, w, log);
		break;
	case BTF_C_ENUM:
		if (t->size > 4 && feature_on(run->opts, FEATURE_ENUM64))
			enum64(cu, t, w);
		else
			enum32(run, cu, t, w, log);
		break;
	case BTF_C_ARRAY:
		header(w, 0, btf_info(BTF_ARRAY, 0, false), 0);
		elem = append(w, 3);
		elem[0] = t->ref;
		elem[1] = POOL_REF_INDEX;
		elem[2] = t->size;
		break;
	case BTF_C_FUNCTION:
		proto(cu, t, w);
		break;
	case BTF_C_TYPEDEF:
		/* C has no typedef without a name; it adds as little as a qualifier */
		header(w, t->name, btf_info(t->name ? BTF_TYPEDEF : BTF_CONST, 0, false), t->ref);
		break;
	case BTF_C_POINTER:
	case BTF_C_QUALIFIER:
	/* struct cu has none of these: a float is an INT, and a declaration a struct */
	case BTF_C_FLOAT:
	case BTF_C_FORWARD:
	case BTF_C_VOID:
	case BTF_C_NONE:
		header(w, t->name, btf_info((enum btf_kind)t->kind, 0, false), t->ref);
		break;
	}
}
