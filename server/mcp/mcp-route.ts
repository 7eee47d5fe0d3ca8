import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Answer } from '../http/answer.js';
import { defineRoute, type Call, type Route } from '../http/route.js';
import { newProtocolHandler, type ProtocolHandler } from './protocol-handler.js';
import { meteredCaller, type MeteredParts, type ToolUser } from './route-caller.js';
import { TOOLS } from './tools.js';

/** The path of the endpoint. */
const PATH = '/mcp';

/**
 * POST /mcp: the Model Context Protocol over Streamable HTTP, stateless. Each tool call is admitted like the calls of the
 * API that it makes; the request itself counts against a limit of its own. GET and DELETE are 405: there are no sessions
 * and no server-initiated messages.
 */
export function mcp(parts: MeteredParts): Route {
  let handler: Promise<ProtocolHandler<ToolUser>> | undefined;
  return defineRoute({
    method: 'post',
    paths: [PATH],
    operationId: 'mcp',
    tag: 'MCP',
    summary: 'The Model Context Protocol.',
    terms: { kind: 'keyless', bucket: 'mcp' },
    params: z.object({}),
    query: z.object({}),
    body: z.unknown(),
    shape: { kind: 'file', type: 'application/json' },
    failsWithStatus: true,
    cors: false,
    answer: (call) => async () => {
      const answer = await (handler ??= newHandler(parts));
      return await relay(await answer(askedBy(call)), toolsOf(call.body));
    },
  });
}

async function newHandler(parts: MeteredParts): Promise<ProtocolHandler<ToolUser>> {
  const { newMcpServer } = await import('./mcp-server.js');
  return await newProtocolHandler((user) => newMcpServer(TOOLS, meteredCaller(parts, user)));
}

type McpCall = Call<unknown, unknown, unknown>;

/** Returns the request as the package reads it. The body was read and parsed with our limits. */
function askedBy({ client, headers, body, closed }: McpCall) {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !NOT_FORWARDED.has(name) ? [[name, value]] : [],
  );
  const request = new Request(`http://localhost${PATH}`, {
    method: 'POST',
    headers: given,
    body: JSON.stringify(body),
    signal: closed,
  });
  return { request, body, user: { client, authorization: headers.authorization } };
}

/** Headers about the body as it was sent; it is sent on decoded. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'transfer-encoding',
]);

async function relay(response: Response, tool: string | undefined): Promise<Answer> {
  const type = response.headers.get('content-type');
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    kind: 'stream',
    status: response.status,
    headers: { ...(type !== null && { 'Content-Type': type }), 'Content-Length': String(bytes.length) },
    stream: Readable.from([bytes]),
    ...(tool !== undefined && { tool }),
  };
}

const toolCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });

/** Returns the tool that a message calls; those of a batch with commas. Unknown names are not logged. */
function toolsOf(body: unknown): string | undefined {
  const names = [body].flat().flatMap((message) => toolCall.safeParse(message).data?.params.name ?? []);
  const known = TOOLS.map(({ name }) => name).filter((name) => names.includes(name));
  return known.length === 0 ? undefined : known.join();
}
