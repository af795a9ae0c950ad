#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check which shared objects a library loads.

    check_libraries.py LIBRARY [--may NAME...] [--never NAME...]

LIBRARY itself may need only what is named after --may ("libjansson", without the version), where there is a --may, the
C library, and the run time of the sanitizers. Nothing named after --never may be loaded with it, by whichever of its libraries.
"""
import argparse
import re
import subprocess
import sys

ALWAYS = {"libc", "libm", "ld-linux-x86", "ld-linux-aarch64", "libpthread", "libasan", "libubsan", "libgcc_s"}
STEM = re.compile(r"^(.+?)(?:-[\d.]+)?\.so\b")


def stem(name):
    """The name of a shared object without its version: libcurl-gnutls.so.4, libldap-2.5.so.0."""
    found = STEM.match(name)
    return found.group(1) if found else name


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def needed_by(library):
    """What the library itself asks for."""
    return {stem(name) for name in re.findall(r"\(NEEDED\).*\[(.+)\]", output_of("readelf", "-dW", library))}


def loaded_with(library):
    """Everything that is loaded with the library, whoever asks for it."""
    return {stem(line.split()[0].split("/")[-1]) for line in output_of("ldd", library).splitlines()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--may", nargs="*")
    parser.add_argument("--never", nargs="*", default=[])
    options = parser.parse_args()

    loaded = loaded_with(options.library)
    print(f"{len(loaded)} shared objects:", *sorted(loaded))
    unexpected = set() if options.may is None else needed_by(options.library) - ALWAYS - set(options.may)
    bad = [f"{name}: not among those that {options.library} may need" for name in sorted(unexpected)]
    bad += [f"{name}: loaded with {options.library}" for name in sorted(loaded)
            if any(name == never or name.startswith(never + "-") for never in options.never)]
    print(*bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
