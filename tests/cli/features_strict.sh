#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a strict list with a name that we do not know fails with status 1

. "${0%/*}/../lib/testlib.sh"

run btfenc -J a.o --btf_features_strict=var,of_the_future
expect_error "--btf_features_strict: feature 'of_the_future' in 'var,of_the_future' is not \
supported; supported are: $(btfenc --supported_btf_features)"

run_ok btfenc --btf_features_strict="$(btfenc --supported_btf_features)",all,default --numeric_version
