# SPDX-License-Identifier: Apache-2.0
"""Formulas and Markdown in a report, in a real browser: what is drawn, what stays as its source, and that nothing that a
model writes covers or imitates what stands beside it. With RDV_PICTURES=FOLDER each hostile text leaves a picture there."""
import json
import os
import re
import unittest

import chromium
from report import NEEDS_CHROMIUM, Reports
from support import chain, lines

KATEX = any(os.path.exists(folder + "/katex.js") for folder in ("/usr/share/javascript/katex", os.environ["RDV_SOURCE"] + "/build-deps/katex"))
PICTURES = os.environ.get("RDV_PICTURES")
LOOKS = 3  # at a formula: on a busy machine a picture may be taken before the page is painted

# Formula -> what is to be read in it, without blanks.
DRAWN = {
    r"$x^2 + y^2 = z^2$": "x2+y2=z2",
    r"\(\frac{1}{2}\)": "12",
    r"$$\sqrt{2gh} \approx 19.8\ \mathrm{m/s}$$": "2gh≈19.8m/s",
    r"\[\left(\sum_{i=1}^n i\right)\]": "(∑i=1ni)",
    r"\begin{align*} a &= b \\ c &= d \end{align*}": "a=bc=d",
    r"$\mathbb{R} \ni x, \mathcal{L}, \mathbf{v}$": "ℝ∋x,ℒ,𝐯",
    r"$\boxed{42}$": "42",
    r"$\binom{n}{k} \bmod 7, \overline{ab}, \vec{v}, \hat{x}$": "(nk)mod7,ab‾,v⃗,x^",
    r"$\text{if } x \ge 0 \text{ then } 100\%$": "ifx≥0then100%",
    r"$\xrightarrow{f} \iff \begin{pmatrix}1&2\\3&4\end{pmatrix}$": "→f⟺(1234)",
    r"$\big( \tfrac12 \Bigg)$": "(12)",
    r"$\text{第一}=1$": "第一=1",
}
# What would hide, colour, move or resize what is written, or show what is not.
SOURCE = [
    r"$\color{white} 5 = 6$", r"$\textcolor{red}{wrong}$", r"$\colorbox{white}{x}$", r"$\fcolorbox{red}{white}{x}$", r"$\fbox{x}$",
    r"$\href{https://example.org}{x}$", r"$\url{https://example.org}$", r"$\includegraphics{https://example.org/x.png}$",
    r"$\htmlClass{badge right}{x}$", r"$\htmlStyle{position:fixed;top:0}{x}$", r"$\htmlId{summary}{x}$", r"$\htmlData{show=1}{x}$",
    r"$5 \phantom{= 6}$", r"$5 \hphantom{= 6}$", r"$5 \vphantom{= 6}$", r"$\smash{x}$", r"$\llap{wrong}$", r"$\rlap{wrong}$",
    r"$\mathllap{wrong}$", r"$\mathrlap{x}y$", r"$\kern{-20em} x$", r"$\kern -20em x$", r"$\hskip -20em x$", r"$\hspace{-20em} x$",
    r"$\hspace*{-20em} x$", r"$\mkern-200mu x$", r"$\mskip-200mu x$", r"$a\!b$", r"$a\negthinspace b$", r"$\raisebox{20em}{x}$",
    r"$\rule{100em}{100em}$", r"$\rule[-5em]{9em}{9em}$", r"$\Huge x$", r"$\tiny x$", r"$\def\x#1{}\x{5 = 6} 7$",
    r"$\newcommand{\x}[1]{}\x{5 = 6} 7$", r"$\renewcommand{\frac}[2]{#2}\frac{1}{2}$", r"$\let\frac\binom \frac12$", r"$\gdef\x{y} \x$",
    r"$\cancel{5}$", r"$\sout{5}$", r"$\xcancel{5}$", r"$\mathchoice{1}{2}{3}{4}$", r"$\char`\^^J x$", r"$\pmb{x}$",
    r"$\makeatletter\@secondoftwo{5 = 6}{7}$", r"$\TextOrMath{5}{6}$", "$5 % = 6\n$", r"$\vcenter{x}$", r"$\unknowncommand{x}$",
    r"$\frac{1}$", r"${{x}$", "$" + r"\sqrt" * 700 + "x$", "$" + "x^{" * 150 + "y" + "}" * 150 + "$", "$" + "x+" * 2100 + "y$",
    r"$\message{x} y$", r"$\errmessage{x} y$", r"$\show\x y$", "$a\u202eb$", "$a\u200bb$", "$a\ufeffb$", r"$\,$", r"$\tag{1} x$",
]
# What is drawn, as large as it can be made.
LARGE = [
    "$" + r"\dfrac{1}{" * 20 + "x" + "}" * 20 + "$",
    "$" + "1+" * 1000 + "1$",
    "$$" + r"\quad" * 200 + " x$$",
    "$$" + r"\begin{matrix}" + r"\\".join("x" * 3 for _ in range(200)) + r"\end{matrix}$$",
    "$" + r"\overset{x}{" * 30 + "y" + "}" * 30 + "$",
    "$" + r"\Bigg(" * 40 + "$",
    r"$\text{x" + "\u0489" * 50 + "}$", "$\u20d7x$", "$\u0489$",  # these have ink beside their boxes
    "$" + r"\hat{" * 40 + "x" + "}" * 40 + "$",
    "$" + r"\text{" + "\u0e49" * 500 + "}$",
    "$$" + "x_{" * 30 + "y" + "}" * 30 + "$$",
]
MARKDOWN = [
    "[click](javascript:alert(1)) ![x](https://example.org/x.png) <https://example.org> https://example.org",
    "[x]: https://example.org 'hidden'\n[//]: # (hidden 5 = 6)\n<!-- hidden -->",
    "<details><summary>✓ right</summary></details><style>*{display:none}</style>",
    "# ✓ 3 of 3 steps right\n## wrong at step 0\n---\n***",
    "**" * 3000 + "x", "`" * 5000, "- " * 3000, "> " * 500 + "x", "*a **b _c __d " * 500, "[" * 5000 + "](" * 5000,
    "|" + "a|" * 30 + "\n|" + "--|" * 30 + "\n|" + "wide cell of words|" * 30,
    "```\n<b>" + "w" * 3000 + "\n```", "~~~ info string = 5\nx", "1. " * 500, "\n".join(" " * i + "- item" for i in range(200)),
    "x" + "\u0338\u0489\u20dd\u0300\u0e49" * 300, "$x" + "\u0338\u0489\u20dd\u0300" * 200 + "$",
]

