// One round of Streamable HTTP measurements on a fresh process.
import { createServer } from 'node:net';

import { HttpClient, postText } from './http_client.mjs';
import { kEcho, kInitialize, Server } from './server.mjs';

const kSecondsEach = 1;
const kOpened = 64;

function freePort() {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

// The first client, and the session that the server gave it, if it has sessions.
async function untilUp(port) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: kInitialize });
  for (const deadline = performance.now() + 20000; ;) {
    try {
      const client = await HttpClient.open(port);
      const reply = await client.say(postText(port, body));
      return { client, session: /\r\nmcp-session-id: *(\S+)/i.exec(reply)?.[1] };
    } catch (error) {
      if (error.refused || performance.now() > deadline) throw error;
      await new Promise(resolve => setTimeout(resolve, 1));
    }
  }
}

async function callsPerSecond(clients, request) {
  const began = performance.now();
  const end = began + kSecondsEach * 1000;
  let calls = 0;
  await Promise.all(clients.map(async client => {
    for (; performance.now() < end; ++calls) await client.say(request);
  }));
  return { calls, rate: calls / ((performance.now() - began) / 1000) };
}

// 64 clients that all come at once, each with one request: until all are answered.
async function openAll(port, request) {
  const began = performance.now();
  const clients = await Promise.all(Array.from({ length: kOpened }, async () => {
    const client = await HttpClient.open(port);
    await client.say(request);
    return client;
  }));
  return { clients, ms: performance.now() - began };
}

async function serve(command) {
  const port = await freePort();
  const server = new Server([...command, `127.0.0.1:${port}`]);
  return { port, server, ...await untilUp(port) };
}

async function loadWith(method, params, prefix, { port, server, client, session }) {
  const request = postText(port, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), session);
  for (let i = 0; i < 200; ++i) await client.say(request);
  const opened = await openAll(port, request);
  const result = { [`${prefix}Open64Ms`]: opened.ms };
  for (const clients of [1, 16, 64]) {
    const cpu = server.cpuMs();
    const { calls, rate } = await callsPerSecond(opened.clients.slice(0, clients), request);
    result[`${prefix}${clients}PerS`] = rate;
    result[`${prefix}${clients}CpuUs`] = (server.cpuMs() - cpu) / calls * 1000;
  }
  for (const one of opened.clients) one.close();
  return result;
}

// Pings at `command`, echo calls at `echoCommand` when it is another one.
export async function httpLoad(command, echoCommand, hasTool) {
  const up = await serve(command);
  const result = { httpIdleMib: up.server.memoryMib('VmRSS') };
  Object.assign(result, await loadWith('ping', undefined, 'httpPing', up));
  if (hasTool && !echoCommand) Object.assign(result, await loadWith('tools/call', kEcho, 'httpEcho', up));
  up.client.close();
  result.httpLoadedMib = up.server.memoryMib('VmRSS');
  const end = await up.server.stop('SIGTERM');
  result.httpStopMs = end.ms;
  result.httpCleanStop = end.code === 0 ? 1 : 0;
  if (!echoCommand) return result;
  const other = await serve(echoCommand);
  Object.assign(result, await loadWith('tools/call', kEcho, 'httpEcho', other));
  other.client.close();
  await other.server.stop('SIGTERM');
  return result;
}
