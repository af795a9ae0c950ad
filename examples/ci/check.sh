#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh FILE... : annotate the wrong calculations of files and folders in a run of GitHub Actions. Without arguments the
# names are in FILES, divided at spaces. SARIF names a file that gets a log for code scanning too. The status is that of
# `rederive check --fail-on-wrong`: 4 where something is wrong, 1 and 3 where something could not be read.
set -uf
program=${REDERIVE:-rederive}
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2086 # it is to be divided
    set -- ${FILES:-.}
fi
if [ -n "${SARIF:-}" ]; then
    status=0
    "$program" check -q --list=sarif --out "$SARIF" "$@" || status=$?
    if [ "$status" -gt 1 ]; then
        exit "$status"
    fi
fi
exec "$program" check --list=github --fail-on-wrong "$@"
