// How busy the rest of the machine was: with other programs running, wall-clock numbers say less.
import { readFileSync } from 'node:fs';

const kTickMs = 10;

function machineMs() {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].split(/\s+/).slice(1, 9).map(Number);
  const total = fields.reduce((a, b) => a + b, 0);
  return { busy: (total - fields[3] - fields[4]) * kTickMs, total: total * kTickMs };
}

// Of this process and of its children that ended.
function ownMs() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 15).map(Number);
  return fields.reduce((a, b) => a + b, 0) * kTickMs;
}

// The share, in percent, of all processors that others took since the call.
export function watchNeighbours() {
  const before = machineMs();
  const own = ownMs();
  return () => {
    const now = machineMs();
    const others = now.busy - before.busy - (ownMs() - own);
    return Math.max(0, others / (now.total - before.total) * 100);
  };
}
