/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_out.c - write sections into an ELF file: in place, or as a copy
 *
 * The tail of an ELF file is its end: the sections that were written, and the section header table.
 * The part before the tail stays as it is. In place, the old file becomes the new one by a single
 * write, that of the ELF header, which has the offset of the section header table:
 *
 *	1. the old file                       | stays ...... | old tail |
 *	2. append the new tail                | stays ...... | old tail |   new tail |
 *	3. write the ELF header: the file is now the new one
 *	4. write the tail to its final offset | stays ...... | new tail      |   tail |
 *	5. write the ELF header again
 *	6. truncate the file                  | stays ...... | new tail      |
 *
 * If the process is killed before step 3, the old file is left, with unused bytes appended. If it is
 * killed before step 5, the new file is left with a gap, which the next run closes. If it is killed
 * before step 6, the new file is left with unused bytes appended. Only SIGKILL can do this: other
 * signals wait (critical.h). If a write fails before step 3, for example because the disk is full,
 * the file is truncated to its old length. If one of steps 4 to 6 fails, the run prints a
 * warning. These steps make the bytes of the result independent of the number of runs.
 *
 * Instead, the file is written as a copy, which replaces it by a rename, if
 *  - the file has several hard links: a compiler cache must keep its contents;
 *  - it is on a network file system, which may report a full disk only when the file is closed;
 *  - it is being executed, so it cannot be written;
 *  - there is a large gap between sections, because the old .BTF was large (an archive became one BTF);
 *  - DWARF was stripped and any gap is left: the purpose of stripping is a smaller file.
 *
 * A run that finds the file locked waits, up to a time limit. The lock is of fcntl(), so a caller
 * that holds a lock of flock(1) on the file does not block the run.
 */
#include "encoder/elf_out/section_out.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/critical.h"
#include "base/file_io.h"
#include "base/os/replace_file.h"
#include "encoder/elf_out/section_edits.h"
#include "encoder/elf_out/section_renumber.h"
#include "encoder/elf_out/section_strip.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
	MAX_REPLACED = 100, /* retries if the file is replaced while this run waits for the lock */
	/* gaps are worth a copy if they exceed this size and this fraction of the file */
	BIG_GAP = 1024 * 1024,
	BIG_GAP_SHARE = 8, /* 1/8 */
};

void section_target_close(struct section_target *t)
{
	if (t->is_open)
		file_close(&t->fd);
	t->is_open = false;
}

static struct err *open_regular(const char *path, struct section_target *ret)
{
	struct stat st;

	/* opening a device or a pipe may have side effects */
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
	ret->is_open = true;
	return NULL;
}

static struct err *lock(const struct section_target *t)
{
	bool held;
	struct err *e = file_lock(t->fd, !t->busy, FILE_LOCK_PATIENCE, &held);

	if (held)
		return e;
	/* the file system does not support locks: continue without one */
	err_free(e);
	return NULL;
}

static struct err *open_locked(const char *path, struct section_target *ret)
{
	for (int i = 0; i < MAX_REPLACED; i++) {
		CLEANUP(section_target_close) struct section_target t = { .path = path };
		struct stat now;

		TRY(open_regular(path, &t));
		TRY(lock(&t));
		if (fstat(t.fd, &t.st) != 0)
			return err_sys(errno, "cannot read the attributes");
		if (!S_ISREG(t.st.st_mode))
			return err_new(ERR_IO, "not a regular file");
		if (stat(path, &now) == 0 && file_is_same(&now, &t.st)) {
			*ret = TAKE(t);
			return NULL;
		}
	}
	return err_new(ERR_IO, "other processes keep replacing it");
}

struct err *section_target_open(const char *path, const struct stat *was,
				struct section_target *ret)
{
	TRY(err_at(open_locked(path, ret), "'%s'", path));
	if (was && !file_is_unchanged(was, &ret->st))
		section_target_close(ret);
	return NULL;
}

static struct err *write_ehdr(int fd, const struct section_edits *ed,
			      const struct section_tail *tail)
{
	return file_write_at(fd, 0, tail->ehdr, section_table_ehdr_size(&ed->table));
}

