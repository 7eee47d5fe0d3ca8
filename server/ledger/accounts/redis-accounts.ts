import type { Calendar } from '../calendar.js';
import { PLANS, type PlanId } from '../plans.js';
import { accountKey, creditsKey } from '../redis-keys.js';
import type { RedisClient, RedisConnection } from '../redis-connection.js';
import type { RedisMemory } from '../redis-memory.js';
import {
  AccountError,
  type Account,
  type AccountStore,
  type AccountSummary,
  type Authentication,
  type TypedTerms,
} from './account.js';
import {
  CHANGES_CHANNEL,
  CREDITS_BY_PLAN,
  EMAILS_KEY,
  LAST_ACCOUNT_KEY,
  parseEmail,
  readAccount,
} from './account-records.js';
import { ACCOUNT_SCRIPTS, type AccountCommands } from './account-scripts.js';
import { Authenticator } from './authenticator.js';
import { KeyStore, type FoundKey } from './key-store.js';
import { parseTerms } from './key-terms.js';

/** Accounts in Redis. */
export class RedisAccounts implements AccountStore {
  readonly #client: RedisClient & AccountCommands;
  readonly #authenticator: Authenticator;
  readonly #keys: KeyStore;

  constructor(
    private readonly redis: RedisConnection,
    private readonly calendar: Calendar,
    /** Makes room for what is written here: an account is worth more than the counters of callers without a key. */
    private readonly memory: RedisMemory,
  ) {
    this.#client = redis.withScripts<AccountCommands>(ACCOUNT_SCRIPTS);
    this.#authenticator = new Authenticator(redis);
    this.#keys = new KeyStore(redis, this.#client, memory);
  }

  authenticate(key: string, client?: string): Authentication | Promise<Authentication> {
    return this.#authenticator.authenticate(key, client);
  }

  /** Forgets checked keys whenever any process changes a key or account. Returns a function that stops it. */
  followChanges(): () => void {
    return this.#authenticator.followChanges();
  }

  async createKey(
    request: { email: string; plan?: PlanId; nickname?: string } & TypedTerms,
  ): Promise<{ key: string; account: Account }> {
    const email = parseEmail(request.email);
    const terms = parseTerms(request, this.calendar);
    const account = (await this.#byEmail(email)) ?? (await this.#createAccount({ ...request, email }));
    for (const name of ['plan', 'nickname'] as const) {
      if (request[name] !== undefined && request[name] !== account[name])
        throw new AccountError(`${email} already has an account with ${name} ${account[name]}`);
    }
    return { key: await this.#keys.create(account.id, terms), account };
  }

  async list(): Promise<readonly AccountSummary[]> {
    const ids = Object.values(await this.#do(this.#client.hgetall(EMAILS_KEY))).map(Number);
    const keys = await this.#keys.all();
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

  async rotateKey(keyOrPrefix: string, terms: TypedTerms = {}): Promise<{ key: string; account: Account }> {
    const old = await this.#keys.find(keyOrPrefix);
    const account = await this.#requireAccount(old.account);
    const { expires } = old;
    if (terms.expires === undefined && expires !== undefined && Date.parse(expires) <= this.calendar.now())
      throw new AccountError(`key ${old.prefix} expired at ${expires}: give a new expiry`);
    const key = await this.#keys.replace(old, parseTerms(terms, this.calendar, old));
    await this.#announceChange();
    return { key, account };
  }

  async revokeKey(keyOrPrefix: string): Promise<Account> {
    const found = await this.#keys.find(keyOrPrefix);
    await this.#keys.delete(found);
    await this.#announceChange();
    return this.#requireAccount(found.account);
  }

  async setPlan(email: string, plan: PlanId): Promise<Account> {
    const { id } = await this.#requireByEmail(email);
    await this.#write(() =>
      this.#client.setPlan(accountKey(id), this.#creditsKey(id), plan, CREDITS_BY_PLAN),
    );
    await this.#announceChange();
    return this.#requireAccount(id);
  }

  async addCredits(email: string, credits: number): Promise<number> {
    if (!Number.isSafeInteger(credits))
      throw new AccountError(`invalid credits "${credits}": expected a whole number`);
    const { id } = await this.#requireByEmail(email);
    return this.#write(() =>
      this.#client.addCredits(accountKey(id), this.#creditsKey(id), credits, CREDITS_BY_PLAN),
    );
  }

  async #createAccount(request: { email: string; plan?: PlanId; nickname?: string }): Promise<Account> {
    const { email, plan = 'free', nickname = email.slice(0, email.indexOf('@')) } = request;
    const id = await this.#write(() => this.#client.incr(LAST_ACCOUNT_KEY));
    const record = { email, nickname, plan, created: new Date().toISOString() };
    await this.#write(() => this.#client.hset(accountKey(id), record));
    const isOurs = await this.#write(() => this.#client.hsetnx(EMAILS_KEY, email, String(id)));
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
      keys: keys.map(({ hash: _hash, account: _account, ...summary }) => summary),
      creditsLeft: left === null ? PLANS[account.plan].creditsPerMonth : Number(left),
    };
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
    await this.redis.publish(CHANGES_CHANNEL, '');
  }

  #write<T>(command: () => Promise<T>): Promise<T> {
    return this.memory.withRoom(command);
  }

  #do<T>(command: Promise<T>): Promise<T> {
    return this.redis.watched(command);
  }
}
