import type { Calendar } from '../metering/calendar.js';
import type { MeteringRedis } from '../metering/metering-redis.js';
import { PLANS, type PlanId } from '../metering/plans.js';
import { creditsKey } from '../metering/redis-keys.js';
import { AccountError } from './account-error.js';
import {
  accountKey,
  accountOf,
  CHANGES_CHANNEL,
  CREDITS_BY_PLAN,
  EMAILS_KEY,
  KEY_RECORD,
  KEYS_KEY,
  LAST_ACCOUNT_KEY,
  parseEmail,
  type KeyRecord,
} from './account-records.js';
import type { AccountStore, AccountSummary } from './account-store.js';
import type { Account, Authentication } from './account.js';
import { hashOfKey, isApiKey, newApiKey, prefixOfKey } from './api-key.js';
import { KeyCache } from './key-cache.js';

interface FoundKey extends KeyRecord {
  readonly hash: string;
}

/** Accounts in Redis. */
export class RedisAccounts implements AccountStore {
  readonly #cache = new KeyCache();
  readonly #asking = new Map<string, Promise<Authentication>>();

  constructor(
    private readonly redis: MeteringRedis,
    private readonly calendar: Calendar,
  ) {}

  authenticate(key: string): Authentication | Promise<Authentication> {
    const seen = this.#cache.get(key);
    if (seen !== undefined) return seen;
    if (!isApiKey(key)) return { kind: 'invalid' };
    if (!this.redis.isReady) return { kind: 'undecided' };
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      asking = this.#ask(key).finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    return asking;
  }

  /** Makes what was seen forgotten: something has changed, or news may have been missed. */
  forgetSeen(): void {
    this.#cache.forgetAll();
  }

  async createKey(asked: {
    email: string;
    plan?: PlanId;
    nickname?: string;
  }): Promise<{ key: string; account: Account }> {
    const email = parseEmail(asked.email);
    const account = (await this.#byEmail(email)) ?? (await this.#createAccount({ ...asked, email }));
    for (const name of ['plan', 'nickname'] as const) {
      if (asked[name] !== undefined && asked[name] !== account[name])
        throw new AccountError(`${email} has an account already, whose ${name} is ${account[name]}`);
    }
    // Nobody can have seen it before: there is nothing to tell the others.
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
    if (rotated === 0) throw new AccountError(`${old.prefix} has just been revoked`);
    await this.#tell();
    return { key, account };
  }

  async revokeKey(keyOrPrefix: string): Promise<Account> {
    const { hash, account } = await this.#findKey(keyOrPrefix);
    await this.#do(this.#client.hdel(KEYS_KEY, hash));
    await this.#tell();
    return this.#requireAccount(account);
  }

  async setPlan(email: string, plan: PlanId): Promise<Account> {
    const { id } = await this.#requireByEmail(email);
    await this.#do(this.#client.setPlan(accountKey(id), this.#creditsKey(id), plan, CREDITS_BY_PLAN));
    await this.#tell();
    return this.#requireAccount(id);
  }

  async addCredits(email: string, credits: number): Promise<number> {
    if (!Number.isSafeInteger(credits)) throw new AccountError(`${credits} is no whole number of credits`);
    const { id } = await this.#requireByEmail(email);
    return this.#do(this.#client.addCredits(accountKey(id), this.#creditsKey(id), credits, CREDITS_BY_PLAN));
  }

  get #client(): MeteringRedis['client'] {
    return this.redis.client;
  }

  async #ask(key: string): Promise<Authentication> {
    const { generation } = this.#cache;
    try {
      const record = await this.#do(this.#client.hget(KEYS_KEY, hashOfKey(key)));
      const account = record === null ? undefined : await this.#account(parseKeyRecord(record).account);
      return this.#cache.remember(key, account, generation);
    } catch (error) {
      this.redis.failed(error);
      return { kind: 'undecided' };
    }
  }

  async #createAccount(asked: { email: string; plan?: PlanId; nickname?: string }): Promise<Account> {
    const { email, plan = 'free', nickname = email.slice(0, email.indexOf('@')) } = asked;
    const id = await this.#do(this.#client.incr(LAST_ACCOUNT_KEY));
    const record = { email, nickname, plan, created: new Date().toISOString() };
    await this.#do(this.#client.hset(accountKey(id), record));
    const isOurs = await this.#do(this.#client.hsetnx(EMAILS_KEY, email, String(id)));
    if (isOurs === 1) return { id, ...record };
    // Somebody else made one for the same address at the same time.
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
      throw new AccountError(`${found.length} keys begin with ${prefix}: name one in full`);
    if (found[0] === undefined) throw new AccountError(`there is no key ${prefix}`);
    return found[0];
  }

  async #account(id: number): Promise<Account | undefined> {
    return accountOf(id, await this.#do(this.#client.hgetall(accountKey(id))));
  }

  async #requireAccount(id: number): Promise<Account> {
    const account = await this.#account(id);
    if (account === undefined) throw new AccountError(`there is no account ${id}`);
    return account;
  }

  async #byEmail(email: string): Promise<Account | undefined> {
    const id = await this.#do(this.#client.hget(EMAILS_KEY, email));
    return id === null ? undefined : this.#account(Number(id));
  }

  async #requireByEmail(text: string): Promise<Account> {
    const email = parseEmail(text);
    const account = await this.#byEmail(email);
    if (account === undefined) throw new AccountError(`there is no account of ${email}`);
    return account;
  }

  #creditsKey(id: number): string {
    return creditsKey(id, this.calendar.today().month);
  }

  /** Tells every process, this one first, to forget what it has seen. */
  async #tell(): Promise<void> {
    this.forgetSeen();
    await this.#do(this.#client.publish(CHANGES_CHANNEL, ''));
  }

  #do<T>(command: Promise<T>): Promise<T> {
    return this.redis.watched(command);
  }
}

function recordOf(key: string, account: number): KeyRecord {
  return { account, prefix: prefixOfKey(key), created: new Date().toISOString() };
}

function parseKeyRecord(json: string): KeyRecord {
  return KEY_RECORD.parse(JSON.parse(json));
}
