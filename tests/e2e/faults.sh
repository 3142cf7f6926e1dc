#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the fault matrix, all of it: e2e tests run on the release build

exec sh "${0%/*}/../cli/faults.sh"
