/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_patch.c - what becomes of an ELF file when sections are set in it
 *
 * Bytes that a program header maps cannot move, and moving anything else means to copy
 * the file. So everything stays, and what is new comes behind it:
 *
 *	| ELF header, segments, sections ... | new sections, names | section headers |
 *	0                                    tail
 *
 * The tail begins where the last section ends that stays. The section names, the old
 * section header table and the sections of an earlier run usually lie last in a file, so
 * they do not count as staying and are laid out anew: no dead bytes pile up, and encoding
 * twice gives what encoding once gives.
 *
 * That is also why the new tail overlaps the old one, and must not be written over it
 * just so: section_out.c deals with that.
 */
#include "encoder/elf_out/section_patch.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/vec.h"
#include "encoder/elf_out/section_refs.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	TABLE_ALIGN = 8,
	/* More than a section asks for, so that readers of a mapped file find BTF aligned. */
	DATA_ALIGN = 8,
	/* A file offset need not follow sh_addralign where nothing is loaded; be polite, though. */
	MAX_ALIGN = 4096,
};

struct err *section_patch_open(int fd, uint64_t file_size, struct section_patch *ret)
{
	CLEANUP(section_patch_release) struct section_patch p = { .fd = fd };

	TRY(section_table_read(fd, file_size, &p.table));
	p.nr_old = p.table.nr;
	p.old = mem_dup(p.table.items, p.nr_old * sizeof(*p.old));
	p.edits.items = mem_zalloc(p.nr_old, sizeof(*p.edits.items));
	p.edits.nr = p.edits.cap = p.nr_old;
	for (size_t i = 1; i < p.nr_old; i++)
		p.edits.items[i].was = i;
	/* stays only if it turns out that it can: section_patch_plan() */
	p.edits.items[p.table.names_index].place = SECTION_IN_TAIL;
	*ret = TAKE(p);
	return NULL;
}

void section_patch_release(struct section_patch *p)
{
	for (size_t i = 0; i < p->owned.nr; i++)
		free(p->owned.items[i]);
	free(p->owned.items);
	section_table_release(&p->table);
	free(p->old);
	free(p->edits.items);
	*p = (struct section_patch){ 0 };
}

/* The first section called @name from @start on, 0 if there is none. */
static size_t find_section(const struct section_patch *p, const char *name, size_t start)
{
	for (size_t i = start; i < p->table.nr; i++) {
		const struct section_header *s = &p->table.items[i];

		if (s->type != SHT_NULL && !strcmp(section_table_name(&p->table, s), name))
			return i;
	}
	return 0;
}

/*
 * Take @name off the end of the names, where add_name() put it, if it is nobody's any more, so that
 * adding a section and removing it again leaves no trace.
 */
static void drop_name(struct section_patch *p, const char *name)
{
	size_t len = strlen(name) + 1, start = p->table.names.nr - len;

	if (p->table.names.nr <= len || memcmp(p->table.names.items + start, name, len) != 0)
		return;
	/* the end of a longer one */
	if (p->table.names.items[start - 1])
		return;
	for (size_t i = 1; i < p->table.nr; i++) {
		const struct section_header *s = &p->table.items[i];

		/* clang lets symbols have their names there, too */
		if (s->name >= start || s->link == p->table.names_index)
			return;
	}
	if (p->table.items[p->table.names_index].flags & SHF_ALLOC)
		return;
	p->table.names.nr = start;
	p->edits.items[p->table.names_index].changed = true;
}

static void free_flags(bool **flags)
{
	free(*flags);
}

/* Those that others refer to cannot go: nobody knows what these would be then. */
static struct err *check_unused(const struct section_patch *p, const bool *drop)
{
	CLEANUP(free_flags) bool *named = mem_zalloc(p->table.nr, sizeof(*named));

	TRY(section_refs_mark(&p->table, p->fd, drop, named));
	for (size_t i = 1; i < p->table.nr; i++) {
		if (drop[i] && named[i])
			return err_new(
				ERR_UNSUPPORTED,
				"section %zu is to go, and other parts of the file refer to it", i);
	}
	return NULL;
}

