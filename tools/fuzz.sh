#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run every libFuzzer program for some seconds each, in a build of their own: clang, -Dfuzz=true, both sanitizers.
#
#   tools/fuzz.sh BUILD SECONDS [NAME]...
#   tools/fuzz.sh --table BUILD
#
# Starts from fuzz/corpus/NAME, for `calculations` and `grade` also from the inputs of
# tests/reference/drawn.py, and from what earlier runs kept in BUILD/fuzz/found/NAME, where failing inputs
# go too, as crash-* and timeout-*. Goes on to the next target after a failure; the status is 0 when none
# failed. Each run adds a line to BUILD/fuzz/totals.tsv: the time at its end, the target, its seconds of
# processor time, its inputs, and the failing inputs it found. --table prints the sum by target as
# fuzz/README.md has it.
set -uo pipefail
cd "$(dirname "$0")/.."

# The sum of the lines of a totals file, as a table in Markdown.
print_table() {
    sort -k 2,2 "$1" | awk -F '\t' '
        function row(name, s, n, f) { printf "| %s | %.1f | %.3f | %d |\n", name, s / 60, n / 1e6, f }
        BEGIN { print "| target | processor minutes | million inputs | failing inputs |\n| --- | --- | --- | --- |" }
        NR > 1 && $2 != name { row(name, s, n, f); s = n = f = 0 }
        { name = $2; s += $3; n += $4; f += $5; all_s += $3; all_n += $4; all_f += $5 }
        END { if (NR) row(name, s, n, f); row("all", all_s, all_n, all_f) }'
}

# The failing inputs that are stored in a folder.
count_failing() {
    find "$1" -type f \( -name 'crash-*' -o -name 'timeout-*' -o -name 'leak-*' -o -name 'oom-*' \) | wc -l
}

# Run one target; its status is the status.
fuzz() {
    local name=$1 program=$build/fuzz/libfuzzer_$1 found=$build/fuzz/found/$1 status=0 before user system inputs
    mkdir -p "$found"
    local folders=("$found" "fuzz/corpus/$name")
    [ ! -d "$build/fuzz/seeds/$name" ] || folders+=("$build/fuzz/seeds/$name")
    before=$(count_failing "$found")
    local TIMEFORMAT='%U %S'
    { time "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$found/" "${folders[@]}" >"$found.log" 2>&1; } 2>"$found.time" || status=1
    read -r user system <"$found.time"
    inputs=$(awk '/^stat::number_of_executed_units:/ { n = $2 } END { print n + 0 }' "$found.log")
    printf '%s\t%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "$name" "$(echo "$user $system" | awk '{ print $1 + $2 }')" \
        "$inputs" "$(($(count_failing "$found") - before))" >>"$build/fuzz/totals.tsv"
    return $status
}

if [ "${1-}" = --table ]; then
    print_table "$2/fuzz/totals.tsv"
    exit
fi
build=$1 seconds=$2 status=0
shift 2
[ -f "$build/build.ninja" ] || CC=clang CXX=clang++ meson setup "$build" --werror -Dtests=enabled -Dfuzz=true -Doptimization=1 \
    -Dc_args=-g1 -Db_sanitize=address,undefined -Db_lundef=false || exit 1
[ $# -gt 0 ] || mapfile -t names < <(ninja -C "$build" -t targets all | sed -n 's/^fuzz\/libfuzzer_\([a-z_]*\): .*/\1/p' | sort)
[ $# -eq 0 ] || names=("$@")
ninja -C "$build" "${names[@]/#/fuzz/libfuzzer_}" || exit 1
python3 tests/reference/drawn.py calculations --seeds "$build/fuzz/seeds/calculations" || exit 1
python3 tests/reference/drawn.py answers --seeds "$build/fuzz/seeds/grade" || exit 1
for name in "${names[@]}"; do
    if fuzz "$name"; then
        echo "fuzz $name: ok"
    else
        echo "fuzz $name: FAILED; the end of $build/fuzz/found/$name.log:"
        tail -n 40 "$build/fuzz/found/$name.log"
        status=1
    fi
done
exit $status
