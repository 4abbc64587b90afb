// Small clients for tests and measurements: a stdio server as lines, an HTTP server as requests. Node 20, no packages.
import { spawn } from 'node:child_process';
import http from 'node:http';

export const SERVER = process.env.HELIX_PERF_CACHE ?? process.argv[2];
export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export function check(what, ok, seen) {
  if (ok) return;
  console.error(`FAILED: ${what}${seen === undefined ? '' : `, saw ${JSON.stringify(seen)?.slice(0, 600)}`}`);
  process.exitCode = 1;
  throw new Error(what);
}

// Runs the named checks one after the other and says how many passed. HELIX_ONLY: those alone whose name holds it.
export async function runAll(all) {
  let passed = 0;
  const checks = Object.fromEntries(Object.entries(all).filter(([name]) => name.includes(process.env.HELIX_ONLY ?? '')));
  for (const [name, body] of Object.entries(checks)) {
    try {
      await body();
      ++passed;
      console.log(`ok   ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`FAIL ${name}: ${error.stack}`);
    }
  }
  console.log(`${passed} of ${Object.keys(checks).length} passed`);
}

// A server on its pipes. `lines` are all lines that it wrote; next() takes them in order.
export class Stdio {
  constructor(args = ['serve'], { command = SERVER, env = process.env } = {}) {
    this.child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.lines = [];
    this.taken = 0;
    this.waiting = [];
    this.stderr = '';
    this.exited = new Promise((done) => this.child.on('exit', (code, signal) => done({ code, signal })));
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (bytes) => { this.stderr += bytes; });
    let rest = '';
    this.child.stdout.setEncoding('utf8');
    this.child.stdout.on('data', (text) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop();
      for (const line of parts) this.lines.push(line);
      for (const wake of this.waiting.splice(0)) wake();
    });
  }
  write(text) { return this.child.stdin.write(text); }
  send(message) { this.write(`${JSON.stringify(message)}\n`); }
  async next(ms = 15000) {
    const until = Date.now() + ms;
    while (this.taken >= this.lines.length) {
      if (Date.now() >= until) return undefined;
      let timer;  // taken back, or an answer that came early would hold the process
      await new Promise((wake) => {
        this.waiting.push(wake);
        timer = setTimeout(wake, Math.max(1, until - Date.now()));
      });
      clearTimeout(timer);
    }
    return this.lines[this.taken++];
  }
  // The answer to `id`, skipping notifications.
  async answer(id, ms = 60000) {
    for (;;) {
      const line = await this.next(ms);
      if (line === undefined) return undefined;
      const message = JSON.parse(line);
      if (message.id === id && !message.method) return message;
    }
  }
  async call(id, method, params = {}) {
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.answer(id);
  }
  async end() {
    this.child.stdin.end();
    return this.exited;
  }
}

// A server on a free port.
export async function serveHttp(extra = [], env = process.env) {
  const child = spawn(SERVER, ['serve', '--http', '127.0.0.1:0', ...extra], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise((done, fail) => {
    let text = '';
    child.stderr.on('data', (bytes) => {
      text += bytes;
      const found = /listening at (\S+)/.exec(text);
      if (found) done(found[1]);
    });
    child.on('exit', () => fail(new Error(`the server ended: ${text}`)));
  });
  const exited = new Promise((done) => child.on('exit', (code, signal) => done({ code, signal })));
  return { child, url, exited, stop: () => { child.kill('SIGTERM'); return exited; } };
}

export function post(url, body, headers = {}, { method = 'POST', agent } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  for (const name of Object.keys(sent)) if (sent[name] === undefined) delete sent[name];
  return new Promise((done, fail) => {
    const request = http.request(url, {
      method,
      agent,
      headers: sent,
    }, (response) => {
      let all = '';
      response.setEncoding('utf8');
      response.on('data', (bytes) => { all += bytes; });
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, text: all }));
    });
    request.on('error', fail);
    request.end(method === 'GET' ? undefined : text);
  });
}
