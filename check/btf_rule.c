/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_rule.c - the list of rules */
#include "check/btf_rule.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/vec.h"
#include "btf/btf_wire.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define LINUX(major, minor) ((uint32_t)(major) << 16 | (minor))
#define SINCE(major, minor) .since = LINUX(major, minor)
#define BEFORE(major, minor) .before = LINUX(major, minor)
#define FEATURE(name) .feature = (name)
/* For libbpf: bpf_object__sanitize_btf(). */
#define REPLACED .replaced = true

/* The kernel has the rule, in FUNCTION, or in a function that depends on the kind; SINCE, BEFORE a version. */
#define KERNEL(function_, text_, ...) \
	{ .text = (text_), .function = (function_), .kernel = true, __VA_ARGS__ }
#define BY_KIND(text_, ...) { .text = (text_), .kernel = true, __VA_ARGS__ }
/* Only BPF_BTF_LOAD has these, and correct C may break them. */
#define LOAD(function_, text_) \
	{ .text = (text_), .function = (function_), .kernel = true, .warning = true }
#define OURS(about_, text_) { .text = (text_), .function = (about_) }
#define OUR_WARNING(about_, text_) { .text = (text_), .function = (about_), .warning = true }
/* clang-format on */

static const struct btf_rule rules[] = {
	[RULE_HEADER_CUT] = KERNEL("btf_parse_hdr", "# bytes cannot hold a header"),
	[RULE_HEADER_LEN] = KERNEL("btf_parse_hdr", "a header of # bytes ends after the data"),
	/* it reads missing words as 0, which is correct only for BTF without types or strings */
	[RULE_HEADER_SHORT] = OURS("btf_parse_hdr", "a header of # bytes lacks words"),
	[RULE_HEADER_UNKNOWN] = KERNEL("btf_parse_hdr",
				       "header words that this Linux does not know are not zero"),
	[RULE_MAGIC] = KERNEL("btf_parse_hdr", "the magic number is not 0xeb9f"),
	[RULE_BYTE_ORDER] = KERNEL("btf_parse_hdr",
				   "its byte order differs from that of its file or base"),
	[RULE_VERSION] = KERNEL("btf_parse_hdr", "the version is #, not 1"),
	[RULE_FLAGS] = KERNEL("btf_parse_hdr", "the flags are #, not 0"),
	[RULE_NO_DATA] = KERNEL("btf_parse_hdr", "nothing follows the header"),
	[RULE_SECTION_OUTSIDE] = KERNEL("btf_check_sec_info", "a section ends after the data"),
	[RULE_SECTION_OVERLAP] = KERNEL("btf_check_sec_info",
					"a section overlaps the previous one"),
	[RULE_SECTION_GAP] = KERNEL("btf_check_sec_info",
				    "# bytes are in no section that this Linux knows"),
	[RULE_ARCHIVE] = KERNEL("btf_check_sec_info",
				"another BTF begins here: an archive of #, to be combined first"),
	[RULE_TYPES_ALIGNMENT] = KERNEL("btf_parse_type_sec",
					"the types begin at #, which is not a multiple of 4"),
	[RULE_NO_TYPES] = KERNEL("btf_parse_type_sec", "there are no types"),
	[RULE_STRINGS_LAST] = KERNEL("btf_parse_str_sec",
				     "the strings do not end where the data does"),
	[RULE_STRINGS_NONE] = KERNEL("btf_parse_str_sec", "there are no strings"),
	[RULE_STRINGS_SIZE] = KERNEL("btf_parse_str_sec",
				     "the strings take # bytes, more than 16 MiB"),
	[RULE_STRINGS_END] = KERNEL("btf_parse_str_sec", "the last string has no end"),
	[RULE_STRINGS_FIRST] = KERNEL(
		"btf_parse_str_sec",
		"the first string is not empty: if this is split BTF, give its base with '--btf_base'"),
	[RULE_STRINGS_WHOLE] =
		OUR_WARNING("split BTF",
			    "the first string is empty: is this BTF that needs no base?"),
	[RULE_LAYOUT_ALIGNMENT] = KERNEL("btf_parse_layout_sec",
					 "the layout begins at #, which is not a multiple of 4",
					 SINCE(7, 1)),
	[RULE_LAYOUT_SHORT] = KERNEL("btf_parse_layout_sec",
				     "the layout takes # bytes, less than one entry", SINCE(7, 1)),
	[RULE_LAYOUT_SIZE] = KERNEL("btf_parse_layout_sec",
				    "the layout takes # bytes, which is not a multiple of 4",
				    SINCE(7, 1)),
	[RULE_TOTAL_SIZE] = LOAD("btf_parse", "# bytes are more than 16 MiB"),

	[RULE_RECORD_CUT] = BY_KIND("the record is cut short, # bytes are left"),
	[RULE_KIND] = KERNEL("btf_check_meta", "there is no kind #"),
	[RULE_KIND_FLOAT] = KERNEL("btf_check_meta", "there is no kind FLOAT before Linux 5.13",
				   BEFORE(5, 13), FEATURE("float"), REPLACED),
	[RULE_KIND_DECL_TAG] = KERNEL("btf_check_meta",
				      "there is no kind DECL_TAG before Linux 5.16", BEFORE(5, 16),
				      FEATURE("decl_tag"), REPLACED),
	[RULE_KIND_TYPE_TAG] = KERNEL("btf_check_meta",
				      "there is no kind TYPE_TAG before Linux 5.17", BEFORE(5, 17),
				      FEATURE("type_tag"), REPLACED),
	[RULE_KIND_ENUM64] = KERNEL("btf_check_meta", "there is no kind ENUM64 before Linux 6.0",
				    BEFORE(6, 0), FEATURE("enum64"), REPLACED),
	[RULE_KIND_LOC_PARAM] = KERNEL("btf_check_meta",
				       "there is no kind LOC_PARAM before Linux 7.4", BEFORE(7, 4),
				       FEATURE("inline")),
	[RULE_KIND_LOC_PROTO] = KERNEL("btf_check_meta",
				       "there is no kind LOC_PROTO before Linux 7.4", BEFORE(7, 4),
				       FEATURE("inline")),
	[RULE_KIND_LOCSEC] = KERNEL("btf_check_meta", "there is no kind LOCSEC before Linux 7.4",
				    BEFORE(7, 4), FEATURE("inline")),
	[RULE_ELEMENTS_MANY] = KERNEL("btf_check_meta",
				      "# elements are more than 65535, the most before Linux 7.2",
				      BEFORE(7, 2)),
	/* it forgets to look whether there was room */
	[RULE_TYPES_MANY] = OURS("btf_add_type", "of # types Linux keeps the first 1048574 only"),
	[RULE_STRING_OUTSIDE] = BY_KIND("the string at # is outside of the strings"),
	[RULE_STRING_FAR] = BY_KIND("the string at # is out of reach, beyond 16 MiB"),
	[RULE_TYPE_MISSING] = BY_KIND("there is no type #"),

	[RULE_ELEMENTS] = BY_KIND("this kind has no elements"),
	[RULE_KIND_FLAG] = BY_KIND("this kind has no kind flag"),
	[RULE_KIND_FLAG_TAG] = BY_KIND("tags have no kind flag before Linux 6.15", BEFORE(6, 15),
				       FEATURE("attributes")),
	[RULE_KIND_FLAG_ENUM] = BY_KIND("enums have no kind flag before Linux 6.0", BEFORE(6, 0),
					FEATURE("enum64"), REPLACED),
	[RULE_NAME_UNWANTED] = BY_KIND("this kind has no name"),
	[RULE_NAME_MISSING] = BY_KIND("it has no name"),
	[RULE_NAME_IDENTIFIER] = BY_KIND("the name is not an identifier"),
	[RULE_NAME_SECTION] = BY_KIND("the name is empty, too long, or cannot be printed"),
	[RULE_NAME_SECTION_IDENTIFIER] =
		BY_KIND("the name of a section has to be an identifier before Linux 6.9",
			BEFORE(6, 9)),
	[RULE_NAME_LONG] = BY_KIND("a name has more than 128 bytes, the most before Linux 6.1",
				   BEFORE(6, 1)),
	[RULE_NAME_VALUE] = BY_KIND("the tag is empty"),
	[RULE_INT_UNUSED] = BY_KIND("reserved bits are set"),
	[RULE_INT_BITS] = BY_KIND("it ends at bit #, after the 128th"),
	[RULE_INT_SIZE] = BY_KIND("it ends at bit #, after its size"),
	[RULE_INT_ENCODING] = BY_KIND("it is more than one of signed, char and bool"),
	[RULE_ARRAY_SIZE_WORD] = BY_KIND("the size word of an array is not 0"),
	[RULE_ARRAY_VOID] = BY_KIND("the elements are void"),
	[RULE_ARRAY_INDEX_VOID] = BY_KIND("the index is void"),
	[RULE_MEMBER_NAME] = BY_KIND("the name is not an identifier"),
	[RULE_MEMBER_VOID] = BY_KIND("it is void"),
	[RULE_UNION_OFFSET] = BY_KIND("it is not at the start of its union"),
	[RULE_MEMBER_ORDER] = BY_KIND("it starts before the previous member"),
	[RULE_MEMBER_START] = BY_KIND("it starts after its struct"),
	[RULE_ENUM_SIZE] = BY_KIND("the size is not 1, 2, 4 or 8"),
	[RULE_ENUMERATOR_NAME] = BY_KIND("the name is not an identifier"),
	[RULE_FLOAT_SIZE] = BY_KIND("the size is not 2, 4, 8, 12 or 16"),
	[RULE_FWD_TYPE_WORD] = BY_KIND("the type word of a declaration is not 0"),
	[RULE_FUNC_LINKAGE] = BY_KIND("it is neither static nor global"),
	[RULE_VAR_VOID] = BY_KIND("it is void"),
	[RULE_VAR_LINKAGE] = BY_KIND("it is neither static nor global"),
	[RULE_SECTION_EMPTY] = BY_KIND("the section has no size"),
	[RULE_SECTION_NO_VARS] = BY_KIND("the section has no variables, an error before Linux 5.12",
					 BEFORE(5, 12)),
	[RULE_SECTION_VAR_VOID] = BY_KIND("it is void"),
	[RULE_SECTION_VAR_OVERLAP] = BY_KIND("it starts before the end of the previous variable"),
	[RULE_SECTION_VAR_SIZE] = BY_KIND("it has no size"),
	[RULE_SECTION_VAR_END] = BY_KIND("it ends after its section"),
	/* the kernel adds in 32 bits */
	[RULE_SECTION_VAR_WRAP] = OURS("btf_datasec_check_meta", "it ends beyond 4 GiB"),
	[RULE_TAG_COMPONENT] = BY_KIND("the component is neither -1 nor an index"),
	[RULE_TAG_ORDER] = KERNEL("btf_check_type_tags", "a type tag comes after a modifier",
				  SINCE(5, 19), BEFORE(7, 2)),
	[RULE_CHAIN] = KERNEL("btf_check_type_tags", "more than 32 modifiers follow each other",
			      SINCE(5, 19)),
	[RULE_PLACE_SIZE] = BY_KIND("the size is not 1 to 16"),
	[RULE_PLACE_FLAGS] = BY_KIND("no place has the flags #"),
	[RULE_PLACE_WORDS] = BY_KIND("its flags and size do not go with # words"),
	[RULE_PLACE_CONSTANT] = BY_KIND("a constant has more than 8 bytes"),
	[RULE_PLACES_TYPE_WORD] = BY_KIND("the type word is not 0"),
	[RULE_SITES_PREFIX] = OUR_WARNING(
		"inline sites",
		"the name is not 'inline' and the name of a section: readers will ignore it"),
	[RULE_SITE_VOID] = BY_KIND("it has no function, or no LOC_PROTO"),

	[RULE_ADDR_SIZE] = OUR_WARNING(
		"size of pointers",
		"it has no room for pointers of 8 bytes: pointers count as 4 bytes, and a kernel of 64 bits refuses it"),
	[RULE_NO_TYPE] = BY_KIND("it refers to a record that is not a type"),
	[RULE_NO_TYPE_FUNC] = BY_KIND("it refers to a function, an error before Linux 5.18",
				      BEFORE(5, 18)),
	[RULE_VAR_SIZE] = BY_KIND("its type has no size"),
	[RULE_LOOP] = KERNEL("btf_resolve", "it leads back to itself"),
	[RULE_DEPTH] = KERNEL("btf_resolve", "types nest more than 32 deep"),
	[RULE_ARRAY_INDEX] = BY_KIND("the index is not an ordinary integer"),
	[RULE_ARRAY_ELEMENT] = BY_KIND("the elements have no size"),
	[RULE_ARRAY_BITS] = BY_KIND("the elements are integers of odd bits"),
	[RULE_ARRAY_HUGE] = BY_KIND("it is larger than 4 GiB"),
	[RULE_MEMBER_SIZE] = BY_KIND("its type has no size"),
	[RULE_MEMBER_END] = BY_KIND("it ends after its struct"),
	[RULE_MEMBER_BYTE] = BY_KIND("it is not a bit field and does not start at a byte"),
	[RULE_MEMBER_REACH] = BY_KIND("it starts after bit 4294967295"),
	[RULE_BITS_TYPE] = BY_KIND("a bit field is not of this type"),
	[RULE_BITS_WIDE] = BY_KIND("a bit field is wider than its type"),
	[RULE_BITS_SPAN] = BY_KIND("a bit field spans more than 128 bits"),
	[RULE_FLOAT_ALIGNMENT] = LOAD(NULL, "a float is not aligned"),
	[RULE_ENUM_PACKED] = LOAD(NULL, "in a struct with bit fields an enum takes 32 bits"),
	/* the kernel takes it for four bytes */
	[RULE_ENUM_END] = OURS("btf_enum_check_kflag_member", "it ends after its struct"),
	[RULE_SECTION_NO_VAR] = BY_KIND("it is not a variable"),
	[RULE_SECTION_VAR_SMALL] = BY_KIND("it is smaller than its type"),
	/* the kernel forgets to look if the variable comes behind its section */
	[RULE_SECTION_VAR_PASSED] = OURS("btf_datasec_resolve", "it is smaller than its type"),
	[RULE_SECTION_VAR_ORDER] = KERNEL(
		"btf_datasec_resolve",
		"its type comes later, and the previous variable is a struct, array or pointer: an error before Linux 6.3 without the fix of the stable series",
		BEFORE(6, 3)),
	[RULE_TAG_TARGET] = BY_KIND("it does not tag a struct, function, variable or typedef"),
	[RULE_TAG_NO_COMPONENTS] = BY_KIND("the tagged type has no components"),
	[RULE_TAG_COMPONENT_MISSING] = BY_KIND("the tagged type has no such component"),
	[RULE_FUNC_PROTO] = BY_KIND("its type is not a FUNC_PROTO"),
	[RULE_FUNC_PARAM_NAME] = BY_KIND("parameter # has no name"),
	[RULE_PARAM_NAME] = BY_KIND("the name is not an identifier"),
	[RULE_PARAM_SIZE] = BY_KIND("its type has no size"),
	[RULE_RETURN_SIZE] = BY_KIND("the return type has no size"),
	[RULE_RETURN_VAR] = BY_KIND("the return type is not a type", SINCE(6, 1)),
	[RULE_DOTS_NAME] = BY_KIND("the dots at the end have a name"),
	[RULE_PLACES_NO_PLACE] = BY_KIND("it is not a LOC_PARAM"),
	[RULE_SITE_FUNC] = BY_KIND("its function is not a FUNC"),
	[RULE_SITE_PLACES] = BY_KIND("its places are not a LOC_PROTO"),
	[RULE_SITE_NUMBER] = BY_KIND(
		"its function has # parameters, its LOC_PROTO another number of places"),

	[RULE_TWICE] = OURS(
		"duplicate",
		"it describes the same as type #: the kernel accepts both, but the encoder should have written one; encode the file again, a module with the '--compat' of its base"),
	[RULE_TWICE_BASE] =
		OUR_WARNING("duplicate",
			    "it repeats type # of the base, as pahole does; the kernel accepts it"),
	[RULE_TWICE_FUNC] = OUR_WARNING("duplicate", "type # is a function of this name, too"),
	[RULE_TWICE_SECTION] = OUR_WARNING("duplicate", "type # is a section of this name, too"),
	[RULE_TWICE_VAR] = OUR_WARNING("duplicate", "the variable is in section # already"),
	[RULE_TWICE_UNKNOWN] =
		OUR_WARNING("duplicate",
			    "duplicates are not looked for: these types cannot be deduplicated"),

	[RULE_SITES_NO_SECTION] = OURS("inline sites", "the file has no such section"),
	[RULE_SITES_NO_CODE] = OURS("inline sites", "the section is not executable"),
	[RULE_SITE_OUTSIDE] = OURS("inline sites", "it is not in its section, which has # bytes"),

	[RULE_DISTILLED_UNKNOWN] =
		KERNEL("btf_parse_module",
		       "Linux before 6.11 does not read it, and takes .BTF for BTF over vmlinux",
		       BEFORE(6, 11), FEATURE("distilled_base")),
	[RULE_DISTILLED_KIND] = KERNEL("btf_relocate_validate_distilled_base",
				       "a distilled base has no such kind"),
	[RULE_DISTILLED_NAME] = KERNEL("btf_relocate_validate_distilled_base", "it has no name"),
	[RULE_DISTILLED_MISSING] = KERNEL("btf_relocate_map_distilled_base",
					  "the base has no such type"),
	[RULE_DISTILLED_TWO] = KERNEL("btf_relocate_map_distilled_base",
				      "the base has it twice, the second time as type #"),
	[RULE_DISTILLED_STRING] =
		KERNEL("btf_relocate_rewrite_strs",
		       "the string at # is not the name of a type of the distilled base"),
};

