#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Train with our reward for real: GRPO steps of TRL and verl's reward manager (tests/rl).
#
#   RL_PYTHON=PYTHON tools/check_rl.sh
#
# PYTHON has torch, trl, and the package rederive; verl too where it is to be tested. Torch is some
# gigabytes, so nothing is installed: without RL_PYTHON the tests are skipped, and say so.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${RL_PYTHON-}" ]; then
    echo "check-rl: skipped: set RL_PYTHON to a Python that has torch, trl and rederive (pip install . trl verl)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
exec "$RL_PYTHON" -P tests/rl/trained.py
