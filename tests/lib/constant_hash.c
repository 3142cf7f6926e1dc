/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * constant_hash.c - in place of base/hash.c: a key with which all hashes are equal
 *
 * A product with 0 is 0, whatever is hashed. So all entries of a table are in one chain, and only comparisons
 * distinguish them. The program btfenc_constant_hash has this key.
 */
#include "base/hash.h"

struct hash_key hash_key;
