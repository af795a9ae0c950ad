#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measure what a call costs beside Python clients (bench/check.py), then the calculation checker
# against a checker written with sympy, on the same text and core.
#
#   bench/run.sh BUILD [FILE]
#
# The clients come from pip into BUILD/bench/clients and sympy into BUILD/bench/venv; when they cannot
# be had, only our own figures are printed. Without FILE the text is generated. sympy gets the first
# SYMPY_KB of the text (default 200).
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1 text=${2:-}
work=$build/bench
mkdir -p "$work"

clients=()
if tools/wheels.sh "$work/clients" tests/reference/clients_requirements.txt; then
    clients=(--client "$work/clients/bin/python")
else
    echo "bench: the Python clients could not be installed; no comparison" >&2
fi
echo "== a call, all in"
meson compile -C "$build" rederive canned >/dev/null
python3 bench/check.py "$build/cli/rederive" "$build/tests/fake/canned" "${clients[@]}"

if [ -z "$text" ]; then
    text=$work/text.txt
    python3 bench/make_text.py --kilobytes 2000 >"$text"
fi
meson compile -C "$build" bench_calculations >/dev/null

echo "== rederive, $text"
"$work/bench_calculations" "$text"

if [ ! -x "$work/venv/bin/python" ]; then
    python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet sympy==1.13.3 || {
        rm -rf "$work/venv"
        echo "bench: sympy could not be installed; no comparison" >&2
        exit 0
    }
fi

part=$work/part.txt
head -c "${SYMPY_KB:-200}000" "$text" | sed '$d' >"$part"
ours=$("$work/bench_calculations" --json "$part")
theirs=$("$work/venv/bin/python" bench/sympy_checker.py "$part")
echo "== both on the first $(wc -c <"$part") bytes"
printf '%s\n%s\n' "$ours" "$theirs"
python3 - "$ours" "$theirs" <<'EOF'
import json
import sys

ours, theirs = (json.loads(text) for text in sys.argv[1:])
for name in "right", "rounded", "wrong", "undecided":
    if ours[name] != theirs[name]:
        print(f"they differ: {name} {ours[name]} and {theirs[name]}")
print(f"rederive goes through {ours['mb_per_s'] / theirs['mb_per_s']:.0f} times as much text a second")
EOF
