/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assembly.h - all contributions of a program become one BTF
 *
 * The waist of the program: whatever the input is, it comes in here as contributions, in the
 * order of the input, and leaves as the bytes of a .BTF section. The steps:
 *
 *	assembly_add()      each contribution
 *	assembly_resolve()   what is not told by names (ambiguous.h)?
 *	assembly_set_raw()  each unit of which the pool does not know that well enough
 *	assembly_finish()   functions, variables, tags, deduplication, bytes
 */
#ifndef BTFENC_ENCODER_EMIT_ASSEMBLY_H
#define BTFENC_ENCODER_EMIT_ASSEMBLY_H

#include "base/hash_table.h"
#include "dedup/ambiguous/ambiguous.h"
#include "encoder/emit/encoded.h"
#include "encoder/member/member_note.h"
#include "encoder/select/func_select.h"
#include "encoder/unit/run.h"
#include "encoder/unit/unit_btf.h"
#include "loader/btf/btf_input.h"
#include "loader/elf/object.h"

struct assembly_unit {
	struct unit_btf btf;
	struct raw_unit *raw;     /* owned; NULL where names, or the pool, can tell */
	struct member_note *note; /* owned; NULL if none is wanted */
	bool needs_exact;         /* has types of its own (ambiguous.h), or all are */
	/* only while finishing: */
	uint32_t *ids;         /* if needs_exact, by number: the record that is its own, else 0 */
	struct hash_table own; /* the ids of these, by pool_ref; not if @raw */
	uint32_t vars;         /* id of its first VAR */
};

/* Owns its contributions and pools. Prepare with assembly_init(). */
struct assembly {
	const struct encode_opts *opts;
	const struct btf_input *base; /* borrowed; NULL: not split */
	uint32_t image_size;          /* the result has at least so many bytes */
	/* units in other languages than C, or of which parts were not there: anything may come of them */
	bool incomplete;
	struct str_pool strings;
	struct type_pool types;
	struct {
		struct func_file *items;
		size_t nr, cap;
	} files;
	/* by unit number */
	struct {
		struct assembly_unit *items;
		size_t nr, cap;
	} units;
	/* unit_btf.types of all units, end to end, until nobody asks for most of them any more */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} lists;
	struct func_select funcs;
	struct omissions *omissions;    /* borrowed; NULL: nobody asks */
	struct resolved_names resolved; /* zero if all units are raw */
	uint32_t *mapped_to_base; /* by pool id: what it is in the base (map_to_base.h); or NULL */
	/*
	 * The index type of all arrays (docs/spec/encoding.md 6.6): the first unit that has an
	 * "int" provides it, or the first that has an array gets one of its own.
	 */
	bool have_index, own_index;
	uint32_t index_unit;
	unit_tid index_tid;
};

void assembly_init(struct assembly *a, const struct encode_opts *opts);
void assembly_release(struct assembly *a);

/* Where to tell of what is left out. Borrows both. */
static inline struct omission_log assembly_log(struct assembly *a, struct diagnostics *diags)
{
	return (struct omission_log){
		.diags = diags,
		.strings = &a->strings,
		.list = a->omissions,
	};
}

/* Take over contribution @f; its unit number must be the number of those added before. */
void assembly_add(struct assembly *a, struct unit_btf *f);

/*
 * All contributions are there: resolve ambiguous names. Returns the units whose raw records
 * assembly_set_raw() must add, ascending: they need exact dedup, and the pool does not tell how their
 * types refer to each other (pool_copies_suffice()). The caller frees the array.
 */
size_t assembly_resolve(struct assembly *a, uint32_t **ret_units);
/* Take over @e, the records of @unit. */
void assembly_set_raw(struct assembly *a, uint32_t unit, struct raw_unit *e);
/* Take over @n, of @unit, which must be the only one. */
void assembly_set_note(struct assembly *a, uint32_t unit, struct member_note *n);

/* After assembly_resolve(): keep the lists of types that later steps need. */
void assembly_forget_lists(struct assembly *a);

/*
 * Make the BTF in the byte order of the first file. No type at all gives an empty *ret,
 * unless there is a base. ERR_LIMIT if it does not fit into BTF, ERR_FORMAT if the base
 * cannot be distilled. *ret is the caller's to release, and zero on an error.
 */
MUST_CHECK struct err *assembly_finish(struct assembly *a, struct diagnostics *diags,
				       struct encoded *ret);

#endif