/* Overwrite the sections that the program headers load, with zeros up to their old end. */
static struct err *write_images(int fd, const struct section_edits *ed)
{
	for (size_t i = 1; i < ed->table.nr; i++) {
		const GElf_Shdr *s = &ed->table.items[i];
		const struct section_edit *e = &ed->edits.items[i];
		const GElf_Shdr *old = &ed->old[e->was];

		if (e->location != SECTION_IN_IMAGE)
			continue;
		CLEANUP(mem_free) uint8_t *image = mem_zalloc(1, (size_t)old->sh_size);
		memcpy(image, e->data, (size_t)s->sh_size);
		TRY(file_write_at(fd, old->sh_offset, image, (size_t)old->sh_size));
	}
	return NULL;
}

/* The state of a change in place. */
struct change {
	const struct section_target *target;
	bool header_written; /* step 3 is done: the file is the new one */
	struct critical guard;
};

/* Undo step 2 unless step 3 is done. If this fails, the old file is valid, but longer. */
static void take_back(void *arg)
{
	const struct change *c = arg;

	if (!c->header_written)
		(void)!ftruncate(c->target->fd, c->target->st.st_size);
}

/* Steps 2 and 3. */
static struct err *append(struct change *c, const struct section_edits *ed,
			  const struct section_tail *tail)
{
	int fd = c->target->fd;
	struct err *e = file_write_at(fd, tail->at, tail->bytes, tail->len);

	if (!e) {
		e = write_ehdr(fd, ed, tail);
		/* write the old header back: not all file systems write within a page atomically */
		if (e)
			err_free(file_write_at(fd, 0, ed->table.ehdr,
					       section_table_ehdr_size(&ed->table)));
	}
	c->header_written = !e;
	take_back(c);
	return e;
}

/* Steps 4 to 6. */
static struct err *settle(const struct section_target *t, const struct section_edits *ed,
			  const struct section_tail *tail)
{
	TRY(file_write_at(t->fd, tail->at, tail->bytes, tail->len));
	TRY(write_ehdr(t->fd, ed, tail));
	if (ftruncate(t->fd, (off_t)(tail->at + tail->len)) != 0)
		return err_sys(errno, "cannot cut the file to its new length");
	return NULL;
}

static void warn_lost(const struct section_target *t, const char *lost, struct diagnostics *diags)
{
	if (*lost)
		diag_add(diags, DIAG_WARNING, "'%s': written, but not kept: %s", t->path, lost);
}

/* The kernel removes set-id bits and capabilities on a write. Only a privileged user can restore them. */
static void keep_rights(const struct section_target *t, const struct file_caps *caps,
			struct diagnostics *diags)
{
	mode_t set_id = t->st.st_mode & (S_ISUID | S_ISGID);
	struct stat now;

	/* if this user is not in the file's group, fchmod() drops S_ISGID and still succeeds */
	if (set_id)
		(void)!fchmod(t->fd, t->st.st_mode & 07777);
	if (set_id && fstat(t->fd, &now) == 0 && (now.st_mode & set_id) != set_id)
		warn_lost(t, "set-id bits", diags);
	if (!file_caps_put(t->fd, caps))
		warn_lost(t, "capabilities", diags);
}

/* Warn that the new file is valid, but larger than needed. */
static void warn_unused_room(const struct section_target *t, struct err *e,
			     struct diagnostics *diags)
{
	if (e)
		diag_add(diags, DIAG_WARNING, "'%s': written, but room is left unused: %s", t->path,
			 err_text(e));
	err_free(e);
}

/* Steps 2 to 6. */
static struct err *write_steps(struct change *c, struct section_edits *ed,
			       const struct section_tail *final, struct diagnostics *diags)
{
	CLEANUP(section_tail_release) struct section_tail scratch = { 0 };
	uint64_t end = final->at + final->len;

	if (end < ed->table.file.len)
		end = ed->table.file.len;
	TRY(section_edits_tail(ed, (end + 7) & ~(uint64_t)7, true, &scratch));
	TRY(append(c, ed, &scratch));
	TRY(write_images(c->target->fd, ed));
	warn_unused_room(c->target, settle(c->target, ed, final), diags);
	return NULL;
}