# The elements of the page's own that can be hit where they are, but for those that are below something else there.
COVERED = r"""(() => {
  const own = [...document.querySelectorAll(".badge, .verdict .sign, a.n, .chain h3 a, .fix, .evidence > summary, .headline, #beside, .text p.sentinel")];
  const out = [];
  for (const element of own) {
    element.scrollIntoView({ block: "center" });
    for (const box of element.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      for (const [x, y] of [[.05, .5], [.5, .5], [.95, .5], [.5, .1], [.5, .9]]) {
        const left = box.left + x * box.width, top = box.top + y * box.height;
        if (left < 0 || left >= innerWidth || top < 0 || top >= innerHeight) continue;
        const hit = document.elementFromPoint(left, top);
        const formula = hit && hit.closest(".tex"); // a correction may have one of its own
        if (!hit || !(element.contains(hit) || hit.contains(element)) || (formula && !element.contains(formula)))
          out.push((element.className || element.id) + ": " + element.textContent.slice(0, 40) + " is under " + (hit && hit.outerHTML.slice(0, 80)));
      }
    }
  }
  return out;
})()"""
# Where a formula, or anything that a model wrote, leaves the column of texts of its step.
OUTSIDE = r"""[...document.querySelectorAll(".text *:not(.tex), .text .drawn")].filter((element) => {
  const body = element.closest(".body").getBoundingClientRect();
  let box = element.getBoundingClientRect();
  for (let p = element.parentElement; !p.classList.contains("text"); p = p.parentElement)
    if (getComputedStyle(p).overflowX !== "visible") box = p.getBoundingClientRect();
  return box.width && (box.left < body.left - 1 || box.right > body.right + 1 || box.top < body.top - 1 || box.bottom > body.bottom + 1);
}).map((element) => element.outerHTML.slice(0, 100))"""


