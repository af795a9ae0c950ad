#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measure a built program with a real language model on a real server: docs/measured/real-model.md.
#
#   tools/measure_real.sh BUILD WORK [OPTION...]      OPTION: of tests/reference/real_measured.py
#
# WORK is a folder that keeps what was asked: a run that is cut goes on. Build without sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
work=$2
shift 2
tools/wheels.sh .venv-real tests/real/requirements.txt
tools/wheels.sh .venv-client tests/reference/real_requirements.txt
export RDV_REAL_PYTHON=$PWD/.venv-real/bin/python
export no_proxy=127.0.0.1 PYTHONDONTWRITEBYTECODE=1
exec python3 tests/reference/real_measured.py "$build/cli/rederive" "$work" \
    --client .venv-client/bin/python "$@"
