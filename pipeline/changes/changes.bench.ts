import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  peakMb,
  printJson,
  runPart,
  timed,
  type BenchBar,
  type BenchReport,
  type BenchRow,
} from '../bench/bench-report.js';
import { exampleRecords } from '../mmdb/city-records.fixture.js';
import { CITY_SCHEMA } from '../mmdb/testing/record-schemas.js';
import { writeMmdb } from '../mmdb/write.js';
import { addressOf, exampleNetworks, type NetworkColumns } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import { rebuildFile } from './apply-delta.js';
import { makeDelta } from './make-delta.js';
import { randomNumbers } from './testing/random-files.js';

const FILE = fileURLToPath(import.meta.url);
const RECORDS = 100_000;

/** A kind of night. All change 1 % of the networks. */
interface Night {
  /** The number of neighbouring networks that change together. */
  readonly run: number;
  /** One of so many runs gets a record that the old file does not have; the others get a record of another network. */
  readonly newRecordEvery: number;
}

const NIGHTS: Readonly<Record<string, Night>> = {
  'runs of 4 networks, a fifth with new records': { run: 4, newRecordEvery: 5 },
  'single networks, a fifth with new records': { run: 1, newRecordEvery: 5 },
  'single networks, all with new records': { run: 1, newRecordEvery: 1 },
};

const CHANGED = 0.01;

/** Returns the record of each network after a night. New records have numbers from RECORDS on. */
function afterNight({ count, recordIds }: NetworkColumns, { run, newRecordEvery }: Night): Uint32Array {
  const random = randomNumbers(3);
  const changed = recordIds.slice();
  const runs = Math.round((count * CHANGED) / run);
  const step = Math.floor(count / runs);
  for (let i = 0; i < runs; i++) {
    const record = i % newRecordEvery === 0 ? RECORDS + i : random(RECORDS);
    const from = i * step + random(step - run);
    changed.fill(record, from, from + run);
  }
  return changed;
}

/** Writes a file of the networks with these records. */
function write(path: string, networks: NetworkColumns, { recordIds, buildEpoch }: Content): void {
  const table = new PrefixTable();
  const used = [...new Set(recordIds)].sort((a, b) => a - b);
  const ids = new Map(used.map((number, id) => [number, id]));
  for (let i = 0; i < networks.count; i++)
    table.insert(addressOf(networks, i), networks.lengths[i]!, ids.get(recordIds[i]!)!);
  const all = exampleRecords(used.at(-1)! + 1);
  writeMmdb(path, {
    table: table.flatten(),
    records: used.map((number) => all[number]!),
    schema: CITY_SCHEMA,
    databaseType: 'ipatlas-City',
    description: { en: 'bench' },
    languages: ['en'],
    ipVersion: 6,
    buildEpoch,
  });
}

interface Content {
  readonly recordIds: Uint32Array;
  readonly buildEpoch: number;
}

interface Measured {
  readonly fileBytes: number;
  readonly gzipBytes: number;
  readonly deltaBytes: number;
  readonly makeSeconds: number;
  readonly applySeconds: number;
  readonly peakMb: number;
}

/** Makes a delta between two files and applies it. Throws if the result is not the new file. */
function measure(oldPath: string, newPath: string): Measured {
  const [old, now] = [oldPath, newPath].map((path) => {
    const bytes = readFileSync(path);
    return { bytes, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const subject = { dataset: 'geo', schema: CITY_SCHEMA, old: old!, new: now! };
  const { result: delta, seconds: makeSeconds } = timed(() => makeDelta(subject));
  const { result: rebuilt, seconds: applySeconds } = timed(() => rebuildFile(old!.bytes, delta));
  if (!rebuilt.equals(now!.bytes)) throw new Error('the rebuilt file is another one');
  const peak = peakMb();
  return {
    fileBytes: now!.sizeBytes,
    gzipBytes: gzipSync(now!.bytes).length,
    deltaBytes: delta.length,
    ...{ makeSeconds, applySeconds, peakMb: peak },
  };
}

function bench(networkCount: number): BenchReport {
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    const networks = exampleNetworks(networkCount, RECORDS);
    const old = join(folder, 'old.mmdb');
    write(old, networks, { recordIds: networks.recordIds, buildEpoch: 1_795_046_400 });
    const rows: BenchRow[] = [];
    const bars: BenchBar[] = [];
    for (const [subject, night] of Object.entries(NIGHTS)) {
      const now = join(folder, 'new.mmdb');
      write(now, networks, { recordIds: afterNight(networks, night), buildEpoch: 1_795_132_800 });
      const { fileBytes, gzipBytes, deltaBytes, ...rest } = runPart(FILE, [old, now]) as Measured;
      const [fileMb, gzipMb, deltaKb] = [fileBytes / 1e6, gzipBytes / 1e6, deltaBytes / 1e3];
      const percentOfGzip = (100 * deltaBytes) / gzipBytes;
      rows.push({ subject, figures: { fileMb, gzipMb, deltaKb, percentOfGzip, ...rest } });
      bars.push({
        what: subject,
        bar: `at most ${MOST_PERCENT} % of the file with gzip`,
        measured: `${percentOfGzip.toFixed(2)} %`,
        isMet: percentOfGzip <= MOST_PERCENT,
      });
    }
    const generated = `${networkCount.toLocaleString('en')} generated networks, ${RECORDS.toLocaleString('en')} records of GeoIP2 City`;
    return { bench: 'changes', notes: [`${generated}; 1 % of the networks changed`], rows, bars };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The bar for a night in which 1 % of the networks changed. */
const MOST_PERCENT = 3;

const [part = '', now] = process.argv.slice(2);
if (now !== undefined) printJson(measure(part, now));
else printJson(bench(part === '--quick' ? 100_000 : 1_000_000));
