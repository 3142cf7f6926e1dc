/* SPDX-License-Identifier: GPL-2.0-only */
/* option_table.c - see option_table.h */
#include "cmd/options/option_table.h"

#include "cmd/options/options.h"

/* A line each: */
/* clang-format off */
/* NAME, KEY, what else */
#define OUTPUT(n, k, ...) { .name = (n), .key = (k), .group = GROUP_OUTPUT, __VA_ARGS__ }
#define FEATURE(n, k, ...) { .name = (n), .key = (k), .group = GROUP_FEATURES, __VA_ARGS__ }
#define SWITCH(n, k, ...) { .name = (n), .key = (k), .group = GROUP_SWITCHES, __VA_ARGS__ }
#define INPUT(n, k, ...) { .name = (n), .key = (k), .group = GROUP_INPUT, __VA_ARGS__ }
#define REPORT(n, k, ...) { .name = (n), .key = (k), .group = GROUP_REPORTS, __VA_ARGS__ }
#define PRINT(n, k, ...) { .name = (n), .key = (k), .group = GROUP_PRINT, __VA_ARGS__ }
#define OTHER(n, k, ...) { .name = (n), .key = (k), .group = GROUP_OTHER, __VA_ARGS__ }

#define TAKES(use_, arg_name_, help_) \
	.use = (use_), .arg = ARG_NEEDED, .arg_name = (arg_name_), .help = (help_)
#define FIELD(use_, field_, arg_name_, help_) \
	TAKES(use_, arg_name_, help_), .field = offsetof(struct options, field_)
#define NUMBER(field_, least_, most_, help_) \
	FIELD(USE_NUMBER, field_, "N", help_), .least = (least_), .most = (most_)
#define SETS(field_, help_) \
	.use = USE_SET, .field = offsetof(struct options, field_), .help = (help_)
#define ACTS(action_, help_) .use = USE_ACTION, .number = (action_), .help = (help_)
#define FORM(form_, help_) .use = USE_FORM, .number = (form_), .help = (help_)
#define ON(bit, help_) .use = USE_FEATURES_ON, .number = (bit), .help = (help_)
#define OFF(bit, help_) .use = USE_FEATURES_OFF, .number = (bit), .help = (help_)

/* Accepted without effect, refused: NAME, KEY, argument */
#define IGNORED(n, k, a) \
	{ .name = (n), .key = (k), .arg = (a), .use = USE_NOTHING, .group = GROUP_NONE }
#define REFUSED(n, k, a) \
	{ .name = (n), .key = (k), .arg = (a), .use = USE_REFUSED, .group = GROUP_NONE }

/* clang-format on */

