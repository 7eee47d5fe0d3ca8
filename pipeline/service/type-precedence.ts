import type { Evidence } from '../lists/list-claim.js';
import type { Hit } from './service.js';

/** A row of the precedence: whose word on which types stands here. */
export interface Rank {
  /** Number of the row; lower is stronger. */
  readonly rank: number;
  /** Absent: every type. */
  readonly types?: readonly string[];
  /** Ids, the more believed first; absent: every list. */
  readonly lists?: readonly string[];
  /** Only claims of this evidence. */
  readonly evidence?: Evidence;
  /** Only claims of copies that are younger. */
  readonly copyUnderDays?: number;
  /** Only the operator's own word. */
  readonly isOwn?: true;
  /** A range around what was seen: it says too little of one address to be scored. */
  readonly isInferred?: true;
}

/**
 * Which word on the type of an address wins: the first row that takes one, within a row the one seen last, then the
 * list's place in the row. What is enumerated beats what is interpolated, so Tor exits and relays outrank the VPN
 * ranges that swallow them, and a crawler its data centre. Types of IP2Proxy's free edition, and of an old commercial
 * copy, stand at the first row of their type. The last row takes what no other does: a type that nobody knows yet
 * unseats none that is known.
 */
export const TYPE_PRECEDENCE: readonly Rank[] = [
  { rank: 0, isOwn: true },
  { rank: 1, types: ['TOR'], lists: ['tor', 'ip2proxy'] },
  {
    rank: 2,
    types: ['VPN', 'PUB', 'WEB', 'RES', 'CPN', 'EPN'],
    lists: ['ip2proxy'],
    evidence: 'commercial',
    copyUnderDays: 30,
  },
  { rank: 3, types: ['VPN'], lists: ['mullvad', 'nordvpn', 'proton', 'ip2proxy'] },
  { rank: 4, types: ['CPN'], lists: ['apple-relay', 'ip2proxy'] },
  { rank: 5, types: ['EPN'], lists: ['zscaler', 'ip2proxy'] },
  { rank: 6, types: ['RES'], lists: ['open-proxies', 'ip2proxy'] },
  { rank: 7, types: ['PUB'], lists: ['open-proxies', 'ip2proxy'] },
  { rank: 8, types: ['WEB'], lists: ['open-proxies', 'ip2proxy'] },
  { rank: 9, types: ['SES', 'AIC'], lists: ['ip2proxy', 'crawlers'] },
  { rank: 10, types: ['VPN'], lists: ['x4bnet'], isInferred: true },
  { rank: 11, types: ['DCH'], lists: ['ip2proxy', 'x4bnet'] },
  { rank: 12 },
];

/** A hit and the type that it is taken to name. */
export interface TypedHit {
  readonly hit: Hit;
  readonly type: string;
}

/** The same with the row that takes it. */
export interface RankedHit extends TypedHit {
  readonly row: Rank;
}

/** The row that takes a hit. */
export function rankOf({ hit, type }: TypedHit): Rank {
  for (const row of TYPE_PRECEDENCE) if (takes(row, hit, type)) return row;
  return LAST;
}

/** Orders hits by precedence, the strongest first. */
export function compareRanked(a: RankedHit, b: RankedHit): number {
  if (a.row !== b.row) return a.row.rank - b.row.rank;
  return b.hit.lastSeen - a.hit.lastSeen || placeIn(a.row, a.hit) - placeIn(b.row, b.hit);
}

const LAST = TYPE_PRECEDENCE.at(-1)!;

function takes(row: Rank, { list, claim, copyAgeDays }: Hit, type: string): boolean {
  return (
    (row.isOwn === undefined || claim.isOwn === true) &&
    (row.types === undefined || row.types.includes(type)) &&
    (row.lists === undefined || row.lists.includes(list)) &&
    (row.evidence === undefined || row.evidence === claim.evidence) &&
    (row.copyUnderDays === undefined || copyAgeDays < row.copyUnderDays)
  );
}

function placeIn(row: Rank, { list }: Hit): number {
  return row.lists?.indexOf(list) ?? 0;
}
