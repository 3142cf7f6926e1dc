/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gcc_member.c - see gcc_member.h
 *
 * First it is decided which records stay, then those are copied, with the changes that their kind
 * needs. The output of gcc 12 to 16 is known from gcc's btfout.cc, and was measured with gcc 12.2.
 *
 * Some facts are not in the records themselves:
 *
 *   - Enumerators. GCC 12 omits those that do not fit into 32 bits with a sign, so a value with the
 *     highest bit is negative. It does not record the sign of the enum. Later versions do, and such
 *     a value can be a large one. A member is not of gcc 12 if it has anything that gcc 12 does not
 *     write; otherwise it is taken for one of gcc 12.
 *   - "enum foo;" is the FWD of a struct before gcc 14: see gcc_tags.h.
 *   - Vectors and similar types are void. No field, element or parameter can have this type, so
 *     these are dropped.
 *
 * Gcc does not drop unused types from BTF as it does from DWARF. They are correct and stay.
 */
#include "encoder/member/gcc_member.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "encoder/unit/unit_btf.h"
#include "encoder/unit/var_name.h"

#include <inttypes.h>
#include <stdlib.h>

/* As in pahole. C programs do not have more. */
enum { MAX_DIMENSIONS = 64 };
/* The kernel follows 32 references to find the size of a type. */
enum { MAX_CHAIN = 64 };

static uint32_t kind_of(const uint32_t *rec)
{
	return btf_info_kind(rec[BTF_REC_INFO]);
}

static uint32_t vlen_of(const uint32_t *rec)
{
	return btf_info_vlen(rec[BTF_REC_INFO]);
}

/* BTF_UNKN for void. */
static uint32_t kind_at(const struct btf_view *v, uint32_t id)
{
	return id ? kind_of(btf_types_rec(&v->types, id)) : BTF_UNKN;
}

static const char *name_of(const struct btf_view *v, const uint32_t *rec)
{
	return btf_view_str(v, NULL, rec[BTF_REC_NAME]);
}

/* --- deciding ------------------------------------------------------------------------ */

enum fate {
	FATE_DROPPED = 1 << 0,
	FATE_USED = 1 << 1,       /* a record that stays refers to it */
	FATE_LOST = 1 << 2,       /* a record that referred to it does not any more */
	FATE_IN_DATASEC = 1 << 3, /* a variable that a DATASEC lists */
	FATE_SHRUNK = 1 << 4,     /* a struct that loses fields */
	FATE_INNER = 1 << 5,      /* an array that is the element of another one */
};

struct work {
	struct btf_view *v;
	uint32_t features;
	bool flat_arrays; /* as in struct compat */
	const struct gcc_tags *tags;
	struct gcc_member result;
	uint32_t end;     /* of the old ids */
	uint8_t *fate;    /* by old id */
	uint32_t *new_id; /* by old id, 0 for void and what is dropped */
	bool has_signs;   /* enums record their sign: not gcc 12 */
	bool has_chars;   /* INTs have the encoding char: before gcc 14 */
	bool has_arrays;
	uint32_t int_id; /* the INT called "int"; 0 for none */
	struct btf_types out;
};

static void work_release(struct work *w)
{
	free(w->fate);
	free(w->new_id);
	gcc_member_release(&w->result);
	btf_types_release(&w->out);
}

static uint32_t *rec_of(const struct work *w, uint32_t id)
{
	return btf_types_rec(&w->v->types, id);
}

static bool is_dropped(const struct work *w, uint32_t id)
{
	return w->fate[id] & FATE_DROPPED;
}

static void drop(struct work *w, uint32_t id, uint32_t *count)
{
	w->fate[id] |= FATE_DROPPED;
	(*count)++;
}

static void lose(struct work *w, struct gcc_member_loss loss)
{
	vec_push(&w->result.losses, loss);
}

struct dimensions {
	uint32_t elem, product, nr;
};

