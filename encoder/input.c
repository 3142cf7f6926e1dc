/* SPDX-License-Identifier: GPL-2.0-only */
/* input.c - see input.h */
#include "encoder/input.h"

#include "base/cleanup.h"
#include "base/os/mapped_file.h"
#include "encoder/member/member_note.h"
#include "encoder/unit/producer.h"
#include "loader/btf/btf_section.h"
#include "loader/dwarf/dw_read_cu.h"
#include "loader/elf/raw_file.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void input_release(struct input *in)
{
	FREE_ALL(in->func_names, in->func_by_name, in->var_sections, in->apart_sections);
	dw_file_close(&in->dwarf);
	kfuncs_release(&in->kfuncs);
	symbols_release(&in->syms);
	if (in->opened)
		object_close(&in->obj);
	for (size_t i = 0; i < in->member_files.nr; i++) {
		struct member_file *f = &in->member_files.items[i];

		if (f->is_object)
			object_close(&f->obj);
		if (f->is_gathered)
			archive_file_release(&f->gathered);
		free(f->own);
	}
	FREE_ALL(in->member_files.items, in->members.items, in->without_btf.items);
	arena_release(&in->names);
	gcc_tags_release(&in->gcc_tags);
	*in = (struct input){ 0 };
}

size_t input_size(const struct input *in)
{
	size_t size = 0;

	if (!in->from_btf)
		return dw_file_size(&in->dwarf);
	for (size_t i = 0; i < in->members.nr; i++)
		size += in->members.items[i].bytes.len;
	return size;
}

/* --- members ------------------------------------------------------------------------ */

static const char *PRINTF_LIKE(2, 3) label(struct input *in, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	int len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		mem_die();

	const char *kept = arena_strndup(&in->names, text, (size_t)len);
	free(text);
	return kept;
}

/* gcc's header is the shorter one, and there is no note at the @end of its strings. */
static bool may_be_by_gcc(uint32_t hdr_len, const uint8_t *end)
{
	static const char seal[] = "btfnote";

	return hdr_len == BTF_HDR_CLASSIC && !memmem(end, ARCHIVE_END_LEN, seal, strlen(seal));
}

_Static_assert((int)ARCHIVE_END_LEN >= (int)MEMBER_NOTE_TAIL,
	       "the end of a note is among the last bytes");

/* Add the members of @a, which lies in @what of @path and is @mapped from there. */
static struct err *take_members(struct input *in, const char *path, const char *what,
				const struct archive *a, bool mapped)
{
	for (size_t i = 0; i < a->members.nr; i++) {
		const char *where = label(in, "'%s': %s+%#zx (member %zu)", path, what,
					  a->members.items[i].offset, i + 1);

		if (!in->opened && !in->members.nr)
			in->obj.swap = a->swap;
		if (a->swap != in->obj.swap)
			return err_new(ERR_UNSUPPORTED,
				       "%s: it is in the other byte order than '%s'", where,
				       in->path);
		const struct archive_member *m = &a->members.items[i];
		vec_push(&in->members,
			 ((struct member){ archive_bytes(a, i), mapped, where,
					   may_be_by_gcc(m->hdr_len, m->end), m->offset }));
	}
	return NULL;
}

/* The same for those of @b. */
static struct err *add_members(struct input *in, const char *path, const char *what, struct bytes b,
			       bool mapped)
{
	CLEANUP(archive_release) struct archive a = { 0 };

	TRY(err_at(archive_walk(b, mapped, &a), "'%s': %s", path, what));
	return take_members(in, path, what, &a, mapped);
}

/* Those of the object file @path, whose bytes have to stay. */
static struct err *add_object(struct input *in, const char *path, struct diagnostics *diags)
{
	struct member_file *f = vec_add(&in->member_files);

	*f = (struct member_file){ 0 };
	TRY(object_open_bare(path, &f->obj));
	f->is_object = true;

	struct bytes b;
	TRY(btf_section_read(&f->obj, diags, &b, &f->own));
	if (!b.len) {
		diag_add(diags, DIAG_VERBOSE, "'%s' has no BTF: left out", path);
		vec_push(&in->without_btf, path);
		return NULL;
	}
	return add_members(in, path, ".BTF", b, !f->own);
}

