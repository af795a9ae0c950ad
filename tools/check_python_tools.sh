#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Test the Python package in the tools that it is for: inspect_ai, lm-evaluation-harness, Ray, and by their
# sources TRL and verl (tests/python_tools); verifiers, Inspect Scout and pytest (tests/python_rewards).
#
#   tools/check_python_tools.sh BUILD [NAME...]      NAME: only tests whose names contain one of these
#
# The tools are wheels, pinned by hash, in .venv-python-tools and .venv-python-rewards. Where they cannot be had the tests are
# skipped, and say so. What passed stands in BUILD/python-tools.jsonl; the last line is
# "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "$1")
shift
venv=$PWD/.venv-python-tools
rewards=$PWD/.venv-python-rewards
results=$build/python-tools.jsonl

rm -f "$results"
if ! why=$(tools/wheels.sh "$venv" tests/python_tools/requirements.txt 2>&1 &&
    tools/wheels.sh "$rewards" tests/python_rewards/requirements.txt 2>&1); then
    echo "check-python-tools: skipped: the tools cannot be installed: $(tail -n 1 <<<"$why")"
    echo '{"name":"python-tools","result":"SKIP"}' >"$results"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
fail() {
    echo '{"name":"python-tools/wheel","result":"FAIL"}' >"$results"
    echo "0 passed, 1 failed"
    exit 1
}
# The wheel that `make check` made, if it did.
ls "$build"/python/*.whl >/dev/null 2>&1 || tools/python_wheel.sh "$build/python" || fail
for environment in "$venv" "$rewards"; do
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall \
        "$build"/python/*.whl || fail
done
. tools/program_env.sh
# One count of both: the lines of each stand in one file.
"$rewards/bin/python" -P tests/python_tools/run.py "$results.rewards" --in python_rewards "$@" | tee "$results.said"
failed=$?
"$venv/bin/python" -P tests/python_tools/run.py "$results" --in python_tools "$@" | tee -a "$results.said" || failed=1
cat "$results.rewards" >>"$results"
awk '/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3 } END { print passed " passed, " failed " failed" }' "$results.said"
rm -f "$results.rewards" "$results.said"
exit $failed
