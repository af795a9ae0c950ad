#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run one test, and keep what it covered: the wrapper that tools/coverage.sh gives to `meson test`.
#
#   tools/coverage_test.sh FOLDER COMMAND...
#
# Each process of the test writes a profile of its own; they are merged into FOLDER/NAME.profdata when
# the test has ended. A profile that a killed process left half written is left out.
set -uo pipefail

folder=$(realpath "$1")
shift
name=$(printf '%s' "$*" | tr -c 'A-Za-z0-9_.-' '_' | tail -c 150)
raw=$folder/$name.raw
rm -rf "$raw" "$folder/$name.profdata"
mkdir -p "$raw"

status=0
LLVM_PROFILE_FILE=$raw/%p-%m.profraw "$@" || status=$?
if compgen -G "$raw/*.profraw" >/dev/null; then
    find "$raw" -name '*.profraw' >"$raw/list"
    llvm-profdata-19 merge --sparse --failure-mode=all --input-files="$raw/list" -o "$folder/$name.profdata" ||
        echo "coverage: the profiles of $name cannot be merged" >&2
fi
rm -rf "$raw"
exit $status
