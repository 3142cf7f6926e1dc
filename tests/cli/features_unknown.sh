#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a feature with an unknown name has no effect, and a warning suggests the nearest name

. "${0%/*}/../lib/testlib.sh"

run_ok btfenc --btf_features=default,of_the_future,flaot --numeric_version
expect_stderr <<\END
btfenc: warning: feature 'of_the_future' is unknown and has no effect
btfenc: warning: feature 'flaot' is unknown and has no effect; did you mean 'float'?
END
expect_stdout <<\END
131
END
