#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Put the C sources of llhttp 8.1.0, the HTTP parser of `rederive serve`, into build-deps/llhttp.
#
#   tools/llhttp.sh [--check]      --check: only whether they are there, or not needed
#
# Nothing is done where the system has llhttp as a library (Debian 13, Fedora). Debian 12 has the sources in node-llhttp,
# which needs Node.js: the package is downloaded and unpacked, not installed. The sources are pinned by their hashes. Where
# the package is installed, its files are copied and nothing is downloaded.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build-deps/llhttp scratch=
pinned='6e5a4528cd67bb79c3b1c1e08bb8b4d9beeac4775877098d28be0a8f0d000897  api.c
c55eda50972fb150c093d54ba4a92921906f1f51ee60a6b1e0d13f5b9877f539  http.c
af384dc4a9e83b4b2ef8a658117a42afa1ee1585344563818ac730604e150f5f  llhttp.c
d10cbae21267c5d08e0dac01c8584c799b50be7dddd0a0f3193d110922981c38  llhttp.h'

is_pinned() {
    (cd "$1" 2>/dev/null && sha256sum --check --quiet --strict - >/dev/null 2>&1) <<<"$pinned"
}

# Collect the four files below a root into one folder.
collect() {
    mkdir -p "$2"
    cp "$1"/usr/share/llhttp/{api,http,llhttp}.c "$1"/usr/share/include/llhttp/llhttp.h "$2"/
}

download() {
    (cd "$1" && apt-get -o "APT::Sandbox::User=$(id -un)" download -q node-llhttp >/dev/null) || {
        echo "llhttp: node-llhttp cannot be downloaded with apt-get (is the network there, and 'apt-get update' done?)" >&2
        return 1
    }
    dpkg-deb -x "$1"/node-llhttp_*.deb "$1/root"
}

main() {
    pkg-config --exists 'libllhttp >= 8.1' 2>/dev/null && return 0
    is_pinned $folder && return 0
    [ "${1-}" = --check ] && return 1
    mkdir -p build-deps
    local root=
    scratch=$(mktemp -d build-deps/llhttp.XXXXXX)
    trap 'rm -rf "$scratch"' EXIT
    if [ ! -f /usr/share/llhttp/llhttp.c ]; then
        download "$scratch"
        root=$scratch/root
    fi
    collect "$root" "$scratch/llhttp"
    is_pinned "$scratch/llhttp" || {
        echo "llhttp: the C sources of Debian's node-llhttp are not those that tools/llhttp.sh names by their hashes. If Debian has" >&2
        echo "llhttp: corrected them, run the tests of the server with the new ones and write their hashes there." >&2
        return 1
    }
    rm -rf $folder
    mv "$scratch/llhttp" $folder
}

main "$@"
