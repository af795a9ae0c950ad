# SPDX-License-Identifier: Apache-2.0
"""Write the files of tests/golden/tool-files that people get from streams of APIs and from tools that watch applications.

The tools are the real ones: openai 3.57.0 and anthropic 2.12.0 (whose streams are saved as they come), langsmith 0.15.1,
arize-phoenix 20.26.1 with openinference-instrumentation-openai 0.1.66 (its server runs, and is asked by its API and its
client), langfuse 5.0.4 (the types of its API; its server is not run). Weave's calls are written by their documented schema,
as its server cannot be run. What the model says is ours, as in make_api_files.py. Run it to make the files anew:

    python3 tests/tools/make_trace_files.py tests/golden/tool-files
"""
import datetime
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid

import make_api_files as api

PORT = 6017


def pieces(text):
    return [text[i:i + 7] for i in range(0, len(text), 7)]


# ---- streams -------------------------------------------------------------------------------------


def event(data, name=True):
    return (f"event: {data['type']}\n" if name else "") + f"data: {json.dumps(data)}\n\n"


def chat_stream(body):
    i = api.QUESTIONS.index(body["messages"][-1]["content"])
    base = {"id": f"chatcmpl-{i}", "object": "chat.completion.chunk", "created": api.TIME, "model": body["model"]}
    deltas = [{"role": "assistant", "content": ""}] + [{"content": piece} for piece in pieces(api.BAD[i])]
    for delta in deltas:
        yield event({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}, name=False)
    yield event({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, name=False)
    yield "data: [DONE]\n\n"


def response_stream(body):
    i = api.QUESTIONS.index(body["input"])
    whole = api.response(body)
    yield event({"type": "response.created", "sequence_number": 0, "response": {**whole, "status": "in_progress", "output": []}})
    for n, piece in enumerate(pieces(api.THOUGHT)):
        yield event({"type": "response.reasoning_summary_text.delta", "item_id": f"rs_{i}", "output_index": 0, "summary_index": 0,
                     "delta": piece, "sequence_number": n})
    for n, piece in enumerate(pieces(api.BAD[i])):
        yield event({"type": "response.output_text.delta", "item_id": f"msg_{i}", "output_index": 1, "content_index": 0,
                     "delta": piece, "logprobs": [], "sequence_number": n})
    yield event({"type": "response.completed", "sequence_number": 99, "response": whole})


def message_stream(body):
    i = api.QUESTIONS.index(body["messages"][-1]["content"])
    yield event({"type": "message_start", "message": {**api.anthropic_message(i), "content": [], "stop_reason": None}})
    for index, (kind, text) in enumerate((("thinking", api.THOUGHT), ("text", api.BAD[i]))):
        yield event({"type": "content_block_start", "index": index, "content_block": {"type": kind, kind: ""}})
        for piece in pieces(text):
            yield event({"type": "content_block_delta", "index": index, "delta": {"type": f"{kind}_delta", kind: piece}})
        yield event({"type": "content_block_stop", "index": index})
    yield event({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 40}})
    yield event({"type": "message_stop"})


class Handler(api.Handler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        streams = {"/v1/chat/completions": chat_stream, "/v1/responses": response_stream, "/v1/messages": message_stream}
        if not body.get("stream"):
            self.reply(json.dumps(api.chat_completion(body)))
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for text in streams[self.path.split("?")[0]](body):
            self.wfile.write(text.encode())


def stream_files(folder, base):
    import anthropic
    import openai
    client = openai.OpenAI(base_url=base + "/v1", api_key="none").with_streaming_response
    other = anthropic.Anthropic(base_url=base, api_key="none").with_streaming_response
    made = {"stream-chat.txt": lambda q: client.chat.completions.create(model="made-up", messages=api.asked(q, True), stream=True),
            "stream-responses.txt": lambda q: client.responses.create(model="made-up", input=q, stream=True),
            "stream-messages.txt": lambda q: other.messages.create(model="made-up", max_tokens=1000, messages=api.asked(q), stream=True)}
    for name, create in made.items():
        text = ""
        for question in api.QUESTIONS:
            with create(question) as reply:
                text += "".join(reply.iter_text())
        folder.write(name, text)


# ---- LangSmith -----------------------------------------------------------------------------------


class LangSmith(http.server.BaseHTTPRequestHandler):
    """What its server keeps of runs."""
    runs = {}

    def log_message(self, *_):
        pass

    def answer(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def take(self):
        data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.runs.setdefault(data.get("id") or self.path.rsplit("/", 1)[1], {}).update(data)
        self.answer()

    do_POST = do_PATCH = take
    do_GET = answer


def langsmith_file(folder, base):
    os.environ["LANGSMITH_TRACING"] = "true"
    import langsmith
    import openai
    from langsmith.schemas import Run
    from langsmith.wrappers import wrap_openai
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), LangSmith)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = langsmith.Client(api_url=f"http://127.0.0.1:{server.server_port}", api_key="none", auto_batch_tracing=False)
    model = wrap_openai(openai.OpenAI(base_url=base + "/v1", api_key="none"), tracing_extra={"client": client})

    @langsmith.traceable(client=client)
    def solve(question):
        return model.chat.completions.create(model="made-up", messages=api.asked(question, True)).choices[0].message.content

    for question in api.QUESTIONS:
        solve(question)
    client.flush()
    time.sleep(1)
    runs = []
    for run in LangSmith.runs.values():
        run.update(session_id=str(uuid.UUID(int=1)), extra={})
        runs.append(Run(**run).model_dump_json())
    folder.lines("langsmith-runs.jsonl", runs)
    server.shutdown()


