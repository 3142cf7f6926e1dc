#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Do real programs get pahole's bytes? Compares all that was built in some folders.
#
#	PEER=... [PACKAGES_LISTS=...] [PACKAGES_EVERY=...] sh tests/e2e/packages.sh FOLDER...
#
#	PEER             pahole 1.31
#	PACKAGES_LISTS   names of lists of features, see option_of in gen/compare.inc;
#	                 default: plain kernel default global all types
#	PACKAGES_EVERY   every how many-th object (*.o) to look at; all linked files are; default 1
#	KEEP=1           keeps the two results of each difference
#	BTFENC           default: the one in build/
#
# Every ELF file with debug information in FOLDER is encoded with every list, by both; a row of
# the table for each folder says how many of these results are equal. Of btfenc alone: the number
# of threads leaves no trace, --btf_check finds nothing (but in names of C++ and Rust, which the
# kernel does not take), and the file in place has what the detached one has.
#
# A difference is explained where known.txt has the reason ("1.31 NAME: ...") and the file shows
# it, without a look at btfenc's result: see reason_of. Status 1 if any other is there.
