/* SPDX-License-Identifier: GPL-2.0-only */
/* t_note.c - warnings and verbose lines, in order */
#include "base/note.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

static size_t count(const struct notes *n)
{
	size_t nr = 0;

	for (const struct note *note = n->first; note; note = note->next)
		nr++;
	return nr;
}

TEST(notes_keep_their_order_and_level)
{
	CLEANUP(notes_release) struct notes n = { .verbose = true };

	notes_add(&n, NOTE_WARNING, "first %d", 1);
	notes_add(&n, NOTE_VERBOSE, "second");
	CHECK_EQ(count(&n), 2);
	CHECK_STR(n.first->text, "first 1");
	CHECK_EQ(n.first->level, NOTE_WARNING);
	CHECK_STR(n.first->next->text, "second");
	CHECK_EQ(n.first->next->level, NOTE_VERBOSE);
	CHECK(n.last == n.first->next);
}

TEST(verbose_notes_are_dropped_unless_asked_for)
{
	CLEANUP(notes_release) struct notes n = { 0 };

	notes_add(&n, NOTE_VERBOSE, "quiet");
	CHECK_EQ(count(&n), 0);
	notes_add(&n, NOTE_WARNING, "loud");
	CHECK_EQ(count(&n), 1);
}

TEST(a_text_of_any_length_is_kept_whole)
{
	/* around the size up to which no memory is asked for */
	for (size_t len = 250; len < 260; len++) {
		CLEANUP(notes_release) struct notes n = { 0 };
		char text[300] = { 0 };

		memset(text, 'x', len);
		notes_add(&n, NOTE_WARNING, "%s", text);
		CHECK_STR(n.first->text, text);
	}
}

TEST(moved_notes_stand_behind_and_outlive_their_list)
{
	CLEANUP(notes_release) struct notes all = { 0 };
	struct notes part = { 0 };

	notes_add(&all, NOTE_WARNING, "a");
	notes_add(&part, NOTE_WARNING, "b");
	notes_add(&part, NOTE_WARNING, "c");
	notes_move(&all, &part);
	CHECK(part.first == NULL);
	notes_add(&part, NOTE_WARNING, "d");
	notes_move(&all, &part);
	notes_release(&part);

	CHECK_EQ(count(&all), 4);
	CHECK_STR(all.first->text, "a");
	CHECK_STR(all.first->next->text, "b");
	CHECK_STR(all.first->next->next->text, "c");
	CHECK_STR(all.last->text, "d");
}

TEST(moving_nothing_changes_nothing)
{
	CLEANUP(notes_release) struct notes n = { 0 };
	struct notes none = { 0 };

	notes_add(&n, NOTE_WARNING, "a");
	notes_move(&n, &none);
	CHECK_EQ(count(&n), 1);
	CHECK(n.first == n.last);
}
