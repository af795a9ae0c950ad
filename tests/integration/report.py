# SPDX-License-Identifier: Apache-2.0
"""--html: what a report says, and that it works in a real browser, with its script and without."""
import csv
import io
import json
import os
import re
import unittest
import urllib.parse
import xml.etree.ElementTree as xml

import chromium
from repair import FIXED, LAST, LONGER, WRONG, draws, thought, trace
from scripted import SELFCHECK, SOLVE, Server
from support import Case, chain, lines, rederive

EXAMPLES = os.path.join(os.environ["RDV_SOURCE"], "examples/chains.jsonl")
SHOWN = "[...document.querySelectorAll('article.chain')].filter(a => !a.closest('[hidden]')).map(a => a.id)"
NEEDS_CHROMIUM = unittest.skipUnless(chromium.PROGRAM, "chromium is not installed (tools/setup.sh check installs it)")

# What a model might write to be run, to close what is open, or to hide; and what must not be there of it.
HOSTILE = [
    "</script><script>window.stolen = 1</script>",
    "<img src=x onerror='window.stolen = 1'>",
    "<!-- <script>window.stolen = 1</script>",
    "]]> --> </style><svg onload=window.stolen=1>",
    "\" onmouseover=\"window.stolen=1\" x=\"",
    "' autofocus onfocus='window.stolen=1",
    "javascript:window.stolen=1",
    "&lt;b&gt; &amp; &#60;script&#62;",
    "{{constructor.constructor('window.stolen=1')()}}",
    "url(https://example.org/x) expression(1) @import 'https://example.org/y';",
    "<base href=https://example.org/><link rel=stylesheet href=https://example.org/z>",
    "<meta http-equiv=refresh content='0;url=https://example.org/'>",
    "=HYPERLINK(\"https://example.org\")",
]
CONTROLS = {"\u202e": "\\u202e", "\u2066": "\\u2066", "\u200f": "\\u200f", "\u061c": "\\u061c", "\u2028": "\\u2028", "\ufeff": "\\ufeff",
            "\x00": "\\x00", "\x1b": "\\x1b", "\x7f": "\\x7f", "\x85": "\\x85", "\x1e": "\\x1e", "\x1f": "\\x1f"}


