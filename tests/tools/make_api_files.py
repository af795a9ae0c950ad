# SPDX-License-Identifier: Apache-2.0
"""Write the files of tests/golden/tool-files that people get from the clients of APIs, from traces and from data sets.

The tools are the real ones (openai, anthropic, opentelemetry-sdk, datasets); what they say is ours: a small server on this
machine answers the clients. Run it to make the files anew:

    python3 tests/tools/make_api_files.py tests/golden/tool-files

A step is wrong exactly where it contains a text of WRONG; tests/integration/tool_files.py relies on this."""
import base64
import http.server
import itertools
import json
import os
import sys
import threading

BAKERY = "A baker fills 24 trays with 17 rolls each and keeps 58 rolls. How many rolls are left?"
TRAIN = "A train runs 65 km/h for 3 hours and 80 km/h for 2 hours. How far does it get?"
WRONG = ["17 * 24 = 398", "160 + 195 = 365"]

GOOD = ["Step 1: All the rolls: 17 * 24 = 408.\nStep 2: Without those she keeps: 408 - 58 = 350.\nThe answer is 350.",
        "Step 1: The first part is 65 * 3 = 195 km.\nStep 2: The second part is 80 * 2 = 160 km.\nStep 3: Together 160 + 195 = 355 km.\nThe answer is 355."]
BAD = [GOOD[0].replace("408", "398").replace("350", "340"), GOOD[1].replace("355", "365")]
THOUGHT = "Let me see. 24 * 17 is 408, I think: 20 * 17 = 340 and 4 * 17 = 68."
QUESTIONS = [BAKERY, TRAIN]
GOLD = ["350", "355"]
SYSTEM = "Answer step by step."
TIME = 1760000000


# ---- a server that knows the questions -----------------------------------------------------------


def chat_message(text, style):
    if style == "reasoning_content":  # as DeepSeek, vLLM and llama.cpp reply
        return {"role": "assistant", "content": text, "reasoning_content": THOUGHT}
    if style == "think":
        return {"role": "assistant", "content": f"<think>\n{THOUGHT}\n</think>\n\n{text}"}
    return {"role": "assistant", "content": text, "refusal": None}


def chat_completion(body):
    i = QUESTIONS.index(body["messages"][-1]["content"])
    texts = [BAD[i], GOOD[i]][:body.get("n", 1)]
    return {"id": f"chatcmpl-{i}", "object": "chat.completion", "created": TIME, "model": body["model"],
            "choices": [{"index": k, "message": chat_message(text, body["model"]), "finish_reason": "stop", "logprobs": None}
                        for k, text in enumerate(texts)],
            "usage": {"prompt_tokens": 30, "completion_tokens": 40, "total_tokens": 70}}


def response(body):
    i = QUESTIONS.index(body["input"])
    return {"id": f"resp_{i}", "object": "response", "created_at": TIME, "status": "completed", "error": None,
            "incomplete_details": None, "instructions": body.get("instructions"), "metadata": {}, "model": body["model"],
            "output": [{"type": "reasoning", "id": f"rs_{i}", "summary": [{"type": "summary_text", "text": THOUGHT}]},
                       {"type": "message", "id": f"msg_{i}", "role": "assistant", "status": "completed",
                        "content": [{"type": "output_text", "text": BAD[i], "annotations": []}]}],
            "parallel_tool_calls": True, "temperature": 1.0, "tool_choice": "auto", "tools": [], "top_p": 1.0}


