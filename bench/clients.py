#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ask a server of OpenAI's API many questions, as the documentation of a Python client shows.

    bench/clients.py httpx|openai|inspect_ai URL AT_A_TIME CALLS FOLDER

Prints the seconds of processor time that the calls took, after some that are not counted, with which
the client loads what it needs; nothing where it is not installed. inspect_ai writes its log into
FOLDER.
"""
import asyncio
import importlib.util
import os
import sys
import time

MODEL, MAX_TOKENS, PROMPT = "canned", 300, "x" * 1024
FIRST_CALLS = 10  # that are not counted
MESSAGES = [{"role": "user", "content": PROMPT}]


async def all_at_a_time(ask, at_a_time, calls):
    """Await ask() so many times, at most `at_a_time` of them together."""
    semaphore = asyncio.Semaphore(at_a_time)

    async def one():
        async with semaphore:
            return await ask()

    return await asyncio.gather(*[one() for _ in range(calls)])


async def with_httpx(url, at_a_time, calls, _):
    import httpx
    async with httpx.AsyncClient(base_url=url, timeout=600) as client:
        async def ask():
            reply = await client.post("/chat/completions", json={
                "model": MODEL, "max_tokens": MAX_TOKENS, "messages": MESSAGES})
            return reply.raise_for_status().json()["choices"][0]["message"]["content"]

        return await all_at_a_time(ask, at_a_time, calls)


async def with_openai(url, at_a_time, calls, _):
    from openai import AsyncOpenAI
    async with AsyncOpenAI(base_url=url, api_key="none") as client:
        async def ask():
            reply = await client.chat.completions.create(model=MODEL, max_tokens=MAX_TOKENS,
                                                         messages=MESSAGES)
            return reply.choices[0].message.content

        return await all_at_a_time(ask, at_a_time, calls)


async def with_inspect_ai(url, at_a_time, calls, folder):
    os.environ |= {"CANNED_API_KEY": "none", "CANNED_BASE_URL": url}
    from inspect_ai import Task, eval_async
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import generate
    task = Task(dataset=[Sample(input=PROMPT) for _ in range(calls)], solver=generate())
    [log] = await eval_async(task, model=f"openai-api/canned/{MODEL}", max_tokens=MAX_TOKENS,
                             log_dir=folder, max_connections=at_a_time)
    if log.status != "success":
        sys.exit(f"inspect_ai: {log.status}: {log.error}")
    return [sample.output.completion for sample in log.samples]


WITH = {"httpx": with_httpx, "openai": with_openai, "inspect_ai": with_inspect_ai}


def main():
    name, url, at_a_time, calls, folder = sys.argv[1:]
    if not importlib.util.find_spec(name):
        return
    asyncio.run(WITH[name](url, int(at_a_time), FIRST_CALLS, folder))
    began = time.process_time()
    replies = asyncio.run(WITH[name](url, int(at_a_time), int(calls), folder))
    seconds = time.process_time() - began
    if len(replies) != int(calls) or not all(replies):
        sys.exit(f"{name}: {calls} calls, not as many replies")
    print(seconds)


if __name__ == "__main__":
    main()