_Static_assert(sizeof(rules) / sizeof(rules[0]) == NR_RULES, "every rule has a text");

bool btf_rule_applies(enum btf_rule_id rule, uint32_t version)
{
	const struct btf_rule *r = &rules[rule];

	version = version ? version : LINUX_DEFAULT;
	return version >= r->since && (!r->before || version < r->before);
}

static const struct {
	const char *meta, *resolve;
} functions[BTF_NR_KINDS] = {
	[BTF_UNKN] = { "btf_check_meta", "btf_resolve" },
	[BTF_INT] = { "btf_int_check_meta", "btf_resolve" },
	[BTF_PTR] = { "btf_ref_type_check_meta", "btf_ptr_resolve" },
	[BTF_ARRAY] = { "btf_array_check_meta", "btf_array_resolve" },
	[BTF_STRUCT] = { "btf_struct_check_meta", "btf_struct_resolve" },
	[BTF_UNION] = { "btf_struct_check_meta", "btf_struct_resolve" },
	[BTF_ENUM] = { "btf_enum_check_meta", "btf_resolve" },
	[BTF_FWD] = { "btf_fwd_check_meta", "btf_resolve" },
	[BTF_TYPEDEF] = { "btf_ref_type_check_meta", "btf_modifier_resolve" },
	[BTF_VOLATILE] = { "btf_ref_type_check_meta", "btf_modifier_resolve" },
	[BTF_CONST] = { "btf_ref_type_check_meta", "btf_modifier_resolve" },
	[BTF_RESTRICT] = { "btf_ref_type_check_meta", "btf_modifier_resolve" },
	[BTF_FUNC] = { "btf_func_check_meta", "btf_func_check" },
	[BTF_FUNC_PROTO] = { "btf_func_proto_check_meta", "btf_func_proto_check" },
	[BTF_VAR] = { "btf_var_check_meta", "btf_var_resolve" },
	[BTF_DATASEC] = { "btf_datasec_check_meta", "btf_datasec_resolve" },
	[BTF_FLOAT] = { "btf_float_check_meta", "btf_resolve" },
	[BTF_DECL_TAG] = { "btf_decl_tag_check_meta", "btf_decl_tag_resolve" },
	[BTF_TYPE_TAG] = { "btf_ref_type_check_meta", "btf_modifier_resolve" },
	[BTF_ENUM64] = { "btf_enum64_check_meta", "btf_resolve" },
	[BTF_LOC_PARAM] = { "btf_loc_param_check_meta", "btf_resolve" },
	[BTF_LOC_PROTO] = { "btf_loc_proto_check_meta", "btf_resolve" },
	[BTF_LOCSEC] = { "btf_locsec_check_meta", "btf_resolve" },
};

