#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build the Python package's wheel, with all libraries that it needs inside.
#
#   tools/python_wheel.sh OUT        the wheel is the only *.whl in OUT
#
# The tools are wheels, pinned by hash, in OUT/tools; the build is kept in build-wheel, so that the next one compiles what
# changed. It compiles as build-plain does, in a folder beside it, so that with ccache all objects but the package's own are
# those of that build.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(realpath -m "$1")
mkdir -p "$out"
tools/wheels.sh "$out/tools" tests/python/build-requirements.txt
PATH=$out/tools/bin:$PATH
export CC="$(command -v ccache) gcc" CCACHE_DEPEND=1
log=$out/wheel.log
rm -rf "$out"/*.whl "$out/unrepaired"
"$out/tools/bin/pip" wheel --disable-pip-version-check --no-build-isolation --no-deps -w "$out/unrepaired" \
    --config-settings=build-dir=build-wheel --config-settings=setup-args=--werror \
    --config-settings=compile-args=-j2 . >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
# auditwheel copies the libraries into the wheel, and names it after the oldest glibc that it needs. It takes the small forms
# that tools/wheel_libraries.sh made, if any.
export AUDITWHEEL_LD_LIBRARY_PATH=$PWD/build-deps/wheel
auditwheel repair -z 9 -w "$out" "$out"/unrepaired/*.whl >>"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
ls "$out"/*.whl
