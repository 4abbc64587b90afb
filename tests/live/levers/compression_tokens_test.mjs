// compression_tokens_test.mjs PROGRAM: six shapes of tool output through compress-prompt, their tokens counted with npm's
// gpt-tokenizer (o200k_base). These counts are an ESTIMATE for any other model: only a provider's usage counts for real.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { check, runAll } from '../mcp/lib.mjs';

const [program] = process.argv.slice(2);
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const got = spawnSync(path.join(root, 'scripts/get-npm'), ['gpt-tokenizer@4.0.0'], { encoding: 'utf8' });
if (got.status !== 0) { console.log('skip: npm could not install gpt-tokenizer'); process.exit(77); }
const { countTokens } = createRequire(path.join(got.stdout.trim(), 'x.js'))('gpt-tokenizer/encoding/o200k_base');

const rows = Array.from({ length: 120 }, (_, i) => ({ id: 1000 + i, name: `service-${i % 7}`, region: 'eu-west', healthy: i % 9 !== 0, latency_ms: 10.5 + (i % 13) }));
const log = Array.from({ length: 400 }, (_, i) => {
  const time = `2026-12-01T06:${10 + Math.floor(i / 60)}:${10 + (i % 50)}Z`;
  return i === 200 ? `${time} ERROR worker 7 failed: disk /dev/sdb1 is full` : `${time} INFO request ${5000 + i} served in ${20 + (i % 5)} ms`;
}).join('\n') + '\n';
const progress = `Downloading model\n${Array.from({ length: 61 }, (_, i) => `\r\x1b[32m[${'#'.repeat(i)}${'.'.repeat(60 - i)}]\x1b[0m ${Math.floor(i * 100 / 60)}%`).join('')}\nDone in 12 s\n`;
const base64 = `image: ${Buffer.from(Array.from({ length: 6144 }, (_, i) => (i * 197 + (i >> 3) * 31) % 256)).toString('base64')}\nwidth 640\n`;
const prose = Array.from({ length: 40 }, (_, i) => `The committee met in hall ${i} and the talk was long.   \n\n\n\nThe harbor is not safe in winter.\t\n\n\n`).join('');
const file = Array.from({ length: 60 }, (_, i) => `int Function${i}(int x) {\n  return x + ${i};\n}\n`).join('\n');

// name, text, least cut expected, texts that must survive.
const SHAPES = [
  ['uniform JSON rows, pretty', JSON.stringify(rows, null, 2), 0.5, ['service-3', '1119', 'eu-west']],
  ['nested JSON, pretty', JSON.stringify({ a: { b: Array.from({ length: 30 }, (_, i) => ({ k: { v: [i, i + 1] } })) } }, null, 2), 0.3, ['29']],
  ['log of 400 lines', log, 0.8, ['ERROR worker 7 failed: disk /dev/sdb1 is full', 'request 5399']],
  ['progress bar with ANSI', progress, 0.9, ['100%', 'Done in 12 s']],
  ['8 KB of base64', base64, 0.9, ['width 640']],
  ['prose with blank runs', prose, 0.05, ['hall 39', 'not safe']],
];

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'helix-levers-'));
function compress(text, more = []) {
  const input = path.join(dir, 'input');
  fs.writeFileSync(input, text);
  const run = spawnSync(program, ['compress-prompt', input, '--json', ...more], { encoding: 'utf8', maxBuffer: 1 << 28 });
  check(`compress-prompt answers (${run.stderr.slice(0, 200)})`, run.status === 0, run.stdout.slice(0, 200));
  return JSON.parse(run.stdout);
}

// A loop whose tool gives `output(i)` in turn i.
const conversation = (turns, output) => JSON.stringify({ model: 'claude-sonnet-4-6', system: prose, messages: [{ role: 'user', content: 'Look.' },
  ...Array.from({ length: turns }, (_, i) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${i}`, name: 'read', input: { n: i } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${i}`, content: output(i) }] }]).flat()] });
const priced = ['--price-provider', 'anthropic', '--price-model', 'claude-sonnet-4-6'];

const checks = {};
for (const [name, text, least, needles] of SHAPES) {
  checks[name] = () => {
    const result = compress(text, ['--args', JSON.stringify({ needles })]);
    const before = countTokens(text);
    const after = countTokens(result.output);
    const cut = 1 - after / before;
    console.log(`     ${name}: ${before} -> ${after} tokens, ${(100 * cut).toFixed(1)} % less (o200k_base, an estimate); ${result.block.applied.join(', ')}`);
    check(`cuts at least ${least}`, cut >= least, { before, after });
    check('the counter is named an estimate', /^estimate/.test(result.counter), result.counter);
    for (const gate of ['no_new_facts', 'error_lines_kept', 'negations_kept', 'planted_facts_kept']) check(gate, result.gates[gate] === true, result.gates);
    if (result.block.lossless) check('facts_kept', result.gates.facts_kept === true, result.gates);
    for (const gate of ['exact_answers', 'tool_call_equality']) check(`${gate} is not applicable`, /^not_applicable/.test(result.gates[gate]), result.gates);
    check('same block, same bytes', compress(text).output === result.output);
  };
}
checks['a file read three times becomes one and two references'] = () => {
  const body = conversation(3, () => file);
  const result = compress(body);
  const [before, after] = [countTokens(body), countTokens(result.output)];
  console.log(`     same file 3x: ${before} -> ${after} tokens, ${(100 * (1 - after / before)).toFixed(1)} % less (o200k_base, an estimate)`);
  check('cut', after < 0.6 * before, { before, after });
  check('tool calls are equal', result.structure.tool_calls_equal === true, result.structure);
};
checks['code is left alone'] = () => check('same bytes', compress(file).output === file);
checks['the negative control is dearer than plain caching'] = () => {
  const { arms } = compress(conversation(20, (i) => `${prose}${i}`), priced);
  console.log(`     20 turns: cached $${arms.cached}, compressed on entry $${arms.compressed_cached}, history again every turn $${arms.recompressed_history}`);
  check('dearer', Number(arms.recompressed_history) > Number(arms.cached) && arms.control_is_dearer, arms);
};
checks['no token ratio is headlined when the cached cost rose'] = () => {
  const result = compress(conversation(12, (i) => JSON.stringify(rows.slice(0, 60 + i), null, 2)), [...priced, '--overhead-tokens', '50000']);
  check('fewer tokens', result.arms.tokens.new_after < result.arms.tokens.new_before, result.arms.tokens);
  check('no saving is claimed', result.headline.startsWith('No saving') && !result.headline.includes('%'), result.headline);
};
await runAll(checks);
fs.rmSync(dir, { recursive: true, force: true });