static struct err *add_raw(struct input *in, const char *path)
{
	struct member_file *f = vec_add(&in->member_files);
	size_t len = 0;

	*f = (struct member_file){ 0 };
	TRY(raw_file_read_unpacked(path, &f->own, &len));
	return add_members(in, path, "BTF", (struct bytes){ f->own, len }, false);
}

/* What the unit of member @i calls itself, on the heap; NULL if it does not say. */
static char *unit_name(const struct input *in, size_t i)
{
	CLEANUP(btf_view_release) struct btf_view v = { 0 };
	CLEANUP(member_note_release) struct member_note n = { 0 };
	struct bytes body = { 0 };
	char *name = NULL;
	size_t len;

	struct err *e = btf_view_open(in->members.items[i].bytes, NULL, &v);
	if (!e)
		e = member_note_find(v.strings, &len, &body);
	if (!e && body.ptr)
		e = member_note_read(body, v.strings, btf_types_end(&v.types), &n);
	if (!e && n.unit)
		name = mem_strdup((const char *)v.strings.ptr + n.unit);
	if (e)
		err_free(e);
	return name;
}

struct err *input_member_err(const struct input *in, size_t i, struct err *err)
{
	char *before = err && i ? unit_name(in, i - 1) : NULL;
	char *behind = err && !before && i + 1 < in->members.nr ? unit_name(in, i + 1) : NULL;

	if (before || behind) {
		struct err *located = err_new(err_kind(err), "%s; it comes %s that of '%s'",
					      err_text(err), before ? "behind" : "before",
					      before ? before : behind);

		err_free(err);
		err = located;
	}
	free(before);
	free(behind);
	return err;
}

/* What all members of gcc say together has to be known before the first is read. */
static struct err *collect_gcc_tags(struct input *in)
{
	for (size_t i = 0; i < in->members.nr; i++) {
		const struct member *m = &in->members.items[i];
		CLEANUP(btf_view_release) struct btf_view v = { 0 };

		if (!m->maybe_gcc)
			continue;
		TRY(err_at(btf_view_open(m->bytes, NULL, &v), "%s", m->where));
		if (producer_of(&v) == PRODUCER_GCC)
			gcc_tags_add(&in->gcc_tags, &v);
	}
	return NULL;
}

/* --- a linked file, and members from elsewhere ------------------------------------------ */

/*
 * Look for @object among the gathered, whose names are as the build gave them: mostly from the
 * folder that we are in, which debug information puts before, and lists may as "./".
 */
static size_t find_gathered(const struct archive_file *a, const char *folder, const char *object)
{
	size_t i = archive_file_find(a, object), len = folder ? strlen(folder) : 0;

	if (i == SIZE_MAX && !strncmp(object, "./", 2))
		i = archive_file_find(a, object + 2);
	if (i == SIZE_MAX && len && !strncmp(object, folder, len) && object[len] == '/')
		i = archive_file_find(a, object + len + 1);
	return i;
}

static struct err *add_gathered(struct input *in, const struct encode_job *job,
				const char *const *objects, size_t nr, struct diagnostics *diags)
{
	struct member_file *f = vec_add(&in->member_files);

	*f = (struct member_file){ 0 };
	TRY(archive_file_read(job->archive, &f->gathered));
	f->is_gathered = true;

	struct archive_file *a = &f->gathered;
	char *folder = getcwd(NULL, 0);
	struct err *err = NULL;

	if (a->swap != in->obj.swap)
		err = err_new(ERR_UNSUPPORTED, "'%s': it is in the other byte order than '%s'",
			      job->archive, in->path);
	if (a->torn)
		diag_add(diags, DIAG_WARNING,
			 "'%s': %zu bytes at the end are of a run that was killed: passed over",
			 job->archive, a->torn);
	for (size_t i = 0; !err && i < nr; i++) {
		size_t at = find_gathered(a, folder, objects[i]);
		struct bytes b = { 0 };

		if (at == SIZE_MAX) {
			diag_add(diags, DIAG_VERBOSE, "'%s' has nothing of '%s': left out",
				 job->archive, objects[i]);
			vec_push(&in->without_btf, objects[i]);
			continue;
		}
		err = archive_file_bytes(a, at, &b);
		if (err || !b.len)
			continue;

		const char *where = label(in, "'%s'+%#zx ('%s')", job->archive,
					  a->members.items[at].offset, objects[i]);
		const bool by_gcc = b.len > ARCHIVE_END_LEN &&
				    may_be_by_gcc(swap32(load32(b.ptr + 4), a->swap),
						  b.ptr + b.len - ARCHIVE_END_LEN);
		vec_push(&in->members, ((struct member){ b, true, where, by_gcc, 0 }));
		pages_give_back(b.ptr, b.len);
	}
	free(folder);
	return err;
}

