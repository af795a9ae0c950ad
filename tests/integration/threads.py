# SPDX-License-Identifier: Apache-2.0
"""--threads: what is written, told and counted does not depend on the number of threads."""
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import threading
import time
import unittest

from support import PROGRAM, Case, chain, lines, rederive

FORMATS = pathlib.Path(os.environ["RDV_SOURCE"], "tests/golden/formats")
COUNTS = ("1", "2", "8")
COMMANDS = (
    ["check", "--json"], ["check", "--view"], ["check", "--list", "--list-unread"], ["check", "--json", "--strict"],
    ["check", "--json", "--certify", "--as-labels", "--accepted"], ["eval"], ["vote", "--json"], ["grade", "--json"],
    ["convert", "--to", "trl"], ["convert", "--to", "inspect"], ["convert", "--to", "csv"])


def drawn(n, seed):
    """Chains of any length, some of them wrong, labelled or broken."""
    draw = random.Random(seed)
    records = [{"pred": 1}, {"pred": 2}]  # of no known form, which is told when another one is
    for i in range(n):
        steps = [f"{a} + {b} = {a + b + (draw.random() < 0.1)}" for a, b in
                 ((draw.randint(1, 99), draw.randint(1, 99)) for _ in range(draw.choice([1, 2, 3, 40])))]
        record = chain(question=f"What is it, {i % 9}?", steps=steps, answer=str(draw.randint(1, 3)), gold="2", id=f"c{i}")
        kind = draw.random()
        if kind < 0.05:
            record["label"] = 0
        records.append("nonsense" if kind > 0.97 else '{"steps": 5}' if kind > 0.95 else record)
    return lines(*records)


def told(err):
    return re.sub(r'\d+\.\d+ s$|"seconds":[0-9.]+', "", err, flags=re.MULTILINE)


class AnyNumber(Case):
    def same(self, *paths):
        for command in COMMANDS:
            with self.subTest(command=command):
                ended = [rederive(*command, "--threads", n, *paths, env={"SOURCE_DATE_EPOCH": "1"}) for n in COUNTS]
                for other in ended[1:]:
                    self.assertEqual((other.status, other.out, told(other.err)), (ended[0].status, ended[0].out, told(ended[0].err)))

    def test_of_chains_with_faults_in_several_files(self):
        self.same(self.write("a.jsonl", drawn(400, 1)), self.path("absent.jsonl"), *self.texts(), self.write("b.jsonl", drawn(30, 2)))

    def texts(self):
        """A record of a text is named after its file, which is closed before the record is checked."""
        return [self.write(f"text{i}.md", f"2 + 2 = {4 + i % 3}\n\n3 + 3 = 7\n") for i in range(20)]

    def test_of_every_format_in_one_file(self):
        """Some records give several chains, some none, and notes are about the first record of their kind."""
        records = [line for path in sorted(FORMATS.glob("*.jsonl")) for line in path.read_text().splitlines()]
        random.Random(3).shuffle(records)
        self.same(self.write("all.jsonl", "".join(line + "\n" for line in records)))

    def test_of_a_report(self):
        self.same_pages(drawn(60, 4))

    def test_of_a_report_whose_chains_are_packed(self):
        self.same_pages(drawn(60, 4) + "".join(lines(chain(id=f"p{i}")) for i in range(1100)))
        self.assertIn("packed-html", self.read("page.html"))

    def same_pages(self, records):
        path = self.write("a.jsonl", records)
        pages = []
        for n in COUNTS:
            rederive("check", "--threads", n, path, "-o", self.path("x"), "--html", self.path("page.html"))
            pages.append(re.sub(r"--threads \d|\d+\.\d+ s", "", self.read("page.html")))
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(pages[0], pages[2])

    def test_of_recorded_chains(self):
        folder = pathlib.Path(os.environ.get("RDV_SHARED", ""))
        files = sorted(folder.glob("*/*.jsonl"))[:3] if folder.is_dir() else []
        if not files:
            self.skipTest("no recorded data")
        for path in files:
            with open(path, "rb") as file:
                part = self.write("part.jsonl", b"".join(line for _, line in zip(range(100), file)))
            outputs = [rederive("check", "-q", "--threads", n, part).out for n in COUNTS]
            self.assertEqual(outputs[0], outputs[1], path)
            self.assertEqual(outputs[0], outputs[2], path)


class Pipes(Case):
    def test_a_record_is_written_before_the_next_is_waited_for(self):
        for args in (["check", "--json"], ["grade"], ["convert", "--to", "jsonl"]):
            for record in (json.dumps(chain()) + "\n", json.dumps(chain(), indent=1) + "\n"):
                with self.subTest(args=args, record=record[:3]), subprocess.Popen(
                        [PROGRAM, *args, "-q", "--threads", "4"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asked:
                    for _ in range(3):
                        asked.stdin.write(record * 2)  # the second shows where the first ends
                        asked.stdin.flush()
                        self.assertEqual(json.loads(asked.stdout.readline())["gold"], "5")
                    asked.stdin.close()
                    self.assertEqual(len(asked.stdout.read().splitlines()), 3)

    def test_ctrl_c_leaves_whole_records_in_order(self):
        """Records come without an end, so the run is at work whenever the signal comes."""
        part = "".join(line + "\n" for line in drawn(200, 5).splitlines() if '"id"' in line)
        whole = rederive("check", "-q", "--threads", "1", stdin=part).out.splitlines()

        def feed(to):
            try:
                while True:
                    to.write(part)
            except OSError:
                pass

        with subprocess.Popen([PROGRAM, "check", "--json", "--threads", "4", "-o", self.path("out")], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as asked:
            feeding = threading.Thread(target=feed, args=(asked.stdin,))
            feeding.start()
            while not os.path.exists(self.path("out.writing")) or os.path.getsize(self.path("out.writing")) == 0:
                self.assertIsNone(asked.poll())
                time.sleep(0.001)
            asked.send_signal(signal.SIGINT)
            said = asked.stderr.read()
            asked.wait()
            feeding.join()
            try:
                asked.stdin.close()
            except OSError:
                pass
        self.assertEqual(asked.returncode, 130, said)
        self.assertFalse(os.path.exists(self.path("out")))
        found = self.read("out.partial").splitlines()
        self.assertEqual(found, [whole[i % len(whole)] for i in range(len(found))])
        self.assertIn(f"{len(found)} line", said)


class Settings(Case):
    def test_a_model_is_asked_by_jobs(self):
        ended = rederive("check", "-m", "selfcheck", "-M", "http://localhost:1/v1#m", "--threads", "2", stdin=lines(chain()))
        self.assertEqual(ended.status, 2)
        self.assertIn("--threads has no effect: selfcheck asks a model; --jobs limits its calls", ended.err)

    def test_the_old_name_of_grade(self):
        self.assertEqual(rederive("grade", "-q", "-j", "2", stdin=lines({"answer": 1, "gold": 1})).records[0]["correct"], True)

    def test_how_many(self):
        for n in ("0", "257", "x"):
            self.assertEqual(rederive("check", "--threads", n, stdin=lines(chain())).status, 2)


if __name__ == "__main__":
    unittest.main()
