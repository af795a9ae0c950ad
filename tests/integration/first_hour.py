# SPDX-License-Identifier: Apache-2.0
"""From a bare machine to the first result: what `make demo` runs, how much it says, and what it unpacks."""
import contextlib
import importlib.util
import io
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from support import PROGRAM, Case

SOURCE = pathlib.Path(os.environ["RDV_SOURCE"])


def build_tool():
    spec = importlib.util.spec_from_file_location("build_tool", SOURCE / "tools/build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Demo(Case):
    def test_shows_its_point_on_one_screen(self):
        ended = subprocess.run([sys.executable, SOURCE / "tools/demo.py", PROGRAM, self.path("r.html")], capture_output=True, text=True,
                               check=True)
        self.assertLessEqual(len(ended.stdout.splitlines()), 24)
        for part in ("17 × 24 = 398, should be 408", "right: 7 of 10 by majority, 9 by confidence", "check FILE... --html"):
            self.assertIn(part, ended.stdout)
        self.assertTrue(os.path.getsize(self.path("r.html")) > 10000)


class Progress(Case):
    def test_a_bar_in_few_lines(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            bar = build_tool().Bar()
            for i in range(701):
                bar.show(i, 700)
        told = out.getvalue().splitlines()
        self.assertLessEqual(len(told), 6)
        self.assertIn(f"[{'#' * 40}] 700 of 700", told[-1])
        self.assertRegex(told[0], r"^Compiling \[#{8} +\] 140 of 700, \d+ s left$")


class Unpacked(Case):
    """What building needs of packages that are not installed: unpacked, and pinned."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("tools"))
        self.script = shutil.copy(SOURCE / "tools/unpack.sh", self.path("tools/unpack.sh"))
        os.makedirs(self.path("bin"))
        # The packages as Debian has them, of this checkout's own copies or of the system's.
        self.packed("node-llhttp", "usr/share/llhttp", "llhttp", "api.c", "http.c", "llhttp.c")
        self.packed("node-llhttp", "usr/share/include/llhttp", "llhttp", "llhttp.h")
        self.packed("libjs-katex", "usr/share/javascript/katex", "katex", "katex.js")
        os.makedirs(self.path("meson/usr/lib/python3/dist-packages/mesonbuild"))
        self.write("meson/usr/lib/python3/dist-packages/mesonbuild/mesonmain.py", "def main(): return 3\n")
        self.fake("apt-get", 'for name; do :; done; touch "$name"_8_all.deb')
        self.fake("dpkg-deb", f'name=$(basename "$2" _8_all.deb); cp -r {self.path("")}$name/. "$3"')
        text = pathlib.Path(self.script).read_text()
        text = text.replace("system_has() {", "system_has() { return 1; }\nunused() {").replace("-f /usr/share/llhttp", "-f /nonexistent")
        pathlib.Path(self.script).write_text(text)

    def packed(self, package, folder, name, *files):
        os.makedirs(self.path(f"{package}/{folder}"))
        for file in files:
            kept = next((path for path in (SOURCE / "build-deps" / name / file, pathlib.Path("/", folder, file)) if path.exists()), None)
            if not kept:
                self.skipTest(f"{file} is not here")
            shutil.copy(kept, self.path(f"{package}/{folder}"))

    def fake(self, name, does):
        self.write("bin/" + name, "#!/bin/sh\n" + does + "\n")
        os.chmod(self.path("bin/" + name), 0o755)

    def run_it(self, *args):
        env = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]}
        return subprocess.run(["bash", self.script, *args], env=env, capture_output=True, text=True, check=False)

    def test_are_unpacked_and_not_installed(self):
        self.assertEqual(self.run_it("--check").returncode, 1)
        ended = self.run_it()
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(sorted(os.listdir(self.path("build-deps/llhttp"))), ["api.c", "http.c", "llhttp.c", "llhttp.h"])
        self.assertEqual(sorted(os.listdir(self.path("build-deps"))), ["bin", "katex", "llhttp"])
        self.assertEqual(subprocess.run([self.path("build-deps/bin/meson")], check=False).returncode, 3)  # its status is meson's
        self.fake("apt-get", "exit 1")
        self.assertEqual((self.run_it("--check").returncode, self.run_it().returncode), (0, 0))  # nothing more is fetched

    def test_other_sources_are_refused(self):
        for package, file, name in (("node-llhttp", "usr/share/llhttp/http.c", "llhttp"), ("libjs-katex", "usr/share/javascript/katex/katex.js", "katex")):
            with open(self.path(f"{package}/{file}"), "a", encoding="utf-8") as written:
                written.write("\n")
            ended = self.run_it()
            self.assertEqual(ended.returncode, 1)
            self.assertIn(f"the sources in Debian's {package} are not those that tools/unpack.sh names", ended.stderr)
            self.assertFalse(os.path.exists(self.path(f"build-deps/{name}")))
            with open(self.path(f"{package}/{file}"), "rb+") as written:
                written.seek(-1, os.SEEK_END)
                written.truncate()

    def test_without_a_network_it_says_so(self):
        self.fake("apt-get", "exit 100")
        ended = self.run_it()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("is the network there", ended.stderr)

    def test_building_needs_no_large_package(self):
        build = subprocess.run(["bash", "-c", "source <(sed '/^main /d' tools/setup.sh); packages_for build"], cwd=SOURCE,
                               capture_output=True, text=True, check=True).stdout.split()
        self.assertIn("gcc", build)
        for package in ("build-essential", "g++", "node-llhttp", "nodejs", "libxgboost-dev", "meson", "libjs-katex"):
            self.assertNotIn(package, build)


if __name__ == "__main__":
    unittest.main()
