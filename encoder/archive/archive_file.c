/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive_file.c - the members of a file to which the BTF of objects is appended
 *
 *	| trailer of nothing | member | 0..7 zeros | trailer | member | 0..7 zeros | trailer | ...
 *
 * The first trailer identifies the file, so a mistyped name does not destroy another file. A
 * writer (archive_append.c) reads this one and the last one only.
 *
 * Bytes behind the last trailer come from a writer that was killed. They are ignored, and the
 * next writer removes them. There is at most one such piece, at the end. A trailer behind bytes
 * that are no member means damage by something else, such as a power failure or a disk error.
 * Then members are missing, and the file is refused: BTF that lacks types is worse than none.
 */
#include "encoder/archive/archive_file.h"

#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/sort.h"
#include "base/vec.h"
#include "btf/btf_view.h"
#include "btf/btf_wire.h"
#include "encoder/archive/archive_trailer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- walking ---- */

static size_t trailer_at(struct bytes b, size_t pos, struct archive_trailer *ret)
{
	return archive_trailer_parse(bytes_from(b, pos), ret) ? ret->size : 0;
}

/* Does @b begin as a file of this kind does? It may be cut off. */
static bool is_beginning(struct bytes b)
{
	for (int swap = 0; swap < 2; swap++) {
		uint8_t *first = NULL;
		size_t len = 0;

		/* an empty name is not too long */
		err_free(archive_trailer_make("", (struct bytes){ 0 }, swap, &first, &len));
		bool same = !memcmp(first, b.ptr, b.len < len ? b.len : len);
		free(first);
		if (same)
			return true;
	}
	return false;
}

/* Find the trailer of the member at @pos; *ret_at is its offset. */
static bool find_trailer(struct bytes b, size_t pos, struct archive_trailer *ret, size_t *ret_at)
{
	size_t size;
	bool swap;

	*ret_at = pos;
	if (trailer_at(b, pos, ret) && ret->member_len == 0)
		return true;

	struct err *e = btf_view_measure(bytes_from(b, pos), &size, &swap);
	if (e) {
		err_free(e);
		return false;
	}
	*ret_at = pos + size + archive_trailer_padding(size);
	return *ret_at < b.len && trailer_at(b, *ret_at, ret) && ret->member_len == size &&
	       ret->swap == swap;
}

static struct err *damaged(const struct archive_trailers *s, size_t pos)
{
	const char *last = s->nr ? s->items[s->nr - 1].trailer.object : "";

	if (!*last)
		return err_new(ERR_FORMAT, "member 1, at %#zx, is damaged", pos);
	return err_new(ERR_FORMAT, "member %zu, at %#zx after that of '%s', is damaged", s->nr + 1,
		       pos, last);
}

struct err *archive_trailers_walk(struct bytes b, struct archive_trailers *ret)
{
	CLEANUP(vec_release) struct archive_trailers s = { 0 };
	struct archive_trailer trailer;
	size_t pos, at;

	if (b.len && !is_beginning(b))
		return err_new(ERR_FORMAT, "not a file that --btf_archive has made");
	pos = b.len ? trailer_at(b, 0, &trailer) : 0;
	s.swap = pos && trailer.swap;
	while (pos && pos < b.len && find_trailer(b, pos, &trailer, &at)) {
		if (trailer.swap != s.swap)
			return err_new(ERR_FORMAT, "the trailer at %#zx is of the other byte order",
				       at);
		/* no name: the beginning of another file that was appended to this one */
		if (*trailer.object)
			vec_push(&s, ((struct archive_entry){ trailer, pos }));
		pos = at + trailer.size;
	}
	if (b.len && archive_trailer_anywhere(bytes_from(b, pos)))
		return damaged(&s, pos);
	s.end = pos;
	*ret = TAKE(s);
	return NULL;
}

/* ---- reading ---- */

/* If the lock fails, incomplete bytes of a writer may be seen, which does no harm. */
static void set_lock(int fd, short type)
{
	struct flock all = { .l_type = type, .l_whence = SEEK_SET };

	while (fcntl(fd, F_OFD_SETLKW, &all) != 0 && errno == EINTR)
		;
}

static struct err *size_of(int fd, size_t *ret)
{
	struct stat st;

