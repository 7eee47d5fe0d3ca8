import type { PlanId } from '../metering/plans.js';

/** A customer. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly nickname: string;
  readonly plan: PlanId;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** What a presented key turns out to be. */
export type Authentication =
  | { readonly kind: 'account'; readonly account: Account }
  /** Unknown or revoked. */
  | { readonly kind: 'invalid' }
  /** Redis is gone and this process has not seen the key lately: nobody can tell. */
  | { readonly kind: 'undecided' };
