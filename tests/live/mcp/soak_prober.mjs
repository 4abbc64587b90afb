// The worker of soak_test.mjs that measures: one ping every 10 ms on its own connection and in its own thread, so that
// the load client's work does not count as the server's. Posts the sorted times in milliseconds when it is told to end.
import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const socket = net.connect(workerData.port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
const times = [];
let began = 0;
let id = 0;
let timer;
let text = '';

function ping() {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'ping' });
  began = performance.now();
  socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

socket.on('connect', ping);
socket.on('error', (error) => { throw error; });
socket.on('data', (bytes) => {
  text += bytes;
  if (!text.endsWith('}')) return;
  times.push(performance.now() - began);
  if (!text.endsWith(`"id":${id},"result":{}}`)) throw new Error(`not the answer to ${id}: ${text}`);
  text = '';
  timer = setTimeout(ping, 10);
});
parentPort.once('message', () => {
  clearTimeout(timer);
  socket.destroy();
  parentPort.postMessage(times.sort((a, b) => a - b));
});
