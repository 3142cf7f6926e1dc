/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_random_graphs.c - on random programs, the fast ways give what the slow one says
 *
 * Two things are compared with tests/lib/slow_dedup.h: dedup_run(), and what is made of an archive,
 * where the pool finds most of what is equal and the rule is asked about the rest. Alone and over a
 * base, records and strings.
 *
 *	BTFENC_GRAPHS=100000 BTFENC_SEED=1 build/tests/unit_tests --file=t_random_graphs
 *
 * BTFENC_KEEP=FOLDER keeps the first that differs, and what it should be.
 */
#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "btf/btf_view.h"
#include "dedup/base/base_cache.h"
#include "dedup/dedup.h"
#include "encoder/encode.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/random_units.h"
#include "tests/lib/slow_dedup.h"
#include "tests/lib/testlib.h"

#include <sys/mman.h>
#include <unistd.h>

enum { MAX_UNITS = 8, SLOW_BUDGET = 1000000 };

/* The names of all there is, in the order of their first use. */
struct names {
	uint32_t offset[RANDOM_NAMES + 1]; /* 0: not used yet */
	char text[64];
	uint32_t len, base;
};

struct graph {
	struct random_program program;
	uint64_t seed;
	struct btf_types units[MAX_UNITS];
	uint32_t nr_units;
	/* one behind the other; with a base, the first of them is there */
	struct btf_types base, all;
	bool has_base;
	uint32_t nr_in_base;
};

static void graph_release(struct graph *g)
{
	for (uint32_t u = 0; u < g->nr_units; u++)
		btf_types_release(&g->units[u]);
	btf_types_release(&g->all);
	btf_types_release(&g->base);
}

/*
 * The types of a program, those of its first units in a base if @over_base. @rates: instead of those of @seed. @sites:
 * units also have sites of inlined functions.
 */
static void graph_make(struct graph *g, uint64_t seed, const struct random_rates *rates,
		       bool over_base, bool sites)
{
	struct rnd r = rnd_part(seed, 1);

	*g = (struct graph){ .seed = seed, .has_base = over_base };
	random_program(&g->program, seed);
	if (rates)
		g->program.rates = *rates;
	g->nr_units = 1 + over_base + rnd_below(&g->program.r, MAX_UNITS - over_base);
	for (uint32_t u = 0; u < g->nr_units; u++) {
		btf_types_init(&g->units[u], NULL);
		random_unit(&g->program, &g->units[u]);
		if (sites)
			random_sites(&r, &g->units[u]);
	}
	btf_types_init(&g->base, NULL);
	if (over_base) {
		g->nr_in_base = 1 + rnd_below(&g->program.r, g->nr_units - 1);
		for (uint32_t u = 0; u < g->nr_in_base; u++)
			append_types(&g->base, &g->units[u]);
	}
	btf_types_init(&g->all, over_base ? &g->base : NULL);
}

static void append_units(struct graph *g)
{
	for (uint32_t u = g->nr_in_base; u < g->nr_units; u++)
		append_types(&g->all, &g->units[u]);
}

/* --- dedup_run() -------------------------------------------------------------------------- */

static void check_dedup_run(uint64_t seed, const struct random_rates *rates, bool over_base,
			    uint32_t *given_up)
{
	CLEANUP(graph_release) struct graph g;
	CLEANUP(btf_types_release) struct btf_types want = { 0 };
	const struct dedup_opts opts = {
		.base_typedefs = seed & 1,
		.classes_first = rates || seed & 2,
	};

	graph_make(&g, seed, rates, over_base, true);
	append_units(&g);
	copy_types(&want, &g.all);

	enum slow_end how = slow_dedup(&want, opts.base_typedefs, SLOW_BUDGET);
	struct err *e = dedup_run(&g.all, &opts);
	bool refused = e != NULL;
	err_free(e);
	if (how == SLOW_GAVE_UP)
		++*given_up;
	else if (refused != (how == SLOW_REFUSED) || (!refused && !same_types(&g.all, &want)))
		test_fail(__FILE__, __LINE__, "seed %llu%s: the results differ",
			  (unsigned long long)seed, over_base ? ", over a base" : "");
}

TEST(a_list_of_types_is_merged_as_the_slow_way_does_it)
{
	uint64_t seed = test_setting("BTFENC_SEED", 1), nr = test_setting("BTFENC_GRAPHS", 3000);
	uint32_t given_up = 0;

	for (uint64_t end = seed + nr; seed < end; seed++)
		check_dedup_run(seed, NULL, seed % 4 == 3, &given_up);
	printf("# %llu graphs, of %u nobody knows\n", (unsigned long long)nr, given_up);
	CHECK(given_up <= nr / 100);
}

