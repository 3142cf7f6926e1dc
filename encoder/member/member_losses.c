/* SPDX-License-Identifier: GPL-2.0-only */
/* member_losses.c - what a member of gcc does not describe, as far as that was expected of it */
#include "encoder/member/member_reader.h"

/*
 * Gcc 12 has records for what a unit only declares. Which section a variable is in, the linked
 * file would have to say, so only those that ask for all of them hear of it.
 */
static bool is_expected(struct member_reader *r, const struct gcc_member_loss *loss)
{
	switch (omission_rules[loss->rule].subject) {
	case SUBJECT_FUNC:
		return member_known_func(r, loss->name);
	case SUBJECT_VAR:
		return feature_on(r->encoder->run->opts, FEATURE_GLOBAL_VAR);
	default:
		return true;
	}
}

void member_report_losses(struct member_reader *r)
{
	for (size_t i = 0; i < r->losses.nr; i++) {
		const struct gcc_member_loss *loss = &r->losses.items[i];

		if (is_expected(r, loss))
			omission_report(&r->encoder->log,
					(struct omission){ loss->rule,
							   .name = member_string(r, loss->name),
							   .part = member_string(r, loss->part),
							   .keyword = loss->keyword });
	}
}