# ---- Phoenix -------------------------------------------------------------------------------------


def phoenix_files(folder, base):
    import openai
    from openinference.instrumentation.openai import OpenAIInstrumentor
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    here = f"http://127.0.0.1:{PORT}"
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen([os.path.join(os.path.dirname(sys.executable), "phoenix"), "serve"],
                                  env={**os.environ, "PHOENIX_WORKING_DIR": data, "PHOENIX_PORT": str(PORT),
                                       "PHOENIX_GRPC_PORT": str(PORT + 1), "PHOENIX_TELEMETRY_ENABLED": "false"},
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(60):
                time.sleep(1)
                try:
                    urllib.request.urlopen(here + "/healthz").close()
                    break
                except OSError:
                    pass
            provider = TracerProvider()
            provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(here + "/v1/traces")))
            OpenAIInstrumentor().instrument(tracer_provider=provider)
            client = openai.OpenAI(base_url=base + "/v1", api_key="none")
            for question in api.QUESTIONS:
                attributes = {"openinference.span.kind": "CHAIN", "input.value": question}
                with provider.get_tracer("made-up").start_as_current_span("solve", attributes=attributes):
                    client.chat.completions.create(model="made-up", messages=api.asked(question, True))
            time.sleep(5)
            from phoenix.client import Client
            folder.write("phoenix-spans.json", urllib.request.urlopen(here + "/v1/projects/default/spans").read().decode())
            frame = Client(base_url=here).spans.get_spans_dataframe(project_identifier="default")
            folder.write("phoenix-frame.jsonl", frame.reset_index(drop=True).to_json(orient="records", lines=True))
        finally:
            server.terminate()
            server.wait()


# ---- by their schemas ----------------------------------------------------------------------------


def langfuse_file(folder):
    from langfuse.api import ObservationV2
    begun = datetime.datetime.fromtimestamp(api.TIME, datetime.timezone.utc)
    data = []
    for i, question in enumerate(api.QUESTIONS):
        shared = {"trace_id": f"trace-{i}", "start_time": begun, "project_id": "made-up"}
        data.append(ObservationV2(id=f"span-{i}", type="SPAN", name="solve", input=question, output=api.BAD[i], **shared))
        data.append(ObservationV2(id=f"generation-{i}", type="GENERATION", name="chat", parent_observation_id=f"span-{i}",
                                  model="made-up", input=api.asked(question, True),
                                  output={"role": "assistant", "content": api.BAD[i]}, **shared))
    folder.write("langfuse-observations.json", json.dumps({"data": [json.loads(o.json()) for o in data], "meta": {}}, indent=1))


def weave_file(folder):
    """https://docs.wandb.ai/weave/reference/service-api: the calls of calls/stream_query, a line each."""
    calls = []
    for i, question in enumerate(api.QUESTIONS):
        body = {"model": "made-up", "messages": api.asked(question, True)}
        shared = {"project_id": "made-up/rolls", "trace_id": f"trace-{i}", "started_at": "2025-10-09T08:53:20Z",
                  "ended_at": "2025-10-09T08:53:21Z", "attributes": {}, "exception": None, "summary": {}}
        calls.append({"id": f"call-{i}", "op_name": "weave:///made-up/rolls/op/solve:v1", "parent_id": None,
                      "inputs": {"question": question}, "output": api.BAD[i], **shared})
        calls.append({"id": f"call-{i}-chat", "op_name": "weave:///made-up/rolls/op/openai.chat.completions.create:v1",
                      "parent_id": f"call-{i}", "inputs": body, "output": api.chat_completion(body), **shared})
    folder.lines("weave-calls.jsonl", [json.dumps(call) for call in calls])


def main():
    folder = api.Folder(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    for make in (stream_files, langsmith_file, phoenix_files):
        make(folder, base)
    langfuse_file(folder)
    weave_file(folder)
    server.shutdown()


if __name__ == "__main__":
    main()
