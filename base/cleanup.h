/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cleanup.h - release at the end of a scope
 *
 *	CLEANUP(object_close) struct object obj = { 0 };   // released on every way out
 *	*ret = TAKE(obj);                                  // moved out: nothing left to release
 *
 * The release functions accept a zeroed object.
 */
#ifndef BTFENC_BASE_CLEANUP_H
#define BTFENC_BASE_CLEANUP_H

#define CLEANUP(fn) __attribute__((cleanup(fn)))

/* The value of @var, which is zeroed in the same breath. */
#define TAKE(var)                               \
	__extension__({                         \
		__typeof__(var) taken_ = (var); \
		(var) = (__typeof__(var)){ 0 }; \
		taken_;                         \
	})

#endif
