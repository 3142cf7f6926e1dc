/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_show.c - whatever btf_view_open() takes is printed, or refused with a message
 *
 * The first byte says how. Each type is tried in every form, so that the first that is refused does
 * not hide the others; the room for text is small.
 */
#include "tests/fuzz/fuzz.h"

#include "cmd/print/sites.h"
#include "show/layout.h"
#include "show/listing.h"

#include <stdlib.h>

enum { ROOM = 1 << 16 };

static void drop(struct err *e)
{
	/* every message says where */
	if (e && !strstr(err_text(e), "type "))
		abort();
	err_free(e);
}

static bool is_printed(enum btf_kind kind)
{
	return kind == BTF_STRUCT || kind == BTF_UNION || kind == BTF_ENUM || kind == BTF_ENUM64 ||
	       kind == BTF_TYPEDEF || kind == BTF_FWD;
}

static void print_each(struct show_types *t, const struct print_style *style)
{
	struct text text = { 0 };

	for (uint32_t id = 1; id < t->end; id++) {
		struct print_limits limits = print_limits_for(0, &text);
		struct printer p = { .types = t, .text = &text, .style = style, .limits = &limits };

		limits.type_bytes = ROOM;

		if (is_printed(types_kind(t, id)))
			drop(print_type(&p, id, NULL, NULL));
		if (p.types->failure)
			abort();
		text.nr = 0;
	}
	text_release(&text);
}

static void list(struct show_types *t, const struct listing_opts *opts)
{
	struct text text = { 0 };
	struct listing l;
	struct wanted wanted[] = { { .name = "s" }, { .name = "t" }, { .name = "s" } };

	listing_init(&l, opts, &text);
	for (enum listing_what what = SHOW_ALL; what <= SHOW_POINTERS; what++)
		drop(listing_put(&l, t, what, wanted, ARRAY_SIZE(wanted)));
	drop(listing_end(&l));
	listing_release(&l);
	text_release(&text);
}

/* The machine is that of the last byte. */
static void print_sites(const struct btf_view *v, uint8_t machine)
{
	const uint32_t end = btf_types_end(&v->types);
	struct addr_symbols none = { 0 };
	struct object obj = { .machine = machine, .addr_size = 8 };
	struct kprobe_places places = { .o = &obj };
	struct inline_sites sites = { 0 };
	struct text text = { 0 };
	struct sites_view view = { .btf = v, .obj = &obj, .symbols = &none, .path = "" };

	view.types = mem_zalloc(end, sizeof(view.types[0]));
	struct err *e = inline_sites_read(v, 1, &obj, &sites);
	for (size_t i = 0; !e && i < sites.nr && text.nr < ROOM; i++) {
		sites_print(&text, &view, &sites.items[i]);
		json_site(&text, &view, &sites.items[i]);
	}
	if (!e && sites.nr && sites.nr < 64)
		sites_bpftrace(&text, &view, sites.items, sites.nr, &places, NULL);
	drop(e);
	for (uint32_t id = 0; id < end; id++)
		free(view.types[id]);
	free(view.types);
	inline_sites_release(&sites);
	text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf_view v = { 0 };
	struct show_types t;
	struct listing_opts opts = { .separator = '\t', .enumerator = "a" };

	/* what is printed can be much longer */
	if (size < 1 || size > 4096)
		return 0;
	opts.style = (struct print_style){
		.cacheline = data[0] & 1 ? 64 : 1,
		.expand = data[0] & 2,
		.hex = data[0] & 4,
		.relative = data[0] & 8,
		.quiet = (data[0] & 0x30) == 0x30,
		.expand_pointers = data[0] & 0x10,
		.flat_arrays = data[0] & 0x20,
		.biggest = data[0] & 0x40,
		.decl_info = data[0] & 0x80,
	};
	opts.filter = (struct filter){
		.anonymous = data[0] & 0x10,
		.holes = data[0] & 0x20 ? 1 : 0,
		.include = data[0] & 0x40 ? "s" : NULL,
	};
	opts.form = data[0] & 0x80 ? LISTING_SIZES : data[0] & 4 ? LISTING_TEXT : LISTING_TIMES;
	opts.compilable = data[0] & 8;
	/* --sort and -a cannot be combined */
	opts.sort = data[0] & 0x20 && !opts.filter.anonymous && opts.form != LISTING_TIMES;
	opts.recursive = opts.nested_anonymous = true;

	struct err *e = btf_view_open((struct bytes){ data + 1, size - 1 }, NULL, &v);
	if (e) {
		err_free(e);
		return 0;
	}
	types_init(&t, &v, data[0] & 1 ? 4 : 0);
	print_each(&t, &opts.style);
	list(&t, &opts);
	print_sites(&v, data[size - 1]);
	types_release(&t);
	btf_view_release(&v);
	return 0;
}
