/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ar_file.c - list the members of an ar archive
 *
 * An archive is a magic number and members. A member is a header of text (struct ar_hdr) and data, padded to an
 * even length. Some members belong to the format: "/" and "/SYM64/" list symbols, "//" has the names that
 * are too long for a header, which then has the offset of the name: "/12". BSD stores such a name before
 * the data: "#1/LENGTH". In a thin archive only the members of the format have data, the others are names
 * of files. If that file is an archive itself, "/12:5678" is the member with its header at 5678 in it.
 *
 * libelf reads neither thin archives nor the names of BSD, so this module would be needed beside it. It
 * reads one header and one name at a time, so a damaged archive cannot make it use much memory.
 */
#include "loader/elf/ar_file.h"

#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/vec.h"

#include <ar.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char thin_magic[] = "!<thin>\n";

struct ar_file {
	int fd;
	bool thin;
	uint64_t size, names, names_len; /* "//" has @names_len bytes at @names */
};

struct ar_member {
	char name[1024];    /* all headers may have the same long name, so this limits the memory */
	bool special;       /* it belongs to the format */
	uint64_t data, len; /* position and length of its data */
	uint64_t next;      /* position of the next header */
	uint64_t nested; /* position of its header in the archive @name; 0: @name is the member */
};

static void ar_close(struct ar_file *a)
{
	file_close(&a->fd);
}

static bool is_magic(const void *p)
{
	return !memcmp(p, ARMAG, SARMAG) || !memcmp(p, thin_magic, SARMAG);
}

/* @a->fd stays -1 if @path cannot be read or is no ar archive. */
static void ar_open(const char *path, struct ar_file *a)
{
	char magic[SARMAG];
	struct stat st;

	/* opening a FIFO or a device may have side effects */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	a->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (a->fd >= 0 && (pread(a->fd, magic, SARMAG, 0) != SARMAG || !is_magic(magic)))
		ar_close(a);
	a->size = (uint64_t)st.st_size;
	a->thin = a->fd >= 0 && !memcmp(magic, thin_magic, SARMAG);
}

/* Read the decimal number at *p, before @end. The fields of a header are too short for an overflow. */
static bool take_number(const char **p, const char *end, uint64_t *ret)
{
	const char *start = *p;

	for (*ret = 0; *p < end && **p >= '0' && **p <= '9'; ++*p)
		*ret = *ret * 10 + (uint64_t)(**p - '0');
	return *p > start;
}

/* Read a name that is not in the header itself: "/12", "/12:5678" or "#1/12". */
static struct err *read_long_name(const struct ar_file *a, const struct ar_hdr *h,
				  struct ar_member *m)
{
	bool is_bsd = h->ar_name[0] == '#';
	const char *p = h->ar_name + (is_bsd ? 3 : 1);
	uint64_t pos = is_bsd ? m->data : a->names, len = is_bsd ? m->len : a->names_len, number;

	if (!take_number(&p, h->ar_date, &number) || number >= len)
		return err_new(ERR_FORMAT, "name '%.*s' with %ju bytes of names",
			       (int)sizeof(h->ar_name), h->ar_name, (uintmax_t)len);
	if (is_bsd) {
		m->data += number;
		m->len -= number;
		len = number;
	} else {
		pos += number;
		len -= number;
		if (a->thin && p < h->ar_date && *p++ == ':')
			take_number(&p, h->ar_date, &m->nested);
	}

	size_t nr = len < sizeof(m->name) ? (size_t)len : sizeof(m->name) - 1;
	TRY(file_read_at(a->fd, pos, m->name, nr));
	m->name[nr] = '\0';
	size_t end = is_bsd ? nr : strcspn(m->name, "\n");
	if (end == sizeof(m->name) - 1)
		return err_new(ERR_LIMIT, "a name of more than %zu bytes", end - 1);
	m->name[!is_bsd && end && m->name[end - 1] == '/' ? end - 1 : end] = '\0';
	return NULL;
}

static void read_short_name(const struct ar_hdr *h, struct ar_member *m)
{
	size_t len;

	snprintf(m->name, sizeof(m->name), "%.*s", (int)sizeof(h->ar_name), h->ar_name);
	for (len = strcspn(m->name, "/"); len && m->name[len - 1] == ' '; len--)
		;
	m->name[len] = '\0';
}

/* Read the member whose header is at @pos. */
static struct err *read_member(struct ar_file *a, uint64_t pos, struct ar_member *m)
{
	struct ar_hdr h;
	const char *name = h.ar_name, *size = h.ar_size;

