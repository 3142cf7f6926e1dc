/* SPDX-License-Identifier: GPL-2.0-only */
/* omission_rules.c - the table of rules */
#include "encoder/report/omission.h"

/* clang-format off */

/* The words are pahole's, with its spelling, because scripts search for them. */
#define LIKE_PAHOLE(text) \
	.level = DIAG_OUTPUT, .note = "%n : skipping BTF encoding of function due to " text

#define CHANGED .result = RESULT_CHANGED
#define SEVERAL .result = RESULT_SEVERAL

#define FUNC(id_, ...) { .id = "func_" id_, .subject = SUBJECT_FUNC, .number = NUMBER_ADDRESS, __VA_ARGS__ }
#define VAR(id_, ...) { .id = "var_" id_, .subject = SUBJECT_VAR, .number = NUMBER_ADDRESS, __VA_ARGS__ }
#define TYPE(id_, ...) { .id = "type_" id_, .subject = SUBJECT_TYPE, __VA_ARGS__ }
#define MEMBER(id_, ...) { .id = "member_" id_, .subject = SUBJECT_MEMBER, __VA_ARGS__ }
#define UNIT(id_, ...) { .id = "unit_" id_, .subject = SUBJECT_UNIT, __VA_ARGS__ }
#define BTF_ID(id_, ...) { .id = id_, .subject = SUBJECT_ID, .result = RESULT_LOST, __VA_ARGS__ }

#define VERBOSE(text) .level = DIAG_VERBOSE, .note = (text)
#define WARNING(text) .level = DIAG_WARNING, .note = (text)

