#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build small forms of the largest libraries in the Python package's wheel, from Debian's own sources of the versions
# that are installed: tools/python_wheel.sh puts them into the wheel in place of Debian's, where they are.
#
#   tools/wheel_libraries.sh        they are kept in build-deps/wheel, and made again where Debian has a new version
#
#   libcurl   HTTP and HTTPS only, with OpenSSL inside; Debian's needs 25 libraries, for LDAP, Kerberos, SSH and others
#
# It needs the packages of `tools/setup.sh wheel`, and Debian's sources by apt.
set -euo pipefail
cd "$(dirname "$0")/.."

kept=$PWD/build-deps/wheel
# As Debian compiles, for code that only what calls it keeps.
flags='-O2 -fPIC -ffunction-sections -fdata-sections -fstack-protector-strong -D_FORTIFY_SOURCE=2 -g0'
export CC="$(command -v ccache || true) gcc"

# apt-get with the sources of the releases that this machine installs from, whose lists apt need not have.
from_sources() {
    apt-get -q -o Dir::Etc::SourceList="$kept/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$kept/lists" -o APT::Sandbox::User="$(id -un)" "$@"
}

list_sources() {
    local release
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mkdir -p "$kept/lists"
    cat >"$kept/sources.list" <<END
deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $release main
deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian-security $release-security main
END
    from_sources update
}

# Unpack the patched source of the version of an installed package in $scratch/NAME.
unpack() { # NAME PACKAGE
    local version
    version=$(dpkg-query -W -f '${source:Version}' "$2")
    (cd "$scratch" && from_sources source --download-only "$1=$version" && dpkg-source -x "$1"_*.dsc "$1")
}

link() { # FILE SONAME EXPORTED WORD...
    local file=$1 name=$2 exported=$3
    shift 3
    printf '{ global: %s; local: *; };\n' "$exported" >"$scratch/$file.map"
    gcc -shared -s -o "$kept/$file" -Wl,-soname,"$name" -Wl,--version-script="$scratch/$file.map" -Wl,--gc-sections \
        -Wl,--no-undefined -Wl,-z,relro "$@"
}

make_curl() {
    unpack curl libcurl4-gnutls-dev
    (cd "$scratch/curl" && ./configure CFLAGS="$flags" --disable-shared --enable-static --disable-dependency-tracking --disable-symbol-hiding \
        --with-openssl --with-nghttp2 --with-ca-bundle=/etc/ssl/certs/ca-certificates.crt \
        --disable-{ldap,ldaps,ftp,file,dict,telnet,tftp,pop3,imap,smb,smtp,gopher,mqtt,rtsp,manual,ntlm,tls-srp,netrc,doh,cookies,aws} \
        --disable-{alt-svc,hsts,unix-sockets} --without-{zlib,brotli,zstd,libpsl,libidn2,libssh2,librtmp,gssapi} &&
        make -C lib)
    link libcurl-gnutls.so.4 libcurl-gnutls.so.4 'curl_*' -Wl,--whole-archive "$scratch/curl/lib/.libs/libcurl.a" \
        -Wl,--no-whole-archive -l:libssl.a -l:libcrypto.a -lnghttp2
}

# What a library is made of: the versions, and this file.
recipe() {
    dpkg-query -W -f '${Package} ${Version}\n' libcurl4-gnutls-dev libssl-dev libnghttp2-dev
    sha256sum tools/wheel_libraries.sh
}

main() {
    mkdir -p "$kept"
    exec 9>"$kept/lock"
    flock 9
    recipe | cmp -s - "$kept/recipe" && exit 0
    rm -f "$kept"/*.so.* "$kept/recipe"
    scratch=$(mktemp -d "$kept/make.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    (list_sources && make_curl) >"$kept/log" 2>&1 || {
        echo "wheel_libraries: failed (build-deps/wheel/log):" >&2
        tail -n 20 "$kept/log" >&2
        exit 1
    }
    recipe >"$kept/recipe"
    ls -l "$kept"/*.so.*
}

main
