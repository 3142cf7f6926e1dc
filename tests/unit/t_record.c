/* SPDX-License-Identifier: GPL-2.0-only */
/* t_record.c - types of a unit as BTF records, kind by kind */
#include "encoder/unit/record.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "btf/btf_kind.h"
#include "encoder/unit/run.h"
#include "loader/dwarf/dw_const.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

/* String ids: "FAKE", and the letters a to f. */
enum { FAKE = 1, A, B, C, D, E, F };

#define BASE(encoding_, size_)                                                       \
	{                                                                            \
		.kind = BTF_INT, .name = B, .encoding = (encoding_), .size = (size_) \
	}
#define INDEX "2147483647" /* POOL_REF_INDEX */

/* The type refers to the first members and values, or to those from .first on. */
static const struct {
	const char *name;
	uint32_t features;
	struct cu_type type;
	struct cu_member members[3];
	struct cu_enumerator values[3];
	const char *record;
	const char *omitted; /* as omitted_text() prints it; NULL: nothing */
	enum compat_level compat;
} cases[] = {
	/* --- base types --- */
	{ "a signed int", 0, BASE(DW_ATE_signed, 4), .record = "int b" },
	{ "an unsigned int", 0, BASE(DW_ATE_unsigned, 8), .record = "int b 8 64" },
	{ "a char", 0, BASE(DW_ATE_signed_char, 1), .record = "int b 1 0x1000008" },
	{ "a bool", 0, BASE(DW_ATE_boolean, 1), .record = "int b 1 0x4000008" },
	{ "an int of 128 bits", 0, BASE(DW_ATE_unsigned, 16), .record = "int b 16 128" },

	{ "an int of 3 bytes gets another name and size", 0, BASE(DW_ATE_unsigned, 3),
	  .record = "int FAKE 4 32", .omitted = "type_int_size 3", .compat = COMPAT_1_32 },
	{ "an int of 32 bytes", 0, BASE(DW_ATE_signed, 32), .record = "int FAKE",
	  .omitted = "type_int_size 32", .compat = COMPAT_1_32 },
	{ "an unsigned int of 32 bytes", 0, BASE(DW_ATE_unsigned, 32), .record = "int FAKE 4 32",
	  .omitted = "type_int_size 32", .compat = COMPAT_1_32 },
	{ "an int of no bytes", 0, BASE(DW_ATE_unsigned, 0), .record = "int FAKE 4 32",
	  .omitted = "type_int_size 0", .compat = COMPAT_1_32 },

	{ "a float is an int without the feature", 0, BASE(DW_ATE_float, 8),
	  .record = "int b 8 64" },
	{ "a float", FEATURE_FLOAT, BASE(DW_ATE_float, 8), .record = "float b 8" },
	{ "a float of 16 bytes", FEATURE_FLOAT, BASE(DW_ATE_float, 16), .record = "float b 16" },
	{ "a float of a size that BTF does not have", FEATURE_FLOAT, BASE(DW_ATE_float, 1),
	  .record = "int b 1 8", .omitted = "warning: type_float_size 1" },
	{ "neither a float nor an int has this size", FEATURE_FLOAT, BASE(DW_ATE_float, 10),
	  .record = "int FAKE 4 32", .omitted = "warning: type_float_size 10, type_int_size 10",
	  .compat = COMPAT_1_32 },

	{ "an int of 3 bytes is a struct of 3 bytes", 0, BASE(DW_ATE_unsigned, 3),
	  .record = "struct 3", .omitted = "type_only_size 3" },
	{ "a float of 10 bytes is a struct of 10 bytes", FEATURE_FLOAT, BASE(DW_ATE_float, 10),
	  .record = "struct 10", .omitted = "type_only_size 10" },
	{ "a float of 12 bytes without the feature", 0, BASE(DW_ATE_float, 12),
	  .record = "struct 12", .omitted = "type_only_size 12" },
	{ "a float of 12 bytes", FEATURE_FLOAT, BASE(DW_ATE_float, 12), .record = "float b 12" },
	{ "a complex number of 32 bytes", FEATURE_FLOAT, BASE(DW_ATE_complex_float, 32),
	  .record = "struct 32", .omitted = "type_only_size 32" },
	{ "an int of 64 KiB, whose size in bits has 20 bits", 0, BASE(DW_ATE_signed, 0x10004),
	  .record = "struct 65540", .omitted = "type_only_size 65540" },
	{ "the unit type of Rust has no bytes and is no loss", 0, BASE(DW_ATE_unsigned, 0),
	  .record = "struct 0" },
	{ "a set of 4 bytes",
	  0,
	  { .kind = BTF_INT,
	    .name = B,
	    .size = 4,
	    .encoding = DW_TAG_set_type,
	    .flags = CU_TYPE_OPAQUE },
	  .record = "struct 4",
	  .omitted = "type_only_size 4" },

	/* --- members --- */
	{ "members have offsets in bits",
	  0,
	  { .kind = BTF_STRUCT, .size = 8, .nr = 2 },
	  .members = { { D, 1, .offset = 0 }, { E, 1, .offset = 32 } },
	  .record = "struct 8 {d 1, e 1 32}" },
	{ "a bit field sets the kind flag",
	  0,
	  { .kind = BTF_STRUCT, .size = 12, .first = 1, .nr = 2 },
	  .members = { { D, 1, .offset = 0 },
		       { E, 1, .offset = 32 },
		       { F, 1, .offset = 64, .bits = 3 } },
	  .record = "struct! 12 {e 1 32, f 1 64:3}" },
	{ "the base of a class is not a member",
	  0,
	  { .kind = BTF_STRUCT, .size = 8, .nr = 2 },
	  .members = { { 0, 1, .offset = 0, .bits = 3, .flags = CU_MEMBER_INHERITANCE },
		       { D, 1, .offset = 32 } },
	  .record = "struct 8 {d 1 32}" },
	{ "a member of a union that does not start at 0",
	  0,
	  { .kind = BTF_UNION, .size = 8, .nr = 1 },
	  .members = { { D, 1, .offset = 32 } },
	  .record = "union 8",
	  .omitted = "warning: member_of_union d 32" },
	{ "a member that starts inside a byte",
	  0,
	  { .kind = BTF_STRUCT, .size = 8, .nr = 1 },
	  .members = { { D, 1, .offset = 3 } },
	  .record = "struct 8",
	  .omitted = "warning: member_inside_byte d 3" },
	{ "a member beyond 512 MiB",
	  0,
	  { .kind = BTF_STRUCT, .size = 8, .nr = 1 },
	  .members = { { D, 1, .offset = UINT32_MAX, .flags = CU_MEMBER_FAR } },
	  .record = "struct 8",
	  .omitted = "warning: member_beyond_512m d 4294967295" },
	{ "bit fields leave no room for an offset beyond 2 MiB",
	  0,
	  { .kind = BTF_STRUCT, .size = 1 << 22, .nr = 2 },
	  .members = { { D, 1, .offset = 0, .bits = 3 }, { E, 1, .offset = 1 << 24 } },
	  .record = "struct! 4194304 {d 1 0:3}",
	  .omitted = "warning: member_beyond_2m e 16777216" },

	/* --- enums --- */
	{ "a negative value gives an enum a sign",
	  FEATURE_ENUM64,
	  { .kind = BTF_ENUM, .name = C, .size = 4, .nr = 2 },
	  .values = { { D, -1 }, { E, 7 } },
	  .record = "enum! c 4 {d -1, e 7}" },
	{ "an enum of 64 bits",
	  FEATURE_ENUM64,
	  { .kind = BTF_ENUM, .name = C, .size = 8, .first = 1, .nr = 2 },
	  .values = { { D, -1 }, { E, 7 }, { F, INT64_C(0x100000002) } },
	  .record = "enum64 c 8 {e 7, f 4294967298}" },
	{ "an enum of 64 bits without the feature",
	  0,
	  { .kind = BTF_ENUM, .name = C, .size = 8, .first = 1, .nr = 2 },
	  .values = { { D, -1 }, { E, 7 }, { F, INT64_C(0x100000002) } },
	  .record = "enum c 8 {e 7, f 2}",
	  .omitted = "type_enum_value f 8" },
	{ "a value that does not fit",
	  FEATURE_ENUM64,
	  { .kind = BTF_ENUM, .name = C, .size = 4, .nr = 1 },
	  .values = { { D, INT64_C(0x100000002) } },
	  .record = "enum c 4 {d 2}",
	  .omitted = "type_enum_value d 4" },

	/* --- the rest --- */
	{ "a declared struct",
	  0,
	  { .kind = BTF_STRUCT, .flags = CU_TYPE_FWD, .name = C },
	  .record = "fwd c" },
	{ "a declared union",
	  0,
	  { .kind = BTF_UNION, .flags = CU_TYPE_FWD, .name = C },
	  .record = "fwd! c" },
	{ "an array has the index type of the program",
	  0,
	  { .kind = BTF_ARRAY, .ref = 1, .size = 9 },
	  .record = "array 1 " INDEX " 9" },
	{ "three dots are a parameter without name and type",
	  0,
	  { .kind = BTF_FUNC_PROTO, .ref = 1, .nr = 1, .flags = CU_TYPE_VARARG },
	  .members = { { D, .type = 1 } },
	  .record = "func_proto 1 {d 1, 0}" },
	{ "a typedef", 0, { .kind = BTF_TYPEDEF, .name = C, .ref = 1 }, .record = "typedef c 1" },
	{ "a typedef without a name is a const",
	  0,
	  { .kind = BTF_TYPEDEF, .ref = 1 },
	  .record = "const 1" },
};