/*
 * Drop the sections called @name, but for @but, and their relocations. The entries stay, since others
 * are known by their number, but nobody finds them.
 */
static struct err *drop_sections(struct section_patch *p, const char *name, size_t but)
{
	CLEANUP(free_flags) bool *drop = mem_zalloc(p->table.nr, sizeof(*drop));
	bool any = false;

	for (size_t i = 1; (i = find_section(p, name, i)) != 0; i++) {
		drop[i] = i != but;
		any |= drop[i];
	}
	if (!any)
		return NULL;
	for (size_t i = 1; i < p->table.nr; i++) {
		const struct section_header *s = &p->table.items[i];

		if (section_is_relocation(s) && s->info < p->table.nr && drop[s->info] && i != but)
			drop[i] = true;
	}
	TRY(check_unused(p, drop));
	for (size_t i = 1; i < p->table.nr; i++) {
		if (!drop[i])
			continue;
		p->table.items[i] = (struct section_header){ 0 };
		p->edits.items[i] = (struct section_edit){ .was = i };
	}
	drop_name(p, name);
	p->changed = true;
	return NULL;
}

/* They were made for the old content, and a linker would apply them to the new. */
static void empty_relocations(struct section_patch *p, size_t index, struct diagnostics *diags)
{
	for (size_t i = 1; i < p->table.nr; i++) {
		struct section_header *s = &p->table.items[i];

		if (!section_is_relocation(s) || s->info != index || s->size == 0)
			continue;
		diag_add(diags, DIAG_VERBOSE, "'%s' emptied: it belongs to the replaced section",
			 section_table_name(&p->table, s));
		s->size = 0;
		p->changed = true;
	}
}

static struct err *add_name(struct section_patch *p, const char *name, uint32_t *ret)
{
	size_t len = strlen(name) + 1;
	const struct section_header *s = &p->table.items[p->table.names_index];
	const char *at = memmem(p->table.names.items, p->table.names.nr, name, len);

	if (at) {
		*ret = (uint32_t)(at - p->table.names.items);
		return NULL;
	}
	if (s->flags & (SHF_ALLOC | SHF_COMPRESSED))
		return err_new(ERR_UNSUPPORTED,
			       "'%s' cannot be added: the section names are "
			       "loaded or compressed",
			       name);
	if (p->table.names.nr > UINT32_MAX - len)
		return err_new(ERR_LIMIT, "'%s' cannot be added: the section names are full", name);
	*ret = (uint32_t)p->table.names.nr;
	vec_reserve(&p->table.names, len);
	memcpy(p->table.names.items + p->table.names.nr, name, len);
	p->table.names.nr += len;
	p->edits.items[p->table.names_index].changed = true;
	p->changed = true;
	return NULL;
}

static struct err *add_section(struct section_patch *p, const char *name, size_t *ret)
{
	struct section_header s = { .type = SHT_PROGBITS, .align = 1 };

	TRY(add_name(p, name, &s.name));
	if (p->table.nr >= UINT32_MAX)
		return err_new(ERR_LIMIT, "'%s' cannot be added: the section table is full", name);
	*ret = p->table.nr;
	vec_push(&p->table, s);
	vec_push(&p->edits, ((struct section_edit){ .place = SECTION_IN_TAIL, .changed = true }));
	p->changed = true;
	return NULL;
}

static void free_bytes(uint8_t **p)
{
	free(*p);
}

static struct err *is_same(const struct section_patch *p, const struct section_header *s,
			   struct bytes data, bool *ret)
{
	*ret = false;
	if (s->type == SHT_NOBITS || s->size != data.len || (s->flags & SHF_COMPRESSED))
		return NULL;

