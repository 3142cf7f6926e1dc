/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_show.c - types are printed as C, with their layout
 *
 * All files stay open until the end: a struct of the last may be one of the first.
 */
#include "base/cleanup.h"
#include "cmd/file_list.h"
#include "cmd/header_print.h"
#include "cmd/jobs.h"
#include "cmd/show_file.h"
#include "cmd/wanted_list.h"
#include "show/listing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUNNING_KERNEL "/sys/kernel/btf/vmlinux"

/* Everything that the run holds. */
struct showing {
	const struct options *opt;
	struct listing listing;
	struct wanted_list wanted;
	struct show_file *files;
	size_t nr_files;
	struct progress *progress;
	struct btf_input base;
	bool has_base;
};

static void showing_release(struct showing *s)
{
	listing_release(&s->listing);
	wanted_list_release(&s->wanted);
	for (size_t i = 0; i < s->nr_files; i++)
		show_file_release(&s->files[i]);
	free(s->files);
	btf_input_release(&s->base);
}

/* The BTF of a loaded module stands on the kernel's. */
static const char *base_of(const struct options *opt, const char *path)
{
	static const char folder[] = "/sys/kernel/btf/";

	if (opt->base)
		return opt->base;
	if (strncmp(path, folder, sizeof(folder) - 1) != 0 || !strcmp(path, RUNNING_KERNEL))
		return NULL;
	return RUNNING_KERNEL;
}

static bool is_done(const struct showing *s)
{
	for (size_t i = 0; i < s->wanted.nr; i++) {
		if (!s->wanted.items[i].found)
			return false;
	}
	return s->wanted.nr != 0;
}

static struct err *show_types_of(struct showing *s, struct show_types *t)
{
	struct listing *l = &s->listing;

	switch (s->opt->show_what) {
	case SHOW_CONTAINERS:
		return listing_containers(l, t, s->wanted.items);
	case SHOW_POINTERS:
		return listing_pointers(l, t, s->wanted.items);
	case SHOW_NAMED:
		return listing_named(l, t, s->wanted.items, s->wanted.nr);
	case SHOW_ALL:
		break;
	}
	return listing_all(l, t);
}

static struct err *show_header(struct showing *s, const struct show_file *f, bool over_base)
{
	struct bytes base = over_base ? btf_input_bytes(&s->base) : (struct bytes){ 0 };

	if (f->btf.has_base || (over_base && s->base.has_base))
		return err_new(ERR_UNSUPPORTED, "no C header of what stands on a distilled base");
	return header_print(show_file_bytes(f), base, f->types.addr_size);
}

static struct err *show_file(struct showing *s, const char *path, struct notes *notes)
{
	struct show_file *f = &s->files[s->nr_files++];
	const char *base = base_of(s->opt, path);

	if (base && !s->has_base) {
		TRY(btf_input_open(base, &s->base));
		s->has_base = true;
	}
	TRY(show_file_open(path, s->opt, base ? &s->base.view : NULL, s->progress, notes, f));
	/* standard output may be the same terminal */
	progress_hide(s->progress);
	if (s->opt->show_header)
		return err_at(show_header(s, f, base), "'%s'", path);
	return err_at(show_types_of(s, &f->types), "'%s'", path);
}

static struct err *tell_missing(const struct showing *s, struct notes *notes)
{
	const struct wanted *missing = NULL;

	if (s->opt->skip_missing)
		return NULL;
	for (size_t i = 0; i < s->wanted.nr; i++) {
		const struct wanted *w = &s->wanted.items[i];

		if (w->found)
			continue;
		if (missing)
			notes_add(notes, NOTE_ERROR, "type '%s' not found", missing->name);
		missing = w;
	}
	if (!missing)
		return NULL;
	return err_new(ERR_FORMAT, "type '%s' not found", missing->name);
}

struct err *job_show(const struct options *opt, struct notes *notes)
{
	CLEANUP(text_release) struct text text = { .out = stdout };
	CLEANUP(file_list_release) struct file_list paths = { 0 };
	CLEANUP(progress_end) struct progress progress;
	CLEANUP(showing_release) struct showing s = { .opt = opt, .progress = &progress };

	progress_begin(&progress, opt->quiet);
	listing_init(&s.listing, &opt->show, &text);
	TRY(file_list_expand(opt->files.items, opt->files.nr, &paths));
	if (opt->show_name)
		TRY(wanted_list_read(opt->show_name, opt->show_what == SHOW_NAMED, &s.wanted));
	if (!paths.nr)
		vec_push(&paths, RUNNING_KERNEL);
	s.files = mem_zalloc(paths.nr, sizeof(*s.files));
	for (size_t i = 0; i < paths.nr && !is_done(&s); i++)
		TRY(show_file(&s, paths.items[i], notes));
	TRY(listing_end(&s.listing));
	return tell_missing(&s, notes);
}
