# SPDX-License-Identifier: Apache-2.0
"""What measurements with the real model of tests/real share: its server, a folder that keeps what was
made, the built-in model's file with weights that lose nothing, intervals."""
import array
import json
import math
import os
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("RDV_SOURCE", str(ROOT))
sys.path[:0] = [str(ROOT / "tests/real"), str(ROOT / "train")]
import gguf  # noqa: E402
from lm import Reader  # noqa: E402
from measured_work import lines_of, write_lines  # noqa: E402
from served import Model  # noqa: E402

BUILTIN = ROOT / "models/rederive.gguf"
RESAMPLES = 10000


class Work:
    """A folder of journals and records: what is there is not made again."""

    def __init__(self, args):
        self.args = args
        self.folder = Path(args.work)
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, name):
        return self.folder / name

    def rederive(self, *arguments, stdin=None, program=None, faults=False):
        """What it said. Exit statuses above 1 end the measurement, unless faults may be."""
        done = subprocess.run([program or self.args.program, *map(str, arguments)], input=stdin, text=True,
                              capture_output=True, check=False)
        if done.returncode not in (0, 1) and not faults:
            sys.exit(f"rederive {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
        return done

    def kept(self, name, make):
        """What make() returned, as JSON in the file of that name."""
        path = self.path(name)
        if not path.exists():
            began = time.time()
            path.write_text(json.dumps(make()), encoding="utf-8")
            print(f"{time.time() - began:6.1f} s {name}", file=sys.stderr, flush=True)
        return json.loads(path.read_text(encoding="utf-8"))

    def replies(self, journal):
        return [json.loads(line) for line in self.rederive("journal", "export", journal).stdout.splitlines()]

    def without(self, *names):
        """Their paths, with no file there."""
        for name in names:
            for path in self.folder.glob(name + "*"):
                path.unlink()
        return [self.path(name) for name in names]


class Served:
    """A model that is served while the block lasts."""

    def __init__(self, work, name, *options):
        self.model = Model(work.path(f"{name}.log"), *options)
        self.name = name

    def __enter__(self):
        self.model.start()
        try:
            self.model.wait()
        except RuntimeError:
            self.model.kill()
            raise
        return self

    def __exit__(self, *_):
        self.model.kill()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.model.port}/v1#{self.name}"


def exact_copy(work):
    """The built-in model's file with all weights as f32: the same numbers."""
    out = work.path("builtin-f32.gguf")
    if not out.exists():
        reader = Reader(BUILTIN)
        metadata = {key: gguf.U64Value(value) if isinstance(value, int) and value >= 1 << 32 else value
                    for key, value in reader.metadata.items()} | {"general.file_type": 0}
        tensors = []
        for name, rows in reader.tensors.items():
            shape = (len(rows[0]),) if name.endswith("norm.weight") else (len(rows), len(rows[0]))
            data = b"".join(array.array("f", row).tobytes() for row in rows)
            tensors.append((name, shape, "f32", data))
        out.write_bytes(gguf.container(metadata, tensors))
    return out


# ---- figures --------------------------------------------------------------------------------------

def wilson(k, n):
    """A share of n things with Wilson's 95 % interval."""
    if not n:
        return "-"
    z, p = 1.96, k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return f"{k} of {n}: {100 * p:.0f} % ({max(0, 100 * (middle - half)):.0f} to {100 * (middle + half):.0f})"


def bootstrap(values, seed=1):
    """The mean in percent with its 95 % interval, over things drawn with replacement."""
    rng, n = random.Random(seed), len(values)
    means = sorted(sum(rng.choices(values, k=n)) / n for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return f"{100 * sum(values) / n:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def print_table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("|" + " --- |" * len(heads))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print(flush=True)
