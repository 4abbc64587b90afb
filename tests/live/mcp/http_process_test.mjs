// The HTTP binding from outside: the wire table, discovery paths, quiet streams, sockets of this machine only, stop.
import fs from 'node:fs';
import http from 'node:http';
import { spawnSync } from 'node:child_process';
import net from 'node:net';
import { check, MODERN, post, runAll, SERVER, serveHttp, sleep } from './lib.mjs';
import { StuckBench } from './stuck_bench.mjs';

const server = await serveHttp();
const origin = new URL(server.url).origin;
const list = (params) => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', ...(params && { params }) });
const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
const versionOf = (version) => ({ _meta: { ...MODERN, 'io.modelcontextprotocol/protocolVersion': version } });

async function expect(what, status, code, body, headers, options) {
  const reply = await post(server.url, body, headers, options);
  check(`${what}: status ${status}`, reply.status === status, [reply.status, reply.text]);
  if (code !== undefined) check(`${what}: code ${code}`, JSON.parse(reply.text).error?.code === code, reply.text);
  return reply;
}

// What the server says to `text`, sent raw and in the pieces that `text` is made of; until it closes or is silent.
function raw(url, text, { quietMs = 400, pauseMs = 0 } = {}) {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) => {
    let all = '';
    const socket = net.connect(Number(port), hostname, async () => {
      for (const piece of [text].flat()) {
        socket.write(piece);
        if (pauseMs > 0) await sleep(pauseMs);
      }
    });
    const finish = () => { clearTimeout(timer); socket.destroy(); done(all); };
    let timer = setTimeout(finish, 5000);
    socket.on('data', (bytes) => { all += bytes.toString('latin1'); clearTimeout(timer); timer = setTimeout(finish, quietMs); });
    socket.on('close', finish).on('error', fail);
  });
}
const head = (more = '') => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}`;
const whole = (body, more = '') => `${head(more)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const ping = (id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const modernCall = (name) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name });

