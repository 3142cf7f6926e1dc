/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_verify_resolve.c - the kernel's rules that need the targets of references resolved
 *
 * The kernel walks from each type, depth first, until every type that it reaches has a size or needs none.
 * There are two kinds of walk, and neither enters the types of the other. One follows structs, arrays
 * and modifiers: a cycle there is a type that contains itself. The other follows pointers and modifiers: a
 * cycle there is a pointer without a target. The kernel's stack has 32 entries. It does not enter a type
 * again that is resolved, so the depth of a walk depends on the order of ids. The order here is the
 * kernel's.
 *
 * A type that violates a rule, and all types on the stack, count as resolved afterwards, with an unknown
 * size. Violations that follow from this are not reported.
 *
 * In split BTF, the check first resolves the types of the base to which own types refer, then the own
 * types. It does not report violations in the base. (The kernel does not resolve split BTF at all.)
 *
 * Two rules are warnings, because correct C violates them: the alignment of floats (packed structs), and
 * the size of four bytes for an enum in a struct with the kind flag (packed enums).
 */
#include "check/btf_verify_internal.h"

#include "base/cleanup.h"
#include "base/compiler.h"
#include "btf/addr_size.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32, MAX_COPY_BITS = 128 };

enum state { STATE_NEW, STATE_ON_STACK, STATE_RESOLVED, STATE_BROKEN };

enum mode { MODE_OPEN, MODE_POINTERS, MODE_VALUES };

/* A type while it waits for what it refers to. */
struct vertex {
	uint32_t id;
	uint32_t next;  /* reference to look at */
	bool back;      /* from that one */
	bool unordered; /* a DATASEC with a breach of RULE_SECTION_VAR_ORDER */
};

struct resolver {
	struct verify *v;
	uint32_t addr_size;
	uint8_t *state;   /* these by id, the base's included */
	uint32_t *target; /* what is left without modifiers */
	uint32_t *size;   /* of arrays */
	bool in_base;     /* its turn, and not that of own types */
	bool chains;      /* this kernel checks the lengths of chains of modifiers before */
	bool keeps_mode;  /* in a DATASEC, from one variable to the next */
	bool funcs; /* it resolves functions, so a reference to one may count as to its prototype */
	enum mode mode;
	struct vertex stack[MAX_DEPTH];
	uint32_t depth;
};

enum step {
	STEP_DONE, /* the type is resolved */
	STEP_WAIT, /* another one was put on the stack */
	STEP_BROKEN,
};

static void resolver_release(struct resolver *r)
{
	FREE_ALL(r->state, r->target, r->size);
}

static uint32_t *rec_of(const struct resolver *r, uint32_t id)
{
	return btf_types_rec(&r->v->view->types, id);
}

static enum btf_kind kind_of(const struct resolver *r, uint32_t id)
{
	return verify_kind(r->v, id);
}

static void found(struct resolver *r, uint32_t id, uint32_t element, enum btf_rule_id rule)
{
	verify_add_finding(r->v, id, element, rule);
}

static enum step broken(struct resolver *r, uint32_t id, enum btf_rule_id rule)
{
	found(r, id, NO_ELEMENT, rule);
	return STEP_BROKEN;
}

static bool is_source_only(enum btf_kind kind)
{
	return btf_kind_layouts[kind].is_no_type;
}

static bool has_no_size(enum btf_kind kind)
{
	return !btf_kind_layouts[kind].has_size;
}

static bool needs_resolve(enum btf_kind kind)
{
	return btf_kind_layouts[kind].first_type && kind != BTF_FUNC_PROTO;
}

/* Does the walk of this mode end at a type of @kind? */
ALWAYS_INLINE bool is_sink(const struct resolver *r, enum btf_kind kind)
{
	switch (r->mode) {
	case MODE_POINTERS:
		return !btf_kind_is_modifier(kind) && kind != BTF_PTR;
	case MODE_VALUES:
		return !btf_kind_is_modifier(kind) && kind != BTF_ARRAY &&
		       !btf_kind_is_struct(kind);
	case MODE_OPEN:
	default:
		return !needs_resolve(kind);
	}
}

/*
 * Is all that waits above @id, or all, modifiers? A cycle or a tower of them was reported as too
 * long a chain (btf_verify.c).
 */
static bool only_modifiers(const struct resolver *r, uint32_t id)
{
	if (!r->chains)
		return false;
	for (uint32_t i = r->depth; i-- > 0;) {
		if (!btf_kind_is_modifier(kind_of(r, r->stack[i].id)))
			return false;
		if (r->stack[i].id == id)
			return true;
	}
	return true;
}

