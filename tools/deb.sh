#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build the Debian package: the program with its model, the man pages, and completions for bash, zsh and fish.
#
#   tools/deb.sh OUT        the package is OUT/rederive_VERSION_ARCHITECTURE.deb
#
# The build is kept in build-deb. With ccache its objects are those of a build that `make check` made.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(realpath -m "$1")
build=build-deb
export CC="$(command -v ccache || true) gcc" CCACHE_DEPEND=1
[ -f "$build/build.ninja" ] ||
    meson setup "$build" -Dprefix=/usr -Dlibdir=lib -Dtests=disabled -Ddebug=false -Doptimization=2 --werror >/dev/null
ninja -C "$build" program >"$build/deb.log" 2>&1 || { tail -n 40 "$build/deb.log"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
DESTDIR=$work/all meson install -C "$build" --no-rebuild >"$build/install.log"

root=$work/root
put() { install -D -m "$1" "$2" "$root/$3"; }
put 755 "$work/all/usr/bin/rederive" usr/bin/rederive
strip "$root/usr/bin/rederive"
put 644 "$work/all/usr/share/rederive/rederive.gguf" usr/share/rederive/rederive.gguf
for page in "$work"/all/usr/share/man/man1/*.1; do
    put 644 "$page" "usr/share/man/man1/$(basename "$page")"
done
gzip -9n "$root"/usr/share/man/man1/*.1
complete() { "$build/cli/rederive" completion "$1" >"$work/$1" && put 644 "$work/$1" "$2"; }
complete bash usr/share/bash-completion/completions/rederive
complete zsh usr/share/zsh/vendor-completions/_rederive
complete fish usr/share/fish/vendor_completions.d/rederive.fish
put 644 LICENSE usr/share/doc/rederive/copyright
put 644 CHANGELOG.md usr/share/doc/rederive/changelog
gzip -9n "$root/usr/share/doc/rederive/changelog"

# What the program opens late (docs/adr/0071) is seen in the shared libraries, which are not in the package.
version=$("$build/cli/rederive" version | cut -d ' ' -f 2)
mkdir -p "$work/debian" "$root/DEBIAN"
printf 'Source: rederive\n\nPackage: rederive\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info -l"$OLDPWD/$build/src" "$root/usr/bin/rederive" \
    "$OLDPWD/$build"/src/librederive*.so."$version" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
cat >"$root/DEBIAN/control" <<END
Package: rederive
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The Rederive authors <rederive@localhost>
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends
Section: science
Priority: optional
Description: checks the reasoning of language models step by step
 Every calculation in a solution is decided exactly, answers are compared by
 proof, and candidate solutions vote by how well they check out. No model is
 needed for this; other methods ask one, on any server of OpenAI's protocol.
END
mkdir -p "$out"
dpkg-deb --root-owner-group --build "$root" "$out" >"$build/package.log"
ls "$out/rederive_${version}_"*.deb
