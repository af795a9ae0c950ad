#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measure which lines, branches and conditions (MC/DC) the tests reach, and list what they do not.
#
#   tools/coverage.sh [TEST...]
#
# Builds in build-coverage and runs the suites unit, prop and integration there; TEST: runs these only,
# and keeps what the others covered before. Writes build-coverage/coverage/html, rooms.txt and
# uncovered.txt. The status is 1 if a test fails, or if the list is not what tests/coverage/uncovered.md says.
set -uo pipefail
cd "$(dirname "$0")/.."

dir=build-coverage
out=$dir/coverage
profiles=$dir/profiles
flags="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"

if [ ! -f $dir/build.ninja ]; then
    LLVM_PROFILE_FILE=/dev/null CC="${CC:-clang-19}" CXX="${CXX:-clang++-19}" meson setup $dir -Dtests=enabled -Db_lundef=false \
        -Dc_args="$flags" -Dc_link_args="$flags" || exit 1
fi
# What the build itself runs is no test, here and above.
LLVM_PROFILE_FILE=/dev/null ninja -C $dir || exit 1

status=0
mkdir -p $profiles $out
if [ $# = 0 ]; then
    rm -rf $profiles/*
    set -- --suite unit --suite prop --suite integration
fi
meson test -C $dir --no-rebuild --print-errorlogs --timeout-multiplier 5 \
    --wrapper "$PWD/tools/coverage_test.sh $PWD/$profiles" "$@" || status=1

# What is in no program of ours is not measured; `rederive` holds all rooms.
merged=$out/all.profdata
llvm-profdata-19 merge --sparse $profiles/*.profdata -o $merged || exit 1
llvm-cov-19 show $dir/cli/rederive -instr-profile=$merged -format=html -output-dir=$out/html \
    -show-branches=count -show-mcdc -sources src server cli || exit 1
llvm-cov-19 export $dir/cli/rederive -instr-profile=$merged -format=text -sources src server cli >$out/export.json || exit 1
tools/coverage.py $out/export.json $out || status=1
exit $status
