import type { Calendar } from '../calendar.js';
import { PLANS, type PlanId } from '../plans.js';
import { accountKey, creditsKey } from '../redis-keys.js';
import type { WatchedRedis } from '../watched-redis.js';
import {
  AccountError,
  type Account,
  type AccountStore,
  type AccountSummary,
  type Authentication,
} from './account.js';
import {
  CHANGES_CHANNEL,
  CREDITS_BY_PLAN,
  EMAILS_KEY,
  KEYS_KEY,
  LAST_ACCOUNT_KEY,
  parseEmail,
  parseKeyRecord,
  readAccount,
  type KeyRecord,
} from './account-records.js';
import { ACCOUNT_SCRIPTS, type AccountCommands } from './account-scripts.js';
import { hashOfKey, isApiKey, newApiKey, prefixOfKey } from './api-key.js';
import { Authenticator } from './authenticator.js';

interface FoundKey extends KeyRecord {
  readonly hash: string;
}

/** Accounts in Redis. */
export class RedisAccounts implements AccountStore {
  readonly #client: WatchedRedis['client'] & AccountCommands;
  readonly #authenticator: Authenticator;

  constructor(
    private readonly redis: WatchedRedis,
    private readonly calendar: Calendar,
  ) {
    this.#client = redis.withScripts<AccountCommands>(ACCOUNT_SCRIPTS);
    this.#authenticator = new Authenticator(redis);
  }

  authenticate(key: string): Authentication | Promise<Authentication> {
    return this.#authenticator.authenticate(key);
  }

  /** Forgets checked keys whenever any process changes a key or account. Returns a function that stops it. */
  followChanges(): () => void {
    return this.#authenticator.followChanges();
  }

  async createKey(request: {
    email: string;
    plan?: PlanId;
    nickname?: string;
  }): Promise<{ key: string; account: Account }> {
    const email = parseEmail(request.email);
    const account = (await this.#byEmail(email)) ?? (await this.#createAccount({ ...request, email }));
    for (const name of ['plan', 'nickname'] as const) {
      if (request[name] !== undefined && request[name] !== account[name])
        throw new AccountError(`${email} already has an account with ${name} ${account[name]}`);
    }
    // The key is new, so no process has cached it as invalid.
    const key = newApiKey();
    await this.#do(this.#client.hset(KEYS_KEY, hashOfKey(key), JSON.stringify(recordOf(key, account.id))));
    return { key, account };
  }

  async list(): Promise<readonly AccountSummary[]> {
    const ids = Object.values(await this.#do(this.#client.hgetall(EMAILS_KEY))).map(Number);
    const keys = await this.#keys();
    const summaries = await Promise.all(
      ids
        .sort((a, b) => a - b)
        .map((id) =>
          this.#summary(
            id,
            keys.filter(({ account }) => account === id),
          ),
        ),
    );
    return summaries.filter((summary) => summary !== undefined);
  }

  async rotateKey(keyOrPrefix: string): Promise<{ key: string; account: Account }> {
    const old = await this.#findKey(keyOrPrefix);
    const account = await this.#requireAccount(old.account);
    const key = newApiKey();
    const record = JSON.stringify(recordOf(key, account.id));
    const rotated = await this.#do(this.#client.rotateKey(KEYS_KEY, old.hash, hashOfKey(key), record));
    if (rotated === 0) throw new AccountError(`key ${old.prefix} was revoked in the meantime`);
    await this.#announceChange();
    return { key, account };
  }

  async revokeKey(keyOrPrefix: string): Promise<Account> {
    const { hash, account } = await this.#findKey(keyOrPrefix);
    await this.#do(this.#client.hdel(KEYS_KEY, hash));
    await this.#announceChange();
    return this.#requireAccount(account);
  }

  async setPlan(email: string, plan: PlanId): Promise<Account> {
    const { id } = await this.#requireByEmail(email);
    await this.#do(this.#client.setPlan(accountKey(id), this.#creditsKey(id), plan, CREDITS_BY_PLAN));
    await this.#announceChange();
    return this.#requireAccount(id);
  }

  async addCredits(email: string, credits: number): Promise<number> {
    if (!Number.isSafeInteger(credits))
      throw new AccountError(`invalid credits "${credits}": expected a whole number`);
    const { id } = await this.#requireByEmail(email);
    return this.#do(this.#client.addCredits(accountKey(id), this.#creditsKey(id), credits, CREDITS_BY_PLAN));
  }

  async #createAccount(request: { email: string; plan?: PlanId; nickname?: string }): Promise<Account> {
    const { email, plan = 'free', nickname = email.slice(0, email.indexOf('@')) } = request;
    const id = await this.#do(this.#client.incr(LAST_ACCOUNT_KEY));
    const record = { email, nickname, plan, created: new Date().toISOString() };
    await this.#do(this.#client.hset(accountKey(id), record));
    const isOurs = await this.#do(this.#client.hsetnx(EMAILS_KEY, email, String(id)));
    if (isOurs === 1) return { id, ...record };
    // Another process created an account for the same address at the same time.
    await this.#do(this.#client.del(accountKey(id)));
    return this.#requireByEmail(email);
  }

