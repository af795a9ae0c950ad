# SPDX-License-Identifier: Apache-2.0
"""Is a real server kept busy? A run's wall time beside a plain client that sends the very same
requests with as many in flight, and how many of the server's slots work meanwhile."""
import json
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

from real_work import ROOT, Served, print_table, lines_of, write_lines
from served import SLOTS, Recorder, short_prompts

CLIENT = Path(__file__).with_name("real_client.py")
CHAINS = 16
EVERY = 0.1  # seconds between two looks at the slots
# Both do the same work each time: a given text is scored; a reply is written at temperature 0.
METHODS = ("perplexity", "direct-trace")


class Slots:
    """How many slots work, looked at while the block lasts."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/slots"
        self.seen = []
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.look)

    def look(self):
        while not self.ends.wait(EVERY):
            with urllib.request.urlopen(self.url) as reply:
                self.seen.append(sum(slot["is_processing"] for slot in json.load(reply)))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()

    def mean(self):
        """From the first look at which one worked to the last: a program's start is not counted."""
        at = [i for i, n in enumerate(self.seen) if n]
        return statistics.mean(self.seen[at[0]:at[-1] + 1]) if at else 0


def check(work, method, url, prompts):
    journal, out = work.without("busy.journal", "busy.jsonl")
    work.rederive("check", "-q", "-m", method, "-j", SLOTS, "--prompt-dir", prompts, "-M", url, "--journal", journal,
                  "-o", out, work.path("busy-chains.jsonl"))


def requests_of(work, method, model, prompts):
    """All that a run sent, its questions about what the server can do among them."""
    recorder = Recorder(model)
    check(work, method, recorder.url, prompts)
    sent = [{"path": e.path, "body": e.body} for e in recorder.exchanges if e.body]
    write_lines(work.path("busy-requests.jsonl"), sent)
    return sum(e["path"] != "/tokenize" for e in sent)


def timed(work, run):
    with Slots(work.port) as slots:
        began = time.monotonic()
        said = run()
        seconds = time.monotonic() - began
    return [said or seconds, slots.mean()]


def plain(work):
    """The client's own seconds, from its first request to its last reply: not those that Python takes to start."""
    done = subprocess.run([work.args.client, CLIENT, f"http://127.0.0.1:{work.port}", str(SLOTS),
                           work.path("busy-requests.jsonl")], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"the plain client failed: {done.stderr}")
    return float(done.stdout)


def measure(work, method):
    prompts = work.path("busy-prompts")
    short_prompts(prompts)
    write_lines(work.path("busy-chains.jsonl"), lines_of(ROOT / "examples/chains.jsonl")[:CHAINS])
    with Served(work, "smollm2") as served:
        work.port = served.model.port
        sent = requests_of(work, method, served.model, prompts)
        pairs = []
        for i in range(work.args.pairs):
            runs = [lambda: timed(work, lambda: check(work, method, served.url, prompts)),
                    lambda: timed(work, lambda: plain(work))]
            if i % 2:  # whichever comes second is not always the same one
                pairs.append([runs[1](), runs[0]()][::-1])
            else:
                pairs.append([run() for run in runs])
    return {"sent": sent, "pairs": pairs}


def busy(work):
    if not work.args.client:
        sys.exit("real_measured.py: --part busy needs --client, a Python that has httpx")
    print("## Server utilisation\n")
    rows = []
    for method in METHODS:
        found = work.kept(f"busy-{method}.json", lambda: measure(work, method))
        ours, theirs = zip(*found["pairs"])
        seconds = [statistics.median(s for s, _ in runs) for runs in (ours, theirs)]
        ratios = sorted(a[0] / b[0] for a, b in found["pairs"])
        rows.append([method, found["sent"], len(ours), f"{seconds[0] / seconds[1]:.3f}",
                     f"{ratios[0]:.3f} to {ratios[-1]:.3f}"] +
                    [f"{statistics.mean(m for _, m in runs):.2f}" for runs in (ours, theirs)])
    print_table(["method", "requests", "pairs of runs", "ratio of medians", "ratios of the pairs",
                 f"slots of {SLOTS} in use", "the same, plain client"], rows)
