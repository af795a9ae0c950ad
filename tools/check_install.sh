#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what is built into bare Debian 12 systems without a compiler, and check a text there: the .deb by apt, the
# wheel by pip and by uv. As root; debootstrap fetches the systems.
#
#   tools/check_install.sh OUT [BARE]
#
#   tools/check_install.sh OUT BARE NAME...      only deb, pip or uv
#
# OUT has rederive_*.deb (tools/deb.sh) and rederive_llm-*.whl (tools/python_wheel.sh). BARE: a folder with a bare
# system, made by `debootstrap --variant=minbase bookworm BARE`; without it one is made. The last line is
# "N passed, N failed".
set -uo pipefail

out=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bare=${2-$work/bare}
shift $(($# < 2 ? $# : 2))
wanted=${*-deb pip uv}
[ -d "$bare" ] || debootstrap --variant=minbase bookworm "$bare" >"$work/bootstrap.log" 2>&1 || { tail "$work/bootstrap.log"; exit 1; }

# What the wheel needs, and uv: fetched here, since a bare system has no certificates.
python3 -m pip download -q --disable-pip-version-check --only-binary :all: --python-version 3.11 -d "$work/wheels" 'cffi>=1.17' uv==0.13.8 || exit 1

# Run in a copy of the bare system, with the files of OUT in /root.
within() {
    local name=$1
    shift
    cp -a "$bare" "$work/$name"
    cp "$out"/*.deb "$out"/*.whl "$work/$name/root"
    cp -r "$work/wheels" "$work/$name/root"
    cp /etc/resolv.conf "$work/$name/etc/resolv.conf"
    cp -a /etc/apt/sources.list* /etc/apt/apt.conf.d "$work/$name/etc/apt/" 2>/dev/null
    printf 'Half of 48 is 25.\n' >"$work/$name/root/text.txt"
    mount -t proc proc "$work/$name/proc" || return 1 # the dynamic linker looks there for where a program is
    chroot "$work/$name" bash -euc "export PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/wheels
apt-get update -q >/dev/null 2>&1
$*" >"$work/$name.log" 2>&1
}

CHECK='
checked=$("$R" check --list -q /root/text.txt)
[ "$checked" = "/root/text.txt:1:1: text/0 step 0: Half of 48 is 25, should be 24 [calculations/part]" ]
"$R" models --model builtin --json | grep -q "\"model\""
! command -v cc
echo "seconds to the first check: $(($(date +%s) - began))"'

passed=0 failed=0
try() {
    [[ " ${wanted:-deb pip uv} " = *" $1 "* ]] || return 0
    if within "$@"; then
        passed=$((passed + 1))
        echo "$1: $(tail -n 1 "$work/$1.log")"
    else
        failed=$((failed + 1))
        echo "$1: failed"
        tail -n 20 "$work/$1.log"
    fi
    umount "$work/$1/proc"
    rm -rf "${work:?}/$1"
}

try deb 'began=$(date +%s)
apt-get install -y -q --no-install-recommends /root/rederive_*.deb
R=rederive
ls /usr/share/man/man1/rederive-check.1.gz /usr/share/zsh/vendor-completions/_rederive /usr/share/fish/vendor_completions.d/rederive.fish
bash -n /usr/share/bash-completion/completions/rederive'"$CHECK"
# Python itself is no part of the time.
try pip 'apt-get install -y -q --no-install-recommends python3-venv
began=$(date +%s)
python3 -m venv /root/v
/root/v/bin/pip install -q /root/*.whl
R=/root/v/bin/rederive
[ "$(/root/v/bin/python -c "import rederive; print(rederive.grade(\"1/2\", \"0.5\").outcome)")" = same ]'"$CHECK"
try uv 'apt-get install -y -q --no-install-recommends python3-venv
python3 -m venv /root/uv
/root/uv/bin/pip install -q uv==0.13.8
began=$(date +%s)
/root/uv/bin/uvx -q --no-index --find-links /root/wheels --from /root/*.whl rederive version
/root/uv/bin/uv tool install -q --no-index --find-links /root/wheels /root/*.whl
R=/root/.local/bin/rederive'"$CHECK"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
