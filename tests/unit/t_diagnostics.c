/* SPDX-License-Identifier: GPL-2.0-only */
/* t_diagnostics.c - warnings and verbose lines, in order */
#include "base/diagnostics.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

static size_t count(const struct diagnostics *n)
{
	size_t nr = 0;

	for (const struct diagnostic *note = n->first; note; note = note->next)
		nr++;
	return nr;
}

TEST(verbose_notes_are_dropped_unless_asked_for)
{
	CLEANUP(diag_release) struct diagnostics n = { 0 };

	diag_add(&n, DIAG_VERBOSE, "quiet");
	CHECK_EQ(count(&n), 0);
	diag_add(&n, DIAG_WARNING, "loud");
	CHECK_EQ(count(&n), 1);
}

TEST(a_text_of_any_length_is_kept_whole)
{
	/* around the size up to which no memory is asked for */
	for (size_t len = 250; len < 260; len++) {
		CLEANUP(diag_release) struct diagnostics n = { 0 };
		char text[300] = { 0 };

		memset(text, 'x', len);
		diag_add(&n, DIAG_WARNING, "%s", text);
		CHECK_STR(n.first->text, text);
	}
}

TEST(moved_notes_stand_behind_and_outlive_their_list)
{
	CLEANUP(diag_release) struct diagnostics all = { 0 };
	struct diagnostics part = { 0 };

	diag_add(&all, DIAG_WARNING, "a");
	diag_add(&part, DIAG_WARNING, "b");
	diag_add(&part, DIAG_WARNING, "c");
	diag_move(&all, &part);
	CHECK(part.first == NULL);
	diag_add(&part, DIAG_WARNING, "d");
	diag_move(&all, &part);
	diag_release(&part);

	CHECK_EQ(count(&all), 4);
	CHECK_STR(all.first->text, "a");
	CHECK_STR(all.first->next->text, "b");
	CHECK_STR(all.first->next->next->text, "c");
	CHECK_STR(all.last->text, "d");
}

TEST(moving_nothing_changes_nothing)
{
	CLEANUP(diag_release) struct diagnostics n = { 0 };
	struct diagnostics none = { 0 };

	diag_add(&n, DIAG_WARNING, "a");
	diag_move(&n, &none);
	CHECK_EQ(count(&n), 1);
	CHECK(n.first == n.last);
}
