// One echo tool on npm @modelcontextprotocol/sdk over Streamable HTTP, in its fastest form: a session is kept between
// requests and answers are JSON. sdk_http.mjs HOST:PORT
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';

const sessions = new Map();

async function transportFor(request) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known;
  const server = new McpServer({ name: 'echo', version: '0' });
  server.registerTool('echo', { description: 'Returns its text', inputSchema: { text: z.string() } },
    async ({ text }) => ({ content: [{ type: 'text', text }] }));
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: true,
    sessionIdGenerator: randomUUID,
    onsessioninitialized: id => sessions.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}

const [host, port] = process.argv[2].split(':');
createServer(async (request, response) => (await transportFor(request)).handleRequest(request, response))
  .listen(Number(port), host);
