# SPDX-License-Identifier: Apache-2.0
"""Files for `vllm run-batch`: each line is one that vLLM's models of pydantic take, and its results are read.

The schemas are written after BatchRequestInput, ChatCompletionRequest and BatchRequestOutput of
vllm/entrypoints/openai (run_batch.py, chat_completion/protocol.py, November 2026): the members that have a type
there. vLLM passes over a member that it does not know, and a setting that is passed over would change what is
asked: so no other members are allowed here."""
import json
import unittest

from batch import CHAINS, NOT_SENT, WAITING, Batch, batch_runner
from jsonschema import Draft202012Validator
from scripted import SELFCHECK, Server
from support import rederive

NUMBER, TEXT, BOOLEAN = {"type": "number"}, {"type": "string"}, {"type": "boolean"}
BODY = {
    "type": "object",
    "properties": {
        "model": TEXT,
        "messages": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["role", "content"], "additionalProperties": False,
            "properties": {"role": {"enum": ["system", "user", "assistant"]}, "content": TEXT}}},
        "max_tokens": {"type": "integer", "minimum": 1}, "max_completion_tokens": {"type": "integer", "minimum": 1},
        "temperature": {"type": "number", "minimum": 0},
        "top_p": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "top_k": {"type": "integer", "minimum": -1}, "min_p": {"type": "number", "minimum": 0, "maximum": 1},
        "n": {"const": 1}, "seed": {"type": "integer"}, "stop": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "logprobs": BOOLEAN, "top_logprobs": {"type": "integer", "minimum": 0, "maximum": 20},
        "prompt_logprobs": {"type": "integer", "minimum": 0},
        "response_format": {
            "type": "object", "required": ["type", "json_schema"], "additionalProperties": False,
            "properties": {"type": {"const": "json_schema"}, "json_schema": {
                "type": "object", "required": ["name", "schema"], "additionalProperties": False,
                "properties": {"name": TEXT, "schema": {"type": "object"}, "strict": BOOLEAN}}}},
        "structured_outputs": {"type": "object", "additionalProperties": False, "minProperties": 1, "maxProperties": 1,
                               "properties": {"choice": {"type": "array", "items": TEXT}, "regex": TEXT, "grammar": TEXT,
                                              "json": {"type": "object"}}},
        "add_generation_prompt": BOOLEAN, "continue_final_message": BOOLEAN, "add_special_tokens": BOOLEAN,
        "include_stop_str_in_output": BOOLEAN, "skip_special_tokens": BOOLEAN,
        "grammar": TEXT,  # llama.cpp's; vLLM passes over it, and reads the member that must be beside it
    },
    "required": ["model", "messages"],
    "additionalProperties": False,
    "dependentRequired": {"grammar": ["structured_outputs"]},
    # The checks of vLLM's validators between members.
    "allOf": [
        {"if": {"properties": {"continue_final_message": {"const": True}}, "required": ["continue_final_message"]},
         "then": {"properties": {"add_generation_prompt": {"const": False}}, "required": ["add_generation_prompt"]}},
        {"if": {"required": ["top_logprobs"]}, "then": {"properties": {"logprobs": {"const": True}}, "required": ["logprobs"]}}],
}
REQUEST = {
    "type": "object",
    "properties": {"custom_id": {"type": "string", "minLength": 1, "maxLength": 64}, "method": {"const": "POST"},
                   "url": {"const": "/v1/chat/completions"}, "body": BODY},
    "required": ["custom_id", "method", "url", "body"],
    "additionalProperties": False,
}
METHODS = ("selfcheck", "global", "general", "relevance", "math", "consistency", "perplexity", "direct-trace", "direct-step",
           "cot-step", "prm:chat-plus-minus", "prm:generative-critic")


def of_vllm(result, number):
    """The line that vLLM writes for a reply: every member of its model, with null for what it lacks."""
    body = result["response"]["body"]
    for choice in body["choices"]:
        message = choice["message"]
        choice.update(message={"role": message["role"], "content": message["content"], "refusal": None, "annotations": None,
                               "audio": None, "function_call": None, "reasoning": None},
                      logprobs=choice.get("logprobs"), stop_reason=None, token_ids=None)
    whole = {**body, "service_tier": None, "system_fingerprint": None, "prompt_logprobs": body.get("prompt_logprobs"),
             "prompt_token_ids": None, "kv_transfer_params": None}
    return {"id": f"vllm-{number}", "custom_id": result["custom_id"], "error": None,
            "response": {"status_code": 200, "request_id": f"vllm-batch-{number}", "body": whole}}


class Vllm(Batch):
    def test_every_method_writes_what_vllm_takes(self):
        check, lines = Draft202012Validator(REQUEST), 0
        for method in METHODS:
            for more in ((), ("--structured",)):
                with self.subTest(method=method, more=more):
                    name = f"{method.replace(':', '-')}{len(more)}"
                    ended = rederive("check", "-q", "-m", method, "-M", NOT_SENT, *more, "--batch-server", "vllm",
                                     "--batch-out", self.path(f"{name}.jsonl"), "--out", self.path(f"{name}.out"), stdin=CHAINS)
                    self.assert_ended(ended, WAITING)
                    with open(self.path(f"{name}-001.jsonl"), encoding="utf-8") as file:
                        for line in file:
                            lines += 1
                            for error in check.iter_errors(json.loads(line)):
                                self.fail(f"{error.json_path}: {error.message[:300]}")
        self.assertGreater(lines, 2 * 8 * len(METHODS))

    def test_results_as_vllm_writes_them(self):
        """All members are there; what failed has a response without a body, and a text or an object as its error."""
        command = ("check", "-m", "selfcheck", self.path("chains.jsonl"))
        failures = [{"error": "Request must not be sent in stream mode"},
                    {"error": {"error": {"message": "out of cheese", "type": "BadRequestError", "param": None, "code": 400}}}]

        def results(made, number):
            written = [of_vllm(result, f"{number}-{i}") for i, result in enumerate(made)]
            for result, failure in zip(written, failures if number == 0 else []):
                result.update(failure, response={"status_code": 500, "request_id": "vllm-batch-x", "body": None})
            return written

        with Server(rules=SELFCHECK, server="vllm") as server:
            self.run_rounds(server, *command, "-M", server.url, "--batch-server", "vllm", results=results, import_status=None)
            direct, _ = self.directly(server, *command)
        self.assertEqual(self.read("out.jsonl"), direct)

    def test_the_reason_of_a_failure(self):
        command = ("check", "-m", "global", "-M", NOT_SENT, self.path("chains.jsonl"), "--batch-server", "vllm")
        self.round(*command, status=WAITING)
        names = [request["custom_id"] for path in self.files for request in batch_runner.requests_of(path)]
        told = {"error": "the prompt is too long"}, {"error": {"error": {"message": "the prompt is too long", "code": 400}}}, \
            {"error": {"object": "error", "message": "the prompt is too long", "code": 400}}
        ended = self.import_results([{"id": f"vllm-{i}", "custom_id": name, **failure,
                                      "response": {"status_code": 400, "request_id": "x", "body": None}}
                                     for i, (name, failure) in enumerate(zip(names, told))])
        self.assertEqual(ended.err.count("the prompt is too long"), 3, ended.err)


if __name__ == "__main__":
    unittest.main()
