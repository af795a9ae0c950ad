#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Judge the SARIF that `rederive check` writes and the workflow of examples/ci with the programs of others (tests/ci).
#
#   tools/check_ci.sh BUILD [NAME...]      NAME: only tests whose names contain one of these
#
# The npm packages are pinned by hash, in BUILD/ci. Where they cannot be had, or Node is older than 20, the tests are
# skipped, and say so. What passed stands in BUILD/ci.jsonl; the last line is "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "$1")
shift
results=$build/ci.jsonl
packages=$build/ci

rm -f "$results"
mkdir -p "$packages"
if ! cmp -s tests/ci/package-lock.json "$packages/installed.json"; then
    cp tests/ci/package.json tests/ci/package-lock.json "$packages"
    if ! why=$(cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund 2>&1); then
        echo "check-ci: skipped: the npm packages cannot be installed: $(tail -n 1 <<<"$why")"
        echo '{"name":"ci","result":"SKIP"}' >"$results"
        echo "0 passed, 0 failed, 1 skipped"
        exit 0
    fi
    cp tests/ci/package-lock.json "$packages/installed.json"
fi
export RDV_NODE_CI=$packages
. tools/program_env.sh
exec python3 tests/ci/run.py "$results" "$@"