/* Declarations and definitions of one name make that equality is not transitive. */
TEST(types_that_are_declared_and_defined_are_merged_as_the_slow_way_does_it)
{
	static const struct random_rates rates[] = {
		{ .declared = 4, .twice = 10, .version = 0 },
		{ .declared = 6, .twice = 4, .version = 4 },
		{ .declared = 4, .twice = 0, .version = 3 },
	};
	uint64_t seed = test_setting("BTFENC_SEED", 1), nr = test_setting("BTFENC_GRAPHS", 3000);
	uint32_t given_up = 0;

	for (uint64_t end = seed + nr; seed < end; seed++)
		check_dedup_run(seed, &rates[seed % ARRAY_SIZE(rates)], seed & 1, &given_up);
	CHECK(given_up <= nr / 100);
}

/* --- an archive --------------------------------------------------------------------------- */

static uint32_t name_offset(struct names *n, uint32_t name)
{
	if (name && !n->offset[name]) {
		size_t len = strlen(random_name(name)) + 1;

		n->offset[name] = n->base + n->len;
		memcpy(n->text + n->len, random_name(name), len);
		n->len += (uint32_t)len;
	}
	return n->offset[name];
}

/* Put the names that @t uses into @n. */
static void use_names(struct names *n, const struct btf_types *t)
{
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		btf_rec_each_name(btf_types_rec(t, id), name) name_offset(n, *name);
	}
}

/* @t as the bytes of a section, whose strings are all of @n. */
static struct bytes image_of(const struct btf_types *t, const struct names *n)
{
	const struct bytes strings = { (const uint8_t *)n->text, n->len };
	CLEANUP(btf_types_release) struct btf_types copy;
	uint8_t *ptr = NULL;
	size_t len = 0;

	copy_types(&copy, t);
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		btf_rec_each_name(btf_types_rec(&copy, id), name) *name = n->offset[*name];
	}
	CHECK_OK(btf_serialize(&copy, strings, &(struct btf_serialize_opts){ 0 }, &ptr, &len));
	return (struct bytes){ ptr, len };
}

static int memory_file(char path[32])
{
	int fd = memfd_create("graph", MFD_CLOEXEC);

	CHECK(fd >= 0);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static void put_image(int fd, const struct btf_types *t, const struct names *n)
{
	struct bytes image = image_of(t, n);

	CHECK(write(fd, image.ptr, image.len) == (ssize_t)image.len);
	free((void *)(uintptr_t)image.ptr);
}

/* Members have what their unit says, each with the strings that it uses. */
static void put_members(int fd, const struct graph *g)
{
	for (uint32_t u = g->nr_in_base; u < g->nr_units; u++) {
		struct names own = { .len = 1 };

		use_names(&own, &g->units[u]);
		put_image(fd, &g->units[u], &own);
	}
}

static void encode(const struct graph *g, const struct btf_input *base, bool by_rule,
		   struct encode_result *ret)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	const struct encode_opts opts = {
		.features = FEATURE_ENCODE_FORCE | FEATURE_FLOAT | FEATURE_DECL_TAG |
			    FEATURE_TYPE_TAG | FEATURE_ENUM64 |
			    (g->seed & 1 ? (uint32_t)FEATURE_BASE_TYPEDEFS : 0),
		.jobs = g->seed % 16 == 5 ? 4 : 1,
		.dedup_by_rule = by_rule,
		.unchecked = true,
	};
	char path[32];
	int fd = memory_file(path);
	const struct file_ref file = file_ref_of(path);
	const struct encode_request request = {
		.files = &file, .nr = 1, .from = ENCODE_FROM_BTF, .base = base
	};

	put_members(fd, g);
	CHECK_OK(encode_files(&request, &opts, &diags, ret));
	close(fd);
}

/* BTFENC_KEEP names a folder for what differs. */
static void keep(const struct graph *g, const char *name, struct bytes b)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
	const char *folder = getenv("BTFENC_KEEP");
	char path[4096];

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%llu.%s", folder, (unsigned long long)g->seed, name);
	FILE *f = fopen(path, "wb");
	CHECK(f && fwrite(b.ptr, 1, b.len, f) == b.len);
	fclose(f);
}

