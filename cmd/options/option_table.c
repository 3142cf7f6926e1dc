/* SPDX-License-Identifier: GPL-2.0-only */
/* option_table.c - see option_table.h */
#include "cmd/options/option_table.h"

#include "cmd/options/options.h"

/* A line each: */
/* clang-format off */
/* NAME, KEY, what else */
#define ENCODE(n, k, ...) { .name = (n), .key = (k), .group = GROUP_ENCODE, __VA_ARGS__ }
#define FEATURE(n, k, ...) { .name = (n), .key = (k), .group = GROUP_FEATURES, __VA_ARGS__ }
#define INPUT(n, k, ...) { .name = (n), .key = (k), .group = GROUP_INPUT, __VA_ARGS__ }
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
	ENCODE("btf_encode", 'J', SETS(btf_encode, "put the BTF into the first FILE")),
	ENCODE("btf_encode_detached", 0,
	       FIELD(USE_OUTPUT, detached, "OUT", "put it into OUT, leave FILE alone")),
	ENCODE("btf_base", 0, TAKES(USE_BASE, "BASE", "only what BASE lacks, each FILE by itself")),
	ENCODE("kabi_prefix", 0,
	       TAKES(USE_KABI_PREFIX, "PREFIX", "shorten names that begin with PREFIX to it")),
	ENCODE("btf_vars_detached", 0, .ours = true,
	       FIELD(USE_OUTPUT, vars_detached, "VARS",
		     "all other variables into VARS, over that BTF")),
	ENCODE("strip_dwarf", 0, .ours = true,
	       SETS(strip_dwarf, "with -J: drop all DWARF from the first FILE")),
	ENCODE("btf_archive", 0, .ours = true,
	       FIELD(USE_FILE, archive, "ARCHIVE", "with -J: append it to ARCHIVE instead")),
	ENCODE("launch", 0, .ours = true, SETS(launch, "run a compiler, encode its objects")),

	FEATURE("btf_features", 0,
		TAKES(USE_FEATURE_LIST, "LIST", "what to encode: names, default, all, +NAME")),
	FEATURE("features", 0, .since = 132,
		TAKES(USE_FEATURE_LIST, "LIST", "another name of --btf_features")),
	FEATURE("btf_features_strict", 0,
		TAKES(USE_FEATURE_LIST_STRICT, "LIST", "the same, but unknown names are errors")),
	FEATURE("supported_btf_features", 0,
		ACTS(ACTION_SUPPORTED_FEATURES, "print the names, then exit")),
	FEATURE("btf_gen_all", 0, .use = USE_ALL_FEATURES, .help = "as --btf_features=all"),
	FEATURE("btf_gen_floats", 0, ON(FEATURE_FLOAT, "floating point types")),
	FEATURE("btf_gen_optimized", 0, ON(FEATURE_OPTIMIZED_FUNC, "no effect, as in pahole")),
	FEATURE("btf_attributes", 0, ON(FEATURE_ATTRIBUTES, "tags of any attribute")),
	FEATURE("btf_encode_force", 0,
		ON(FEATURE_ENCODE_FORCE, "leave out what is invalid, not give up")),
	FEATURE("reproducible_build", 0, ON(FEATURE_REPRODUCIBLE_BUILD, "no effect: always so")),
	FEATURE("skip_encoding_btf_vars", 0, OFF(FEATURE_VAR, "no per-CPU variables")),
	FEATURE("skip_encoding_btf_decl_tag", 0, OFF(FEATURE_DECL_TAG, "no declaration tags")),
	FEATURE("skip_encoding_btf_type_tag", 0, OFF(FEATURE_TYPE_TAG, "no type tags")),
	FEATURE("skip_encoding_btf_enum64", 0, OFF(FEATURE_ENUM64, "no 64-bit enums")),
	FEATURE("skip_encoding_btf_inconsistent_proto", 0,
		ON(FEATURE_CONSISTENT_FUNC, "no function with two prototypes")),
	FEATURE("skip_encoding_btf_member_notes", 0, .ours = true, ON(0, "accepted, no effect")),
	FEATURE("skip_encoding_btf_check", 0, .ours = true,
		SETS(encode.unchecked, "also BTF that the kernel refuses")),

	INPUT("format_path", 'F', TAKES(USE_FORMATS, "LIST", "what to read: dwarf, btf")),
	INPUT("dedup_btf", 0, .ours = true, SETS(gather, "combine the BTF of the objects of FILE")),
	INPUT("btf_check", 0, .ours = true, .use = USE_CHECK, .arg = ARG_OPTIONAL,
	      .arg_name = "LINUX", .help = "check BTF as that version does, else 6.12"),
	INPUT("btf_diff", 0, .ours = true,
	      SETS(diff, "say what differs between the BTF of two FILEs")),
	INPUT("btf_report", 0, .ours = true,
	      FIELD(USE_FILE, report, "OUT", "what was left out, and why, as JSON lines")),
	INPUT("explain", 0, .ours = true, .use = USE_EXPLAIN, .arg = ARG_OPTIONAL,
	      .arg_name = "NAME", .help = "the same for people; why NAME is not there"),
	INPUT("fatal", 0, .ours = true,
	      TAKES(USE_FATAL, "RULES", "fail if one of these rules omits something")),
	INPUT("btf_stats", 0, .ours = true, SETS(stats, "say where the bytes of the BTF go")),
	INPUT("json", 0, .ours = true, SETS(json, "--btf_check, _diff, _stats: as JSON lines")),
	INPUT("lang", 0, TAKES(USE_LANG, "LIST", "only units in these languages")),
	INPUT("lang_exclude", 0, TAKES(USE_LANG_EXCLUDE, "LIST", "no units in these languages")),
	INPUT("cu_exclude", 'X',
	      TAKES(USE_CU_EXCLUDE, "PREFIX", "no units whose name begins with PREFIX")),

	PRINT("class_name", 'C',
	      FIELD(USE_STRING, show_named, "LIST", "only the types of these names")),
	PRINT("contains", 'i',
	      FIELD(USE_STRING, show_containers, "LIST",
		    "the structs that have members of these types")),
	PRINT("find_pointers_to", 'f',
	      FIELD(USE_STRING, show_pointers, "LIST", "the members that point to these types")),
	PRINT("recursive", 'd', SETS(show.recursive, "with -i: what is in these as well")),
	PRINT("skip_missing", 0, SETS(skip_missing, "with -C: a name may be missing")),
	PRINT("structs", 0, SETS(show.filter.structs, "only structs")),
	PRINT("unions", 0, SETS(show.filter.unions, "only unions")),
	PRINT("packed", 0, SETS(show.filter.packed, "only packed structs")),
	PRINT("with_flexible_array", 0,
	      SETS(show.filter.flexible, "only with a flexible array at the end")),
	PRINT("with_embedded_flexible_array", 0,
	      SETS(show.filter.embeds_flexible, "only with one further in")),
	PRINT("anon_include", 'a', SETS(show.filter.anonymous, "also what only a typedef names")),
	PRINT("nested_anon_include", 'A',
	      SETS(show.nested_anonymous, "with -a: also what nothing names")),
	PRINT("exclude", 'x',
	      FIELD(USE_STRING, show.filter.exclude, "PREFIX", "no names that begin with PREFIX")),
	PRINT("prefix_filter", 'y',
	      FIELD(USE_STRING, show.filter.include, "PREFIX", "only names that do")),
	PRINT("holes", 'H',
	      NUMBER(show.filter.holes, 0, UINT16_MAX, "only structs with N holes or more")),
	PRINT("bit_holes", 'B',
	      NUMBER(show.filter.bit_holes, 0, UINT16_MAX, "with N bit holes or more")),
	PRINT("hole_size_ge", 'z',
	      FIELD(USE_HOLE_SIZE, show.filter.hole_size, "N",
		    "names, if a hole has N bytes or more"),
	      .most = UINT32_MAX),
	PRINT("padding_ge", 0,
	      NUMBER(show.filter.padding, 0, UINT32_MAX, "only with N bytes of padding or more")),
	PRINT("sizes", 's', FORM(LISTING_SIZES, "name, size, number of holes")),
	PRINT("nr_members", 'n', FORM(LISTING_MEMBERS, "name, number of members")),
	PRINT("class_name_len", 'N', FORM(LISTING_NAME_LENGTHS, "name, length of the name")),
	PRINT("nr_definitions", 'T', FORM(LISTING_TIMES, "name, how often it is defined")),
	PRINT("separator", 't', TAKES(USE_SEPARATOR, "C", "C between these, not a tab")),
	PRINT("compile", 0, SETS(show.compilable, "with all that is needed to compile it")),
	PRINT("btf_header", 0, .ours = true,
	      SETS(show_header, "a C header for BPF programs, as bpftool's")),
	PRINT("expand_types", 'E',
	      SETS(show.style.expand, "what members consist of, not its name")),
	PRINT("hex", 0, SETS(show.style.hex, "numbers in hexadecimal")),
	PRINT("rel_offset", 'r', SETS(show.style.relative, "offsets from the innermost struct")),
	PRINT("cacheline_size", 'c',
	      NUMBER(show.style.cacheline, 1, UINT16_MAX, "a cache line has N bytes")),
	PRINT("suppress_aligned_attribute", 0,
	      SETS(show.style.no_aligned, "no attributes of alignment")),
	PRINT("suppress_packed", 0, SETS(show.style.no_packed, "no attributes of packing")),

	OTHER("jobs", 'j', .use = USE_JOBS, .arg = ARG_OPTIONAL, .arg_name = "N",
	      .help = "N threads; without N one per processor"),
	OTHER("quiet", 'q', SETS(quiet, "no comments, no progress; no --btf_diff lines")),
	OTHER("verbose", 'V', SETS(verbose_before, "say what is done")),
	OTHER("compat", 0, .ours = true,
	      TAKES(USE_COMPAT, "VERSION", "be compatible with pahole 1.31, else 1.32")),
	OTHER("numeric_version", 0, ACTS(ACTION_NUMERIC_VERSION, "print 132, then exit")),
	OTHER("devel_version", 0, .since = 132,
	      ACTS(ACTION_DEVEL_VERSION, "print v1.32 and btfenc's version, then exit")),
	OTHER("version", 0, ACTS(ACTION_VERSION, "print v1.32, as pahole does, then exit")),
	OTHER("usage", 0, ACTS(ACTION_USAGE, "print how to call it, then exit")),
	OTHER("help", 'h', ACTS(ACTION_HELP, "print this, then exit")),

	/* These change how pahole looks things up, or how it prints what BTF does not contain. */
	IGNORED("classes_as_structs", 0, ARG_NONE),
	IGNORED("flat_arrays", 0, ARG_NONE),
	IGNORED("show_only_data_members", 'M', ARG_NONE),
	IGNORED("show_private_classes", 0, ARG_NONE),
	IGNORED("skip_emitting_atomic_typedefs", 0, ARG_NONE),
	IGNORED("suppress_force_paddings", 0, ARG_NONE),
	IGNORED("first_obj_only", 0, ARG_NONE),
	IGNORED("fixup_silly_bitfields", 0, ARG_NONE),
	IGNORED("hashbits", 0, ARG_NEEDED),

	REFUSED("contains_enumerator", 0, ARG_NEEDED),
	REFUSED("count", 0, ARG_NEEDED),
	REFUSED("decl_exclude", 'D', ARG_NEEDED),
	REFUSED("header_type", 0, ARG_NEEDED),
	REFUSED("show_decl_info", 'I', ARG_NONE),
	REFUSED("show_first_biggest_size_base_type_member", 'l', ARG_NONE),
	REFUSED("nr_methods", 'm', ARG_NONE),
	REFUSED("prettify", 0, ARG_NEEDED),
	REFUSED("ptr_table_stats", 0, ARG_NONE),
	REFUSED("expand_pointers", 'p', ARG_NONE),
	REFUSED("packable", 'P', ARG_NONE),
	REFUSED("range", 0, ARG_NEEDED),
	REFUSED("running_kernel_vmlinux", 0, ARG_NONE),
	REFUSED("reorganize", 'R', ARG_NONE),
	REFUSED("seek_bytes", 0, ARG_NEEDED),
	REFUSED("size_bytes", 0, ARG_NEEDED),
	REFUSED("skip", 0, ARG_NEEDED),
	REFUSED("sort", 0, ARG_NONE),
	REFUSED("show_reorg_steps", 'S', ARG_NONE),
	REFUSED("defined_in", 'u', ARG_NONE),
	REFUSED("word_size", 'w', ARG_NEEDED),
	REFUSED("ctf_encode", 'Z', ARG_NONE),
};

const size_t option_table_nr = ARRAY_SIZE(option_table);
