#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The official clients of OpenAI and Anthropic, and LiteLLM's, through `rederive serve` to a scripted server: which features
of a reply each of them finds, passing through and checked, whole and streamed. The table of docs/clients.md is made here.

    tests/clients/run.py RESULTS [NAME...]     fails where the page has another table
    tests/clients/run.py RESULTS --write       writes the table into the page

RESULTS gets a line of JSON for each test; the last line printed is "N passed, N failed". RDV_SOURCE and RDV_PROGRAM are set.
"""
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
from verifying import CHAT, MESSAGES, RIGHT, WRONG  # noqa: E402
from ways import Ways  # noqa: E402

PAGE = ROOT / "docs" / "clients.md"
BEGIN, END = "<!-- the table, made by tests/clients/run.py -->\n", "<!-- its end -->\n"
MODEL, CHECKED = "big", "rederive/check/big"
FEATURES = {"text": RIGHT, "reasoning": THOUGHT, "tool": ("look", '{"at":5}'), "usage": 7, "odd": ODD}
TITLES = {"text": "text", "reasoning": "reasoning", "tool": "call of a tool", "usage": "usage", "end": "how it ended",
          "odd": "unknown member", "verdict": "`rederive`", "refused": "refusal is an error", "limit": "429, `retry-after`",
          "cut": "a stream that breaks off is an error"}
ENDS = {CHAT: "tool_calls", MESSAGES: "tool_use"}
write = False


class Table:
    """Which way found which feature."""
    rows = {}

    @classmethod
    def put(cls, way, feature, found):
        cls.rows.setdefault(way, {})[feature] = found

    @classmethod
    def text(cls):
        lines = ["| client, front | " + " | ".join(TITLES.values()) + " |", "| --- |" + " --- |" * len(TITLES)]
        for way, row in cls.rows.items():
            cells = ["" if row.get(f) is None else "yes" if row[f] else "no" for f in TITLES]
            lines.append(f"| {way} | " + " | ".join(cells) + " |")
        return "\n".join(lines) + "\n"


class Clients(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.upstream = self.enterContext(Upstream())
        self.server = self.enterContext(Serve(None, "-M", f"{MODEL}={self.upstream.url}#m"))
        self.ways = Ways(self.server.url).all

    def script(self, path, text):
        """As the request says: LiteLLM asks for no stream where it does not know the model, and makes one of its own."""
        self.upstream.answer(lambda request: Reply.stream(full_events(path, text)) if request.body.get("stream") else
                             Reply.json(full(path, text)))

    def must(self, way, feature, found):
        """openai and anthropic find everything, but for what their helpers drop from the final object."""
        Table.put(way, feature, found)
        helper, lite = "helper" in way, way.startswith("litellm")
        if not lite and not (helper and feature in ("odd", "verdict", "usage")):
            self.assertTrue(found, f"{way}: {feature}")

    def test_1_all_that_a_reply_says(self):
        for way, (path, _, ask) in self.ways.items():
            with self.subTest(way=way):
                for model in (MODEL, CHECKED):
                    self.script(path, RIGHT)
                    found = ask(model)
                    for feature, wanted in {**FEATURES, "end": ENDS.get(path, "completed")}.items():
                        self.must(way, feature, found[feature] == wanted)
                    if model == MODEL:
                        self.assertIsNone(found["verdict"])
                    else:
                        self.must(way, "verdict", bool(found["verdict"]) and found["verdict"]["admitted"] is True)

    def test_2_what_is_wrong_is_never_admitted(self):
        for way, (path, _, ask) in self.ways.items():
            with self.subTest(way=way):
                self.script(path, WRONG)
                verdict = ask(CHECKED)["verdict"]
                self.assertIsNot(verdict and verdict["admitted"], True)

    def test_3_a_refused_reply_is_an_error(self):
        for way, (path, _, ask) in self.ways.items():
            with self.subTest(way=way):
                self.script(path, WRONG)
                self.must(way, "refused", self.raises(lambda ask=ask: ask(MODEL, rederive={"not_admitted": "refuse"}), "not admitted"))

    def test_4_a_limit_is_an_error_of_its_own(self):
        for way, (path, _, ask) in self.ways.items():
            with self.subTest(way=way):
                error = {"error": {"message": "slow down", "type": "rate_limit_error"}} | ({"type": "error"} if path == MESSAGES else {})
                self.upstream.answer(Reply.json(error, 429, {"retry-after": "7"}))
                self.must(way, "limit", self.raises(lambda ask=ask: ask(CHECKED), "slow down", "RateLimitError", "7"))

    def test_5_a_stream_that_breaks_off_is_an_error(self):
        for way, (path, streams, ask) in self.ways.items():
            if streams:
                with self.subTest(way=way):
                    cut = Reply([Reply.head(200, {"Content-Type": "application/json", "Content-Length": 999}), b"{"], "close")
                    self.upstream.answer(lambda request, path=path, cut=cut: Reply.stream(
                        [*full_events(path, RIGHT)[:-4], 0.2], ends="close") if request.body.get("stream") else cut)
                    self.must(way, "cut", self.raises(lambda ask=ask: ask(CHECKED), ""))

    def raises(self, act, text, name=None, retry_after=None):
        try:
            act()
        except Exception as error:
            headers = getattr(getattr(error, "response", None), "headers", None) or {}
            return text in str(error) and name in (None, type(error).__name__) and retry_after in (None, headers.get("retry-after"))
        return False

    def test_6_the_page_has_this_table(self):
        page = PAGE.read_text(encoding="utf-8")
        made = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + Table.text() + END, page, flags=re.S)
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