static struct err *gather(struct input *in, const struct encode_job *job, struct diagnostics *diags)
{
	CLEANUP(unit_names_release) struct unit_names units = { 0 };
	const char *const *objects = job->objects;
	size_t nr = job->nr_objects;

	if (!nr) {
		TRY(unit_names_read(in->path, &units));
		if (!units.nr)
			return err_new(
				ERR_USAGE,
				"'%s' has no debug information to name its objects: give a list of them, @LIST",
				in->path);
		objects = (const char *const *)units.items;
		nr = units.nr;
	}
	if (job->archive)
		TRY(add_gathered(in, job, objects, nr, diags));
	progress_count(job->progress, "files", nr);
	for (size_t i = 0; !job->archive && i < nr; i++) {
		TRY(add_object(in, objects[i], diags));
		progress_step(job->progress);
	}
	if (!in->members.nr)
		return err_new(ERR_FORMAT, "'%s': none of its %zu objects has BTF%s%s%s", in->path,
			       nr, job->archive ? " in '" : "", job->archive ? job->archive : "",
			       job->archive ? "'" : "");
	return NULL;
}

/* --- opening ------------------------------------------------------------------------ */

/* Is @b one BTF, that of an object, with the note that a run of ours leaves there? */
static bool has_note(struct bytes b)
{
	struct bytes note = { 0 };
	size_t len;
	bool swap;

	/* the strings are last, and the note is their end */
	struct err *e = btf_view_measure(b, &b.len, &swap);
	if (!e)
		e = member_note_find(b, &len, &note);
	if (e)
		err_free(e); /* whoever reads it will say so */
	return !e && note.ptr;
}

/* Is the only member what an earlier run has made of all? */
static bool is_finished(const struct input *in)
{
	struct btf_view v = { 0 };

	if (in->members.nr != 1 || in->obj.is_rel)
		return false;

	struct err *e = btf_view_open(in->members.items[0].bytes, NULL, &v);
	btf_view_release(&v);
	if (e)
		err_free(e); /* whoever reads it will say so */
	return !e && !has_note(in->members.items[0].bytes);
}

/* The units are the members of the file's .BTF. */
static struct err *read_section(struct input *in, const struct encode_job *job,
				struct diagnostics *diags)
{
	struct member_file *f = vec_add(&in->member_files);
	struct bytes btf;

	*f = (struct member_file){ 0 };
	in->from_btf = true;
	TRY(btf_section_read(&in->obj, diags, &btf, &f->own));
	if (btf.len)
		TRY(add_members(in, in->path, ".BTF", btf, !f->own));
	if (job->in_place && is_finished(in))
		in->members.nr = 0;
	return NULL;
}

/*
 * If the .BTF of the file is several, its DWARF is not asked. What is damaged may have been an
 * archive: without DWARF there is nothing else to go by. And a file of one object whose DWARF was
 * dropped, as small modules are, is an archive of one.
 */
static struct err *choose_by_itself(struct input *in, const struct encode_job *job,
				    struct diagnostics *diags)
{
	const struct object_section *s = object_section(&in->obj, ".BTF");
	struct bytes btf = s ? s->data : (struct bytes){ 0 };
	CLEANUP(archive_release) struct archive a = { 0 };
	bool dwarf = object_section(&in->obj, ".debug_info") ||
		     object_section(&in->obj, ".zdebug_info");

