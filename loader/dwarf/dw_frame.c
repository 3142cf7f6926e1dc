/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_frame.c - DIEs whose children are being read, from opening to closing
 *
 * A type enters its table when it is closed. Its members stand in one run in cu.members,
 * which takes some care where one container lies inside another.
 */
#include "loader/dwarf/dw_walk.h"

/*
 * A container that is opened inside another would put its members between the other's:
 * what the other has so far is set aside.
 */
void dw_set_members_aside(struct dw_reader *r)
{
	struct frame *outer = top_frame(r);

	if (outer->ctx != CTX_STRUCT && outer->ctx != CTX_SUBROUTINE)
		return;

	size_t nr = r->cu->members.nr - outer->first;
	if (!nr)
		return;
	if (!outer->split) {
		outer->split = true;
		outer->saved = r->saved.nr;
	}
	vec_reserve(&r->saved, nr);
	memcpy(r->saved.items + r->saved.nr, r->cu->members.items + outer->first,
	       nr * sizeof(r->saved.items[0]));
	r->saved.nr += nr;
	r->cu->members.nr = outer->first;
}

struct frame *dw_push_type(struct dw_reader *r, enum frame_ctx ctx, uint32_t entry,
			   const struct cu_type *t)
{
	dw_set_members_aside(r);

	struct frame *f = push_frame(r, ctx);
	f->entry = entry;
	f->type = *t;
	f->first = ctx == CTX_ENUM ? r->cu->enumerators.nr : r->cu->members.nr;
	f->tags = r->cu->tags.nr;
	f->component = 0;
	f->spec = 0;
	return f;
}

/* The members of @f become one run again: those set aside, then those since. */
static void join_members(struct dw_reader *r, struct frame *f)
{
	size_t aside = r->saved.nr - f->saved, since = r->cu->members.nr - f->first;

	vec_reserve(&r->cu->members, aside);
	memmove(r->cu->members.items + f->first + aside, r->cu->members.items + f->first,
		since * sizeof(r->cu->members.items[0]));
	memcpy(r->cu->members.items + f->first, r->saved.items + f->saved,
	       aside * sizeof(r->saved.items[0]));
	r->cu->members.nr += aside;
	r->saved.nr = f->saved;
}

/* Tags that were found below @f belong to @of. */
static void own_tags(struct dw_reader *r, size_t first, uint32_t of)
{
	for (size_t i = first; i < r->cu->tags.nr; i++) {
		if (r->cu->tags.items[i].of == UINT32_MAX)
			r->cu->tags.items[i].of = of;
	}
}

static void close_struct(struct dw_reader *r, struct frame *f)
{
	if (f->split)
		join_members(r, f);
	f->type.first = (uint32_t)f->first;
	if (!f->type.nr)
		f->type.flags |= CU_TYPE_NO_MEMBERS;
	/* unions keep theirs to themselves (docs/spec/encoding.md 6.12) */
	if (f->annotation && f->type.kind == BTF_STRUCT)
		dw_decl_tag_chain(r, f->annotation, CU_TAG_TYPE, -1);
	own_tags(r, f->tags, (uint32_t)r->cu->types.nr);
	if (!f->type.name && f->spec)
		vec_push(&r->borrowed_names,
			 ((struct borrowed_name){ (uint32_t)r->cu->types.nr, f->spec }));
	add_type(r, f->entry, &f->type);
}

static void close_func(struct dw_reader *r, struct frame *f)
{
	if (f->annotation)
		dw_decl_tag_chain(r, f->annotation, CU_TAG_FUNC, -1);
	own_tags(r, f->tags, (uint32_t)r->raw_funcs.nr);
	die_map_close(r, f->entry, ENTRY_FUNC, r->raw_funcs.nr);
	vec_push(&r->raw_funcs, f->func);
}

/* The children of the innermost frame are complete. */
void dw_close_frame(struct dw_reader *r)
{
	/* nothing is pushed while it is being closed, so its place stays as it is */
	struct frame *f = pop_frame(r);
	switch (f->ctx) {
	case CTX_STRUCT:
		close_struct(r, f);
		break;
	case CTX_SUBROUTINE:
		if (f->split)
			join_members(r, f);
		f->type.first = (uint32_t)f->first;
		add_type(r, f->entry, &f->type);
		break;
	case CTX_ENUM:
		f->type.first = (uint32_t)f->first;
		f->type.nr = (uint32_t)(r->cu->enumerators.nr - f->first);
		add_type(r, f->entry, &f->type);
		break;
	case CTX_ARRAY:
		add_type(r, f->entry, &f->type);
		break;
	case CTX_POINTER:
	case CTX_TYPEDEF:
		/* gcc's annotations count where clang's are not there */
		if (f->annotation && f->ctx == CTX_POINTER && !(f->type.flags & CU_TYPE_REF_DONE))
			dw_type_tag_chain(r, f->annotation, &f->type);
		own_tags(r, f->tags, (uint32_t)r->cu->types.nr);
		add_type(r, f->entry, &f->type);
		break;
	case CTX_FUNC:
		close_func(r, f);
		break;
	case CTX_MEMBER:
		if (f->annotation)
			dw_decl_tag_chain(r, f->annotation, CU_TAG_TYPE, f->component);
		break;
	case CTX_PARAM:
		if (f->annotation)
			dw_decl_tag_chain(r, f->annotation, CU_TAG_FUNC, f->component);
		break;
	case CTX_VAR:
		own_tags(r, f->tags, f->entry);
		break;
	default:
		return;
	}
	/* the members of what is around it go on behind what came in between */
	if (f->ctx < CTX_MEMBER)
		r->top->first = r->cu->members.nr;
}
