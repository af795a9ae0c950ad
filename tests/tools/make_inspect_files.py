#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make tests/golden/tool-files/inspect.*: logs that inspect_ai itself writes, offline, from questions and answers of
our own.

    make_inspect_files.py OUT [--samples N]

Needs inspect_ai (0.3.285 made the files that are committed). Its mockllm model gives the answers below, one an epoch;
its scorer compares them with the targets. --samples writes one .eval log of N samples instead, for bench/inspect.py.
"""
import argparse
import glob
import os
import shutil
import sys
import tempfile

from inspect_ai import Epochs, Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentReasoning, ContentText, ModelOutput, ModelUsage
from inspect_ai.model import get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

EPOCHS = 3
BAKERY = "A baker fills 24 trays with 17 rolls each. She keeps 58 rolls and packs the rest in bags of 7. How many bags?"
TANK = "A tank holds 150 litres and 12 % of it leaks. How many litres are left?"
TICKETS = "Tickets cost 9 euros each. What do 14 tickets and a programme for 5 euros cost?"

# By the question, the answer of each epoch; None: the model fails.
ANSWERS = {
    BAKERY: [
        "First, all the rolls: 24 × 17 = 408.\n\nWithout hers: 408 - 58 = 350.\n\nThe bags: 350 / 7 = 50.\n\nANSWER: 50",
        "First, all the rolls: 24 × 17 = 398.\n\nWithout hers: 398 - 58 = 340.\n\nThat fills 48 bags.\n\nANSWER: 48",
        "The rolls: 24 × 17 = 408.\n\nWithout hers: 408 - 58 = 350.\n\nThe bags: 350 / 7 = 50.\n\nANSWER: 50"],
    TANK: [
        "12 % of 150 is 18.\n\n150 - 18 = 132\n\nANSWER: 132",
        None,
        "0.12 * 150 = 18\n\n150 - 18 = 142\n\nANSWER: 142"],
    TICKETS: [
        [ContentReasoning(reasoning="14 * 9 = 126, and the programme is 5 more."),
         ContentText(text="14 * 9 = 126\n\n126 + 5 = 131\n\nANSWER: 131")],
        "14 * 9 = 116\n\n116 + 5 = 121\n\nANSWER: 121",
        "14 * 9 = 126\n\n126 + 5 = 131\n\nANSWER: 131"],
}


class Mock:
    """The answers in turn, whatever is asked in between."""

    def __init__(self):
        self.asked = {}

    def __call__(self, messages, tools, tool_choice, config):
        question = messages[-1].text
        epoch = self.asked.get(question, 0)
        self.asked[question] = epoch + 1
        answers = ANSWERS.get(question) or ANSWERS[BAKERY]
        answer = answers[epoch % EPOCHS]
        if answer is None:
            raise RuntimeError("the model's server hung up")
        output = ModelOutput.from_content("mockllm/model", answer)
        output.usage = ModelUsage(input_tokens=20, output_tokens=40, total_tokens=60)
        return output


def samples(n):
    if n:
        return [Sample(id=i, input=f"{BAKERY} ({i})", target="50") for i in range(n)]
    return [
        Sample(id="bakery", input=BAKERY, target="50"),
        Sample(id="tank", input=[ChatMessageSystem(content="Answer in steps."), ChatMessageUser(content=TANK)],
               target=["132", "132 litres"]),
        Sample(id=3, input=TICKETS, target="131", metadata={"level": 2})]


def make(form, n):
    """The name of the log."""
    task = Task(name="arithmetic", dataset=samples(n), solver=generate(), scorer=match(numeric=True),
                epochs=Epochs(1 if n else EPOCHS), fail_on_error=False)
    evaluate(task, model=get_model("mockllm/model", custom_outputs=Mock()), log_format=form, log_dir=".",
             display="none", max_connections=1, max_samples=1, log_model_api=False, score_display=False)
    return glob.glob("*." + form)[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--samples", type=int, default=0)
    options = parser.parse_args()
    out = os.path.abspath(options.out)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # so that the log says nothing about where it was made
        for form in ["eval"] if options.samples else ["json", "eval"]:
            shutil.copyfile(make(form, options.samples), os.path.join(out, "inspect." + form))
    return 0


if __name__ == "__main__":
    sys.exit(main())
