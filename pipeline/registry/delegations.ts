import { readPlain } from '../input/containers/containers.js';
import {
  readDelegationRows,
  type DelegationRecord,
  type DelegationVisitor,
} from '../input/rows/delegation-rows.js';
import type { PublishedFile, OpenFile } from '../input/published-source.js';
import { withDownload } from '../input/routing-downloads.js';
import type { RoutingSource, NormaliseContext } from '../input/routing-source.js';
import type { Reason, Tally } from '../input/tally.js';
import { DelegatedAsns, readDelegatedAsns } from './delegated-asns.js';
import { DelegatedBlocks, readDelegatedBlocks } from './delegated-blocks.js';
import { DelegatedRecords } from './delegated-records.js';
import { readEach } from '../input/read-each.js';
import type { Delegations } from './registries.js';

/** The files in the order of precedence: the plain statistics of the RIPE NCC only fill gaps in the extended ones. */
const FILES: readonly PublishedFile[] = [
  'delegated-afrinic-extended-latest',
  'delegated-apnic-extended-latest',
  'delegated-arin-extended-latest',
  'delegated-lacnic-extended-latest',
  'delegated-ripencc-extended-latest',
  'delegated-ripencc-latest',
].map((name) =>
  withDownload({
    folder: 'rir',
    name,
    container: 'plain',
    required: false,
    take: 'all',
    maxUnpackedBytes: 512_000_000,
  }),
);

/** The delegated addresses and AS numbers, from the daily statistics of the five regional internet registries. */
export const DELEGATED: RoutingSource = {
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

/** Loads the normalised delegations from a folder. Throws ColumnFileError. */
export function loadDelegations(dir: string): Delegations {
  const { asn, asns } = readDelegatedAsns(dir);
  return { allocations: readDelegatedBlocks(dir), asn, asns };
}

async function normalise(files: readonly OpenFile[], { dir, tallyOf, log }: NormaliseContext): Promise<void> {
  const records = new DelegatedRecords();
  const blocks = new DelegatedBlocks(records);
  const asns = new DelegatedAsns(records);
  const inOrder = [...files].sort((a, b) => rankOf(a) - rankOf(b));
  for (const name of missingRegistries(files))
    log(`no delegation statistics of ${name}: its delegations are missing`);
  await readEach('delegated', inOrder, async (file) => {
    const rows = new DelegatedRows({ records, blocks, asns }, tallyOf(file), inOrder.indexOf(file));
    await readDelegationRows(file, readPlain(file), rows);
  });
  const replaced = new ReplacedRecords(records, (file) => tallyOf(inOrder[file]!));
  blocks.write(dir, replaced);
  asns.write(dir, replaced);
}

/** Returns the registries without a file, as named in file names. */
function missingRegistries(files: readonly OpenFile[]): string[] {
  const registryOf = (name: string): string => name.split('-')[1]!;
  const present = new Set(files.map(({ name }) => registryOf(name)));
  return [...new Set(FILES.map(({ name }) => registryOf(name)))].filter((name) => !present.has(name));
}

function rankOf(file: OpenFile): number {
  return FILES.findIndex(({ name }) => name === file.name);
}

interface Collected {
  readonly records: DelegatedRecords;
  readonly blocks: DelegatedBlocks;
  readonly asns: DelegatedAsns;
}

/** Receives the records of one file. Available and reserved records are only counted. */
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

/** Notes each replaced record once, as a duplicate or conflict, in the tally of its file. */
class ReplacedRecords {
  readonly #records: DelegatedRecords;
  readonly #tallyOf: (file: number) => Tally;
  readonly #noted = new Set<number>();

  constructor(records: DelegatedRecords, tallyOf: (file: number) => Tally) {
    this.#records = records;
    this.#tallyOf = tallyOf;
  }

  replaced(record: number, by: number): void {
    if (this.#noted.has(record)) return;
    this.#noted.add(record);
    this.#tallyOf(this.#records.files.values[record]!).note(this.#records.likeness(record, by));
  }
}
