#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Train with our rewards for real, on the processor: GRPO steps of TRL, and verl's reward managers (tests/rl).
#
#   [RL_PYTHON=PYTHON] tools/check_rl.sh BUILD [NAME...]      NAME: only tests whose names contain one of these
#
# The tools are wheels, pinned by hash, in .venv-rl: 5 GB with torch, of which 3 are downloaded. RL_PYTHON: a Python
# that has torch, trl, verl and the package rederive; then nothing is installed. Where the wheels cannot be had the
# tests are skipped, and say so. What passed stands in BUILD/rl.jsonl; the last line is "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "$1")
shift
results=$build/rl.jsonl

rm -f "$results"
if [ -z "${RL_PYTHON-}" ]; then
    RL_PYTHON=$PWD/.venv-rl/bin/python
    if ! why=$(tools/wheels.sh .venv-rl tests/rl/requirements.txt 2>&1); then
        echo "check-rl: skipped: the tools cannot be installed: $(tail -n 1 <<<"$why")"
        echo '{"name":"rl","result":"SKIP"}' >"$results"
        echo "0 passed, 0 failed, 1 skipped"
        exit 0
    fi
    # The wheel that `make check` made, if it did.
    ls "$build"/python/*.whl >/dev/null 2>&1 || tools/python_wheel.sh "$build/python" || exit 1
    "$RL_PYTHON" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall \
        "$build"/python/*.whl || exit 1
fi
. tools/program_env.sh
exec "$RL_PYTHON" -P tests/python_tools/run.py "$results" --in rl "$@"
