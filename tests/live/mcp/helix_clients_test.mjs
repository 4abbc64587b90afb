// Replicas of two clients that read the protocol in their own way.
//  HelixAgent: stdio, 2024-11-05, a scanner with 64 KiB a line, the next line is the answer, serverInfo is a map of
//              strings, only content[].text counts; over HTTP it accepts JSON alone and echoes no session.
//  HelixCode:  2024-11-05, string ids, over HTTP no Accept header at all, and every body must be JSON: an empty 202
//              ends its receive loop.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, post, runAll, serveHttp, Stdio } from './lib.mjs';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'helix-mcp-'));
const env = { ...process.env, HELIX_REPORT_DIR: dir, HELIX_LLM_LOCAL_OPENAI_ENDPOINT: 'http://127.0.0.1:9' };
const initialize = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'helixagent', version: '1' } };

// The arguments that a schema cannot do without, of the simplest kind.
function simplest(schema) {
  const made = {};
  for (const name of schema.required ?? []) {
    const type = [schema.properties[name].type].flat()[0];
    made[name] = { string: 'x', integer: 1, number: 1, boolean: false, array: [], object: {} }[type];
  }
  return made;
}

function onlyStrings(info) {
  check('serverInfo is a map of strings', Object.values(info).every((value) => typeof value === 'string'), info);
}

async function nextIsTheAnswer(s, id, method, params) {
  s.send({ jsonrpc: '2.0', id, method, params });
  const line = await s.next(60000);
  check(`${method} is answered`, line !== undefined);
  check(`${method} fits the scanner`, Buffer.byteLength(line) < 65536, Buffer.byteLength(line));
  const message = JSON.parse(line);
  check(`${method}: the next line is the answer`, message.id === id, message);
  return message;
}

await runAll({
  'HelixAgent over stdio drives every tool': async () => {
    const s = new Stdio(['serve'], { env });
    onlyStrings((await nextIsTheAnswer(s, 1, 'initialize', initialize)).result.serverInfo);
    s.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { tools } = (await nextIsTheAnswer(s, 2, 'tools/list', {})).result;
    check('there are tools', tools.length > 0);
    let id = 3;
    for (const tool of tools) {
      const { result } = await nextIsTheAnswer(s, id++, 'tools/call', { name: tool.name, arguments: simplest(tool.inputSchema) });
      check(`${tool.name} has a text`, typeof result?.content?.[0]?.text === 'string', result);
    }
    await s.end();
    check('no line came unasked', s.lines.length === s.taken, s.lines.slice(s.taken));
  },
  'HelixAgent over HTTP takes JSON alone': async () => {
    const server = await serveHttp([], env);
    for (const [method, params] of [['initialize', initialize], ['tools/list', {}]]) {
      const reply = await post(server.url, { jsonrpc: '2.0', id: 1, method, params }, { accept: 'application/json' });
      check(`${method} is one JSON document`, reply.status === 200 && JSON.parse(reply.text).id === 1, reply);
    }
    await server.stop();
  },
  'HelixCode over HTTP needs JSON in every body': async () => {
    const server = await serveHttp([], env);
    const say = async (message) => JSON.parse((await post(server.url, message, { accept: undefined })).text);
    onlyStrings((await say({ jsonrpc: '2.0', id: 'rpc-1', method: 'initialize', params: initialize })).result.serverInfo);
    await say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { tools } = (await say({ jsonrpc: '2.0', id: 'rpc-2', method: 'tools/list', params: {} })).result;
    let id = 3;
    for (const tool of tools) {
      const reply = await say({ jsonrpc: '2.0', id: `rpc-${id}`, method: 'tools/call', params: { name: tool.name, arguments: simplest(tool.inputSchema) } });
      check(`${tool.name} answers its own id`, reply.id === `rpc-${id++}` && reply.result?.content, reply);
    }
    await server.stop();
  },
});
fs.rmSync(dir, { recursive: true, force: true });
