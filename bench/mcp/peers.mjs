// The servers that are measured. Each has a command for stdio and one for HTTP that ends with HOST:PORT.
import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('peers', import.meta.url));

// An import is looked up from where the importing file lies, so a copy goes beside the packages.
function placed(name, modules) {
  const path = join(dirname(modules), name);
  copyFileSync(join(folder, name), path);
  return [process.execPath, path];
}

function peer(name, file, version, modules) {
  const found = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
  if (found !== version) throw new Error(`${modules} holds ${name} ${found}, not ${version}`);
  return { stdio: placed(`${file}_stdio.mjs`, modules), http: placed(`${file}_http.mjs`, modules) };
}

export const OURS = 'helix-perf-cache';
export const CANNED = 'canned replies';

// `echo` is the command of a server with an echo tool where it is another one: ours has no such tool of its own, so
// the tool is called in the mode of the conformance suite, which differs from the other in its catalog alone.
export function servers(bin, sdk, server) {
  const ours = [`${bin}/helix-perf-cache`, 'serve'];
  const echo = [...ours, '--conformance-fixtures'];
  const canned = `${bin}/bench_canned_peer`;
  return {
    [OURS]: { stdio: ours, http: [...ours, '--http'], echoStdio: echo, echoHttp: [...echo, '--http'] },
    'sdk 1.32.2': peer('@modelcontextprotocol/sdk', 'sdk', '1.32.2', sdk),
    'server 2.4.0': peer('@modelcontextprotocol/server', 'server', '2.4.0', server),
    [CANNED]: { stdio: [canned], http: [canned] },
  };
}