static enum step push(struct resolver *r, uint32_t id)
{
	enum btf_kind kind = kind_of(r, id);

	if (r->depth == MAX_DEPTH) {
		if (only_modifiers(r, 0) && btf_kind_is_modifier(kind))
			return STEP_BROKEN;
		return broken(r, r->stack[0].id, RULE_DEPTH);
	}
	if (r->state[id] == STATE_ON_STACK)
		return only_modifiers(r, id) ? STEP_BROKEN : broken(r, id, RULE_LOOP);
	r->state[id] = STATE_ON_STACK;
	r->stack[r->depth++] = (struct vertex){ .id = id };
	if (r->mode == MODE_OPEN && kind == BTF_PTR)
		r->mode = MODE_POINTERS;
	else if (r->mode == MODE_OPEN && (kind == BTF_ARRAY || btf_kind_is_struct(kind)))
		r->mode = MODE_VALUES;
	return STEP_WAIT;
}

ALWAYS_INLINE bool is_pending(const struct resolver *r, uint32_t id)
{
	return (r->in_base || id >= r->v->view->types.first) && !is_sink(r, kind_of(r, id)) &&
	       r->state[id] < STATE_RESOLVED;
}

/* What @id is without modifiers, and how large. */
struct sized {
	uint32_t id, size;
	enum btf_kind kind;
	bool known;   /* false: it was reported as broken */
	bool nothing; /* known, but has no size */
};

ALWAYS_INLINE struct sized size_of(const struct resolver *r, uint32_t id)
{
	enum btf_kind kind = kind_of(r, id);
	struct sized s = { .id = id, .kind = kind, .known = true };

	if (btf_kind_is_modifier(kind) || kind == BTF_VAR) {
		if (r->state[id] != STATE_RESOLVED)
			return (struct sized){ .id = id, .kind = kind };
		s.id = r->target[id];
		s.kind = kind_of(r, s.id);
	}
	if (s.kind == BTF_ARRAY) {
		/* behind a pointer it need not be resolved */
		s.known = r->state[s.id] != STATE_BROKEN;
		s.size = r->size[s.id];
	} else if (s.kind == BTF_PTR) {
		s.size = r->addr_size;
	} else if (has_no_size(s.kind)) {
		s.nothing = true;
	} else {
		s.size = rec_of(r, s.id)[BTF_REC_SIZE_TYPE];
	}
	return s;
}

static enum step resolved_as(struct resolver *r, uint32_t id, uint32_t target, uint32_t size)
{
	r->target[id] = target;
	r->size[id] = size;
	return STEP_DONE;
}

/* A resolved modifier may end at a pointer that another walk has to look behind. */
static uint32_t pending_pointer(const struct resolver *r, uint32_t id)
{
	if (!btf_kind_is_modifier(kind_of(r, id)) || r->state[id] != STATE_RESOLVED)
		return 0;

	uint32_t target = r->target[id];
	return kind_of(r, target) == BTF_PTR && is_pending(r, target) ? target : 0;
}

static enum step resolve_reference(struct resolver *r, uint32_t id)
{
	uint32_t next = rec_of(r, id)[BTF_REC_SIZE_TYPE];
	enum btf_kind kind = kind_of(r, id);

	if (!next && kind == BTF_VAR)
		return STEP_BROKEN; /* was reported before */
	if (is_source_only(kind_of(r, next)))
		return broken(r, id, RULE_NO_TYPE);
	if (is_pending(r, next))
		return push(r, next);
	if (!btf_kind_is_modifier(kind) && pending_pointer(r, next))
		return push(r, pending_pointer(r, next));

	struct sized s = size_of(r, next);
	if (!s.known)
		return STEP_BROKEN;
	if (s.nothing && kind == BTF_VAR)
		return broken(r, id, RULE_VAR_SIZE);
	if (s.kind == BTF_FUNC) {
		/* a resolved function counts as its prototype */
		if (r->state[s.id] != STATE_RESOLVED)
			return broken(r, id, RULE_NO_TYPE);
		if (!r->funcs)
			return broken(r, id, RULE_NO_TYPE_FUNC);
		s.id = r->target[s.id];
	}
	return resolved_as(r, id, s.id, 0);
}