static void keep_units(const struct graph *g)
{
	for (uint32_t u = g->nr_in_base; u < g->nr_units; u++) {
		struct names own = { .len = 1 };
		char name[16];

		use_names(&own, &g->units[u]);
		struct bytes image = image_of(&g->units[u], &own);
		snprintf(name, sizeof(name), "unit%u", u);
		keep(g, name, image);
		free((void *)(uintptr_t)image.ptr);
	}
}

static struct err *share_base(struct btf_input *base, bool typedefs, struct base_cache *cache)
{
	base->cache = cache;
	return base_cache_make(&base->view, typedefs, cache);
}

/* Put the base, merged, into @ret, and its names into @names. False if the rules do not define the result. */
static bool make_base(struct graph *g, struct names *names, struct btf_input *ret,
		      struct base_cache *cache)
{
	char path[32];

	if (slow_dedup(&g->base, true, SLOW_BUDGET) != SLOW_DONE)
		return false;
	btf_types_release(&g->all);
	btf_types_init(&g->all, &g->base);
	use_names(names, &g->base);

	int fd = memory_file(path);
	put_image(fd, &g->base, names);
	CHECK_OK(btf_input_open(path, NULL, ret));
	close(fd);
	if (g->seed & 8)
		CHECK_OK(share_base(ret, g->seed & 1, cache));
	names->base = names->len;
	names->len = 0;
	return true;
}

/* @by_rule: ask the rule about every type; else the pool about most. */
static void check_encoded(const struct graph *g, const struct btf_input *base, struct bytes want,
			  bool by_rule)
{
	CLEANUP(encode_result_release) struct encode_result made = { 0 };

	encode(g, base, by_rule, &made);
	if (made.btf_len == want.len && !memcmp(made.btf, want.ptr, want.len))
		return;
	if (base)
		keep(g, "base", (struct bytes){ base->raw.ptr, base->raw.len });
	keep(g, "want", want);
	keep(g, by_rule ? "rule" : "pool", (struct bytes){ made.btf, made.btf_len });
	keep_units(g);
	test_fail(__FILE__, __LINE__, "seed %llu%s: %s has another result",
		  (unsigned long long)g->seed, base ? ", over a base" : "",
		  by_rule ? "the rule" : "the pool");
}

static void check_archive(uint64_t seed, bool over_base, uint32_t *given_up)
{
	CLEANUP(graph_release) struct graph g;
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(base_cache_release) struct base_cache cache = { 0 };
	struct names names = { .len = 1 };

	graph_make(&g, seed, NULL, over_base, false);
	bool known = !over_base || make_base(&g, &names, &base, &cache);
	append_units(&g);
	use_names(&names, &g.all);
	if (!known || slow_dedup(&g.all, seed & 1, SLOW_BUDGET) != SLOW_DONE) {
		++*given_up;
		return;
	}

	struct bytes want = image_of(&g.all, &names);
	check_encoded(&g, over_base ? &base : NULL, want, false);
	check_encoded(&g, over_base ? &base : NULL, want, true);
	free((void *)(uintptr_t)want.ptr);
}

TEST(an_archive_gives_what_the_slow_way_makes_of_its_members)
{
	uint64_t seed = test_setting("BTFENC_SEED", 1), nr = test_setting("BTFENC_GRAPHS", 3000);
	uint32_t given_up = 0;

	for (uint64_t end = seed + nr; seed < end; seed++)
		check_archive(seed, seed % 4 == 3, &given_up);
	printf("# %llu graphs, of %u nobody knows\n", (unsigned long long)nr, given_up);
	CHECK(given_up <= nr / 100);
}

/* Each of these showed something that no program before it had. */
TEST(what_has_differed_once_is_as_it_should_be)
{
	static const uint64_t seeds[] = { 29565,   107659,  208111,  310603,  376668,  707906,
					  763394,  788683,  848426,  897369,  902126,  935067,
					  1014052, 1039791, 2017327, 3070395, 4416995, 5045789,
					  5098937, 6110910, 6197169, 6241238, 6494020, 7254854,
					  7371232, 7407005, 8230362, 5129810 };
	uint32_t given_up = 0;

	for (size_t i = 0; i < ARRAY_SIZE(seeds); i++) {
		check_dedup_run(seeds[i], NULL, seeds[i] % 4 == 3, &given_up);
		check_archive(seeds[i], seeds[i] % 4 == 3, &given_up);
	}
	CHECK_EQ(given_up, 0);
}