const struct omission_rule_def omission_rules[NR_OMISSION_RULES] = {
[OMIT_FUNC_UNEXPECTED_REGISTER] = FUNC("unexpected_register",
	LIKE_PAHOLE("unexpected register usage for parameter"),
	.why = "the DWARF has a parameter in another register than the calling convention"),
[OMIT_FUNC_INCONSISTENT_PROTOTYPE] = FUNC("inconsistent_prototype",
	LIKE_PAHOLE("inconsistet prototype"),
	.why = "units do not agree on its prototype"),
[OMIT_FUNC_UNCERTAIN_LOCATION] = FUNC("uncertain_location",
	LIKE_PAHOLE("uncertain parameter location"),
	.why = "the place of a packed struct among the arguments is uncertain"),
[OMIT_FUNC_REORDERED_PARAMETERS] = FUNC("reordered_parameters",
	LIKE_PAHOLE("reordered parameters"),
	.why = "the compiler changed the order of parameters, or removed one, in the function, or in a copy or part of it"),
[OMIT_FUNC_OPTIMIZED_PARAMETERS] = FUNC("optimized_parameters",
	LIKE_PAHOLE("optimized parameters"),
	.why = "the compiler removed parameters"),
[OMIT_FUNC_AMBIGUOUS_ADDRESS] = FUNC("ambiguous_address",
	LIKE_PAHOLE("ambiguous address"),
	.why = "the symbol table has it, or a copy of it, at more than one address"),
[OMIT_FUNC_NO_SYMBOL] = FUNC("no_symbol",
	.why = "the symbol table has no function with the name that DWARF has: it was inlined, discarded or not linked, or has another name there"),
[OMIT_FUNC_NO_SYMTAB] = FUNC("no_symtab",
	.why = "neither the file nor a debug file of it has a symbol table"),
[OMIT_FUNC_UNNAMED_PARAMETER] = FUNC("unnamed_parameter",
	.why = "a parameter has no name"),
[OMIT_FUNC_NO_TYPE] = FUNC("no_type",
	VERBOSE("unit '%u': function '%n' left out: gcc's BTF has no type for a parameter or the result"),
	.why = "gcc's BTF has no type for a parameter or the result: a vector, mostly"),
[OMIT_FUNC_ONLY_COPIES] = FUNC("only_copies",
	VERBOSE("unit '%u': function '%n' left out: only optimized copies are linked"),
	.why = "only optimized copies of it are linked"),
[OMIT_FUNC_ONE_PROTOTYPE] = FUNC("one_prototype", CHANGED,
	.why = "units do not agree on its prototype; the BTF has one of them"),
[OMIT_FUNC_TRUE_SIGNATURE] = FUNC("true_signature", CHANGED,
	.why = "the BTF has the changed signature, under the name of its symbol"),
[OMIT_FUNC_KFUNC] = FUNC("kfunc", CHANGED,
	VERBOSE("kfunc '%n': described as declared, although a rule for other functions applies"),
	.why = "a set of kfuncs lists it: described as declared, although a rule for other functions applies"),
[OMIT_FUNC_KFUNC_NO_SYMBOL] = FUNC("kfunc_no_symbol", CHANGED,
	WARNING("kfunc '%n': the symbol table has no function of this name, so BPF programs cannot call it: mark it __bpf_kfunc"),
	.why = "a set of kfuncs lists it: described as declared, although BPF programs cannot call it without a symbol of its name"),

[OMIT_VAR_NOT_ASKED] = VAR("not_asked",
	.why = "the features do not select variables of its section"),
[OMIT_VAR_NO_SECTION] = VAR("no_section",
	.why = "its address is in no section of program data: the linker has discarded it, or it is in a note, for example"),
[OMIT_VAR_IN_FUNCTION] = VAR("in_function",
	.why = "it is static in a function, and BTF describes no variables of functions"),
[OMIT_VAR_OF_MACRO] = VAR("of_macro",
	.why = "macros of the kernel generate its name"),
[OMIT_VAR_NO_SYMBOL] = VAR("no_symbol",
	.why = "it is at the start of a section, and no symbol confirms it"),
[OMIT_VAR_INVALID_NAME] = VAR("invalid_name",
	VERBOSE("unit '%u': variable '%n' left out: BTF does not accept the name"),
	.why = "BTF does not accept its name"),
[OMIT_VAR_NO_TYPE] = VAR("no_type",
	WARNING("unit '%u': variable '%n' left out: it has no type"),
	.why = "it has no type"),
[OMIT_VAR_NO_SIZE] = VAR("no_size",
	VERBOSE("unit '%u': variable '%n' left out: it has no size"),
	.why = "it has no size"),
[OMIT_VAR_BEYOND_4G] = VAR("beyond_4g",
	VERBOSE("unit '%u': variable '%n' left out: it lies beyond 4 GiB"),
	.why = "it ends more than 4 GiB after the start of its section"),
[OMIT_VAR_OVERLAPS] = VAR("overlaps",
	VERBOSE("unit '%u': variable '%n' left out: it overlaps '%p'%o"),
	.why = "another variable overlaps it"),
[OMIT_VAR_SEVERAL_DEFINITIONS] = VAR("several_definitions", SEVERAL,
	VERBOSE("unit '%u': variable '%n': the BTF has the other definition%o"),
	.why = "several units define it, as a weak or common symbol, and the linker kept one definition; the BTF describes it once"),
[OMIT_VAR_SEVERAL_SYMBOLS] = VAR("several_symbols",
	VERBOSE("unit '%u': variable '%n' left out: no single symbol fits"),
	.why = "no single symbol of the linked file fits"),
[OMIT_VARS_DISCARDED] = { .id = "vars_discarded", .subject = SUBJECT_VAR, .number = NUMBER_COUNT,
	VERBOSE("section '%n': %x variables left out: the linker has discarded them"),
	.why = "the linker has discarded variables of a section of this name" },
[OMIT_VARS_OF_MACRO] = { .id = "vars_of_macro", .subject = SUBJECT_VAR, .number = NUMBER_COUNT,
	.why = "macros of the kernel generate their names" },
[OMIT_VARS_NOT_LINKED] = { .id = "vars_not_linked", .subject = SUBJECT_VAR, .number = NUMBER_COUNT,
	VERBOSE("unit '%u': %x variables left out: the unit is not linked, so they have no address"),
	.why = "the unit's BTF is not that of a linked file: variables have no address yet" },

[OMIT_TYPE_FLOAT_SIZE] = TYPE("float_size", CHANGED, .number = NUMBER_BYTES,
	WARNING("float '%n' of %x bytes: BTF has none, so it becomes an integer"),
	.why = "BTF has no floating point type of this size: it is an integer"),
[OMIT_TYPE_INT_SIZE] = TYPE("int_size", CHANGED, .number = NUMBER_BYTES,
	.why = "BTF has no integer of this size: it is an int with the name __SANITIZED_FAKE_INT__"),
[OMIT_TYPE_ENUM_VALUE] = TYPE("enum_value", CHANGED, .number = NUMBER_BYTES,
	VERBOSE("enum '%n': the value of '%p' does not fit; the BTF has its lower 32 bits"),
	.why = "a value does not fit; the BTF has its lower 32 bits"),
[OMIT_TYPE_SEVERAL_DEFINITIONS] = TYPE("several_definitions", SEVERAL,
	.why = "its name has several definitions"),
[OMIT_TYPE_DIFFERS_FROM_BASE] = TYPE("differs_from_base", SEVERAL,
	.why = "the base has another definition"),
[OMIT_TYPE_REPEATS_BASE] = TYPE("repeats_base", SEVERAL,
	.why = "the base has the same definition, but only declares a type that it depends on"),

[OMIT_MEMBER_BEYOND_512M] = MEMBER("beyond_512m",
	WARNING("%k '%n', member '%p': left out, BTF cannot express a member beyond 512 MiB"),
	.why = "BTF cannot express a member beyond 512 MiB"),
[OMIT_MEMBER_BEYOND_2M] = MEMBER("beyond_2m", .number = NUMBER_BIT,
	WARNING("%k '%n', member '%p' at bit %x: left out, BTF cannot express a member beyond 2 MiB in a struct with bit fields"),
	.why = "BTF cannot express a member beyond 2 MiB in a struct with bit fields"),
[OMIT_MEMBER_INSIDE_BYTE] = MEMBER("inside_byte", .number = NUMBER_BIT,
	WARNING("%k '%n', member '%p' at bit %x: left out, BTF cannot express a member that starts inside a byte"),
	.why = "BTF cannot express a member that starts inside a byte"),
[OMIT_MEMBER_OF_UNION] = MEMBER("of_union", .number = NUMBER_BIT,
	WARNING("%k '%n', member '%p' at bit %x: left out, BTF cannot express a member of a union that does not start at 0"),
	.why = "BTF cannot express a member of a union that does not start at 0"),
[OMIT_MEMBER_NO_TYPE] = MEMBER("no_type",
	VERBOSE("unit '%u': %k '%n', member '%p': left out, gcc's BTF has no type for it"),
	.why = "gcc's BTF has no type for it: a vector, mostly"),

[OMIT_UNIT_LANGUAGE] = UNIT("language",
	.why = "--lang or --lang_exclude excludes its language"),
[OMIT_UNIT_EXCLUDED] = UNIT("excluded",
	.why = "-X excludes its name"),
[OMIT_UNIT_NO_DWO] = UNIT("no_dwo",
	.why = "its .dwo file is missing or of another build"),
[OMIT_UNIT_NO_BTF] = UNIT("no_btf",
	.why = "the object or archive has no BTF of it"),
[OMIT_UNIT_VOID_REFERENCES] = UNIT("void_references", CHANGED, .number = NUMBER_COUNT,
	VERBOSE("unit '%u': %x references to missing types became void"),
	.why = "it refers to missing types; these references became void"),
[OMIT_UNIT_UNKNOWN_ENTRIES] = UNIT("unknown_entries", CHANGED, .number = NUMBER_COUNT,
	VERBOSE("unit '%u': %x entries of a kind that BTF does not have"),
	.why = "it has entries of a kind that BTF does not have"),

[OMIT_KFUNC_LOST] = BTF_ID("kfunc_lost",
	.why = "a set of kfuncs in .BTF_ids lists it, and the BTF has no such function"),
[OMIT_ID_LOST] = BTF_ID("btf_id_lost",
	.why = ".BTF_ids refers to it, and the BTF lacks it"),
};
/* clang-format on */
