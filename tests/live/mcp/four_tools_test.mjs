// four_tools_test.mjs SERVER: one conversation as lines on stdin drives run_selfcheck, bench_track_a, bench_track_b and
// check_equivalence, and the same four answer over HTTP to curl. The benchmark is measured on a real llama-server in the
// first, the equivalence check in the second; what is not measured must be a SKIP that carries no number.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { check, runAll, serveHttp, Stdio } from './lib.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'helix-mcp-'));
const llama = spawnSync(path.join(root, 'scripts/get-llama-server'), { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.toString().trim();
const env = { ...process.env, HELIX_REPORT_DIR: dir, HELIX_LLM_LOCAL_OPENAI_ENDPOINT: 'http://127.0.0.1:9', ...(llama && { HELIX_LLAMA_SERVER: llama }) };
for (const name of Object.keys(env)) if (/_API_KEY$|_AUTH_TOKEN$/.test(name)) delete env[name];

const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'four-tools', version: '1' } };

function isSkip(what, result, reason) {
  check(`${what} is a SKIP`, result.verdict === 'SKIP', result);
  check(`${what} says ${reason}`, result.skip_reason.startsWith(reason), result);
  check(`${what} says what would make it run`, result.would_run_if.length > 0, result);
  const allowed = ['verdict', 'skip_code', 'skip_reason', 'would_run_if'];
  check(`${what} carries nothing else`, Object.keys(result).every((key) => allowed.includes(key)), result);
}

function isTrackA(result) {
  check('bench_track_a measured', ['PASS', 'INCONCLUSIVE'].includes(result.verdict), result);
  check('cold arm is cold', result.off.n > 0 && result.off.cached_max <= 1, result.off);
  check('warm arm is warm', result.on.n > 0 && result.on.reused_share_min >= 0.95, result.on);
  check('the report is on disk', fs.existsSync(result.report_path), result.report_path);
  check('the model is named synthetic', JSON.stringify(result.model).includes('synthetic'), result.model);
  const { value, ci_low: low, ci_high: high } = result.prefill_ratio;
  check('the ratio lies in its interval', low <= value && value <= high, result.prefill_ratio);
  console.log(`     bench_track_a: ${result.verdict}, prefill ratio ${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`);
}

function isEquivalence(result) {
  check('check_equivalence measured', ['PASS', 'FAIL', 'INCONCLUSIVE'].includes(result.verdict), result);
  check('it names a class', typeof result.class === 'string', result);
  check('it compared cases', result.cases > 0 || result.cases?.length > 0, result.cases);
  console.log(`     check_equivalence: ${result.verdict}, ${result.class}`);
}

// The structured result of a tool; a job that outlasted the call is waited for. Its text is the same JSON.
async function resultOf(call, name, args = {}) {
  for (let [tool, given] = [name, args]; ;) {
    const { result } = await call('tools/call', { name: tool, arguments: given });
    const structured = result?.structuredContent;
    check(`${tool} answers with a structured result`, structured && !result.isError, result);
    check(`${tool}: text and structure carry the same`, JSON.stringify(JSON.parse(result.content[0].text)) === JSON.stringify(structured));
    if (structured.status !== 'running') return tool === 'get_job' ? structured.result : structured;
    [tool, given] = ['get_job', { job_id: structured.job_id }];
  }
}

async function driveAll(call, measured) {
  const { tools } = (await call('tools/list', {})).result;
  for (const name of ['run_selfcheck', 'bench_track_a', 'bench_track_b', 'check_equivalence']) {
    check(`${name} is listed`, tools.some((tool) => tool.name === name));
  }
  check('the self-check passes', (await resultOf(call, 'run_selfcheck')).verdict === 'PASS');
  for (const [name, judge] of Object.entries({ bench_track_a: isTrackA, check_equivalence: isEquivalence })) {
    if (llama && measured === name) judge(await resultOf(call, name, { managed: true, profile: 'quick' }));
    else isSkip(name, await resultOf(call, name), 'server_unreachable:');
  }
  isSkip('bench_track_b', await resultOf(call, 'bench_track_b'), 'credentials_absent:');
}

if (!llama) console.log('SKIP of both measurements: no llama-server was found or could be installed');
await runAll({
  'one conversation on stdin drives the four tools': async () => {
    const s = new Stdio(['serve'], { env });
    let id = 0;
    const call = (method, params) => { s.send({ jsonrpc: '2.0', id: ++id, method, params }); return s.answer(id, 240_000); };
    check('initialized', (await call('initialize', initialize))?.result);
    s.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await driveAll(call, 'bench_track_a');
    check('it ends with 0', (await s.end()).code === 0);
  },
  'curl drives the four tools over HTTP': async () => {
    const server = await serveHttp([], env);
    let id = 0;
    const call = async (method, params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
      const { stdout } = await promisify(execFile)('curl', ['-sS', '--fail-with-body', '--max-time', '240', '-H', 'content-type: application/json',
        '-H', 'accept: application/json', '--data-binary', body, server.url]);
      const message = JSON.parse(stdout);
      check(`${method} answers its id`, message.id === id, message);
      return message;
    };
    check('initialized', (await call('initialize', initialize)).result);
    await driveAll(call, 'check_equivalence');
    check('it ends with 0', (await server.stop()).code === 0);
  },
});
fs.rmSync(dir, { recursive: true, force: true });
process.exit();  // the timers of waits that were answered early would hold the process
