import { setTimeout as sleep } from 'node:timers/promises';
import keySlot from 'cluster-key-slot';
import type { Ledger } from '../ledger.js';
import { creditsKey } from '../redis-keys.js';
import type { Subject } from '../subject.js';
import { subjectOf } from './ledger.js';
import type { ClusterServer, TestCluster } from './redis-cluster.js';

const CREDITS = 10_000_000;
const MONTH = new Date().toISOString().slice(0, 7).replace('-', '');

/** What callers of an account saw, and what Redis has. */
export interface Charges {
  /** When each call was admitted, as `performance.now` counts. */
  readonly admittedMs: readonly number[];
  readonly undecidedMs: readonly number[];
  readonly charged: number;
}

/** Accounts in a cluster that callers charge one credit at a time, with their own count of what was admitted. */
export class ChargedAccounts {
  readonly #accounts: readonly {
    subject: Subject;
    key: string;
    admittedMs: number[];
    undecidedMs: number[];
  }[];

  constructor(
    private readonly cluster: TestCluster,
    private readonly ledger: Ledger,
    { first, count }: { readonly first: number; readonly count: number },
  ) {
    this.#accounts = Array.from({ length: count }, (_, i) => ({
      subject: subjectOf(first + i, { creditsPerMonth: CREDITS }),
      key: creditsKey(first + i, MONTH),
      admittedMs: [],
      undecidedMs: [],
    }));
  }

  /** Charges each account once. Returns whether all calls were admitted. */
  async chargeAll(): Promise<boolean> {
    const calls = this.#accounts.map(async ({ subject, admittedMs, undecidedMs }) => {
      const { refused } = await this.ledger.meter.charge(subject, { credits: 1 });
      (refused === undefined ? admittedMs : undecidedMs).push(performance.now());
      return refused === undefined;
    });
    return (await Promise.all(calls)).every((isAdmitted) => isAdmitted);
  }

  /** Returns the charges of each account whose master is one of the given servers. */
  async chargesAt(servers: readonly ClusterServer[]): Promise<Charges[]> {
    const charges = await Promise.all(
      this.#accounts.map(async ({ key, admittedMs, undecidedMs }) => {
        const master = await this.cluster.masterOf(keySlot(key));
        if (!servers.includes(master)) return [];
        const left = await master.redis.get(key);
        return [{ admittedMs, undecidedMs, charged: left === null ? 0 : CREDITS - Number(left) }];
      }),
    );
    return charges.flat();
  }
}

/** Returns when the admissions happened that the death of a master lost: the last ones before it. */
export function lostOf({ admittedMs, charged }: Charges, killedMs: number): readonly number[] {
  const before = admittedMs.filter((ms) => ms <= killedMs);
  const lost = Math.max(0, admittedMs.length - charged);
  return before.slice(before.length - lost);
}

/** Waits until the replicas of a master have all that it had written when this was called. */
export async function untilReplicated({ redis }: ClusterServer): Promise<void> {
  const offset = Number(/master_repl_offset:(\d+)/.exec(await redis.info('replication'))![1]);
  for (;;) {
    const replicas = [...(await redis.info('replication')).matchAll(/^slave\d.*state=online,offset=(\d+)/gm)];
    if (replicas.length > 0 && replicas.every(([, own]) => Number(own) >= offset)) return;
    await sleep(10);
  }
}
