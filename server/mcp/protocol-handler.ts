import { once } from 'node:events';
import type { McpServer } from '@modelcontextprotocol/server';

/** A request of the protocol: as sent, its body parsed, and who sent it. */
interface Asked<User> {
  readonly request: Request;
  readonly body: unknown;
  readonly user: User;
}

/** Answers a request with JSON, or with no body when nothing in it asks for an answer. */
export type ProtocolHandler<User> = (asked: Asked<User>) => Promise<Response>;

/** The methods that wait for events of the server; there are none. The package would answer them without an end. */
const UNENDING: ReadonlySet<unknown> = new Set(['subscriptions/listen']);

/**
 * Returns the handler of all revisions of the protocol, with a new server for each request. It loads the package: most
 * processes never need it.
 */
export async function newProtocolHandler<User>(
  serverFor: (user: User) => McpServer,
): Promise<ProtocolHandler<User>> {
  const { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } =
    await import('@modelcontextprotocol/server');
  // 2026-07-28 and later. The package's own answers to earlier revisions are event streams.
  const current = createMcpHandler(({ authInfo }) => serverFor(authInfo!.extra!['user'] as User), {
    legacy: 'reject',
    responseMode: 'json',
  });
  return async ({ request, body, user }) => {
    if (isUnending(body)) return notFound(body);
    if (!(await isLegacyRequest(request, body))) {
      const authInfo = { token: '', clientId: '', scopes: [], extra: { user } };
      return await current.fetch(request, { parsedBody: body, authInfo });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = serverFor(user);
    await server.connect(transport);
    try {
      const answer = transport.handleRequest(request, { parsedBody: body });
      return await Promise.race([answer, abandoned(request.signal)]);
    } finally {
      await server.close();
    }
  };
}

type Message = Readonly<Record<string, unknown>>;

function isUnending(body: unknown): body is Message {
  return typeof body === 'object' && body !== null && 'method' in body && UNENDING.has(body.method);
}

/** Returns what the package answers to unknown methods. */
function notFound({ id }: Message): Response {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const error = { code: -32601, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id: known, error }, { status: 404 });
}

/** Resolves when the caller has left: a cancelled call in a batch never gets an answer. */
async function abandoned(signal: AbortSignal): Promise<Response> {
  if (!signal.aborted) await once(signal, 'abort');
  return new Response(null, { status: 499 });
}
