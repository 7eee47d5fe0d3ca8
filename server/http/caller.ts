import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../failure.js';
import type { AccountStore, Authentication } from '../ledger/accounts/account.js';
import { PLANS } from '../ledger/plans.js';
import { accountSubject, anonymousSubject, keylessSubject, type Subject } from '../ledger/subject.js';
import type { Exchange, PresentedKey } from './exchange.js';
import type { Query } from './query.js';
import type { Route, Terms } from './route.js';

/**
 * Authenticates the caller and records the result in the exchange. Returns the failure when the caller may not use the
 * route. Synchronous for a recently checked key.
 */
export function checkCaller(
  accounts: Pick<AccountStore, 'authenticate'>,
  { terms }: Route,
  { exchange, query }: { readonly exchange: Exchange; readonly query: Query },
): Failure | undefined | Promise<Failure | undefined> {
  if (terms.kind === 'keyless') return undefined;
  const { headers } = exchange.ctx.req;
  const key = isBasic(terms) ? basicKey(headers) : presentedKey(headers, query);
  if (key === undefined) return whyRefused(exchange, terms);
  exchange.key = key;
  const record = (found: Authentication): Failure | undefined => {
    const authentication = isOfAccount(found, key) ? found : INVALID;
    if (authentication.kind === 'account') exchange.account = authentication.account;
    exchange.isKeyInvalid = authentication.kind === 'invalid';
    return whyRefused(exchange, terms, authentication);
  };
  const authentication = accounts.authenticate(key.key, exchange.client);
  return authentication instanceof Promise ? authentication.then(record) : record(authentication);
}

type AnyTerms = Terms<unknown, unknown, unknown>;

function isBasic(terms: AnyTerms): boolean {
  return terms.kind === 'download' && terms.login === 'basic';
}

/** Returns whether a key belongs to the account that was sent with it, if one was. */
function isOfAccount(found: Authentication, { accountId }: PresentedKey): boolean {
  return accountId === undefined || found.kind !== 'account' || String(found.account.id) === accountId;
}

const INVALID: Authentication = { kind: 'invalid' };

/** Returns the subject that a call counts against. */
export function subjectOf({ account, client }: Exchange, terms: AnyTerms): Subject {
  if (terms.kind === 'keyless') return keylessSubject(client, terms.bucket);
  return account === undefined ? anonymousSubject(client) : accountSubject(account);
}

/**
 * Returns why a caller may not use a route: 503, then 403 for a key of other networks (decision 71), then 401, then 403
 * for the plan (decision 5).
 */
function whyRefused(
  { account, key, client }: Exchange,
  terms: AnyTerms,
  authentication?: Authentication,
): Failure | undefined {
  if (authentication?.kind === 'undecided')
    return new Failure(503, 'API keys cannot be checked at the moment, try again later');
  if (authentication?.kind === 'outside')
    return new Failure(403, `this API key may not be used from ${client}`);
  if (account === undefined) {
    if (terms.kind === 'metered' && terms.key === 'optional') return undefined;
    if (isBasic(terms)) return new Failure(401, whyNoLogin(key, authentication), {}, BASIC_CHALLENGE);
    return new Failure(401, key === undefined ? 'API key required' : whyInvalid(authentication));
  }
  return terms.kind === 'download' && !PLANS[account.plan].mayDownload
    ? new Failure(403, 'downloads require the enterprise plan')
    : undefined;
}

function whyNoLogin(key: PresentedKey | undefined, authentication: Authentication | undefined): string {
  if (key === undefined) return 'account number and API key required';
  const reason = whyInvalid(authentication);
  return reason === NOT_VALID ? 'invalid account number or API key' : reason;
}

const BASIC_CHALLENGE = { headers: { 'WWW-Authenticate': 'Basic realm="ipatlas", charset="UTF-8"' } };
const NOT_VALID = 'invalid API key';

function whyInvalid(authentication: Authentication | undefined): string {
  const expired = authentication?.kind === 'invalid' ? authentication.expired : undefined;
  return expired === undefined ? NOT_VALID : `this API key expired at ${expired}`;
}

/** Longer keys are invalid. They are cut before anything is hashed or stored. */
const LONGEST_KEY = 200;

/** Returns the key of a call: `Authorization: Bearer` before `?token=` (decision 7). X-API-Key is not read. */
function presentedKey(headers: IncomingHttpHeaders, query: Query): PresentedKey | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const key = BEARER.exec(authorization)?.[1];
    if (key !== undefined) return { key: key.slice(0, LONGEST_KEY), inQuery: false };
  }
  const { token } = query;
  return token === undefined || token === ''
    ? undefined
    : { key: token.slice(0, LONGEST_KEY), inQuery: true };
}

/** Returns the account number and the key of HTTP Basic (RFC 7617): `<account>:<key>` in base64. */
function basicKey({ authorization = '' }: IncomingHttpHeaders): PresentedKey | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded.slice(0, LONGEST_LOGIN), 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return {
    key: text.slice(colon + 1, colon + 1 + LONGEST_KEY),
    inQuery: false,
    accountId: text.slice(0, colon),
  };
}

/** Longer texts are cut: no account number and key are as long. */
const LONGEST_LOGIN = 400;
const BASIC = /^basic +([\w+/=-]+) *$/i;

/** RFC 9110 §11.1: the scheme is case-insensitive. */
const BEARER = /^bearer +(\S+) *$/i;
