# SPDX-License-Identifier: Apache-2.0
"""Which shared objects a command loads: only those that its work needs."""
import gzip
import os
import re
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

LATE = ("libcalcium", "libcurl", "libcurl-gnutls", "libsqlite3", "libxgboost", "libz", "libzstd")
STEPS = lines(chain(id="1", steps=["2 + 3 = 5", "5 * 2 = 11"]))


def loaded(ended):
    """The names, without versions, of the objects that the dynamic linker tells to have initialised."""
    return {os.path.basename(path).split(".so")[0] for path in re.findall(r"calling init: (\S+)", ended.err)}


def late(*args, **more):
    """Of the libraries that are opened late, those that the command opened itself."""
    ended = rederive(*args, env={"LD_DEBUG": "files"}, **more)
    names = loaded(ended)
    assert "libflint" in names, ended.err[:500]
    if names & {"libcurl", "libcurl-gnutls"}:  # it needs the packers too, and who knows what
        names -= {"libz", "libzstd"}
    return ended, {name.replace("-gnutls", "") for name in names & set(LATE)}


class Start(Case):
    def test_what_needs_none(self):
        ended, opened = late("grade", "--answer", "1/2", "--gold", "0.5")
        self.assertEqual(opened, set())
        self.assertIs(ended.records[0]["correct"], True)
        self.assertEqual(late("check", "-m", "calculations", self.write("chains.jsonl", STEPS))[1], set())
        self.assertEqual(late("vote", stdin=STEPS)[1], set())
        self.assertEqual(late("check", "--help")[1], set())

    def test_algebraic_numbers(self):
        ended, opened = late("grade", "--answer", r"\sqrt{2} + \sqrt{3}", "--gold", r"\sqrt{5 + 2\sqrt{6}}")
        self.assertIs(ended.records[0]["correct"], True)
        self.assertIn(opened, ({"libcalcium"}, set()))  # FLINT 3 holds it

    def test_a_packed_file(self):
        path = self.path("chains.jsonl.gz")
        with gzip.open(path, "wt") as file:
            file.write(STEPS)
        self.assertEqual(late("check", "-m", "calculations", path)[1], {"libz"})
        archive = os.path.join(os.environ["RDV_SOURCE"], "tests/golden/tool-files/inspect.eval")  # its members are packed by zstd
        ended, opened = late("check", "-m", "calculations", archive)
        self.assertIn("libzstd", opened)
        self.assertGreater(len(ended.records), 1)

    def test_a_server_and_a_journal(self):
        with Server(rules=[]) as server:
            ended, opened = late("check", "-m", "global", "-M", server.url, "--retries", "0", stdin=STEPS)
            self.assertEqual(opened, {"libcurl"}, ended.err[-500:])
            self.assertTrue(server.asked())
            journal = self.path("journal.db")
            opened = late("check", "-m", "global", "-M", server.url, "--journal", journal, "--retries", "0", stdin=STEPS)[1]
            self.assertEqual(opened, {"libcurl", "libsqlite3"})
        self.assertEqual(late("journal", "info", journal)[1], {"libsqlite3"})

    def test_a_library_that_cannot_be_opened(self):
        """It ends as where the dynamic linker lacks a library: with a line that names it, and with nothing done."""
        for name in ("libsqlite3.so.0", "libcurl-gnutls.so.4", "libcurl.so.4"):
            self.write(name, "no library")
        for library, args in (("libsqlite3.so.0", ("journal", "info", self.write("journal.db", ""))),
                              ("libcurl-gnutls.so.4", ("check", "-m", "global", "-M", "http://127.0.0.1:9/v1#m"))):
            ended = rederive(*args, stdin=STEPS, env={"LD_LIBRARY_PATH": self.path("")})
            self.assertEqual(ended.status, 3, ended.err)
            self.assertRegex(ended.err, rf"rederive: {re.escape(library)} cannot be opened, which is needed for [a-z ]+: .+\n")
            self.assertEqual(ended.out, "")


if __name__ == "__main__":
    unittest.main()
