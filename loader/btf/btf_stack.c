/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_stack.c - see btf_stack.h */
#include "loader/btf/btf_stack.h"

#include "base/cleanup.h"
#include "loader/btf/archive.h"
#include "loader/btf/btf_section.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct btf_layer *add_layer(struct btf_stack *s)
{
	struct btf_layer *layer = mem_zalloc(1, sizeof(*layer));

	vec_push(&s->layers, layer);
	return layer;
}

/* @what: the section. */
static struct err *open_view(struct bytes b, const char *what, struct btf_layer *layer,
			     const char *file, struct diagnostics *diags, struct btf_stack *s)
{
	CLEANUP(archive_release) struct archive a = { 0 };

	if (archive_guess(b, false, &a) == ARCHIVE_MANY && a.members.nr > 1)
		return err_new(ERR_FORMAT,
			       "%s is an archive of %zu, to be combined first ('btfenc -J')", what,
			       a.members.nr);
	TRY(err_at(btf_view_open_in_place(b, s->top, &layer->view), "%s", what));
	if (layer->view.size != b.len)
		return err_new(ERR_FORMAT, "%s+%#zx: %zu bytes after the BTF", what,
			       layer->view.size, b.len - layer->view.size);
	btf_view_report_unknown(&layer->view, file, diags);
	layer->section = what;
	layer->view.path = layer->path ? layer->path : what;
	s->top = &layer->view;
	return NULL;
}

/* The base of @v was @below, the base of its new base @top. Ids and offsets from there on move. */
static void move_up(struct btf_view *v, const struct btf_view *below, const struct btf_view *top)
{
	uint32_t first = btf_types_end(&below->types), str_base = v->str_base;
	uint32_t ids = btf_types_end(&top->types) - first;
	uint32_t strings = (uint32_t)top->strings.len;

	btf_view_own_words(v);
	v->base = top;
	v->str_base += strings;
	v->types.base = &top->types;
	v->types.first += ids;
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		uint32_t *rec = btf_types_rec(&v->types, id);

		btf_rec_each_type(rec, type) *type += *type < first ? 0 : ids;
		btf_rec_each_name(rec, name) *name += *name < str_base ? 0 : strings;
	}
}

/*
 * Read the sections whose base is @below, the .BTF of @obj. In the stack, the second of them has the first one
 * as its base.
 */
static struct err *open_over(const struct object *obj, const struct btf_view *below,
			     const char *path, struct diagnostics *diags, struct btf_stack *s)
{
	static const char *const names[] = { ".BTF.extra", ".BTF.inline" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct object_section *section = object_section(obj, names[i]);
		const struct btf_view *top = s->top;
		struct btf_layer *layer;

		if (!section || !section->data.len)
			continue;
		layer = add_layer(s);
		s->top = below;
		TRY(err_at(open_view(section->data, names[i], layer, path, diags, s), "'%s'",
			   path));
		if (top != below)
			move_up(&layer->view, below, top);
	}
	return NULL;
}

static struct err *open_elf(const struct file_ref *f, bool is_first, struct diagnostics *diags,
			    struct btf_stack *s)
{
	const char *path = f->name;
	struct btf_layer *file = add_layer(s), *layer = file;
	struct bytes btf;

	TRY(object_open_ref(f, &file->obj));

	const struct object_section *base = object_section(&file->obj, ".BTF.base");

	TRY(btf_section_read(&file->obj, diags, &btf, &file->own));
	if (!btf.len)
		return err_at(btf_section_missing(&file->obj), "'%s'", path);
	if (base && base->data.len) {
		s->top = NULL;
		TRY(err_at(open_view(base->data, ".BTF.base", layer, path, diags, s), "'%s'",
			   path));
		layer = add_layer(s);
	}
	if (is_first)
		s->first = s->top ? btf_types_end(&s->top->types) : 1;
	layer->path = mem_strdup(path);
	TRY(err_at(open_view(btf, ".BTF", layer, path, diags, s), "'%s'", path));
	assert(s->top);
	return open_over(&file->obj, s->top, path, diags, s);
}

static struct err *open_file(const struct file_ref *f, bool is_first, struct diagnostics *diags,
			     struct btf_stack *s)
{
	const char *path = f->path;
	struct btf_layer *layer;

	if (raw_file_is_object(f))
		return open_elf(f, is_first, diags, s);
	if (is_first)
		s->first = s->top ? btf_types_end(&s->top->types) : 1;
	layer = add_layer(s);
	layer->path = mem_strdup(path);
	TRY(raw_file_open(path, &layer->raw));
	return err_at(open_view((struct bytes){ layer->raw.ptr, layer->raw.len }, "BTF", layer,
				path, diags, s),
		      "'%s'", path);
}

static struct err *open_list(char *names, struct diagnostics *diags, struct btf_stack *s)
{
	for (char *name = names, *comma; name; name = comma) {
		const struct file_ref file = file_ref_of(name);

		comma = strchr(name, ',');
		if (comma)
			*comma++ = '\0';
		TRY(open_file(&file, name == names, diags, s));
	}
	return NULL;
}

struct err *btf_stack_open(const struct file_ref *file, const struct btf_view *base,
			   struct diagnostics *diags, struct btf_stack *s)
{
	CLEANUP(mem_free_text) char *list = mem_strdup(file->path);

	s->top = base;
	if (!strchr(list, ',') || !access(list, F_OK))
		return open_file(file, true, diags, s);
	return open_list(list, diags, s);
}

void btf_stack_release(struct btf_stack *s)
{
	/* from the top, for views look at those below */
	while (s->layers.nr) {
		struct btf_layer *layer = s->layers.items[--s->layers.nr];

		btf_view_release(&layer->view);
		object_close(&layer->obj);
		raw_file_close(&layer->raw);
		FREE_ALL(layer->own, layer->path, layer);
	}
	free(s->layers.items);
	*s = (struct btf_stack){ 0 };
}