static bool is_regular_int(const uint32_t *rec)
{
	uint32_t data = rec[BTF_REC_WORDS], bits = data & 0xff;

	return !(data >> 16 & 0xff) &&
	       (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128);
}

static enum step resolve_array(struct resolver *r, uint32_t id)
{
	const uint32_t *array = rec_of(r, id) + BTF_REC_WORDS;
	uint32_t elem = array[0], index = array[1], nelems = array[2];

	if (!elem || !index)
		return STEP_BROKEN; /* was reported before */
	if (has_no_size(kind_of(r, index)) || is_source_only(kind_of(r, index)))
		return broken(r, id, RULE_ARRAY_INDEX);
	if (is_pending(r, index))
		return push(r, index);

	struct sized i = size_of(r, index);
	if (!i.known)
		return STEP_BROKEN;
	if (i.kind != BTF_INT || !is_regular_int(rec_of(r, i.id)))
		return broken(r, id, RULE_ARRAY_INDEX);

	if (has_no_size(kind_of(r, elem)) || is_source_only(kind_of(r, elem)))
		return broken(r, id, RULE_ARRAY_ELEMENT);
	if (is_pending(r, elem))
		return push(r, elem);

	struct sized e = size_of(r, elem);
	if (!e.known)
		return STEP_BROKEN;
	if (e.nothing)
		return broken(r, id, RULE_ARRAY_ELEMENT);
	if (e.kind == BTF_INT && !is_regular_int(rec_of(r, e.id)))
		return broken(r, id, RULE_ARRAY_BITS);
	if ((uint64_t)e.size * nelems > UINT32_MAX)
		return broken(r, id, RULE_ARRAY_HUGE);
	return resolved_as(r, id, e.id, e.size * nelems);
}

/* Bits of a member, from where to where, in 64 bits: they come from a file. */
struct field {
	uint64_t start;
	uint32_t bits; /* 0: not a bit field */
	bool kflag;
};

/* The rule that a member breaks, and the function of the kernel that has it; NR_RULES: none. */
struct verdict {
	enum btf_rule_id rule;
	const char *function;
};

static const struct verdict all_is_well = { NR_RULES, NULL };

static struct verdict check_int_member(const struct resolver *r, const struct field *f,
				       const struct sized *s, uint64_t room)
{
	const char *in = f->kflag ? "btf_int_check_kflag_member" : "btf_int_check_member";
	uint32_t data = rec_of(r, s->id)[BTF_REC_WORDS];
	uint64_t start = f->start, bits = data & 0xff;

	if (f->kflag) {
		if (!is_regular_int(rec_of(r, s->id)))
			return (struct verdict){ RULE_BITS_TYPE, in };
		if (!f->bits && start % 8)
			return (struct verdict){ RULE_MEMBER_BYTE, in };
		if (f->bits > bits)
			return (struct verdict){ RULE_BITS_WIDE, in };
		bits = f->bits ? f->bits : bits;
	} else {
		start += data >> 16 & 0xff;
		if (start > UINT32_MAX)
			return (struct verdict){ RULE_MEMBER_REACH, in };
	}
	if (start % 8 + bits > MAX_COPY_BITS)
		return (struct verdict){ RULE_BITS_SPAN, in };
	if (start / 8 + (start % 8 + bits + 7) / 8 > room)
		return (struct verdict){ RULE_MEMBER_END, in };
	return all_is_well;
}

static struct verdict check_enum_member(const struct field *f, const struct sized *s, uint64_t room)
{
	const char *in = f->kflag ? "btf_enum_check_kflag_member" : "btf_enum_check_member";

	if (!f->bits && f->start % 8)
		return (struct verdict){ RULE_MEMBER_BYTE, in };
	if (f->bits ? (f->start + f->bits + 7) / 8 > room : f->start / 8 + s->size > room)
		return (struct verdict){ f->kflag && !f->bits && f->start / 8 + 4 <= room ?
						 RULE_ENUM_END :
						 RULE_MEMBER_END,
					 in };
	if (f->bits > 32)
		return (struct verdict){ s->size > 4 && f->bits <= 8 * s->size ? RULE_ENUM_PACKED :
										 RULE_BITS_WIDE,
					 in };
	if (f->kflag && !f->bits && f->start / 8 + 4 > room)
		return (struct verdict){ RULE_ENUM_PACKED, in };
	return all_is_well;
}

