// The peer of sse_parser_bench.cc on the same stream: npm eventsource-parser.
//   node bench/net/sse_parser_peer.mjs "$(scripts/get-npm eventsource-parser@4.1.3)"
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2];
const entry = createRequire(`${folder}/x.js`).resolve('eventsource-parser');
const { createParser } = await import(pathToFileURL(entry));

const events = 2000;
let text = '';
for (let i = 0; i < events; ++i) {
  text += `data: {"index":0,"content":"x","tokens":[123],"stop":false,"id_slot":0,"tokens_predicted":${i},"tokens_evaluated":1088}\n\n`;
}

function once(piece) {
  let seen = 0;
  const parser = createParser({ onEvent: () => ++seen });
  for (let at = 0; at < text.length; at += piece) parser.feed(text.slice(at, at + piece));
  if (seen !== events) throw new Error(`${seen} events instead of ${events}`);
}

for (const piece of [1, 128, 1460, 65536]) {
  for (let i = 0; i < 20; ++i) once(piece);
  const start = process.cpuUsage();
  let runs = 0;
  while (process.cpuUsage(start).user < 1e6) {
    once(piece);
    ++runs;
  }
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  console.log(`eventsource-parser/bytes:${piece}  ${((runs * text.length) / seconds / 2 ** 20).toFixed(1)} MiB/s of CPU time, ` +
    `${((runs * events) / seconds / 1e6).toFixed(2)} M events/s`);
}
