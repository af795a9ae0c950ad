#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Put what building needs of packages that need more than it into build-deps: downloaded and unpacked, not installed.
#
#   tools/unpack.sh [--check]      --check: only whether all is there, or not needed
#
#   llhttp   the C sources of the HTTP parser of `rederive serve`; Debian's node-llhttp needs Node.js
#   katex    what draws the formulas of reports; Debian's libjs-katex needs fonts
#   meson    Debian's meson needs setuptools
#
# Nothing is done where the system has them: llhttp as a library (Debian 13, Fedora), libjs-katex or meson installed. What
# becomes part of the program is pinned by its hash. Where node-llhttp is installed, its files are copied.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=
llhttp_pins='6e5a4528cd67bb79c3b1c1e08bb8b4d9beeac4775877098d28be0a8f0d000897  api.c
c55eda50972fb150c093d54ba4a92921906f1f51ee60a6b1e0d13f5b9877f539  http.c
af384dc4a9e83b4b2ef8a658117a42afa1ee1585344563818ac730604e150f5f  llhttp.c
d10cbae21267c5d08e0dac01c8584c799b50be7dddd0a0f3193d110922981c38  llhttp.h'
katex_pins='2b60a7900041346a3b11894e9c9d22b4db57313a4830a6babb6e56a4fd924fc4  katex.js'

system_has() {
    case $1 in
    llhttp) pkg-config --exists 'libllhttp >= 8.1' 2>/dev/null ;;
    katex) [ -f /usr/share/javascript/katex/katex.js ] ;;
    meson) command -v meson >/dev/null ;;
    esac
}

is_pinned() { # FOLDER PINS
    (cd "$1" 2>/dev/null && sha256sum --check --quiet --strict - >/dev/null 2>&1) <<<"$2"
}

is_there() {
    case $1 in
    llhttp) is_pinned build-deps/llhttp "$llhttp_pins" ;;
    katex) is_pinned build-deps/katex "$katex_pins" ;;
    meson) [ -x build-deps/bin/meson ] ;;
    esac
}

# The files of a package, below $scratch/PACKAGE.
download() {
    mkdir "$scratch/$1"
    (cd "$scratch/$1" && apt-get -o "APT::Sandbox::User=$(id -un)" download -q "$1" >/dev/null) || {
        echo "unpack: $1 cannot be downloaded with apt-get (is the network there, and 'apt-get update' done?)" >&2
        return 1
    }
    dpkg-deb -x "$scratch/$1/$1"_*.deb "$scratch/$1"
}

# Move a collected folder to its place, if its files are the pinned ones.
keep_pinned() { # NAME PACKAGE PINS WHAT_TO_TEST
    is_pinned "$scratch/$1" "$3" || {
        echo "unpack: the sources in Debian's $2 are not those that tools/unpack.sh names by their hashes. If Debian has" >&2
        echo "unpack: corrected them, run the tests of $4 with the new ones and write their hashes there." >&2
        return 1
    }
    rm -rf "build-deps/$1"
    mv "$scratch/$1" "build-deps/$1"
}

get_llhttp() {
    local root=
    if [ ! -f /usr/share/llhttp/llhttp.c ]; then
        download node-llhttp
        root=$scratch/node-llhttp
    fi
    mkdir "$scratch/llhttp"
    cp "$root"/usr/share/llhttp/{api,http,llhttp}.c "$root"/usr/share/include/llhttp/llhttp.h "$scratch/llhttp"
    keep_pinned llhttp node-llhttp "$llhttp_pins" "the server"
}

get_katex() {
    download libjs-katex
    mkdir "$scratch/katex"
    cp "$scratch/libjs-katex/usr/share/javascript/katex/katex.js" "$scratch/katex"
    keep_pinned katex libjs-katex "$katex_pins" "the report's formulas"
}

# One file that Python runs: an archive of the modules.
get_meson() {
    download meson
    local modules=$scratch/meson/usr/lib/python3/dist-packages
    echo 'import sys; from mesonbuild import mesonmain; sys.exit(mesonmain.main())' >"$modules/__main__.py"
    mkdir -p build-deps/bin
    python3 -m zipapp "$modules" --python '/usr/bin/env python3' --compress --output build-deps/bin/meson
}

main() {
    local name
    for name in llhttp katex meson; do
        if system_has $name || is_there $name; then
            continue
        fi
        [ "${1-}" = --check ] && return 1
        if [ -z "$scratch" ]; then
            mkdir -p build-deps
            scratch=$(mktemp -d "$PWD/build-deps/unpack.XXXXXX")
            trap 'rm -rf "$scratch"' EXIT
        fi
        get_$name
    done
}

main "$@"
