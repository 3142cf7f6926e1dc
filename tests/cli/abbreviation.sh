#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a long option may be abbreviated while it is unique

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --numeric_v
expect_stdout <<\END
131
END

run btfenc --btf_gen_ a.o
expect_usage_error "option '--btf_gen_' is ambiguous: '--btf_gen_all', '--btf_gen_floats', \
'--btf_gen_optimized'"

# so may an option that pahole does not have, unless the abbreviation is one of pahole's
run btfenc --expl absent.o
expect_error "'absent.o': cannot open: No such file or directory"
run btfenc -J --strip_dwar absent.o
expect_error "'absent.o': cannot open: No such file or directory"
run btfenc --btf_c absent.btf
expect_error "'absent.btf': No such file or directory"
run btfenc --btf_d a.btf
expect_usage_error "'--btf_diff' takes two files, not 1"
run btfenc --btf_h a.btf b.btf
expect_usage_error "'--btf_header' takes one file"

# pahole's --lang and --lang_exclude are ambiguous anyway: all that match are named
run btfenc --l=c a.o
expect_usage_error "option '--l' is ambiguous: '--launch', '--lang', '--lang_exclude'"
run btfenc --la
expect_usage_error "option '--la' is ambiguous: '--launch', '--lang', '--lang_exclude'"
run btfenc --lau
expect_usage_error "'--launch' needs a command"
# pahole's alone
run btfenc --btf_encode_d
expect_usage_error "option '--btf_encode_detached' needs an argument"