struct setting {
	struct str_pool strings;
	struct cu cu;
	struct record_words w;
	struct diagnostics diags;
	struct omissions omissions;
};

static void setting_release(struct setting *s)
{
	str_pool_release(&s->strings);
	cu_release(&s->cu);
	diag_release(&s->diags);
	omissions_release(&s->omissions);
	free(s->w.items);
}

/* "RULE [PART] NUMBER, ..."; "warning: RULE ..." if there is a diagnostic for it. */
static const char *omitted_text(const struct setting *s)
{
	const struct diagnostic *d = s->diags.first;
	struct text text = { 0 };

	for (size_t i = 0; i < s->omissions.nr; i++) {
		const struct omission *o = &s->omissions.items[i];
		const struct omission_rule_def *rule = &omission_rules[o->rule];
		bool warned = rule->note && rule->level == DIAG_WARNING;

		CHECK(!warned || (d && d->level == DIAG_WARNING));
		text_printf(&text, "%s%s%s %s%s%ju", i ? ", " : "", warned ? "warning: " : "",
			    rule->id, str_pool_text(&s->strings, o->part), o->part ? " " : "",
			    (uintmax_t)o->number);
		d = warned ? d->next : d;
	}
	CHECK(!d);
	return test_keep(text_take(&text));
}

