import { CheckFailed, type Reply, type ServiceClient } from './service-client.js';
import { mismatches, type Shape } from './shape.js';

/** What a run queries. The defaults exist on the public internet. */
export interface Subjects {
  /** A key of any plan. Without it, checks that need one are skipped. */
  readonly key?: string | undefined;
  /** A key of the enterprise plan. */
  readonly enterpriseKey?: string | undefined;
  /** A host with an address. */
  readonly host: string;
  /** A registered domain that has a host with an address and a name server. */
  readonly domain: string;
  /** A host that accepts TCP connections, with its port: `host:443`. */
  readonly open: string;
  /** A public address in the datasets, and an announced AS and prefix. */
  readonly ip: string;
  readonly asn: number;
  readonly prefix: string;
  /** A host whose name servers fail. */
  readonly failing?: string | undefined;
  /** A host that only has private addresses. */
  readonly hidden?: string | undefined;
  /** A port that the operator refuses to probe. */
  readonly refusedPort?: string | undefined;
  /** A host of the tester, of which many ports may be probed. */
  readonly manyPorts?: string | undefined;
}

/** What a check uses. */
export interface CheckContext extends Subjects {
  readonly client: ServiceClient;
}

/** What a check may require. */
export type Need = 'key' | 'enterpriseKey' | 'failing' | 'hidden' | 'refusedPort' | 'manyPorts';

/** A check of an endpoint or a rule. `run` throws CheckFailed for a violation, CheckSkipped if it cannot be tested. */
export interface Check {
  /** An endpoint, such as `GET /api/ip`, or a rule as a sentence. */
  readonly name: string;
  readonly needs?: Need | readonly Need[];
  run(context: CheckContext): Promise<void>;
}

/** A check of decisions in `server/decisions.md`. */
export interface Rule extends Check {
  readonly decisions: readonly number[];
}

/** Thrown when the service has nothing to test a rule with, such as no probe node. */
export class CheckSkipped extends Error {
  override readonly name = 'CheckSkipped';
}

/** Throws CheckFailed with `otherwise` unless a condition holds. */
export function expect(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new CheckFailed(otherwise);
}

/** Checks that a response is HTTP 200 and its body has a shape. */
export function expectShape({ status, body, text }: Reply, shape: Shape): void {
  expect(status === 200, `HTTP ${status}: ${text.slice(0, 120)}`);
  const [first, ...more] = mismatches(body, shape);
  expect(first === undefined, `${first ?? ''}${more.length > 0 ? ` and ${more.length} more` : ''}`);
}

/** Checks a body `{code: 0, data}` and returns its data. */
export function expectData(reply: Reply, shape: Shape): Readonly<Record<string, unknown>> {
  expectShape(reply, { code: 'integer', data: shape });
  const { code, data } = reply.body as { code: number; data: Record<string, unknown> };
  expect(code === 0, `code ${code}`);
  return data;
}

/** Checks a failure: HTTP status, code and a message. Returns the body. */
export function expectFailure(reply: Reply, status: number, code: number): Readonly<Record<string, unknown>> {
  const body = reply.body as Record<string, unknown> | undefined;
  expect(reply.status === status, `HTTP ${reply.status}, expected ${status}: ${reply.text.slice(0, 120)}`);
  expect(body?.['code'] === code, `code ${String(body?.['code'])}, expected ${code}`);
  expect(typeof body['msg'] === 'string' && body['msg'] !== '', 'missing msg');
  return body;
}