/*
 * Gcc writes "int a[2][3]" as an array of arrays; before gcc 14 the inner one has the outer
 * dimension. pahole before 1.32 writes one array of six. More than MAX_DIMENSIONS can only be an
 * array that contains itself.
 */
static struct dimensions dimensions_of(const struct work *w, uint32_t id)
{
	const uint32_t *array = rec_of(w, id) + BTF_REC_WORDS;
	struct dimensions d = { array[0], array[2], 1 };

	while (kind_at(w->v, d.elem) == BTF_ARRAY && d.nr <= MAX_DIMENSIONS) {
		array = rec_of(w, d.elem) + BTF_REC_WORDS;
		d = (struct dimensions){ array[0], d.product * array[2], d.nr + 1 };
	}
	return d;
}

/* Does FWD @rec declare an enum? */
static bool declares_enum(const struct work *w, const uint32_t *rec)
{
	return w->tags && !btf_info_kflag(rec[BTF_REC_INFO]) &&
	       gcc_tags_say_enum(w->tags, name_of(w->v, rec));
}

enum extent {
	EXTENT_NONE,  /* void, or a function */
	EXTENT_LATER, /* a struct that is declared, but not defined in this unit */
	EXTENT_ZERO,
	EXTENT_SOME,
};

static enum extent extent_of(const struct work *w, uint32_t id)
{
	bool zero = false;

	for (int links = 0; id && links < MAX_CHAIN; links++) {
		const uint32_t *rec = rec_of(w, id);
		uint32_t size = rec[BTF_REC_SIZE_TYPE];

		switch (btf_ctype(kind_of(rec))) {
		case BTF_C_ARRAY:
			zero |= !rec[BTF_REC_WORDS + 2];
			id = rec[BTF_REC_WORDS];
			break;
		case BTF_C_FORWARD:
			if (!declares_enum(w, rec))
				return EXTENT_LATER;
			return zero ? EXTENT_ZERO : EXTENT_SOME;
		case BTF_C_STRUCT:
			/* as in pahole: an empty struct has one byte in C++ */
			zero |= !size || (size == 1 && !vlen_of(rec));
			return zero ? EXTENT_ZERO : EXTENT_SOME;
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_POINTER:
		case BTF_C_ENUM:
			return zero ? EXTENT_ZERO : EXTENT_SOME;
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
			id = rec[BTF_REC_SIZE_TYPE];
			break;
		case BTF_C_FUNCTION:
		case BTF_C_VOID:
		case BTF_C_NONE:
			return EXTENT_NONE;
		}
	}
	return EXTENT_NONE;
}

static bool has_name(const struct work *w, uint32_t name)
{
	return name && *btf_view_str(w->v, NULL, name);
}

static bool is_dots(const uint32_t *param, uint32_t i, uint32_t nr)
{
	return i == nr - 1 && !param[0] && !param[1];
}

/* The smallest extent of the return type, unless that is void, and of the parameters. */
static enum extent least_of_proto(const struct work *w, const uint32_t *proto)
{
	uint32_t ret = proto[BTF_REC_SIZE_TYPE], nr = vlen_of(proto);
	enum extent least = ret ? extent_of(w, ret) : EXTENT_SOME;
	const uint32_t *p = proto + BTF_REC_WORDS;

	for (uint32_t i = 0; i < nr; i++, p += 2) {
		enum extent e = is_dots(p, i, nr) ? EXTENT_SOME : extent_of(w, p[1]);

		least = e < least ? e : least;
	}
	return least;
}

/* The parameters of a function that is defined or inlined have names. */
static bool params_have_names(const struct work *w, const uint32_t *proto)
{
	uint32_t nr = vlen_of(proto);
	const uint32_t *p = proto + BTF_REC_WORDS;

	for (uint32_t i = 0; i < nr; i++, p += 2) {
		if (!has_name(w, p[0]) && !is_dots(p, i, nr))
			return false;
	}
	return true;
}

