// helix-perf-cache beside an echo server on npm @modelcontextprotocol/sdk and beside canned replies: start, round
// trip, throughput, memory and stop. Rounds are interleaved so that a busy machine treats all alike; printed are
// medians over rounds. Takes about a minute; exit status 1 when a goal is missed. Linux only (/proc).
//   node bench/mcp/compare.mjs build/release/bin "$(scripts/get-npm @modelcontextprotocol/sdk@1.32.2)"
import { fileURLToPath } from 'node:url';

import { httpLoad } from './http_round.mjs';
import { load, startUp } from './stdio_round.mjs';

const kStartRounds = 15;
const kLoadRounds = 5;
const kHttpRounds = 3;

const [bin, modules] = process.argv.slice(2);
if (!bin || !modules) {
  console.error('usage: node compare.mjs FOLDER_OF_PROGRAMS NODE_MODULES_WITH_THE_SDK');
  process.exit(2);
}
const reply = JSON.stringify({ usage: { input_tokens: 10, cache_read_input_tokens: 2048, output_tokens: 32 } });
const ours = 'helix-perf-cache';
const sdk = 'sdk echo';
const canned = 'canned';
const servers = {
  [ours]: {
    command: [`${bin}/helix-perf-cache`, 'serve'],
    tool: { name: 'read_usage', arguments: { reply, provider: 'anthropic' } },
  },
  [sdk]: {
    command: [process.execPath, fileURLToPath(new URL('echo_peer.mjs', import.meta.url)), modules],
    tool: { name: 'echo', arguments: { text: reply } },
  },
  [canned]: { command: [`${bin}/bench_canned_peer`] },
};

const seen = Object.fromEntries(Object.keys(servers).map(name => [name, {}]));
const keep = (name, numbers) => {
  for (const [key, value] of Object.entries(numbers)) (seen[name][key] ??= []).push(value);
};
const median = (name, key) => {
  const sorted = [...(seen[name][key] ?? [])].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;  // NaN when not measured
};

async function measure() {
  for (let round = 0; round < kStartRounds; ++round) {
    for (const [name, { command }] of Object.entries(servers)) keep(name, await startUp(command));
  }
  for (let round = 0; round < kLoadRounds; ++round) {
    for (const [name, { command, tool }] of Object.entries(servers)) keep(name, await load(command, tool));
  }
  for (let round = 0; round < kHttpRounds; ++round) {
    keep(ours, await httpLoad([...servers[ours].command, '--http']));
  }
}

const kRows = [
  ['start to answered initialize, ms', 'startMs', 2], ['  CPU until then, ms', 'startCpuMs', 2],
  ['ping round trip p50, us', 'pingP50Us', 1], ['ping round trip p99, us', 'pingP99Us', 1],
  ['  server CPU a ping, us', 'pingCpuUs', 1], ['pings/s, 64 in flight', 'pingsPerS', 0],
  ['tool calls/s, 64 in flight', 'toolCallsPerS', 0], ['  server CPU a tool call, us', 'toolCpuUs', 1],
  ['memory idle, MiB', 'idleMib', 1], ['memory after load, MiB', 'loadedMib', 1], ['memory peak, MiB', 'peakMib', 1],
  ['stop on end of input, ms', 'stopMs', 1],
  ['HTTP pings/s, 1 client', 'http1PerS', 0], ['HTTP pings/s, 16 clients', 'http16PerS', 0],
  ['HTTP pings/s, 64 clients', 'http64PerS', 0], ['opening 64 HTTP clients, ms', 'open64Ms', 1],
  ['memory after HTTP load, MiB', 'httpLoadedMib', 1], ['stop on SIGTERM, ms', 'httpStopMs', 1],
];

function print() {
  const cell = (name, [, key, digits]) => (seen[name][key] ? median(name, key).toFixed(digits) : '-').padStart(18);
  console.log(''.padEnd(36) + Object.keys(servers).map(name => name.padStart(18)).join(''));
  for (const row of kRows) {
    console.log(row[0].padEnd(36) + Object.keys(servers).map(name => cell(name, row)).join(''));
  }
}

// Prints what was asked for and what was measured; true when it is met.
function goal(text, value, met) {
  console.log(`goal ${text}: ${value} ${met ? 'met' : 'MISSED'}`);
  return met;
}

await measure();
print();
const faster = median(sdk, 'startMs') / median(ours, 'startMs');
const fasterCpu = median(sdk, 'startCpuMs') / median(ours, 'startCpuMs');
const slower = median(ours, 'pingP50Us') / median(canned, 'pingP50Us');
const memory = Math.max(...seen[ours].loadedMib, ...seen[ours].httpLoadedMib);
const unclean = [...seen[ours].cleanStop, ...seen[ours].httpCleanStop].filter(clean => !clean).length;
const results = [
  goal('start at least 15 times faster than the sdk', `${faster.toFixed(1)} (CPU time: ${fasterCpu.toFixed(1)})`, faster >= 15),
  goal('memory after load below 20 MiB in every round', `${memory.toFixed(1)} MiB`, memory < 20),
  goal('ping p50 within 1.5 times canned replies', slower.toFixed(2), slower <= 1.5),
  goal('every stop clean, status 0', `${unclean} were not`, unclean === 0),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
