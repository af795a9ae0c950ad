# SPDX-License-Identifier: Apache-2.0
"""A plan gives the program's records, whatever drives it and in whatever order replies come.

RDV_SOURCE and RDV_PROGRAM are set; the package is installed.
"""
import asyncio
import gc
import json
import math
import os
import pathlib
import random
import re
import signal
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

import rederive

SOURCE = pathlib.Path(os.environ["RDV_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/integration"))
import golden_methods  # noqa: E402
from scripted import Server  # noqa: E402
from support import rederive as program  # noqa: E402

NAMES = {"-m": "method", "-n": "chains", "-g": "generate", "-l": "locator"}
CHAIN = {"id": "pens", "question": "Three boxes hold 4 pens each, and 5 are given away. How many pens are left?",
         "gold": "7", "answer": "7",
         "steps": ["3 boxes of 4 pens are 3 * 4 = 12 pens.", "5 are given away: 12 - 5 = 7.", "So the answer is 7."]}


class HttpError(Exception):
    """As openai.APIStatusError."""

    def __init__(self, status_code, body):
        super().__init__(f"HTTP {status_code}")
        self.status_code, self.body = status_code, body
        self.message = json.loads(body).get("error", {}).get("message", "")


def post(base, request):
    """Ask the server, over HTTP; the response, or the exception."""
    body = json.dumps({k: v for k, v in request.openai().items() if k != "extra_body"}
                      | request.openai().get("extra_body", {})).encode()
    prefix = "" if request.endpoint in ("/pooling", "/tokenize") else "/v1"
    asked = urllib.request.Request(base + prefix + request.endpoint, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(asked) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        return HttpError(error.code, error.read().decode())


def options_of(command):
    """The options of a command line as arguments of Python."""
    words, made = iter(command[1:]), {}
    for word in words:
        name = NAMES.get(word, word.lstrip("-").replace("-", "_"))
        made[name] = True if name in ("structured", "no_structured", "beam_search") else next(words)
    return made


def plan_of(command, given, model="fake"):
    records = [json.loads(line) for line in given.splitlines()]
    return getattr(rederive.Plan, command[0])(records, model=model, errors="keep", **options_of(command))


def unsurveyed(name, records):
    """A run finds out first that this server passes over a choice of answers, and asks without one; a plan asks
    nothing of its own, and sends the choice, which is more tokens."""
    if name == "prm:chat-plus-minus, structured":
        for record in records:
            record["prompt_tokens"] = None
    return records


class SameRecords(unittest.TestCase):
    """Whichever drives."""

    def test_every_method_by_a_function_in_any_order(self):
        golden = {line["case"]: line for line in map(json.loads, golden_methods.GOLDEN.read_text().splitlines())}
        shuffled = random.Random(17)
        servers = {name: Server(rules=rules, differences=["schema"])
                   for name, rules in golden_methods.WORLDS.items()}
        for server in servers.values():
            server.__enter__()
            self.addCleanup(server.__exit__)
        n = 0
        for name, world, given, command in golden_methods.cases():
            if not golden[name]["asked"] or name.endswith(", offered"):
                continue  # a plan finds out nothing of its server, which is then asked for free text
            plan = plan_of(command, given)

            def answer(requests):
                order = list(range(len(requests)))
                shuffled.shuffle(order)
                replies = {i: post(servers[world].base, requests[i]) for i in order}
                return [replies[i] for i in range(len(requests))]

            results = rederive.drive_batches(plan, answer, batch_size=shuffled.choice([1, 3, 100]))
            with self.subTest(name):
                self.assertEqual(unsurveyed(name, list(results)), unsurveyed(name, golden[name]["records"]))
                n += 1
        self.assertGreater(n, 100)


    def test_arrival_in_any_order_and_by_threads(self):
        """Replies that depend on the request alone; each is given in an order and from a thread of its own."""
        def by_hand(seed):
            order = random.Random(seed)
            plan = rederive.Plan.check([CHAIN, {**CHAIN, "id": "other"}], "selfcheck,global", model="m")
            under_way, dropped = [], set()
            while not plan.done:
                under_way += plan.ready(order.choice([None, 1, 4]))
                order.shuffle(under_way)
                request = under_way.pop()
                thread = threading.Thread(target=lambda r=request: plan.reply(r.id, said(r), prompt_tokens=3,
                                                                              completion_tokens=2))
                thread.start()
                thread.join()
                dropped |= set(plan.cancelled())
                under_way = [r for r in under_way if r.id not in dropped]
            return b"".join(plan.results().lines())

        def said(request):
            if "supports" in request.messages[-1]["content"]:
                return "Solution 1 supports the conclusion in Solution 2."
            return "The step is right. Correct" if "student" in request.messages[0]["content"] else "Step 0. 3 * 4 = 12"

        first = by_hand(0)
        self.assertEqual(len(first.splitlines()), 2)
        for seed in range(1, 12):
            self.assertEqual(by_hand(seed), first)

    def test_the_program_writes_the_same_bytes(self):
        rules = golden_methods.WORLDS["mixed"]
        given = golden_methods.CHAINS
        with Server(rules=rules) as server:
            for method in ("selfcheck", "general", "direct-step"):
                ended = program("check", "-q", "-m", method, "-M", server.url, "--retries", "0", stdin=given)
                plan = rederive.Plan.check(given.encode().splitlines(), method, model="fake", errors="keep")
                results = rederive.drive_batches(plan, lambda requests: [post(server.base, r) for r in requests])
                self.assertEqual(b"".join(results.lines()).decode(), ended.out)


class Failures(unittest.TestCase):
    """Nothing that failed counts as support."""

    def test_at_every_place(self):
        """One request after the other fails, and never is a step supported that was not."""
        def run(at):
            plan, n = rederive.Plan.check([CHAIN], "selfcheck", model="m"), 0
            while requests := plan.ready():
                for request in requests:
                    if n == at:
                        plan.fail(request.id, "the machine\nwas switched off", failure="timeout")
                    else:
                        plan.reply(request.id, "Step 0. 2 + 2 = 4\nSolution 1 supports the conclusion in Solution 2.")
                    n += 1
            [record] = plan.results()
            return n, [verdict["verdict"] for verdict in record["verdicts"]], json.dumps(record)

        n, whole, _ = run(-1)
        self.assertEqual(whole, ["support"] * 3)
        lost = 0
        for at in range(n):
            _, verdicts, text = run(at)
            self.assertEqual(len(verdicts), 3)
            if verdicts != whole:
                lost += 1
                self.assertIn("unknown", verdicts)
                self.assertIn("the machine was switched off", text)
        self.assertGreater(lost, 0)

    def test_what_a_function_raises(self):
        def answer(requests):
            raise ValueError("no memory left on the card")
        [record] = rederive.drive_batches(rederive.Plan.check([CHAIN], "global", model="m"), answer)
        self.assertEqual(record["verdicts"][0]["verdict"], "unknown")
        self.assertIn("no memory left on the card", record["verdicts"][0]["explanation"])

    def test_each_of_a_batch(self):
        chains = [{**CHAIN, "id": str(i)} for i in range(4)]
        plan = rederive.Plan.check(chains, "global", model="m")
        replies = ["It is right. Correct", RuntimeError("lost"), {"text": "It is. Cor", "finish": "length"},
                   {"text": "Correct", "finish": "content_filter"}]

        def answer(requests):
            return [replies[int(request.sample.split(",")[0].removeprefix("chain "))] for request in requests]
        records = list(rederive.drive_batches(plan, answer))
        self.assertEqual([r["verdicts"][0]["verdict"] for r in records], ["support"] + ["unknown"] * 3)

    def test_a_reply_too_few(self):
        plan = rederive.Plan.check([CHAIN], "global", model="m")
        with self.assertRaisesRegex(rederive.ArgumentError, "0 replies came to 1 requests"):
            rederive.drive_batches(plan, lambda requests: [])
        for given in ("C", b"C", iter(["Correct"]), 7, None):  # the letters of a text are no replies
            plan = rederive.Plan.check([CHAIN], "global", model="m")
            with self.assertRaisesRegex(rederive.ArgumentError, "a list of replies is wanted"):
                rederive.drive_batches(plan, lambda requests, given=given: given)
        [record] = rederive.drive_batches(rederive.Plan.check([CHAIN], "global", model="m"), lambda requests: [None])
        self.assertEqual(record["verdicts"][0]["verdict"], "unknown")

    def test_stop_keeps_what_is_done(self):
        chains = [{**CHAIN, "id": str(i)} for i in range(5)]
        plan = rederive.Plan.check(chains, "global", model="m", open_plans=2)
        calls = []

        def answer(requests):
            if calls:
                raise rederive.Stop
            calls.append(requests)
            return ["Correct"] * len(requests)
        records = list(rederive.drive_batches(plan, answer, batch_size=1))
        self.assertEqual([r["verdicts"][0]["verdict"] for r in records], ["support", "unknown", "unknown"][:len(records)])
        self.assertTrue(all(r.get("partial") for r in records[1:]))

    def test_interrupted(self):
        plan = rederive.Plan.check([CHAIN], "global", model="m")

        def answer(requests):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            rederive.drive_batches(plan, answer)
        self.assertEqual([r["verdicts"][0]["verdict"] for r in plan.results()], ["unknown"])

    def test_a_driver_that_is_cancelled(self):
        """The task ends soon, the plan with it, and no request is left under way."""
        under_way = []

        class Slow:
            api_key = None

            class chat:
                class completions:
                    @staticmethod
                    async def create(**arguments):
                        under_way.append(arguments)
                        try:
                            await asyncio.sleep(60)
                        finally:
                            under_way.remove(arguments)

        async def run():
            task = asyncio.create_task(rederive.drive(plan, Slow))
            await asyncio.sleep(0.1)
            self.assertGreater(len(under_way), 0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
        plan = rederive.Plan.check([CHAIN], "selfcheck", model="m")
        asyncio.run(run())
        self.assertEqual(under_way, [])
        [record] = plan.results()
        self.assertTrue(record["partial"])
        self.assertNotIn("support", [v["verdict"] for v in record["verdicts"]])

    def test_a_client_that_cancels_by_itself(self):
        """It is the failure of that request, and the plan does not wait for it without end."""
        class Client:
            class chat:
                class completions:
                    @staticmethod
                    async def create(**arguments):
                        raise asyncio.CancelledError

        async def run():
            plan = rederive.Plan.check([CHAIN], "global", model="m")
            return list(await asyncio.wait_for(rederive.drive(plan, Client), 20))
        [record] = asyncio.run(run())
        self.assertEqual(record["verdicts"][0]["verdict"], "unknown")
        self.assertIn("the client cancelled the request", record["verdicts"][0]["explanation"])


class Use(unittest.TestCase):

    def test_asynchronous(self):
        async def run():
            plan = rederive.Plan.check([CHAIN], "global", model="m")
            async for request in plan:
                await plan.reply(request.id, "Correct", prompt_tokens=11, completion_tokens=1)
            return list(plan.results())
        [record] = asyncio.run(run())
        self.assertEqual((record["verdicts"][0]["verdict"], record["prompt_tokens"]), ("support", 11))

    def test_thinking_and_stop_texts_are_taken_out(self):
        plan = rederive.Plan.check([CHAIN], "global", model="m")
        [request] = plan.ready()
        plan.reply(request.id, "<think>Is it Wrong? It may be Wrong.</think>It is right. Correct")
        [record] = plan.results()
        self.assertEqual(record["verdicts"][0]["verdict"], "support")

    def test_log_probabilities_of_a_text(self):
        """The perplexity of each step, computed here from the tokens that were given."""
        plan = rederive.Plan.check([CHAIN], "perplexity", model="m")
        [request] = plan.ready()
        self.assertEqual((request.kind, request.text), ("score", "\n".join(CHAIN["steps"])))
        tokens = re.findall(r"\s*\S+", request.text)
        logprobs = [-0.25 * (i % 3) for i in range(len(tokens))]
        plan.reply(request.id, tokens=tokens, logprobs=logprobs)
        [record] = plan.results()
        at = 0
        for verdict, step in zip(record["verdicts"], CHAIN["steps"]):
            n = len(step.split())
            of_step = logprobs[at:at + n]
            self.assertAlmostEqual(verdict["evidence"]["perplexity"], math.exp(-sum(of_step) / n), places=12)
            at += n

    def test_tokens_that_do_not_spell_the_text(self):
        plan = rederive.Plan.check([CHAIN], "perplexity", model="m")
        [request] = plan.ready()
        with self.assertRaises(rederive.Error):
            plan.reply(request.id, tokens=["another", " text"], logprobs=[-1, -1])
        plan.fail(request.id, "no log-probabilities", failure="unavailable")
        [record] = plan.results()
        self.assertEqual({v["verdict"] for v in record["verdicts"]}, {"unknown"})

    def test_rewards(self):
        plan = rederive.Plan.check([CHAIN], "prm:pooling-pairs", model="m")
        [request] = plan.ready()
        self.assertEqual((request.kind, request.endpoint, request.steps), ("reward", "/pooling", CHAIN["steps"]))
        plan.reply(request.id, rewards=[0.9, None, 0.2])
        [record] = plan.results()
        self.assertEqual([v["verdict"] for v in record["verdicts"]], ["support", "unknown", "contradict"])

    def test_a_method_that_asks_nothing(self):
        plan = rederive.Plan.check([CHAIN], "calculations", model="m")
        self.assertTrue(plan.done)
        self.assertEqual(list(plan.results()), [rederive.check(CHAIN)])

    def test_no_chains(self):
        self.assertEqual(list(rederive.Plan.check([], "global", model="m").results()), [])

    def test_requests_that_are_cancelled_are_named(self):
        """direct-step asks about steps ahead; the first mistake ends it."""
        plan = rederive.Plan.check([CHAIN], "direct-step", model="m", lookahead=3)
        requests = plan.ready()
        self.assertEqual(len(requests), 3)
        plan.reply(requests[0].id, "No")
        self.assertEqual(sorted(plan.cancelled()), sorted(r.id for r in requests[1:]))
        self.assertEqual(plan.cancelled(), [])
        plan.reply(requests[1].id, "Yes")  # ignored
        self.assertTrue(not plan.ready() and plan.done)
        [record] = plan.results()
        self.assertEqual(record["first_error"], 0)

    def test_bad_use(self):
        plan = rederive.Plan.check([CHAIN], "global", model="m")
        [request] = plan.ready()
        for message, arguments in (("not handed out", {"id": "7.7", "text": ""}), ("answered by `text`", {"id": request.id}),
                                   ("of one length", {"id": request.id, "text": "a", "tokens": ["a"], "logprobs": []}),
                                   ("1 rewards", {"id": request.id, "rewards": [1]})):
            with self.assertRaisesRegex(rederive.ArgumentError, message):
                plan.reply(**arguments)
        with self.assertRaisesRegex(rederive.Error, "choices"):
            plan.reply(request.id, response={"data": 1})
        with self.assertRaisesRegex(rederive.ArgumentError, "must be one of"):
            plan.fail(request.id, "x", failure="odd")
        plan.reply(request.id, "Correct")
        with self.assertRaisesRegex(rederive.ArgumentError, "answered already"):
            plan.reply(request.id, "Correct")
        with self.assertRaisesRegex(rederive.ArgumentError, "max_calls has no effect on a plan"):
            rederive.Plan.check([CHAIN], "global", model="m", max_calls=3)
        with self.assertRaisesRegex(rederive.ArgumentError, "unknown method"):
            rederive.Plan.check([CHAIN], "globall", model="m")
        with self.assertRaisesRegex(rederive.ArgumentError, "transcript"):
            rederive.Plan.check([CHAIN], "global", model="transcript:x")

    def test_left_in_the_middle(self):
        """A plan that nobody drives to its end goes away, with its thread."""
        gc.collect()
        before = threads()
        for _ in range(20):
            plan = rederive.Plan.check([CHAIN], "selfcheck", model="m")
            plan.ready(1)
            del plan
        gc.collect()
        self.assertLessEqual(threads(), before)

    def test_in_a_fork(self):
        plan = rederive.Plan.check([CHAIN], "global", model="m")
        child = os.fork()
        if child == 0:
            try:
                plan.ready()
            except rederive.Error as error:
                os._exit(7 if "fork" in str(error) else 1)
            os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)
        self.assertEqual(len(plan.ready()), 1)

    def test_released_in_a_fork(self):
        """The thread of the plan is not in the child, which must not wait for its end."""
        plan = rederive.Plan.check([CHAIN], "global", model="m")
        plan.ready()
        child = os.fork()
        if child == 0:
            del plan
            gc.collect()
            os._exit(7)
        until = time.monotonic() + 20
        while not (ended := os.waitpid(child, os.WNOHANG))[0] and time.monotonic() < until:
            time.sleep(0.02)
        if not ended[0]:
            os.kill(child, signal.SIGKILL)
            ended = os.waitpid(child, 0)
        self.assertEqual(os.waitstatus_to_exitcode(ended[1]), 7)
        self.assertEqual(plan.waiting, 1)


def threads():
    return len(os.listdir("/proc/self/task"))


if __name__ == "__main__":
    unittest.main()
