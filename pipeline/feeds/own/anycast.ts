import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { OpenFile, PublishedFile } from '../../input/published-source.js';
import { readCsvRows, type CsvVisitor } from '../../input/rows/csv-rows.js';
import type { Reason } from '../../input/tally.js';
import { present } from '../../mmdb/present.js';
import { IPV4_DEPTH } from '../../net/address.js';
import { PrefixBuffer, type Prefix } from '../../net/prefix.js';
import type { BorrowedClaims } from '../feed.js';
import { CloudPlaces } from './cloud-places.js';
import { ANYCAST_LIST } from './layers.js';
import { ANYCAST } from './regions/region-place.js';

/** The folder of the lists of anycast networks in the input directory. */
const FOLDER = 'anycast';

/** The prefixes in which the detector of bgp.tools finds an anycast address (https://bgp.tools/kb/anycatch), one per line. */
export const ANYCAST_FILES: readonly PublishedFile[] = [
  listFile('anycatch-v4-prefixes.txt', 10_000),
  listFile('anycatch-v6-prefixes.txt', 5_000),
];

/** The lists have no licence. Without them only networks that their operators state are anycast. */
export const LISTED_ANYCAST: BorrowedClaims = {
  source: FOLDER,
  licence: {
    name: 'anycast prefixes of bgp.tools, no licence stated',
    url: 'https://github.com/bgptools/anycast-prefixes',
    terms: 'unstated',
  },
  without: (claim) => (claim.anycast === 'listed' ? present({ ...claim, anycast: undefined }) : claim),
};

function listFile(name: string, minBytes: number): PublishedFile {
  const url = `https://raw.githubusercontent.com/bgptools/anycast-prefixes/master/${name}`;
  const file = { folder: FOLDER, name, container: 'plain', required: false, take: 'all' } as const;
  return { ...file, download: { url, minBytes } };
}

/** Reads Cloudflare's ranges, all of which are anycast: a prefix per line, `#` for comments. */
export async function readCloudflareRanges(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  const places = new CloudPlaces(file, sink);
  await readCsvRows(file, bytes, LINES, {
    row: (fields, line) => {
      if (!fields[0]!.startsWith('#')) places.add(fields.join('\t').trim(), ANYCAST, line);
    },
    bad: (reason, line, excerpt) => {
      if (!excerpt.startsWith('#')) sink.reject(reason, line, excerpt);
    },
  });
  places.insert();
}

/**
 * Reads a list of anycast prefixes: a prefix per line, `#` for comments. Prefixes wider than /20, in IPv6 than /40, are
 * not used (note `skipped`): the detector tests one address of each announced prefix, and most of a wide one is often
 * not anycast.
 */
export async function readAnycastList(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  await readCsvRows(file, bytes, LINES, new ListRows(file, sink));
}

const LINES = { delimiter: '\t', quote: false } as const;

class ListRows implements CsvVisitor {
  readonly #sink: ClaimSink;
  readonly #claimId: number;
  readonly #family: 4 | 6;
  readonly #prefix = new PrefixBuffer();

  constructor(file: OpenFile, sink: ClaimSink) {
    this.#sink = sink;
    this.#claimId = sink.intern({ anycast: 'listed' });
    this.#family = file.name.includes('-v4-') ? 4 : 6;
  }

  row(fields: string[], line: number): void {
    if (fields[0]!.startsWith('#')) return;
    const refused = this.#refusalOf(fields);
    if (refused !== undefined) {
      this.#sink.reject(refused, line, fields.join('\t'));
    } else if (isWide(this.#prefix)) {
      this.#sink.unknown();
      this.#sink.note('skipped');
    } else {
      this.#sink.prefix(ANYCAST_LIST, this.#prefix, this.#claimId, line);
    }
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    if (!excerpt.startsWith('#')) this.#sink.reject(reason, line, excerpt);
  }

  #refusalOf(fields: readonly string[]): Reason | undefined {
    if (fields.length !== 1) return 'columns';
    if (!this.#prefix.parse(fields[0]!.trim())) return 'address';
    return this.#prefix.family === this.#family ? undefined : 'family';
  }
}

function isWide({ length, family }: Prefix): boolean {
  return length < (family === 4 ? IPV4_DEPTH + 20 : 40);
}
