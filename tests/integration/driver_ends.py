#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How runs end and begin again: budgets, Ctrl-C, kill -9, journals, transcripts."""
import contextlib
import pathlib
import random
import signal
import sqlite3
import subprocess
import tempfile
import time

from driver_support import JOBS, Server, TestCase, ask, command, environment, main, Outcome


class Folder(TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.journal = self.folder / "journal.db"


class Budgets(Folder):
    def check(self, budget, most_sent, **settings):
        with Server(delay=0.02) as server:
            outcome = ask(30, 3, url=server.url, jobs=4, journal=self.journal, **settings)
            whole = ask(30, 3, url=server.url, journal=self.journal)
        self.assertEqual(outcome.end, "budget")
        self.assertRegex(outcome.why, rf"^the budget of {budget} is used up(: .* no call is left that fits.*)?$")
        self.assertLessEqual(outcome.totals["sent"], most_sent)
        self.assertGreater(outcome.totals["answered"], 0)
        self.assertEqual(len(outcome.works), 30, "every work is handed back")
        self.assertEqual(outcome.totals["sent"], outcome.totals["answered"], "what is paid is had")
        self.assertRegex(outcome.works[-1][0], "^failed: ")
        self.assertEqual(whole.end, "done")
        self.assertEqual(whole.totals["cached"], outcome.totals["sent"])

    def test_calls(self):
        self.check("calls", 10, calls=10)

    def test_tokens(self):
        self.check("tokens", 16, tokens=300)

    def test_cost(self):
        """A reply is 3 tokens, at a dollar a token: no seventh fits in 20 dollars."""
        self.check("cost", 6, cost=20_000_000, price=1_000_000)

    def test_seconds(self):
        self.check("seconds", 80, seconds=0.2)

    def test_just_enough_is_enough(self):
        with Server() as server:
            outcome = ask(5, 2, url=server.url, calls=10)
        self.assertEqual(outcome.end, "done")
        self.assertEqual(outcome.totals["failed"], 0)

    def test_tries_count(self):
        with Server(rules=[{"status": 500}]) as server:
            outcome = ask(5, 2, url=server.url, calls=10, retries=100)
            self.assertEqual(len(server.requests()), 10)
        self.assertEqual(outcome.end, "budget")

    def test_seconds_do_not_wait_for_a_retry(self):
        with Server(rules=[{"status": 503, "headers": {"Retry-After": "600"}}]) as server:
            start = time.monotonic()
            outcome = ask(5, 2, url=server.url, seconds=0.5)
        self.assertEqual(outcome.end, "budget")
        self.assertLess(time.monotonic() - start, 60)

    def test_what_is_in_the_journal_costs_nothing(self):
        with Server() as server:
            ask(5, 2, url=server.url, journal=self.journal)
            outcome = ask(6, 2, url=server.url, journal=self.journal, calls=1, jobs=1)
        self.assertEqual(outcome.end, "budget")
        self.assertEqual(outcome.totals["cached"], 10)
        self.assertNotRegex(" ".join(sum(outcome.works[:5], [])), "failed")


class Limits(Folder):
    def test_calls_a_minute(self):
        """600 a minute are one each 100 ms."""
        with Server() as server:
            start = time.monotonic()
            ask(11, 1, url=server.url, rpm=600)
            self.assertGreaterEqual(time.monotonic() - start, 0.9)

    def test_calls_in_flight(self):
        with Server(delay=0.1) as server:
            start = time.monotonic()
            ask(10, 1, url=server.url, jobs=2)
            self.assertGreaterEqual(time.monotonic() - start, 0.5)

    def test_the_same_request_is_asked_once(self):
        """Both asks of a work of one question and draw: see asker.c, keys are the question's."""
        with Server() as server:
            outcome = ask(40, 1, url=server.url)
            self.assertEqual(len(server.requests()), len(set(server.asked())))
        self.assertEqual(outcome.totals["answered"], 40)

    def test_cancelled_calls_are_given_up(self):
        rules = [{"contains": "ask 0", "delay": 30}]
        with Server(rules=rules) as server:
            start = time.monotonic()
            outcome = ask(6, 3, url=server.url, cancel=1)
            self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(outcome.end, "done")
        self.assertEqual([work[0] for work in outcome.works], ["cancelled"] * 6)
        self.assertEqual(outcome.totals["in_flight"], 0)


class Stopping(Folder):
    def start(self, server, works, asks, **settings):
        return subprocess.Popen(command(works, asks, url=server.url, journal=self.journal,
                                        **settings),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=environment())

    def test_interrupt(self):
        with Server(delay=0.05) as server:
            asker = self.start(server, 200, 3)
            time.sleep(0.7)
            asker.send_signal(signal.SIGINT)
            out, err = asker.communicate(timeout=10)
        outcome = Outcome(out)
        self.assertEqual((outcome.end, err), ("stopped", ""))
        self.assertGreater(outcome.totals["answered"], 0)
        self.assertEqual(outcome.totals["in_flight"], 0)
        self.assertGreater(len(outcome.works), 0)

    def test_killed_at_any_moment_and_started_again(self):
        """The records are the same, and no call that is in the journal is sent again."""
        draw = random.Random(7)
        with Server(delay=0.005) as server:
            whole = ask(60, 4, url=server.url).works
        for attempt in range(10):
            journal = self.folder / f"{attempt}.db"
            self.journal = journal
            with Server(delay=0.005) as server:
                for _ in range(5):
                    asker = self.start(server, 60, 4)
                    time.sleep(draw.uniform(0.03, 0.25))
                    asker.kill()
                    asker.communicate()
                    kept = self.count(journal)
                outcome = ask(60, 4, url=server.url, journal=journal)
                asked = server.asked()
            self.assertEqual(outcome.works, whole)
            self.assertEqual(outcome.totals["cached"], kept)
            self.assertEqual(outcome.totals["sent"], 60 * 4 - kept)
            # A busy server reads what was in flight only after the kill, so it is counted at the end.
            self.assertEqual(len(set(asked)), 60 * 4)
            self.assertLessEqual(len(asked), 60 * 4 + 5 * JOBS)

    def count(self, journal):
        if not journal.exists():
            return 0
        # What a killed process leaves may have to be recovered, which a read-only connection cannot.
        with contextlib.closing(sqlite3.connect(journal)) as db:
            try:
                return db.execute("SELECT count(*) FROM responses").fetchone()[0]
            except sqlite3.OperationalError as fault:
                if "no such table" not in str(fault):
                    raise
                return 0


class Journals(Folder):
    def test_replay_needs_no_server(self):
        with Server() as server:
            asked = ask(10, 3, url=server.url, journal=self.journal)
        replayed = ask(10, 3, journal=self.journal, mode="replay")
        self.assertEqual(replayed.works, asked.works)
        self.assertEqual(replayed.totals["sent"], 0)

    def test_log_probabilities_come_back_to_the_last_bit(self):
        with Server() as server:
            asked = ask(3, 2, url=server.url, journal=self.journal, logprobs=1)
        self.assertEqual(ask(3, 2, journal=self.journal, mode="replay", logprobs=1).works,
                         asked.works)

    def test_replay_of_more_than_there_is(self):
        with Server() as server:
            ask(2, 1, url=server.url, journal=self.journal)
        replayed = ask(3, 1, journal=self.journal, mode="replay")
        self.assertRegex(replayed.works[2][0], "^failed: missing: ")
        self.assertEqual(replayed.totals["failed"], 1)

    def test_another_run_has_it(self):
        with Server(delay=0.3) as server:
            first = subprocess.Popen(command(3, 3, url=server.url, journal=self.journal),
                                     stdout=subprocess.PIPE, text=True, env=environment())
            time.sleep(0.3)
            second = ask(1, 1, url=server.url, journal=self.journal)
            first.communicate(timeout=20)
        self.assertRegex(second.fault, "is in use by another process")

    def test_another_programs_database(self):
        with contextlib.closing(sqlite3.connect(self.journal)) as db:
            db.execute("CREATE TABLE t (x)")
            db.commit()
        before = self.journal.read_bytes()
        outcome = ask(1, 1, mode="replay", journal=self.journal)
        self.assertRegex(outcome.fault, "is a database of another program")
        with Server() as server:
            self.assertRegex(ask(1, 1, url=server.url, journal=self.journal).fault,
                             "is a database of another program")
        self.assertEqual(before, self.journal.read_bytes())

    def test_a_newer_version(self):
        with Server() as server:
            ask(1, 1, url=server.url, journal=self.journal)
            with contextlib.closing(sqlite3.connect(self.journal)) as db:
                db.execute("PRAGMA user_version = 99")
            self.assertRegex(ask(1, 1, url=server.url, journal=self.journal).fault,
                             "is of version 99")

    def test_a_text_file(self):
        self.journal.write_text("This is no journal, and is long enough to be looked at. " * 40)
        with Server() as server:
            self.assertRegex(ask(1, 1, url=server.url, journal=self.journal).fault,
                             "is not a journal")


if __name__ == "__main__":
    main()
