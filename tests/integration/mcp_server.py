# SPDX-License-Identifier: Apache-2.0
"""`rederive mcp`: the server of tools on standard input and output, as a client starts it."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

from support import PROGRAM, SANITIZED, SECONDS, Case, chain, lines, rederive

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

NEWEST = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}}

# Twenty texts, and what check says of them: whether wrong, undecided, or all right.
TEXTS = [
    ("17 * 24 = 408.", "calculations_right"),
    ("17 * 24 = 398.", "wrong"),
    ("Half of 48 is 24.", "calculations_right"),
    ("Half of 48 is 25.", "wrong"),
    ("$\\frac{1}{2} + \\frac{1}{3} = \\frac{5}{6}$", "calculations_right"),
    ("$\\frac{1}{2} + \\frac{1}{3} = \\frac{2}{5}$", "wrong"),
    ("20% of 150 is 30.", "calculations_right"),
    ("The sky is blue.", "undecided"),
    ("", "undecided"),
    ("8 / 1/4 = 2.", "undecided"),
    ("3 * 4 = 12, and 8 / 1/4 = 2.", "undecided"),
    ("3 * 4 = 13, and 8 / 1/4 = 2.", "wrong"),
    ("1,200 + 300 = 1,500 dollars.", "calculations_right"),
    ("2.5 m + 50 cm = 3 m", "calculations_right"),
    ("Maybe 3 * 4 = 13? No, 3 * 4 = 12.", "undecided"),
    ("10 / 3 = 3.33", "calculations_right"),
    ("10 / 3 = 3.43", "wrong"),
    ("Step 1: 5 + 6 = 11.\nStep 2: 11 * 2 = 24.", "wrong"),
    ("<think>2 + 2 = 5</think>The answer is 4.", "wrong"),
    ("3 * 4 = 12. Then 100 -6 60 = 40.", "undecided"),
]


class Server:
    """A server, asked one message after another."""

    def __init__(self, *args):
        self.process = subprocess.Popen([PROGRAM, "mcp", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.last = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def write(self, text):
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode())
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        self.last += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}) + "\n")
        answer = self.read()
        assert answer["id"] == self.last and answer["jsonrpc"] == "2.0", answer
        return answer.get("result", answer.get("error"))

    def call(self, tool, more=None, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments, **(more or {}))

    def end(self):
        """Status, and the rest of both outputs, once its input has ended."""
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out, err


class Ends(Case):
    def test_with_its_input(self):
        for text in (b"", b"\n\n", b'{"jsonrpc":"2.0","method":"notifications/initialized"}'):
            ended = rederive("mcp", stdin=text)
            self.assert_ended(ended, 0)
            self.assertEqual((ended.out, ended.err), ("", ""))

    def test_the_last_call_is_answered(self):
        ended = rederive("mcp", stdin='{"jsonrpc":"2.0","id":1,"method":"ping"}')  # without the end of a line
        self.assert_ended(ended, 0)
        self.assertEqual(ended.records, [{"jsonrpc": "2.0", "id": 1, "result": {}}])

    def test_when_it_is_told_to(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Server() as server:
                server.ask("ping")
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(SECONDS), 0)

    def test_when_nobody_reads(self):
        with Server() as server:
            server.ask("ping")
            server.process.stdout.close()
            server.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 2)
            self.assertEqual(server.process.wait(SECONDS), 0)
            server.process.stdout = open(os.devnull, "rb")

    def test_its_worker_ends_with_it(self):
        with Server() as server:
            server.ask("ping")
            with open(f"/proc/{server.process.pid}/task/{server.process.pid}/children", encoding="ascii") as file:
                worker = int(file.read())
            server.process.kill()
            server.process.wait()
            until = time.monotonic() + SECONDS
            while os.path.exists(f"/proc/{worker}") and time.monotonic() < until:
                with open(f"/proc/{worker}/stat", encoding="ascii") as file:
                    if file.read().split(") ")[1][0] == "Z":
                        break
                time.sleep(0.01)
            self.assertLess(time.monotonic(), until)


class Protocol(Case):
    def test_agreed_on_at_the_beginning(self):
        with Server() as server:
            begun = server.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                               clientInfo={"name": "test", "version": "1"})
            self.assertEqual((begun["protocolVersion"], begun["serverInfo"]["name"]), ("2025-11-25", "rederive"))
            self.assertEqual(begun["serverInfo"]["version"], rederive("version").out.split()[1])
            server.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
            listed = server.ask("tools/list")
            self.assertEqual([tool["name"] for tool in listed["tools"]], ["check", "grade", "calculate"])
            self.assertNotIn("resultType", listed)
            self.assertEqual(server.end(), (0, b"", b""))

    def test_carried_by_each_message(self):
        with Server() as server:
            found = server.ask("server/discover", **NEWEST)
            self.assertEqual((found["supportedVersions"], found["resultType"]), (["2026-07-28"], "complete"))
            listed = server.ask("tools/list", **NEWEST)
            self.assertEqual((listed["resultType"], listed["cacheScope"]), ("complete", "public"))
            called = server.call("check", NEWEST, text="3 * 4 = 13")
            self.assertEqual((called["resultType"], called["structuredContent"]["outcome"]), ("complete", "wrong"))
            self.assertEqual(called["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "rederive")
            self.assertEqual(server.end(), (0, b"", b""))

    def test_the_list_is_short_and_says_that_nothing_is_changed(self):
        for more in ({}, NEWEST):
            with Server() as server:
                server.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": more}) + "\n")
                line = server.process.stdout.readline()
            self.assertLessEqual(len(line), 3600)
            for tool in json.loads(line)["result"]["tools"]:
                self.assertTrue(tool["annotations"]["readOnlyHint"])
                Draft202012Validator.check_schema(tool["inputSchema"])
                Draft202012Validator.check_schema(tool["outputSchema"])

    def test_what_is_no_message_does_not_end_it(self):
        with Server() as server:
            for bad, code in ((b"nonsense", -32700), (b"\xff\xfe", -32700), (b"[]", -32600), (b"{}", -32600),
                              (b"[" * 100000, -32700), (b'{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601)):
                server.write(bad + b"\n")
                self.assertEqual(server.read()["error"]["code"], code, bad[:20])
            server.write(b"x" * (5 << 20) + b"\n")
            self.assertIn("longer than 4 MiB", server.read()["error"]["message"])
            self.assertEqual(server.ask("ping"), {})


class Tools(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.schemas = {tool["name"]: tool["outputSchema"] for tool in cls.server.ask("tools/list")["tools"]}

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def call(self, tool, **arguments):
        """The structured result, as the tool's schema says, and the text."""
        result = self.server.call(tool, **arguments)
        self.assertNotIn("isError", result)
        found = result["structuredContent"]
        Draft202012Validator(self.schemas[tool] | {"additionalProperties": False}).validate(found)
        for finding in found.get("findings", []):
            known = self.schemas[tool]["properties"]["findings"]["items"]["properties"]
            self.assertLessEqual(set(finding), set(known))
        [content] = result["content"]
        self.assertLessEqual(len(content["text"].encode()), 2048)
        return found, content["text"]

    def test_twenty_texts(self):
        for text, outcome in TEXTS:
            found, said = self.call("check", text=text)
            self.assertEqual(found["outcome"], outcome, (text, found))
            self.assertEqual(said.startswith("Right"), outcome == "calculations_right", said)
            self.assertEqual(said.startswith("WRONG"), outcome == "wrong", said)
            self.assertEqual(found["n_wrong"] > 0, outcome == "wrong")

    def test_check_says_what_the_command_says(self):
        records = rederive("check", "-q", stdin=lines(*(chain(question="?", steps=[t]) for t, _ in TEXTS if t))).records
        for record, (text, _) in zip(records, [row for row in TEXTS if row[0] and "<think>" not in row[0]]):
            if record["steps"] != [text]:
                continue
            found, _ = self.call("check", text=text, question="?")
            contradicted = record["verdicts"][0]["verdict"] == "contradict"
            self.assertEqual(found["outcome"] == "wrong", contradicted, text)
            if found["outcome"] == "calculations_right":
                self.assertEqual(record["verdicts"][0]["verdict"], "support", text)

    def test_places_are_those_of_the_text(self):
        text = "The sum.\n\nFirst, 1 + 1 = 2.\nThen \u00e9\u00e9: 3 * 4 = 13.\n"
        [finding] = self.call("check", text=text)[0]["findings"]
        self.assertEqual(finding, {"outcome": "wrong", "line": 4, "column": 10, "text": "3 * 4 = 13", "right": "12"})

    def test_grade(self):
        for gold, answer, outcome in (("0.5", "1/2", "same"), ("0.5", "1/3", "different"), ("(x+1)^2", "x^2+2x+1", "same"),
                                      ("x+1", "foo bar baz", "cannot-tell"), ("5 cm", "5 m", "different"),
                                      (r"\sqrt{5+2\sqrt{6}}", r"\sqrt2+\sqrt3", "same")):  # by Calcium, loaded before
            found, said = self.call("grade", gold=gold, answer=answer)
            self.assertEqual(found["outcome"], outcome)
            self.assertEqual(said.startswith("The same"), outcome == "same")
        found, _ = self.call("grade", gold="36", reply="2 boxes of 18 are 36. The answer is 36.")
        self.assertEqual((found["outcome"], found["answer"], found["found"]), ("same", "36", "announced"))
        found, said = self.call("grade", gold="5", reply="The answer is unknown. We have 5 apples.")
        self.assertEqual((found["outcome"], found["answer"]), ("different", None))
        self.assertEqual(said, "Different: the reply states no answer.")

    def test_calculate(self):
        for expression, outcome, value in (("17 * 24", "exact", "408"), ("10/3", "exact", "10/3"),
                                           ("sqrt(2)", "rounded", "1.41421356237..."), ("8 / 1/4", "cannot-tell", None),
                                           ("2 + 2 = 5", "cannot-tell", None), ("__import__('os')", "cannot-tell", None)):
            found, said = self.call("calculate", expression=expression)
            self.assertEqual((found["outcome"], found.get("value")), (outcome, value), expression)
            self.assertEqual(said.startswith("No value: "), outcome == "cannot-tell")

    def test_what_cannot_be_done_is_an_error_for_the_model(self):
        for tool, arguments, says in (("check", {}, "'text' is required"), ("check", {"texts": "1"}, "no argument 'texts'"),
                                      ("grade", {"gold": "1"}, "One of 'answer' and 'reply'"),
                                      ("check", {"text": "3 * 4 = 12. " * 90000}, "Undecided: .*at most 1048576")):
            result = self.server.call(tool, **arguments)
            self.assertTrue(result["isError"])
            self.assertRegex(result["content"][0]["text"], says)
            self.assertNotIn("structuredContent", result)

    def test_a_call_takes_a_second_at_most(self):
        text = "So C(3000, 1500) = 3. " * 45000  # seven seconds of work on a fast processor
        begun = time.monotonic()
        result = self.server.call("check", text=text)
        self.assertLess(time.monotonic() - begun, 30 if SANITIZED else 5)
        self.assertEqual(result["content"][0]["text"], "Undecided: it took longer than 1 s. Give a shorter text.")
        self.assertTrue(result["isError"])
        self.assertEqual(self.call("check", text="17 * 24 = 408")[0]["outcome"], "calculations_right")


if __name__ == "__main__":
    unittest.main()
