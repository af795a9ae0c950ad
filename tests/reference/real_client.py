# SPDX-License-Identifier: Apache-2.0
"""A plain client: sends the requests of a file, in their order, as many at a time as it is told, and prints the
seconds from the first request to the last reply.

    real_client.py URL AT_A_TIME REQUESTS"""
import asyncio
import json
import sys
import time

import httpx


async def work(client, requests):
    for request in requests:
        (await client.post(request["path"], json=request["body"])).read()


async def main(url, at_a_time, path):
    with open(path, encoding="utf-8") as file:
        requests = iter([json.loads(line) for line in file])
    async with httpx.AsyncClient(base_url=url, timeout=600) as client:
        began = time.monotonic()
        await asyncio.gather(*[work(client, requests) for _ in range(at_a_time)])
        print(time.monotonic() - began)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
