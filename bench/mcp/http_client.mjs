// One keep-alive connection with one request in flight, on a bare socket: node's own HTTP client costs more than the
// servers that are measured.
import { connect } from 'node:net';

const kTimeoutMs = 20000;

function isWhole(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head));
  return length ? text.length >= head + 4 + Number(length[1]) : text.endsWith('\r\n0\r\n\r\n');
}

export class HttpClient {
  #text = '';
  #waiter;

  static open(port) {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.off('error', reject);
        resolve(new HttpClient(socket));
      });
      socket.once('error', reject);
    });
  }

  constructor(socket) {
    this.socket = socket.setNoDelay(true).setTimeout(kTimeoutMs, () => socket.destroy());
    socket.setEncoding('latin1').on('data', text => this.#take(text));
    socket.on('error', () => {}).on('close', () => this.#fail('the connection was closed before an answer'));
  }

  #take(text) {
    this.#text += text;
    if (!this.#waiter || !isWhole(this.#text)) return;
    const reply = this.#text;
    const { resolve } = this.#waiter;
    this.#text = '';
    this.#waiter = undefined;
    if (reply.startsWith('HTTP/1.1 200') && reply.includes('"result"') && !reply.includes('"isError":true')) resolve(reply);
    else this.#waiterFailed(`unexpected answer: ${reply.slice(0, 400)}`, resolve);
  }

  #waiterFailed(why, resolve) { resolve(Promise.reject(Object.assign(new Error(why), { refused: true }))); }

  #fail(why) {
    this.#waiter?.reject(new Error(why));
    this.#waiter = undefined;
  }

  // `request` is a whole HTTP request; resolves to the whole response when it is a result.
  say(request) {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      this.socket.write(request);
    });
  }

  close() { this.socket.destroy(); }
}

export function postText(port, body, session) {
  return `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    'Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n' +
    `${session ? `Mcp-Session-Id: ${session}\r\n` : ''}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
