/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_out.c - put sections into an ELF file
 *
 * In place, the file becomes the new one by a single write of the ELF header, which
 * says where the section headers are:
 *
 *	1. the old file                      | stays ...... | old tail |
 *	2. append the new tail               | stays ...... | old tail |   new tail |
 *	3. write the ELF header: the new file counts
 *	4. write the tail where it belongs   | stays ...... | new tail      |   tail |
 *	5. write the ELF header again
 *	6. cut the rest off                  | stays ...... | new tail      |
 *
 * Killed before 3 it is the old file with some bytes behind its end; killed after, the
 * new one with a gap, which the next run closes. If writing fails before 3 (the disk is
 * full), the file gets its old length back. Steps 4 to 6 cost the tail a second time and
 * give in return the file that a linker would have written: its content depends on what
 * is in it and not on how often it was encoded.
 *
 * Not in place but as a copy that is renamed over the file, where
 *  - other names lead to the same file: a compiler cache must keep what it has;
 *  - the file is being executed, so that it cannot be written;
 *  - the section leaves a large gap between others (an archive becomes one BTF);
 *  - dropped sections leave gaps of any size: they are dropped for the room they take.
 *
 * Two runs at once: the lock on the file lets one wait for the other. It is of the fcntl
 * kind, so that flock(1) around us cannot make us wait for ourselves.
 */
#include "encoder/section_out.h"

#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/replace_file.h"
#include "encoder/section_patch.h"
#include "encoder/section_strip.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MAX_REPLACED = 100,    /* how often somebody may replace the file while we wait */
	BIG_GAP = 1024 * 1024, /* such a gap is worth a copy ... */
	BIG_GAP_SHARE = 8,     /* ... if it is that part of the file */
	IMAGE_ZEROS = 64 * 1024,
};

/* The file that is being changed. */
struct target {
	const char *path;
	int fd;
	bool busy; /* it is executed: fd is for reading only */
	struct stat st;
};

static void target_close(struct target *t)
{
	file_close(&t->fd);
}

static struct err *open_regular(const char *path, struct target *ret)
{
	struct stat st;

	/* look first: opening a device or a pipe may do things */
	if (stat(path, &st) != 0)
		return err_sys(errno, "cannot open");
	if (!S_ISREG(st.st_mode))
		return err_new(ERR_IO, "not a regular file");

	int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	ret->fd = open(path, O_RDWR | flags);
	ret->busy = ret->fd < 0 && errno == ETXTBSY;
	if (ret->busy)
		ret->fd = open(path, O_RDONLY | flags);
	if (ret->fd < 0)
		return err_sys(errno, "cannot open for writing");
	return NULL;
}

static void lock(const struct target *t)
{
	struct flock all = { .l_type = t->busy ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET };

	/* a file system without locks is no reason to fail; nor is one in trouble */
	while (fcntl(t->fd, F_OFD_SETLKW, &all) != 0 && errno == EINTR)
		;
}

/* Open and lock the file that @path leads to once we have the lock. */
static struct err *target_open(const char *path, struct target *ret)
{
	for (int i = 0; i < MAX_REPLACED; i++) {
		CLEANUP(target_close) struct target t = { .path = path, .fd = -1 };
		struct stat now;

		TRY(open_regular(path, &t));
		lock(&t);
		if (fstat(t.fd, &t.st) != 0)
			return err_sys(errno, "cannot read the attributes");
		if (!S_ISREG(t.st.st_mode))
			return err_new(ERR_IO, "not a regular file");
		if (stat(path, &now) == 0 && now.st_dev == t.st.st_dev &&
		    now.st_ino == t.st.st_ino) {
			*ret = t;
			t.fd = -1;
			return NULL;
		}
	}
	return err_new(ERR_IO, "is being replaced all the time");
}

static struct err *write_ehdr(int fd, const struct section_patch *p,
			      const struct section_tail *tail)
{
	return file_write_at(fd, 0, tail->ehdr, section_table_ehdr_size(&p->table));
}

static struct err *write_zeros(int fd, uint64_t pos, uint64_t len)
{
	static const uint8_t zeros[IMAGE_ZEROS];

	while (len) {
		size_t n = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);

