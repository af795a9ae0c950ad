#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hold tools/embed_prompts.py to tests/golden/prompt-faults.txt, and see it fail a build.

    embed.py SOURCE-ROOT
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
TOOL = ROOT / "tools/embed_prompts.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import embed_prompts  # noqa: E402  (the path is set above)


def cases():
    """Yield (name, text, what is expected: "LINE WHAT" or "")."""
    golden = (ROOT / "tests/golden/prompt-faults.txt").read_text(encoding="utf-8")
    for case in golden.split("\n@case ")[1:]:
        name, _, rest = case.partition("\n@text\n")
        text, _, expected = rest.rpartition("\n@")
        yield name, text, expected.strip("\n").removeprefix("fault ").removeprefix("good")


def verdict(text):
    try:
        embed_prompts.check(text)
    except embed_prompts.Fault as fault:
        return f"{fault.line} {fault}"
    return ""


def embed(folder, *names):
    """Run the tool as the build does."""
    return subprocess.run(
        [sys.executable, TOOL, folder, folder / "out.c", *(folder / name for name in names)],
        capture_output=True, text=True, check=False)


class Embed(unittest.TestCase):
    def test_faults(self):
        count = 0
        for name, text, expected in cases():
            count += 1
            with self.subTest(name):
                self.assertEqual(verdict(text), expected)
        self.assertGreater(count, 70)

    def test_too_long(self):
        self.assertEqual(verdict("x" * 65537), "1 a prompt has at most 65536 bytes")

    def test_a_bad_file_fails_the_build_with_file_and_line(self):
        good = next(text for name, text, _ in cases() if name == "a good prompt")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "t.md").write_text(good, encoding="utf-8")
            (folder / "bad.md").write_text(good.replace("{{text}}", "{{txt}}"), encoding="utf-8")
            (folder / "other.md").write_text(good, encoding="utf-8")
            (folder / "binary.md").write_bytes(b"---\n\xff\n")
            self.assertEqual(embed(folder, "t.md").returncode, 0)
            (folder / "out.c").unlink()
            run = embed(folder, "t.md", "bad.md", "other.md", "binary.md")
            self.assertEqual(run.returncode, 1)
            self.assertIn(f"{folder}/bad.md:10: txt is not a variable here", run.stderr)
            self.assertIn(f"{folder}/other.md:2: the id is other, as the file is called",
                          run.stderr)
            self.assertIn(f"{folder}/binary.md:1: ", run.stderr)
            self.assertFalse((folder / "out.c").exists())

    def test_any_bytes_survive_as_c(self):
        data = bytes(range(32, 256)) + b'\n"\\??/\n'
        text = embed_prompts.c_file([("t", data)])
        self.assertIn(str(len(data)), text)
        self.assertTrue(text.isascii())
        self.assertNotIn("??", text)


if __name__ == "__main__":
    unittest.main()