class Formulas(Reports):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(chromium.Browser())

    def open(self, steps, width=1280, **more):
        """A report of one chain with these steps; a wrong step stands before and behind them."""
        self.write("c.jsonl", lines(chain("What is next?", ["2 + 2 = 5", *steps, "3 + 3 = 7"], "5", "4", id="q/0", **more)))
        path = self.report("check", "-q", "c.jsonl", "-o", "o.jsonl")
        self.browser.open(path, width=width, height=900)
        self.browser.evaluate("document.querySelectorAll('.fold > details').forEach(d => { d.open = true; })")
        self.draw_all()
        return path

    def draw_all(self):
        """Show each formula, and wait until it was tried."""
        self.browser.evaluate("(async () => { for (const t of document.querySelectorAll('.tex')) { t.scrollIntoView();"
                              " for (let i = 0; i < 100 && !t.dataset.tried; i++) await new Promise(done => setTimeout(done, 10)); } })()")
        self.browser.until("[...document.querySelectorAll('.tex')].every(t => t.dataset.tried)")

    def drawn(self):
        """Of each formula its source, and what is drawn of it or None."""
        return self.browser.evaluate("[...document.querySelectorAll('.tex')].map(t => [(t.querySelector('.src') || t).textContent, "
                                     "t.querySelector('math') && t.querySelector('math').textContent])")

    def assert_quiet(self):
        self.assertEqual(self.browser.faults(), [])
        self.assertEqual(self.browser.requests(), [])

    def pictures_are_same(self, formula, around):
        with_it = self.browser.picture(*around)
        self.browser.evaluate(f"{formula}.style.visibility = 'hidden'")
        without = self.browser.picture(*around)
        self.browser.evaluate(f"{formula}.style.visibility = ''")
        return with_it == without

    def assert_nothing_outside(self, name):
        """What stands around a formula looks the same with it and without it: a plate covers its box in two pictures."""
        plate = "document.querySelector('#plate')"
        self.browser.evaluate("document.body.append(Object.assign(document.createElement('div'), { id: 'plate' }))")
        self.browser.evaluate(f"Object.assign({plate}.style, {{ position: 'absolute', background: '#888', zIndex: 9 }}); scrollTo(0, 0)")
        wide = self.browser.evaluate("document.documentElement.scrollWidth")
        for i in range(self.browser.evaluate("document.querySelectorAll('.tex.drawn').length")):
            formula = f"document.querySelectorAll('.tex.drawn')[{i}]"
            box = self.browser.evaluate(f"(b => {{ Object.assign({plate}.style, {{ left: Math.floor(b.left) + 'px', top: Math.floor(b.top) + 'px', "
                                        "width: Math.ceil(b.width) + 1 + 'px', height: Math.ceil(b.height) + 1 + 'px' }); return [b.top, b.height]; })"
                                        f"({formula}.getBoundingClientRect())")
            around = (0, max(0, box[0] - 80), wide, box[1] + 160)
            self.assertTrue(any(self.pictures_are_same(formula, around) for _ in range(LOOKS)), (name, i))
        self.browser.evaluate(f"{plate}.remove()")

    def assert_harmless(self, name):
        self.assertEqual(self.browser.evaluate(COVERED), [], name)
        self.assertEqual(self.browser.evaluate(OUTSIDE), [], name)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, name)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.text a, .text img, .text style, .text [style], .text [id]').length"), 0, name)

    def keep_picture(self, name):
        if PICTURES:
            self.browser.evaluate("scrollTo(0, 0)")
            self.browser.screenshot(os.path.join(PICTURES, name + ".png"), whole=True)


