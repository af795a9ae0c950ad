#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Test the Python package in the tools that it is for: inspect_ai, lm-evaluation-harness, Ray, and by their
# sources TRL and verl (tests/python_tools).
#
#   tools/check_python_tools.sh BUILD [NAME...]      NAME: only tests whose names contain one of these
#
# The tools are wheels, pinned by hash, in .venv-python-tools. Where they cannot be had the tests are
# skipped, and say so. What passed stands in BUILD/python-tools.jsonl; the last line is
# "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "$1")
shift
venv=$PWD/.venv-python-tools
results=$build/python-tools.jsonl

rm -f "$results"
if ! why=$(tools/wheels.sh "$venv" tests/python_tools/requirements.txt 2>&1); then
    echo "check-python-tools: skipped: the tools cannot be installed: $(tail -n 1 <<<"$why")"
    echo '{"name":"python-tools","result":"SKIP"}' >"$results"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
# The wheel that `make check` made, if it did.
if ! { ls "$build"/python/*.whl >/dev/null 2>&1 || tools/python_wheel.sh "$build/python"; } ||
    ! "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall \
        "$build"/python/*.whl; then
    echo '{"name":"python-tools/wheel","result":"FAIL"}' >"$results"
    echo "0 passed, 1 failed"
    exit 1
fi
. tools/program_env.sh
exec "$venv/bin/python" -P tests/python_tools/run.py "$results" "$@"