	switch (archive_guess(btf, true, &a)) {
	case ARCHIVE_NONE:
		/* an object by itself is still to be linked, and needs the note */
		if (!dwarf && (job->base || !in->obj.is_rel) && has_note(btf))
			return read_section(in, job, diags);
		break;
	case ARCHIVE_MANY:
		/* relocations may belong to what has not been linked */
		if (in->obj.is_rel)
			return read_section(in, job, diags);
		TRY(btf_section_find(&in->obj, &s));
		in->from_btf = true;
		return take_members(in, in->path, ".BTF", &a, true);
	case ARCHIVE_DAMAGED:
		if (!dwarf)
			return read_section(in, job, diags);
		diag_add(diags, DIAG_WARNING,
			 "'%s': .BTF is damaged: made anew from debug information", in->path);
		break;
	}
	return object_load_debug(&in->obj);
}

/* Decide between the BTF of the file and its DWARF. */
static struct err *choose_source(struct input *in, const struct encode_job *job,
				 struct diagnostics *diags)
{
	if (job->gather) {
		in->from_btf = true;
		return gather(in, job, diags);
	}
	if (job->from == ENCODE_FROM_DWARF)
		return object_load_debug(&in->obj);
	return job->from == ENCODE_FROM_BTF ? read_section(in, job, diags) :
					      choose_by_itself(in, job, diags);
}

struct err *input_open(struct input *in, const char *path, const struct encode_job *job,
		       struct diagnostics *diags)
{
	in->path = path;
	TRY(object_open_bare(path, &in->obj));
	in->opened = true;
	TRY(choose_source(in, job, diags));
	if (in->from_btf && !object_section(&in->obj, ".symtab"))
		object_find_debug_file(&in->obj);
	if (object_refused_debug_file(&in->obj))
		diag_add(diags, DIAG_WARNING,
			 "'%s': its debug file is not used: %s; install that of the same build",
			 path, object_refused_debug_file(&in->obj));
	TRY(collect_gcc_tags(in));
	if (in->from_btf ? in->members.nr : in->obj.debug[DEBUG_INFO].len)
		return NULL;
	/* Objects without debug information are usual: a build encodes those of assembler files, too. */
	diag_add(diags, in->from_btf || in->obj.is_rel ? DIAG_VERBOSE : DIAG_WARNING,
		 "'%s' has no %s: nothing to encode", path,
		 in->from_btf ? "members to combine" : "debug information");
	input_release(in);
	return NULL;
}

/* --- members without a linked file -------------------------------------------------------- */

static bool is_elf(const char *path)
{
	return raw_file_starts_with(path, ELFMAG, SELFMAG);
}

/*
 * What would be the table of functions of the linked file: those that some member describes.
 * The names are those of the members, which stay.
 */
static struct err *list_func_names(struct input *in)
{
	struct symbol_names names = { 0 };
	struct err *err = NULL;

	for (size_t i = 0; !err && i < in->members.nr; i++) {
		CLEANUP(btf_view_release) struct btf_view v = { 0 };

		err = err_at(btf_view_open(in->members.items[i].bytes, NULL, &v), "%s",
			     in->members.items[i].where);
		for (uint32_t id = 1; !err && id < btf_types_end(&v.types); id++) {
			const uint32_t *rec = btf_types_rec(&v.types, id);

			if (btf_info_kind(rec[BTF_REC_INFO]) == BTF_FUNC)
				vec_push(&names, btf_view_str(&v, NULL, rec[BTF_REC_NAME]));
		}
	}
	if (!err)
		symbols_from_names(&names, &in->syms);
	free(names.items);
	return err;
}

struct err *input_open_unlinked(struct input *in, const struct encode_job *job,
				struct diagnostics *diags)
{
	in->path = job->paths[0];
	in->from_btf = true;
	/* nothing has an address, as in a file that is still to be linked */
	in->obj = (struct object){ .is_rel = true, .addr_size = 8 };
	progress_count(job->progress, "files", job->nr);
	for (size_t i = 0; i < job->nr; i++) {
		if (is_elf(job->paths[i]))
			TRY(add_object(in, job->paths[i], diags));
		else
			TRY(add_raw(in, job->paths[i]));
		progress_step(job->progress);
	}
	if (!in->members.nr) {
		diag_add(diags, DIAG_VERBOSE, "'%s' has no BTF: nothing to encode", in->path);
		input_release(in);
		return NULL;
	}
	TRY(collect_gcc_tags(in));
	return list_func_names(in);
}
