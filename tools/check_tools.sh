#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Open what a built program converts with the libraries of other tools (tests/tools).
#
#   tools/check_tools.sh BUILD [NAME...]      NAME: only tests whose names contain one of these
#
# The libraries are wheels, pinned by hash, which are installed into .venv-tools. Where they cannot
# be had the tests are skipped, and say so. What passed stands in BUILD/tools.jsonl; the last line is
# "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$1
shift
venv=.venv-tools
results=$build/tools.jsonl

rm -f "$results"
if ! why=$(tools/wheels.sh "$venv" tests/tools/requirements.txt 2>&1); then
    echo "check-tools: skipped: the tools' libraries cannot be installed: $(tail -n 1 <<<"$why")"
    echo '{"name":"tools","result":"SKIP"}' >"$results"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
. tools/program_env.sh
exec "$venv/bin/python" tests/tools/run.py "$results" "$@"
