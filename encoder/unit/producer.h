/* SPDX-License-Identifier: GPL-2.0-only */
/* producer.h - who made the BTF of an object? */
#ifndef BTFENC_ENCODER_UNIT_PRODUCER_H
#define BTFENC_ENCODER_UNIT_PRODUCER_H

#include "btf/btf_view.h"

/* As far as the records tell. */
enum producer {
	PRODUCER_PAHOLE_LIKE, /* pahole, or this program; or gcc 14 and later with nothing amiss */
	PRODUCER_GCC,
	PRODUCER_CLANG, /* for BPF: it makes no BTF for other machines */
};

/*
 * Looks at the records as they were made, so before anybody corrects them. Two makers in one
 * archive do not agree on what a type looks like, and hardly anything merges.
 */
enum producer producer_of(const struct btf_view *v);

#endif
