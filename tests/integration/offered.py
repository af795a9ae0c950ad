# SPDX-License-Identifier: Apache-2.0
"""Structure first: what a run asks of a server that holds replies to a form, and of one that does
not, refuses it, or does not keep to it. The keys of a journal are the same for all."""
import json
import os
import pathlib
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

CHAIN = lines(chain(steps=["2 + 3 = 5", "So the answer is 5"]))
FREE = {"reply": "The sum is right.\nCorrect"}
HELD = json.dumps({"reasoning": "The sum is right.", "answer": "Correct"})
SURVEY = {"path": "/v1/chat/completions", "contains": "Say OK."}


def refused(message, status=400):
    return {"status": status, "body": {"error": {"message": message, "type": "invalid_request_error"}}}


class Offered(Case):
    def check(self, server, *args, method="single-stage"):
        return rederive("check", "-m", method, "-M", server.url, *args, stdin=CHAIN)

    def verdicts(self, ended):
        return [v["verdict"] for v in ended.records[0]["verdicts"]]

    def forms(self, server):
        """Of the requests for a result, whether each wanted a form."""
        return ["response_format" in r["body"] or "grammar" in r["body"] for r in server.requests()]

    def test_a_server_that_takes_it_is_asked_in_one_call(self):
        with Server(rules=[FREE], differences=["schema"]) as server:
            ended = self.check(server)
            self.assert_ended(ended, 0)
            self.assertEqual(self.forms(server), [True, True])
            schema = server.requests()[0]["body"]["response_format"]["json_schema"]["schema"]
        self.assertEqual(self.verdicts(ended), ["support"] * 2)
        self.assertEqual(schema["required"], ["reasoning", "answer"])  # the free text, then the word
        self.assertEqual(schema["properties"]["reasoning"], {"type": "string"})
        self.assertIn("holds replies of one word or number to a JSON schema", ended.err)

    def test_nobody_is_asked_who_passes_it_over(self):
        with Server(rules=[FREE]) as server:
            ended = self.check(server)
            self.assertEqual(self.forms(server), [False, False])
        self.assertEqual(self.verdicts(ended), ["support"] * 2)
        self.assertNotIn("schema", ended.err)  # it was only offered

    def test_never_where_it_is_not_wanted(self):
        for args in (["--no-structured"], ["--profile", "paper"]):
            with self.subTest(args), Server(rules=[FREE], differences=["schema"]) as server:
                self.assert_ended(self.check(server, *args), 0)
                self.assertEqual(self.forms(server), [False, False])
                self.assertEqual([r for r in server.surveys() if "messages" in r["body"]], [])

    def test_not_both(self):
        with Server(rules=[FREE]) as server:
            ended = self.check(server, "--structured", "--no-structured")
        self.assertEqual(ended.status, 2)
        self.assertIn("--no-structured", ended.err)

    def test_a_server_that_refuses_it_at_first(self):
        """What is refused at the survey is not asked again."""
        refuses = refused("response_format is not supported by this model")
        rules = [SURVEY | refuses | {"times": 1}, FREE]
        with Server(rules=rules) as server:
            ended = self.check(server)
            self.assertEqual(self.forms(server), [False, False])
        self.assertEqual(self.verdicts(ended), ["support"] * 2)

    def test_a_server_that_refuses_it_later(self):
        """With a word about it for the rest of the run; without one for that call alone."""
        at = {"path": "/v1/chat/completions", "contains": "2 + 3 = 5", "times": 1}
        for message, status, forms in (("response_format: unsupported", 400, [True, False, False]),
                                       ("something is wrong", 400, [True, False, True]),
                                       ("something is wrong", 422, [True, False, True]),
                                       ("something is wrong", 500, [True, False, True])):
            rules = [at | refused(message, status), FREE]
            with self.subTest((message, status)), Server(rules=rules, differences=["schema"]) as server:
                ended = self.check(server, "-j", "1")
                self.assertEqual(sorted(self.forms(server)), sorted(forms))
            self.assert_ended(ended, 0)
            self.assertEqual(self.verdicts(ended), ["support"] * 2)

    def test_what_is_refused_in_every_form_fails(self):
        rules = [{"path": "/v1/chat/completions", "contains": "2 + 3 = 5"} | refused("no"), FREE]
        with Server(rules=rules, differences=["schema"]) as server:
            ended = self.check(server)
        self.assertEqual(set(self.verdicts(ended)), {"unknown"})

    def test_a_reply_that_does_not_keep_to_it(self):
        """Free text is read like any other; JSON of another form is unknown; neither supports by default."""
        for reply, verdict in (("The sum is right.\nCorrect", "support"),
                               ("The sum is not right.\nWrong", "contradict"),
                               ("I like sums.", "unknown"),
                               ('{"reasoning":"Correct","answer":"perhaps"}', "unknown"),
                               ('{"reasoning":"Correct"}', "unknown"),
                               ('{"answer":"Wrong","answer":"Correct"}', "unknown"),
                               ('[{"answer":"Correct"}]', "unknown"),
                               ('{"reasoning":"The step is correct', "unknown")):
            survey = SURVEY | {"reply": '{"answer":"Reykjavik"}', "times": 1}
            with self.subTest(reply), Server(rules=[survey, {"reply": reply}]) as server:
                ended = self.check(server)
                self.assertTrue(all(self.forms(server)))
            self.assertEqual(set(self.verdicts(ended)), {verdict})

    def test_a_choice_where_there_is_no_schema(self):
        """llama.cpp's form here holds replies to a grammar, and passes a schema over."""
        with Server(server="llama.cpp", rules=[{"reply": "Well, Yes it is."}]) as server:
            ended = self.check(server, method="direct-step")
            forms = ["grammar" in r["body"] for r in server.requests()]
        self.assertEqual(forms, [True, True])
        self.assertEqual(self.verdicts(ended), ["support"] * 2)

    def test_a_bare_yes_or_no_has_a_third_word(self):
        """A model that is held to the list and cannot tell need not say yes; the word is read as nothing."""
        for reply, verdict in (("Yes", "support"), ("No", "contradict"), ("Unclear", "unknown")):
            held = json.dumps({"answer": reply})
            with self.subTest(reply), Server(rules=[{"reply": held}], differences=["schema"]) as server:
                ended = self.check(server, method="direct-step-0shot")
                schemas = [r["body"]["response_format"]["json_schema"]["schema"] for r in server.requests()]
            self.assertEqual(schemas[0]["properties"]["answer"]["enum"], ["Yes", "No", "Unclear"])
            self.assertEqual(self.verdicts(ended)[0], verdict)
        with Server(rules=[FREE], differences=["schema"]) as server:  # a prompt with a third word of its own has no other
            self.check(server)
            schema = server.requests()[0]["body"]["response_format"]["json_schema"]["schema"]
        self.assertEqual(schema["properties"]["answer"]["enum"], ["Correct", "Wrong", "Not Sure"])

    def test_one_journal_serves_all(self):
        """What was asked does not depend on the server; what was used stands with the reply."""
        for first, then in ((["schema"], []), ([], ["schema"])):
            journal = self.path("-".join(first) + "j")
            with Server(rules=[FREE], differences=first) as server:
                before = self.check(server, "--journal", journal)
            for differences in (first, then):
                with Server(rules=[FREE], differences=differences) as server:
                    for args in ([], ["--no-structured"]):
                        ended = self.check(server, "--journal", journal, *args)
                        self.assertEqual(server.lines(), [])
                        self.assertEqual(ended.records, before.records)
            told = {r["response"].get("adaptations") for r in rederive("journal", "export", journal).records}
            self.assertEqual(told, {"taken out of the JSON that was asked for" if first else None})

    def test_prompts_of_the_users_are_left_as_they_are(self):
        folder = pathlib.Path(self.path("own"))
        folder.mkdir()
        text = (pathlib.Path(os.environ["RDV_SOURCE"]) / "prompts/single-stage.md").read_text()
        (folder / "single-stage.md").write_text(text.replace("correct", "right", 1))
        with Server(rules=[FREE], differences=["schema"]) as server:
            self.assert_ended(self.check(server, "--prompt-dir", folder), 0)
            self.assertEqual(self.forms(server), [False, False])


if __name__ == "__main__":
    unittest.main()