/* Gcc 12 writes a FUNC for each prototype, without a name for that of a pointer. */
static bool may_be_defined(const struct work *w, const uint32_t *func)
{
	uint32_t id = func[BTF_REC_SIZE_TYPE];

	if (!has_name(w, func[BTF_REC_NAME]) || vlen_of(func) > BTF_LINK_GLOBAL ||
	    kind_at(w->v, id) != BTF_FUNC_PROTO || is_dropped(w, id))
		return false;

	const uint32_t *proto = rec_of(w, id);
	return params_have_names(w, proto) && least_of_proto(w, proto) > EXTENT_LATER;
}

/* Is VAR @id in a section, and of a type with that extent? */
static bool may_be_in_section(const struct work *w, uint32_t id, enum extent extent)
{
	const uint32_t *var = rec_of(w, id);
	const char *name = name_of(w->v, var);

	if (!var_name_valid(name, strlen(name)) || var_name_of_macro(name))
		return false;
	/*
	 * Variables in registers, of threads, in small data and those optimized away are in no
	 * section. A lost variable is better than one at another's address.
	 */
	return (w->fate[id] & FATE_IN_DATASEC) && var[BTF_REC_WORDS] <= BTF_LINK_GLOBAL &&
	       extent_of(w, var[BTF_REC_SIZE_TYPE]) == extent;
}

static const char *keyword_of(const uint32_t *rec)
{
	return kind_of(rec) == BTF_UNION ? "union" : "struct";
}

static void check_fields(struct work *w, uint32_t id)
{
	const uint32_t *rec = rec_of(w, id), *m = rec + BTF_REC_WORDS;

	for (uint32_t i = 0; i < vlen_of(rec); i++, m += 3) {
		if (extent_of(w, m[1]) == EXTENT_NONE) {
			w->fate[id] |= FATE_SHRUNK;
			w->result.n.fields++;
			lose(w, (struct gcc_member_loss){ OMIT_MEMBER_NO_TYPE, rec[BTF_REC_NAME],
							  m[0], keyword_of(rec) });
		}
	}
}

/* Types and sections, on which functions and variables depend. */
static struct err *check_type(struct work *w, uint32_t id)
{
	uint32_t *rec = rec_of(w, id);

	switch (kind_of(rec)) {
	case BTF_INT:
		if (!w->int_id && !strcmp(name_of(w->v, rec), "int"))
			w->int_id = id;
		w->has_chars |= producer_is_gcc_char(w->v, rec);
		return NULL;
	case BTF_ARRAY: {
		struct dimensions d = dimensions_of(w, id);

		if (d.nr > MAX_DIMENSIONS)
			return err_new(ERR_FORMAT,
				       "type %" PRIu32 ": an array of more than %d dimensions", id,
				       MAX_DIMENSIONS);
		if (d.nr > 1) {
			w->fate[rec[BTF_REC_WORDS]] |= FATE_INNER;
			if (w->flat_arrays)
				w->fate[rec[BTF_REC_WORDS]] |= FATE_LOST;
			w->result.n.arrays += w->flat_arrays;
		}
		if (extent_of(w, d.elem) == EXTENT_NONE)
			w->fate[id] |= FATE_DROPPED;
		else
			w->has_arrays = true;
		return NULL;
	}
	case BTF_STRUCT:
	case BTF_UNION:
		check_fields(w, id);
		return NULL;
	case BTF_ENUM:
		w->has_signs |= btf_info_kflag(rec[BTF_REC_INFO]);
		return NULL;
	case BTF_ENUM64:
		w->has_signs = true;
		return NULL;
	case BTF_FUNC:
		w->has_signs |= vlen_of(rec) != BTF_LINK_STATIC;
		return NULL;
	case BTF_FUNC_PROTO:
		if (least_of_proto(w, rec) == EXTENT_NONE)
			drop(w, id, &w->result.n.protos);
		return NULL;
	case BTF_VAR:
		w->has_signs |= rec[BTF_REC_WORDS] == BTF_LINK_EXTERN;
		return NULL;
	case BTF_DATASEC:
		btf_rec_each_type(rec, var) w->fate[*var] |= FATE_IN_DATASEC;
		drop(w, id, &w->result.n.sections);
		return NULL;
	default:
		return NULL;
	}
}

