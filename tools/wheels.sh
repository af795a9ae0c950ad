#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make a virtual environment that has exactly the wheels of a file, all pinned by hash. It is made
# anew when the file changed. Of two at once for one environment the second waits for the first.
#
#   tools/wheels.sh VENV REQUIREMENTS
set -euo pipefail

venv=$1
wanted=$2
exec 9>"$venv.lock"
flock 9
cmp -s "$wanted" "$venv/installed.txt" && exit 0
rm -rf "$venv"
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --require-hashes -r "$wanted"
cp "$wanted" "$venv/installed.txt"
