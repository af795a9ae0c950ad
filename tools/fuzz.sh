#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run every libFuzzer program of a clang build (-Dfuzz=true) for some seconds each.
#
#   tools/fuzz.sh BUILD SECONDS
#
# Starts from fuzz/corpus/NAME and what earlier runs kept in BUILD/fuzz/found/NAME, where failing
# inputs go too, as crash-* and timeout-*. Goes on to the next target after a failure; the status is
# 0 when none failed.
set -uo pipefail
cd "$(dirname "$0")/.."

build=$1 seconds=$2 status=0
ninja -C "$build" || exit 1
for program in "$build"/fuzz/libfuzzer_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    name=${program##*/libfuzzer_}
    found=$build/fuzz/found/$name
    mkdir -p "$found" "fuzz/corpus/$name"
    if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
        -artifact_prefix="$found/" "$found" "fuzz/corpus/$name" >"$found.log" 2>&1; then
        echo "fuzz $name: ok"
    else
        echo "fuzz $name: FAILED; the end of $found.log:"
        tail -n 40 "$found.log"
        status=1
    fi
done
exit $status
