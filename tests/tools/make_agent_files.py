# SPDX-License-Identifier: Apache-2.0
"""Write the files of tests/golden/tool-files that coding agents and promptfoo keep.

The tools are the real ones: @anthropic-ai/claude-code 2.1.197, @openai/codex 0.171.0 and promptfoo 0.121.20, from npm; what
the model says is ours: a small server on this machine answers them. Of what they keep, the texts that are theirs (prompts,
lists of skills) and the names of this machine are left out. Run it to make the files anew, with the folder in whose
node_modules the tools are:

    python3 tests/tools/make_agent_files.py tests/golden/tool-files FOLDER
"""
import glob
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import make_api_files as api
from make_trace_files import event, pieces

LOOKS = "I look at the notes first: 24 trays and 17 rolls."
COMMAND = "echo '2 + 2 = 5'"  # neither a tool's input nor its output is a claim of the model


def message_events(body):
    done = any(part.get("type") == "tool_result" for message in body["messages"] if isinstance(message["content"], list)
               for part in message["content"])
    message = {**api.anthropic_message(0), "model": body["model"], "content": [], "stop_reason": None}
    yield event({"type": "message_start", "message": message})
    yield event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
    for piece in pieces(api.BAD[0] if done else LOOKS):
        yield event({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}})
    yield event({"type": "content_block_stop", "index": 0})
    if not done:
        call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
        given = json.dumps({"command": COMMAND, "description": "Show that 3 + 3 = 7"})
        yield event({"type": "content_block_start", "index": 1, "content_block": call})
        yield event({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": given}})
        yield event({"type": "content_block_stop", "index": 1})
    yield event({"type": "message_delta", "delta": {"stop_reason": "end_turn" if done else "tool_use", "stop_sequence": None},
                 "usage": {"output_tokens": 20}})
    yield event({"type": "message_stop"})


def response_events(body):
    done = any(item.get("type") == "function_call_output" for item in body["input"])
    said = {"type": "message", "id": "msg_0", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": api.BAD[0] if done else LOOKS, "annotations": []}]}
    call = {"type": "function_call", "id": "fc_0", "call_id": "call_0", "name": "exec_command", "status": "completed",
            "arguments": json.dumps({"cmd": COMMAND})}
    items = [said] if done else [said, call]
    base = {"id": "resp_0", "object": "response", "model": body["model"]}
    yield event({"type": "response.created", "response": {**base, "status": "in_progress", "output": []}})
    for index, item in enumerate(items):
        yield event({"type": "response.output_item.added", "output_index": index, "item": item})
        yield event({"type": "response.output_item.done", "output_index": index, "item": item})
    usage = {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}
    yield event({"type": "response.completed", "response": {**base, "status": "completed", "output": items, "usage": usage}})


class Handler(api.Handler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "{}")
        if body.get("stream"):
            text = "".join((message_events if "messages" in body else response_events)(body))
            kind = "text/event-stream"
        else:
            text, kind = json.dumps({**api.anthropic_message(0), "content": [{"type": "text", "text": "Rolls"}]}), "application/json"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


# ---- what is kept --------------------------------------------------------------------------------

OURS = (*api.QUESTIONS, *api.BAD, LOOKS, COMMAND, "2 + 2 = 5", "Show that 3 + 3 = 7")


def reduced(value):
    """Without long texts that are not ours."""
    if isinstance(value, dict):
        return {k: reduced(v) for k, v in value.items()}
    if isinstance(value, list):
        return [reduced(v) for v in value]
    if isinstance(value, str) and len(value) > 60 and not any(ours in value for ours in OURS):
        return value[:20] + "..."
    return value


def reduced_lines(text, folder):
    for line in text.splitlines():
        yield json.dumps(reduced(json.loads(line.replace(folder, "/home/ann"))))


def run(command, folder, **environment):
    return subprocess.run(command, cwd=folder, env={**os.environ, "HOME": folder, **environment}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120, check=False).stdout


def agent_files(out, tools, base):
    with tempfile.TemporaryDirectory() as folder:
        printed = run([tools / "claude", "-p", api.BAKERY, "--allowedTools", "Bash", "--output-format", "stream-json", "--verbose"], folder,
                      ANTHROPIC_BASE_URL=base, ANTHROPIC_API_KEY="none", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1")
        [kept] = glob.glob(folder + "/.claude/projects/*/*.jsonl")
        out.lines("claude-code-transcript.jsonl", reduced_lines(Path(kept).read_text(), folder))
        out.lines("claude-code-stream.jsonl", reduced_lines(printed, folder))
        os.mkdir(folder + "/.codex")
        Path(folder, ".codex/config.toml").write_text(
            'model = "made-up"\nmodel_provider = "local"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
            f'[model_providers.local]\nname = "local"\nbase_url = "{base}/v1"\nwire_api = "responses"\n')
        printed = run([tools / "codex", "exec", "--json", "--skip-git-repo-check", api.BAKERY], folder)
        [kept] = glob.glob(folder + "/.codex/sessions/*/*/*/*.jsonl")
        out.lines("codex-rollout.jsonl", reduced_lines(Path(kept).read_text(), folder))
        out.lines("codex-exec.jsonl", reduced_lines(printed, folder))


def promptfoo_files(out, tools):
    said = {question: bad for question, bad in zip(api.QUESTIONS, api.BAD)}
    tests = [{"vars": {"question": question}, "assert": [{"type": "contains", "value": gold}]}
             for question, gold in zip(api.QUESTIONS, api.GOLD)] + [{"vars": {"question": "Fail."}}]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.js").write_text(
            f"const said = {json.dumps(said)};\nmodule.exports = class {{ id() {{ return 'made-up'; }}\n"
            "async callApi(prompt) { return said[prompt] ? { output: said[prompt] } : { error: 'the server hung up' }; } };\n")
        Path(folder, "config.json").write_text(json.dumps({"prompts": ["{{question}}"], "providers": ["file://model.js"], "tests": tests}))
        for name in ("promptfoo-results.json", "promptfoo-rows.jsonl"):
            run([tools / "promptfoo", "eval", "-c", "config.json", "-o", name, "--no-cache", "--no-table"], folder,
                PROMPTFOO_DISABLE_TELEMETRY="1", PROMPTFOO_DISABLE_UPDATE="1", PROMPTFOO_CONFIG_DIR=folder)
            text = Path(folder, name).read_text().replace(folder, "/home/ann")
            if name.endswith("l"):
                out.lines(name, [json.dumps(reduced(json.loads(line))) for line in text.splitlines()])
            else:
                out.write(name, json.dumps(reduced(json.loads(text)), indent=2) + "\n")


def main():
    out, tools = api.Folder(sys.argv[1]), Path(sys.argv[2], "node_modules/.bin").resolve()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    agent_files(out, tools, f"http://127.0.0.1:{server.server_port}")
    promptfoo_files(out, tools)
    server.shutdown()


if __name__ == "__main__":
    main()
