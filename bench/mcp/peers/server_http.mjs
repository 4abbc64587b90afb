// One echo tool on npm @modelcontextprotocol/server over Streamable HTTP as its documentation shows: without sessions,
// Host and Origin checked. server_http.mjs HOST:PORT
import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const inputSchema = z.object({ text: z.string() });
const handle = toNodeHandler(createMcpHandler(() => {
  const server = new McpServer({ name: 'echo', version: '0' });
  server.registerTool('echo', { description: 'Returns its text', inputSchema },
    async ({ text }) => ({ content: [{ type: 'text', text }] }));
  return server;
}));
const hostIsLocal = localhostHostValidation();
const originIsLocal = localhostOriginValidation();
const [host, port] = process.argv[2].split(':');
createServer((request, response) => {
  if (hostIsLocal(request, response) && originIsLocal(request, response)) void handle(request, response);
}).listen(Number(port), host);
