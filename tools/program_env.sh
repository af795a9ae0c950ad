# SPDX-License-Identifier: Apache-2.0
# What tests of a built program find in their environment: `. tools/program_env.sh`, with $build set.
# A program with sanitizers needs more memory and time than the tests allow others: RDV_SANITIZE.
RDV_BUILD=$(realpath "$build")
RDV_SANITIZE=$(python3 -c 'import json, sys
print(next(o["value"] for o in json.load(open(sys.argv[1])) if o["name"] == "b_sanitize"))' \
    "$RDV_BUILD/meson-info/intro-buildoptions.json")
export RDV_BUILD RDV_SANITIZE RDV_SOURCE=$PWD RDV_PROGRAM=$RDV_BUILD/cli/rederive PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS=detect_leaks=1:halt_on_error=1:abort_on_error=1
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
