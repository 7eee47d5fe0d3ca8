import type { Claim } from '../../input/claims/claim.js';
import { KnownColumns } from '../../input/claims/columns-read.js';
import { compareAddresses, familyOf, newAddress, parseAddressInto, type Family } from '../../net/address.js';
import { readPlain } from '../../input/containers/containers.js';
import { FieldRanges } from '../../input/rows/field-ranges.js';
import { readRepeatingRows, type RepeatingVisitor } from '../../input/rows/repeating-rows.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { Feed } from '../feed.js';
import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { Ipv4Coverage } from './ipv4-coverage.js';
import {
  COUNTRY,
  decideLayout,
  END,
  fitsLayout,
  SAMPLE_ROWS,
  START,
  type Ip2regionLayout,
} from './layout.js';
import { readRowClaim } from './row-claims.js';
import type { Reason } from '../../input/tally.js';

/**
 * ip2region (https://github.com/lionsoul2014/ip2region/tree/master/data): ranges with country, region, city and ISP as
 * text, in Chinese for China, and in Chinese or English elsewhere. Fields are separated by `|` and never quoted.
 */
export const ip2region: Feed = {
  id: 'ip2region',
  publisher: 'ip2region',
  licence: {
    name: 'Apache License 2.0',
    url: 'https://www.apache.org/licenses/LICENSE-2.0',
    attribution: 'ip2region',
    terms: 'free',
  },
  files: [sourceFile('ipv4_source.txt', true, 10_000_000), sourceFile('ipv6_source.txt', false, 100_000_000)],
  cadence: 'irregular',
  version: 1,
  tolerance: 0.01,
  layers: ['range'],
  combine: (claims) => claims[0],
  read: async (files, sinkFor) => {
    for (const file of files) {
      const rows = new SourceRows(file, sinkFor(file));
      await readRepeatingRows(file, readPlain(file), { delimiter: '|', quote: false }, rows);
      rows.end();
    }
  },
};

/** The files are in Git LFS. This host has the objects; the URL of the repository has only pointers. */
function sourceFile(name: string, required: boolean, minBytes: number): PublishedFile {
  const url = `https://media.githubusercontent.com/media/lionsoul2014/ip2region/master/data/${name}`;
  return {
    folder: 'ip2region',
    name,
    container: 'plain',
    required,
    take: 'all',
    maxUnpackedBytes: 4_000_000_000,
    download: { url, minBytes },
  };
}

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md#the-pointer */
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

/** A line of the sample: the fields of a row, or the reason why it is not a row. */
type SampledLine =
  | { readonly line: number; readonly fields: string[] }
  | { readonly line: number; readonly bad: Reason; readonly excerpt: string };

/** Reads the rows of one file. Buffers the first rows until the layout is known. */
class SourceRows implements RepeatingVisitor {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink;
  readonly #family: Family;
  /** Only for IPv4: IPv6 files do not cover the whole space. */
  readonly #coverage: Ipv4Coverage | undefined;
  readonly #start = newAddress();
  readonly #end = newAddress();
  #sample: SampledLine[] = [];
  readonly #columns: KnownColumns<Claim>;
  readonly #head = new FieldRanges(COUNTRY);
  #layout: Ip2regionLayout | undefined;

  constructor(file: OpenFile, sink: ClaimSink) {
    this.#file = file;
    this.#sink = sink;
    this.#columns = new KnownColumns(sink);
    this.#family = file.name.startsWith('ipv6') ? 6 : 4;
    this.#coverage = this.#family === 4 ? new Ipv4Coverage(file) : undefined;
  }

  get headColumns(): number | undefined {
    return this.#layout && COUNTRY;
  }

  row(fields: string[], line: number): number | undefined {
    if (this.#layout !== undefined) return this.#take(fields, line, this.#layout);
    if (line === 1 && LFS_POINTER.test(fields[0]!)) {
      throw new FeedError('container', this.#file.id, 'a Git LFS pointer instead of the file');
    }
    this.#sample.push({ line, fields });
    if (this.#sample.length === SAMPLE_ROWS) this.#decide();
    return undefined;
  }

  repeated(head: FieldRanges, tail: number, line: number): boolean {
    if (this.#readEnds(head) !== undefined || this.#isLowIpv6()) return false;
    this.#cover(line);
    this.#insert(tail, line);
    return true;
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    if (this.#layout === undefined) this.#sample.push({ line, bad: reason, excerpt });
    else this.#reject(reason, line, excerpt);
  }

  /** Called after the last row. Throws FeedError when the file ends too early. */
  end(): void {
    if (this.#layout === undefined) this.#decide();
    this.#coverage?.end();
  }

  #decide(): void {
    const rows = this.#sample.flatMap((sampled) => ('fields' in sampled ? [sampled.fields] : []));
    const layout = decideLayout(rows);
    if (layout === undefined) {
      const first = rows[0]?.join('|').slice(0, 120) ?? '';
      throw new FeedError(
        'header',
        this.#file.id,
        `unknown layout: no known one fits the first rows ${JSON.stringify(first)}`,
      );
    }
    this.#layout = layout;
    for (const sampled of this.#sample) {
      if ('fields' in sampled) this.#take(sampled.fields, sampled.line, layout);
      else this.#reject(sampled.bad, sampled.line, sampled.excerpt);
    }
    this.#sample = [];
  }

  /** Reads a row in full. Returns the number of its columns, unless the row is rejected. */
  #take(fields: readonly string[], line: number, layout: Ip2regionLayout): number | undefined {
    const text = (): string => fields.join('|');
    const fault = fitsLayout(fields, layout) ? this.#readEndsOf(fields) : 'columns';
    if (fault !== undefined) {
      this.#reject(fault, line, text());
      return undefined;
    }
    this.#cover(line);
    const claim = readRowClaim(fields, layout);
    const columns = claim === 'country' ? claim : this.#columns.number({ claim });
    const refused = columns === 'country' ? columns : this.#insert(columns, line);
    if (refused === undefined) return columns as number;
    this.#sink.reject(refused, line, text());
    return undefined;
  }

  #readEndsOf(fields: readonly string[]): Reason | undefined {
    this.#head.set(fields);
    return this.#readEnds(this.#head);
  }

  /**
   * Reads the addresses of a row into `#start` and `#end`. Returns the reason when they are invalid.
   */
  #readEnds({ text, starts, ends }: FieldRanges): Reason | undefined {
    const first = parseAddressInto(text, this.#start, starts[START], ends[START]);
    const last = parseAddressInto(text, this.#end, starts[END], ends[END]);
    if (first === undefined || last === undefined) return 'address';
    if (first !== this.#family || last !== this.#family) return 'family';
    return compareAddresses(this.#start, this.#end) > 0 ? 'inverted' : undefined;
  }

  #cover(line: number): void {
    this.#coverage?.add(this.#start[3]!, this.#end[3]!, line);
  }

  /** Passes the range of a row to the sink, or returns the reason why the row is rejected. */
  #insert(columns: number, line: number): Reason | undefined {
    const claimId = this.#columns.claimIdOf(columns);
    if (claimId === undefined) this.#sink.unknown();
    else if (this.#isLowIpv6()) return 'reserved';
    else this.#sink.range(0, this.#start, this.#end, claimId, line);
    return undefined;
  }

  /** Whether the range is IPv6 in ::/96, special-purpose space that the sink would read as IPv4. */
  #isLowIpv6(): boolean {
    return this.#family === 6 && familyOf(this.#end) === 4;
  }

  #reject(reason: Reason, line: number, excerpt: string): void {
    this.#coverage?.allowGap();
    this.#sink.reject(reason, line, excerpt);
  }
}
