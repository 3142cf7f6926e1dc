/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model.h - a random C program of several translation units, before it is text
 *
 * Types, functions and variables belong to the program, and each says what becomes of it in
 * which unit: units see the definition of a struct, another one of the same name, or its
 * declaration alone, as happens where headers and #ifdef are about. Bit @u of a mask stands for
 * unit @u.
 *
 * Everything lies in the arena of the program and lives as long as it.
 */
#ifndef BTFENC_TESTS_GEN_MODEL_H
#define BTFENC_TESTS_GEN_MODEL_H

#include "base/arena.h"
#include "tests/gen/rand.h"

#include <stdio.h>

enum { MAX_UNITS = 4, MAX_PARAMS = 9, MAX_NAMED = 48, MAX_FUNCS = 24, MAX_VARS = 24 };

enum type_kind { TYPE_BASE, TYPE_NAMED, TYPE_POINTER, TYPE_ARRAY, TYPE_FUNCTION };

enum { QUAL_CONST = 1, QUAL_VOLATILE = 2, QUAL_RESTRICT = 4 };

/* What can be done with a value of a type, typedefs looked through. */
enum type_class {
	CLASS_VOID,
	CLASS_INT,
	CLASS_FLOAT,
	CLASS_POINTER,
	CLASS_MEMORY,
	CLASS_ARRAY,
	CLASS_FUNCTION
};

struct type {
	enum type_kind kind;
	unsigned quals;
	unsigned base;         /* TYPE_BASE: index for base_name() */
	struct named *named;   /* TYPE_NAMED */
	const struct type *to; /* pointee, element, what is returned */
	unsigned len;          /* of an array; FLEXIBLE if it says none */
	unsigned tag;          /* of a pointer: its btf_type_tag, 0 for none */
	const struct type *params[MAX_PARAMS];
	unsigned nr_params;
	bool variadic;
	bool old_style; /* of a definition: names first, then their types */
};

enum { FLEXIBLE = ~0u };

enum named_kind { NAMED_STRUCT, NAMED_UNION, NAMED_ENUM, NAMED_TYPEDEF };

struct member {
	const char *name; /* NULL: none */
	const struct type *type;
	unsigned bits; /* 0: not a bit field, or one of width 0 without a name */
	bool is_bits;
	unsigned align; /* 0: as it comes */
	bool packed;
	unsigned nr_tags;
};

struct enumerator {
	const char *name;
	const char *value; /* NULL: the next one */
};

/* A struct, union, enum or typedef. */
struct named {
	enum named_kind kind;
	const char *name; /* NULL: anonymous */
	bool inner;       /* defined by the one member or typedef that uses it */
	unsigned index;   /* in prog->named; its complete parts have smaller ones */
	struct member *members;
	unsigned nr_members;
	struct enumerator *values;
	unsigned nr_values;
	const struct type *type; /* of a typedef */
	unsigned vector;         /* bytes, of a typedef of a vector */
	bool packed;
	unsigned align;
	unsigned nr_tags;
	bool displaced;       /* a member of a packed struct is one, perhaps off its alignment */
	uint64_t size;        /* at most, on any machine */
	unsigned pointed_in;  /* mask: units with a variable that points to it */
	unsigned complete_in; /* mask: units where a pointer brings the definition */
	struct named *other;  /* NULL, or one of the same name, which units in other_in see */
	unsigned other_in;
};

enum func_kind { FUNC_GLOBAL, FUNC_STATIC, FUNC_INLINE, FUNC_WEAK, FUNC_GNU_INLINE, FUNC_ALIAS };

struct func {
	enum func_kind kind;
	const char *name;
	unsigned index;
	const struct type *type, *other; /* other: NULL, or the type in the units of other_in */
	unsigned other_in;
	unsigned defined_in, declared_in;
	const char *params[MAX_PARAMS]; /* names */
	unsigned used;                  /* mask of parameters that the body looks at */
	int constant;                   /* parameter that callers give the same value, or -1 */
	const char *attrs;
	const char *label; /* another name in the symbol table, or NULL */
	bool never_returns;
	bool renames; /* parameters have other names in other_in */
	unsigned nr_tags;
	unsigned param_tags;       /* mask */
	const struct func *target; /* of an alias */
};

enum var_kind { VAR_GLOBAL, VAR_STATIC, VAR_EXTERN };

struct var {
	enum var_kind kind;
	const char *name;
	const struct type *type, *other;
	unsigned other_in;
	unsigned defined_in, declared_in;
	const char *section; /* or NULL */
	const char *attrs;
	bool zeroed; /* no initializer */
	bool open;   /* declared as an array without a length first */
	unsigned nr_tags;
};

/* What is wanted of a program beyond what every encoder can do. */
struct wishes {
	bool atomic, complex, overlap, percpu_parts;
};

struct prog {
	struct arena mem;
	uint64_t seed;
	struct wishes wishes;
	unsigned nr_units;
	struct named *named[MAX_NAMED];
	unsigned nr_named, nr_inner;
	struct func funcs[MAX_FUNCS];
	unsigned nr_funcs;
	struct var vars[MAX_VARS];
	unsigned nr_vars;
};

/* print.c */
char *text(struct prog *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* @type with @inner for a declarator, as unit @u has it. */
char *declare(struct prog *p, unsigned u, const struct type *type, const char *inner);
char *tags(struct prog *p, const char *what, unsigned nr);
void print_named(struct prog *p, unsigned u, struct named *n, FILE *f);

/* types.c */
const char *base_name(unsigned base);
enum type_class type_class(const struct type *t);
unsigned type_bits(const struct type *t);
uint64_t type_size(const struct type *t);
struct type *type_base(struct prog *p, unsigned base);
struct type *type_pointer(struct prog *p, const struct type *to);
/* Of an object, of a value, of a parameter. */
const struct type *type_object(struct prog *p, struct rnd *r, unsigned before);
const struct type *type_value(struct prog *p, struct rnd *r, unsigned before);
const struct type *type_passed(struct prog *p, struct rnd *r);
struct type *type_function(struct prog *p, struct rnd *r, unsigned before);
static inline struct named *named_in(struct named *n, unsigned u)
{
	return n->other && (n->other_in >> u & 1) ? n->other : n;
}

/* named.c, funcs.c, vars.c */
void make_named(struct prog *p, struct rnd *r);
void make_funcs(struct prog *p, struct rnd *r);
void make_vars(struct prog *p, struct rnd *r);
static inline const struct type *func_type(const struct func *f, unsigned u)
{
	return f->other && (f->other_in >> u & 1) ? f->other : f->type;
}
static inline const struct type *var_type(const struct var *v, unsigned u)
{
	return v->other && (v->other_in >> u & 1) ? v->other : v->type;
}

/* need.c */
enum need { NEED_NOT, NEED_NAME, NEED_ALL };

struct needs {
	enum need of[MAX_NAMED];
};

/* What unit @u must declare, and what it must define. */
void need_unit(const struct prog *p, unsigned u, struct needs *ret);

/* kfuncs.c */
void print_kfuncs(struct prog *p, FILE *out);

/* body.c, unit.c */
void print_body(struct prog *p, unsigned u, const struct needs *needs, const struct func *f,
		FILE *out);
void print_entry(struct prog *p, unsigned u, const struct needs *needs, FILE *out);
void print_unit(struct prog *p, unsigned u, FILE *out);

#endif
