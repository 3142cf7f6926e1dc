/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfcmp.c - do two BTFs describe the same types, whatever ids they give them?
 *
 *	btfcmp [-x KIND[,KIND]] FILE[,FILE] FILE[,FILE]
 *
 * FILEs with commas between are BTF and what is split from it: they are compared as one.
 *
 * Each type gets a colour from what it says itself, and then again and again one from
 * its own and the colours of what it refers to, until no colour splits any more. Two types
 * of one colour then are equal as far as anyone can see, through any number of loops; the
 * files are equal if they have as many of each. If not, the first type that the other file
 * lacks is followed to the place where it differs from its namesake.
 *
 * -x leaves types of these kinds out of the count (what the others refer to still counts).
 * Exit status: 0 equal, 1 different, 2 trouble.
 */
#include "base/hash.h"
#include "dedup/btf_kind.h"
#include "tests/lib/btffile.h"

struct side {
	struct btf_file file;
	uint32_t end;
	uint64_t *own, *colour, *next;
};

static const uint32_t *rec_of(const struct side *s, uint32_t id)
{
	return btf_file_rec(&s->file, id);
}

static uint64_t hash_str(const struct side *s, uint32_t off)
{
	const char *text = btf_file_str(&s->file, off);

	return hash_bytes(text, strlen(text));
}

/* What the record says but for its references: names as text, everything else as it is. */
static uint64_t own_colour(const struct side *s, uint32_t id)
{
	uint32_t *rec = btf_file_rec(&s->file, id);
	size_t nr = btf_rec_words(rec);
	uint32_t *copy = mem_dup(rec, nr * sizeof(*rec));
	uint64_t h;

	btf_rec_each_type(copy, p) *p = 0;
	btf_rec_each_name(copy, p) *p = (uint32_t)hash_str(s, *p);
	h = hash_words(copy, nr);
	free(copy);
	return h;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The colours of a side in order, without void's. */
static uint64_t *sorted(const struct side *s)
{
	uint64_t *v = mem_alloc(s->end * sizeof(*v));

	memcpy(v, s->colour, s->end * sizeof(*v));
	qsort(v, s->end, sizeof(*v), by_value);
	return v;
}

static size_t count_colours(const struct side *s)
{
	uint64_t *v = sorted(s);
	size_t nr = 0;

	for (uint32_t i = 0; i < s->end; i++)
		nr += !i || v[i] != v[i - 1];
	free(v);
	return nr;
}

static void open_side(const char *path, struct side *s)
{
	btf_file_read_list(path, &s->file);
	s->end = btf_types_end(&s->file.view.types);
	s->own = mem_zalloc(s->end, sizeof(*s->own));
	s->colour = mem_zalloc(s->end, sizeof(*s->colour));
	s->next = mem_zalloc(s->end, sizeof(*s->next));
	for (uint32_t id = 1; id < s->end; id++)
		s->own[id] = s->colour[id] = own_colour(s, id);
}

static void close_side(struct side *s)
{
	free(s->own);
	free(s->colour);
	free(s->next);
	btf_file_release(&s->file);
}

static void refine(struct side *s)
{
	for (uint32_t id = 1; id < s->end; id++) {
		uint64_t h = s->own[id];

		btf_rec_each_type(btf_file_rec(&s->file, id), p) h = hash_mix(h, s->colour[*p]);
		s->next[id] = h;
	}

	uint64_t *t = s->colour;
	s->colour = s->next;
	s->next = t;
}

static void colour_both(struct side *a, struct side *b)
{
	size_t before = 0, now = count_colours(a) + count_colours(b);

	/* equal colours in both must mean the same, so both go the same number of rounds */
	while (now != before) {
		refine(a);
		refine(b);
		before = now;
		now = count_colours(a) + count_colours(b);
	}
}

static const char *kind_name(const uint32_t *rec)
{
	return btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]))->name;
}

static void print_type(const struct side *s, uint32_t id)
{
	if (!id) {
		printf("void");
		return;
	}

	const uint32_t *rec = rec_of(s, id);
	const char *name = btf_file_str(&s->file, rec[BTF_REC_NAME]);
	printf("%s '%s'", kind_name(rec), *name ? name : "(anon)");
}

