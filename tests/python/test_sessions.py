# SPDX-License-Identifier: Apache-2.0
"""Sessions: the program's records, with a journal, budgets, progress, and an end at any time.

RDV_SOURCE and RDV_PROGRAM are set; the package is installed.
"""
import asyncio
import importlib.util
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import rederive

SOURCE = pathlib.Path(os.environ["RDV_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/integration"))
import golden_methods  # noqa: E402
from scripted import SELFCHECK, Server  # noqa: E402
from support import rederive as program  # noqa: E402

CHAIN = {"question": "What is 2 + 3?", "steps": ["2 + 3 = 5.", "The answer is 5."], "gold": "5"}
CHAINS = [{**CHAIN, "id": f"q/{i}", "question": f"What is 2 + 3, question {i}?"} for i in range(6)]
SLOW = [{**rule, "delay": 0.05} for rule in SELFCHECK]


class Sessions(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.journal = os.path.join(self.folder.name, "journal")

    def server(self, rules=SELFCHECK, **more):
        server = Server(rules=rules, **more)
        server.__enter__()
        self.addCleanup(server.__exit__)
        return server

    def test_the_records_of_the_program(self):
        given = golden_methods.CHAINS
        server = self.server(golden_methods.WORLDS["mixed"])
        with rederive.Session(server.url, journal=self.journal, retries=0) as session:
            for method in ("selfcheck", "general", "calculations,global"):
                ended = program("check", "-q", "-m", method, "-M", server.url, "--retries", "0", stdin=given)
                results = session.check(given.encode().splitlines(), method, errors="keep")
                self.assertEqual(b"".join(results.lines()).decode(), ended.out)
            ended = program("repair", "-q", "-M", server.url, "--retries", "0", stdin=given)
            self.assertEqual(b"".join(session.repair(given.encode().splitlines()).lines()).decode(), ended.out)
            ended = program("solve", "-q", "-M", server.url, "--retries", "0", "-n", "3", stdin=golden_methods.QUESTIONS)
            results = session.solve(golden_methods.QUESTIONS.encode().splitlines(), chains=3)
            self.assertEqual(b"".join(results.lines()).decode(), ended.out)

    def test_the_built_in_model(self):
        with rederive.Session("builtin", seed=7) as session:
            records = list(session.check([CHAIN], "global"))
        self.assertEqual(records, [rederive.check(CHAIN, "global", "builtin", seed=7)])

    def test_asynchronous(self):
        server = self.server()

        async def run():
            with rederive.Session(server.url) as session:
                return [record async for record in session.check(CHAINS, "selfcheck")]
        self.assertEqual([r["id"] for r in asyncio.run(run())], [c["id"] for c in CHAINS])

    def test_records_come_before_the_input_ends(self):
        server, taken = self.server(), []

        def given():
            for chain in CHAINS:
                yield chain
                if chain is CHAINS[1]:  # the third is not made before the first came back
                    until = time.monotonic() + 20
                    while not taken and time.monotonic() < until:
                        time.sleep(0.01)
                        if server.requests():
                            taken.append(None)
        with rederive.Session(server.url) as session:
            self.assertEqual(len(list(session.check(given(), "selfcheck"))), len(CHAINS))
        self.assertTrue(taken)

    def test_totals_and_the_journal(self):
        server = self.server()
        with rederive.Session(server.url, journal=self.journal, price_in=1e6, price_out=1e6) as session:
            first = list(session.check(CHAINS, "selfcheck", no_structured=True, separate_samples=True))
            used = session.totals
            self.assertEqual(used.calls, len(server.requests()))
            self.assertEqual(used.cost, server.tokens_said())
            self.assertEqual((used.cached, used.failed), (0, 0))
            self.assertEqual(list(session.check(CHAINS, "selfcheck", no_structured=True, separate_samples=True)), first)
            self.assertEqual((session.totals.calls, session.totals.cached), (used.calls, used.calls))

    def test_budgets_of_all_runs(self):
        server = self.server()
        with rederive.Session(server.url, journal=self.journal, max_calls=10, concurrency=1) as session:
            records = list(session.check(CHAINS, "selfcheck", no_structured=True))
            self.assertEqual(session.totals.calls, 10)
            self.assertTrue(records[-1]["partial"])
            self.assertIn("unknown", [v["verdict"] for v in records[-1]["verdicts"]])
            with self.assertRaisesRegex(rederive.Error, "budget of 10 calls is used up"):
                session.check(CHAINS, "selfcheck", no_structured=True)
        with rederive.Session(server.url, journal=self.journal) as session:
            records = list(session.check(CHAINS, "selfcheck", no_structured=True))
            self.assertNotIn("unknown", [v["verdict"] for r in records for v in r["verdicts"]])
            self.assertEqual(session.totals.cached, 10)

    def test_cancelled_by_another_thread(self):
        server = self.server(SLOW, slots=1)
        with rederive.Session(server.url, journal=self.journal) as session:
            timer = threading.Timer(0.5, session.cancel)
            timer.start()
            began = time.monotonic()
            taken = list(session.check(CHAINS * 20, "selfcheck"))
            self.assertLess(time.monotonic() - began, 10)
            self.assertLess(len(taken), len(CHAINS) * 20)
            timer.join()

    def test_an_asynchronous_run_that_is_cancelled(self):
        server = self.server(SLOW, slots=1)

        async def run():
            with rederive.Session(server.url) as session:
                async def take():
                    async for _ in session.check(CHAINS * 20, "selfcheck"):
                        pass
                task = asyncio.create_task(take())
                await asyncio.sleep(0.5)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
        began = time.monotonic()
        asyncio.run(run())
        self.assertLess(time.monotonic() - began, 10)

    def test_interrupted_and_resumed(self):
        """Ctrl-C ends a program soon, and the same program asks nothing twice."""
        server = self.server(SLOW, slots=2)
        code = f"""if True:
            import rederive
            chains = {CHAINS!r}
            with rederive.Session({server.url!r}, journal={self.journal!r}, concurrency=2) as session:
                print("ready", flush=True)
                print(len(list(session.check(chains, "selfcheck"))), session.totals.cached, session.totals.calls)
            """
        # A shell's background job ignores Ctrl-C, and so would what it starts.
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        process.stdout.readline()
        until = time.monotonic() + 20
        while len(server.requests()) < 6 and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, err = process.communicate(timeout=20)
        self.assertLess(time.monotonic() - began, 10)
        self.assertIn("KeyboardInterrupt", err)
        kept = len(program("journal", "export", self.journal).records)
        self.assertGreater(kept, 0)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        records, cached, calls = map(int, done.stdout.split()[1:])
        self.assertEqual((records, cached), (len(CHAINS), kept))
        self.assertLessEqual(len(server.requests()), cached + calls + 2)  # and what was under way

    def test_one_run_at_a_time(self):
        server = self.server(SLOW)
        with rederive.Session(server.url) as session:
            results = session.check(CHAINS, "selfcheck")
            with self.assertRaisesRegex(rederive.ArgumentError, "under way"):
                session.check(CHAINS, "selfcheck")
            results.close()
            self.assertEqual(len(list(session.check(CHAINS, "calculations"))), len(CHAINS))

    def test_closed_by_another_thread(self):
        """The thread that takes the records is told: what it has is not all."""
        server = self.server(SLOW)
        session = rederive.Session(server.url, journal=self.journal, concurrency=1)
        results = session.check(iter(CHAINS), "selfcheck")
        next(results)
        closer = threading.Timer(0.2, session.close)
        closer.start()
        with self.assertRaisesRegex(rederive.Error, "closed before their end"):
            list(results)
        closer.join()
        with self.assertRaisesRegex(rederive.Error, "closed before their end"):
            next(results)  # between two records too
        whole = session.check(CHAINS, "selfcheck")
        self.assertEqual(len(list(whole)), len(CHAINS))
        session.close()
        self.assertEqual(list(whole), [])  # it had ended

    def test_bad_use(self):
        for message, options in (("max_calls is 0", {"max_calls": 0}), ("concurrency is -1", {"concurrency": -1}),
                                 ("called concurrency", {"jobs": 4})):
            with self.assertRaisesRegex(rederive.ArgumentError, message):
                rederive.Session("builtin", **options)
        with self.assertRaisesRegex(rederive.ArgumentError, "price"):
            list(rederive.Session("builtin", max_cost=1.0).check([CHAIN], "global"))
        with self.assertRaisesRegex(rederive.ArgumentError, "takes a list of records"):
            rederive.Session("builtin").check(CHAIN, "global")
        with self.assertRaisesRegex(rederive.Error, "cannot be reached|Connection refused|connect"):
            list(rederive.Session("http://127.0.0.1:9/v1#m", retries=0).check([CHAIN], "global"))

    def test_no_progress_where_nobody_looks(self):
        server, err = self.server(), io.StringIO()
        before, sys.stderr = sys.stderr, err
        try:
            with rederive.Session(server.url, progress=True) as session:
                self.assertEqual(len(list(session.check(CHAINS, "selfcheck"))), len(CHAINS))
        finally:
            sys.stderr = before
        self.assertEqual(err.getvalue(), "")

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "tqdm is not installed")
    def test_progress_on_a_terminal(self):
        """tqdm's bar, where tqdm is installed."""
        import tqdm.autonotebook
        server, said = self.server(), []

        class Bar(tqdm.autonotebook.tqdm):
            def __init__(self, *args, **more):
                super().__init__(*args, **{**more, "disable": False, "file": io.StringIO()})

            def close(self):
                if not said:
                    said.append((self.n, self.total, self.postfix))
                super().close()
        before, tqdm.autonotebook.tqdm = tqdm.autonotebook.tqdm, Bar
        try:
            with rederive.Session(server.url, progress=True) as session:
                list(session.check(CHAINS, "selfcheck"))
                self.assertEqual(said, [(6, 6, f"calls={session.totals.calls}")])
        finally:
            tqdm.autonotebook.tqdm = before


if __name__ == "__main__":
    unittest.main()
