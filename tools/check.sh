#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build in each way named, and run the tests.
#
#   tools/check.sh [--build | --all | --bulk] [--python] [gcc] [plain] [clang]
#
# plain: with gcc as users build it, in build-plain. gcc, clang: with this compiler, in build-gcc or build-clang, and with
# sanitizers. Warnings are errors in each. Where one build alone is named, it runs every test. Where plain is named beside
# one with sanitizers, each test runs where it says more: those of suite figures, which compare what comes out with what is
# known, run in plain alone; those of suite memory, which give damaged or hostile data to the program or start each of its
# commands, run with sanitizers alone; the others, of single functions and headers, run in both, since the two compilers
# must agree. Suite bulk, whose tests try all against all or measure on recorded data, is left out then. --bulk: that suite
# alone. --all: every test in every build. --python: those of the Python package too. --build: builds, and runs no test.
# The next build is tried even when one failed. Ends with the sum of all results; the status is 0 when nothing failed.
set -uo pipefail
cd "$(dirname "$0")/.."

# What is freed is kept back, to find its use, up to 16 instead of 256 MB: that halves the time in the system.
# LeakSanitizer of LLVM 14 guesses where glibc keeps the variables of threads of libraries that are opened late, and crashes
# where the guess is wrong; it is told not to.
export ASAN_OPTIONS=detect_leaks=1:halt_on_error=1:abort_on_error=1:quarantine_size_mb=16:intercept_tls_get_addr=0
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
export CCACHE_DEPEND=1 # the compiler says what an object depends on: half the work for what is not kept yet

configure() {
    local dir=build-$1 cc=gcc cxx=g++
    # gcc compiles code with sanitizers in less than half the time with -O1; of the debugging information only the
    # lines are needed, for stack traces. What is undefined ends the program in any case (halt_on_error), so the
    # compiler need not let it go on. clang links the sanitizer runtime into programs only, so libraries keep
    # undefined symbols.
    local options=(--werror -Doptimization=1 "-Dc_args=-g1 -fno-sanitize-recover=all" -Db_sanitize=address,undefined
        -Db_lundef=false)
    [ -f "$dir/build.ninja" ] && return 0
    [ "$1" = clang ] && cc=clang cxx=clang++
    # The wheel of the Python package is made of the same objects (tools/python_wheel.sh).
    [ "$1" = plain ] && cc="$(command -v ccache) gcc" options=(--werror -Ddebug=false)
    CC=$cc CXX=$cxx CC_LD=gold CXX_LD=gold meson setup "$dir" -Dtests=enabled "${options[@]}" # gold links twice as fast
}

# Options for meson: which suites run in that build.
suites_of() {
    [ $all = yes ] && return
    [ $bulk = yes ] && echo --suite bulk && return
    if [ "$1" = plain ]; then
        [[ " ${builds[*]} " = *" gcc "* || " ${builds[*]} " = *" clang "* ]] && echo --no-suite memory --no-suite bulk
    else
        [[ " ${builds[*]} " = *" plain "* ]] && echo --no-suite figures
    fi
}

# Run a command, and say how long it took.
timed() {
    local TIMEFORMAT="check: $1: %R s, of processor time %U s and %S s in the system"
    shift
    time "$@"
}

# Build, and run that part.
check_with() {
    local dir=build-$1 suites
    read -ra suites <<<"$(suites_of "$1")"
    rm -f "$dir/meson-logs/testlog.json"
    # All is built first, to see each warning.
    configure "$1" && timed "building $dir" ninja -C "$dir" || return 1
    [ $tests = no ] && return
    timed "tests of $dir" meson test -C "$dir" --no-rebuild --print-errorlogs --timeout-multiplier 3 \
        --num-processes $(($(nproc) + 1)) "${suites[@]}" # one more: some tests wait for most of their time
}

all=no
bulk=no
package=no
tests=yes
while [[ "${1-}" = --* ]]; do
    [ "$1" = --build ] && tests=no
    [ "$1" = --all ] && all=yes
    [ "$1" = --bulk ] && bulk=yes
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
[ $tests = no ] || python3 tools/summary.py "${results[@]}" || status=1
exit $status
