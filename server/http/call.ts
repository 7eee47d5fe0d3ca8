import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from '../ledger/accounts/account.js';
import { ANONYMOUS, PLANS } from '../ledger/plans.js';
import type { Snapshot } from '../release/snapshot.js';
import type { Exchange } from './exchange.js';
import { Failure } from '../failure.js';
import type { Call } from './route.js';

/** A call in the request pipeline. params, query and body are raw until their schemas have parsed them. */
export class RouteCall implements Call<unknown, unknown, unknown> {
  readonly #ctx: Exchange['ctx'];
  readonly client: string;
  readonly account: Account | undefined;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: IncomingHttpHeaders;

  constructor(
    exchange: Exchange,
    /** The current release; undefined before the first one is loaded. */
    readonly current: Snapshot | undefined,
    request: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
  ) {
    const { client, account, ctx } = exchange;
    this.#ctx = ctx;
    this.client = client;
    this.account = account;
    this.method = ctx.req.method as 'GET' | 'HEAD' | 'POST';
    this.headers = ctx.req.headers;
    this.params = request.params;
    this.query = request.query;
    this.body = request.body;
  }

  params: unknown;
  query: unknown;
  body: unknown;

  get closed(): AbortSignal {
    const { res } = this.#ctx;
    const closing = new AbortController();
    res.once('close', () => {
      closing.abort();
    });
    if (res.closed) closing.abort();
    return closing.signal;
  }

  get batchLimit(): number {
    return this.account === undefined ? ANONYMOUS.batchLimit : PLANS[this.account.plan].batchLimit;
  }

  /** The current release. Throws Failure(503) when none is loaded. */
  get snapshot(): Snapshot {
    if (this.current === undefined) throw new Failure(503, 'no release is loaded, try again later');
    return this.current;
  }
}
