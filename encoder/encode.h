/* SPDX-License-Identifier: GPL-2.0-only */
/* encode.h - the debug information of some ELF files becomes one BTF */
#ifndef BTFENC_ENCODER_ENCODE_H
#define BTFENC_ENCODER_ENCODE_H

#include "base/err.h"
#include "base/note.h"
#include "encoder/encode_opts.h"
#include "encoder/encoded.h"
#include "loader/btf_input.h"

/*
 * Encode the DWARF of @paths, in this order, into one BTF in the byte order of the first
 * that has any, over @base (NULL: not split). With the feature distilled_base it stands on
 * what that needs of @base, which there must be. Variables are those of the first file, for
 * the others have no place in its sections. A file without DWARF is left out with a note; no
 * type at all gives an empty *ret. *ret is the caller's to release, and zero on an error;
 * nothing borrows from the files any more.
 */
MUST_CHECK struct err *encode_files(const char *const *paths, size_t nr,
				    const struct encode_opts *opts, const struct btf_input *base,
				    struct notes *notes, struct encoded *ret);

#endif
