import type { HostResolver } from '../targets/host-resolver.js';
import { parseTarget, type Target, type TargetAddress } from '../targets/target.js';
import { Failure } from '../failure.js';
import type { FailedEntry } from './ip-record-schema.js';
import { addressOfHost, INVALID_TARGET, UNRESOLVED_TARGET } from './resolve-target.js';

/** One target of a batch. */
interface Sent {
  /** As sent. A value that is not a string is shown as JSON. */
  readonly text: string;
  readonly target: Target | undefined;
}

/** The targets of a batch, in the order they were sent. */
export type Batch = readonly Sent[];

/** Addresses by host name. Names that could not be resolved are missing. */
export type Addresses = ReadonlyMap<string, TargetAddress>;

/** For batches without host names. */
export const NO_ADDRESSES: Addresses = new Map();

/** Parses the targets of a batch. Throws Failure(400) for more than `limit` targets, valid or not (decision 21). */
export function parseBatch(ips: readonly unknown[], limit: number): Batch {
  if (ips.length > limit)
    throw new Failure(400, `batch of ${ips.length} exceeds the limit of ${limit} targets`);
  return ips.map((item) => {
    if (typeof item === 'string') return { text: item, target: parseTarget(item) };
    return { text: JSON.stringify(item), target: undefined };
  });
}

/** Returns the distinct host names of a batch. */
export function hostsOf(batch: Batch): string[] {
  return [...new Set(batch.flatMap(({ target }) => (target?.kind === 'host' ? [target.name] : [])))];
}

/** Returns the entries in the order of the batch as JSON text: records, or errors for targets without one. */
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

/** Limits of resolving the names of a batch. */
export interface BatchLimits {
  /** Names resolved at the same time. */
  readonly atOnce: number;
  /** After this time no further name is started. Running ones are awaited. */
  readonly budgetMs: number;
}

/** With the resolver's timeout of 5 s a batch takes at most 15 s, well below the refund of its hold (2 minutes). */
const LIMITS: BatchLimits = { atOnce: 32, budgetMs: 10_000 };

/** Resolves host names. A name without a reply counts as a name without an address. */
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
