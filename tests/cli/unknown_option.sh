#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# an unknown option is an error of usage that suggests the nearest known option

. "${0%/*}/../lib/testlib.sh"

run btfenc -J a.o --bogus
expect_usage_error "unrecognized option '--bogus'"

run btfenc -J a.o --bogus=3
expect_usage_error "unrecognized option '--bogus'"

run btfenc -Jk a.o
expect_usage_error "unrecognized option '-k'"

# suggests NEAREST OPTION
suggests()
{
	run btfenc "$2" a.o
	expect_usage_error "unrecognized option '${2%%=*}'; did you mean '$1'?"
}
suggests --btf_base --btf-base=x
suggests --btf_base --btf_bsae=x
suggests --btf_encode_detached --btf-encode-detached=x
suggests --skip_encoding_btf_inconsistent_proto --skip-encoding-btf-inconsistent-proto
suggests --strip_dwarf --strip_drawf
suggests --help --hlep
suggests --btf_check --btf_chekc=6.15

# a long option with one dash
run btfenc -verbose a.o
expect_usage_error "unrecognized option '-v'; did you mean '--verbose'?"
run btfenc -version
expect_usage_error "unrecognized option '-v'; did you mean '--version'?"

# none is similar, or only an option that btfenc refuses
run btfenc --x a.o
expect_usage_error "unrecognized option '--x'"
run btfenc --reorganise a.o
expect_usage_error "unrecognized option '--reorganise'"