static struct verdict check_float_member(const struct resolver *r, const struct field *f,
					 const struct sized *s, uint64_t room)
{
	uint64_t align = s->size < r->addr_size ? s->size : r->addr_size;

	if (f->start % 8)
		return (struct verdict){ RULE_MEMBER_BYTE, "btf_float_check_member" };
	if (f->start / 8 + s->size > room)
		return (struct verdict){ RULE_MEMBER_END, "btf_float_check_member" };
	if (align && f->start % (8 * align))
		return (struct verdict){ RULE_FLOAT_ALIGNMENT, "btf_float_check_member" };
	return all_is_well;
}

static struct verdict check_member(const struct resolver *r, const struct field *f,
				   const struct sized *s, uint64_t room)
{
	const char *in;

	if (s->nothing)
		return (struct verdict){ RULE_MEMBER_SIZE, NULL };
	if (s->kind == BTF_INT)
		return check_int_member(r, f, s, room);
	if (btf_kind_is_enum(s->kind))
		return check_enum_member(f, s, room);
	if (f->bits)
		return (struct verdict){ RULE_BITS_TYPE, "btf_generic_check_kflag_member" };
	if (s->kind == BTF_FLOAT)
		return check_float_member(r, f, s, room);

	in = s->kind == BTF_PTR   ? "btf_ptr_check_member" :
	     s->kind == BTF_ARRAY ? "btf_array_check_member" :
				    "btf_struct_check_member";
	if (f->start % 8)
		return (struct verdict){ RULE_MEMBER_BYTE, in };
	if (f->start / 8 + s->size > room)
		return (struct verdict){ RULE_MEMBER_END, in };
	return all_is_well;
}

/*
 * Is it what most members are, a pointer, a number or a struct, on a byte and inside of @room? If
 * not, nothing is said of it yet.
 */
static bool is_plain_member(const struct resolver *r, const uint32_t *m, bool kflag, uint32_t room)
{
	uint32_t id = m[1];
	enum btf_kind kind = kind_of(r, id);
	uint64_t start = m[2], size;

	if (btf_kind_is_modifier(kind) && r->state[id] == STATE_RESOLVED) {
		id = r->target[id];
		kind = kind_of(r, id);
	} else if (is_pending(r, id)) {
		return false;
	}
	if (kind == BTF_PTR)
		size = r->addr_size;
	else if (kind == BTF_INT && is_regular_int(rec_of(r, id)))
		size = (rec_of(r, id)[BTF_REC_WORDS] & 0xff) / 8;
	else if (btf_kind_is_struct(kind))
		size = rec_of(r, id)[BTF_REC_SIZE_TYPE];
	else
		return false;
	return !verify_field_bits(kflag, m[2]) && start % 8 == 0 && start / 8 + size <= room;
}

static enum step resolve_struct(struct resolver *r, struct vertex *top)
{
	uint32_t id = top->id;
	const uint32_t *rec = rec_of(r, id);
	uint32_t info = rec[BTF_REC_INFO];
	bool kflag = btf_info_kflag(info);

	for (uint32_t i = top->next; i < btf_info_vlen(info); i++) {
		const uint32_t *m = rec + BTF_REC_WORDS + 3 * (size_t)i;
		uint32_t room = rec[BTF_REC_SIZE_TYPE];

		if (is_plain_member(r, m, kflag, room))
			continue;
		enum btf_kind kind = kind_of(r, m[1]);
		top->next = i;
		if (has_no_size(kind) || is_source_only(kind)) {
			if (kind != BTF_UNKN) /* void was reported before */
				found(r, id, i, RULE_MEMBER_SIZE);
			continue;
		}
		if (is_pending(r, m[1]))
			return push(r, m[1]);

		struct sized s = size_of(r, m[1]);
		struct field f = { verify_bit_offset(kflag, m[2]), verify_field_bits(kflag, m[2]),
				   kflag };

		if (!s.known || (f.start + 7) / 8 > room)
			continue; /* was reported before */

		struct verdict bad = check_member(r, &f, &s, room);
		if (bad.rule != NR_RULES)
			verify_add_finding_in(r->v, id, i, bad.rule, bad.function, 0);
	}
	return resolved_as(r, id, 0, 0);
}

/*
 * Linux before 6.3 stays in the mode of the walk that the previous variable needed, and that ends at a
 * variable. So it does not resolve @var, and looks up the size of its type as it is. A modifier that is not
 * resolved has none.
 */
static struct sized size_of_passed(struct resolver *r, struct vertex *top, uint32_t i, uint32_t var)
{
	uint32_t type = rec_of(r, var)[BTF_REC_SIZE_TYPE];