	CLEANUP(free_bytes) uint8_t *old = mem_alloc(data.len);
	TRY(file_read_at(p->fd, s->offset, old, data.len));
	*ret = data.len == 0 || memcmp(old, data.ptr, data.len) == 0;
	return NULL;
}

static bool is_in_image(const struct section_patch *p, const struct section_header *s)
{
	if (!(s->flags & SHF_ALLOC) || s->type == SHT_NOBITS)
		return false;
	for (size_t i = 0; i < p->table.nr_segments; i++) {
		const struct segment *seg = &p->table.segments[i];

		if (seg->type == PT_LOAD && s->offset >= seg->offset &&
		    s->offset - seg->offset <= seg->size &&
		    s->size <= seg->size - (s->offset - seg->offset))
			return true;
	}
	return false;
}

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a < b + b_size && b < a + a_size;
}

/* Would overwriting the section @s hit something else? Then somebody made the file up. */
static bool shares_bytes(const struct section_patch *p, const struct section_header *s)
{
	const struct section_table *t = &p->table;

	if (overlap(s->offset, s->size, 0, section_table_ehdr_size(t)))
		return true;
	for (size_t i = 0; i < t->nr_segments; i++) {
		if (t->segments[i].type == PT_PHDR &&
		    overlap(s->offset, s->size, t->segments[i].offset, t->segments[i].size))
			return true;
	}
	for (size_t i = 1; i < p->nr_old; i++) {
		const struct section_header *o = &p->old[i];

		if (&t->items[i] != s && section_in_file(o) &&
		    overlap(s->offset, s->size, o->offset, o->size))
			return true;
	}
	return false;
}

/* Where changed content of the section @s, which a linked file loads, can go. */
static enum section_place place_loaded(const struct section_patch *p, struct section_header *s,
				       const char *name, size_t len, struct diagnostics *diags)
{
	bool in_image = is_in_image(p, s);

	if (in_image && len <= s->size && !shares_bytes(p, s)) {
		if (len < s->size)
			diag_add(diags, DIAG_WARNING,
				 "'%s' is %" PRIu64 " bytes shorter than its "
				 "place in the loaded image, which is filled with zeros",
				 name, s->size - len);
		return SECTION_IN_IMAGE;
	}
	if (in_image)
		diag_add(diags, DIAG_WARNING,
			 "'%s' does not fit in its place in the loaded image "
			 "(%zu bytes, room for %" PRIu64 "): the image keeps the old one",
			 name, len, s->size);
	s->flags &= ~(uint64_t)SHF_ALLOC;
	s->addr = 0;
	return SECTION_IN_TAIL;
}

static struct err *set_data(struct section_patch *p, size_t index, const char *name,
			    struct bytes data, struct diagnostics *diags)
{
	struct section_header *s = &p->table.items[index];
	struct section_edit *e = &p->edits.items[index];
	bool linked = p->table.nr_segments != 0;
	bool same = false;

	if (!e->changed)
		TRY(is_same(p, s, data, &same));
	if (same && linked && (s->flags & SHF_ALLOC) && is_in_image(p, s))
		return NULL;

	uint64_t old_flags = s->flags;
	e->place = SECTION_IN_TAIL;
	if (linked && (s->flags & SHF_ALLOC))
		e->place = place_loaded(p, s, name, data.len, diags);
	e->changed = !same;
	e->data = data.ptr;
	s->size = data.len;
	s->flags &= ~(uint64_t)SHF_COMPRESSED;
	if (s->type == SHT_NOBITS)
		s->type = SHT_PROGBITS;
	p->changed |= !same || s->flags != old_flags;
	return NULL;
}

/*
 * What is set is bytes. A section of its name may say that it holds relocations, a group or other things
 * that are read, and that go with the sections which they refer to; or that a linker is to merge what is
 * in it, or to leave it out.
 */
