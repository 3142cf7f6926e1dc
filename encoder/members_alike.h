/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * members_alike.h - warn of archives that may not give the BTF that DWARF gives
 *
 * Combining cannot undo what encoding an object has done: a float that became an int, a tag that
 * was not written, a name that --kabi_prefix has cut. Nor can it apply an option that depends on
 * a fact that the member lacks. All of these are warnings, because the BTF is valid, and because
 * most of them do not matter to most programs: the kernel's build excludes Rust whether or not
 * there is any. One line has the first member and the number of the others.
 */
#ifndef BTFENC_ENCODER_MEMBERS_ALIKE_H
#define BTFENC_ENCODER_MEMBERS_ALIKE_H

#include "base/diagnostics.h"
#include "encoder/emit/assembly.h"
#include "encoder/sources.h"

/*
 * Compare the members of the inputs @s, as @a has them, with one another and with a->opts.
 * @in_place: the BTF replaces theirs.
 */
void members_alike_check(const struct assembly *a, const struct sources *s, bool in_place,
			 struct diagnostics *diags);

#endif
