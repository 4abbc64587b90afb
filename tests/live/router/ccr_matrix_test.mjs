// ccr_matrix_test.mjs PROGRAM [--write]: what claude-code-router does to cache markers and to usage, seen from both of
// its sides, and what this program says through it. The tables stand in docs/claude-code-router.md; --write renews them.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { check, runAll } from '../mcp/lib.mjs';
import { freePort, KEY, lastRequest, ROOT, ROUTES, SHAPES, start, startRouter, untilAnswers, VERSION } from './ccr.mjs';

const [program] = process.argv.slice(2);
const write = process.argv.includes('--write');
const DOC = path.join(ROOT, 'docs/claude-code-router.md');
const mark = { cache_control: { type: 'ephemeral' } };

const body = (model, stream) => ({
  model, max_tokens: 64, stream, metadata: { user_id: 'user-1' },
  tools: [{ name: 'read', description: 'd', input_schema: { type: 'object', properties: {} }, ...mark }],
  system: [{ type: 'text', text: 'first' }, { type: 'text', text: 'second', ...mark }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'question', ...mark }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'result', ...mark }] }],
});

const post = (url, route, value, headers) => fetch(`${url}${route}`, {
  method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value),
});
const ask = async (router, model, stream) =>
  (await post(router.url, '/v1/messages', body(model, stream), { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' })).text();

// Which block kinds still carry their marker in the body that reached the upstream.
function markersIn({ body: seen }) {
  const holds = (value) => JSON.stringify(value ?? null).includes('cache_control');
  const messages = seen.messages ?? [];
  const results = messages.filter((m) => m.role === 'tool' || JSON.stringify(m).includes('tool_result'));
  const users = messages.filter((m) => m.role === 'user' && !results.includes(m));
  const kept = (value) => (holds(value) ? 'kept' : 'stripped');
  return { tools: kept(seen.tools), system: kept(seen.system ?? messages.filter((m) => m.role === 'system')), text: kept(users),
    tool_result: kept(results), user_id: JSON.stringify(seen).includes('user-1') ? 'kept' : 'dropped' };
}

// The last value of each counter, as a client merges them; "-" where none came.
function usageIn(text, stream) {
  const merged = {};
  const take = (usage) => Object.entries(usage ?? {}).forEach(([key, value]) => { if (value !== null) merged[key] = value; });
  if (!stream) take(JSON.parse(text).usage);
  for (const line of stream ? text.split('\n') : []) {
    if (!line.startsWith('data: {')) continue;
    const event = JSON.parse(line.slice(6));
    take(event.message?.usage);
    take(event.usage);
  }
  return [merged.input_tokens, merged.cache_read_input_tokens, merged.cache_creation_input_tokens].map((n) => n ?? '-').join(' / ');
}

async function measure(router) {
  const markers = [];
  for (const name of Object.keys(ROUTES)) {
    for (const shape of name === 'openrouter' ? ['details', 'claude-details'] : ['details']) {
      await ask(router, `${name},${shape}`, false);
      markers.push({ route: `${name}${shape === 'details' ? '' : ' (claude model)'}`, ...markersIn(lastRequest(router.log)) });
    }
  }
  const usage = [];
  for (const shape of SHAPES) {
    const row = { shape };
    for (const name of ['plain', 'streamoptions']) {
      for (const stream of [false, true]) row[`${name}_${stream ? 'stream' : 'whole'}`] = usageIn(await ask(router, `${name},${shape}`, stream), stream);
    }
    usage.push(row);
  }
  const anthropic = [usageIn(await ask(router, 'anthropic,details', false), false), usageIn(await ask(router, 'anthropic,details', true), true)];
  const chat = await post(router.url, '/v1/chat/completions', { model: 'plain,details', messages: [{ role: 'user', content: 'x' }] }, { authorization: `Bearer ${KEY}` });
  return { markers, usage, anthropic, chat: chat.status };
}

function tables({ markers, usage, anthropic, chat }) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [`Version ${VERSION}, both sides on loopback.`, '', row(['route', 'tools', 'system', 'text', 'tool_result', 'metadata.user_id']), row(Array(6).fill('---')),
    ...markers.map((m) => row([m.route, m.tools, m.system, m.text, m.tool_result, m.user_id])), '',
    'Upstream truth: 2048 prompt tokens, 1920 of them cached. Cells: input / read / written as they come back.', '',
    row(['usage of the upstream', 'plain, whole', 'plain, stream', 'streamoptions, whole', 'streamoptions, stream']), row(Array(5).fill('---')),
    ...usage.map((u) => row([u.shape, u.plain_whole, u.plain_stream, u.streamoptions_whole, u.streamoptions_stream])), '',
    `An Anthropic upstream with the Anthropic transformer: ${anthropic[0]} whole, ${anthropic[1]} streamed. POST /v1/chat/completions: status ${chat}.`].join('\n');
}

let printed = ''; // everything that the program wrote to stdout and stderr

// bench-track-b through the router, with a made-up price.
function bench(router, model, more = []) {
  const prices = path.join(router.home, 'prices.json');
  const row = { route: 'anthropic', model, source: 'made up for this test', usd_per_mtok: { in: 1, write_5m: 1, write_1h: 1, read: 0.1, out: 1 } };
  fs.writeFileSync(prices, JSON.stringify({ format: 'helix.prices/1', rows: [row] }));
  const args = ['bench-track-b', '--endpoint', router.url, '--provider', 'anthropic', '--model', model, '--prices', prices, '--paid', '--max-usd', '5',
    '--prefix-tokens', '400', '--turns', '0', '--report-dir', path.join(router.home, 'reports'), '--json', ...more];
  const child = spawn(program, args, { env: { PATH: process.env.PATH, HOME: router.home, ANTHROPIC_API_KEY: KEY }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (bytes) => { text += bytes; });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => { printed += bytes; });
  return new Promise((done) => child.on('exit', () => done(JSON.parse(text))));
}

const llamaProgram = process.env.HELIX_LLAMA_SERVER ?? path.join(ROOT, 'build/deps/llama/llama-server');
async function startLlama(home) {
  const model = path.join(home, 'model-synthetic.gguf');
  const maker = start(path.join(path.dirname(program), 'helix-make-model'), ['--out', model]);
  await maker.gone;
  const port = await freePort();
  const llama = start(llamaProgram, ['-m', model, '--host', '127.0.0.1', '--port', String(port), '-c', '8192', '-np', '1', '-t', '1', '--cache-ram', '256', '--alias', 'local']);
  await untilAnswers(`http://127.0.0.1:${port}/health`, llama, 'llama-server');
  return { url: `http://127.0.0.1:${port}`, stop: () => { llama.kill('SIGKILL'); return llama.gone; } };
}

const scratch = fs.mkdtempSync(path.join(process.env.TMPDIR ?? '/tmp', 'helix-ccr-llama-'));
const llama = fs.existsSync(llamaProgram) ? await startLlama(scratch) : undefined;
const router = await startRouter(llama?.url);
if (!router) { console.log('skip: npm could not install claude-code-router'); await llama?.stop(); process.exit(77); }
const seen = await measure(router);
const cell = (shape, column) => seen.usage.find((row) => row.shape === shape)[column];
const route = (name) => seen.markers.find((row) => row.route === name);

await runAll({
  'markers are stripped from tools alone, or from everything where the transformer says so'() {
    check('plain', JSON.stringify(route('plain')) === JSON.stringify({ route: 'plain', tools: 'stripped', system: 'kept', text: 'kept', tool_result: 'kept', user_id: 'dropped' }), route('plain'));
    for (const name of ['cleancache', 'openrouter']) check(name, !Object.values(route(name)).includes('kept'), route(name));
    check('anthropic keeps all', !Object.values(route('anthropic')).some((v) => v === 'stripped' || v === 'dropped'), route('anthropic'));
  },
  'usage is lost in streams unless it stands in the finish chunk'() {
    check('whole', cell('details', 'plain_whole').startsWith('128 / 1920'), cell('details', 'plain_whole'));
    check('stream', cell('details', 'plain_stream').startsWith('0 / 0'), cell('details', 'plain_stream'));
    check('finish chunk', cell('in_finish', 'plain_stream').startsWith('128 / 1920'), cell('in_finish', 'plain_stream'));
    for (const shape of ['deepseek', 'kimi']) check(shape, cell(shape, 'plain_whole').startsWith('2048 / 0'), cell(shape, 'plain_whole'));
    check('a write is lost', cell('write', 'plain_whole') === '1024 / 1024 / -', cell('write', 'plain_whole'));
  },
  'the document says what was measured'() {
    const [begin, end] = ['<!-- measured by tests/live/router/ccr_matrix_test.mjs -->', '<!-- end -->'];
    const text = fs.readFileSync(DOC, 'utf8');
    const [before, rest] = text.split(begin);
    const renewed = `${before}${begin}\n${tables(seen)}\n${end}${rest.split(end)[1]}`;
    if (write) fs.writeFileSync(DOC, renewed);
    else check('docs/claude-code-router.md is current (run this test with --write)', renewed === text, tables(seen));
  },
  async 'a route that loses counters is named, and no number is made of it'() {
    const result = await bench(router, 'plain,details');
    check('route', result.route === 'ccr2-anthropic', result);
    check('program', result.router?.program === 'claude-code-router 2.x', result.router);
    check('verdict', result.cache_verdict.verdict === 'REPORTING_DROPPED_BY_GATEWAY', result.cache_verdict);
    check('no PASS', result.verdict !== 'PASS', result.verdict);
    check('no share', result.warm.read_share_min === null && result.warm.cached_max === null, result.warm);
    check('nothing came back', result.router.counters_came_back.startsWith('0 of '), result.router);
  },
  async 'an upstream that says "read" of every call is not believed'() {
    const result = await bench(router, 'streamoptions,details');
    check('counters came back', !result.router.counters_came_back.startsWith('0 of '), result.router);
    check('cold_arm_warm', result.verdict === 'FAIL' && result.findings.some((f) => f.code === 'cold_arm_warm'), result.findings);
  },
  async 'a stream that a hop collected has no TTFT'() {
    const result = await bench(router, 'streamoptions,buffered');
    check('named', result.findings.some((f) => f.code === 'TTFT_INVALID_BUFFERED'), result.findings);
    check('no difference is claimed', result.ttft_difference_ms === null && result.verdict !== 'PASS', result.ttft_difference_ms);
  },
  async 'a stored reply that was replayed is recognised'() {
    const result = await bench(router, 'anthropic,replay');
    check('verdict', result.cache_verdict.verdict === 'RESPONSE_CACHE_REPLAY' && result.verdict === 'FAIL', result.cache_verdict);
  },
  'the key is in no report, on no output'() {
    const reports = path.join(router.home, 'reports');
    const files = fs.readdirSync(reports, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    check('reports were written', files.length > 50, files.length);
    for (const entry of files) check(entry.name, !fs.readFileSync(path.join(entry.parentPath ?? entry.path, entry.name), 'utf8').includes(KEY));
    check('output', !printed.includes(KEY));
  },
  async 'a real llama-server behind the router shows its reads in whole replies, and in streams as its chunks happen to arrive'() {
    if (!llama) return console.log('     no llama-server here: not measured');
    const whole = async (question) => JSON.parse(await (await post(router.url, '/v1/messages', { model: 'llama,local', max_tokens: 4,
      system: 'river stone market '.repeat(80), messages: [{ role: 'user', content: question }] }, { 'x-api-key': KEY })).text()).usage;
    await whole('one');
    const second = await whole('two');
    check('whole replies carry the read', second.cache_read_input_tokens > 1000 && second.input_tokens < 200, second);
    const result = await bench(router, 'llamaoptions,local');
    const [counted, all] = result.router.counters_came_back.split(' of ').map(Number);
    check('streams lose counters', counted < all && result.verdict !== 'PASS', result.router);
    console.log(`     llama-server behind the router: read ${second.cache_read_input_tokens} in a whole reply; counters in ${counted} of ${all} streams with streamoptions`);
  },
});
await router.stop();
await llama?.stop();
fs.rmSync(scratch, { recursive: true, force: true });