	if (btf_kind_is_modifier(kind_of(r, type)) && r->state[type] == STATE_NEW) {
		found(r, top->id, i, RULE_SECTION_VAR_ORDER);
		top->unordered = true;
		return (struct sized){ 0 };
	}
	return size_of(r, type);
}

static enum step resolve_datasec(struct resolver *r, struct vertex *top)
{
	uint32_t id = top->id;
	const uint32_t *rec = rec_of(r, id);

	if (!r->keeps_mode || top->unordered)
		r->mode = MODE_OPEN;
	for (uint32_t i = top->next; i < btf_rec_vlen(rec); i++) {
		const uint32_t *var = rec + BTF_REC_WORDS + 3 * (size_t)i;

		top->next = i;
		if (kind_of(r, var[0]) != BTF_VAR) {
			if (var[0]) /* void was reported before */
				found(r, id, i, RULE_SECTION_NO_VAR);
			continue;
		}
		if (is_pending(r, var[0])) {
			top->back = true;
			return push(r, var[0]);
		}

		bool passed = r->mode != MODE_OPEN && r->state[var[0]] == STATE_NEW;
		struct sized s = passed ? size_of_passed(r, top, i, var[0]) : size_of(r, var[0]);
		if (s.known && var[2] && var[2] < s.size)
			found(r, id, i,
			      top->back ? RULE_SECTION_VAR_PASSED : RULE_SECTION_VAR_SMALL);
		top->back = false;
	}
	return resolved_as(r, id, 0, 0);
}

static enum step resolve_decl_tag(struct resolver *r, uint32_t id)
{
	const uint32_t *rec = rec_of(r, id);
	uint32_t next = rec[BTF_REC_SIZE_TYPE], component = rec[BTF_REC_WORDS];
	enum btf_kind kind = kind_of(r, next);

	if (!btf_kind_is_struct(kind) && kind != BTF_FUNC && kind != BTF_VAR && kind != BTF_TYPEDEF)
		return broken(r, id, RULE_TAG_TARGET);
	if (is_pending(r, next))
		return push(r, next);
	/* -1 is for the whole; others below 0 were reported before */
	if (component > INT32_MAX || r->state[next] == STATE_BROKEN)
		return resolved_as(r, id, next, 0);
	if (kind == BTF_VAR || kind == BTF_TYPEDEF)
		return broken(r, id, RULE_TAG_NO_COMPONENTS);

	const uint32_t *target = rec_of(r, kind == BTF_FUNC ? rec_of(r, next)[BTF_REC_SIZE_TYPE] :
							      next);
	if (component >= btf_rec_vlen(target))
		return broken(r, id, RULE_TAG_COMPONENT_MISSING);
	return resolved_as(r, id, next, 0);
}

static enum step resolve_func(struct resolver *r, uint32_t id)
{
	uint32_t proto = rec_of(r, id)[BTF_REC_SIZE_TYPE];

	if (kind_of(r, proto) != BTF_FUNC_PROTO)
		return broken(r, id, RULE_FUNC_PROTO);

	const uint32_t *p = rec_of(r, proto) + BTF_REC_WORDS;
	for (uint32_t i = 0; i < btf_rec_vlen(rec_of(r, proto)); i++, p += 2) {
		if (!p[0] && p[1])
			verify_add_finding_in(r->v, id, NO_ELEMENT, RULE_FUNC_PARAM_NAME, NULL, i);
	}
	return resolved_as(r, id, proto, 0);
}

static enum step resolve_top(struct resolver *r)
{
	struct vertex *top = &r->stack[r->depth - 1];

	switch (kind_of(r, top->id)) {
	case BTF_ARRAY:
		return resolve_array(r, top->id);
	case BTF_STRUCT:
	case BTF_UNION:
		return resolve_struct(r, top);
	case BTF_DATASEC:
		return resolve_datasec(r, top);
	case BTF_DECL_TAG:
		return resolve_decl_tag(r, top->id);
	case BTF_FUNC:
		return resolve_func(r, top->id);
	case BTF_LOC_PROTO: /* these need no sizes, so they wait for nothing */
		verify_places_refs(r->v, top->id, rec_of(r, top->id));
		break;
	case BTF_LOCSEC:
		verify_sites_refs(r->v, top->id, rec_of(r, top->id));
		break;
	case BTF_PTR:
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
	case BTF_VAR:
		return resolve_reference(r, top->id);
	case BTF_UNKN: /* the rest is not put on the stack */
	case BTF_INT:
	case BTF_ENUM:
	case BTF_FWD:
	case BTF_FUNC_PROTO:
	case BTF_FLOAT:
	case BTF_ENUM64:
	case BTF_LOC_PARAM:
		break;
	}
	return STEP_DONE;
}

