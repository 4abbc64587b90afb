// One round of stdio measurements on a fresh process.
import { Server } from './server.mjs';

const kPings = 2000;
const kPipelined = 4000;
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

// `tool` is {name, arguments}, or undefined for a server without tools. Its calls are the load before memory is read.
export async function load(command, tool) {
  const server = new Server(command);
  await server.handshake();
  const result = { idleMib: server.memoryMib('VmRSS') };
  const ping = () => server.call('ping');
  await latencies(kPings / 4, ping);
  const cpu = server.cpuMs();
  const times = await latencies(kPings, ping);
  result.pingCpuUs = (server.cpuMs() - cpu) / kPings * 1000;
  result.pingP50Us = times[kPings / 2];
  result.pingP99Us = times[Math.floor(kPings * 0.99)];
  result.pingsPerS = await pipelined(kPipelined, ping);
  if (tool) {
    const cpuBefore = server.cpuMs();
    result.toolCallsPerS = await pipelined(kPipelined, async () => {
      const reply = await server.call('tools/call', tool);
      if (reply.isError) throw new Error(`the tool failed: ${JSON.stringify(reply).slice(0, 300)}`);
    });
    result.toolCpuUs = (server.cpuMs() - cpuBefore) / kPipelined * 1000;
  }
  result.loadedMib = server.memoryMib('VmRSS');
  result.peakMib = server.memoryMib('VmHWM');
  const end = await server.stop();
  result.stopMs = end.ms;
  result.cleanStop = end.code === 0 ? 1 : 0;
  return result;
}
