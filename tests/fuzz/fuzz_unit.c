/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_unit.c - any debug sections, through the reader and the encoder to BTF
 *
 * The object around them is made up: two functions, one section of variables. Whatever
 * the units say, what comes out is BTF that opens.
 */
#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "btf/btf_view.h"
#include "encoder/encode.h"
#include "encoder/program/passes.h"
#include "encoder/unit/unit_from_cu.h"
#include "loader/dwarf/dw_read_cu.h"
#include "tests/fuzz/fuzz_input.h"

#include <elf.h>

struct world {
	struct encode_opts opts;
	struct encode_request request;
	struct diagnostics diags;
	struct input input;
	struct program program;
	uint32_t func_names[2], func_by_name[3];
	struct run run;
};

static void add_raw(struct world *w, uint32_t unit, struct unit_encoder *m, const struct cu *cu)
{
	struct raw_unit raw = { 0 };

	raw_unit_from_cu(m, cu, &raw);
	w->program.units.items[unit].raw = mem_dup(&raw, sizeof(raw));
}

static struct err *add_units(struct world *w, struct dw_reader *r, struct unit_encoder *m,
			     struct cu *cu)
{
	struct program *p = &w->program;
	size_t nr = dw_file_nr_readings(&w->input.dwarf);

	for (size_t i = 0; i < nr; i++) {
		struct unit_btf f = { .unit = (uint32_t)i };
		bool wanted = false;

		if (i && i == w->input.dwarf.units.nr)
			dw_file_find_left(&w->input.dwarf);
		TRY(dw_read_cu(r, i, cu, &wanted));
		if (wanted)
			TRY(unit_from_cu(m, cu, (uint32_t)i, &f, NULL));
		program_add_unit(p, &f);
	}
	resolve_names(p);
	for (size_t i = 0; i < p->raw_units.nr; i++) {
		uint32_t unit = p->raw_units.items[i];
		bool wanted = false;

		TRY(dw_read_cu(r, unit, cu, &wanted));
		add_raw(w, unit, m, cu);
	}
	return NULL;
}

static void check_result(struct world *w)
{
	const struct encode_result *made = &w->program.result;
	struct btf_view view = { 0 };

	struct err *e = make_result(&w->program);
	if (!e && made->btf) {
		e = btf_view_open((struct bytes){ made->btf, made->btf_len }, NULL, &view);
		if (e)
			abort();
		btf_view_release(&view);
	}
	err_free(e);
}

static void encode(struct world *w)
{
	const struct dw_read_opts read = {
		.type_tags = feature_on(&w->opts, FEATURE_TYPE_TAG),
		.decl_tags = feature_on(&w->opts, FEATURE_DECL_TAG),
		.vars = true,
		.variants = feature_on(&w->opts, FEATURE_RUST_VARIANTS),
		.enum_funcs = true,
		.func_names_end = 3,
	};
	struct dw_reader *r = dw_reader_new(&w->input.dwarf, &read);
	struct unit_encoder *m = unit_encoder_new(&w->run);
	struct cu cu = { 0 };

	struct err *e = add_units(w, r, m, &cu);
	dw_reader_free(r);
	unit_encoder_free(m);
	cu_release(&cu);
	if (!e)
		check_result(w);
	err_free(e);
}

static void make_world(struct world *w, struct fuzz_input *in)
{
	static struct func_symbol addrs[] = { { .name = "f", .value = 0x100 },
					      { .name = "main", .value = 0x200 } };
	static struct func_entry funcs[] = {
		{ .name = "f", .name_len = 1, .nr = 1 },
		{ .name = "main", .name_len = 4, .first = 1, .nr = 1 }
	};
	static struct object_section sections[] = { { .name = "" },
						    { .name = ".data",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC,
						      .debug_addr = 0x1000,
						      .size = 0x1000 } };
	static const bool var_sections[] = { false, true };
	uint32_t shape = fuzz_byte(in);

	w->opts.features = (FEATURE_LAYOUT << 1) - 1;
	w->opts.jobs = 1;
	if (shape & 1)
		w->opts.features &= ~(uint32_t)(FEATURE_ENUM64 | FEATURE_FLOAT | FEATURE_TYPE_TAG);
	w->opts.dedup_by_rule = shape & 2;
	w->input.obj = (struct object){
		.path = "no/such/folder/file", /* of which a skeleton may look for the rest */
		.swap = shape & 4,
		.addr_size = 8,
		.machine = EM_X86_64,
		.sections = sections,
		.nr_sections = ARRAY_SIZE(sections)
	};
	fuzz_debug_sections(in, &w->input.obj);
	w->input.syms = (struct symbols){ .funcs = funcs,
					  .nr_funcs = 2,
					  .func_symbols = addrs,
					  .nr_func_symbols = 2,
					  .have_symtab = true };
	section_map_make(&w->input.obj, &w->input.section_map);
	program_init(&w->program, &w->request, &w->opts, &w->diags);
	for (uint32_t i = 0; i < 2; i++) {
		w->func_names[i] = str_pool_add(&w->program.strings, funcs[i].name,
						funcs[i].name_len);
		w->func_by_name[w->func_names[i]] = i + 1;
	}
	w->input.func_names = w->func_names;
	w->program.inputs = &w->input;
	w->program.nr_inputs = 1;
	w->program.int_name = str_pool_add(&w->program.strings, "int", 3);
	w->run = (struct run){
		.opts = &w->opts,
		.strings = &w->program.strings,
		.types = &w->program.types,
		.obj = &w->input.obj,
		.syms = &w->input.syms,
		.func_by_name = w->func_by_name,
		.func_names_end = ARRAY_SIZE(w->func_by_name),
		.regs = regs_for_machine(EM_X86_64, 8),
		.int_name = w->program.int_name,
		.fake_int = str_pool_add(&w->program.strings, "__SANITIZED_FAKE_INT__", 22),
		.var_sections = var_sections,
		.section_map = &w->input.section_map,
	};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct world w = { 0 };

	const struct dw_open_opts open = { 0 };

	make_world(&w, &in);
	struct err *e = dw_file_open(&w.input.obj, &w.program.strings, &open, &w.diags,
				     &w.input.dwarf);
	if (!e)
		encode(&w);
	err_free(e);
	/* it does not own the input */
	w.program.inputs = NULL;
	w.program.nr_inputs = 0;
	program_release(&w.program);
	dw_file_close(&w.input.dwarf);
	section_map_release(&w.input.section_map);
	diag_release(&w.diags);
	fuzz_release_sections(&w.input.obj);
	return 0;
}
