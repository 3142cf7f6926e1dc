#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what is missing or no ELF file is an error of one line

. "${0%/*}/../lib/testlib.sh"

echo "no ELF" >text
: >empty
mkdir folder
run btfenc -J missing
expect_error "'missing': cannot open: No such file or directory"
run btfenc -J text
expect_error "'text': not an ELF file"
run btfenc -J empty
expect_error "'empty': not an ELF file: empty"
run btfenc -J folder
expect_error "'folder': cannot read: Is a directory"
