// A benchmark that hangs: its server is a fake that never becomes ready. For tests of what becomes of its processes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, sleep } from './lib.mjs';

const fake = fileURLToPath(new URL('../../fakes/never_ready_server.sh', import.meta.url));

export const isRunning = (pid) => {
  try { return !fs.readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '); } catch { return false; }
};

export async function until(what, condition, ms = 5000) {
  const end = Date.now() + ms;
  while (!condition()) {
    check(`${what} within ${ms} ms`, Date.now() < end);
    await sleep(20);
  }
}

export class StuckBench {
  constructor() {
    this.dir = fs.mkdtempSync(path.join(os.tmpdir(), 'helix-stuck-'));
    fs.copyFileSync(fake, path.join(this.dir, 'server.sh'));
    this.env = { ...process.env, HELIX_REPORT_DIR: path.join(this.dir, 'reports'), HELIX_LLAMA_SERVER: path.join(this.dir, 'server.sh'),
      TMPDIR: path.join(this.dir, 'tmp') };
    fs.mkdirSync(this.env.TMPDIR);
  }
  // Arguments of a call that outlasts every test.
  static call(id, extra = {}, meta) {
    return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'bench_track_a', arguments: { managed: true, max_wait_s: 100, ...extra }, ...(meta && { _meta: meta }) } };
  }
  pids() {
    try { return fs.readFileSync(path.join(this.dir, 'pids'), 'utf8').trim().split('\n').map(Number); } catch { return []; }
  }
  async started() {
    await until('the server is started', () => this.pids().length >= 2, 20_000);
    check('it runs', this.pids().every(isRunning), this.pids());
    return this.pids();
  }
  async gone(what, ms) {
    await until(`${what}: no process of the bench is left`, () => !this.pids().some(isRunning), ms);
  }
  jobStates() {
    const folder = path.join(this.env.HELIX_REPORT_DIR, 'jobs');
    if (!fs.existsSync(folder)) return [];
    return fs.readdirSync(folder).map((id) => JSON.parse(fs.readFileSync(path.join(folder, id, 'state.json'), 'utf8')));
  }
  // Files that nobody will finish: temporary ones of an interrupted write, locks.
  leftovers() {
    return fs.readdirSync(this.dir, { recursive: true }).filter((name) => /\.(tmp|lock|part)|~$|^tmp\/./.test(name));
  }
  remove() { fs.rmSync(this.dir, { recursive: true, force: true }); }
}
