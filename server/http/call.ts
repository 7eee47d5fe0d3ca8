import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from '../accounts/account.js';
import { ANONYMOUS, PLANS } from '../metering/plans.js';
import type { Snapshot } from '../release/snapshot.js';
import type { Exchange } from './exchange.js';
import { Failure } from '../failure.js';
import type { Call } from './route.js';

/** A call as the frame makes it; params, query and body are raw until their schemas have taken them. */
export class RouteCall implements Call<unknown, unknown, unknown> {
  readonly client: string;
  readonly account: Account | undefined;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: IncomingHttpHeaders;

  constructor(
    exchange: Exchange,
    /** The release that is served now; absent while there is none. */
    readonly taken: Snapshot | undefined,
    asked: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
  ) {
    const { client, account, ctx } = exchange;
    this.client = client;
    this.account = account;
    this.method = ctx.req.method as 'GET' | 'HEAD' | 'POST';
    this.headers = ctx.req.headers;
    this.params = asked.params;
    this.query = asked.query;
    this.body = asked.body;
  }

  params: unknown;
  query: unknown;
  body: unknown;

  get batchLimit(): number {
    return this.account === undefined ? ANONYMOUS.batchLimit : PLANS[this.account.plan].batchLimit;
  }

  /** Only those who want data are told that there is none. */
  get snapshot(): Snapshot {
    if (this.taken === undefined) throw new Failure(503, 'no release is loaded yet, try again later');
    return this.taken;
  }
}
