# SPDX-License-Identifier: Apache-2.0
"""The ways in which the official clients ask and read. Each gives what it finds in a reply: a dict with the members text,
reasoning, tool, usage, end, odd and verdict; what the client drops is missing or None."""
import asyncio
import json

import anthropic
import litellm
import openai
from verifying import CHAT, MESSAGES, RESPONSES

TURNS = [{"role": "user", "content": "How many?"}]


def extra(it, name):
    """A member that the client does not know."""
    if isinstance(it, dict):
        return it.get(name)
    return getattr(it, name, None)


# ---- chat completions ----------------------------------------------------------------------------------

def of_chat(reply):
    message = reply.choices[0].message
    call = message.tool_calls and message.tool_calls[0].function
    return {"text": message.content, "reasoning": extra(message, "reasoning_content"), "tool": call and (call.name, call.arguments),
            "usage": reply.usage and reply.usage.completion_tokens, "end": reply.choices[0].finish_reason,
            "odd": extra(reply, "odd"), "verdict": extra(reply, "rederive")}


def of_chat_chunks(chunks):
    found = dict.fromkeys(("text", "reasoning"), "") | dict.fromkeys(("tool", "usage", "end", "odd", "verdict"))
    for chunk in chunks:
        found["odd"] = found["odd"] or extra(chunk, "odd")
        found["verdict"] = found["verdict"] or extra(chunk, "rederive")
        found["usage"] = chunk.usage.completion_tokens if extra(chunk, "usage") else found["usage"]
        for choice in chunk.choices:
            found["text"] += choice.delta.content or ""
            found["reasoning"] += extra(choice.delta, "reasoning_content") or ""
            found["end"] = choice.finish_reason or found["end"]
            for call in choice.delta.tool_calls or ():
                name, arguments = found["tool"] or ("", "")
                found["tool"] = (name + (call.function.name or ""), arguments + (call.function.arguments or ""))
    return found


# ---- Responses -----------------------------------------------------------------------------------------

def of_response(reply):
    output = {item["type"] if isinstance(item, dict) else item.type: item for item in reply.output}
    call, thought = output.get("function_call"), output.get("reasoning")
    thoughts = thought and (thought.summary or extra(thought, "content"))
    text = [part.text for part in output["message"].content] if "message" in output else []
    return {"text": "".join(text), "reasoning": thoughts and extra(thoughts[0], "text"),
            "tool": call and (extra(call, "name"), extra(call, "arguments")), "usage": reply.usage and reply.usage.output_tokens,
            "end": reply.status, "odd": extra(reply, "odd"), "verdict": extra(reply, "rederive")}


def of_response_events(events):
    events = list(events)
    last = [e for e in events if e.type == "response.completed"]
    if not last:
        raise AssertionError(events[-1])
    return of_response(last[0].response)


# ---- Messages ------------------------------------------------------------------------------------------

def of_message(reply):
    blocks = {extra(block, "type"): block for block in extra(reply, "content")}
    call, usage = blocks.get("tool_use"), extra(reply, "usage")
    return {"text": extra(blocks["text"], "text"), "reasoning": extra(blocks.get("thinking"), "thinking"),
            "tool": call and (extra(call, "name"), json.dumps(extra(call, "input"), separators=(",", ":"))),
            "usage": usage and extra(usage, "output_tokens"), "end": extra(reply, "stop_reason"), "odd": extra(reply, "odd"),
            "verdict": extra(reply, "rederive")}


def of_message_events(events):
    found = dict.fromkeys(("text", "reasoning", "arguments"), "") | dict.fromkeys(("name", "usage", "end", "odd", "verdict"))
    for event in events:
        if event.type == "message_start":
            found["odd"] = extra(event.message, "odd")
        if event.type == "content_block_start" and event.content_block.type == "tool_use":
            found["name"] = event.content_block.name
        if event.type == "content_block_delta":
            found["text"] += extra(event.delta, "text") or ""
            found["reasoning"] += extra(event.delta, "thinking") or ""
            found["arguments"] += extra(event.delta, "partial_json") or ""
        if event.type == "message_delta":
            found |= {"usage": event.usage.output_tokens, "end": event.delta.stop_reason, "verdict": extra(event, "rederive")}
    return found | {"tool": found["name"] and (found["name"], found["arguments"])}


# ---- the ways ------------------------------------------------------------------------------------------

class Ways:
    """All ways to ask the server at `url`: name -> (address, streams, function of the model and of further members)."""

    def __init__(self, url):
        base = url.removesuffix("/v1")
        ours = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
        theirs = anthropic.Anthropic(base_url=base, api_key="none", max_retries=0)
        lite = {"api_base": url, "api_key": "none", "num_retries": 0}
        lite_messages = {**lite, "api_base": base, "max_tokens": 9, "messages": TURNS}

        def chat_helper(model, **more):
            with ours.chat.completions.stream(model=model, messages=TURNS, extra_body=more) as stream:
                return of_chat(stream.until_done().get_final_completion())

        def response_helper(model, **more):
            with ours.responses.stream(model=model, input="How many?", extra_body=more) as stream:
                return of_response(stream.until_done().get_final_response())

        def message_helper(model, **more):
            with theirs.messages.stream(model=model, max_tokens=9, messages=TURNS, extra_body=more) as stream:
                return of_message(stream.get_final_message())

        def chat(model, stream=False, **more):
            reply = ours.chat.completions.create(model=model, messages=TURNS, extra_body=more, stream=stream)
            return of_chat_chunks(reply) if stream else of_chat(reply)

        def response(model, stream=False, **more):
            reply = ours.responses.create(model=model, input="How many?", extra_body=more, stream=stream)
            return of_response_events(reply) if stream else of_response(reply)

        def message(model, stream=False, **more):
            reply = theirs.messages.create(model=model, max_tokens=9, messages=TURNS, extra_body=more, stream=stream)
            return of_message_events(reply) if stream else of_message(reply)

        def lite_chat(model, stream=False, **more):
            reply = litellm.completion(model="openai/" + model, messages=TURNS, stream=stream, extra_body=more, **lite)
            return of_chat_chunks(reply) if stream else of_chat(reply)

        def lite_response(model, stream=False, **more):
            reply = litellm.responses(model="openai/" + model, input="How many?", stream=stream, extra_body=more, **lite)
            return of_response_events(reply) if stream else of_response(reply)

        def lite_message(model, **more):
            return of_message(asyncio.run(litellm.anthropic.messages.acreate(model="anthropic/" + model, **lite_messages, **more)))

        streamed = lambda way: lambda model, **more: way(model, stream=True, **more)  # noqa: E731
        self.all = {
            "openai, chat completions": (CHAT, False, chat),
            "openai, chat completions, stream": (CHAT, True, streamed(chat)),
            "openai, chat completions, helper `stream()`": (CHAT, True, chat_helper),
            "openai, Responses": (RESPONSES, False, response),
            "openai, Responses, stream": (RESPONSES, True, streamed(response)),
            "openai, Responses, helper `stream()`": (RESPONSES, True, response_helper),
            "anthropic, Messages": (MESSAGES, False, message),
            "anthropic, Messages, stream": (MESSAGES, True, streamed(message)),
            "anthropic, Messages, helper `stream()`": (MESSAGES, True, message_helper),
            "litellm, chat completions": (CHAT, False, lite_chat),
            "litellm, chat completions, stream": (CHAT, True, streamed(lite_chat)),
            "litellm, Responses": (RESPONSES, False, lite_response),
            "litellm, Responses, stream": (RESPONSES, True, streamed(lite_response)),
            "litellm, Messages": (MESSAGES, False, lite_message),
        }
