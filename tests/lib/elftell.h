/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elftell.h - an ELF file as text without section and symbol numbers
 *
 * So that a test can compare two files that number them differently. One line for each section with
 * a checksum of its bytes, each symbol, relocation, member of a group, and symbol of .llvm_addrsig.
 * It uses libelf, which the writer under test does not.
 */
#ifndef BTFENC_TESTS_ELFTELL_H
#define BTFENC_TESTS_ELFTELL_H

/* The lines of @path, without those that contain @skip unless it is NULL, which the caller frees. */
char *tell_elf(const char *path, const char *skip);

#endif