	if (pos > a->size || a->size - pos < sizeof(h))
		return err_new(ERR_FORMAT, "the file ends in the header of a member");
	TRY(file_read_at(a->fd, pos, &h, sizeof(h)));
	m->data = m->next = pos + sizeof(h);
	m->nested = 0;
	if (memcmp(h.ar_fmag, ARFMAG, sizeof(h.ar_fmag)) != 0 ||
	    !take_number(&size, h.ar_fmag, &m->len))
		return err_new(ERR_FORMAT, "no header of a member");
	m->special = name[0] == '/' && (name[1] < '0' || name[1] > '9');
	if (!a->thin || m->special) {
		if (m->len > a->size - m->data)
			return err_new(ERR_FORMAT, "a member of %ju bytes in a file of %ju bytes",
				       (uintmax_t)m->len, (uintmax_t)a->size);
		m->next += m->len + (m->len & 1);
	}
	if (m->special) {
		if (name[1] == '/') {
			a->names = m->data;
			a->names_len = m->len;
		}
		return NULL;
	}
	if (name[0] == '/' || (!a->thin && !memcmp(name, "#1/", 3)))
		TRY(read_long_name(a, &h, m));
	else
		read_short_name(&h, m);
	m->special = starts_with(m->name, "__.SYMDEF"); /* symbols, of BSD */
	return NULL;
}

/*
 * Linux allows 65,530 mappings (vm.max_map_count), and an archive may have more members. Fewer page faults load pages
 * around them, too.
 */
static struct err *map_archive(struct file_refs *l, const char *path, const struct ar_file *a,
			       struct bytes *ret)
{
	uint32_t known = name_ids_find(&l->archive_paths, path);

	if (known) {
		*ret = l->archives.items[known - 1];
		return ret->len == a->size ? NULL : err_new(ERR_IO, "changes while it is read");
	}
	void *map = mmap(NULL, (size_t)a->size, PROT_READ, MAP_PRIVATE, a->fd, 0);
	if (map == MAP_FAILED)
		return err_sys(errno, "cannot map");
	*ret = (struct bytes){ map, (size_t)a->size };
	vec_push(&l->archives, *ret);
	(void)name_ids_add(&l->archive_paths, path);
	return NULL;
}

static struct err *add_bytes(struct file_refs *l, const char *ar, const struct ar_file *a,
			     const struct ar_member *m)
{
	const char *name = arena_printf(&l->names, "%s(%s)", ar, m->name);
	struct bytes archive;

	TRY(map_archive(l, ar, a, &archive));
	vec_push(l, ((struct file_ref){ name, ar, ar, m->data, m->len, archive }));
	return NULL;
}

/* Add the member with its header at @pos of the archive @path, to which a thin archive refers. */
static struct err *add_nested(struct file_refs *l, const char *path, uint64_t pos)
{
	CLEANUP(ar_close) struct ar_file a = { .fd = -1 };
	struct ar_member m = { .next = SARMAG, .special = true };

	ar_open(path, &a);
	if (a.fd < 0 || a.thin)
		return err_new(ERR_FORMAT, "'%s' is no ar archive with data", path);
	/* find "//", behind at most two others */
	for (int i = 0; i < 3 && m.special && m.next < pos; i++)
		TRY(err_at(read_member(&a, m.next, &m), "'%s'+%#jx", path, (uintmax_t)m.next));
	TRY(err_at(read_member(&a, pos, &m), "'%s'+%#jx", path, (uintmax_t)pos));
	return err_at(add_bytes(l, path, &a, &m), "'%s'", path);
}

static struct err *add_member(struct file_refs *l, const char *ar, const struct ar_member *m)
{
	const char *slash = m->name[0] == '/' ? NULL : strrchr(ar, '/');
	const char *path = arena_printf(&l->names, "%.*s%s", slash ? (int)(slash + 1 - ar) : 0, ar,
					m->name);

	if (m->nested)
		return add_nested(l, path, m->nested);
	vec_push(l, ((struct file_ref){ .name = path, .path = path, .ar = ar }));
	return NULL;
}

struct err *ar_file_expand(const char *path, struct file_refs *l)
{
	CLEANUP(ar_close) struct ar_file a = { .fd = -1 };
	const char *own = arena_strndup(&l->names, path, strlen(path));
	struct ar_member m = { .next = SARMAG };

	ar_open(path, &a);
	if (a.fd < 0)
		vec_push(l, file_ref_of(own));
	while (a.fd >= 0 && m.next < a.size) {
		uint64_t pos = m.next;

		TRY(err_at(read_member(&a, pos, &m), "'%s'+%#jx", path, (uintmax_t)pos));
		if (a.thin && !m.special)
			TRY(err_at(add_member(l, own, &m), "'%s'+%#jx", path, (uintmax_t)pos));
		else if (!m.special)
			TRY(err_at(add_bytes(l, own, &a, &m), "'%s'", path));
	}
	return NULL;
}

void file_refs_release(struct file_refs *l)
{
	for (size_t i = 0; i < l->archives.nr; i++)
		munmap((void *)(uintptr_t)l->archives.items[i].ptr, l->archives.items[i].len);
	FREE_ALL(l->items, l->archives.items);
	name_ids_release(&l->archive_paths);
	arena_release(&l->names);
	*l = (struct file_refs){ 0 };
}

struct err *ar_file_refuse(struct bytes start)
{
	if (start.len < SARMAG || !is_magic(start.ptr))
		return NULL;
	return err_new(ERR_FORMAT, "an ar archive cannot be used here, give one file");
}
