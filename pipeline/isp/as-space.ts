import { IPV4_DEPTH, isInIpv4Space } from '../net/address.js';
import { FlatTable } from '../table/flat-table.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import type { ListInput, OriginTable } from './isp-inputs.js';

/** The list whose data centres are inferred, mostly from whole ASes. */
export const INFERRED_DATA_CENTRES = 'x4bnet';

/** The list that states the usage of each network. */
const STATED_USAGE = 'ip2proxy';

/** Stated usages of access networks; columns of votes are in this order, and one more for all other usages. */
export const ACCESS_USAGES = ['ISP', 'ISP/MOB', 'MOB'] as const;
const OTHER = ACCESS_USAGES.length;
const VOTE_COLUMNS = OTHER + 1;

/** What lists say inside the space of one AS. */
export interface AsSpace {
  /** IPv4 addresses. */
  readonly addresses: number;
  /** Share of the space in ranges of inferred data centres, 0..1; of IPv6 when the AS has no IPv4. */
  readonly dataCentreShare: number;
  /** Networks by the usage that is stated for them: those of ACCESS_USAGES, then all others. */
  readonly votes: ArrayLike<number>;
}

/** What is counted, by the position of the AS in the walk. */
interface Columns {
  /** Addresses of IPv4, and /64 networks of IPv6. */
  readonly space: readonly [Float64Array, Float64Array];
  readonly dataCentres: readonly [Float64Array, Float64Array];
  readonly votes: Uint32Array;
}

/**
 * Measures the space of each AS in one walk over origins, inferred data centres and stated usages. Equal neighbours of
 * a list count as one network.
 */
export function spaceByAs(origins: OriginTable, lists: readonly ListInput[]): ReadonlyMap<number, AsSpace> {
  const positions = new Map<number, number>();
  const positionOf = Int32Array.from(origins.records, ({ asn }) => {
    const position = positions.get(asn) ?? positions.size;
    positions.set(asn, position);
    return position;
  });
  const columns = count(origins, positionOf, lists);
  const spaces = new Map<number, AsSpace>();
  for (const [asn, position] of positions) spaces.set(asn, spaceAt(columns, position));
  return spaces;
}

function count({ table }: OriginTable, positionOf: Int32Array, lists: readonly ListInput[]): Columns {
  const isInferred = columnOf(lists, INFERRED_DATA_CENTRES, ({ isHosting }) => (isHosting ? 1 : 0));
  const vote = columnOf(lists, STATED_USAGE, ({ usageType }) => voteOf(usageType));
  const tuples = new TupleMemo(3);
  const tuple = new Int32Array(3);
  const walked = zip([table, isInferred.table, vote.table], ([origin, inferred, stated]) => {
    if (origin === ABSENT) return ABSENT;
    tuple[0] = positionOf[origin!]!;
    tuple[1] = inferred === ABSENT ? 0 : isInferred.values[inferred!]!;
    tuple[2] = stated === ABSENT ? ABSENT : vote.values[stated!]!;
    return tuples.number(tuple);
  });
  const ases = positionOf.length;
  const pair = (): readonly [Float64Array, Float64Array] => [new Float64Array(ases), new Float64Array(ases)];
  const columns = { space: pair(), dataCentres: pair(), votes: new Uint32Array(ases * VOTE_COLUMNS) };
  walked.forEach((address, length, id) => {
    const position = tuples.at(id, 0);
    const isIpv4 = length >= IPV4_DEPTH && isInIpv4Space(address);
    const family = isIpv4 ? 0 : 1;
    const size = 2 ** ((isIpv4 ? 128 : 64) - length);
    columns.space[family][position]! += size;
    if (tuples.at(id, 1) === 1) columns.dataCentres[family][position]! += size;
    const kind = tuples.at(id, 2);
    if (kind !== ABSENT) columns.votes[position * VOTE_COLUMNS + kind]!++;
  });
  return columns;
}

/** Returns the table of a list with a number for each of its claims; an empty one when the list is absent. */
function columnOf(
  lists: readonly ListInput[],
  id: string,
  valueOf: (claim: ListInput['claims'][number]) => number,
): { readonly table: FlatTable; readonly values: Int32Array } {
  const list = lists.find((one) => one.id === id);
  return {
    table: list?.table ?? FlatTable.empty(),
    values: Int32Array.from(list?.claims ?? [], valueOf),
  };
}

function voteOf(usageType: string | undefined): number {
  if (usageType === undefined) return ABSENT;
  const at = ACCESS_USAGES.findIndex((usage) => usage === usageType);
  return at < 0 ? OTHER : at;
}

function spaceAt({ space, dataCentres, votes }: Columns, position: number): AsSpace {
  const addresses = space[0][position]!;
  const family = addresses > 0 ? 0 : 1;
  return {
    addresses,
    dataCentreShare: dataCentres[family][position]! / (space[family][position]! || 1),
    votes: votes.subarray(position * VOTE_COLUMNS, (position + 1) * VOTE_COLUMNS),
  };
}