def variants(n):
    """Chains of n // 5 questions, one in seven with a wrong step."""
    for i in range(n):
        wrong = i % 7 == 0
        yield chain(f"What is {i // 5} + 3?", [f"We add. {i // 5} + 3 = {i // 5 + 3 + wrong}.", "That is it."], str(i // 5 + 3 + wrong),
                    str(i // 5 + 3), id=f"q{i // 5}/{i % 5}", question_id=f"q{i // 5}", dataset=["ones", "twos"][i % 2])


class Reports(Case):
    def report(self, *args, status=0, name="r.html"):
        """Run a command with --html and return the page's path."""
        ended = rederive(*args, "--html", name, cwd=self.folder)
        self.assert_ended(ended, status)
        return self.path(name)

    def page(self, *args, **more):
        """The same, with the page's text."""
        return self.read(os.path.basename(self.report(*args, **more)))

    def example(self):
        return self.report("check", "-q", EXAMPLES)


class Pages(Reports):
    """What is in the file, without a browser."""

    def test_records_do_not_change(self):
        plain = rederive("check", "-q", EXAMPLES)
        self.assertEqual(rederive("check", "-q", EXAMPLES, "--html", self.path("r.html")).out, plain.out)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.html"])

    def test_the_same_run_gives_the_same_page(self):
        self.write("c.jsonl", lines(*variants(30)))
        pages = []
        for name in ("a.html", "b.html"):
            self.report("check", "-q", "c.jsonl", "-o", "out.jsonl", name=name)
            pages.append(re.sub(r"[ab]\.html|\d+\.\d+ s\b", "", self.read(name)))
        self.assertEqual(*pages)

    def test_every_figure_is_xml_with_its_data(self):
        page = self.read(os.path.basename(self.example()))
        figures = re.findall(r'<figure id="figure-([a-z-]+)">(.*?)</figure>', page, re.S)
        self.assertEqual([name for name, _ in figures], ["accuracy", "steps"])
        for name, figure in figures:
            svg = xml.fromstring(re.search(r"<svg.*?</svg>", figure, re.S).group())
            self.assertTrue(svg.findall(".//{*}path") or svg.findall(".//{*}rect"), name)
            data = re.search(r'href="data:text/csv;charset=utf-8,([^"]*)"', figure).group(1)
            rows = list(csv.reader(io.StringIO(urllib.parse.unquote(data))))
            self.assertEqual(rows[0], ["series", "x", "value", "low", "high"])
            self.assertEqual(len(rows) - 1, figure.count("<tr>") - 1, name)

    def test_the_figures_are_those_of_eval(self):
        checked = rederive("check", "-q", EXAMPLES, "-o", self.path("c.jsonl"))
        self.assert_ended(checked, 0)
        said = json.loads(rederive("eval", "--json", self.path("c.jsonl")).out)["curves"]["accuracy.weighted"]["points"]
        page = self.read(os.path.basename(self.example()))
        data = re.search(r'download="accuracy.csv" href="data:text/csv;charset=utf-8,([^"]*)"', page).group(1)
        rows = [row for row in csv.reader(io.StringIO(urllib.parse.unquote(data))) if row[0] == "weighted by confidence"]
        self.assertEqual(len(rows), 5)
        for row, point in zip(rows, said):
            for value, name in zip(row[1:], ("x", "value", "ci_low", "ci_high")):
                self.assertAlmostEqual(float(value), point[name], delta=1e-5)

    def test_what_failed_is_apart_from_what_is_wrong(self):
        self.write("c.jsonl", lines(chain(id="a"), "{broken", {"question": "without steps"}))
        page = self.page("check", "-q", "c.jsonl", "-o", "o.jsonl", status=1)
        self.assertIn("<b>2</b> records", page)
        self.assertIn("c.jsonl:2:", page)
        self.assertIn("c.jsonl:3: a question without steps", page)
        self.assertIn("<b>1</b> of 1 right", page)

    def test_an_unfinished_run_counts_the_steps_that_it_decided(self):
        """The headline and the marks below it are of the same steps."""
        self.write("c.jsonl", lines(chain(steps=[f"2 + {i} = {2 + i}" for i in range(4)])))
        with Server(rules=SELFCHECK) as server:
            ended = rederive("check", "-m", "selfcheck", "-M", server.url, "-j", "1", "--max-calls", "14", "c.jsonl", "-o", "o.jsonl",
                             "--html", "r.html", cwd=self.folder)
        self.assert_ended(ended, 1)
        [record] = [json.loads(line) for line in self.read("o.jsonl").splitlines()]
        decided = sum(v["verdict"] in ("support", "contradict") for v in record["verdicts"])
        self.assertTrue(record["partial"] and 0 < decided < 4, record)
        headline = re.search(r'<p class="headline">(.*?)</p>', self.read("r.html"))[1]
        self.assertIn(f"{decided} of 4 steps decided", re.sub("<[^>]*>", "", headline))
        self.assertIn(f"{decided} of 4 steps decided", ended.err)

    def test_a_run_that_ends_early_leaves_what_was_done(self):
        self.write("c.jsonl", lines(chain()))
        ended = rederive("check", "-q", "-m", "selfcheck", "-M", "http://127.0.0.1:9/v1#m", "--retries", "0", "c.jsonl", "-o", "o.jsonl",
                         "--html", "r.html", cwd=self.folder)
        self.assert_ended(ended, 3)
        self.assertEqual(re.findall(r"what was done is in (\S+)", ended.err), ["r.html.partial", "o.jsonl.partial"])
        page = self.read("r.html.partial")
        self.assertIn("Incomplete.", page)
        self.assertNotIn("✓ support</span></div>", page)

    def test_faults(self):
        self.write("c.jsonl", lines(chain()))
        for args, status, message in ((["-o", "x", "--html", "x"], 2, "--out and --html name one file, x; name two"),
                                      (["--html", "none/x.html"], 3, "none/x.html.writing: cannot be written"),
                                      (["--html", "-"], 2, "--html -: the records are written there")):
            ended = rederive("check", "c.jsonl", *args, cwd=self.folder)
            self.assert_ended(ended, status)
            self.assertIn(message, ended.err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["c.jsonl"])

    def test_most_are_more_than_half(self):
        for answers, unlike in (("56", 0), ("556", 1), ("5566", 0), ("555678", 0), ("55556", 1)):
            solutions = lines(*(chain(question_id="q", id=f"q/{i}", steps=["2 + 3 = 5"], answer=answer) for i, answer in enumerate(answers)))
            self.write("most.jsonl", solutions)
            found = re.findall(r'data-flag="2"[^>]*>unlike most <span class="count">(\d+)', self.page("check", "-q", "most.jsonl"))
            self.assertEqual(found, [str(unlike)] if unlike else [], answers)

    def test_two_chains_with_one_id_have_two_anchors(self):
        self.write("c.jsonl", lines(*[chain(id="same")] * 20))
        page = self.page("check", "-q", "c.jsonl")
        anchors = re.findall(r'<article class="chain" id="([^"]*)"', page)
        self.assertEqual(len(set(anchors)), 20)
        self.assertEqual(anchors[:2], ["same", "same~~2"])

    def test_no_chain_has_the_id_of_a_part_of_the_page(self):
        self.write("c.jsonl", lines(*variants(1001)))  # a packed report has all parts
        own = {name for name in re.findall(r'\bid="([^"]*)"', self.page("check", "-q", "c.jsonl", "-o", "o.jsonl"))}
        self.assertLessEqual({"index", "keys", "list", "search", "summary", "figure-steps"}, own)
        self.write("d.jsonl", lines(*[chain(id=name) for name in sorted(own)], chain(), "{broken"))
        page = self.page("check", "-q", "d.jsonl", "-o", "o.jsonl", status=1)
        names = re.findall(r'\bid="([^"]*)"', page)
        self.assertEqual(len(names), len(set(names)))
        articles = re.findall(r'<article class="chain" id="([^"]*)"', page)
        self.assertLessEqual({name + "~~1" for name in own}, set(articles))


class Commands(Reports):
    """Each command's own part of a report, without a browser."""

    def test_vote(self):
        self.assert_ended(rederive("check", "-q", EXAMPLES, "-o", "c.jsonl", cwd=self.folder), 0)
        page = self.page("vote", "-q", "-w", "confidence", "c.jsonl")
        bakery = page[page.index('<p class="qid">bakery</p>'):]
        vote = bakery[bakery.index('<div class="vote">'):bakery.index('<article')]
        text = re.sub(r"<[^>]*>", "", vote)
        self.assertIn('<p class="second">The vote is right on 9 of 10 questions; the majority alone on 7.</p>', page)
        self.assertIn("The vote: 50 ✓ right ⇄ turned the majority says 48 ✗ wrong5 of 5 chains used", text)
        self.assertIn("48 ✗ wrong30.48419%", text)
        self.assertIn("weight in the vote <b>0.161</b>", page)

    def test_eval_of_chains_and_votes(self):
        self.assert_ended(rederive("check", "-q", EXAMPLES, "-o", "c.jsonl", cwd=self.folder), 0)
        said = rederive("eval", "c.jsonl", cwd=self.folder).out
        page = self.page("eval", "c.jsonl")
        text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))
        sentence, _, _, *rows = said.splitlines()
        self.assertIn(sentence, text)
        for line in rows[:18]:
            name, value = line.split()[:2]
            self.assertIn(f" {name} {value} ", text)

    def test_eval_with_a_recipe(self):
        self.assert_ended(rederive("check", "-q", EXAMPLES, "-o", "c.jsonl", cwd=self.folder), 0)
        page = self.page("eval", "-q", "--recipe", "mistakes:table5", "c.jsonl")
        self.assertIn("<h3>mistakes:table5: weighted F1", page)

    def test_eval_of_two_runs(self):
        before = [chain(id=f"q{i}/0", question_id=f"q{i}", answer="5" if i % 2 else "6") for i in range(4)]
        after = [{**record, "answer": "5"} for record in before]
        self.write("a.jsonl", lines(*before))
        self.write("b.jsonl", lines(*after))
        text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", self.page("eval", "-q", "--compare", "a.jsonl", "b.jsonl")))
        self.assertIn("questions that changed question change before after q0 fixed 6 5 q2 fixed 6 5 2 more", text)
        self.assertIn("q1 both_right 5 5", text)

    def test_reasoning_is_kept_apart(self):
        record = {"id": "r", "messages": [{"role": "user", "content": "What is 6 * 7?"},
                                          {"role": "assistant", "reasoning_content": "5 * 5 = 26, and 6 * 7 = 41.", "content": "6 * 7 = 42. The answer is 42."}]}
        self.write("c.jsonl", lines(record))
        page = self.page("check", "-q", "c.jsonl")
        self.assertIn("<summary>Reasoning, not checked</summary><pre>5 * 5 = 26, and 6 * 7 = 41.</pre>", page)
        self.assertNotIn("should be", page)
        page = self.page("check", "-q", "--check-reasoning", "c.jsonl", name="r2.html")
        self.assertEqual(page.count('<span class="reasoning">reasoning</span>'), 1)
        self.assertIn("should be <ins>25</ins>", page)
        self.assertNotIn("should be <ins>42</ins>", page)  # what the reply itself corrects is no error

    def test_solve_shows_what_was_asked_and_replied(self):
        self.write("q.jsonl", lines({"id": "q", "question": "What is 2 + 3?", "gold": "5"}))
        args = ["solve", "-q", "-m", "selfcheck", "-n", "2", "--stop", "none", "--journal", "j", "q.jsonl", "-o", "a.jsonl"]
        with Server(rules=SOLVE) as server:
            first = self.page(*args, "-M", server.url)
            again = self.page(*args, "-M", server.url, name="again.html")
        for page in (first, again):
            self.assertEqual(page.count("selfcheck/target</span>"), first.count("selfcheck/target</span>"))
            self.assertIn("What specific action does the step", page)
            self.assertIn("<h5>Replied</h5><pre>The step adds two numbers.</pre>", page)
            self.assertIn("generate</span>", page)
            for step in re.findall(r'<li class="step.*?</li>', page, re.S):
                stages = re.findall(r'<span class="stage">([^<]*)</span>', step)
                self.assertEqual(stages, ["selfcheck/target", "selfcheck/collect", "selfcheck/regenerate", "selfcheck/compare"])
            self.assertIn("The vote: <b>5</b>", page)
        self.assertIn("more answered by the journal", again)

    def test_a_check_that_decides_nothing_finds_nothing_right(self):
        self.write("in.jsonl", lines(chain(steps=["There are some pens.", "So there are some."]), chain(steps=["2 + 3 = 5"])))
        page = self.page("check", "-q", "in.jsonl", "-o", "o.jsonl")
        self.assertEqual(page.count('<span class="badge nothing">· nothing to check</span>'), 1)
        self.assertEqual(page.count('<span class="badge right">✓ 1 of 1 step right</span>'), 1)
        view = rederive("check", "--view", self.path("in.jsonl")).out
        self.assertEqual((view.count("\n  nothing to check\n"), view.count("no wrong step found")), (1, 1))

    def test_a_question_with_very_many_answers_shows_a_hundred(self):
        """The head of a question is in each part of a packed report."""
        for n, told in ((150, "and 49 more answers"), (3000, "")):  # a hundred, and the winner; packed
            self.write("in.jsonl", lines(*[chain(id=str(i), answer=str(i), steps=[f"1 + {i} = {i + 1}"]) for i in range(n)],
                                         chain(id="a", answer=str(n - 1), steps=["2 + 2 = 4"])))
            page = self.page("vote", "-q", "in.jsonl", "-o", "o.jsonl")
            self.assertIn(told, page)
            self.assertLess(len(page), 1_000_000)

    def test_repair_shows_a_difference(self):
        self.write("in.jsonl", lines(trace()))
        rules = [*draws(2, WRONG, LONGER, FIXED, FIXED), thought(2, FIXED), thought(3, LAST)]
        with Server(rules=rules) as server:
            page = self.page("repair", "-q", "-j", "1", "--resamples", "4", "-M", server.url, "in.jsonl", "-o", "o.jsonl")
        self.assertIn("Round 1: step 1 replaced", page)
        self.assertIn("3 * 4 = <del>13</del> <ins>12</ins> pens.", page)
        self.assertIn('<span class="badge right">accepted</span>', page)
        self.assertIn("<del>18</del> <ins>17</ins>", page)
        self.assertIn("right before <b>0</b>, after <b>1</b> of 1", page)
        self.assertIn('<p class="second">The repair changed 1 of 1 solution; right before: 0, after: 1.</p>', page)


@NEEDS_CHROMIUM
class InBrowser(Reports):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(chromium.Browser())

    def open(self, path, **how):
        self.browser.open(path, **how)
        self.addCleanup(self.assert_quiet)

    def assert_quiet(self):
        """No error, and nothing asked of anyone."""
        self.assertEqual(self.browser.faults(), [])
        self.assertEqual(self.browser.requests(), [])

    def shown(self):
        return self.browser.evaluate(SHOWN)

    def text(self, selector):
        return self.browser.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent")

    def act(self, expression):
        """Do something that changes what is shown, and wait for it."""
        before = self.browser.evaluate("document.documentElement.dataset.ready")
        self.browser.evaluate(expression)
        self.browser.until(f"document.documentElement.dataset.ready !== {json.dumps(before)}")

    def choose(self, flag):
        self.act(f"document.querySelector('[data-flag=\"{flag}\"]').click()")

    def search(self, text):
        self.act(f"(s => {{ s.value = {json.dumps(text)}; s.dispatchEvent(new Event('input')); }})(document.querySelector('#search'))")


class Plain(InBrowser):
    """A report whose chains are plain HTML."""

    def test_filters(self):
        self.open(self.example())
        wrong = self.shown()
        self.assertEqual(len(wrong), 16)
        self.assertIn("bakery/1", wrong)
        self.assertNotIn("bakery/0", wrong)
        self.assertEqual(self.text("#shown"), "16 of 47 solutions")
        self.assertEqual(self.browser.evaluate("document.querySelector('[data-flag=\"1\"]').getAttribute('aria-pressed')"), "true")
        self.choose(0)
        self.assertEqual(len(self.shown()), 47)
        self.choose(512)
        self.assertEqual(len(self.shown()), 29)
        self.assertNotIn("bakery/1", self.shown())

    def test_numbers_lead_to_what_they_count(self):
        self.open(self.example())
        for link in ("#numbers .wrong a", ".headline a"):
            self.choose(0)
            self.act(f"document.querySelector('{link}').click()")
            self.assertEqual(len(self.shown()), 16, link)

    def test_what_was_not_read_is_a_number_that_leads_there(self):
        self.write("c.jsonl", lines(*variants(20), chain(steps=["17 + 25 \u2192 43"])))
        self.open(self.report("check", "-q", "c.jsonl"))
        self.act("document.querySelectorAll('.headline a')[1].click()")
        self.assertEqual(self.text("#shown"), "1 of 21 solutions")

    def test_a_filter_by_data_set(self):
        self.write("c.jsonl", lines(*variants(20)))
        self.open(self.report("check", "-q", "c.jsonl"))
        self.choose(0)
        self.act("(s => { s.value = '1'; s.dispatchEvent(new Event('change')); })(document.querySelector('#set'))")
        self.assertEqual(len(self.shown()), 10)

    def test_search(self):
        self.open(self.example())
        self.browser.key("/")
        self.assertEqual(self.browser.evaluate("document.activeElement.id"), "search")
        self.browser.type("398 - 58")
        self.browser.until("document.querySelector('#shown').textContent !== '16 of 47 solutions'")
        self.assertTrue(0 < len(self.shown()) < 10)
        self.assertNotEqual(self.browser.evaluate("document.querySelector('[aria-pressed=true]').dataset.flag"), "1")
        self.browser.key("Escape")
        self.browser.until("document.querySelector('#shown').textContent === '16 of 47 solutions'")
        self.assertEqual(len(self.shown()), 16)

    def test_wrong_steps_by_key(self):
        self.open(self.example())
        at = "document.querySelector('li.step.at').id"
        self.browser.key("j")
        self.assertEqual(self.browser.evaluate(at), "bakery/1:0")
        self.browser.key("j")
        self.assertEqual(self.browser.evaluate(at), "bakery/2:0")
        self.browser.key("k")
        self.assertEqual(self.browser.evaluate(at), "bakery/1:0")
        self.browser.key("e")
        self.assertTrue(self.browser.evaluate("document.querySelector('li.step.at details.evidence').open"))
        self.browser.key("?")
        self.assertTrue(self.browser.evaluate("document.querySelector('#keys').open"))

    def test_a_link_to_a_step(self):
        self.open(self.example(), anchor="#bakery/2:0")
        self.browser.until("document.querySelector('li.step.at')")
        self.assertEqual(self.browser.evaluate("document.querySelector('li.step.at').id"), "bakery/2:0")
        top = self.browser.evaluate("document.querySelector('li.step.at').getBoundingClientRect().top")
        self.assertTrue(0 <= top < 900, top)

    def test_the_theme_is_a_choice(self):
        self.open(self.example(), theme="dark")
        colour = "getComputedStyle(document.body).backgroundColor"
        dark = self.browser.evaluate(colour)
        self.browser.key("t")
        self.assertNotEqual(self.browser.evaluate(colour), dark)

    def test_without_scripts(self):
        self.open(self.example(), scripts=False)
        root = self.browser.send("DOM.getDocument", depth=0)["root"]
        page = self.browser.send("DOM.getOuterHTML", nodeId=root["nodeId"])["outerHTML"]
        self.assertIn("should be <ins>408</ins>", page)
        self.assertIn('id="tools" hidden', page)

    def test_a_phone_needs_no_scrolling_sideways(self):
        for path in (self.example(), self.hostile()):
            self.open(path, width=390, height=844)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 390)

    def test_a_phone_shows_that_more_is_beside(self):
        """The filters wrap; a table or formula that is wider than the screen has a shadow at its edge until it is scrolled to its end."""
        wide = "| " + " | ".join("column" * 2 for _ in range(8)) + " |\n" + "|---" * 8 + "|\n" + "| 1 " * 8 + "|"
        self.write("w.jsonl", lines(chain(steps=[wide, "$$" + "+".join(f"x_{{{i}}}^2" for i in range(40)) + "$$", "2 + 2 = 5"]),
                                    chain(steps=["7 is odd."]), "{broken"))
        self.open(self.report("check", "-q", "w.jsonl", "-o", "o.jsonl", status=1), width=390, height=844)
        self.choose(0)
        chips = "[...document.querySelectorAll('.filters > *')].filter(e => e.getClientRects().length)"
        self.assertGreater(self.browser.evaluate(chips + ".length"), 2)
        self.assertLessEqual(self.browser.evaluate(f"Math.max(...{chips}.map(e => e.getBoundingClientRect().right))"), 390)
        self.browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        cut = ("[...document.querySelectorAll('.wide, .tex')].filter(e => e.scrollWidth > e.clientWidth + 1 && e.getClientRects().length && "
               "getComputedStyle(e).overflowX === 'auto')")
        self.browser.until(cut + ".length >= 2")
        self.assertEqual(self.browser.evaluate(cut + ".filter(e => !getComputedStyle(e).backgroundAttachment.startsWith('local')).length"), 0)

    def many_words(self):
        """A report with each word of a step, a long stretch without a finding, Markdown and formulas."""
        quiet = [f"We think about part {i}." for i in range(12)]
        markdown = ["## Sum\n\n| a | b |\n|---|---|\n| `x` | $x^2$ |\n\n1. **one**\n2. *two*", "```py\nx = 1\n```"]
        steps = [*quiet, "2 + 2 = 5", *markdown, "So $1 + 3 + 3 = 8$ holds.", "And 100 -6 60 = 40", "2 + 2 = 4"]
        self.write("w.jsonl", lines(chain("What is $x$?", steps, id="w/0"), chain("Why?", ["So: 100 -6 60 = 40"], id="w/1"), "{broken"))
        return self.report("check", "-q", "w.jsonl", "-o", "o.jsonl", status=1)

    def test_contrast(self):
        for path in (self.example(), self.many_words()):
            for theme in ("light", "dark"):
                self.open(path, theme=theme)
                self.choose(0)
                self.browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
                self.assertEqual(self.browser.evaluate(POOR_CONTRAST), [], theme)

    def test_the_first_screen_of_a_phone_has_the_first_wrong_step(self):
        for path in (self.report("check", "-q", EXAMPLES), self.many_words()):
            self.open(path, width=390, height=844)
            self.assertIn("wrong step", self.text(".headline"))
            bottom = self.browser.evaluate("document.querySelector('article.chain:not([hidden]) .step.wrong mark').getBoundingClientRect().bottom")
            self.assertTrue(0 < bottom < 844, bottom)

    def test_long_stretches_without_a_finding_are_folded(self):
        path = self.many_words()
        self.open(path)
        self.assertEqual(self.text(".fold summary"), "steps 0 to 10: 11 with nothing to check")
        self.assertFalse(self.browser.evaluate("document.querySelector('.fold > details').open"))
        self.open(path, anchor="#w/0:3")
        self.browser.until("document.querySelector('li.step.at')?.id === 'w/0:3'")
        self.assertTrue(self.browser.evaluate("document.querySelector('.fold > details').open"))

    def test_only_what_was_checked_is_green(self):
        self.open(self.many_words())
        self.choose(0)
        green = ("[...document.querySelectorAll('#list *')].filter(e => !e.closest('.fact') && getComputedStyle(e).color === 'rgb(20, 108, 58)')"
                 ".map(e => e.closest('.step')?.className || e.className)")
        self.assertLessEqual(set(self.browser.evaluate(green)), {"step right", "step wrong"})  # and the right value of a wrong one
        self.assertEqual(self.text("#list [id='w/1'] .badge"), "∅ not read")

    def hostile(self):
        texts = HOSTILE + [f"before{control}after" for control in CONTROLS] + ["w" * 5000]
        records = [chain(question=text, steps=[text, f"2 + 2 = 5 {text}"], answer=text, gold=text, id=text, question_id=text, dataset=text)
                   for text in texts]
        self.write("h.jsonl", lines(*records))
        return self.report("check", "-q", "h.jsonl", "-o", "o.jsonl")

    def check_hostile(self):
        self.assertIsNone(self.browser.evaluate("window.stolen"))
        body = self.browser.evaluate("document.body.textContent")
        for text in HOSTILE:
            self.assertIn(text, body)
        for shown in CONTROLS.values():
            self.assertIn(f"before{shown}after", body)
        tags = self.browser.evaluate("[...document.querySelectorAll('img, base, iframe, object, [onerror], [onload], [onfocus], [onmouseover]')].length")
        self.assertEqual(tags, 0)

    def test_hostile_text_is_only_shown(self):
        self.open(self.hostile())
        self.check_hostile()

    def test_hostile_text_without_the_policy(self):
        """The escaping holds by itself, and not only because the policy allows no script."""
        path = self.hostile()
        with open(path, encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page.count("<meta http-equiv=\"Content-Security-Policy\""), 1)
        self.write("bare.html", re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", page))
        self.open(self.path("bare.html"))
        self.check_hostile()

    def test_the_policy_stops_a_script(self):
        path = self.example()
        with open(path, encoding="utf-8") as file:
            page = file.read()
        self.write("attacked.html", page.replace("</main>", "<script>window.stolen = 1</script><img src=x onerror='window.stolen = 1'></main>"))
        self.browser.open(self.path("attacked.html"))
        self.assertIsNone(self.browser.evaluate("window.stolen"))


class Packed(InBrowser):
    """A report of so many chains that they are packed."""

    def packed(self):
        self.write("c.jsonl", lines(*variants(1200)))
        return self.report("check", "-q", "c.jsonl", "-o", "o.jsonl")

    def test_pages_filters_and_search(self):
        self.open(self.packed())
        self.assertEqual(self.text("#shown"), "172 of 1,200 solutions")
        self.choose(0)
        self.assertEqual(self.shown(), [f"q{i // 5}/{i % 5}" for i in range(25)])
        self.assertEqual(self.text("#page"), "page 1 of 48")
        self.browser.evaluate("document.querySelector('#next').click()")
        self.browser.until("document.querySelector('#page').textContent.startsWith('page 2 ')")
        self.browser.until(f"({SHOWN})[0] === 'q5/0'")
        self.choose(1)
        self.assertEqual(self.text("#shown"), "172 of 1,200 solutions")
        self.assertTrue(all(int(name[1:].split("/")[0]) * 5 + int(name.split("/")[1]) in range(0, 1200, 7) for name in self.shown()))
        self.search("231 + 3 = 2")
        self.assertEqual(self.shown(), ["q231/0"])
        self.assertIn("What is 231 + 3?", self.text("#list"))

    def test_wrong_steps_on_all_pages(self):
        self.open(self.packed())
        for _ in range(5):
            self.browser.key("j")
            self.browser.until("document.querySelector('li.step.at')")
        self.browser.until("document.querySelector('li.step.at')?.id === 'q5/3:0'")

    def test_a_link_to_a_step_of_another_page(self):
        self.open(self.packed(), anchor="#q200/2:1")
        self.browser.until("document.querySelector('li.step.at')?.id === 'q200/2:1'")

    def test_hostile_text(self):
        records = list(variants(1100)) + [chain(text, [text, "2 + 2 = 5"], text, text, id=text) for text in HOSTILE + ["before\x1e\x1fafter"]]
        self.write("c.jsonl", lines(*records))
        self.open(self.report("check", "-q", "c.jsonl", "-o", "o.jsonl"))
        for text in HOSTILE:
            self.search(text)
            self.assertIn(text, self.text("#list"))
        self.search("before")
        self.assertIn("before\\x1e\\x1fafter", self.text("#list"))
        self.assertIsNone(self.browser.evaluate("window.stolen"))

    def test_without_scripts_the_summary_is_there(self):
        with open(self.packed(), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("<b>1200</b> solutions", page)
        self.assertIn("<noscript><p class=\"banner\">This report has 1200 solutions", page)
        self.assertIn('<figure id="figure-steps">', page)


# The visible texts with less than 4.5 of contrast to what is behind them (3 for large text), as WCAG 2 computes it.
POOR_CONTRAST = r"""(() => {
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    if (text.startsWith("color(srgb")) return [numbers[0] * 255, numbers[1] * 255, numbers[2] * 255, numbers[3] ?? 1];
    return [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (c) => { const [r, g, b] = c.slice(0, 3).map((x) => { x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b; };
  const ground = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const poor = new Set();
  const walk = document.createTreeWalker(document.querySelector("body"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !e.checkVisibility() || e.closest("script, style, .skip")) continue;
    const style = getComputedStyle(e), svg = e.closest("svg");
    let behind = ground(e), front = over(parse(svg ? style.fill : style.color), behind);
    let opacity = 1;
    for (let p = e; p; p = p.parentElement) opacity *= Number(getComputedStyle(p).opacity);
    front = over([...front.slice(0, 3), opacity], behind);
    const [a, b] = [light(front), light(behind)].sort((x, y) => y - x);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if ((a + .05) / (b + .05) < (large ? 3 : 4.5)) poor.add(e.className + ": " + node.textContent.trim().slice(0, 30) + " " + ((a + .05) / (b + .05)).toFixed(2));
  }
  return [...poor];
})()"""


if __name__ == "__main__":
    unittest.main()
