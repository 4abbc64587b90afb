// What only a whole process can show: a clean stdout, ends, signals, children, speed of the start.
import { spawnSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, runAll, SERVER, sleep, Stdio } from './lib.mjs';
import { isRunning, StuckBench, until } from './stuck_bench.mjs';

const init = (version) => ({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 't', version: '1' } } });
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'helix-mcp-'));
const env = { ...process.env, HELIX_REPORT_DIR: dir };
const fixtures = ['serve', '--conformance-fixtures'];
const call = (id, name, args = {}, meta) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } });
const cancelled = (id) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
// What all of `command` wrote on stdout, and how it ended.
const piped = (command, input) => spawnSync('/bin/sh', ['-c', command], { input, env, timeout: 30_000 });

async function endsWithin(ms, s, what) {
  const start = performance.now();
  const end = await Promise.race([s.exited, sleep(ms)]);
  check(`${what}: ended within ${ms} ms`, end !== undefined);
  check(`${what}: status 0`, end.code === 0, end);
  return performance.now() - start;
}

await runAll({
  'writes nothing before it is asked': async () => {
    const s = new Stdio(['serve'], { env });
    await sleep(1000);
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
    await until('the server is gone', () => !isRunning(pid), 2000);
  },
  'ends within a second when a client hangs up while a call runs': async () => {
    const s = new Stdio(fixtures, { env });
    await s.call(1, 'ping');
    s.send(call(2, 'test_takes_long', { seconds: 30 }));
    await sleep(800);
    s.child.stdin.end();
    await endsWithin(1000, s, 'stdin closed');
  },
  'ends within a second when a client closes both pipes right after a call': async () => {
    const s = new Stdio(fixtures, { env });
    await s.call(1, 'ping');
    s.send(call(2, 'test_takes_long', { seconds: 30 }));
    s.child.stdin.end();
    s.child.stdout.destroy();
    await endsWithin(1000, s, 'both closed');
  },
  'answers all of a conversation that is piped in': async () => {
    const lines = [init('2025-06-18'), call(2, 'test_takes_long', { seconds: 3 }), call(3, 'test_much', { bytes: 500_000 }), { jsonrpc: '2.0', id: 4, method: 'ping' }]
      .map((message) => JSON.stringify(message)).join('\n');
    fs.writeFileSync(path.join(dir, 'lines'), lines);
    for (const command of [`"${SERVER}" ${fixtures.join(' ')} < "${dir}/lines"`, `cat "${dir}/lines" | "${SERVER}" ${fixtures.join(' ')} | (sleep 1; cat)`]) {
      const run = piped(command);
      check('status 0', run.status === 0, run.stderr.toString());
      const ids = run.stdout.toString().trim().split('\n').map((line) => JSON.parse(line).id).sort();
      check('four answers', ids.join() === '1,2,3,4', ids);
    }
  },
  'keeps stdout clean when a tool prints': async () => {
    const s = new Stdio(fixtures, { env });
    const { result } = await s.call('print', 'tools/call', { name: 'test_prints_to_stdout' });
    check('it printed', result.content[0].text.startsWith('printed'), result);
    await s.call(2, 'ping');
    await s.end();
    for (const line of s.lines) check('every line is a message', JSON.parse(line).jsonrpc === '2.0' && !line.includes('forged'), line);
    for (const text of ['printed by a library', 'forged', 'written to descriptor 1']) check(`${text} is on stderr`, s.stderr.includes(text), s.stderr);
  },
  'writes LF alone and no byte order mark, also to a client that sends CRLF': async () => {
    const run = piped(`"${SERVER}" serve`, `${JSON.stringify(init('2025-06-18'))}\r\n\r\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\r\n`);
    check('two answers', run.stdout.toString().trim().split('\n').length === 2, run.stdout.toString());
    check('no CR', !run.stdout.includes(0x0d));
    check('no byte order mark', run.stdout[0] === '{'.charCodeAt(0), run.stdout[0]);
    check('it ends with LF', run.stdout.at(-1) === 0x0a);
  },
  'repairs text that is not UTF-8': async () => {
    const s = new Stdio(fixtures, { env });
    const { result } = await s.call(1, 'tools/call', { name: 'test_broken_text' });
    check('U+FFFD', result.structuredContent.text === 'a\uFFFD(b\uFFFDc', result.structuredContent);
    check('still there', (await s.call(2, 'ping')).result);
    await s.end();
  },
  'survives a reader that leaves before a reply of 5 MB is read': async () => {
    const s = new Stdio(fixtures, { env });
    s.child.stdout.pause();
    s.send(call(1, 'test_much', { bytes: 5_000_000 }));
    await sleep(500);
    s.child.stdout.destroy();
    await endsWithin(1000, s, 'nobody reads');
  },
  'sends no progress after a cancellation, and none after the answer': async () => {
    const s = new Stdio(fixtures, { env });
    s.send(call('c', 'test_takes_long', { seconds: 20 }, { progressToken: 'c' }));
    await sleep(300);
    s.send(cancelled('c'));
    await sleep(300);
    const before = s.lines.length;
    check('there was progress', before > 0);
    s.send(call('d', 'test_tool_with_progress', {}, { progressToken: 0 }));
    await s.answer('d');
    await sleep(500);
    const later = s.lines.slice(before).map((line) => JSON.parse(line));
    check('nothing of the cancelled call', later.every((m) => m.id !== 'c' && m.params?.progressToken !== 'c'), later);
    check('the answer is last', later.at(-1).id === 'd', later);
    await s.end();
  },
  'a bench ends with us, also when we are killed': async () => {
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGHUP']) {
      const bench = new StuckBench();
      const s = new Stdio(['serve'], { env: bench.env });
      s.send(StuckBench.call(1));
      await bench.started();
      s.child.kill(signal);
      await s.exited;
      await bench.gone(signal, 2000);
      bench.remove();
    }
  },
  'a bench ends when the client hangs up': async () => {
    const bench = new StuckBench();
    const s = new Stdio(['serve'], { env: bench.env });
    s.send(StuckBench.call(1));
    await bench.started();
    await sleep(600);
    s.child.stdin.end();
    await endsWithin(1000, s, 'stdin closed');
    await bench.gone('stdin closed', 2000);
    bench.remove();
  },
  'a cancelled bench is over at once, silent, and pings are answered meanwhile': async () => {
    const bench = new StuckBench();
    const s = new Stdio(['serve'], { env: bench.env });
    s.send(StuckBench.call('b'));
    await bench.started();
    const start = performance.now();
    await s.call(2, 'ping');
    check('a ping within 100 ms', performance.now() - start < 100, performance.now() - start);
    s.send(cancelled('b'));
    await bench.gone('cancelled', 1000);
    check('later calls', (await s.call(3, 'ping')).result);
    s.send(cancelled('b'));
    s.send(cancelled('unknown'));
    await sleep(300);
    check('no word about it', s.lines.every((line) => JSON.parse(line).id !== 'b'), s.lines);
    check('the job says so', bench.jobStates().every((job) => job.status === 'cancelled'), bench.jobStates());
    await s.end();
    bench.remove();
  },
  'SIGTERM in a bench leaves nothing unfinished, and the next server tells what became of it': async () => {
    const bench = new StuckBench();
    const s = new Stdio(['serve'], { env: bench.env });
    s.send(StuckBench.call(1, { max_wait_s: 0 }));
    const { result } = await s.answer(1);
    await bench.started();
    s.child.kill('SIGTERM');
    await s.exited;
    await bench.gone('SIGTERM', 2000);
    check('no temporary file, no lock', bench.leftovers().length === 0, bench.leftovers());
    const next = new Stdio(['serve'], { env: bench.env });
    const { job_id } = result.structuredContent;
    const told = await next.call(1, 'tools/call', { name: 'get_job', arguments: { job_id } });
    check('the job is over', ['cancelled', 'lost'].includes(told.result.structuredContent.status), told.result.structuredContent);
    await next.end();
    bench.remove();
  },
  'a call without a progress token answers in the time it names, with a job': async () => {
    const bench = new StuckBench();
    const s = new Stdio(['serve'], { env: bench.env });
    const start = performance.now();
    s.send(StuckBench.call(1, { max_wait_s: 2 }));
    const { result } = await s.answer(1);
    check('within 3 s', performance.now() - start < 3000);
    check('a job', result.structuredContent.status === 'running' && result.structuredContent.job_id, result.structuredContent);
    check('nothing else was sent', s.lines.length === 1, s.lines);
    const tools = (await s.call(2, 'tools/list')).result.tools;
    for (const tool of tools.filter(({ inputSchema }) => inputSchema.properties.max_wait_s)) {
      check(`${tool.name}: 45 s unless told otherwise`, tool.inputSchema.properties.max_wait_s.default === 45);
    }
    s.child.kill();
    await s.exited;
    bench.remove();
  },
  'answers the wire table': async () => {
    const s = new Stdio(['serve'], { env });
    const raw = async (line) => { s.write(line); return JSON.parse((await s.next()) ?? 'null'); };
    const code = async (what, expected, line) => {
      const reply = await raw(line);
      check(`${what}: ${expected}`, (reply?.error?.code ?? reply?.error) === expected && reply.id === null, reply);
    };
    check('a list without a handshake', (await s.call(1, 'tools/list')).result.tools.length > 0);
    const unknown = (await s.call(2, 'tools/call', { name: 'zzz' })).error;
    check('an unknown tool', unknown.code === -32602 && unknown.message.startsWith('Tool zzz not found'), unknown);
    const wrong = (await s.call(3, 'tools/call', { name: 'read_usage', arguments: { reply: 5 } })).result;
    check('an argument of the wrong type', wrong.isError && wrong.content[0].text.includes('reply') && !wrong.structuredContent, wrong);
    check('no arguments are none', (await s.call(4, 'tools/call', { name: 'run_selfcheck' })).result.structuredContent.verdict === 'PASS');
    await code('not JSON', -32700, '{bad\n');
    await code('not UTF-8', -32700, Buffer.from([0xff, 0xfe, 0x0a]));
    await code('an array', -32600, '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n');
    await code('id null', -32600, '{"jsonrpc":"2.0","id":null,"method":"ping"}\n');
    await code('id 1.5', -32600, '{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n');
    s.write('\n\r\n{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\r\n');
    check('a big id comes back as it was', (await s.next()) === '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}', s.lines.at(-1));
    const start = performance.now();
    check('status 0', (await s.end()).code === 0);
    check('ended within 100 ms', performance.now() - start < 100, performance.now() - start);
    check('nothing more was said', s.taken === s.lines.length, s.lines.slice(s.taken));
  },
  'answers discover, then initialize, then lists its tools': async () => {
    const s = new Stdio(['serve'], { env });
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    await s.call('warm', 'ping');
    const start = performance.now();
    const found = await s.call('probe', 'server/discover', { _meta: meta });
    check('within 100 ms', performance.now() - start < 100);
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
