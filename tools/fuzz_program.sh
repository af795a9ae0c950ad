#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Look for failures of the whole program: records through its commands and HTTP to its server, with the address and
# undefined-behaviour sanitizers, and HTTP with the thread sanitizer, each for some seconds.
#
#   tools/fuzz_program.sh SECONDS [SEED]
#
# Builds in build-clang and build-tsan. Begins with the seed given, or with the number of seconds since 1970, so that each run
# tries others; a seed that fails prints the command that repeats it.
set -uo pipefail
cd "$(dirname "$0")/.."

seconds=$1 seed=${2:-$(date +%s)} status=0
export ASAN_OPTIONS=detect_leaks=1:halt_on_error=1:abort_on_error=1
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1

# Run a fuzzer with the program of a build and the sanitizers it has.
fuzz() {
    echo "$3, $2 sanitizer:"
    RDV_PROGRAM=$PWD/$1/cli/rederive RDV_SANITIZE=$2 python3 "tests/fuzz_program/$3" --seconds "$seconds" --from "$seed" || status=1
}

[ -f build-clang/build.ninja ] ||
    CC=clang CXX=clang++ meson setup build-clang --werror -Dtests=enabled -Db_sanitize=address,undefined -Db_lundef=false || exit 1
[ -f build-tsan/build.ninja ] || meson setup build-tsan -Dtests=enabled -Db_sanitize=thread -Db_lundef=false || exit 1
ninja -C build-clang cli/rederive && ninja -C build-tsan cli/rederive || exit 1
fuzz build-clang address,undefined records.py
fuzz build-clang address,undefined http_requests.py
fuzz build-tsan thread http_requests.py
exit $status
