# SPDX-License-Identifier: Apache-2.0
"""Plans carried out by openai's own AsyncOpenAI, over HTTP. RDV_SOURCE and RDV_PROGRAM are set."""
import asyncio
import json
import os
import pathlib
import sys
import unittest

import rederive

try:
    import openai
except ModuleNotFoundError:
    openai = None

SOURCE = pathlib.Path(os.environ["RDV_SOURCE"])
sys.path += [str(SOURCE / "tests/python"), str(SOURCE / "tests/integration")]
import golden_methods  # noqa: E402
from scripted import Server  # noqa: E402
from test_plans import CHAIN, plan_of  # noqa: E402


@unittest.skipUnless(openai, "openai is not installed")
class OpenAI(unittest.TestCase):

    def test_every_kind_of_plan_by_openai(self):
        golden = {line["case"]: line for line in map(json.loads, golden_methods.GOLDEN.read_text().splitlines())}
        wanted = {"selfcheck", "general", "perplexity", "direct-step", "global, whole replies", "selfcheck, structured",
                  "solve steps, selfcheck", "solve thoughts, mixed", "search, general", "repair direct-trace, mixed"}
        for name, world, given, command in golden_methods.cases():
            if name not in wanted:
                continue
            wanted.remove(name)
            with Server(rules=golden_methods.WORLDS[world], differences=["schema"]) as server:
                async def run():
                    async with openai.AsyncOpenAI(base_url=server.base + "/v1", api_key="sk-none-12345678",
                                                  max_retries=0) as client:
                        return await rederive.drive(plan_of(command, given), client, concurrency=7)
                with self.subTest(name):
                    self.assertEqual(list(asyncio.run(run())), golden[name]["records"])
        self.assertEqual(wanted, set())

    def test_a_key_that_is_refused(self):
        key = "sk-secret-0123456789"
        with Server(key="another", rules=[]) as server:
            async def run():
                async with openai.AsyncOpenAI(base_url=server.base + "/v1", api_key=key, max_retries=0) as client:
                    await rederive.drive(plan, client)
            plan = rederive.Plan.check([CHAIN], "selfcheck", model="m")
            with self.assertRaisesRegex(rederive.Error, "refuses the API key: HTTP 401") as raised:
                asyncio.run(run())
            self.assertNotIn(key, str(raised.exception) + b"".join(plan.results().lines()).decode())

    def test_a_server_that_is_not_there(self):

        async def run():
            async with openai.AsyncOpenAI(base_url="http://127.0.0.1:9/v1", api_key="x", max_retries=0) as client:
                return await rederive.drive(rederive.Plan.check([CHAIN], "global", model="m"), client)
        [record] = asyncio.run(run())
        self.assertEqual(record["verdicts"][0]["verdict"], "unknown")


if __name__ == "__main__":
    unittest.main()