static void drop_func(struct work *w, uint32_t id, const uint32_t *rec)
{
	uint32_t proto = rec[BTF_REC_SIZE_TYPE];

	if (vlen_of(rec) <= BTF_LINK_GLOBAL && has_name(w, rec[BTF_REC_NAME]) &&
	    is_dropped(w, proto))
		lose(w, (struct gcc_member_loss){ OMIT_FUNC_NO_TYPE, rec[BTF_REC_NAME], 0, NULL });
	w->fate[proto] |= FATE_LOST;
	drop(w, id, &w->result.n.funcs);
}

static void drop_var(struct work *w, uint32_t id, const uint32_t *rec)
{
	if (may_be_in_section(w, id, EXTENT_NONE))
		lose(w, (struct gcc_member_loss){ OMIT_VAR_NO_TYPE, rec[BTF_REC_NAME], 0, NULL });
	else if (may_be_in_section(w, id, EXTENT_ZERO))
		lose(w, (struct gcc_member_loss){ OMIT_VAR_NO_SIZE, rec[BTF_REC_NAME], 0, NULL });
	drop(w, id, &w->result.n.vars);
}

static void check_func_or_var(struct work *w, uint32_t id)
{
	const uint32_t *rec = rec_of(w, id);

	if (kind_of(rec) == BTF_FUNC && !may_be_defined(w, rec))
		drop_func(w, id, rec);
	else if (kind_of(rec) == BTF_VAR && !may_be_in_section(w, id, EXTENT_SOME))
		drop_var(w, id, rec);
}

static void check_tag(struct work *w, uint32_t id)
{
	const uint32_t *rec = rec_of(w, id);

	if (kind_of(rec) != BTF_DECL_TAG)
		return;

	uint32_t of = rec[BTF_REC_SIZE_TYPE];
	bool of_field = rec[BTF_REC_WORDS] != UINT32_MAX && (w->fate[of] & FATE_SHRUNK);
	if (!of || is_dropped(w, of) || of_field)
		drop(w, id, &w->result.n.tags);
}

static void mark_used(struct work *w, uint32_t id)
{
	uint32_t *rec = rec_of(w, id);

	if (is_dropped(w, id))
		return;
	if (kind_of(rec) == BTF_ARRAY && w->flat_arrays) {
		w->fate[dimensions_of(w, id).elem] |= FATE_USED;
		return;
	}
	btf_rec_each_type(rec, ref) w->fate[*ref] |= FATE_USED;
}

/* Drop flattened arrays and the prototypes of declarations, which nothing refers to any more. */
static void drop_unused(struct work *w)
{
	for (uint32_t id = 1; id < w->end; id++)
		mark_used(w, id);
	for (uint32_t id = 1; id < w->end; id++) {
		if ((w->fate[id] & FATE_LOST) && !(w->fate[id] & FATE_USED))
			w->fate[id] |= FATE_DROPPED;
	}
}

static struct err *decide(struct work *w)
{
	for (uint32_t id = 1; id < w->end; id++)
		TRY(check_type(w, id));
	for (uint32_t id = 1; id < w->end; id++)
		check_func_or_var(w, id);
	for (uint32_t id = 1; id < w->end; id++)
		check_tag(w, id);
	drop_unused(w);
	return NULL;
}

/* --- copying ---------------------------------------------------------------- */

