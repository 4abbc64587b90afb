// The HTTP binding from outside: the wire table, discovery paths, quiet streams, sockets of this machine only, stop.
import fs from 'node:fs';
import http from 'node:http';
import { spawnSync } from 'node:child_process';
import { check, MODERN, post, runAll, SERVER, serveHttp, sleep } from './lib.mjs';

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
  'stops cleanly': async () => {
    const start = performance.now();
    const end = await Promise.race([server.stop(), sleep(5000)]);
    check('exit 0', end?.code === 0, end);
    console.log(`     stopped in ${(performance.now() - start).toFixed(0)} ms`);
  },
});
