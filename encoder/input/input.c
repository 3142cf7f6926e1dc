/* SPDX-License-Identifier: GPL-2.0-only */
/* input.c - open one input file and find its units */
#include "encoder/input/input.h"

#include "base/cleanup.h"
#include "base/os/mapped_file.h"
#include "encoder/input/pair_blocks.h"
#include "encoder/unit/unit_btf.h"
#include "loader/btf/btf_section.h"
#include "loader/dwarf/dw_read_cu.h"
#include "loader/elf/raw_file.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void input_release(struct input *in)
{
	FREE_ALL(in->func_names, in->var_sections, in->apart_sections);
	section_map_release(&in->section_map);
	dw_file_close(&in->dwarf);
	kfuncs_release(&in->kfuncs);
	symbols_release(&in->syms);
	object_close(&in->obj);
	for (size_t i = 0; i < in->member_files.nr; i++) {
		object_close(&in->member_files.items[i].obj);
		raw_file_close(&in->member_files.items[i].raw);
		FREE_ALL(in->member_files.items[i].own, in->member_files.items[i].facts);
	}
	archive_file_release(&in->gathered);
	FREE_ALL(in->facts, in->member_files.items, in->members.items, in->without_btf.items,
		 in->damaged.items);
	arena_release(&in->names);
	gcc_tags_release(&in->gcc_tags);
	*in = (struct input){ 0 };
}