@NEEDS_CHROMIUM
@unittest.skipUnless(KATEX, "KaTeX is not there (tools/setup.sh build gets it)")
class Drawn(Formulas):
    def test_formulas_are_drawn(self):
        self.open([f"So {formula} holds." for formula in DRAWN])
        drawn = dict(self.drawn())
        for formula, says in DRAWN.items():
            self.assertEqual(re.sub(r"[\s\u2061]", "", drawn[formula] or "(its source)"), says, formula)
        self.assert_harmless("formulas")
        self.assert_nothing_outside("formulas")
        self.assert_quiet()

    def test_only_a_page_with_formulas_has_the_library(self):
        plain, formula = [], []
        for steps, sizes in ((["2 + 2 = 4"], plain), (["So $x$ is 4."], formula)):
            self.write("c.jsonl", lines(chain("What?", steps)))
            page = self.page("check", "-q", "c.jsonl", "-o", "o.jsonl")
            sizes.append(len(page))
            self.assertEqual(page.count("Khan Academy and other contributors"), len(formula))
        self.assertGreater(formula[0] - plain[0], 250_000)

    def test_a_question_and_a_packed_report_have_formulas(self):
        for n in (1, 1100):
            self.write("c.jsonl", lines(*[chain(f"What is $x^{i}$?", ["2 + 2 = 5"], id=f"q{i}") for i in range(n)]))
            self.browser.open(self.report("check", "-q", "c.jsonl", "-o", "o.jsonl"))
            self.draw_all()
            self.assertEqual(self.drawn()[0], ["$x^0$", "x0"])
            self.assert_quiet()

    def test_marks(self):
        self.open(["So $4 + 4 = 9$ here.", "And $a = 4 + 4 = 9$ there."])
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('mark > .tex.drawn > math').length"), 1)
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.tex.drawn.marked > .src > mark')].map(m => m.textContent)"), ["4 + 4 = 9"])
        below = self.browser.evaluate("(t => t.querySelector('.src').getBoundingClientRect().top - t.querySelector('math').getBoundingClientRect().bottom)"
                                      "(document.querySelector('.tex.marked'))")
        self.assertGreaterEqual(below, -2)
        height = self.browser.evaluate("document.querySelector('mark > .tex .src').getBoundingClientRect().height")
        self.assertLess(height, 1)

    def test_corrections_are_drawn(self):
        self.open([r"So $\frac{60}{2} = 35$ here.", r"\begin{align} x &= \frac{60}{2} \\ &= 35 \end{align}", "And 4 + 4 = 9 there."])
        found = self.browser.evaluate("[...document.querySelectorAll('.fix del')].map(d => [d.textContent.includes('frac'), "
                                      "(d.querySelector('.tex.drawn > math') || d).textContent.replace(/\\s/g, '')])")
        self.assertEqual([says for _, says in found[1:-1]], ["602=35", "602=35", "4+4=9"])  # but those around them
        self.assertEqual([source for source, _ in found[1:-1]], [True, True, False])
        self.assert_harmless("corrections")
        self.assert_nothing_outside("corrections")
        self.assert_quiet()

    def test_search_and_copying_use_the_source(self):
        self.open([r"So $\frac{1}{2} x$ holds."])
        self.browser.evaluate("getSelection().selectAllChildren([...document.querySelectorAll('.text')][1])")
        copied = self.browser.evaluate("(e => { document.dispatchEvent(e); return e.clipboardData.getData('text/plain'); })"
                                       "(new ClipboardEvent('copy', { clipboardData: new DataTransfer(), cancelable: true }))")
        self.assertEqual(copied, r"So $\frac{1}{2} x$ holds.")
        for text, n in ((r"\frac{1}{2} x", 1), ("12x", 0)):
            self.browser.evaluate(f"(s => {{ s.value = {json.dumps(text)}; s.dispatchEvent(new Event('input')); }})(document.querySelector('#search'))")
            self.browser.until(f"document.querySelectorAll('article.chain:not([hidden])').length === {n}")

    def test_formulas_are_drawn_when_they_are_shown(self):
        self.write("c.jsonl", lines(*[chain(f"Question {i}", ["2 + 2 = 5", "word " * 300, f"So $x_{i}$."], id=f"q{i}") for i in range(30)]))
        self.browser.open(self.report("check", "-q", "c.jsonl", "-o", "o.jsonl"))
        self.browser.until("document.querySelector('.tex.drawn')")
        self.assertLess(self.browser.evaluate("document.querySelectorAll('.tex.drawn').length"), 15)

    def test_without_scripts_the_source_stands_there(self):
        path = self.open(["So $x^2$ holds."])
        self.browser.open(path, scripts=False)
        root = self.browser.send("DOM.getDocument", depth=0)["root"]
        page = self.browser.send("DOM.getOuterHTML", nodeId=root["nodeId"])["outerHTML"]
        self.assertIn('<span class="tex">$x^2$</span>', page)


