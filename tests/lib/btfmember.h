/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfmember.h - a member of an archive under construction: btfbuild.h with strings
 *
 *	MEMBER(m);
 *	add_var(t, str(m, "count"), add_the_int(m));
 *
 * gives the test a member m, its records t, and counts n of what was done to it.
 */
#ifndef BTFENC_TESTS_BTFMEMBER_H
#define BTFENC_TESTS_BTFMEMBER_H

#include "base/cleanup.h"
#include "btf/btf_view.h"
#include "encoder/member/gcc_member.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

/* Its strings do not move. */
struct made {
	struct btf_view view;
	char strings[1024];
};

static inline void made_release(struct made *m)
{
	btf_view_release(&m->view);
}

static inline void made_start(struct made *m)
{
	*m = (struct made){ .view.strings.len = 1 };
	m->view.strings.ptr = (const uint8_t *)m->strings;
	btf_types_init(&m->view.types, NULL);
}

/* Both are released at the end of the test. */
#define MEMBER(m)                                   \
	SECOND_MEMBER(m);                           \
	struct btf_types *const t = &m->view.types; \
	struct gcc_member_counts n UNUSED = { 0 };  \
	(void)t
#define SECOND_MEMBER(m)                            \
	CLEANUP(made_release) struct made made_##m; \
	struct made *const m = &made_##m;           \
	made_start(m)

static inline uint32_t str(struct made *m, const char *s)
{
	size_t at = m->view.strings.len;

	CHECK(at + strlen(s) < sizeof(m->strings));
	strcpy(m->strings + at, s);
	m->view.strings.len += strlen(s) + 1;
	return (uint32_t)at;
}

static inline uint32_t add_number(struct made *m, const char *name, uint32_t size,
				  uint32_t encoding)
{
	return ADD(&m->view.types, str(m, name), btf_info(BTF_INT, 0, false), size,
		   encoding << 24 | 8 * size);
}

static inline uint32_t add_the_int(struct made *m)
{
	return add_number(m, "int", 4, BTF_ENC_SIGNED);
}

/* What gcc takes for the index of an array. */
static inline uint32_t add_index(struct made *m)
{
	return add_number(m, "long unsigned int", 8, 0);
}

/* A prototype of one parameter. */
static inline uint32_t add_proto(struct btf_types *t, uint32_t ret, uint32_t name, uint32_t type)
{
	return ADD(t, 0, btf_info(BTF_FUNC_PROTO, 1, false), ret, name, type);
}

static inline uint32_t add_func(struct btf_types *t, uint32_t name, uint32_t linkage,
				uint32_t proto)
{
	return ADD(t, name, btf_info(BTF_FUNC, linkage, false), proto);
}

/* A section of one variable as gcc writes it: of no size, all at 0. */
static inline uint32_t add_section(struct made *m, const char *name, uint32_t var)
{
	return ADD(&m->view.types, str(m, name), btf_info(BTF_DATASEC, 1, false), 0, var, 0, 4);
}

#endif