static void make_plain(struct section_patch *p, size_t index)
{
	const uint64_t meaning = SHF_MERGE | SHF_STRINGS | SHF_INFO_LINK | SHF_LINK_ORDER |
				 SHF_EXCLUDE;
	struct section_header *s = &p->table.items[index], was = *s;

	/* set_data() has to know that there are no bytes yet */
	if (s->type != SHT_NOBITS)
		s->type = SHT_PROGBITS;
	s->link = s->info = 0;
	s->entry_size = 0;
	s->flags &= ~meaning;
	p->changed |= memcmp(&was, s, sizeof(was)) != 0;
}

/* What clang makes for BPF refers to its own BTF by numbers, and pahole puts another in its place, too. */
static void tell_of_bpf(const struct section_patch *p, size_t index, struct diagnostics *diags)
{
	size_t ext = find_section(p, ".BTF.ext", 1);

	if (ext && p->table.items[ext].size && p->edits.items[index].changed)
		diag_add(
			diags, DIAG_WARNING,
			"'.BTF.ext' refers to the .BTF that was there: libbpf will not load the program");
}

struct err *section_patch_set(struct section_patch *p, const struct section_content *c,
			      struct diagnostics *diags)
{
	size_t index = find_section(p, c->name, 1);

	if (!strcmp(section_table_name(&p->table, &p->table.items[p->table.names_index]), c->name))
		return err_new(ERR_UNSUPPORTED, "'%s' holds the section names", c->name);
	if (index && c->data.ptr)
		make_plain(p, index);
	/* of several, readers take the first or the last: leave no choice */
	TRY(drop_sections(p, c->name, c->data.ptr ? index : 0));
	if (!c->data.ptr)
		return NULL;
	if (!index)
		TRY(add_section(p, c->name, &index));
	empty_relocations(p, index, diags);
	TRY(set_data(p, index, c->name, c->data, diags));
	if (!strcmp(c->name, ".BTF"))
		tell_of_bpf(p, index, diags);
	return NULL;
}

/* Give up the entries at the end of the table that were dropped, now or in an earlier run. */
static struct err *trim_table(struct section_patch *p)
{
	size_t nr = p->table.nr;

	/* stripping has left none, and symbols in the file have the old numbers */
	if (!p->changed || p->stripped || p->table.items[nr - 1].type != SHT_NULL || nr == 1)
		return NULL;

	CLEANUP(free_flags) bool *named = mem_zalloc(nr, sizeof(*named));
	TRY(section_refs_mark(&p->table, p->fd, NULL, named));
	while (nr > 1 && p->table.items[nr - 1].type == SHT_NULL && !named[nr - 1])
		nr--;
	p->table.nr = nr;
	return NULL;
}

static uint64_t end_of(const struct section_header *s)
{
	return section_in_file(s) ? s->offset + s->size : 0;
}

static void raise_to(uint64_t *pos, uint64_t at_least)
{
	if (*pos < at_least)
		*pos = at_least;
}

/* Where the file ends, as far as its tables know. */
static uint64_t find_known_end(const struct section_patch *p)
{
	uint64_t end = p->table.offset + p->table.raw_len;

	raise_to(&end, p->rigid);
	for (size_t i = 1; i < p->nr_old; i++)
		raise_to(&end, end_of(&p->old[i]));
	return end;
}

static void find_rigid(struct section_patch *p)
{
	const struct section_table *t = &p->table;

	p->rigid = section_table_ehdr_size(t);
	for (size_t i = 0; i < t->nr_segments; i++) {
		const struct segment *s = &t->segments[i];

		/* a file of debug information alone keeps the segments of the whole program */
		if (s->size && s->offset < t->file_size)
			raise_to(&p->rigid, s->size < t->file_size - s->offset ?
						    s->offset + s->size :
						    t->file_size);
	}
	for (size_t i = 1; t->nr_segments && i < t->nr; i++) {
		if ((t->items[i].flags & SHF_ALLOC) && p->edits.items[i].place == SECTION_IN_FILE)
			raise_to(&p->rigid, end_of(&t->items[i]));
	}
}

