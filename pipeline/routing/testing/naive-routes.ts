import { isReservedAsn } from '../../net/as-number.js';
import { formatPrefix, parsePrefix } from '../../net/prefix.js';
import { RPKI_STATES, type RpkiState } from '../../registry/registries.js';
import type { RouteTable } from '../route-table.js';

/** A route as text, for comparison. */
export interface TextRoute {
  readonly prefix: string;
  readonly parent?: string;
  readonly peers: number;
  /** `AS peers state`, the primary one first. */
  readonly origins: readonly string[];
  /** `AS paths`. */
  readonly upstreams: readonly string[];
}

/** Returns a route table as text. */
export function routesAsText(routes: RouteTable): TextRoute[] {
  const textOf = (route: number): string =>
    formatPrefix(routes.addresses.subarray(4 * route, 4 * route + 4), routes.lengths[route]!);
  return Array.from({ length: routes.count }, (_, route) => {
    const origins = span(routes.originStarts, route);
    const upstreams = span(routes.upstreamStarts, route);
    const parent = routes.parents[route]!;
    return {
      prefix: textOf(route),
      ...(parent < 0 ? {} : { parent: textOf(parent) }),
      peers: routes.peers[route]!,
      origins: origins.map((i) => {
        const state = RPKI_STATES[routes.originRpki[i]!] ?? 'not judged';
        return `${routes.originAsns[i]} ${routes.originPeers[i]} ${state}`;
      }),
      upstreams: upstreams.map((i) => `${routes.upstreamAsns[i]} ${routes.upstreamCounts[i]}`),
    };
  });
}

type Entries = Readonly<Record<string, readonly string[]>>;

/**
 * Computes the expected routes prefix by prefix from the text of `smallRib`, in the simplest way. Supports only
 * sequences and final sets; every path needs its session. `stateOf` gives the RPKI states. Drops no prefix for its
 * address.
 */
export function naiveRoutes(
  entries: Entries,
  routeServers: ReadonlySet<number>,
  stateOf: (prefix: string, origin: number | undefined) => RpkiState,
): TextRoute[] {
  const rows = Object.entries(entries).map(([prefix, texts]) => ({
    prefix,
    paths: texts.map(readEntry),
  }));
  const full = [4, 6].map((family) => {
    const prefixesOf = new Map<string, Set<string>>();
    for (const { prefix, paths } of rows.filter((route) => parsePrefix(route.prefix)!.family === family)) {
      for (const { peer } of paths) {
        prefixesOf.set(peer, (prefixesOf.get(peer) ?? new Set()).add(prefix));
      }
    }
    const largest = Math.max(...[...prefixesOf.values()].map((prefixes) => prefixes.size));
    return [...prefixesOf].filter(([, { size }]) => 10 * size >= 8 * largest).map(([peer]) => peer);
  });
  const kept = rows.filter(({ prefix, paths }) => {
    const fullPeers = full[parsePrefix(prefix)!.family === 4 ? 0 : 1]!;
    const seenBy = fullPeers.filter((peer) => paths.some((path) => path.peer === peer)).length;
    const real = paths.some(({ origin }) => origin !== undefined && !isReservedAsn(origin));
    const reserved = paths.some(({ origin }) => origin !== undefined && isReservedAsn(origin));
    return seenBy >= 1 && 10 * seenBy >= fullPeers.length && (real || !reserved);
  });
  return kept.map(({ prefix, paths }) => {
    const real = paths.filter(({ origin }) => origin !== undefined && !isReservedAsn(origin));
    const parent = parentOf(
      prefix,
      kept.map((route) => route.prefix),
    );
    const hops = real.flatMap(({ asns, origin }) => {
      const hop = asns.filter((asn) => asn !== origin && !routeServers.has(asn)).at(-1);
      return hop === undefined ? [] : [hop];
    });
    return {
      prefix,
      ...(parent === undefined ? {} : { parent }),
      peers: new Set(paths.map(({ peer }) => peer)).size,
      origins: counted(new Set(real.map(({ peer, origin }) => `${origin} ${peer}`))).map((count) => {
        const asn = Number(count.split(' ')[0]);
        const isPlain = real.some(({ origin, endsInSet }) => origin === asn && !endsInSet);
        return `${count} ${stateOf(prefix, isPlain ? asn : undefined)}`;
      }),
      upstreams: counted(hops.map(String)),
    };
  });
}

/** Counts the first words of the texts; sorted by descending count, then by ascending number. */
function counted(texts: Iterable<string>): string[] {
  const counts = new Map<number, number>();
  for (const text of texts) {
    const asn = Number(text.split(' ')[0]);
    counts.set(asn, (counts.get(asn) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([asn, count]) => `${asn} ${count}`);
}

function readEntry(text: string): {
  peer: string;
  asns: readonly number[];
  origin: number | undefined;
  endsInSet: boolean;
} {
  const [, session, path] = /^(?:(\w+):)?\s*(.*)$/.exec(text)!;
  const peer = session ?? path!.split(' ')[0]!;
  const set = /\{(.*)\}$/.exec(path!);
  const before = path!.replace(/\{.*\}$/, '').match(/\d+/g) ?? [];
  const members = new Set(set?.[1]!.split(',').map(Number));
  const asns = [...before.map(Number), ...(members.size === 1 ? members : [])];
  return { peer, asns, origin: members.size > 1 ? undefined : asns.at(-1), endsInSet: set !== null };
}

function parentOf(prefix: string, all: readonly string[]): string | undefined {
  return all
    .filter((other) => covers(other, prefix))
    .sort((a, b) => parsePrefix(b)!.length - parsePrefix(a)!.length)[0];
}

function covers(outer: string, inner: string): boolean {
  const bits = (text: string): string => {
    const { address, length } = parsePrefix(text)!;
    return [...address]
      .map((word) => word.toString(2).padStart(32, '0'))
      .join('')
      .slice(0, length);
  };
  return outer !== inner && bits(inner).startsWith(bits(outer));
}

function span(starts: Uint32Array, route: number): number[] {
  const from = starts[route]!;
  return Array.from({ length: starts[route + 1]! - from }, (_, i) => from + i);
}
