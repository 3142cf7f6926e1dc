/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place_match.h - which local symbols of the linked file are a unit's static variables
 *
 * Static variables of many units have one name. The inside of var_place.h.
 */
#ifndef BTFENC_ENCODER_PLACE_PLACE_MATCH_H
#define BTFENC_ENCODER_PLACE_PLACE_MATCH_H

#include "encoder/place/var_place.h"

enum { PLACE_NONE = UINT32_MAX };

/* A local symbol that has the name of a static variable. */
struct place_sym {
	uint32_t name;  /* string id */
	uint32_t file;  /* of place_match.files */
	uint32_t group; /* which STT_FILE symbol stands before it, counted from 1 on */
	uint32_t section;
	uint32_t symbol; /* in symbols.all */
	uint64_t value, size;
};

/* One way to have the symbols sorted. */
struct place_key {
	uint32_t name, file, group;
	uint32_t sym; /* in place_match.syms, which are sorted by place */
};

/* One for each symbol. */
struct place_keys {
	struct place_key *items;
};

/* What follows one STT_FILE symbol: the local symbols of one object, or of several without one. */
struct place_group {
	uint32_t file;
	uint32_t unit; /* whose it is, or PLACE_NONE */
	uint32_t nr_syms;
};

struct place_unit_state {
	uint32_t file;     /* 0: not known */
	uint32_t group;    /* PLACE_NONE: not known */
	uint32_t namesake; /* the group of its file, if there is one only, and no unit beside it */
	uint32_t from, to; /* groups that it can be by those before and behind it: [@from, @to) */
	uint32_t first_home, nr_homes; /* in place_match.by_unit */
	uint32_t nr_statics;
	bool loose; /* it has no group of its own: its homes stand for themselves */
};

/* A place in the linked file. */
struct place_at {
	uint32_t section;
	uint64_t value;
};

#define PLACE_END ((struct place_at){ UINT32_MAX, UINT64_MAX })

static inline bool place_before(struct place_at a, struct place_at b)
{
	return a.section != b.section ? a.section < b.section : a.value < b.value;
}

struct place_home_state {
	bool solved;
	bool known;  /* by its global variables */
	bool merged; /* equal constants in such sections become one: it does not move as a whole */
	bool in_order;            /* solved or known, and no other home says that it cannot be */
	struct place_at start;    /* if solved or known: of a symbol at offset 0 of the home */
	struct place_at from, to; /* where it can be, by those before and behind it */
	/*
	 * The static variable with the fewest symbols that may be its own, but at least one:
	 * which of the home's, or PLACE_NONE; and how many they are.
	 */
	uint32_t rarest, nr_rarest;
};

/* Borrows the input. */
struct place_match {
	const struct place_unit *units;
	const struct place_home *homes;
	size_t nr_units, nr_homes;
	const uint32_t *globals; /* by string id: index in symbols.all + 1 of the non-local one */
	const uint8_t
		*nr_defs; /* by string id: how many units define such a global one, at most 2 */
	const struct symbols *symtab;
	/* by string id: where the keys of a name begin in each list; one more */
	uint32_t *name_start;
	uint8_t *nr_statics; /* by string id: how many homes have such a static one, at most 2 */
	/* sorted by section and value */
	struct {
		struct place_sym *items;
		size_t nr, cap;
	} syms;
	struct {
		struct place_group *items;
		size_t nr, cap;
	} groups;
	struct place_keys in_group;      /* by name, group, place; file is 0 */
	struct place_keys in_file_group; /* by name, file, group, place */
	struct place_keys at_place;      /* by name, place; file and group are 0 */
	struct place_keys in_file;       /* by name, file, place; group is 0 */
	struct place_unit_state *unit_states;
	struct place_home_state *home_states;
	uint32_t *by_unit; /* homes, by unit and number */
	uint32_t *by_name; /* homes, by name of the section, unit, number */
	/* by the last look: how many homes are known, and how many of them in order */
	size_t nr_known, nr_in_order;
	/* the linker left out homes of a unit that it has not left out as a whole */
	bool lossy;
	/* fewer symbols have a name than units: the linker left out variables, of whomever */
	bool scarce;
	uint64_t budget; /* lookups that may still be spent on what is hard to tell */
};

