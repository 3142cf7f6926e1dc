/* SPDX-License-Identifier: GPL-2.0-only */
/* completed_btf.h - the BTF of a BPF object, as libbpf completes it before it loads it */
#ifndef BTFENC_LOADER_BTF_COMPLETED_BTF_H
#define BTFENC_LOADER_BTF_COMPLETED_BTF_H

#include "base/vec.h"
#include "loader/elf/object.h"

/* Owns all. */
struct completed_btf {
	uint8_t *btf; /* NULL: the BTF cannot be read */
	size_t btf_len;
	uint32_t nr_sections, nr_externs; /* that were completed */
	/* why libbpf refuses the object; without the name of the file */
	VEC(char *) refusals;
};

/* Is @o an object for BPF, not yet loaded? */
bool completed_btf_applies(const struct object *o);

/*
 * Complete @btf, the BTF of @o with its relocations applied. Clang leaves out what the loader knows better: sizes
 * and offsets of DATASECs, and extern variables and functions. *ret must be zeroed. ERR_FORMAT, with the name of the
 * file, if the symbol table is damaged.
 */
MUST_CHECK struct err *completed_btf_make(const struct object *o, struct bytes btf,
					  struct completed_btf *ret);
void completed_btf_release(struct completed_btf *c);

#endif