		TRY(file_write_at(fd, pos, zeros, n));
		pos += n;
		len -= n;
	}
	return NULL;
}

/* Overwrite the sections that the program headers load. */
static struct err *write_images(int fd, const struct section_patch *p)
{
	for (size_t i = 1; i < p->table.nr; i++) {
		const struct section_header *s = &p->table.items[i];
		const struct section_edit *e = &p->edits.items[i];
		const struct section_header *old = &p->old[e->was];

		if (e->place != SECTION_IN_IMAGE)
			continue;
		TRY(file_write_at(fd, old->offset, e->data, (size_t)s->size));
		TRY(write_zeros(fd, old->offset + s->size, old->size - s->size));
	}
	return NULL;
}

static bool has_images(const struct section_patch *p)
{
	for (size_t i = 1; i < p->table.nr; i++) {
		if (p->edits.items[i].place == SECTION_IN_IMAGE)
			return true;
	}
	return false;
}

/* Steps 2 and 3. */
static struct err *append(const struct target *t, const struct section_patch *p,
			  const struct section_tail *tail)
{
	struct err *e = file_write_at(t->fd, tail->at, tail->bytes, tail->len);

	if (!e) {
		e = write_ehdr(t->fd, p, tail);
		/* 64 bytes in one page are written or not; this is for file systems that know better */
		if (e)
			err_free(file_write_at(t->fd, 0, p->table.ehdr,
					       section_table_ehdr_size(&p->table)));
	}
	/* should this fail as well, the old file is valid all the same, only longer */
	if (e)
		(void)!ftruncate(t->fd, t->st.st_size);
	return e;
}

/* Step 6. */
static struct err *cut(const struct target *t, const struct section_tail *tail)
{
	if (ftruncate(t->fd, (off_t)(tail->at + tail->len)) != 0)
		return err_sys(errno, "cannot cut the file to its new length");
	return NULL;
}

/* Steps 4 to 6. */
static struct err *settle(const struct target *t, const struct section_patch *p,
			  const struct section_tail *tail)
{
	TRY(file_write_at(t->fd, tail->at, tail->bytes, tail->len));
	TRY(write_ehdr(t->fd, p, tail));
	return cut(t, tail);
}

static void keep_mode(const struct target *t)
{
	/* writing took the set-id bits away; the owner may put them back */
	if (t->st.st_mode & (S_ISUID | S_ISGID))
		(void)!fchmod(t->fd, t->st.st_mode & 07777);
}

/* Steps 2 to 6 for the common case, where the new tail overlaps the old one. */
static struct err *write_twice(const struct target *t, struct section_patch *p,
			       const struct section_tail *final)
{
	CLEANUP(section_tail_release) struct section_tail scratch = { 0 };
	uint64_t end = final->at + final->len;

	if (end < p->table.file_size)
		end = p->table.file_size;
	TRY(section_patch_tail(p, (end + 7) & ~(uint64_t)7, true, &scratch));
	TRY(append(t, p, &scratch));
	TRY(write_images(t->fd, p));
	/* the new file counts already; should this fail, it only has a gap */
	err_free(settle(t, p, final));
	return NULL;
}

static struct err *write_in_place(const struct target *t, struct section_patch *p,
				  const struct section_tail *final)
{
	if (!has_images(p) && section_patch_is_free(p, final)) {
		TRY(append(t, p, final));
		err_free(cut(t, final));
	} else {
		TRY(write_twice(t, p, final));
	}
	keep_mode(t);
	return NULL;
}

/* Everything that stays, which section_patch_close_gaps() may have moved. */
static struct err *copy_rest(int from, int to, const struct section_patch *p)
{
	TRY(file_copy_at(from, 0, to, 0, p->rigid));
	for (size_t i = 1; i < p->table.nr; i++) {
		const struct section_header *s = &p->table.items[i];
		const struct section_edit *e = &p->edits.items[i];

		if (e->place == SECTION_IN_FILE && section_in_file(s) && s->offset >= p->rigid)
			TRY(file_copy_at(from, p->old[e->was].offset, to, s->offset, s->size));
	}
	return NULL;
}

