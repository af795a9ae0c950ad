# SPDX-License-Identifier: Apache-2.0
"""Input of every bad kind: said with file and line, bounded in time and memory, and the good records
around it come out."""
import gzip
import json
import resource
import subprocess
import unittest

from support import PROGRAM, SANITIZED, SECONDS, Case, chain, lines, rederive

GOOD = chain(id="before"), chain(id="after")

# What a bad line is, and a part of the reason that has to be given.
BAD_LINES = {
    "not JSON": b"this is not JSON",
    "cut JSON": b'{"question": "a", "steps": ["b"',
    "two values": b'{"question": "a", "steps": []} {"question"',
    "a number": b"42",
    "a text": b'"only a text"',
    "a list in the lines": b"[1, 2, 3]",
    "no known members": b'{"colour": "red"}',
    "an error that is none": b'{"id": "b", "error": null}',
    "steps of the wrong type": b'{"question": "a", "steps": 7}',
    "a step of the wrong type": b'{"question": "a", "steps": ["x", {"y": 1}]}',
    "question of the wrong type": b'{"question": ["a"], "steps": ["x"]}',
    "label out of type": b'{"question": "a", "steps": ["x"], "label": "first"}',
    "nested braces": b'{"a":' * 10000 + b"1" + b"}" * 10000,
    "nested lists in steps": b'{"question": "a", "steps": ' + b"[" * 10000 + b"]" * 10000 + b"}",
    "a NUL byte": b'{"question": "a\0b", "steps": ["x"]}',
    "an unfinished escape": b'{"question": "\\ud800", "steps": ["x"]}',
}


class BadLines(Case):
    def check_between(self, bad):
        name = self.write("input.jsonl", lines(GOOD[0]).encode() + bad + b"\n" +
                          lines(GOOD[1]).encode())
        return rederive("check", "--json", name)

    def test_a_limit_is_named(self):
        """A step has too many calculations, or more are decided together than fit in the memory that is set aside for them."""
        ended = rederive("check", "-q", stdin=lines({"question": "q", "steps": ["1+1=2 " * 1600000]}))
        self.assert_ended(ended, 3)
        self.assertIn("has more than 1000000 calculations, which is the limit; split the step", ended.err)
        ended = rederive("check", "-q", stdin=lines({"question": "q", "steps": ["half of 4 is 2. " + "1+1=2 " * 900000]}))
        self.assert_ended(ended, 3)
        self.assertIn("need more than 384 MiB to be read, which is the limit; split the step", ended.err)

    def test_each_is_said_with_file_and_line(self):
        for kind, bad in BAD_LINES.items():
            with self.subTest(kind=kind):
                ended = self.check_between(bad)
                self.assert_ended(ended, 1)
                self.assertIn("input.jsonl:2:", ended.err)
                records = ended.records
                self.assertEqual([records[0].get("id"), records[-1].get("id")], ["before", "after"])
                self.assertEqual(len(records), 3)
                self.assertIn("input.jsonl:2:", records[1]["error"])
                self.assertEqual(json.loads(ended.err.splitlines()[-1])["n_failed"], 1)

    def test_invalid_utf8_is_an_error_or_read_and_never_passed_on(self):
        ended = self.check_between(b'{"question": "\xff\xfe", "steps": ["2 + 3 = 5 \xc3("]}')
        self.assertIn(ended.status, (0, 1))
        self.assertEqual(len(ended.records), 3)

    def test_vote_and_eval_go_on_as_well(self):
        text = lines(GOOD[0]) + "nonsense\n" + lines(GOOD[1])
        for command in ("vote", "eval"):
            ended = rederive(command, "--json", stdin=text)
            self.assert_ended(ended, 1)
            self.assertIn(":2:", ended.err)
            self.assertEqual(json.loads(ended.out.splitlines()[0])["n_chains"], 2)

    def test_strict_stops_at_the_first(self):
        text = lines(GOOD[0]) + "nonsense\n" + lines(GOOD[1])
        ended = rederive("check", "--strict", stdin=text)
        self.assert_ended(ended, 1)
        self.assertNotIn("after", ended.out)

    def test_only_bad_lines_is_nothing_done(self):
        ended = rederive("check", stdin="{nonsense\n{more\n")
        self.assert_ended(ended, 3)

    def test_empty_input_is_no_failure(self):
        for text in ("", "\n\n"):
            ended = rederive("check", stdin=text)
            self.assert_ended(ended, 0)
            self.assertEqual(ended.out, "")


