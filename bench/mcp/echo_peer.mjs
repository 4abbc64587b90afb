// An echo server on npm @modelcontextprotocol/sdk over stdio, what many MCP servers are built on.
//   node echo_peer.mjs NODE_MODULES
import { pathToFileURL } from 'node:url';

const load = path => import(pathToFileURL(`${process.argv[2]}/${path}`));
const { McpServer } = await load('@modelcontextprotocol/sdk/dist/esm/server/mcp.js');
const { StdioServerTransport } = await load('@modelcontextprotocol/sdk/dist/esm/server/stdio.js');
const { z } = await load('zod/index.js');

const server = new McpServer({ name: 'echo', version: '0' });
server.registerTool('echo', { description: 'Returns its text', inputSchema: { text: z.string() } },
  ({ text }) => ({ content: [{ type: 'text', text }] }));
await server.connect(new StdioServerTransport());
