// soak_test.mjs SERVER [SECONDS]: 64 HTTP clients and one stdio client mix pings, calls, cancels, disconnects and
// garbage. No answer may be lost or crossed, memory stays flat, threads end, and 99 of 100 pings are answered within 50 ms.
// A minute by default; HELIX_SOAK_SECONDS=600 for ten. HELIX_SOAK_PING_P99_MS sets another limit, 0 none.
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { Worker } from 'node:worker_threads';
import { check, MODERN, post, serveHttp, sleep, Stdio } from './lib.mjs';

const seconds = Number(process.argv[3] ?? process.env.HELIX_SOAK_SECONDS ?? 60);
const fixtures = ['--conformance-fixtures'];
const server = await serveHttp(fixtures);
const stdio = new Stdio(['serve', ...fixtures]);
const until = Date.now() + seconds * 1000;
const rss = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const counts = {};
const count = (what) => { counts[what] = (counts[what] ?? 0) + 1; };
const port = Number(new URL(server.url).port);
let serial = 0;

function parsed(reply) {
  const text = reply.headers['content-type']?.startsWith('text/event-stream')
    ? reply.text.split('\n').filter((line) => line.startsWith('data: ')).at(-1).slice(6) : reply.text;
  return JSON.parse(text);
}
async function ping(agent) {
  const id = ++serial;
  const reply = parsed(await post(server.url, { jsonrpc: '2.0', id, method: 'ping' }, {}, { agent }));
  check('a ping gets its own answer', reply.id === id && reply.result, reply);
}
async function echo(agent) {
  const id = `e${++serial}`;
  const params = { name: 'echo', arguments: { text: id } };
  const reply = parsed(await post(server.url, { jsonrpc: '2.0', id, method: 'tools/call', params }, {}, { agent }));
  check('a call gets its own answer', reply.id === id && reply.result.structuredContent.text === id, reply);
}
async function progress(agent) {
  const id = `p${++serial}`;
  const params = { name: 'test_tool_with_progress', _meta: { progressToken: id } };
  const reply = await post(server.url, { jsonrpc: '2.0', id, method: 'tools/call', params }, {}, { agent });
  check('progress and an answer', reply.text.includes('notifications/progress') && parsed(reply).id === id, reply.text);
}
async function cancel(agent) {
  const id = `c${++serial}`;
  const params = { name: 'test_tool_with_logging' };
  const call = post(server.url, { jsonrpc: '2.0', id, method: 'tools/call', params });
  await sleep(20);
  await post(server.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }, {}, { agent });
  await call;
}
async function disconnect() {
  const id = `d${++serial}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'test_tool_with_progress', _meta: { ...MODERN, progressToken: 1 } } });
  await new Promise((done) => {
    const request = http.request(server.url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'test_tool_with_progress' } });
    request.on('error', done);
    request.on('response', (response) => { response.on('error', () => {}); request.destroy(); done(); });
    request.end(body);
    setTimeout(() => { request.destroy(); done(); }, 30);
  });
}
async function garbage() {
  const junk = [ '\0\0\0\0\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n{}', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{bad' ];
  await new Promise((done) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.end(junk[++serial % junk.length]));
    socket.on('error', done);
    socket.on('close', done);
    socket.resume();
    setTimeout(() => socket.destroy(), 3000);
  });
}
const actions = [ping, ping, ping, echo, echo, progress, cancel, disconnect, garbage];

async function client(seed) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = seed; Date.now() < until; ++i) {
    const action = actions[(i * 7 + seed) % actions.length];
    await action(agent);
    count(action.name);
    await sleep(5);
  }
  agent.destroy();
}
// The stdio client: what it asked for is answered once, what it cancelled not at all.
async function lines() {
  const echo = (id) => ['tools/call', { name: 'echo', arguments: { text: id } }];
  for (let n = 1; Date.now() < until; ++n) {
    const id = `s${n}`;
    if (n % 5 === 0) stdio.write('{garbage\n\xff\n[]\n');
    if (n % 7 === 0) stdio.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: `s${n - 1}` } });
    if (n % 11 === 0) {
      stdio.send({ jsonrpc: '2.0', id: `c${n}`, method: 'tools/call', params: { name: 'test_takes_long', arguments: { seconds: 30 } } });
      stdio.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: `c${n}` } });
      count('stdio cancelled');
    }
    if (n % 3 === 0) check('a stdio ping', (await stdio.call(id, 'ping'))?.result);
    else {
      const reply = await stdio.call(id, ...echo(id));
      check('stdio gets its own answer', reply?.result?.structuredContent?.text === id, reply);
    }
    count('stdio');
  }
  const ids = stdio.lines.map((line) => JSON.parse(line).id).filter((id) => id !== null);
  check('every stdio answer came once', new Set(ids).size === ids.length && ids.length === counts.stdio, [ids.length, counts.stdio]);
  check('nothing was said of cancelled calls', ids.every((id) => id.startsWith('s')));
}
const threads = (pid) => fs.readdirSync(`/proc/${pid}/task`).length;
const prober = new Worker(new URL('soak_prober.mjs', import.meta.url), { workerData: { port } });
prober.on('error', (error) => { console.error(error); process.exit(1); });
let warm;
setTimeout(() => { warm = [rss(server.child.pid), rss(stdio.child.pid)]; }, Math.min(20, seconds / 3) * 1000);
await Promise.all([...Array.from({ length: 64 }, (_, i) => client(i)), lines()]);
const after = [rss(server.child.pid), rss(stdio.child.pid)];
prober.postMessage('end');
const times = await new Promise((done) => prober.once('message', done));
const at = (share) => Number(times[Math.floor((times.length - 1) * share)].toFixed(2));
console.log(JSON.stringify({ seconds, ...counts, pings_measured: times.length, ping_p50_ms: at(0.5), ping_p99_ms: at(0.99), ping_max_ms: at(1),
  rss_kib: { http: [warm[0], after[0]], stdio: [warm[1], after[1]] } }));
for (const i of [0, 1]) check('memory is flat', after[i] < warm[i] * 1.1 + 1024, { warm, after });
const limit = Number(process.env.HELIX_SOAK_PING_P99_MS ?? 50);
if (limit > 0) check('99 of 100 pings in time', at(0.99) < limit, at(0.99));
await sleep(6000);
check('threads that have nothing to do are gone', threads(server.child.pid) <= 3 && threads(stdio.child.pid) <= 4, [threads(server.child.pid), threads(stdio.child.pid)]);
check('the stdio server ends', (await stdio.end()).code === 0);
const stopping = performance.now();
check('the HTTP server ends', (await server.stop()).code === 0);
console.log(`stopped in ${(performance.now() - stopping).toFixed(0)} ms`);
