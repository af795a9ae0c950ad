#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build what uses threads with the thread sanitizer, and run its tests: the engine of the built-in model, its backend, the
# server, the driver, which is woken from other threads, the pool that reads, checks and grades records, and the bootstrap. Builds in build-tsan. A data race ends the
# program that has it, and so fails the test.
set -euo pipefail
cd "$(dirname "$0")/.."

export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1

# Warnings are errors in the other builds: with this sanitizer, gcc 12 warns of arrays in FLINT's headers where there is nothing wrong.
dir=build-tsan
[ -f $dir/build.ninja ] ||
    meson setup $dir -Dtests=enabled -Db_sanitize=thread -Db_lundef=false
mapfile -t tests < <(meson test -C $dir --list 2>/dev/null | sed 's/.* \/ //' |
    grep -E '^(unit/((lm|run|server)/|base/ordered_pool$|score/estimate$)|integration/(builtin$|threads$|serve$|verifying$|spending$|hostile_clients$|fuzz_http_requests$|driver_))')
[ ${#tests[@]} -gt 0 ]
exec meson test -C $dir --print-errorlogs --timeout-multiplier 6 "${tests[@]}"