static struct err *write_in_place(const struct section_target *t, struct section_edits *ed,
				  const struct section_tail *final, struct diagnostics *diags)
{
	struct change c = { .target = t };
	struct file_caps caps;

	file_caps_get(t->fd, &caps);
	critical_begin(&c.guard, take_back, &c);
	struct err *e = write_steps(&c, ed, final, diags);
	if (!e)
		keep_rights(t, &caps, diags);
	critical_end(&c.guard);
	return e;
}

/* Copy the part before the tail, section by section: section_edits_close_gaps() may have moved them. */
static struct err *copy_rest(int from, int to, const struct section_edits *ed)
{
	TRY(file_copy_at(from, 0, to, 0, ed->rigid));
	for (size_t i = 1; i < ed->table.nr; i++) {
		const GElf_Shdr *s = &ed->table.items[i];
		const struct section_edit *e = &ed->edits.items[i];

		if (e->location == SECTION_IN_FILE && section_in_file(s) &&
		    s->sh_offset >= ed->rigid)
			TRY(file_copy_at(from, ed->old[e->was].sh_offset, to, s->sh_offset,
					 s->sh_size));
	}
	return NULL;
}

static struct err *write_copy(const struct section_target *t, struct section_edits *ed,
			      const struct section_tail *final, bool gaps_closed,
			      struct replace_file *r)
{
	TRY(replace_file_open(t->path, t->fd, r));
	if (gaps_closed)
		TRY(copy_rest(t->fd, r->fd, ed));
	else
		TRY(file_copy_at(t->fd, 0, r->fd, 0, ed->tail));
	TRY(write_images(r->fd, ed));
	TRY(file_write_at(r->fd, final->at, final->bytes, final->len));
	TRY(write_ehdr(r->fd, ed, final));
	return replace_file_commit(r);
}

static bool gaps_are_big(const struct section_edits *ed)
{
	uint64_t gaps = section_edits_gaps(ed);

	if (ed->stripped)
		return gaps != 0;
	return gaps > BIG_GAP && gaps > ed->table.file.len / BIG_GAP_SHARE;
}

/* A network file system may report a full disk only when the file is closed. */
static bool is_remote(int fd)
{
	static const uint32_t types[] = {
		NFS_SUPER_MAGIC, SMB_SUPER_MAGIC,  SMB2_SUPER_MAGIC, CIFS_SUPER_MAGIC,
		AFS_SUPER_MAGIC, AFS_FS_MAGIC,     CODA_SUPER_MAGIC, CEPH_SUPER_MAGIC,
		V9FS_MAGIC,      FUSE_SUPER_MAGIC,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if ((uint32_t)fs.f_type == types[i])
			return true;
	}
	return false;
}

static struct err *write_new_file(const struct section_target *t, struct section_edits *ed,
				  struct section_tail *final, struct diagnostics *diags)
{
	CLEANUP(replace_file_close) struct replace_file r = { 0 };
	bool must_copy = t->busy || t->st.st_nlink > 1, close_gaps = gaps_are_big(ed);

	if (!must_copy && !close_gaps && !is_remote(t->fd))
		return write_in_place(t, ed, final, diags);
	if (close_gaps) {
		section_edits_close_gaps(ed);
		TRY(section_edits_tail(ed, ed->tail, false, final));
	}

	struct err *e = write_copy(t, ed, final, close_gaps, &r);
	if (!e)
		warn_lost(t, r.lost, diags);
	if (!e || must_copy || !r.denied)
		return e;
	/* the folder does not allow a copy: write in place, which leaves the gaps */
	if (close_gaps) {
		warn_unused_room(t, e, diags);
		section_edits_keep_gaps(ed);
		TRY(section_edits_tail(ed, ed->tail, false, final));
	} else {
		err_free(e);
	}
	return write_in_place(t, ed, final, diags);
}