static uint32_t *copy(struct work *w, const uint32_t *rec)
{
	size_t nr = btf_rec_words(rec);
	uint32_t *to = btf_types_add(&w->out, nr);

	memcpy(to, rec, nr * sizeof(*rec));
	return to;
}

static void copy_int(struct work *w, const uint32_t *rec)
{
	uint32_t *data = copy(w, rec) + BTF_REC_WORDS;

	if (!producer_is_gcc_char(w->v, rec))
		return;
	w->result.n.ints++;
	*data &= ~((uint32_t)BTF_ENC_CHAR << 24);
}

static void copy_array(struct work *w, uint32_t id)
{
	struct dimensions d = dimensions_of(w, id);
	uint32_t *array = copy(w, rec_of(w, id)) + BTF_REC_WORDS;

	array[1] = w->int_id;
	if (!w->flat_arrays)
		return;
	array[0] = d.elem;
	array[2] = d.product;
}

/* Exchange the lengths of the arrays in the chain that starts with @id: the last becomes the first. */
static void reverse_dimensions(struct work *w, uint32_t id)
{
	uint32_t *lengths[MAX_DIMENSIONS], nr = 0;

	for (; kind_at(w->v, id) == BTF_ARRAY; id = rec_of(w, id)[BTF_REC_WORDS])
		lengths[nr++] = rec_of(w, id) + BTF_REC_WORDS + 2;
	for (uint32_t i = 0; i < nr / 2; i++) {
		uint32_t length = *lengths[i];

		*lengths[i] = *lengths[nr - 1 - i];
		*lengths[nr - 1 - i] = length;
	}
}

static void copy_struct(struct work *w, uint32_t id)
{
	const uint32_t *rec = rec_of(w, id), *m = rec + BTF_REC_WORDS;
	uint32_t *to = copy(w, rec), *at = to + BTF_REC_WORDS;

	if (!(w->fate[id] & FATE_SHRUNK))
		return;
	for (uint32_t i = 0; i < vlen_of(rec); i++, m += 3) {
		if (extent_of(w, m[1]) == EXTENT_NONE) {
			to[BTF_REC_INFO]--; /* the number of fields is in the low bits */
			continue;
		}
		memcpy(at, m, 3 * sizeof(*m));
		at += 3;
	}
	w->out.words.nr = (size_t)(at - w->out.words.items);
}

/* pahole writes "enum foo;" as an enum of 4 bytes without enumerators. */
static void add_enum_fwd(struct work *w, uint32_t name)
{
	uint32_t *to = btf_types_add(&w->out, BTF_REC_WORDS);

	to[BTF_REC_NAME] = name;
	to[BTF_REC_INFO] = btf_info(BTF_ENUM, 0, false);
	to[BTF_REC_SIZE_TYPE] = 4;
	w->result.n.enum_fwds++;
}

static bool has_negative(const struct work *w, const uint32_t *rec)
{
	const uint32_t *e = rec + BTF_REC_WORDS;

	if (w->has_signs && !btf_info_kflag(rec[BTF_REC_INFO]))
		return false;
	for (uint32_t i = 0; i < vlen_of(rec); i++, e += 2) {
		if (e[1] >> 31)
			return true;
	}
	return false;
}

/* Gcc 12's enum of 8 bytes: it left out what does not fit, so the others can be extended. */
static void add_enum64(struct work *w, const uint32_t *rec)
{
	uint32_t nr = vlen_of(rec);
	const uint32_t *e = rec + BTF_REC_WORDS;
	uint32_t *to = btf_types_add(&w->out, BTF_REC_WORDS + 3 * (size_t)nr);

	memcpy(to, rec, BTF_REC_WORDS * sizeof(*to));
	to[BTF_REC_INFO] = btf_info(BTF_ENUM64, nr, has_negative(w, rec));
	to += BTF_REC_WORDS;
	for (uint32_t i = 0; i < nr; i++, e += 2, to += 3) {
		to[0] = e[0];
		to[1] = e[1];
		to[2] = e[1] >> 31 ? UINT32_MAX : 0;
	}
	w->result.n.enums++;
}