/* Behind everything that stays. */
static void find_tail(struct section_patch *p)
{
	p->tail = p->rigid;
	for (size_t i = 1; i < p->table.nr; i++) {
		if (p->edits.items[i].place == SECTION_IN_FILE)
			raise_to(&p->tail, end_of(&p->table.items[i]));
	}
}

/* Sections without bytes must not lie behind the end of a file that has become shorter. */
static void pull_in_empty(struct section_patch *p)
{
	for (size_t i = 1; i < p->table.nr; i++) {
		struct section_header *s = &p->table.items[i];

		if (p->edits.items[i].place == SECTION_IN_FILE && !section_in_file(s) &&
		    s->offset > p->tail)
			s->offset = p->tail;
	}
}

struct err *section_patch_plan(struct section_patch *p, struct diagnostics *diags)
{
	struct section_table *t = &p->table;
	struct section_edit *names = &p->edits.items[t->names_index];

	TRY(trim_table(p));
	names->data = (const uint8_t *)t->names.items;
	t->items[t->names_index].size = t->names.nr;

	find_rigid(p);
	p->known_end = find_known_end(p);
	if (p->changed && p->known_end < t->file_size)
		diag_add(diags, DIAG_WARNING,
			 "%" PRIu64 " bytes behind the last section are "
			 "dropped (a signature?)",
			 t->file_size - p->known_end);
	find_tail(p);

	uint64_t others_end = p->tail;
	for (size_t i = 1; i < t->nr; i++) {
		struct section_edit *e = &p->edits.items[i];
		bool loaded = t->nr_segments && (t->items[i].flags & SHF_ALLOC);

		if (e->place != SECTION_IN_TAIL || e->changed)
			continue;
		if (loaded || t->items[i].offset < others_end) {
			*e = (struct section_edit){ .was = e->was, .place = SECTION_IN_FILE };
			raise_to(&p->tail, end_of(&t->items[i]));
		}
	}
	if (p->stripped)
		pull_in_empty(p);
	return NULL;
}

/* ---- the tail ---- */

static uint64_t align_up(uint64_t pos, uint64_t align)
{
	if (align > MAX_ALIGN)
		align = MAX_ALIGN;
	if (align == 0 || (align & (align - 1)))
		align = 1;
	return (pos + align - 1) & ~(align - 1);
}

static bool is_in_tail(const struct section_edit *e, bool images)
{
	return e->place == SECTION_IN_TAIL || (images && e->place == SECTION_IN_IMAGE);
}

/* Give the sections of the tail their offsets; the section headers follow at the result. */
static uint64_t lay_out(struct section_patch *p, uint64_t pos, bool images)
{
	for (size_t i = 1; i < p->table.nr; i++) {
		const struct section_edit *e = &p->edits.items[i];
		struct section_header *s = &p->table.items[i];

		if (e->place == SECTION_IN_IMAGE)
			s->offset = p->old[e->was].offset;
		if (!is_in_tail(e, images))
			continue;
		if (i != p->table.names_index)
			pos = align_up(pos, DATA_ALIGN);
		pos = align_up(pos, s->align);
		s->offset = pos;
		pos += s->size;
	}
	return align_up(pos, TABLE_ALIGN);
}

struct err *section_patch_tail(struct section_patch *p, uint64_t at, bool images,
			       struct section_tail *ret)
{
	uint64_t table_at = lay_out(p, at, images);
	uint64_t end = table_at + section_table_size(&p->table);

	if (!p->table.is64 && end > UINT32_MAX)
		return err_new(ERR_LIMIT,
			       "the file would grow to %#" PRIx64
			       " bytes, more than a 32-bit ELF file can have",
			       end);
	section_tail_release(ret);
	ret->at = at;
	ret->len = (size_t)(end - at);
	ret->bytes = mem_alloc(ret->len);