class BadFiles(Case):
    def test_missing_file_is_said_and_the_others_are_read(self):
        name = self.write("good.jsonl", lines(chain()))
        ended = rederive("check", self.path("missing.jsonl"), name)
        self.assert_ended(ended, 1)
        self.assertIn("missing.jsonl", ended.err)
        self.assertEqual(len(ended.records), 1)

    def test_only_a_missing_file_is_nothing_done(self):
        self.assert_ended(rederive("check", self.path("missing.jsonl")), 3)
        self.assert_ended(rederive("check", self.folder), 3)

    def test_damaged_gzip_gives_what_is_before_the_damage(self):
        packed = gzip.compress(lines(*[chain(id=str(i)) for i in range(1000)]).encode(), mtime=0)
        ended = rederive("check", self.write("cut.gz", packed[:len(packed) // 2]))
        self.assert_ended(ended, 1)
        self.assertIn("cut.gz", ended.err)
        self.assertGreater(len(ended.records), 1)
        self.assertEqual(ended.records[0]["id"], "0")


class Huge(Case):
    def test_line_of_100_megabytes(self):
        name = self.path("huge.jsonl")
        with open(name, "wb") as file:
            file.write(lines(GOOD[0]).encode())
            file.write(b'{"question": "a", "steps": ["')
            for _ in range(100):
                file.write(b"x" * (1 << 20))
            file.write(b'"]}\n' + lines(GOOD[1]).encode())
        ended = rederive("check", name)
        self.assert_ended(ended, 1)
        self.assertIn("huge.jsonl:2:", ended.err)
        self.assertEqual([r.get("id") for r in ended.records], ["before", None, "after"])

    def test_no_line_end_in_100_megabytes(self):
        ended = rederive("check", stdin=b"{" * (100 << 20))
        self.assert_ended(ended, 3)

    def test_many_steps(self):
        ended = rederive("check", stdin=lines(chain(steps=["1 + 1 = 2"] * 20000)))
        self.assert_ended(ended, 0)
        self.assertEqual(len(ended.records[0]["verdicts"]), 20000)


class Memory(Case):
    @unittest.skipIf(SANITIZED, "sanitizers cannot be held to a limit")
    def test_votes_that_do_not_fit_are_said(self):
        text = lines(*[chain(question_id=str(i) * 200, answer=str(i)) for i in range(20000)])
        name = self.write("many.jsonl", text)
        done = subprocess.run(["bash", "-c", 'ulimit -v 48000; exec "$0" vote "$1"', PROGRAM, name],
                              capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("out of memory", done.stderr)


class Growth(Case):
    @unittest.skipIf(SANITIZED, "sanitizers take a time of their own")
    def test_four_times_the_step_takes_no_more_than_six_times_the_time(self):
        """Processor time, which other programs change little; a search of the whole step for each calculation took nine times."""
        times = []
        for n in 3 << 17, 3 << 19:
            path = self.write("step.jsonl", lines(chain(steps=["1+1=2 " * (n // 6)])))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.assertEqual(rederive("check", "-q", "-m", "values", "-o", self.path("out"), path, seconds=120).status, 0)
            times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        self.assertLess(times[1], 6 * times[0])


class Steps(Case):
    # steps that must be decided, or be unknown or unrelated, but never wrong or endless
    STEPS = {
        "a tower of powers": "2^(10^9) = 7",
        "a high tower": "9^9^9^9^9 = 1",
        "division by zero": "1/0 = 5",
        "zero to the zero": "0^0 / 0 = 0",
        "a huge factorial": "100000000! = 3",
        "factorials of factorials": "10!!!!!!!! = 3",
        "open brackets": "(" * 50000 + "1",
        "nested brackets": "(" * 50000 + "1" + ")" * 50000 + " = 1",
        "a million digits": "1" * 1000000 + " + 1 = 2",
        "many equals signs": "1 = " * 50000 + "1",
        "minus signs": "-" * 100000 + "1 = 1",
        "nested fractions": "\\frac{1}{" * 20000 + "2" + "}" * 20000 + " = 1",
        "a long exponent": "1e999999999999 = 1",
        "control characters": "\x00\x01\x1b[31m 2 + 2 = 4",
        "nothing": "",
    }

    def test_each_is_bounded(self):
        for kind, step in self.STEPS.items():
            with self.subTest(kind=kind):
                text = lines(GOOD[0], chain(steps=["1 + 1 = 2", step, "2 + 2 = 4"]), GOOD[1])
                ended = rederive("check", stdin=text)
                self.assert_ended(ended, 0)
                verdicts = ended.records[1]["verdicts"]
                self.assertEqual(len(verdicts), 3)
                self.assertEqual([verdicts[0]["verdict"], verdicts[2]["verdict"]],
                                 ["support", "support"])
                if verdicts[1]["verdict"] == "unknown":
                    self.assertTrue(verdicts[1]["explanation"])
                    self.assertIsNone(verdicts[1]["score"])

    def test_view_of_each_never_reaches_the_terminal_raw(self):
        for kind, step in self.STEPS.items():
            with self.subTest(kind=kind):
                text = lines(chain(question=step or "q", steps=[step], answer=step, gold=step,
                                   id="\x1b]0;title\x07"))
                ended = rederive("check", "--view", stdin=text)
                self.assert_ended(ended, 0)
                bad = [c for c in ended.out if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160]
                self.assertEqual(bad, [])


if __name__ == "__main__":
    unittest.main()
