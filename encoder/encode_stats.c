/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * encode_stats.c - see encode_stats.h
 *
 * A type that several units have is in the pool once, with the first place that has it, so a unit
 * has a type first if the type's place is there. Types that differ only by references by name count
 * as one, even if a name has two meanings (dedup/ambiguous/).
 */
#include "encoder/encode_stats.h"

#include "base/vec.h"
#include "encoder/program/program.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void measure(struct encode_phase *p)
{
	struct rusage usage = { 0 };
	struct timespec now = { 0 };

	getrusage(RUSAGE_SELF, &usage);
	clock_gettime(CLOCK_MONOTONIC, &now);
	p->wall = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
	p->cpu = seconds(&usage.ru_utime) + seconds(&usage.ru_stime);
	p->peak = (uint64_t)usage.ru_maxrss * 1024;
}

void encode_stats_begin(struct encode_stats *s)
{
	struct encode_phase now = { 0 };

	if (!s)
		return;
	measure(&now);
	s->phases.nr = s->units.nr = 0;
	s->all = s->first_seen = (struct encode_count){ 0 };
	arena_reset(&s->names);
	s->wall = now.wall;
	s->cpu = now.cpu;
}

void encode_stats_phase(struct encode_stats *s, const char *name)
{
	struct encode_phase p = { .name = name };
	double wall, cpu;

	if (!s)
		return;
	measure(&p);
	wall = p.wall;
	cpu = p.cpu;
	p.wall -= s->wall;
	p.cpu -= s->cpu;
	s->wall = wall;
	s->cpu = cpu;
	vec_push(&s->phases, p);
}

static void add(struct encode_count *to, uint32_t nr, uint64_t bytes)
{
	to->nr += nr;
	to->bytes += bytes;
}

static void count_unit(const struct program *p, const struct program_unit *from,
		       struct encode_unit *u)
{
	const struct unit_btf *f = &from->btf;
	const struct id_list types = { p->lists.items + from->list_at, f->types.nr };

	id_list_each(types, t)
	{
		const struct pool_type *type;
		uint64_t place, bytes;

		if (!t.id)
			continue; /* void, and the index type of arrays, which is none of theirs */
		type = type_pool_at(&p->types, t.id);
		place = pool_type_place(type);
		bytes = type->nr * sizeof(type->rec[0]);
		add(&u->all, 1, bytes);
		if (pool_place_unit(place) == f->unit && pool_place_index(place) == t.index)
			add(&u->first_seen, 1, bytes);
	}
}

void encode_stats_units(struct encode_stats *s, const struct program *p)
{
	if (!s)
		return;
	for (size_t i = 0; i < p->units.nr; i++) {
		const struct unit_btf *f = &p->units.items[i].btf;
		const char *name = str_pool_text(&p->strings, f->name);
		struct encode_unit u = { .name = arena_strndup(&s->names, name, strlen(name)) };

		count_unit(p, &p->units.items[i], &u);
		add(&s->all, u.all.nr, u.all.bytes);
		add(&s->first_seen, u.first_seen.nr, u.first_seen.bytes);
		vec_push(&s->units, u);
	}
}

void encode_stats_release(struct encode_stats *s)
{
	free(s->phases.items);
	free(s->units.items);
	arena_release(&s->names);
	*s = (struct encode_stats){ 0 };
}
