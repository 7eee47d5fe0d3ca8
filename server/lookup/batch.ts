import type { HostResolver } from '../targets/host-resolver.js';
import { parseTarget, type Target, type TargetAddress } from '../targets/target.js';
import { Failure } from '../failure.js';
import type { FailedEntry } from './ip-record-schema.js';
import { addressOfHost, INVALID_TARGET, UNRESOLVED_TARGET } from './resolve-target.js';

/** One target of a batch: as it was sent, and what it means. */
interface Sent {
  /** What was no string is told by its JSON. */
  readonly text: string;
  readonly target: Target | undefined;
}

/** The targets of a batch, in the order they were sent. */
export type Batch = readonly Sent[];

/** What host names turned out to be; one that is not there could not be resolved. */
export type Addresses = ReadonlyMap<string, TargetAddress>;

export const NO_ADDRESSES: Addresses = new Map();

/** Reads what was sent. Throws Failure(400) when it is more than `limit`, whatever it holds (ruling 21). */
export function parseBatch(ips: readonly unknown[], limit: number): Batch {
  if (ips.length > limit) throw new Failure(400, `at most ${limit} targets in a batch, got ${ips.length}`);
  return ips.map((item) => {
    if (typeof item === 'string') return { text: item, target: parseTarget(item) };
    return { text: JSON.stringify(item), target: undefined };
  });
}

/** The host names of a batch, each once. */
export function hostsOf(batch: Batch): string[] {
  return [...new Set(batch.flatMap(({ target }) => (target?.kind === 'host' ? [target.name] : [])))];
}

/** Entries in the order of the batch as JSON text: records, and errors for what has none. */
export function entriesOf(
  batch: Batch,
  addresses: Addresses,
  encodedRecordOf: (address: TargetAddress) => string,
): string {
  const entries = batch.map(({ text, target }) => {
    if (!target) return failed({ ip: text, error: INVALID_TARGET });
    const address = target.kind === 'address' ? target : addresses.get(target.name);
    return address ? encodedRecordOf(address) : failed({ ip: text, error: UNRESOLVED_TARGET });
  });
  return `[${entries.join(',')}]`;
}

function failed(entry: FailedEntry): string {
  return JSON.stringify(entry);
}

export interface BatchLimits {
  /** Names asked for at the same time. */
  readonly atOnce: number;
  /** No further name is asked for after that; those that are under way are waited for. */
  readonly budgetMs: number;
}

/** With the resolver's own 5 s a batch takes 15 s at most: long before its hold is given back (2 minutes). */
const LIMITS: BatchLimits = { atOnce: 32, budgetMs: 10_000 };

/** Resolves host names. One that no server answers for is as good as one without an address. */
export async function resolveHosts(
  names: readonly string[],
  resolver: HostResolver,
  { atOnce, budgetMs }: BatchLimits = LIMITS,
): Promise<Addresses> {
  const found = new Map<string, TargetAddress>();
  const deadline = performance.now() + budgetMs;
  const queue = names.values();
  const work = async (): Promise<void> => {
    for (const name of queue) {
      if (performance.now() > deadline) return;
      const address = await addressOrNone(name, resolver);
      if (address) found.set(name, address);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, work));
  return found;
}

async function addressOrNone(name: string, resolver: HostResolver): Promise<TargetAddress | undefined> {
  try {
    return await addressOfHost(name, resolver);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
