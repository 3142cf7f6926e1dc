/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multiple_definitions.h - names that have several definitions
 *
 * A struct of which the BTF has two is two types to all who read it, and so is all that leads to it:
 * one difference in one unit can make thousands of copies. Likewise what a module defines otherwise
 * than its base: functions of the kernel that take one do not take the other.
 */
#ifndef BTFENC_ENCODER_EMIT_MULTIPLE_DEFINITIONS_H
#define BTFENC_ENCODER_EMIT_MULTIPLE_DEFINITIONS_H

#include "encoder/emit/finish.h"

/*
 * All records of @f are there, and f->ids says what became of those of the units. Tells @log of each
 * struct, union, enum and typedef that has several definitions, or one beside that of the base, and
 * of where they differ. A typedef is one of these if it is not only what it leads to by a name that is.
 * ERR_LIMIT if there are more types than anyone can number.
 */
MUST_CHECK struct err *definitions_report(const struct finish *f, const struct omission_log *log);

#endif
