import { Broken, type Reply, type ServiceClient } from './service-client.js';
import { misfits, type Shape } from './shape.js';

/** What is asked of the service; the internet's own things by default. */
export interface Subjects {
  /** A key of any plan; what needs one is skipped without. */
  readonly key?: string | undefined;
  /** A key of the enterprise plan. */
  readonly enterpriseKey?: string | undefined;
  /** A host with an address. */
  readonly host: string;
  /** A registered domain that has a host with an address and a name server. */
  readonly domain: string;
  /** A host that takes TCP connections, with its port: `host:443`. */
  readonly open: string;
  /** A public address that the datasets know, an AS and a prefix that are announced. */
  readonly ip: string;
  readonly asn: number;
  readonly prefix: string;
  /** A host whose name servers fail. */
  readonly failing?: string | undefined;
  /** A host with addresses that are all private. */
  readonly hidden?: string | undefined;
}

/** What a check works with. */
export interface Bench extends Subjects {
  readonly client: ServiceClient;
}

/** What a check cannot do without. */
export type Need = 'key' | 'enterpriseKey' | 'failing' | 'hidden';

/** An endpoint or a rule. Throws Broken when the service does not keep it, NotSeen when that cannot be told. */
export interface Check {
  /** `GET /api/ip`, or a sentence with its rulings: `… (R7)` */
  readonly name: string;
  readonly needs?: Need | readonly Need[];
  run(bench: Bench): Promise<void>;
}

/** Where a service has nothing that a rule could be seen at: no probe node, say. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

/** Says no unless something is so. */
export function expect(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Broken(otherwise);
}

/** Holds a body against a shape. */
export function expectShape({ status, body, text }: Reply, shape: Shape): void {
  expect(status === 200, `HTTP ${status}: ${text.slice(0, 120)}`);
  const [first, ...more] = misfits(body, shape);
  expect(first === undefined, `${first ?? ''}${more.length > 0 ? ` and ${more.length} more` : ''}`);
}

/** `{code: 0, data}` whose data has a shape; the data. */
export function expectData(reply: Reply, shape: Shape): Readonly<Record<string, unknown>> {
  expectShape(reply, { code: 'integer', data: shape });
  const { code, data } = reply.body as { code: number; data: Record<string, unknown> };
  expect(code === 0, `code ${code}`);
  return data;
}

/** A failure: HTTP status, code and a message. */
export function expectFailure(reply: Reply, status: number, code: number): Readonly<Record<string, unknown>> {
  const body = reply.body as Record<string, unknown> | undefined;
  expect(reply.status === status, `HTTP ${reply.status} instead of ${status}: ${reply.text.slice(0, 120)}`);
  expect(body?.['code'] === code, `code ${String(body?.['code'])} instead of ${code}`);
  expect(typeof body['msg'] === 'string' && body['msg'] !== '', 'no msg');
  return body;
}
