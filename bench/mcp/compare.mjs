// helix-perf-cache beside servers with one echo tool on npm @modelcontextprotocol/sdk and @modelcontextprotocol/server,
// and beside canned replies: start, round trip, throughput, memory, CPU and stop, on stdio and HTTP. Rounds are
// interleaved so that a busy machine treats all alike; printed are medians over rounds. Takes about three minutes; exit
// status 1 when a goal is missed. Linux only (/proc).
//   node bench/mcp/compare.mjs build/release/bin $(scripts/get-npm @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/node@2.1.2)
// (@modelcontextprotocol/node is the HTTP side of @modelcontextprotocol/server and brings 2.4.0 of it.)
import { cpus } from 'node:os';

import { httpLoad } from './http_round.mjs';
import { watchNeighbours } from './neighbours.mjs';
import { CANNED, OURS, servers } from './peers.mjs';
import { load, startUp } from './stdio_round.mjs';
import { goals, table } from './verdict.mjs';

const kStartRounds = 15;
const kLoadRounds = 3;
const kHttpRounds = 3;

const [bin, sdk, server, quick] = process.argv.slice(2);
if (!bin || !sdk || !server) {
  console.error('usage: node compare.mjs FOLDER_OF_PROGRAMS NODE_MODULES_WITH_SDK NODE_MODULES_WITH_SERVER [quick]');
  process.exit(2);
}
const compared = servers(bin, sdk, server);
const seen = Object.fromEntries(Object.keys(compared).map(name => [name, {}]));
const keep = (name, numbers) => {
  for (const [key, value] of Object.entries(numbers)) (seen[name][key] ??= []).push(value);
};

async function measure() {
  const rounds = n => (quick ? Math.ceil(n / 5) : n);
  const all = Object.entries(compared);
  for (let round = 0; round < rounds(kStartRounds); ++round) {
    for (const [name, { stdio }] of all) keep(name, await startUp(stdio));
  }
  for (let round = 0; round < rounds(kLoadRounds); ++round) {
    for (const [name, { stdio, echoStdio }] of all) keep(name, await load(stdio, echoStdio, name !== CANNED));
  }
  for (let round = 0; round < rounds(kHttpRounds); ++round) {
    for (const [name, { http, echoHttp }] of all) keep(name, await httpLoad(http, echoHttp, name !== CANNED));
  }
}

const others = watchNeighbours();
await measure();
console.log(`${cpus().length} processors, ${cpus()[0].model}, node ${process.version}; others took ${others().toFixed(0)} % of the machine\n`);
console.log(table(seen));
const results = goals(seen, OURS, CANNED);
for (const { text, value, met } of results) console.log(`goal ${text}: ${value} ${met ? 'met' : 'MISSED'}`);
process.exitCode = results.every(({ met }) => met) ? 0 : 1;
