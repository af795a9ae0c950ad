#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install the Debian packages that a job needs and this machine lacks.
#
#   tools/setup.sh [--dry-run] JOB...      JOB: build, check, coverage, real
#
# Nothing is done when nothing is missing. --dry-run names what is missing and fails instead of
# installing. On a machine without dpkg there is nothing to ask, and meson says what it lacks.
set -euo pipefail

packages_for() {
    case $1 in
    build)
        echo build-essential meson ninja-build pkg-config python3 \
            libjansson-dev libgmp-dev nettle-dev libmpfr-dev libflint-dev libflint-arb-dev libcalcium-dev zlib1g-dev libzstd-dev \
            libcurl4-gnutls-dev libuv1-dev libutf8proc-dev libsqlite3-dev node-llhttp libxgboost-dev scdoc
        ;;
    check) echo git ccache clang libclang-rt-14-dev llvm-14 libcmocka-dev python3-jsonschema python3-pint python3-dev python3-venv chromium ;;
    coverage) echo clang-19 llvm-19 libclang-rt-19-dev ;;
    real) echo python3-venv ;;
    *)
        echo "setup: no job named '$1'" >&2
        return 2
        ;;
    esac
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing_of() {
    local package
    for package in "$@"; do
        is_installed "$package" || echo "$package"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "setup: neither root nor sudo; run as root: $*" >&2
        return 1
    fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 "$@"
}

install_packages() {
    apt update -q && apt install -q -y --no-install-recommends "$@"
}

main() {
    local dry_run=no job wanted=() missing
    if [ "${1-}" = --dry-run ]; then
        dry_run=yes
        shift
    fi
    if ! command -v dpkg-query >/dev/null; then
        echo "setup: not a Debian system; see README.md for what the build needs" >&2
        return 0
    fi
    for job in "$@"; do
        # shellcheck disable=SC2207
        wanted+=($(packages_for "$job"))
    done
    missing=$(missing_of "${wanted[@]}")
    [ -n "$missing" ] || return 0
    if [ $dry_run = yes ]; then
        echo "setup: not installed:" $missing >&2
        echo "setup: 'make setup' installs them" >&2
        return 1
    fi
    echo "setup: installing" $missing
    # A mirror's hiccup should not fail a run: once more, after a pause.
    install_packages $missing || { sleep 10 && install_packages $missing; }
}

main "$@"
