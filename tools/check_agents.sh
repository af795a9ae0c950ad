#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Call `rederive mcp` with the clients that agents use: Python's SDK of the Model Context Protocol, and both of npm
# (tests/agents).
#
#   tools/check_agents.sh BUILD [NAME...]      NAME: only tests whose names contain one of these
#
# The packages are pinned by hash, in .venv-agents and BUILD/agents. Where Python's cannot be had the tests are skipped,
# and say so; those of npm also where Node is older than 20. What passed stands in BUILD/agents.jsonl; the last line is
# "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "$1")
shift
venv=.venv-agents
results=$build/agents.jsonl
clients=$build/agents

# Prints the folder with node_modules, or "!" and why there is none.
node_clients() {
    local major why
    major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')
    if [ "${major:-0}" -lt 20 ]; then
        echo "!the npm packages need Node 20; ${major:+this is Node }${major:-there is none}"
        return
    fi
    mkdir -p "$clients"
    if ! cmp -s tests/agents/package-lock.json "$clients/installed.json"; then
        cp tests/agents/package.json tests/agents/package-lock.json "$clients"
        if ! why=$(cd "$clients" && npm ci --ignore-scripts --no-audit --no-fund 2>&1); then
            echo "!the npm packages cannot be installed: $(tail -n 1 <<<"$why")"
            return
        fi
        cp tests/agents/package-lock.json "$clients/installed.json"
    fi
    echo "$clients"
}

rm -f "$results"
if ! why=$(tools/wheels.sh "$venv" tests/agents/requirements.txt 2>&1); then
    echo "check-agents: skipped: the SDK cannot be installed: $(tail -n 1 <<<"$why")"
    echo '{"name":"agents","result":"SKIP"}' >"$results"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
RDV_NODE_CLIENTS=$(node_clients)
export RDV_NODE_CLIENTS
. tools/program_env.sh
exec "$venv/bin/python" tests/agents/run.py "$results" "$@"
