# SPDX-License-Identifier: Apache-2.0
"""A recorded run whose journal is damaged plays again to the same bytes, or is refused in one line.
Every byte in turn is tested by tests/prop/damaged_journal.c; this is a share of them, through the
program, and every byte of what the replies say."""
import random
import re
import sqlite3
import unittest

from scripted import COLLECT, COMPARE, REGENERATE, TARGET, VARIABLES, Server
from support import Case, chain, lines, rederive

CHAINS = lines(chain(id="a", steps=["2 + 3 = 5", "So the answer is 5."]))
DENIED = dict(COMPARE, reply="Solution 1 does not support the conclusion in Solution 2.")
RULES = [DENIED, REGENERATE, COLLECT, TARGET, VARIABLES]
SAMPLED = 60


class Damaged(Case):
    def setUp(self):
        super().setUp()
        with Server(rules=RULES) as server:
            ended = rederive("check", "-q", "-m", "selfcheck", "-M", server.url, "-o",
                             self.path("out.jsonl"), stdin=CHAINS)
        self.assert_ended(ended, 0)
        self.expected = self.read("out.jsonl")

    def replay(self, data):
        """Whether it was refused; else it is the same."""
        name = self.write("damaged", data)
        ended = rederive("check", "-q", "-m", "selfcheck", "-M", "transcript:" + name, stdin=CHAINS)
        if ended.status == 0:
            self.assertEqual(ended.out, self.expected)
            return False
        self.assertRegex(ended.err, r"^rederive: .+\n")
        return True

    def flip(self, data, places):
        """How many of the changes were refused."""
        rng = random.Random(5)
        refused = 0
        for at in places:
            damaged = bytearray(data)
            damaged[at] ^= 1 << rng.randrange(8)
            refused += self.replay(bytes(damaged))
        return refused

    def test_a_byte_anywhere(self):
        with open(self.path("out.jsonl.journal"), "rb") as file:
            data = file.read()
        places = random.Random(3).sample(range(len(data)), SAMPLED)
        self.assertGreater(self.flip(data, places), 0)

    def test_a_byte_of_what_decides(self):
        with open(self.path("out.jsonl.journal"), "rb") as file:
            data = file.read()
        denials = [m.start() for m in re.finditer(b"Solution 1 does not support the", data)]
        self.assertTrue(denials)
        places = range(denials[0] + 11, denials[0] + 19)  # "does not"
        self.assertEqual(self.flip(data, places), len(places))

    def test_another_word_is_refused_wherever_it_is_read(self):
        journal = self.path("out.jsonl.journal")
        with open(journal, "rb") as file:
            data = file.read()
        name = self.write("damaged", data.replace(b"does not support", b"really supports "))
        for args in (("check", "-m", "selfcheck", "-M", "transcript:" + name),
                     ("check", "-m", "selfcheck", "-M", "transcript:" + name + "#fake"),
                     ("check", "-m", "selfcheck", "--dry-run", "-M", "transcript:" + name),
                     ("check", "-m", "selfcheck", "-M", "http://127.0.0.1:1#fake", "--journal",
                      name),
                     ("journal", "export", name), ("journal", "info", name),
                     ("models", "-M", "transcript:" + name)):
            ended = rederive(*args, stdin=CHAINS)
            self.assert_ended(ended, 3)
            self.assertEqual(ended.out, "", args)
            self.assertEqual(ended.err.count("is damaged: a reply does not match its checksum; "
                                             "restore it from a copy, or delete it"), 1, ended.err)

    def test_lines(self):
        export = rederive("journal", "export", self.path("out.jsonl.journal")).out
        self.assertFalse(self.replay(export.encode()))
        places = random.Random(4).sample(range(len(export)), SAMPLED // 2)
        self.assertGreater(self.flip(export.encode(), places), SAMPLED // 3)
        ended = rederive("journal", "import", self.path("new"),
                         stdin=export.replace("does not support", "really supports "))
        self.assert_ended(ended, 1)
        self.assertIn("the line does not match its checksum", ended.err)
        old = re.sub(r',"sha256":"[0-9a-f]{64}"}', "}", export)
        self.assertNotIn('"sha256"', old)
        self.assertFalse(self.replay(old.encode()))


class OfAnotherVersion(Case):
    """As another version of the program left it: nothing is read from it, and it stays as it is."""

    def test_is_refused_in_one_line(self):
        journal = self.path("out.jsonl.journal")
        with Server(rules=RULES) as server:
            rederive("check", "-q", "-m", "selfcheck", "-M", server.url, "-o",
                     self.path("out.jsonl"), stdin=CHAINS)
        for version, advice in ((2, "delete it and ask again"), (5, "or a newer one")):
            base = sqlite3.connect(journal)
            base.execute(f"PRAGMA user_version = {version}")
            base.close()
            with open(journal, "rb") as file:
                before = file.read()
            for args in (("-M", "transcript:" + journal),
                         ("-M", "http://127.0.0.1:1#fake", "--journal", journal)):
                ended = rederive("check", "-m", "selfcheck", *args, stdin=CHAINS)
                self.assert_ended(ended, 3)
                self.assertEqual(ended.out, "")
                self.assertEqual(ended.err.count("\n"), 1, ended.err)
                self.assertIn(f"is of version {version}, and this program reads versions 3 and 4: use the "
                              "program that wrote it, ", ended.err)
                self.assertIn(advice, ended.err)
            with open(journal, "rb") as file:
                self.assertEqual(file.read(), before)


if __name__ == "__main__":
    unittest.main()
