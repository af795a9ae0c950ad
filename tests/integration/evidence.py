# SPDX-License-Identifier: Apache-2.0
"""What a check may claim: only what stands in a reply that was kept, whole and read.

These hold with any model and any server, so they ask nothing of what a reply says.
"""
import json
import re

from support import rederive

SHORTENED = "…"
DERIVED = ("before the first mistake", "after the first mistake")


def replies_kept(journal):
    """The rows of a journal."""
    ended = rederive("journal", "export", journal)
    if ended.status != 0:
        raise AssertionError(f"journal export: {ended.err}")
    return ended.records


def plain(text):
    """As evidence quotes it: on one line, and without what marks that it was shortened."""
    return " ".join(text.split()).removesuffix(SHORTENED).strip()


def strings_in(value):
    """Every text in a piece of evidence that quotes a reply; `op` and the id of a rule are our own words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in ("outcome", "op", "value", "rule"):
                yield from strings_in(item)


def is_of_replies(text, rows):
    """Whether a text stands in one of the replies, whatever its white space."""
    wanted = plain(text).replace(" ", "")
    return any(wanted in "".join(row["response"].get("content", "").split()) for row in rows)


def words(text):
    """Its words alone, each behind a blank."""
    return " ".join(["", *re.findall(r"[^\W_]+", text), ""])


class Claims:
    """Mixed into a test: what every record that was checked by asking has to fulfil."""

    def assert_claims(self, record, rows):
        """`rows` are those of the journal that the record was made with."""
        mine = [row for row in rows if row["sample_id"].startswith(f"chain {record['id']},")
                or row["sample_id"] == f"chain {record['id']}"]
        checks = {record["method"]: record} | record.get("checks", {})
        for method, check in checks.items():
            if method == "calculations":
                continue
            # A step of `general` is unknown as soon as one of its conditions is; what was read of
            # others stands in its parts, and counts.
            part_read = method == "general" and any(
                part["confidence"] is not None for name, part in checks.items() if name != "general")
            self.assert_check(check, mine, f"{record['id']}, {method}", part_read)

    def assert_check(self, check, rows, where, part_read):
        verdicts = check["verdicts"]
        for verdict in verdicts:
            self.assert_verdict(verdict, verdicts, rows, f"{where}, step {verdict['step']}")
        if all(verdict["verdict"] == "unknown" for verdict in verdicts):
            if not part_read:
                self.assertIsNone(check["confidence"], f"{where}: confidence, and nothing was read")
            self.assertEqual(check["first_error"], "unknown" if verdicts else None,
                             f"{where}: a mistake or none, and nothing was read")
        if not part_read and not any(self.is_read(verdict) for verdict in verdicts):
            self.assertIsNone(check["confidence"], f"{where}: confidence, and nothing was read")

    @staticmethod
    def is_read(verdict):
        """Whether a verdict was read from a reply, and not given or unknown."""
        return verdict["verdict"] != "unknown" and ("evidence" in verdict or
                                                    verdict.get("explanation", "").startswith("reward "))

    def assert_verdict(self, verdict, verdicts, rows, where):
        if verdict["verdict"] == "unknown":
            self.assertIsNone(verdict["score"], where)
            self.assertTrue(verdict.get("explanation"), f"{where}: unknown, and no reason is given")
            return
        if verdict.get("explanation") in DERIVED or "evidence" not in verdict:
            # Follows from another verdict of the chain, or its evidence are numbers.
            self.assertTrue(rows, f"{where}: {verdict}, and nothing was answered")
            self.assertTrue(any(self.is_read(v) for v in verdicts),
                            f"{where}: {verdict}, and nothing was read")
            return
        quoted = [text for text in strings_in(verdict["evidence"]) if plain(text)]
        whole = [row for row in rows if row["response"].get("finish_reason") == "stop"]
        self.assertTrue(quoted or self.has_numbers(verdict["evidence"]) or
                        (self.has_lists(verdict["evidence"]) and whole),
                        f"{where}: {verdict['verdict']} without a word of a reply: {verdict}")
        for text in quoted:
            self.assertTrue(is_of_replies(text, rows), f"{where}: in no reply: {text!r}")
        self.assertTrue(all(is_of_replies(text, whole) for text in quoted),
                        f"{where}: read from a reply that was cut off: {quoted}")

    @staticmethod
    def has_numbers(evidence):
        """Log-probabilities are evidence without words, and so are the scores of the verifiers that
        `general` combines: each has a check of its own, whose evidence is looked at there."""
        values = evidence.values() if isinstance(evidence, dict) else []
        numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
        return bool(numbers) and all(v is None or v in numbers for v in values)

    @staticmethod
    def has_lists(evidence):
        """Lists of calculations: one may be empty, and is satisfied then (docs/general.md)."""
        samples = evidence.get("samples", []) if isinstance(evidence, dict) else []
        return any("calculations" in sample for sample in samples)

    def assert_steps_are_of_replies(self, chain, written):
        """Each step was written by the model: it is no piece of what the model was given.

        By its words, since a step is without the Markdown around its mark: "**Step 1: Add** Two and
        two" is the step "Add Two and two".
        """
        for step in chain["steps"]:
            self.assertTrue(any(words(step) in words(text) for text in written),
                            f"no reply has this step: {step!r}")

    def assert_replies_are_written(self, rows, exchanges):
        """What is kept as a reply is what the model wrote, without the prefix it was given.

        An exchange is (what the request ended with, what the model wrote after it), and stands for
        one reply: a model may write the same twice, but what it was given is no reply.
        """
        left = list(exchanges)
        for row in sorted(rows, key=lambda row: -len(row["response"].get("content", ""))):
            if row["operation"] not in ("chat", "continue"):
                continue
            text, asked = row["response"].get("content", ""), self.end_of_request(row)
            found = [one for one in left if one[0].endswith(asked) and text in one[1]]
            self.assertTrue(found, f"{row['sample_id']}: the model did not write {text!r}; it wrote "
                            f"{[one[1] for one in left if one[0].endswith(asked)]}")
            left.remove(min(found, key=lambda one: len(one[1])))

    @staticmethod
    def end_of_request(row):
        """The last words that the model was given: a turn's, or a text's."""
        messages = row["request"].get("messages")
        return messages[-1]["content"] if messages else row["request"].get("prompt", "")

    def assert_plays_again(self, command, out, journal, model, status=0):
        """The journal alone gives the same bytes and the same status."""
        again = rederive(*command, "-q", "-M", f"transcript:{journal}#{model}", "-o",
                         out + ".again")
        self.assertEqual(again.status, status, again.err[-2000:])
        with open(out, "rb") as first, open(out + ".again", "rb") as second:
            self.assertEqual(first.read(), second.read())


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
