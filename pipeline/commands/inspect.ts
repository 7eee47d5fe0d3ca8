import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { readClaims } from '../feeds/claim-file.js';
import { cachedResultOf } from '../stages/cache-places.js';
import { readMmdbFile } from '../mmdb/read.js';
import { parseAddress, type Address } from '../net/address.js';
import { formatPrefix, maskInto } from '../net/prefix.js';
import type { FlatTable } from '../table/flat-table.js';
import type { Release } from '../release/release-store.js';

/** What a dataset or feed says about an address; `prefix` is the network that holds it. */
interface Answer {
  readonly prefix: string;
  readonly record: unknown;
}

/** Everything a release knows about one address. Absent where there is no answer. */
export interface Inspection {
  readonly ip: string;
  readonly release: string;
  readonly geo: Answer | undefined;
  /** What each feed said, by id; a feed whose table is no longer kept is left out. */
  readonly feeds: Readonly<Record<string, Answer | undefined>>;
}

/** The text is not an IP address. */
export class NotAnAddressError extends Error {
  override readonly name = 'NotAnAddressError';

  constructor(text: string) {
    super(`"${text}" is not an IPv4 or IPv6 address`);
  }
}

/**
 * Looks an address up in a release and in the normalised tables it was made from. Throws NotAnAddressError, and
 * MmdbError for a damaged file.
 */
export function inspectAddress(text: string, release: Release, outputDir: string): Inspection {
  const parsed = parseAddress(text);
  if (!parsed) throw new NotAnAddressError(text);
  const { address } = parsed;
  const geo = readMmdbFile(join(release.dir, 'geo.mmdb'));
  const feeds: Record<string, Answer | undefined> = {};
  for (const input of release.manifest.inputs) {
    const dir = cachedResultOf(outputDir, input);
    if (dir === undefined) continue;
    const path = join(dir, 'table.mmdb');
    if (!existsSync(path)) continue;
    const { table, claims } = readClaims(path);
    feeds[input.feed] = answer(table, claims, address);
  }
  return { ip: text, release: release.id, geo: answer(geo.table, geo.records, address), feeds };
}

/** An inspection for people. */
export function describeInspection({ ip, release, geo, feeds }: Inspection): string {
  const lines = [`${ip} in release ${release}`, `geo.mmdb: ${describe(geo)}`];
  for (const [feed, said] of Object.entries(feeds)) lines.push(`${feed} says: ${describe(said)}`);
  return lines.join('\n');
}

function describe(said: Answer | undefined): string {
  if (!said) return 'nothing';
  const record = inspect(said.record, { depth: 6, breakLength: 100, sorted: false });
  return `${said.prefix}\n  ${record.replaceAll('\n', '\n  ')}`;
}

function answer(table: FlatTable, records: readonly unknown[], address: Address): Answer | undefined {
  const match = table.lookup(address);
  if (!match) return undefined;
  const network = address.slice();
  maskInto(network, match.length);
  return { prefix: formatPrefix(network, match.length), record: records[match.recordId] };
}
