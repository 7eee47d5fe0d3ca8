import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Reader } from 'maxmind';
import { peakMb, printJson, runPart, timed, type BenchReport, type BenchRow } from '../bench/bench-report.js';
import { readMmdb } from './read.js';
import { CITY_SCHEMA } from './testing/record-schemas.js';
import { verifyMmdb } from './verify.js';

const FILE = fileURLToPath(import.meta.url);
const WRITE_BENCH = fileURLToPath(new URL('write.bench.js', import.meta.url));
const RECORDS = 50_000;

/** The measured operations on a whole file. Each runs in its own process. */
const USES: Readonly<Record<string, (file: Buffer) => unknown>> = {
  'maxmind: open': (file) => new Reader(file),
  'ipatlas: read into a table': (file) => readMmdb(file),
  'ipatlas: verify': (file) => {
    expectSound(file, {});
  },
  'ipatlas: verify with its schema': (file) => {
    expectSound(file, { schema: CITY_SCHEMA });
  },
};

function expectSound(file: Buffer, options: Parameters<typeof verifyMmdb>[1]): void {
  const { problemCount, problems } = verifyMmdb(file, options);
  if (problemCount > 0)
    throw new Error(`${problemCount} problems in the file; first: ${problems[0]?.text ?? ''}`);
}

function bench(networks: number): BenchReport {
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    const { bytes, nodeCount } = runPart(WRITE_BENCH, ['ours', networks, RECORDS, folder]) as {
      bytes: number;
      nodeCount: number;
    };
    const path = join(folder, 'ours.mmdb');
    const rows = Object.keys(USES).map((subject): BenchRow => {
      const { seconds, ...rest } = runPart(FILE, [subject, path]) as { seconds: number; peakMb: number };
      return { subject, figures: { seconds, nodesPerSecond: nodeCount / seconds, ...rest } };
    });
    const size = `${networks / 1e6} M networks, ${nodeCount.toLocaleString('en')} nodes, ${Math.round(bytes / 1e6)} MB`;
    return {
      bench: 'mmdb/read-file',
      notes: [
        size,
        'peakMb includes the file in memory; the row of maxmind shows the memory of the file alone',
      ],
      rows,
      bars: [],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [part = '', path] = process.argv.slice(2);
const use = USES[part];
if (use && path !== undefined) {
  const file = readFileSync(path);
  const { seconds } = timed(() => use(file));
  printJson({ seconds, peakMb: peakMb() });
} else {
  printJson(bench(part === '--quick' ? 100_000 : 5_000_000));
}