	/* complete members never change, so it is enough to wait until the writer is done */
	set_lock(fd, F_RDLCK);
	int status = fstat(fd, &st);
	/* a mapping would keep the lock, though the file is closed */
	set_lock(fd, F_UNLCK);
	if (status != 0)
		return err_sys(errno, "cannot read the attributes");
	if (!S_ISREG(st.st_mode))
		return err_new(ERR_IO, "not a regular file");
	*ret = (size_t)st.st_size;
	return NULL;
}

static struct err *map(const char *path, struct archive_file *a)
{
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	size_t size = 0;

	if (fd < 0)
		return err_sys(errno, "cannot open");
	TRY(size_of(fd, &size));
	if (!size)
		return NULL;

	void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return err_sys(errno, "cannot map");
	a->map = p;
	a->size = size;
	return NULL;
}

struct named {
	const char *object;
	uint32_t nr;
};

/* By name, then by position in the file. */
static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->object, y->object);

	return order ? order : x->nr < y->nr ? -1 : x->nr > y->nr;
}

static struct named *sort_by_name(const struct archive_trailers *s)
{
	struct named *names = mem_alloc(s->nr * sizeof(*names));

	for (size_t i = 0; i < s->nr; i++)
		names[i] = (struct named){ s->items[i].trailer.object, (uint32_t)i };
	qsort(names, s->nr, sizeof(*names), by_name);
	return names;
}

/* The last entry of each name becomes a member, in the order of the file. */
static void list_last(const struct archive_trailers *s, struct archive_file *a)
{
	CLEANUP(mem_free) struct named *names = sort_by_name(s);
	/* 0: an older one; else the number of the member, from 1 */
	CLEANUP(mem_free) uint32_t *member = mem_zalloc(s->nr, sizeof(*member));

	for (size_t i = 0; i < s->nr; i++)
		member[names[i].nr] = i + 1 == s->nr ||
				      strcmp(names[i].object, names[i + 1].object) != 0;
	for (size_t i = 0; i < s->nr; i++) {
		const struct archive_trailer *trailer = &s->items[i].trailer;

		if (!member[i])
			continue;
		vec_push(&a->members, ((struct archive_file_member){
					      .object = trailer->object,
					      .offset = s->items[i].at,
					      .size = (size_t)trailer->member_len,
					      .checksum = trailer->member_sum,
				      }));
		member[i] = (uint32_t)a->members.nr;
	}
	a->by_name = mem_zalloc(a->members.nr, sizeof(*a->by_name));
	for (size_t i = 0, nr = 0; i < s->nr; i++) {
		if (member[names[i].nr])
			a->by_name[nr++] = member[names[i].nr] - 1;
	}
	a->nr_older = s->nr - a->members.nr;
}

struct err *archive_file_read(const char *path, struct archive_file *ret)
{
	CLEANUP(archive_file_release) struct archive_file a = { 0 };
	CLEANUP(vec_release) struct archive_trailers s = { 0 };

	TRY(err_at(map(path, &a), "'%s'", path));
	TRY(err_at(archive_trailers_walk((struct bytes){ a.map, a.size }, &s), "'%s'", path));
	if (s.nr >= UINT32_MAX)
		return err_new(ERR_LIMIT, "'%s' has %zu members", path, s.nr);
	list_last(&s, &a);
	a.swap = s.swap;
	a.torn = a.size - s.end;
	*ret = TAKE(a);
	return NULL;
}

void archive_file_release(struct archive_file *a)
{
	if (a->map)
		munmap((void *)(uintptr_t)a->map, a->size);
	free(a->members.items);
	free(a->by_name);
	*a = (struct archive_file){ 0 };
}

struct err *archive_file_bytes(const struct archive_file *a, size_t i, struct bytes *ret)
{
	const struct archive_file_member *m = &a->members.items[i];
	const struct bytes b = { a->map + m->offset, m->size };

	if (archive_trailer_sum(b) != m->checksum)
		return err_new(ERR_FORMAT, "member at %#zx, of '%s', is damaged", m->offset,
			       m->object);
	*ret = b;
	return NULL;
}

size_t archive_file_find(const struct archive_file *a, const char *object)
{
	const struct archive_file_member *m = a->members.items;
	size_t at = LOWER_BOUND(0, a->members.nr, i, strcmp(m[a->by_name[i]].object, object) < 0);

	if (at == a->members.nr || strcmp(m[a->by_name[at]].object, object) != 0)
		return SIZE_MAX;
	return a->by_name[at];
}