static struct err *write_copy(const struct target *t, struct section_patch *p,
			      const struct section_tail *final, bool gaps_closed,
			      struct replace_file *r)
{
	TRY(replace_file_open(t->path, t->fd, r));
	if (gaps_closed)
		TRY(copy_rest(t->fd, r->fd, p));
	else
		TRY(file_copy_at(t->fd, 0, r->fd, 0, p->tail));
	TRY(write_images(r->fd, p));
	TRY(file_write_at(r->fd, final->at, final->bytes, final->len));
	TRY(write_ehdr(r->fd, p, final));
	return replace_file_commit(r);
}

static bool gaps_are_big(const struct section_patch *p)
{
	uint64_t gaps = section_patch_gaps(p);

	if (p->stripped)
		return gaps != 0;
	return gaps > BIG_GAP && gaps > p->table.file_size / BIG_GAP_SHARE;
}

static struct err *write_new_file(const struct target *t, struct section_patch *p,
				  struct section_tail *final)
{
	CLEANUP(replace_file_close) struct replace_file r = { 0 };
	bool must_copy = t->busy || t->st.st_nlink > 1;

	if (!gaps_are_big(p))
		return must_copy ? write_copy(t, p, final, false, &r) : write_in_place(t, p, final);

	section_patch_close_gaps(p);
	TRY(section_patch_tail(p, p->tail, false, final));

	struct err *e = write_copy(t, p, final, true, &r);
	if (!e || must_copy || !r.denied)
		return e;
	/* a gap is better than no BTF */
	err_free(e);
	section_patch_keep_gaps(p);
	TRY(section_patch_tail(p, p->tail, false, final));
	return write_in_place(t, p, final);
}

static struct err *edit(const struct target *t, const struct section_content *sections, size_t nr,
			bool strip, struct notes *notes)
{
	CLEANUP(section_patch_release) struct section_patch p = { 0 };
	CLEANUP(section_tail_release) struct section_tail final = { 0 };

	TRY(section_patch_open(t->fd, (uint64_t)t->st.st_size, &p));
	for (size_t i = 0; i < nr; i++)
		TRY(err_at(section_patch_set(&p, &sections[i], notes), "%s", sections[i].name));
	if (strip)
		TRY(section_strip(&p, notes));
	TRY(section_patch_plan(&p, notes));
	TRY(section_patch_tail(&p, p.tail, false, &final));
	return section_patch_is_done(&p, &final) ? NULL : write_new_file(t, &p, &final);
}

static struct err *write_out(const char *path, const struct section_content *sections, size_t nr,
			     bool strip, struct notes *notes)
{
	CLEANUP(target_close) struct target t = { .fd = -1 };
	struct err *e = target_open(path, &t);

	if (!e)
		e = edit(&t, sections, nr, strip, notes);
	return err_at(e, "'%s'", path);
}

struct err *section_out_elf(const char *path, const struct section_content *sections, size_t nr,
			    struct notes *notes)
{
	return write_out(path, sections, nr, false, notes);
}

struct err *section_out_elf_stripped(const char *path, const struct section_content *sections,
				     size_t nr, struct notes *notes)
{
	return write_out(path, sections, nr, true, notes);
}

struct err *section_out_image_size(const char *path, const char *name, uint64_t *ret)
{
	CLEANUP(section_table_release) struct section_table t = { 0 };
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	*ret = 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(errno, "'%s'", path);
	TRY(err_at(section_table_read(fd, (uint64_t)st.st_size, &t), "'%s'", path));
	for (size_t i = 1; t.nr_segments && i < t.nr; i++) {
		const struct section_header *s = &t.items[i];

		if ((s->flags & SHF_ALLOC) && section_in_file(s) &&
		    !strcmp(section_table_name(&t, s), name))
			*ret = s->size;
	}
	return NULL;
}

struct err *section_out_has_dwarf(const char *path, bool *ret)
{
	CLEANUP(section_table_release) struct section_table t = { 0 };
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	*ret = false;
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(errno, "'%s'", path);

	struct err *e = section_table_read(fd, (uint64_t)st.st_size, &t);
	bool no_table = e && err_kind(e) == ERR_FORMAT;
	if (no_table)
		err_free(e);
	else
		TRY(err_at(e, "'%s'", path));
	for (size_t i = 1; i < t.nr; i++)
		*ret |= section_is_dwarf(&t, &t.items[i]);
	return NULL;
}
