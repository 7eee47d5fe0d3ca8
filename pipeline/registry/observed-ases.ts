import assert from 'node:assert';
import { join } from 'node:path';
import { ClaimFormat } from '../input/claims/claim-format.js';
import type { ColumnsRead } from '../input/claims/columns-read.js';
import { readClaimTable, writeClaimTable } from '../input/claims/claim-table-file.js';
import type { ClaimSink } from '../input/claims/claim-sink.js';
import { LayeredRows, type CollectingOptions } from '../input/claims/layered-claims.js';
import { presentText } from '../input/names/stated-region.js';
import type { OpenFile } from '../input/published-source.js';
import { readEach } from '../input/read-each.js';
import type { NormaliseContext } from '../input/routing-source.js';
import { present } from '../mmdb/present.js';
import { isReservedAsn } from '../net/as-number.js';
import type { FlatTable } from '../table/flat-table.js';
import { reservedSpace } from '../table/reserved-space.js';

/** An AS of networks according to a publisher that does not say which prefix the AS announces. */
export interface ObservedAs {
  readonly asn: number;
  readonly organisation?: string;
  readonly domain?: string;
}

/** The publishers of observed ASes in order of precedence, as named in records of `asn.mmdb`. */
export const OBSERVERS = ['geolite2', 'ipinfo'] as const;
/** A publisher of observed ASes. */
export type Observer = (typeof OBSERVERS)[number];

/** The ASes of networks according to one publisher: disjoint networks whose record ids are indexes into `ases`. */
export interface ObservedAses {
  readonly observer: Observer;
  readonly table: FlatTable;
  readonly ases: readonly ObservedAs[];
}

/** The claim of a row; empty when the row names no AS. */
export type ObservedClaim = Partial<ObservedAs>;

/** The context of a source with observed ASes. */
export interface ObservedContext extends NormaliseContext {
  /** The id of the source. */
  readonly source: string;
  readonly options?: CollectingOptions;
}

/** Writes the rows of a source with observed ASes for `loadObservedAses`. Throws what `readEach` throws. */
export async function normaliseObservedAses(
  files: readonly OpenFile[],
  { source, dir, tallyOf, reserved = reservedSpace([]), options }: ObservedContext,
  read: (file: OpenFile, sink: ClaimSink<ObservedClaim>) => Promise<void>,
): Promise<void> {
  const rows = new LayeredRows(FORMAT, { layers: 1, reserved }, options);
  await readEach(source, files, (file) => read(file, rows.sinkFor(file, tallyOf(file))));
  const networks = rows.finish(([observed]) => observed);
  writeClaimTable(join(dir, TABLE), source, networks, FORMAT);
}

/** Returns the claim of a row from the texts of its columns. Rejects AS numbers that are invalid or reserved. */
export function readObservedAs(
  asn: number | undefined | 'odd',
  {
    organisation,
    domain,
  }: { readonly organisation: string | undefined; readonly domain?: string | undefined },
): ColumnsRead<ObservedClaim> {
  if (asn === undefined) return { claim: {} };
  if (asn === 'odd' || isReservedAsn(asn)) return { refused: 'asn' };
  return { claim: present({ asn, organisation: presentText(organisation), domain: presentText(domain) }) };
}

/** Loads the normalised table from a folder. Throws MmdbError or ZodError. */
export function loadObservedAses(observer: Observer, dir: string): ObservedAses {
  const { table, claims } = readClaimTable(join(dir, TABLE), FORMAT);
  assert(claims.every(namesAs), 'a claim about networks without an AS number');
  return { observer, table, ases: claims };
}

function namesAs(claim: ObservedClaim): claim is ObservedAs {
  return claim.asn !== undefined;
}

/** Returns the organisation of each AS: of the first publisher that names one, in its first record. */
export function organisationsByAsn(observed: readonly ObservedAses[]): Map<number, string> {
  return firstByAsn(observed, ({ organisation }) => organisation);
}

/** Returns the domain of each AS, likewise. */
export function domainsByAsn(observed: readonly ObservedAses[]): Map<number, string> {
  return firstByAsn(observed, ({ domain }) => domain);
}

function firstByAsn(
  observed: readonly ObservedAses[],
  textOf: (observed: ObservedAs) => string | undefined,
): Map<number, string> {
  const texts = new Map<number, string>();
  for (const { ases } of observed) {
    for (const one of ases) {
      const text = textOf(one);
      if (text !== undefined && !texts.has(one.asn)) texts.set(one.asn, text);
    }
  }
  return texts;
}

const TABLE = 'table.mmdb';

const FORMAT = new ClaimFormat<ObservedClaim>(
  { kind: 'source', databaseType: 'ipatlas-ObservedAses' },
  { asn: 'uint32', organisation: 'string', domain: 'string' },
);
