# SPDX-License-Identifier: Apache-2.0
"""A real server that is killed, and texts that are too long for it."""
import json
import subprocess
import threading
import time

from asked import SECONDS, Asked
from evidence import Claims, read_lines, replies_kept
from served import SLOTS
from support import PROGRAM, chain, lines, rederive

# Small prompts and short replies: what counts is how many there are.
SUMS = lines(*[chain(id=f"sum{i}", question=f"What is {i} + {i}?", answer=str(2 * i),
                     steps=[f"{i} + {i} = {2 * i}.", f"So the answer is {2 * i}."])
               for i in range(3)])


class Killed(Asked, Claims):
    AFTER = 3  # asking requests before the server is killed

    def command(self):
        self.source, self.out = self.write("chains.jsonl", SUMS), self.path("out.jsonl")
        return ("check", "-m", "single-stage", "--prompt-dir", self.prompts, self.source, "-o",
                self.out, "-j", str(SLOTS), "-M", self.wire.url)

    def kill_once(self, then=None):
        killed = threading.Event()

        def before(number):
            if number >= self.AFTER and not killed.is_set():
                killed.set()
                self.model.kill()
                if then:
                    then()
        self.wire.before = before
        return killed

    def hold(self):
        """The finished output is right, and as if nothing had happened."""
        rows = replies_kept(self.out + ".journal")
        for record in read_lines(self.out):
            self.assertNotIn("error", record)
            self.assert_claims(record, rows)
        self.assert_plays_again(("check", "-m", "single-stage", "--prompt-dir", self.prompts,
                                 self.source), self.out, self.out + ".journal", "smollm2")
        answered = [e for e in self.wire.asked() if e.status == 200]
        # A probe's replies are not kept; of the run's own at most those in flight are lost.
        self.assertLessEqual(len(answered), len(rows) + SLOTS + PROBES)

    def test_for_good_and_started_again(self):
        killed = self.kill_once()
        first = rederive(*self.command(), "--retries", "1", seconds=SECONDS)
        self.assertTrue(killed.is_set())
        self.assertNotEqual(first.status, 0)
        self.assertIn(first.status, (1, 3), first.err)
        self.assertNotIn("Sanitizer", first.err)
        kept = len(replies_kept(self.out + ".journal"))
        self.model.start()
        self.model.wait()
        second = rederive(*self.command(), seconds=SECONDS)
        self.assert_ended(second, 0)
        self.assertGreaterEqual(len(replies_kept(self.out + ".journal")), max(kept, 6))
        self.hold()

    def test_back_while_the_run_waits(self):
        killed = self.kill_once(then=lambda: threading.Timer(1, self.model.start).start())
        ended = rederive(*self.command(), "--retries", "8", seconds=SECONDS)
        self.assertTrue(killed.is_set())
        self.assert_ended(ended, 0)
        self.hold()

    def test_the_program_is_killed(self):
        process = subprocess.Popen([PROGRAM, *self.command()], stderr=subprocess.DEVNULL)
        end = time.monotonic() + SECONDS
        while sum(e.status == 200 for e in self.wire.asked()) < self.AFTER:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        process.kill()
        process.wait()
        self.assert_ended(rederive(*self.command(), seconds=SECONDS), 0)
        self.hold()


PROBES = 16  # the most requests that a probe of the server's abilities makes


class TooLong(Asked, Claims):
    def test_context_overflow(self):
        """One line a record, one request, no verdict; what is short enough is checked."""
        long = "Here is a list of words. " + "apple " * 3000 + "How many are there?"
        source = self.write("chains.jsonl", lines(
            chain(id="long", question=long, answer="3000", steps=["There are 3000."]),
            chain(id="short", question="What is 1 + 1?", answer="2", steps=["1 + 1 = 2."])))
        out = self.path("out.jsonl")
        ended = rederive("check", "-m", "global", "--prompt-dir", self.prompts, source, "-o", out,
                         "-M", self.wire.url, seconds=SECONDS)
        self.assertIn(ended.status, (0, 1), ended.err)
        self.assertNotIn("Sanitizer", ended.err)
        refused = [e for e in self.wire.asked() if e.status == 400 and "apple" in json.dumps(e.body)]
        self.assertEqual(len(refused), 1, [e.reply for e in refused])
        records = {record["id"]: record for record in read_lines(out)}
        said = json.dumps(records["long"]) + ended.err
        self.assertIn("context", said)
        about = [line for line in ended.err.splitlines() if "context" in line]
        self.assertLessEqual(len(about), 1, about)
        self.assertTrue(all(v["verdict"] == "unknown"
                            for v in records["long"].get("verdicts", [])), records["long"])
        self.assertIsNone(records["long"].get("confidence"))
        self.assert_claims(records["short"], replies_kept(out + ".journal"))


class Probe(Asked):
    def test_what_this_server_can_do(self):
        ended = rederive("models", "-M", self.wire.url, "--json", seconds=SECONDS)
        self.assert_ended(ended, 0)
        said = ended.records[0]
        for name in ("chat", "completions", "logprobs", "system_role", "stop", "temperature", "prefill",
                     "choice", "stream"):
            self.assertNotEqual(said["capabilities"][name], "no", said)
        self.assertLessEqual(len(self.wire.asked()), PROBES + 8)
