#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compile the programs of a page, docs/library.md or docs/answers.md, against the installed libraries, run them, and compare what they print.

    library_page.py --build BUILD --page PAGE [--sanitize LIST] --cc COMPILER...

The build is installed into a folder of its own, so that only what is installed is seen. A program is a block "```c", named in
its first comment; what it prints on standard output is the next block "```text".
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"^```c\n(/\* (\w+)\.c \*/\n.*?)^```\n.*?^```text\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
STRICT = ["-std=c17", "-Wall", "-Wextra", "-pedantic", "-Werror"]


def run(command, **more):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **more).stdout


def installed(build, root):
    """Install what a developer gets under `root`; its folder of pkg-config files."""
    run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", root, "--tags", "runtime,devel"])
    return next(root.rglob("rederive.pc")).parent


def flags_of(package, folder, root):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder), "PKG_CONFIG_SYSROOT_DIR": str(root)}
    return run(["pkg-config", "--cflags", "--libs", package], env=environment).split()


def prints(name, source, flags, options, root, libraries):
    """Compile and run one program; what it prints."""
    path = root / f"{name}.c"
    path.write_text(source, encoding="utf-8")
    sanitize = [] if options.sanitize == "none" else ["-fsanitize=" + options.sanitize]
    run([*options.cc, *STRICT, *sanitize, path, "-o", root / name, *flags])
    return run([root / name], env={**os.environ, "LD_LIBRARY_PATH": str(libraries)})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--page", type=pathlib.Path, required=True)
    parser.add_argument("--sanitize", default="none")
    parser.add_argument("--programs", type=int, required=True, help="how many the page has")
    parser.add_argument("--cc", nargs="+", required=True)
    options = parser.parse_args()

    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        packages = installed(options.build, root)
        programs = PROGRAM.findall(options.page.read_text(encoding="utf-8"))
        for source, name, expected in programs:
            got = prints(name, source, flags_of("rederive", packages, root), options, root, packages.parent)
            if got != expected:
                print(f"{name}.c prints:\n{got}and not, as the page says:\n{expected}")
                bad += 1
        # The second library links too, and brings the first.
        flags = flags_of("rederive-run", packages, root)
        source = ("#include <rederive/run.h>\nint main(void)\n{\n    rdv_run_options options;\n"
                  "    rdv_run_options_default(&options, sizeof options);\n"
                  "    return rdv_fail(NULL, RDV_OK, \"none\") != RDV_OK || options.jobs != 64;\n}\n")
        prints("run", source, flags, options, root, packages.parent)
        print(f"{len(programs)} programs, {bad} wrong")
    return 0 if len(programs) == options.programs and not bad else 1


if __name__ == "__main__":
    sys.exit(main())