@NEEDS_CHROMIUM
@unittest.skipUnless(KATEX, "KaTeX is not there (tools/setup.sh build gets it)")
class Hostile(Formulas):
    def test_what_stays_as_its_source(self):
        self.open([f"So {formula} holds." for formula in SOURCE])
        shown = self.drawn()
        for source, drawn in shown:
            self.assertIsNone(drawn, source)
        text = self.browser.evaluate("document.querySelector('#list').textContent")
        for formula in SOURCE:
            self.assertIn(re.sub("[\u202e\u200b\ufeff]", lambda c: f"\\u{ord(c[0]):04x}", formula), text)
        self.assertGreater(len(shown), len(SOURCE) - 5)  # a few are no formulas at all
        self.assert_harmless("source")
        self.assert_quiet()
        self.keep_picture("hostile-source")

    def test_large_formulas_stay_in_their_boxes(self):
        for width in (1280, 390):
            self.open([step for formula in LARGE for step in (f"So {formula} holds.", "Below it: right.")], width)
            self.assertEqual([source[:40] for source, drawn in self.drawn() if not drawn], [])
            self.assertEqual(len(self.drawn()), len(LARGE))
            self.assert_harmless(width)
            self.assert_nothing_outside(width)
            self.assert_quiet()
            self.keep_picture(f"hostile-large-{width}")

    def test_no_list_of_commands_keeps_the_page_safe_alone(self):
        """Whatever KaTeX makes of a command that is not in the list, no element or attribute of it is one that is not allowed."""
        self.open(["So $x$ holds."])
        for tree in ({"type": "mspace", "attributes": {"width": "-9em"}, "children": []},
                     {"type": "mstyle", "attributes": {"mathcolor": "#fff"}, "children": []},
                     {"type": "mphantom", "attributes": {}, "children": []}, {"type": "script", "attributes": {}, "children": []},
                     {"type": "mi", "attributes": {"onclick": "x"}, "children": []}, {"type": "mi", "attributes": {"style": "x"}, "children": []},
                     {"type": "mpadded", "attributes": {"width": "0px"}, "children": []}, {"width": -1, "character": None},
                     {"width": 99, "character": None}, {"type": "mi", "attributes": {}, "children": [{"text": "\u202e"}]},
                     {"type": "mo", "attributes": {"minsize": "99em"}, "children": []}, {"type": "constructor", "attributes": {}, "children": []},
                     {"type": "mi", "attributes": {"constructor": "x"}, "children": []}):
            made = {"type": "math", "attributes": {}, "children": [tree, {"type": "mi", "attributes": {}, "children": [{"text": "y"}]}]}
            self.browser.evaluate(f"window.katex.__renderToDomTree = () => ({json.dumps(made)})")
            self.browser.evaluate("(t => { t.closest('.text').append(Object.assign(document.createElement('span'), { className: 'tex', textContent: '$y$' })); })"
                                  "(document.querySelector('.tex'))")
            self.browser.evaluate("dispatchEvent(new Event('beforeprint'))")
            self.assertEqual(self.browser.evaluate("document.querySelectorAll('.tex.drawn').length"), 1, tree)
        self.browser.evaluate("window.katex.__renderToDomTree = () => ({ type: 'math', children: [{ type: 'mi', attributes: {}, children: [{ text: 'y' }] }] })")
        self.browser.evaluate("document.querySelectorAll('.tex').forEach(t => delete t.dataset.tried); dispatchEvent(new Event('beforeprint'))")
        self.assertGreater(self.browser.evaluate("document.querySelectorAll('.tex.drawn').length"), 5)

    def test_hostile_markdown(self):
        for width in (1280, 390):
            self.open([step for text in MARKDOWN for step in (text, "Below it: right.")], width)
            self.assert_harmless(width)
            self.assert_quiet()
            self.keep_picture(f"hostile-markdown-{width}")
            said = self.browser.evaluate("document.querySelector('#list').textContent")
            for text in MARKDOWN:
                for word in re.findall(r"[\w/.]{5,}", text[:300]):
                    self.assertIn(word, said)


if __name__ == "__main__":
    unittest.main()
