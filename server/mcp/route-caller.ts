import type { IncomingHttpHeaders } from 'node:http';
import { bytesOf } from '../byte-text.js';
import { Failure } from '../failure.js';
import type { Context, Exchange, Outcome } from '../http/exchange.js';
import { findAnswer, type CallParts } from '../http/find-answer.js';
import type { Rendered } from '../http/prepared-answer.js';
import { documentedPath, type Route } from '../http/route.js';
import type { Snapshot } from '../release/snapshot.js';

/** The parameters of a call. Absent ones are left out of the query. */
export interface RouteArguments {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** Calls an endpoint by its operation id. Resolves with its JSON. Throws Failure. */
export type RouteCaller = (operationId: string, asked: RouteArguments) => Promise<unknown>;

/** Who uses a tool: the address, and the headers that may contain a key. */
export interface ToolUser {
  readonly client: string;
  readonly authorization: string | undefined;
}

/** The parts that call endpoints as the API does. */
export interface MeteredParts extends CallParts {
  readonly routes: readonly Route[];
  readonly currentSnapshot: () => Snapshot | undefined;
  /** Receives how an endpoint, by its documented path, has answered a tool. */
  readonly observe: (route: string, outcome: Outcome & { readonly seconds: number }) => void;
}

/** Returns the caller that checks the key, counts, charges and refunds as a request to the endpoint would. */
export function meteredCaller(parts: MeteredParts, user: ToolUser): RouteCaller {
  return async (operationId, { params = {}, query = {} }) => {
    const route = requireRoute(parts.routes, operationId);
    const exchange = exchangeOf(user, { params, query });
    const found = await findAnswer(parts, route, { exchange, snapshot: parts.currentSnapshot() });
    const { status, code, cause } = found instanceof Failure ? found : SUCCESS;
    const seconds = (performance.now() - exchange.startedMs) / 1000;
    parts.observe(documentedPath(route.paths[0]), { status, code, cause, seconds });
    if (found instanceof Failure) throw found;
    return jsonOf(found);
  };
}

const SUCCESS: Outcome = { status: 200, code: 0 };

/** Returns the endpoint of an operation id. Throws an Error for an unknown one. */
export function requireRoute(routes: readonly Route[], operationId: string): Route {
  const route = routes.find((one) => one.operationId === operationId);
  if (!route) throw new Error(`no endpoint ${operationId}`);
  return route;
}

/** Returns the data of an answer, without the envelope. */
export function jsonOf(answer: Rendered): unknown {
  const body = JSON.parse(textOf(answer)) as unknown;
  return typeof body === 'object' && body !== null && 'data' in body && 'code' in body ? body.data : body;
}

function textOf(answer: Rendered): string {
  if (answer.kind === 'json') return answer.json;
  if (answer.kind === 'encoded') return bytesOf(answer.json).toString();
  throw new Error(`unexpected answer: ${answer.kind}`);
}

/** Returns the exchange of a request to the endpoint with these parameters. It has no socket and is never sent. */
export function exchangeOf(
  { client, authorization }: ToolUser,
  { params, query }: Required<RouteArguments>,
): Exchange {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const headers: IncomingHttpHeaders = authorization === undefined ? {} : { authorization };
  const req = { method: 'GET', url: `/?${new URLSearchParams(given).toString()}`, headers };
  return {
    ctx: { req, params } as unknown as Context,
    id: '',
    startedMs: performance.now(),
    route: '/mcp',
    client,
    isText: false,
    fixedHeaders: [],
    isLast: () => false,
    isKeyInvalid: false,
  };
}