void input_damaged(struct input *in, const char *path)
{
	vec_push(&in->damaged, arena_strndup(&in->names, path, strlen(path)));
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

/* --- pages ----------------------------------------------------------------------------- */

/* Does @m follow the bytes that end at @end, but for padding? */
static bool follows(const struct member *m, const uint8_t *end)
{
	return m->mapped && m->before && m->bytes.ptr >= end &&
	       m->bytes.ptr - end <= (ptrdiff_t)m->before;
}

/* Members that follow one another in the file are one call of the system. @last: behind the last one. */
static void give_members_back(const struct input *in, size_t first, size_t last)
{
	const struct member *m = in->members.items;

	for (size_t i = first; i < last; i++) {
		if (!m[i].mapped)
			continue;

		size_t before = m[i].before < PAGES_AROUND ? m[i].before : PAGES_AROUND;
		const uint8_t *start = m[i].bytes.ptr - before,
			      *end = m[i].bytes.ptr + m[i].bytes.len;
		while (i + 1 < last && follows(&m[i + 1], end)) {
			i++;
			end = m[i].bytes.ptr + m[i].bytes.len;
		}
		pages_give_back(start, (size_t)(end - start));
	}
}

static uint64_t unit_size(const struct input *in, size_t i)
{
	const struct dw_unit *units = in->dwarf.units.items;

	return in->from_btf ? in->members.items[i].bytes.len : units[i].end - units[i].start;
}

void input_give_back(const struct input *in, struct pages_kept *kept, size_t i)
{
	const struct dw_file *dw = &in->dwarf;
	size_t first = kept->first;

	/* the last reading has the type units that no unit refers to (dw_file_nr_readings()) */
	if (!in->from_btf && i == dw->units.nr)
		return;
	kept->size += unit_size(in, i);
	if (kept->size < GIVE_BACK_STRIDE)
		return;
	*kept = (struct pages_kept){ .first = i + 1 };
	if (in->from_btf) {
		give_members_back(in, first, i + 1);
		return;
	}
	object_forget_lookups(&in->obj);
	object_forget_info(&in->obj, dw->units.items[first].start, dw->units.items[i].end);
}

void input_give_back_rest(const struct input *in, const struct pages_kept *kept)
{
	if (in->from_btf) {
		give_members_back(in, kept->first, in->members.nr);
		return;
	}
	object_forget_lookups(&in->obj);
	object_forget_info(&in->obj, 0, SIZE_MAX);
}

/* --- members ------------------------------------------------------------------------ */

/* Gcc writes the short header. */
static bool may_be_by_gcc(uint32_t hdr_len)
{
	return hdr_len == BTF_HDR_CLASSIC;
}

/* Add the members of @a, which is @what of the file @path. @mapped: its bytes are mapped. */
static struct err *take_members(struct input *in, const char *path, const char *what,
				const struct archive *a, bool mapped)
{
	for (size_t i = 0; i < a->members.nr; i++) {
		const char *where = arena_printf(&in->names, "'%s': %s+%#zx (member %zu)", path,
						 what, a->members.items[i].offset, i + 1);

		if (!in->opened && !in->members.nr)
			in->obj.swap = a->swap;
		if (a->swap != in->obj.swap)
			return err_new(ERR_UNSUPPORTED,
				       "%s: it is in the other byte order than '%s'", where,
				       in->path);
		const struct archive_member *m = &a->members.items[i];
		vec_push(&in->members, ((struct member){ .bytes = archive_bytes(a, i),
							 .mapped = mapped,
							 .where = where,
							 .maybe_gcc = may_be_by_gcc(m->hdr_len),
							 .before = m->offset }));
	}
	return NULL;
}

static struct err *add_members(struct input *in, const char *path, const char *what, struct bytes b,
			       bool mapped)
{
	CLEANUP(archive_release) struct archive a = { 0 };

	struct err *e = archive_walk(b, mapped, &a);

	if (e && archive_is_split(b)) {
		err_free(e);
		e = err_new(ERR_UNSUPPORTED,
			    "it is split BTF, over a base, and '-F btf' reads only whole BTF: "
			    "encode the file from its DWARF");
	}
	TRY(err_at(e, "'%s': %s", path, what));
	return take_members(in, path, what, &a, mapped);
}

/* The number of .debug.btf in @o, 0 for none. */
static size_t facts_index(const struct object *o)
{
	const struct object_section *s = object_section(o, FACTS_SECTION);

	if (!s) /* gold --compress-debug-sections=zlib-gnu */
		s = object_section(o, ".zdebug.btf");
	return s && s->type != SHT_NOBITS ? (size_t)(s - o->sections) : 0;
}

static struct member_file *add_file(struct input *in)
{
	struct member_file *f = vec_add(&in->member_files);

	*f = (struct member_file){ 0 };
	return f;
}

void input_leave_out(struct input *in, const char *object)
{
	vec_push(&in->without_btf, arena_strndup(&in->names, object, strlen(object)));
}

static void no_btf(struct input *in, const char *name, struct diagnostics *diags)
{
	diag_add(diags, DIAG_VERBOSE, "'%s' has no BTF: left out", name);
	input_leave_out(in, name);
}

static struct err *members_of_object(struct input *in, struct member_file *f, const char *name,
				     struct diagnostics *diags)
{
	struct bytes b;
	size_t first = in->members.nr, index = facts_index(&f->obj), left;

	TRY(btf_section_read(&f->obj, diags, &b, &f->own));
	if (!b.len && !index) {
		no_btf(in, name, diags);
		return NULL;
	}
	/* without a linked file, the first object has the sizes of pointers */
	if (!in->obj.addr_size)
		in->obj.addr_size = f->obj.addr_size;

	if (b.len)
		TRY(add_members(in, name, ".BTF", b, !f->own));
	/* the slots of the linked file, if it has them, have addresses */
	if (!index || (b.len && in->facts_section))
		return NULL;
	/* those of an object are not used, so its relocations are not applied */
	struct object bare = f->obj;
	bare.is_rel = false;
	TRY(object_read_section(&bare, index, &b, &f->facts));

	const struct block_section section = { .bytes = b, .mapped = !f->facts, .path = name };
	if (!in->opened && !first)
		in->obj.swap = f->obj.swap;
	if (f->obj.swap != in->obj.swap)
		return err_new(ERR_UNSUPPORTED, "'%s': it is in the other byte order than '%s'",
			       name, in->path);
	TRY(pair_blocks(in, first, &section, diags, &left));
	if (in->members.nr == first)
		no_btf(in, name, diags);
	return NULL;
}

/* Add the members of the object @file, whose bytes stay. */
static struct err *add_object(struct input *in, const struct file_ref *file,
			      struct diagnostics *diags)
{
	struct member_file *f = add_file(in);

	TRY(object_open_ref(file, &f->obj));
	TRY(members_of_object(in, f, file->name, diags));
	object_drop_sections(&f->obj);
	return NULL;
}

static struct err *add_raw(struct input *in, const char *path)
{
	struct raw_file *f = &add_file(in)->raw;

	TRY(raw_file_open_in_parts(path, f));
	return add_members(in, path, "BTF", (struct bytes){ f->ptr, f->len }, f->mapped);
}

/* The name of the unit of member @i, which the caller frees; NULL if it is unknown. */
static char *unit_name(const struct input *in, size_t i)
{
	const struct member *m = &in->members.items[i];
	CLEANUP(btf_view_release) struct btf_view v = { 0 };
	struct facts_start f = { 0 };
	char *name = NULL;

	if (!m->block.body.len)
		return NULL;
	struct err *e = btf_view_open(m->bytes, NULL, &v);
	if (!e)
		e = facts_block_check(&m->block, v.strings.len, btf_types_end(&v.types), &f);
	if (!e)
		name = mem_strdup(f.name < v.strings.len ? (const char *)v.strings.ptr + f.name :
							   (const char *)m->block.strings.ptr +
								   (f.name - v.strings.len));
	err_free(e);
	return name;
}

struct err *input_member_err(const struct input *in, size_t i, struct err *err)
{
	char *before = err && i ? unit_name(in, i - 1) : NULL;
	char *after = err && !before && i + 1 < in->members.nr ? unit_name(in, i + 1) : NULL;

	if (before || after) {
		struct err *located = err_new(err_kind(err), "%s; it comes %s that of '%s'",
					      err_text(err), before ? "after" : "before",
					      before ? before : after);

		err_free(err);
		err = located;
	}
	free(before);
	free(after);
	return err;
}

/* --- members of a linked file in other files ------------------------------------------ */

/*
 * Find @object in the archive file, which has the names that the build used: mostly relative to the
 * current folder. Debug information has absolute names, and lists may have "./NAME".
 */
static size_t find_gathered(const struct archive_file *a, const char *folder, const char *object)
{
	size_t i = archive_file_find(a, object), len = folder ? strlen(folder) : 0;

	if (i == SIZE_MAX && starts_with(object, "./"))
		i = archive_file_find(a, object + 2);
	if (i == SIZE_MAX && len && !strncmp(object, folder, len) && object[len] == '/')
		i = archive_file_find(a, object + len + 1);
	return i;
}

static struct err *add_gathered(struct input *in, const struct encode_request *request,
				const struct file_ref *objects, size_t nr,
				struct diagnostics *diags)
{
	struct archive_file *a = &in->gathered;

	TRY(archive_file_read(request->archive, a));

	char *folder = getcwd(NULL, 0);
	struct err *err = NULL;

	if (a->swap != in->obj.swap)
		err = err_new(ERR_UNSUPPORTED, "'%s': it is in the other byte order than '%s'",
			      request->archive, in->path);
	if (a->torn) {
		input_damaged(in, request->archive);
		diag_add(diags, DIAG_WARNING,
			 "'%s': %zu bytes at the end are of a run that was killed: ignored",
			 request->archive, a->torn);
	}
	for (size_t i = 0; !err && i < nr; i++) {
		const char *object = objects[i].name;
		size_t at = find_gathered(a, folder, object);
		struct bytes b = { 0 };

		if (at == SIZE_MAX) {
			diag_add(diags, DIAG_VERBOSE, "'%s' has nothing of '%s': left out",
				 request->archive, object);
			input_leave_out(in, object);
			continue;
		}
		err = archive_file_bytes(a, at, &b);
		if (err || !b.len)
			continue;

		const char *where = arena_printf(&in->names, "'%s'+%#zx ('%s')", request->archive,
						 a->members.items[at].offset, object);
		const bool by_gcc = b.len >= BTF_HDR_CLASSIC &&
				    may_be_by_gcc(swap32(load32(b.ptr + 4), a->swap));
		vec_push(&in->members, ((struct member){ .bytes = b,
							 .mapped = true,
							 .where = where,
							 .maybe_gcc = by_gcc }));
		pages_give_back(b.ptr, b.len);
	}
	free(folder);
	return err;
}

static struct err *gather(struct input *in, const struct encode_request *request,
			  struct diagnostics *diags)
{
	CLEANUP(unit_names_release) struct unit_names units = { 0 };
	CLEANUP(file_refs_release) struct file_refs named = { 0 };
	const struct file_ref *objects = request->objects;
	size_t nr = request->nr_objects;

	if (!nr) {
		TRY(unit_names_read(in->path, &units));
		if (!units.nr)
			return err_new(
				ERR_USAGE,
				"'%s' has no debug information to name its objects: give a list of them, @LIST",
				in->path);
		for (size_t i = 0; i < units.nr; i++)
			vec_push(&named, file_ref_of(units.items[i]));
		objects = named.items;
		nr = named.nr;
	}
	if (request->archive)
		TRY(add_gathered(in, request, objects, nr, diags));
	progress_count(request->progress, "files", nr);
	for (size_t i = 0; !request->archive && i < nr; i++) {
		TRY(add_object(in, &objects[i], diags));
		progress_step(request->progress);
	}
	if (!in->members.nr)
		return err_new(ERR_FORMAT, "'%s': none of its %zu objects has BTF%s%s%s", in->path,
			       nr, request->archive ? " in '" : "",
			       request->archive ? request->archive : "",
			       request->archive ? "'" : "");
	return NULL;
}

/* --- opening ------------------------------------------------------------------------ */

/* Is the only member the result of an earlier run? */
static bool is_finished(const struct input *in)
{
	struct btf_view v = { 0 };

	if (in->members.nr != 1 || in->obj.is_rel || facts_index(&in->obj))
		return false;

	struct err *e = btf_view_open(in->members.items[0].bytes, NULL, &v);
	btf_view_release(&v);
	bool valid = !e; /* reading it reports the error */
	err_free(e);
	return valid;
}

/* Read .debug.btf of the file itself. */
static struct err *read_blocks(struct input *in, struct block_section *ret)
{
	*ret = (struct block_section){ .linked = true, .path = in->path };
	TRY(object_read_section(&in->obj, in->facts_section, &ret->bytes, &in->facts));
	ret->mapped = !in->facts;
	return NULL;
}

/* Count the objects that the blocks of the file are of. */
static struct err *count_own_blocks(struct input *in, struct block_count *ret)
{
	struct block_section s;

	*ret = (struct block_count){ 0 };
	if (!in->facts_section)
		return NULL;
	struct err *e = read_blocks(in, &s);
	if (!e)
		e = count_blocks(&s, in->obj.swap, ret);
	free(in->facts);
	in->facts = NULL;
	return e;
}

/*
 * Is .BTF, of one member, the result of an earlier run? It is loaded (SHF_ALLOC), as in a kernel, and all objects have blocks
 * that stand alone.
 */
static struct err *is_result(struct input *in, bool *ret)
{
	const struct object_section *s = object_section(&in->obj, ".BTF");
	struct block_count count = { 0 };

	*ret = false;
	if (in->members.nr != 1 || in->obj.is_rel || !s || !(s->flags & SHF_ALLOC))
		return NULL;
	TRY(count_own_blocks(in, &count));
	*ret = count.alone && count.alone == count.objects;
	return NULL;
}

/* The units are the members of the file's .BTF. */
static struct err *read_section(struct input *in, const struct encode_request *request,
				struct diagnostics *diags)
{
	struct member_file *f = add_file(in);
	struct bytes btf;
	bool result;

	in->from_btf = true;
	TRY(btf_section_read(&in->obj, diags, &btf, &f->own));
	if (btf.len)
		TRY(add_members(in, in->path, ".BTF", btf, !f->own));
	TRY(is_result(in, &result));
	if (result || ((request->in_place || request->may_be_empty) && is_finished(in)))
		in->members.nr = 0;
	return NULL;
}

/* The units of a further file are opened by input_resume(). */
static bool may_wait(const struct input *in)
{
	const struct object_section *s = object_section(&in->obj, ".debug_info");

	return in->is_further && s && s->data.len && !(s->flags & SHF_GROUP);
}

static struct err *load_dwarf(struct input *in)
{
	return may_wait(in) ? NULL : object_load_debug(&in->obj);
}

static bool has_units(const struct input *in)
{
	return in->from_btf ? in->members.nr : in->obj.debug[DEBUG_INFO].len || may_wait(in);
}

/*
 * Is a file without a BTF archive an archive because of .debug.btf? An object that is still to be linked is encoded from its
 * DWARF, but "ld -r" of several objects has blocks of each, which stand alone.
 */
static struct err *is_archive_of_facts(struct input *in, const struct encode_request *request,
				       bool btf, bool dwarf, struct diagnostics *diags, bool *ret)
{
	const bool linked = !in->obj.is_rel || request->base;
	struct block_count count;

	*ret = in->facts_section && linked && (btf || !dwarf);
	if (!in->facts_section || *ret)
		return NULL;
	struct err *e = count_own_blocks(in, &count);
	if (e && !dwarf && count.alone)
		return e;
	if (e && linked) {
		input_damaged(in, in->path);
		diag_add(diags, DIAG_WARNING, "%s: generated again from debug information",
			 err_text(e));
	}
	*ret = !e && (linked ? count.alone : count.alone && count.objects > 1);
	err_free(e);
	return NULL;
}

/*
 * An archive is preferred to DWARF. Damaged BTF may have been an archive, so it is read if there is
 * no DWARF. A linked file or a module with .debug.btf is an archive, also of one member; its DWARF may be that of
 * other objects.
 */
static struct err *choose_by_itself(struct input *in, const struct encode_request *request,
				    struct diagnostics *diags)
{
	const struct object_section *s = object_section(&in->obj, ".BTF");
	struct bytes btf = s ? s->data : (struct bytes){ 0 };
	CLEANUP(archive_release) struct archive a = { 0 };
	bool dwarf = object_section(&in->obj, ".debug_info") ||
		     object_section(&in->obj, ".zdebug_info"),
	     by_facts;

	switch (archive_guess(btf, true, &a)) {
	case ARCHIVE_NONE:
		TRY(is_archive_of_facts(in, request, btf.len, dwarf, diags, &by_facts));
		if (by_facts)
			return read_section(in, request, diags);
		break;
	case ARCHIVE_MANY:
		/* in an object, relocations may have to be applied */
		if (in->obj.is_rel)
			return read_section(in, request, diags);
		TRY(btf_section_find(&in->obj, &s));
		in->from_btf = true;
		return take_members(in, in->path, ".BTF", &a, true);
	case ARCHIVE_DAMAGED:
		if (!dwarf)
			return read_section(in, request, diags);
		input_damaged(in, in->path);
		diag_add(diags, DIAG_WARNING,
			 "'%s': .BTF is damaged: generated again from debug information", in->path);
		break;
	}
	return load_dwarf(in);
}

/* Decide between the BTF of the file and its DWARF. */
static struct err *choose_source(struct input *in, const struct encode_request *request,
				 struct diagnostics *diags)
{
	if (request->gather) {
		in->from_btf = true;
		return gather(in, request, diags);
	}
	if (request->from == ENCODE_FROM_DWARF)
		return load_dwarf(in);
	return request->from == ENCODE_FROM_BTF ? read_section(in, request, diags) :
						  choose_by_itself(in, request, diags);
}

/* May a debug file have what the members need? */
static bool lacks_symbols_or_facts(const struct input *in)
{
	return !object_section(&in->obj, ".symtab") ||
	       (!in->facts_section && object_section(&in->obj, ".gnu_debuglink"));
}

/* Read .debug.btf of the linked file, or of its debug file. */
static struct err *find_facts(struct input *in, const struct encode_request *request,
			      struct diagnostics *diags)
{
	const struct object *obj = &in->obj;
	size_t index = in->facts_section;
	struct block_section s = { .linked = true,
				   .only_listed = request->gather && !request->archive };
	size_t left;

	if (!index && object_debug_file(obj) && !request->gather) {
		obj = object_debug_file(obj);
		index = facts_index(obj);
	}
	if (!index)
		return NULL;
	s.path = obj->path;
	TRY(object_read_section(obj, index, &s.bytes, &in->facts));
	s.mapped = !in->facts;
	TRY(pair_blocks(in, 0, &s, diags, &left));
	/* the command line may name some of the objects only */
	if (left && !request->gather) {
		input_damaged(in, obj->path);
		diag_add(diags, DIAG_WARNING,
			 "'%s': the BTF of %zu objects is missing, which %s has the facts of",
			 obj->path, left, FACTS_SECTION);
	}
	return NULL;
}

struct err *input_open(struct input *in, const struct file_ref *file,
		       const struct encode_request *request, const struct encode_opts *opts,
		       struct diagnostics *diags)
{
	const char *path = in->path = file->name;

	in->file = file;
	TRY(object_open_ref(file, &in->obj));
	in->opened = true;
	in->facts_section = facts_index(&in->obj);
	TRY(choose_source(in, request, diags));
	if (in->from_btf && lacks_symbols_or_facts(in))
		object_find_debug_file(&in->obj);
	if (in->from_btf)
		TRY(find_facts(in, request, diags));
	if (object_refused_debug_file(&in->obj))
		diag_add(diags, DIAG_WARNING,
			 "'%s': its debug file is not used: %s; install that of the same build",
			 path, object_refused_debug_file(&in->obj));
	TRY(input_scan_members(in, opts, NULL));
	if (has_units(in))
		return NULL;
	/*
	 * A build also encodes the objects of assembler files. A module has C code, and something is missing if nothing
	 * describes that; the BTF that it has may be of an older build.
	 */
	bool is_object = in->obj.is_rel && !request->base;
	const struct object_section *btf = object_section(&in->obj, ".BTF");
	bool has_btf = (btf && btf->data.len) || (is_object && in->facts_section);
	bool is_expected = request->may_be_empty || is_object ||
			   (has_btf && (in->from_btf || request->one_of_many));
	diag_add(diags, is_expected ? DIAG_VERBOSE : DIAG_WARNING,
		 "'%s' has no %s: nothing to encode%s", path,
		 in->from_btf ? "BTF to combine" : "debug information",
		 has_btf && !in->from_btf ? "; it has BTF already" : "");
	input_release(in);
	in->lacks_all = !is_expected && !has_btf;
	return NULL;
}

/* --- closing for a while ------------------------------------------------------------------ */

void input_pause(struct input *in)
{
	if (!in->suspended)
		return;
	const struct object kept = { .swap = in->obj.swap,
				     .is_rel = in->obj.is_rel,
				     .addr_size = in->obj.addr_size,
				     .machine = in->obj.machine };

	dw_file_close(&in->dwarf);
	object_close(&in->obj);
	in->obj = kept;
}

struct err *input_suspend(struct input *in, struct arena *names)
{
	if (!in->is_further || in->from_btf)
		return NULL;
	/* kfuncs have the names of symbols */
	if (in->kfuncs.ids.nr)
		return may_wait(in) ? object_load_debug(&in->obj) : NULL;
	symbols_keep_funcs(&in->syms, names);
	in->suspended = true;
	input_pause(in);
	return NULL;
}

static struct err *open_again(struct input *in, struct str_pool *strings,
			      const struct dw_open_opts *opts, struct diagnostics *diags)
{
	struct dw_open_opts own = *opts;

	own.copy_names = true;
	TRY(object_open_ref(in->file, &in->obj));
	TRY(object_load_debug(&in->obj));
	return err_at(dw_file_open(&in->obj, strings, &own, diags, &in->dwarf), "'%s'", in->path);
}

struct err *input_resume(struct input *in, struct str_pool *strings,
			 const struct dw_open_opts *opts, struct diagnostics *diags)
{
	CLEANUP(diag_release) struct diagnostics known = { 0 };
	size_t before = in->nr_units;

	if (!in->suspended)
		return NULL;
	TRY(open_again(in, strings, opts, before ? &known : diags));
	in->nr_units = dw_file_nr_readings(&in->dwarf);
	if (before && before != in->nr_units)
		return err_new(ERR_IO, "'%s': changes while it is read", in->path);
	return NULL;
}

/* --- members without a linked file -------------------------------------------------------- */

struct err *input_open_unlinked(struct input *in, const struct encode_request *request,
				const struct encode_opts *opts, struct diagnostics *diags)
{
	in->path = request->files[0].name;
	in->from_btf = true;
	/* nothing has an address, as in an object */
	in->obj = (struct object){ .is_rel = true };
	progress_count(request->progress, "files", request->nr);
	for (size_t i = 0; i < request->nr; i++) {
		const struct file_ref *file = &request->files[i];

		if (raw_file_is_object(file))
			TRY(add_object(in, file, diags));
		else
			TRY(add_raw(in, file->path));
		progress_step(request->progress);
	}
	if (!in->members.nr) {
		diag_add(diags, DIAG_VERBOSE, "'%s' has no BTF: nothing to encode", in->path);
		input_release(in);
		return NULL;
	}

	/* the functions of the members stand for the symbol table of a linked file */
	CLEANUP(name_ids_release) struct name_ids names = { 0 };
	TRY(input_scan_members(in, opts, &names));
	symbols_from_names(&names, &in->syms);
	return NULL;
}
