#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --supported_btf_features is the line of pahole 1.31

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --supported_btf_features
expect_no_stderr
expect_stdout <<\END
encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func,decl_tag_kfuncs,reproducible_build,distilled_base,global_var,attributes,true_signature,layout
END