await runAll({
  'answers the wire table': async () => {
    await expect('modern without Mcp-Method', 400, -32020, list({ _meta: MODERN }), { 'mcp-protocol-version': '2026-07-28' });
    await expect('modern body without version header', 400, -32020, list({ _meta: MODERN }), { 'mcp-method': 'tools/list' });
    await expect('unknown version', 400, -32022, list(versionOf('1900-01-01')), { ...modern, 'mcp-protocol-version': '1900-01-01' });
    await expect('header without _meta', 400, -32602, list(), modern);
    await expect('unknown modern method', 404, -32601, { jsonrpc: '2.0', id: 1, method: 'no/such', params: { _meta: MODERN } }, { ...modern, 'mcp-method': 'no/such' });
    await expect('modern', 200, undefined, list({ _meta: MODERN }), modern);
    await expect('legacy without a header', 200, undefined, list());
    await expect('bad JSON', 400, -32700, '{bad');
    await expect('text', 415, undefined, list(), { 'content-type': 'text/plain' });
    await expect('JSON only', 200, undefined, list(), { accept: 'application/json' });
    await expect('evil page', 403, undefined, list(), { origin: 'http://evil.example' });
    await expect('page of this machine', 200, undefined, list(), { origin });
    const accepted = await expect('notification', 202, undefined, { jsonrpc: '2.0', method: 'notifications/initialized' });
    check('empty', accepted.text === '', accepted.text);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const reply = await expect(method, 405, undefined, '', {}, { method });
      check('Allow', reply.headers.allow === 'POST', reply.headers);
    }
    const stale = await expect('a session that nobody has', 200, undefined, list(), { 'mcp-session-id': 'stale' });
    check('no session', stale.headers['mcp-session-id'] === undefined);
  },
  'has no OAuth documents': async () => {
    for (const name of ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']) {
      for (const path of [`/.well-known/${name}`, `/.well-known/${name}/mcp`]) {
        const reply = await post(origin + path, '', {}, { method: 'GET' });
        check(`${path} is JSON 404`, reply.status === 404 && JSON.parse(reply.text).error, reply);
      }
    }
    check('register', (await post(`${origin}/register`, '{}')).status === 404);
    check('/', (await post(`${origin}/`, '', {}, { method: 'GET' })).status === 404);
  },
  'listens on this machine only, and further out not without a token': async () => {
    const port = Number(new URL(server.url).port).toString(16).toUpperCase().padStart(4, '0');
    const sockets = fs.readFileSync('/proc/net/tcp', 'utf8').split('\n').filter((line) => line.includes(`:${port} `) && / 0A /.test(line));
    check('127.0.0.1', sockets.length === 1 && sockets[0].includes(`0100007F:${port}`), sockets);
    const env = { ...process.env };
    delete env.HELIX_MCP_TOKEN;
    const refused = spawnSync(SERVER, ['serve', '--http', '0.0.0.0:0'], { env, timeout: 5000 });
    check('exit 2', refused.status === 2 && refused.stderr.toString().includes('HELIX_MCP_TOKEN'), refused.stderr?.toString());
  },
  'asks for the token': async () => {
    const guarded = await serveHttp([], { ...process.env, HELIX_MCP_TOKEN: 'secret' });
    check('401', (await post(guarded.url, list())).status === 401);
    check('200', (await post(guarded.url, list(), { authorization: 'Bearer secret' })).status === 200);
    await guarded.stop();
  },
  'keeps a quiet stream alive with comments': async () => {
    const text = await new Promise((done, fail) => {
      const request = http.request(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...modern, 'mcp-method': 'subscriptions/listen' },
      }, (response) => {
        let all = '';
        response.on('data', (bytes) => { all += bytes; });
        setTimeout(() => { request.destroy(); done(all); }, 34_000);
        response.on('error', () => {});
      });
      request.on('error', fail);
      request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: { resourcesListChanged: true }, _meta: MODERN } }));
    });
    check('acknowledged', text.includes('subscriptions/acknowledged'), text);
    check('two comments', text.split('\n').filter((line) => line.startsWith(':')).length >= 2, text);
  },
  'refuses look-alikes of this machine, in Host and in Origin': async () => {
    const { port } = new URL(server.url);
    for (const host of ['attacker.com', 'localhost.evil.com', '127.0.0.1.evil.com', 'localhost@evil', '127.0.0.1:1@evil', 'evil.example:80']) {
      await expect(`Host ${host}`, 403, undefined, list(), { host });
      await expect(`Origin http://${host}`, 403, undefined, list(), { origin: `http://${host}` });
    }
    for (const own of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`]) await expect(`Origin ${own}`, 200, undefined, list(), { origin: own });
    await expect('Origin null', 403, undefined, list(), { origin: 'null' });
  },
  'negotiates the version, whatever is asked for': async () => {
    const asks = { '2024-11-05': '2024-11-05', '2025-03-26': '2025-03-26', '2025-06-18': '2025-06-18', '2025-11-25': '2025-11-25', '2099-01-01': '2025-11-25', '2026-07-28': '2025-11-25' };
    for (const [asked, given] of [...Object.entries(asks), [undefined, '2025-11-25']]) {
      const reply = await expect(`initialize ${asked}`, 200, undefined, { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: asked, capabilities: {}, clientInfo: { name: 't', version: '1' } } },
        { accept: 'application/json', 'mcp-session-id': 'stale' });
      check(`${asked} gives ${given}`, JSON.parse(reply.text).result.protocolVersion === given, reply.text);
    }
  },
  'says nothing to notifications, whatever is in them': async () => {
    for (const message of [{ method: 'notifications/initialized' }, { method: 'notifications/unknown' }, { method: 'notifications/cancelled' },
      { method: 'notifications/cancelled', params: { requestId: {} } }, { method: 'notifications/cancelled', params: { requestId: 'unknown' } }]) {
      const reply = await expect(JSON.stringify(message), 202, undefined, { jsonrpc: '2.0', ...message });
      check('no body', reply.text === '', reply.text);
    }
  },
  'takes a megabyte and refuses five': async () => {
    const params = (size) => ({ jsonrpc: '2.0', id: 1, method: 'ping', params: { a: 'x'.repeat(size) } });
    await expect('1 MB', 200, undefined, params(1 << 20));
    await expect('5 MB', 413, undefined, params(5 << 20));
    await expect('after it', 200, undefined, params(1));
  },
  'takes chunks, also inside a character, and says continue at once': async () => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 'é漢😀', method: 'ping' }));
    const pieces = [head('Transfer-Encoding: chunked\r\n\r\n')];
    for (const byte of body) pieces.push(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
    const said = Buffer.from(await raw(server.url, [...pieces, '0\r\n\r\n'], { pauseMs: 1 }), 'latin1').toString();
    check('echoed', said.includes('"id":"é漢😀","result"'), said);
    const start = performance.now();
    const waiting = raw(server.url, head(`Expect: 100-continue\r\nContent-Length: ${ping(1).length}\r\n\r\n`), { quietMs: 0 });
    check('continue', (await waiting).startsWith('HTTP/1.1 100 Continue'));
    check('within 100 ms', performance.now() - start < 100, performance.now() - start);
    const both = await raw(server.url, `${head('Transfer-Encoding: chunked\r\n')}Content-Length: 5\r\n\r\n0\r\n\r\n`);
    check('chunked and a length: 400', both.startsWith('HTTP/1.1 400'), both);
    const two = await raw(server.url, whole(ping(1)) + whole(ping(2)));
    check('two pipelined requests, in order', /"id":1,"result".*"id":2,"result"/s.test(two), two);
  },
  'never takes a refused body for a request': async () => {
    for (const refused of ['Origin: http://evil\r\n', 'Content-Type: text/plain\r\n', 'Host: evil\r\n']) {
      const inner = whole(ping(666));
      const said = await raw(server.url, [`${head(refused)}Content-Length: ${inner.length}\r\n\r\n`, inner], { pauseMs: 50 });
      check(`${refused.trim()}: refused`, /^HTTP\/1.1 4\d\d/.test(said), said);
      check(`${refused.trim()}: not run`, !said.includes('666'), said);
    }
  },
  'is not hurt by clients that leave before a reply of 5 MB is read': async () => {
    const much = await serveHttp(['--conformance-fixtures']);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'test_much', arguments: { bytes: 5_000_000 } } });
    const port = Number(new URL(much.url).port);
    for (let i = 0; i < 10; ++i) {
      await new Promise((done) => {
        const socket = net.connect(port, '127.0.0.1', () => { socket.pause(); socket.write(whole(body)); setTimeout(() => { socket.resetAndDestroy(); done(); }, 50); });
      });
    }
    check('the next client is served', (await post(much.url, JSON.parse(body))).text.length > 5_000_000);
    const broken = await post(much.url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'test_broken_text' } });
    check('text that is not UTF-8 is repaired', JSON.parse(broken.text).result.structuredContent.text === 'a\uFFFD(b\uFFFDc', broken.text);
    check('and the server lives', (await much.stop()).code === 0);
  },
  'ends a bench whose client left or cancelled, and answers pings meanwhile': async () => {
    const bench = new StuckBench();
    const busy = await serveHttp([], bench.env);
    const { port } = new URL(busy.url);
    const left = http.request(busy.url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...modernCall('bench_track_a') } });
    left.on('error', () => {});
    left.end(JSON.stringify(StuckBench.call(1, {}, { ...MODERN, progressToken: 1 })));
    await bench.started();
    const start = performance.now();
    await post(busy.url, JSON.parse(ping(2)));
    check('a ping within 100 ms', performance.now() - start < 100, performance.now() - start);
    left.destroy();
    await bench.gone('the client left', 1000);

    const legacy = raw(busy.url, whole(JSON.stringify(StuckBench.call('l'))), { quietMs: 100 });
    await sleep(100);
    const seen = bench.pids().length;
    for (let i = 0; i < 100 && bench.pids().length === seen; ++i) await sleep(50);
    await post(busy.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'l' } });
    await bench.gone('cancelled', 1000);
    check('no answer', !(await legacy).includes('"id":"l"'));
    check('stopped', (await busy.stop()).code === 0 && port);
    bench.remove();
  },
  'takes a bench along when it is killed or stopped': async () => {
    for (const signal of ['SIGKILL', 'SIGTERM']) {
      const bench = new StuckBench();
      const busy = await serveHttp([], bench.env);
      post(busy.url, StuckBench.call(1)).catch(() => {});
      await bench.started();
      busy.child.kill(signal);
      await busy.exited;
      await bench.gone(signal, 2000);
      bench.remove();
    }
  },
  'stops cleanly': async () => {
    const start = performance.now();
    const end = await Promise.race([server.stop(), sleep(5000)]);
    check('exit 0', end?.code === 0, end);
    console.log(`     stopped in ${(performance.now() - start).toFixed(0)} ms`);
  },
});
