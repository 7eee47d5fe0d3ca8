import { Failure } from '../failure.js';
import type { HostResolver } from '../targets/host-resolver.js';
import type { TargetAddress } from '../targets/target.js';
import type { Addresses } from './batch.js';
import { addressOfHost } from './resolve-target.js';

/** Limits of resolving the names of a batch. */
export interface BatchLimits {
  /** Names resolved at the same time. */
  readonly atOnce: number;
  /** After this time no further name is started. Running ones are awaited. */
  readonly budgetMs: number;
}

/** With the resolver's timeout of 5 s a batch takes at most 15 s, well below the refund of its hold (2 minutes). */
const LIMITS: BatchLimits = { atOnce: 32, budgetMs: 10_000 };

/** The addresses of host names, while they are resolved. */
export interface Resolving {
  /** Returns the address of one of the names; undefined without a reply. */
  readonly addressOf: (name: string) => Promise<TargetAddress | undefined>;
  /** Starts no further name. */
  readonly stop: () => void;
}

/** Starts to resolve host names in their order. A name without a reply counts as a name without an address. */
export function startResolving(
  names: readonly string[],
  resolver: HostResolver,
  { atOnce, budgetMs }: BatchLimits = LIMITS,
): Resolving {
  let endMs = performance.now() + budgetMs;
  const replies = new Map<string, Promise<TargetAddress | undefined>>();
  const settle: ((reply: Promise<TargetAddress | undefined> | undefined) => void)[] = [];
  for (const name of names) replies.set(name, new Promise((resolve) => settle.push(resolve)));
  // A caller that left awaits no reply, and an error must not end the process.
  for (const reply of replies.values()) reply.catch(() => undefined);
  const queue = names.entries();
  const work = async (): Promise<void> => {
    for (const [i, name] of queue) {
      const reply = performance.now() > endMs ? undefined : addressOrNone(name, resolver);
      settle[i]!(reply);
      await reply?.catch(() => undefined);
    }
  };
  for (let i = 0; i < atOnce; i++) void work();
  return {
    addressOf: (name) => replies.get(name) ?? Promise.resolve(undefined),
    stop: () => {
      endMs = -Infinity;
    },
  };
}

/** Resolves host names. Names without an address are missing. */
export async function resolveHosts(
  names: readonly string[],
  resolver: HostResolver,
  limits?: BatchLimits,
): Promise<Addresses> {
  const { addressOf } = startResolving(names, resolver, limits);
  const found = await Promise.all(names.map(async (name) => [name, await addressOf(name)] as const));
  return new Map(found.flatMap(([name, address]) => (address === undefined ? [] : [[name, address]])));
}

async function addressOrNone(name: string, resolver: HostResolver): Promise<TargetAddress | undefined> {
  try {
    return await addressOfHost(name, resolver);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
