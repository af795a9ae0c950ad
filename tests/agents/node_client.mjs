// SPDX-License-Identifier: Apache-2.0
// `rederive mcp`, and /mcp of `rederive serve`, called by the two npm SDKs of the Model Context Protocol; run.py runs it with
// the calls and the address as its arguments and the packages in node_modules beside it.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const calls = JSON.parse(process.argv[2]);
const url = new URL(process.argv[3]);
const server = { command: process.env.RDV_PROGRAM, args: ['mcp'] };
const me = { name: 'rederive-test', version: '1' };

async function askAll(name, client, transport) {
  const took = [];
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ['check', 'grade', 'calculate']);
  assert(tools.every((tool) => tool.annotations.readOnlyHint));
  for (const [tool, args, outcomes] of calls) {
    const begun = performance.now();
    const result = await client.callTool({ name: tool, arguments: args });
    took.push(performance.now() - begun);
    assert(!result.isError, JSON.stringify([args, result]));
    assert(outcomes.includes(result.structuredContent.outcome), JSON.stringify([args, result]));
  }
  const refused = await client.callTool({ name: 'check', arguments: { texts: '1' } });
  assert(refused.isError);
  await client.close();
  took.sort((a, b) => a - b);
  const median = took[took.length >> 1];
  console.log(`${name}: median of a call ${median.toFixed(2)} ms`);
  assert(median < 100);
}

for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
  const client = () => new Client(me, { versionNegotiation: { mode } });
  await askAll(`npm client, stdio, ${mode.pin ?? mode}`, client(), new StdioClientTransport(server));
  await askAll(`npm client, http, ${mode.pin ?? mode}`, client(), new StreamableHTTPClientTransport(url));
}
await askAll('npm sdk, stdio', new OldClient(me), new OldTransport(server));
await askAll('npm sdk, http', new OldClient(me), new OldHttp(url));
