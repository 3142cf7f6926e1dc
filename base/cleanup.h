/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cleanup.h - release at the end of a scope
 *
 *	CLEANUP(object_close) struct object obj = { 0 };   // released at the end of the scope
 *	*ret = TAKE(obj);                                  // moved to *ret, obj is zeroed
 *
 * The release functions accept a zeroed object.
 */
#ifndef BTFENC_BASE_CLEANUP_H
#define BTFENC_BASE_CLEANUP_H

#define CLEANUP(fn) __attribute__((cleanup(fn)))

/* The value of @var, which is then zeroed. */
#define TAKE(var)                               \
	__extension__({                         \
		__typeof__(var) taken_ = (var); \
		(var) = (__typeof__(var)){ 0 }; \
		taken_;                         \
	})

#endif