/* A run of keys. */
struct place_range {
	const struct place_key *items;
	size_t nr;
};

/* Why a static variable has no place. */
enum place_why {
	PLACE_OK,
	PLACE_DISCARDED, /* no symbol of its name can be it */
	PLACE_AMBIGUOUS, /* more than one can */
};

static inline const struct unit_var *place_vars(const struct place_match *m,
						const struct place_home *h)
{
	return m->units[h->unit].btf->vars.items + h->first;
}

/* Collect the symbols. @globals and all that it borrows must stay. */
void place_match_init(struct place_match *m, struct str_pool *strings);
void place_match_release(struct place_match *m);

/* Set place_home_state.rarest of all homes of @unit. */
void place_find_rarest(struct place_match *m, uint32_t unit);

/* Keys of @name in @list, and, unless it is PLACE_NONE, of @file, and so on. */
struct place_range place_range(const struct place_match *m, const struct place_keys *list,
			       uint32_t name, uint32_t file, uint32_t group);
/* The first key of @list that is not before (@name, @file, @group, @sym). */
size_t place_lower(const struct place_match *m, const struct place_keys *list, uint32_t name,
		   uint32_t file, uint32_t group, uint32_t sym);
/* The first symbol that is not before @at. */
uint32_t place_lower_sym(const struct place_match *m, struct place_at at);

/*
 * Are there symbols for all static variables of @home, in @group unless it is PLACE_NONE, if the
 * home starts at @start, and may it? A name that no symbol has is not asked for.
 */
bool place_home_fits(struct place_match *m, uint32_t home, uint32_t group, struct place_at start);
/* Where in @group does @home fit? Returns at how many places; *ret_start is one of them. */
size_t place_home_in_group(struct place_match *m, uint32_t home, uint32_t group,
			   struct place_at *ret_start);
/* How a group does for a unit. */
struct place_fit {
	uint32_t
		statics; /* how many of the unit's static variables are there; 0: it does not fit */
	uint32_t globals; /* how many global ones are beside them, as they should be */
	uint32_t others;  /* how many symbols there are which the unit does not have */
	uint32_t longer;  /* how many of the symbols of @statics are longer than their type */
	bool unique;      /* a name of a static variable that is only there, and in no other unit */
};

/* No home of @unit may be in @group in part only. */
struct place_fit place_unit_fits(struct place_match *m, uint32_t unit, uint32_t group);

/* place_order.c */

/* Find the homes whose global variables say where they are. */
void place_find_known(struct place_match *m);
/* Are homes @i and @k of m->by_name of one unit? */
bool place_same_unit(const struct place_match *m, size_t i, size_t k);
/* One past the last home of m->by_name with the name that home @first has. */
size_t place_end_of_run(const struct place_match *m, size_t first);
/*
 * Homes [@first, @end) of m->by_name have one name. Do they ascend in the order of the input, as
 * far as they are known? Then each that is not stands between two that are: its @from and @to.
 */
bool place_order_run(struct place_match *m, size_t first, size_t end);
/* The same for all names. */
void place_order_homes(struct place_match *m);
/* Are the known groups in the order of the input, and enough of them to say so? */
bool place_groups_ascend(const struct place_match *m);
/* If so, set @from and @to of units. */
void place_order_groups(struct place_match *m);

/* place_solve.c: find groups for units, and places for homes. */
void place_solve(struct place_match *m);

/*
 * Where is the global variable @v of @home, which has no symbol that is not local? Both linkers
 * make hidden ones local; lld leaves them with their object, GNU ld puts them behind all others.
 */
enum place_why place_hidden(const struct place_match *m, uint32_t home, const struct unit_var *v,
			    struct place_at *ret);
/* Where is the static variable @v of @home? */
enum place_why place_static(struct place_match *m, uint32_t home, const struct unit_var *v,
			    struct place_at *ret);

#endif
