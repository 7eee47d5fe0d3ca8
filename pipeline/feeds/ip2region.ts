import { compareAddresses, familyOf, newAddress, parseAddressInto, type Family } from '../net/address.js';
import { readPlain } from './containers.js';
import { readCsvRows, type CsvVisitor } from './csv-rows.js';
import type { ClaimSink, Feed, FeedFile, OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import { Ipv4Coverage } from './ipv4-coverage.js';
import {
  decideLayout,
  END,
  fitsLayout,
  SAMPLE_ROWS,
  START,
  type Ip2regionLayout,
} from './ip2region-layout.js';
import { Ip2regionVerdicts } from './ip2region-verdicts.js';
import type { Reason } from './tally.js';

/**
 * ip2region (https://github.com/lionsoul2014/ip2region/tree/master/data): ranges with country, province, city and ISP
 * as text, in Chinese for China and in Chinese or English elsewhere. Fields are parted by `|` and never quoted.
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
      await readCsvRows(file, readPlain(file), { delimiter: '|', quote: false }, rows);
      rows.end();
    }
  },
};

/** The files are in Git LFS: this address gives the object, the repository's own one its pointer. */
function sourceFile(name: string, required: boolean, minBytes: number): FeedFile {
  const url = `https://media.githubusercontent.com/media/lionsoul2014/ip2region/master/data/${name}`;
  return {
    folder: 'ip2region',
    name,
    container: 'plain',
    required,
    take: 'all',
    download: { url, minBytes },
  };
}

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md#the-pointer */
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

/** A line of the sample: its fields, or why it is none. */
type SampledLine =
  | { readonly line: number; readonly fields: string[] }
  | { readonly line: number; readonly bad: Reason; readonly excerpt: string };

/** The rows of one file. The first are held back until the layout is known. */
class SourceRows implements CsvVisitor {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink;
  readonly #family: Family;
  /** IPv6 files are not known to name all of the space. */
  readonly #coverage: Ipv4Coverage | undefined;
  readonly #start = newAddress();
  readonly #end = newAddress();
  #sample: SampledLine[] = [];
  #known: { readonly layout: Ip2regionLayout; readonly verdicts: Ip2regionVerdicts } | undefined;

  constructor(file: OpenFile, sink: ClaimSink) {
    this.#file = file;
    this.#sink = sink;
    this.#family = file.name.startsWith('ipv6') ? 6 : 4;
    this.#coverage = this.#family === 4 ? new Ipv4Coverage(file) : undefined;
  }

  row(fields: string[], line: number): void {
    if (this.#known !== undefined) {
      this.#take(fields, line);
      return;
    }
    if (line === 1 && LFS_POINTER.test(fields[0]!)) {
      throw new FeedError('container', this.#file.id, 'a Git LFS pointer in place of the file');
    }
    this.#sample.push({ line, fields });
    if (this.#sample.length === SAMPLE_ROWS) this.#decide();
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    if (this.#known === undefined) this.#sample.push({ line, bad: reason, excerpt });
    else this.#reject(reason, line, excerpt);
  }

  /** Throws FeedError when the file ended too early. */
  end(): void {
    if (this.#known === undefined) this.#decide();
    this.#coverage?.end();
  }

  #decide(): void {
    const rows = this.#sample.flatMap((sampled) => ('fields' in sampled ? [sampled.fields] : []));
    const layout = decideLayout(rows);
    if (layout === undefined) {
      const first = rows[0]?.join('|').slice(0, 120) ?? '';
      throw new FeedError('header', this.#file.id, `no layout fits the first rows: ${JSON.stringify(first)}`);
    }
    this.#known = { layout, verdicts: new Ip2regionVerdicts(layout, this.#sink) };
    for (const sampled of this.#sample) {
      if ('fields' in sampled) this.#take(sampled.fields, sampled.line);
      else this.#reject(sampled.bad, sampled.line, sampled.excerpt);
    }
    this.#sample = [];
  }

  #take(fields: string[], line: number): void {
    const reason = this.#refusalOf(fields);
    if (reason !== undefined) {
      this.#reject(reason, line, fields.join('|'));
      return;
    }
    this.#coverage?.add(this.#start[3]!, this.#end[3]!, line);
    const verdict = this.#known!.verdicts.of(fields);
    if (verdict === undefined) this.#sink.unknown();
    else if (verdict === 'country') this.#sink.reject(verdict, line, fields.join('|'));
    else if (this.#isLowIpv6()) this.#sink.reject('reserved', line, fields.join('|'));
    else this.#sink.range(0, this.#start, this.#end, verdict, line);
  }

  /** Why a row's shape or addresses are refused; else they are in `#start` and `#end`. */
  #refusalOf(fields: readonly string[]): Reason | undefined {
    if (!fitsLayout(fields, this.#known!.layout)) return 'columns';
    const first = parseAddressInto(fields[START]!, this.#start);
    const last = parseAddressInto(fields[END]!, this.#end);
    if (first === undefined || last === undefined) return 'address';
    if (first !== this.#family || last !== this.#family) return 'family';
    return compareAddresses(this.#start, this.#end) > 0 ? 'inverted' : undefined;
  }

  /** Special-purpose space, which the sink would take for IPv4. */
  #isLowIpv6(): boolean {
    return this.#family === 6 && familyOf(this.#end) === 4;
  }

  #reject(reason: Reason, line: number, excerpt: string): void {
    this.#coverage?.mayMiss();
    this.#sink.reject(reason, line, excerpt);
  }
}
