# SPDX-License-Identifier: Apache-2.0
"""Replies of a model's server that have all that a protocol can say: reasoning, a text, a call of a tool, usage, and a
member that no client knows."""
from verifying import CHAT, MESSAGES, data, events, typed, whole

THOUGHT, ODD = "hm, a sum", {"tier": "gold"}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at":5}'}}
USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


def full(path, text):
    """The whole reply."""
    if path == CHAT:
        body = whole(path, text, "tool_calls", reasoning_content=THOUGHT, tool_calls=[CALL])
        return body | {"usage": USAGE, "odd": ODD}
    body = whole(path, text)
    if path == MESSAGES:
        body["content"][0]["thinking"] = THOUGHT
        body["content"].append({"type": "tool_use", "id": "call_1", "name": "look", "input": {"at": 5}})
        return body | {"stop_reason": "tool_use", "usage": {"input_tokens": 11, "output_tokens": 7}, "odd": ODD}
    body["output"][0]["summary"] = [{"type": "summary_text", "text": THOUGHT}]
    body["output"].append({"type": "function_call", "id": "f", "call_id": "call_1", "name": "look", "arguments": '{"at":5}',
                           "status": "completed"})
    body["usage"] |= {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}
    return body | {"odd": ODD}


def full_events(path, text):
    """The same as a stream."""
    if path == CHAT:
        plain = events(path, text)
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 5, "model": "m"}
        of = lambda delta, end=None, **more: data({**chunk, "choices": [  # noqa: E731
            {"index": 0, "delta": delta, "finish_reason": end}], **more})
        return [of({"role": "assistant", "reasoning_content": THOUGHT}, odd=ODD), *plain[1:-2],
                of({"tool_calls": [{"index": 0, **CALL}]}), of({}, "tool_calls"), data({**chunk, "choices": [], "usage": USAGE}), plain[-1]]
    body, plain = full(path, text), events(path, text)
    if path == MESSAGES:
        of = lambda kind, **more: typed({"type": "content_block_" + kind, **more})  # noqa: E731
        return [typed({"type": "message_start", "message": {**body, "content": [], "stop_reason": None, "odd": ODD}}),
                of("start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""}),
                of("delta", index=0, delta={"type": "thinking_delta", "thinking": THOUGHT}),
                of("delta", index=0, delta={"type": "signature_delta", "signature": "EqQB"}), *plain[4:-2],
                of("start", index=2, content_block={"type": "tool_use", "id": "call_1", "name": "look", "input": {}}),
                of("delta", index=2, delta={"type": "input_json_delta", "partial_json": '{"at":5}'}), of("stop", index=2),
                typed({"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": 7}}),
                plain[-1]]
    numbered = [plain[0], typed({"type": "response.output_item.added", "output_index": 0, "item": {**body["output"][0], "summary": []}}),
                typed({"type": "response.output_item.done", "output_index": 0, "item": body["output"][0]}), *plain[1:-1],
                typed({"type": "response.output_item.added", "output_index": 2, "item": {**body["output"][2], "arguments": ""}}),
                typed({"type": "response.function_call_arguments.delta", "item_id": "f", "output_index": 2, "delta": '{"at":5}'}),
                typed({"type": "response.function_call_arguments.done", "item_id": "f", "output_index": 2, "name": "look",
                       "arguments": '{"at":5}'}),
                typed({"type": "response.output_item.done", "output_index": 2, "item": body["output"][2]}),
                typed({"type": "response.completed", "response": body})]
    return [event.replace('data: {', f'data: {{"sequence_number": {i}, ', 1) for i, event in enumerate(numbered)]