static void copy_enum(struct work *w, const uint32_t *rec)
{
	uint32_t info = rec[BTF_REC_INFO], nr = vlen_of(rec);
	bool wide = w->features & FEATURE_ENUM64;

	if (!rec[BTF_REC_SIZE_TYPE] && !nr)
		return add_enum_fwd(w, rec[BTF_REC_NAME]);
	if (rec[BTF_REC_SIZE_TYPE] == 8 && nr && wide)
		return add_enum64(w, rec);

	/* pahole without enum64 does not record signs */
	uint32_t *to = copy(w, rec);
	to[BTF_REC_INFO] = btf_info(BTF_ENUM, nr, wide && has_negative(w, rec));
	w->result.n.enums += to[BTF_REC_INFO] != info;
}

/* Without the feature, as in pahole, an ENUM with the low halves of the values. */
static void copy_enum64(struct work *w, const uint32_t *rec)
{
	uint32_t nr = vlen_of(rec);
	const uint32_t *e = rec + BTF_REC_WORDS;
	uint32_t *to;

	if (w->features & FEATURE_ENUM64) {
		copy(w, rec);
		return;
	}
	to = btf_types_add(&w->out, BTF_REC_WORDS + 2 * (size_t)nr);
	memcpy(to, rec, BTF_REC_WORDS * sizeof(*to));
	to[BTF_REC_INFO] = btf_info(BTF_ENUM, nr, false);
	to += BTF_REC_WORDS;
	for (uint32_t i = 0; i < nr; i++, e += 3, to += 2)
		memcpy(to, e, 2 * sizeof(*to));
	w->result.n.enums++;
}

static void copy_fwd(struct work *w, const uint32_t *rec)
{
	if (declares_enum(w, rec))
		return add_enum_fwd(w, rec[BTF_REC_NAME]);

	uint32_t *to = copy(w, rec);
	w->result.n.fwds += to[BTF_REC_SIZE_TYPE] != 0;
	to[BTF_REC_SIZE_TYPE] = 0;
}

static bool is_size_of(uint32_t size, uint32_t most)
{
	return size && size <= most && !(size & (size - 1));
}

/*
 * Without the feature float, pahole writes an unsigned integer. A size that no integer has, for
 * example of a complex long double, becomes a struct without fields.
 */
static void copy_float(struct work *w, const uint32_t *rec)
{
	uint32_t size = rec[BTF_REC_SIZE_TYPE];
	bool floats = w->features & FEATURE_FLOAT, fits = is_size_of(size, 16);
	uint32_t *to;

	if (floats && ((fits && size > 1) || size == 12)) {
		copy(w, rec);
		return;
	}
	to = btf_types_add(&w->out, BTF_REC_WORDS + fits);
	to[BTF_REC_NAME] = fits ? rec[BTF_REC_NAME] : 0;
	to[BTF_REC_INFO] = btf_info(fits ? BTF_INT : BTF_STRUCT, 0, false);
	to[BTF_REC_SIZE_TYPE] = size;
	if (fits)
		to[BTF_REC_WORDS] = 8 * size;
	w->result.n.floats++;
}

static void copy_by_kind(struct work *w, uint32_t id)
{
	const uint32_t *rec = rec_of(w, id);

	switch (kind_of(rec)) {
	case BTF_INT:
		return copy_int(w, rec);
	case BTF_ARRAY:
		return copy_array(w, id);
	case BTF_STRUCT:
	case BTF_UNION:
		return copy_struct(w, id);
	case BTF_ENUM:
		return copy_enum(w, rec);
	case BTF_ENUM64:
		return copy_enum64(w, rec);
	case BTF_FWD:
		return copy_fwd(w, rec);
	case BTF_FLOAT:
		return copy_float(w, rec);
	case BTF_FUNC:
		copy(w, rec)[BTF_REC_INFO] = btf_info(BTF_FUNC, BTF_LINK_STATIC, false);
		return;
	case BTF_FUNC_PROTO:
		/* gcc 13 puts the name of a function there */
		copy(w, rec)[BTF_REC_NAME] = 0;
		return;
	default:
		copy(w, rec);
	}
}