def anthropic_message(i):
    return {"id": f"msg_{i}", "type": "message", "role": "assistant", "model": "made-up",
            "content": [{"type": "thinking", "thinking": THOUGHT, "signature": "c2lnbmVk"}, {"type": "text", "text": BAD[i]}],
            "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 30, "output_tokens": 40}}


def batch_results():
    yield {"custom_id": "bakery", "result": {"type": "succeeded", "message": anthropic_message(0)}}
    yield {"custom_id": "train", "result": {"type": "errored", "error": {"type": "error", "error": {
        "type": "overloaded_error", "message": "Overloaded"}}}}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def reply(self, text):
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/chat/completions"):
            self.reply(json.dumps(chat_completion(body)))
        elif self.path.endswith("/responses"):
            self.reply(json.dumps(response(body)))
        else:
            self.reply(json.dumps(anthropic_message(QUESTIONS.index(body["messages"][-1]["content"]))))

    def do_GET(self):
        if self.path.endswith("/results"):
            self.reply("".join(json.dumps(r) + "\n" for r in batch_results()))
        else:
            here = f"http://127.0.0.1:{self.server.server_port}"
            self.reply(json.dumps({
                "id": "msgbatch_1", "type": "message_batch", "processing_status": "ended",
                "request_counts": {"processing": 0, "succeeded": 1, "errored": 1, "canceled": 0, "expired": 0},
                "created_at": "2025-10-09T08:53:20Z", "expires_at": "2025-10-10T08:53:20Z",
                "results_url": f"{here}/v1/messages/batches/msgbatch_1/results"}))


# ---- files ---------------------------------------------------------------------------------------


class Folder:
    def __init__(self, path):
        self.path = path

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as file:
            file.write(text)

    def lines(self, name, texts):
        self.write(name, "".join(text + "\n" for text in texts))


def asked(question, system=False):
    return [{"role": "system", "content": SYSTEM}] * system + [{"role": "user", "content": question}]


def openai_files(folder, base):
    import openai
    client = openai.OpenAI(base_url=base + "/v1", api_key="none")

    def create(question, model="made-up", **more):
        return client.chat.completions.create(model=model, messages=asked(question, True), **more)

    both = [create(q, n=2) for q in QUESTIONS]
    folder.lines("openai-chat.jsonl", [c.model_dump_json() for c in both])
    folder.write("openai-chat-array.json", json.dumps([c.model_dump() for c in both], indent=2))
    folder.write("openai-chat-pretty.json", "\n".join(c.to_json() for c in both) + "\n")
    folder.lines("openai-pairs.jsonl", [json.dumps(
        {"request": {"model": "made-up", "messages": asked(q, True)}, "response": create(q).model_dump()}) for q in QUESTIONS])
    folder.lines("reasoning-content.jsonl", [create(q, "reasoning_content").model_dump_json() for q in QUESTIONS])
    folder.lines("think-tags.jsonl", [create(q, "think").model_dump_json() for q in QUESTIONS])
    folder.lines("openai-responses.jsonl", [
        client.responses.create(model="made-up", input=q, instructions=SYSTEM).model_dump_json() for q in QUESTIONS])
    names = ["bakery", "train"]
    folder.lines("openai-batch-requests.jsonl", [json.dumps(
        {"custom_id": name, "method": "POST", "url": "/v1/chat/completions",
         "body": {"model": "made-up", "messages": asked(q, True)}}) for name, q in zip(names, QUESTIONS)])
    # The Batch API's own server writes this file; its documentation gives the members around the response.
    results = [{"id": f"batch_req_{k}", "custom_id": name, "error": None, "response": {
        "status_code": 200, "request_id": f"req_{k}", "body": create(q).model_dump()}}
        for k, (name, q) in enumerate(zip(names, QUESTIONS))]
    results.append({"id": "batch_req_2", "custom_id": "late", "response": None, "error": {
        "code": "batch_expired", "message": "This request could not be executed before the completion window expired."}})
    folder.lines("openai-batch-output.jsonl", [json.dumps(r) for r in results])


def anthropic_files(folder, base):
    import anthropic
    client = anthropic.Anthropic(base_url=base, api_key="none")
    replies = [client.messages.create(model="made-up", max_tokens=1000, messages=asked(q)) for q in QUESTIONS]
    folder.lines("anthropic-messages.jsonl", [r.to_json(indent=None) for r in replies])
    folder.lines("anthropic-pairs.jsonl", [json.dumps(
        {"request": {"model": "made-up", "system": SYSTEM, "messages": asked(q)}, "response": r.model_dump()})
        for q, r in zip(QUESTIONS, replies)])
    folder.lines("anthropic-batch.jsonl", [r.to_json(indent=None) for r in client.messages.batches.results("msgbatch_1")])


def data_files(folder):
    import datasets
    datasets.disable_progress_bars()

    def save(name, rows):
        datasets.Dataset.from_list(rows).to_json(os.path.join(folder.path, name))

    both = list(zip(QUESTIONS, BAD, GOOD, GOLD))
    save("messages.jsonl", [{"messages": asked(q, True) + [{"role": "assistant", "content": bad}]} for q, bad, _, _ in both])
    save("sharegpt.jsonl", [{"conversations": [{"from": "human", "value": q}, {"from": "gpt", "value": bad}]}
                            for q, bad, _, _ in both])
    save("prompt-completion.jsonl", [{"prompt": q, "completion": bad} for q, bad, _, _ in both])
    save("conversational.jsonl", [{"prompt": asked(q), "completion": [{"role": "assistant", "content": bad}]}
                                  for q, bad, _, _ in both])
    save("alpaca.jsonl", [{"instruction": "Solve the problem step by step.", "input": q, "output": bad} for q, bad, _, _ in both])
    save("generations.jsonl", [{"problem": q, "answer": gold, "generations": [bad, good]} for q, bad, good, gold in both])
    save("verl.jsonl", [{"data_source": "ours", "prompt": asked(q), "reward_model": {"style": "rule", "ground_truth": gold},
                         "response": bad} for q, bad, _, gold in both])
    save("trl-stepwise.jsonl", [
        {"prompt": q, "completions": (steps := bad.split("\n")), "labels": [not any(w in s for w in WRONG) for s in steps]}
        for q, bad, _, _ in both])


def trace_file(folder):
    """A line as the collector's file exporter writes it; the attributes as the conventions of generative AI name them."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace import IdGenerator, TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    class Counted(IdGenerator):
        numbers = itertools.count(1)

        def generate_span_id(self):
            return next(self.numbers)

        def generate_trace_id(self):
            return next(self.numbers)

    kept = InMemorySpanExporter()
    provider = TracerProvider(id_generator=Counted())
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracer = provider.get_tracer("made-up")
    for i, question in enumerate(QUESTIONS):
        outer = tracer.start_span("GET /solve", start_time=TIME * 10**9)
        span = tracer.start_span("chat made-up", start_time=TIME * 10**9, attributes={
            "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "made-up",
            "gen_ai.response.model": "made-up-1",
            "gen_ai.system_instructions": json.dumps([{"type": "text", "content": SYSTEM}]),
            "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": question}]}]),
            "gen_ai.output.messages": json.dumps([{"role": "assistant", "finish_reason": "stop", "parts": [
                {"type": "reasoning", "content": THOUGHT}, {"type": "text", "content": BAD[i]}]}])})
        span.end(end_time=(TIME + 1) * 10**9)
        outer.end(end_time=(TIME + 1) * 10**9)
    line = MessageToDict(encode_spans(kept.get_finished_spans()))
    for span in (s for r in line["resourceSpans"] for c in r["scopeSpans"] for s in c["spans"]):
        for name in {"traceId", "spanId", "parentSpanId"} & set(span):  # OTLP writes ids as hexadecimal digits, protobuf does not
            span[name] = base64.b64decode(span[name]).hex()
    for resource in line["resourceSpans"]:  # the versions of the SDK and the process are of no interest
        resource["resource"] = {"attributes": [{"key": "service.name", "value": {"stringValue": "made-up"}}]}
    folder.write("otel-genai.jsonl", json.dumps(line) + "\n")


def main():
    folder = Folder(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    openai_files(folder, base)
    anthropic_files(folder, base)
    data_files(folder)
    trace_file(folder)
    server.shutdown()


if __name__ == "__main__":
    main()
