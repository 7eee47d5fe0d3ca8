import type { AccountStore } from '../accounts/account-store.js';
import type { Authentication } from '../accounts/account.js';
import type { Subject } from '../metering/meter.js';
import { PLANS } from '../metering/plans.js';
import type { Exchange } from './exchange.js';
import { Failure } from '../failure.js';
import { presentedKey } from './presented-key.js';
import type { Query } from './query.js';
import type { Terms } from './route.js';
import { anonymousSubject, keylessSubject, subjectOfAccount } from './subject.js';

type AnyTerms = Terms<unknown, unknown, unknown>;

/** Finds out whose call it is, where the route takes keys; at once for a key that was seen lately. */
export function identify(
  exchange: Exchange,
  query: Query,
  accounts: Pick<AccountStore, 'authenticate'>,
): Authentication | Promise<Authentication> | undefined {
  const key = presentedKey(exchange.ctx.req.headers, query);
  if (key === undefined) return undefined;
  exchange.key = key;
  return accounts.authenticate(key.key);
}

/** Whose limits count. */
export function subjectOf({ account, client }: Exchange, terms: AnyTerms): Subject {
  if (terms.kind === 'keyless') return keylessSubject(client, terms.bucket);
  return account === undefined ? anonymousSubject(client) : subjectOfAccount(account);
}

/** Why the caller may not use a route at all; 401 before 403 (ruling 5). */
export function whyNotAllowed(
  { account, key }: Exchange,
  terms: AnyTerms,
  authentication: Authentication | undefined,
): Failure | undefined {
  if (terms.kind === 'keyless') return undefined;
  if (authentication?.kind === 'undecided')
    return new Failure(503, 'keys cannot be checked now, try again later');
  if (account === undefined) {
    return terms.kind === 'metered' && terms.key === 'optional' ? undefined : keyWanted(key !== undefined);
  }
  return terms.kind === 'download' && !PLANS[account.plan].mayDownload
    ? new Failure(403, 'downloads need the enterprise plan')
    : undefined;
}

function keyWanted(wasPresented: boolean): Failure {
  return new Failure(401, wasPresented ? 'the API key is not valid' : 'this endpoint needs an API key');
}
