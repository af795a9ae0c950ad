#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The official clients of OpenAI and Anthropic, and LiteLLM's, through `rederive serve` to a scripted server: which features
of a reply each of them finds, passing through and checked, whole and streamed, from a server of the same protocol and from
those of the others. The tables of docs/clients.md are made here.

    tests/clients/run.py RESULTS [NAME...]     fails where the page has another table
    tests/clients/run.py RESULTS --write       writes the table into the page

RESULTS gets a line of JSON for each test; the last line printed is "N passed, N failed". RDV_SOURCE and RDV_PROGRAM are set.
"""
import json
import os
import re
import sys
import unittest
from pathlib import Path

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it asks a server for prices
HERE = Path(__file__).parent
ROOT = Path(os.environ["RDV_SOURCE"])
sys.path[:0] = [str(HERE), str(ROOT / "tests/integration"), str(ROOT / "tests/tools")]

from replies import ODD, THOUGHT, full, full_events  # noqa: E402
from results import run_suite, sum_up  # noqa: E402
from tiny import Serve  # noqa: E402
from upstream import Reply, Upstream  # noqa: E402
from verifying import CHAT, MESSAGES, RESPONSES, RIGHT, WRONG  # noqa: E402
from ways import Ways  # noqa: E402

PAGE = ROOT / "docs" / "clients.md"
BEGIN, END = "<!-- {}, made by tests/clients/run.py -->\n", "<!-- its end -->\n"
MODEL, CHECK = "big", "rederive/check/"
SERVERS = {"chat": CHAT, "responses": RESPONSES, "messages": MESSAGES}  # models of other protocols
NAMES = {CHAT: "chat completions", RESPONSES: "Responses", MESSAGES: "Messages"}
FEATURES = {"text": RIGHT, "reasoning": THOUGHT, "tool": ("look", '{"at":5}'), "usage": 7, "odd": ODD}
TITLES = {"text": "text", "reasoning": "reasoning", "tool": "call of a tool", "usage": "usage", "end": "how it ended",
          "odd": "unknown member", "verdict": "`rederive`", "refused": "refusal is an error", "limit": "429, `retry-after`",
          "cut": "a stream that breaks off is an error", "strict": "a rejected step is an error"}
ENDS = {CHAT: "tool_calls", MESSAGES: "tool_use"}
write = False


def compact(arguments):
    return json.dumps(json.loads(arguments), separators=(",", ":"))


class Table:
    """Which way found which feature, of which server."""
    rows = {}

    @classmethod
    def put(cls, way, server, feature, found):
        cls.rows.setdefault((way, server), {})[feature] = found

    @staticmethod
    def line(heads, row, titles):
        cells = ["" if row.get(f) is None else "yes" if row[f] else "no" for f in titles]
        return "| " + " | ".join([*heads, *cells]) + " |"

    @classmethod
    def same(cls):
        """Of servers of the client's protocol."""
        lines = ["| client, front | " + " | ".join(TITLES.values()) + " |", "| --- |" + " --- |" * len(TITLES)]
        return "\n".join(lines + [cls.line([way], row, TITLES) for (way, server), row in cls.rows.items() if not server]) + "\n"

    @classmethod
    def converted(cls):
        titles = {f: title for f, title in TITLES.items() if f != "odd"}
        lines = ["| client, front | server | " + " | ".join(titles.values()) + " |", "| --- | --- |" + " --- |" * len(titles)]
        rows = [(way, server, row) for (way, server), row in cls.rows.items() if server]
        return "\n".join(lines + [cls.line([way, NAMES[server]], row, titles) for way, server, row in rows]) + "\n"