static struct err *edit(const struct section_target *t, const struct section_content *sections,
			size_t nr, bool strip, struct diagnostics *diags)
{
	CLEANUP(section_edits_release) struct section_edits ed = { 0 };
	CLEANUP(section_tail_release) struct section_tail final = { 0 };

	TRY(section_edits_open(t->fd, (uint64_t)t->st.st_size, &ed));
	for (size_t i = 0; i < nr; i++)
		TRY(err_at(section_edits_set(&ed, &sections[i], diags), "%s", sections[i].name));
	if (strip)
		TRY(section_strip(&ed, diags));
	section_drop_unused(&ed);
	section_edits_plan(&ed, diags);
	TRY(section_edits_tail(&ed, ed.tail, false, &final));
	return section_edits_is_done(&ed, &final) ? NULL : write_new_file(t, &ed, &final, diags);
}

struct err *section_target_put(struct section_target *t, const struct section_content *sections,
			       size_t nr, bool strip, struct diagnostics *diags)
{
	struct err *e = edit(t, sections, nr, strip, diags);

	if (!e) {
		t->is_open = false;
		e = file_close_written(&t->fd);
	}
	return err_at(e, "'%s'", t->path);
}

/* The size of section @name if the program headers load it, else 0. */
static uint32_t loaded_size(const struct section_table *t, const char *name)
{
	uint64_t size = 0;

	for (size_t i = 1; t->nr_segments && i < t->nr; i++) {
		const GElf_Shdr *s = &t->items[i];

		if ((s->sh_flags & SHF_ALLOC) && section_in_file(s) &&
		    !strcmp(section_table_name(t, s), name))
			size = s->sh_size;
	}
	return size > UINT32_MAX ? 0 : (uint32_t)size;
}

static bool has_bytes(const struct section_table *t, const char *name)
{
	for (size_t i = 1; i < t->nr; i++) {
		const GElf_Shdr *s = &t->items[i];

		if (section_in_file(s) && s->sh_size && !strcmp(section_table_name(t, s), name))
			return true;
	}
	return false;
}

/*
 * Compilers for BPF describe maps and relocations in .BTF, which libbpf needs and which is not in DWARF.
 * .BTF.ext refers to types and strings of .BTF by number.
 */
static bool has_bpf_btf(const struct section_table *t)
{
	return has_bytes(t, ".BTF") && (t->machine == EM_BPF || has_bytes(t, ".BTF.ext"));
}

static struct err *look_at(int fd, struct section_facts *f)
{
	CLEANUP(section_table_release) struct section_table t = { 0 };
	uint8_t start[UNPACK_MAGIC];

	if (fd < 0 || fstat(fd, &f->st) < 0)
		return err_sys(errno, "cannot open");
	if (!S_ISREG(f->st.st_mode))
		return err_new(ERR_IO, "not a regular file");
	f->is_file = true;

	ssize_t n = pread(fd, start, sizeof(start), 0);
	struct bytes b = { start, n > 0 ? (size_t)n : 0 };
	f->packing = unpack_packing(b);
	f->is_elf = b.len >= SELFMAG && !memcmp(start, ELFMAG, SELFMAG);
	if (!f->is_elf)
		return NULL;

	struct err *e = section_table_read(fd, (uint64_t)f->st.st_size, &t);
	if (!e) {
		f->is_linked = t.nr_segments > 0;
		f->has_dwarf = section_has_dwarf(&t);
		f->is_bpf = has_bpf_btf(&t);
		f->has_btf = has_bytes(&t, ".BTF");
		f->loaded_btf = loaded_size(&t, ".BTF");
	} else if (err_kind(e) == ERR_FORMAT) {
		err_free(e);
		return NULL;
	}
	return e;
}

struct err *section_out_look(const char *path, struct section_facts *ret)
{
	/* opening a pipe without a writer would wait for one */
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	*ret = (struct section_facts){ 0 };
	return err_at(look_at(fd, ret), "'%s'", path);
}
