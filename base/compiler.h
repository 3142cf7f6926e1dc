/* SPDX-License-Identifier: GPL-2.0-only */
/* compiler.h - attributes and small macros for all layers */
#ifndef BTFENC_BASE_COMPILER_H
#define BTFENC_BASE_COMPILER_H

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
#define NEVER_NULL __attribute__((returns_nonnull))
#define RETURNS_NONNULL __attribute__((returns_nonnull))
#define MALLOC_LIKE __attribute__((malloc, returns_nonnull))
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#define NORETURN __attribute__((noreturn))
#define UNUSED __attribute__((unused))

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#if defined(__has_feature)
#define ADDRESS_SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZED 1
#else
#define ADDRESS_SANITIZED 0
#endif

#endif