  async #summary(id: number, keys: readonly FoundKey[]): Promise<AccountSummary | undefined> {
    const account = await this.#account(id);
    if (account === undefined) return undefined;
    const left = await this.#do(this.#client.get(this.#creditsKey(id)));
    return {
      ...account,
      keys: keys.map(({ prefix, created }) => ({ prefix, created })),
      creditsLeft: left === null ? PLANS[account.plan].creditsPerMonth : Number(left),
    };
  }

  async #keys(): Promise<FoundKey[]> {
    const records = await this.#do(this.#client.hgetall(KEYS_KEY));
    return Object.entries(records)
      .map(([hash, record]) => ({ hash, ...parseKeyRecord(record) }))
      .sort((a, b) => (a.created < b.created ? -1 : 1));
  }

  async #findKey(keyOrPrefix: string): Promise<FoundKey> {
    const keys = await this.#keys();
    const hash = hashOfKey(keyOrPrefix);
    const prefix = prefixOfKey(keyOrPrefix);
    const found = isApiKey(keyOrPrefix)
      ? keys.filter((key) => key.hash === hash)
      : keys.filter((key) => key.prefix === keyOrPrefix);
    if (found.length > 1)
      throw new AccountError(`${found.length} keys begin with ${prefix}: give the full key`);
    if (found[0] === undefined) throw new AccountError(`unknown key ${prefix}`);
    return found[0];
  }

  #account(id: number): Promise<Account | undefined> {
    return this.#do(readAccount(this.#client, id));
  }

  async #requireAccount(id: number): Promise<Account> {
    const account = await this.#account(id);
    if (account === undefined) throw new AccountError(`unknown account ${id}`);
    return account;
  }

  async #byEmail(email: string): Promise<Account | undefined> {
    const id = await this.#do(this.#client.hget(EMAILS_KEY, email));
    return id === null ? undefined : this.#account(Number(id));
  }

  async #requireByEmail(text: string): Promise<Account> {
    const email = parseEmail(text);
    const account = await this.#byEmail(email);
    if (account === undefined) throw new AccountError(`unknown account ${email}`);
    return account;
  }

  #creditsKey(id: number): string {
    return creditsKey(id, this.calendar.today().month);
  }

  /** Makes every process, this one first, forget the keys it has checked. */
  async #announceChange(): Promise<void> {
    this.#authenticator.forgetAll();
    await this.#do(this.#client.publish(CHANGES_CHANNEL, ''));
  }

  #do<T>(command: Promise<T>): Promise<T> {
    return this.redis.watched(command);
  }
}

function recordOf(key: string, account: number): KeyRecord {
  return { account, prefix: prefixOfKey(key), created: new Date().toISOString() };
}
