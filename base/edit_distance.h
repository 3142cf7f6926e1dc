/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * edit_distance.h - find the name that a misspelled word most likely stands for
 *
 *	struct nearest n = nearest_to("taks_struct");
 *
 *	for (each name)
 *		nearest_offer(&n, name);
 *	if (n.name)
 *		... "did you mean '%s'?", n.name
 */
#ifndef BTFENC_BASE_EDIT_DISTANCE_H
#define BTFENC_BASE_EDIT_DISTANCE_H

#include <stddef.h>

/* The largest limit; it bounds the work for each byte of a word. */
enum { EDIT_DISTANCE_MAX = 5 };

/*
 * The number of edits that turn @a into @b. An edit inserts, deletes or replaces a byte, or swaps two
 * neighbours. Returns @limit + 1 for any number above @limit, which is at most EDIT_DISTANCE_MAX. The
 * time is proportional to the lengths of the words.
 */
size_t edit_distance(const char *a, const char *b, size_t limit);

/*
 * For how many missing words of a run a similar name is sought, because each of them is compared with all names of the
 * input.
 */
enum { NEAREST_WORDS_MAX = 20 };

/*
 * The best of the candidates so far. Borrows @word and @name. A candidate is similar in one of two ways: few edits
 * turn the word into it, or one of the two continues the other, as kmem_cache_alloc_noprof continues
 * kmem_cache_alloc.
 */
struct nearest {
	const char *word;
	const char *name; /* NULL: no candidate is similar enough */
	size_t distance;  /* of @name, or one more than a similar candidate may have */
	size_t prefix;    /* the bytes at the start that @name shares with @word */
	size_t rest;      /* grows with the continuation; 0: @name was found by its edits */
};

/* No candidate yet. A longer @word may differ in more letters. */
struct nearest nearest_to(const char *word);
/*
 * Keep @candidate if it is nearer than all before it. A single edit is nearer than a continuation, and a continuation
 * is nearer than several edits. A name that continues the word is nearer than one that the word continues, and the shorter
 * continuation is nearer; of two candidates with as many edits
 * the one that shares more bytes at the start. Of equally near ones the first stays.
 */
void nearest_offer(struct nearest *n, const char *candidate);
/* The same, but never keep the word itself: it was found, and what it names is not wanted. */
void nearest_offer_other(struct nearest *n, const char *candidate);

#endif
