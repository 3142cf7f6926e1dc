/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hash.c - the key of the hashes; see hash.h
 *
 * A constructor sets the key, so no program can forget it. tests/lib/constant_hash.c replaces this file.
 */
#include "base/hash.h"

#include <sys/auxv.h>
#include <sys/random.h>
#include <time.h>

struct hash_key hash_key;

/*
 * getrandom() fails in an old kernel, in a sandbox that forbids it, and shortly after booting. Then the key comes
 * from the 16 random bytes that the kernel gives to each process, from the time and from an address.
 */
static void make_key_without_getrandom(void)
{
	const char *random = (const char *)getauxval(AT_RANDOM);
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	hash_key.seeds[0] ^= (uint64_t)now.tv_nsec << 32 ^ (uintptr_t)&now;
	if (random) {
		hash_key.multiplier ^= load64(random);
		hash_key.seeds[1] ^= load64(random + 8);
	}
}

__attribute__((constructor)) static void make_key(void)
{
	if (getrandom(&hash_key, sizeof(hash_key), GRND_NONBLOCK) != (ssize_t)sizeof(hash_key))
		make_key_without_getrandom();
	hash_key.multiplier |= 1;
}