/* The words and strings of a record, for a difference that lies in it. */
static void print_own(const struct side *s, uint32_t id)
{
	if (id) {
		uint32_t *rec = btf_file_rec(&s->file, id);
		size_t i = 0;

		printf("  %s: [%u]", s->file.path, id);
		printf(" info %#x size/type %u", rec[BTF_REC_INFO], rec[BTF_REC_SIZE_TYPE]);
		btf_rec_each_name(rec, p)
			printf("%s%s", i++ ? "," : " names ", btf_file_str(&s->file, *p));
		for (i = BTF_REC_WORDS; i < btf_rec_words(rec) && i < 64; i++)
			printf("%s%#x", i == BTF_REC_WORDS ? " words " : ",", rec[i]);
		printf("\n");
	} else {
		printf("  %s: void\n", s->file.path);
	}
}

/* Go from two types of different colours to where they differ. */
static void print_path(const struct side *a, uint32_t x, const struct side *b, uint32_t y)
{
	enum { MAX_STEPS = 100 };

	printf("  ");
	for (int steps = 0; steps < MAX_STEPS; steps++) {
		uint32_t nx = 0, ny = 0;
		size_t which = 0;
		bool found = false;

		print_type(a, x);
		if (!x || !y || a->own[x] != b->own[y])
			break;
		btf_rec_each_type(btf_file_rec(&a->file, x), p)
		{
			ny = *btf_rec_type(btf_file_rec(&b->file, y), which);
			nx = *p;
			found = a->colour[nx] != b->colour[ny];
			if (found)
				break;
			which++;
		}
		if (!found)
			break; /* only how many there are differs */
		printf(" / ref %zu / ", which);
		x = nx;
		y = ny;
	}
	printf("\n");
	print_own(a, x);
	print_own(b, y);
}

static bool is_excluded(const char *exclude, const uint32_t *rec)
{
	const char *name = kind_name(rec);
	size_t len = strlen(name);

	for (const char *at = exclude; at && (at = strstr(at, name)); at += len) {
		if ((at == exclude || at[-1] == ',') && (!at[len] || at[len] == ','))
			return true;
	}
	return false;
}

/* How many types of colour @c are in the sorted @v? */
static size_t count_of(const uint64_t *v, size_t nr, uint64_t c)
{
	size_t low = 0, high = nr, n = 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v[mid] < c)
			low = mid + 1;
		else
			high = mid;
	}
	while (low < nr && v[low] == c)
		low++, n++;
	return n;
}

/* Types of @a that @b has less often; the first is explained, the others are counted. */
static size_t print_missing(const struct side *a, const struct side *b, const char *exclude)
{
	uint64_t *ours = sorted(a), *theirs = sorted(b);
	size_t nr = 0;

	for (uint32_t id = 1; id < a->end; id++) {
		const uint32_t *rec = rec_of(a, id);
		uint32_t namesake = 0;

		if (is_excluded(exclude, rec) || count_of(ours, a->end, a->colour[id]) <=
							 count_of(theirs, b->end, a->colour[id]))
			continue;
		if (nr++)
			continue;
		printf("only in %s, or more often there: ", a->file.path);
		print_type(a, id);
		printf(" [%u]\n", id);
		for (uint32_t i = 1; i < b->end && rec[BTF_REC_NAME] && !namesake; i++) {
			if (btf_info_kind(rec_of(b, i)[BTF_REC_INFO]) ==
				    btf_info_kind(rec[BTF_REC_INFO]) &&
			    !strcmp(btf_file_str(&a->file, rec[BTF_REC_NAME]),
				    btf_file_str(&b->file, rec_of(b, i)[BTF_REC_NAME])))
				namesake = i;
		}
		if (namesake)
			print_path(a, id, b, namesake);
		else
			print_own(a, id);
	}
	if (nr)
		printf("%zu types of %s differ\n", nr, a->file.path);
	free(ours);
	free(theirs);
	return nr;
}

int main(int argc, char **argv)
{
	const char *exclude = NULL;
	struct side a, b;

	if (argc == 5 && !strcmp(argv[1], "-x")) {
		exclude = argv[2];
		argc -= 2;
		argv += 2;
	}
	if (argc != 3) {
		fprintf(stderr, "usage: btfcmp [-x KINDS] FILE FILE\n");
		return 2;
	}
	open_side(argv[1], &a);
	open_side(argv[2], &b);
	colour_both(&a, &b);

	size_t nr = print_missing(&a, &b, exclude) + print_missing(&b, &a, exclude);
	close_side(&a);
	close_side(&b);
	return nr ? 1 : 0;
}
