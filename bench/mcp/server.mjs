// One MCP server as a child process: line-wise JSON-RPC over its pipes, and its memory and CPU time from /proc.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const kAnswerTimeoutMs = 20000;
export const kEcho = { name: 'echo', arguments: { text: 'hello' } };
export const kInitialize = {
  protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' },
};

export class Server {
  #waiting = new Map();
  #rest = '';
  #next = 0;

  constructor([file, ...args]) {
    this.started = performance.now();
    this.child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.gone = new Promise(resolve => this.child.once('exit', (code, signal) => resolve({ code, signal })));
    this.child.once('error', error => this.#failAll(`${file} did not start: ${error.message}`));
    this.gone.then(({ code, signal }) => this.#failAll(`${file} ended early (code ${code}, signal ${signal})`));
    this.child.stdin.on('error', () => {});  // a server that is gone is reported by #failAll
    this.child.stdout.setEncoding('utf8').on('data', text => this.#take(text));
  }

  #take(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) {
      const reply = JSON.parse(line);
      const waiter = this.#waiting.get(reply.id);
      if (!waiter) continue;
      this.#waiting.delete(reply.id);
      if (reply.result === undefined) waiter.reject(new Error(`error reply: ${line}`));
      else waiter.resolve(reply.result);
    }
  }

  #failAll(why) {
    for (const waiter of this.#waiting.values()) waiter.reject(new Error(why));
    this.#waiting.clear();
  }

  call(method, params) {
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  // Milliseconds from the start of the process to its answered `initialize`.
  async handshake() {
    const timer = setTimeout(() => this.#failAll('no answer to initialize'), kAnswerTimeoutMs);
    await this.call('initialize', kInitialize);
    clearTimeout(timer);
    const took = performance.now() - this.started;
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return took;
  }

  // User and system time of all live threads, in milliseconds.
  cpuMs() {
    const tasks = `/proc/${this.child.pid}/task`;
    return readdirSync(tasks)
      .reduce((sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e6;
  }

  threads() { return readdirSync(`/proc/${this.child.pid}/task`).length; }

  // The field of /proc/PID/status in MiB: VmRSS is resident now, VmHWM the most it ever was.
  memoryMib(field) {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1024;
  }

  // Closes the server's input, or sends the signal; resolves to how it ended. Kills it after three seconds.
  async stop(signal) {
    const began = performance.now();
    if (signal) this.child.kill(signal);
    else this.child.stdin.end();
    const hard = setTimeout(() => this.child.kill('SIGKILL'), 3000);
    const end = await this.gone;
    clearTimeout(hard);
    return { ...end, ms: performance.now() - began };
  }
}
