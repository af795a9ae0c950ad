#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install the Debian packages that a job needs and this machine lacks.
#
#   tools/setup.sh [--dry-run | --quiet] JOB...      JOB: build, docs, check, coverage, real, train, wheel
#
# Nothing is done when nothing is missing. --dry-run names what is missing and fails instead of
# installing; --quiet writes what apt says to build-deps/setup.log. On a machine without dpkg there
# is nothing to ask, and meson says what it lacks.
set -euo pipefail
quiet=no

packages_for() {
    case $1 in
    build)
        echo gcc libc6-dev make ninja-build pkgconf python3 \
            libjansson-dev libgmp-dev nettle-dev libmpfr-dev libflint-dev libflint-arb-dev libcalcium-dev zlib1g-dev libzstd-dev \
            libcurl4-gnutls-dev libuv1-dev libutf8proc-dev libsqlite3-dev
        ;;
    docs) echo scdoc ;;
    train) echo libxgboost0 ;;
    check) echo meson scdoc git g++ libxgboost-dev ccache clang libclang-rt-14-dev llvm-14 libcmocka-dev python3-jsonschema python3-pint python3-dev python3-venv chromium zsh fish ;;
    coverage) echo clang-19 llvm-19 libclang-rt-19-dev ;;
    real) echo python3-venv ;;
    wheel) echo python3-venv dpkg-dev libssl-dev libnghttp2-dev ;;
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

# Run a command; with --quiet, what it says goes to a log, of which the end is shown if it fails.
quietly() {
    local status=0
    if [ $quiet = no ]; then
        "$@"
        return
    fi
    mkdir -p build-deps
    "$@" >build-deps/setup.log 2>&1 || status=$?
    [ $status = 0 ] || tail -n 15 build-deps/setup.log >&2
    return $status
}

# What building needs besides packages.
get_sources() {
    case " $* " in
    *" build "*) tools/unpack.sh ;;
    esac
}

main() {
    local dry_run=no job wanted=() missing
    cd "$(dirname "$0")/.."
    case ${1-} in
    --dry-run) dry_run=yes && shift ;;
    --quiet) quiet=yes && shift ;;
    esac
    if ! command -v dpkg-query >/dev/null; then
        echo "setup: not a Debian system; see README.md for what the build needs" >&2
        return 0
    fi
    for job in "$@"; do
        # shellcheck disable=SC2207
        wanted+=($(packages_for "$job"))
    done
    missing=$(missing_of "${wanted[@]}")
    if [ $dry_run = yes ]; then
        [ -z "$missing" ] || echo "setup: not installed:" $missing >&2
        tools/unpack.sh --check || missing="$missing (and what tools/unpack.sh gets)"
        [ -z "$missing" ] && return 0
        echo "setup: 'make setup' installs what is missing" >&2
        return 1
    fi
    if [ -n "$missing" ]; then
        if [ $quiet = yes ]; then
            echo "Installing $(wc -w <<<"$missing") packages and what they need, with apt (build-deps/setup.log)"
        else
            echo "setup: installing" $missing
        fi
        # A mirror's hiccup should not fail a run: once more, after a pause.
        quietly install_packages $missing || { sleep 10 && quietly install_packages $missing; }
    fi
    get_sources "$@"
}

main "$@"