const struct btf_rule *btf_rule(enum btf_rule_id id)
{
	assert(id < NR_RULES);
	return &rules[id];
}

const char *btf_rule_function(uint32_t kind, enum btf_phase phase)
{
	if (kind >= BTF_NR_KINDS)
		kind = BTF_UNKN;
	return phase == PHASE_META ? functions[kind].meta : functions[kind].resolve;
}

char *btf_finding_text(const struct btf_finding *f)
{
	const char *text = btf_rule(f->rule)->text, *mark = strchr(text, '#');

	if (!mark)
		return mem_printf("%s [%s]", text, f->function);
	return mem_printf("%.*s%" PRIu64 "%s [%s]", (int)(mark - text), text, f->value, mark + 1,
			  f->function);
}

void btf_findings_release(struct btf_findings *f)
{
	free(f->items);
	*f = (struct btf_findings){ 0 };
}

void btf_findings_add(struct btf_findings *f, uint32_t id, uint32_t element, enum btf_rule_id rule,
		      const char *function, uint64_t value)
{
	vec_push(f,
		 ((struct btf_finding){ .rule = rule,
					.id = id,
					.element = element,
					.function = function ? function : btf_rule(rule)->function,
					.value = value }));
}

static int by_id(const void *a, const void *b)
{
	const struct btf_finding *const *x = a, *const *y = b;

	if ((*x)->id != (*y)->id)
		return (*x)->id < (*y)->id ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

void btf_findings_sort(struct btf_findings *f)
{
	CLEANUP(mem_free)
	const struct btf_finding **order = mem_alloc(f->nr * sizeof(struct btf_finding *));
	struct btf_finding *sorted = mem_alloc(f->nr * sizeof(*sorted));

	for (size_t i = 0; i < f->nr; i++)
		order[i] = &f->items[i];
	qsort(order, f->nr, sizeof(struct btf_finding *), by_id);
	for (size_t i = 0; i < f->nr; i++)
		sorted[i] = *order[i];
	free(f->items);
	f->items = sorted;
	f->cap = f->nr;
}
