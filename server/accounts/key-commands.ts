import { PLAN_IDS, PLANS, type PlanId } from '../metering/plans.js';
import { AccountError } from './account-error.js';
import type { AccountStore, AccountSummary } from './account-store.js';
import type { Account } from './account.js';

/** What a command prints: a value as JSON, or the text. */
export interface Printed {
  readonly value: unknown;
  readonly text: string;
}

/** Options of `key create`. */
export interface CreateOptions {
  readonly email: string;
  readonly plan?: string | undefined;
  readonly nickname?: string | undefined;
}

/** `key create`: the key is shown this once. Throws AccountError, like all of these. */
export async function createKey(
  accounts: AccountStore,
  { email, plan, nickname }: CreateOptions,
): Promise<Printed & { readonly key: string }> {
  const made = await accounts.createKey({
    email,
    ...(plan === undefined ? {} : { plan: parsePlan(plan) }),
    ...(nickname === undefined ? {} : { nickname }),
  });
  return shownOnce(made);
}

/** `key rotate` */
export async function rotateKey(
  accounts: AccountStore,
  keyOrPrefix: string,
): Promise<Printed & { readonly key: string }> {
  return shownOnce(await accounts.rotateKey(keyOrPrefix));
}

/** `key revoke` */
export async function revokeKey(accounts: AccountStore, keyOrPrefix: string): Promise<Printed> {
  const account = await accounts.revokeKey(keyOrPrefix);
  return { value: { revoked: true, account }, text: `revoked a key of ${nameOf(account)}` };
}

/** `key list` */
export async function listKeys(accounts: AccountStore): Promise<Printed> {
  const list = await accounts.list();
  return { value: list, text: list.length === 0 ? 'no accounts' : list.flatMap(linesOf).join('\n') };
}

/** `key plan` */
export async function setPlan(accounts: AccountStore, email: string, plan: string): Promise<Printed> {
  const account = await accounts.setPlan(email, parsePlan(plan));
  return { value: account, text: `${nameOf(account)} has ${describePlan(account.plan)}` };
}

/** `key credits`; a negative amount takes away. */
export async function addCredits(accounts: AccountStore, email: string, amount: string): Promise<Printed> {
  if (!/^[+-]?\d{1,12}$/.test(amount)) throw new AccountError(`"${amount}" is no whole number of credits`);
  const creditsLeft = await accounts.addCredits(email, Number(amount));
  return { value: { email, creditsLeft }, text: `${email} has ${creditsLeft} credits left this month` };
}

function shownOnce({ key, account }: { key: string; account: Account }): Printed & { readonly key: string } {
  const text = [key, `of ${nameOf(account)}, ${describePlan(account.plan)}; it is not shown again`].join(
    '\n',
  );
  return { key, value: { key, account }, text };
}

function linesOf({ creditsLeft, keys, ...account }: AccountSummary): string[] {
  const head = `${account.id}  ${nameOf(account)}  ${PLANS[account.plan].name}  ${creditsLeft} credits left`;
  return [head, ...keys.map(({ prefix, created }) => `    ${prefix}…  since ${created.slice(0, 10)}`)];
}

function nameOf({ email, nickname }: Account): string {
  return `${email} (${nickname})`;
}

function describePlan(id: PlanId): string {
  const { name, requestsPerMinute, requestsPerDay, creditsPerMonth } = PLANS[id];
  const perDay = requestsPerDay === undefined ? '' : `, ${requestsPerDay} a day`;
  return `plan ${name}: ${requestsPerMinute} requests a minute${perDay}, ${creditsPerMonth} credits a month`;
}

function parsePlan(text: string): PlanId {
  const plan = PLAN_IDS.find((id) => id === text);
  if (plan === undefined) throw new AccountError(`"${text}" is no plan: there are ${PLAN_IDS.join(', ')}`);
  return plan;
}
