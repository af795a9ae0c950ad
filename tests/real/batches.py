# SPDX-License-Identifier: Apache-2.0
"""Files of OpenAI's Batch format, run at a real model's server."""
import os
import pathlib
import sys

from asked import CHAINS, SECONDS, Asked
from evidence import Claims, read_lines, replies_kept
from support import chain, lines, rederive

sys.path.insert(0, str(pathlib.Path(os.environ["RDV_SOURCE"]) / "tests/fake"))
import batch_runner

WAITING = 6
ROUNDS_MOST = 8  # three, and one for each time that a reply could not be read
THIRD = chain(id="sum", question="What is 20 + 30?", answer="50", gold="50", steps=["20 + 30 = 50, so the answer is 50."])


class Batches(Asked, Claims):
    def test_selfcheck_in_rounds(self):
        """The records rest on the replies, are played again from them, and nothing is asked twice."""
        out, source = self.path("out.jsonl"), self.write("chains.jsonl", CHAINS + lines(THIRD))
        server = self.wire.url.split("/v1#")[0]
        command = ("check", "-m", "selfcheck", "--samples", "1", "--prompt-dir", self.prompts, source)
        for number in range(ROUNDS_MOST):
            before = set(pathlib.Path(self.folder).glob("requests-*"))
            ended = rederive(*command, "-M", self.wire.url, "-o", out, "--batch-out", self.path("requests.jsonl"), seconds=SECONDS)
            if ended.status != WAITING:
                break
            files = sorted(set(pathlib.Path(self.folder).glob("requests-*")) - before)
            made = batch_runner.run(server, files, jobs=2)
            imported = rederive("journal", "import", "--batch", out + ".journal", self.write("results.jsonl", lines(*made)))
            self.assert_ended(imported, 0)
            self.assertIn(f"{len(made)} replies added, 0 already present", imported.err)
        self.assert_ended(ended, 0)
        self.assertGreaterEqual(number, 2)  # three if a reply can be used by the next stage
        records, rows = read_lines(out), replies_kept(out + ".journal")
        self.assertEqual([record["id"] for record in records], ["pens", "times", "sum"])
        for record in records:
            self.assertEqual(record["checker"], "smollm2")
            self.assert_claims(record, rows)
        self.assert_replies_are_written(rows, self.exchanges())
        self.assert_plays_again(command, out, out + ".journal", "smollm2")
