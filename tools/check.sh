#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build with each compiler named, sanitizers on and warnings as errors, and run every test.
#
#   tools/check.sh [--all] [--python] [gcc] [clang]
#
# With the first compiler named every test is run, and with the others those of single functions and of
# the parsers (suites unit, fuzz and header, without suite long); --all: every test with every compiler. --python: those of
# the Python package too. Builds in build-gcc and build-clang. The second compiler is tried even when the
# first failed. Ends with the sum of all results; the status is 0 when nothing failed.
set -uo pipefail
cd "$(dirname "$0")/.."

# What is freed is kept back, to find its use, up to 16 instead of 256 MB: that halves the time in the system.
export ASAN_OPTIONS=detect_leaks=1:halt_on_error=1:abort_on_error=1:quarantine_size_mb=16
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1

configure() {
    local dir=build-$1 cxx=g++ fuzz=false
    [ -f "$dir/build.ninja" ] && return 0
    [ "$1" = clang ] && cxx=clang++ fuzz=true
    # clang links the sanitizer runtime into programs only, so libraries keep undefined symbols.
    # gcc compiles code with sanitizers in less than half the time with -O1; of the debugging information only the
    # lines are needed, for stack traces.
    CC=$1 CXX=$cxx meson setup "$dir" --werror -Dtests=enabled -Dfuzz=$fuzz -Doptimization=1 -Dc_args=-g1 \
        -Db_sanitize=address,undefined -Db_lundef=false
}

check_with() {
    local dir=build-$1 suites=()
    [ "$2" = all ] || suites=(--suite unit --suite fuzz --suite header --no-suite long)
    rm -f "$dir/meson-logs/testlog.json"
    configure "$1" && ninja -C "$dir" &&
        meson test -C "$dir" --no-rebuild --print-errorlogs --timeout-multiplier 3 \
            --num-processes $(($(nproc) + 1)) "${suites[@]}" # one more: some tests wait for most of their time
}

others=some
package=no
while [[ "${1-}" = --* ]]; do
    [ "$1" = --all ] && others=all
    [ "$1" = --python ] && package=yes
    shift
done
status=0
results=("${@/#/build-}")
what=all
for compiler in "$@"; do
    check_with "$compiler" $what || status=1
    what=$others
done
if [ $package = yes ]; then
    tools/check_python.sh "build-$1" || status=1
    results+=("build-$1/python.jsonl")
fi
python3 tools/summary.py "${results[@]}" || status=1
exit $status
