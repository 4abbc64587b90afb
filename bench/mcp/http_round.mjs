// One round of Streamable HTTP measurements on a fresh process.
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';

import { kInitialize, Server } from './server.mjs';

const kSecondsEach = 0.7;
const kOpened = 64;

function freePort() {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function post(agent, port, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = {
    'Content-Type': 'application/json', 'Content-Length': body.length,
    Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': kInitialize.protocolVersion,
  };
  return new Promise((resolve, reject) => {
    const call = request({ agent, port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers }, reply => {
      let text = '';
      reply.setEncoding('utf8').on('data', piece => { text += piece; }).on('end', () => {
        if (reply.statusCode === 200 && text.includes('"result"')) resolve();
        else reject(Object.assign(new Error(`status ${reply.statusCode}: ${text.slice(0, 200)}`), { refused: true }));
      });
    });
    call.on('error', reject).end(body);
  });
}

async function untilUp(port) {
  const agent = new Agent();
  for (const deadline = performance.now() + 10000; ;) {
    try {
      return await post(agent, port, 'initialize', kInitialize);
    } catch (error) {
      if (error.refused || performance.now() > deadline) throw error;
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }
}

async function callsPerSecond(port, clients) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const began = performance.now();
  let calls = 0;
  await Promise.all(Array.from({ length: clients }, async () => {
    for (; performance.now() - began < kSecondsEach * 1000; ++calls) await post(agent, port, 'ping');
  }));
  const rate = calls / ((performance.now() - began) / 1000);
  agent.destroy();
  return rate;
}

// `command` gets HOST:PORT as its last argument.
export async function httpLoad(command) {
  const port = await freePort();
  const server = new Server([...command, `127.0.0.1:${port}`]);
  await untilUp(port);
  const result = {};
  for (const clients of [1, 16, 64]) result[`http${clients}PerS`] = await callsPerSecond(port, clients);
  const fresh = new Agent({ keepAlive: true, maxSockets: kOpened });
  const began = performance.now();
  await Promise.all(Array.from({ length: kOpened }, () => post(fresh, port, 'ping')));
  result.open64Ms = performance.now() - began;
  fresh.destroy();
  result.httpLoadedMib = server.memoryMib('VmRSS');
  const end = await server.stop('SIGTERM');
  result.httpStopMs = end.ms;
  result.httpCleanStop = end.code === 0 ? 1 : 0;
  return result;
}
