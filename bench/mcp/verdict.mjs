// Medians of what was seen as a table, and which goals they meet.
export function median(values) {
  const sorted = [...(values ?? [])].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;  // NaN when not measured
}

const kRows = [
  ['start to answered initialize, ms', 'startMs', 1], ['  CPU until then, ms', 'startCpuMs', 1],
  ['ping over stdio, p50, us', 'pingP50Us', 1], ['ping over stdio, p99, us', 'pingP99Us', 1],
  ['  server CPU a ping, us', 'pingCpuUs', 1],
  ['echo call over stdio, p50, us', 'echoP50Us', 1], ['echo call over stdio, p99, us', 'echoP99Us', 1],
  ['  server CPU an echo call, us', 'echoCpuUs', 1],
  ['pings/s, 64 in flight', 'pingPerS', 0], ['  server CPU a ping, us', 'pingPipelinedCpuUs', 1],
  ['echo calls/s, 64 in flight', 'echoPerS', 0], ['  server CPU an echo call, us', 'echoPipelinedCpuUs', 1],
  ['resident idle, MiB', 'idleMib', 1], ['resident after load, MiB', 'loadedMib', 1], ['threads after load', 'threads', 0],
  ['stop on end of input, ms', 'stopMs', 1],
  ...['Ping', 'Echo'].flatMap(what => [
    ...[1, 16, 64].map(n => [`HTTP ${what.toLowerCase()}s/s, ${n} client${n > 1 ? 's' : ''}`, `http${what}${n}PerS`, 0]),
    ['  server CPU a call, 64 clients, us', `http${what}64CpuUs`, 1],
    [`64 HTTP clients opened, ${what.toLowerCase()}, ms`, `http${what}Open64Ms`, 1],
  ]),
  ['resident idle, HTTP, MiB', 'httpIdleMib', 1], ['resident after HTTP load, MiB', 'httpLoadedMib', 1],
  ['stop on SIGTERM, ms', 'httpStopMs', 1],
];

export function table(seen) {
  const names = Object.keys(seen);
  const cell = (name, [, key, digits]) => (seen[name][key] ? median(seen[name][key]).toFixed(digits) : '');
  return [['', ...names], names.concat('').map(() => '---'), ...kRows.map(row => [row[0].replace(/^ +/, '- '), ...names.map(name => cell(name, row))])]
    .map(cells => `| ${cells.join(' | ')} |`).join('\n') + '\n';
}

// Every goal is held against the better of the two packages.
export function goals(seen, ours, canned) {
  const peers = Object.keys(seen).filter(name => name !== ours && name !== canned);
  const mine = key => median(seen[ours][key]);
  const least = key => Math.min(...peers.map(name => median(seen[name][key])));
  const most = key => Math.max(...peers.map(name => median(seen[name][key])));
  const results = [];
  const goal = (text, value, met) => results.push({ text, value, met });
  const atLeast = (text, value, bound) => goal(text, value.toFixed(value < 100 ? 1 : 0), value >= bound);
  const atMost = (text, value, bound) => goal(text, value.toFixed(2), value <= bound);

  // Other programs stretch the clock of the short start more than that of a long one; CPU time shows what it costs.
  const [clock, cpu] = ['startMs', 'startCpuMs'].map(key => least(key) / mine(key));
  goal('start at least 15 times faster', `${clock.toFixed(1)} (CPU time: ${cpu.toFixed(1)})`, clock >= 15);
  atMost('ping p50 over stdio within 1.5 times canned replies', mine('pingP50Us') / median(seen[canned].pingP50Us), 1.5);
  atMost('echo p50 over stdio within 1.5 times canned replies', mine('echoP50Us') / median(seen[canned].pingP50Us), 1.5);
  atLeast('at least 40,000 pipelined pings/s', mine('pingPerS'), 40000);
  atLeast('at least 40,000 pipelined echo calls/s', mine('echoPerS'), 40000);
  for (const what of ['Ping', 'Echo']) {
    for (const n of [1, 16, 64]) {
      const key = `http${what}${n}PerS`;
      atLeast(`HTTP ${what.toLowerCase()}s/s at least 5 times theirs, ${n} client${n > 1 ? 's' : ''}`, mine(key) / most(key), 5);
    }
    atMost(`64 HTTP clients open below 60 ms (${what.toLowerCase()})`, mine(`http${what}Open64Ms`), 60);
  }
  for (const key of ['idleMib', 'loadedMib', 'httpIdleMib', 'httpLoadedMib']) {
    atMost(`memory at most an eighth (${key})`, mine(key) / least(key), 1 / 8);
  }
  const slowest = Math.max(...seen[ours].stopMs, ...seen[ours].httpStopMs);
  goal('every stop below 100 ms', `${slowest.toFixed(1)} ms at most`, slowest < 100);
  const unclean = [...seen[ours].cleanStop, ...seen[ours].httpCleanStop].filter(clean => !clean).length;
  goal('every stop clean, status 0', `${unclean} were not`, unclean === 0);
  return results;
}
