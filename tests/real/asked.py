# SPDX-License-Identifier: Apache-2.0
"""What the tests with a real model share: one server, what passes to and from it, and questions."""
import os
import shutil
import tempfile

from served import Model, Recorder, short_prompts
from support import Case, chain, lines, rederive

SECONDS = 150  # for one command, on a slow machine that others use as well
CHAINS = lines(
    chain(id="pens", question="Tom has 3 boxes with 4 pens each. He gives 5 pens away. "
          "How many pens are left?", answer="7", gold="7",
          steps=["3 boxes with 4 pens each are 3 * 4 = 12 pens.",
                 "Tom gives 5 away, so 12 - 5 = 7 are left."]),
    chain(id="times", question="What is 6 times 7?", answer="44", gold="42",
          steps=["6 * 7 = 44. So the answer is 44."]))
QUESTIONS = lines(
    {"question_id": "sum", "question": "What is 2 + 3?", "gold": "5"},
    {"question_id": "apples", "question": "Ann has 4 apples and eats 1. How many are left?",
     "gold": "3"})


def ask_methods():
    """The methods that ask a model, by the program's own list."""
    listed = rederive("methods")
    if listed.status != 0:
        raise AssertionError(listed.err)
    names = [line.split()[0] for line in listed.out.splitlines() if line.strip()]
    source = lines(chain())
    tried = {name: rederive("check", "--dry-run", "-m", name, stdin=source) for name in names}
    # perplexity asks for scores, which an estimate does not count.
    return [name for name, ended in tried.items()
            if name == "perplexity" or "no method here asks a model" not in ended.err]


class Shared:
    """The one server of the whole run: it takes seconds to load."""

    model = wire = prompts = None

    @classmethod
    def start(cls, folder):
        cls.model = Model(os.path.join(folder, "server.log"))
        cls.model.start()
        cls.model.wait()
        cls.wire = Recorder(cls.model)
        cls.prompts = tempfile.mkdtemp(prefix="prompts-", dir=folder)
        short_prompts(cls.prompts)

    @classmethod
    def stop(cls):
        if cls.model:
            cls.model.kill()
        if cls.prompts:
            shutil.rmtree(cls.prompts)


class Asked(Case):
    """A test that asks the shared server."""

    def setUp(self):
        super().setUp()
        self.model, self.wire, self.prompts = Shared.model, Shared.wire, Shared.prompts
        if not self.model.answers():
            self.model.kill()
            self.model.start()
            self.model.wait()
        self.wire.forget()
        self.addCleanup(self.count_calls)

    def count_calls(self):
        self.calls = len(self.wire.asked())

    def exchanges(self):
        """What the model was asked last and wrote then, so far in this test."""
        return [(e.asked, text) for e in self.wire.asked() for text in e.written]

    def written(self):
        return [text for _, text in self.exchanges()]
