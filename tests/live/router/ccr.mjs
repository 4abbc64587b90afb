// claude-code-router from npm with a throw-away home, in front of the truth upstream and, where asked, a llama-server.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sleep } from '../mcp/lib.mjs';

export const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const VERSION = '2.0.0'; // what npm installs on Node 20; 3.x needs Node 22
export const KEY = 'local-test-key';
export const SHAPES = ['details', 'write', 'deepseek', 'deepseek_both', 'kimi', 'in_finish', 'nulls', 'none'];
// Routes by the transformers that their provider entry names.
export const ROUTES = {
  plain: [], streamoptions: ['streamoptions'], cleancache: ['cleancache'], openrouter: ['openrouter'], anthropic: ['Anthropic'],
};

export const freePort = () => new Promise((done) => {
  const probe = net.createServer().listen(0, '127.0.0.1', () => { const { port } = probe.address(); probe.close(() => done(port)); });
});

// A child that ends with the test. `line`: resolves with the first line it prints.
export function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  child.text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => { child.text += bytes; });
  child.line = new Promise((done) => child.stdout?.once('data', (bytes) => done(String(bytes).trim())));
  child.gone = new Promise((done) => child.on('exit', done));
  return child;
}

export async function untilAnswers(url, child, what) {
  for (let i = 0; i < 150; ++i) {
    if (child.exitCode !== null) throw new Error(`${what} ended: ${child.text.slice(-600)}`);
    try { return await (await fetch(url)).text(); } catch { await sleep(100); }
  }
  throw new Error(`${what} did not answer at ${url}: ${child.text.slice(-600)}`);
}

// {url, port, log, home, stop}. `llama`: base URL of a llama-server, also routed to.
export async function startRouter(llama) {
  const got = spawnSync(path.join(ROOT, 'scripts/get-npm'), [`@musistudio/claude-code-router@${VERSION}`], { encoding: 'utf8' });
  if (got.status !== 0) return undefined;
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'helix-ccr-'));
  const log = path.join(home, 'upstream.jsonl');
  const upstream = start('node', [path.join(ROOT, 'tests/fakes/truth_upstream.mjs'), log]);
  const base = `http://127.0.0.1:${await upstream.line}/v1`;
  const port = await freePort();
  const provider = (name, use) => ({
    name, api_base_url: `${base}/${name === 'anthropic' ? 'messages' : 'chat/completions'}`, api_key: 'upstream-key',
    models: [...SHAPES, 'claude-details', 'buffered', 'replay'], ...(use.length > 0 && { transformer: { use } }),
  });
  const Providers = Object.entries(ROUTES).map(([name, use]) => provider(name, use));
  if (llama) {
    for (const [name, use] of [['llama', []], ['llamaoptions', ['streamoptions']]]) {
      Providers.push({ name, api_base_url: `${llama}/v1/chat/completions`, api_key: 'none', models: ['local'], ...(use.length > 0 && { transformer: { use } }) });
    }
  }
  const folder = path.join(home, '.claude-code-router');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify({
    APIKEY: KEY, HOST: '127.0.0.1', PORT: port, LOG: false, NON_INTERACTIVE_MODE: true, API_TIMEOUT_MS: 60000, Providers,
    Router: { default: 'plain,details' },
  }));
  const cli = path.join(got.stdout.trim(), '@musistudio/claude-code-router/dist/cli.js');
  const router = start('node', [cli, 'start'], { env: { PATH: process.env.PATH, HOME: home } });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/`, router, 'claude-code-router');
  const stop = async () => {
    for (const child of [router, upstream]) child.kill();
    await Promise.all([router.gone, upstream.gone]);
    fs.rmSync(home, { recursive: true, force: true });
  };
  return { url, port, log, home, stop };
}

export const lastRequest = (log) => JSON.parse(fs.readFileSync(log, 'utf8').trim().split('\n').at(-1));
