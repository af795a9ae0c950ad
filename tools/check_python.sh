#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build the Python package's wheel, install it in a clean virtual environment, and test it there.
#
#   tools/check_python.sh BUILD [NAME...]      NAME: only tests whose names contain one of these
#
# BUILD has the program, whose records the package must equal. Everything is kept in BUILD/python.
# Where the tools cannot be had from PyPI the tests are skipped, and say so. What passed stands in
# BUILD/python.jsonl; the last line is "N passed, N failed[, N skipped]".
set -uo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "$1")
shift
here=$build/python
results=$build/python.jsonl

rm -f "$results"
mkdir -p "$here"
if ! why=$(tools/wheels.sh "$here/tools" tests/python/build-requirements.txt 2>&1 &&
    tools/wheels.sh "$here/clean" tests/python/requirements.txt 2>&1); then
    echo "check-python: skipped: what builds the wheel cannot be installed: $(tail -n 1 <<<"$why")"
    echo '{"name":"python","result":"SKIP"}' >"$results"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
fail() {
    echo "{\"name\":\"$1\",\"result\":\"FAIL\"}" >>"$results"
    echo "0 passed, 1 failed"
    exit 1
}
# A sanitizer of the program's build is none of the wheel's.
env -u CFLAGS -u LDFLAGS tools/python_wheel.sh "$here" || fail python/wheel
"$here/clean/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall \
    "$here"/*.whl || fail python/install
. tools/program_env.sh
export RDV_MYPY=$here/tools/bin/mypy RDV_ABI3AUDIT=$here/tools/bin/abi3audit RDV_WHEEL=$(ls "$here"/*.whl)
# -P: the package is the installed one, not that of the source.
exec "$here/clean/bin/python" -P tests/python/run.py "$results" "$@"