/* The offset of "int" in the strings, possibly as the end of another string; 0: none. */
static uint32_t find_int_name(const struct btf_view *v)
{
	const uint8_t *at = memmem(v->strings.ptr, v->strings.len, "int", sizeof("int"));

	return at ? (uint32_t)(at - v->strings.ptr) : 0;
}

/* Add the index type of a unit without an "int" behind its types, as pahole does. */
static void add_int(struct work *w)
{
	uint32_t *to = btf_types_add(&w->out, BTF_REC_WORDS + 1);

	to[BTF_REC_NAME] = find_int_name(w->v);
	to[BTF_REC_INFO] = btf_info(BTF_INT, 0, false);
	to[BTF_REC_SIZE_TYPE] = 4;
	to[BTF_REC_WORDS] = (uint32_t)BTF_ENC_SIGNED << 24 | 32;
}

static void rewrite(struct work *w)
{
	uint32_t next = 1;

	for (uint32_t id = 1; id < w->end; id++) {
		if (!is_dropped(w, id))
			w->new_id[id] = next++;
	}
	w->new_id[w->end] = next;
	/* no two chains of gcc share an array */
	for (uint32_t id = 1; id < w->end && w->has_chars && !w->flat_arrays; id++) {
		if (kind_at(w->v, id) == BTF_ARRAY && !(w->fate[id] & FATE_INNER))
			reverse_dimensions(w, id);
	}
	/* without the name, the program adds the index type */
	if (!w->int_id && find_int_name(w->v))
		w->int_id = w->end;

	btf_types_init(&w->out, NULL);
	for (uint32_t id = 1; id < w->end; id++) {
		if (is_dropped(w, id))
			continue;
		copy_by_kind(w, id);
		btf_rec_each_type(btf_types_rec(&w->out, w->new_id[id]),
				  ref) *ref = w->new_id[*ref];
	}
	if (w->int_id == w->end && w->has_arrays)
		add_int(w);
}

struct err *gcc_member_normalise(struct btf_view *v, const struct encode_opts *opts,
				 const struct gcc_tags *tags, struct gcc_member *ret)
{
	uint32_t end = btf_types_end(&v->types);
	CLEANUP(work_release) struct work w = {
		.v = v,
		.features = opts->features,
		.flat_arrays = compat_get(opts->compat)->flat_arrays,
		.tags = tags,
		.end = end,
		.fate = mem_zalloc(end, sizeof(*w.fate)),
		.new_id = mem_zalloc((size_t)end + 1, sizeof(*w.new_id)),
	};

	assert(!v->base);
	TRY(decide(&w));
	rewrite(&w);
	btf_types_release(&v->types);
	v->types = TAKE(w.out);
	*ret = TAKE(w.result);
	return NULL;
}

void gcc_member_release(struct gcc_member *m)
{
	free(m->losses.items);
	*m = (struct gcc_member){ 0 };
}

/*
 * Gcc writes the strings of types, then the name of the source, then those of parameters and
 * sections. Both parts begin with an empty string, so the name is the string before the second one.
 * Unlike a name in C it has a dot or a slash.
 */
const char *gcc_member_source(const struct btf_view *v)
{
	const char *s = (const char *)v->strings.ptr;
	const char *at = v->strings.len > 1 ? memmem(s + 1, v->strings.len - 1, "\0", 2) : NULL;

	while (at && at[-1])
		at--;
	return at && strpbrk(at, "./") ? at : NULL;
}
