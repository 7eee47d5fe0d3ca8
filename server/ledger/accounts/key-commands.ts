import { printableLine, printableLines } from '../../../pipeline/text/printable.js';
import { PLAN_IDS, PLANS, type PlanId } from '../plans.js';
import {
  AccountError,
  type Account,
  type AccountStore,
  type AccountSummary,
  type KeySummary,
  type TypedTerms,
} from './account.js';

/** The result of a command: the value that `--json` prints, and the text. */
export interface Printed {
  readonly value: unknown;
  readonly text: string;
}

/** Options of `key create`. */
export interface CreateOptions extends TypedTerms {
  readonly email: string;
  readonly plan?: string | undefined;
  readonly nickname?: string | undefined;
}

/** Runs `key create`. The full key is shown only here. Throws AccountError, like all commands below. */
export async function createKey(
  accounts: AccountStore,
  { email, plan, nickname, expires, networks }: CreateOptions,
): Promise<Printed & { readonly key: string }> {
  const created = await accounts.createKey({
    email,
    ...(plan === undefined ? {} : { plan: parsePlan(plan) }),
    ...(nickname === undefined ? {} : { nickname }),
    expires,
    networks,
  });
  return shownOnce(created);
}

/** Runs `key rotate`. */
export async function rotateKey(
  accounts: AccountStore,
  keyOrPrefix: string,
  terms: TypedTerms = {},
): Promise<Printed & { readonly key: string }> {
  return shownOnce(await accounts.rotateKey(keyOrPrefix, terms));
}

/** Runs `key revoke`. */
export async function revokeKey(accounts: AccountStore, keyOrPrefix: string): Promise<Printed> {
  const account = await accounts.revokeKey(keyOrPrefix);
  return { value: { revoked: true, account }, text: `revoked a key of ${nameOf(account)}` };
}

/** Runs `key list`. */
export async function listKeys(accounts: AccountStore): Promise<Printed> {
  const list = await accounts.list();
  return { value: list, text: list.length === 0 ? 'no accounts' : printableLines(list.flatMap(linesOf)) };
}

/** Runs `key plan`. */
export async function setPlan(accounts: AccountStore, email: string, plan: string): Promise<Printed> {
  const account = await accounts.setPlan(email, parsePlan(plan));
  return { value: account, text: `${nameOf(account)} is now on ${describePlan(account.plan)}` };
}

/** Runs `key credits`. A negative amount removes credits. */
export async function addCredits(accounts: AccountStore, email: string, amount: string): Promise<Printed> {
  if (!/^[+-]?\d{1,12}$/.test(amount))
    throw new AccountError(`invalid credits "${amount}": expected a whole number`);
  const creditsLeft = await accounts.addCredits(email, Number(amount));
  return { value: { email, creditsLeft }, text: `${email} has ${creditsLeft} credits left this month` };
}

function shownOnce({ key, account }: { key: string; account: Account }): Printed & { readonly key: string } {
  const text = [
    key,
    `key of ${nameOf(account)}, ${describePlan(account.plan)}; store it now, it is not shown again`,
  ].join('\n');
  return { key, value: { key, account }, text };
}

function linesOf({ creditsLeft, keys, ...account }: AccountSummary): string[] {
  const head = `${account.id}  ${nameOf(account)}  ${PLANS[account.plan].name}  ${creditsLeft} credits left`;
  return [head, ...keys.map(lineOf)];
}

function lineOf({ prefix, created, lastUsed, expires, networks }: KeySummary): string {
  const parts = [`    ${prefix}…`, `since ${created.slice(0, 10)}`];
  parts.push(lastUsed === undefined ? 'never used' : `last used ${minuteOf(lastUsed)}`);
  if (expires !== undefined)
    parts.push(`${Date.parse(expires) <= Date.now() ? 'expired' : 'expires'} ${minuteOf(expires)}`);
  if (networks !== undefined) parts.push(`from ${networks.join(', ')}`);
  return parts.join('  ');
}

/** Returns `2026-11-22 19:41 UTC`. */
function minuteOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

function nameOf({ email, nickname }: Account): string {
  return printableLine(`${email} (${nickname})`);
}

function describePlan(id: PlanId): string {
  const { name, requestsPerMinute, requestsPerDay, creditsPerMonth } = PLANS[id];
  const perDay = requestsPerDay === undefined ? '' : `, ${requestsPerDay} per day`;
  return `plan ${name}: ${requestsPerMinute} requests per minute${perDay}, ${creditsPerMonth} credits per month`;
}

function parsePlan(text: string): PlanId {
  const plan = PLAN_IDS.find((id) => id === text);
  if (plan === undefined) throw new AccountError(`invalid plan "${text}": expected ${PLAN_IDS.join(', ')}`);
  return plan;
}