TEST_EACH(types_of_a_unit_become_records, cases, c)
{
	CLEANUP(setting_release) struct setting s = { .omissions.all = true };
	const struct encode_opts opts = { .features = c->features, .compat = c->compat };
	const struct run run = { .opts = &opts, .fake_int = FAKE };
	const struct omission_log log = { &s.diags, &s.strings, &s.omissions, 0, 0 };

	str_pool_init(&s.strings);
	CHECK_EQ(str_pool_add(&s.strings, "FAKE", 4), FAKE);
	for (const char *name = "abcdef"; *name; name++)
		str_pool_add_copy(&s.strings, name, 1);
	vec_push(&s.cu.types, ((struct cu_type){ .kind = BTF_UNKN }));
	vec_push(&s.cu.types, c->type);
	for (size_t i = 0; i < ARRAY_SIZE(c->members); i++) {
		vec_push(&s.cu.members, c->members[i]);
		vec_push(&s.cu.enumerators, c->values[i]);
	}
	record_append(&run, &s.cu, 1, &s.w, &log);
	CHECK_EQ(s.w.nr, btf_rec_words(s.w.items));
	CHECK_STR(record_text(&s.strings, s.w.items), c->record);
	CHECK_STR(omitted_text(&s), c->omitted ? c->omitted : "");
}