const struct option_def option_table[] = {
	OUTPUT("btf_encode", 'J', .first = true, SETS(btf_encode, "write BTF into the first FILE")),
	OUTPUT("btf_encode_detached", 0, .first = true,
	       FIELD(USE_OUTPUT, detached, "OUT", "write BTF to OUT, do not change FILE")),
	OUTPUT("btf_base", 0, .first = true,
	       TAKES(USE_BASE, "BASE", "encode only types that BASE lacks")),
	OUTPUT("kabi_prefix", 0,
	       TAKES(USE_KABI_PREFIX, "PREFIX", "shorten names PREFIX... to PREFIX")),
	OUTPUT("btf_vars_detached", 0, .ours = true,
	       FIELD(USE_OUTPUT, vars_detached, "VARS", "write unselected variables to VARS")),
	OUTPUT("btf_inline_detached", 0, .first = true, .ours = true,
	       FIELD(USE_OUTPUT, inline_detached, "SITES",
		     "write where functions are inlined to SITES")),
	OUTPUT("strip_dwarf", 0, .ours = true,
	       SETS(strip_dwarf, "with -J: remove the DWARF of the first FILE")),
	OUTPUT("btf_for_link", 0, .ours = true,
	       SETS(for_link, "with -J: write all into .debug.btf of FILE")),
	OUTPUT("btf_archive", 0, .ours = true,
	       FIELD(USE_FILE, archive, "ARCHIVE", "with -J: append BTF to ARCHIVE instead")),
	OUTPUT("launch", 0, .first = true, .ours = true,
	       SETS(launch, "run a compiler and encode its objects")),

	FEATURE("btf_features", 0, .first = true,
		TAKES(USE_FEATURE_LIST, "LIST", "enable features: default, all, NAMES, +NAMES")),
	FEATURE("features", 0, .since = 132,
		TAKES(USE_FEATURE_LIST, "LIST", "same as --btf_features")),
	FEATURE("btf_features_strict", 0,
		TAKES(USE_FEATURE_LIST_STRICT, "LIST", "same, but an unknown name is an error")),
	FEATURE("supported_btf_features", 0, .first = true,
		ACTS(ACTION_SUPPORTED_FEATURES, "print the names of features and exit")),

	SWITCH("btf_gen_all", 0, .use = USE_ALL_FEATURES, .help = "same as --btf_features=all"),
	SWITCH("btf_gen_floats", 0, ON(FEATURE_FLOAT, "enable float")),
	SWITCH("btf_gen_optimized", 0, ON(FEATURE_OPTIMIZED_FUNC, "no effect")),
	SWITCH("btf_attributes", 0, ON(FEATURE_ATTRIBUTES, "enable attributes")),
	SWITCH("btf_encode_force", 0, ON(FEATURE_ENCODE_FORCE, "enable encode_force")),
	SWITCH("reproducible_build", 0, ON(FEATURE_REPRODUCIBLE_BUILD, "no effect")),
	SWITCH("skip_encoding_btf_vars", 0, OFF(FEATURE_VAR, "disable var")),
	SWITCH("skip_encoding_btf_decl_tag", 0, OFF(FEATURE_DECL_TAG, "disable decl_tag")),
	SWITCH("skip_encoding_btf_type_tag", 0, OFF(FEATURE_TYPE_TAG, "disable type_tag")),
	SWITCH("skip_encoding_btf_enum64", 0, OFF(FEATURE_ENUM64, "disable enum64")),
	SWITCH("skip_encoding_btf_inconsistent_proto", 0,
	       ON(FEATURE_CONSISTENT_FUNC, "enable consistent_func")),
	SWITCH("skip_encoding_btf_check", 0, .ours = true,
	       SETS(encode.unchecked, "write BTF even if the kernel refuses it")),
	SWITCH("btf_functions", 0, .ours = true,
	       TAKES(USE_FUNCTIONS, "LIST", "describe only these functions, or none")),

	INPUT("format_path", 'F', .first = true,
	      TAKES(USE_FORMATS, "LIST", "formats to read: dwarf, btf")),
	INPUT("dedup_btf", 0, .ours = true, SETS(gather, "combine the BTF of the objects of FILE")),
	INPUT("lang", 0, TAKES(USE_LANG, "LIST", "read only units in these languages")),
	INPUT("lang_exclude", 0, .first = true,
	      TAKES(USE_LANG_EXCLUDE, "LIST", "do not read units in these languages")),
	INPUT("cu_exclude", 'X',
	      TAKES(USE_CU_EXCLUDE, "PREFIX", "do not read units with names PREFIX...")),

	REPORT("btf_check", 0, .first = true, .ours = true, .use = USE_CHECK, .arg = ARG_OPTIONAL,
	       .arg_name = "LINUX", .help = "check BTF like Linux 6.12, or LINUX"),
	REPORT("btf_diff", 0, .first = true, .ours = true, .use = USE_DIFF, .arg = ARG_OPTIONAL,
	       .arg_name = "WHAT", .help = "compare two FILEs; WHAT: changed, core"),
	REPORT("btf_report", 0, .first = true, .ours = true,
	       FIELD(USE_FILE, report, "OUT", "write what was omitted, and why, as JSON")),
	REPORT("btf_report_rules", 0, .ours = true,
	       TAKES(USE_REPORT_RULES, "RULES", "rules to list: names, all, loss (default)")),
	REPORT("explain", 0, .first = true, .ours = true, .use = USE_EXPLAIN, .arg = ARG_OPTIONAL,
	       .arg_name = "NAME", .help = "print what was omitted, or why NAME was"),
	REPORT("fatal", 0, .ours = true,
	       TAKES(USE_FATAL, "RULES", "fail if one of these rules omits something")),
	REPORT("btf_stats", 0, .first = true, .ours = true,
	       SETS(stats, "print sizes of kinds, types and names")),
	REPORT("inline_sites", 0, .first = true, .ours = true, .use = USE_SITES,
	       .arg = ARG_OPTIONAL, .arg_name = "FUNC",
	       .help = "print where functions, or FUNC, are inlined"),
	REPORT("bpftrace", 0, .ours = true,
	       SETS(bpftrace, "print these sites as a bpftrace program")),
	REPORT("json", 0, .first = true, .ours = true,
	       SETS(json, "print types, checks, statistics as JSON")),

	PRINT("class_name", 'C', .first = true,
	      FIELD(USE_STRING, show_named, "LIST", "print these types, functions, variables")),
	PRINT("contains", 'i',
	      FIELD(USE_STRING, show_containers, "LIST",
		    "print structs with members of these types")),
	PRINT("find_pointers_to", 'f',
	      FIELD(USE_STRING, show_pointers, "LIST", "print members that point to these types")),
	PRINT("contains_enumerator", 0,
	      FIELD(USE_STRING, show.enumerator, "NAME", "print enums with this enumerator")),
	PRINT("recursive", 'd', SETS(show.recursive, "with -i: also indirect members")),
	PRINT("skip_missing", 0, SETS(skip_missing, "with -C: ignore missing names")),
	PRINT("structs", 0, SETS(show.filter.structs, "only structs")),
	PRINT("unions", 0, SETS(show.filter.unions, "only unions")),
	PRINT("packed", 0, SETS(show.filter.packed, "only packed structs")),
	PRINT("with_flexible_array", 0,
	      SETS(show.filter.flexible, "only with a flexible array at the end")),
	PRINT("with_embedded_flexible_array", 0,
	      SETS(show.filter.embeds_flexible, "only with such a struct inside")),
	PRINT("anon_include", 'a',
	      SETS(show.filter.anonymous, "also unnamed types that a typedef names")),
	PRINT("nested_anon_include", 'A',
	      SETS(show.nested_anonymous, "with -a: also other unnamed types")),
	PRINT("exclude", 'x',
	      FIELD(USE_STRING, show.filter.exclude, "PREFIX",
		    "only names that do not begin with PREFIX")),
	PRINT("prefix_filter", 'y',
	      FIELD(USE_STRING, show.filter.include, "PREFIX",
		    "only names that begin with PREFIX")),
	PRINT("decl_exclude", 'D',
	      FIELD(USE_STRING, show.filter.decl_exclude, "PREFIX",
		    "only types declared in files not PREFIX...")),
	PRINT("holes", 'H',
	      NUMBER(show.filter.holes, 0, UINT16_MAX, "only structs with N or more holes")),
	PRINT("bit_holes", 'B',
	      NUMBER(show.filter.bit_holes, 0, UINT16_MAX,
		     "only structs with N or more bit holes")),
	PRINT("hole_size_ge", 'z',
	      FIELD(USE_HOLE_SIZE, show.filter.hole_size, "N",
		    "names of structs with holes of N or more"),
	      .most = UINT32_MAX),
	PRINT("padding_ge", 0,
	      NUMBER(show.filter.padding, 0, UINT32_MAX,
		     "only structs with N or more bytes of padding")),
	PRINT("defined_in", 'u', SETS(show.defined_in, "with -C: print the unit of each type")),
	PRINT("sizes", 's', .first = true,
	      FORM(LISTING_SIZES, "print name, size, number of holes")),
	PRINT("nr_members", 'n', FORM(LISTING_MEMBERS, "print name, number of members")),
	PRINT("class_name_len", 'N', FORM(LISTING_NAME_LENGTHS, "print name, length of the name")),
	PRINT("nr_definitions", 'T', FORM(LISTING_TIMES, "print name, number of definitions")),
	PRINT("nr_methods", 'm', FORM(LISTING_METHODS, "print name, number of parameters")),
	PRINT("separator", 't', TAKES(USE_SEPARATOR, "C", "separate columns by C; default: a tab")),
	PRINT("packable", 'P', SETS(show.filter.packable, "print what -R would save")),
	PRINT("reorganize", 'R', SETS(show.reorganize, "with -C: move members into holes")),
	PRINT("show_reorg_steps", 'S', SETS(show.reorg_steps, "with -R: also print each step")),
	PRINT("sort", 0, SETS(show.sort, "print types in the order of their names")),
	PRINT("skip", 0, NUMBER(show.skip, 0, UINT32_MAX, "leave out the first N types")),
	PRINT("count", 0, NUMBER(show.count, 0, UINT32_MAX, "print at most N types")),
	PRINT("compile", 0, SETS(show.compilable, "print types in an order that compiles")),
	PRINT("btf_header", 0, .first = true, .ours = true,
	      SETS(show_header, "print vmlinux.h for BPF programs")),
	PRINT("expand_types", 'E', .first = true,
	      SETS(show.style.expand, "print the members of members")),
	PRINT("expand_pointers", 'p',
	      SETS(show.style.expand_pointers, "print the types that members point to")),
	PRINT("show_decl_info", 'I',
	      SETS(show.style.decl_info, "print unit, file and line of each type")),
	PRINT("hex", 0, SETS(show.style.hex, "print numbers in hexadecimal")),
	PRINT("rel_offset", 'r',
	      SETS(show.style.relative, "print offsets in the innermost struct")),
	PRINT("flat_arrays", 0, SETS(show.style.flat_arrays, "print [2][3] as [6]")),
	PRINT("show_first_biggest_size_base_type_member", 'l',
	      SETS(show.style.biggest, "print the largest member")),
	PRINT("cacheline_size", 'c',
	      NUMBER(show.style.cacheline, 1, UINT16_MAX, "size of a cache line in bytes")),
	PRINT("suppress_aligned_attribute", 0,
	      SETS(show.style.no_aligned, "print no alignment attributes")),
	PRINT("suppress_packed", 0, SETS(show.style.no_packed, "print no packed attributes")),

	OTHER("jobs", 'j', .first = true, .use = USE_JOBS, .arg = ARG_OPTIONAL, .arg_name = "N",
	      .help = "use N threads; without N one per processor"),
	OTHER("quiet", 'q', .first = true, SETS(quiet, "print no comments, progress, differences")),
	OTHER("color", 0, .ours = true,
	      TAKES(USE_COLOR, "WHEN", "colors in text: auto, always, never")),
	OTHER("verbose", 'V', .first = true,
	      SETS(verbose_before, "print what is omitted; twice: each type too")),
	OTHER("compat", 0, .first = true, .ours = true,
	      TAKES(USE_COMPAT, "VERSION", "give the bytes of pahole 1.31 or 1.32")),
	OTHER("numeric_version", 0, ACTS(ACTION_NUMERIC_VERSION, "print 132 and exit")),
	OTHER("devel_version", 0, .since = 132,
	      ACTS(ACTION_DEVEL_VERSION, "print v1.32-btfenc-gCOMMIT and exit")),
	OTHER("version", 0, .first = true, ACTS(ACTION_VERSION, "print v1.32 and exit")),
	OTHER("usage", 0, ACTS(ACTION_USAGE, "print the synopsis and exit")),
	OTHER("help", 'h', .first = true, .use = USE_HELP, .arg = ARG_OPTIONAL, .arg_name = "TOPIC",
	      .help = "print options and exit"),

	/* These change how pahole looks things up, or how it prints what BTF does not contain. */
	IGNORED("classes_as_structs", 0, ARG_NONE),
	IGNORED("show_only_data_members", 'M', ARG_NONE),
	IGNORED("show_private_classes", 0, ARG_NONE),
	IGNORED("skip_emitting_atomic_typedefs", 0, ARG_NONE),
	IGNORED("suppress_force_paddings", 0, ARG_NONE),
	IGNORED("first_obj_only", 0, ARG_NONE),
	IGNORED("fixup_silly_bitfields", 0, ARG_NONE),
	IGNORED("hashbits", 0, ARG_NEEDED),

	REFUSED("header_type", 0, ARG_NEEDED),
	REFUSED("prettify", 0, ARG_NEEDED),
	REFUSED("ptr_table_stats", 0, ARG_NONE),
	REFUSED("range", 0, ARG_NEEDED),
	REFUSED("running_kernel_vmlinux", 0, ARG_NONE),
	REFUSED("seek_bytes", 0, ARG_NEEDED),
	REFUSED("size_bytes", 0, ARG_NEEDED),
	REFUSED("word_size", 'w', ARG_NEEDED),
	REFUSED("ctf_encode", 'Z', ARG_NONE),
};

const size_t option_table_nr = ARRAY_SIZE(option_table);
