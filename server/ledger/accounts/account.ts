import type { PlanId } from '../plans.js';

/** A customer. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly nickname: string;
  readonly plan: PlanId;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** The result of checking a presented key. */
export type Authentication =
  | { readonly kind: 'account'; readonly account: Account }
  /** The key is malformed, unknown, revoked, or expired at the given time (ISO 8601 UTC). */
  | { readonly kind: 'invalid'; readonly expired?: string }
  /** The key may not be used from the caller's address. */
  | { readonly kind: 'outside' }
  /** Redis is unavailable and this process has no recent result for the key. */
  | { readonly kind: 'undecided' };

/** How long and from where a key may be used. */
export interface KeyTerms {
  /** When the key becomes invalid, ISO 8601 UTC. Absent: never. */
  readonly expires?: string | undefined;
  /** Networks that the key may be used from, as CIDR blocks. Absent: any. */
  readonly networks?: readonly string[] | undefined;
}

/** Terms as an operator types them. */
export interface TypedTerms {
  /** The last day (`2027-01-31`), a number of days (`90`), or `never`. */
  readonly expires?: string | undefined;
  /** Comma-separated addresses and CIDR blocks, or `any`. */
  readonly networks?: string | undefined;
}

/** A key as it is listed. The secret is shown once, when it is created, and stored only as a hash. */
export interface KeySummary extends KeyTerms {
  /** First characters, enough to tell keys apart: `ipa_x7Kq2m`. */
  readonly prefix: string;
  /** ISO 8601 UTC. */
  readonly created: string;
  /** When the key was last presented, ISO 8601 UTC, to the minute. Absent: never. */
  readonly lastUsed?: string;
}

/** An account with its keys and the credits left this month. */
export interface AccountSummary extends Account {
  readonly keys: readonly KeySummary[];
  readonly creditsLeft: number;
}

/** Accounts and their keys. Every method except `authenticate` rejects when Redis is unavailable. */
export interface AccountStore {
  /** Checks a key. Synchronous when the key was checked within the last minute, valid or not. Never rejects. */
  authenticate(key: string, client?: string): Authentication | Promise<Authentication>;
  /** Creates a key, and the account if the e-mail address has none. An account may hold several keys. */
  createKey(
    account: { email: string; plan?: PlanId; nickname?: string } & TypedTerms,
  ): Promise<{ key: string; account: Account }>;
  list(): Promise<readonly AccountSummary[]>;
  /**
   * Replaces a key, given in full or by its prefix. The old key is invalid from then on. The new key has the same terms,
   * except those that are given.
   */
  rotateKey(keyOrPrefix: string, terms?: TypedTerms): Promise<{ key: string; account: Account }>;
  revokeKey(keyOrPrefix: string): Promise<Account>;
  /** Changes the plan. The credits left this month change by the difference between the plans. */
  setPlan(email: string, plan: PlanId): Promise<Account>;
  /** Adds credits to the current month and returns the credits left. A negative number removes credits. */
  addCredits(email: string, credits: number): Promise<number>;
}

/** An account command that cannot be carried out. The message is for the operator. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}
