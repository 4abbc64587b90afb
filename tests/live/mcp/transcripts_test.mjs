// transcripts_test.mjs SERVER [--update]: plays testdata/transcripts/*.txt. Lines that start with "> " are written to the
// server (> EOF ends its input), lines that start with "< " are what it must answer, in order; --update writes what it does answer.
// The program's version stands as VERSION.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, runAll, Stdio } from './lib.mjs';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../testdata/transcripts');
const update = process.argv.includes('--update');
const checks = {};
for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
  checks[name] = async () => {
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, 'utf8');
    const server = new Stdio(['serve', '--conformance-fixtures']);
    const made = [];
    const answers = async (count) => {
      for (let i = 0; i < count; ++i) {
        const line = await server.next(5000);
        if (line === undefined) return;
        made.push(`< ${line.replaceAll(/("version":")[^"]*"/g, '$1VERSION"')}`);
      }
    };
    const lines = text.split('\n');
    for (let i = 0; i < lines.length; ++i) {
      if (lines[i].startsWith('< ')) continue;
      made.push(lines[i]);
      if (!lines[i].startsWith('> ')) continue;
      if (lines[i] === '> EOF') await server.end();
      else server.write(`${lines[i].slice(2)}\n`);
      let expected = 0;
      while (lines[i + 1 + expected]?.startsWith('< ')) ++expected;
      if (update) {
        let line;
        while ((line = await server.next(400)) !== undefined) made.push(`< ${line.replaceAll(/("version":")[^"]*"/g, '$1VERSION"')}`);
      } else {
        await answers(expected);
      }
    }
    await server.end();
    if (!update) server.lines.slice(server.taken).forEach((line) => made.push(`< unexpected ${line}`));
    if (update) fs.writeFileSync(file, made.join('\n'));
    const at = made.findIndex((line, i) => line !== lines[i]);
    if (!update) check(`${name} as recorded`, at < 0 && made.length === lines.length, { line: at + 1, expected: lines[at], saw: made[at] });
  };
}
check('there are transcripts', Object.keys(checks).length > 0);
await runAll(checks);
