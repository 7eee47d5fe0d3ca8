import { McpServer } from '@modelcontextprotocol/server';
import type { RouteCaller } from './route-caller.js';
import { runTool, type Tool } from './tool.js';

const INSTRUCTIONS =
  'Facts about IP addresses, prefixes, autonomous systems and names. Places are estimates. Unknown values are "" or null.';

/** Creates the server of one request or one connection, with some tools. All tools only read. */
export function newMcpServer(tools: readonly Tool[], call: RouteCaller): McpServer {
  const server = new McpServer({ name: 'ipatlas', version: '1.0.0' }, { instructions: INSTRUCTIONS });
  for (const tool of tools) {
    const { name, title, description, input, output } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        outputSchema: output,
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
      },
      (given: unknown) => runTool(tool, given, call),
    );
  }
  return server;
}
