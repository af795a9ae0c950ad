# SPDX-License-Identifier: Apache-2.0
"""Checked chains and votes in a notebook, looked at in a browser. RDV_SOURCE is set; the package is installed."""
import copy
import os
import pathlib
import pickle
import re
import sys
import tempfile
import unittest

import rederive

SOURCE = pathlib.Path(os.environ["RDV_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/integration"))
from chromium import PROGRAM, Browser  # noqa: E402

CHAIN = {"id": "q/0", "question": "What is 12 boxes of 48?", "gold": "576",
         "steps": ["12 × 48 = 586.", "The answer is 586."]}
HOSTILE = "<script>window.hit=1</script><img src=x onerror='window.hit=1'>\" id=\"x\" href=\"#x\u202e</div></style>"
PAGE = ('<!doctype html><html data-ready="yes"><meta charset="utf-8"><body %s><p id="before">before</p><table><tr><td id="cell">1</td></tr></table>'
        '<button id="button">a</button>%s<p id="after">after</p></body></html>')


class Html(unittest.TestCase):

    def test_a_chain_and_a_vote(self):
        record = rederive.check(CHAIN)
        html = record._repr_html_()
        self.assertIn("<mark>12 × 48 = 586</mark>", html)
        self.assertIn("<ins>576</ins>", html)
        self.assertNotIn("<script", html)
        self.assertNotRegex(html, r"https?://|url\(|@import")
        [result] = rederive.vote([record])
        self.assertIn("The vote: ", result._repr_html_())
        together = rederive.show([record, result])._repr_html_()
        self.assertEqual(together.count("<h2 class=\"ask\">"), 1)

    def test_records_are_dicts(self):
        record = rederive.check(CHAIN)
        self.assertEqual((type(copy.copy(record)), pickle.loads(pickle.dumps(record))), (type(record), record))
        self.assertEqual(record, dict(record))

    def test_what_is_no_chain_is_shown_as_a_dict(self):
        [failed] = rederive.check([{"question": 7}], errors="keep")
        self.assertIsNone(failed._repr_html_())
        with self.assertRaises(rederive.Error):
            rederive.show({"a": 1})._repr_html_()

    def test_anchors_of_two_outputs_differ(self):
        record = rederive.check(CHAIN)
        found = [set(re.findall(r' id="([^"]*)"', record._repr_html_())) for _ in range(2)]
        self.assertTrue(found[0])
        self.assertEqual(found[0] & found[1], set())
        html = record._repr_html_()
        for target in re.findall(r'href="#([^"]*)"', html):
            self.assertIn(f' id="{target}"', html)

    def test_every_rule_is_for_the_element_alone(self):
        sheet = re.sub(r"@media[^{]*\{", "", rederive.display.style())
        for selectors in re.findall(r"(?:^|\})\s*([^{}]+)\{", sheet):
            for one in selectors.split(","):
                self.assertIn(".rederive", one)


@unittest.skipUnless(PROGRAM, "chromium is not installed")
class InABrowser(unittest.TestCase):

    def look(self, body, html, script, dark=False):
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            page = pathlib.Path(folder) / "page.html"
            page.write_text(PAGE % (body, html), encoding="utf-8")
            browser.open(page, theme="dark" if dark else "light")
            return browser.evaluate(script)

    def test_hostile_text_stays_text(self):
        chain = {**CHAIN, "id": HOSTILE, "question": HOSTILE, "steps": [HOSTILE, "12 × 48 = 586 " + HOSTILE]}
        html = rederive.check(chain)._repr_html_()
        self.assertEqual(self.look("", html, "[window.hit || 0, document.querySelectorAll('script,img').length, "
                                             "document.querySelectorAll('#after').length]"), [0, 0, 1])

    def test_the_page_around_it_keeps_its_look(self):
        script = ("JSON.stringify(['before', 'after', 'cell', 'button'].map(id => {"
                  "const s = getComputedStyle(document.getElementById(id));"
                  "return [s.color, s.font, s.margin, s.padding, s.background, s.border, s.boxSizing]}))")
        html = rederive.check(CHAIN)._repr_html_()
        self.assertEqual(self.look("", html, script), self.look("", "", script))

    def test_dark_and_light(self):
        script = "getComputedStyle(document.querySelector('.rederive')).backgroundColor"
        html = rederive.check(CHAIN)._repr_html_()
        light, dark = "rgb(246, 247, 249)", "rgb(16, 19, 24)"
        for body, system, wanted in (("", False, light), ("", True, dark), ('data-jp-theme-light="true"', True, light),
                                     ('data-jp-theme-light="false"', False, dark), ('class="vscode-dark"', False, dark),
                                     ('class="vscode-light"', True, light)):
            self.assertEqual(self.look(body, html, script, system), wanted, (body, system))


if __name__ == "__main__":
    unittest.main()
