/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assembly.h - combine the contributions of all units into one BTF
 *
 * DWARF and archives both arrive here as contributions, in the order of the input:
 *
 *	assembly_add()		adds each contribution
 *	assembly_resolve()	resolves ambiguous names (dedup/ambiguous/), and selects functions
 *	assembly_set_raw()	adds the raw records of units for which the pool does not suffice
 *	assembly_finish()	selects variables, deduplicates, serializes
 */
#ifndef BTFENC_ENCODER_EMIT_ASSEMBLY_H
#define BTFENC_ENCODER_EMIT_ASSEMBLY_H

#include "base/hash_table.h"
#include "base/vec.h"
#include "dedup/ambiguous/ambiguous.h"
#include "encoder/emit/encoded.h"
#include "encoder/member/unit_facts.h"
#include "encoder/select/func_select.h"
#include "encoder/unit/run.h"
#include "encoder/unit/unit_btf.h"
#include "loader/btf/btf_input.h"
#include "loader/elf/object.h"

struct assembly_unit {
	struct unit_btf btf;
	size_t list_at;           /* where its types begin in assembly.lists */
	struct raw_unit *raw;     /* owned; NULL if the pool suffices */
	struct unit_facts *facts; /* owned; NULL if they are not wanted */
	struct raw_unit
		*own_types; /* owned; with @facts: its types, if the result does not suffice */
	bool needs_exact;   /* it has records of its own (ambiguous.h) */
	/* used by assembly_finish(): */
	uint32_t *ids;         /* if needs_exact, by number: the id of its own record, or 0 */
	struct hash_table own; /* these ids by pool_ref; not if @raw */
	uint32_t vars;         /* id of its first VAR */
};

/* Owns its contributions and pools. Prepare with assembly_init(). */
struct assembly {
	const struct encode_opts *opts;
	const struct btf_input *base; /* borrowed; NULL: not split */
	uint32_t image_size;          /* the least number of bytes of the result */
	/* some unit is not C or lacks parts, so the result may break rules of the kernel */
	bool incomplete;
	/* the units are members that count as one unit, as they would if read from DWARF (docs/spec/encoding.md 3.2) */
	bool as_one;
	struct str_pool strings;
	struct type_pool types;
	VEC(struct func_file) files;
	/* by unit number */
	VEC(struct assembly_unit) units;
	struct id_words lists; /* unit_btf.packed of all units, until assembly_unpack_lists() */
	struct func_select funcs;
	struct func_choice chosen;      /* of @funcs; from assembly_resolve() on */
	struct omissions *omissions;    /* borrowed; NULL: no report is wanted */
	struct resolved_names resolved; /* zero if all units are raw */
	uint32_t *mapped_to_base; /* by pool id: the id in the base (map_to_base.h); or NULL */
	/*
	 * The index type of all arrays (docs/spec/encoding.md 6.6): the first unit that has an
	 * "int" provides it, or the first that has an array gets one of its own.
	 */
	bool have_index, own_index;
	uint32_t index_unit;
	unit_tid index_tid;
};

void assembly_unit_release(struct assembly_unit *u);
void assembly_init(struct assembly *a, const struct encode_opts *opts);
void assembly_release(struct assembly *a);

/* The log for omissions. Borrows both. */
static inline struct omission_log assembly_log(struct assembly *a, struct diagnostics *diags)
{
	return (struct omission_log){
		.diags = diags,
		.strings = &a->strings,
		.list = a->omissions,
	};
}

/* Take over contribution @f. Units are added in the order of their numbers. */
void assembly_add(struct assembly *a, struct unit_btf *f);

/*
 * Resolve ambiguous names, when all contributions are added, and beside that select the functions. Returns the units
 * whose raw records are needed, sorted: those that need exact deduplication and for which the pool does not suffice.
 * With dedup_by_rule these are all units, and no name is resolved. The caller frees the array. @diags gets the
 * diagnostics of the units, and of the selection.
 */
size_t assembly_resolve(struct assembly *a, struct diagnostics *diags, uint32_t **ret_units);

/* How many threads are worth their cost for a pass over @nr records. */
unsigned int assembly_jobs(const struct assembly *a, size_t nr);

/* Take over @raw, the records of @unit, which is on the heap. */
static inline void assembly_set_raw(struct assembly *a, uint32_t unit, struct raw_unit *raw)
{
	a->units.items[unit].raw = raw;
}

/* Take over @facts of @unit, and its types if the result does not have them as they are, else NULL. All are on the heap. */
static inline void assembly_set_facts(struct assembly *a, uint32_t unit, struct unit_facts *facts,
				      struct raw_unit *own_types)
{
	a->units.items[unit].facts = facts;
	a->units.items[unit].own_types = own_types;
}

/* Names are resolved: unpack the lists of types of the units that still need them, and drop all packed lists. */
void assembly_unpack_lists(struct assembly *a);

/*
 * Make the BTF, in the byte order of the first file. Without any type and without a base, *ret is
 * empty. ERR_LIMIT if it does not fit into BTF, ERR_FORMAT if the base cannot be distilled. The
 * caller releases *ret, which is zeroed on an error.
 */
MUST_CHECK struct err *assembly_finish(struct assembly *a, struct diagnostics *diags,
				       struct encoded *ret);

#endif