static void resolve(struct resolver *r, uint32_t id)
{
	r->mode = MODE_OPEN;
	r->depth = 0;
	push(r, id);
	while (r->depth) {
		switch (resolve_top(r)) {
		case STEP_WAIT:
			break;
		case STEP_DONE:
			r->state[r->stack[--r->depth].id] = STATE_RESOLVED;
			break;
		case STEP_BROKEN:
			while (r->depth)
				r->state[r->stack[--r->depth].id] = STATE_BROKEN;
			break;
		}
	}
}

static void resolve_if_new(struct resolver *r, uint32_t id)
{
	if (needs_resolve(kind_of(r, id)) && r->state[id] == STATE_NEW)
		resolve(r, id);
}

/* Resolve the types of the base that own types refer to. */
static void resolve_base(struct resolver *r)
{
	const struct btf_types *t = &r->v->view->types;

	if (t->first == 1)
		return;
	r->in_base = true;
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		btf_rec_each_type(btf_types_rec(t, id), ref)
		{
			if (*ref < t->first)
				resolve_if_new(r, *ref);
		}
	}
	r->in_base = false;
}

/* Does what a prototype returns or takes, which is not void, have a size? */
static bool has_size(struct resolver *r, uint32_t id)
{
	resolve_if_new(r, id);

	struct sized s = size_of(r, id);
	return !s.known || !s.nothing;
}

static void check_proto(struct resolver *r, uint32_t id)
{
	const uint32_t *rec = rec_of(r, id);
	uint32_t vlen = btf_rec_vlen(rec);

	if (rec[BTF_REC_SIZE_TYPE] && !has_size(r, rec[BTF_REC_SIZE_TYPE]))
		found(r, id, NO_ELEMENT, RULE_RETURN_SIZE);
	else if (is_source_only(kind_of(r, rec[BTF_REC_SIZE_TYPE])))
		found(r, id, NO_ELEMENT, RULE_RETURN_VAR);
	for (uint32_t i = 0; i < vlen; i++) {
		const uint32_t *p = rec + BTF_REC_WORDS + 2 * (size_t)i;

		if (!p[1] && i == vlen - 1) {
			if (p[0])
				found(r, id, i, RULE_DOTS_NAME);
			continue;
		}
		if (p[0])
			verify_check_identifier(r->v, id, i, p[0], RULE_PARAM_NAME);
		if (is_source_only(kind_of(r, p[1])) || !has_size(r, p[1]))
			found(r, id, i, RULE_PARAM_SIZE);
	}
}

/* The size of pointers: if the file does not state it, that which the types suggest. */
static uint32_t addr_size(struct verify *v)
{
	struct addr_size found;

	if (v->opts->addr_size)
		return v->opts->addr_size;
	found = addr_size_find(v->view);
	if (found.source == ADDR_SIZE_MEMBER)
		verify_add_finding(v, found.type, NO_ELEMENT, RULE_ADDR_SIZE);
	return found.bytes;
}

void verify_resolution(struct verify *v)
{
	uint32_t first = v->view->types.first, end = btf_types_end(&v->view->types);
	CLEANUP(resolver_release)
	struct resolver r = {
		.v = v,
		.chains = btf_rule_applies(RULE_CHAIN, v->opts->version),
		.keeps_mode = btf_rule_applies(RULE_SECTION_VAR_ORDER, v->opts->version),
		.funcs = !btf_rule_applies(RULE_NO_TYPE_FUNC, v->opts->version),
		.addr_size = addr_size(v),
		.state = mem_zalloc(end, sizeof(*r.state)),
		.target = mem_zalloc(end, sizeof(*r.target)),
		.size = mem_zalloc(end, sizeof(*r.size)),
	};

	for (uint32_t id = first; id < end; id++) {
		if (verify_is_spoilt(v, id))
			r.state[id] = STATE_BROKEN;
	}
	resolve_base(&r);
	for (uint32_t id = first; id < end; id++) {
		resolve_if_new(&r, id);
		if (kind_of(&r, id) == BTF_FUNC_PROTO && r.state[id] == STATE_NEW)
			check_proto(&r, id);
	}
}
