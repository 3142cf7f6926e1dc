/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unresolved_ids.h - what .BTF_ids asks for and the BTF does not have
 *
 * resolve_btfids will not find it: a kfunc that cannot be called, a struct that no program is
 * checked against. Nobody hears of it before a BPF program does not load.
 */
#ifndef BTFENC_ENCODER_EMIT_UNRESOLVED_IDS_H
#define BTFENC_ENCODER_EMIT_UNRESOLVED_IDS_H

#include "encoder/emit/finish.h"

/*
 * All records of @f are there. Tells @log of each that is lost, and makes a warning if any of them
 * is a kfunc. An object that is still to be linked loses only what it defines.
 */
void unresolved_ids_report(const struct finish *f, const struct omission_log *log);

#endif
