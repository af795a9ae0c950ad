#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ask a scripted model through `rederive serve` with the official clients: openai, anthropic and litellm (tests/clients).
#
#   tools/check_clients.sh BUILD [NAME...]      NAME: only tests whose names contain one of these; --write renews the
#                                               table of docs/clients.md
#
# The packages are pinned by hash, in .venv-clients. Where they cannot be had the tests are skipped, and say so. What passed
# stands in BUILD/clients.jsonl; the last line is "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "$1")
shift
venv=.venv-clients
results=$build/clients.jsonl

rm -f "$results"
if ! why=$(tools/wheels.sh "$venv" tests/clients/requirements.txt 2>&1); then
    echo "check-clients: skipped: the clients cannot be installed: $(tail -n 1 <<<"$why")"
    echo '{"name":"clients","result":"SKIP"}' >"$results"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
. tools/program_env.sh
exec "$venv/bin/python" tests/clients/run.py "$results" "$@"
