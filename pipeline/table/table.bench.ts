import { fileURLToPath } from 'node:url';
import { peakMb, printJson, runPart, timed, type BenchReport, type BenchRow } from '../bench/bench-report.js';
import { newAddress } from '../net/address.js';
import { lastAddressInto } from '../net/prefix.js';
import type { FlatTable } from './flat-table.js';
import { addressOf, exampleNetworks, shuffledOrder, type NetworkColumns } from './networks.fixture.js';
import { PrefixTable } from './prefix-table.js';
import { ABSENT, zip } from './zip.js';

const FILE = fileURLToPath(import.meta.url);

/** Distinct records per table. The eight real feeds have between 50 k and 1 M. */
const RECORDS = 300_000;

type Figures = BenchRow['figures'];

/** The measurements; each runs in its own process. The input is created before the clock starts. */
const PARTS: Readonly<Record<string, (count: number) => Figures>> = {
  'insert, sorted': (count) => {
    const networks = exampleNetworks(count, RECORDS);
    return rateOf(count, () => insertAll(networks));
  },
  'insert, shuffled': (count) => {
    const networks = exampleNetworks(count, RECORDS);
    const order = shuffledOrder(count);
    return rateOf(count, () => insertAll(networks, order));
  },
  'insert, as ranges': (count) => {
    const networks = exampleNetworks(count, RECORDS);
    return rateOf(count, () => {
      insertRanges(networks);
    });
  },
  flatten: (count) => {
    const table = insertAll(exampleNetworks(count, RECORDS));
    return rateOf(count, () => table.flatten());
  },
  'forEach over a flat table': (count) => {
    const flat = insertAll(exampleNetworks(count, RECORDS)).flatten();
    const networks = flat.networkCount();
    let visited = 0;
    const figures = rateOf(networks, () => {
      flat.forEach(() => visited++);
    });
    if (visited !== networks) throw new Error(`forEach visited ${visited} of ${networks} networks`);
    return figures;
  },
  'zip of 2 tables': (count) => zipOf(2, count),
  'zip of 8 tables': (count) => zipOf(8, count),
};

function rateOf(rows: number, run: () => unknown): Figures {
  const inputMb = peakMb();
  const { seconds } = timed(run);
  return { rows, seconds, rowsPerSecond: rows / seconds, inputMb, peakMb: peakMb() };
}

function insertAll(networks: NetworkColumns, order?: Uint32Array): PrefixTable {
  const table = new PrefixTable();
  for (let i = 0; i < networks.count; i++) {
    const at = order ? order[i]! : i;
    table.insert(addressOf(networks, at), networks.lengths[at]!, networks.recordIds[at]!);
  }
  return table;
}

function insertRanges(networks: NetworkColumns): void {
  const table = new PrefixTable();
  const last = newAddress();
  for (let i = 0; i < networks.count; i++) {
    const first = addressOf(networks, i);
    lastAddressInto(first, networks.lengths[i]!, last);
    table.insertRange(first, last, networks.recordIds[i]!);
  }
}

/** Zips `width` tables with `leaves` networks in total. They cover the same space, divided differently. */
function zipOf(width: number, leaves: number): Figures {
  const tables: FlatTable[] = [];
  for (let i = 0; i < width; i++) {
    tables.push(insertAll(exampleNetworks(Math.round(leaves / width), RECORDS, i + 1)).flatten());
  }
  const rows = tables.reduce((sum, table) => sum + table.networkCount(), 0);
  let tuples = 0;
  const figures = rateOf(rows, () => zip(tables, (ids) => firstOf(ids, ++tuples)));
  return { ...figures, distinctTuples: tuples };
}

/** A minimal decision, so that the measurement is of the walk. */
function firstOf(ids: Int32Array, fallback: number): number {
  for (const id of ids) if (id !== ABSENT) return id;
  return fallback;
}

function bench(count: number): BenchReport {
  return {
    bench: 'table',
    notes: [
      `${count / 1e6} M networks (for zip: in all tables together), ${RECORDS / 1e3} k record ids; sorted input unless stated`,
      'inputMb: peak memory of the process before the measurement; peakMb: after it',
    ],
    rows: Object.keys(PARTS).map((subject) => ({
      subject,
      figures: runPart(FILE, [subject, count]) as Figures,
    })),
    bars: [],
  };
}

const [part = '', count] = process.argv.slice(2);
const run = PARTS[part];
if (run) printJson(run(Number(count)));
else printJson(bench(part === '--quick' ? 100_000 : 5_000_000));
