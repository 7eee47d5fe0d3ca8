import type { PlanId } from '../metering/plans.js';
import type { Account, Authentication } from './account.js';

/** A key as its owner sees it in lists: the secret itself is shown once, at its creation, and kept as a hash. */
export interface KeySummary {
  /** First characters, enough to tell keys apart: `ipa_x7Kq2m`. */
  readonly prefix: string;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** An account with its keys and what is left of its month. */
export interface AccountSummary extends Account {
  readonly keys: readonly KeySummary[];
  readonly creditsLeft: number;
}

/** Accounts and their keys. All methods but `authenticate` reject when Redis cannot be asked. */
export interface AccountStore {
  /** What a key is; at once when it has been seen within the last minute, valid or not. Never rejects. */
  authenticate(key: string): Authentication | Promise<Authentication>;
  /** Makes a key, and the account where the e-mail address has none. An account may hold several keys. */
  createKey(account: {
    email: string;
    plan?: PlanId;
    nickname?: string;
  }): Promise<{ key: string; account: Account }>;
  list(): Promise<readonly AccountSummary[]>;
  /** A new key in place of an old one, given whole or by its prefix, which is refused from then on. */
  rotateKey(keyOrPrefix: string): Promise<{ key: string; account: Account }>;
  revokeKey(keyOrPrefix: string): Promise<Account>;
  /** The difference of credits is added to, or taken from, the month that runs. */
  setPlan(email: string, plan: PlanId): Promise<Account>;
  /** Adds credits to the month that runs; what is left then. */
  addCredits(email: string, credits: number): Promise<number>;
}
