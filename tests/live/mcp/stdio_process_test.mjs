// What only a whole process can show: a clean stdout, ends, signals, children, speed of the start.
import { spawnSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, runAll, SERVER, sleep, Stdio } from './lib.mjs';

const init = (version) => ({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 't', version: '1' } } });
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'helix-mcp-'));
const env = { ...process.env, HELIX_REPORT_DIR: dir };
const running = (pid) => { try { return !fs.readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '); } catch { return false; } };

await runAll({
  'writes nothing before it is asked': async () => {
    const s = new Stdio(['serve'], { env });
    await sleep(500);
    check('no line on stdout', s.lines.length === 0, s.lines);
    await s.end();
  },
  'ends with 0 when its input ends': async () => {
    const run = spawnSync(SERVER, ['serve'], { input: '', env, timeout: 5000 });
    check('exit 0', run.status === 0, run.status);
    check('no output', run.stdout.length === 0, run.stdout.toString());
  },
  'does not spin after its input ended': async () => {
    // `times` prints the CPU time of the shell and, on its second line, of its children.
    const run = spawnSync('/bin/sh', ['-c', `"${SERVER}" serve < /dev/null; times`], { env });
    const seconds = [...run.stdout.toString().split('\n')[1].matchAll(/(\d+)m([\d.]+)s/g)].map((m) => 60 * m[1] + Number(m[2]));
    check('less than 50 ms of CPU time', seconds.length === 2 && seconds[0] + seconds[1] < 0.05, seconds);
  },
  'ends on SIGINT, SIGTERM and SIGHUP': async () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      const s = new Stdio(['serve'], { env });
      await s.call(1, 'ping');
      s.child.kill(signal);
      const end = await Promise.race([s.exited, sleep(5000)]);
      check(`${signal} ends it cleanly`, end?.code === 0, end);
    }
  },
  'ends when nobody reads its answers': async () => {
    const s = new Stdio(['serve'], { env });
    await s.call(1, 'ping');
    s.child.stdout.destroy();
    s.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    check('it ended', await Promise.race([s.exited, sleep(5000)]) !== undefined);
  },
  'is gone when its parent is killed': async () => {
    const shell = spawn('/bin/sh', ['-c', `"${SERVER}" serve & echo $!; wait`], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const pid = Number(await new Promise((done) => shell.stdout.once('data', (bytes) => done(String(bytes)))));
    await sleep(200);
    shell.kill('SIGKILL');
    shell.stdin.destroy();
    for (let i = 0; i < 100 && running(pid); ++i) await sleep(50);
    check('the server is gone', !running(pid));
  },
  'answers discover, then initialize, then lists its tools': async () => {
    const s = new Stdio(['serve'], { env });
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const found = await s.call('probe', 'server/discover', { _meta: meta });
    check('discover', found?.result?.supportedVersions?.includes('2026-07-28'), found);
    s.send(init('2025-11-25'));
    check('initialize', (await s.answer(1))?.result?.protocolVersion === '2025-11-25');
    const tools = (await s.call(2, 'tools/list'))?.result?.tools;
    check('tools', tools?.length > 0, tools);
    for (const tool of tools) {
      check(`${tool.name}: name`, /^[a-z0-9_]{1,40}$/.test(tool.name));
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        check(`${tool.name}: schema root`, schema.type === 'object' && !schema.oneOf && !schema.anyOf && !schema.allOf);
      }
    }
    check('one line stays below 60 KiB', Math.max(...s.lines.map((line) => Buffer.byteLength(line))) < 60 * 1024);
    check('instructions below 2 kB', Buffer.byteLength(found.result.instructions) < 2048, Buffer.byteLength(found.result.instructions));
    await s.end();
  },
  'drives its short tools and says SKIP without a server': async () => {
    const s = new Stdio(['serve'], { env: { ...env, HELIX_LLM_LOCAL_OPENAI_ENDPOINT: 'http://127.0.0.1:9' } });
    s.send(init('2025-06-18'));
    await s.answer(1);
    const tools = (await s.call(2, 'tools/list')).result.tools.map((tool) => tool.name);
    for (const name of ['run_selfcheck', 'bench_track_a', 'bench_track_b', 'check_equivalence'].filter((n) => tools.includes(n))) {
      const { result } = await s.call(name, 'tools/call', { name, arguments: { wait_for_previous: true } });
      check(`${name} answers without an error`, result && !result.isError, result);
      check(`${name}: text and structure are one`, JSON.stringify(JSON.parse(result.content[0].text)) === JSON.stringify(result.structuredContent));
      if (name.startsWith('bench')) check(`${name} skips`, result.structuredContent.verdict === 'SKIP', result.structuredContent);
    }
    await s.end();
  },
});
fs.rmSync(dir, { recursive: true, force: true });
