import { readPlain } from '../feeds/containers.js';
import {
  readDelegationRows,
  type DelegationRecord,
  type DelegationVisitor,
} from '../feeds/delegation-rows.js';
import type { FeedFile, OpenFile } from '../feeds/feed.js';
import { withDownload } from '../feeds/routing-downloads.js';
import type { Source, SourceReading } from '../feeds/source.js';
import type { Reason, Tally } from '../feeds/tally.js';
import { DelegatedAsns, readDelegatedAsns } from './delegated-asns.js';
import { DelegatedBlocks, readDelegatedBlocks } from './delegated-blocks.js';
import { DelegatedRecords } from './delegated-records.js';
import { readEach } from '../feeds/read-each.js';
import type { Delegations } from './registries.js';

/** In the order in which they count: the plain statistics of RIPE NCC only fill the gaps of the extended ones. */
const FILES: readonly FeedFile[] = [
  'delegated-afrinic-extended-latest',
  'delegated-apnic-extended-latest',
  'delegated-arin-extended-latest',
  'delegated-lacnic-extended-latest',
  'delegated-ripencc-extended-latest',
  'delegated-ripencc-latest',
].map((name) => withDownload({ folder: 'rir', name, container: 'plain', required: false, take: 'all' }));

/** Who was delegated which addresses and AS numbers, as the five regional internet registries tell every day. */
export const DELEGATED: Source = {
  id: 'delegated',
  publisher: 'AFRINIC, APNIC, ARIN, LACNIC, RIPE NCC',
  licence: {
    name: 'public registration statistics',
    url: 'https://www.nro.net/about/rirs/statistics/',
    terms: 'free',
  },
  files: FILES,
  cadence: 'daily',
  version: 1,
  tolerance: 0.01,
  normalise,
};

/** Reads what `DELEGATED` wrote. Throws ColumnFileError. */
export function loadDelegations(dir: string): Delegations {
  const { asn, asns } = readDelegatedAsns(dir);
  return { allocations: readDelegatedBlocks(dir), asn, asns };
}

async function normalise(files: readonly OpenFile[], { dir, tallyOf, log }: SourceReading): Promise<void> {
  const records = new DelegatedRecords();
  const blocks = new DelegatedBlocks(records);
  const asns = new DelegatedAsns(records);
  const inOrder = [...files].sort((a, b) => rankOf(a) - rankOf(b));
  for (const name of missingRegistries(files))
    log(`no statistics of ${name}: what it has delegated is not known`);
  await readEach('delegated', inOrder, async (file) => {
    const rows = new DelegatedRows({ records, blocks, asns }, tallyOf(file), inOrder.indexOf(file));
    await readDelegationRows(file, readPlain(file), rows);
  });
  const odd = new OddRecords(records, (file) => tallyOf(inOrder[file]!));
  blocks.write(dir, odd);
  asns.write(dir, odd);
}

/** What the file names call the registries of which there is no file. */
function missingRegistries(files: readonly OpenFile[]): string[] {
  const registryOf = (name: string): string => name.split('-')[1]!;
  const there = new Set(files.map(({ name }) => registryOf(name)));
  return [...new Set(FILES.map(({ name }) => registryOf(name)))].filter((name) => !there.has(name));
}

function rankOf(file: OpenFile): number {
  return FILES.findIndex(({ name }) => name === file.name);
}

interface Collected {
  readonly records: DelegatedRecords;
  readonly blocks: DelegatedBlocks;
  readonly asns: DelegatedAsns;
}

/** Takes the records of one file. What is available or reserved is counted and says nothing. */
class DelegatedRows implements DelegationVisitor {
  readonly #to: Collected;
  readonly #tally: Tally;
  readonly #file: number;

  constructor(to: Collected, tally: Tally, file: number) {
    this.#to = to;
    this.#tally = tally;
    this.#file = file;
  }

  record(record: DelegationRecord): Reason | undefined {
    const refused = record.isDelegated ? this.#add(record) : undefined;
    if (refused === undefined) this.#tally.accept();
    return refused;
  }

  reject(reason: Reason, line: number, excerpt: string): void {
    this.#tally.reject(reason, line, excerpt);
  }

  #add(record: DelegationRecord): Reason | undefined {
    const { records, blocks, asns } = this.#to;
    const unusable = record.type === 'asn' ? asns.read(record) : blocks.read(record);
    if (unusable !== undefined) return unusable;
    const added = records.add(record, this.#file);
    if (typeof added !== 'number') return added;
    if (record.type === 'asn') asns.add(added);
    else blocks.add(added);
    if (record.type === 'ipv6' && blocks.hadHostBits) this.#tally.note('host-bits');
    return undefined;
  }
}

/** Notes records that another one about the same block or number has outdone, each once. */
class OddRecords {
  readonly #records: DelegatedRecords;
  readonly #tallyOf: (file: number) => Tally;
  readonly #noted = new Set<number>();

  constructor(records: DelegatedRecords, tallyOf: (file: number) => Tally) {
    this.#records = records;
    this.#tallyOf = tallyOf;
  }

  outdone(record: number, by: number): void {
    if (this.#noted.has(record)) return;
    this.#noted.add(record);
    this.#tallyOf(this.#records.files.values[record]!).note(this.#records.likeness(record, by));
  }
}
