# SPDX-License-Identifier: Apache-2.0
"""From a bare machine to the first result: what `make demo` runs, how much it says, and the sources that it gets."""
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


class Sources(Case):
    """llhttp's C sources: pinned, and from the package where it is installed."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("tools"))
        self.script = shutil.copy(SOURCE / "tools/llhttp.sh", self.path("tools/llhttp.sh"))
        os.makedirs(self.path("bin"))
        self.fake("pkg-config", "exit 1")  # no library
        # The package as Debian has it, of this checkout's own copy or of the system's.
        kept = SOURCE / "build-deps/llhttp"
        kept = {name: kept / name for name in ("api.c", "http.c", "llhttp.c", "llhttp.h")} if kept.exists() else {
            name: pathlib.Path("/usr/share/include/llhttp" if name.endswith(".h") else "/usr/share/llhttp") / name
            for name in ("api.c", "http.c", "llhttp.c", "llhttp.h")}
        if not all(path.exists() for path in kept.values()):
            self.skipTest("llhttp is a library here")
        for name, path in kept.items():
            folder = self.path("root/usr/share/" + ("include/llhttp" if name.endswith(".h") else "llhttp"))
            os.makedirs(folder, exist_ok=True)
            shutil.copy(path, folder)
        self.fake("apt-get", "touch node-llhttp_8_all.deb")
        self.fake("dpkg-deb", f'cp -r {self.path("root")} "$3"')
        text = pathlib.Path(self.script).read_text()
        pathlib.Path(self.script).write_text(text.replace("/usr/share/llhttp/llhttp.c ]", "/nonexistent ]"))

    def fake(self, name, does):
        self.write("bin/" + name, "#!/bin/sh\n" + does + "\n")
        os.chmod(self.path("bin/" + name), 0o755)

    def run_it(self, *args):
        env = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]}
        return subprocess.run(["bash", self.script, *args], env=env, capture_output=True, text=True, check=False)

    def test_are_unpacked_and_not_installed(self):
        self.assertEqual(self.run_it("--check").returncode, 1)
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual(sorted(os.listdir(self.path("build-deps/llhttp"))), ["api.c", "http.c", "llhttp.c", "llhttp.h"])
        self.assertEqual(os.listdir(self.path("build-deps")), ["llhttp"])
        self.fake("apt-get", "exit 1")
        self.assertEqual((self.run_it("--check").returncode, self.run_it().returncode), (0, 0))  # nothing more is fetched

    def test_other_sources_are_refused(self):
        with open(self.path("root/usr/share/llhttp/http.c"), "a", encoding="utf-8") as file:
            file.write("\n")
        ended = self.run_it()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("are not those that tools/llhttp.sh names by their hashes", ended.stderr)
        self.assertFalse(os.path.exists(self.path("build-deps/llhttp")))

    def test_without_a_network_it_says_so(self):
        self.fake("apt-get", "exit 100")
        ended = self.run_it()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("is the network there", ended.stderr)

    def test_building_needs_neither_node_nor_xgboost(self):
        build = subprocess.run(["bash", "-c", "source <(sed '/^main /d' tools/setup.sh); packages_for build"], cwd=SOURCE,
                               capture_output=True, text=True, check=True).stdout.split()
        self.assertIn("gcc", build)
        for package in ("build-essential", "g++", "node-llhttp", "nodejs", "libxgboost-dev"):
            self.assertNotIn(package, build)


if __name__ == "__main__":
    unittest.main()
