// One round of stdio measurements on a fresh process.
import { kEcho, Server } from './server.mjs';

const kPings = 3000;
const kPipelined = 20000;
const kInFlight = 64;

async function pipelined(count, call) {
  const began = performance.now();
  let left = count;
  await Promise.all(Array.from({ length: kInFlight }, async () => {
    while (left-- > 0) await call();
  }));
  return count / ((performance.now() - began) / 1000);
}

async function latencies(count, call) {
  const times = [];
  for (let i = 0; i < count; ++i) {
    const began = performance.now();
    await call();
    times.push((performance.now() - began) * 1000);
  }
  return times.sort((a, b) => a - b);
}

// A start alone: the process is stopped after its handshake.
export async function startUp(command) {
  const server = new Server(command);
  const startMs = await server.handshake();
  const startCpuMs = server.cpuMs();
  await server.stop();
  return { startMs, startCpuMs };
}

// Round trips one at a time, then 64 in flight; `prefix` names the numbers.
async function loadWith(prefix, server, call) {
  await latencies(kPings / 6, call);
  let cpu = server.cpuMs();
  const times = await latencies(kPings, call);
  const result = {
    [`${prefix}CpuUs`]: (server.cpuMs() - cpu) / kPings * 1000,
    [`${prefix}P50Us`]: times[kPings / 2],
    [`${prefix}P99Us`]: times[Math.floor(kPings * 0.99)],
  };
  cpu = server.cpuMs();
  result[`${prefix}PerS`] = await pipelined(kPipelined, call);
  result[`${prefix}PipelinedCpuUs`] = (server.cpuMs() - cpu) / kPipelined * 1000;
  return result;
}

async function echo(server) {
  const reply = await server.call('tools/call', kEcho);
  if (reply.isError) throw new Error(`the tool failed: ${JSON.stringify(reply).slice(0, 300)}`);
}

// Pings at `command`, echo calls at `echoCommand` when it is another one.
export async function load(command, echoCommand, hasTool) {
  const server = new Server(command);
  await server.handshake();
  const result = { idleMib: server.memoryMib('VmRSS') };
  Object.assign(result, await loadWith('ping', server, () => server.call('ping')));
  if (hasTool && !echoCommand) Object.assign(result, await loadWith('echo', server, () => echo(server)));
  result.loadedMib = server.memoryMib('VmRSS');
  result.threads = server.threads();
  const end = await server.stop();
  result.stopMs = end.ms;
  result.cleanStop = end.code === 0 ? 1 : 0;
  if (!echoCommand) return result;
  const other = new Server(echoCommand);
  await other.handshake();
  Object.assign(result, await loadWith('echo', other, () => echo(other)));
  await other.stop();
  return result;
}