class Clients(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.upstream = self.enterContext(Upstream())
        others = [item for word in SERVERS for item in ("-M", f"{word}={word}+{self.upstream.url}#m")]
        self.server = self.enterContext(Serve(None, "-M", f"{MODEL}={self.upstream.url}#m", *others))
        self.ways = Ways(self.server.url).all

    def routes(self):
        """way, address, whether it streams, how to ask, model, the server's address; `converted`: it is another; else None."""
        for way, (path, streams, ask) in self.ways.items():
            for model, server in {MODEL: path, **SERVERS}.items():
                if model == MODEL or server != path:
                    yield way, path, streams, ask, model, server, None if model == MODEL else server

    def script(self, path, text):
        """As the request says: LiteLLM asks for no stream where it does not know the model, and makes one of its own."""
        self.upstream.answer(lambda request: Reply.stream(full_events(path, text)) if request.body.get("stream") else
                             Reply.json(full(path, text)))

    def must(self, way, converted, feature, found):
        """openai and anthropic find everything, but for what their helpers drop from the final object."""
        Table.put(way, converted, feature, found)
        helper, lite = "helper" in way, way.startswith("litellm")
        if not lite and not (helper and feature in ("odd", "verdict", "usage")) and not (converted and feature == "odd"):
            self.assertTrue(found, f"{way}: {feature}")

    def test_1_all_that_a_reply_says(self):
        for way, path, _, ask, model, server, converted in self.routes():
            with self.subTest(way=way, model=model):
                for name in (model, CHECK + model):
                    self.script(server, RIGHT)
                    found = ask(name)
                    found["tool"] = found["tool"] and (found["tool"][0], compact(found["tool"][1]))
                    for feature, wanted in {**FEATURES, "end": ENDS.get(path, "completed")}.items():
                        self.must(way, converted, feature, found[feature] == wanted)
                    if name == model:
                        self.assertIsNone(found["verdict"])
                    else:
                        self.must(way, converted, "verdict", bool(found["verdict"]) and found["verdict"]["admitted"] is True)

    def test_2_what_is_wrong_is_never_admitted(self):
        for way, _, _, ask, model, server, _ in self.routes():
            with self.subTest(way=way, model=model):
                self.script(server, WRONG)
                verdict = ask(CHECK + model)["verdict"]
                self.assertIsNot(verdict and verdict["admitted"], True)

    def test_3_a_refused_reply_is_an_error(self):
        for way, _, _, ask, model, server, converted in self.routes():
            with self.subTest(way=way, model=model):
                self.script(server, WRONG)
                refused = self.raises(lambda ask=ask, model=model: ask(model, rederive={"not_admitted": "refuse"}), "not admitted")
                self.must(way, converted, "refused", refused)

    def test_4_a_limit_is_an_error_of_its_own(self):
        for way, _, _, ask, model, server, converted in self.routes():
            with self.subTest(way=way, model=model):
                error = {"error": {"message": "slow down", "type": "rate_limit_error"}} | ({"type": "error"} if server == MESSAGES else {})
                self.upstream.answer(Reply.json(error, 429, {"retry-after": "7"}))
                self.must(way, converted, "limit", self.raises(lambda ask=ask, model=model: ask(CHECK + model), "slow down", "RateLimitError", "7"))

    def test_5_a_stream_that_breaks_off_is_an_error(self):
        cut = Reply([Reply.head(200, {"Content-Type": "application/json", "Content-Length": 999}), b"{"], "close")
        for way, _, streams, ask, model, server, converted in self.routes():
            with self.subTest(way=way, model=model):
                if streams:
                    self.upstream.answer(lambda request, server=server: Reply.stream(
                        [*full_events(server, RIGHT)[:-4], 0.2], ends="close") if request.body.get("stream") else cut)
                    self.must(way, converted, "cut", self.raises(lambda ask=ask, model=model: ask(CHECK + model), ""))

    def test_6_a_rejected_step_ends_a_stream_with_an_error(self):
        for way, _, streams, ask, model, server, converted in self.routes():
            with self.subTest(way=way, model=model):
                if streams:
                    self.script(server, RIGHT + "\n\n" + WRONG)
                    asked = lambda ask=ask, model=model: ask(model, rederive={"mode": "strict"})  # noqa: E731
                    said = "" if "Responses, helper" in way else "not admitted"  # it gives an event that says why, and raises without
                    self.must(way, converted, "strict", self.raises(asked, said))

    def raises(self, act, text, name=None, retry_after=None):
        try:
            act()
        except Exception as error:
            headers = getattr(getattr(error, "response", None), "headers", None) or {}
            return text in str(error) and name in (None, type(error).__name__) and retry_after in (None, headers.get("retry-after"))
        return False

    def test_7_the_page_has_these_tables(self):
        made = page = PAGE.read_text(encoding="utf-8")
        for name, text in (("the table", Table.same()), ("the table of conversions", Table.converted())):
            begin = BEGIN.format(name)
            made = re.sub(re.escape(begin) + ".*?" + re.escape(END), lambda _, t=begin + text + END: t, made, flags=re.S)
            self.assertIn(begin + text, made)
        if write:
            PAGE.write_text(made, encoding="utf-8")
        self.assertEqual(page if not write else made, made)


def main(results, *names):
    global write
    write = "--write" in names
    with open(results, "w", encoding="utf-8") as file:
        return sum_up(run_suite([sys.modules[__name__]], [n for n in names if n != "--write"], file))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