	/* in the order in which they were laid out, with zeros in between */
	size_t pos = 0;
	for (size_t i = 1; i < p->table.nr; i++) {
		const struct section_header *s = &p->table.items[i];

		if (!is_in_tail(&p->edits.items[i], images) || !s->size)
			continue;
		memset(ret->bytes + pos, 0, (size_t)(s->offset - at) - pos);
		pos = (size_t)(s->offset - at);
		memcpy(ret->bytes + pos, p->edits.items[i].data, (size_t)s->size);
		pos += (size_t)s->size;
	}
	memset(ret->bytes + pos, 0, ret->len - pos);
	section_table_encode(&p->table, table_at, ret->bytes + (table_at - at), ret->ehdr);
	return NULL;
}

void section_tail_release(struct section_tail *t)
{
	free(t->bytes);
	*t = (struct section_tail){ 0 };
}

bool section_patch_is_done(const struct section_patch *p, const struct section_tail *t)
{
	return !p->changed && t->at + t->len >= p->known_end;
}

bool section_patch_is_free(const struct section_patch *p, const struct section_tail *t)
{
	if (overlap(t->at, t->len, p->table.offset, p->table.raw_len))
		return false;
	for (size_t i = 1; i < p->nr_old; i++) {
		if (section_in_file(&p->old[i]) &&
		    overlap(t->at, t->len, p->old[i].offset, p->old[i].size))
			return false;
	}
	return true;
}

/* ---- gaps ---- */

static int by_offset(const void *a, const void *b)
{
	const struct section_header *x = *(struct section_header *const *)a;
	const struct section_header *y = *(struct section_header *const *)b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x < y ? -1 : x > y;
}

/*
 * The sections between @rigid and the tail in file order, in a vector's manner. Those without
 * bytes have a place as well, which must not be behind the end of the file.
 */
struct movable {
	struct section_header **items;
	size_t nr, cap;
};

static void movable_release(struct movable *m)
{
	free(m->items);
}

static struct movable list_movable(const struct section_patch *p)
{
	struct movable m = { 0 };

	for (size_t i = 1; i < p->table.nr; i++) {
		struct section_header *s = &p->table.items[i];

		bool loaded = p->table.nr_segments && (s->flags & SHF_ALLOC);

		if (p->edits.items[i].place == SECTION_IN_FILE && s->type != SHT_NULL &&
		    s->offset >= p->rigid && (section_in_file(s) || !loaded))
			vec_push(&m, s);
	}
	if (m.nr)
		qsort(m.items, m.nr, sizeof(*m.items), by_offset);
	return m;
}

uint64_t section_patch_gaps(const struct section_patch *p)
{
	CLEANUP(movable_release) struct movable m = list_movable(p);
	uint64_t used = p->rigid, gaps = 0;

	/* sections that share bytes with others or with a segment are left alone */
	for (size_t i = 1; i < p->table.nr; i++) {
		const struct section_header *s = &p->table.items[i];

		if (p->edits.items[i].place == SECTION_IN_FILE && s->offset < used &&
		    end_of(s) > used)
			return 0;
	}
	for (size_t i = 0; i < m.nr; i++) {
		if (!section_in_file(m.items[i]))
			continue;
		if (m.items[i]->offset < used)
			return 0;
		gaps += m.items[i]->offset - used;
		used = end_of(m.items[i]);
	}
	return gaps;
}

void section_patch_close_gaps(struct section_patch *p)
{
	CLEANUP(movable_release) struct movable m = list_movable(p);
	uint64_t pos = p->rigid;

	for (size_t i = 0; i < m.nr; i++) {
		uint64_t at = align_up(pos, m.items[i]->align);

		m.items[i]->offset = at;
		if (section_in_file(m.items[i]))
			pos = at + m.items[i]->size;
	}
	p->tail = pos;
}

void section_patch_keep_gaps(struct section_patch *p)
{
	for (size_t i = 1; i < p->table.nr; i++) {
		if (p->edits.items[i].place == SECTION_IN_FILE)
			p->table.items[i].offset = p->old[p->edits.items[i].was].offset;
	}
	find_tail(p);
	if (p->stripped)
		pull_in_empty(p);
}
