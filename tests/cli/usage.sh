#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --usage is the synopsis

. "${0%/*}/../lib/testlib.sh"

run btfenc --usage
expect_status 0
expect_no_stderr
expect_stdout <<\END
Usage: btfenc -J [OPTION]... FILE...
       btfenc --btf_encode_detached=OUT [OPTION]... FILE...
       btfenc --btf_check [--btf_base=BASE] FILE...
       btfenc --btf_diff [--btf_base=BASE] FILE FILE
       btfenc --btf_stats [--btf_base=BASE] FILE...
       btfenc [-C TYPE] [OPTION]... [FILE]...
END
