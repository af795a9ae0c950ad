# SPDX-License-Identifier: Apache-2.0
"""`rederive mcp`, and /mcp of `rederive serve`, called by the Python SDK of the Model Context Protocol, in both forms of the
protocol."""
import asyncio
import os
import statistics
import time
import unittest

import twenty
from tiny import Serve
from mcp import StdioServerParameters
from mcp.client.client import Client

SERVER = StdioServerParameters(command=os.environ["RDV_PROGRAM"], args=["mcp"])


async def ask_all(server, mode, case):
    seconds = []
    async with Client(server, mode=mode) as client:
        listed = await client.list_tools()
        case.assertEqual([tool.name for tool in listed.tools], ["check", "grade", "calculate"])
        case.assertTrue(all(tool.annotations.read_only_hint for tool in listed.tools))
        for tool, arguments, outcomes in twenty.calls():
            begun = time.perf_counter()
            result = await client.call_tool(tool, arguments)
            seconds.append(time.perf_counter() - begun)
            case.assertFalse(result.is_error, (tool, arguments, result))
            case.assertIn(result.structured_content["outcome"], outcomes, arguments)
            case.assertLessEqual(len(result.content[0].text.encode()), 2048)
        refused = await client.call_tool("check", {"texts": "1"})
        case.assertTrue(refused.is_error)
    return statistics.median(seconds)


class Sdk(unittest.TestCase):
    def ask(self, what, server):
        for mode in ("legacy", "auto", "2026-07-28"):
            median = asyncio.run(ask_all(server, mode, self))
            print(f"python sdk, {what}, {mode}: median of a call {1000 * median:.2f} ms")
            self.assertLess(median, 0.1)

    def test_both_forms(self):
        self.ask("stdio", SERVER)

    def test_both_forms_over_http(self):
        with Serve(None) as server:
            self.ask("http", server.url.removesuffix("/v1") + "/mcp")


if __name__ == "__main__":
    unittest.main()
