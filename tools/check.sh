#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build in each way named, and run the tests.
#
#   tools/check.sh [--all] [--python] [gcc] [plain] [clang]
#
# gcc, clang: with this compiler, in build-gcc or build-clang, sanitizers on and warnings as errors. plain: with gcc as
# users build it, in build-plain. The first one named runs every test, but for those of suite `bulk` if plain is named too:
# they put much data through code that other tests reach as well, which takes three times as long with sanitizers.
# plain runs only those, and clang the tests of single functions and of the parsers (suites unit, fuzz and header, without
# suites long and bulk). --all: every test in every build. --python: those of the Python package too. The next build is
# tried even when one failed. Ends with the sum of all results; the status is 0 when nothing failed.
set -uo pipefail
cd "$(dirname "$0")/.."

# What is freed is kept back, to find its use, up to 16 instead of 256 MB: that halves the time in the system.
export ASAN_OPTIONS=detect_leaks=1:halt_on_error=1:abort_on_error=1:quarantine_size_mb=16
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1

configure() {
    local dir=build-$1 cc=gcc cxx=g++
    # gcc compiles code with sanitizers in less than half the time with -O1; of the debugging information only the
    # lines are needed, for stack traces. clang links the sanitizer runtime into programs only, so libraries keep
    # undefined symbols.
    local options=(--werror -Doptimization=1 -Dc_args=-g1 -Db_sanitize=address,undefined -Db_lundef=false)
    [ -f "$dir/build.ninja" ] && return 0
    [ "$1" = clang ] && cc=clang cxx=clang++ options+=(-Dfuzz=true)
    [ "$1" = plain ] && options=(-Ddebug=false)
    CC=$cc CXX=$cxx CC_LD=gold CXX_LD=gold meson setup "$dir" -Dtests=enabled "${options[@]}" # gold links twice as fast
}

# What is run of a build, by default.
part_of() {
    if [ $all = yes ]; then
        echo all
    elif [ "$1" != "$first" ]; then
        [ "$1" = plain ] && echo bulk || echo functions
    elif [[ "$1" != plain && " ${builds[*]} " = *" plain "* ]]; then
        echo others
    else
        echo all
    fi
}

# Build, and run that part.
check_with() {
    local dir=build-$1 part suites
    part=$(part_of "$1")
    case $part in
    all) suites=() ;;
    bulk) suites=(--suite bulk) ;;
    others) suites=(--no-suite bulk) ;;
    functions) suites=(--suite unit --suite fuzz --suite header --no-suite long --no-suite bulk) ;;
    esac
    rm -f "$dir/meson-logs/testlog.json"
    # `meson test` builds what its tests need; it is built first where that is everything, to see each warning.
    configure "$1" && { [ $part = bulk ] || ninja -C "$dir"; } &&
        meson test -C "$dir" --print-errorlogs --timeout-multiplier 3 \
            --num-processes $(($(nproc) + 1)) "${suites[@]}" # one more: some tests wait for most of their time
}

all=no
package=no
while [[ "${1-}" = --* ]]; do
    [ "$1" = --all ] && all=yes
    [ "$1" = --python ] && package=yes
    shift
done
builds=("$@")
first=$1
status=0
results=("${builds[@]/#/build-}")
for build in "${builds[@]}"; do
    check_with "$build" || status=1
done
if [ $package = yes ]; then
    tools/check_python.sh "build-$first" || status=1
    results+=("build-$first/python.jsonl")
fi
python3 tools/summary.py "${results[@]}" || status=1
exit $status
